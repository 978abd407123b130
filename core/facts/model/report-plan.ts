/**
 * report-plan: turns the query operators of a report call (specification 4.9) into a checked plan, or refuses them with
 * 400 and the reason.
 */
import { wireTime } from '../../base/clock';
import { countOf } from '../../base/count';
import { daysInZone } from '../../base/days-in-zone';
import { errors } from '../../base/errors';
import { isTimeZone } from '../../base/time-zones';
import type { DocumentStatus } from '../../base/types';
import type { Increment, Operator, ReportField, ReportFilter, ReportPlan, ReportRange, ReportSource } from '../plans';
import { kindInWords, queryKindOf, readText } from './column-values';
import { parseDay, parseTimestamp } from './dates';
import { factTables } from './fact-tables';
import type { ColumnKind, Model, Models } from './model';

/** Query parameters as received. The last value of a repeated one wins, except that all ranges are used. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;
/** Public name -> the field that it reads. */
export type ReportFields = ReadonlyMap<string, ReportField>;

/** What the reply says about the query: the effective paging, and the operators as they were sent. */
export type ReportEcho = {
  readonly limit: number;
  readonly offset: number;
  readonly orderBy?: string;
  readonly groupBy?: string;
  readonly dateGroup?: string;
  readonly aggregateBy?: string;
  /** Several ranges are separated by a space; the same holds for ranges of numbers. */
  readonly dateRange?: string;
  readonly valueRange?: string;
  readonly timeZone?: string;
  readonly filters: readonly { readonly name: string; readonly value: string }[];
};

export type ReportQuery = { readonly plan: ReportPlan; readonly echo: ReportEcho };

const DEFAULT_LIMIT = 100;
const DEFAULT_ORDER = '-created_at';
const statuses: readonly DocumentStatus[] = ['active', 'void', 'archived'];
const increments: readonly Increment[] = [
  'hour',
  'day',
  'week',
  'month',
  'year',
  'hourofday',
  'dayofweek',
  'weekofyear',
  'monthofyear',
];
const operators: readonly Operator[] = ['sum', 'avg', 'max', 'min', 'count'];
/** The operators that the query of a report may contain in addition to the names of fields. */
export const operatorNames: readonly string[] = [
  'limit',
  'offset',
  'order_by',
  'status',
  'group_by',
  'aggregate_by',
  'date_range',
  'date_group',
  'value_range',
  'time_zone',
  'response_format',
];

const createdAt: ReportField = { kind: 'datetime', columns: ['_created_at'] };

/** Fields of the fact around a nested one: `medication.drugName_title` for a Fill. */
function fieldsOfParent(parent: Model): readonly (readonly [string, ReportField])[] {
  return parent.columns.map(({ name, kind }) => [
    `${parent.name.toLowerCase()}.${name}`,
    { kind, columns: [name], ofParent: true },
  ]);
}

/**
 * The query fields of a generic report: every column by its name, and `created_at`.
 * @param parent the model in which this one is nested: its columns can be used, too
 */
export function fieldsOf({ columns }: Model, parent?: Model): ReportFields {
  return new Map<string, ReportField>([
    ...columns.map(({ name, kind }) => [name, { kind, columns: [name] }] as const),
    ['created_at', createdAt],
    ...(parent ? fieldsOfParent(parent) : []),
  ]);
}

/** What a report of a model can use: its fields, those of its parent included, and the tables that hold them. */
export function reportOf(
  models: Models,
  model: Model,
): { readonly fields: ReportFields; readonly source: ReportSource } {
  const tables = factTables(models);
  const parent = model.parent && models.find(model.parent.model);
  const around = parent && tables.get(parent.name);
  return {
    fields: fieldsOf(model, parent),
    source: { table: tables.get(model.name)!, ...(around ? { parent: around } : {}) },
  };
}

function allOf(value: string | readonly string[] | undefined): readonly string[] {
  return [value ?? []].flat();
}

function last(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.at(-1);
}

function quotedShort(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}

/** At most this many names are suggested to a caller who sent an unknown one, such as the columns of a coded value. */
const SIMILAR = 5;

function fieldNamed(fields: ReportFields, name: string, where: string): ReportField {
  const field = fields.get(name);
  if (!field) {
    const similar = [...fields.keys()]
      .filter((known) => name !== '' && known.toLowerCase().startsWith(name.toLowerCase()))
      .slice(0, SIMILAR);
    throw errors.invalidQuery(
      `${where}: there is no field ${quotedShort(name)} in this report${similar.length > 0 ? `, but ${similar.join(', ')}` : ''}`,
    );
  }
  return field;
}

function isDateField(field: ReportField): boolean {
  return queryKindOf(field.kind) === 'date';
}

