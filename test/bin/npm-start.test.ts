/**
 * npm-start: the service that `npm start` starts ends together with npm, because a supervisor knows only the process of
 * npm.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../core/base/paths';
import { until } from '../support/receiver';
import { environment } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** @returns undefined when the port is free */
const reasonTaken = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });

describe('npm start', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-npm-start-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends the service on ${signal}, which gives its port back`, async () => {
      const npm = spawn('npm', ['start'], {
        cwd: inProject(),
        // A process group of its own, so that the signal reaches npm alone, and a service that is left over can be
        // ended.
        detached: true,
        env: environment({ SVC_PORT: '0', SVC_DATABASE_URL: `sqlite:${folder}/svc.sqlite` }),
      });
      const ended = new Promise<number | null>((resolve) => npm.once('exit', resolve));
      let stdout = '';
      let stderr = '';
      npm.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      npm.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      try {
        await until(() => /^svc listening on \S+$/m.test(stdout), 'the line that it listens');
        const port = Number(/^svc listening on \S+:(\d+)$/m.exec(stdout)?.[1]);
        expect(await reasonTaken(port)).to.equal('EADDRINUSE');
        // The address of the page that makes the first account is printed to stderr, with its code. Scripts read
        // stdout.
        const welcome = new RegExp(
          `^Nobody has an account yet. Make the first one at http://127.0.0.1:${port}/my/welcome with the code ` +
            '([A-Z2-9]{4}-){2}[A-Z2-9]{4}$',
          'm',
        );
        await until(() => welcome.test(stderr), 'the code of the welcome page');
        expect(stdout).to.not.contain('welcome');
        npm.kill(signal);
        expect(await ended).to.equal(0);
        expect(await reasonTaken(port)).to.be.undefined();
      } finally {
        try {
          process.kill(-npm.pid!, 'SIGKILL');
        } catch {
          // The group has no process left.
        }
      }
    });
  }
});
