/** database: the interface of the database for all floors above. */
import type { Reads, Transaction } from './connection';
import type { Dialect } from './dialect';
import type { Driver } from './driver';
import type { DatabaseReads, Readers } from './readers';

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

export type Patience = {
  /** How long a write waits while another process holds the lock of the SQLite file. */
  readonly lockMilliseconds: number;
  /** How long the long reads of one caller may run in all. */
  readonly longSeconds?: number;
};
