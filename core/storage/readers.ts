/** readers: reading outside transactions, one statement or several of one moment; on SQLite without waiting for those who write. */
import { turns } from '../base/turns';
import type { RunStatement } from './builder';
import { readsOn, type Read, type Reads, type Session } from './connection';
import { translate } from './db-errors';
import { sharingReads } from './questions';
import type { Aside } from './sqlite-aside';
import { Sqlite } from './sqlite-driver';
import { published } from './watch';
import { asBound, prepared, runPrepared, type SqliteConnection } from './statements';
import { onPool, sessionOn, type Client } from './transaction';

/** `long` is for statements that may take long: on SQLite they run outside the event loop. */
export type DatabaseReads = Reads & { readonly long: Reads };

export type Readers = {
  readonly reads: DatabaseReads;
  /** Runs `work`, all of whose reads see the same moment, so that a reply never shows half of what another request is writing. */
  readonly snapshot: <T>(work: (reads: Reads) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

const translated = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
};

const translating = ({ database, rows, run }: Session): Pick<Session, 'database' | 'rows' | 'run'> => ({
  database,
  rows: (sql, values) => translated(() => rows(sql, values)),
  run: (sql, values) => translated(() => run(sql, values)),
});

/** On the pool: MySQL, and SQLite in memory, which is there on one connection only. @param begin what begins a snapshot */
export const pooledReaders = (client: Client, database: Session['database'], begin: readonly string[]): Readers => {
  const session = translating(sessionOn(client, database, onPool(client), true));
  const reads = readsOn(session, sharingReads(session.rows));
  return {
    reads: Object.assign(reads, { long: reads }),
    snapshot: async (work) => {
      const connection = await translated(() => client.acquireConnection());
      const held = translating(sessionOn(client, database, (use) => use(connection)));
      try {
        for (const statement of begin) {
          await held.run(statement, []);
        }
        return await work(readsOn(held));
      } finally {
        // A connection that broke is thrown away by the pool; there is nothing to undo on any other.
        await held.run('rollback', []).catch(() => undefined);
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

const sqliteSession = (run: RunStatement): Pick<Session, 'database' | 'rows' | 'run'> => ({
  database: 'sqlite',
  rows: (async (sql, values) => (await run(sql, values)).rows) as Read,
  run,
});

const onReader =
  (connection: SqliteConnection): RunStatement =>
  async (sql, values) =>
    runPrepared(connection, sql, values);

/** SQLite in a file: connections of their own, which see what has been committed and never wait for what is being written. */
export const sqliteReaders = (file: string, aside: Aside): Readers => {
  const alone = openReader(file);
  const idle: SqliteConnection[] = [];
  const turn = turns(SNAPSHOTS_AT_ONCE);
  const session = sqliteSession(onReader(alone));
  const long = readsOn(
    sqliteSession(async (sql, values) => {
      published(sql, values);
      return { rows: await translated(() => aside.rows(sql, values.map(asBound))), changed: 0 };
    }),
  );
  return {
    reads: Object.assign(readsOn(session, sharingReads(session.rows)), { long }),
    snapshot: (work) =>
      turn(async () => {
        const connection = idle.pop() ?? openReader(file);
        try {
          prepared(connection, 'begin').run();
          return await work(readsOn(sqliteSession(onReader(connection))));
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
