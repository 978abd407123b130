/** sqlite-thread: a thread in which SQLite does what takes long; see sqlite-aside. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from './sqlite-aside';
import { Sqlite, type SqliteOptions } from './sqlite-driver';
import { allRows, prepared, type SqliteConnection } from './statements';

const { file } = workerData as { readonly file: string };

const open = (options: SqliteOptions): SqliteConnection => {
  const connection: SqliteConnection = new Sqlite(file, options);
  connection.pragma('busy_timeout = 15000');
  connection.pragma('cache_size = -4000');
  return connection;
};

let reader: SqliteConnection | undefined;
let keeper: SqliteConnection | undefined;

const openKeeper = (): SqliteConnection => {
  const connection = open({ fileMustExist: true });
  // The log reaches the disk before the pages do, and the pages before the log is used again.
  connection.pragma('synchronous = NORMAL');
  return connection;
};

/** How often the thread goes after what was written while it moved the rest. */
const ROUNDS = 10;

/** Only a log of which nothing is left is begun anew; while others write that takes several rounds, each shorter than the last. */
const checkpoint = (): void => {
  keeper ??= openKeeper();
  let before = -1;
  for (let round = 0; round < ROUNDS; round += 1) {
    // The pages that were in the log when the round began: as many as before, when nobody wrote.
    const [{ log }] = keeper.pragma('wal_checkpoint(passive)') as [{ readonly log: number }];
    if (log === before) {
      return;
    }
    before = log;
  }
};

const answer = (message: ToThread): FromThread => {
  try {
    if (message.kind === 'checkpoint') {
      checkpoint();
      return { id: message.id, rows: [] };
    }
    reader ??= open({ readonly: true });
    return { id: message.id, rows: allRows(prepared(reader, message.sql), message.values) };
  } catch (error) {
    const { message: reason, code } = error as Error & { readonly code?: string };
    return { id: message.id, failure: { reason, code: code ?? '' } };
  }
};

parentPort!.on('message', (message: ToThread) => parentPort!.postMessage(answer(message)));
