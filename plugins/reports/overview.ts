/** overview: the facts on the first page of a record or of a carenet, read by a fixed number of statements. */
import { factTables } from '../../core/facts/model/fact-tables';
import { fieldsOf } from '../../core/facts/model/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Demographics } from '../../core/records/store';
import type { Model } from '../../core/facts/model/model';
import type { ReportField, ReportPlan, StoredFact } from '../../core/facts/plans';
import type { ReportScope } from '../../core/sharing/containment';
import { runFacts, tablesWithFacts } from '../../core/facts/run-series';
import { readCurrentScope, readMissing, type CurrentScope } from '../../core/records/current';
import { DENIAL } from '../../core/lines/denials';
import { missingSince, type Missing } from '../../core/lines/newer';
import { isCorrected } from '../../core/lines/former';
import { countsInLine } from '../../core/lines/heard';
import type { Line } from '../../core/lines/lines';
import { formerIn, readFormer, readJoined, type Joined } from '../../core/records/lines';
import type { Id, Json } from '../../core/base/types';
import { requireSeen } from '../../core/records/seen';
import { requireRecord } from '../../core/records/require';
import { narrowed, narrowedSdmj, type SdmjFact } from './narrowed';
import { readNamedTests } from './named-tests';
import { pairsAsked } from './questions';
import type { InScope } from './scope';
import { goodOnly } from './series';
import { VISIT } from './visit-model';
import { lookedAtAs, type LookedAtAs } from '../../core/records/own-circle';
import * as documentStore from '../../core/documents/store';
import * as recordStore from '../../core/records/store';

export type Overview = {
  /**
   * Model -> a fact for each of its lines, those said last first, with the columns that were asked for and without nested
   * facts. The member `__line__` has what the line says.
   */
  readonly lists: Readonly<Record<string, readonly SdmjFact[]>>;
  /** How many pairs of these lines are perhaps the same. */
  readonly questions: number;
  /** Model -> facts with readings, those with the latest dates, including the latest of each kind of reading. */
  readonly latest: Readonly<Record<string, readonly SdmjFact[]>>;
  /** The newest visits, with the ids of their pages. */
  readonly visits: readonly SdmjFact[];
  /** The models that have facts here. */
  readonly models: readonly string[];
  readonly label: string;
  /** The name of the carenet. */
  readonly carenet: string | null;
  /** As whom the owner looks at a carenet. */ readonly as: LookedAtAs | null;
  /** Whether the caller owns the record. */
  readonly isOwner: boolean;
  /** The fields of the demographics, if they may be seen. */
  readonly person: Demographics['values'] | null;
};

/** More than anybody reads on a first page; people who have more find them on the page of the model. */
const MOST_LISTED = 200;
/** The most facts of each model of readings. */
const MOST_LATEST = 60;
/** One visit may be nested in several measurements. */
const MOST_VISITS = 20;

function active(limit: number): ReportPlan {
  return { status: 'active', filters: [], limit, offset: 0 };
}

type Reader = {
  readonly services: Services;
  /** What counts. */ readonly scope: ReportScope;
  readonly current: CurrentScope<ReportScope>;
};

/**
 * A model and the columns of its facts that are asked for: `Allergy*allergen_title*reaction_title`. A model alone asks
 * for all columns.
 */
type Wanted = { readonly model: string; readonly columns: readonly string[] };

function split(text = '', sign = '|'): readonly string[] {
  return text.split(sign).filter(Boolean);
}

function wantedIn(text: string | undefined): readonly Wanted[] {
  return split(text).map((one) => {
    const [model = '', ...columns] = split(one, '*');
    return { model, columns };
  });
}

/** The member of a fact with the document that says it, of what somebody denies. */
const SOURCE = '__source__';
/** The member of a fact that says what its line says. */
const LINE = '__line__';
/** Facts of other statements of a line, such as further reactions. */
const MOST_OTHERS = 10;

/** A page shows a few columns of each fact. */
function narrowedFact(fact: StoredFact, columns: readonly string[]): StoredFact {
  return columns.length === 0
    ? fact
    : { ...fact, values: Object.fromEntries(Object.entries(fact.values).filter(([name]) => columns.includes(name))) };
}

