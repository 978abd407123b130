/** results: reads the results of laboratory tests with the columns that the pages of tests show, newest first. */
import Joi from 'joi';
import { errors } from '../../core/base/errors';
import { factTables } from '../../core/facts/model/fact-tables';
import { fieldsOf } from '../../core/facts/model/report-plan';
import { runFacts } from '../../core/facts/run-series';
import { readCurrentScope } from '../../core/records/current';
import { readTakenOut } from '../../core/records/lines';
import type { Call } from '../../core/http/route';
import { narrowed, narrowedSdmj, type SdmjFact } from './narrowed';
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

type ResultsQuery = { readonly codes?: string };
export type ResultsView = {
  /** Newest first; results without a date come last. */ readonly facts: readonly SdmjFact[];
  /** The ids of those that the person calls wrong. */ readonly wrong: readonly string[];
  /** False when there are older ones that were not read. */ readonly all: boolean;
};

/** `codes` are LOINC codes with commas between them. Without it every result is read. */
export const resultsQuery = Joi.object<ResultsQuery>({ codes: Joi.string().empty('').max(4000) }).unknown(true);

/** @throws AppError not_found where the installation has no model of results */
export async function readResults({
  params,
  query: { codes },
  services,
}: Call<InScope, ResultsQuery>): Promise<ResultsView> {
  const model = requireModel(services, MODEL);
  const fields = fieldsOf(model);
  const [code, date] = [fields.get('test_name_identifier'), fields.get('collected_at')];
  if (!code || !date) {
    throw errors.notFound('data model');
  }
  const table = narrowed(factTables(services.models()).get(MODEL)!, COLUMNS);
  const current = await readCurrentScope(services, await scopeOf(services, params));
  const [facts, takenOut] = await Promise.all([
    runFacts(services.database, { table }, current.scope, {
      status: 'active',
      filters: codes === undefined ? [] : [{ field: code, values: codes.split(',') }],
      ...goodOnly(model, fields),
      order: { by: date, descending: true },
      limit: MOST_RESULTS + 1,
      offset: 0,
    }),
    readTakenOut(services, current),
  ]);
  return {
    facts: facts.slice(0, MOST_RESULTS).map((fact) => narrowedSdmj(services, fact)),
    wrong: facts.filter(({ statementId }) => takenOut.has(statementId)).map(({ id }) => id),
    all: facts.length <= MOST_RESULTS,
  };
}
