/** driver: what a database brings: connections, and statements on them. Transactions, rows and reports stand above it. */
import type { Answer, Value } from './builder';

export type Driver<C = unknown> = {
  readonly name: 'sqlite' | 'mysql';
  /** A connection that nobody else uses until it is released. */
  readonly acquire: () => Promise<C>;
  readonly release: (connection: C) => void;
  /** @param kept the text comes again and again, so that it may be prepared */
  readonly run: (connection: C, sql: string, values: readonly Value[], kept?: boolean) => Promise<Answer>;
  /** `start` ends before the first list of values. */
  readonly insert: (connection: C, start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /**
   * On SQLite with the write lock, so that a transaction which reads first cannot fail half-way because another process
   * wrote in between.
   */
  readonly begin: (connection: C) => Promise<void>;
  /** On SQLite without waiting for the disk: whoever runs the transaction sees to that. */
  readonly commit: (connection: C) => Promise<void>;
  /** Leaves nothing open on the connection for its next user. Never fails. */
  readonly rollback: (connection: C) => Promise<void>;
  readonly close: () => Promise<void>;
};
