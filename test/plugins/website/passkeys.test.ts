/**
 * passkeys: the second step of a sign-in with a passkey, from the first passkey made to the last one deleted; and every
 * way to sign in with a wrong one fails.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Secret, TOTP } from 'otpauth';
import { usePasskey } from '../../../core/tokens/passkeys-store';
import { askedIn, makeAuthenticator, type Authenticator, type Bent } from '../../support/authenticator';
import { databases, sqliteMemory } from '../../support/databases';
import { direct } from '../../support/direct';
import { mailsIn, waitForMail } from '../../support/mails';
import { startService, type TestService } from '../../support/server';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { createAccount, PASSWORD } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ORIGIN = 'http://localhost:8017';
const PAGE = '/my/account/second-factor';
const WRONG = 'The passkey or the code is not right, or it was used already';
const SETTINGS = { SVC_RATE_ACCOUNT_PER_MINUTE: '0', SVC_RATE_ADDRESS_PER_MINUTE: '0' };

const codesIn = (page: SitePage): readonly string[] =>
  [...page.text.matchAll(/<code>([A-Z2-9]{4}(?:-[A-Z2-9]{4}){3})<\/code>/g)].map((match) => match[1]!);
const secretIn = (page: SitePage): string => /otpauth:\/\/totp\/[^"]*?secret=([A-Z2-7]+)/.exec(page.text)![1]!;
const policyOf = (page: SitePage): string => String(page.headers['content-security-policy']);
const hasScript = (page: SitePage): boolean => page.text.includes('<script');

for (const leg of databases) {
  describe(`passkeys on ${leg.name}`, () => {
    let service: TestService;
    let people = 0;
    const realNow = Date.now;
    let ahead = 0;
    const wait = (seconds: number): void => {
      ahead += seconds * 1000;
    };
    /** Calls are signed with the machine's clock, so the service's clock is set to it here. */
    const makePerson = async (): Promise<string> => {
      people += 1;
      const id = `holder${people}@people.example`;
      const [before] = [ahead];
      ahead = 0;
      await createAccount(service.call, id, `Holder ${people}`);
      ahead = before;
      return id;
    };
    const codeOf = (secret: string): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });

    const newSite = (): Site => makeSite(service.running.server);
    const give = async (site: Site, id: string, password = PASSWORD): Promise<SitePage> =>
      site.submit(await site.open('/my/sign-in?next=%2Fmy%2Faccount'), { username: id, password });
    const isIn = ({ cookies }: Site): boolean => cookies.has('svc_session');
    const use = (site: Site, page: SitePage, key: Authenticator, bent: Bent = {}): Promise<SitePage> =>
      site.submit(page, { passkey: key.show(askedIn(page, 'show'), bent) }, 'data-passkey="show"');
    const add = async (site: Site, key: Authenticator, name = 'My key', bent: Bent = {}): Promise<SitePage> => {
      const page = await site.open(PAGE);
      return site.submit(page, { name, passkey: key.make(askedIn(page, 'make'), bent) }, 'value="passkey"');
    };
    const passkeysOf = (id: string): Promise<Record<string, unknown>[]> =>
      direct(service.services.database)('passkey').where({ account_id: id }).orderBy('created_at') as never;

    type Holder = { id: string; site: Site; key: Authenticator; codes: readonly string[] };
    /** A new person, signed in, with one passkey. */
    const holder = async (counts = true): Promise<Holder> => {
      const id = await makePerson();
      const [site, key] = [newSite(), makeAuthenticator(ORIGIN, counts)];
      await give(site, id);
      return { id, site, key, codes: codesIn(await add(site, key)) };
    };
    /** Goes to the page that asks for the second step. */
    const asked = async (id: string): Promise<{ site: Site; page: SitePage }> => {
      const site = newSite();
      return { site, page: await give(site, id) };
    };
    const addApp = async (site: Site): Promise<string> => {
      const page = await site.open(`${PAGE}?app=1`);
      const secret = secretIn(page);
      await site.submit(page, { code: codeOf(secret) }, 'value="on"');
      wait(60);
      return secret;
    };

    before(async () => {
      service = await startService(leg, { ...SETTINGS, SVC_BASE_URL: ORIGIN });
      Date.now = () => realNow() + ahead;
    });
    after(async () => {
      Date.now = realNow;
      await service.stop();
    });

    describe('adding one', () => {
      it('keeps it with its name, shows recovery codes with the first one only, and says so by mail', async () => {
        const id = await makePerson();
        const site = newSite();
        await give(site, id);
        const page = await site.open(PAGE);
        expect(readable(page)).to.contain(['Passkeys', 'Add a passkey', 'Or use an app: 1. Scan the picture']);
        const question = askedIn(page, 'make') as unknown as Record<string, Record<string, unknown>>;
        expect(question['rp']).to.equal({ id: 'localhost', name: 'Health record' });
        expect(question['user']!['name']).to.equal(id);
        expect([question['attestation'], question['authenticatorSelection']!['userVerification']]).to.equal([
          'none',
          'preferred',
        ]);
        expect(await passkeysOf(id)).to.equal([]);

        const key = makeAuthenticator(ORIGIN);
        const first = await add(site, key, '  <b>Key</b> “1” ');
        expect([first.status, codesIn(first).length]).to.equal([200, 10]);
        const [kept] = await passkeysOf(id);
        expect(kept).to.include({
          name: '<b>Key</b> “1”',
          credential_id: key.id,
          transports: 'usb',
          last_used_at: null,
        });
        await waitForMail(service.mailDir, id, 'A passkey was added');

        wait(1);
        const second = await add(site, makeAuthenticator(ORIGIN, false), 'Telephone');
        expect([second.path, codesIn(second)]).to.equal([`${PAGE}?note=passkey`, []]);
        expect(readable(second)).to.contain([
          'Your passkey is in use from now on',
          'After your password a passkey or a code is asked for',
          '<b>Key</b> “1”',
          'Telephone',
          'not used yet',
          '10 are left',
        ]);
        const known = askedIn(second, 'make').excludeCredentials!.map((one) => one.id);
        expect(known).to.equal((await passkeysOf(id)).map((row) => String(row['credential_id'])));
        expect(readable(await site.open('/my/account'))).to.contain('After your password a passkey or a code');
      });

      it('says at the field what is missing, and that a browser without the script makes none', async () => {
        const { site } = await holder();
        const page = await site.open(PAGE);
        const passkey = makeAuthenticator(ORIGIN).make(askedIn(page, 'make'));
        for (const [name, sent, text] of [
          ['', passkey, 'Give it a name'],
          ['x'.repeat(81), passkey, 'Give it a name'],
          ['a\u0007b', passkey, 'Give it a name'],
          ['Key', '', 'needs JavaScript'],
        ] as const) {
          const answer = await site.submit(page, { name, passkey: sent }, 'value="passkey"');
          expect([answer.status, answer.text.includes('role="alert"')], text).to.equal([400, true]);
          expect(readable(answer)).to.contain(text);
        }
      });

      it('takes none that was made elsewhere, for another challenge, or without anybody there', async () => {
        const { id, site } = await holder();
        for (const bent of [
          { origin: 'http://localhost:8018' },
          { origin: 'https://localhost:8017' },
          { rpId: 'evil.example' },
          { challenge: Buffer.alloc(32).toString('base64url') },
          { type: 'webauthn.get' },
          { absent: true },
        ]) {
          const answer = await add(site, makeAuthenticator(ORIGIN), 'Bent', bent);
          expect([answer.status, readable(answer).includes('The passkey was not added')]).to.equal([403, true]);
        }
        const page = await site.open(PAGE);
        for (const sent of ['{', '{"id":"x","response":{}}', 'null']) {
          expect((await site.submit(page, { name: 'Bent', passkey: sent }, 'value="passkey"')).status).to.equal(403);
        }
        expect(await passkeysOf(id)).to.have.length(1);
      });

      it('takes no challenge of another account, another session, another purpose or another hour, and each once', async () => {
        const { id, site, key } = await holder();
        const other = await holder();
        const again = newSite();
        await use(again, await give(again, id), key);
        const page = await site.open(PAGE);
        const foreign = await other.site.open(PAGE);
        const elsewhere = await again.open(PAGE);
        const shown = formsOf(page).find(({ html }) => html.includes('data-passkey="show"'))!.fields['ask']!;
        const fresh = makeAuthenticator(ORIGIN);
        const ask = (from: SitePage): string =>
          formsOf(from).find(({ html }) => html.includes('data-passkey="make"'))!.fields['ask']!;
        const send = (from: SitePage, sealed: string, kind: 'make' | 'show' = 'make'): Promise<SitePage> =>
          site.submit(page, { name: 'K', passkey: fresh.make(askedIn(from, kind)), ask: sealed }, 'value="passkey"');
        for (const answer of [
          await send(foreign, ask(foreign)),
          await send(elsewhere, ask(elsewhere)),
          await send(page, shown, 'show'),
          await send(page, 'made up'),
          await send(page, service.services.sealing.seal('{"text":"x"}')),
        ]) {
          expect(answer.status).to.equal(403);
        }
        expect(await passkeysOf(id)).to.have.length(1);
        const late = await site.open(PAGE);
        wait(601);
        expect((await send(late, ask(late))).status).to.equal(403);

        const good = await site.open(PAGE);
        const body = { name: 'K', passkey: fresh.make(askedIn(good, 'make')) };
        expect((await site.submit(good, body, 'value="passkey"')).path).to.contain('note=passkey');
        // A second press adds nothing.
        expect((await site.submit(good, body, 'value="passkey"')).path).to.equal(PAGE);
        const twin = { name: 'K', passkey: makeAuthenticator(ORIGIN).make(askedIn(good, 'make')) };
        expect((await site.submit(good, twin, 'value="passkey"')).path).to.equal(PAGE);
        expect(await passkeysOf(id)).to.have.length(2);
      });

      it('takes no passkey that is somebody else’s already', async () => {
        const [one, two] = [await holder(), await holder()];
        const answer = await add(two.site, one.key, 'Theirs');
        expect([answer.status, readable(answer).includes('The passkey was not added')]).to.equal([403, true]);
        expect(await passkeysOf(two.id)).to.have.length(1);
      });

      it('takes twenty and no more', async () => {
        const { id, site } = await holder();
        const last = await site.open(PAGE);
        const passkey = makeAuthenticator(ORIGIN).make(askedIn(last, 'make'));
        const [row] = await passkeysOf(id);
        await direct(service.services.database)('passkey').insert(
          Array.from({ length: 19 }, (_, index) => ({
            ...row,
            id: `00000000-0000-0000-0000-0000000000${10 + index}`,
            credential_hash: `hash ${id} ${index}`,
          })),
        );
        expect(readable(await site.open(PAGE))).to.contain('as many passkeys as an account can have');
        await site.submit(last, { name: 'More', passkey }, 'value="passkey"');
        expect(await passkeysOf(id)).to.have.length(20);
      });

      it('needs the crumb and a session', async () => {
        const { id, site } = await holder();
        const page = await site.open(PAGE);
        const { crumb: _, ...fields } = formsOf(page).find(({ html }) => html.includes('value="passkey"'))!.fields;
        const body = { ...fields, name: 'K', passkey: makeAuthenticator(ORIGIN).make(askedIn(page, 'make')) };
        expect((await site.post(PAGE, body)).status).to.equal(403);
        const stranger = newSite();
        await stranger.open('/my/sign-in');
        expect((await stranger.post(PAGE, { ...body, crumb: stranger.cookies.get('crumb')! })).status).to.equal(403);
        expect((await stranger.get(PAGE)).status).to.equal(303);
        expect(await passkeysOf(id)).to.have.length(1);
      });
    });

    describe('signing in', () => {
      it('asks for it after the right password, and takes it once', async () => {
        const { id, key } = await holder();
        const { site, page } = await asked(id);
        expect([page.status, isIn(site)]).to.equal([200, false]);
        expect(readable(page)).to.contain(['Use your passkey', 'One of your recovery codes', 'needs JavaScript']);
        expect(askedIn(page, 'show').allowCredentials!.map((one) => one.id)).to.equal([key.id]);
        const body = { passkey: key.show(askedIn(page, 'show')) };
        const inside = await site.submit(page, body, 'data-passkey="show"');
        expect([inside.path, isIn(site)]).to.equal(['/my/account', true]);
        expect(readable(await site.open(PAGE))).to.contain('last used');

        // Replays what was sent, from another browser.
        const thief = newSite();
        await thief.open('/my/sign-in');
        const crumb = thief.cookies.get('crumb')!;
        const { action, fields } = formsOf(page).find(({ html }) => html.includes('data-passkey="show"'))!;
        const replayed = await thief.post(action, { ...fields, ...body, crumb });
        expect([replayed.status, replayed.headers['location']]).to.equal([303, '/my/sign-in?note=late']);
        expect(isIn(thief)).to.be.false();
      });

      it('says the same whatever is wrong with it, and lets nobody in', async () => {
        const { id, key } = await holder();
        const other = await holder();
        const app = await addApp((await holder()).site);
        expect(app).to.exist();
        const bends: readonly Bent[] = [
          { origin: 'http://localhost:8018' },
          { origin: 'http://localhost' },
          { rpId: 'evil.example' },
          { challenge: Buffer.alloc(32).toString('base64url') },
          { type: 'webauthn.create' },
          { absent: true },
          { counter: 1 },
        ];
        const texts = new Set<string>();
        const look = (answer: SitePage, site: Site): void => {
          expect([answer.status, isIn(site)]).to.equal([403, false]);
          texts.add(/role="alert"[^]*?<\/div>/.exec(answer.text)![0].replace(/\s+/g, ' '));
        };
        for (const bent of bends) {
          const { site, page } = await asked(id);
          look(await use(site, page, key, bent), site);
        }
        for (const sent of ['{', '{"id":"x","response":{}}', JSON.stringify({ id: key.id, response: {} })]) {
          const { site, page } = await asked(id);
          look(await site.submit(page, { passkey: sent }, 'data-passkey="show"'), site);
        }
        const { site, page } = await asked(id);
        look(await use(site, page, other.key), site);
        expect(texts.size).to.equal(1);
        expect([...texts][0]).to.contain(WRONG);
        // The page with the error has a new challenge.
        const fresh = await asked(id);
        const refused = await use(fresh.site, fresh.page, key, { rpId: 'evil.example' });
        expect((await use(fresh.site, refused, key)).path).to.equal('/my/account');
      });

      it('takes no challenge of another sign-in, of the account page, of another account, or of ten minutes ago', async () => {
        const { id, site: owner, key } = await holder();
        const other = await holder();
        const take = (page: SitePage): { ask: string; passkey: string } => ({
          ask: formsOf(page).find(({ html }) => html.includes('data-passkey="show"'))!.fields['ask']!,
          passkey: key.show(askedIn(page, 'show')),
        });
        const made = await owner.open(PAGE);
        const makes = {
          ask: formsOf(made).find(({ html }) => html.includes('data-passkey="make"'))!.fields['ask']!,
          passkey: key.show({ ...askedIn(made, 'make'), rpId: 'localhost' }),
        };
        for (const stolen of [
          take((await asked(id)).page),
          take(made),
          take((await asked(other.id)).page),
          makes,
          { ...take((await asked(id)).page), ask: 'made up' },
        ]) {
          const { site, page } = await asked(id);
          expect((await site.submit(page, stolen, 'data-passkey="show"')).status).to.equal(403);
          expect(isIn(site)).to.be.false();
        }
        const slow = await asked(id);
        wait(601);
        expect((await use(slow.site, slow.page, key)).path).to.equal('/my/sign-in?note=late');
        expect(isIn(slow.site)).to.be.false();
      });

      it('takes an answer that failed no second time', async () => {
        const { id, key } = await holder();
        const { site, page } = await asked(id);
        expect((await use(site, page, key, { rpId: 'evil.example' })).status).to.equal(403);
        // The same challenge, this time signed correctly.
        expect((await use(site, page, key)).status).to.equal(403);
        expect(isIn(site)).to.be.false();
      });

      it('lets in one of two who send the same answer, or the same count, at the same moment', async () => {
        const { id, key } = await holder();
        const one = await asked(id);
        const body = { passkey: key.show(askedIn(one.page, 'show')) };
        const { action, fields } = formsOf(one.page).find(({ html }) => html.includes('data-passkey="show"'))!;
        const answers = await Promise.all([1, 2, 3].map(() => one.site.post(action, { ...fields, ...body })));
        const cookies = answers.filter((answer) => String(answer.headers['set-cookie']).includes('svc_session='));
        expect(cookies).to.have.length(1);

        const [first, second] = [await asked(id), await asked(id)];
        await Promise.all([
          use(first.site, first.page, key, { counter: 9 }),
          use(second.site, second.page, key, { counter: 9 }),
        ]);
        expect([first.site, second.site].filter(isIn)).to.have.length(1);
        expect((await passkeysOf(id))[0]!['counter']).to.equal(9);
      });

      it('takes passkeys that do not count, and none whose count went back to nothing', async () => {
        const still = await holder(false);
        for (const _ of [1, 2]) {
          const { site, page } = await asked(still.id);
          expect((await use(site, page, still.key)).path).to.equal('/my/account');
        }
        const { id, key } = await holder();
        const { site, page } = await asked(id);
        expect((await use(site, page, key, { counter: 0 })).status).to.equal(403);
        const [{ id: passkeyId }] = (await passkeysOf(id)) as [{ id: string }];
        const { database } = service.services;
        for (const [counter, counts] of [
          [0, false],
          [1, false],
          [4_294_967_295, true],
          [4_294_967_295, false],
        ] as const) {
          const now = '2026-01-01T00:00:00.000000Z';
          const used = await database.transaction((trx) => usePasskey(trx, id, { id: passkeyId, counter, now }));
          expect(used, String(counter)).to.equal(counts);
        }
      });

      it('counts wrong passkeys as wrong codes, tells the person, and lets the right one in all the same', async () => {
        const { id, site: owner, key, codes } = await holder();
        const secret = await addApp(owner);
        const { site, page } = await asked(id);
        let here = await use(site, page, key, { rpId: 'evil.example' });
        here = await site.submit(here, { code: '000000' }, 'name="code"');
        expect(readable(here)).to.contain(WRONG);
        here = await use(site, here, key, { counter: 1 });
        expect(here.status).to.equal(403);
        await waitForMail(service.mailDir, id, 'Wrong codes at sign-in');
        const closed = await site.submit(here, { code: codeOf(secret) }, 'name="code"');
        expect([closed.status, readable(closed).includes(WRONG)]).to.equal([429, true]);
        expect((await use(site, closed, key)).path).to.equal('/my/account');
        expect(
          mailsIn(service.mailDir).filter(({ to, subject }) => to.includes(id) && /Wrong/.test(subject)),
        ).to.have.length(1);
        const paper = await asked(id);
        await paper.site.submit(paper.page, { code: codes[0]! }, 'name="code"');
        expect(isIn(paper.site)).to.be.true();
      });

      it('takes a code in its place, without a script', async () => {
        const { id, site: owner, codes } = await holder();
        const paper = await asked(id);
        expect((await paper.site.submit(paper.page, { code: '' }, 'name="code"')).status).to.equal(400);
        expect((await paper.site.submit(paper.page, { passkey: '' }, 'data-passkey="show"')).status).to.equal(400);
        await paper.site.submit(paper.page, { code: codes[0]!.toLowerCase() }, 'name="code"');
        expect(isIn(paper.site)).to.be.true();
        await waitForMail(service.mailDir, id, 'A recovery code was used');
        const secret = await addApp(owner);
        const app = await asked(id);
        expect(readable(app.page)).to.contain('Six digits from your app');
        await app.site.submit(app.page, { code: codeOf(secret) }, 'name="code"');
        expect(isIn(app.site)).to.be.true();
      });

      it('asks for it also after a forgotten password was replaced, and forgets it when the password changes', async () => {
        const { id, key } = await holder();
        const site = newSite();
        const shown = await site.submit(await site.open('/my/forgot-password'), { name: id });
        const digits = /\b\d{6}\b/.exec(readable(shown))![0];
        const mail = await waitForMail(service.mailDir, id, 'Your password');
        const link = mail.links.find((one) => one.includes('/reset_password/'))!;
        const form = await site.open(link.replace(ORIGIN, ''));
        const waiting = await asked(id);
        const page = await site.submit(form, { code: digits, password: 'quite-another-password' });
        expect([isIn(site), hasScript(page)]).to.equal([false, true]);
        expect((await use(waiting.site, waiting.page, key)).path).to.equal('/my/sign-in?note=late');
        await use(site, page, key);
        expect(isIn(site)).to.be.true();
      });

      it('runs the script of this site at sign-in, on the account page and the two of passkeys, and on no other', async () => {
        const { id, site } = await holder();
        const { page } = await asked(id);
        const own = await site.open(PAGE);
        for (const one of [await newSite().open('/my/sign-in'), page, own]) {
          expect(policyOf(one)).to.contain(["default-src 'none'", "script-src 'self'"]).and.not.contain('unsafe');
          expect([...one.text.matchAll(/<script\b[^>]*>([^]*?)<\/script>/g)].map((match) => match[1])).to.equal(['']);
          expect(one.text).to.not.match(/ on\w+="| style="/);
        }
        const [, source] = /<script src="([^"]+)"/.exec(page.text)!;
        expect(source).to.match(/^\/my\/passkeys\.js\?v=[0-9a-f]{12}$/);
        const file = await newSite().get(source!);
        expect([file.status, file.headers['cache-control'], file.headers['content-type']]).to.equal([
          200,
          'public, max-age=31536000, immutable',
          'text/javascript; charset=utf-8',
        ]);
        const remove = /href="([^"]*\/passkeys\/[^"]+)"/.exec(own.text)![1]!;
        for (const other of [
          await newSite().open('/my/sign-up'),
          await site.open('/my/?all=1'),
          await site.open('/my/nothing'),
          await site.open(remove),
        ]) {
          expect([hasScript(other), policyOf(other).includes('script-src')], other.path).to.equal([false, false]);
        }
      });
    });

    describe('deleting one', () => {
      const removal = async (site: Site, index = 0): Promise<SitePage> => {
        const links = [...(await site.open(PAGE)).text.matchAll(/href="([^"]*\/passkeys\/[^"]+)"/g)];
        return site.open(links[index]![1]!);
      };

      it('asks for the password, and turns all off with the last one', async () => {
        const { id, site, key } = await holder();
        wait(1);
        await add(site, makeAuthenticator(ORIGIN), 'Second');
        const page = await removal(site);
        expect(readable(page)).to.contain(['Delete this passkey?', 'My key', 'Your other ways in stay']);
        expect((await site.submit(page, { password: '' })).status).to.equal(400);
        const wrong = await site.submit(page, { password: 'not the password' });
        expect([wrong.status, readable(wrong).includes('This is not your password')]).to.equal([403, true]);
        expect(await passkeysOf(id)).to.have.length(2);
        const waiting = await asked(id);
        const done = await site.submit(page, { password: PASSWORD });
        expect(done.path).to.equal(`${PAGE}?note=deleted`);
        // A second press of the button.
        expect((await site.submit(page, { password: PASSWORD })).path).to.equal(`${PAGE}?note=deleted`);
        expect((await passkeysOf(id)).map(({ name }) => name)).to.equal(['Second']);
        await waitForMail(service.mailDir, id, 'A passkey was deleted');
        // A sign-in that was waiting does not accept the deleted passkey any more.
        expect((await use(waiting.site, waiting.page, key)).status).to.equal(403);

        const last = await removal(site);
        expect(readable(last)).to.contain('only your password is asked for');
        const off = await site.submit(last, { password: PASSWORD });
        expect(off.path).to.equal('/my/account?note=factor-off');
        expect((await site.submit(last, { password: PASSWORD })).path).to.equal('/my/account?note=factor-off');
        await waitForMail(service.mailDir, id, 'Codes at sign-in are off');
        for (const table of ['passkey', 'second_factor', 'recovery_code']) {
          expect(await direct(service.services.database)(table).where({ account_id: id })).to.equal([]);
        }
        const plain = newSite();
        await give(plain, id);
        expect(isIn(plain)).to.be.true();
      });

      it('is for its person alone, with a crumb', async () => {
        const [one, two] = [await holder(), await holder()];
        const page = await removal(one.site);
        expect((await two.site.get(page.path)).status).to.equal(404);
        const { crumb } = formsOf(await two.site.open('/my/account')).at(-1)!.fields;
        expect((await two.site.post(page.path, { crumb: crumb!, password: PASSWORD })).status).to.equal(404);
        expect((await one.site.post(page.path, { password: PASSWORD })).status).to.equal(403);
        expect((await newSite().get(page.path)).status).to.equal(303);
        expect(await passkeysOf(one.id)).to.have.length(1);
        expect((await one.site.get(`${PAGE}/passkeys/unknown`)).status).to.equal(404);
      });
    });

    describe('with an app beside it', () => {
      it('makes no second recovery codes, and each can go while the other stays', async () => {
        const { id, site, key, codes } = await holder();
        expect(readable(await site.open(PAGE))).to.contain('Set up an app as well');
        const secret = await addApp(site);
        const both = await site.open(PAGE);
        expect(readable(both)).to.contain(['Turn the app off', '10 are left']);
        expect(both.text).to.not.contain('otpauth:');

        // Here a passkey can replace a code, too; the password is still required.
        const renewed = codesIn(
          await site.submit(both, { passkey: key.show(askedIn(both, 'show')), code: '' }, 'value="codes"'),
        );
        expect([renewed.length, renewed.includes(codes[0]!)]).to.equal([10, false]);
        const off = await site.open(PAGE);
        const passkey = key.show(askedIn(off, 'show'));
        const refused = await site.submit(off, { password: 'not the password', passkey }, 'value="off"');
        expect([refused.status, readable(refused).includes('The password or the passkey')]).to.equal([403, true]);
        const gone = await site.submit(off, { password: PASSWORD, passkey }, 'value="off"');
        expect(gone.path).to.equal(`${PAGE}?note=app-off`);
        await waitForMail(service.mailDir, id, 'Codes of your app are off');
        wait(60);
        const { site: other, page } = await asked(id);
        expect((await other.submit(page, { code: codeOf(secret) }, 'name="code"')).status).to.equal(403);
        await other.submit(page, { code: renewed[1]! }, 'name="code"');
        expect(isIn(other)).to.be.true();
        // A form from the time when there was an app.
        const stale = await site.submit(off, { password: PASSWORD, code: renewed[2]! }, 'value="off"');
        expect(stale.path).to.equal(PAGE);
        expect(await passkeysOf(id)).to.have.length(1);
      });

      it('keeps the app when the last passkey is deleted', async () => {
        const { id, site } = await holder();
        const secret = await addApp(site);
        const [, path] = /href="([^"]*\/passkeys\/[^"]+)"/.exec((await site.open(PAGE)).text)!;
        const page = await site.open(path!);
        expect((await site.submit(page, { password: PASSWORD })).path).to.equal(`${PAGE}?note=deleted`);
        expect(readable(await site.open(PAGE))).to.contain(['After your password a code is asked for', '10 are left']);
        const { site: other, page: code } = await asked(id);
        expect(hasScript(code)).to.be.false();
        await other.submit(code, { code: codeOf(secret) });
        expect(isIn(other)).to.be.true();
      });
    });

    it('stands in the audit log by name, and nothing that a passkey said does', async () => {
      const { id, site, key } = await holder();
      const { site: other, page } = await asked(id);
      await use(other, page, key);
      const [, path] = /href="([^"]*\/passkeys\/[^"]+)"/.exec((await site.open(PAGE)).text)!;
      await site.submit(await site.open(path!), { password: PASSWORD });
      const rows = (await direct(service.services.database)('audit').where({ account_id: id })) as Record<
        string,
        unknown
      >[];
      const names = rows.map((row) => row['function_name']);
      expect(names).to.include([
        'account_passkey_offer',
        'account_passkey_add',
        'account_passkey_ask',
        'account_passkey_check',
        'account_passkey_remove',
      ]);
      expect(JSON.stringify(rows)).to.not.contain([key.id, 'clientDataJSON', PASSWORD]);
    });
  });
}

