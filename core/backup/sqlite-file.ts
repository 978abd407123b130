/** sqlite-file: the file behind SVC_DATABASE_URL, and what has to be known of such a file before it is copied or replaced. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { SetupError } from '../base/errors';
import { IN_MEMORY, sqlitePath } from '../config/sqlite-url';

const SIGNATURE = 'SQLite format 3\0';

/** @throws SetupError for MySQL, whose own tools make backups, and for a database in memory */
export const databaseFile = (databaseUrl: string): string => {
  const path = sqlitePath(databaseUrl);
  if (path === undefined) {
    throw new SetupError(['svc backup and svc restore are for SQLite: MariaDB and MySQL have tools of their own, docs/backup.md shows how to use them']);
  }
  if (path === IN_MEMORY) {
    throw new SetupError(['SVC_DATABASE_URL: a database in memory cannot be backed up']);
  }
  return path;
};

/** @throws SetupError when the file is missing or no SQLite database */
export const requireSqlite = (file: string): void => {
  if (!existsSync(file)) {
    throw new SetupError([`${file}: there is no such file`]);
  }
  const head = Buffer.alloc(SIGNATURE.length);
  const handle = openSync(file, 'r');
  readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  if (head.toString('latin1') !== SIGNATURE) {
    throw new SetupError([`${file} is no SQLite database`]);
  }
};

/** Opens the file for the time of `work`, without making it. */
export const withFile = <T>(file: string, work: (database: BetterSqlite3.Database) => T, options: BetterSqlite3.Options = { readonly: true }): T => {
  const database = new BetterSqlite3(file, { fileMustExist: true, ...options });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const has = (database: BetterSqlite3.Database, table: string): boolean =>
  database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;

const countOf = (database: BetterSqlite3.Database, table: string): number =>
  has(database, table) ? Number((database.prepare(`select count(*) as n from "${table}"`).get() as { n: number }).n) : 0;

export type Holdings = { readonly accounts: number; readonly records: number; readonly documents: number; readonly audits: number };

/** What a database of the service holds. */
export const holdings = (database: BetterSqlite3.Database): Holdings => ({
  accounts: countOf(database, 'account'), records: countOf(database, 'record'), documents: countOf(database, 'document'), audits: countOf(database, 'audit'),
});

/** Names of the migrations that the database has; empty when it is none of this service. */
export const migrationNames = (database: BetterSqlite3.Database): readonly string[] =>
  has(database, 'migration') ? (database.prepare('select name from migration order by name').pluck().all() as string[]) : [];

/** @throws SetupError when pages of the file do not fit together */
export const checkIntegrity = (database: BetterSqlite3.Database, file: string): void => {
  const [first] = database.pragma('quick_check(1)') as readonly { quick_check: string }[];
  if (first?.quick_check !== 'ok') {
    throw new SetupError([`${file} is damaged: ${first?.quick_check ?? 'it cannot be read'}`]);
  }
};
