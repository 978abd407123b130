/** database: what the floors above know of the database, and the one way to open it. */
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
   * Runs `work` in one transaction. Deadlocks and certification conflicts run the whole of it again, so `work` must touch
   * nothing but the transaction it is given.
   */
  readonly transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Runs a single writing statement, which needs no transaction of its own; on SQLite it shares the commit of others. `ahead` is
   * for what is of no use without something that the same request writes later: it does not wait for the disk. SQLite's log is
   * one sequence, so what stands before is on the disk whenever that is.
   */
  readonly write: <T>(work: (trx: Transaction) => Promise<T>, when?: 'ahead') => Promise<T>;
  /** Resolves when what was written ahead before this call is safe from a power cut; at once on MySQL, where it is so when written. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What each of the two brings of its own. */
export type Opened = Omit<Database, 'reads' | 'snapshot' | 'close'> & {
  readonly driver: Driver;
  readonly readers: Readers;
};

/**
 * Milliseconds for which the lock of another process on an SQLite file is waited for: by all that is written, and by
 * what is written ahead.
 */
export type Patience = { readonly all: number; readonly ahead: number };

/** A command has nobody who waits for it. */
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
  const opened = path === undefined ? await openMysql(url, pool) : openSqlite(path, patience);
  const {
    driver,
    readers: { close, ...readers },
    ...rest
  } = opened;
  return {
    ...readers,
    ...rest,
    // Several requests may share a commit, whose span is not theirs.
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
