/**
 * names: a user name that is the e-mail address of somebody else. Whoever has one gets nothing that was meant for that
 * person.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { tellFreedNames } from '../../core/accounts/freed-names';
import { systemClock } from '../../core/base/clock';
import { migrateCore } from '../../core/db/migrations/migrate';
import type { Answer, Credentials } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { mailsIn, waitForMail } from '../support/mails';
import { until } from '../support/receiver';
import { admin, startService, ui, type TestService } from '../support/server';
import { formsOf, makeSite, readable, type Site } from '../support/site';
import { createAccount, createRecord, PASSWORD, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const ANNA = 'anna@people.example';
const EVE = 'eve@people.example';
const MIA = 'mia@people.example';
const at = (id: string): string => `/accounts/${encodeURIComponent(id)}`;

for (const leg of databases) {
  describe(`user names that are somebody's address on ${leg.name}`, () => {
    let service: TestService;
    let eve: Exclude<Credentials, null>;
    let olga: Site;
    let recordId: string;

    const named = (who: Credentials, id: string, username: string): Promise<Answer> =>
      service.call(who, 'POST', `${at(id)}/authsystems/password/set-username`, { form: { username } });
    const setAddress = (who: Credentials, id: string, address: string): Promise<Answer> =>
      service.call(who, 'POST', `${at(id)}/info-set`, { form: { contact_email: address } });
    const nameOf = async (id: string): Promise<string> =>
      /<authSystem name="password" username="([^"]*)"/.exec((await service.call(admin, 'GET', at(id))).text)![1]!;
    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      await site.open('/my/account');
      return site;
    };
    const mailSays = (to: string, subject: string, words: string): Promise<void> =>
      until(() =>
        mailsIn(service.mailDir).some(
          (mail) => mail.to.includes(to) && mail.subject === subject && mail.text.includes(words),
        ),
      );
    const post = (site: Site, path: string, fields: Readonly<Record<string, string>>) =>
      site.post(path, { crumb: site.cookies.get('crumb')!, ...fields });

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Owner');
      await createAccount(service.call, ANNA, 'Anna Berg');
      // Her address is nobody's user name, so that somebody else could take it as one.
      succeeded(await named(admin, ANNA, 'anna'));
      await createAccount(service.call, EVE, 'Anna Berg');
      eve = await signIn(service.call, EVE);
      olga = await enter(OLGA);
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
    });
    after(() => service.stop());

    it('are refused, whoever sets them, and whatever address the account has given itself', async () => {
      succeeded(await named(eve, EVE, 'eve'));
      for (const who of [eve, admin]) {
        for (const address of [ANNA, ANNA.toUpperCase(), 'nobody@people.example', 'any@thing']) {
          const refused = await named(who, EVE, address);
          expect([refused.status, refused.text], address).to.contain(400);
          expect(refused.text, address).to.contain('foreign_address');
        }
      }
      // The address that she gives herself by a call of the interface has been confirmed by nobody.
      succeeded(await setAddress(eve, EVE, 'unknown@people.example'));
      expect((await named(eve, EVE, 'unknown@people.example')).text).to.contain('foreign_address');
      expect(await nameOf(EVE)).to.equal('eve');
      // One that an admin app gives counts, unless it is the id of another account.
      succeeded(await setAddress(admin, EVE, 'eve@mail.example'));
      succeeded(await named(eve, EVE, 'eve@mail.example'));
      succeeded(await setAddress(admin, EVE, ANNA));
      expect((await named(eve, EVE, ANNA)).text).to.contain('code="duplicate"');
      succeeded(await named(eve, EVE, EVE));
      succeeded(await setAddress(admin, EVE, EVE));
    });

    it('are refused when an account is activated, and by the page that the mail leads to', async () => {
      const created = { account_id: MIA, full_name: 'Mia', secondary_secret_p: '0' };
      succeeded(await service.call(admin, 'POST', '/accounts/', { form: created }));
      const { links } = await waitForMail(service.mailDir, MIA, 'Activate your account');
      const site = makeSite(service.running.server);
      const page = await site.open(new URL(links.find((link) => link.includes('/init/'))!).pathname);
      const refused = await site.submit(page, { username: ANNA, password: PASSWORD });
      expect([refused.status, readable(refused).includes('Use your own e-mail address')]).to.equal([400, true]);
      const form = { system: 'password', username: ANNA, password: PASSWORD };
      const added = await service.call(admin, 'POST', `${at(MIA)}/authsystems/`, { form });
      expect([added.status, added.text.includes('foreign_address')]).to.equal([400, true]);
      succeeded(await service.call(admin, 'POST', `${at(MIA)}/authsystems/`, { form: { ...form, username: MIA } }));
    });

    it('end when the address is given up, and the account signs in with its id', async () => {
      succeeded(await setAddress(admin, MIA, 'mia@mail.example'));
      succeeded(await named(admin, MIA, 'mia@mail.example'));
      succeeded(await setAddress(admin, MIA, 'other@mail.example'));
      expect(await nameOf(MIA)).to.equal(MIA);
      await mailSays('mia@mail.example', 'Your user name was changed', `is ${MIA} now`);
      await signIn(service.call, MIA);
    });

    it('are no id of a new account while another account has them', async () => {
      succeeded(await setAddress(admin, MIA, 'new@mail.example'));
      succeeded(await named(admin, MIA, 'new@mail.example'));
      const taken = await service.call(admin, 'POST', '/accounts/', { form: { account_id: 'new@mail.example' } });
      expect([taken.status, taken.text.includes('code="duplicate"')]).to.equal([400, true]);
      succeeded(await setAddress(admin, MIA, MIA));
      const form = { account_id: 'new@mail.example', primary_secret_p: '0' };
      succeeded(await service.call(admin, 'POST', '/accounts/', { form }));
    });

    it('and ids are never given away twice by calls that come together', async () => {
      const ids = Array.from({ length: 8 }, (_, number) => `both${number}@mail.example`);
      for (const id of ids) {
        succeeded(await setAddress(admin, MIA, id));
        const [name, account] = await Promise.all([
          named(admin, MIA, id),
          service.call(admin, 'POST', '/accounts/', { form: { account_id: id, primary_secret_p: '0' } }),
        ]);
        expect([name.status, account.status].filter((status) => status === 200).length, id).to.equal(1);
        succeeded(await setAddress(admin, MIA, MIA));
      }
    });

    it('lead nowhere where they are older than the rule: not to a share, an offer, or a new password', async () => {
      // A row of an earlier release.
      await direct(service.services.database)('account_auth_system')
        .where({ account_id: EVE })
        .update({ username: ANNA });
      const page = `/my/records/${recordId}/sharing`;
      for (const [path, fields] of [
        [page, { what: 'whole', who: ANNA, sure: EVE }],
        [page, { what: 'whole', who: ANNA, sure: ANNA }],
        [`/my/records/${recordId}/hand-over`, { what: 'offer', name: ANNA, sure: EVE }],
      ] as const) {
        expect((await post(olga, path, fields)).status, JSON.stringify(fields)).to.equal(400);
      }
      const asking = makeSite(service.running.server);
      await asking.submit(await asking.open('/my/forgot-password'), { name: ANNA });
      await asking.submit(await asking.open('/my/forgot-password'), { name: OLGA });
      await waitForMail(service.mailDir, OLGA, 'Your password');
      const to = mailsIn(service.mailDir).filter(({ subject }) => subject === 'Your password');
      expect(to.map((mail) => mail.to).join())
        .to.not.contain(EVE)
        .and.to.not.contain(ANNA);
    });

    it('are freed by the migration, two that were exchanged as well, and both people are told once', async () => {
      const { database } = service.services;
      const on = direct(database);
      await createAccount(service.call, 'xan@people.example', 'Xan');
      await createAccount(service.call, 'yun@people.example', 'Yun');
      const login = (id: string) => on('account_auth_system').where({ account_id: id });
      await login('yun@people.example').update({ username: 'between' });
      await login('xan@people.example').update({ username: 'yun@people.example' });
      await login('yun@people.example').update({ username: 'xan@people.example' });
      await on('migration').where({ name: '034-own-names' }).delete();
      expect(await migrateCore(database, systemClock)).to.equal(['034-own-names']);
      expect([await nameOf(EVE), await nameOf(OLGA)]).to.equal([EVE, OLGA]);
      expect([await nameOf('xan@people.example'), await nameOf('yun@people.example')]).to.equal([
        'xan@people.example',
        'yun@people.example',
      ]);
      await signIn(service.call, EVE);
      await Promise.all([tellFreedNames(service.services), tellFreedNames(service.services)]);
      await tellFreedNames(service.services);
      await mailSays(EVE, 'Your user name was changed', `your user name was ${ANNA}.`);
      const told = await waitForMail(service.mailDir, ANNA, 'Your e-mail address is yours alone again');
      expect(told.text).to.contain(ANNA).and.to.not.contain(EVE);
      // The two who had exchanged their names are told the same.
      await Promise.all(['xan', 'yun'].map((name) => mailSays(name, 'Your e-mail address is yours alone again', name)));
      expect(mailsIn(service.mailDir).filter(({ subject }) => subject.includes('yours alone'))).to.have.length(3);
      expect(await on('freed_username').first()).to.be.undefined();
    });

    it('are shown with the account that they lead to, before anything is shared or offered', async () => {
      const page = `/my/records/${recordId}/sharing`;
      const { text } = succeeded(
        await service.call(await signIn(service.call, OLGA), 'GET', `/records/${recordId}/carenets/`),
      );
      const carenet = /<Carenet id="([^"]*)"/.exec(text)![1]!;
      const shares = async (): Promise<string> =>
        succeeded(await service.call(await signIn(service.call, OLGA), 'GET', `/records/${recordId}/shares/`)).text;
      for (const [path, fields, done] of [
        [page, { what: 'whole', who: ANNA.toUpperCase() }, `${page}?note=shared`],
        [page, { what: 'add', carenet, who: ANNA }, `${page}?note=added`],
        [`/my/records/${recordId}/hand-over`, { what: 'offer', name: ANNA }, `/my/records/${recordId}/hand-over`],
      ] as const) {
        for (const sure of ['', EVE, 'anna']) {
          const asked = await post(olga, path, { ...fields, sure });
          expect([asked.status, readable(asked).includes(`account of Anna Berg, ${ANNA}`)], path).to.equal([200, true]);
        }
        expect((await shares()).includes(ANNA), path).to.equal(fields.what !== 'whole');
        const asked = await post(olga, path, fields);
        const form = formsOf(asked).find(({ html }) => html.includes('name="sure"'))!;
        const yes = await olga.post(form.action, form.fields);
        expect([yes.status, yes.headers['location']], path).to.equal([303, done]);
      }
      expect(await shares())
        .to.contain(ANNA)
        .and.to.not.contain(EVE);
    });

    it('tell nobody else who has an account', async () => {
      const crumbed = await enter(EVE);
      for (const who of [ANNA, 'nobody@people.example']) {
        for (const [path, fields] of [
          [`/my/records/${recordId}/sharing`, { what: 'whole', who }],
          [`/my/records/${recordId}/hand-over`, { what: 'offer', name: who }],
        ] as const) {
          const answer = await post(crumbed, path, fields);
          expect([answer.status, answer.text.includes('Anna Berg, ')], path).to.equal([404, false]);
        }
      }
      expect((await service.call(ui, 'GET', `/records/${recordId}/person-named?name=${ANNA}`)).status).to.equal(404);
    });
  });
}
