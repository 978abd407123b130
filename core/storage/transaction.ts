/** transaction: runs work in one transaction on one connection of the pool. */
import type { Answer, Value } from './builder';
import { transactionOn, type Session, type Transaction } from './connection';

/** What both clients bring; see clients. */
export type Client<C = unknown> = {
  readonly acquireConnection: () => Promise<C>;
  readonly releaseConnection: (connection: C) => Promise<unknown>;
  /** @param kept the text comes again and again, so that it may be prepared */
  readonly run: (connection: C, sql: string, values: readonly Value[], kept: boolean) => Promise<Answer>;
  /** `start` ends before the first list of values. */
  readonly insert: (connection: C, start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
  /** On SQLite with the write lock, so that a transaction which reads first cannot fail half-way because another process wrote in between. */
  readonly begin: (connection: C) => Promise<void>;
  /** On SQLite without waiting for the disk: whoever runs the transaction sees to that. */
  readonly commit: (connection: C) => Promise<void>;
  /** Leaves nothing open on the connection for its next user. Never fails. */
  readonly rollback: (connection: C) => Promise<void>;
};

/** Statements on connections that `using` finds for each. @param kept whether texts that come again are prepared */
export const sessionOn = (
  client: Client,
  database: Session['database'],
  using: <T>(work: (connection: unknown) => Promise<T>) => Promise<T>,
  kept = false,
): Session => ({
  database,
  rows: async <Row>(sql: string, values: readonly Value[]) =>
    (await using((connection) => client.run(connection, sql, values, kept))).rows as readonly Row[],
  run: (sql, values) => using((connection) => client.run(connection, sql, values, false)),
  insert: (start, rows) => using((connection) => client.insert(connection, start, rows)),
});

/** Takes a connection of the pool for each statement. */
export const onPool =
  (client: Client) =>
  async <T>(work: (connection: unknown) => Promise<T>): Promise<T> => {
    const connection = await client.acquireConnection();
    try {
      return await work(connection);
    } finally {
      await client.releaseConnection(connection);
    }
  };

/** Runs `work` in one transaction: all of what it writes is there afterwards, or, when it or the commit fails, nothing. */
export const runTransaction = async <T>(
  client: Client,
  database: Session['database'],
  work: (trx: Transaction) => Promise<T>,
): Promise<T> => {
  const connection = await client.acquireConnection();
  const listeners: (() => void)[] = [];
  let over = false;
  let result: T;
  try {
    await client.begin(connection);
    const session = sessionOn(client, database, (use) =>
      over ? Promise.reject(new Error('the transaction is over')) : use(connection),
    );
    result = await work(transactionOn(session, (listener) => void listeners.push(listener)));
    over = true;
    await client.commit(connection);
  } catch (error) {
    over = true;
    await client.rollback(connection);
    throw error;
  } finally {
    await client.releaseConnection(connection);
  }
  listeners.forEach((listener) => listener());
  return result;
};

/** Runs `work` whose one statement commits by itself. */
export const runAlone = async <T>(session: Session, work: (trx: Transaction) => Promise<T>): Promise<T> => {
  const listeners: (() => void)[] = [];
  const result = await work(transactionOn(session, (listener) => void listeners.push(listener)));
  listeners.forEach((listener) => listener());
  return result;
};
