/**
 * driver: SQLite's one writing connection. Its callers use it one at a time, in the order in which they asked, and its
 * statements stay prepared, which the driver of knex does not do.
 */
import type { Value } from '../builder';
import type { Driver } from '../driver';
import { published } from '../watch';
import { asBound, prepared, runPrepared, type SqliteConnection } from './statements';

function oneRow(values: readonly Value[]): string {
  return `(${values.map(() => '?').join(',')})`;
}

/** The most rows of one statement: 190 columns of a wide table stay below the 32,766 values that SQLite accepts. */
const MOST_ROWS = 64;

/** Divides rows into parts of 64, 32, 16, ... rows, so that a few prepared statements serve any number of them. */
function inPowersOfTwo<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0, size = MOST_ROWS; at < rows.length;) {
    if (size > rows.length - at) {
      size /= 2;
    } else {
      parts.push(rows.slice(at, at + size));
      at += size;
    }
  }
  return parts;
}

/** Gives the connection to one caller at a time. */
function acquireInTurn(connection: SqliteConnection): Pick<Driver<SqliteConnection>, 'acquire' | 'release'> {
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
}

/**
 * Transactions acquire the write lock when they begin, so that one that reads first can never fail half-way because
 * another process wrote in between.
 * @param disk closed with the connection; absent where there is no file
 */
export function sqliteDriver(
  connection: SqliteConnection,
  disk?: { readonly close: () => Promise<void> },
): Driver<SqliteConnection> {
  return {
    name: 'sqlite',
    ...acquireInTurn(connection),
    run: async (held, sql, values) => runPrepared(held, sql, values),
    insert: async (held, start, rows) => {
      let inserted = 0;
      for (const part of inPowersOfTwo(rows)) {
        const sql = start + part.map(oneRow).join(',');
        const values = part.flat();
        published(sql, values);
        inserted += prepared(held, sql).run(values.map(asBound)).changes;
      }
      return inserted;
    },
    insertNumbered: async (held, start, row) => {
      const sql = start + oneRow(row);
      published(sql, row);
      return Number(prepared(held, sql).run(row.map(asBound)).lastInsertRowid);
    },
    begin: async (held) => {
      // This repeats a rollback that failed because of trouble with the disk.
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
        // After some errors SQLite has already rolled back; after others the next `begin` does it.
      }
    },
    close: async () => {
      await disk?.close();
      connection.close();
    },
  };
}
