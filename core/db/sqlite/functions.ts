/** functions: adds SQL functions that SQLite itself lacks. */
import type { SqliteDatabase } from './better-sqlite';

const compiled = new Map<string, RegExp>();

/**
 * Adds two functions. `matches(text, pattern)` tells whether the whole text matches a regular expression, and is null
 * for null; the patterns come from configuration files. `lower_case(text)` knows all letters, while SQLite's own
 * `lower` knows the letters of ASCII only.
 */
export const addFunctions = (connection: Pick<SqliteDatabase, 'function'>): void => {
  connection.function('matches', { deterministic: true }, (text: unknown, pattern: unknown) => {
    if (text === null || text === undefined) {
      return null;
    }
    const source = String(pattern);
    const known = compiled.get(source) ?? new RegExp(`^(?:${source})$`, 'u');
    compiled.set(source, known);
    return known.test(String(text)) ? 1 : 0;
  });
  connection.function('lower_case', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
};
