/**
 * series: reads periods with their averages and the points of a chart, which the page of a data model shows in addition
 * to its table.
 */
import { errors } from '../../core/base/errors';
import { isTimeZone } from '../../core/base/time-zones';
import type { Id } from '../../core/base/types';
import { jsonValue } from '../../core/facts/model/column-values';
import { factTables } from '../../core/facts/model/fact-tables';
import type { Model } from '../../core/facts/model/model';
import { TAKEN_BACK, takenBackColumns } from '../../core/facts/model/taken-back';
import { rangeOfDays, reportOf, reportPlan, type ReportFields } from '../../core/facts/model/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import { openPlace, type Pages } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import { toSdmj } from '../../core/reports/sdm';
import { runAggregate, runReport } from '../../core/facts/run-report';
import { readRowNames } from '../../core/facts/told-store';
import { CORRECTED } from '../../core/lines/former';
import { readCurrentScope, type CurrentScope } from '../../core/records/current';
import { readCalledWrong, readFormer } from '../../core/records/lines';
import type { Services } from '../../core/services';
import type { Increment, ReportField, ReportPlan, ReportSource, Scalar, StoredFact } from '../../core/facts/plans';
import type { ReportScope } from '../../core/sharing/containment';
import { runAggregates, runFacts, type Aggregates } from '../../core/facts/run-series';
import { begunWithin } from './begun';
import { openScope, requireModel, scopeOf, tellerOf, type InScope } from './scope';
import { readPapers, saidOfClosed, type SdmjFact } from './narrowed';

export type FactsView = {
  readonly facts: readonly SdmjFact[];
  readonly total: number;
  /** Whether the person calls anything in the record or carenet wrong, whatever its model. */
  readonly hasWrong: boolean;
  readonly pages: Pages;
};

/** The figures of one column in one period, or in all periods. */
type ColumnSummary = {
  readonly count: number;
  readonly average: number | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly sum: number | null;
};

type Period = {
  /** As `date_group` writes it, such as 2025, or 2025-03 for a month and 2025-11 for a week. */
  readonly period: string;
  readonly count: number;
  /** Of which unit or other value it is, where periods are split by one; null else, and where a fact has none. */
  readonly split: string | null;
  readonly columns: readonly ColumnSummary[];
};

export type SeriesView = {
  /** Facts that have a date and at least one of the columns. */
  readonly count: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly periods: readonly Period[];
  /** The newest points, newest first: all of them, unless they are fewer than `count`. */
  readonly points: readonly SdmjFact[];
  /** Averages to draw instead of points, when there are too many points; else only if they are asked for. */
  readonly averages: { readonly increment: 'week' | 'month'; readonly periods: readonly Period[] } | null;
  readonly choices: readonly { readonly value: string; readonly count: number }[];
  /** If asked for, the facts that began in the time of the series, the latest first. */
  readonly begun: readonly SdmjFact[];
};

export function sdmj(services: Services, fact: StoredFact): SdmjFact {
  return {
    ...(toSdmj(services.models(), fact) as SdmjFact),
    ...saidOfClosed(fact),
  };
}

function zoneOf(zone: string): string {
  if (!isTimeZone(zone)) {
    throw errors.invalidQuery('time_zone must be a name such as Europe/Berlin');
  }
  return zone;
}

/** The plan of a query of the report. With `_range_zone`, its `date_range` is one of days in that time zone. */
function planOf(services: Services, fields: ReportFields, { _range_zone: zone, ...query }: RawQuery): ReportPlan {
  const { date_range: days, ...others } = query;
  if (zone === undefined || days === undefined) {
    return reportPlan(query, fields, services.config.maxLimit).plan;
  }
  const { plan } = reportPlan(others, fields, services.config.maxLimit);
  const ranges = [days].flat().flatMap((range) => rangeOfDays(fields, range, zoneOf(zone)) ?? []);
  return { ...plan, ranges: [...(plan.ranges ?? []), ...ranges] };
}

/**
 * A page of facts with their nested facts, in the usual form of the report. Besides the parameters of the report,
 * `_place` says where the page begins, `_range_zone` is the time zone of the days in `date_range`, and `_present` names
 * columns of which a fact must have one, unless it was taken back.
 */
export async function readFacts({
  params,
  query: { _place: place, _present: present = '', ...query },
  services,
}: Call<InScope, RawQuery>): Promise<FactsView> {
  const model = requireModel(services, params['DATA_MODEL'] ?? '');
  const { fields, source } = reportOf(services.models(), model);
  const needed = present.split('|').flatMap((name) => fields.get(name) ?? []);
  const plan = {
    ...planOf(services, fields, query),
    ...(needed.length === 0 ? {} : { ...goodOnly(model, fields), present: [needed] }),
  };
  if (plan.aggregate) {
    throw errors.invalidQuery('aggregate_by is not for lists of facts');
  }
  const tables = factTables(services.models());
  const opened = await openScope(services, params, plan);
  const { scope } = opened;
  const list = ['facts', model.name, scope.recordId, scope.carenetId, query['order_by']].join(' ');
  const { seek, pagesOf } = openPlace(services, list, { limit: plan.limit, place }, plan.offset);
  const page = await runReport(services.database, tables, source, scope, { ...plan, part: seek });
  const [{ told, hasWrong }, paperOf] = await Promise.all([
    tellerOf(services, opened, page.facts),
    readPapers(services, scope, page.facts),
  ]);
  return {
    facts: page.facts.map((fact) => ({ ...sdmj(services, fact), __id__: fact.id, ...told(fact), ...paperOf(fact) })),
    total: page.total,
    hasWrong,
    pages: pagesOf({ more: false, ...page, rows: page.facts }),
  };
}

