/** overview: what the first page of a record, or of what one of its carenets holds, says of the facts, in a fixed number of statements. */
import { factTables } from '../../core/datamodel/fact-tables';
import { fieldsOf } from '../../core/datamodel/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { ReportField, ReportPlan, ReportScope } from '../../core/storage/plans';
import { runAggregates, runFacts, tablesWithFacts } from '../../core/storage/run-series';
import { scopeOf, type InScope } from './scope';
import { sdmj, type SdmjFact } from './series';

export type Overview = {
  /** Model -> its facts without what is nested in them; newest first by their own date, those without one after them. */
  readonly lists: Readonly<Record<string, readonly SdmjFact[]>>;
  /** Facts with readings, the newest of each reading among them. */
  readonly latest: readonly SdmjFact[];
  /** Models of which there are facts. */
  readonly models: readonly string[];
};

/** More than anybody reads on a first page; who has more finds them on the page of the model. */
export const MOST_LISTED = 200;
const MOST_LATEST = 60;
/** So many readings that were not taken lately are looked for. */
const MOST_OLDER = 2;

const active = (limit: number): ReportPlan => ({ status: 'active', filters: [], limit, offset: 0 });

type Reader = { readonly services: Services; readonly scope: ReportScope };

/** Facts with a date come first; among 200 facts the order is made here, so that no statement sorts all. */
const listOf = async ({ services, scope }: Reader, name: string): Promise<readonly [string, readonly SdmjFact[]]> => {
  const table = factTables(services.models()).get(name);
  if (!table) {
    return [name, []];
  }
  const order = { by: { kind: 'datetime' as const, columns: ['_created_at'] }, descending: true };
  const facts = await runFacts(services.database, { table }, scope, { ...active(MOST_LISTED + 1), order });
  return [name, facts.map((fact) => sdmj(services, fact))];
};

/** The newest facts that have one of the columns. */
const newestWith = async (
  { services, scope }: Reader,
  name: string,
  columns: readonly ReportField[],
  date: ReportField,
): Promise<readonly SdmjFact[]> => {
  const table = factTables(services.models()).get(name)!;
  const facts = await runFacts(services.database, { table }, scope, {
    ...active(MOST_LATEST),
    present: [columns, [date]],
    order: { by: date, descending: true },
  });
  return facts.map((fact) => sdmj(services, fact));
};

/** The newest readings, and those that were taken, but not lately. */
const latestOf = async (reader: Reader, name: string, columns: readonly string[], dateName: string) => {
  const { services, scope } = reader;
  const model = services.models().find(name);
  const fields = model && fieldsOf(model);
  const date = fields?.get(dateName);
  const known = columns.flatMap((column) => fields?.get(column) ?? []);
  if (!model || !date || known.length === 0) {
    return [];
  }
  const newest = await newestWith(reader, name, known, date);
  const absent = columns.filter((column) => newest.every((fact) => (fact[column] ?? null) === null));
  if (newest.length < MOST_LATEST || absent.length === 0) {
    return newest;
  }
  const [whole] = await runAggregates(
    services.database,
    { table: factTables(services.models()).get(name)! },
    scope,
    active(1),
    absent.map((column) => ({ operator: 'count', field: fields!.get(column)! })),
  );
  const older = absent.filter((_, at) => Number(whole?.values[at] ?? 0) > 0).slice(0, MOST_OLDER);
  const found = await Promise.all(older.map((column) => newestWith(reader, name, [fields!.get(column)!], date)));
  return [...newest, ...found.flat()];
};

/** The query names models for `lists` (separated by a bar), and the model, the columns and the date of the readings. */
export const readOverview = async ({ params, query, services }: Call<InScope, RawQuery>): Promise<Overview> => {
  const reader: Reader = { services, scope: await scopeOf(services, params) };
  const split = (text = ''): readonly string[] => text.split('|').filter(Boolean);
  const tables = [...factTables(services.models()).values()].filter(
    ({ model }) => !services.models().find(model)?.parent,
  );
  const [lists, latest, models] = await Promise.all([
    Promise.all(split(query['lists']).map((name) => listOf(reader, name))),
    latestOf(reader, query['readings'] ?? '', split(query['columns']), query['date'] ?? ''),
    tablesWithFacts(services.database, tables, reader.scope),
  ]);
  return { lists: Object.fromEntries(lists), latest, models };
};
