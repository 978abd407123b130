/**
 * refusals: requests that an app may not make, and attempts of an attacker: none gets a code or a token, and none is a
 * failure of the service.
 */
import { setTimeout } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import fc from 'fast-check';
import { toTimestamp } from '../../../core/base/clock';
import { sha256 } from '../../../core/base/ids';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { choicesOn, type SmartApp } from '../../support/smart-app';
import { readable } from '../../support/site';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import {
  addSmartApp,
  ask,
  askingOf,
  basic,
  challengeOf,
  codeFor,
  exchange,
  letIn,
  newVerifier,
  REDIRECT,
  refresh,
  type Form,
} from '../../support/smart-app';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SCOPES = 'launch/patient offline_access patient/*.rs';

for (const leg of databases) {
  describe(`what SMART refuses on ${leg.name}`, () => {
    let service: TestService;
    let world: SiteRecord;
    let app: SmartApp;
    let narrow: SmartApp;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      world = await makeSiteRecord(service);
      app = await addSmartApp(service, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
      narrow = await addSmartApp(service, 'narrow@apps.example', {
        token_endpoint_auth_method: 'none',
        scope: 'launch/patient patient/Observation.rs patient/Condition.r',
      });
    });
    after(() => service.stop());

    const server = () => service.running.server;
    const fhir = async (token: unknown): Promise<number> =>
      (
        await ask(server(), 'GET', `/fhir/Patient/${world.recordId}`, undefined, {
          authorization: `Bearer ${String(token)}`,
        })
      ).status;

    /** The response to a request that is refused before any person sees it. */
    const asked = async (
      change: Form,
      by = app,
    ): Promise<{ status: number; location: URL | undefined; body: unknown }> => {
      const { status, headers, json } = await ask(server(), 'GET', askingOf(service, by, newVerifier(), change));
      const location = headers['location'] === undefined ? undefined : new URL(String(headers['location']), REDIRECT);
      return { status, location, body: json };
    };

    it('sends nobody to an address that is not one of the app’s own, by the letter', async () => {
      for (const redirect of [
        `${REDIRECT}/`,
        `${REDIRECT}?x=1`,
        REDIRECT.toUpperCase(),
        'https://app.example/',
        'https://app.example.evil.example/back',
        'https://app.example@evil.example/back',
        'https://app.example:444/back',
        'http://app.example/back',
        'javascript:alert(1)',
        '',
      ]) {
        const { status, location } = await asked({ redirect_uri: redirect });
        expect([status, location], redirect).to.equal([400, undefined]);
      }
      for (const id of ['nobody@apps.example', '', 'medications@apps.svc.example']) {
        const { status, location } = await asked({ client_id: id });
        expect([status, location], id).to.equal([400, undefined]);
      }
    });

    it('shows a person a page when it cannot answer the app', async () => {
      const url = askingOf(service, app, newVerifier(), { redirect_uri: 'https://evil.example/' });
      const page = await server().inject({ url, headers: { accept: 'text/html', 'accept-language': 'de' } });
      expect(page.statusCode).to.equal(400);
      expect(page.payload).to.contain('Die App hat so gefragt');
      expect(page.headers['content-security-policy']).to.contain("default-src 'none'");
      expect(page.payload).to.not.contain('evil.example');
    });

    it('tells the app what is wrong with its request', async () => {
      const wrong: readonly (readonly [string, Form, string])[] = [
        ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
        ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
        ['a challenge without its method', { code_challenge_method: '' }, 'invalid_request'],
        ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
        ['another server', { aud: 'https://other.example/fhir' }, 'invalid_request'],
        ['no server', { aud: '' }, 'invalid_request'],
        ['no state', { state: '' }, 'invalid_request'],
        ['a launch that is not known', { launch: 'guessed' }, 'invalid_request'],
        ['tokens at once', { response_type: 'token' }, 'unsupported_response_type'],
        ['an id token at once', { response_type: 'code id_token' }, 'unsupported_response_type'],
        ['scopes of other users', { scope: 'user/*.rs' }, 'invalid_scope'],
        ['scopes of a system', { scope: 'system/*.rs' }, 'invalid_scope'],
        ...[
          'patient/Observation.rs?code=718-7',
          'patient/Observation.rs?category=unheard-of',
          'patient/Observation.everything',
          'user/*.rs',
          'system/*.rs',
        ].map((scope): readonly [string, Form, string] => [
          `${scope} beside scopes without data`,
          { scope: `openid fhirUser launch/patient offline_access ${scope}` },
          'invalid_scope',
        ]),
        ['no scope', { scope: '' }, 'invalid_scope'],
        ['an answer without a person', { prompt: 'none' }, 'interaction_required'],
        ['a form as the answer', { response_mode: 'form_post' }, 'unsupported_response_mode'],
        ['a request object', { request: 'a.b.c' }, 'request_not_supported'],
      ];
      for (const [what, change, error] of wrong) {
        const { location } = await asked(change);
        const pairs = new URLSearchParams(location?.search || location?.hash.slice(1));
        expect(`${location?.origin}${location?.pathname}`, what).to.equal(REDIRECT);
        expect(pairs.get('error'), `${what} ${String(pairs)}`).to.equal(error);
        expect(pairs.has('code'), what).to.be.false();
      }
    });

    it('grants no more than the manifest allows', async () => {
      const beyond = await asked({ scope: 'launch/patient patient/Procedure.rs' }, narrow);
      expect(beyond.location?.searchParams.get('error')).to.equal('invalid_scope');
      const granted = await letIn(
        service,
        world.owner,
        narrow,
        world.recordId,
        'openid offline_access launch/patient patient/*.cruds patient/Condition.rs patient/Observation.read',
      );
      expect(granted['scope']).to.equal(
        'launch/patient patient/Observation.rs patient/Condition.r patient/Observation.read',
      );
      expect(Object.keys(granted)).to.not.include(['refresh_token', 'id_token']);
    });

    it('takes a code once: the second time ends all that came from it', async () => {
      const verifier = newVerifier();
      const code = await codeFor(service, world.owner, app, {
        verifier,
        what: world.recordId,
        change: { scope: SCOPES },
      });
      const first = await exchange(service, app, code, verifier);
      expect([first.status, await fhir(first.json['access_token'])]).to.equal([200, 200]);
      const second = await exchange(service, app, code, verifier);
      expect([second.status, second.json['error']]).to.equal([400, 'invalid_grant']);
      expect(await fhir(first.json['access_token'])).to.equal(401);
      expect((await refresh(service, app, first.json['refresh_token'])).json['error']).to.equal('invalid_grant');
    });

    it('lets one of many who come with a code at once have tokens, and then nobody', async () => {
      const verifier = newVerifier();
      const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId });
      const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(service, app, code, verifier)));
      const good = answers.filter(({ status }) => status === 200);
      expect(good.length).to.be.at.most(1);
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 400)).to.equal([]);
      expect(await Promise.all(good.map(({ json }) => fhir(json['access_token'])))).to.not.include(200);
    });

    it('takes a refresh token once: the second time ends the family', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const next = await refresh(service, app, granted['refresh_token']);
      expect(next.status, JSON.stringify(next.json)).to.equal(200);
      expect(next.json).to.include({ patient: world.recordId, scope: SCOPES });
      expect(next.json['refresh_token']).to.not.equal(granted['refresh_token']);
      const third = await refresh(service, app, next.json['refresh_token']);
      expect([third.status, await fhir(third.json['access_token'])]).to.equal([200, 200]);
      await direct(service.services.database)('smart_code')
        .where({ code_hash: sha256(String(granted['refresh_token'])) })
        .update({ used_at: toTimestamp(Date.now() - 11_000) });
      const reused = await refresh(service, app, granted['refresh_token']);
      expect([reused.status, reused.json['error']]).to.equal([400, 'invalid_grant']);
      expect((await refresh(service, app, third.json['refresh_token'])).json['error']).to.equal('invalid_grant');
      expect([await fhir(third.json['access_token']), await fhir(granted['access_token'])]).to.equal([401, 401]);
    });

    it('refreshes no more than was granted, and only for the app that has it', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const more = await refresh(service, app, granted['refresh_token'], { scope: 'patient/*.cruds' });
      expect([more.status, more.json['error']]).to.equal([400, 'invalid_scope']);
      const part = await refresh(service, app, granted['refresh_token'], {
        scope: 'launch/patient patient/Observation.rs?category=laboratory',
      });
      expect([part.status, part.json['error']]).to.equal([400, 'invalid_scope']);
      const other = await refresh(service, narrow, granted['refresh_token']);
      expect([other.status, other.json['error']]).to.equal([400, 'invalid_grant']);
      const less = await refresh(service, app, granted['refresh_token'], { scope: 'patient/*.rs' });
      expect([less.status, less.json['scope']]).to.equal([200, 'patient/*.rs']);
    });

    it('refreshes for an app without a secret that does not say which it is, and for no other', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, SCOPES);
      const nameless = (token: unknown) => ({ grant_type: 'refresh_token', refresh_token: String(token) });
      const next = await ask(server(), 'POST', '/oauth2/token', nameless(granted['refresh_token']));
      expect([next.status, next.json['patient']]).to.equal([200, world.recordId]);
      const unknown = await ask(server(), 'POST', '/oauth2/token', nameless('unknown'));
      expect([unknown.status, unknown.json['error']]).to.equal([400, 'invalid_request']);
      const fields = { token_endpoint_auth_method: 'client_secret_basic' as const };
      const secret = await addSmartApp(service, 'secret@apps.example', fields);
      const verifier = newVerifier();
      const change = { scope: SCOPES };
      const code = await codeFor(service, world.owner, secret, { verifier, what: world.recordId, change });
      const kept = (await exchange(service, secret, code, verifier, {}, basic(secret))).json;
      const refused = await ask(server(), 'POST', '/oauth2/token', nameless(kept['refresh_token']));
      expect([refused.status, refused.json['error']]).to.equal([401, 'invalid_client']);
    });

    it('exchanges a code only with what was asked with', async () => {
      const verifier = newVerifier();
      const code = await codeFor(service, world.owner, app, { verifier, what: world.recordId });
      const wrong: readonly (readonly [string, Form, string])[] = [
        ['another verifier', { code_verifier: newVerifier() }, 'invalid_grant'],
        ['no verifier', { code_verifier: '' }, 'invalid_grant'],
        ['the challenge', { code_verifier: challengeOf(verifier) }, 'invalid_grant'],
        ['another address', { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
        ['another app', { client_id: narrow.id }, 'invalid_grant'],
        ['no app', { client_id: 'nobody@apps.example' }, 'invalid_client'],
        ['another code', { code: newVerifier() }, 'invalid_grant'],
        ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
        ['an app’s own grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
        ['no kind of grant', { grant_type: '' }, 'invalid_request'],
      ];
      for (const [what, change, error] of wrong) {
        const { status, json } = await exchange(service, app, code, verifier, change);
        expect(json['error'], `${what} ${JSON.stringify(json)}`).to.equal(error);
        expect(status, what).to.equal(error === 'invalid_client' ? 401 : 400);
      }
      expect((await exchange(service, app, code, verifier)).status).to.equal(200);
    });

    it('revokes what an app gives back, and tells an app about its own tokens only', async () => {
      const granted = await letIn(service, world.owner, app, world.recordId, `openid fhirUser ${SCOPES}`);
      const form = (token: unknown, by = app): Form => ({ token: String(token), client_id: by.id });
      const told = await ask(server(), 'POST', '/oauth2/introspect', form(granted['access_token']));
      expect(told.json).to.include({
        active: true,
        client_id: app.id,
        patient: world.recordId,
        iss: service.services.baseUrl(),
        fhirUser: `Patient/${world.recordId}`,
        scope: granted['scope'],
      });
      expect(told.json['exp']).to.be.a.number();
      for (const path of ['/oauth2/introspect', '/oauth2/revoke']) {
        const foreign = await ask(server(), 'POST', path, form(granted['access_token'], narrow));
        expect([200, 400], path).to.include(foreign.status);
        expect(foreign.json['active'] ?? false, path).to.be.false();
        expect((await ask(server(), 'POST', path, form('unknown'))).status, path).to.equal(200);
      }
      expect(await fhir(granted['access_token'])).to.equal(200);
      expect((await ask(server(), 'POST', '/oauth2/revoke', form(granted['refresh_token']))).status).to.equal(200);
      expect(await fhir(granted['access_token'])).to.equal(401);
      const over = await ask(server(), 'POST', '/oauth2/introspect', form(granted['access_token']));
      expect(over.json).to.equal({ active: false });
      expect((await refresh(service, app, granted['refresh_token'])).json['error']).to.equal('invalid_grant');
    });

    it('keeps no token, code or refresh token as it is', async () => {
      const verifier = newVerifier();
      const code = await codeFor(service, world.owner, app, {
        verifier,
        what: world.recordId,
        change: { scope: SCOPES },
      });
      const { json } = await exchange(service, app, code, verifier);
      const knex = direct(service.services.database);
      const stored = JSON.stringify(
        await Promise.all(
          ['access_token', 'smart_code', 'smart_grant', 'smart_request', 'audit'].map((table) =>
            knex(table).select('*'),
          ),
        ),
      );
      for (const secret of [code, verifier, json['access_token'], json['refresh_token']]) {
        expect(stored).to.not.contain(String(secret));
      }
      expect(stored).to.contain(sha256(code));
    });

    it('leaves rows in the audit log that name person, app and record, and no secret', async () => {
      await letIn(service, world.owner, app, world.recordId, SCOPES);
      const rows = (await direct(service.services.database)('audit')
        .where('function_name', 'like', 'smart_%')
        .orderBy('seq')
        .select('*')) as Record<string, string | null>[];
      const last = (name: string) => rows.filter((row) => row['function_name'] === name).at(-1)!;
      for (const name of ['smart_token', 'smart_authorize_answer']) {
        expect(last(name), name).to.include({
          principal_id: 'olga@people.example',
          proxy_id: app.id,
          record_id: world.recordId,
        });
      }
      expect(last('smart_question_approve')).to.include({
        principal_id: 'olga@people.example',
        record_id: world.recordId,
        app_id: app.id,
        url: '/my/smart/{SMART_REQUEST}',
      });
      // The history shows the owner which app it was.
      const history = readable(await world.owner.open(`/my/records/${world.recordId}/history`));
      expect(history).to.contain([
        `You: let ${app.id} in this website`,
        `You: brought the answer to the app through ${app.id}`,
      ]);
      expect(last('smart_authorize')['url']).to.equal('/oauth2/authorize');
      expect(last('smart_authorize_answer')['url']).to.equal('/oauth2/authorize/{SMART_REQUEST}');
    });

    it('opens no page of what nobody asked', async () => {
      for (const path of ['/my/smart/unknown', '/my/smart/%00', '/my/smart/__proto__']) {
        const page = await world.owner.open(path);
        expect([page.status, choicesOn(page)], path).to.equal([404, []]);
      }
    });

    it('answers 4xx or sends back, whatever is sent', async () => {
      const odd = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom(
          '%',
          '%zz',
          '\u0000',
          '__proto__',
          'constructor',
          '[]',
          '{}',
          '\ud800',
          'a'.repeat(5000),
          '*',
          'null',
          '/..',
          "'--",
        ),
      );
      const names = [
        ...[
          'response_type',
          'client_id',
          'redirect_uri',
          'scope',
          'state',
          'aud',
          'code_challenge',
          'code_challenge_method',
        ],
        ...[
          'launch',
          'prompt',
          'response_mode',
          'nonce',
          'max_age',
          'claims',
          'id_token_hint',
          'login_hint',
          'acr_values',
          'request',
        ],
        ...[
          'request_uri',
          'resource',
          'ui_locales',
          'display',
          'registration',
          '__proto__',
          'grant_type',
          'code',
          'code_verifier',
        ],
        ...[
          'refresh_token',
          'token',
          'token_type_hint',
          'client_secret',
          'client_assertion',
          'client_assertion_type',
          'access_token',
        ],
      ];
      const change = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 4 });
      const good = new URLSearchParams(askingOf(service, app, newVerifier()).split('?')[1]);
      const textOf = (pairs: readonly (readonly [string, string])[]): string =>
        pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
      const check = async (method: string, path: string, form?: string, headers: Form = {}): Promise<void> => {
        const { status, json, headers: sent } = await ask(server(), method, path, form, headers);
        const location = String(sent['location'] ?? '');
        expect(status, `${method} ${path} ${form ?? ''} ${JSON.stringify(json)}`).to.be.below(500);
        expect(location).to.not.contain('code=');
        expect(Object.keys(json)).to.not.include('access_token');
      };
      await fc.assert(
        fc.asyncProperty(change, odd, fc.boolean(), async (pairs, header, replace) => {
          const base = replace ? [...good].filter(([name]) => !pairs.some(([other]) => other === name)) : [...good];
          await check('GET', `/oauth2/authorize?${textOf([...base, ...pairs])}`);
          await check('POST', '/oauth2/authorize', textOf([...base, ...pairs]));
          const tokenForm = textOf([['grant_type', 'authorization_code'], ['client_id', app.id], ...pairs]);
          const authorization = `Basic ${Buffer.from(header).toString('base64')}`;
          for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect']) {
            await check('POST', path, tokenForm);
            await check('POST', path, textOf(pairs), { authorization });
          }
          await check('GET', '/oauth2/userinfo', undefined, {
            authorization: `Bearer ${Buffer.from(header).toString('base64url')}`,
          });
          await check('POST', '/oauth2/userinfo', textOf(pairs));
          await check('GET', `/oauth2/authorize/${encodeURIComponent(header.toWellFormed())}?${textOf(pairs)}`);
        }),
        { numRuns: 60 },
      );
      for (const [form, type] of [
        ['{"grant_type":"x"}', 'application/json'],
        ['x'.repeat(70_000), 'application/x-www-form-urlencoded'],
        ['a=b', 'text/plain; charset=utf-16'],
        ['a=b', 'application/x-www-form-urlencoded; charset=utf-7'],
        ['', 'multipart/form-data'],
      ] as const) {
        const { status, json } = await ask(server(), 'POST', '/oauth2/token', form, { 'content-type': type });
        expect([400, 413], type).to.include(status);
        expect(json['error'], type).to.equal('invalid_request');
      }
    });
  });
}

