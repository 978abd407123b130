/**
 * sqlite-worker: runs SQLite's long work in threads, outside the event loop. A thread runs long reads. It also moves
 * the contents of the write-ahead log into the database file, which otherwise a commit that finds the log full would
 * have to do. A thread starts when it is first needed.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errors } from '../../base/errors';

export type ToThread = { readonly id: number } & (
  { readonly kind: 'read'; readonly sql: string; readonly values: readonly unknown[] } | { readonly kind: 'checkpoint' }
);
export type FromThread = { readonly id: number } & (
  { readonly rows: readonly unknown[] } | { readonly failure: { readonly reason: string; readonly code: string } }
);

export type SqliteWorker = {
  readonly rows: (sql: string, values: readonly unknown[]) => Promise<readonly unknown[]>;
  /** Notes that something was committed. After enough commits the log is emptied. */
  readonly wrote: () => void;
  readonly close: () => Promise<void>;
};

const CHECKPOINT_MILLISECONDS = 1000;
/** With fewer commits the log is not emptied, so that a service at rest needs no thread. */
const WORTH_A_CHECKPOINT = 100;

/** Two long reads run at a time. One thread would leave a processor idle, and each further thread would use memory. */
const THREADS = 2;

type Thread = { worker: Worker | undefined; readonly waiting: Map<number, Waiting> };
type Waiting = { readonly resolve: (rows: readonly unknown[]) => void; readonly reject: (error: unknown) => void };
type Question = ToThread extends infer T ? (T extends ToThread ? Omit<T, 'id'> : never) : never;

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export const sqliteWorker = (file: string): SqliteWorker => {
  const threads = Array.from({ length: THREADS }, (): Thread => ({ worker: undefined, waiting: new Map() }));
  let timer: NodeJS.Timeout | undefined;
  let last = 0;
  let closed = false;
  let commits = 0;

  const ended = (thread: Thread): void => {
    thread.worker = undefined;
    thread.waiting.forEach(({ reject }) => reject(errors.unavailable('the database was not read to the end')));
    thread.waiting.clear();
  };

  const take = ({ worker, waiting }: Thread, message: FromThread): void => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    // While the worker closes, its threads keep the process alive until they have ended.
    if (waiting.size === 0 && !closed) {
      worker?.unref();
    }
    if ('rows' in message) {
      one?.resolve(message.rows);
    } else {
      one?.reject(Object.assign(new Error(message.failure.reason), { code: message.failure.code }));
    }
  };

  const started = (thread: Thread): Worker => {
    if (!thread.worker) {
      thread.worker = new Worker(join(__dirname, 'sqlite-thread.js'), {
        workerData: { file },
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      });
      thread.worker.on('message', (message: FromThread) => take(thread, message));
      thread.worker.on('error', () => ended(thread));
    }
    return thread.worker;
  };

  /** The first of the threads that have least to do, so that the second one starts only when the first is busy. */
  const idlest = (): Thread =>
    threads.reduce((best, thread) => (thread.waiting.size < best.waiting.size ? thread : best));

  const ask = (question: Question): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      if (closed) {
        // A thread that started now would keep the process alive.
        throw errors.unavailable('the database is closed');
      }
      const thread = idlest();
      last += 1;
      thread.waiting.set(last, { resolve, reject });
      const asked = started(thread);
      // A thread keeps the process alive only while somebody waits for it.
      asked.ref();
      asked.postMessage({ ...question, id: last });
    });

  return {
    rows: (sql, values) => ask({ kind: 'read', sql, values }),
    wrote: () => {
      commits += 1;
      if (timer || closed || commits < WORTH_A_CHECKPOINT) {
        return;
      }
      commits = 0;
      timer = setTimeout(() => {
        timer = undefined;
        // When a checkpoint fails, the log is emptied by the next one, or by a commit that finds it very long.
        void ask({ kind: 'checkpoint' }).catch(() => undefined);
      }, CHECKPOINT_MILLISECONDS).unref();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await Promise.all(threads.flatMap(({ worker }) => (worker ? [worker.terminate()] : [])));
      threads.forEach(ended);
    },
  };
};
