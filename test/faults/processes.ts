/**
 * processes: the service and its database as processes that can be killed, frozen and started again on the same data.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { inProject } from '../../core/base/paths';
import { answers, findMariadb } from '../support/mariadb';
import { freePort } from '../support/ports';
import { until } from '../support/receiver';
import { auditHead } from '../support/svc';

/** A process that can be started again and again on the data that it left. */
export type Process = {
  readonly start: () => Promise<void>;
  /** Sends the signal and waits until the process has ended; false when it was not running. */
  readonly kill: (signal: NodeJS.Signals) => Promise<boolean>;
  readonly running: () => boolean;
  readonly pid: () => number | undefined;
};

const supervise = (begin: () => ChildProcess, ready: (child: ChildProcess) => Promise<void>): Process => {
  let child: ChildProcess | undefined;
  const running = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    running,
    pid: () => child?.pid,
    start: async () => {
      child = begin();
      await ready(child);
    },
    kill: async (signal) => {
      if (!running()) {
        return false;
      }
      const ended = new Promise((resolve) => {
        child!.once('exit', resolve);
      });
      child!.kill(signal);
      await ended;
      return true;
    },
  };
};

export type DatabaseServer = Process & {
  readonly url: string;
  /** Folder that fills when the database grows. */ readonly folder: string;
  readonly remove: () => void;
};

const folderFor = (name: string, parent = tmpdir()): string => mkdtempSync(join(parent, `svc-${name}-`));

/** SQLite runs inside the service, so there is no process to kill. */
export const sqliteServer = (parent?: string): DatabaseServer => {
  const folder = folderFor('faults', parent);
  return {
    url: `sqlite:${join(folder, 'svc.sqlite')}`,
    folder,
    start: () => Promise.resolve(),
    kill: () => Promise.resolve(false),
    running: () => false,
    pid: () => undefined,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** @throws Error when no server program is installed */
export const mariadbServer = async (parent?: string): Promise<DatabaseServer> => {
  const program = findMariadb();
  if (!program) {
    throw new Error('mariadbd is not installed');
  }
  const folder = folderFor('faults', parent);
  const user = userInfo().username;
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${folder}/data`,
      `--user=${user}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { stdio: 'pipe' },
  );
  const port = await freePort();
  const server = supervise(
    () =>
      spawn(
        program,
        [
          '--no-defaults',
          `--user=${user}`,
          `--datadir=${folder}/data`,
          `--socket=${folder}/socket`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          '--skip-name-resolve',
          '--innodb-buffer-pool-size=64M',
          '--innodb-log-file-size=32M',
          '--max-connections=200',
          '--innodb-flush-log-at-trx-commit=1',
          '--sync-binlog=1',
          '--skip-log-bin',
        ],
        { stdio: 'ignore' },
      ),
    (child) =>
      until(async () => {
        if (child.exitCode !== null) {
          throw new Error(`mariadbd ended with code ${child.exitCode}`);
        }
        return answers(port);
      }, 'a database that answers'),
  );
  await server.start();
  execFileSync('mariadb', ['--no-defaults', `--socket=${folder}/socket`, '-uroot', '-e', 'create database svc'], {
    stdio: 'pipe',
  });
  return {
    ...server,
    url: `mysql://root@127.0.0.1:${port}/svc`,
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export type Service = Process & { readonly url: string; readonly log: () => string };

const fakeTimeLibraries = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
];
export const fakeTimeLibrary = fakeTimeLibraries.find((path) => existsSync(path));

/** Environment in which a file sets the wall clock. The monotonic clock, which timers use, stays right. */
export const fakeTime = (file: string): Record<string, string> =>
  fakeTimeLibrary === undefined
    ? {}
    : {
        LD_PRELOAD: fakeTimeLibrary,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      };

const LOG_KEPT = 100_000;

/** Runs `bin/svc serve` on a port of its own. */
export const serviceProcess = async (
  settings: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  const port = await freePort();
  let log = '';
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  const server = supervise(
    () => {
      const child = spawn(process.execPath, [inProject('bin', 'svc'), 'serve'], {
        env: {
          ...Object.fromEntries(outside),
          SVC_PORT: String(port),
          SVC_LOG_LEVEL: 'error',
          SVC_SECRET_KEY: 'only for tests: 0123456789abcdef',
          SVC_AUDIT_HEAD: auditHead,
          ...settings,
          ...extra,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stderr.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-LOG_KEPT);
      });
      child.stdout.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-LOG_KEPT);
      });
      return child;
    },
    async (child) => {
      await until(async () => {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`svc serve ended with ${child.exitCode ?? child.signalCode}: ${log.slice(-2000)}`);
        }
        return (
          (await fetch(`http://127.0.0.1:${port}/health/ready`).then(
            ({ status }) => status,
            () => 0,
          )) === 200
        );
      }, 'a service that is ready');
    },
  );
  return { ...server, url: `http://127.0.0.1:${port}`, log: () => log };
};
