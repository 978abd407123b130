/**
 * links: SMART Health Links: what the holder of a link sees, that nothing else opens, and that each link ends with what
 * it rests on.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { operations } from '../../../plugins/website/http/operations';
import { addSession } from '../../support/cast';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { askingAs, decrypt, locationsIn, openLink, payloadOf, readFile, type Payload } from '../../support/links';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const NOTE = '<Note xmlns="urn:notes">one</Note>';

for (const leg of databases) {
  describe(`health links on ${leg.name}`, () => {
    let ground: FhirGround;
    let note: string;
    let other: string;
    before(async () => {
      ground = await startFhir(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      note = await ground.put(NOTE);
      other = await ground.put('<Note xmlns="urn:notes">two</Note>');
      await ground.put(
        readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'),
        'application/fhir+xml',
      );
      const placed = `/records/${ground.recordId}/documents/${note}/carenets/${ground.carenetId}`;
      expect((await ground.service.call(ground.alice, 'PUT', placed)).status).to.equal(200);
    });
    after(() => ground.service.stop());

    type Wish = Readonly<Record<string, string>>;
    const maker = (account = ALICE, signs = ground.alice) => askingAs(ground.service, account, signs);
    const inRecord = () => ({ RECORD_ID: ground.recordId });
    const make = async (wish: Wish = {}, ask = maker()): Promise<Payload & { readonly id: string }> => {
      const id = await ask(operations.links.recordLinkCreate, { params: inRecord(), body: wish });
      const made = (await maker()(operations.links.recordLinks, { params: inRecord() })).find(
        (link) => link.id === id,
      )!;
      return { ...payloadOf(made.text), id };
    };
    const shown = async (id: string) =>
      (await maker()(operations.links.recordLinks, { params: inRecord() })).find((link) => link.id === id);
    const end = (id: string) => maker()(operations.links.recordLinkEnd, { params: { ...inRecord(), LINK_ID: id } });
    /** The responses for ended, expired and unknown links must be equal. */
    const expectNothing = async (link: Pick<Payload, 'url'>, body?: object): Promise<void> => {
      const [refused, unknown] = [
        await openLink(ground.service, link, body),
        await openLink(ground.service, { url: `${link.url.slice(0, -3)}xyz` }, body),
      ];
      expect(refused.status, refused.text).to.equal(404);
      expect(refused.text).to.equal(unknown.text);
    };

    it('answers 405 to whoever looks instead of opening, and tells nothing by it', async () => {
      const link = await make();
      const paths = [new URL(link.url).pathname, '/fhir/links/unknown'];
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
        const answers = await Promise.all(paths.map((url) => ground.service.running.server.inject({ method, url })));
        for (const { statusCode, headers } of answers) {
          expect([statusCode, headers['allow'], headers['access-control-allow-origin']], method).to.equal([
            405,
            'POST',
            '*',
          ]);
        }
        expect(answers[0]!.payload).to.equal(answers[1]!.payload);
      }
      expect(await shown(link.id)).to.include({ openings: 0 });
    });

    it('shows the summary and the chosen documents, encrypted as the guide says', async () => {
      const link = await make({ label: 'For Dr. Weber', documents: note });
      expect(link).to.include({ flag: 'L', label: 'For Dr. Weber', v: 1 });
      expect([link.exp, link.key.length, link.url.length <= 128]).to.equal([undefined, 43, true]);
      const manifest = await openLink(ground.service, link);
      expect(manifest.status, manifest.text).to.equal(200);
      expect(manifest.headers['access-control-allow-origin']).to.equal('*');
      const [summary = '', document = '', ...more] = locationsIn(manifest);
      expect(more).to.equal([]);
      const file = await readFile(ground.service, summary);
      expect(String(file.headers['content-type'])).to.startWith('application/jose');
      expect(file.headers['access-control-allow-origin']).to.equal('*');
      const { head, resource } = await decrypt(file, link);
      expect(head).to.equal({ alg: 'dir', enc: 'A256GCM', zip: 'DEF', cty: 'application/fhir+json' });
      expect(resource).to.include({ resourceType: 'Bundle', type: 'document' });
      expect(JSON.stringify(resource)).to.contain('Condition');
      const bundle = (await decrypt(await readFile(ground.service, document), link)).resource;
      const [reference, binary] = (bundle['entry'] as readonly Read[]).map((entry) => entry['resource'] as Read);
      expect([reference!['resourceType'], reference!['id']]).to.equal(['DocumentReference', note]);
      expect(Buffer.from(binary!['data'] as string, 'base64').toString('utf8')).to.equal(NOTE);
      // A document that was not chosen for the link.
      expect((await readFile(ground.service, document.replace(note, other))).status).to.equal(404);
    });

    it('tells the maker how often it was opened and by whom, and the audit of the record', async () => {
      const link = await make();
      await openLink(ground.service, link, { recipient: 'Praxis Dr. Weber' });
      const [summary = ''] = locationsIn(await openLink(ground.service, link, { recipient: 'Second' }));
      expect((await readFile(ground.service, summary)).status).to.equal(200);
      const { openings, opened } = (await shown(link.id))!;
      expect([openings, opened.map(({ by }) => by)]).to.equal([2, ['Second', 'Praxis Dr. Weber']]);
      const rows = (await direct(ground.service.services.database)('audit')
        .where({ record_id: ground.recordId })
        .whereIn('function_name', ['health_link_open', 'health_link_summary'])
        .orderBy('seq', 'desc')
        .limit(3)
        .select('function_name', 'url', 'successful', 'principal_id')) as Record<string, unknown>[];
      expect(rows.map((row) => [row['function_name'], Number(row['successful']), row['principal_id']])).to.equal([
        ['health_link_summary', 1, null],
        ['health_link_open', 1, null],
        ['health_link_open', 1, null],
      ]);
      const secret = new URL(link.url).pathname.split('/').at(-1)!;
      const ticket = summary.split('/').at(-2)!;
      for (const { url } of rows) {
        expect(url).to.not.contain(secret);
        expect(url).to.not.contain(ticket);
      }
    });

    it('keeps neither secret, key nor passcode where they could be read', async () => {
      const link = await make({ passcode: 'a passcode' });
      const row = JSON.stringify(await direct(ground.service.services.database)('health_link').where({ id: link.id }));
      for (const secret of [link.url.split('/').at(-1)!, link.key, 'a passcode']) {
        expect(row).to.not.contain(secret);
      }
    });

    it('asks for the passcode, counts wrong ones, and is ended by the hundredth', async () => {
      const link = await make({ passcode: 'right 7' });
      expect(link.flag).to.equal('LP');
      const guess = (passcode?: string) => openLink(ground.service, link, { recipient: 'x', passcode });
      const wrong = await guess('wrong');
      expect([wrong.status, JSON.parse(wrong.text)]).to.equal([401, { remainingAttempts: 99 }]);
      expect(JSON.parse((await guess()).text)).to.equal({ remainingAttempts: 98 });
      expect((await guess('right 7')).status).to.equal(200);
      expect(JSON.parse((await guess('wrong')).text)).to.equal({ remainingAttempts: 97 });
      await direct(ground.service.services.database)('health_link').where({ id: link.id }).update({ failures: 98 });
      // Of many simultaneous guesses only the last two are answered.
      const answers = await Promise.all(Array.from({ length: 6 }, () => guess('wrong')));
      expect(answers.map(({ status }) => status).sort()).to.equal([401, 401, 404, 404, 404, 404]);
      await expectNothing(link, { recipient: 'x', passcode: 'right 7' });
      expect([(await shown(link.id))!.over, (await shown(link.id))!.openings]).to.equal(['passcodes', 1]);
    });

    it('is opened as often as its maker said, however many open it at once', async () => {
      const link = await make({ openings: '2', passcode: 'a passcode' });
      const body = { recipient: 'x', passcode: 'a passcode' };
      expect((await openLink(ground.service, link, { ...body, passcode: 'wrong!' })).status).to.equal(401);
      const answers = await Promise.all(Array.from({ length: 5 }, () => openLink(ground.service, link, body)));
      expect(answers.map(({ status }) => status).sort()).to.equal([200, 200, 404, 404, 404]);
      await expectNothing(link, body);
      await expectNothing(link, { ...body, passcode: 'wrong!' });
      expect(await shown(link.id)).to.include({ openings: 2, mostOpenings: 2, over: 'openings' });
      // Whoever has opened it reads on.
      const [summary = ''] = locationsIn(answers.find(({ status }) => status === 200)!);
      expect((await readFile(ground.service, summary)).status).to.equal(200);
      for (const openings of ['0', '-1', '1.5', '1001', 'many']) {
        await expect(make({ openings }), openings).to.reject(/parameter openings /);
      }
    });

    it('ends at its time, and what was opened before with it', async () => {
      const link = await make({ expires: new Date(Date.now() + 3_600_000).toISOString() });
      expect(link.exp ?? 0).to.be.above(Date.now() / 1000);
      const [summary = ''] = locationsIn(await openLink(ground.service, link));
      await direct(ground.service.services.database)('health_link')
        .where({ id: link.id })
        .update({ expires_at: '2026-01-01T00:00:00.000Z' });
      await expectNothing(link);
      expect((await readFile(ground.service, summary)).status).to.equal(404);
      expect((await shown(link.id))!.over).to.equal('expired');
    });

    it('ends at once when it is ended, and only in its own record', async () => {
      const link = await make();
      const [summary = ''] = locationsIn(await openLink(ground.service, link));
      await expect(
        maker()(operations.links.recordLinkEnd, { params: { RECORD_ID: 'another', LINK_ID: link.id } }),
      ).to.reject();
      expect((await openLink(ground.service, link)).status).to.equal(200);
      await end(link.id);
      await expectNothing(link);
      expect((await readFile(ground.service, summary)).status).to.equal(404);
      await expect(end(link.id)).to.reject('There is no such link.');
    });

    it('ends with the rights of who made it, and does not come back with them', async () => {
      const { services, call } = ground.service;
      const link = await make({}, maker(BOB, await addSession(services, BOB)));
      expect((await openLink(ground.service, link)).status).to.equal(200);
      const share = `/records/${ground.recordId}/shares/`;
      expect((await call(ground.alice, 'DELETE', `${share}${BOB}`)).status).to.equal(200);
      await expectNothing(link);
      expect((await call(ground.alice, 'POST', share, { form: { account_id: BOB } })).status).to.equal(200);
      await expectNothing(link);
      // The account is disabled without ending its links. Every opening must check the account.
      const again = await make({}, maker(BOB, await addSession(services, BOB)));
      const [summary = ''] = locationsIn(await openLink(ground.service, again));
      await direct(services.database)('account').where({ id: BOB }).update({ state: 'disabled' });
      await expectNothing(again);
      expect((await readFile(ground.service, summary)).status).to.equal(404);
      await direct(services.database)('account').where({ id: BOB }).update({ state: 'active' });
    });

    it('shows of a carenet what lies there, and ends with it', async () => {
      const { recordId, service, alice } = ground;
      const link = await make({ carenet: ground.carenetId, documents: note });
      const [summary = '', document = ''] = locationsIn(await openLink(service, link));
      const { resource } = await decrypt(await readFile(service, summary), link);
      const types = (resource['entry'] as readonly Read[]).map((entry) => entry['resource'].resourceType as string);
      expect(types).to.include('Patient').and.not.include('Condition');
      expect((await readFile(service, document)).status).to.equal(200);
      const placed = `/records/${recordId}/documents/${note}/carenets/${ground.carenetId}`;
      await service.call(alice, 'DELETE', placed);
      expect((await readFile(service, document)).status).to.equal(404);
      expect(locationsIn(await openLink(service, link)).length).to.equal(1);
      await service.call(alice, 'PUT', placed);
      await expect(make({ carenet: ground.carenetId, documents: other })).to.reject(/choose documents/);
      await expect(make({ carenet: 'another' })).to.reject(/choose a carenet/);
      expect((await service.call(alice, 'DELETE', `/carenets/${ground.carenetId}`)).status).to.equal(200);
      await expectNothing(link);
      expect(await shown(link.id)).to.be.undefined();
    });

    it('takes along the latest version, and none that is void', async () => {
      const { recordId, service, alice } = ground;
      const first = await ground.put('<Note xmlns="urn:notes">first</Note>');
      const link = await make({ documents: first });
      const second = await ground.put(
        '<Note xmlns="urn:notes">second</Note>',
        'application/xml',
        `/records/${recordId}/documents/${first}/replace`,
      );
      const [, document = ''] = locationsIn(await openLink(service, link));
      expect(document).to.endWith(second);
      await service.call(alice, 'POST', `/records/${recordId}/documents/${second}/set-status`, {
        form: { status: 'void', reason: 'wrong' },
      });
      expect((await readFile(service, document)).status).to.equal(404);
      expect(locationsIn(await openLink(service, link)).length).to.equal(1);
    });

    it('refuses what cannot be made or asked', async () => {
      await expect(make({ expires: '2020-01-01T00:00:00Z' })).to.reject(/in the future/);
      await expect(make({ label: 'x'.repeat(81) })).to.reject(/label/);
      await expect(make({ documents: 'unknown' })).to.reject(/choose documents/);
      const carol = await addSession(ground.service.services, 'carol@example.org');
      await expect(make({}, maker('carol@example.org', carol))).to.reject(/do not permit/);
      const link = await make();
      expect((await openLink(ground.service, link, {})).status).to.equal(400);
      expect((await openLink(ground.service, link, { recipient: '' })).status).to.equal(400);
      const [summary = ''] = locationsIn(await openLink(ground.service, link));
      const another = await make();
      const borrowed = summary.replace(link.url.split('/').at(-1)!, another.url.split('/').at(-1)!);
      expect((await readFile(ground.service, borrowed)).status).to.equal(404);
      expect((await readFile(ground.service, summary.replace(/[^/]+(?=\/summary$)/, 'made-up'))).status).to.equal(404);
    });

    it('answers the question that browsers ask before', async () => {
      const { url } = await make();
      const { statusCode, headers } = await ground.service.running.server.inject({
        method: 'OPTIONS',
        url: new URL(url).pathname,
        headers: { origin: 'https://viewer.example', 'access-control-request-method': 'POST' },
      });
      expect([statusCode, headers['access-control-allow-origin']]).to.equal([204, '*']);
    });
  });
}
