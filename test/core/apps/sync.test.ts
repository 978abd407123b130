/** sync: the stored apps follow the manifest folders; a broken manifest removes nothing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { syncApps, type SyncOptions, type SyncResult } from '../../../core/apps/sync';
import { makeSealing } from '../../../core/auth/sealing';
import { makeContents } from '../../../core/sealing/contents-store';
import { systemClock, toTimestamp } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import type { Config } from '../../../core/config/schema';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import * as appDocumentStore from '../../../core/apps/documents-store';
import * as appStore from '../../../core/apps/store';
import * as preferenceStore from '../../../core/apps/preferences-store';
import * as principalStore from '../../../core/accounts/principals-store';
import * as recordStore from '../../../core/records/store';
import * as tokenStore from '../../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const sealing = makeSealing(['only for tests: 0123456789']);
const AT = toTimestamp(0);

for (const leg of databases) {
  describe(`sync on ${leg.name}`, () => {
    let opened: OpenDatabase;
    let root: string;
    beforeEach(async () => {
      opened = await openTestDatabase(leg);
      root = mkdtempSync(join(tmpdir(), 'svc-sync-'));
      put('admin/x', { id: 'x@apps.example', name: 'X', description: 'd', ui_app: false });
      put('user/a', {
        id: 'a@apps.example',
        name: 'A',
        description: 'd',
        index: 'https://a.example/',
        requires: { 'https://t.example/#Lab': { methods: ['GET'] } },
      });
    });
    afterEach(async () => {
      await opened.drop();
      rmSync(root, { recursive: true });
    });

    const put = (place: string, manifest: unknown, secret = 's3cret'): void => {
      mkdirSync(join(root, place), { recursive: true });
      writeFileSync(
        join(root, place, 'manifest.json'),
        typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
      );
      writeFileSync(join(root, place, 'credentials.json'), JSON.stringify({ consumer_secret: secret }));
    };
    const knex = () => direct(opened.database);
    const sync = (options?: SyncOptions, key = sealing): Promise<SyncResult> =>
      syncApps(
        {
          config: { manifestsDirs: [root], vocabBase: 'https://v.example' } as unknown as Config,
          database: opened.database,
          sealing: key,
          clock: systemClock,
        },
        options,
      );
    const apps = async (): Promise<string[]> =>
      (await knex()('app').whereNull('retired_at').orderBy('id').pluck('id')) as string[];
    const count = async (table: string, where: object = {}): Promise<number> =>
      Number(((await knex()(table).where(where).count({ n: '*' }).first()) as { n: number }).n);

    it('adds, then finds everything unchanged', async () => {
      expect(await sync()).to.include({
        added: ['x@apps.example', 'a@apps.example'],
        updated: [],
        removed: [],
        unchanged: [],
        problems: [],
      });
      expect(await sync()).to.include({
        added: [],
        updated: [],
        removed: [],
        unchanged: ['x@apps.example', 'a@apps.example'],
      });
      const app = await appStore.findApp(knex(), 'a@apps.example');
      expect(sealing.open(app!.consumerSecret)).to.equal('s3cret');
      expect(app!.consumerSecret).to.not.contain('s3cret');
      expect((await principalStore.findPrincipal(knex(), 'a@apps.example'))!.kind).to.equal('userapp');
      expect(await count('app_required_type')).to.equal(1);
    });

    it('shows the difference and writes nothing with dryRun', async () => {
      expect((await sync({ dryRun: true })).added).to.have.length(2);
      expect(await apps()).to.equal([]);
      await sync();
      rmSync(join(root, 'user/a'), { recursive: true });
      expect((await sync({ dryRun: true })).removed).to.equal(['a@apps.example']);
      expect(await apps()).to.have.length(2);
    });

    it('updates what changed, also only the secret, and keeps what belongs to the app', async () => {
      await sync();
      const before = await appStore.findApp(knex(), 'a@apps.example');
      await appStore.enableApp(knex(), {
        id: newId(),
        recordId: newId(),
        appId: 'a@apps.example',
        by: null,
        at: AT,
      });
      put('user/a', { id: 'a@apps.example', name: 'A2', description: 'd', mode: 'background' }, 's3cret');
      expect((await sync()).updated).to.equal(['a@apps.example']);
      put('admin/x', { id: 'x@apps.example', name: 'X', description: 'd', ui_app: false }, 'another');
      expect((await sync()).updated).to.equal(['x@apps.example']);
      const after = await appStore.findApp(knex(), 'a@apps.example');
      expect(after).to.include({ name: 'A2', autonomous: true, createdAt: before!.createdAt });
      expect((await principalStore.findPrincipal(knex(), 'a@apps.example'))!.name).to.equal('A2');
      expect(await count('record_app')).to.equal(1);
      expect(await count('app_required_type')).to.equal(0);
    });

    it('seals secrets again when the key of the installation changed', async () => {
      await sync();
      const other = makeSealing(['another key of the installation']);
      expect((await sync({}, other)).updated).to.have.length(2);
      expect(other.open((await appStore.findApp(knex(), 'a@apps.example'))!.consumerSecret)).to.equal('s3cret');
    });

    describe('a secret that no folder names', () => {
      const secretOf = async (id: string, key = sealing): Promise<string> =>
        key.open((await appStore.listEveryApp(knex())).find((app) => app.id === id)!.consumerSecret);
      const named = (secret?: string): void =>
        writeFileSync(join(root, 'admin/x/credentials.json'), JSON.stringify({ consumer_secret: secret }));
      beforeEach(() => named());

      it('is made once, kept when the rest changes, and gives way to one that the folder names', async () => {
        await sync();
        const made = await secretOf('x@apps.example');
        expect(made).to.match(/^[\w-]{27}$/);
        expect((await sync()).unchanged).to.include('x@apps.example');
        put('admin/x', { id: 'x@apps.example', name: 'X2', description: 'd', ui_app: false });
        named();
        expect((await sync()).updated).to.equal(['x@apps.example']);
        expect(await secretOf('x@apps.example')).to.equal(made);
        named('an own one');
        expect((await sync()).updated).to.equal(['x@apps.example']);
        expect(await secretOf('x@apps.example')).to.equal('an own one');
        named();
        expect((await sync()).unchanged).to.include('x@apps.example');
        expect(await secretOf('x@apps.example')).to.equal('an own one');
      });

      it('is never one that everybody knows, nor the empty one', async () => {
        for (const stored of ['development-secret-admin', '']) {
          await sync();
          await knex()('app')
            .where({ id: 'x@apps.example' })
            .update({ consumer_secret: sealing.seal(stored) });
          expect((await sync()).updated).to.equal(['x@apps.example']);
          expect(await secretOf('x@apps.example')).to.match(/^[\w-]{27}$/);
        }
      });

      it('is another one after the app was retired', async () => {
        await sync();
        const first = await secretOf('x@apps.example');
        await knex()('app').where({ id: 'x@apps.example' }).update({ retired_at: AT });
        expect((await sync()).added).to.equal(['x@apps.example']);
        expect(await secretOf('x@apps.example'))
          .to.match(/^[\w-]{27}$/)
          .and.to.not.equal(first);
      });

      it('is not replaced by a process that has another key', async () => {
        await sync();
        const made = await secretOf('x@apps.example');
        const { problems } = await sync({}, makeSealing(['another key of the installation']));
        expect(problems).to.have.length(1);
        expect(problems[0]).to.contain('cannot be opened').and.to.contain('svc apps secret');
        expect(await secretOf('x@apps.example')).to.equal(made);
      });

      it('is one for all that begin at once', async () => {
        const made = await Promise.all([sync(), sync(), sync()]);
        expect(made.flatMap(({ problems }) => problems)).to.equal([]);
        const secret = await secretOf('x@apps.example');
        await Promise.all([sync(), sync()]);
        expect(await secretOf('x@apps.example')).to.equal(secret);
      });
    });

    it('retires what is gone: bindings, tokens, storage and preferences end, the principal and all documents stay', async () => {
      await sync();
      const recordId = newId();
      await appStore.enableApp(knex(), { id: newId(), recordId, appId: 'a@apps.example', by: null, at: AT });
      await tokenStore.insertAccessToken(knex(), {
        tokenHash: 'h',
        secret: 's',
        kind: 'ordinary',
        appId: 'a@apps.example',
        accountId: null,
        recordId,
        carenetId: null,
        createdAt: AT,
        expiresAt: AT,
      });
      await preferenceStore.putPreferences(
        knex(),
        makeContents(sealing),
        'ann@example.org',
        'a@apps.example',
        { content: Buffer.from('x'), mediaType: 'text/plain' },
        AT,
      );
      await appDocumentStore.insertAppDocument(
        knex(),
        makeContents(sealing).under(null),
        { appId: 'a@apps.example', recordId: null },
        {
          id: newId(),
          externalId: null,
          type: null,
          mediaType: 'text/plain',
          digest: 'd',
          content: Buffer.from('x'),
          creatorId: 'a@apps.example',
          now: AT,
        },
      );
      await recordStore.insertRecord(knex(), {
        id: recordId,
        label: 'r',
        ownerId: 'a@apps.example',
        creatorId: 'a@apps.example',
        external: null,
        contentKey: null,
        createdAt: AT,
      });
      rmSync(join(root, 'user/a'), { recursive: true });
      expect((await sync()).removed).to.equal(['a@apps.example']);
      for (const table of ['record_app', 'access_token', 'app_preference', 'app_document', 'app_required_type']) {
        expect(await count(table), table).to.equal(0);
      }
      expect(await count('record')).to.equal(1);
      expect(await principalStore.findPrincipal(knex(), 'a@apps.example')).to.exist();
      expect(await appStore.findApp(knex(), 'a@apps.example')).to.be.undefined();
      expect((await sync()).removed).to.equal([]);
    });

    it('revives a retired app without its old bindings, but not by itself at a start', async () => {
      await sync();
      await opened.database.transaction((trx) => appStore.retireApp(trx, 'a@apps.example', AT));
      const started = await sync({ register: true });
      expect(started.added).to.equal([]);
      expect(started.warnings).to.have.length(1);
      expect(started.warnings[0]).to.contain(
        'a@apps.example was deleted and stays so until svc sync-apps brings it back',
      );
      expect(await apps()).to.equal(['x@apps.example']);
      const synced = await sync();
      expect([synced.added, synced.warnings]).to.equal([['a@apps.example'], []]);
      expect(await apps()).to.have.length(2);
    });

    it('removes nothing at a start', async () => {
      await sync();
      rmSync(join(root, 'user/a'), { recursive: true });
      expect((await sync({ register: true })).removed).to.equal([]);
      expect(await apps()).to.have.length(2);
    });

    it('keeps the app of a broken folder, found by its folder or its id', async () => {
      put('user/b', { id: 'b@apps.example', name: 'B', description: 'd', index: 'https://b.example/' });
      await sync();
      put('user/a', '{ broken');
      rmSync(join(root, 'user/b'), { recursive: true });
      put('user/renamed', { id: 'b@apps.example', name: 'B', mode: 'no such mode' });
      const result = await sync();
      expect(result.removed).to.equal([]);
      expect(result.problems).to.have.length(3);
      expect(await apps()).to.equal(['a@apps.example', 'b@apps.example', 'x@apps.example']);
    });

    it('adds and updates an app of two folders once, from the first, and keeps one whose key another folder took', async () => {
      const twin = { id: 'a@apps.example', name: 'Twin', description: 'd', index: 'https://twin.example/' };
      put('user/b', twin);
      const first = await sync();
      expect(first).to.include({ added: ['x@apps.example', 'a@apps.example'], updated: [] });
      expect(first.problems).to.equal([
        `${join(root, 'user/b/manifest.json')}:1: its id is that of ${join(root, 'user/a/manifest.json')}:1`,
      ]);
      expect(await sync()).to.include({ added: [], updated: [], unchanged: ['x@apps.example', 'a@apps.example'] });
      expect((await appStore.findApp(knex(), 'a@apps.example'))!.name).to.equal('A');
      put('user/b', { ...twin, id: 'b@apps.example' });
      expect((await sync()).added).to.equal(['b@apps.example']);
      writeFileSync(
        join(root, 'user/b/credentials.json'),
        JSON.stringify({ consumer_secret: 's', consumer_key: 'a@apps.example' }),
      );
      const taken = await sync();
      expect(taken).to.include({ updated: [], removed: [] });
      expect(taken.problems).to.equal([
        `${join(root, 'user/b/credentials.json')}:1: its consumer_key is that of ${join(root, 'user/a/manifest.json')}:1`,
      ]);
      expect(await apps()).to.equal(['a@apps.example', 'b@apps.example', 'x@apps.example']);
    });

    it("removes nothing at all when a broken folder might be anybody's", async () => {
      await sync();
      rmSync(join(root, 'user/a'), { recursive: true });
      put('user/unheard-of', '{ broken');
      const result = await sync();
      expect(result.removed).to.equal([]);
      expect(result.problems.join('\n')).to.contain('no app was removed');
    });

    it('refuses an empty scan unless it is forced', async () => {
      await sync();
      rmSync(join(root, 'user'), { recursive: true });
      rmSync(join(root, 'admin'), { recursive: true });
      const refused = await sync();
      expect(refused.removed).to.equal([]);
      expect(refused.problems.join()).to.contain('--force');
      expect((await sync({ force: true })).removed).to.equal(['a@apps.example', 'x@apps.example']);
    });

    it('refuses an id that an account has, and a change between user app and machine app', async () => {
      await principalStore.insertPrincipal(knex(), {
        id: 'a@apps.example',
        kind: 'account',
        name: 'A Person',
        createdAt: AT,
        createdBy: null,
      });
      const result = await sync();
      expect(result).to.include({ added: ['x@apps.example'] });
      expect(result.problems.join()).to.contain('a@apps.example or its consumer_key is in use');
      rmSync(join(root, 'user/a'), { recursive: true });
      rmSync(join(root, 'admin/x'), { recursive: true });
      put('user/x', { id: 'x@apps.example', name: 'X', index: 'https://x.example/' });
      const changed = await sync();
      expect(changed.problems.join()).to.contain('cannot become user app');
      expect((await appStore.findApp(knex(), 'x@apps.example'))!.kind).to.equal('admin');
    });

    it('may run in two processes at once', async () => {
      const results = await Promise.all([sync({ register: true }), sync({ register: true })]);
      expect(results.flatMap(({ problems }) => problems)).to.equal([]);
      expect(await apps()).to.have.length(2);
    });
  });
}
