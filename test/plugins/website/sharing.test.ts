/**
 * sharing: who can see what, shown and changed on the website; equal to what the API answers, and closed to everybody
 * else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import type { Credentials } from '../../support/client';
import { mailsIn, waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { admin, startService, type TestService } from '../../support/server';
import { attribute, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const JONAS = 'jonas@people.example';
const ANNA = 'anna@people.example';
const STRANGER = 'stranger@people.example';
const SAMPLES = [
  'allergy/sample-peanut.xml',
  'medication/sample-aspirin.xml',
  'medication/sample-metformin.xml',
  'problem/sample-hypertension.xml',
];
const read = (sample: string): string =>
  readFileSync(join(projectRoot, 'pipeline-config', sample), 'utf8').replaceAll(
    '{vocab_base}',
    'https://svc.example/vocab',
  );
const HOSTILE = '<script>x</script> "&\' {who}';

for (const leg of databases) {
  describe(`the sharing page on ${leg.name}`, () => {
    let service: TestService;
    let olga: Exclude<Credentials, null>;
    let recordId: string;
    let page: string;
    const sites: Record<string, Site> = {};
    const documents: string[] = [];

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const send = async (who: string, fields: Readonly<Record<string, string>>): Promise<SitePage> => {
      const site = sites[who]!;
      await site.open('/my/account');
      // These forms say yes to the question whose account it is, which has a test of its own.
      const sure = fields['who']?.toLowerCase() ?? '';
      const answer = await site.post(page, { crumb: site.cookies.get('crumb')!, sure, ...fields });
      return answer.status === 303 ? site.open(String(answer.headers['location'])) : answer;
    };
    const api = async (path: string): Promise<string> =>
      succeeded(await service.call(olga, 'GET', `/records/${recordId}${path}`)).text;
    const carenetId = async (name: string): Promise<string> =>
      new RegExp(`<Carenet id="([^"]*)" name="${name}"`).exec(await api('/carenets/'))![1]!;

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OLGA, 'Olga Owner');
      await createAccount(service.call, JONAS, 'Jonas Sharer');
      await createAccount(service.call, ANNA, 'Anna Berg');
      await createAccount(service.call, STRANGER, HOSTILE);
      olga = await signIn(service.call, OLGA);
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
      page = `/my/records/${recordId}/sharing`;
      for (const sample of SAMPLES) {
        const { text } = succeeded(
          await service.call(olga, 'POST', `/records/${recordId}/documents/`, { body: read(sample) }),
        );
        documents.push(attribute(text, 'Document', 'id'));
      }
      for (const id of [OLGA, JONAS, ANNA, STRANGER]) {
        sites[id] = await enter(id);
      }
    });
    after(() => service.stop());

    it('says to the owner of a new record that nobody else sees it', async () => {
      const answer = await sites[OLGA]!.open(page);
      expect(answer.status).to.equal(200);
      expect(readable(answer)).to.contain([
        'Who can see what',
        'You own this record. Nobody else sees any of it, except the apps that you let in.',
        'Nobody is in it. It would show nothing yet.',
      ]);
    });

    it('makes, renames and deletes a carenet, as the API then lists', async () => {
      expect(readable(await send(OLGA, { what: 'create', name: 'Neighbours' }))).to.contain('The circle is there');
      const twice = await send(OLGA, { what: 'create', name: 'Neighbours' });
      expect([twice.status, readable(twice).includes('There is a circle of this name already')]).to.equal([400, true]);
      expect((await send(OLGA, { what: 'create', name: '' })).status).to.equal(400);
      expect((await send(OLGA, { what: 'create', name: 'x'.repeat(41) })).status).to.equal(400);
      const id = await carenetId('Neighbours');
      const renamed = await send(OLGA, { what: 'rename', carenet: id, name: 'Old friends' });
      expect(readable(renamed)).to.contain(['Saved', 'In Old friends']);
      expect(await api('/carenets/'))
        .to.contain('name="Old friends"')
        .and.to.not.contain('Neighbours');
      expect((await send(OLGA, { what: 'rename', carenet: id, name: 'Family' })).status).to.equal(400);
      expect(readable(await send(OLGA, { what: 'delete', carenet: id }))).to.contain('The circle is gone');
      expect(await api('/carenets/')).to.not.contain('Old friends');
    });

    it('ends where the first press did when a button is pressed twice, or three times at once', async () => {
      const site = sites[OLGA]!;
      const create = async (name: string, presses: number): Promise<readonly SitePage[]> => {
        const shown = await site.open(page);
        const { fields } = formsOf(shown).find(({ html }) => html.includes('value="create"'))!;
        return Promise.all(Array.from({ length: presses }, () => site.post(page, { ...fields, name })));
      };
      const shown = await site.open(page);
      const { fields } = formsOf(shown).find(({ html }) => html.includes('value="create"'))!;
      const press = (name: string) => site.post(page, { ...fields, name });
      const places = async (answers: readonly SitePage[]) => answers.map(({ headers }) => headers['location']);
      expect(await places([await press('Choir'), await press('Choir'), ...(await create('Chess', 3))])).to.equal(
        Array(5).fill(`${page}?note=created`),
      );
      expect((await api('/carenets/')).match(/name="(Choir|Chess)"/g)).to.have.length(2);
      // The same name in another form, and a taken name in this form, are no second presses.
      expect((await create('Choir', 1))[0]!.status).to.equal(400);
      expect((await press('Chess')).status).to.equal(400);
      const id = await carenetId('Choir');
      const again = async (form: Readonly<Record<string, string>>, note: string, second = note) => {
        const sent = { crumb: site.cookies.get('crumb')!, ...form };
        expect(await places([await site.post(page, sent), await site.post(page, sent)]), note).to.equal([
          `${page}?note=${note}`,
          `${page}?note=${second}`,
        ]);
      };
      // The second press sends no mail, and its note does not mention one.
      await again({ what: 'add', carenet: id, who: ANNA, sure: ANNA }, 'added', 'added-before');
      // Members who may write in the circle keep that right.
      const written = { form: { account_id: ANNA, write: 'true' } };
      succeeded(await service.call(olga, 'POST', `/carenets/${id}/accounts/`, written));
      await again({ what: 'add', carenet: id, who: ANNA, sure: ANNA }, 'added-before');
      const permissions = `/carenets/${id}/accounts/${encodeURIComponent(ANNA)}/permissions`;
      expect(succeeded(await service.call(olga, 'GET', permissions)).text).to.contain('write="true"');
      expect(readable(await site.open(`${page}?note=added-before`))).to.contain('What they may do there is as it was');
      await again({ what: 'rename', carenet: id, name: 'Singers' }, 'saved');
      const gone = async (form: Readonly<Record<string, string>>, note: string, words: string) => {
        const sent = { crumb: site.cookies.get('crumb')!, ...form };
        expect((await site.post(page, sent)).headers['location']).to.equal(`${page}?note=${note}`);
        const second = await site.post(page, sent);
        expect([second.status, readable(second).includes(words)], words).to.equal([404, true]);
        expect(readable(second)).to.contain('Who can see what');
      };
      await gone({ what: 'take-out', carenet: id, account: ANNA }, 'out', 'Taken out');
      const remove = async (carenet: string) => {
        const { fields: own } = formsOf(await site.open(page)).find(
          ({ html }) => html.includes('value="delete"') && html.includes(carenet),
        )!;
        return again(own, 'deleted');
      };
      await remove(id);
      await remove(await carenetId('Chess'));
      await again({ what: 'whole', who: JONAS, sure: JONAS }, 'shared', 'shared-before');
      await again({ what: 'stop', account: JONAS }, 'stopped');
      // A deleted circle can be made again, also by the same form.
      expect(await places([await press('Choir')])).to.equal([`${page}?note=created`]);
      await remove(await carenetId('Choir'));
      expect((await send(OLGA, { what: 'delete', carenet: id })).status).to.equal(404);
    });

    it('adds a person by user name or e-mail and takes them out; unknown ones are told at the field', async () => {
      const family = await carenetId('Family');
      const nobody = await send(OLGA, { what: 'add', carenet: family, who: 'nobody@people.example' });
      expect(nobody.status).to.equal(400);
      // SVC_SIGN_UP is not set, so people cannot make accounts by themselves.
      expect(readable(nobody)).to.contain([
        'Ask those who run this service to give the person an account.',
        'without an account can get a health link',
      ]);
      // An owner in a circle of their own record would find the record twice in their list, once as if it were another
      // person's.
      const owner = await send(OLGA, { what: 'add', carenet: family, who: OLGA });
      expect([owner.status, readable(owner).includes('This person owns the record')]).to.equal([400, true]);
      const empty = await send(OLGA, { what: 'add', carenet: family, who: '' });
      expect([empty.status, readable(empty).includes('Fill this in')]).to.equal([400, true]);
      expect(nobody.text).to.match(new RegExp(`id="field-add-${family}"[^>]*value="nobody@people.example"`));
      const added = await send(OLGA, { what: 'add', carenet: family, who: ANNA.toUpperCase() });
      expect(readable(added)).to.contain(['Anna Berg sees nothing yet.', 'one person sees a part']);
      expect(formsOf(added).filter(({ html }) => />Add<span class="unseen"> to Family</.test(html))).to.have.length(1);
      const members = async (): Promise<string> =>
        succeeded(await service.call(olga, 'GET', `/carenets/${family}/accounts/`)).text;
      expect(await members()).to.contain(`id="${ANNA}" fullName="Anna Berg" write="false"`);
      await send(OLGA, { what: 'add', carenet: family, who: STRANGER });
      const hostile = await sites[OLGA]!.open(page);
      expect(hostile.text).to.not.contain('<script');
      expect(readable(hostile)).to.contain(HOSTILE.replaceAll('  ', ' '));
      await send(OLGA, { what: 'take-out', carenet: family, account: STRANGER });
      expect(await members()).to.not.contain(STRANGER);
      expect((await send(OLGA, { what: 'take-out', carenet: family, account: STRANGER })).status).to.equal(404);
    });

    it('shares by kind with ticks, all or none, and says what is then seen', async () => {
      const family = await carenetId('Family');
      const kinds = (html: string): readonly string[] =>
        [...html.matchAll(/<input type="checkbox" name="share" value="([^"]*)"/g)].map((match) => match[1]!);
      const shown = await sites[OLGA]!.open(page);
      const box = (name: string): string =>
        kinds(shown.text).find((value) => value.startsWith(family) && value.endsWith(`#${name}`))!;
      const saved = await send(OLGA, { what: 'kinds', share: box('Allergy') });
      expect(readable(saved)).to.contain(['Anna Berg sees allergies.', 'One document lies in it now.']);
      const types = await api('/autoshare/bytype/all');
      expect(types).to.contain('#Allergy"').and.to.contain('#AllergyExclusion"');
      const medicines = await send(OLGA, { what: 'kinds', was: box('Allergy'), share: box('Medication') });
      expect(readable(medicines)).to.contain(['Anna Berg sees medicines.', '2 documents lie in it now.']);
      expect(await api('/autoshare/bytype/all')).to.not.contain('#Allergy"');
      // A box that is on no page changes nothing.
      await send(OLGA, { what: 'kinds', was: `${family} nothing`, share: `none ${box('Problem')}` });
      expect(readable(await sites[OLGA]!.open(page))).to.contain('Anna Berg sees medicines.');
    });

    it('keeps ticks for a kind whose last document left meanwhile, and those beside a carenet that is gone', async () => {
      const family = await carenetId('Family');
      await send(OLGA, { what: 'create', name: 'Choir' });
      const choir = await carenetId('Choir');
      const diary = `/records/${recordId}/documents/`;
      const { text } = succeeded(await service.call(olga, 'POST', diary, { body: '<Diary xmlns="urn:choir"/>' }));
      const shown = await sites[OLGA]!.open(page);
      const box = (id: string, kind: string): string =>
        new RegExp(`name="share" value="(${id} [^"]*#${kind})"`).exec(shown.text)![1]!;
      const [problems, inFamily, inChoir] = [box(family, 'Problem'), box(family, 'Diary'), box(choir, 'Diary')];
      const last = `${diary}${attribute(text, 'Document', 'id')}/replace`;
      succeeded(await service.call(olga, 'POST', last, { body: read('allergy/sample-peanut.xml') }));
      await send(OLGA, { what: 'delete', carenet: choir });
      expect(readable(await sites[OLGA]!.open(page))).to.not.contain('Diary');
      const crumb = sites[OLGA]!.cookies.get('crumb')!;
      const ticked = await sites[OLGA]!.post(page, [
        ['crumb', crumb],
        ['what', 'kinds'],
        ['share', problems],
        ['share', inFamily],
        ['share', inChoir],
      ]);
      expect(ticked.headers['location']).to.match(/\?note=saved-but$/);
      expect(readable(await sites[OLGA]!.open(String(ticked.headers['location'])))).to.contain('gone meanwhile');
      const types = await api('/autoshare/bytype/all');
      expect(types).to.contain('#Problem"').and.to.not.contain('Diary');
      const taken = await sites[OLGA]!.post(page, [
        ['crumb', crumb],
        ['what', 'kinds'],
        ['was', problems],
        ['was', inFamily],
        ['was', inChoir],
      ]);
      expect(taken.headers['location']).to.match(/\?note=saved$/);
      expect(await api('/autoshare/bytype/all')).to.not.contain('#Problem"');
    });

    it('shares the whole kind when the type that named its box has left meanwhile', async () => {
      const family = await carenetId('Family');
      const documents = `/records/${recordId}/documents/`;
      const { text } = succeeded(
        await service.call(olga, 'POST', documents, { body: '<Procedure xmlns="urn:choir"/>' }),
      );
      const box = `${family} urn:choir#Procedure`;
      expect((await sites[OLGA]!.open(page)).text).to.contain(`name="share" value="${box}"`);
      const last = `${documents}${attribute(text, 'Document', 'id')}/replace`;
      succeeded(await service.call(olga, 'POST', last, { body: read('allergy/sample-peanut.xml') }));
      expect(readable(await send(OLGA, { what: 'kinds', share: box }))).to.match(/Saved (?!,)/);
      expect(await api('/autoshare/bytype/all'))
        .to.contain('documents#Procedure"')
        .and.to.not.contain('choir');
      await send(OLGA, { what: 'kinds', was: box });
      expect(await api('/autoshare/bytype/all')).to.not.contain('#Procedure"');
    });

    it('tells of single documents, of those kept out, and of never share, as the carenet then holds', async () => {
      const family = await carenetId('Family');
      const [, medicine, secret, problem] = documents as [string, string, string, string];
      const at = (id: string): string => `/records/${recordId}/documents/${id}`;
      succeeded(await service.call(olga, 'PUT', `${at(problem)}/carenets/${family}`));
      succeeded(await service.call(olga, 'DELETE', `${at(medicine)}/carenets/${family}`));
      succeeded(await service.call(olga, 'PUT', `${at(secret)}/nevershare`));
      const answer = await sites[OLGA]!.open(page);
      expect(readable(answer)).to.contain([
        'Anna Berg sees medicines and one document that was put there.',
        'One document lies in it now. 2 documents of these kinds stay out',
        'never share',
        'not in Family',
      ]);
      expect(answer.text).to.contain(`/my/carenets/${family}/`);
      const held = succeeded(await service.call(olga, 'GET', `/carenets/${family}/documents/`)).text;
      expect([attribute(held, 'Documents', 'total_document_count'), held.includes(problem)]).to.equal(['1', true]);
    });

    it('shares the whole record and ends it, which only the owner sees and may', async () => {
      const wrong = await send(OLGA, { what: 'whole', who: OLGA });
      expect([wrong.status, readable(wrong).includes('This person owns the record')]).to.equal([400, true]);
      expect((await send(OLGA, { what: 'whole', who: '' })).status).to.equal(400);
      const shared = await send(OLGA, { what: 'whole', who: JONAS });
      expect(readable(shared)).to.contain(['One more person sees all of it', 'Jonas Sharer sees everything']);
      expect(await api('/shares/')).to.contain(JONAS);
      const his = await sites[JONAS]!.open(page);
      expect(his.status).to.equal(200);
      expect(readable(his)).to.contain(['Olga Owner owns this record', 'only the owner sees the list']);
      expect(readable(his)).to.not.contain('sees everything');
      expect((await send(JONAS, { what: 'whole', who: STRANGER })).status).to.equal(404);
      expect((await send(JONAS, { what: 'stop', account: JONAS })).status).to.equal(404);
      // He may share parts.
      expect((await send(JONAS, { what: 'create', name: 'By Jonas' })).status).to.equal(200);
      expect(readable(await send(OLGA, { what: 'stop', account: JONAS }))).to.contain('Not shared any more');
      expect((await sites[JONAS]!.get(page)).status).to.equal(404);
      expect(await api('/shares/')).to.not.contain(JONAS);
    });

    it('tells who is given a look by mail, once, and not of an app’s doing', async () => {
      const [guest, told] = ['gwen@people.example', 'A health record was shared with you'];
      await createAccount(service.call, guest, 'Gwen Guest');
      const mails = () => mailsIn(service.mailDir).filter(({ to }) => to.includes(guest));
      const family = await carenetId('Family');
      const added = readable(await send(OLGA, { what: 'add', carenet: family, who: guest }));
      expect(added).to.contain('Added, and told by mail');
      const part = await waitForMail(service.mailDir, guest, told);
      expect(part.text).to.contain('Olga Owner has shared a part of a health record with you');
      expect(part.text).to.not.contain('Halvorsen');
      expect(part.links).to.equal([`${service.services.baseUrl()}/my/carenets/${family}/`]);
      // The person is in the circle already and was told before.
      const again = readable(await send(OLGA, { what: 'add', carenet: family, who: guest }));
      expect(again).to.contain('They are in this circle already').and.to.not.contain('told by mail');
      const shared = readable(await send(OLGA, { what: 'whole', who: guest }));
      expect(shared).to.contain('Shared, and told by mail');
      expect((await waitForMail(service.mailDir, guest, told, 2)).links).to.equal([
        `${service.services.baseUrl()}/my/records/${recordId}/`,
      ]);
      const twice = readable(await send(OLGA, { what: 'whole', who: guest }));
      expect(twice).to.contain('They see everything already').and.to.not.contain('told by mail');
      await send(OLGA, { what: 'stop', account: guest });
      // The website sends no mail for what an app does for a person.
      const share = { form: { account_id: guest } };
      succeeded(await service.call(olga, 'POST', `/records/${recordId}/shares/`, share));
      succeeded(await service.call(admin, 'POST', `/accounts/${guest}/inbox/`, { form: { subject: 'Last' } }));
      await waitForMail(service.mailDir, guest, 'A message is waiting for you');
      expect(mails().filter(({ subject }) => subject === told)).to.have.length(2);
      await send(OLGA, { what: 'stop', account: guest });
      await send(OLGA, { what: 'take-out', carenet: family, account: guest });
    });

    it('is not there for members of a carenet, for strangers, and for nobody', async () => {
      for (const who of [ANNA, STRANGER]) {
        expect((await sites[who]!.get(page)).status).to.equal(404);
        const before = await api('/carenets/');
        const forms: readonly Readonly<Record<string, string>>[] = [
          { what: 'create', name: 'Mine' },
          { what: 'add', carenet: await carenetId('Family'), who },
          { what: 'delete', carenet: await carenetId('Family') },
          { what: 'kinds', share: `${await carenetId('Family')} x` },
        ];
        for (const fields of forms) {
          expect((await send(who, fields)).status).to.equal(404);
        }
        expect(await api('/carenets/')).to.equal(before);
      }
      const nobody = makeSite(service.running.server);
      expect((await nobody.get(page)).headers['location']).to.equal(`/my/sign-in?next=${encodeURIComponent(page)}`);
    });

    it('refuses forged forms and carenets of another record', async () => {
      const other = await createRecord(service.call, STRANGER, 'Other', 'Person');
      const strangers = await signIn(service.call, STRANGER);
      const list = succeeded(await service.call(strangers, 'GET', `/records/${other}/carenets/`)).text;
      const foreign = /<Carenet id="([^"]*)"/.exec(list)![1]!;
      for (const what of ['delete', 'rename', 'add', 'take-out']) {
        const answer = await send(OLGA, { what, carenet: foreign, name: 'x', who: ANNA, account: ANNA });
        expect(answer.status, what).to.equal(404);
      }
      expect(succeeded(await service.call(strangers, 'GET', `/records/${other}/carenets/`)).text).to.equal(list);
      const forged = await sites[OLGA]!.post(page, { what: 'create', name: 'Forged', crumb: 'x'.repeat(43) });
      expect(forged.status).to.equal(403);
      expect(await api('/carenets/')).to.not.contain('Forged');
    });
  });
}
