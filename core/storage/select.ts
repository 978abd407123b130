/** select: reading statements given as text: the way of every request, without a query builder and without waiting for writers. */
import Sqlite from 'better-sqlite3';
import type { Knex } from 'knex';
import { translate } from './db-errors';

export type Value = string | number | null;

/** Runs one reading statement outside any transaction; its text is prepared once. */
export type Read = <Row>(sql: string, values: readonly Value[]) => Promise<readonly Row[]>;

/** Where a statement can be run: outside any transaction, or on the pool or transaction that a caller holds. */
export type Reads = { readonly read: Read } | Knex | Knex.Transaction;

/** The drivers' answers to a raw statement: MySQL's has the rows and their description, SQLite's the rows alone. */
const rowsOf = <Row>(answer: unknown): readonly Row[] => {
  const list = answer as readonly unknown[];
  return (Array.isArray(list[0]) ? list[0] : list) as readonly Row[];
};

/** The rows of a statement with `?` for values. */
export const select = async <Row>(on: Reads, sql: string, values: readonly Value[]): Promise<readonly Row[]> =>
  'read' in on ? on.read<Row>(sql, values) : rowsOf<Row>(await on.raw(sql, values));

export type Reader = { readonly read: Read; readonly close: () => void };

/** Those who watch the statements of knex see these as well. */
const tell = (knex: Knex, sql: string, bindings: readonly Value[]): void => {
  if (knex.listenerCount('query') > 0) {
    knex.emit('query', { sql, bindings });
  }
};

/** On the pool itself: a database in memory is there on one connection only. */
export const pooledReader = (knex: Knex): Reader => ({ read: (sql, values) => select(knex, sql, values), close: () => undefined });

/** SQLite in a file: a second connection, which sees what has been committed and never waits for what is being written. */
export const sqliteReader = (knex: Knex, file: string): Reader => {
  const connection = new Sqlite(file, { readonly: true });
  connection.pragma('busy_timeout = 15000');
  connection.pragma('cache_size = -32000');
  const statements = new Map<string, Sqlite.Statement>();
  const prepare = (sql: string): Sqlite.Statement => {
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    read: async <Row>(sql: string, values: readonly Value[]) => {
      tell(knex, sql, values);
      return (statements.get(sql) ?? prepare(sql)).all(values) as Row[];
    },
    close: () => { connection.close(); },
  };
};

type MysqlConnection = { readonly execute: (sql: string, values: readonly Value[], done: (error: Error | null, rows: unknown) => void) => void };

/** MySQL: the server keeps the prepared statement, so that it need not parse and check the text each time. */
export const mysqlReader = (knex: Knex): Reader => ({
  read: async <Row>(sql: string, values: readonly Value[]) => {
    tell(knex, sql, values);
    const connection = (await knex.client.acquireConnection()) as MysqlConnection;
    try {
      return await new Promise<readonly Row[]>((resolve, reject) => {
        connection.execute(sql, values, (error, rows) => (error ? reject(translate(error) as Error) : resolve(rows as Row[])));
      });
    } finally {
      await knex.client.releaseConnection(connection);
    }
  },
  close: () => undefined,
});
