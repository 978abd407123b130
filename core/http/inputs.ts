/** inputs: the inputs that many routes share, with their types. */
import Joi from 'joi';
import { countOf } from '../base/count';
import { isTimeZone } from '../base/time-zones';
import type { DocumentStatus } from '../base/types';
import { kindInWords } from '../facts/model/column-values';
import type { ReportField } from '../facts/plans';
import type { Body } from './route';

/** Names that callers choose may be as long as their column. */
const longest: Readonly<Record<string, number>> = { EXTERNAL_ID: 250, MESSAGE_ID: 250 };

/** Text of at most `most` characters: Joi alone counts those outside of the basic plane twice. */
export function characters(most: number): Joi.StringSchema {
  return Joi.string().custom((value: string, helpers) =>
    [...value].length > most ? helpers.error('string.max', { limit: most }) : value,
  );
}

/** Any text that a path segment can hold. A text that is no id of ours is simply not found, however long it is. */
function segment(name: string): Joi.StringSchema {
  return (longest[name] === undefined ? Joi.string() : characters(longest[name])).required();
}

/** Account ids are folded to lower case; to-hapi does this before the access rules see them. */
export const accountParameters: readonly string[] = ['ACCOUNT_EMAIL', 'ACCOUNT_ID', 'OTHER_ACCOUNT_ID'];

function params<K extends string>(...names: readonly K[]): Joi.ObjectSchema<Record<K, string>> {
  return Joi.object(Object.fromEntries(names.map((name) => [name, segment(name)]))) as Joi.ObjectSchema<
    Record<K, string>
  >;
}

/** Path parameters by name: `inPath('RECORD_ID', 'DOCUMENT_ID')`. */
export const inPath = params;
export const inRecord = params('RECORD_ID');
export const inRecordDocument = params('RECORD_ID', 'DOCUMENT_ID');
export const inCarenet = params('CARENET_ID');
export const inAccount = params('ACCOUNT_EMAIL');
export type InRecord = { RECORD_ID: string };
export type InRecordDocument = { RECORD_ID: string; DOCUMENT_ID: string };

/**
 * Paging of list calls (specification 4.9). The handler lowers `limit` to the setting. An empty filter is treated like
 * an absent one.
 */
export type Page = { limit: number; offset: number; order_by?: string; status: DocumentStatus };

const NO_COUNT = '{{#label}} must be a whole number that is not negative';

/**
 * Joi alone would also accept `1e2`, `1.0` and ` 1`, and refuse numbers that are too large. Lists read numbers as
 * reports do.
 */
const counting = Joi.extend((joi: Joi.Root) => ({
  type: 'count',
  base: joi.number().integer().min(0),
  messages: { 'count.base': NO_COUNT, 'number.base': NO_COUNT },
  prepare: (value: unknown, helpers: Joi.CustomHelpers) => {
    // Empty values are dealt with later.
    if (value === '') {
      return undefined;
    }
    const counted = countOf(String(value));
    return counted === undefined ? { value, errors: helpers.error('count.base') } : { value: counted };
  },
})) as { readonly count: () => Joi.NumberSchema };

const statuses = ['active', 'void', 'archived'] as const;

/** A whole number, 0 or greater. */
export const wholeNumber = counting.count();

export const pagingKeys = {
  limit: wholeNumber.default(100),
  offset: wholeNumber.default(0),
  order_by: Joi.string().allow('').max(255),
  status: Joi.string()
    .empty('')
    .valid(...statuses)
    .default('active'),
} as const;

export const paging: Joi.ObjectSchema<Page> = Joi.object<Page>(pagingKeys).unknown(true);

/**
 * A list that is never paged (specification 4.5, related documents): `limit`, `offset` and `order_by` are accepted
 * without effect.
 */
export const unpaged: Joi.ObjectSchema<Pick<Page, 'status'>> = Joi.object<Pick<Page, 'status'>>({
  status: pagingKeys.status,
}).unknown(true);

/** Paging of a list that is returned whole unless the caller asks for a part of it. */
export const partKeys = { limit: counting.count(), offset: pagingKeys.offset } as const;

/** Paging of a call that returns facts as graphs. */
export type Part = Omit<Page, 'limit' | 'order_by'> & { limit?: number };
export const wholeOrPart: Joi.ObjectSchema<Part> = Joi.object<Part>({ ...partKeys, status: pagingKeys.status }).unknown(
  true,
);

/** Paging plus a document type filter: a bare name or a type URI. */
export type TypedPage = Page & { type?: string };
export const typedPaging: Joi.ObjectSchema<TypedPage> = Joi.object<TypedPage>({
  ...pagingKeys,
  type: Joi.string().empty('').max(255),
}).unknown(true);

