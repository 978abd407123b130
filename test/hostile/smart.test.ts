/**
 * smart: what an app or a thief gets for proofs of SMART that come twice, come late, or belong to somebody else: a
 * refresh token that is sent again, and a person who signed in too long ago for the app.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { sha256 } from '../../core/base/ids';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startService, type TestService } from '../support/server';
import { readable, type Site, type SitePage } from '../support/site';
import { enterSite, makeSiteRecord, MEMBER, OWNER, type SiteRecord } from '../support/site-record';
import {
  addSmartApp,
  ask,
  askingOf,
  basic,
  codeFor,
  comesBack,
  exchange,
  letIn,
  newVerifier,
  press,
  refresh,
  type Form,
  type SmartApp,
} from '../support/smart-app';
import { PASSWORD } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SCOPES = 'launch/patient openid offline_access patient/*.rs';

const claimsOf = (idToken: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(idToken).split('.')[1]!, 'base64url').toString('utf8')) as Record<string, unknown>;

for (const leg of databases) {
  describe(`refresh tokens that come again on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let app: SmartApp;
    let other: SmartApp;
    let secret: SmartApp;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      world = await makeSiteRecord(service);
      app = await addSmartApp(service, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
      other = await addSmartApp(service, 'other@apps.example', { token_endpoint_auth_method: 'none' });
      secret = await addSmartApp(service, 'secret@apps.example', { token_endpoint_auth_method: 'client_secret_basic' });
    });
    after(() => service.stop());

    const reads = async (token: unknown): Promise<number> => {
      const headers = { authorization: `Bearer ${String(token)}` };
      return (await ask(service.running.server, 'GET', `/fhir/Patient/${world.recordId}`, undefined, headers)).status;
    };
    const knex = () => direct(service.services.database);
    /** Makes the use of a refresh token older. */
    const age = (token: unknown, milliseconds: number): Promise<unknown> =>
      knex()('smart_code')
        .where({ code_hash: sha256(String(token)) })
        .update({ used_at: toTimestamp(Date.now() - milliseconds) });
    const rowsOf = async (): Promise<readonly number[]> =>
      Promise.all(
        ['smart_code', 'access_token'].map(async (table) => Number((await knex()(table).count({ n: '*' }))[0]!['n'])),
      );

    it('lead to the same answer for some seconds, and store nothing more', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const first = await refresh(service, app, granted['refresh_token']);
      const rows = await rowsOf();
      const second = await refresh(service, app, granted['refresh_token']);
      expect(second.status, JSON.stringify(second.json)).to.equal(200);
      expect(second.json).to.equal(first.json);
      expect([second.headers['cache-control'], await rowsOf()]).to.equal(['no-store', rows]);
      expect(await reads(first.json['access_token'])).to.equal(200);
      const next = await refresh(service, app, first.json['refresh_token']);
      expect([next.status, await reads(next.json['access_token'])]).to.equal([200, 200]);
    });

    it('lead to one answer for all who come at once', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const [codes, tokens] = await rowsOf();
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => refresh(service, app, granted['refresh_token'])),
      );
      expect(answers.map(({ status }) => status)).to.equal([200, 200, 200, 200, 200, 200]);
      expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).to.equal(1);
      expect(await rowsOf()).to.equal([codes! + 1, tokens! + 1]);
      expect(await reads(answers[0]!.json['access_token'])).to.equal(200);
    });

    it('end everything of the consent afterwards', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const first = await refresh(service, app, granted['refresh_token']);
      await age(granted['refresh_token'], 10_500);
      const late = await refresh(service, app, granted['refresh_token']);
      expect([late.status, late.json['error']]).to.equal([400, 'invalid_grant']);
      expect(await reads(first.json['access_token'])).to.equal(401);
      expect((await refresh(service, app, first.json['refresh_token'])).json['error']).to.equal('invalid_grant');
    });

    it('are worth nothing to another app, or without the secret of their own', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      await refresh(service, app, granted['refresh_token']);
      const foreign = await refresh(service, other, granted['refresh_token']);
      expect([foreign.status, foreign.json['error']]).to.equal([400, 'invalid_grant']);
      expect((await refresh(service, app, granted['refresh_token'])).status).to.equal(200);

      const verifier = newVerifier();
      const change = { scope: SCOPES };
      const code = await codeFor(service, world.owner, secret, { verifier, what: world.recordId, change });
      const kept = (await exchange(service, secret, code, verifier, {}, basic(secret))).json['refresh_token'];
      const form: Form = { grant_type: 'refresh_token', refresh_token: String(kept) };
      const send = (headers: Form) => ask(service.running.server, 'POST', '/oauth2/token', form, headers);
      const right = await send(basic(secret));
      expect(right.status).to.equal(200);
      const wrong = await send(basic({ ...secret, secret: 'wrong' }));
      expect([wrong.status, Object.keys(wrong.json)]).to.equal([401, ['error', 'error_description']]);
      expect((await send(basic(secret))).json).to.equal(right.json);
    });

    it('lead to no answer once what was given has ended', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const first = await refresh(service, app, granted['refresh_token']);
      const revoke = { token: String(first.json['refresh_token']), client_id: app.id };
      expect((await ask(service.running.server, 'POST', '/oauth2/revoke', revoke)).status).to.equal(200);
      expect((await refresh(service, app, granted['refresh_token'])).json['error']).to.equal('invalid_grant');
    });

    it('are not used up when no answer can be given', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const refused = await refresh(service, app, granted['refresh_token'], { scope: 'patient/*.cruds' });
      expect(refused.json['error']).to.equal('invalid_scope');
      expect((await refresh(service, app, granted['refresh_token'])).status).to.equal(200);
    });

    it('are kept with an answer that the database and the key of the installation do not open', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const { json } = await refresh(service, app, granted['refresh_token']);
      const rows = (await knex()('smart_code').pluck('content')) as string[];
      const opened = rows.map((content) => service.services.sealing.open(content)).join('\n');
      for (const token of [granted['refresh_token'], json['refresh_token'], json['access_token'], json['id_token']]) {
        expect(opened).to.not.contain(String(token));
      }
    });
  });

  describe(`a sign-in that is too old for an app on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let app: SmartApp;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      world = await makeSiteRecord(service);
      app = await addSmartApp(service, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
    });
    after(() => service.stop());

    const knex = () => direct(service.services.database);
    /** Moves the sign-ins of the owner back. @returns the time in seconds */
    const signedInBefore = async (seconds: number): Promise<number> => {
      const created_at = toTimestamp(Date.now() - seconds * 1000);
      await knex()('session_token').where({ account_id: OWNER }).update({ created_at });
      return Math.floor(fromTimestamp(created_at) / 1000);
    };
    const opened = (site: Site, verifier: string, change: Form): Promise<SitePage> =>
      site.open(askingOf(service, app, verifier, { scope: SCOPES, ...change }));
    const isSignIn = ({ path, text }: SitePage): boolean =>
      path.startsWith('/my/sign-in?') && text.includes('The app asks you to sign in again');
    const signInOn = (site: Site, page: SitePage, username: string): Promise<SitePage> =>
      site.submit(page, { username, password: PASSWORD });
    const tokens = async (site: Site, question: SitePage, verifier: string): Promise<Record<string, unknown>> => {
      const back = await comesBack(site, await press(site, question, 'yes', world.recordId));
      const { status, json } = await exchange(service, app, back.searchParams.get('code')!, verifier);
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };

    it('is told as it was when it is good enough, also after a refresh', async () => {
      const owner = await enterSite(service, OWNER);
      const at = await signedInBefore(3000);
      const verifier = newVerifier();
      const question = await opened(owner, verifier, { max_age: '3600' });
      expect(readable(question)).to.contain('Let Pulse into your record?');
      const json = await tokens(owner, question, verifier);
      expect(claimsOf(json['id_token'])['auth_time']).to.equal(at);
      const next = await refresh(service, app, json['refresh_token']);
      expect(claimsOf(next.json['id_token'])['auth_time']).to.equal(at);
    });

    const newer: readonly Form[] = [
      { max_age: '60' },
      { max_age: '0' },
      { prompt: 'login' },
      { prompt: 'login consent' },
    ];
    for (const change of newer) {
      it(`leads to a new one and back for ${JSON.stringify(change)}`, async () => {
        const owner = await enterSite(service, OWNER);
        await signedInBefore(3000);
        const asked = Math.floor(Date.now() / 1000);
        const verifier = newVerifier();
        const page = await opened(owner, verifier, change);
        expect(isSignIn(page), `${page.path} ${readable(page)}`).to.be.true();
        const wrong = await owner.submit(page, { username: OWNER, password: 'wrong' });
        expect([wrong.status, readable(wrong)]).to.include(403);
        const question = await signInOn(owner, page, OWNER);
        expect(readable(question)).to.contain('Let Pulse into your record?');
        const json = await tokens(owner, question, verifier);
        expect(claimsOf(json['id_token'])['auth_time'] as number).to.be.at.least(asked);
      });
    }

    it('is not enough for a new sign-in, however short ago it was', async () => {
      const owner = await enterSite(service, OWNER);
      const page = await opened(owner, newVerifier(), { prompt: 'login' });
      expect(isSignIn(page), `${page.path} ${readable(page)}`).to.be.true();
      // Nobody is asked twice: whoever signed in for one question has done so for it alone.
      const question = await signInOn(owner, page, OWNER);
      expect(isSignIn(await owner.open(question.path))).to.be.false();
      expect(isSignIn(await opened(owner, newVerifier(), { prompt: 'login' }))).to.be.true();
    });

    it('gives nothing to a form that is sent all the same, and lets the person say no', async () => {
      const owner = await enterSite(service, OWNER);
      const verifier = newVerifier();
      const question = await opened(owner, verifier, { max_age: '3600' });
      expect(readable(question)).to.contain('Let Pulse into your record?');
      // The question stays open while the sign-in becomes too old.
      await signedInBefore(7200);
      const grants = async () => Number((await knex()('smart_grant').count({ n: '*' }))[0]!['n']);
      const before = await grants();
      const answer = await press(owner, question, 'yes', world.recordId);
      expect([answer.status, String(answer.headers['location'])]).to.equal([
        303,
        `/my/sign-in?${new URLSearchParams({ note: 'again', next: question.path }).toString()}`,
      ]);
      expect(await grants()).to.equal(before);
      const back = await comesBack(owner, await press(owner, question, 'no'));
      expect(back.searchParams.get('error')).to.equal('access_denied');
    });

    it('can be that of another person, who gives what is theirs', async () => {
      const owner = await enterSite(service, OWNER);
      const page = await opened(owner, newVerifier(), { prompt: 'login' });
      const question = await signInOn(owner, page, MEMBER);
      expect(question.text).to.not.contain(`value="${world.recordId}"`);
    });

    it('cannot be asked for where nobody may be asked, or in words without a meaning', async () => {
      for (const [change, error] of [
        [{ prompt: 'none', max_age: '60' }, 'interaction_required'],
        [{ prompt: 'none login' }, 'invalid_request'],
        [{ prompt: 'select_account' }, 'invalid_request'],
        [{ max_age: '-1' }, 'invalid_request'],
        [{ max_age: 'soon' }, 'invalid_request'],
        [{ max_age: '60', scope: 'patient/*.rs' }, 'invalid_request'],
      ] as const) {
        const url = askingOf(service, app, newVerifier(), { scope: SCOPES, ...change });
        const { headers } = await ask(service.running.server, 'GET', url);
        const back = new URL(String(headers['location']), 'https://nowhere.example');
        expect(back.searchParams.get('error'), JSON.stringify(change)).to.equal(error);
      }
    });
  });
}
