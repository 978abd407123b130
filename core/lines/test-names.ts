/**
 * test-names: which tests are meant by names of results that have no code: the person says it once for each name and
 * source, and it counts for all that this source sends under this name (pure).
 */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import { plainTestName, testSaid, testSurely } from '../lab-tests/named';
import type { LabTest, LabTests } from '../lab-tests/tests';
import { newestWordFirst, type OwnWord } from './own-words';

/** A name, and the document that has it. */
export type NamedIn = { readonly title: string; readonly documentId: Id };

/** What is said of one name of one source: the newest word about each test counts. */
export type SaidOfName = { readonly meant: LabTest | undefined; readonly refused: ReadonlySet<string> };

type SentBy = { readonly documentId: Id; readonly source: { readonly sender?: string } };

/** A source is the sender that a document names; documents without one are one source. */
export function nameKeys(documents: readonly SentBy[]): (named: NamedIn) => string {
  const senders = new Map(documents.map(({ documentId, source }) => [documentId, source.sender ?? '']));
  return ({ title, documentId }) => `${plainTestName(title)}|${(senders.get(documentId) ?? '').toLowerCase()}`;
}

function saidBy(words: readonly { readonly test: LabTest; readonly isMeant: boolean }[]): SaidOfName {
  const newest = [...groupedBy(words, ({ test }) => test.id).values()].map(([first]) => first!);
  return {
    meant: newest.find(({ isMeant }) => isMeant)?.test,
    refused: new Set(newest.flatMap(({ test, isMeant }) => (isMeant ? [] : [test.id]))),
  };
}

/** The statements that words say a test of. */
export function saidToBeTests(labTests: LabTests, words: readonly OwnWord[]) {
  return newestWordFirst(words).flatMap((word) => {
    const said = testSaid(labTests, word.test ?? '');
    return word.verdict === 'is-test' && said ? word.about.map((statement) => ({ statement, ...said })) : [];
  });
}

/** What is said of names. @param keyOf the name and source of a statement; undefined for one that is not there */
export function saidOfNames(
  labTests: LabTests,
  words: readonly OwnWord[],
  keyOf: (statement: Id) => string | undefined,
): ReadonlyMap<string, SaidOfName> {
  const known = saidToBeTests(labTests, words).flatMap((one) => {
    const key = keyOf(one.statement);
    return key === undefined ? [] : [{ ...one, key }];
  });
  return new Map([...groupedBy(known, ({ key }) => key)].map(([key, own]) => [key, saidBy(own)]));
}

/** The test that a name means: as the person says, or else the only one that the name can mean. */
export function testMeant(labTests: LabTests, title: string, said: SaidOfName | undefined): LabTest | undefined {
  const sure = testSurely(labTests, title);
  return said?.meant ?? (sure && !said?.refused.has(sure.id) ? sure : undefined);
}
