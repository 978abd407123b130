/** random: repeatable random numbers: the same start gives the same numbers everywhere (Mulberry32). */

/** The next number, from 0 to below 1. */
export type Random = () => number;

export const randomFrom = (start: number): Random => {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

/** A whole number from 0 to below `n`. */
export const below = (random: Random, n: number): number => Math.floor(random() * n);

export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;
