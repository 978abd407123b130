/** svc: runs the command line as an operator does. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../bin/run';
import { inProject } from '../../core/base/paths';
import { testManifests } from './test-manifests';

/** File with the heads of the audit logs of all databases of this test file. */
export const auditHead = join(tmpdir(), `svc-test-${process.pid}.head`);
process.once('exit', () => rmSync(auditHead, { force: true }));

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

export const environment = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
  SVC_LOG_LEVEL: 'fatal',
  SVC_SECRET_KEY: 'only for tests: 0123456789abcdef',
  SVC_AUDIT_HEAD: auditHead,
  SVC_MANIFESTS_DIR: testManifests,
  ...settings,
});

type Write = typeof process.stdout.write;

/** Keeps what is written, and calls the callback of a write like a stream. */
const keeping = (kept: string[]): Write =>
  ((chunk: string | Uint8Array, encoding?: unknown, done?: () => void) => {
    kept.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    (typeof encoding === 'function' ? (encoding as () => void) : done)?.();
    return true;
  }) as Write;

let underWay = false;

/**
 * Runs a command of `svc` in this process, which saves the start of another one. The command uses the settings and
 * streams of this process, so only one can run at a time. `serve` cannot be run, because it does not end. The log still
 * goes to the real stderr.
 */
export const command = async (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  if (underWay || args[0] === 'serve') {
    throw new Error(`svc ${args.join(' ')} needs a process of its own: use svc()`);
  }
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const { env, exitCode } = process;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- they are put back as they were
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  underWay = true;
  process.env = environment(settings);
  process.exitCode = undefined;
  process.stdout.write = keeping(stdout);
  process.stderr.write = keeping(stderr);
  try {
    const code = await run(args);
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    process.stdout.write = writes.stdout;
    process.stderr.write = writes.stderr;
    process.exitCode = exitCode;
    process.env = env;
    underWay = false;
  }
};

/**
 * Runs `bin/svc` to its end, in a process of its own.
 * @param input what it reads from standard input
 */
export const svc = (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      inProject('bin', 'svc'),
      args,
      { env: environment(settings), maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      },
    );
    if (input !== undefined) {
      child.stdin?.end(input);
    }
  });

export type Served = {
  readonly url: string;
  readonly process: ChildProcess;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  readonly stdout: () => string;
  readonly stderr: () => string;
};

/**
 * Starts `bin/svc serve` and waits for its readiness line.
 * @param program the `bin/svc` of another release
 */
export const serve = (
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  program = inProject('bin', 'svc'),
): Promise<Served> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, ['serve', ...args], {
      env: environment({ SVC_PORT: '0', ...settings }),
    });
    // A test that fails in the middle must not leave a service running.
    process.once('exit', () => child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    const ended = new Promise<number | null>((done) => {
      child.once('exit', (code) => done(code));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const url = /^svc listening on (\S+)$/m.exec(stdout)?.[1];
      if (url) {
        resolve({
          url,
          process: child,
          stdout: () => stdout,
          stderr: () => stderr,
          stop: (signal = 'SIGTERM') => {
            child.kill(signal);
            return ended;
          },
        });
      }
    });
    void ended.then((code) => reject(new Error(`svc serve ended with ${code}: ${stderr}`)));
  });
