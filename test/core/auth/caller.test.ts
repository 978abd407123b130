/**
 * caller: which principal each kind of credentials gives, and everything that is refused, tested with signed requests.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader } from '../../../core/auth/sign';
import { baseString, percentEncode, sign } from '../../../core/auth/signature';
import { toTimestamp } from '../../../core/base/clock';
import { newId, newToken, sha256 } from '../../../core/base/ids';
import { findStandings, type AccessTokenKind, type Credentials } from '../../../core/tokens/store';
import { addApp, addPerson, addToken, enable, type Signs } from '../../support/cast';
import { databases } from '../../support/databases';
import { admin, connector, medications, startService, ui, type TestService } from '../../support/server';
import { createRecord } from '../../support/world';
import { direct } from '../../support/direct';
import * as accountStore from '../../../core/accounts/store';
import * as messageStore from '../../../core/messages/store';
import * as sharingStore from '../../../core/sharing/store';
import * as tokenStore from '../../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';

for (const leg of databases) {
  describe(`caller on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let recordId: string;
    before(async () => {
      service = await startService(leg, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      alice = await addPerson(service.services, ALICE);
      recordId = await createRecord(service.call, ALICE);
      await enable(service.services, recordId, medications!.consumer.key);
    });
    after(() => service.stop());

    const knex = () => direct(service.services.database);
    /** Status of a call that any valid credentials may make. */
    const ask = async (credentials: Parameters<TestService['call']>[0], path = '/apps/'): Promise<number> =>
      (await service.call(credentials, 'GET', path)).status;
    const askAs = (signer: Signs | null): Promise<number> => ask(signer);

    const token = async (
      kind: AccessTokenKind,
      app = medications!,
      part: { accountId?: string | null; seconds?: number } = {},
    ): Promise<{ key: string; secret: string }> => {
      const pair = { key: newToken(), secret: newToken() };
      const { services } = service;
      await tokenStore.insertAccessToken(knex(), {
        tokenHash: sha256(pair.key),
        secret: services.sealing.seal(pair.secret),
        kind,
        appId: app.consumer.key,
        accountId: part.accountId === undefined ? ALICE : part.accountId,
        recordId,
        carenetId: null,
        createdAt: toTimestamp(Date.now()),
        expiresAt: toTimestamp(Date.now() + (part.seconds ?? 60) * 1000),
      });
      return pair;
    };

    /** Builds a header by hand, so that every part of it can be wrong. */
    const header = (
      values: Record<string, string>,
      { path = '/apps/', secret = admin!.consumer.secret, tokenSecret = '' } = {},
    ): string => {
      const all = {
        oauth_consumer_key: admin!.consumer.key,
        oauth_signature_method: 'HMAC-SHA1',
        oauth_timestamp: String(Math.floor(Date.now() / 1000)),
        oauth_nonce: newToken(),
        ...values,
      };
      const signature = sign(
        baseString('GET', `${service.services.baseUrl()}${path}`, Object.entries(all)),
        secret,
        tokenSecret,
      );
      return `OAuth ${Object.entries({ ...all, oauth_signature: signature })
        .map(([name, value]) => `${name}="${percentEncode(value)}"`)
        .join(', ')}`;
    };
    const send = async (authorization: string, path = '/apps/'): Promise<number> =>
      (await service.running.server.inject({ method: 'GET', url: path, headers: { authorization } })).statusCode;

    it('knows apps, sessions and access tokens', async () => {
      expect(await askAs(admin)).to.equal(200);
      expect(await askAs(ui)).to.equal(200);
      expect(await askAs(medications)).to.equal(200);
      expect(await askAs(alice)).to.equal(200);
      expect(await ask({ ...medications!, token: await token('ordinary') })).to.equal(200);
      expect(await ask({ ...medications!, token: await token('rest') })).to.equal(200);
      expect(await ask({ ...ui!, token: await token('connect') })).to.equal(200);
    });

    it('refuses who sends no header where credentials are needed, and nowhere else', async () => {
      expect(await ask(null)).to.equal(403);
      expect(await ask(null, '/version')).to.equal(200);
    });

    it('refuses a bad header everywhere but under /codes/', async () => {
      const bad = { consumer: { ...admin!.consumer, secret: 'wrong' } };
      expect(await ask(bad)).to.equal(403);
      expect(await ask(bad, '/version')).to.equal(403);
      expect(await ask(bad, '/codes/systems/none/query')).to.equal(404);
    });

    it('gives every refusal the same answer', async () => {
      const answers = await Promise.all([
        service.call({ consumer: { key: 'nobody@example.org', secret: 'x' } }, 'GET', '/apps/'),
        service.call({ consumer: { ...admin!.consumer, secret: 'x' } }, 'GET', '/apps/'),
        service.call({ ...ui!, token: { key: 'unknown', secret: 'x' } }, 'GET', '/apps/'),
        service.call(null, 'GET', '/apps/'),
      ]);
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(answers.map(({ status }) => status)).to.equal([403, 403, 403, 403]);
      expect(answers[0]!.headers['www-authenticate']).to.be.undefined();
    });

    const wrong: Record<string, () => Promise<number>> = {
      'an unknown consumer': () => ask({ consumer: { key: 'nobody@example.org', secret: 'x' } }),
      'a wrong consumer secret': () => ask({ consumer: { ...admin!.consumer, secret: 'wrong' } }),
      'a wrong token secret': () => ask({ ...alice, token: { ...alice.token!, secret: 'wrong' } }),
      'an unknown token': () => ask({ ...medications!, token: { key: newToken(), secret: 'x' } }),
      'a token with an admin app': async () => ask({ ...admin!, token: await token('ordinary') }),
      'a token of another app': async () => ask({ ...connector!, token: await token('ordinary') }),
      'an ordinary token with a UI app': async () => ask({ ...ui!, token: await token('ordinary') }),
      'a REST token with a UI app': async () => ask({ ...ui!, token: await token('rest') }),
      'a connect token with its own app': async () => ask({ ...medications!, token: await token('connect') }),
      'a session with another kind of app': () => ask({ ...medications!, token: alice.token! }),
      'an expired access token': async () =>
        ask({ ...medications!, token: await token('ordinary', medications!, { seconds: -1 }) }),
      'a token of an app that is not enabled': async () =>
        ask({ ...connector!, token: await token('ordinary', connector!, { accountId: null }) }),
      'a timestamp from the past': () => send(header({ oauth_timestamp: String(Math.floor(Date.now() / 1000) - 310) })),
      'a timestamp from the future': () =>
        send(header({ oauth_timestamp: String(Math.floor(Date.now() / 1000) + 310) })),
      'a timestamp that is no number': () => send(header({ oauth_timestamp: 'now' })),
      'a nonce of more than 100 characters': () => send(header({ oauth_nonce: 'n'.repeat(101) })),
      'another signature method': () => send(header({ oauth_signature_method: 'HMAC-SHA256' })),
      'a signature over another path': () => send(header({}, { path: '/apps/manifests/' })),
      'a query that was not signed': () => send(header({}), '/apps/?x=1'),
    };
    for (const [what, status] of Object.entries(wrong)) {
      it(`refuses ${what}`, async () => {
        expect(await status()).to.equal(403);
      });
    }

    it('takes the same header by hand', async () => {
      expect(await send(header({}))).to.equal(200);
      expect(await send(header({ oauth_version: '1.0', oauth_token: '' }))).to.equal(200);
      expect(await send(header({ oauth_timestamp: String(Math.floor(Date.now() / 1000) - 290) }))).to.equal(200);
    });

    it('refuses the same request a second time', async () => {
      const authorization = authorizationHeader(admin!, 'GET', `${service.services.baseUrl()}/apps/`);
      expect(await send(authorization)).to.equal(200);
      expect(await send(authorization)).to.equal(403);
    });

    it('does not let a bad signature use up a nonce', async () => {
      const values = { oauth_nonce: newToken() };
      expect(await send(header(values, { secret: 'wrong' }))).to.equal(403);
      expect(await send(header(values))).to.equal(200);
    });

    it('serves 20 copies of one request at once only once', async () => {
      const authorization = authorizationHeader(admin!, 'GET', `${service.services.baseUrl()}/apps/`);
      const statuses = await Promise.all(Array.from({ length: 20 }, () => send(authorization)));
      expect(statuses.filter((status) => status === 200).length).to.equal(1);
    });

    it('tells a copy nothing: neither what is there nor what is not, and it changes nothing', async () => {
      const { services } = service;
      const id = newId();
      await messageStore.insertMessages(knex(), await services.contents.common(knex()), [
        {
          id,
          externalId: null,
          accountId: ALICE,
          senderId: admin!.consumer.key,
          recordMessageId: null,
          recordId: null,
          subject: 'Twice',
          body: 'asked for',
          bodyType: 'plaintext',
          severity: 'low',
          receivedAt: toTimestamp(Date.now()),
        },
      ]);
      const path = `/accounts/${encodeURIComponent(ALICE)}/inbox/${id}`;
      const copies = async (signer: Signs, asked: string): Promise<readonly number[]> => {
        const authorization = authorizationHeader(signer, 'GET', `${services.baseUrl()}${asked}`);
        return [await send(authorization, asked), await send(authorization, asked)];
      };
      expect(await copies(alice, path)).to.equal([200, 403]);
      expect(await copies(alice, `${path}x`)).to.equal([404, 403]);

      const authorization = authorizationHeader(alice, 'GET', `${services.baseUrl()}${path}`);
      await send(authorization, path);
      await knex()('message').where({ id }).update({ read_at: null });
      expect(await send(authorization, path)).to.equal(403);
      expect(await knex()('message').where({ id }).first('read_at')).to.equal({ read_at: null });
    });

    it('tells callers apart who come at the same moment', async () => {
      const { services } = service;
      const names = Array.from({ length: 12 }, (_unused, index) => `crowd${index}@example.org`);
      const sessions = new Map<string, Signs>();
      for (const name of names) {
        sessions.set(name, await addPerson(services, name));
      }
      const expected = names.flatMap((name, index) => {
        const session = sessions.get(name)!;
        const own = `/accounts/${encodeURIComponent(name)}`;
        return [
          { signer: session, path: own, status: 200 },
          { signer: session, path: `/accounts/${encodeURIComponent(names[(index + 1) % names.length]!)}`, status: 403 },
          { signer: { ...session, token: { key: session.token!.key, secret: 'wrong' } }, path: own, status: 403 },
          { signer: { ...session, consumer: medications!.consumer }, path: own, status: 403 },
          { signer: { consumer: { key: `${name}.none`, secret: 'x' }, token: session.token }, path: own, status: 403 },
          { signer: admin!, path: own, status: 200 },
        ];
      });
      const statuses = await Promise.all(expected.map(({ signer, path }) => ask(signer as Signs, path)));
      expect(statuses).to.equal(expected.map(({ status }) => status));
    });

    it('lets nobody fail for the strange credentials of others who come at the same moment', async () => {
      const strange = [
        '\u0000',
        '\u{1F9EC}',
        'é\u0301',
        "' or 1=1 --",
        '\\',
        '%',
        'x'.repeat(9000),
        ' ',
        '0',
        '-1e999',
      ];
      const asked = strange.flatMap((text) => [
        { authorization: header({ oauth_consumer_key: text }), status: 403 },
        { authorization: header({ oauth_token: text }), status: 403 },
        { authorization: header({}), status: 200 },
      ]);
      expect(await Promise.all(asked.map(({ authorization }) => send(authorization)))).to.equal(
        asked.map(({ status }) => status),
      );
    });

    it('reads the standing of several as that of each', async () => {
      const { database } = service.services;
      const access = await token('ordinary');
      const asked: readonly Credentials[] = [
        { consumerKey: admin!.consumer.key, tokenHash: null },
        { consumerKey: medications!.consumer.key, tokenHash: sha256(access.key) },
        { consumerKey: ui!.consumer.key, tokenHash: sha256(alice.token!.key) },
        { consumerKey: 'nobody@example.org', tokenHash: null },
        { consumerKey: medications!.consumer.key, tokenHash: sha256('unknown') },
        { consumerKey: admin!.consumer.key, tokenHash: sha256(access.key) },
        { consumerKey: medications!.consumer.key, tokenHash: sha256(access.key) },
      ];
      const single = [];
      for (const credentials of asked) {
        single.push((await findStandings(database.reads, [credentials]))[0]);
      }
      expect(
        single.map((standing) => [
          standing?.app.kind,
          standing?.session !== null && standing?.session !== undefined,
          standing?.access?.kind,
        ]),
      ).to.equal([
        ['admin', false, undefined],
        ['user', false, 'ordinary'],
        ['ui', true, undefined],
        [undefined, false, undefined],
        ['user', false, undefined],
        ['admin', false, 'ordinary'],
        ['user', false, 'ordinary'],
      ]);
      expect(await findStandings(database.reads, asked)).to.equal(single);
    });

    it('ends a token at once with its account, its share, its app', async () => {
      const { services } = service;
      const signed = { ...medications!, token: await token('ordinary') };
      const state = (value: 'active' | 'disabled') =>
        services.database.transaction((trx) => accountStore.updateAccount(trx, ALICE, { state: value }));
      await state('disabled');
      expect(await ask(signed)).to.equal(403);
      expect(await askAs(alice)).to.equal(403);
      await state('active');
      expect(await ask(signed)).to.equal(200);

      await knex()('record').where({ id: recordId }).update({ owner_id: admin!.consumer.key });
      expect(await ask(signed)).to.equal(403);
      await knex()('record_share').insert({
        id: newId(),
        record_id: recordId,
        account_id: ALICE,
        created_at: toTimestamp(0),
      });
      expect(await ask(signed)).to.equal(200);
      await knex()('record_share').delete();
      await knex()('record').where({ id: recordId }).update({ owner_id: ALICE });

      await knex()('record_app').where({ record_id: recordId }).delete();
      expect(await ask(signed)).to.equal(403);
      await enable(services, recordId, medications!.consumer.key);
      await knex()('app')
        .where({ id: medications!.consumer.key })
        .update({ retired_at: toTimestamp(0) });
      expect(await ask(signed)).to.equal(403);
      expect(await ask({ ...ui!, token: await token('connect') })).to.equal(403);
      expect(await askAs(medications)).to.equal(403);
      await knex()('app').where({ id: medications!.consumer.key }).update({ retired_at: null });
      expect(await ask(signed)).to.equal(200);
    });

    it('ends a carenet token with membership and placement', async () => {
      const { services } = service;
      await addPerson(services, 'carol@example.org');
      const carenetId = newId();
      await sharingStore.insertCarenet(knex(), { id: carenetId, recordId, name: 'For tokens' }, toTimestamp(0));
      await knex()('carenet_account').insert({
        carenet_id: carenetId,
        account_id: 'carol@example.org',
        can_write: 0,
        created_at: toTimestamp(0),
      });
      const placed = { carenet_id: carenetId, app_id: medications!.consumer.key, created_at: toTimestamp(0) };
      await knex()('carenet_app').insert(placed);
      const signed = await addToken(services, {
        app: medications!,
        accountId: 'carol@example.org',
        recordId,
        carenetId,
      });
      expect(await askAs(signed)).to.equal(200);
      await knex()('carenet_app').where(placed).delete();
      expect(await askAs(signed)).to.equal(403);
      await knex()('carenet_app').insert(placed);
      await knex()('carenet_account').where({ carenet_id: carenetId }).delete();
      expect(await askAs(signed)).to.equal(403);
    });

    it('refuses an app without a secret unless it has an access token', async () => {
      const bare = {
        consumer: { ...(await addApp(service.services, 'bare@example.org', 'user')).consumer, secret: '' },
      };
      await knex()('app')
        .where({ id: 'bare@example.org' })
        .update({ consumer_secret: service.services.sealing.seal('') });
      await enable(service.services, recordId, 'bare@example.org');
      expect(await askAs(bare)).to.equal(403);
      expect(await ask({ ...bare, token: await token('ordinary', bare) })).to.equal(200);
    });

    it('lets a session slide while it is used, and end when it is idle or at its utmost age', async () => {
      const bob = await addPerson(service.services, 'bob@example.org');
      const row = () => knex()('session_token').where({ token_hash: sha256(bob.token!.key) });
      const used = async () => ((await row().first('last_used_at')) as { last_used_at: string }).last_used_at;
      const before = await used();
      expect(await askAs(bob)).to.equal(200);
      expect(await used()).to.equal(before);
      await row().update({ last_used_at: toTimestamp(Date.now() - 61_000) });
      expect(await askAs(bob)).to.equal(200);
      expect((await used()) >= before).to.be.true();
      await row().update({ last_used_at: toTimestamp(Date.now() - 1_801_000) });
      expect(await askAs(bob)).to.equal(403);
      await row().update({ last_used_at: toTimestamp(Date.now()) });
      expect(await askAs(bob)).to.equal(200);
      await row().update({ expires_at: toTimestamp(Date.now() - 1) });
      expect(await askAs(bob)).to.equal(403);
    });

    it('takes a session only from the UI app that opened it', async () => {
      const other = await addApp(service.services, 'other-ui@example.org', 'ui');
      expect(await ask({ ...other, token: alice.token! })).to.equal(403);
    });
  });

  describe(`many bad signatures on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg, { SVC_RATE_CONSUMER_PER_MINUTE: '3' });
    });
    after(() => service.stop());

    it('are told to wait, while good ones pass and nothing is written for them', async () => {
      const bad = { consumer: { ...admin!.consumer, secret: 'wrong' } };
      const statuses: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        statuses.push((await service.call(bad, 'GET', '/apps/')).status);
      }
      // The attempts may have been made in two minutes.
      expect(statuses).to.include([403, 429]);
      expect(statuses.filter((status) => status === 403).length).to.be.within(3, 6);
      expect((await service.call(admin, 'GET', '/apps/')).status).to.equal(200);
      const rows = (await direct(service.services.database)('failed_attempt')
        .where('bucket', 'like', 'signature %')
        .select('bucket', 'failures')) as { bucket: string; failures: number }[];
      expect(new Set(rows.map(({ bucket }) => bucket)).size).to.equal(1);
      expect(rows.every(({ failures }) => failures <= 3)).to.be.true();
    });

    it('are answered alike whether or not anybody has the key', async () => {
      const counted = async (key: string): Promise<readonly number[]> => {
        const statuses: number[] = [];
        for (let round = 0; round < 8; round += 1) {
          statuses.push((await service.call({ consumer: { key, secret: 'wrong' } }, 'GET', '/apps/')).status);
        }
        return statuses;
      };
      for (const key of ['nobody@example.org', connector!.consumer.key]) {
        expect(await counted(key)).to.include([403, 429]);
      }
    });
  });
}
