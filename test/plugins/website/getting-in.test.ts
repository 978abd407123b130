/**
 * getting in: from an empty installation, or a mail in a folder, to a signed-in person, without a script; and all ways
 * that must fail.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../../core/base/ids';
import { projectRoot } from '../../../core/base/paths';
import { signIn } from '../../support/world';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { admin, startService, ui, type TestService } from '../../support/server';
import { createAccount, createRecord, PASSWORD, succeeded } from '../../support/world';
import * as accountStore from '../../../core/accounts/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const NEW = 'nora@people.example';
const WRONG = 'The user name or the password is not right';

const says = (page: SitePage, status: number, text: string): void => {
  expect(page.status, readable(page)).to.equal(status);
  expect(readable(page)).to.contain(text);
};

for (const leg of databases) {
  describe(`getting in on ${leg.name}`, () => {
    let service: TestService;
    let visitor: () => Site;
    const signedIn = async (id = OLGA, password = PASSWORD): Promise<Site> => {
      const site = visitor();
      const page = await site.submit(await site.open('/my/sign-in'), { username: id, password });
      expect(page.status, readable(page)).to.equal(200);
      return site;
    };
    const pathOf = (link: string): string => link.replace(service.services.baseUrl(), '');

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0', SVC_LOCKOUT_FAILURES: '50' });
      visitor = () => makeSite(service.running.server);
    });
    after(() => service.stop());

    describe('the welcome page', () => {
      const person = {
        email: 'Wanda@People.example',
        password: PASSWORD,
        given: 'Wanda',
        family: 'Welcome',
        born: '1980-02-03',
        sex: 'female',
      };

      it('makes the first account and its record with the code that the start printed, and is 404 ever after', async () => {
        const site = visitor();
        const { address, code } = service.running.welcome!;
        expect(address).to.equal(`${service.services.baseUrl()}/my/welcome`);
        expect((await site.get('/my/')).headers['location']).to.equal('/my/welcome');
        const form = await site.open('/my/');

        const wrong = await site.submit(form, { ...person, code: 'ABCD-EFGH-JKLM' });
        says(wrong, 403, 'The code is not right');
        const bad = await site.submit(form, { ...person, code, password: 'weak-1', born: '2980-01-01', sex: '' });
        expect(bad.status).to.equal(400);
        expect(bad.text).to.contain(['role="alert"', '#field-password', '#field-born', '#field-sex', 'value="Wanda"']);
        expect(bad.text).to.not.contain('weak-1');
        expect(await direct(service.services.database)('account')).to.have.length(0);

        const german = await site.post('/my/welcome', {
          ...person,
          crumb: site.cookies.get('crumb')!,
          what: 'language',
          language: 'de',
        });
        expect([german.status, /<html lang="(\w+)"/.exec(german.text)![1]]).to.equal([200, 'de']);
        expect(german.text).to.contain(['Vorname', 'value="Wanda"', 'data-reveals="field-password"']);
        expect(german.text).to.not.contain(PASSWORD);
        expect(await direct(service.services.database)('account')).to.have.length(0);

        const typed = { ...person, language: 'de', code: code.toLowerCase().replaceAll('-', ' ') };
        const done = await site.submit(german, typed);
        expect(done.path).to.match(/^\/my\/records\/[\w-]{36}\/$/);
        expect(readable(done)).to.contain('Wanda Welcome');
        expect(done.text).to.contain('Abmelden');
        const [account] = await direct(service.services.database)('account');
        expect([account.full_name, account.chosen_language]).to.equal(['Wanda Welcome', 'de']);
        expect((await site.get('/my/account')).text).to.contain('<html lang="de"');
        expect((await visitor().get('/my/welcome')).status).to.equal(404);
        expect((await site.submit(form, { ...person, code })).status).to.equal(403);
      });
    });

    describe('signing in', () => {
      before(() => createAccount(service.call, OLGA, 'Olga Openshaw'));

      it('leads to the page that was asked for, and the cookie is a token of its own', async () => {
        const site = visitor();
        const asked = await site.get('/my/account?x=1');
        expect([asked.status, asked.headers['location']]).to.equal([303, '/my/sign-in?next=%2Fmy%2Faccount%3Fx%3D1']);
        const page = await site.submit(await site.open('/my/account?x=1'), {
          username: 'Olga@people.example',
          password: PASSWORD,
        });
        expect([page.status, page.path]).to.equal([200, '/my/account?x=1']);
        expect(readable(page)).to.contain('Olga Openshaw, user name olga@people.example');
        expect([...site.cookies.keys()].sort()).to.equal(['crumb', 'svc_session']);
        const knex = direct(service.services.database);
        const cookie = site.cookies.get('svc_session')!;
        expect(await knex('browser_session').where({ cookie_hash: sha256(cookie) })).to.have.length(1);
        expect(await knex('session_token').where({ token_hash: sha256(cookie) })).to.have.length(0);
        const signed = { ...ui!, token: { key: cookie, secret: '' } };
        expect((await service.call(signed, 'GET', `/accounts/${OLGA}`)).status).to.equal(403);
      });

      it('leads on to a page from its address without the last slash, and tells of nothing by it', async () => {
        const nobody = makeSite(service.running.server);
        for (const path of ['', '/records/none', '/carenets/none', '/records/none/documents', '/inbox']) {
          const led = await nobody.get(`/my${path}?q=1`);
          expect([led.status, led.headers['location']], path).to.equal([301, `/my${path}/?q=1`]);
        }
      });

      it('takes no token of the API for a cookie', async () => {
        const { token } = await signIn(service.call, OLGA);
        const site = visitor();
        site.cookies.set('svc_session', token!.key);
        expect((await site.get('/my/account')).status).to.equal(303);
      });

      it('says the same whatever was wrong', async () => {
        const texts = new Set<string>();
        for (const [username, password] of [
          [OLGA, 'not the password'],
          ['nobody@people.example', PASSWORD],
          [OLGA, ''],
          ['', ''],
        ] as const) {
          const site = visitor();
          const page = await site.submit(await site.open('/my/sign-in'), { username, password });
          expect(page.status).to.equal(403);
          expect(page.text.match(/role="alert"/g)).to.have.length(1);
          texts.add(readable(page));
          expect(site.cookies.has('svc_session')).to.be.false();
        }
        expect([...texts]).to.have.length(1);
        expect([...texts][0]).to.contain(WRONG);
      });

      it('leads nowhere else', async () => {
        for (const next of [
          'https://evil.example/',
          '//evil.example',
          '/my//../../x',
          '/my\\evil',
          '/other',
          '/my/\t',
        ]) {
          const site = visitor();
          const page = await site.submit(await site.open('/my/sign-in'), { username: OLGA, password: PASSWORD, next });
          expect(page.path, next).to.match(/^\/my\/(\?|$)/);
        }
      });

      it('refuses further wrong tries of one address, and never right ones', async () => {
        const tight = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '2', SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
        try {
          await createAccount(tight.call, OLGA);
          const statuses: number[] = [];
          for (const username of ['a', 'b', 'c', 'd']) {
            const site = makeSite(tight.running.server);
            const page = await site.submit(await site.open('/my/sign-in'), { username, password: 'wrong one' });
            statuses.push(page.status);
            expect(readable(page)).to.contain(WRONG);
          }
          // The attempts may have been made in two minutes.
          expect(statuses.slice(0, 2)).to.equal([403, 403]);
          expect(statuses.slice(2)).to.include(429);
          const site = makeSite(tight.running.server);
          const page = await site.submit(await site.open('/my/sign-in'), { username: OLGA, password: PASSWORD });
          expect(page.status).to.equal(200);
        } finally {
          await tight.stop();
        }
      });
    });

    describe('the session', () => {
      it('ends by signing out, and its row is gone', async () => {
        const site = await signedIn();
        const before = site.cookies.get('svc_session')!;
        const page = await site.submit(await site.open('/my/account'), {}, 'action="/my/sign-out"');
        expect(page.path).to.equal('/my/sign-in');
        expect([...site.cookies.keys()]).to.not.include('svc_session');
        const knex = direct(service.services.database);
        expect(await knex('browser_session').where({ cookie_hash: sha256(before) })).to.have.length(0);
        site.cookies.set('svc_session', before);
        expect((await site.get('/my/account')).status).to.equal(303);
      });

      it('ends by idle time, by age and by the state of the account', async () => {
        const knex = direct(service.services.database);
        const site = await signedIn();
        const rows = () =>
          knex('session_token').whereIn(
            'token_hash',
            knex('browser_session')
              .where({ cookie_hash: sha256(site.cookies.get('svc_session')!) })
              .select('token_hash'),
          );
        const row = (await rows().first()) as { last_used_at: string; expires_at: string };
        const status = async (): Promise<number> => (await site.get('/my/account')).status;
        expect(await status()).to.equal(200);
        await rows().update({ last_used_at: '2020-01-01T00:00:00.000000Z' });
        expect(await status()).to.equal(303);
        await rows().update({ last_used_at: row.last_used_at, expires_at: '2020-01-01T00:00:00.000000Z' });
        expect(await status()).to.equal(303);
        await rows().update({ expires_at: row.expires_at });
        expect(await status()).to.equal(200);
        await knex('account').where({ id: OLGA }).update({ state: 'disabled' });
        expect(await status()).to.equal(303);
        await knex('account').where({ id: OLGA }).update({ state: 'active' });
      });
    });

    describe('forms', () => {
      const rename = (site: Site, page: SitePage, name: string): Promise<SitePage> =>
        site.submit(page, { what: 'person', name, email: OLGA });
      const nameNow = async (): Promise<string> =>
        (await accountStore.findAccount(direct(service.services.database), OLGA))!.fullName;

      it('count with the crumb of their session only', async () => {
        const site = await signedIn();
        const page = await site.open('/my/account');
        const other = formsOf(await (await signedIn()).open('/my/account'))[0]!.fields['crumb']!;
        const early = formsOf(await visitor().open('/my/sign-in'))[0]!.fields['crumb']!;
        const own = site.cookies.get('crumb')!;
        const fields = { what: 'person', name: 'Forged', email: OLGA };
        for (const [crumb, cookie] of [
          ['', own],
          [other, own],
          [other, other],
          [early, early],
          [own, other],
        ] as const) {
          site.cookies.set('crumb', cookie);
          const refused = await site.post('/my/account', { ...fields, crumb });
          says(refused, 403, 'Nothing was changed');
        }
        expect(await nameNow()).to.equal('Olga Openshaw');
        site.cookies.set('crumb', own);
        expect((await rename(site, page, 'Olga O.')).status).to.equal(200);
        expect(await nameNow()).to.equal('Olga O.');
      });

      it('count from this site only', async () => {
        const site = await signedIn();
        const page = await site.open('/my/account');
        for (const headers of [
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { origin: 'not an origin' },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ]) {
          Object.assign(site.headers, headers);
          expect((await rename(site, page, 'Forged')).status, JSON.stringify(headers)).to.equal(403);
          Object.keys(headers).forEach((name) => delete site.headers[name]);
        }
        expect(await nameNow()).to.equal('Olga O.');
        site.headers['origin'] = service.services.baseUrl();
        expect((await rename(site, page, 'Olga P.')).status).to.equal(200);
      });

      it('are 403 for nobody', async () => {
        const site = visitor();
        await site.open('/my/sign-in');
        const page = await site.post('/my/account', { crumb: site.cookies.get('crumb')!, what: 'person' });
        expect(page.status).to.equal(403);
      });
    });

    describe('mailed links', () => {
      const link = async (to: string, subject: string, page: string): Promise<string> =>
        pathOf((await waitForMail(service.mailDir, to, subject)).links.find((one) => one.includes(`/${page}/`))!);
      const codeOfAccount = async (): Promise<string> =>
        /\d{6}/.exec(
          succeeded(await service.call(admin, 'GET', `/accounts/${encodeURIComponent(NEW)}/secret`)).text,
        )![0];
      const codeOf = (page: SitePage): string => /\b\d{6}\b/.exec(readable(page))![0];

      it('lead from the mail of a new account to somebody who is signed in', async () => {
        succeeded(
          await service.call(admin, 'POST', '/accounts/', {
            form: { account_id: NEW, full_name: 'Nora Newcomer', secondary_secret_p: '1' },
          }),
        );
        const init = await link(NEW, 'Activate your account', 'init');
        expect(init).to.startWith(`/my/accounts/${encodeURIComponent(NEW)}/init/`);
        const site = visitor();
        const code = await codeOfAccount();
        const again = await site.open(init.replace('/init/', '/send_secret/'));
        expect([again.status, again.text.includes(code)]).to.equal([200, false]);
        says(again, 200, 'the page shows the code');
        const before = await direct(service.services.database)('account').where({ id: NEW }).first();
        expect((await site.open(`${init}x`)).status).to.equal(404);
        const page = await site.open(init);
        expect(await direct(service.services.database)('account').where({ id: NEW }).first()).to.equal(before);

        const weak = await site.submit(page, { code, password: 'short' });
        expect(weak.status).to.equal(400);
        const wrong = await site.submit(page, { code: code === '000000' ? '000001' : '000000', password: PASSWORD });
        says(wrong, 400, 'says how to see it again');
        const taken = await site.submit(page, { code, username: OLGA, password: PASSWORD });
        says(taken, 400, 'Somebody else has this user name');
        const done = await site.submit(taken, { code, username: 'nora', password: PASSWORD });
        expect([done.status, done.path]).to.equal([200, '/my/']);
        expect(readable(done)).to.contain('No record is open to you yet.');
        expect((await visitor().open(init)).status).to.equal(404);
        await signedIn('nora');
      });

      it('lead to a new password for who forgot theirs, and sign in', async () => {
        const site = visitor();
        const page = await site.submit(await site.open('/my/forgot-password'), { name: NEW });
        const code = codeOf(page);
        const reset = await link(NEW, 'Your password', 'reset_password');
        const done = await site.submit(await site.open(reset), { code, password: 'another good password' });
        expect([done.status, done.path]).to.equal([200, '/my/']);
        await signedIn('nora', 'another good password');
        expect((await visitor().open(reset)).status).to.equal(404);
      });

      it('let whose account was reset go on with the old password', async () => {
        const path = `/accounts/${encodeURIComponent(NEW)}`;
        succeeded(await service.call(admin, 'POST', `${path}/reset`));
        succeeded(await service.call(admin, 'POST', `${path}/secret-resend`));
        const init = pathOf(
          (await waitForMail(service.mailDir, NEW, 'Your password', 2)).links.find((one) => one.includes('/init/'))!,
        );
        const site = visitor();
        // The page shows another code than the account has, and it is right as well.
        const asked = await site.submit(await site.open('/my/forgot-password'), { name: NEW });
        const code = codeOf(asked);
        const done = await site.submit(await site.open(init), { code });
        expect([done.status, done.path]).to.equal([200, '/my/sign-in?note=active']);
        expect(readable(done)).to.contain('Your account is active');
        await signedIn('nora', 'another good password');
      });

      it('never stand in the audit log', async () => {
        const rows = (await direct(service.services.database)('audit').where('url', 'like', '/my/accounts/%')) as {
          url: string;
        }[];
        expect(rows.length).to.be.above(5);
        expect([...new Set(rows.map(({ url }) => url))].sort()).to.equal(
          ['init', 'reset_password', 'send_secret'].map(
            (page) => `/my/accounts/${encodeURIComponent(NEW)}/${page}/{PRIMARY_SECRET}`,
          ),
        );
      });
    });

    describe('the forgotten password', () => {
      it('shows the same to whom nobody knows', async () => {
        const site = visitor();
        const answers: string[] = [];
        for (const name of [OLGA, 'nobody@people.example']) {
          answers.push(readable(await site.submit(await site.open('/my/forgot-password'), { name })));
        }
        const [known, unknown] = answers.map((text) => text.replace(/\d{6}/, 'CODE'));
        expect(known).to.contain('CODE');
        expect(unknown).to.equal(known);
        await direct(service.services.database)('account').where({ id: OLGA }).update({ state: 'active' });
      });
    });

    describe('signing up', () => {
      it('is off unless the operator wants it', async () => {
        const site = visitor();
        const page = await site.open('/my/sign-up');
        says(page, 200, 'Ask them for one');
        expect(formsOf(page)).to.have.length(0);
        const forged = await site.post('/my/sign-up', {
          crumb: site.cookies.get('crumb')!,
          name: 'X',
          email: 'x@people.example',
        });
        expect(forged.status).to.equal(404);
      });

      it('mails a link, and tells nobody whether an account is there', async () => {
        const open = await startService(leg, { SVC_SIGN_UP: '1' });
        try {
          await createAccount(open.call, OLGA);
          const site = makeSite(open.running.server);
          const bad = await site.submit(await site.open('/my/sign-up'), { given: '', family: '', email: 'nothing' });
          expect([bad.status, (bad.text.match(/aria-invalid/g) ?? []).length]).to.equal([400, 3]);
          const made = await site.submit(await site.open('/my/sign-up'), {
            given: 'Sam',
            family: 'Salt',
            email: 'sam@people.example',
          });
          const there = await site.submit(await site.open('/my/sign-up'), {
            given: 'Sam',
            family: 'Salt',
            email: OLGA,
          });
          const german = await site.post('/my/sign-up', {
            crumb: site.cookies.get('crumb')!,
            what: 'language',
            language: 'de',
          });
          expect([german.status, readable(german).includes('Nachname')]).to.equal([200, true]);
          expect(readable(made).replace(/\d{6}/, '')).to.equal(readable(there).replace(/\d{6}/, ''));
          expect(readable(made)).to.contain('unless it has an account already');
          await waitForMail(open.mailDir, 'sam@people.example', 'Activate your account');
          // With sign-up, an owner who shares with somebody without an account reads that the person can make one.
          const page = `/my/records/${await createRecord(open.call, OLGA, 'Olga', 'Owner')}/sharing`;
          await site.submit(await site.open('/my/sign-in'), { username: OLGA, password: PASSWORD });
          const crumb = site.cookies.get('crumb')!;
          const nobody = await site.post(page, { crumb, what: 'whole', who: 'nobody@people.example' });
          expect(readable(nobody)).to.contain('The person needs an account here first.');
        } finally {
          await open.stop();
        }
      });
    });

    describe('what no browser sends', () => {
      it('is refused as a page, and never fails', async () => {
        const site = await signedIn();
        const cookie = `svc_session=${site.cookies.get('svc_session')}; crumb=${site.cookies.get('crumb')}`;
        const form = 'application/x-www-form-urlencoded';
        const { server } = service.running;
        const ask = async (
          method: string,
          url: string,
          headers: Record<string, string>,
          payload = '',
        ): Promise<number> => {
          const answer = await server.inject({ method, url, headers, payload });
          expect(String(answer.headers['content-type'] ?? 'text/html'), url).to.startWith('text/html');
          expect(answer.payload).to.not.contain(['Error:', 'at Object', 'node_modules']);
          return answer.statusCode;
        };
        for (const [status, headers, payload] of [
          [413, { 'content-type': form }, `crumb=${'x'.repeat(300_000)}`],
          [403, { 'content-type': 'application/json' }, '{"crumb":"x"}'],
          [400, { 'content-type': 'multipart/form-data' }, 'x'],
          [403, { 'content-type': form }, 'crumb=a&crumb=b&constructor=d'],
          [403, { 'content-type': form }, 'crumb=a&__proto__=c'],
          [403, {}, ''],
        ] as const) {
          expect(await ask('POST', '/my/account', { cookie, ...headers }, payload)).to.equal(status);
        }
        const crumb = site.cookies.get('crumb')!;
        for (const field of ['__proto__', 'constructor', 'toString', '', 'session']) {
          const page = await site.post('/my/account', { crumb, what: field });
          expect([200, 303, 404], field).to.include(page.status);
        }
        for (const headers of [
          { cookie: 'svc_session=%' },
          { cookie: 'svc_session=a; svc_session=b' },
          { cookie: `svc_session="${'x'.repeat(4000)}"; =; ;;` },
          { cookie: 'svc_session=__proto__', 'accept-language': 'x'.repeat(5000) },
        ] as readonly Record<string, string>[]) {
          expect(await ask('GET', '/my/account', headers)).to.equal(303);
        }
        for (const path of [
          '/my/%00',
          '/my/records/%F0%9F%92%A9/',
          '/my/?all=1&place=-1',
          '/my/?all=1&place=1e99',
          '/my/sign-in?next[]=x',
        ]) {
          expect([200, 303, 404], path).to.include(await ask('GET', path, { cookie }));
        }
      });
    });

    describe('without the manifest of the website', () => {
      it('is left out, and mails lead to the service', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
        cpSync(join(projectRoot, 'manifests', 'admin'), join(folder, 'admin'), { recursive: true });
        const bare = await startService(leg, { SVC_MANIFESTS_DIR: folder, SVC_BASE_URL: 'https://phr.example' });
        try {
          expect(bare.services.config).to.include({ website: false, uiBaseUrl: 'https://phr.example' });
          expect(bare.running.welcome).to.be.undefined();
          expect((await bare.call(null, 'GET', '/my/')).status).to.equal(404);
          expect((await bare.call(null, 'GET', '/version')).status).to.equal(200);
        } finally {
          await bare.stop();
          rmSync(folder, { recursive: true });
        }
      });
    });

    describe('behind https and a path', () => {
      it('keeps its cookies to this host, and every address below the path', async () => {
        const base = 'https://phr.example/health';
        const far = await startService(leg, { SVC_BASE_URL: base });
        try {
          await createAccount(far.call, OLGA);
          const site = makeSite(far.running.server);
          // A proxy that serves the service below a path changes paths like this.
          const inside = (path: unknown): string => String(path).replace(/^\/health(?=\/)/, '');
          const led = await site.get('/my/account');
          expect(led.headers['location']).to.equal('/health/my/sign-in?next=%2Fhealth%2Fmy%2Faccount');
          expect((await site.get('/my/inbox')).headers['location']).to.equal('/health/my/inbox/');
          const page = await site.get(inside(led.headers['location']));
          const links = [...page.text.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map((match) => match[1]!);
          expect(links.length).to.be.above(4);
          expect(links.filter((link) => !link.startsWith('/health/my/'))).to.equal([]);
          site.headers['origin'] = 'https://phr.example';
          const { action, fields } = formsOf(page)[0]!;
          const entered = await site.post(inside(action), { ...fields, username: OLGA, password: PASSWORD });
          expect([entered.status, entered.headers['location']]).to.equal([303, '/health/my/account']);
          const cookies = [entered.headers['set-cookie']].flat().map(String);
          expect(cookies).to.have.length(2);
          expect(cookies[0]).to.match(/^__Host-svc_session=[\w-]{27}; Secure; HttpOnly; SameSite=Lax; Path=\/$/);
          expect(cookies[1]).to.match(/^crumb=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/$/);
          expect((await site.get('/my/account')).status).to.equal(200);
        } finally {
          await far.stop();
        }
      });
    });

    describe('a page', () => {
      it('stays in no cache', async () => {
        const site = await signedIn();
        for (const path of ['/my/?all=1', '/my/account', '/my/start']) {
          const { headers } = await site.open(path);
          expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
          expect(headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'self'; img-src 'self';/);
        }
      });
    });
  });
}
