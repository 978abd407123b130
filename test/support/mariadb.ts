/** mariadb: a private mariadbd on a temporary folder and a free port, for the time of a test run. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports';

export type Mariadb = { readonly url: string; readonly stop: () => Promise<void> };

const programs = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/usr/bin/mariadbd', '/opt/homebrew/bin/mariadbd'];

/** Path of the server program, undefined when none is installed. */
export const findMariadb = (): string | undefined => programs.find((program) => existsSync(program));

export const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // The server sends its greeting first, when it accepts connections.
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      resolve(false);
    });
  });

const waitFor = async (child: ChildProcess, port: number): Promise<void> => {
  for (let round = 0; round < 1200; round += 1) {
    if (child.exitCode !== null) {
      throw new Error(`mariadbd ended with code ${child.exitCode}`);
    }
    if (await answers(port)) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('mariadbd did not answer within four minutes');
};

/**
 * Starts a server that listens on loopback only; root has no password there.
 * @param more further arguments of the server
 * @param parent where its files go
 */
export const startMariadb = async (
  program: string,
  more: readonly string[] = [],
  parent = tmpdir(),
): Promise<Mariadb> => {
  const folder = mkdtempSync(join(parent, 'svc-mariadb-'));
  // A folder of its own for temporary files, because a starting server removes files in a shared one that look like
  // left-overs.
  mkdirSync(join(folder, 'tmp'));
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
  const child = spawn(
    program,
    [
      '--no-defaults',
      `--user=${user}`,
      `--datadir=${folder}/data`,
      `--tmpdir=${folder}/tmp`,
      `--socket=${folder}/socket`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--innodb-buffer-pool-size=256M',
      '--innodb-log-file-size=64M',
      '--max-allowed-packet=16M',
      '--max-connections=300',
      '--skip-log-bin',
      ...more,
    ],
    { stdio: 'ignore' },
  );
  await waitFor(child, port);
  return {
    url: `mysql://root@127.0.0.1:${port}`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
