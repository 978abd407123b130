/** condition: SQL conditions and orders as text, with the values that are bound in them (pure). */
import type { Value } from './builder';

export type Condition = { readonly text: string; readonly values: readonly Value[] };

export const ALWAYS: Condition = { text: '1 = 1', values: [] };
export const NEVER: Condition = { text: '1 = 0', values: [] };

/** A `?` for each value. */
export function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function joinConditions(parts: readonly Condition[], word: 'and' | 'or'): Condition {
  return {
    text: parts.map(({ text }) => `(${text})`).join(` ${word} `),
    values: parts.flatMap(({ values }) => values),
  };
}

export function allOf(parts: readonly Condition[]): Condition {
  return parts.length === 0 ? ALWAYS : joinConditions(parts, 'and');
}

/** At least one of them; in brackets, so that it may stand behind an `and`. */
export function anyOf(parts: readonly Condition[]): Condition {
  const { text, values } = parts.length === 0 ? NEVER : joinConditions(parts, 'or');
  return { text: `(${text})`, values };
}

/** One of the values by which a list is ordered. */
type OrderedBy = { readonly sql: string; readonly descending: boolean };

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
