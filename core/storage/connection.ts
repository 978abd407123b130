/** connection: the two things that stores take: `Reads`, where statements that read run, and `Transaction`, where those run that write. */
import { builderOn, runBuilt, type Builder, type RunStatement, type Statement, type Value } from './builder';
import { readingOne, sharingReads, type ReadOne } from './row-batches';

export type { Value };

/** Runs one reading statement given as text with `?` for values: the way of every frequent call. Its text is prepared once. */
export type Read = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** Runs a statement here that was begun elsewhere. */
export type Run = <T>(statement: Statement) => Promise<T>;

/** Where statements that read run: outside of transactions, in a snapshot, or in a transaction. */
export type Reads = Builder & {
  readonly rows: Read;
  /** The one row of a question; see row-batches. */
  readonly one: ReadOne;
  readonly run: Run;
};

export type Transaction = Reads & {
  /** Runs a writing statement given as text and answers how many rows it wrote or took away. */
  readonly change: (sql: string, values?: readonly Value[]) => Promise<number>;
  /** Inserts rows and answers how many. @param start what ends before the first list of values */
  readonly insert: (start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /** Has `listener` called once what the transaction wrote is committed. */
  readonly onCommit: (listener: () => void) => void;
  /** Of one request only: asks whether it is still permitted, for work that waited for a row. @throws AppError permission_denied */
  readonly askAgain?: () => Promise<void>;
};

/** What runs the statements of one connection, or of any connection of a pool. */
export type Session = {
  readonly database: 'sqlite' | 'mysql';
  /** Runs a statement whose text comes again and again. */
  readonly rows: Read;
  /** Runs a statement that was built for this call. */
  readonly run: RunStatement;
  readonly insert: Transaction['insert'];
};

/** @param sharing callers of one turn share the statement of a question: outside transactions only */
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
