/**
 * readers: reads outside transactions, by single statements or in a snapshot; on SQLite they do not wait for writers.
 */
import type { Interrupted } from '../base/turns/interruption';
import { makeTurns, OWN_WORK, type Asker } from '../base/turns/turns';
import type { Answer, Value } from './builder';
import type { Reads } from './connection';
import type { Session } from './session';
import { readsOn } from './session';
import { translate } from './db-errors';
import type { Driver } from './driver';
import { onDriver, sessionOn } from './transaction';

/**
 * `long` is for statements that may take long. They run outside the event loop, wait for the turn of whoever asks, and
 * end at a deadline or when the caller has gone (base/turns). Those of an operation's services ask for its caller.
 */
export type DatabaseReads = Reads & { readonly long: Reads };

export type Readers = {
  /** The long reads of these are the service's own work, which has no deadline. */
  readonly reads: DatabaseReads;
  /** Long reads for somebody. */
  readonly longFor: (asker: Asker) => Reads;
  /** Runs `work`. All its reads see one snapshot, so a reply never shows half of another request's changes. */
  readonly snapshot: <T>(work: (reads: Reads) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

function translating({ database, rows, run }: Session): Pick<Session, 'database' | 'rows' | 'run'> {
  return {
    database,
    rows: (sql, values) => translated(() => rows(sql, values)),
    run: (sql, values) => translated(() => run(sql, values)),
  };
}

type LongStatement = {
  /** Its text will be used again, so it may be prepared. */ readonly kept: boolean;
  /** Once this is aborted, the statement ends, and fails with the reason of the signal. */
  readonly interrupted: Interrupted;
  /** It has no deadline. */ readonly patient: boolean;
};

export type RunLong = (sql: string, values: readonly Value[], how: LongStatement) => Promise<Answer>;

/** How long the long reads of one asker may run in all, unless a setting says otherwise. */
export const LONG_SECONDS = 10;

/** At most this many long reads of all callers wait. */
const WAITING = 500;

type LongOptions = {
  readonly database: 'sqlite' | 'mysql';
  readonly run: RunLong;
  /** How many run at a time. */ readonly most: number;
  /** How many of slow owners run at a time; absent: one less. */ readonly slowMost?: number;
  /** How long those of one asker may run in all. */ readonly seconds: number;
};

/** Long reads that wait for the turn of their asker. */
export function longReads({ database, run, ...limits }: LongOptions): Readers['longFor'] {
  const turns = makeTurns({ ...limits, room: WAITING });
  return (asker) => {
    const patient = asker.patient === true;
    const inTurn = (sql: string, values: readonly Value[], kept: boolean): Promise<Answer> =>
      translated(() => turns(asker, (interrupted) => run(sql, values, { kept, interrupted, patient })));
    return readsOn({
      database,
      rows: async <Row>(sql: string, values: readonly Value[]) =>
        (await inTurn(sql, values, true)).rows as readonly Row[],
      run: (sql, values) => inTurn(sql, values, false),
    });
  };
}

/** The database as one asker sees it: its long reads are theirs. */
export function readingFor<D extends Readers>(database: D, asker: Asker): D {
  const { reads } = database;
  const table = (name: string): ReturnType<typeof reads> => reads(name);
  let long: Reads | undefined;
  const own = Object.defineProperty(Object.assign(table, reads), 'long', {
    get: () => (long ??= database.longFor(asker)),
  });
  return { ...database, reads: own };
}

/**
 * Reads on the pool: for MySQL, and for SQLite in memory, which has one connection.
 * @param begin statements that begin a snapshot
 */
export function pooledReaders(driver: Driver, begin: readonly string[], longFor: Readers['longFor']): Readers {
  const session = translating(sessionOn(driver, onDriver(driver), true));
  const reads = readsOn(session);
  return {
    reads: Object.assign(reads, { long: longFor(OWN_WORK) }),
    longFor,
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
}
