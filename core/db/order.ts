/** order: the order of a list by several values, and what comes after a place in it, as SQL (pure). */
import { anyOf, NEVER, type Condition } from './condition';

export type OrderedBy = { readonly sql: string; readonly descending: boolean };

/** The text behind `order by`. */
export function orderText(by: readonly OrderedBy[]): string {
  return by.map(({ sql, descending }) => `${sql} ${descending ? 'desc' : 'asc'}`).join(', ');
}

/**
 * The condition that something comes after a place.
 * @param at the values at the place, in the order of `by`
 * @param among what comes after it among those with the same values
 */
export function comesAfter(by: readonly OrderedBy[], at: readonly string[], among: Condition = NEVER): Condition {
  const same = (count: number): readonly string[] => by.slice(0, count).map(({ sql }) => `${sql} = ?`);
  const steps = by.map(({ sql, descending }, index): Condition => ({
    text: [...same(index), `${sql} ${descending ? '<' : '>'} ?`].join(' and '),
    values: at.slice(0, index + 1),
  }));
  const last = { text: [...same(by.length), `(${among.text})`].join(' and '), values: [...at, ...among.values] };
  return anyOf(among === NEVER ? steps : [...steps, last]);
}
