/** sqlite-thread: the code of a thread that runs SQLite's long work; see sqlite-worker. */
import { parentPort, workerData } from 'node:worker_threads';
import { perTurn } from '../../base/groups';
import type { FromThread, ToThread } from './sqlite-worker';
import { Sqlite, type SqliteOptions } from './better-sqlite';
import { addFunctions } from './functions';
import { allRows, prepared, type SqliteConnection } from './statements';

const { file } = workerData as { readonly file: string };

const open = (options: SqliteOptions): SqliteConnection => {
  const connection: SqliteConnection = new Sqlite(file, options);
  addFunctions(connection);
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

/** At most this many rounds make a checkpoint. Each one moves what was written during the round before. */
const ROUNDS = 10;

/**
 * SQLite begins the log anew only when everything in it has been moved. While others write, that takes several rounds,
 * each shorter than the last.
 */
const checkpoint = (): void => {
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
};

const failed = (id: number, error: unknown): FromThread => {
  const { message: reason, code } = error as Error & { readonly code?: string };
  return { id, failure: { reason, code: code ?? '' } };
};

const attempt = (id: number, work: () => readonly unknown[]): FromThread => {
  try {
    return { id, rows: work() };
  } catch (error) {
    return failed(id, error);
  }
};

const say = (answer: FromThread): void => parentPort!.postMessage(answer);

const beginReading = (): SqliteConnection => {
  reader ??= open({ readonly: true });
  prepared(reader, 'begin').run();
  return reader;
};

type Question = Extract<ToThread, { kind: 'read' }>;

/**
 * Questions that wait together share one snapshot, which is later than all that their callers know of. At each new
 * snapshot SQLite drops the pages in its cache if anybody has written since.
 */
const readAll = (questions: readonly Question[]): void => {
  let connection: SqliteConnection;
  try {
    connection = beginReading();
  } catch (error) {
    questions.forEach(({ id }) => say(failed(id, error)));
    return;
  }
  questions.forEach(({ id, sql, values }) => say(attempt(id, () => allRows(prepared(connection, sql), values))));
  // Some errors end the transaction.
  if (connection.inTransaction) {
    prepared(connection, 'rollback').run();
  }
};

/**
 * At most this many reads share a snapshot. The part of the log that a snapshot needs cannot be emptied while the
 * snapshot is open.
 */
const TOGETHER = 20;

/** Each question is answered by itself, as soon as possible, so a finished group has no answer of its own. */
const read = perTurn(TOGETHER, async (questions: readonly Question[]): Promise<readonly undefined[]> => {
  readAll(questions);
  return [];
});

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'read') {
    void read(message);
    return;
  }
  say(
    attempt(message.id, () => {
      checkpoint();
      return [];
    }),
  );
});