/** Leaves out measurements that were taken back. */
export function goodOnly(model: Model, fields: ReadonlyMap<string, ReportField>): Pick<ReportPlan, 'except'> {
  const columns = takenBackColumns(model).flatMap((name) => fields.get(name) ?? []);
  return columns.length === 0 ? {} : { except: columns.map((field) => ({ field, values: TAKEN_BACK })) };
}

const STATUS = ['status_identifier', 'status_title'];

/**
 * Leaves out, from charts, what the person calls wrong, and results that corrected ones take the place of.
 * @param wrong the statements that the person calls wrong
 */
async function withoutWrongAndFormer(
  services: Services,
  current: CurrentScope<ReportScope>,
  model: Model,
  wrong: ReadonlySet<Id>,
): Promise<Pick<ReportPlan, 'leftOut'>> {
  const table = factTables(services.models()).get(model.name)!;
  const columns = STATUS.filter((name) => model.columns.some((column) => column.name === name));
  const status: ReportField = { kind: 'text', columns };
  const corrected =
    model.same?.what === 'event' && columns.length > 0
      ? await runFacts(services.database, { table }, current.scope, {
          status: 'active',
          filters: [{ field: status, values: CORRECTED }],
          limit: 1,
          offset: 0,
        })
      : [];
  const former = corrected.length === 0 ? [] : await readFormer(services, current, model);
  const leftOut = new Set([...wrong, ...former]);
  return leftOut.size === 0
    ? {}
    : { leftOut: await readRowNames(services.database.reads, table, current.scope, leftOut) };
}

/** The plan without what does not count now, where facts of active documents are asked for. */
async function countingNow(services: Services, params: InScope, model: Model, plan: ReportPlan) {
  const scope = await scopeOf(services, params);
  if (plan.status !== 'active') {
    return { scope, plan, wrong: new Set<Id>() };
  }
  const current = await readCurrentScope(services, scope);
  const wrong = await readCalledWrong(services, current);
  const counting = { ...plan, ...(await withoutWrongAndFormer(services, current, model, wrong)) };
  return { scope: current.scope, plan: counting, wrong };
}

/** More readings than these are drawn as averages. */
const MOST_POINTS = 200;
/** A hundred years of months, in four units. */
const MOST_PERIODS = 4800;
const MOST_CHOICES = 60;
const WEEKS = 160;
const WEEK_MILLISECONDS = 7 * 86_400_000;

/** The five aggregates of one column. */
function aggregatesOf(field: ReportField): Aggregates {
  return (['count', 'avg', 'min', 'max', 'sum'] as const).map((operator) => ({ operator, field }));
}

