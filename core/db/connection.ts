/**
 * connection: the types that stores get: `Reads` runs statements that read, `Transaction` also runs statements that
 * write.
 */
import type { Builder, Statement, Value } from './builder';

export type { Value };

/** Runs a statement that reads, given as text with `?` for its values. Outside transactions it is prepared once. */
export type Read = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** Runs a statement that another builder began. */
export type Run = <T>(statement: Statement) => Promise<T>;

/** Runs statements that read: outside transactions, in a snapshot, or in a transaction. */
export type Reads = Builder & {
  readonly rows: Read;
  readonly run: Run;
};

export type Transaction = Reads & {
  /** Runs a statement that writes, given as text, and answers how many rows it changed. */
  readonly change: (sql: string, values?: readonly Value[]) => Promise<number>;
  /** Inserts rows and answers how many. @param start the statement up to `values` */
  readonly insert: (start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /** Inserts one row and answers the number that the database gave it. @param start the statement up to `values` */
  readonly insertNumbered: (start: string, row: readonly Value[]) => Promise<number>;
  /** Calls `listener` once the transaction has committed. */
  readonly onCommit: (listener: () => void) => void;
  /**
   * In transactions of a request: checks the permission again after waiting for a row.
   * @throws AppError permission_denied
   */
  readonly askAgain?: () => Promise<void>;
};
