/**
 * connection: the types that stores get: `Reads` runs statements that read, `Transaction` also runs statements that
 * write.
 */
import { builderOn, runBuilt, type Builder, type RunStatement, type Statement, type Value } from './builder';
import { readingOne, sharingReads, type ReadOne } from './row-batches';

export type { Value };

/** Runs a statement that reads, given as text with `?` for its values. Outside transactions it is prepared once. */
export type Read = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** Runs a statement that another builder began. */
type Run = <T>(statement: Statement) => Promise<T>;

/** Runs statements that read: outside transactions, in a snapshot, or in a transaction. */
export type Reads = Builder & {
  readonly rows: Read;
  /** Reads one row by its keys (row-batches). */
  readonly one: ReadOne;
  readonly run: Run;
};

export type Transaction = Reads & {
  /** Runs a statement that writes, given as text, and answers how many rows it changed. */
  readonly change: (sql: string, values?: readonly Value[]) => Promise<number>;
  /** Inserts rows and answers how many. @param start the statement up to `values` */
  readonly insert: (start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /** Calls `listener` once the transaction has committed. */
  readonly onCommit: (listener: () => void) => void;
  /**
   * In transactions of a request: checks the permission again after waiting for a row.
   * @throws AppError permission_denied
   */
  readonly askAgain?: () => Promise<void>;
};

/** Runs statements on one connection, or on any connection of a pool. */
export type Session = {
  readonly database: 'sqlite' | 'mysql';
  /** Runs a statement whose text is used again. */
  readonly rows: Read;
  /** Runs a statement that was built for this call. */
  readonly run: RunStatement;
  readonly insert: Transaction['insert'];
};

/** @param sharing callers in the same turn of the event loop share a statement (row-batches); not for transactions */
export const readsOn = (
  { database, rows, run }: Pick<Session, 'database' | 'rows' | 'run'>,
  { sharing = false, mayWrite = false } = {},
): Reads => {
  const on = Object.assign(builderOn(database, run, mayWrite), {
    rows,
    run: ((statement) => runBuilt(statement, run, mayWrite)) as Run,
  });
  return Object.assign(on, { one: sharing ? sharingReads(on) : readingOne(on) });
};

export const transactionOn = (session: Session, onCommit: Transaction['onCommit']): Transaction =>
  Object.assign(readsOn(session, { mayWrite: true }), {
    change: async (sql: string, values: readonly Value[] = []) => (await session.run(sql, values)).changed,
    insert: session.insert,
    onCommit,
  });
