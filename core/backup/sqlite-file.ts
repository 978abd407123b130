/** sqlite-file: the file of SVC_DATABASE_URL, and what must be checked before such a file is copied or replaced. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { SetupError } from '../base/errors';
import { driverCode, isDamage } from '../db/db-errors';
import { Sqlite, type SqliteDatabase, type SqliteOptions } from '../db/sqlite/better-sqlite';
import { IN_MEMORY, sqlitePath } from '../config/sqlite-url';

const SIGNATURE = 'SQLite format 3\0';

/** @throws SetupError for MySQL, whose own tools make backups, and for a database in memory */
export function databaseFile(databaseUrl: string): string {
  const path = sqlitePath(databaseUrl);
  if (path === undefined) {
    throw new SetupError([
      'svc backup and svc restore are for SQLite: MariaDB and MySQL have tools of their own, docs/backup.md shows how to use them',
    ]);
  }
  if (path === IN_MEMORY) {
    throw new SetupError(['SVC_DATABASE_URL: a database in memory cannot be backed up']);
  }
  return path;
}

const refusals: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'this is a folder' };

function headOf(file: string): string {
  try {
    const head = Buffer.alloc(SIGNATURE.length);
    const handle = openSync(file, 'r');
    try {
      readSync(handle, head, 0, head.length, 0);
    } finally {
      closeSync(handle);
    }
    return head.toString('latin1');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new SetupError([`${file}: ${refusals[code] ?? `the file cannot be read (${code})`}`]);
  }
}

/** @throws SetupError when the file is missing or no SQLite database */
export function requireSqlite(file: string): void {
  if (headOf(file) !== SIGNATURE) {
    throw new SetupError([`${file} is no SQLite database`]);
  }
}

/** Raised when a file is damaged, or is no SQLite database. */
export class Damaged extends SetupError {}

/**
 * Opens the file while `work` runs. A file that is missing is not made.
 * @throws Damaged instead of the driver's own error, which would read as if the service's database were damaged
 */
export function withFile<T>(
  file: string,
  work: (database: SqliteDatabase) => T,
  options: SqliteOptions = { readonly: true },
): T {
  const database = new Sqlite(file, { fileMustExist: true, ...options });
  try {
    return work(database);
  } catch (error) {
    throw isDamage(error) ? new Damaged([`${file} is damaged (${driverCode(error)})`]) : error;
  } finally {
    database.close();
  }
}

/**
 * In exclusive mode, the file is locked before anything is read from it, so that a file in use can be told from a
 * damaged one. Turning off the log (WAL) moves its content into the file.
 */
function takeAlone(database: SqliteDatabase): void {
  database.pragma('locking_mode = exclusive');
  database.exec('begin exclusive; rollback');
  database.pragma('journal_mode = delete');
}

/**
 * Makes sure that no service is running, because it would go on using a file that has been replaced.
 * @throws SetupError when the file cannot be read, or any process has it open
 * @throws Damaged when it is no whole SQLite database; an empty file is one
 */
export function requireStopped(file: string): void {
  headOf(file);
  try {
    withFile(file, takeAlone, { timeout: 1000 });
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) {
      throw new SetupError([`${file} is in use: stop the service first`]);
    }
    throw error;
  }
}

/** True for a file without content. Opening such a file removes the log beside it. */
export function isBlank(file: string): boolean {
  return statSync(file).size === 0;
}

function hasTable(database: SqliteDatabase, table: string): boolean {
  return database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;
}

function rowCount(database: SqliteDatabase, table: string): number {
  return hasTable(database, table)
    ? Number((database.prepare(`select count(*) as n from "${table}"`).get() as { n: number }).n)
    : 0;
}

export type Holdings = {
  readonly accounts: number;
  readonly records: number;
  readonly documents: number;
  readonly audits: number;
};

/** What a database of the service holds. */
export function holdings(database: SqliteDatabase): Holdings {
  return {
    accounts: rowCount(database, 'account'),
    records: rowCount(database, 'record'),
    documents: rowCount(database, 'document'),
    audits: rowCount(database, 'audit'),
  };
}

/** Names of the migrations that the database has; empty when it is no database of this service. */
export function migrationNames(database: SqliteDatabase): readonly string[] {
  return hasTable(database, 'migration')
    ? (database.prepare('select name from migration order by name').pluck().all() as string[])
    : [];
}

/** @throws SetupError when pages of the file do not fit together */
export function checkIntegrity(database: SqliteDatabase, file: string): void {
  const [first] = database.pragma('quick_check(1)') as readonly { quick_check: string }[];
  if (first?.quick_check !== 'ok') {
    throw new SetupError([`${file} is damaged: ${first?.quick_check ?? 'it cannot be read'}`]);
  }
}
