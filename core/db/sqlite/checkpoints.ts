/**
 * checkpoints: moves the contents of SQLite's write-ahead log into the database file, in a thread outside the event
 * loop. Otherwise a commit that finds the log full would have to do that. The thread starts when it is first needed.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export type Checkpoints = {
  /** Notes that something was committed. After enough commits the log is emptied. */
  readonly wrote: () => void;
  readonly close: () => Promise<void>;
};

const CHECKPOINT_MILLISECONDS = 1000;
/** With fewer commits the log is not emptied, so that a service at rest needs no thread. */
const WORTH_A_CHECKPOINT = 100;

export function makeCheckpoints(file: string): Checkpoints {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let commits = 0;

  const started = (): Worker => {
    const begun = new Worker(join(__dirname, 'checkpoint-thread.js'), {
      workerData: { file },
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    // The thread keeps the process alive only while it works, and while it is being closed.
    begun.on('message', () => !closed && begun.unref());
    begun.on('error', () => {
      worker = undefined;
    });
    return begun;
  };

  const checkpoint = (): void => {
    timer = undefined;
    worker ??= started();
    worker.ref();
    worker.postMessage('checkpoint');
  };

  return {
    wrote: () => {
      commits += 1;
      if (timer || closed || commits < WORTH_A_CHECKPOINT) {
        return;
      }
      commits = 0;
      timer = setTimeout(checkpoint, CHECKPOINT_MILLISECONDS).unref();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await worker?.terminate();
    },
  };
}
