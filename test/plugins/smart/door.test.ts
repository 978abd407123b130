/**
 * door: what is open to all, which origins may read what, how the website opens an app, and settings without this door.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { readable } from '../../support/site';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import {
  addSmartApp,
  ask,
  askingOf,
  choicesOn,
  codeFor,
  comesBack,
  exchange,
  leadsTo,
  newVerifier,
  press,
  type SmartApp,
} from '../../support/smart-app';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const DISCOVERY = '/fhir/.well-known/smart-configuration';
const OPENID = '/.well-known/openid-configuration';

for (const leg of databases) {
  describe(`the door of SMART on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let app: SmartApp;
    before(async () => {
      service = await startService(leg);
      world = await makeSiteRecord(service);
      const fields = { token_endpoint_auth_method: 'none' as const };
      app = await addSmartApp(service, 'pulse@apps.example', fields, { index: 'https://app.example/start?v=2' });
      await addSmartApp(service, 'other@apps.example', { ...fields, redirect_uris: ['https://other.example/back'] });
    });
    after(() => service.stop());

    const server = () => service.running.server;

    it('says where it is and what it can do, whatever is accepted', async () => {
      const base = service.services.baseUrl();
      const smart = await ask(server(), 'GET', DISCOVERY, undefined, { accept: 'text/html' });
      expect(smart.status).to.equal(200);
      expect(String(smart.headers['content-type'])).to.startWith('application/json');
      expect(smart.json).to.include({
        issuer: base,
        authorization_endpoint: `${base}/oauth2/authorize`,
        token_endpoint: `${base}/oauth2/token`,
        revocation_endpoint: `${base}/oauth2/revoke`,
        introspection_endpoint: `${base}/oauth2/introspect`,
        jwks_uri: `${base}/oauth2/jwks`,
        code_challenge_methods_supported: ['S256'],
      });
      expect(smart.json['capabilities']).to.include([
        ...['launch-standalone', 'launch-ehr', 'client-public', 'client-confidential-symmetric'],
        ...['client-confidential-asymmetric', 'context-standalone-patient', 'permission-patient', 'permission-offline'],
        ...['sso-openid-connect', 'permission-v1', 'permission-v2'],
      ]);
      const openid = (await ask(server(), 'GET', OPENID)).json;
      for (const key of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'introspection_endpoint']) {
        expect(openid[key], key).to.equal(smart.json[key]);
      }
      expect(openid['scopes_supported']).to.equal(smart.json['scopes_supported']);
      expect(openid['userinfo_endpoint']).to.equal(`${base}/oauth2/userinfo`);
      expect(openid['id_token_signing_alg_values_supported']).to.equal(['RS256']);
      expect(openid['token_endpoint_auth_signing_alg_values_supported']).to.equal(['RS384', 'ES384']);
    });

    it('answers 405 to other methods than a look at what is open to all', async () => {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, headers } = await ask(server(), method, DISCOVERY);
        expect([method, status, headers['allow']]).to.equal([method, 405, 'GET, HEAD']);
      }
      expect((await ask(server(), 'HEAD', DISCOVERY)).status).to.equal(200);
    });

    it('lets pages of an app send the credentials of a browser, and no other page', async () => {
      for (const path of [DISCOVERY, OPENID, '/oauth2/jwks', '/oauth2/token', '/oauth2/userinfo']) {
        for (const [origin, allowed] of [
          ['https://app.example', 'true'],
          ['https://evil.example', undefined],
          ['null', undefined],
        ] as const) {
          const asking = { origin, 'access-control-request-method': 'GET' };
          const { headers } = await ask(server(), 'OPTIONS', path, undefined, asking);
          expect(headers['access-control-allow-credentials'], `${path} ${origin}`).to.equal(allowed);
          expect(headers['vary'], path).to.contain('Origin');
        }
      }
      const own = await ask(server(), 'GET', DISCOVERY, undefined, { origin: 'https://app.example' });
      expect([
        own.headers['access-control-allow-origin'],
        own.headers['access-control-allow-credentials'],
        own.headers['set-cookie'],
      ]).to.equal(['https://app.example', 'true', undefined]);
    });

    it('lets any page read what is open to all, without credentials', async () => {
      for (const path of [DISCOVERY, OPENID, '/oauth2/jwks']) {
        const { headers } = await ask(server(), 'GET', path, undefined, { origin: 'https://anybody.example' });
        expect(headers['access-control-allow-origin'], path).to.equal('*');
        expect(headers['access-control-allow-credentials'], path).to.be.undefined();
      }
    });

    it('lets pages of an app read the answers to this app, and others none', async () => {
      const preflight = (path: string, origin: string) =>
        ask(server(), 'OPTIONS', path, undefined, { origin, 'access-control-request-method': 'POST' });
      for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect', '/oauth2/userinfo']) {
        const own = await preflight(path, 'https://app.example');
        expect([own.status, own.headers['access-control-allow-origin']], path).to.equal([204, 'https://app.example']);
        for (const origin of [
          'https://evil.example',
          'null',
          'https://app.example.evil.example',
          'http://app.example',
        ]) {
          const { headers } = await preflight(path, origin);
          expect(
            Object.keys(headers).filter((name) => name.startsWith('access-control')),
            `${path} ${origin}`,
          ).to.equal([]);
        }
      }
      const verifier = newVerifier();
      const come = async (origin: string) => {
        const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId });
        return exchange(service, app, code, verifier, {}, { origin });
      };
      const own = await come('https://app.example');
      expect([own.status, own.headers['access-control-allow-origin']]).to.equal([200, 'https://app.example']);
      for (const origin of ['https://other.example', 'https://evil.example']) {
        const { status, json, headers } = await come(origin);
        expect([status, headers['access-control-allow-origin']], origin).to.equal([400, undefined]);
        expect(Object.keys(json)).to.not.include('access_token');
      }
      expect((await preflight('/oauth2/authorize', 'https://app.example')).headers).to.not.include([
        'access-control-allow-origin',
      ]);
    });

    it('opens an app for a record from its page of apps', async () => {
      const path = `/my/records/${world.recordId}/apps/${encodeURIComponent(app.id)}`;
      for (const table of ['access_token', 'smart_grant', 'record_app']) {
        await direct(service.services.database)(table).where({ app_id: app.id }).delete();
      }
      const first = await world.owner.open(path);
      expect(readable(first)).to.contain('As long as it says when it asks you itself. Until then it sees nothing.');
      await press(world.owner, first, 'yes');
      const apps = await world.owner.open(`/my/records/${world.recordId}/apps`);
      expect(readable(apps)).to.contain('It sees nothing now. Once you open it, it asks you what it may see.');
      expect(apps.text).to.match(/Open<span class="unseen">, Pulse/);
      const opened = await world.owner.submit(apps, {}, `${encodeURIComponent(app.id)}/open`);
      expect(readable(opened)).to.contain('There it asks you what it may see');
      const start = new URL(leadsTo(opened));
      expect(`${start.origin}${start.pathname}`).to.equal('https://app.example/start');
      expect([start.searchParams.get('v'), start.searchParams.get('iss')]).to.equal([
        '2',
        `${service.services.baseUrl()}/fhir`,
      ]);
      const launch = start.searchParams.get('launch')!;
      expect(launch).to.not.contain(world.recordId);

      const verifier = newVerifier();
      const change = { launch, scope: 'launch openid patient/*.rs' };
      const page = await world.owner.open(askingOf(service, app, verifier, change));
      expect(choicesOn(page)).to.equal([world.recordId]);
      expect(readable(page)).to.contain('You opened it from this record.');
      const back = await comesBack(world.owner, await press(world.owner, page, 'yes', world.recordId));
      const { json } = await exchange(service, app, back.searchParams.get('code')!, verifier);
      expect(json).to.include({ patient: world.recordId, scope: 'launch openid patient/*.rs' });

      // Neither another app nor another person can use the launch value.
      const other = await ask(
        server(),
        'GET',
        askingOf(service, { id: 'other@apps.example', secret: '' }, verifier, {
          launch,
          redirect_uri: 'https://other.example/back',
        }),
      );
      expect(String(other.headers['location'])).to.contain('error=invalid_request');
      expect(choicesOn(await world.stranger.open(askingOf(service, app, verifier, change)))).to.equal([]);
    });

    it('is not there without the website, nor without the FHIR door', async () => {
      for (const [settings, fhir] of [
        [{ SVC_WEBSITE: '0' }, 200],
        [{ SVC_FHIR: '0' }, 404],
      ] as const) {
        const bare = await startService(leg, settings);
        try {
          for (const path of [DISCOVERY, OPENID, '/oauth2/jwks', '/oauth2/authorize', '/oauth2/userinfo']) {
            expect((await ask(bare.running.server, 'GET', path)).status, `${path}`).to.equal(404);
          }
          expect((await ask(bare.running.server, 'POST', '/oauth2/token', { a: 'b' })).status).to.equal(404);
          const metadata = await bare.running.server.inject({
            url: '/fhir/metadata',
            headers: { accept: 'application/json' },
          });
          expect(metadata.statusCode).to.equal(fhir);
          expect(metadata.payload).to.not.contain('oauth');
        } finally {
          await bare.stop();
        }
      }
    });

    it('stands below the path of the public address', async () => {
      const below = await startService(leg, { SVC_BASE_URL: 'https://phr.example/records' });
      try {
        const pulse = await addSmartApp(below, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
        const { json } = await ask(below.running.server, 'GET', OPENID);
        expect(json).to.include({
          issuer: 'https://phr.example/records',
          token_endpoint: 'https://phr.example/records/oauth2/token',
        });
        const { headers } = await ask(below.running.server, 'GET', askingOf(below, pulse, newVerifier()));
        expect(String(headers['location'])).to.startWith('/records/my/smart/');
        expect(String(headers['set-cookie'])).to.match(/path=\/records\/oauth2\/authorize\/.*secure/);
      } finally {
        await below.stop();
      }
    });
  });
}
