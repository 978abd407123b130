/** reload: `svc reload` finds the running service, waits until it has read its files again, and reports the result. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { announceServing, servingProcesses } from '../../core/server/pid-files';
import { amount } from '../support/amount';
import { httpClient } from '../support/client';
import { databases } from '../support/databases';
import { admin } from '../support/server';
import { command, serve, svc } from '../support/svc';
import { appSecrets } from '../support/test-manifests';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach, afterEach } = lab;

for (const leg of databases) {
  describe(`svc reload on ${leg.name}`, () => {
    let settings: Record<string, string>;
    let drop: () => Promise<void>;
    let folder: string;

    before(async () => {
      const made = await leg.create();
      drop = made.drop;
      folder = mkdtempSync(join(tmpdir(), 'svc-reload-'));
      mkdirSync(join(folder, 'models'));
      cpSync(inProject('manifests'), join(folder, 'manifests'), { recursive: true });
      cpSync(appSecrets, join(folder, 'manifests'), { recursive: true });
      settings = {
        SVC_DATABASE_URL: made.url,
        SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${join(folder, 'models')}`,
        SVC_MANIFESTS_DIR: join(folder, 'manifests'),
      };
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      await drop();
    });

    for (const workers of amount(['1'], ['1', '2'])) {
      it(`takes in a new model and a new app, and says what is broken, with ${workers} of ${workers}`, async () => {
        const served = await serve({ ...settings, SVC_LOG_LEVEL: 'info' }, ['--workers', workers]);
        const model = join(folder, 'models', `Step${workers}.yaml`);
        try {
          writeFileSync(model, `__modelname__: Step${workers}\ncount: Number\n`);
          const app = join(folder, 'manifests', 'admin', `second-${workers}`);
          cpSync(join(folder, 'manifests', 'admin', 'administration'), app, { recursive: true });
          const id = `second-${workers}@apps.example`;
          writeFileSync(
            join(app, 'manifest.json'),
            JSON.stringify({ name: 'Second', description: 'x', author: 'x', id, version: '1', ui_app: false }),
          );
          writeFileSync(
            join(app, 'credentials.json'),
            JSON.stringify({ consumer_key: id, consumer_secret: 'a-secret-0123' }),
          );
          const done = await command(['reload'], settings);
          expect([done.code, done.stderr]).to.equal([0, '']);
          expect(done.stdout).to.equal(
            `the service on ${served.url} (process ${served.process.pid}) has read formats, models and manifests again\n`,
          );
          const asked = await httpClient(served.url)(
            { consumer: { key: id, secret: 'a-secret-0123' } },
            'GET',
            '/records/search?label=a',
          );
          expect(asked.status, asked.text).to.equal(200);
          expect(await (await fetch(`${served.url}/openapi.json`)).text()).to.contain(`Step${workers}`);

          writeFileSync(model, `__modelname__: Step${workers}\ncount: Nombre\n`);
          const broken = await command(['reload'], settings);
          expect([broken.code, broken.stdout]).to.equal([1, '']);
          expect(broken.stderr).to.contain(`Step${workers}.yaml:2`).and.to.contain('goes on with what it had');
          expect((await httpClient(served.url)(admin, 'GET', '/records/search?label=a')).status).to.equal(200);
        } finally {
          rmSync(model, { force: true });
          expect(await served.stop()).to.equal(0);
        }
        const log = served
          .stderr()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        const started = log.filter(({ msg }) => msg === 'svc listens');
        expect(started.length).to.equal(1);
        expect(started[0]).to.include({ pid: served.process.pid, workers: Number(workers), url: served.url });
        expect(String(started[0]!['version'])).to.match(/^\d+\.\d+\.\d+$/);
        expect(String(started[0]!['database'])).to.match(leg.name === 'sqlite' ? /^SQLite 3/ : /^(MariaDB|MySQL) \d/);
        const pid = served.process.pid;
        expect(
          log.some(({ msg, why, pid: of }) => msg === 'svc stops' && why === 'SIGTERM' && of === pid),
        ).to.be.true();
        expect(log.some(({ msg, pid: of }) => msg === 'svc has stopped' && of === pid)).to.be.true();
        const nobody = await svc(['reload'], settings);
        expect([nobody.code, nobody.stdout]).to.equal([1, '']);
        expect(nobody.stderr).to.contain('no service on this machine serves this database');
      });
    }
  });
}

describe('the files by which processes are found', () => {
  let folder: string;
  let place: { databaseUrl: string };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-pid-'));
    place = { databaseUrl: `sqlite:${folder}/a.sqlite` };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are one set for each database of a server, whatever its password holds, and none for a database in memory', () => {
    for (const databaseUrl of ['mysql://u:a,b%2Fc@one.example:3306,two.example/db', 'sqlite::memory:']) {
      expect(servingProcesses({ databaseUrl })).to.equal([]);
    }
  });

  it('name nobody who has ended, nor another process that has the number now', async () => {
    const other = spawn('sleep', ['60']);
    try {
      const file = (pid: number, began: string): void =>
        writeFileSync(join(folder, `a.sqlite.${pid}.pid`), JSON.stringify({ pid, began, url: '', reloads: 0 }));
      file(other.pid!, 'another time');
      file(4_000_000, 'long ago');
      writeFileSync(join(folder, 'a.sqlite.77.pid'), 'not JSON');
      writeFileSync(join(folder, 'b.sqlite.77.pid'), 'of another database');
      expect(servingProcesses(place)).to.equal([]);
      announceServing(place, 'http://127.0.0.1:1');
      expect(servingProcesses(place).map(({ pid, url }) => [pid, url])).to.equal([[process.pid, 'http://127.0.0.1:1']]);
      // Files that name no living process are removed, and no others.
      expect(readdirSync(folder).sort()).to.equal([`a.sqlite.${process.pid}.pid`, 'b.sqlite.77.pid'].sort());
    } finally {
      other.kill();
    }
  });
});
