/** digests: gives SQLite the function `sha2`, as MariaDB and MySQL have it, so that one statement works on all of them. */
import { sha256 } from '../../base/ids';
import type { SqliteDatabase } from './better-sqlite';

/** A connection whose statements may call `sha2(text, 256)`. */
export function withDigests(connection: SqliteDatabase): SqliteDatabase {
  return connection.function('sha2', { deterministic: true, varargs: true }, (...[text]: readonly unknown[]) =>
    text === null ? null : sha256(String(text)),
  );
}
