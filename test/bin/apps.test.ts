/** apps: `svc apps secret` shows the secret of one app and nothing else, and makes another one when it is told to. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { command, type Ran } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MADE = /^[\w-]{27}\n$/;

for (const leg of databases) {
  describe(`svc apps secret on ${leg.name}`, () => {
    let folder: string;
    let settings: Readonly<Record<string, string>>;
    let drop: () => Promise<void>;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-apps-'));
      const made = await leg.create();
      drop = made.drop;
      const put = (place: string, id: string, credentials: object): void => {
        mkdirSync(join(folder, place), { recursive: true });
        const manifest = { id, name: 'An app', description: 'd', index: 'https://a.example/' };
        writeFileSync(
          join(folder, place, 'manifest.json'),
          JSON.stringify(
            place.startsWith('admin') ? { id, name: 'An app', description: 'd', ui_app: false } : manifest,
          ),
        );
        writeFileSync(join(folder, place, 'credentials.json'), JSON.stringify(credentials));
      };
      put('user/twin', 'user-twin@apps.example', {});
      put('admin/twin', 'admin-twin@apps.example', {});
      put('user/own', 'own@apps.example', { consumer_secret: 'one of its file' });
      put('user/browser', 'browser@apps.example', { consumer_secret: '' });
      settings = { SVC_DATABASE_URL: made.url, SVC_MANIFESTS_DIR: `${inProject('manifests')}:${folder}` };
      const ran = await command(['reset', '--yes'], settings);
      expect([ran.code, ran.stderr]).to.equal([0, '']);
    });
    after(async () => {
      await drop();
      rmSync(folder, { recursive: true, force: true });
    });

    const secret = (...args: readonly string[]): Promise<Ran> => command(['apps', 'secret', ...args], settings);
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await secret(...args);
      expect([code, stdout], args.join(' ')).to.equal([1, '']);
      return stderr;
    };

    it('prints it for the id, the folder, and the name of the folder', async () => {
      const byId = await secret('medications@apps.svc.example');
      expect(byId.code).to.equal(0);
      expect(byId.stdout).to.match(MADE);
      expect(byId.stderr).to.equal('');
      expect((await secret('user/medications')).stdout).to.equal(byId.stdout);
      expect((await secret('medications')).stdout).to.equal(byId.stdout);
      expect((await secret('own')).stdout).to.equal('one of its file\n');
    });

    it('says which app is meant where several folders have the name, and what there is where none has', async () => {
      expect(await refused('twin')).to.contain('say admin/twin or user/twin');
      expect((await secret('admin/twin')).stdout).to.match(MADE);
      expect((await secret('user/twin')).stdout)
        .to.match(MADE)
        .and.to.not.equal((await secret('admin/twin')).stdout);
      expect(await refused('nothing')).to.contain('user/medications');
      expect(await refused('')).to.contain('user/medications');
      expect(await refused('browser')).to.contain('browser@apps.example has no secret');
    });

    it('makes another one with --new, unless the file names it', async () => {
      const first = (await secret('connector')).stdout;
      const second = await secret('connector', '--new');
      expect(second.stdout).to.match(MADE).and.to.not.equal(first);
      expect((await secret('connector')).stdout).to.equal(second.stdout);
      expect((await command(['sync-apps'], settings)).stdout).to.contain('0 added, 0 updated, 0 removed');
      expect((await secret('connector')).stdout).to.equal(second.stdout);
      expect(await refused('own', '--new')).to.contain('credentials.json');
      expect((await secret('own')).stdout).to.equal('one of its file\n');
    });

    it('shows nothing without the right key or without a database', async () => {
      const otherKey = await command(['apps', 'secret', 'connector'], {
        ...settings,
        SVC_SECRET_KEY: 'quite another key: 0123456789',
      });
      expect([otherKey.code, otherKey.stdout]).to.equal([1, '']);
      expect(otherKey.stderr).to.contain('SVC_SECRET_KEY');
      const nowhere = await command(['apps', 'secret', 'connector'], {
        ...settings,
        SVC_DATABASE_URL: `sqlite:${join(folder, 'none.sqlite')}`,
      });
      expect([nowhere.code, nowhere.stdout]).to.equal([1, '']);
      expect((await command(['apps', 'secret'], settings)).code).to.equal(2);
    });
  });
}
