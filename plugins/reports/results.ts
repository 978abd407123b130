/** results: reads the results of laboratory tests with the columns that the pages of tests show, newest first. */
import Joi from 'joi';
import { errors } from '../../core/base/errors';
import { mapInSlices } from '../../core/base/turns/slices';
import { factTables } from '../../core/facts/model/fact-tables';
import { fieldsOf } from '../../core/facts/model/report-plan';
import { runFacts } from '../../core/facts/run-series';
import { readCurrentScope } from '../../core/records/current';
import { isCorrected } from '../../core/lines/former';
import { readFormer, readTakenOut } from '../../core/records/lines';
import type { Call } from '../../core/http/route';
import type { StoredFact } from '../../core/facts/plans';
import { readNamedTests, type NamedTests } from './named-tests';
import { narrowed, narrowedSdmj, readPapers, type SdmjFact } from './narrowed';
import { requireModel, scopeOf, type InScope } from './scope';
import { goodOnly } from './series';

const MODEL = 'LabResult';
/** More results than anybody has; older ones are not read, and `all` says so. */
const MOST_RESULTS = 10_000;

const COLUMNS = [
  'test_name_identifier',
  'test_name_title',
  'test_name_system',
  'collected_at',
  'status_identifier',
  'status_title',
  'abnormal_interpretation_identifier',
  'abnormal_interpretation_title',
  'quantitative_result_value_value',
  'quantitative_result_value_unit',
  'quantitative_result_normal_range_min_value',
  'quantitative_result_normal_range_min_unit',
  'quantitative_result_normal_range_max_value',
  'quantitative_result_normal_range_max_unit',
  'value',
  'reference',
  'narrative_result',
  'collected_by_org_name',
];

type ResultsQuery = { readonly codes?: string; readonly test?: string };
export type ResultsView = {
  /** Newest first; results without a date come last. */ readonly facts: readonly SdmjFact[];
  /** The ids of those that the person calls wrong. */ readonly wrong: readonly string[];
  /** The ids of those that a corrected one takes the place of. */ readonly former: readonly string[];
  /** The tests of those without a code that are known by their names, by the id of the fact. */
  readonly tests: Readonly<Record<string, string>>;
  /** False when there are older ones that were not read. */ readonly all: boolean;
};

/**
 * `codes` are LOINC codes with commas between them, those of the tests in `test`, whose results without a code are read,
 * too. Without them every result is read.
 */
export const resultsQuery = Joi.object<ResultsQuery>({
  codes: Joi.string().empty('').max(4000),
  test: Joi.string().empty('').max(4000),
}).unknown(true);

/** The newest results that have one of some values in a field, or all of them. */
type Newest = (
  values: { readonly field: string; readonly values: readonly string[] } | undefined,
) => Promise<readonly StoredFact[]>;

/** The results of one test: by its codes, and by names without a code that mean it. */
async function resultsOfTest(
  newest: Newest,
  { codes, test }: ResultsQuery,
  { names, testOf }: NamedTests,
): Promise<readonly StoredFact[]> {
  if (codes === undefined) {
    return sortResults(await newest(undefined));
  }
  const wanted = new Set(test?.split(','));
  const titles = [...new Set(names.filter((one) => wanted.has(one.test.id)).map(({ title }) => title))];
  const [coded, named] = await Promise.all([
    newest({ field: 'test_name_identifier', values: codes.split(',') }),
    titles.length === 0 ? [] : newest({ field: 'test_name_title', values: titles }),
  ]);
  const isMeant = (fact: StoredFact): boolean => isAlone(fact) && wanted.has(testOf(namedBy(fact))?.id ?? '');
  return sortResults([...coded, ...named.filter(isMeant)]);
}

function isAlone({ values }: StoredFact): boolean {
  return (values['test_name_identifier'] ?? '') === '';
}

function namedBy({ values, documentId }: StoredFact) {
  return { title: String(values['test_name_title'] ?? ''), documentId };
}

/** The newest first, those without a date last: databases put them first, where they would be taken as the latest. */
function sortResults(facts: readonly StoredFact[]): readonly StoredFact[] {
  const dateOf = ({ values }: StoredFact): string => String(values['collected_at'] ?? '');
  return [...facts].sort((one, other) => Number(dateOf(one) < dateOf(other)) - Number(dateOf(one) > dateOf(other)));
}

/** @throws AppError not_found where the installation has no model of results */
export async function readResults({ params, query, services }: Call<InScope, ResultsQuery>): Promise<ResultsView> {
  const model = requireModel(services, MODEL);
  const fields = fieldsOf(model);
  const date = fields.get('collected_at');
  if (!date) {
    throw errors.notFound('data model');
  }
  const table = narrowed(factTables(services.models()).get(MODEL)!, COLUMNS);
  const current = await readCurrentScope(services, await scopeOf(services, params));
  const newest: Newest = (wanted) => {
    const field = wanted && fields.get(wanted.field);
    return runFacts(services.database, { table }, current.scope, {
      status: 'active',
      filters: field ? [{ field, values: wanted.values }] : [],
      ...goodOnly(model, fields),
      order: { by: date, descending: true },
      limit: MOST_RESULTS + 1,
      offset: 0,
    });
  };
  const [named, takenOut] = await Promise.all([readNamedTests(services, current), readTakenOut(services, current)]);
  const facts = await resultsOfTest(newest, query, named);
  const paperOf = await readPapers(services, current.scope, facts);
  const former = facts.some(({ values }) => isCorrected(values))
    ? await readFormer(services, current, model)
    : new Set<string>();
  const tests = facts.flatMap((fact) => {
    const test = isAlone(fact) ? named.testOf(namedBy(fact)) : undefined;
    return test ? [[fact.id, test.id] as const] : [];
  });
  return {
    facts: await mapInSlices(facts.slice(0, MOST_RESULTS), (fact) => ({
      ...narrowedSdmj(services, fact),
      ...paperOf(fact),
    })),
    wrong: facts.filter(({ statementId }) => takenOut.has(statementId)).map(({ id }) => id),
    former: facts.filter(({ statementId }) => former.has(statementId)).map(({ id }) => id),
    tests: Object.fromEntries(tests),
    all: facts.length <= MOST_RESULTS,
  };
}
