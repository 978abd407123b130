/** overview: what the first page of a record, or of what one of its carenets holds, says of the facts, in a fixed number of statements. */
import { factTables } from '../../core/datamodel/fact-tables';
import { fieldsOf } from '../../core/datamodel/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Demographics } from '../../core/storage/stores/records';
import type { ReportField, ReportPlan, ReportScope } from '../../core/storage/plans';
import { newestFacts, runFacts, tablesWithFacts } from '../../core/storage/run-series';
import { requireCarenet, requireRecord } from '../../core/records/require';
import type { InScope } from './scope';
import { sdmj, type SdmjFact } from './series';

export type Overview = {
  /** Model -> those of its facts that were stored last, without what is nested in them. */
  readonly lists: Readonly<Record<string, readonly SdmjFact[]>>;
  /** Facts with readings, the newest of each reading among them. */
  readonly latest: readonly SdmjFact[];
  /** Models of which there are facts. */
  readonly models: readonly string[];
  readonly label: string;
  /** Name of the carenet that it is about. */
  readonly carenet: string | null;
  /** The fields of the demographics, where they may be seen. */
  readonly person: Demographics['values'] | null;
};

/** More than anybody reads on a first page; who has more finds them on the page of the model. */
export const MOST_LISTED = 200;
const MOST_LATEST = 60;

const active = (limit: number): ReportPlan => ({ status: 'active', filters: [], limit, offset: 0 });

type Reader = { readonly services: Services; readonly scope: ReportScope };

/** The facts of each model that were stored last; the page orders them by their own dates. */
const listsOf = async ({ services, scope }: Reader, names: readonly string[]): Promise<Overview['lists']> => {
  const tables = factTables(services.models());
  const known = names.flatMap((name) => tables.get(name) ?? []);
  const facts = known.length === 0 ? [] : await newestFacts(services.database, known, scope, MOST_LISTED + 1);
  return Object.fromEntries(
    names.map((name) => [name, facts.filter((fact) => fact.model === name).map((fact) => sdmj(services, fact))]),
  );
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
  const { services } = reader;
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
  const older = await newestWith(
    reader,
    name,
    absent.flatMap((column) => fields!.get(column) ?? []),
    date,
  );
  return [...newest, ...older];
};

/** Who it is, if the scope contains the demographics. */
const personOf = async (
  services: Services,
  scope: ReportScope,
  documentId: string | null,
): Promise<Overview['person']> => {
  const { database, stores } = services;
  const shown =
    documentId !== null &&
    (scope.carenetId === undefined || (await stores.documents.findDocument(database.reads, scope, documentId)));
  return shown ? ((await stores.records.findDemographics(database.reads, scope.recordId))?.values ?? null) : null;
};

/** The query names models for `lists` (separated by a bar), and the model, the columns and the date of the readings. */
export const readOverview = async ({ params, query, services }: Call<InScope, RawQuery>): Promise<Overview> => {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  const carenet = recordId === undefined ? await requireCarenet(services, carenetId) : undefined;
  const scope = carenet ? { recordId: carenet.recordId, carenetId } : { recordId: recordId! };
  const reader: Reader = { services, scope };
  const record = await requireRecord(services, scope.recordId);
  const split = (text = ''): readonly string[] => text.split('|').filter(Boolean);
  const all = services.models();
  const tables = [...factTables(all).values()].filter(({ model }) => !all.find(model)?.parent);
  const [lists, latest, models, person] = await Promise.all([
    listsOf(reader, split(query['lists'])),
    latestOf(reader, query['readings'] ?? '', split(query['columns']), query['date'] ?? ''),
    tablesWithFacts(services.database, tables, scope),
    personOf(services, scope, record.demographicsId),
  ]);
  return { label: record.label, carenet: carenet?.name ?? null, person, lists, latest, models };
};
