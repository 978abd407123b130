/** clock: the time, as one small object that tests can replace, and its text form. */
import type { Timestamp } from './types';

export type Clock = { /** Milliseconds since 1970 UTC. */ readonly now: () => number };

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since 1970 as stored text (see Timestamp). */
export const toTimestamp = (milliseconds: number): Timestamp =>
  `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;

/** Stored text as milliseconds; microseconds are cut. */
export const fromTimestamp = (stored: Timestamp): number => Date.parse(`${stored.slice(0, 23)}Z`);

/** The wire form: ISO 8601 UTC, the fraction only when it is not zero. */
export const wireTime = (stored: Timestamp | null): string => (stored === null ? '' : stored.replace('.000000Z', 'Z'));
