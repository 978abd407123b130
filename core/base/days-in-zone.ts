/**
 * days-in-zone: days as clocks of a place count them, as bounds for stored dates. A stored date at midnight in UTC is a
 * day without a time, which is the same day everywhere.
 */
import { toTimestamp } from './clock';
import { momentOf } from './time-zones';

const DAY = 86_400_000;

export type Days = { /** As YYYY-MM-DD. */ readonly from?: string; readonly to?: string };

/** The bounds of stored dates; both are included. */
export type DaysInZone = {
  readonly from?: string;
  readonly to?: string;
  /** The first day without a time, where it is before `from`: west of Greenwich the day begins later. */
  readonly also?: string;
  /** The day after the last one without a time, where it is before `to`. */
  readonly but?: string;
};

function midnight(day: string): string {
  return `${day}T00:00:00.000000Z`;
}

/** The day after; undefined where the calendar ends. */
function nextDay(day: string): string | undefined {
  const next = new Date(Date.parse(day) + DAY).toISOString();
  return /^\d/.test(next) ? next.slice(0, 10) : undefined;
}

function beginOfDay(zone: string, day: string): number {
  return momentOf(zone, Date.parse(day));
}

/** The last microsecond before a moment. */
function justBefore(moment: number): string {
  return toTimestamp(moment - 1).replace('000Z', '999Z');
}

/** @param zone a name that `isTimeZone` */
export function daysInZone(zone: string, { from, to }: Days): DaysInZone {
  const first = from === undefined ? undefined : toTimestamp(beginOfDay(zone, from));
  const after = to === undefined ? undefined : nextDay(to);
  const last = after === undefined ? undefined : justBefore(beginOfDay(zone, after));
  return {
    ...(first === undefined ? {} : { from: first, ...(first > midnight(from!) ? { also: midnight(from!) } : {}) }),
    ...(last === undefined ? {} : { to: last, ...(last > midnight(after!) ? { but: midnight(after!) } : {}) }),
  };
}
