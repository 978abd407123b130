/** query: reads the address of a data page, whose parameters are those of the report. */
import type { Model, Models } from '../../../../core/facts/model/model';
import type { Fields } from '../../../../core/http/operation';
import { isDay } from '../../words/day';
import { dateField } from '../../words/facts';
import type { PersonVisit } from '../../http/page';
import type { Series } from './series';

export type DataQuery = {
  /** Filters by column, as they were sent. */
  readonly filters: Fields;
  readonly status: string;
  readonly dateRange: string;
  /** The time zone whose days the range names. Empty: the range names points in time, as in a report. */
  readonly zone: string;
  /** The days of the range, if it is a range of the date by which the page is ordered. */
  readonly from: string;
  readonly to: string;
  readonly increment: 'month' | 'year';
  readonly operator: 'avg' | 'sum';
  /** Column of the readings that were chosen; empty when none was. */
  readonly column: string;
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
};

const PAGE = 25;
const MOST = 200;

const operators = [
  'limit',
  'offset',
  'place',
  'order_by',
  'status',
  'group_by',
  'aggregate_by',
  'date_range',
  'date_group',
  'time_zone',
  'response_format',
];

/** Only the form sends these. They are combined into a `date_range`. */
const formFields = ['from', 'to'];

function count(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

export function dataQuery(model: Model, query: Fields): DataQuery {
  const [name = '', from = '', to = ''] = (query['date_range'] ?? '').split('*');
  const ownRange = name === dateField(model);
  const [operator, column = ''] = (query['aggregate_by'] ?? '').split('*');
  return {
    filters: Object.fromEntries(
      Object.entries(query).filter(([field]) => !operators.includes(field) && !formFields.includes(field)),
    ),
    status: query['status'] ?? '',
    dateRange: query['date_range'] ?? '',
    zone: query['time_zone'] ?? '',
    from: ownRange ? from.slice(0, 10) : '',
    to: ownRange ? to.slice(0, 10) : '',
    increment: (query['date_group'] ?? '').endsWith('*month') ? 'month' : 'year',
    operator: operator === 'sum' ? 'sum' : 'avg',
    column,
    orderBy: query['order_by'] ?? '',
    limit: Math.min(MOST, Math.max(1, count(query['limit'], PAGE))),
    offset: count(query['offset'], 0),
  };
}

function filledFields(fields: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** The filters of the page as a query of the report, without order and place. */
export function reportQuery({ filters, status, dateRange, zone }: DataQuery): Fields {
  return {
    ...filters,
    ...filledFields({ status, date_range: dateRange, time_zone: dateRange && zone }),
  };
}

/** The same query with the parameters of the operations of a page. */
export function askedQuery(query: DataQuery): Fields {
  const { time_zone: zone, ...rest } = reportQuery(query);
  return zone === undefined ? rest : { ...rest, _range_zone: zone };
}

/** The address of a page with its query. */
export function queryAddress(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(filledFields(query)).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Everything in the query of the address but the place in the list. */
export function keptQuery(query: Fields): Fields {
  const { offset: _offset, place: _place, ...rest } = query;
  return rest;
}

/** Days in the time zone of the person, as a range of the report, with the zone in which they are days. */
function dateRangeQuery(date: string, [from, to]: readonly [string, string], zone: string): Fields {
  return {
    date_range: `${date}*${from}*${to}`,
    time_zone: zone,
  };
}

/** What the form sent, as a query of the report; undefined when the address is one already. */
export function sentByForm(model: Model, { query, path, words }: PersonVisit): string | undefined {
  if (query['from'] === undefined) {
    return undefined;
  }
  const { from, to, offset: _, place: _place, date_range: _range, time_zone: _zone, ...rest } = query;
  const date = dateField(model);
  // A text that is not a day is left out, as on the timeline.
  const days = [from, to].map((day = '') => (isDay(day) ? day : '')) as [string, string];
  const range = date !== undefined && days.some((day) => day !== '') ? dateRangeQuery(date, days, words.zone) : {};
  return queryAddress(path, { ...rest, ...range });
}

/** The value with which a query chooses a series. */
export function seriesChoice(operator: 'avg' | 'sum', { columns }: Series): string {
  return `${operator}*${columns[0]}`;
}

/** The model whose fields have pages of measures. */
const BODY = 'VitalSigns';

/** The page of the readings of a series: that of its measure, or of its model with the series chosen. */
export function seriesAddress(
  { models }: { readonly models: Models },
  base: string,
  model: Model,
  series: Series,
): string {
  const measure = models.labTests.body.find(({ field }) => model.name === BODY && field === series.field);
  return measure
    ? `${base}tests/${measure.id}`
    : queryAddress(`${base}data/${model.name}`, { aggregate_by: seriesChoice('avg', series) });
}
