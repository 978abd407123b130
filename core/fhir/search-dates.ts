/**
 * search-dates: reads a date of a search as a prefix and an interval, whose length is the precision with which the date
 * was written (pure).
 */
import { errors } from '../base/errors';
import { toTimestamp } from '../base/clock';
import type { Timestamp } from '../base/types';

type Prefix = 'eq' | 'ne' | 'gt' | 'lt' | 'ge' | 'le' | 'sa' | 'eb' | 'ap';

/** The interval from `start` on and before `end`. */
export type SoughtDate = { readonly prefix: Prefix; readonly start: Timestamp; readonly end: Timestamp };

// A plus that was not escaped arrives as a space.
const FORM =
  /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+\- ]\d\d:\d\d)?)?)?)?$/;

const MINUTE = 60_000;

/** The time zones that R4 knows. */
const ZONE = /^[+\- ](?:0\d|1[0-3]):[0-5]\d$|^[+\- ]14:00$/;

function zoneOffset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') {
    return 0;
  }
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE;
}

function isZone(zone: string | undefined): boolean {
  return zone === undefined || zone === 'Z' || ZONE.test(zone);
}

/** Milliseconds since 1970; undefined for a day or a time that does not exist. */
function pointIn(year: number, month: number, day: number, time: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() + time : undefined;
}

const YEAR_END = 9999;

function stampOf(milliseconds: number): Timestamp {
  const year = new Date(milliseconds).getUTCFullYear();
  // The text order of timestamps is their time order only for years of four digits.
  return year > YEAR_END ? '9999-12-31T23:59:59.999999Z' : toTimestamp(Math.max(milliseconds, -62135596800000));
}

type Parts = readonly (string | undefined)[];

/** Start and end of the interval that was written. */
function intervalOf([year, month, day, hours, minutes, seconds, fraction, zone]: Parts):
  readonly [number, number] | undefined {
  const [hour, minute, second] = [hours, minutes, seconds].map((part) => Number(part ?? 0)) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 60 || !isZone(zone)) {
    return undefined;
  }
  const milliseconds = Math.floor(Number(`0.${fraction ?? '0'}`) * 1000);
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - zoneOffset(zone);
  const start = pointIn(Number(year), Number(month ?? 1), Number(day ?? 1), time);
  if (start === undefined) {
    return undefined;
  }
  if (day === undefined) {
    const end = new Date(0);
    end.setUTCFullYear(month === undefined ? Number(year) + 1 : Number(year), Number(month ?? 0), 1);
    return [start, end.getTime()];
  }
  const lengths = { day: 24 * 60 * MINUTE, minute: MINUTE, second: 1000, fraction: 1 };
  if (hours === undefined) {
    return [start, start + lengths.day];
  }
  if (seconds === undefined) {
    return [start, start + lengths.minute];
  }
  return [start, start + (fraction === undefined ? lengths.second : lengths.fraction)];
}

/**
 * Reads texts such as `ge2024-01`.
 * @throws errors.invalidParameter for a text that is no FHIR date
 */
export function readSoughtDate(name: string, text: string, now: number): SoughtDate {
  const [, prefix = 'eq', ...parts] = FORM.exec(text) ?? [];
  const interval = parts.length === 0 ? undefined : intervalOf(parts);
  if (!interval) {
    throw errors.invalidParameter(name, 'it must be a date such as ge2024-01-31 or lt2024-01-31T10:00:00Z');
  }
  const [start, end] = interval;
  // `ap` widens the interval by a tenth of its distance from now.
  const more = prefix === 'ap' ? Math.abs(now - start) / 10 : 0;
  return { prefix: prefix as Prefix, start: stampOf(start - more), end: stampOf(end + more) };
}

/** The interval that a date or a time of a resource means; undefined for a text that is neither. */
export function intervalIn(text: string): { readonly start: Timestamp; readonly end: Timestamp } | undefined {
  const [, prefix, ...parts] = FORM.exec(text) ?? [];
  const interval = prefix !== undefined || parts.length === 0 ? undefined : intervalOf(parts);
  return interval && { start: stampOf(interval[0]), end: stampOf(interval[1]) };
}

/** The condition that a point in time meets the date; `{}` stands for the point in time. */
export function pointMeets({ prefix, start, end }: SoughtDate): {
  readonly text: string;
  readonly values: readonly Timestamp[];
} {
  switch (prefix) {
    case 'eq':
    case 'ap':
      return { text: '{} >= ? and {} < ?', values: [start, end] };
    case 'ne':
      return { text: '{} < ? or {} >= ?', values: [start, end] };
    case 'gt':
    case 'sa':
      return { text: '{} >= ?', values: [end] };
    case 'ge':
      return { text: '{} >= ?', values: [start] };
    case 'lt':
    case 'eb':
      return { text: '{} < ?', values: [start] };
    case 'le':
      return { text: '{} < ?', values: [end] };
  }
}

const MIDNIGHT = 'T00:00:00.000000Z';
const WHOLE_SECOND = '.000000Z';

/** A time without the zeros at its end; the order of texts is still that of times. */
export function shortStamp(stamp: Timestamp): string {
  if (stamp.endsWith(MIDNIGHT)) {
    return stamp.slice(0, -MIDNIGHT.length);
  }
  return stamp.endsWith(WHOLE_SECOND) ? stamp.slice(0, -WHOLE_SECOND.length) : stamp.replace(/0*Z$/, '');
}
