/**
 * open: opens an SQLite database: one connection that writes, groups of transactions on it, and connections that read.
 */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from '../../base/errors';
import { makeFolders } from '../../base/paths';
import { IN_MEMORY } from '../../config/sqlite-url';
import type { Transaction } from '../connection';
import type { Opened, Patience } from '../database';
import { sqliteDialect, type Dialect } from '../dialect';
import type { Driver } from '../driver';
import { LONG_SECONDS, longReads, pooledReaders, type Readers, type RunLong } from '../readers';
import { onDriver, runTransaction } from '../transaction';
import { Sqlite } from './better-sqlite';
import { makeCheckpoints, type Checkpoints } from './checkpoints';
import { withOwnFunctions } from './own-functions';
import { diskSync } from './disk-sync';
import { sqliteDriver } from './driver';
import { groupCommits } from './group-commit';
import { sqliteReaders } from './readers';
import type { SqliteConnection } from './statements';
import { writeLock, type WriteLock } from './write-lock';

function makeFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new SetupError([
      `SVC_DATABASE_URL: the folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    ]);
  }
}

/**
 * Makes a file that only the user of the service may read. An existing file keeps its permissions, and its log gets the
 * same ones.
 */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // The driver's own error says better what is wrong with the file.
  }
}

/** A commit itself empties a log of this many pages, because the thread that usually does so cannot keep up then. */
const PAGES_IN_LOG = 50_000;

/**
 * Opens the one writing connection. SQLite allows only one writer anyway, and a second connection would block the event
 * loop while it waits.
 */
function openWriter(file: string): SqliteConnection {
  if (file !== IN_MEMORY) {
    makeFolder(dirname(file));
    makeFile(file);
  }
  const connection: SqliteConnection = withOwnFunctions(new Sqlite(file));
  try {
    connection.pragma('busy_timeout = 15000');
    if (connection.pragma('journal_mode = WAL', { simple: true }) === 'wal') {
      connection.pragma('synchronous = NORMAL');
      connection.pragma(`wal_autocheckpoint = ${PAGES_IN_LOG}`);
    }
    connection.pragma('foreign_keys = ON');
    // Old values of a changed row are not left in the unused part of its page.
    connection.pragma('secure_delete = FAST');
    connection.pragma('cache_size = -8000');
    // From here on no statement blocks the event loop to wait for a lock.
    connection.pragma('busy_timeout = 0');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Deletes rows so that neither free pages nor the log hold them afterwards. */
function erasing(driver: Driver<SqliteConnection>): Dialect['erasing'] {
  return async (work) => {
    const pragma = (text: string) => onDriver(driver)((connection) => driver.run(connection, `pragma ${text}`, []));
    await pragma('secure_delete = on');
    const result = await work();
    // The write-ahead log still contains the deleted rows, and readers may hold it for a moment.
    await pragma('busy_timeout = 15000');
    await pragma('wal_checkpoint(truncate)');
    await pragma('busy_timeout = 0');
    return result;
  };
}

/** How long a migration waits for another process, which may be migrating, too. */
const MIGRATION_MILLISECONDS = 120_000;

/** How transactions run, and what makes them safe from a power cut. */
function transactionsOn(driver: Driver<SqliteConnection>, lock: WriteLock, sync: () => Promise<void>) {
  // The connection is released between two tries.
  const transact = <T>(work: (trx: Transaction) => Promise<T>, longest?: number): Promise<T> =>
    lock.wait(() => runTransaction(driver, work), longest);
  return {
    grouped: groupCommits({ transact, sync }),
    // SQLite rolls table changes back like rows, and gives an immediate transaction to one process at a time.
    exclusively: async <T>(work: (trx: Transaction) => Promise<T>): Promise<T> => {
      const result = await transact(work, MIGRATION_MILLISECONDS);
      await sync();
      return result;
    },
  };
}

/** A database in memory has one connection, so nothing is interrupted there. */
function inMemory(driver: Driver, seconds: number): Readers {
  const run: RunLong = (sql, values, { kept }) =>
    onDriver(driver)((connection) => driver.run(connection, sql, values, kept));
  return pooledReaders(driver, ['begin'], longReads({ database: 'sqlite', run, most: 1, seconds }));
}

function openFile(file: string, checkpoints: Checkpoints, seconds: number): Readers {
  const readers = sqliteReaders(file, seconds);
  return {
    ...readers,
    close: async () => {
      await Promise.all([readers.close(), checkpoints.close()]);
    },
  };
}

function openParts(file: string, { lockMilliseconds, longSeconds = LONG_SECONDS }: Patience): Opened {
  const connection = openWriter(file);
  const checkpoints = makeCheckpoints(file);
  const disk = file === IN_MEMORY ? undefined : diskSync(file, checkpoints.wrote);
  const driver = sqliteDriver(connection, disk);
  const sync = disk?.sync ?? (() => Promise.resolve());
  const { grouped, exclusively } = transactionsOn(driver, writeLock(lockMilliseconds), sync);
  const version = connection.prepare('select sqlite_version()').pluck().get() as string;
  const dialect = sqliteDialect(version, { exclusively, erasing: erasing(driver) });
  return {
    driver: driver as Driver,
    dialect,
    transaction: (work) => grouped(work, true),
    write: (work, when) => grouped(work, when !== 'ahead'),
    durable: sync,
    readers: disk ? openFile(file, checkpoints, longSeconds) : inMemory(driver as Driver, longSeconds),
  };
}

/** @throws SetupError when the file cannot be opened */
export function openSqlite(file: string, patience: Patience): Opened {
  try {
    return openParts(file, patience);
  } catch (error) {
    if (error instanceof SetupError) {
      throw error;
    }
    throw new SetupError([
      `SVC_DATABASE_URL: ${file} cannot be opened (${(error as Error).message}): this user must be allowed to ` +
        'write the file and its folder, and the disk must have room',
    ]);
  }
}
