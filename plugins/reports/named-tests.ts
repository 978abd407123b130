/**
 * named-tests: which tests are meant by names of results that have no code. The person says it once for each name and
 * source, and it counts for all that this source sends under this name.
 */
import { groupedBy } from '../../core/base/grouped-by';
import type { ReportScope } from '../../core/sharing/containment';
import { factTables } from '../../core/facts/model/fact-tables';
import { readNamesOf, type NameRow } from '../../core/facts/told-store';
import { testsCalled } from '../../core/lab-tests/named';
import type { LabTest } from '../../core/lab-tests/tests';
import type { OwnWord } from '../../core/lines/own-words';
import {
  nameKeys,
  saidOfNames,
  saidToBeTests,
  testMeant,
  type NamedIn,
  type SaidOfName,
} from '../../core/lines/test-names';
import type { readCurrentScope } from '../../core/records/current';
import { readWordsAndNames, type Joined } from '../../core/records/lines';
import type { Services } from '../../core/services';

const MODEL = 'LabResult';

type Current = Awaited<ReturnType<typeof readCurrentScope<ReportScope>>>;

/** A name that may mean a test, and about which the person has said nothing yet. */
type NameQuestion = NameRow & { readonly test: LabTest };

export type NamedTests = {
  /** The test that is meant; undefined where nothing is known. */
  readonly testOf: (named: NamedIn) => LabTest | undefined;
  readonly asked: readonly NameQuestion[];
  /** All names without a code of which a test is known. */ readonly names: readonly (NameRow & {
    readonly test: LabTest;
  })[];
};

const NOTHING: NamedTests = { testOf: () => undefined, asked: [], names: [] };

async function readSaid(
  { database, models }: Services,
  { scope }: Current,
  words: readonly OwnWord[],
  keyOf: (named: NamedIn) => string,
): Promise<ReadonlyMap<string, SaidOfName>> {
  const { labTests } = models();
  const plan = factTables(models()).get(MODEL)!;
  const { current: _current, ...all } = scope;
  const ids = [...new Set(saidToBeTests(labTests, words).map(({ statement }) => statement))];
  const rows = ids.length === 0 ? [] : await readNamesOf(database.reads, plan, all, ids);
  const keys = new Map(rows.map((row) => [row.statement, keyOf(row)]));
  return saidOfNames(labTests, words, (statement) => keys.get(statement));
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
  const keyOf = nameKeys(current.documents);
  const said = await readSaid(services, current, wordsAbout(MODEL), keyOf);
  const refusedOf = (named: NamedIn): ReadonlySet<string> => said.get(keyOf(named))?.refused ?? new Set();
  const testOf = (named: NamedIn): LabTest | undefined => testMeant(labTests, named.title, said.get(keyOf(named)));
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
