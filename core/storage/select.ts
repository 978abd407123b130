/**
 * select, change: statements given as text with `?` for values: the way of every frequent call, without a query builder, its
 * events and its pool in between. Their text is prepared once.
 */
import { oneText, type Question, type ReadOne } from './questions';
import type { Connection } from './transaction';

export type Value = string | number | boolean | null | Buffer;

/** Runs one reading statement outside any transaction. */
export type Read = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** Where a statement can be run: outside any transaction, or on the pool or transaction that a caller holds. */
export type Reads = { readonly read: Read; readonly readOne: ReadOne } | Connection;

/** What both clients add to knex for this; see clients. Those who watch the statements of knex see these as well. */
export type TextClient<C = unknown> = {
  readonly acquireConnection: () => Promise<unknown>;
  readonly releaseConnection: (connection: C) => Promise<unknown>;
  readonly emit: (event: 'query', statement: { readonly sql: string; readonly bindings: readonly Value[] }) => unknown;
  readonly rows: (connection: C, sql: string, values: readonly Value[]) => Promise<readonly unknown[]>;
  /** @returns how many rows were written or taken away */
  readonly change: (connection: C, sql: string, values: readonly Value[]) => Promise<number>;
  /** `start` ends before the first list of values. */
  readonly insert: (connection: C, start: string, rows: readonly (readonly Value[])[]) => Promise<number>;
};

/** Runs something on the connection of a transaction, or on one of the pool. */
export const onConnection = async <T>(
  on: Connection,
  use: (client: TextClient, connection: unknown) => Promise<T>,
): Promise<T> => {
  const client = on.client as TextClient;
  const connection = await client.acquireConnection();
  try {
    return await use(client, connection);
  } finally {
    await client.releaseConnection(connection);
  }
};

/** The rows of a statement. */
export const select = async <Row>(on: Reads, sql: string, values: readonly Value[]): Promise<readonly Row[]> =>
  'read' in on
    ? on.read<Row>(sql, values)
    : onConnection(on, (client, connection) => client.rows(connection, sql, values) as Promise<readonly Row[]>);

/** The one row of a question; see questions. */
export const selectOne = async <Row>(
  on: Reads,
  question: Question,
  values: readonly string[],
): Promise<Row | undefined> =>
  'readOne' in on ? on.readOne<Row>(question, values) : (await select<Row>(on, oneText(question), values))[0];

/** Runs a writing statement and answers how many rows it wrote or took away. */
export const change = (on: Connection, sql: string, values: readonly Value[] = []): Promise<number> =>
  onConnection(on, (client, connection) => client.change(connection, sql, values));
