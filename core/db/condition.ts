/** condition: SQL conditions as text, with the values that are bound in them (pure). */
import type { Value } from './builder';

export type Condition = { readonly text: string; readonly values: readonly Value[] };

export const ALWAYS: Condition = { text: '1 = 1', values: [] };
export const NEVER: Condition = { text: '1 = 0', values: [] };

/** A `?` for each value. */
export const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const joined = (parts: readonly Condition[], word: 'and' | 'or'): Condition => ({
  text: parts.map(({ text }) => `(${text})`).join(` ${word} `),
  values: parts.flatMap(({ values }) => values),
});

export const allOf = (parts: readonly Condition[]): Condition => (parts.length === 0 ? ALWAYS : joined(parts, 'and'));
export const anyOf = (parts: readonly Condition[]): Condition => (parts.length === 0 ? NEVER : joined(parts, 'or'));
