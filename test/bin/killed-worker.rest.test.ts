/**
 * killed-worker: a worker that is killed leaves no connection hanging and ends no other process, even when it is killed
 * at its start.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { until } from '../support/receiver';
import { serve } from '../support/svc';

export const lab = Lab.script();
const { it } = lab;

const LISTEN = '0A';

const socketsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
};

it('leaves no connection hanging when a worker is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-killed-'));
  const served = await serve({ SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}` }, ['--workers', '2']);
  const workers = (): readonly number[] =>
    spawnSync('pgrep', ['-P', String(served.process.pid)], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)
      .map(Number);
  /** Workers that hold the listening socket. A worker that is still starting accepts no connection yet. */
  const listening = (): readonly number[] => {
    const port = Number(new URL(served.url).port).toString(16).toUpperCase().padStart(4, '0');
    const row = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find(([, local, , state]) => local?.endsWith(`:${port}`) && state === LISTEN);
    return workers().filter((pid) => socketsOf(pid).includes(`socket:[${row?.[9]}]`));
  };
  const open = new Set<Socket>();
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
      open.add(socket);
      socket.on('connect', () => socket.write('GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        resolve();
      });
      socket.resume();
    });
  try {
    for (let round = 0; round < 3; round += 1) {
      let asking = true;
      const clients = Array.from({ length: 8 }, async () => {
        while (asking) {
          await ask();
        }
      });
      await wait(500);
      const [first, second] = workers();
      process.kill((round % 2 === 0 ? first : second)!, 'SIGKILL');
      await wait(500);
      asking = false;
      await until(() => Promise.resolve(open.size === 0), 'an end of every connection');
      await Promise.all(clients);
      await until(() => Promise.resolve(listening().length === 2), 'another worker');
    }
    const answers = (): Promise<boolean> =>
      fetch(`${served.url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, 'an answer');
    expect(open.size).to.equal(0);
  } finally {
    open.forEach((socket) => socket.destroy());
    await served.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
});

it('goes on when workers are killed as they are born', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-born-'));
  const served = await serve({ SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}` }, ['--workers', '2']);
  const first = served.process.pid!;
  const workers = (): readonly number[] =>
    readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').split(/\s+/).map(Number).filter(Boolean);
  try {
    const known = new Set(workers());
    process.kill([...known][1]!, 'SIGKILL');
    const births = known.size + 3;
    // This finds the workers between the fork and the first message that is sent to them.
    while (known.size < births && served.process.exitCode === null) {
      for (const pid of workers().filter((one) => !known.has(one))) {
        known.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(served.process.exitCode).to.be.null();
    expect((await fetch(`${served.url}/health/live`)).status).to.equal(200);
    expect(await served.stop('SIGTERM')).to.equal(0);
  } finally {
    served.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
