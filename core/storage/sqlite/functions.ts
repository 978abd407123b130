/** functions: what SQL asks for that SQLite does not have by itself. */
import type { SqliteDatabase } from './better-sqlite';

const compiled = new Map<string, RegExp>();

/** `matches(text, pattern)`: whether the whole text fits a regular expression; null for null. Patterns come from configuration files. */
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
};
