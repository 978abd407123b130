/** driver: SQLite's one writing connection; whoever needs it has it alone, in the order of asking. */
import type { Value } from '../builder';
import type { Driver } from '../driver';
import { published } from '../watch';
import { asBound, prepared, runPrepared, type SqliteConnection } from './statements';

const oneRow = (values: readonly Value[]): string => `(${values.map(() => '?').join(',')})`;

/** Hands the connection to one at a time. */
const inTurn = (connection: SqliteConnection): Pick<Driver<SqliteConnection>, 'acquire' | 'release'> => {
  const waiting: ((connection: SqliteConnection) => void)[] = [];
  let taken = false;
  return {
    acquire: () =>
      new Promise((resolve) => {
        if (taken) {
          waiting.push(resolve);
        } else {
          taken = true;
          resolve(connection);
        }
      }),
    release: () => {
      const next = waiting.shift();
      taken = next !== undefined;
      next?.(connection);
    },
  };
};

/**
 * Transactions take the write lock when they begin, so that one that reads first can never fail half-way because
 * another process wrote in between.
 * @param disk closed with the connection; absent where there is no file
 */
export const sqliteDriver = (
  connection: SqliteConnection,
  disk?: { readonly close: () => Promise<void> },
): Driver<SqliteConnection> => ({
  name: 'sqlite',
  ...inTurn(connection),
  run: async (held, sql, values) => runPrepared(held, sql, values),
  // Row by row: one text, whose plan is there already, for any number of them.
  insert: async (held, start, rows) => {
    const sql = start + oneRow(rows[0] ?? []);
    const statement = prepared(held, sql);
    let inserted = 0;
    for (const row of rows) {
      published(sql, row);
      inserted += statement.run(row.map(asBound)).changes;
    }
    return inserted;
  },
  begin: async (held) => {
    // A rollback that failed, on a disk in trouble, is made up for.
    if (held.inTransaction) {
      runPrepared(held, 'rollback', []);
    }
    runPrepared(held, 'begin immediate', []);
  },
  commit: async (held) => {
    runPrepared(held, 'commit', []);
  },
  rollback: async (held) => {
    try {
      runPrepared(held, 'rollback', []);
    } catch {
      // After some errors SQLite has done it already; after others the next begin does it.
    }
  },
  close: async () => {
    await disk?.close();
    connection.close();
  },
});
