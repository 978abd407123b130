/**
 * kept-session: "Keep me signed in here" lasts 30 days from the sign-in and has no idle end; everything else that ends a
 * session ends it, too.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../../core/base/ids';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, makeSite, readable, type Site } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { createAccount, PASSWORD } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const DAYS = 30 * 86_400;
const LONG_AGO = '2020-01-01T00:00:00.000000Z';
const NEXT_PASSWORD = 'quite another long password';

for (const leg of databases) {
  describe(`a session that is kept on ${leg.name}`, () => {
    let service: TestService;
    let password = PASSWORD;

    const enter = async (keep: 'on' | '' = 'on', zone = ''): Promise<{ site: Site; set: string }> => {
      const site = makeSite(service.running.server);
      const { fields, action } = formsOf(await site.open('/my/sign-in')).find(({ html }) => html.includes('password'))!;
      const { keep: _keep, ...rest } = fields;
      const page = await site.post(action, { ...rest, username: OLGA, password, zone, ...(keep ? { keep } : {}) });
      expect(page.status, readable(page)).to.equal(303);
      const cookies = [page.headers['set-cookie'] ?? []].flat() as string[];
      return { site, set: cookies.find((line) => line.startsWith('svc_session='))! };
    };
    const status = async (site: Site): Promise<number> => (await site.get('/my/account')).status;
    const rowsOf = (site: Site) => {
      const knex = direct(service.services.database);
      const hash = sha256(site.cookies.get('svc_session')!);
      return {
        session: () =>
          knex('session_token').whereIn(
            'token_hash',
            knex('browser_session').where({ cookie_hash: hash }).select('token_hash'),
          ),
        browser: () => knex('browser_session').where({ cookie_hash: hash }),
      };
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Openshaw');
    });
    after(() => service.stop());

    it('has a cookie of 30 days where the box was ticked, and one without an age elsewhere', async () => {
      expect((await enter()).set)
        .to.contain(`Max-Age=${DAYS}`)
        .and.to.contain('HttpOnly')
        .and.to.contain('SameSite=Lax');
      expect((await enter('')).set).not.to.contain('Max-Age');
      expect(readable(await makeSite(service.running.server).open('/my/sign-in'))).to.contain('Keep me signed in here');
    });

    it('has no idle end, unlike others', async () => {
      const [kept, other] = [(await enter()).site, (await enter('')).site];
      for (const site of [kept, other]) {
        await rowsOf(site).session().update({ last_used_at: LONG_AGO });
      }
      expect([await status(kept), await status(other)]).to.equal([200, 303]);
    });

    it('ends 30 days after the sign-in, however much it is used', async () => {
      const { site } = await enter();
      const ends = async (): Promise<readonly string[]> => [
        ((await rowsOf(site).session().first()) as { expires_at: string }).expires_at,
        ((await rowsOf(site).browser().first()) as { expires_at: string }).expires_at,
      ];
      const first = await ends();
      const due = service.services.clock.now() + DAYS * 1000;
      expect(Math.abs(Date.parse(first[0]!) - due)).to.be.below(600_000);
      expect(first[1]).to.equal(first[0]);
      await rowsOf(site).session().update({ last_used_at: LONG_AGO });
      expect(await status(site)).to.equal(200);
      expect(await ends()).to.equal(first);
      await rowsOf(site).session().update({ expires_at: LONG_AGO });
      expect(await status(site)).to.equal(303);
    });

    it('is listed among the devices with its end, and ended there', async () => {
      const [{ site: kept }, { site: other }] = [await enter(), await enter('')];
      const page = await other.open('/my/account');
      expect(readable(page)).to.contain('Stays signed in until');
      const { session: id } = formsOf(page)
        .map(({ fields }) => fields)
        .find(({ what }) => what === 'session')!;
      // The list begins with the session that was used last, which is the one that is kept here.
      await other.post('/my/account', { crumb: other.cookies.get('crumb')!, what: 'session', session: id! });
      expect([await status(kept), await status(other)]).to.equal([303, 200]);
    });

    it('ends by signing out, with the state of the account, and with a new password', async () => {
      const { site: out } = await enter();
      await out.post('/my/sign-out', { crumb: out.cookies.get('crumb')! });
      expect(await status(out)).to.equal(303);

      const knex = direct(service.services.database);
      const { site: kept } = await enter();
      await knex('account').where({ id: OLGA }).update({ state: 'disabled' });
      expect(await status(kept)).to.equal(303);
      await knex('account').where({ id: OLGA }).update({ state: 'active' });
      expect(await status(kept)).to.equal(200);

      const { site: other } = await enter('');
      await other.post('/my/account', {
        crumb: other.cookies.get('crumb')!,
        what: 'password',
        old: password,
        new: NEXT_PASSWORD,
      });
      password = NEXT_PASSWORD;
      expect([await status(kept), await status(other)]).to.equal([303, 200]);
    });

    it('keeps what the person chose for all pages and browsers: colours, size, units', async () => {
      const { site } = await enter('', 'Asia/Tokyo');
      expect(readable(await site.open('/my/account'))).to.contain('As this browser has it: Tokyo, Asia');
      const look = { what: 'manner', language: 'en', zone: '', theme: 'dark', size: 'larger', units: 'moles' };
      const saved = await site.submit(await site.open('/my/account'), look, 'name="theme"');
      expect(saved.text).to.match(/<html lang="en" dir="ltr" data-theme="dark" data-size="larger">/);
      const { site: next } = await enter();
      expect((await next.open('/my/account')).text).to.contain('data-theme="dark" data-size="larger"');
      await next.submit(
        await next.open('/my/account'),
        { ...look, theme: '"><script>', size: 'huge', units: 'x' },
        'name="theme"',
      );
      expect((await site.open('/my/account')).text).to.match(/<html lang="en" dir="ltr">/);
    });
  });
}