for (const leg of databases) {
  describe(`requests that wait for a person on ${leg.name}`, () => {
    const [HERE, NEXT_DOOR, ELSEWHERE] = ['2001:db8::1', '2001:db8::2', '198.51.100.7'];
    const LIMIT = 10;
    let service: TestService;
    let app: SmartApp;
    let other: SmartApp;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '1' });
      app = await addSmartApp(service, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
      other = await addSmartApp(service, 'other@apps.example', { token_endpoint_auth_method: 'none' });
    });
    after(() => service.stop());

    const from = (remoteAddress: string, by = app, headers: Form = {}) =>
      service.running.server.inject({ url: askingOf(service, by, newVerifier()), remoteAddress, headers });
    const waiting = async (): Promise<number> =>
      Number((await direct(service.services.database)('smart_request').count({ n: '*' }))[0]!['n']);

    it('are limited for each app and address, and a flood stops nobody else', async () => {
      // The calls are counted by the minute, so all of them should fall into one.
      await setTimeout(60_000 - (Date.now() % 60_000) < 20_000 ? 60_000 - (Date.now() % 60_000) : 0);
      const flood = [];
      for (let number = 0; number < LIMIT + 5; number += 1) {
        flood.push((await from(number % 2 === 0 ? HERE : NEXT_DOOR)).statusCode);
      }
      expect(flood.map((status) => status === 303)).to.equal(flood.map((_, index) => index < LIMIT));
      const before = await waiting();
      const refused = await from(HERE);
      expect(refused.statusCode).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.between(0, 61);
      expect(JSON.parse(refused.payload)).to.include({ error: 'temporarily_unavailable' });
      const page = await from(HERE, app, { accept: 'text/html', 'accept-language': 'de' });
      expect([page.statusCode, Number(page.headers['retry-after']) > 0]).to.equal([429, true]);
      expect(page.payload).to.contain('Warten Sie eine Minute');
      expect(await waiting()).to.equal(before);
      expect((await from(ELSEWHERE)).statusCode).to.equal(303);
      expect((await from(HERE, other)).statusCode).to.equal(303);
      expect(await waiting()).to.equal(before + 2);
    });

    it('count when somebody would be asked, and not when the app is told what is wrong', async () => {
      const url = askingOf(service, other, newVerifier(), { aud: '' });
      for (let number = 0; number < 2 * LIMIT; number += 1) {
        const { statusCode } = await service.running.server.inject({ url, remoteAddress: '192.0.2.1' });
        expect(statusCode).to.equal(303);
      }
      expect((await from('192.0.2.1', other)).statusCode).to.equal(303);
    });
  });
}
