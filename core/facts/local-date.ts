/**
 * local-date: SQL that turns a stored time into the local time of a time zone. The database needs no tables of time
 * zones for it.
 */
import { momentOf, offsetSpans, type OffsetSpan } from '../base/time-zones';
import type { Dialect } from '../db/dialect';
import { factDialect } from './fact-dialect';

/**
 * Years before or after these have the offset of the nearest one. Before 1900 no law set the clocks, and later changes
 * are not known yet.
 */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;
const DAY = 86_400_000;

function yearOf(stamp: string): number {
  return Math.min(LAST_YEAR, Math.max(FIRST_YEAR, Number(stamp.slice(0, 4)) || FIRST_YEAR));
}

/**
 * SQL for the offset in seconds, found by binary search: two centuries have four hundred changes, and each row is
 * compared with nine of them.
 */
function shiftSql(date: string, spans: readonly OffsetSpan[]): string {
  const middle = Math.floor(spans.length / 2);
  const { from = 0, offset = 0 } = spans[middle] ?? {};
  if (spans.length <= 1) {
    return String(Math.round(offset / 1000));
  }
  const [earlier, later] = [shiftSql(date, spans.slice(0, middle)), shiftSql(date, spans.slice(middle))];
  return `case when ${date} < '${new Date(from).toISOString().slice(0, 19)}' then ${earlier} else ${later} end`;
}

/**
 * SQL for a stored time as the clock of its source showed it; null for a day, a month, a year, and a time in UTC, which
 * every zone shows by its own clocks.
 * @param alias of the fact whose column it is
 */
export function clockDate(dialect: Dialect, date: string, alias: string, column: string): string {
  const dates = `coalesce(${alias}._partial_dates, '')`;
  const entry = ` ${column}:`;
  const place = `instr(${dates}, '${entry}')`;
  const at = (start: number, length: number): string =>
    `substr(${dates}, ${place} + ${entry.length + start}, ${length})`;
  const seconds = `((${at(1, 2)} + 0) * 3600 + (${at(4, 2)} + 0) * 60)`;
  const moved = (by: string): string => factDialect(dialect).plusSeconds(`substr(${date}, 1, 19)`, by);
  return (
    `case when ${place} = 0 then null when ${at(0, 5)} = 'local' then ${date} ` +
    `when ${at(0, 1)} = '+' then ${moved(seconds)} when ${at(0, 1)} = '-' then ${moved(`-${seconds}`)} end`
  );
}

/** The condition that a stored time is midnight in UTC. */
function isMidnight(date: string): string {
  return `substr(${date}, 12, 15) = '00:00:00.000000'`;
}

/**
 * @param date SQL for `YYYY-MM-DD`, which stays as it is, or a time in UTC
 * @param zone IANA name
 * @param ends the first and the last stored date
 * @param midnightIsDay a time at midnight in UTC is a day without a time, which stays as it is
 */
export function localDate(
  dialect: Dialect,
  date: string,
  zone: string,
  ends: readonly [string, string],
  midnightIsDay = false,
): string {
  const shift = shiftSql(date, offsetSpans(zone, yearOf(ends[0]), yearOf(ends[1])));
  const moved = factDialect(dialect).plusSeconds(`substr(${date}, 1, 19)`, shift);
  const stays = midnightIsDay ? `when ${isMidnight(date)} then ${date} ` : '';
  // A time at either end of the calendar stays as it is: SQLite knows a year 0, MariaDB does not.
  return (
    `case ${stays}when length(${date}) > 10 and ${date} >= '0001-01-02' then coalesce(${moved}, ${date}) ` +
    `else ${date} end`
  );
}

/** How far, from this year on, clocks are ahead of UTC at the beginning of a year, in milliseconds. */
type NewYear = { readonly year: number; readonly offset: number };

const newYears = new Map<string, readonly NewYear[]>();
const ZONES_KEPT = 20;

function newYearsIn(zone: string): readonly NewYear[] {
  const known = newYears.get(zone);
  if (known) {
    return known;
  }
  const found: NewYear[] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
    const shown = Date.UTC(year, 0, 1);
    const offset = shown - momentOf(zone, shown);
    if (found.at(-1)?.offset !== offset) {
      found.push({ year, offset });
    }
  }
  newYears.delete(newYears.size >= ZONES_KEPT ? (newYears.keys().next().value ?? '') : '');
  newYears.set(zone, found);
  return found;
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 19);
}

/**
 * SQL for the time in UTC, on the day before or after New Year, at which the local year begins; `never` where it does
 * not begin on that day.
 */
function edgeSql(
  date: string,
  all: readonly NewYear[],
  edge: (offset: number) => string | undefined,
  { never, yearsBefore }: { readonly never: string; readonly yearsBefore: number },
): string {
  return all
    .slice(1)
    .reduce(
      (sql, { year, offset }) =>
        `case when ${date} < '${year - yearsBefore}' then ${sql} else '${edge(offset) ?? never}' end`,
      `'${edge(all[0]?.offset ?? 0) ?? never}'`,
    );
}

/**
 * SQL for the number of years by which the year of a time, as it is shown, is ahead of its year in UTC: 1, 0 or -1.
 * @param clock SQL for the time by the clock of its source, null where the clocks of the zone show it
 */
export function yearsAhead(date: string, zone: string, clock = 'null'): string {
  if (clock === 'null') {
    return yearsAheadIn(date, zone);
  }
  return (
    `case when (${clock}) is null then ${yearsAheadIn(date, zone)} ` +
    `else (substr(${clock}, 1, 4) + 0) - (substr(${date}, 1, 4) + 0) end`
  );
}

/** Midnight in UTC is a day without a time, which is the same everywhere. */
function yearsAheadIn(date: string, zone: string): string {
  const all = newYearsIn(zone);
  if (all.every(({ offset }) => offset === 0)) {
    return '0';
  }
  const late = edgeSql(date, all, (offset) => (offset < 0 ? timeText(-offset) : undefined), {
    never: '',
    yearsBefore: 0,
  });
  const early = edgeSql(date, all, (offset) => (offset > 0 ? timeText(DAY - offset) : undefined), {
    never: '~',
    yearsBefore: 1,
  });
  return (
    `case when ${date} is null or length(${date}) <= 10 or ${isMidnight(date)} then 0 ` +
    `when substr(${date}, 6, 5) = '01-01' and substr(${date}, 12, 8) < ${late} then -1 ` +
    `when substr(${date}, 6, 5) = '12-31' and substr(${date}, 12, 8) >= ${early} then 1 else 0 end`
  );
}
