/**
 * transaction: one transaction on one connection, with knex's query builder and statements given as text. knex's own builds a whole
 * knex for each transaction, more than a hundred functions and 160 microseconds; this one is the same client, bound to its connection.
 */
import type { Knex } from 'knex';
import type { TextClient } from './select';

/** Anything that a store can run a statement on: the pool or one transaction. */
export type Connection = ((table: string) => Knex.QueryBuilder) &
  Pick<Knex, 'raw' | 'from' | 'select' | 'ref'> & {
    readonly client: unknown;
    /** Has `listener` called once what the transaction wrote is committed; absent outside of transactions. */
    readonly onCommit?: (listener: () => void) => void;
  };

export type Transaction = Connection & Required<Pick<Connection, 'onCommit'>>;

/** What a client adds to its statements so that transactions can be run on it. */
export type TransactingClient<C = unknown> = TextClient<C> & {
  /** On SQLite with the write lock, so that a transaction which reads first cannot fail half-way because another process wrote in between. */
  readonly begin: (connection: C) => Promise<void>;
  /** On SQLite without waiting for the disk: whoever runs the transaction sees to that. */
  readonly commit: (connection: C) => Promise<void>;
  /** Leaves nothing open on the connection for its next user. Never fails. */
  readonly rollback: (connection: C) => Promise<void>;
};

/** A client of knex, which makes its builders. */
type Client = TransactingClient & Pick<Knex, 'queryBuilder' | 'raw' | 'ref'>;

/** The same client on one connection, until that is over. */
const bound = (client: Client, connection: unknown, isOver: () => boolean): Client =>
  Object.assign(Object.create(client) as Client, {
    transacting: true,
    acquireConnection: () =>
      isOver() ? Promise.reject(new Error('the transaction is over')) : Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
  });

const transactionOn = (client: Client, onCommit: Transaction['onCommit']): Transaction =>
  Object.assign((table: string) => client.queryBuilder().table(table), {
    client,
    raw: client.raw.bind(client) as Knex['raw'],
    ref: client.ref.bind(client) as Knex['ref'],
    from: ((source: Knex.QueryBuilder) => client.queryBuilder().from(source)) as Knex['from'],
    select: ((columns: Record<string, Knex.QueryBuilder>) => client.queryBuilder().select(columns)) as Knex['select'],
    onCommit,
  });

/** Runs `work` in one transaction: all of what it writes is there afterwards, or, when it or the commit fails, nothing. */
export const runTransaction = async <T>(client: Client, work: (trx: Transaction) => Promise<T>): Promise<T> => {
  const connection = await client.acquireConnection();
  const listeners: (() => void)[] = [];
  let over = false;
  let result: T;
  try {
    await client.begin(connection);
    result = await work(
      transactionOn(
        bound(client, connection, () => over),
        (listener) => {
          listeners.push(listener);
        },
      ),
    );
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
