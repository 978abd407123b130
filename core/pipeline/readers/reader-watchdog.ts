/**
 * reader-watchdog: a thread in a reader process that keeps running during a native loop. It ends the process when the
 * process grows or is orphaned.
 */
import { fstatSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_SIGNAL } from './reader-messages';

const EVERY_MILLISECONDS = 200;
/** The most bytes of complaints: a stylesheet in a loop may complain without end. */
const COMPLAINTS_LIMIT = 16_777_216;
const STDERR = 2;

const { parent, memoryLimit } = workerData as { readonly parent: number; /** Bytes. */ readonly memoryLimit: number };

setInterval(() => {
  if (process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL');
  } else if (process.memoryUsage.rss() > memoryLimit || fstatSync(STDERR).size > COMPLAINTS_LIMIT) {
    process.kill(process.pid, MEMORY_SIGNAL);
  }
}, EVERY_MILLISECONDS);
