/** dates: reads every form of dates in documents and queries into the form that is stored. */
import { toTimestamp } from '../../base/clock';
import type { Timestamp } from '../../base/types';
import type { Clock, PartialDate } from '../plans';

export { knownPart, PARTIAL_DATES } from '../partial-dates';
export { isDate } from '../plans';
export { CLOCKS, saidOfDates } from '../partial-dates';
export type { Clock, PartialDate, PartialDates } from '../plans';

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Milliseconds at the start of a day of the Gregorian calendar; undefined when there is no such day. */
function startOfDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function offsetOf(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z') {
    return 0;
  }
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  const offset = hours * 60 + minutes;
  return minutes > 59 || offset > 14 * 60 ? undefined : (zone.startsWith('-') ? -offset : offset) * 60_000;
}

function timeOfDay(hours: number, minutes: number, seconds: number, fraction: string): number | undefined {
  // XML Schema writes the end of a day as 24:00:00 too.
  const endOfDay = hours === 24 && minutes === 0 && seconds === 0 && Number(fraction) === 0;
  return (hours < 24 || endOfDay) && minutes < 60 && seconds < 60
    ? ((hours * 60 + minutes) * 60 + seconds) * 1000
    : undefined;
}

/**
 * A point in time in UTC: `YYYY-MM-DD` (midnight) or `YYYY-MM-DDThh:mm:ss` with an optional fraction, cut to
 * microseconds, and an optional zone; without a zone it is stored as if it were UTC (see `clockOf`). Years 0001 to 9999.
 * @returns undefined for any other text
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = FORM.exec(text);
  if (!match) {
    return undefined;
  }
  const fraction = (match[7] ?? '').slice(0, 6).padEnd(6, '0');
  const day = startOfDay(Number(match[1]), Number(match[2]), Number(match[3]));
  const time = timeOfDay(Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0), match[7] ?? '0');
  const offset = offsetOf(match[8]);
  if (day === undefined || time === undefined || offset === undefined) {
    return undefined;
  }
  const stamp = toTimestamp(day + time - offset);
  return /^\d{4}-/.test(stamp) && !stamp.startsWith('0000') ? `${stamp.slice(0, 20)}${fraction}Z` : undefined;
}

/**
 * The clock by which a time was written: `local` without a zone, or its offset; undefined for a day, and for a time with
 * `Z`, which names a moment and no place. Midnight without a zone is how many write a day.
 * @param text that `parseTimestamp` reads
 */
export function clockOf(text: string): Clock | undefined {
  const [, zone] = /([+-]\d{2}:\d{2}|Z)$/.exec(text) ?? [];
  if (zone === undefined) {
    return /T(?!(?:00|24):00:00(?:\.0+)?$)/.test(text) ? 'local' : undefined;
  }
  return zone === 'Z' || zone === '-00:00' ? undefined : (zone as Clock);
}

/**
 * Reads a day, `YYYY-MM-DD`; of a point in time it is the day as written, whatever its zone.
 * @returns undefined for any other text
 */
export function parseDay(text: string): string | undefined {
  const written = text.replace(/^(\d{4}-\d{2}-\d{2}(?:T.*?)?)(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)$/, '$1');
  return parseTimestamp(written)?.slice(0, 10);
}

/**
 * A year, `YYYY`, or a month, `YYYY-MM`, which a document may give when the day is unknown.
 * @returns its first day and what is known; undefined for other text
 */
export function parsePartialDate(text: string): { readonly day: string; readonly precision: PartialDate } | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? [];
  const day = year === undefined ? undefined : parseDay(`${year}-${month ?? '01'}-01`);
  return day === undefined ? undefined : { day, precision: month === undefined ? 'year' : 'month' };
}