/** A fact that stands for a line: what it says itself, and what the line says. */
function toldLine(
  services: Services,
  line: Line,
  columns: readonly string[],
  missing: ReadonlyMap<Id, Missing>,
  sources: ReadonlyMap<Id, Json>,
): SdmjFact {
  const counting = line.says.filter(countsInLine);
  const facts = counting.flatMap(({ told }) => told.facts);
  const [own, ...others] = facts.length > 0 ? facts : line.shown.facts;
  const since = missingSince(
    counting.map(({ told }) => told.id),
    missing,
  );
  return {
    ...narrowedSdmj(services, narrowedFact(own!, columns)),
    ...(since === undefined ? {} : { __missing_since__: since }),
    ...(sources.has(own!.documentId) ? { [SOURCE]: sources.get(own!.documentId)! } : {}),
    [LINE]: {
      id: line.id,
      standing: line.standing,
      planned: line.isPlanned,
      conflict: line.isConflict,
      perhaps: line.perhaps.length,
      sources: line.sources,
      others: others
        .slice(0, MOST_OTHERS)
        .map((fact) => ({ ...narrowedSdmj(services, narrowedFact(fact, columns)) }) as Json),
    },
  };
}

/** Those said last first; older statements of their senders and what the person takes out make no entry. */
function shownLines({ lines, out }: Joined, model: string): readonly Line[] {
  return [...(lines.get(model) ?? [])]
    .filter(({ says }) => says.some(({ told }) => told.isOlder !== true && !out.has(told.id)))
    .sort((one, other) => Number(one.last < other.last) - Number(one.last > other.last));
}

/** What names the documents in which somebody denies something. */
async function denialSources({ services, scope }: Reader, lines: readonly Line[]): Promise<ReadonlyMap<Id, Json>> {
  const ids = [...new Set(lines.flatMap(({ says }) => says.map(({ told }) => told.documentId)))];
  const rows = ids.length === 0 ? [] : await documentStore.findDocuments(services.database.reads, scope, ids);
  return new Map(
    rows.map(({ id, type, label, about, createdAt }) => [id, { id, type, label, about, createdAt } as unknown as Json]),
  );
}

type Lists = Pick<Overview, 'lists' | 'questions' | 'visits'> & {
  /** The statements that the person takes out, and those that corrected ones take the place of. */
  readonly out: ReadonlySet<Id>;
};

/**
 * The lines of each model, the newest visits, and how many questions the lines leave open.
 * @param corrected models with corrected readings, of which the former ones are looked for in the same statement
 */
async function listsOf(reader: Reader, lists: readonly Wanted[], corrected: readonly string[]): Promise<Lists> {
  const { services, current } = reader;
  const names = lists.map(({ model }) => model);
  const plan = factTables(services.models()).get(VISIT);
  const newest = plan && { plan, limit: MOST_VISITS, by: 'startDate' };
  // A circle is asked nothing.
  const isAsked = current.scope.carenetId === undefined;
  const [joined, missing] = await Promise.all([
    readJoined(services, current, [...new Set([...names, ...corrected])], { newest, withNames: isAsked }),
    readMissing(services, current, names),
  ]);
  const [{ asked }, sources] = await Promise.all([
    readNamedTests(services, current, joined),
    denialSources(reader, shownLines(joined, DENIAL).slice(0, MOST_OTHERS)),
  ]);
  const listed = lists.map(({ model, columns }) => {
    const lines = shownLines(joined, model).slice(0, MOST_LISTED + 1);
    return [model, lines.map((line) => toldLine(services, line, columns, missing, sources))] as const;
  });
  return {
    lists: Object.fromEntries(listed),
    out: new Set([...joined.out, ...corrected.flatMap((name) => formerIn(joined.lines.get(name) ?? []))]),
    questions: pairsAsked(joined).length + asked.length,
    visits: joined.newest
      .filter(({ statementId }) => !joined.out.has(statementId))
      .map((fact) => narrowedSdmj(services, fact)),
  };
}

/**
 * Readings that are asked for: `VitalSigns*date*weight_value,height_value*status_identifier`. These are a model, its
 * date, the readings, and further columns to read.
 */
type Readings = {
  readonly model: Model;
  readonly date: ReportField;
  /** A fact must have one of these. */ readonly measured: readonly (readonly [name: string, field: ReportField])[];
  readonly columns: readonly string[];
};

