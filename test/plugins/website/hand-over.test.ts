/**
 * hand over: a record gets another owner by the yes of both, and of nobody else; what the old owner shared ends or
 * stays as both want.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { admin, medications, startService, type TestService } from '../../support/server';
import { authorizeApp, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';
import * as recordStore from '../../../core/records/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const TOR = 'tor@people.example';
const PAUL = 'paul@people.example';

for (const leg of databases) {
  describe(`handing a record over at the website on ${leg.name}`, () => {
    let service: TestService;
    let olga: Site;
    let tor: Site;
    let paul: Site;

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const ownerOf = async (recordId: string): Promise<string | null> =>
      (await recordStore.findRecord(service.services.database.reads, recordId))!.ownerId;
    const controls = (accountId: string, recordId: string): Promise<boolean> =>
      service.services.lookups.fullControl(accountId, recordId);
    const pathOf = (recordId: string): string => `/my/records/${recordId}/hand-over`;
    const child = (given: string): Promise<string> => createRecord(service.call, OLGA, given, 'Openshaw');
    const offer = async (recordId: string, fields: Readonly<Record<string, string>> = {}): Promise<SitePage> => {
      const crumb = olga.cookies.get('crumb')!;
      return olga.post(pathOf(recordId), { crumb, what: 'offer', name: TOR, sure: TOR, ...fields });
    };
    const answer = async (site: Site, recordId: string, fields: Readonly<Record<string, string>>) => {
      const form = formsOf(await site.open(`/my/handovers/${recordId}`)).find(({ html }) => html.includes('"answer"'))!;
      const { keep: _unticked, ...filled } = form.fields;
      return site.post(form.action, { ...filled, ...fields });
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, TOR, 'Tor Openshaw');
      await createAccount(service.call, PAUL, 'Paul');
      olga = await enter(OLGA);
      tor = await enter(TOR);
      paul = await enter(PAUL);
      await olga.open('/my/account');
      await paul.open('/my/account');
    });
    after(() => service.stop());

    it('changes nothing by an offer, and the owner by a yes', async () => {
      const recordId = await child('Tor');
      expect(readable(await olga.open('/my/?all=1'))).to.contain('Hand over: Tor Openshaw');
      const hers = await signIn(service.call, OLGA);
      const access = await authorizeApp(service.call, medications!, hers, { record_id: recordId });
      expect((await offer(recordId)).status).to.equal(303);
      const waiting = await olga.open(pathOf(recordId));
      expect(readable(waiting)).to.contain('Tor Openshaw has been asked');
      // In the heading the name keeps its own text direction.
      expect(waiting.text).to.contain('<h1>Hand over the record of <bdi>Tor Openshaw</bdi></h1>');
      // A title that contains the name does not repeat it.
      expect(waiting.text).to.match(/<title>Hand over the record of Tor Openshaw · (?!Tor)/);
      const mail = await waitForMail(service.mailDir, TOR, 'A health record for you');
      expect(mail.text).to.contain('Olga Openshaw would like to hand a health record over to you');
      expect(mail.links).to.include(`${service.services.baseUrl()}/my/handovers/${recordId}`);
      expect([await ownerOf(recordId), await controls(TOR, recordId)]).to.equal([OLGA, false]);
      expect((await tor.get(`/my/records/${recordId}/`)).status).to.equal(404);
      const list = await tor.open('/my/');
      expect(readable(list)).to.contain('Olga Openshaw would like to hand over the record of Tor Openshaw to you');
      expect(readable(await tor.open(`/my/handovers/${recordId}`))).to.contain('Olga Openshaw sees nothing');
      const done = await answer(tor, recordId, { answer: 'yes', keep: 'true' });
      expect(done.headers['location']).to.equal(`/my/records/${recordId}/`);
      expect([await ownerOf(recordId), await controls(OLGA, recordId)]).to.equal([TOR, false]);
      const told = await waitForMail(service.mailDir, OLGA, 'The health record has a new owner');
      expect(told.text).to.contain('Tor Openshaw has taken over the health record that you offered');
      expect(told.links).to.include(`${service.services.baseUrl()}/my/?all=1`);
      expect((await olga.get(`/my/records/${recordId}/`)).status).to.equal(404);
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(403);
      expect((await tor.get(`/my/handovers/${recordId}`)).status).to.equal(404);
      // A second yes of the new owner leads to the record again, and fails for others.
      const crumb = tor.cookies.get('crumb')!;
      const twice = await tor.post(`/my/handovers/${recordId}`, { crumb, answer: 'yes' });
      expect(twice.headers['location']).to.equal(`/my/records/${recordId}/`);
      const hersToo = { crumb: olga.cookies.get('crumb')!, answer: 'yes' };
      expect((await olga.post(`/my/handovers/${recordId}`, hersToo)).status).to.equal(404);
      const rows = (await direct(service.services.database)('audit').where({
        function_name: 'record_handover_accept',
        record_id: recordId,
      })) as Record<string, unknown>[];
      expect(rows[0]).to.include({ principal_id: TOR, successful: 1 });
    });

    it('leaves a full share when both want it, and not when one does not', async () => {
      for (const [keep, agreed, stays] of [
        ['true', 'true', true],
        ['true', '', false],
        ['', 'true', false],
      ] as const) {
        const recordId = await child(`Keeps${keep}${agreed}`);
        await offer(recordId, { keep });
        await answer(tor, recordId, { answer: 'yes', keep: agreed });
        expect([await ownerOf(recordId), await controls(OLGA, recordId)], `${keep} ${agreed}`).to.equal([TOR, stays]);
      }
    });

    it('ends with a no, by either', async () => {
      const recordId = await child('Una');
      await offer(recordId);
      const asked = formsOf(await tor.open(`/my/handovers/${recordId}`)).find(({ html }) => html.includes('"answer"'))!;
      for (const press of ['first', 'second']) {
        const declined = await tor.post(asked.action, { ...asked.fields, answer: 'no' });
        expect([declined.status, declined.headers['location']], press).to.equal([303, '/my/?all=1']);
      }
      const told = await waitForMail(service.mailDir, OLGA, 'The health record stays yours');
      expect(told.text).to.contain('Tor Openshaw does not want to take over');
      // A person to whom the offer was not shown gets a 404.
      const crumb = paul.cookies.get('crumb')!;
      expect((await paul.post(asked.action, { ...asked.fields, crumb, answer: 'no' })).status).to.equal(404);
      expect(readable(await olga.open(pathOf(recordId)))).to.contain('To whom');
      await offer(recordId);
      const page = await tor.open(`/my/handovers/${recordId}`);
      await olga.submit(await olga.open(pathOf(recordId)), { what: 'back' });
      const form = formsOf(page).find(({ html }) => html.includes('"answer"'))!;
      expect((await tor.post(form.action, { ...form.fields, answer: 'yes' })).status).to.equal(404);
      expect(await ownerOf(recordId)).to.equal(OLGA);
    });

    it('is dead when the record has another owner meanwhile, and after its time', async () => {
      const recordId = await child('Vera');
      await offer(recordId);
      succeeded(await service.call(admin, 'PUT', `/records/${recordId}/owner`, { body: PAUL, type: 'text/plain' }));
      expect((await tor.get(`/my/handovers/${recordId}`)).status).to.equal(404);
      const crumb = tor.cookies.get('crumb')!;
      expect((await tor.post(`/my/handovers/${recordId}`, { crumb, answer: 'yes' })).status).to.equal(404);
      expect(await ownerOf(recordId)).to.equal(PAUL);
      const late = await child('Late');
      await offer(late);
      await direct(service.services.database)('record_handover')
        .where({ record_id: late })
        .update({ expires_at: '2001-01-01T00:00:00.000Z' });
      expect((await tor.post(`/my/handovers/${late}`, { crumb, answer: 'yes' })).status).to.equal(404);
      expect(await ownerOf(late)).to.equal(OLGA);
    });

    it('is refused to all others, also to who has a full share', async () => {
      const recordId = await child('Xenia');
      const hers = await signIn(service.call, OLGA);
      succeeded(await service.call(hers, 'POST', `/records/${recordId}/shares/`, { form: { account_id: PAUL } }));
      await offer(recordId);
      const crumb = paul.cookies.get('crumb')!;
      expect((await paul.get(pathOf(recordId))).status).to.equal(404);
      for (const fields of [
        { what: 'offer', name: PAUL },
        { what: 'offer', name: 'nobody' },
        { what: 'back', name: '' },
      ]) {
        expect((await paul.post(pathOf(recordId), { crumb, ...fields })).status).to.equal(404);
      }
      expect((await paul.get(`/my/handovers/${recordId}`)).status).to.equal(404);
      for (const said of ['yes', 'no']) {
        expect((await paul.post(`/my/handovers/${recordId}`, { crumb, answer: said })).status).to.equal(404);
        expect((await tor.post(`/my/handovers/${recordId}`, { answer: said })).status).to.equal(403);
      }
      expect((await olga.post(pathOf(recordId), { what: 'back' })).status).to.equal(403);
      expect(await ownerOf(recordId)).to.equal(OLGA);
      expect((await answer(tor, recordId, { answer: 'yes' })).status).to.equal(303);
      expect([await ownerOf(recordId), await controls(PAUL, recordId)]).to.equal([TOR, true]);
    });

    it('says at the field what is wrong with the name', async () => {
      const recordId = await child('Yuri');
      for (const [name, why] of [
        ['', 'Fill this in'],
        ['nobody-here', 'Nobody has an account here under this name'],
        [OLGA, 'It must be somebody else'],
      ] as const) {
        const page = await offer(recordId, { name });
        expect([page.status, readable(page).includes(why)], name).to.equal([400, true]);
      }
      expect(readable(await olga.open(pathOf(recordId)))).to.contain('To whom');
    });

    it('has one end when a yes and a taking back come at once', async () => {
      for (let round = 0; round < 4; round += 1) {
        const recordId = await child(`Race${round}`);
        await offer(recordId);
        const form = formsOf(await tor.open(`/my/handovers/${recordId}`)).find(({ html }) =>
          html.includes('"answer"'),
        )!;
        const [said, back] = await Promise.all([
          tor.post(form.action, { ...form.fields, answer: 'yes' }),
          olga.post(pathOf(recordId), { crumb: olga.cookies.get('crumb')!, what: 'back' }),
        ]);
        expect([await ownerOf(recordId), said.status, back.status < 500]).to.equal(
          said.status === 303 ? [TOR, 303, true] : [OLGA, 404, true],
        );
      }
    });
  });
}
