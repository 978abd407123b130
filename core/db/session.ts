/** session: reads and transactions over one connection, or over any connection of a pool. */
import { builderOn, runBuilt, type RunStatement, type Value } from './builder';
import type { Reads, Run, Transaction, Read } from './connection';

export function readsOn(
  { database, rows, run }: Pick<Session, 'database' | 'rows' | 'run'>,
  { mayWrite = false } = {},
): Reads {
  return Object.assign(builderOn(database, run, mayWrite), {
    rows,
    run: ((statement) => runBuilt(statement, run, mayWrite)) as Run,
  });
}

export function transactionOn(session: Session, onCommit: Transaction['onCommit']): Transaction {
  return Object.assign(readsOn(session, { mayWrite: true }), {
    change: async (sql: string, values: readonly Value[] = []) => (await session.run(sql, values)).changed,
    insert: session.insert,
    insertNumbered: session.insertNumbered,
    onCommit,
  });
}
/** Runs statements on one connection, or on any connection of a pool. */
export type Session = {
  readonly database: 'sqlite' | 'mysql';
  /** Runs a statement whose text is used again. */
  readonly rows: Read;
  /** Runs a statement that was built for this call. */
  readonly run: RunStatement;
  readonly insert: Transaction['insert'];
  readonly insertNumbered: Transaction['insertNumbered'];
};
