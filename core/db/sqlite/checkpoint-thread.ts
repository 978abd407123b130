/** checkpoint-thread: the code of the thread that empties SQLite's write-ahead log; see checkpoints. */
import { parentPort, workerData } from 'node:worker_threads';
import { Sqlite } from './better-sqlite';
import type { SqliteConnection } from './statements';

const { file } = workerData as { readonly file: string };

let keeper: SqliteConnection | undefined;

function openKeeper(): SqliteConnection {
  const connection: SqliteConnection = new Sqlite(file, { fileMustExist: true });
  connection.pragma('busy_timeout = 15000');
  connection.pragma('cache_size = -4000');
  // The log reaches the disk before the pages do, and the pages before the log is used again.
  connection.pragma('synchronous = NORMAL');
  return connection;
}

/** At most this many rounds make a checkpoint. Each one moves what was written during the round before. */
const ROUNDS = 10;

/**
 * SQLite begins the log anew only when everything in it has been moved. While others write, that takes several rounds,
 * each shorter than the last.
 */
function checkpoint(): void {
  keeper ??= openKeeper();
  let before = -1;
  for (let round = 0; round < ROUNDS; round += 1) {
    // `log` is the number of pages in the log when the round began. It stays the same when nobody wrote.
    const [{ log }] = keeper.pragma('wal_checkpoint(passive)') as [{ readonly log: number }];
    if (log === before) {
      return;
    }
    before = log;
  }
}

parentPort!.on('message', () => {
  let done = true;
  try {
    checkpoint();
  } catch {
    // The log is emptied by the next one, or by a commit that finds it very long.
    done = false;
  }
  parentPort!.postMessage(done);
});
