/** readers: reading outside transactions, one statement or several of one moment; on SQLite without waiting for those who write. */
import type { Knex } from 'knex';
import { turns } from '../base/turns';
import { translate } from './db-errors';
import { sharingReads, type ReadOne } from './questions';
import { select, type Read, type TextClient, type Value } from './select';
import type { Aside } from './sqlite-aside';
import { Sqlite } from './sqlite-driver';
import { asBound, prepared, type SqliteConnection } from './statements';

/** Runs one read that was put together for this request. */
export type Run = <T>(query: Knex.QueryBuilder | Knex.Raw) => Promise<T>;

export type Readers = {
  readonly read: Read;
  readonly readOne: ReadOne;
  readonly run: Run;
  /** As `run`, for what may take long: on SQLite outside the event loop. */
  readonly runLong: Run;
  /** Runs `work`, all of whose reads see the same moment, so that a reply never shows half of what another request is writing. */
  readonly snapshot: <T>(work: (run: Run) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
};

/** MySQL's driver answers a raw statement with the rows and their description. */
const withoutDescription = (answer: unknown): unknown =>
  Array.isArray(answer) && Array.isArray(answer[0]) ? (answer[0] as unknown) : answer;

/** On the pool: MySQL, and SQLite in memory, which is there on one connection only. @param begin what begins a snapshot */
export const pooledReaders = (knex: Knex, begin: readonly string[]): Readers => {
  const run: Run = <T>(query: Knex.QueryBuilder | Knex.Raw) =>
    translated(async () => withoutDescription(await query) as T);
  const read: Read = (sql, values) => translated(() => select(knex, sql, values));
  return {
    read,
    readOne: sharingReads(read),
    run,
    runLong: run,
    snapshot: async (work) => {
      const client = knex.client as TextClient;
      const connection = await translated(() => client.acquireConnection());
      const runHere: Run = <T>(query: Knex.QueryBuilder | Knex.Raw) =>
        run<T>((query as Knex.Raw).connection(connection));
      try {
        for (const statement of begin) {
          await runHere(knex.raw(statement));
        }
        return await work(runHere);
      } finally {
        // A connection that broke is thrown away by the pool; there is nothing to undo on any other.
        await runHere(knex.raw('rollback')).catch(() => undefined);
        await client.releaseConnection(connection);
      }
    },
    close: () => Promise.resolve(),
  };
};

/** Their reads take turns in the event loop anyway, and each has a cache of its own. */
const SNAPSHOTS_AT_ONCE = 2;

/** Milliseconds in which the event loop stands. Readers wait for no writer, only for a process that mends the log after a crash. */
const BUSY = 100;

const openReader = (file: string): SqliteConnection => {
  const connection = new Sqlite(file, { readonly: true });
  connection.pragma(`busy_timeout = ${BUSY}`);
  // It seldom outlives the request: whatever anybody commits empties it.
  connection.pragma('cache_size = -4000');
  return connection;
};

/** SQLite in a file: connections of their own, which see what has been committed and never wait for what is being written. */
export const sqliteReaders = (knex: Knex, file: string, aside: Aside): Readers => {
  const client = knex.client as TextClient;
  const alone = openReader(file);
  const idle: SqliteConnection[] = [];
  const turn = turns(SNAPSHOTS_AT_ONCE);
  const runBy =
    (rowsOf: (sql: string, values: readonly Value[]) => Promise<readonly unknown[]>): Run =>
    async <T>(query: Knex.QueryBuilder | Knex.Raw) => {
      const { sql, bindings, method } = query.toSQL() as Knex.Sql & { readonly method?: string };
      const rows = await rowsOf(sql, (bindings ?? []) as readonly Value[]);
      return (method === 'first' ? rows[0] : rows) as T;
    };
  const runOn = (connection: SqliteConnection): Run => runBy((sql, values) => client.rows(connection, sql, values));
  const read: Read = <Row>(sql: string, values: readonly Value[]) =>
    client.rows(alone, sql, values) as Promise<readonly Row[]>;
  return {
    read,
    readOne: sharingReads(read),
    run: runOn(alone),
    runLong: runBy((sql, values) => {
      client.emit('query', { sql, bindings: values });
      return translated(() => aside.rows(sql, values.map(asBound)));
    }),
    snapshot: (work) =>
      turn(async () => {
        const connection = idle.pop() ?? openReader(file);
        try {
          prepared(connection, 'begin').run();
          return await work(runOn(connection));
        } finally {
          prepared(connection, 'rollback').run();
          idle.push(connection);
        }
      }),
    close: async () => {
      [alone, ...idle].forEach((connection) => connection.close());
      await aside.close();
    },
  };
};
