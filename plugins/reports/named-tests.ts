/**
 * named-tests: which tests are meant by names of results that have no code. The person says it once for each name and
 * source, and it counts for all that this source sends under this name.
 */
import { groupedBy } from '../../core/base/grouped-by';
import type { ReportScope } from '../../core/db/plans';
import { factTables } from '../../core/facts/model/fact-tables';
import { readNamesOf, type NameRow } from '../../core/facts/told-store';
import { plainTestName, testSaid, testsCalled, testSurely } from '../../core/lab-tests/named';
import type { LabTest } from '../../core/lab-tests/tests';
import { newestWordFirst, type OwnWord } from '../../core/lines/own-words';
import type { readCurrentScope } from '../../core/records/current';
import { readWordsAndNames, type Joined } from '../../core/records/lines';
import type { Services } from '../../core/services';

const MODEL = 'LabResult';

type Current = Awaited<ReturnType<typeof readCurrentScope<ReportScope>>>;
type Named = Pick<NameRow, 'title' | 'documentId'>;

/** A name that may mean a test, and about which the person has said nothing yet. */
type NameQuestion = NameRow & { readonly test: LabTest };

export type NamedTests = {
  /** The test that is meant; undefined where nothing is known. */
  readonly testOf: (named: Named) => LabTest | undefined;
  readonly asked: readonly NameQuestion[];
  /** All names without a code of which a test is known. */ readonly names: readonly (NameRow & {
    readonly test: LabTest;
  })[];
};

const NOTHING: NamedTests = { testOf: () => undefined, asked: [], names: [] };

/** What is said of one name of one source: the newest word about each test counts. */
type Said = { readonly meant: LabTest | undefined; readonly refused: ReadonlySet<string> };

function saidBy(words: readonly { readonly test: LabTest; readonly isMeant: boolean }[]): Said {
  const newest = [...groupedBy(words, ({ test }) => test.id).values()].map(([first]) => first!);
  return {
    meant: newest.find(({ isMeant }) => isMeant)?.test,
    refused: new Set(newest.flatMap(({ test, isMeant }) => (isMeant ? [] : [test.id]))),
  };
}

/** A source is the sender that a document names; documents without one are one source. */
function keyReader({ documents }: Current): (named: Named) => string {
  const senders = new Map(documents.map(({ documentId, source }) => [documentId, source.sender ?? '']));
  return ({ title, documentId }) => `${plainTestName(title)}|${(senders.get(documentId) ?? '').toLowerCase()}`;
}

async function saidOfNames(
  { database, models }: Services,
  { scope }: Current,
  words: readonly OwnWord[],
  keyOf: (named: Named) => string,
): Promise<ReadonlyMap<string, Said>> {
  const { labTests } = models();
  const plan = factTables(models()).get(MODEL)!;
  const { current: _current, ...all } = scope;
  const about = newestWordFirst(words).flatMap((word) => {
    const said = testSaid(labTests, word.test ?? '');
    return word.verdict === 'is-test' && said ? word.about.map((statement) => ({ statement, ...said })) : [];
  });
  const ids = [...new Set(about.map(({ statement }) => statement))];
  const rows = ids.length === 0 ? [] : await readNamesOf(database.reads, plan, all, ids);
  const keys = new Map(rows.map((row) => [row.statement, keyOf(row)]));
  const known = about.flatMap((one) => {
    const key = keys.get(one.statement);
    return key === undefined ? [] : [{ ...one, key }];
  });
  return new Map([...groupedBy(known, ({ key }) => key)].map(([key, own]) => [key, saidBy(own)]));
}

/**
 * Which tests names without a code mean in a scope, and which names can be asked about.
 * @param known what was read before
 */
export async function readNamedTests(
  services: Services,
  current: Current,
  known?: Pick<Joined, 'names' | 'wordsAbout'>,
): Promise<NamedTests> {
  const { labTests } = services.models();
  const { names, wordsAbout } = known ?? (await readWordsAndNames(services, current));
  if (names.length === 0) {
    return NOTHING;
  }
  const keyOf = keyReader(current);
  const said = await saidOfNames(services, current, wordsAbout(MODEL), keyOf);
  const refusedOf = (named: Named): ReadonlySet<string> => said.get(keyOf(named))?.refused ?? new Set();
  const testOf = (named: Named): LabTest | undefined => {
    const sure = testSurely(labTests, named.title);
    return said.get(keyOf(named))?.meant ?? (sure && !refusedOf(named).has(sure.id) ? sure : undefined);
  };
  const first = [...groupedBy(names, keyOf).values()].map(([one]) => one!);
  return {
    testOf,
    names: names.flatMap((one) => {
      const test = testOf(one);
      return test ? [{ ...one, test }] : [];
    }),
    asked: first.flatMap((one) => {
      const test = testOf(one) ? undefined : testsCalled(labTests, one.title).find(({ id }) => !refusedOf(one).has(id));
      return test ? [{ ...one, test }] : [];
    }),
  };
}
