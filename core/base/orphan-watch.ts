/**
 * orphan-watch: a thread that ends its process once the parent process is gone, also in the middle of a native call,
 * during which the process hears of no disconnect.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const EVERY_MILLISECONDS = 500;

/** Starts the thread. It does not keep the process alive. */
export function watchParent(): void {
  new Worker(__filename, {
    workerData: { parent: process.ppid },
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  }).unref();
}

if (!isMainThread && workerData !== null) {
  const { parent } = workerData as { readonly parent: number };
  setInterval(() => {
    if (process.ppid !== parent) {
      process.kill(process.pid, 'SIGKILL');
    }
  }, EVERY_MILLISECONDS);
}
