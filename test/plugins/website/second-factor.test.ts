/**
 * second factor: a code after the password, from the first picture to a lost telephone; and every way to sign in
 * without a code fails.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Secret, TOTP } from 'otpauth';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { mailsIn, waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { createAccount, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PAGE = '/my/account/second-factor';
const WRONG = 'The code is not right';

for (const leg of databases) {
  describe(`the second factor on ${leg.name}`, () => {
    let service: TestService;
    let started = 0;
    const realNow = Date.now;
    let ahead = 0;
    /** Moves the clock forward, for the service and for the app that shows codes. */
    const wait = (seconds: number): void => {
      ahead += seconds * 1000;
    };
    /** Runs work with the machine's clock, with which calls are signed. */
    const atPresent = async <T>(work: () => Promise<T>): Promise<T> => {
      const before = ahead;
      ahead = 0;
      try {
        return await work();
      } finally {
        ahead = before;
      }
    };
    const makePerson = (id: string, name: string): Promise<void> =>
      atPresent(() => createAccount(service.call, id, name));
    const codeOf = (secret: string): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });
    const secretIn = (page: SitePage): string => /otpauth:\/\/totp\/[^"]*?secret=([A-Z2-7]+)/.exec(page.text)![1]!;
    const codesIn = (page: SitePage): readonly string[] =>
      [...page.text.matchAll(/<code>([A-Z2-9]{4}(?:-[A-Z2-9]{4}){3})<\/code>/g)].map((match) => match[1]!);

    const give = async (site: Site, id: string, password = PASSWORD, next = ''): Promise<SitePage> =>
      site.submit(await site.open(`/my/sign-in${next}`), { username: id, password });
    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      const page = await give(site, id);
      expect(page.status, readable(page)).to.equal(200);
      return site;
    };
    /** A new person whose account requires codes. */
    const protectedPerson = async (): Promise<{ id: string; site: Site; secret: string; codes: readonly string[] }> => {
      started += 1;
      const id = `person${started}@people.example`;
      await makePerson(id, `Person ${started}`);
      const site = await enter(id);
      const page = await site.open(PAGE);
      const secret = secretIn(page);
      const codes = codesIn(await site.submit(page, { code: codeOf(secret) }, 'value="on"'));
      wait(60);
      return { id, site, secret, codes };
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0', SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      Date.now = () => realNow() + ahead;
    });
    after(async () => {
      Date.now = realNow;
      await service.stop();
    });

    describe('turning it on', () => {
      it('shows a picture, a link and a text of one secret, and stores nothing before a code has come', async () => {
        await makePerson('nora@people.example', 'Nora');
        const site = await enter('nora@people.example');
        expect(readable(await site.open('/my/account'))).to.contain('At present only your password is asked for.');
        const page = await site.open(PAGE);
        const secret = secretIn(page);
        expect(page.text).to.contain(['<svg class="qr"', 'otpauth://totp/', 'issuer=Health%20record']);
        expect(readable(page).replaceAll(' ', '')).to.contain(secret);
        expect(secret).to.have.length(32);

        const wrong = await site.submit(page, { code: '000000' }, 'value="on"');
        expect([wrong.status, secretIn(wrong)]).to.equal([403, secret]);
        expect(wrong.text).to.contain(['role="alert"', 'aria-invalid', WRONG]);
        expect((await site.submit(page, { code: '' }, 'value="on"')).status).to.equal(400);
        expect(await direct(service.services.database)('second_factor')).to.equal([]);

        const done = await site.submit(wrong, { code: codeOf(secret).replace(/(...)/, '$1 ') }, 'value="on"');
        expect(done.status, readable(done)).to.equal(200);
        expect(new Set(codesIn(done)).size).to.equal(10);
        const again = await site.open(PAGE);
        expect(readable(again)).to.contain(['After your password a code is asked for', '10 are left']);
        expect(again.text).to.not.contain([secret, codesIn(done)[0]!]);
        await waitForMail(service.mailDir, 'nora@people.example', 'Codes at sign-in are on');
        expect(done.text).to.contain('<p class="print-only">nora@people.example. Printed on');
        // A second press, or a second window: the recovery codes of the first response cannot be shown again.
        const twice = await site.submit(wrong, { code: codeOf(secret) }, 'value="on"');
        expect([twice.status, readable(twice).includes('Recovery codes are shown once')]).to.equal([200, true]);
      });

      it('keeps the secret sealed and the recovery codes as hashes', async () => {
        const { id, secret, codes } = await protectedPerson();
        const knex = direct(service.services.database);
        const [factor] = (await knex('second_factor').where({ account_id: id })) as { secret: string }[];
        expect(factor!.secret).to.not.contain(secret);
        expect(service.services.sealing.open(factor!.secret)).to.equal(secret);
        const hashes = (await knex('recovery_code').where({ account_id: id }).pluck('code_hash')) as string[];
        expect(hashes).to.have.length(10);
        expect(hashes.filter((hash) => codes.includes(hash))).to.equal([]);
      });

      it('takes no offer that was made for somebody else, or that was made up', async () => {
        await makePerson('mallory@people.example', 'Mallory');
        const { site, secret } = await protectedPerson();
        const mallory = await enter('mallory@people.example');
        await makePerson('victim@people.example', 'Victim');
        const victim = await enter('victim@people.example');
        const theirs = await mallory.open(PAGE);
        const { offer } = formsOf(theirs).find(({ fields }) => 'offer' in fields)!.fields;
        const { crumb } = formsOf(await victim.open(PAGE)).find(({ fields }) => 'offer' in fields)!.fields;
        const code = codeOf(secretIn(theirs));
        for (const sent of [offer!, 'x', secret, service.services.sealing.seal('{"secret":"A"}')]) {
          const page = await victim.post(PAGE, { crumb: crumb!, what: 'on', offer: sent, code });
          expect(page.status).to.equal(403);
        }
        expect(readable(await site.open(PAGE))).to.contain('10 are left');
      });
    });

    describe('signing in', () => {
      it('asks for the code after the right password, and leads on to what was asked for', async () => {
        const { id, secret } = await protectedPerson();
        const site = makeSite(service.running.server);
        const asked = await give(site, id, PASSWORD, '?next=%2Fmy%2Faccount');
        expect([asked.status, asked.path]).to.equal([200, '/my/sign-in']);
        expect(readable(asked)).to.contain(['Your code', 'Six digits from your app']);
        expect(site.cookies.has('svc_session')).to.be.false();
        expect((await site.get('/my/account')).status).to.equal(303);
        const inside = await site.submit(asked, { code: codeOf(secret) });
        expect([inside.status, inside.path]).to.equal([200, '/my/account']);
        expect([...site.cookies.keys()].sort()).to.equal(['crumb', 'svc_session']);
        // The token of the waiting sign-in cannot be used a second time, and never works as a cookie.
        wait(60);
        const late = await site.submit(asked, { code: codeOf(secret) });
        expect(late.status).to.equal(403);
        const other = makeSite(service.running.server);
        other.cookies.set('svc_session', formsOf(asked).at(-1)!.fields['waiting']!);
        expect((await other.get('/my/account')).status).to.equal(303);
      });

      it('brings a form back whose session had ended, behind the code only', async () => {
        const { id, site, secret } = await protectedPerson();
        const page = await site.open('/my/start');
        await direct(service.services.database)('session_token')
          .where({ account_id: id })
          .update({ last_used_at: '2020-01-01T00:00:00.000000Z' });
        const late = await site.submit(page, { given: 'Mira', family: 'Kept' });
        const asked = await site.submit(late, { username: id, password: PASSWORD });
        expect(readable(asked)).to.contain('Your code');
        const inside = await site.submit(asked, { code: codeOf(secret) });
        const again = await site.submit(inside, {}, 'name="kept"');
        expect([again.path, again.text.includes('value="Kept"')]).to.equal(['/my/start', true]);
      });

      it('keeps a session on this device only from the code on', async () => {
        const { id, secret } = await protectedPerson();
        const site = makeSite(service.running.server);
        const page = await site.open('/my/sign-in');
        const asked = await site.submit(page, { username: id, password: PASSWORD, keep: 'on' });
        const kept = () =>
          direct(service.services.database)('session_token').where({ account_id: id, kept: 1 }).pluck('token_hash');
        expect([site.cookies.has('svc_session'), await kept()]).to.equal([false, []]);
        const wrong = await site.submit(asked, { code: '000000' });
        expect([wrong.status, await kept()]).to.equal([403, []]);
        await site.submit(wrong, { code: codeOf(secret) });
        expect(site.cookies.has('svc_session')).to.be.true();
        expect(await kept()).to.have.length(1);
      });

      it('says nothing of a code after a wrong password, and asks nobody else for one', async () => {
        const { id } = await protectedPerson();
        const page = await give(makeSite(service.running.server), id, 'not the password');
        expect([page.status, formsOf(page).some(({ fields }) => 'code' in fields)]).to.equal([403, false]);
        await makePerson('plain@people.example', 'Plain');
        expect((await enter('plain@people.example')).cookies.has('svc_session')).to.be.true();
      });

      it('takes each code once, also from two browsers at the same moment', async () => {
        const { id, secret } = await protectedPerson();
        const [one, two] = [makeSite(service.running.server), makeSite(service.running.server)];
        const [first, second] = [await give(one, id), await give(two, id)];
        const code = codeOf(secret);
        await Promise.all([one.submit(first, { code }), two.submit(second, { code })]);
        expect([one, two].filter(({ cookies }) => cookies.has('svc_session'))).to.have.length(1);
        const third = makeSite(service.running.server);
        const refused = await third.submit(await give(third, id), { code });
        expect(refused.status).to.equal(403);
        expect(refused.text).to.contain(['role="alert"', WRONG]);
        wait(30);
        expect((await third.submit(refused, { code: codeOf(secret) })).status).to.equal(200);
        expect(third.cookies.has('svc_session')).to.be.true();
      });

      it('takes no old code and none of tomorrow', async () => {
        const { id, secret } = await protectedPerson();
        const site = makeSite(service.running.server);
        const asked = await give(site, id);
        const old = codeOf(secret);
        wait(90);
        expect((await site.submit(asked, { code: old })).status).to.equal(403);
        wait(300);
        const ahead = codeOf(secret);
        wait(-300);
        expect((await site.submit(asked, { code: ahead })).status).to.equal(403);
        expect(site.cookies.has('svc_session')).to.be.false();
      });

      it('ends a sign-in whose code does not come, or whose password was changed meanwhile', async () => {
        const { id, secret, site: owner } = await protectedPerson();
        const slow = makeSite(service.running.server);
        const asked = await give(slow, id);
        wait(601);
        const late = await slow.submit(asked, { code: codeOf(secret) });
        expect(late.path).to.equal('/my/sign-in?note=late');
        expect(readable(late)).to.contain('It took too long');

        const thief = makeSite(service.running.server);
        const waiting = await give(thief, id);
        const fresh = makeSite(service.running.server);
        await fresh.submit(await give(fresh, id), { code: codeOf(secret) });
        // A waiting sign-in is not listed as a session.
        expect(formsOf(await fresh.open('/my/account')).filter(({ fields }) => 'session' in fields)).to.have.length(1);
        const changed = await fresh.submit(await fresh.open('/my/account'), {
          old: PASSWORD,
          new: 'another-password-7',
        });
        expect(changed.path).to.contain('note=password');
        wait(60);
        expect((await thief.submit(waiting, { code: codeOf(secret) })).path).to.equal('/my/sign-in?note=late');
        expect(owner).to.exist();
      });

      it('closes the way for codes of the app after some wrong ones, and tells the person', async () => {
        const { id, secret, codes } = await protectedPerson();
        const site = makeSite(service.running.server);
        let page = await give(site, id);
        for (const code of ['000000', '111111', 'not-a-code']) {
          page = await site.submit(page, { code });
          expect([page.status, readable(page).includes(WRONG)]).to.equal([403, true]);
        }
        const mail = await waitForMail(service.mailDir, id, 'Wrong codes at sign-in');
        expect(mail.text).to.contain('choose a new password now');
        // A right password does not reset the count.
        const closed = await site.submit(await give(site, id), { code: codeOf(secret) });
        expect(closed.status).to.equal(429);
        expect(site.cookies.has('svc_session')).to.be.false();
        const paper = makeSite(service.running.server);
        await paper.submit(await give(paper, id), { code: codes[0]! });
        expect(paper.cookies.has('svc_session')).to.be.true();
        expect(
          mailsIn(service.mailDir).filter(({ to, subject }) => to.includes(id) && /Wrong/.test(subject)),
        ).to.have.length(1);
      });

      it('opens the way again after a while', async () => {
        const { id, secret } = await protectedPerson();
        const site = makeSite(service.running.server);
        let page = await give(site, id);
        for (const code of ['000000', '111111', '222222']) {
          page = await site.submit(page, { code });
        }
        expect((await site.submit(await give(site, id), { code: codeOf(secret) })).status).to.equal(429);
        wait(901);
        await site.submit(await give(site, id), { code: codeOf(secret) });
        expect(site.cookies.has('svc_session')).to.be.true();
      });

      it('takes a recovery code once, however it was typed, and mails that it was used', async () => {
        const { id, codes, secret } = await protectedPerson();
        const typed = codes[3]!.toLowerCase().replaceAll('-', ' ');
        const site = makeSite(service.running.server);
        await site.submit(await give(site, id), { code: typed });
        expect(site.cookies.has('svc_session')).to.be.true();
        expect(readable(await site.open(PAGE))).to.contain('9 are left');
        await waitForMail(service.mailDir, id, 'A recovery code was used');
        const again = makeSite(service.running.server);
        const refused = await again.submit(await give(again, id), { code: codes[3]! });
        expect([refused.status, again.cookies.has('svc_session')]).to.equal([403, false]);

        const renewed = codesIn(await site.submit(await site.open(PAGE), { code: codeOf(secret) }, 'value="codes"'));
        expect(renewed).to.have.length(10);
        const old = makeSite(service.running.server);
        expect((await old.submit(await give(old, id), { code: codes[4]! })).status).to.equal(403);
        await old.submit(await give(old, id), { code: renewed[4]! });
        expect(old.cookies.has('svc_session')).to.be.true();
      });

      it('asks for the code also after a forgotten password was replaced', async () => {
        const { id, secret } = await protectedPerson();
        const site = makeSite(service.running.server);
        const shown = await site.submit(await site.open('/my/forgot-password'), { name: id });
        const digits = /\b\d{6}\b/.exec(readable(shown))![0];
        const mail = await waitForMail(service.mailDir, id, 'Your password');
        const link = mail.links.find((one) => one.includes('/reset_password/'))!;
        const form = await site.open(link.replace(service.services.baseUrl(), ''));
        const asked = await site.submit(form, { code: digits, password: 'quite-another-password' });
        expect(readable(asked)).to.contain('Six digits from your app');
        expect(site.cookies.has('svc_session')).to.be.false();
        await site.submit(asked, { code: codeOf(secret) });
        expect(site.cookies.has('svc_session')).to.be.true();
      });

      it('is not asked for by the interface, which has no place for it', async () => {
        const { id } = await protectedPerson();
        await atPresent(async () => {
          const credentials = await signIn(service.call, id);
          succeeded(await service.call(credentials, 'GET', `/accounts/${encodeURIComponent(id)}`));
        });
      });
    });

    describe('turning it off', () => {
      it('needs the password and a code', async () => {
        const { id, site, secret, codes } = await protectedPerson();
        const off = async (password: string, code: string): Promise<SitePage> =>
          site.submit(await site.open(PAGE), { password, code }, 'value="off"');
        expect((await off('', codeOf(secret))).status).to.equal(400);
        expect((await off(PASSWORD, '')).status).to.equal(400);
        expect((await off('not the password', codeOf(secret))).status).to.equal(403);
        expect((await off(PASSWORD, '000000')).status).to.equal(403);
        expect(readable(await site.open(PAGE))).to.contain('After your password a code is asked for');
        const done = await off(PASSWORD, codes[0]!);
        expect(done.path).to.equal('/my/account?note=factor-off');
        expect(readable(done)).to.contain('From now on only your password is asked for');
        await waitForMail(service.mailDir, id, 'Codes at sign-in are off');
        expect((await enter(id)).cookies.has('svc_session')).to.be.true();
        expect(await direct(service.services.database)('recovery_code').where({ account_id: id })).to.equal([]);
      });

      it('stands in the audit log, with what else was done', async () => {
        const { id, site, secret } = await protectedPerson();
        await site.submit(await site.open(PAGE), { password: PASSWORD, code: codeOf(secret) }, 'value="off"');
        const rows = (
          (await direct(service.services.database)('audit')
            .where({ account_id: id })
            .select('function_name', 'principal_id', 'url')) as Record<string, string>[]
        ).filter(({ function_name: name }) => name!.startsWith('account_second_factor'));
        const done = rows.map(({ function_name: name }) => name);
        expect(done).to.include(['account_second_factor_start', 'account_second_factor_end']);
        expect(rows.every(({ principal_id: who }) => who === id)).to.be.true();
        expect(JSON.stringify(rows)).to.not.contain(secret);
      });
    });
  });
}
