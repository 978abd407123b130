/** driver: the interface that each database implements: connections, and statements on them. */
import type { Answer, Value } from './builder';

export type Driver<C = unknown> = {
  readonly name: 'sqlite' | 'mysql';
  /** A connection that nobody else uses until it is released. */
  readonly acquire: () => Promise<C>;
  readonly release: (connection: C) => void;
  /** @param kept the text will be used again, so it may be prepared */
  readonly run: (connection: C, sql: string, values: readonly Value[], kept?: boolean) => Promise<Answer>;
  /** @param start the statement up to `values` */
  readonly insert: (connection: C, start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /** Inserts one row and answers its number. */
  readonly insertNumbered: (connection: C, start: string, row: readonly Value[]) => Promise<number>;
  /**
   * Begins a transaction. On SQLite it also acquires the write lock, because a transaction that reads first would fail
   * when another process writes in between.
   */
  readonly begin: (connection: C) => Promise<void>;
  /** Commits the transaction. On SQLite it does not wait for the disk; the caller must do that. */
  readonly commit: (connection: C) => Promise<void>;
  /** Ends the transaction, so that the connection can be used again. Never fails. */
  readonly rollback: (connection: C) => Promise<void>;
  readonly close: () => Promise<void>;
};
