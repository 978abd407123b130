/**
 * shipped-secrets: processes that serve an installation of an earlier release, which shipped the secrets of the bundled
 * apps in public source. They replace these secrets, or do not start where others reach the service.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { openDatabase } from '../../core/db/open';
import { httpClient } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { bundled, formerly, knows, signerWith } from '../support/former-secrets';
import { command, serve, svc } from '../support/svc';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const RELEASED = inProject('manifests');
const PUBLIC = { SVC_BASE_URL: 'https://records.example' };

for (const leg of databases) {
  describe(`the former secrets of the bundled apps on ${leg.name}`, () => {
    let folder: string;
    let database: { readonly url: string; readonly drop: () => Promise<void> };
    let settings: Readonly<Record<string, string>>;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
      database = await leg.create();
      settings = { SVC_DATABASE_URL: database.url, SVC_MANIFESTS_DIR: RELEASED };
    });
    afterEach(async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Manifests of the earlier release, whose secrets are public; some of them have others. */
    const earlier = (others: Readonly<Record<string, string>> = {}): string => {
      const copy = join(folder, 'earlier');
      cpSync(RELEASED, copy, { recursive: true });
      for (const { folder: place, secret } of bundled) {
        writeFileSync(
          join(copy, place, 'credentials.json'),
          JSON.stringify({ consumer_secret: others[place] ?? secret }),
        );
      }
      return copy;
    };
    const others = Object.fromEntries(bundled.map(({ folder: place }) => [place, `an own secret of ${place}`]));
    const secretOf = async (name: string): Promise<string> => {
      const ran = await command(['apps', 'secret', name], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      return ran.stdout.trimEnd();
    };

    it('are replaced at the first start of this release, for every app, and stay so at each later one', async () => {
      expect((await command(['reset', '--yes'], { ...settings, SVC_MANIFESTS_DIR: earlier() })).code).to.equal(0);
      expect(await secretOf('admin@apps.svc.example')).to.equal('development-secret-admin');
      const served = await serve({ ...settings, ...PUBLIC });
      const made: string[] = [];
      for (const { id } of bundled) {
        made.push(await secretOf(id));
      }
      expect(new Set(made).size).to.equal(bundled.length);
      made.forEach((secret) => expect(secret).to.match(/^[\w-]{27}$/));
      // What is signed is the public address.
      const call = httpClient(served.url, PUBLIC.SVC_BASE_URL);
      for (const app of bundled) {
        expect((await call(formerly(app), 'GET', knows)).status, app.id).to.equal(403);
      }
      expect((await call(signerWith(bundled[0]!, made[0]!), 'GET', knows)).status).to.equal(200);
      expect(await served.stop()).to.equal(0);
      expect(served.stdout() + served.stderr()).to.not.contain(made[0]!);
      const again = await serve({ ...settings, ...PUBLIC });
      expect(await secretOf('administration')).to.equal(made[0]!);
      expect(await again.stop()).to.equal(0);
    });

    it('stop the start of an app that acts by itself, unless listening and public address are loopback', async () => {
      const loopback = await serve({ ...settings, SVC_MANIFESTS_DIR: earlier() });
      expect(await loopback.stop()).to.equal(0);
      // The connector works without anybody signed in; the app of medicines does not.
      for (const [place, reached, args] of [
        ['admin/administration', PUBLIC, ['serve']],
        ['ui/website', { SVC_HOST: '0.0.0.0' }, ['serve']],
        ['user/connector', { SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'http://127.0.0.1:8000' }, ['serve', '--workers', '2']],
      ] as const) {
        const { [place]: _, ...rest } = others;
        const left = { ...settings, SVC_MANIFESTS_DIR: earlier(rest), SVC_PORT: '0' };
        const refused = await svc(args, { ...left, ...reached });
        expect([refused.code, refused.stdout], `${place} ${args.join(' ')}`).to.equal([1, '']);
        expect(refused.stderr)
          .to.contain(place)
          .and.to.contain('take "consumer_secret" out of its credentials.json')
          .and.to.not.contain(formerly(bundled.find((app) => app.folder === place)!).consumer.secret);
        expect(refused.stderr.trim().split('\n').length).to.equal(1);
      }
      const { 'user/medications': _, ...rest } = others;
      const served = await serve({ ...settings, ...PUBLIC, SVC_MANIFESTS_DIR: earlier(rest) });
      expect(await served.stop()).to.equal(0);
    });

    it('stop the start also where they are only stored, and its folder is gone', async () => {
      const gone = earlier();
      expect((await command(['reset', '--yes'], { ...settings, SVC_MANIFESTS_DIR: gone })).code).to.equal(0);
      rmSync(join(gone, 'admin'), { recursive: true });
      const left = { ...settings, ...PUBLIC, SVC_MANIFESTS_DIR: gone, SVC_PORT: '0' };
      for (const place of ['ui/website', 'user/connector', 'user/medications']) {
        writeFileSync(join(gone, place, 'credentials.json'), '{}');
      }
      const refused = await svc(['serve'], left);
      expect([refused.code, refused.stdout]).to.equal([1, '']);
      expect(refused.stderr).to.contain('admin@apps.svc.example').and.to.contain('svc sync-apps');
      expect((await command(['sync-apps'], left)).code).to.equal(0);
      const served = await serve(left);
      expect(await served.stop()).to.equal(0);
    });

    it('are not taken in by a running service, nor by sync-apps; check and doctor name them and fail', async () => {
      const own = join(folder, 'own');
      const reached = { ...settings, ...PUBLIC, SVC_MANIFESTS_DIR: `${RELEASED}:${own}` };
      mkdirSync(join(own, 'admin/administration'), { recursive: true });
      const served = await serve(reached);
      writeFileSync(
        join(own, 'admin/administration/credentials.json'),
        JSON.stringify({ consumer_secret: 'development-secret-admin' }),
      );
      const reloaded = await command(['reload'], reached);
      expect(reloaded.stderr).to.contain('admin@apps.svc.example').and.to.contain('credentials.json');
      const call = httpClient(served.url, PUBLIC.SVC_BASE_URL);
      expect((await call(formerly(bundled[0]!), 'GET', knows)).status).to.equal(403);
      for (const args of [['sync-apps'], ['check']]) {
        const refused = await command(args, reached);
        expect(refused.code, args.join()).to.equal(1);
        expect(refused.stderr, args.join()).to.contain('admin@apps.svc.example');
      }
      expect((await call(formerly(bundled[0]!), 'GET', knows)).status).to.equal(403);
      expect(await served.stop()).to.equal(0);

      const looked = async (more: Readonly<Record<string, string>>): Promise<readonly [number, string | undefined]> => {
        const { code, stdout } = await command(['doctor', '--json'], { ...reached, ...more });
        const found = JSON.parse(stdout) as { check: string; state: string; found: string }[];
        return [code, found.find(({ state, found: said }) => state === 'problem' && said.includes('admin@'))?.check];
      };
      expect(await looked({})).to.equal([1, 'secrets in files']);
      // On a loopback address it is registered, and is a fault all the same.
      const alone = { ...reached, SVC_BASE_URL: '' };
      expect((await command(['sync-apps'], alone)).code).to.equal(0);
      expect(await looked({ SVC_MANIFESTS_DIR: RELEASED, SVC_BASE_URL: '' })).to.equal([1, 'bundled secrets']);
    });

    it('give way to one secret, also when several processes start at once', async () => {
      expect((await command(['reset', '--yes'], { ...settings, SVC_MANIFESTS_DIR: earlier() })).code).to.equal(0);
      const started = await Promise.all([serve(settings), serve(settings, ['--workers', '2']), serve(settings)]);
      const secret = await secretOf('admin/administration');
      for (const { url } of started) {
        expect((await httpClient(url)(signerWith(bundled[0]!, secret), 'GET', knows)).status).to.equal(200);
        expect((await httpClient(url)(formerly(bundled[0]!), 'GET', knows)).status).to.equal(403);
      }
      for (const served of started) {
        expect(await served.stop()).to.equal(0);
      }
    });

    it('are no secrets of a new database, which has one for all processes that make it', async () => {
      const migrated = await command(['migrate'], settings);
      expect(migrated.code, migrated.stderr).to.equal(0);
      const synced = await Promise.all([0, 1, 2].map(() => svc(['sync-apps'], settings)));
      expect(
        synced.map(({ code }) => code),
        synced.map(({ stderr }) => stderr).join(),
      ).to.equal([0, 0, 0]);
      const secret = await secretOf('administration');
      expect((await command(['sync-apps'], settings)).stdout).to.contain('0 added, 0 updated, 0 removed, 4 unchanged');
      expect(await secretOf('administration')).to.equal(secret);
      expect(synced.map(({ stdout, stderr }) => stdout + stderr).join()).to.not.contain(secret);
      const opened = await openDatabase(database.url, 1);
      expect(JSON.stringify(await direct(opened)('app').select())).to.not.contain(secret);
      await opened.close();
    });
  });
}
