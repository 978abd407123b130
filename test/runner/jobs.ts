/** jobs: runs the jobs of a plan in processes of lab, several at a time, and counts their results. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../core/base/paths';
import { cleanEnvironment, type Ground } from './ground';
import type { Job } from './plan';

/**
 * A job that hangs is killed after this time. Lab ends a case sooner, by its own limit, so this is for hangs that lab
 * does not notice. On a shared machine at a slow hour a file may take four times as long as usual.
 */
const JOB_MINUTES = { some: 30, all: 60 };

export type Counts = { readonly passed: number; readonly failed: number };

/** Lab's own closing lines: `N tests complete` or `M of N tests failed`. */
const readCounts = (output: string, code: number | null): Counts => {
  const failed = /(\d+) of (\d+) tests failed/.exec(output);
  if (failed) {
    return { passed: Number(failed[2]) - Number(failed[1]), failed: Number(failed[1]) };
  }
  const passed = Number(/(\d+) tests? complete/.exec(output)?.[1] ?? 0);
  // A file without a test, or one whose process died, is a failure, too.
  return { passed, failed: code === 0 && passed > 0 ? 0 : 1 };
};

const isRest = ({ files }: Job): boolean => files.some((file) => file.endsWith('.rest.test.js'));

const environmentOf = ({ legs, thorough }: Job, { mysqlUrl }: Ground, folder: string): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(),
  ...(legs !== 'sqlite' && mysqlUrl ? { SVC_TEST_DATABASE_URL: mysqlUrl } : {}),
  ...(legs === 'mysql' ? { SVC_TEST_WITHOUT_SQLITE: '1' } : {}),
  ...(thorough ? { SVC_TEST_ALL: '1' } : {}),
  TMPDIR: folder,
});

/**
 * The folder for temporary files of a job. Tests of faults and restores are about disks, so the rest does not get the
 * folder in memory. Each job of the rest has a folder of its own, because a starting MariaDB removes files that look
 * like left-overs of another one.
 */
const folderFor = (job: Job, { folder }: Ground): { readonly folder: string; readonly remove: () => void } => {
  if (!isRest(job)) {
    return { folder, remove: () => undefined };
  }
  const own = mkdtempSync(join(tmpdir(), 'svc-rest-'));
  return { folder: own, remove: () => removeFolder(own) };
};

/** What a killed job still holds, such as a disk that it mounted, is told and left: the results of the others count more. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    process.stdout.write(`${folder} could not be removed: ${String(error)}\n`);
  }
}

const running = new Set<ChildProcess>();
let isStopped = false;

/**
 * Ends a run early: no further job begins, and those under way are stopped, because they would continue without the
 * run.
 */
export const stopJobs = (): void => {
  isStopped = true;
  running.forEach((child) => child.kill());
};

const run = (job: Job, ground: Ground): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const lab = join(projectRoot, 'node_modules', '.bin', 'lab');
    const files = job.files.map((file) => join(projectRoot, 'dist', 'test', file));
    const { folder, remove } = folderFor(job, ground);
    const child = spawn(lab, files, {
      cwd: projectRoot,
      env: environmentOf(job, ground, folder),
    });
    running.add(child);
    const minutes = JOB_MINUTES[job.thorough ? 'all' : 'some'];
    const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.on('close', (code) => {
      running.delete(child);
      clearTimeout(timer);
      remove();
      resolve({ code, output });
    });
  });

const LEG_NAMES = { sqlite: '', mysql: ' on MariaDB or MySQL', all: '' };

const nameOf = ({ files, legs, thorough }: Job): string => {
  const names = files.map((file) => file.replace(/\.test\.js$/, ''));
  return `${names.join(' ')}${thorough && legs === 'sqlite' ? ' on SQLite' : LEG_NAMES[legs]}`;
};

const doJob = async (job: Job, ground: Ground): Promise<Counts> => {
  const began = Date.now();
  const { code, output } = await run(job, ground);
  const counts = readCounts(output, code);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const result = `${counts.passed} passed, ${counts.failed} failed, ${seconds} s`;
  process.stdout.write(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${nameOf(job)}: ${result}\n`);
  if (counts.failed > 0) {
    process.stdout.write(`${output}\n`);
    return counts;
  }
  // A test that is skipped prints such a line, which must not be hidden.
  output
    .split('\n')
    .filter((line) => line.startsWith('skipped: '))
    .forEach((line) => process.stdout.write(`${line}\n`));
  return counts;
};

/** @param width how many jobs run at a time */
export const doJobs = async (jobs: readonly Job[], ground: Ground, width: number): Promise<Counts> => {
  const queue = [...jobs];
  let [passed, failed] = [0, 0];
  const work = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined && !isStopped; job = queue.shift()) {
      const counts = await doJob(job, ground);
      passed += counts.passed;
      failed += counts.failed;
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return { passed, failed };
};
