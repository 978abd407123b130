/** readers: reading outside transactions, one statement or several of one moment; on SQLite without waiting for those who write. */
import { readsOn, type Reads, type Session } from './connection';
import { translate } from './db-errors';
import type { Driver } from './driver';
import { onDriver, sessionOn } from './transaction';

/** `long` is for statements that may take long: on SQLite they run outside the event loop. */
export type DatabaseReads = Reads & { readonly long: Reads };

export type Readers = {
  readonly reads: DatabaseReads;
  /** Runs `work`, all of whose reads see the same moment, so that a reply never shows half of what another request is writing. */
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

/** On the pool: MySQL, and SQLite in memory, which is there on one connection only. @param begin what begins a snapshot */
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
        // A connection that broke is thrown away by the pool; there is nothing to undo on any other.
        await held.run('rollback', []).catch(() => undefined);
        driver.release(connection);
      }
    },
    close: () => Promise.resolve(),
  };
};