function seriesNumber(value: Scalar | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

function columnSummary([count, average, least, most, sum]: readonly Scalar[]): ColumnSummary {
  return {
    count: Number(count ?? 0),
    average: seriesNumber(average),
    least: seriesNumber(least),
    most: seriesNumber(most),
    sum: seriesNumber(sum),
  };
}

const AGGREGATES = 5;

function isNumber({ kind }: ReportField): boolean {
  return kind === 'number' || kind === 'integer';
}

type Asked = {
  readonly services: Services;
  readonly source: ReportSource;
  readonly scope: ReportScope;
  /** Facts that have a date and one of the columns. */
  readonly plan: ReportPlan;
  readonly date: ReportField;
  readonly numbers: readonly ReportField[];
  /** The time zone in which periods begin. */
  readonly zone: string;
  /** By which periods are split. */ readonly split: ReportField | undefined;
};

type Whole = Pick<SeriesView, 'count' | 'first' | 'last'> & {
  /** The first and the last date as they are stored. */ readonly within: readonly [string, string] | undefined;
};

async function periodsOf(
  { services, source, scope, plan, date, numbers, zone, split }: Asked,
  increment: Increment,
  { count: all, within }: Whole,
): Promise<readonly Period[]> {
  if (all === 0) {
    return [];
  }
  const group = { field: date, increment, timeZone: zone, midnightIsDay: true, within, split };
  const rows = await runAggregates(services.database, source, scope, { ...plan, group }, [
    { operator: 'count' },
    ...numbers.flatMap(aggregatesOf),
  ]);
  return rows.map(({ group, split: of, values: [count, ...values] }) => ({
    period: String(group),
    count: Number(count),
    split: of === null ? null : String(of),
    columns: numbers.map((_, at) => columnSummary(values.slice(at * AGGREGATES, (at + 1) * AGGREGATES))),
  }));
}

/** The number of facts, and the first and last date. */
async function wholeOf({ services, source, scope, plan, date }: Asked): Promise<Whole> {
  const [whole] = await runAggregates(services.database, source, scope, plan, [
    { operator: 'count' },
    { operator: 'min', field: date },
    { operator: 'max', field: date },
  ]);
  const [count, ...days] = whole?.values ?? [];
  const [first = null, last = null] = days.map((day) => jsonValue(date.kind, day) as string | null);
  const [from, to] = days;
  const within = typeof from === 'string' && typeof to === 'string' ? ([from, to] as const) : undefined;
  return { count: Number(count ?? 0), first, last, within };
}

/** The newest facts, one more than are drawn. */
async function newestOf({ services, source, scope, plan, date }: Asked, { count }: Whole) {
  const order = { by: date, descending: true };
  return count === 0 ? [] : runFacts(services.database, source, scope, { ...plan, limit: MOST_POINTS + 1, order });
}

/** The values of a column, most frequent first, without the filters on that column and on units. */
async function choicesOf(
  { services, source, scope }: Asked,
  plan: ReportPlan,
  field: ReportField | undefined,
  unit: ReportField | undefined,
): Promise<SeriesView['choices']> {
  if (!field) {
    return [];
  }
  const { rows } = await runAggregate(services.database, source, scope, {
    ...plan,
    filters: plan.filters.filter((filter) => filter.field !== field && filter.field !== unit),
    group: { field },
    aggregate: { operator: 'count' },
    order: { by: 'aggregate', descending: true },
    limit: MOST_CHOICES,
    offset: 0,
  });
  return rows.flatMap(({ group, value }) =>
    typeof group === 'string' && group !== '' ? [{ value: group, count: Number(value) }] : [],
  );
}

/** Weeks, as long as a chart can show them apart; else months. @param first a day or time, as is `last` */
function stepOf(first = '', last = ''): 'week' | 'month' {
  return Date.parse(last) - Date.parse(first) > WEEKS * WEEK_MILLISECONDS ? 'month' : 'week';
}

/**
 * Besides the operators and filters of the report, the query has `_columns` (the columns to draw, separated by a bar),
 * `_date`, `_increment` (`year` or `month`), and `_choices`, a column whose values are counted without the filters on
 * it and on `_unit`. `_split` is a column, such as that of units, by whose values periods and averages are apart, and
 * `_together` ("first*last") asks for averages, however few the points are, as a chart between these days has them.
 * `_begun` asks for facts that began meanwhile (begun.ts). Periods begin in the time zone `_zone`; `_range_zone` is that
 * of `readFacts`.
 * @throws AppError not_found, invalid_query
 */
export async function readSeries({ params, query, services }: Call<InScope, RawQuery>): Promise<SeriesView> {
  const model = requireModel(services, params['DATA_MODEL'] ?? '');
  const {
    _columns: names = '',
    _date: dateName = '',
    _increment: increment,
    _choices: choice,
    _begun: begun = '',
    _unit: unit,
    _zone: zone = 'UTC',
    _split: split,
    _together: together,
    ...report
  } = query;
  const { fields, source } = reportOf(services.models(), model);
  const fieldNamed = (name: string): ReportField => {
    const field = fields.get(name);
    if (!field) {
      throw errors.invalidQuery(`${name} is not a field of ${model.name}`);
    }
    return field;
  };
  const optional = (name: string | undefined): ReportField | undefined =>
    name === undefined ? undefined : fieldNamed(name);
  const columns = names.split('|').map(fieldNamed);
  const date = fieldNamed(dateName);
  const written = { ...planOf(services, fields, report), ...goodOnly(model, fields) };
  const { scope, plan, wrong } = await countingNow(services, params, model, written);
  const asked: Asked = {
    services,
    source,
    scope,
    plan: { ...plan, present: [columns, [date]], limit: MOST_PERIODS, offset: 0 },
    date,
    numbers: columns.filter(isNumber),
    zone: zoneOf(zone),
    split: optional(split),
  };
  const whole = await wholeOf(asked);
  const { count, first, last } = whole;
  const [periods, found, choices] = await Promise.all([
    periodsOf(asked, increment === 'month' ? 'month' : 'year', whole),
    newestOf(asked, whole),
    choicesOf(asked, plan, optional(choice), optional(unit)),
  ]);
  const isLong = found.length > MOST_POINTS && asked.numbers.length > 0;
  const ends = together?.split('*') ?? (isLong ? [first ?? '', last ?? ''] : undefined);
  const step = ends && stepOf(...ends);
  return {
    count,
    first,
    last,
    periods,
    points: found.slice(0, MOST_POINTS).map((fact) => ({ ...sdmj(services, fact), __id__: fact.id })),
    averages: step ? { increment: step, periods: await periodsOf(asked, step, whole) } : null,
    choices,
    begun: await begunWithin(services, asked.scope, { text: begun, wrong }, [first, last]),
  };
}
