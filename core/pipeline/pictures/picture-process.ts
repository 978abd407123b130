/** picture-process: the child process in which files are drawn, shut in like readers; see picture-maker. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { draw } from './draw';
import { MOST_MEMORY, type FromPictures, type Problem, type Result, type Task } from './picture-messages';
import { readWords } from './read-words';

/** WebAssembly memory never shrinks: above this, the process is replaced after its answer. */
const WORN_RSS = 536_870_912;

new Worker(join(__dirname, '..', 'readers', 'reader-watchdog.js'), {
  workerData: { parent: process.ppid, memoryLimit: MOST_MEMORY },
}).unref();

function pictureProblem(error: unknown): Problem {
  const words = error instanceof Error ? error.message : String(error);
  if (/password/i.test(words)) {
    return 'locked';
  }
  return /limit|exhausted|memory|allocat/i.test(words) ? 'large' : 'broken';
}

async function answerTask(task: Task): Promise<FromPictures> {
  let result: Result;
  let failed = false;
  try {
    const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
    result = task.kind === 'words' ? await readWords({ ...task, bytes }) : await draw({ ...task, bytes });
  } catch (error) {
    // An engine that gave up in the middle cannot be trusted with the next file.
    failed = true;
    result = { problem: pictureProblem(error) };
  }
  const { user, system } = process.cpuUsage();
  return { result, worn: failed || process.memoryUsage.rss() > WORN_RSS, total: (user + system) / 1_000_000 };
}

process.on('message', (task: Task) => {
  void answerTask(task).then((message) => process.send?.(message));
});
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
