/** clock: the time, as one small object that tests can replace, and its text form. */
import type { Timestamp } from './types';

export type Clock = { /** Milliseconds since 1970 UTC. */ readonly now: () => number };

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since 1970 as stored text (see Timestamp). */
export function toTimestamp(milliseconds: number): Timestamp {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}

const MINUTE = 60_000;
function two(number: number): string {
  return String(number).padStart(2, '0');
}

/**
 * A time as a clock shows it: `2024-02-01T01:30:00-05:00`, or without a zone where nobody knows that of the clock.
 * @param shown what the clock shows, in milliseconds as if it were UTC
 * @param offset how many milliseconds the clock is ahead of UTC; one that is no whole number of minutes is from before
 * there were zones
 */
export function timeByClock(shown: number, offset: number | undefined): string {
  const text = new Date(shown).toISOString().slice(0, 19);
  if (offset === undefined) {
    return text;
  }
  if (offset % MINUTE !== 0) {
    return `${new Date(shown - offset).toISOString().slice(0, 19)}Z`;
  }
  const minutes = Math.abs(offset) / MINUTE;
  return `${text}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Stored text as milliseconds; microseconds are cut. */
export function fromTimestamp(stored: Timestamp): number {
  return Date.parse(`${stored.slice(0, 23)}Z`);
}

/** The wire form: ISO 8601 UTC, the fraction only when it is not zero. */
export function wireTime(stored: Timestamp | null): string {
  return stored === null ? '' : stored.replace('.000000Z', 'Z');
}
