/**
 * health-links: somebody who lost a record goes on to show it by links, somebody guesses a passcode, and somebody who
 * reads the database looks for what people wrote about their links.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sealStored } from '../../core/sealing/seal-stored';
import { operations } from '../../plugins/website/http/operations';
import { addSession } from '../support/cast';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { FHIR_APP, startFhir, type FhirGround } from '../support/fhir';
import { askingAs, locationsIn, openLink, payloadOf, readFile, type Payload } from '../support/links';
import { admin } from '../support/server';
import { makeSite } from '../support/site';
import { mintSmartToken } from '../support/smart';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const CAROL = 'carol@example.org';

for (const leg of databases) {
  describe(`health links in the wrong hands on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
    });
    after(() => ground.service.stop());

    type Made = Payload & { readonly id: string };
    const as = async (account: string) =>
      askingAs(ground.service, account, await addSession(ground.service.services, account));
    const inRecord = () => ({ RECORD_ID: ground.recordId });
    const make = async (account: string, wish: Readonly<Record<string, string>> = {}): Promise<Made> => {
      const ask = await as(account);
      const id = await ask(operations.links.recordLinkCreate, { params: inRecord(), body: wish });
      const made = (await ask(operations.links.recordLinks, { params: inRecord() })).find((link) => link.id === id)!;
      return { ...payloadOf(made.text), id };
    };
    const setOwner = async (account: string): Promise<void> => {
      succeeded(await ground.service.call(admin, 'PUT', `/records/${ground.recordId}/owner`, { body: account }));
    };
    /** Opens a link and answers the address of its summary. */
    const opened = async (link: Made): Promise<string> => {
      const [summary = ''] = locationsIn(await openLink(ground.service, link));
      expect((await readFile(ground.service, summary)).status).to.equal(200);
      return summary;
    };
    const expectEnded = async (link: Made, summary: string): Promise<void> => {
      expect((await openLink(ground.service, link)).status).to.equal(404);
      expect((await readFile(ground.service, summary)).status).to.equal(404);
    };

    it('end when the record is handed over, even if the old owner keeps a share', async () => {
      const links = [await make(ALICE), await make(ALICE, { carenet: ground.carenetId }), await make(BOB)];
      const summaries = [];
      for (const link of links) {
        summaries.push(await opened(link));
      }
      const token = await mintSmartToken(ground.service, {
        account: ALICE,
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: ground.recordId,
      });
      const readByApp = async (): Promise<number> =>
        (await ground.call(`/Patient/${ground.recordId}`, { token })).status;
      expect(await readByApp()).to.equal(200);
      const offer = { account_id: CAROL, keep: 'true' };
      await (
        await as(ALICE)
      )(operations.records.recordHandoverOffer, { params: inRecord(), body: offer });
      // An offer alone changes nothing.
      await opened(links[0]!);
      const params = { ...inRecord(), ACCOUNT_EMAIL: CAROL };
      await (
        await as(CAROL)
      )(operations.records.recordHandoverAccept, { params, body: { keep: 'true' } });
      for (const [index, link] of links.entries()) {
        await expectEnded(link, summaries[index]!);
      }
      expect(await readByApp()).to.equal(401);
      // The share was kept, and by it new links are made, which the new owner sees.
      const again = await make(ALICE);
      await opened(again);
      const listed = await (await as(CAROL))(operations.links.recordLinks, { params: inRecord() });
      expect(listed.map(({ id, makerId }) => [id, makerId])).to.equal([[again.id, ALICE]]);
    });

    it('end when an admin app names another owner, and not when it names the same', async () => {
      const link = await make(BOB);
      await setOwner(CAROL);
      const summary = await opened(link);
      await setOwner(ALICE);
      await expectEnded(link, summary);
      await setOwner(CAROL);
      await expectEnded(link, summary);
      await setOwner(ALICE);
    });

    it('take no passcode that is found within a hundred guesses', async () => {
      for (const passcode of ['1', '12345', '1     ', '  12345  ', '🔑🔑🔑🔑🔑']) {
        await expect(make(ALICE, { passcode }), passcode).to.reject(/parameter passcode /);
      }
      const { service } = ground;
      for (const passcode of ['123456', '🔑🔑🔑🔑🔑🔑']) {
        const link = await make(ALICE, { passcode });
        expect((await openLink(service, link, { recipient: 'x', passcode })).status).to.equal(200);
      }
    });

    it('keep their label and the names of those who opened them sealed', async () => {
      const link = await make(ALICE, { label: 'oncologist Nordlicht', passcode: 'right 77' });
      const body = { passcode: 'right 77' };
      for (const recipient of ['Praxis Nordlicht', 'Praxis Suedwind']) {
        expect((await openLink(ground.service, link, { ...body, recipient })).status).to.equal(200);
      }
      const knex = direct(ground.service.services.database);
      const [row] = (await knex('health_link').where({ id: link.id })) as Record<string, unknown>[];
      expect([row!['label'], row!['opened']]).to.equal(['', '']);
      const stored = Object.values(row!).map(String).join('\n');
      expect(stored).to.not.contain('oncologist').and.not.contain('Praxis').and.not.contain('Nordlicht');
      const ask = await as(ALICE);
      const told = (await ask(operations.links.recordLinks, { params: inRecord() })).find(({ id }) => id === link.id)!;
      expect([told.label, told.openings, told.opened.map(({ by }) => by)]).to.equal([
        'oncologist Nordlicht',
        2,
        ['Praxis Suedwind', 'Praxis Nordlicht'],
      ]);
      // A row of an earlier release, in clear, is read as it is, and is sealed by the same command as all others.
      const clear = { label: 'plain 4712', opened: '[]', sealed_texts: null };
      await knex('health_link').where({ id: link.id }).update(clear);
      expect((await ask(operations.links.recordLinks, { params: inRecord() })).map(({ label }) => label)).to.include(
        'plain 4712',
      );
      await sealStored(ground.service.services);
      const [sealed] = (await knex('health_link').where({ id: link.id })) as Record<string, unknown>[];
      expect([sealed!['label'], sealed!['sealed_texts'] === null]).to.equal(['', false]);
      expect((await ask(operations.links.recordLinks, { params: inRecord() })).map(({ label }) => label)).to.include(
        'plain 4712',
      );
    });

    it('leave a row in the audit of the record for every wrong passcode, without the passcode', async () => {
      const { service, recordId, alice } = ground;
      const link = await make(ALICE, { passcode: 'right 77' });
      const rows = async (): Promise<readonly Record<string, unknown>[]> =>
        (await direct(service.services.database)('audit')
          .where({ record_id: recordId, function_name: 'health_link_open', successful: 0 })
          .select()) as Record<string, unknown>[];
      const before = (await rows()).length;
      for (const passcode of ['guess-1', 'guess-2', 'guess-3']) {
        expect((await openLink(service, link, { recipient: 'x', passcode })).status).to.equal(401);
      }
      const site = makeSite(service.running.server);
      const asked = await site.open(`/my/link/${link.url.split('/').at(-1)!}`);
      expect((await site.submit(asked, { recipient: 'x', passcode: 'guess-4' })).status).to.equal(403);
      const added = await rows();
      expect(added.length).to.equal(before + 4);
      expect(JSON.stringify(added)).to.not.contain('guess-');
      const audit = await service.call(alice, 'GET', `/records/${recordId}/audits/`);
      expect(succeeded(audit).text).to.contain('health_link_open');
    });
  });
}
