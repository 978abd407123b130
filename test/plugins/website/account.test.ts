/** account: records, account page and devices of a signed-in person, without a script; other people's are not shown. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { mailsIn, waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { admin, startService, ui, type TestService } from '../../support/server';
import { createAccount, PASSWORD, signIn, succeeded } from '../../support/world';
import * as accountStore from '../../../core/accounts/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '<img src=x onerror=alert(1)> "&\' {name}';

const pathTo = (id: string): string => `/accounts/${encodeURIComponent(id)}`;

for (const leg of databases) {
  describe(`a signed-in person on ${leg.name}`, () => {
    let service: TestService;
    let olga: Site;
    let paul: Site;
    const enter = async (id: string, password = PASSWORD, language = 'en'): Promise<Site> => {
      const site = makeSite(service.running.server, language);
      const page = await site.submit(await site.open('/my/sign-in'), { username: id, password });
      expect(page.status, readable(page)).to.equal(200);
      return site;
    };
    const idIn = (page: SitePage): string => /\/my\/records\/([\w-]{36})\//.exec(page.path)![1]!;
    const person = { given: 'Tor', family: 'Openshaw', born: '1941-08-08', sex: 'male' };
    const start = async (site: Site, fields: Partial<typeof person> = {}): Promise<SitePage> =>
      site.submit(await site.open('/my/start'), { ...person, ...fields });

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, PAUL, 'Paul');
      olga = await enter(OLGA);
      paul = await enter(PAUL);
    });
    after(() => service.stop());

    describe('records', () => {
      it('offers to start one, makes it theirs, and then leads straight on', async () => {
        const none = await olga.open('/my/');
        expect(readable(none)).to.contain(['No record is open to you yet.', 'Start a record']);
        const long = await start(olga, { given: 'x'.repeat(201) });
        expect([long.status, readable(long).includes('in at most 200 characters')]).to.equal([400, true]);
        const bad = await start(olga, { given: '', born: '1941-02-31' });
        expect([bad.status, (bad.text.match(/aria-invalid/g) ?? []).length]).to.equal([400, 2]);
        const made = await start(olga);
        expect(made.status).to.equal(200);
        expect(readable(made)).to.contain('Tor Openshaw Born 8 August 1941');
        expect((await olga.get('/my/')).headers['location']).to.equal(made.path);
        expect(
          await direct(service.services.database)('record')
            .where({ id: idIn(made) })
            .first(),
        ).to.include({
          owner_id: OLGA,
          creator_id: ui!.consumer.key,
        });
        expect((await paul.open('/my/start')).text).to.not.contain('value="Paul"');
        const second = await start(olga, { given: HOSTILE.slice(0, 30) });
        expect(second.text).to.not.contain('<img');
        expect(readable(await olga.open('/my/'))).to.contain(['2 records are open to you.', '<img src=x']);
        expect(readable(await olga.open('/my/?all=1'))).to.contain('Tor Openshaw');
      });

      it('starts one record by one form, however often and by whomever it is sent', async () => {
        const own = async (): Promise<number> =>
          Number((await direct(service.services.database)('record').count({ n: '*' }))[0]!['n']);
        const page = await olga.open('/my/start');
        const { fields } = formsOf(page).find(({ html }) => html.includes('name="given"'))!;
        const send = (site: Site, crumb: string) =>
          site.post('/my/start', { ...fields, ...person, given: 'Ida', crumb });
        const before = await own();
        const crumb = olga.cookies.get('crumb')!;
        const answers = [...(await Promise.all([send(olga, crumb), send(olga, crumb)])), await send(olga, crumb)];
        expect(answers.map(({ status }) => status)).to.equal([303, 303, 303]);
        expect(new Set(answers.map(({ headers }) => headers['location'])).size).to.equal(1);
        expect(await own()).to.equal(before + 1);
        await paul.open('/my/start');
        const pauls = await send(paul, paul.cookies.get('crumb')!);
        expect(pauls.headers['location']).to.not.equal(answers[0]!.headers['location']);
        expect(await own()).to.equal(before + 2);
        // After the record went to another person, the same form returns no record of that owner.
        const id = /records\/([\w-]{36})\//.exec(String(answers[0]!.headers['location']))![1]!;
        await direct(service.services.database)('record').where({ id }).update({ owner_id: PAUL });
        expect((await olga.open(String((await send(olga, crumb)).headers['location']))).status).to.equal(404);
        expect(await direct(service.services.database)('record').where({ id }).first()).to.include({ owner_id: PAUL });
        await direct(service.services.database)('record').where({ id }).update({ owner_id: OLGA });
      });

      it('shows what is shared, whole and in part, and nothing else', async () => {
        const recordId = idIn(await start(olga, { given: 'Una' }));
        const hers = await signIn(service.call, OLGA);
        succeeded(await service.call(hers, 'POST', `/records/${recordId}/shares/`, { form: { account_id: PAUL } }));
        const page = await paul.open('/my/?all=1');
        expect(readable(page)).to.contain(['Shared with you, whole', 'Una Openshaw']);
        expect(readable(page)).to.not.contain('Tor Openshaw');
        expect((await paul.open(`/my/records/${recordId}/`)).status).to.equal(200);
      });

      it('answers what is not theirs as what is not there', async () => {
        const theirs = idIn(await start(olga, { given: 'Private' }));
        const pages = [`/my/records/${theirs}/`, '/my/records/none/', '/my/nothing', '/my/records/%00/'];
        const texts = [];
        for (const path of pages) {
          const page = await paul.get(path);
          expect(page.status, path).to.equal(404);
          texts.push(readable(page).replace(/reference \w+/, ''));
        }
        expect([...new Set(texts.map((text) => text.replace(/\d\d:\d\d/, '')))]).to.have.length(1);
      });

      it('leaves a row for every operation, with the person, the website and the page', async () => {
        const made = await start(olga, { given: 'Audited' });
        const rows = (await direct(service.services.database)('audit').where({ record_id: idIn(made) })) as {
          function_name: string;
        }[];
        const row = (name: string) => rows.find(({ function_name }) => function_name === name);
        expect(row('record_create')).to.include({
          principal_id: ui!.consumer.key,
          url: '/my/start',
          method: 'POST',
          successful: 1,
        });
        expect(row('record_set_owner')).to.include({ principal_id: ui!.consumer.key, url: '/my/start' });
        expect(row('record_overview')).to.include({
          principal_id: OLGA,
          proxy_id: ui!.consumer.key,
          url: `/my/records/${idIn(made)}/`,
          method: 'GET',
        });
      });
    });

    describe('the account page', () => {
      const send = async (site: Site, fields: Readonly<Record<string, string>>): Promise<SitePage> =>
        site.submit(await site.open('/my/account'), fields);

      it('changes the name, and shows as text what it was given', async () => {
        const page = await send(paul, { what: 'person', name: HOSTILE, email: PAUL });
        expect(page.status).to.equal(200);
        expect(readable(page)).to.contain(['Saved', HOSTILE]);
        expect(page.text).to.not.contain('<img');
        const bad = await send(paul, { what: 'person', name: '', email: 'nothing' });
        expect([bad.status, (bad.text.match(/aria-invalid/g) ?? []).length]).to.equal([400, 2]);
      });

      it('takes a new e-mail address once its mail was followed, by the same person', async () => {
        const other = 'paul.new@people.example';
        const address = async (): Promise<unknown> =>
          (await accountStore.findAccount(service.services.database.reads, PAUL))!.contactEmail;
        expect(readable(await send(paul, { what: 'person', name: 'Paul', email: other }))).to.contain(
          'We mailed a link',
        );
        expect(await address()).to.equal(PAUL);
        const mail = await waitForMail(service.mailDir, other, 'Your new e-mail address');
        const link = mail.links[0]!.replace(service.services.baseUrl(), '');
        const hers = await olga.submit(await olga.open(link), {}, 'Use this address');
        expect(hers.status).to.equal(403);
        expect(await address()).to.equal(PAUL);
        const page = await paul.open(link);
        expect(await address()).to.equal(PAUL);
        expect(readable(await paul.submit(page, {}, 'Use this address'))).to.contain('is in use from now on');
        expect(await address()).to.equal(other);
        const told = await waitForMail(service.mailDir, PAUL, 'Your e-mail address was changed');
        expect(told.text).to.contain(`is ${other} now`);
        // A second press gives the same answer; the link itself cannot be used again.
        expect(readable(await paul.submit(page, {}, 'Use this address'))).to.contain('is in use from now on');
        expect((await paul.submit(await paul.open(link), {}, 'Use this address')).status).to.equal(403);
        expect(mailsIn(service.mailDir).filter(({ subject }) => subject === told.subject)).to.have.length(1);
      });

      it('mails no more links to new addresses in a minute than the limit allows', async () => {
        const wendy = 'wendy@people.example';
        await createAccount(service.call, wendy, 'Wendy');
        const site = await enter(wendy);
        const allowed = service.services.config.rateAccountPerMinute;
        let sent = 0;
        let status = 200;
        // The mails may have been sent in two minutes.
        for (; status === 200 && sent <= 2 * allowed; sent += status === 200 ? 1 : 0) {
          ({ status } = await send(site, {
            what: 'person',
            name: 'Wendy',
            email: `stranger${sent}@elsewhere.example`,
          }));
        }
        expect([status, sent >= allowed, sent <= 2 * allowed]).to.equal([429, true, true]);
      });

      it('floods nobody with mails about a user name, and refuses no change of it', async () => {
        const viola = 'viola@people.example';
        await createAccount(service.call, viola, 'Viola');
        const hers = await signIn(service.call, viola);
        const allowed = service.services.config.rateAccountPerMinute;
        // More changes than two minutes may send mails for.
        for (let number = 0; number < 2 * allowed + 2; number += 1) {
          const form = { username: `viola${number}` };
          succeeded(await service.call(hers, 'POST', `${pathTo(viola)}/authsystems/password/set-username`, { form }));
        }
        await waitForMail(service.mailDir, viola, 'Your user name was changed', allowed);
        succeeded(await service.call(admin, 'POST', `${pathTo(viola)}/inbox/`, { form: { subject: 'The last' } }));
        await waitForMail(service.mailDir, viola, 'A message is waiting for you');
        const told = mailsIn(service.mailDir).filter(({ to, subject }) => to.includes(viola) && /name/.test(subject));
        expect(told.length).to.be.between(allowed - 1, 2 * allowed + 1);
      });

      it('leaves the time zone unchosen for who changes the language only, until one is chosen', async () => {
        const first = await paul.open('/my/account');
        expect(first.text).to.match(/<option value selected[^>]*>Not chosen: times are shown in UTC</);
        const said = await send(paul, { what: 'manner', language: 'es', zone: '' });
        expect(said.text)
          .to.contain('lang="es"')
          .and.to.match(/<option value selected/);
        await send(paul, { what: 'manner', language: 'en', zone: 'Asia/Tokyo' });
        expect((await send(paul, { what: 'manner', language: 'en', zone: '' })).text)
          .to.match(/<option value="Asia\/Tokyo" selected/)
          .and.to.not.contain('Not chosen');
      });

      it('keeps language and time zone as user preferences, for all browsers and the next sign-in', async () => {
        const elsewhere = await enter(PAUL);
        const page = await send(paul, { what: 'manner', language: 'ar', zone: 'Europe/Oslo' });
        expect(page.text).to.match(/<html lang="ar" dir="rtl">/);
        expect((await elsewhere.open('/my/account')).text).to.match(/<html lang="ar" dir="rtl">/);
        expect((await (await enter(PAUL, PASSWORD, 'de')).open('/my/account')).text).to.contain('lang="ar" dir="rtl"');
        const his = await signIn(service.call, PAUL);
        const stored = await service.call(his, 'GET', `${pathTo(PAUL)}/apps/${ui!.consumer.key}/preferences`);
        expect([stored.status, JSON.parse(stored.text)]).to.equal([200, { language: 'ar', zone: 'Europe/Oslo' }]);
        await send(paul, { what: 'manner', language: 'en', zone: 'UTC' });
        expect((await send(paul, { what: 'manner', language: 'xx', zone: 'Nowhere' })).text).to.contain('lang="en"');
      });

      it('changes the password, which ends every other session', async () => {
        const other = await enter(OLGA);
        const hers = await signIn(service.call, OLGA);
        const wrong = await send(olga, { what: 'password', old: 'not the old one', new: 'another good password' });
        expect([wrong.status, readable(wrong).includes('This is not your old password')]).to.equal([403, true]);
        // A second press of the button finds the password changed.
        expect(readable(wrong)).to.contain('If you sent the form twice, the new one is in use already.');
        const weak = await send(olga, { what: 'password', old: PASSWORD, new: 'short' });
        expect(weak.status).to.equal(400);
        expect((await other.get('/my/account')).status).to.equal(200);
        const done = await send(olga, { what: 'password', old: PASSWORD, new: 'another good password' });
        expect(readable(done)).to.contain('Your new password is in use from now on');
        expect((await other.get('/my/account')).status).to.equal(303);
        expect((await service.call(hers, 'GET', pathTo(OLGA))).status).to.equal(403);
        expect((await olga.get('/my/account')).status).to.equal(200);
      });

      it('lists where they are signed in, and signs out there', async () => {
        const phone = makeSite(service.running.server);
        phone.headers['user-agent'] =
          'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1';
        await phone.submit(await phone.open('/my/sign-in'), { username: OLGA, password: 'another good password' });
        const page = await olga.open('/my/account');
        expect(readable(page)).to.contain('Safari on iPhone');
        const form = formsOf(page).find(({ html }) => html.includes('Safari on iPhone'))!;
        const stolen = await paul.submit(await paul.open('/my/account'), {}, 'name="what" value="person"');
        expect(stolen.status).to.equal(200);
        const crumb = paul.cookies.get('crumb')!;
        expect((await paul.post('/my/account', { ...form.fields, crumb })).status).to.equal(404);
        expect((await phone.get('/my/account')).status).to.equal(200);
        expect(readable(await olga.submit(page, {}, 'Safari on iPhone'))).to.contain('Signed out there');
        const twice = await olga.submit(page, {}, 'Safari on iPhone');
        expect([twice.status, readable(twice).includes('It is not signed in there any more')]).to.equal([404, true]);
        expect(readable(twice)).to.contain('Where you are signed in');
        expect((await phone.get('/my/account')).status).to.equal(303);
        expect((await olga.get('/my/account')).status).to.equal(200);
      });
    });

    describe('an account that ends', () => {
      it('loses an open page as soon as an admin app disables the account', async () => {
        const page = await paul.open('/my/account');
        succeeded(await service.call(admin, 'POST', `${pathTo(PAUL)}/set-state`, { form: { state: 'disabled' } }));
        const late = await paul.submit(page, { what: 'person', name: 'Late', email: PAUL });
        expect(late.status).to.equal(403);
        expect((await paul.get('/my/')).status).to.equal(303);
      });
    });
  });
}