/** The name of a time zone, such as `Europe/Berlin`. */
export const timeZone = Joi.string()
  .empty('')
  .max(64)
  .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.error('any.invalid')));

/**
 * A query that the handler parses itself: every parameter as received. The last value of a repeated name wins, but
 * ranges that occur several times become a list.
 */
export type RawQuery = Record<string, string>;
export const rawQuery: Joi.ObjectSchema<RawQuery> = Joi.object<RawQuery>().unknown(true);

/** What the API reference says of a parameter, with its possible values where these are few. */
type Words = string | { readonly says: string; readonly values: readonly string[] };

/** Parameter -> what the API reference says of it. */
export type Described = { readonly described: Readonly<Record<string, Words>> };

/**
 * `rawQuery` with words for the API reference. If the schema had keys of its own, Joi would copy the query and lose a
 * `__proto__` in it.
 */
function describedQuery(parameters: Described['described']): Joi.ObjectSchema<RawQuery> {
  return rawQuery.meta({ described: parameters } satisfies Described);
}

/** Name in the query -> the field that it means. */
type Fields = Iterable<readonly [string, ReportField]>;

/**
 * What the API reference says of the fields by which a query filters. Several values of a field are separated by a bar.
 */
function filters(fields: Fields): Described['described'] {
  return Object.fromEntries(
    [...fields].map(([name, { kind, columns }]) => [
      name,
      `A field, to filter, group, aggregate and order by: ${kindInWords(kind)}${columns.length === 0 ? '; nothing has it at present' : ''}`,
    ]),
  );
}

/** Query operators (specification 4.9). */
const operators = {
  limit: 'How many facts or groups at most, 100 if not given; the installation may lower it',
  offset: 'How many to pass over first, 0 if not given',
  order_by:
    'A field, descending with - in front; with groups the field of the group or of the aggregate. Facts come newest first if not given',
  date_range:
    '`field*start*end`: what lies between two points in time, both included; either may be left out. Of several all hold',
  value_range:
    '`field*min*max`: a number between two others, both included; either may be left out. Of several all hold',
  group_by: 'A field: one aggregate for each of its values; needs aggregate_by',
  date_group:
    '`field*increment`: one aggregate for each hour, day, week, month, year, hourofday, dayofweek, weekofyear or ' +
    'monthofyear; needs aggregate_by',
  time_zone:
    'A name such as `Europe/Berlin`, whose clocks say when the periods of date_group begin and end; UTC if not given',
  aggregate_by:
    '`operator*field`: `sum` or `avg` (the average) of a number, `max` or `min` of a number or a date, `count` of ' +
    'values, or `count*` of everything',
} as const;

/** The query of an audit report, on which `status` has no effect. */
export function auditQuery(fields: Fields): Joi.ObjectSchema<RawQuery> {
  return describedQuery({
    ...operators,
    status: { says: 'Without effect: calls have no status', values: statuses },
    ...filters(fields),
  });
}
const status: Words = { says: 'Status of the documents that facts come from; active if not given', values: statuses };
/** @param fields the fields that a report has in addition to the columns of its model */
export function reportQuery(fields: Fields): Joi.ObjectSchema<RawQuery> {
  return describedQuery({ ...operators, status, ...filters(fields) });
}
export const genericQuery = describedQuery({
  ...operators,
  status,
  response_format: {
    says: 'Form of the answer; application/json if not given, application/rdf+xml where the model has it',
    values: ['application/json', 'application/xml', 'text/xml', 'application/rdf+xml'],
  },
});
export const demographicsQuery = describedQuery({
  response_format: {
    says: 'Form of the answer; application/rdf+xml if not given',
    values: ['application/rdf+xml', 'application/json', 'application/xml', 'text/xml'],
  },
});

export const documentBytes: Body<Buffer> = { kind: 'raw', limit: 'document' };
/** The body of a call that accepts only a demographics document. */
export const demographicsBytes: Body<Buffer> = { ...documentBytes, demographics: true } as Body<Buffer>;
export const appDocumentBytes: Body<Buffer> = { kind: 'raw', limit: 'appDocument' };
/** A short text such as a label. */
export const textBytes: Body<Buffer> = { kind: 'raw', limit: 'text' };

/** Form parameters of a call; unknown ones are ignored, because OAuth parameters may travel with them. */
export function form<B>(keys: Joi.PartialSchemaMap<B>): Body<B> {
  return {
    kind: 'form',
    schema: Joi.object<B>(keys as Joi.SchemaMap<B>).unknown(true),
  };
}
