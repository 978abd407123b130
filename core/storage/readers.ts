/**
 * readers: reads outside transactions, by single statements or in a snapshot; on SQLite they do not wait for writers.
 */
import { readsOn, type Reads, type Session } from './connection';
import { translate } from './db-errors';
import type { Driver } from './driver';
import { onDriver, sessionOn } from './transaction';

/** `long` is for statements that may take long; on SQLite they run in another thread. */
export type DatabaseReads = Reads & { readonly long: Reads };

export type Readers = {
  readonly reads: DatabaseReads;
  /** Runs `work`. All its reads see one snapshot, so a reply never shows half of another request's changes. */
  readonly snapshot: <T>(work: (reads: Reads) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

export const translated = async <T>(work: () => Promise<T>): Promise<T> => {
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

/**
 * Reads on the pool: for MySQL, and for SQLite in memory, which has one connection.
 * @param begin statements that begin a snapshot
 */
export const pooledReaders = (driver: Driver, begin: readonly string[]): Readers => {
  const session = translating(sessionOn(driver, onDriver(driver), true));
  const reads = readsOn(session, { sharing: true });
  return {
    reads: Object.assign(reads, { long: reads }),
    snapshot: async (work) => {
      const connection = await translated(() => driver.acquire());
      const held = translating(sessionOn(driver, (use) => use(connection)));
      try {
        for (const statement of begin) {
          await held.run(statement, []);
        }
        return await work(readsOn(held));
      } finally {
        // The pool discards a broken connection, and the snapshot wrote nothing.
        await held.run('rollback', []).catch(() => undefined);
        driver.release(connection);
      }
    },
    close: () => Promise.resolve(),
  };
};
