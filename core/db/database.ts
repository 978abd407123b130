/** database: the interface of the database for all floors above, and the function that opens it. */
import { sqlitePath } from '../config/sqlite-url';
import { bound, traced, type Traced } from '../base/tracing';
import type { Reads, Transaction } from './connection';
import type { Dialect } from './dialect';
import type { Driver } from './driver';
import { openMysql } from './mysql/open';
import type { DatabaseReads, Readers } from './readers';
import { openSqlite } from './sqlite/open';

export type { DatabaseReads, Reads, Transaction };

export type Database = Omit<Readers, 'close'> & {
  readonly dialect: Dialect;
  /**
   * Runs `work` in one transaction. After a deadlock or a certification conflict `work` runs again from its beginning,
   * so it must change nothing outside the transaction that it gets.
   */
  readonly transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Runs a single statement that writes, without a transaction of its own; on SQLite it shares a commit with others.
   * With `ahead` it does not wait for the disk. Use that for rows that are useless without something that the same
   * request writes later: SQLite's log is sequential, so the earlier rows reach the disk no later than the later ones.
   */
  readonly write: <T>(work: (trx: Transaction) => Promise<T>, when?: 'ahead') => Promise<T>;
  /**
   * Waits until rows that were written `ahead` survive a power cut. On MySQL every write does, so it resolves at once.
   */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What SQLite and MySQL each implement. */
export type Opened = Omit<Database, 'reads' | 'longFor' | 'snapshot' | 'close'> & {
  readonly driver: Driver;
  readonly readers: Readers;
};

/**
 * How many milliseconds a write waits while another process holds the lock of the SQLite file. `ahead` is for writes
 * with `ahead`, `all` for all others. `longSeconds`: how long the long reads of one caller may run in all.
 */
export type Patience = { readonly all: number; readonly ahead: number; readonly longSeconds?: number };

/** For commands, which may wait long. */
export const PATIENT: Patience = { all: 15_000, ahead: 15_000 };

type Work<T> = (trx: Transaction) => Promise<T>;

const countingAttempts = <T>(span: Traced, work: Work<T>): Work<T> => {
  let attempts = 0;
  return (trx) => {
    attempts += 1;
    span.note({ 'svc.attempts': attempts });
    return work(trx);
  };
};

/**
 * Opens the database of `SVC_DATABASE_URL`.
 * @throws SetupError when it cannot be reached
 */
export const openDatabase = async (url: string, pool: number, patience = PATIENT): Promise<Database> => {
  const path = sqlitePath(url);
  const opened = path === undefined ? await openMysql(url, pool, patience) : openSqlite(path, patience);
  const {
    driver,
    readers: { close, ...readers },
    ...rest
  } = opened;
  return {
    ...readers,
    ...rest,
    // Several requests may share a commit, so each traces its own transaction.
    transaction: (work) =>
      traced('transaction', { 'db.system.name': driver.name }, (span) =>
        rest.transaction(span ? bound(countingAttempts(span, work)) : work),
      ),
    write: (work, when) => rest.write(bound(work), when),
    close: async () => {
      await close();
      await driver.close();
    },
  };
};
