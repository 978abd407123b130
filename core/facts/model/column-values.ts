/** column-values: reads and checks one value of a column from text or JSON, and writes it in XML and JSON. */
import { wireTime } from '../../base/clock';
import type { Json } from '../../base/types';
import { dosagesIn } from './dosage';
import { parseDay, parseTimestamp } from './dates';
import type { Column, ColumnKind, Scalar } from './model';

/** How queries treat a column: sums and averages need a number, ranges and date groups need a date. */
type QueryKind = 'string' | 'number' | 'date';

const queryKinds: Readonly<Record<ColumnKind, QueryKind>> = {
  string: 'string',
  text: 'string',
  boolean: 'string',
  number: 'number',
  integer: 'number',
  datetime: 'date',
  date: 'date',
};

export function queryKindOf(kind: ColumnKind): QueryKind {
  return queryKinds[kind];
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined;
}

function readNumber(value: string): number | undefined {
  return NUMBER.test(value) ? finite(Number(value)) : undefined;
}

function readInteger(value: string): number | undefined {
  const number = /^[+-]?\d+$/.test(value) ? Number(value) + 0 : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

const readers: Readonly<Record<ColumnKind, (text: string) => Exclude<Scalar, null> | undefined>> = {
  string: (value) => value,
  text: (value) => value,
  number: readNumber,
  integer: readInteger,
  boolean: (value) => booleans.get(value.toLowerCase()),
  datetime: parseTimestamp,
  date: parseDay,
};

const sayings: Readonly<Record<ColumnKind, string>> = {
  string: 'text',
  text: 'text',
  number: 'a number',
  integer: 'a whole number of at most 15 digits',
  boolean: 'true or false',
  datetime: 'a date or a date and time (YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ)',
  date: 'a date (YYYY-MM-DD)',
};

/** What a column accepts, in words for a caller. */
export function kindInWords(kind: ColumnKind): string {
  return sayings[kind];
}

function isTextKind(kind: ColumnKind): boolean {
  return kind === 'string' || kind === 'text';
}

/** Reads the text form of a value. Text columns accept it as it is; all others ignore white space around it. */
export function readText(kind: ColumnKind, text: string): Exclude<Scalar, null> | undefined {
  return readers[kind](isTextKind(kind) ? text : text.trim());
}

// XML 1.0 has no way to write these, so they could not be returned in a reply; a lone surrogate is no character at all.
// eslint-disable-next-line no-control-regex
const UNWRITABLE = /[\p{Cs}\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u;

function readJson(kind: ColumnKind, value: Json): Exclude<Scalar, null> | undefined {
  if (typeof value === 'string') {
    return readText(kind, value);
  }
  if (typeof value === 'number' && (kind === 'number' || (kind === 'integer' && Number.isSafeInteger(value)))) {
    return finite(value);
  }
  return typeof value === 'boolean' && kind === 'boolean' ? value : undefined;
}

/** Counts characters and not UTF-16 units, but only if the result can matter. */
function isTooLong(text: string, max: number | undefined): boolean {
  return max !== undefined && text.length > max && [...text].length > max;
}

function breaks(column: Column, value: Exclude<Scalar, null>): string | undefined {
  if (typeof value === 'string' && isTooLong(value, column.max)) {
    return `is longer than ${column.max} characters`;
  }
  if (typeof value === 'string' && UNWRITABLE.test(value)) {
    return 'holds a character that XML does not allow';
  }
  if (column.equals !== undefined && value !== column.equals) {
    return `must be ${String(column.equals)}`;
  }
  if (column.values && !column.values.includes(value as string | number)) {
    return `must be one of ${column.values.join(', ')}`;
  }
  return column.pattern !== undefined && !new RegExp(`^(?:${column.pattern})$`, 'u').test(String(value))
    ? 'has not the right form'
    : undefined;
}

/** Empty text is a value of an optional text column only. */
function isEmpty(column: Column, given: Json | undefined): given is null | undefined {
  return (
    given === undefined ||
    given === null ||
    (typeof given === 'string' && (isTextKind(column.kind) ? given === '' && column.required : given.trim() === ''))
  );
}

type Read = { readonly value: Scalar; readonly problem?: string };

/**
 * Reads the value that a document gives for one column.
 * @param given undefined when the document gives none
 * @returns the value, or null and the problem, in words that do not repeat the value
 */
export function readColumn(column: Column, given: Json | undefined): Read {
  if (isEmpty(column, given)) {
    const value = column.default ?? null;
    return column.required && value === null ? { value, problem: 'is required' } : { value };
  }
  const value = readJson(column.kind, column.dosage && Array.isArray(given) ? JSON.stringify(given) : given);
  if (value === undefined) {
    return { value: null, problem: `must be ${kindInWords(column.kind)}` };
  }
  if (column.dosage && value !== '' && !dosagesIn(String(value))) {
    return { value: null, problem: 'must be a list of dosages of FHIR R4 in JSON' };
  }
  const problem = value === '' ? undefined : breaks(column, value);
  return problem === undefined ? { value } : { value: null, problem };
}

/** A number as plain decimal digits, without an exponent. */
function plainDecimal(value: number): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (!match) {
    return String(value);
  }
  const [, sign = '', first = '', rest = '', exponent = ''] = match;
  const shift = Number(exponent);
  const digits = first + rest;
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : `${sign}${digits.padEnd(shift + 1, '0')}`;
}

/** The text of a value in XML. Points in time have a fraction only when it is not zero. */
export function xmlText(kind: ColumnKind, value: Exclude<Scalar, null>): string {
  if (kind === 'datetime') {
    return wireTime(value as string);
  }
  return typeof value === 'number' ? plainDecimal(value) : String(value);
}

/** The value in JSON: as stored, but points in time in their wire form. */
export function jsonValue(kind: ColumnKind, value: Scalar): Scalar {
  return kind === 'datetime' && value !== null ? wireTime(value as string) : value;
}