/** The readings that are asked for. Models and fields that do not exist are left out. */
function readingsIn({ services }: Reader, text: string | undefined): readonly Readings[] {
  return split(text).flatMap((one) => {
    const [name = '', dateName = '', measuredNames = '', ...others] = one.split('*');
    const model = services.models().find(name);
    const fields = model && fieldsOf(model);
    const date = fields?.get(dateName);
    const measured = split(measuredNames, ',').flatMap((column) => {
      const field = fields?.get(column);
      return field ? [[column, field] as const] : [];
    });
    const columns = [dateName, ...measured.map(([column]) => column), ...others];
    return model && date && measured.length > 0 ? [{ model, date, measured, columns }] : [];
  });
}

/** The readings with the latest dates. */
async function newestWith(
  { services, scope }: Reader,
  { model, date, columns }: Readings,
  measured: Readings['measured'],
): Promise<readonly StoredFact[]> {
  const table = narrowed(factTables(services.models()).get(model.name)!, columns);
  return runFacts(services.database, { table }, scope, {
    ...active(MOST_LATEST),
    ...goodOnly(model, fieldsOf(model)),
    present: [measured.map(([, field]) => field), [date]],
    order: { by: date, descending: true },
  });
}

/**
 * The newest readings that count, and the latest of each kind that is not among them.
 * @param out what the person takes out, and what corrected ones among the newest take the place of
 */
async function latestReadings(
  reader: Reader,
  readings: Readings,
  newest: readonly StoredFact[],
  out: ReadonlySet<Id>,
): Promise<readonly StoredFact[]> {
  const counting = newest.filter(({ statementId }) => !out.has(statementId));
  const absent = readings.measured.filter(([column]) =>
    counting.every(({ values }) => (values[column] ?? null) === null),
  );
  if (newest.length < MOST_LATEST || absent.length === 0) {
    return counting;
  }
  const older = await newestWith(reader, readings, absent);
  const former =
    !newest.some(isCorrectedFact) && older.some(isCorrectedFact)
      ? await readFormer(reader.services, reader.current, readings.model)
      : new Set<Id>();
  return [...counting, ...older.filter(({ statementId }) => !former.has(statementId) && !out.has(statementId))];
}

function isCorrectedFact({ values }: StoredFact): boolean {
  return isCorrected(values);
}

/** The person of the record, if the scope contains the demographics. */
async function findPerson(
  services: Services,
  scope: ReportScope,
  documentId: string | null,
): Promise<Overview['person']> {
  const { database } = services;
  const shown =
    documentId !== null &&
    (scope.carenetId === undefined || (await documentStore.findDocument(database.reads, scope, documentId)));
  return shown ? ((await recordStore.findDemographics(database.reads, scope.recordId))?.values ?? null) : null;
}

/** The query names models for `lists` and for `readings` (separated by a bar), each with the columns to read. */
export async function readOverview({ params, query, principal, services }: Call<InScope, RawQuery>): Promise<Overview> {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  const seen = recordId === undefined ? await requireSeen(services, carenetId) : undefined;
  const all: ReportScope = seen?.scope ?? { recordId: recordId! };
  const current = await readCurrentScope(services, all);
  const { scope } = current;
  const reader: Reader = { services, scope, current };
  const record = await requireRecord(services, scope.recordId);
  const known = services.models();
  const tables = [...factTables(known).values()].filter(({ model }) => !known.find(model)?.parent);
  const readings = readingsIn(reader, query['readings']);
  const [found, models, person] = await Promise.all([
    Promise.all(readings.map((one) => newestWith(reader, one, one.measured))),
    tablesWithFacts(services.database, tables, all),
    findPerson(services, all, record.demographicsId),
  ]);
  const corrected = readings.filter((_, at) => found[at]!.some(isCorrectedFact));
  const { lists, questions, visits, out } = await listsOf(
    reader,
    wantedIn(query['lists']),
    corrected.map(({ model }) => model.name),
  );
  const latest = await Promise.all(
    readings.map(async (one, at) => {
      const facts = await latestReadings(reader, one, found[at]!, out);
      return [one.model.name, facts.map((fact) => narrowedSdmj(services, fact))] as const;
    }),
  );
  const as = seen
    ? await lookedAtAs(services, principal, { recordId: record.id, carenetId, ownerId: record.ownerId })
    : null;
  return {
    label: record.label,
    carenet: seen?.carenet.name ?? null,
    as,
    isOwner: principal.kind === 'account' && principal.accountId === record.ownerId,
    person,
    lists,
    questions,
    latest: Object.fromEntries(latest),
    models,
    visits,
  };
}
