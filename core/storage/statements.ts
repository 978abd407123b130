/** statements: an SQLite connection with the statements that it has prepared. */
import type BetterSqlite3 from 'better-sqlite3';
import type { DiskSync } from './disk-sync';
import type { Value } from './select';

export type SqliteConnection = BetterSqlite3.Database & {
  statements?: Map<string, BetterSqlite3.Statement>;
  /** Absent where SQLite itself waits for the disk. */
  disk?: DiskSync;
};

const STATEMENTS_KEPT = 500;

/** A statement text is prepared once per connection. */
export const prepared = (connection: SqliteConnection, sql: string): BetterSqlite3.Statement => {
  const statements = (connection.statements ??= new Map<string, BetterSqlite3.Statement>());
  let statement = statements.get(sql);
  if (!statement || statement.busy) {
    statement = connection.prepare(sql);
    if (statements.size >= STATEMENTS_KEPT) {
      statements.clear();
    }
    statements.set(sql, statement);
  }
  return statement;
};

/** The driver takes no booleans. */
export const asBound = (value: Value): unknown => (typeof value === 'boolean' ? Number(value) : value);