describe('where browsers make no passkeys', () => {
  for (const [address, text] of [
    ['', 'The address of this site is a number'],
    ['http://health.example', 'The address of this site begins with http'],
  ] as const) {
    it(`says so at ${address || 'a bare address'}, and offers the app`, async () => {
      const service = await startService(sqliteMemory, { ...SETTINGS, SVC_BASE_URL: address });
      try {
        await createAccount(service.call, 'a@people.example', 'A');
        const site = makeSite(service.running.server);
        await site.submit(await site.open('/my/sign-in'), { username: 'a@people.example', password: PASSWORD });
        const page = await site.open(PAGE);
        expect(readable(page)).to.contain([text, 'Use an app that shows codes instead', '1. Scan the picture']);
        expect([hasScript(page), policyOf(page).includes('script-src')]).to.equal([false, false]);
        // A passkey from before the address changed cannot be used, but a recovery code still signs in.
        await direct(service.services.database)('passkey').insert({
          id: 'p',
          account_id: 'a@people.example',
          credential_hash: 'h',
          credential_id: 'x',
          public_key: 'x',
          counter: 0,
          transports: '',
          name: 'Old',
          created_at: '2026-01-01T00:00:00.000000Z',
        });
        await direct(service.services.database)('second_factor').insert({
          account_id: 'a@people.example',
          secret: service.services.sealing.seal('A'),
          last_step: 0,
          failures: 0,
          since: '2026-01-01T00:00:00.000000Z',
          without_app: 1,
        });
        const other = makeSite(service.running.server);
        const asked = await other.submit(await other.open('/my/sign-in'), {
          username: 'a@people.example',
          password: PASSWORD,
        });
        expect(readable(asked)).to.contain('One of your recovery codes').and.not.contain('Use your passkey');
        const { fields, action } = formsOf(asked).find(({ fields: found }) => 'waiting' in found)!;
        const forced = await other.post(action, { ...fields, passkey: '{"id":"x","response":{}}', ask: 'x' });
        expect([forced.status, other.cookies.has('svc_session')]).to.equal([403, false]);
      } finally {
        await service.stop();
      }
    });
  }
});
