/** serve: several workers behind one port, and signals that arrive before the service listens. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { until } from '../support/receiver';
import { environment, serve, svc } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('svc serve that is told to read its files again before it listens', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-hangup-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const workers of ['1', '2']) {
    it(`goes on and does so when it can, with ${workers} of ${workers}`, async () => {
      const file = join(folder, `${workers}.sqlite`);
      const child = spawn(inProject('bin', 'svc'), ['serve', '--workers', workers], {
        env: environment({ SVC_DATABASE_URL: `sqlite:${file}`, SVC_PORT: '0', SVC_LOG_LEVEL: 'info' }),
      });
      const ended = once(child, 'exit');
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      try {
        await until(() => existsSync(file), 'a database');
        expect(said).to.not.contain('svc listening');
        child.kill('SIGHUP');
        await until(
          () => said.includes('the configuration was read again') && said.includes('svc listening'),
          'a second reading',
        );
      } finally {
        child.kill('SIGTERM');
      }
      expect((await ended)[0]).to.equal(0);
    });
  }
});

describe('svc serve with workers that is told to end before it listens', () => {
  it('ends with 0: nothing went wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-early-'));
    const child = spawn(inProject('bin', 'svc'), ['serve', '--workers', '2'], {
      env: environment({ SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}`, SVC_PORT: '0' }),
    });
    const ended = once(child, 'exit');
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const workers = `/proc/${child.pid}/task/${child.pid}/children`;
    await until(() => existsSync(workers) && readFileSync(workers, 'utf8') !== '', 'a worker');
    child.kill('SIGTERM');
    expect([await ended, said]).to.equal([[0, null], '']);
    rmSync(folder, { recursive: true });
  });
});

for (const leg of databases) {
  describe(`svc serve --workers on ${leg.name}`, () => {
    it('says once that its port is taken and ends', async () => {
      const { url, drop } = await leg.create();
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const port = String((other.address() as AddressInfo).port);
      const ran = await svc(['serve', '--workers', '2'], { SVC_DATABASE_URL: url, SVC_PORT: port });
      expect([ran.code, ran.stdout, ran.stderr]).to.equal([
        1,
        '',
        `svc: SVC_PORT: ${port} is in use on 127.0.0.1: stop what listens there, or set another port (0 takes a free one)\n`,
      ]);
      other.close();
      await drop();
    });

    it('shares its port among workers', async () => {
      const { url, drop } = await leg.create();
      const served = await serve({ SVC_DATABASE_URL: url }, ['--workers', '2']);
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${served.url}/health/live`)));
      expect(answers.every((answer) => answer.status === 200)).to.be.true();
      // Each worker reports the counts of all workers.
      for (let scrapes = 0; scrapes < 6; scrapes += 1) {
        const text = await (await fetch(`${served.url}/metrics`, { headers: { connection: 'close' } })).text();
        expect(text).to.contain('svc_request_duration_seconds_count{route="health_live",status="200"} 20\n');
        expect(text).to.contain(
          scrapes === 0
            ? 'svc_process_resident_memory_bytes'
            : `svc_request_duration_seconds_count{route="metrics",status="200"} ${scrapes}\n`,
        );
      }
      expect(await served.stop()).to.equal(0);
      expect(served.stdout().match(/svc listening/g)?.length).to.equal(1);
      await drop();
    });

    it('replaces workers that die, those that keep dying after a pause, and ends in the middle of one', async () => {
      const { url, drop } = await leg.create();
      const served = await serve({ SVC_DATABASE_URL: url, SVC_LOG_LEVEL: 'error' }, ['--workers', '2']);
      const workers = (): readonly number[] =>
        readFileSync(`/proc/${served.process.pid}/task/${served.process.pid}/children`, 'utf8')
          .trim()
          .split(/\s+/)
          .filter(Boolean)
          .map(Number);
      const replaced = (): readonly string[] =>
        served
          .stderr()
          .split('\n')
          .filter((line) => line.includes('a worker ended'));
      const answers = (): Promise<boolean> =>
        fetch(`${served.url}/health/live`).then(
          ({ status }) => status === 200,
          () => false,
        );
      // One of the two always lives, because the workers hold the port, which the system chose.
      const kill = async (which: number, times: number): Promise<void> => {
        await until(() => workers().length === 2, 'a second worker');
        process.kill(workers()[which]!, 'SIGKILL');
        await until(() => replaced().length === times, 'a replacement');
      };
      const told = (): readonly { seconds: number; signal: string }[] =>
        replaced().map((line) => JSON.parse(line) as { seconds: number; signal: string });
      let times = 0;
      // Kill two workers in a row that died young. Where a start takes long, the first one may have become too old.
      do {
        times += 1;
        await kill(1, times);
      } while (told().at(-1)!.seconds === 0 && times < 4);
      expect(told().map(({ seconds }) => seconds)).to.equal([...Array.from({ length: times - 1 }, () => 0), 0.5]);
      expect(told().every(({ signal }) => signal === 'SIGKILL')).to.be.true();
      expect(await answers()).to.be.true();
      await kill(1, times + 1);
      expect(await served.stop()).to.equal(0);
      await drop();
    });
  });
}
