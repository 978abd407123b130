/** clients: how apps authenticate: with nothing, a secret or a key; and everything that does not authenticate them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
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

const keys = { RS384: newSigningKey('RS384', 'one'), ES384: newSigningKey('ES384', 'two') };
const strange = newSigningKey('ES384', 'two');

for (const leg of databases) {
  describe(`clients of SMART on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let secret: SmartApp;
    let posting: SmartApp;
    let signing: SmartApp;
    let fetched: SmartApp;
    let keyServer: Server;
    /** The keys that the app of `fetched` shows, and how often they were fetched. */
    let shown = [keys.ES384.jwk];
    let fetches = 0;
    let failing = false;
    before(async () => {
      service = await startService(leg, { SVC_CALLBACK_ALLOW_PRIVATE: '1', SVC_RATE_ADDRESS_PER_MINUTE: '30' });
      world = await makeSiteRecord(service);
      keyServer = createServer((_request, response) => {
        fetches += 1;
        response.setHeader('content-type', 'application/json');
        response.setHeader('cache-control', 'max-age=86400');
        response.statusCode = failing ? 500 : 200;
        response.end(JSON.stringify({ keys: shown }));
      });
      await new Promise<void>((done) => keyServer.listen(0, '127.0.0.1', done));
      const jwks_uri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
      secret = await addSmartApp(service, 'secret@apps.example', { token_endpoint_auth_method: 'client_secret_basic' });
      posting = await addSmartApp(service, 'posting@apps.example', {
        token_endpoint_auth_method: 'client_secret_post',
      });
      signing = await addSmartApp(service, 'signing@apps.example', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [keys.RS384.jwk, keys.ES384.jwk] },
      });
      fetched = await addSmartApp(service, 'fetched@apps.example', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri,
      });
    });
    after(async () => {
      keyServer.close();
      await service.stop();
    });

    const come = async (app: SmartApp, proof: Form, headers: Form = {}): Promise<Reply> => {
      const verifier = newVerifier();
      const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId });
      return exchange(service, app, code, verifier, proof, headers);
    };
    const now = (): number => Math.floor(Date.now() / 1000);
    let count = 0;
    const claims = (app: SmartApp, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
      count += 1;
      return {
        iss: app.id,
        sub: app.id,
        aud: `${service.services.baseUrl()}/oauth2/token`,
        exp: now() + 240,
        jti: `jti ${count}`,
        ...change,
      };
    };

    it('come with their secret in the header or in the form', async () => {
      expect((await come(secret, {}, basic(secret))).status).to.equal(200);
      expect((await come(posting, { client_secret: posting.secret })).status).to.equal(200);
    });

    it('come to nothing with another secret, with none, or with that of another app', async () => {
      for (const [app, proof, headers] of [
        [secret, {}, basic({ ...secret, secret: 'wrong' })],
        [secret, {}, {}],
        [posting, { client_secret: secret.secret }, {}],
        [posting, { client_secret: `${posting.secret} ` }, {}],
      ] as const) {
        const { status, json, headers: sent } = await come(app, proof, headers);
        expect([status, json['error']]).to.equal([401, 'invalid_client']);
        if ('authorization' in headers) {
          expect(String(sent['www-authenticate'])).to.startWith('Basic ');
        }
      }
      const both = await come(posting, { client_secret: posting.secret }, basic(posting));
      expect([both.status, both.json['error']]).to.equal([400, 'invalid_request']);
    });

    it('come with what their key has signed, with RS384 and ES384', async () => {
      for (const key of [keys.RS384, keys.ES384]) {
        const { status, json } = await come(signing, assertion(key, claims(signing)));
        expect(status, JSON.stringify(json)).to.equal(200);
      }
      const { status, json } = await come(fetched, assertion(keys.ES384, claims(fetched)));
      expect(status, JSON.stringify(json)).to.equal(200);
    });

    it('may change their keys at once, and cannot make this service fetch keys without end', async () => {
      const renewed = newSigningKey('ES384', 'three');
      const tell = (signer: typeof renewed, app = fetched) =>
        ask(service.running.server, 'POST', '/oauth2/introspect', {
          token: 'x',
          client_id: app.id,
          ...assertion(signer, claims(app)),
        });
      expect((await tell(keys.ES384)).status).to.equal(200);
      const before = fetches;
      expect([(await tell(keys.ES384)).status, fetches]).to.equal([200, before]);
      shown = [renewed.jwk];
      expect([(await tell(renewed)).status, fetches]).to.equal([200, before + 1]);
      // The old key has ended with that.
      expect((await tell(keys.ES384)).status).to.equal(401);
      for (let number = 0; number < 3; number += 1) {
        const { status, json } = await tell(newSigningKey('ES384', `invented ${number}`));
        expect([status, json['error']]).to.equal([401, 'invalid_client']);
      }
      expect(fetches).to.equal(before + 1);
      expect((await tell(renewed)).status).to.equal(200);
    });

    it('can withdraw a key, which then counts for an hour at most, unless the keys cannot be fetched', async () => {
      const [one, two] = [newSigningKey('ES384', 'first'), newSigningKey('ES384', 'second')];
      const jwks_uri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/others`;
      const fields = { token_endpoint_auth_method: 'private_key_jwt' as const, jwks_uri };
      const app = await addSmartApp(service, 'withdrawing@apps.example', fields);
      const tell = async (signer: typeof one): Promise<number> => {
        const proof = assertion(signer, claims(app));
        const form = { token: 'x', client_id: app.id, ...proof };
        return (await ask(service.running.server, 'POST', '/oauth2/introspect', form)).status;
      };
      const { clock } = service.services;
      const pass = (hours: number): unknown =>
        Object.assign(service.services, { clock: { now: () => clock.now() + hours * 3_600_000 } });
      try {
        shown = [one.jwk];
        expect(await tell(one)).to.equal(200);
        shown = [two.jwk];
        expect(await tell(one)).to.equal(200);
        pass(1);
        expect([await tell(one), await tell(two)]).to.equal([401, 200]);
        pass(2);
        failing = true;
        const before = fetches;
        expect([await tell(two), await tell(two), fetches]).to.equal([200, 200, before + 1]);
      } finally {
        failing = false;
        shown = [keys.ES384.jwk];
        Object.assign(service.services, { clock });
      }
    });

    it('have keys fetched from private networks only where the operator allows it', async () => {
      const careful = await startService(leg);
      try {
        const jwks_uri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
        const fields = { token_endpoint_auth_method: 'private_key_jwt' as const, jwks_uri };
        const app = await addSmartApp(careful, 'careful@apps.example', fields);
        const proof = assertion(keys.ES384, claims(app, { aud: `${careful.services.baseUrl()}/oauth2/token` }));
        const form = { token: 'x', client_id: app.id, ...proof };
        const refused = await ask(careful.running.server, 'POST', '/oauth2/introspect', form);
        expect([refused.status, refused.json['error']]).to.equal([401, 'invalid_client']);
      } finally {
        await careful.stop();
      }
    });

    it('come to nothing with an assertion that is wrong in any way', async () => {
      const good = claims(signing);
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      const unsigned = `${none}.${Buffer.from(JSON.stringify(claims(signing))).toString('base64url')}.`;
      const wrong: readonly (readonly [string, Form])[] = [
        ['another audience', assertion(keys.ES384, claims(signing, { aud: 'https://other.example/token' }))],
        ['no audience', assertion(keys.ES384, claims(signing, { aud: undefined }))],
        ['over', assertion(keys.ES384, claims(signing, { exp: now() - 60 }))],
        ['good for too long', assertion(keys.ES384, claims(signing, { exp: now() + 3600 }))],
        ['for ever', assertion(keys.ES384, claims(signing, { exp: undefined }))],
        ['no jti', assertion(keys.ES384, claims(signing, { jti: undefined }))],
        ['another issuer', assertion(keys.ES384, claims(signing, { iss: secret.id }))],
        ['another key', assertion(strange, claims(signing))],
        ['a key of no name', assertion(keys.ES384, claims(signing), { kid: 'three' })],
        ['keys of elsewhere', assertion(keys.ES384, claims(signing), { jku: 'https://evil.example/keys' })],
        ['another algorithm', assertion(keys.RS384, claims(signing), { alg: 'RS256' })],
        ['not signed', { ...assertion(keys.ES384, good), client_assertion: unsigned }],
        [
          'changed',
          { ...assertion(keys.ES384, good), client_assertion: `${assertion(keys.ES384, good)['client_assertion']}x` },
        ],
      ];
      for (const [what, proof] of wrong) {
        const { status, json } = await come(signing, proof);
        expect([status, json['error']], what).to.equal([401, 'invalid_client']);
      }
      const bare = await come(signing, {});
      expect([bare.status, bare.json['error']]).to.equal([401, 'invalid_client']);
    });

    it('use an assertion once, also when they come at the same moment', async () => {
      const proof = assertion(keys.ES384, claims(signing));
      expect((await come(signing, proof)).status).to.equal(200);
      const again = await come(signing, proof);
      expect([again.status, again.json['error']]).to.equal([401, 'invalid_client']);
      const many = assertion(keys.ES384, claims(signing));
      const told = await Promise.all(
        Array.from({ length: 5 }, () =>
          ask(service.running.server, 'POST', '/oauth2/introspect', { token: 'x', client_id: signing.id, ...many }),
        ),
      );
      expect(told.filter(({ status }) => status === 200)).to.have.length(1);
      expect(told.filter(({ status }) => status === 401)).to.have.length(4);
    });

    it('are told to wait when one address tries too many secrets', async () => {
      const tries: number[] = [];
      for (let count = 0; count < 40; count += 1) {
        const wrong = basic({ ...secret, secret: `wrong ${count}` });
        tries.push((await ask(service.running.server, 'POST', '/oauth2/introspect', { token: 'x' }, wrong)).status);
      }
      expect(tries).to.include(429);
      // The right secret still passes.
      expect((await come(secret, {}, basic(secret))).status).to.equal(200);
    });
  });
}
