/**
 * local-date: SQL for what clocks of a place show when it is a stored time; no database needs tables of time zones for
 * it.
 */
import { offsetSpans, type OffsetSpan } from '../base/time-zones';
import type { Dialect } from './dialect';
import { factDialect } from './fact-dialect';

/**
 * Offsets of other years are those of the nearest of these: no clocks were set by law before, and nobody knows what
 * comes.
 */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const yearOf = (stamp: string): number =>
  Math.min(LAST_YEAR, Math.max(FIRST_YEAR, Number(stamp.slice(0, 4)) || FIRST_YEAR));

/**
 * The offset in seconds, found by halves: two centuries have four hundred changes, and each row is compared with nine
 * of them.
 */
const shiftSql = (date: string, spans: readonly OffsetSpan[]): string => {
  const middle = Math.floor(spans.length / 2);
  const { from = 0, offset = 0 } = spans[middle] ?? {};
  if (spans.length <= 1) {
    return String(Math.round(offset / 1000));
  }
  const [earlier, later] = [shiftSql(date, spans.slice(0, middle)), shiftSql(date, spans.slice(middle))];
  return `case when ${date} < '${new Date(from).toISOString().slice(0, 19)}' then ${earlier} else ${later} end`;
};

/**
 * @param date SQL for `YYYY-MM-DD`, which stays as it is, or a time in UTC
 * @param zone IANA name
 * @param ends the first and the last date there is
 */
export const localDate = (dialect: Dialect, date: string, zone: string, ends: readonly [string, string]): string => {
  const shift = shiftSql(date, offsetSpans(zone, yearOf(ends[0]), yearOf(ends[1])));
  const moved = factDialect(dialect).plusSeconds(`substr(${date}, 1, 19)`, shift);
  // A time at either end of the calendar stays as it is: SQLite knows a year 0, MariaDB does not.
  return `case when length(${date}) > 10 and ${date} >= '0001-01-02' then coalesce(${moved}, ${date}) else ${date} end`;
};