function countParameter(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) {
    return fallback;
  }
  const count = countOf(text);
  if (count === undefined) {
    throw errors.invalidQuery(`${name} must be a whole number that is not negative`);
  }
  return count;
}

function allowedOne<T extends string>(allowed: readonly T[], text: string, where: string): T {
  const found = allowed.find((name) => name === text);
  if (!found) {
    throw errors.invalidQuery(`${where} must be one of ${allowed.join(', ')}`);
  }
  return found;
}

function splitParameter(name: string, text: string, form: string): readonly string[] {
  const parts = text.split('*');
  if (parts.length !== form.split('*').length) {
    throw errors.invalidQuery(`${name} must be written as ${form}`);
  }
  return parts;
}

/**
 * The kind for comparisons. Whole-number columns are compared with any number: one with a fraction simply equals none
 * of them.
 */
function comparedKind(kind: ColumnKind): ColumnKind {
  return kind === 'integer' ? 'number' : kind;
}

function readFilter(fields: ReportFields, name: string, text: string): ReportFilter {
  const field = fieldNamed(fields, name, 'filter');
  const kind = comparedKind(field.kind);
  const values = text.split('|').map((part) => {
    const value = readText(kind, part);
    if (value === undefined) {
      throw errors.invalidQuery(`${name} must be ${kindInWords(kind)}; several values are separated by |`);
    }
    return value;
  });
  return { field, values: [...new Set(values)] };
}

/** A range before its field is known: its bounds are points in time, or numbers. */
type Range = { readonly name: string; readonly bounds: readonly (string | undefined)[] };
type NumberRange = { readonly name: string; readonly bounds: readonly (number | undefined)[] };

function parseNumberRange(text: string): NumberRange {
  const [name = '', ...ends] = splitParameter('value_range', text, 'field*min*max');
  const bounds = ends.map((bound) => {
    const number = bound === '' ? undefined : readText('number', bound.trim());
    if (bound !== '' && typeof number !== 'number') {
      throw errors.invalidQuery(`value_range: a bound must be ${kindInWords('number')}`);
    }
    return number as number | undefined;
  });
  return { name, bounds };
}

