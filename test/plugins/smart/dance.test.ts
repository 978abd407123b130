/** dance: a person lets a SMART app in: what the app requests, what the person reads and answers, what the app gets. */
import { createPublicKey, verify } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { makeSite, readable } from '../../support/site';
import { enterSite, makeSiteRecord, MEMBER, OWNER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord, signIn, succeeded } from '../../support/world';
import {
  addSmartApp,
  ask,
  askingOf,
  choicesOn,
  codeFor,
  comesBack,
  exchange,
  leadsTo,
  letIn,
  newVerifier,
  press,
  REDIRECT,
  refresh,
  type SmartApp,
} from '../../support/smart-app';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CEILING =
  'launch launch/patient openid fhirUser offline_access online_access patient/*.rs patient/Observation.crs';

for (const leg of databases) {
  describe(`a person lets an app of SMART in on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let app: SmartApp;
    before(async () => {
      service = await startService(leg);
      world = await makeSiteRecord(service);
      app = await addSmartApp(service, 'pulse@apps.example', { scope: CEILING, token_endpoint_auth_method: 'none' });
    });
    after(() => service.stop());

    const server = () => service.running.server;
    const fhir = async (token: unknown, path: string): Promise<number> =>
      (await ask(server(), 'GET', `/fhir/${path}`, undefined, { authorization: `Bearer ${String(token)}` })).status;

    it('asks who is not signed in to sign in first, and comes back to the question', async () => {
      const site = makeSite(server());
      const question = await site.get(askingOf(service, app, newVerifier()));
      expect(question.status).to.equal(303);
      const first = await site.get(String(question.headers['location']));
      expect(first.headers['location']).to.match(/^\/my\/sign-in\?next=%2Fmy%2Fsmart%2F/);
      const signIn = await site.open(String(question.headers['location']));
      const asked = await site.submit(signIn, { username: MEMBER, password: 'correct horse battery' });
      expect(asked.path).to.match(/\/my\/smart\//);
      expect(readable(asked)).to.contain('Let Pulse into your record?');
    });

    it('asks for one record or carenet, and gives the app what the person chose', async () => {
      const verifier = newVerifier();
      const scope = 'launch/patient openid fhirUser offline_access patient/*.rs patient/Observation.c user/*.rs';
      const page = await world.owner.open(askingOf(service, app, verifier, { scope }));
      expect(choicesOn(page)).to.include([world.recordId, world.carenetId]);
      const words = readable(page);
      expect(words).to.contain('read what you chose above');
      expect(words).to.contain('add measurements and lab results, if you chose everything');
      expect(words).to.contain('come back by itself');
      expect(page.text).to.match(/<button[^>]*value="yes"[^>]*>Yes, let Pulse in/);
      expect(page.text).to.match(/<button[^>]*value="no"[^>]*>No, keep it out/);

      const back = await comesBack(world.owner, await press(world.owner, page, 'yes', world.recordId));
      expect(`${back.origin}${back.pathname}`).to.equal(REDIRECT);
      expect(back.searchParams.get('state')).to.equal('state-of-the-app');
      expect(back.searchParams.has('iss')).to.be.false();
      const { status, json, headers } = await exchange(service, app, back.searchParams.get('code')!, verifier);
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(json).to.include({
        token_type: 'Bearer',
        expires_in: 3600,
        patient: world.recordId,
        need_patient_banner: true,
      });
      expect(json['scope']).to.equal(
        'launch/patient openid fhirUser offline_access patient/*.rs patient/Observation.c',
      );
      expect(json['refresh_token']).to.be.a.string();
      expect([headers['cache-control'], headers['pragma']]).to.equal(['no-store', 'no-cache']);
      expect(await fhir(json['access_token'], `Patient/${world.recordId}`)).to.equal(200);

      // Afterwards the app is listed on the page of the record's apps, and can be removed there.
      const apps = await world.owner.open(`/my/records/${world.recordId}/apps`);
      expect(readable(apps)).to.contain('Pulse');
      expect(readable(apps)).to.contain('It sees everything, until');
      await world.owner.submit(apps, { app: app.id });
      expect(await fhir(json['access_token'], `Patient/${world.recordId}`)).to.equal(401);
      const again = await refresh(service, app, json['refresh_token']);
      expect([again.status, again.json['error']]).to.equal([400, 'invalid_grant']);
    });

    it('gives one category of a type, and says so in words', async () => {
      const verifier = newVerifier();
      const scope =
        'launch/patient patient/Observation.rs?category=laboratory patient/Condition.rs?category=unheard-of';
      const page = await world.owner.open(askingOf(service, app, verifier, { scope }));
      expect(readable(page)).to.contain('read lab results');
      expect(readable(page)).not.to.contain('measurements');
      const back = await comesBack(world.owner, await press(world.owner, page, 'yes', world.recordId));
      const { status, json } = await exchange(service, app, back.searchParams.get('code')!, verifier);
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(json['scope']).to.equal('launch/patient patient/Observation.rs?category=laboratory');
      expect(await fhir(json['access_token'], 'Observation')).to.equal(200);
      expect(await fhir(json['access_token'], 'Condition')).to.equal(403);
      const apps = await world.owner.open(`/my/records/${world.recordId}/apps`);
      expect(readable(apps)).to.contain('lab results');
      await world.owner.submit(apps, { app: app.id });
    });

    it('offers the own record first, whatever the records of others are called', async () => {
      await createAccount(service.call, 'aaron@people.example', 'Aaron Aaby');
      const other = await createRecord(service.call, 'aaron@people.example', 'Aaron', 'Aaby');
      const share = { form: { account_id: OWNER } };
      const aaron = await signIn(service.call, 'aaron@people.example');
      succeeded(await service.call(aaron, 'POST', `/records/${other}/shares/`, share));
      const choices = choicesOn(await world.owner.open(askingOf(service, app, newVerifier())));
      expect([choices[0], choices.includes(other)]).to.equal([world.recordId, true]);
      succeeded(await service.call(aaron, 'DELETE', `/records/${other}/shares/${OWNER}`));
    });

    it('says on the page of apps what an app may read and add, and no more', async () => {
      const said = async (): Promise<string> => readable(await world.owner.open(`/my/records/${world.recordId}/apps`));
      const give = (what: string, scope: string) => letIn(service, world.owner, app, what, scope);
      await give(world.recordId, 'patient/Observation.crs patient/Condition.rs');
      expect(await said()).to.match(/It reads measurements, lab results,? and health problems, until [^.]+\./);
      expect(await said()).to.contain('It can add measurements and lab results.');
      expect(await said()).to.not.contain('It sees everything');
      await give(world.carenetId, 'patient/Condition.rs');
      expect(await said()).to.match(/Of what lies in Family it reads health problems, until [^.]+\./);

      // A token that reads everything and ends no earlier makes the others superfluous, except for what they can add.
      await give(world.recordId, 'patient/*.rs');
      expect(await said()).to.match(
        /It sees everything, until [^.]+\.\s*It reads measurements[^]+It can add measurements/,
      );
      expect(await said()).to.not.contain('Of what lies in');
      const apps = await world.owner.open(`/my/records/${world.recordId}/apps`);
      expect(readable(await world.owner.submit(apps, { app: app.id }))).to.contain('The app is out.');
    });

    it('tells who the person is in an id token that the published keys verify', async () => {
      const scope = 'openid fhirUser patient/*.rs';
      const verifier = newVerifier();
      const change = { scope, nonce: 'a nonce of the app' };
      const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId, change });
      const { json } = await exchange(service, app, code, verifier);
      const [header, claims, signature] = String(json['id_token']).split('.');
      const read = (part = ''): Record<string, unknown> =>
        JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
      const { keys } = (await ask(server(), 'GET', '/oauth2/jwks')).json as { keys: Record<string, string>[] };
      const jwk = keys.find(({ kid }) => kid === read(header)['kid'])!;
      expect(Object.keys(jwk)).to.not.include(['d', 'p', 'q']);
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      expect(read(header)['alg']).to.equal('RS256');
      expect(
        verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature!, 'base64url')),
      ).to.be.true();
      expect(read(claims)).to.include({
        iss: service.services.baseUrl(),
        aud: app.id,
        nonce: 'a nonce of the app',
        fhirUser: `Patient/${world.recordId}`,
      });
      // Apps can recognize the same person again, but get no e-mail address.
      expect(String(read(claims)['sub'])).to.match(/^[0-9a-f]{64}$/);
      const bearer = { authorization: `Bearer ${String(json['access_token'])}` };
      const info = await ask(server(), 'GET', '/oauth2/userinfo', undefined, bearer);
      expect(info.json).to.equal({ sub: read(claims)['sub'], fhirUser: `Patient/${world.recordId}` });
    });

    it('calls who does not own the record a related person', async () => {
      const granted = await letIn(service, world.owner, app, world.carenetId);
      expect(granted['patient']).to.equal(world.recordId);
      const member = await letIn(service, world.member, app, world.carenetId, 'openid fhirUser patient/*.rs');
      const claims = JSON.parse(
        Buffer.from(String(member['id_token']).split('.')[1]!, 'base64url').toString(),
      ) as Record<string, string>;
      expect(claims['fhirUser']).to.equal(`RelatedPerson/${relatedPersonId(world.recordId, MEMBER)}`);
      expect(await fhir(member['access_token'], claims['fhirUser']!)).to.equal(200);
    });

    it('tells the app when the person says no', async () => {
      const site = await enterSite(service, MEMBER);
      const page = await site.open(askingOf(service, app, newVerifier()));
      const back = await comesBack(site, await press(site, page, 'no'));
      expect([back.searchParams.get('error'), back.searchParams.get('state')]).to.equal([
        'access_denied',
        'state-of-the-app',
      ]);
    });

    it('asks again when nothing is chosen, and gives nothing that is not the person’s', async () => {
      const page = await world.owner.open(askingOf(service, app, newVerifier()));
      const again = await press(world.owner, page, 'yes');
      expect([again.status, readable(again).includes('Choose the record, or say no')]).to.equal([400, true]);
      const foreign = await world.stranger.open(askingOf(service, app, newVerifier()));
      expect(choicesOn(foreign)).to.equal([]);
      expect((await press(world.stranger, foreign, 'yes', world.recordId)).status).to.equal(404);
      expect((await press(world.stranger, foreign, 'yes', world.carenetId)).status).to.equal(404);
    });

    it('takes one answer, from the browser that was asked and the one that answered', async () => {
      const page = await world.owner.open(askingOf(service, app, newVerifier()));
      const answered = await press(world.owner, page, 'yes', world.recordId);
      expect((await press(world.owner, page, 'no')).status).to.equal(404);
      expect((await world.owner.get(page.path)).status).to.equal(404);
      const location = leadsTo(answered);
      // Another browser has the address but not the cookie. The browser that asked has the cookie but not the answer's
      // secret.
      const other = await makeSite(server()).get(location);
      expect([other.status, other.headers['location']]).to.equal([400, undefined]);
      const { origin, pathname } = new URL(location);
      for (const address of [pathname, `${pathname}?answer=guessed`, `${pathname}?answer=a&answer=b`]) {
        const guessed = await world.owner.get(`${origin}${address}`);
        expect([guessed.status, guessed.headers['location']], address).to.equal([400, undefined]);
      }
      const back = await world.owner.get(location);
      expect(String(back.headers['location'])).to.startWith(`${REDIRECT}?code=`);
      expect((await world.owner.get(location)).status).to.equal(400);
    });

    it('takes a button that is pressed twice as one answer: the last word counts, for the same person and the same yes', async () => {
      const page = await world.owner.open(askingOf(service, app, newVerifier()));
      const grants = async (): Promise<number> =>
        (await direct(service.services.database)('smart_grant').select('grant_hash')).length;
      const first = await press(world.owner, page, 'yes', world.recordId);
      const before = await grants();
      const second = await press(world.owner, page, 'yes', world.recordId);
      expect([second.status, readable(second), await grants()]).to.equal([200, readable(first), before]);
      expect((await world.owner.get(leadsTo(first))).status).to.equal(400);
      // Another yes, a no, another view of the page, and another person are too late, and the page says what to do.
      expect((await press(world.owner, page, 'yes', world.carenetId)).status).to.equal(404);
      expect((await press(world.owner, page, 'no')).status).to.equal(404);
      const late = await world.owner.get(page.path);
      expect([late.status, readable(late).includes('Go back to the app and begin there again.')]).to.equal([404, true]);
      expect((await world.stranger.get(page.path)).status).to.equal(404);
      const back = await world.owner.get(leadsTo(second));
      expect(String(back.headers['location'])).to.startWith(`${REDIRECT}?code=`);
      expect((await press(world.owner, page, 'yes', world.recordId)).status).to.equal(404);
    });

    it('takes the same request as a form', async () => {
      const url = new URL(askingOf(service, app, newVerifier()), 'http://svc.example');
      const page = await world.owner.post(url.pathname, Object.fromEntries(url.searchParams));
      expect(page.status).to.equal(303);
      expect(String(page.headers['location'])).to.match(/^\/my\/smart\//);
    });
  });
}
