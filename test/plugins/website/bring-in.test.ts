/**
 * bring-in: a person makes a new record of their own from an archive. Nothing of the archive is believed but documents
 * and what stands beside them, and an archive that is none, is damaged, or is a bomb makes nothing.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sweepBroughtIn } from '../../../plugins/records/bring-in';
import { fillRecord, rewriteArchive, writeArchive } from '../../support/archives';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { until } from '../../support/receiver';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { enterSite } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createAccount, makeWorld, type World } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after, afterEach } = lab;

const ALICE = 'alice@example.org';
const EVE = 'eve@example.org';

type Row = Readonly<Record<string, string | number | null>>;

for (const leg of databases) {
  describe(`bringing a record in on ${leg.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bring-in-'));
    const uploads = mkdtempSync(join(tmpdir(), 'svc-incoming-'));
    let service: TestService;
    let world: World;
    let alice: Site;
    let eve: Site;
    let archive: Buffer;
    let wrong = 0;

    const on = () => direct(service.services.database);
    const owned = async (id: string): Promise<readonly string[]> =>
      (await on()('record').where({ owner_id: id }).orderBy('seq').pluck('id')) as string[];
    const count = async (table: string): Promise<number> => Number((await on()(table).count({ n: '*' }))[0]!['n']);
    const lineagesOf = async (recordId: string): Promise<readonly Row[]> =>
      (await on()('document_lineage as lineage')
        .join('document', 'document.id', 'lineage.latest_id')
        .where('lineage.record_id', recordId)
        .orderBy('lineage.seq')
        .select('digest', 'document.facts', 'label', 'status', 'nevershare', 'own_date', 'own_kind', 'tags')) as Row[];
    /** Reloads the page like a browser until it is ready. */
    const ready = async (site: Site, page: SitePage): Promise<SitePage> => {
      let here = page;
      await until(async () => {
        here = here.headers['refresh'] === undefined ? here : await site.open(here.path);
        return here.headers['refresh'] === undefined;
      });
      return here;
    };
    const send = async (site: Site, bytes: Buffer | string): Promise<SitePage> => {
      const page = await site.open('/my/bring-in');
      return ready(site, await site.send(page, [{ field: 'archive', name: 'record.tar.gz', bytes }]));
    };
    const press = async (site: Site, page: SitePage, button: string): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes(button))!;
      const answer = await site.post(form.action, form.fields);
      return ready(site, await site.open(String(answer.headers['location'])));
    };
    /** The archive with some files changed, and a manifest that fits. */
    const changed = async (change: (name: string, text: string) => string | undefined): Promise<Buffer> => {
      wrong += 1;
      const file = join(folder, `${wrong}.tar.gz`);
      await rewriteArchive(join(folder, 'alice.tar.gz'), file, folder, change);
      return readFileSync(file);
    };

    before(async () => {
      service = await startService(leg, { SVC_BRING_IN_MB: '3' }, { uploadDir: uploads });
      world = await makeWorld(service);
      for (const id of ['carol@example.org', EVE]) {
        await createAccount(service.call, id, id);
      }
      await fillRecord(service, world);
      const [first] = await lineagesOf(world.recordId);
      await on()('document_lineage').where({ record_id: world.recordId, label: 'From the hospital' }).update({
        own_date: '2019-05-06',
        own_kind: 'Letter',
        tags: '\nHeart\nold\n',
        folded_tags: '\nheart\nold\n',
      });
      expect(first).to.exist();
      await writeArchive(service, world.recordId, join(folder, 'alice.tar.gz'));
      archive = readFileSync(join(folder, 'alice.tar.gz'));
      alice = await enterSite(service, ALICE);
      eve = await enterSite(service, EVE);
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
      rmSync(uploads, { recursive: true });
    });
    afterEach(() => {
      expect(readdirSync(uploads).filter((name) => name.endsWith('.file'))).to.equal([]);
    });

    it('shows what comes and what does not, then makes the same documents, titles, tags, states and versions', async () => {
      const [records, audits] = [await count('record'), await count('audit')];
      const shown = await send(alice, archive);
      expect([shown.status, await count('record')], readable(shown)).to.equal([200, records]);
      expect(readable(shown)).to.contain([
        'Bring this record in?',
        'What comes along',
        'What does not come along',
        'of the history: who looked there says nothing about here',
        '2 people who could see it',
        'One message: who wrote them cannot be checked',
      ]);
      const done = await press(alice, shown, 'Bring it in');
      expect(readable(done)).to.contain(['The record is here', 'nobody else sees it until you share it']);
      const [, fresh] = await owned(ALICE);
      expect(await lineagesOf(fresh!)).to.equal(await lineagesOf(world.recordId));
      const versions = async (id: string) =>
        (await on()('document').where({ record_id: id }).orderBy('seq').pluck('digest')) as string[];
      expect(await versions(fresh!)).to.equal(await versions(world.recordId));
      for (const page of ['data/Procedure', 'data/Medication', 'list/Immunization', 'tests']) {
        const rows = (at: string) =>
          readable({ ...done, text: at.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace(/.*<main/s, '<main') });
        const there = await alice.open(`/my/records/${world.recordId}/${page}`);
        const here = await alice.open(`/my/records/${fresh!}/${page}`);
        expect([here.status, rows(here.text)], page).to.equal([there.status, rows(there.text)]);
      }
      const creators = (await on()('document')
        .where({ record_id: fresh! })
        .distinct('creator_id')
        .pluck('creator_id')) as string[];
      expect(creators).to.equal([ALICE]);
      const told = (await on()('audit').where({ record_id: fresh! })) as readonly Row[];
      expect(told.every((row) => row['principal_id'] === ALICE)).to.be.true();
      expect(await count('audit')).to.be.above(audits);
    });

    it('brings nobody in: no share, member, app, message, placement and no row of the history', async () => {
      const [, fresh] = await owned(ALICE);
      for (const table of ['record_share', 'record_app', 'record_message', 'message', 'notification']) {
        expect(await on()(table).where({ record_id: fresh! }), table).to.equal([]);
      }
      const circles = (await on()('carenet').where({ record_id: fresh! }).pluck('id')) as string[];
      expect(circles.length).to.be.above(1);
      for (const table of [
        'carenet_account',
        'carenet_app',
        'carenet_autoshare',
        'carenet_kind',
        'carenet_preference',
      ]) {
        expect(await on()(table).whereIn('carenet_id', circles), table).to.equal([]);
      }
      expect(await on()('app_document').where({ scope: fresh! })).to.equal([]);
    });

    it('makes a second record of the same archive only after a question', async () => {
      const before = (await owned(ALICE)).length;
      const shown = await send(alice, archive);
      expect(readable(shown)).to.contain(['You brought this record in on', 'Should there be a second one?']);
      const form = formsOf(shown).find(({ html }) => html.includes('Yes, make a second record'))!;
      const { again: _, ...without } = form.fields;
      await alice.post(form.action, without);
      expect((await owned(ALICE)).length).to.equal(before);
      await press(alice, shown, 'Yes, make a second record');
      expect((await owned(ALICE)).length).to.equal(before + 1);
    });

    it('believes no lie of an archive: neither whose it is, nor facts, shares, history or ids', async () => {
      const lie = await changed((name, text) => {
        switch (name) {
          case 'record.json':
            return text.replaceAll(ALICE, 'carol@example.org');
          case 'shares.jsonl':
            return `${text}{"record_id":"${world.recordId}","account_id":"bob@example.org"}\n`;
          case 'facts/Medication.jsonl':
            return text.replaceAll('lisinopril', 'poison');
          case 'audits.jsonl':
            return text.replaceAll(ALICE, EVE);
          case 'lineages.jsonl':
            return text.replace('"label":"From the hospital"', '"label":"<script>\\u0000alert(1)</script>"');
          default:
            return text;
        }
      });
      const hers = await lineagesOf(world.recordId);
      const audits = await on()('audit').where({ record_id: world.recordId }).count({ n: '*' });
      const shown = await send(eve, lie);
      const done = await press(eve, shown, 'Bring it in');
      const [fresh, ...others] = await owned(EVE);
      expect([others, await owned('carol@example.org')], readable(done)).to.equal([[], []]);
      expect(readable(await eve.open(`/my/records/${fresh!}/data/Medication`))).to.not.contain('poison');
      const labels = (await lineagesOf(fresh!)).map(({ label }) => label);
      expect(labels).to.contain('<script> alert(1)</script>');
      expect((await eve.open(`/my/records/${fresh!}/documents/`)).text).to.not.contain('<script> alert');
      // The record of which the archive has the ids is as it was.
      expect(await lineagesOf(world.recordId)).to.equal(hers);
      expect(await on()('audit').where({ record_id: world.recordId }).count({ n: '*' })).to.equal(audits);
      expect((await eve.get(`/my/records/${world.recordId}/`)).status).to.equal(404);
    });

    it('refuses what is no archive, damaged, a bomb or another format, and makes nothing', async () => {
      const tar = gunzipSync(archive);
      const flipped = Buffer.from(tar);
      const at = flipped.indexOf('Appendectomy');
      flipped[at] = 'B'.charCodeAt(0);
      const link = Buffer.from(tar.subarray(0, 1024));
      link[156] = '2'.charCodeAt(0);
      const cases: readonly (readonly [Buffer | string, string])[] = [
        ['hello', 'This is no archive of a record'],
        [gzipSync('hello'), 'This is no archive of a record'],
        [gzipSync(archive), 'This is no archive of a record'],
        [archive.subarray(0, archive.length / 2), 'The archive is damaged or not whole'],
        [gzipSync(flipped), 'The archive is damaged or not whole'],
        [gzipSync(link), 'The archive is damaged or not whole'],
        [
          await changed((name, text) => (name === 'facts/Medication.jsonl' ? '\n'.repeat(60_000_000) : text)),
          'far larger',
        ],
        [
          await changed((name, text) => (name === 'record.json' ? text.replace('"format": 1', '"format": 2') : text)),
          'release',
        ],
        [
          await changed((name, text) =>
            name === 'record.json' ? text.replace('svc.example/vocab', 'x.example/v') : text,
          ),
          'operator',
        ],
        [
          await changed((name, text) =>
            name === 'record.json'
              ? text.replace(/"demographics_lineage_id": "[^"]*"/, '"demographics_lineage_id": "x"')
              : text,
          ),
          'whose record',
        ],
        [await changed((name, text) => (name.startsWith('documents/') ? undefined : text)), 'no document'],
        [await changed((name, text) => (name === 'documents.jsonl' ? '' : text)), 'damaged'],
        [await changed((name, text) => (name === 'lineages.jsonl' ? `${text}[1]\n` : text)), 'damaged'],
        [
          await changed((name, text) => (name === 'lineages.jsonl' ? `${text}"${'x'.repeat(2_100_000)}"\n` : text)),
          'damaged',
        ],
      ];
      const records = await count('record');
      for (const [number, [bytes, words]] of cases.entries()) {
        const page = await send(eve, bytes);
        expect(page.status, `case ${number}`).to.equal(400);
        expect(readable(page), `case ${number}`).to.contain([words, 'Nothing was stored']);
      }
      expect(await count('record')).to.equal(records);
      expect((await eve.send(await eve.open('/my/bring-in'), [])).status).to.equal(400);
    });

    it('refuses a file above the limit, a form without its crumb, and people who are not signed in', async () => {
      const page = await alice.open('/my/bring-in');
      const large = await alice.send(page, [{ field: 'archive', name: 'a.tar.gz', bytes: Buffer.alloc(3_600_000) }]);
      expect(large.status).to.equal(413);
      const forged = await alice.upload('/my/bring-in', {}, [{ field: 'archive', name: 'a.tar.gz', bytes: archive }]);
      expect(forged.status).to.equal(403);
      expect((await alice.get('/my/bring-in?form=other')).status).to.equal(200);
      const state = (await send(alice, archive)).path;
      expect(readable(await eve.open(state)))
        .to.contain('Bring a record in')
        .and.to.not.contain('Alice');
    });

    it('shows nothing of a record that is not whole, goes on with the same archive, and sweeps what stays', async () => {
      const cut = await changed((name, text) => (name === 'messages.jsonl' ? '' : text));
      const bob = await enterSite(service, 'bob@example.org');
      const shown = await send(bob, cut);
      // What is left to do is lost, as when the machine is replaced.
      const left = readdirSync(uploads).find((name) => name.endsWith('.documents'))!;
      truncateSync(join(uploads, left), statSync(join(uploads, left)).size >> 1);
      const form = formsOf(shown).find(({ html }) => html.includes('Bring it in'))!;
      await bob.post(form.action, form.fields);
      expect(await owned('bob@example.org')).to.equal([]);
      expect(readable(await bob.open('/my/?all=1'))).to.not.contain('Alice');
      const page = await bob.open('/my/bring-in');
      expect(readable(page)).to.contain(['One record is not whole yet', 'Send the same archive again']);
      const done = await press(bob, await send(bob, cut), 'Bring it in');
      const [whole, ...others] = await owned('bob@example.org');
      expect(others, readable(done)).to.equal([]);
      expect(await lineagesOf(whole!)).to.equal(await lineagesOf(world.recordId));
      await on()('record')
        .where({ id: whole! })
        .update({ owner_id: 'ui@apps.svc.example', created_at: '2020-01-01T00:00:00.000000Z' });
      await sweepBroughtIn(service.services);
      expect(await on()('record').where({ id: whole! })).to.equal([]);
      expect(await on()('document').where({ record_id: whole! })).to.equal([]);
    });
  });
}
