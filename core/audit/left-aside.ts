/**
 * left-aside: earlier releases kept audit rows in a second SQLite file while another process locked the database. Rows
 * that such a release left there are moved into the log, unchanged and in the chains that they belong to.
 */
import { existsSync, rmSync } from 'node:fs';
import { Sqlite, type SqliteDatabase } from '../db/sqlite/better-sqlite';

/** What the names of the second file and of its logs have behind the name of the database. */
export const ASIDE_ENDS: readonly string[] = ['-aside', '-aside-wal', '-aside-shm', '-aside-journal'];

/** @param key two columns that name a row */
function copyMissing(connection: SqliteDatabase, table: string, key: readonly string[]): void {
  const columns = (connection.pragma(`aside.table_info(${table})`) as readonly { readonly name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'seq')
    .join(', ');
  if (columns !== '') {
    const same = key.map((column) => `own.${column} = moved.${column}`).join(' and ');
    connection.exec(
      `insert into main.${table} (${columns}) select ${columns} from aside.${table} as moved ` +
        `where not exists (select 1 from main.${table} as own where ${same}) order by seq`,
    );
  }
}

/** Deletes the second file of a database, whose rows are worth nothing without it. */
export function removeLeftAside(file: string): void {
  ASIDE_ENDS.forEach((end) => rmSync(`${file}${end}`, { force: true }));
}

/** Moves what the second file of a database holds into it; running it again changes nothing. */
export function bringInLeftAside(file: string): void {
  if (!existsSync(`${file}${ASIDE_ENDS[0]}`)) {
    return;
  }
  const connection = new Sqlite(file, { timeout: 15_000 });
  try {
    connection.prepare('attach database ? as aside').run(`${file}${ASIDE_ENDS[0]}`);
    connection
      .transaction(() => {
        copyMissing(connection, 'audit', ['writer_id', 'writer_seq']);
        copyMissing(connection, 'audit_checkpoint', ['writer_id', 'writer_seq']);
      })
      .immediate();
  } finally {
    connection.close();
  }
  removeLeftAside(file);
}