function readNumberRange(fields: ReportFields, { name, bounds: [from, to] }: NumberRange): ReportRange {
  const field = fieldNamed(fields, name, 'value_range');
  if (queryKindOf(field.kind) !== 'number') {
    throw errors.invalidQuery(`value_range: ${name} is not a number`);
  }
  return { field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function parseRange(text: string): Range {
  const [name = '', ...ends] = splitParameter('date_range', text, 'field*start*end');
  const bounds = ends.map((bound) => {
    const stamp = bound === '' ? undefined : parseTimestamp(bound.trim());
    if (bound !== '' && stamp === undefined) {
      throw errors.invalidQuery(`date_range: a bound must be ${kindInWords('datetime')}`);
    }
    return stamp;
  });
  return { name, bounds };
}

function readRange(fields: ReportFields, { name, bounds: [from, to] }: Range): { range?: ReportRange; echo: string } {
  const field = fieldNamed(fields, name, 'date_range');
  if (!isDateField(field)) {
    throw errors.invalidQuery(`date_range: ${name} is not a date`);
  }
  // A column that holds days is compared with the days of the bounds.
  const cut = (stamp: string | undefined): string | undefined => (field.kind === 'date' ? stamp?.slice(0, 10) : stamp);
  const bounds = {
    ...(from === undefined ? {} : { from: cut(from) as string }),
    ...(to === undefined ? {} : { to: cut(to) as string }),
  };
  const echo = `${name}*${wireTime(from ?? null)}*${wireTime(to ?? null)}`;
  return from === undefined && to === undefined ? { echo } : { range: { field, ...bounds }, echo };
}

function plainDay(text: string): string | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? parseDay(text) : undefined;
  if (text !== '' && day === undefined) {
    throw errors.invalidQuery(`date_range: in a time zone a bound must be ${kindInWords('date')}`);
  }
  return day;
}

/**
 * Reads `field*day*day`, where days are those of a time zone and both are included; undefined without a bound. In a
 * field that holds times, midnight in UTC stands for a day without a time.
 * @param zone a name that `isTimeZone` accepts
 * @throws AppError invalid_query
 */
export function rangeOfDays(fields: ReportFields, text: string, zone: string): ReportRange | undefined {
  const [name = '', ...ends] = splitParameter('date_range', text, 'field*start*end');
  const field = fieldNamed(fields, name, 'date_range');
  if (!isDateField(field)) {
    throw errors.invalidQuery(`date_range: ${name} is not a date`);
  }
  const [from, to] = ends.map((end) => plainDay(end.trim()));
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const isAsked = from !== undefined || to !== undefined;
  return isAsked ? { field, ...(field.kind === 'date' ? days : { ...daysInZone(zone, days), days }) } : undefined;
}

type Grouping = { readonly name: string; readonly increment?: Increment; readonly timeZone?: string };

function checkZone(timeZone: string | undefined, dateGroup: string | undefined): void {
  if (timeZone !== undefined && dateGroup === undefined) {
    throw errors.invalidQuery('time_zone needs date_group');
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw errors.invalidQuery('time_zone must be a name such as Europe/Berlin');
  }
}

function parseGrouping(
  groupBy: string | undefined,
  dateGroup: string | undefined,
  timeZone: string | undefined,
): Grouping | undefined {
  checkZone(timeZone, dateGroup);
  if (groupBy !== undefined && dateGroup !== undefined) {
    throw errors.invalidQuery('group_by and date_group cannot be used together');
  }
  if (groupBy !== undefined || dateGroup === undefined) {
    return groupBy === undefined ? undefined : { name: groupBy };
  }
  const [name = '', increment = ''] = splitParameter('date_group', dateGroup, 'field*increment');
  return {
    name,
    increment: allowedOne(increments, increment, 'date_group: the increment'),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function readGrouping(fields: ReportFields, { name, increment, timeZone }: Grouping): NonNullable<ReportPlan['group']> {
  const field = fieldNamed(fields, name, increment ? 'date_group' : 'group_by');
  if (increment && !isDateField(field)) {
    throw errors.invalidQuery(`date_group: ${name} is not a date`);
  }
  return { field, ...(increment ? { increment } : {}), ...(timeZone === undefined ? {} : { timeZone }) };
}

type Aggregation = { readonly operator: Operator; readonly name: string };

function parseAggregation(text: string): Aggregation {
  const [operator = '', name = ''] = splitParameter('aggregate_by', text, 'operator*field');
  return { operator: allowedOne(operators, operator, 'aggregate_by: the operator'), name };
}

function readAggregate(fields: ReportFields, { operator, name }: Aggregation): NonNullable<ReportPlan['aggregate']> {
  if (operator === 'count' && name === '') {
    return { operator };
  }
  const field = fieldNamed(fields, name, 'aggregate_by');
  const kind = queryKindOf(field.kind);
  if ((operator === 'sum' || operator === 'avg') && kind !== 'number') {
    throw errors.invalidQuery(`aggregate_by: ${operator} needs a number, and ${name} is none`);
  }
  if ((operator === 'max' || operator === 'min') && kind === 'string') {
    throw errors.invalidQuery(`aggregate_by: ${operator} needs a number or a date, and ${name} is neither`);
  }
  return { operator, field };
}

type Order = { readonly order?: ReportPlan['order']; readonly echo?: string };

function splitOrder(text: string): { name: string; descending: boolean } {
  return text.startsWith('-') ? { name: text.slice(1), descending: true } : { name: text, descending: false };
}

/** An unknown field has no effect: the order is the default one (specification 4.9). */
function plainOrder(fields: ReportFields, text: string | undefined): Order {
  if (text === '') {
    return {};
  }
  const asked = text ?? DEFAULT_ORDER;
  const known = fields.has(splitOrder(asked).name) ? asked : DEFAULT_ORDER;
  const { name, descending } = splitOrder(known);
  const by = fields.get(name);
  return by ? { order: { by, descending }, echo: known } : {};
}

function groupedOrder(text: string | undefined, groupName: string, aggregateName: string): Order {
  if (text === undefined || text === '') {
    return { order: { by: 'group', descending: false } };
  }
  const { name, descending } = splitOrder(text);
  if (name !== aggregateName && name !== groupName) {
    throw errors.invalidQuery(
      'order_by must be the field of group_by, date_group or aggregate_by when there are groups',
    );
  }
  return { order: { by: name === aggregateName ? 'aggregate' : 'group', descending }, echo: text };
}

function isFilter(name: string): boolean {
  return !operatorNames.includes(name) && !/^x?oauth_/.test(name);
}

/** A query before the fields of its report are known. */
type ParsedQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly status: DocumentStatus;
  readonly orderBy?: string | undefined;
  readonly ranges: readonly Range[];
  readonly numberRanges: readonly NumberRange[];
  readonly grouping?: Grouping | undefined;
  readonly aggregation?: Aggregation | undefined;
  readonly filters: ReportEcho['filters'];
  /** Operators as they were received. */
  readonly sent: Pick<ReportEcho, 'groupBy' | 'dateGroup' | 'aggregateBy' | 'valueRange' | 'timeZone'>;
};

/**
 * Parses the parts of a query that need no fields. OAuth parameters and `response_format` are left to others.
 * @param maxLimit the largest limit; a larger one is lowered to it
 * @throws AppError invalid_query
 */
export function parseQuery(query: RawQuery, maxLimit: number): ParsedQuery {
  const given = (name: string): string | undefined => last(query[name]);
  const limit = Math.min(countParameter('limit', given('limit'), DEFAULT_LIMIT), maxLimit);
  const offset = countParameter('offset', given('offset'), 0);
  // An empty parameter is treated like an absent one, as in every list.
  const status = allowedOne(statuses, given('status') || 'active', 'status');
  const [groupBy, dateGroup, aggregateBy, timeZone] = ['group_by', 'date_group', 'aggregate_by', 'time_zone'].map(
    given,
  );
  const valueRanges = allOf(query['value_range']);
  const grouping = parseGrouping(groupBy, dateGroup, timeZone);
  if (grouping && aggregateBy === undefined) {
    throw errors.invalidQuery('group_by and date_group need aggregate_by');
  }
  return {
    limit,
    offset,
    status,
    orderBy: given('order_by'),
    ranges: allOf(query['date_range']).map(parseRange),
    numberRanges: valueRanges.map(parseNumberRange),
    grouping,
    aggregation: aggregateBy === undefined ? undefined : parseAggregation(aggregateBy),
    filters: Object.keys(query)
      .filter(isFilter)
      .map((name) => ({ name, value: given(name) ?? '' })),
    sent: {
      ...(groupBy === undefined ? {} : { groupBy }),
      ...(dateGroup === undefined ? {} : { dateGroup }),
      ...(aggregateBy === undefined ? {} : { aggregateBy }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(valueRanges.length === 0 ? {} : { valueRange: valueRanges.join(' ') }),
    },
  };
}

function orderOf({ grouping, aggregation, orderBy }: ParsedQuery, fields: ReportFields): Order {
  if (!aggregation) {
    return plainOrder(fields, orderBy);
  }
  return grouping ? groupedOrder(orderBy, grouping.name, aggregation.name) : {};
}

type Bound = string | number | undefined;

/** The stricter of two bounds of one field, which have the same type. */
function narrower(one: Bound, other: Bound, isLess: (a: string | number, b: string | number) => boolean): Bound {
  return one === undefined || (other !== undefined && isLess(one, other)) ? other : one;
}

/** Merges the ranges of each field into their intersection: SQLite accepts a thousand conditions in a statement. */
function onePerField(ranges: readonly ReportRange[]): readonly ReportRange[] {
  const merged = new Map<ReportField, ReportRange>();
  for (const range of ranges) {
    const before = merged.get(range.field);
    const from = narrower(before?.from, range.from, (a, b) => a < b);
    const to = narrower(before?.to, range.to, (a, b) => a > b);
    merged.set(range.field, {
      field: range.field,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
  }
  return [...merged.values()];
}

/**
 * Plans a query for a report that has these fields.
 * @throws AppError invalid_query
 */
export function planFor(parsed: ParsedQuery, fields: ReportFields): ReportQuery {
  const { limit, offset, status, filters, sent } = parsed;
  const dates = parsed.ranges.map((range) => readRange(fields, range));
  const ranges = onePerField([
    ...dates.flatMap(({ range }) => range ?? []),
    // A range without bounds has no effect, but its field must exist.
    ...parsed.numberRanges
      .map((range) => readNumberRange(fields, range))
      .filter(({ from, to }) => from !== undefined || to !== undefined),
  ]);
  const group = parsed.grouping && readGrouping(fields, parsed.grouping);
  const aggregate = parsed.aggregation && readAggregate(fields, parsed.aggregation);
  const ordering = orderOf(parsed, fields);
  return {
    plan: {
      status,
      limit,
      offset,
      filters: filters.map(({ name, value }) => readFilter(fields, name, value)),
      ...(ranges.length > 0 ? { ranges } : {}),
      ...(group ? { group } : {}),
      ...(aggregate ? { aggregate } : {}),
      ...(ordering.order ? { order: ordering.order } : {}),
    },
    echo: {
      limit,
      offset,
      filters,
      ...sent,
      ...(ordering.echo === undefined ? {} : { orderBy: ordering.echo }),
      ...(dates.length === 0 ? {} : { dateRange: dates.map(({ echo }) => echo).join(' ') }),
    },
  };
}

/** Parses and plans a query. */
export function reportPlan(query: RawQuery, fields: ReportFields, maxLimit: number): ReportQuery {
  return planFor(parseQuery(query, maxLimit), fields);
}
