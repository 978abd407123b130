/** readers: connections of SQLite that see what has been committed, and never wait for what is being written. */
import { limit } from '../../base/turns/limit';
import type { RunStatement } from '../builder';
import type { Read } from '../connection';
import type { Session } from '../session';
import { readsOn } from '../session';
import { OWN_WORK } from '../../base/turns/turns';
import { longReads, type Readers } from '../readers';
import { published } from '../watch';
import { Sqlite } from './better-sqlite';
import { withOwnFunctions } from './own-functions';
import { READS_AT_ONCE, readProcesses } from './read-processes';
import { asBound, prepared, runPrepared, type SqliteConnection } from './statements';

/**
 * Each snapshot has a connection with a cache of its own, and all of them take turns in the event loop anyway. Two
 * archives may hold two of them for minutes (core/archive/export.ts), and others must be able to read meanwhile.
 */
const SNAPSHOTS_AT_ONCE = 4;

/**
 * The wait blocks the event loop, so it is short. Readers never wait for a writer, only for a process that repairs the
 * log after a crash.
 */
const BUSY_MILLISECONDS = 100;

function openReader(file: string): SqliteConnection {
  const connection = withOwnFunctions(new Sqlite(file, { readonly: true }));
  connection.pragma(`busy_timeout = ${BUSY_MILLISECONDS}`);
  // The cache is small because it seldom outlives a request: every commit of anybody empties it.
  connection.pragma('cache_size = -4000');
  return connection;
}

function sqliteSession(run: RunStatement): Pick<Session, 'database' | 'rows' | 'run'> {
  return {
    database: 'sqlite',
    rows: (async (sql, values) => (await run(sql, values)).rows) as Read,
    run,
  };
}

function onReader(connection: SqliteConnection): RunStatement {
  return async (sql, values) => runPrepared(connection, sql, values);
}

/** @param longSeconds how long the long reads of one asker may run in all */
export function sqliteReaders(file: string, longSeconds: number): Readers {
  const alone = openReader(file);
  const idle: SqliteConnection[] = [];
  const turn = limit(SNAPSHOTS_AT_ONCE);
  const session = sqliteSession(onReader(alone));
  const processes = readProcesses(file);
  const longFor = longReads({
    database: 'sqlite',
    run: async (sql, values, { interrupted }) => {
      published(sql, values);
      return { rows: await processes.rows(sql, values.map(asBound), interrupted), changed: 0 };
    },
    most: READS_AT_ONCE,
    slowMost: 1,
    seconds: longSeconds,
  });
  return {
    reads: Object.assign(readsOn(session), { long: longFor(OWN_WORK) }),
    longFor,
    snapshot: (work) =>
      turn(async () => {
        const connection = idle.pop() ?? openReader(file);
        try {
          prepared(connection, 'begin').run();
          return await work(readsOn(sqliteSession(onReader(connection))));
        } finally {
          // Some errors end the transaction.
          if (connection.inTransaction) {
            prepared(connection, 'rollback').run();
          }
          idle.push(connection);
        }
      }),
    close: async () => {
      [alone, ...idle].forEach((connection) => connection.close());
      await processes.close();
    },
  };
}
