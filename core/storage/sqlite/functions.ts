/** functions: what SQL asks for that SQLite does not have by itself. */
import type { SqliteDatabase } from './better-sqlite';

const compiled = new Map<string, RegExp>();

/**
 * `matches(text, pattern)`: whether the whole text fits a regular expression; null for null. Patterns come from
 * configuration files. `lower_case(text)`: `lower` of SQLite itself knows the letters of ASCII only.
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
