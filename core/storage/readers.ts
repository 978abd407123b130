/** readers: reading outside transactions, one statement or several of one moment; on SQLite without waiting for those who write. */
import Sqlite from 'better-sqlite3';
import type { Knex } from 'knex';
import { prepared, type SqliteConnection } from './clients';
import { translate } from './db-errors';
import { select, type Read, type TextClient, type Value } from './select';

/** Runs one read that was put together for this request. */
export type Run = <T>(query: Knex.QueryBuilder | Knex.Raw) => Promise<T>;

export type Readers = {
  readonly read: Read;
  readonly run: Run;
  /** Runs `work`, all of whose reads see the same moment, so that a reply never shows half of what another request is writing. */
  readonly snapshot: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  readonly close: () => void;
};

const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
};

/** On the pool: MySQL, and SQLite in memory, which is there on one connection only. @param begin what begins a snapshot */
export const pooledReaders = (knex: Knex, begin: readonly string[]): Readers => {
  const runOn = (connection: unknown): Run => <T>(query: Knex.QueryBuilder | Knex.Raw) => translated(async () => (await (query as Knex.Raw).connection(connection)) as T);
  return {
    read: (sql, values) => translated(() => select(knex, sql, values)),
    run: <T>(query: Knex.QueryBuilder | Knex.Raw) => translated(async () => (await query) as T),
    snapshot: async (work) => {
      const client = knex.client as TextClient;
      const connection = await translated(() => client.acquireConnection());
      const run = runOn(connection);
      try {
        for (const statement of begin) {
          await run(knex.raw(statement));
        }
        return await work(run);
      } finally {
        // A connection that broke is thrown away by the pool; there is nothing to undo on any other.
        await run(knex.raw('rollback')).catch(() => undefined);
        await client.releaseConnection(connection);
      }
    },
    close: () => undefined,
  };
};

const SNAPSHOTS_AT_ONCE = 4;

const openReader = (file: string, cacheKilobytes: number): SqliteConnection => {
  const connection = new Sqlite(file, { readonly: true });
  connection.pragma('busy_timeout = 15000');
  connection.pragma(`cache_size = -${cacheKilobytes}`);
  return connection;
};

/** Lends a few connections; who finds none waits for the next that is given back. */
const lending = (open: () => SqliteConnection) => {
  const all: SqliteConnection[] = [];
  const idle: SqliteConnection[] = [];
  const waiting: ((connection: SqliteConnection) => void)[] = [];
  const take = (): SqliteConnection | Promise<SqliteConnection> => {
    const free = idle.pop();
    if (free) {
      return free;
    }
    if (all.length < SNAPSHOTS_AT_ONCE) {
      const opened = open();
      all.push(opened);
      return opened;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const giveBack = (connection: SqliteConnection): void => {
    const next = waiting.shift();
    if (next) {
      next(connection);
    } else {
      idle.push(connection);
    }
  };
  return { take, giveBack, close: () => all.forEach((connection) => connection.close()) };
};

/** SQLite in a file: connections of their own, which see what has been committed and never wait for what is being written. */
export const sqliteReaders = (knex: Knex, file: string): Readers => {
  const client = knex.client as TextClient;
  const alone = openReader(file, 32_000);
  const lent = lending(() => openReader(file, 8000));
  const runOn = (connection: SqliteConnection): Run => async <T>(query: Knex.QueryBuilder | Knex.Raw) => {
    const { sql, bindings, method } = query.toSQL() as Knex.Sql & { readonly method?: string };
    const rows = await client.rows(connection, sql, (bindings ?? []) as readonly Value[]);
    return (method === 'first' ? rows[0] : rows) as T;
  };
  return {
    read: <Row>(sql: string, values: readonly Value[]) => client.rows(alone, sql, values) as Promise<readonly Row[]>,
    run: runOn(alone),
    snapshot: async (work) => {
      const connection = await lent.take();
      try {
        prepared(connection, 'begin').run();
        return await work(runOn(connection));
      } finally {
        prepared(connection, 'rollback').run();
        lent.giveBack(connection);
      }
    },
    close: () => {
      alone.close();
      lent.close();
    },
  };
};
