/** sealed-file: tells whether an SQLite file already holds secrets, before anything is opened with a key. */
import { existsSync } from 'node:fs';
import { Sqlite, type SqliteDatabase } from '../db/sqlite/better-sqlite';

/** Also false for a file that does not exist, has no tables yet, or is no database; opening it reports that. */
export function holdsSecrets(file: string): boolean {
  if (!existsSync(file)) {
    return false;
  }
  let connection: SqliteDatabase | undefined;
  try {
    connection = new Sqlite(file, { readonly: true });
    const there = connection
      .prepare("select count(*) as n from sqlite_master where type = 'table' and name in ('app', 'installation')")
      .get() as { n: number };
    return (
      there.n === 2 &&
      connection
        .prepare("select 1 from app union all select 1 from installation where name = 'audit_key' limit 1")
        .get() !== undefined
    );
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}
