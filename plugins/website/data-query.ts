/** data-query: what the address of a data page asks for: its parameters are those of the report. */
import type { Model } from '../../core/datamodel/model';
import type { Fields } from '../../core/http/operation';
import { dateField } from './facts';
import type { PersonVisit } from './page';
import type { Series } from './series';

export type DataQuery = {
  /** Filters by column, as they were sent. */
  readonly filters: Fields;
  readonly status: string;
  readonly dateRange: string;
  /** Days of the range, if it is one of the date by which the page goes. */
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

export const PAGE = 25;
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
  'response_format',
];

/** Only the form sends these: they are put together to a `date_range`. */
const formFields = ['from', 'to'];

const count = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;

export const dataQuery = (model: Model, query: Fields): DataQuery => {
  const [name = '', from = '', to = ''] = (query['date_range'] ?? '').split('*');
  const ownRange = name === dateField(model);
  const [operator, column = ''] = (query['aggregate_by'] ?? '').split('*');
  return {
    filters: Object.fromEntries(
      Object.entries(query).filter(([field]) => !operators.includes(field) && !formFields.includes(field)),
    ),
    status: query['status'] ?? '',
    dateRange: query['date_range'] ?? '',
    from: ownRange ? from.slice(0, 10) : '',
    to: ownRange ? to.slice(0, 10) : '',
    increment: (query['date_group'] ?? '').endsWith('*month') ? 'month' : 'year',
    operator: operator === 'sum' ? 'sum' : 'avg',
    column,
    orderBy: query['order_by'] ?? '',
    limit: Math.min(MOST, Math.max(1, count(query['limit'], PAGE))),
    offset: count(query['offset'], 0),
  };
};

const filled = (fields: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** What the report is asked for, whatever page of it. */
export const reportQuery = ({ filters, status, dateRange }: DataQuery): Fields => ({
  ...filters,
  ...filled({ status, date_range: dateRange }),
});

/** The address of a page with its query. */
export const addressOf = (path: string, query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(filled(query)).toString();
  return text === '' ? path : `${path}?${text}`;
};

/** All that stands in the address, without the place in the list. */
export const keptQuery = (query: Fields): Fields => {
  const { offset: _offset, place: _place, ...rest } = query;
  return rest;
};

/** The last moment of a day, so that a range holds all of it. */
const END_OF_DAY = 'T23:59:59.999999Z';

/** What the form sent, as a query of the report; undefined when the address is one already. */
export const sentByForm = (model: Model, { query, path }: PersonVisit): string | undefined => {
  if (query['from'] === undefined) {
    return undefined;
  }
  const { from = '', to = '', offset: _offset, place: _place, date_range: _range, ...rest } = query;
  const date = dateField(model);
  const range = date !== undefined && (from !== '' || to !== '') ? `${date}*${from}*${to && `${to}${END_OF_DAY}`}` : '';
  return addressOf(path, { ...rest, date_range: range });
};

/** The query that a series is chosen with. */
export const seriesChoice = (operator: 'avg' | 'sum', { columns }: Series): string => `${operator}*${columns[0]}`;
