/**
 * introspection: what a token is good for is told to its own app: to one without a secret by its name, to any app by
 * one of its access tokens, as SMART App Launch 2.2 has it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../../core/base/clock';
import { sha256 } from '../../../core/base/ids';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService, type TestService } from '../../support/server';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import {
  addSmartApp,
  ask,
  assertion,
  basic,
  codeFor,
  exchange,
  newSigningKey,
  newVerifier,
  type Form,
  type Reply,
  type SmartApp,
} from '../../support/smart-app';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PATH = '/oauth2/introspect';
const key = newSigningKey('ES384', 'one');

for (const leg of databases) {
  describe(`introspection on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let open: SmartApp;
    let secret: SmartApp;
    let signing: SmartApp;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '20' });
      world = await makeSiteRecord(service);
      open = await addSmartApp(service, 'open@apps.example', { token_endpoint_auth_method: 'none' });
      secret = await addSmartApp(service, 'secret@apps.example', { token_endpoint_auth_method: 'client_secret_basic' });
      signing = await addSmartApp(service, 'signing@apps.example', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [key.jwk] },
      });
    });
    after(() => service.stop());

    let count = 0;
    const proofOf = (app: SmartApp): Form => {
      count += 1;
      const aud = `${service.services.baseUrl()}/oauth2/token`;
      const exp = Math.floor(Date.now() / 1000) + 200;
      return app === signing ? assertion(key, { iss: app.id, sub: app.id, aud, exp, jti: `jti ${count}` }) : {};
    };
    const tokensOf = async (app: SmartApp): Promise<Record<string, unknown>> => {
      const verifier = newVerifier();
      const change = { scope: 'launch/patient offline_access patient/*.rs' };
      const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId, change });
      const headers = app === secret ? basic(app) : {};
      const { status, json } = await exchange(service, app, code, verifier, proofOf(app), headers);
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    const tell = (form: Form | string, bearer: unknown, more: Form = {}): Promise<Reply> =>
      ask(service.running.server, 'POST', PATH, form, { authorization: `Bearer ${String(bearer)}`, ...more });

    it('is for whoever has an access token of the same app, whatever proof the app has otherwise', async () => {
      for (const app of [open, secret, signing]) {
        const [one, two] = [await tokensOf(app), await tokensOf(app)];
        for (const token of [one['access_token'], two['access_token'], two['refresh_token']]) {
          const { status, json } = await tell({ token: String(token) }, one['access_token']);
          expect([app.id, status, json['active'], json['client_id'], json['patient'] ?? world.recordId]).to.equal([
            app.id,
            200,
            true,
            app.id,
            world.recordId,
          ]);
        }
        const named = await tell({ token: String(one['access_token']), client_id: app.id }, one['access_token']);
        expect([named.status, named.json['active']]).to.equal([200, true]);
        const unknown = await tell({ token: 'unknown' }, one['access_token']);
        expect([unknown.status, unknown.json]).to.equal([200, { active: false }]);
      }
    });

    it('tells an app nothing about the tokens of another', async () => {
      const [own, foreign] = [await tokensOf(open), await tokensOf(secret)];
      for (const name of ['access_token', 'refresh_token']) {
        const { status, json } = await tell({ token: String(foreign[name]) }, own['access_token']);
        expect([status, json]).to.equal([200, { active: false }]);
      }
      const named = await tell({ token: String(foreign['access_token']), client_id: secret.id }, own['access_token']);
      expect([named.status, named.json['error']]).to.equal([400, 'invalid_request']);
    });

    it('takes one proof at a time, and none that has ended', async () => {
      const { access_token: token, refresh_token: again } = await tokensOf(secret);
      const form = { token: String(token) };
      for (const twice of [{ client_secret: secret.secret }, proofOf(signing)]) {
        const { status, json } = await tell({ ...form, ...twice }, token);
        expect([status, json['error']]).to.equal([400, 'invalid_request']);
      }
      for (const wrong of ['unknown', String(again), `${String(token)}x`, '']) {
        const { status, json, headers } = await tell(form, wrong);
        expect([wrong, status, json['error'], Object.keys(json).length]).to.equal([wrong, 401, 'invalid_token', 2]);
        expect(String(headers['www-authenticate'])).to.startWith('Bearer ');
      }
      await direct(service.services.database)('access_token')
        .where({ token_hash: sha256(String(token)) })
        .update({ expires_at: toTimestamp(Date.now() - 1000) });
      expect((await tell(form, token)).status).to.equal(401);
    });

    it('accepts a token as a proof at no other address', async () => {
      const { access_token: token, refresh_token: again } = await tokensOf(secret);
      const headers = { authorization: `Bearer ${String(token)}` };
      const forms: readonly (readonly [string, Form])[] = [
        ['/oauth2/revoke', { token: String(again), client_id: secret.id }],
        ['/oauth2/token', { grant_type: 'refresh_token', refresh_token: String(again), client_id: secret.id }],
      ];
      for (const [path, form] of forms) {
        const { status, json } = await ask(service.running.server, 'POST', path, form, headers);
        expect([path, status, json['error']]).to.equal([path, 400, 'invalid_request']);
      }
      // Without the token the app is asked for its secret, as before.
      const bare = await ask(service.running.server, 'POST', PATH, { token: String(token), client_id: secret.id });
      expect([bare.status, bare.json['error']]).to.equal([401, 'invalid_client']);
    });

    it('names in the audit log through whom it was asked', async () => {
      const { access_token: token } = await tokensOf(secret);
      await tell({ token: 'unknown' }, token);
      const row = (await direct(service.services.database)('audit').orderBy('seq', 'desc').first()) as Record<
        string,
        unknown
      >;
      expect(row).to.include({ url: PATH, principal_id: 'olga@people.example', proxy_id: secret.id });
    });

    it('is refused for a while from an address that tries too many tokens', async () => {
      const { access_token: token } = await tokensOf(open);
      const tries: number[] = [];
      for (let number = 0; number < 30; number += 1) {
        tries.push((await tell({ token: 'x' }, `guess${number}`)).status);
      }
      expect(tries).to.include(429);
      expect((await tell({ token: String(token) }, token)).status).to.equal(200);
    });
  });
}
