/** zoned: converts between points in time and days with a time of day in a person's time zone. */
import { offsetAt } from '../../../core/base/time-zones';

/** The name of a time zone for people: `Europe/Berlin` becomes "Berlin, Europe". */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ').split('/').reverse().join(', ');
}

function partsIn(zone: string, when: number): Record<string, string> {
  return Object.fromEntries(
    new Intl.DateTimeFormat('en-CA-u-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
      .formatToParts(when)
      .map(({ type, value }) => [type, value]),
  );
}

/** @returns `YYYY-MM-DD` and `HH:MM` */
export function localTime(zone: string, when: number): { readonly day: string; readonly time: string } {
  const { year = '', month = '', day = '', hour = '', minute = '' } = partsIn(zone, when);
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}` };
}

/**
 * The point in time of a day and a time of day, in milliseconds; NaN for a text that is not a day. For a time that a
 * change of the clock skips, the one next to it.
 */
export function pointInTime(zone: string, day: string, time: string): number {
  const asked = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(asked)) {
    return asked;
  }
  let when = asked;
  for (let pass = 0; pass < 2; pass += 1) {
    const shown = localTime(zone, when);
    when += asked - Date.parse(`${shown.day}T${shown.time}:00Z`);
  }
  return when;
}

/**
 * The day of a time that is only a day, because documents without a time of day give midnight; undefined for other
 * times.
 */
export function dayOnly(when: string): string | undefined {
  return /^(\d{4,}-\d\d-\d\d)(T00:00:00(\.0+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(when)?.[1];
}

/**
 * What the clock of its source showed at a time, as if it were UTC: for a time with an offset, and for one without a zone.
 * Undefined for a day, and for a time in UTC, which is shown by the clock of the person who looks.
 */
export function clockTime(when: string): string | undefined {
  const [, shown] = /^(\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[+-]\d\d:\d\d)?$/.exec(when) ?? [];
  return shown === undefined ? undefined : `${shown}Z`;
}

/** The local time of a point in time, in milliseconds as if it were UTC; for a day, its midnight. */
export function shownAt(zone: string, when: string): number {
  const written = clockTime(when);
  if (written !== undefined) {
    return Date.parse(written);
  }
  const moment = Date.parse(when);
  return dayOnly(when) !== undefined || Number.isNaN(moment) ? moment : moment + offsetAt(zone, moment);
}

/**
 * The day of a point in time in a time zone, as `YYYY-MM-DD`. A day, a month or a year without a time is the same
 * everywhere.
 */
export function dayIn(zone: string, when: string): string {
  return dayOnly(when) ?? (when.includes('T') ? new Date(shownAt(zone, when)).toISOString().slice(0, 10) : when);
}

/** Nobody knows the zone of some times. It may be the one in which a day begins first. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/**
 * Whether a date is on a later day than `now` (milliseconds). The beginning of today's month or year compares with a
 * date of which no more is known. A time is compared by its moment, whatever clock showed it.
 */
export function isLaterDay(known: string, now: number, ownZone: string): boolean {
  const isLocal = clockTime(known) === `${known}Z`;
  const zone = isLocal ? FIRST_ZONE : ownZone;
  const today = dayIn(zone, new Date(now).toISOString());
  const day = dayIn(zone, isLocal || clockTime(known) === undefined ? known : new Date(known).toISOString());
  return day !== '' && day > today.slice(0, day.length);
}
