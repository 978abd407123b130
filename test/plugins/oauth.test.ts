/** oauth: the app dance in every state, sessions, connect credentials and signed URLs. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { baseString, sign } from '../../core/auth/signature';
import { endLockouts } from '../../core/auth/lockout';
import { toTimestamp } from '../../core/base/clock';
import { isLocked } from '../../core/accounts/store';
import { newId, sha256 } from '../../core/base/ids';
import { signUrl } from '../../plugins/oauth/signed-urls';
import { addPerson, addToken, enable, inTurn, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { admin, connector, medications, startService, ui, type TestService } from '../support/server';
import { attribute, child, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../support/world';
import { watchStatements } from '../../core/db/watch';
import { isForNobody } from '../support/asked';
import { direct } from '../support/direct';
import * as accountStore from '../../core/accounts/store';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const CAROL = 'carol@example.org';
const APP = medications!.consumer.key;

type Token = { readonly key: string; readonly secret: string };

for (const leg of databases) {
  describe(`oauth on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let carol: Signs;
    let recordId: string;
    let carenetId: string;
    before(async () => {
      service = await startService(leg, { SVC_AUTH_SYSTEMS: 'clinic', SVC_RATE_ACCOUNT_PER_MINUTE: '1000' });
      alice = await addPerson(service.services, ALICE);
      bob = await addPerson(service.services, BOB);
      carol = await addPerson(service.services, CAROL);
      recordId = await createRecord(service.call, ALICE);
      carenetId = newId();
      await sharingStore.insertCarenet(knex(), { id: carenetId, recordId, name: 'Dance' }, toTimestamp(0));
      await sharingStore.putMember(knex(), carenetId, CAROL, false, toTimestamp(0));
    });
    after(() => service.stop());

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const knex = () => direct(service.services.database);
    const code = ({ text }: Answer): string => attribute(text, 'error', 'code');
    const pairsOf = ({ text }: Answer): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

    const ask = (
      form: Record<string, string> = {},
      app: Signs = medications!,
      oauth: Record<string, string> = { oauth_callback: 'oob' },
    ): Promise<Answer> => call(app, 'POST', '/oauth/request_token', { form, oauth });
    const request = async (form: Record<string, string> = {}, app: Signs = medications!): Promise<Token> => {
      const pairs = pairsOf(succeeded(await ask(form, app)));
      return { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! };
    };
    const on = (token: Token, what: string): string => `/oauth/internal/request_tokens/${token.key}/${what}`;
    const claim = (who: Signs, token: Token): Promise<Answer> => call(who, 'POST', on(token, 'claim'));
    const info = (who: Signs, token: Token): Promise<Answer> => call(who, 'GET', on(token, 'info'));
    const approve = (who: Signs, token: Token, form: Record<string, string>): Promise<Answer> =>
      call(who, 'POST', on(token, 'approve'), { form });
    const verifierIn = (answer: Answer): string =>
      new URL(pairsOf(succeeded(answer))['location']!).searchParams.get('oauth_verifier')!;
    const exchange = (token: Token, verifier: string, app: Signs = medications!): Promise<Answer> =>
      call({ consumer: app.consumer, token }, 'POST', '/oauth/access_token', { oauth: { oauth_verifier: verifier } });
    const disable = (app = APP): Promise<Answer> =>
      call(admin, 'DELETE', `/records/${recordId}/apps/${encodeURIComponent(app)}`);
    const place = () => sharingStore.putCarenetApp(knex(), carenetId, APP, toTimestamp(0));

    describe('request_token', () => {
      it('answers a pair, confirms the callback and repeats what it is bound to', async () => {
        const answer = succeeded(await ask({ svc_record_id: recordId }));
        expect(answer.headers['content-type']).to.equal('application/x-www-form-urlencoded');
        const pairs = pairsOf(answer);
        expect(Object.keys(pairs)).to.equal([
          'oauth_token',
          'oauth_token_secret',
          'oauth_callback_confirmed',
          'xoauth_svc_record_id',
        ]);
        expect(pairs).to.include({ oauth_callback_confirmed: 'true', xoauth_svc_record_id: recordId });
        expect(pairs['oauth_token']!.length).to.be.above(21);
        expect(pairsOf(await ask({ svc_carenet_id: carenetId }))).to.include({ xoauth_svc_carenet_id: carenetId });
        expect(Object.keys(pairsOf(await ask()))).to.have.length(3);
      });

      it('is stored by hash, its secret and verifier sealed', async () => {
        const token = await request();
        const row = await knex()('request_token')
          .where({ token_hash: sha256(token.key) })
          .first();
        expect(JSON.stringify(row)).to.not.contain(token.key).and.to.not.contain(token.secret);
      });

      it('takes the callback from the header or the form, or none at all', async () => {
        succeeded(await ask({}, medications!, {}));
        succeeded(await ask({ oauth_callback: 'oob' }, medications!, {}));
        succeeded(
          await ask({}, medications!, { oauth_callback: 'https://medications.apps.svc.example/callback/deeper?x=1' }),
        );
        for (const callback of [
          'https://evil.example/callback',
          'http://medications.apps.svc.example/callback',
          'https://medications.apps.svc.example/callbackevil',
          'https://medications.apps.svc.example/callback/../other',
          'https://medications.apps.svc.example/callback/..%2fx',
          'https://medications.apps.svc.example/callback/..%5Cx',
          'https://medications.apps.svc.example/callback/%2e%2e/x',
          'https://evil.example@medications.apps.svc.example/callback',
          'https://:word@medications.apps.svc.example/callback',
          'javascript:alert(1)',
          'nonsense',
        ]) {
          const answer = await ask({}, medications!, { oauth_callback: callback });
          expect([answer.status, code(answer)], callback).to.equal([400, 'invalid_parameter']);
        }
      });

      it('refuses both ids, and ids that are unknown', async () => {
        expect((await ask({ svc_record_id: recordId, svc_carenet_id: carenetId })).status).to.equal(400);
        expect((await ask({ svc_record_id: newId() })).status).to.equal(404);
        expect((await ask({ svc_carenet_id: newId() })).status).to.equal(404);
      });
    });

    describe('request_token_claim', () => {
      it('answers the claimant, also a second time, and refuses another account', async () => {
        const token = await request({ svc_record_id: recordId });
        const answer = succeeded(await claim(alice, token));
        expect(answer.text).to.equal(ALICE);
        expect(answer.headers['content-type']).to.contain('text/plain');
        expect((await claim(alice, token)).text).to.equal(ALICE);
        expect((await claim(bob, token)).status).to.equal(403);
      });

      it('goes to one account when two claim at once', async () => {
        const token = await request();
        const statuses = (await Promise.all([claim(alice, token), claim(bob, token)]))
          .map(({ status }) => status)
          .sort();
        expect(statuses).to.equal([200, 403]);
      });

      it('finds no token that is unknown or older than an hour', async () => {
        const token = await request();
        expect((await claim(alice, { key: 'none', secret: '' })).status).to.equal(404);
        await knex()('request_token')
          .where({ token_hash: sha256(token.key) })
          .update({ expires_at: toTimestamp(Date.now() - 1) });
        expect((await claim(alice, token)).status).to.equal(404);
        expect((await info(alice, token)).status).to.equal(404);
        expect((await approve(alice, token, { record_id: recordId })).status).to.equal(404);
        expect((await exchange(token, 'x')).status).to.equal(403);
      });
    });

    describe('request_token_info', () => {
      it('shows what is asked for, to anybody until it is claimed', async () => {
        await disable();
        const token = await request({ svc_record_id: recordId });
        expect(succeeded(await info(bob, token)).text).to.equal(
          `<?xml version="1.0" encoding="UTF-8"?>\n<RequestToken token="${token.key}"><record id="${recordId}"/><carenet/><kind>new</kind><App id="${APP}"><name>Medications</name>` +
            '<description>Shows what a person takes and took, and when it was ' +
            'dispensed</description><autonomous>false</autonomous><frameable>true</frameable><ui>true</ui></App></RequestToken>',
        );
        succeeded(await claim(alice, token));
        succeeded(await info(alice, token));
        expect((await info(bob, token)).status).to.equal(403);
      });

      it('says same when the app is enabled on the record already, also for its carenets', async () => {
        await enable(service.services, recordId, APP);
        expect(child((await info(alice, await request({ svc_record_id: recordId }))).text, 'kind')).to.equal('same');
        const { text } = await info(alice, await request({ svc_carenet_id: carenetId }));
        expect(child(text, 'kind')).to.equal('same');
        expect(text).to.contain(`<record/><carenet id="${carenetId}"/>`);
        expect(child((await info(alice, await request())).text, 'kind')).to.equal('new');
        // A person who does not control the record cannot find out which apps are enabled on it.
        expect(child((await info(bob, await request({ svc_record_id: recordId }))).text, 'kind')).to.equal('new');
      });
    });

    describe('request_token_approve', () => {
      it('claims, enables the app on the record and answers where to go', async () => {
        await disable();
        const token = await request({ svc_record_id: recordId });
        const answer = succeeded(await approve(alice, token, { record_id: recordId }));
        const location = new URL(pairsOf(answer)['location']!);
        expect(`${location.origin}${location.pathname}`).to.equal('https://medications.apps.svc.example/callback');
        expect(location.searchParams.get('oauth_token')).to.equal(token.key);
        expect(answer.text).to.match(/^location=https%3A%2F%2F/);
        const binding = (await knex()('record_app').where({ record_id: recordId, app_id: APP }).first()) as {
          authorized_by: string;
        };
        expect(binding.authorized_by).to.equal(ALICE);
        expect((await claim(bob, token)).status).to.equal(403);
      });

      it('adds to the query that a callback has already', async () => {
        const pairs = pairsOf(
          succeeded(
            await ask({}, medications!, {
              oauth_callback: 'https://medications.apps.svc.example/callback?next=%2Fa%20b&t=x~y%7Ez&flag',
            }),
          ),
        );
        const location = pairsOf(
          await approve(alice, { key: pairs['oauth_token']!, secret: '' }, { record_id: recordId }),
        )['location']!;
        expect(location).to.match(
          /^https:\/\/medications\.apps\.svc\.example\/callback\?next=%2Fa%20b&t=x~y%7Ez&flag&oauth_token=/,
        );
      });

      it("needs exactly one id, and refuses alike one that is unknown, not the token's or not the caller's", async () => {
        const bound = await request({ svc_record_id: recordId });
        expect((await approve(alice, bound, {})).status).to.equal(400);
        expect((await approve(alice, bound, { record_id: recordId, carenet_id: carenetId })).text)
          .to.contain('code="invalid_parameter"')
          .and.to.contain('not both');
        const other = await createRecord(service.call, ALICE);
        expect((await approve(alice, bound, { record_id: other })).status).to.equal(403);
        expect((await approve(alice, bound, { record_id: newId() })).status).to.equal(403);
        expect((await approve(alice, bound, { carenet_id: carenetId })).status).to.equal(403);
        expect((await approve(bob, bound, { record_id: recordId })).status).to.equal(403);
        expect((await approve(carol, bound, { record_id: recordId })).status).to.equal(403);
        const free = await request();
        expect((await approve(alice, free, { record_id: newId() })).status).to.equal(403);
        expect((await approve(alice, free, { carenet_id: newId() })).status).to.equal(403);
        succeeded(await approve(alice, bound, { record_id: recordId }));
      });

      it('is refused once another account has claimed the token', async () => {
        const token = await request();
        succeeded(await claim(bob, token));
        expect((await approve(alice, token, { record_id: recordId })).status).to.equal(403);
      });

      it('of a carenet is for its members and who controls its record, while the app is placed there', async () => {
        await enable(service.services, recordId, APP);
        await sharingStore.deleteCarenetApp(knex(), carenetId, APP);
        expect(
          (await approve(carol, await request({ svc_carenet_id: carenetId }), { carenet_id: carenetId })).status,
        ).to.equal(403);
        await place();
        succeeded(await approve(carol, await request({ svc_carenet_id: carenetId }), { carenet_id: carenetId }));
        succeeded(await approve(alice, await request(), { carenet_id: carenetId }));
        expect((await approve(bob, await request(), { carenet_id: carenetId })).status).to.equal(403);
        expect(
          (await approve(carol, await request({ svc_carenet_id: carenetId }), { record_id: recordId })).status,
        ).to.equal(403);
      });

      it('of a carenet is refused for an autonomous app', async () => {
        await enable(service.services, recordId, connector!.consumer.key);
        await sharingStore.putCarenetApp(knex(), carenetId, connector!.consumer.key, toTimestamp(0));
        expect(
          (await approve(alice, await request({ svc_carenet_id: carenetId }, connector!), { carenet_id: carenetId }))
            .status,
        ).to.equal(403);
      });
    });

    describe('exchange_token', () => {
      it('answers an access token once', async () => {
        const token = await request({ svc_record_id: recordId });
        const verifier = verifierIn(await approve(alice, token, { record_id: recordId }));
        const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(token, verifier)));
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 403, 403, 403]);
        const pairs = pairsOf(answers.find(({ status }) => status === 200)!);
        expect(Object.keys(pairs)).to.equal(['oauth_token', 'oauth_token_secret', 'xoauth_svc_record_id']);
        succeeded(
          await call(
            { ...medications!, token: { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! } },
            'GET',
            `/records/${recordId}`,
          ),
        );
        expect((await exchange(token, verifier)).status).to.equal(403);
      });

      it('of a carenet opens the carenet only', async () => {
        await place();
        const token = await request({ svc_carenet_id: carenetId });
        const pairs = pairsOf(
          succeeded(await exchange(token, verifierIn(await approve(carol, token, { carenet_id: carenetId })))),
        );
        expect(Object.keys(pairs)).to.equal(['oauth_token', 'oauth_token_secret', 'xoauth_svc_carenet_id']);
        const signed = { ...medications!, token: { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! } };
        succeeded(await call(signed, 'GET', `/carenets/${carenetId}/documents/`));
        expect((await call(signed, 'GET', `/records/${recordId}`)).status).to.equal(403);
        expect((await call(signed, 'GET', `/records/${recordId}/documents/`)).status).to.equal(403);
      });

      it('of an autonomous app stands for the app itself', async () => {
        const token = await request({ svc_record_id: recordId }, connector!);
        const pairs = pairsOf(
          succeeded(
            await exchange(token, verifierIn(await approve(alice, token, { record_id: recordId })), connector!),
          ),
        );
        const row = (await knex()('access_token')
          .where({ token_hash: sha256(pairs['oauth_token']!) })
          .first()) as { account_id: string | null; expires_at: string };
        expect(row.account_id).to.be.null();
        expect(row.expires_at < toTimestamp(Date.now() + 86_401_000)).to.be.true();
        succeeded(
          await call(
            { ...connector!, token: { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! } },
            'GET',
            `/records/${recordId}`,
          ),
        );
      });

      it('takes the verifier from the form, too', async () => {
        const token = await request();
        const verifier = verifierIn(await approve(alice, token, { record_id: recordId }));
        succeeded(
          await call({ ...medications!, token }, 'POST', '/oauth/access_token', { form: { oauth_verifier: verifier } }),
        );
      });

      it('is refused without approval, with a wrong verifier, and after the account lost what it gave', async () => {
        const token = await request();
        expect((await exchange(token, '')).status).to.equal(403);
        const verifier = verifierIn(await approve(alice, token, { record_id: recordId }));
        expect((await exchange(token, 'wrong')).status).to.equal(403);
        expect((await exchange(token, verifier, connector!)).status).to.equal(403);
        expect(
          (await call(medications, 'POST', '/oauth/access_token', { oauth: { oauth_verifier: verifier } })).status,
        ).to.equal(403);
        await knex()('record').where({ id: recordId }).update({ owner_id: BOB });
        expect((await exchange(token, verifier)).status).to.equal(403);
        await knex()('record').where({ id: recordId }).update({ owner_id: ALICE });
        succeeded(await exchange(token, verifier));
      });

      it('is over when the app is taken off the record', async () => {
        const token = await request({ svc_record_id: recordId });
        const verifier = verifierIn(await approve(alice, token, { record_id: recordId }));
        await disable();
        expect((await exchange(token, verifier)).status).to.equal(403);
      });
    });

    describe('session_create', () => {
      const DORA = 'dora@example.org';
      before(async () => {
        await createAccount(service.call, DORA, 'Dora');
        succeeded(
          await call(admin, 'POST', `/accounts/${encodeURIComponent(DORA)}/authsystems/`, {
            form: { system: 'clinic', username: 'C-1' },
          }),
        );
      });
      const logIn = (form: Record<string, string>, who: Signs = ui!): Promise<Answer> =>
        call(who, 'POST', '/oauth/internal/session_create', { form });

      it('opens a session by password or by an external name', async () => {
        const forms: Record<string, string>[] = [
          { username: ` ${DORA.toUpperCase()}`, password: PASSWORD },
          { username: DORA, password: PASSWORD, system: 'anything' },
          { username: 'c-1', system: 'clinic' },
          { username: 'c-1', system: 'clinic', password: '' },
        ];
        for (const form of forms) {
          const pairs = pairsOf(succeeded(await logIn(form)));
          expect(Object.keys(pairs)).to.equal(['oauth_token', 'oauth_token_secret', 'account_id']);
          expect(pairs['account_id']).to.equal(DORA);
          succeeded(
            await call(
              { ...ui!, token: { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! } },
              'GET',
              `/accounts/${encodeURIComponent(DORA)}`,
            ),
          );
        }
      });

      it('gives every wrong log-in the same answer', async () => {
        const refused: Record<string, string>[] = [
          { username: DORA, password: 'wrong password' },
          { username: 'nobody@example.org', password: PASSWORD },
          { username: DORA },
          { username: DORA, system: 'password' },
          { username: 'c-1', system: 'bank' },
          { username: DORA, system: 'clinic' },
          { username: 'c-1', password: PASSWORD },
        ];
        const answers: Answer[] = [];
        for (const form of refused) {
          answers.push(await logIn(form));
        }
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
        expect(answers[0]!.status).to.equal(403);
        expect((await logIn({ password: PASSWORD })).status).to.equal(400);
      });

      it('does the same work for every name: nobody can tell by its time whether an account exists', async () => {
        const { database } = service.services;
        const transaction = database.transaction;
        let [statements, transactions] = [[] as string[], 0];
        const note = ({ sql }: { sql: string }): void => {
          statements.push(sql.replace(/^update `account` .*/, 'update account'));
        };
        (database as { transaction: typeof transaction }).transaction = (work) => {
          transactions += 1;
          return transaction(work);
        };
        const workOf = async (username: string, password = 'wrong password'): Promise<string> => {
          [statements, transactions] = [[], 0];
          expect((await logIn({ username, password })).status).to.equal(403);
          const own = statements.filter(
            (sql) => /account|failed_attempt/.test(sql) && !/session_token/.test(sql) && !isForNobody(sql),
          );
          return `${transactions} ${own.join('\n')}`;
        };
        await createAccount(service.call, 'eve@example.org');
        let stop = (): void => undefined;
        try {
          const unknown = await workOf('nobody-else@example.org');
          stop = watchStatements(note);
          const [before, known] = [await workOf('nobody@example.org'), await workOf('eve@example.org')];
          expect(known).to.contain('\nupdate account');
          expect(known).to.equal(before);
          expect(unknown[0]).to.equal(before[0]);
          // For a locked account the work is the same as for none, even with the right password.
          await workOf('eve@example.org');
          await workOf('eve@example.org');
          expect(await workOf('eve@example.org')).to.equal(before);
          expect(await workOf('eve@example.org', PASSWORD)).to.equal(before);
        } finally {
          stop();
          (database as { transaction: typeof transaction }).transaction = transaction;
        }
      });

      for (const state of ['uninitialized', 'disabled', 'retired'] as const) {
        it(`refuses an account that is ${state}, however it signs in`, async () => {
          const id = `${state}@example.org`;
          await createAccount(service.call, id);
          succeeded(
            await call(admin, 'POST', `/accounts/${encodeURIComponent(id)}/authsystems/`, {
              form: { system: 'clinic', username: state },
            }),
          );
          await service.services.database.transaction((trx) => accountStore.updateAccount(trx, id, { state }));
          expect((await logIn({ username: id, password: PASSWORD })).status).to.equal(403);
          expect((await logIn({ username: state, system: 'clinic' })).status).to.equal(403);
        });
      }

      it('ends a lock-out that is over however somebody signs in, refuses nothing but passwords by it, and locks nobody out who has none', async () => {
        const { services } = service;
        const id = 'outside@example.org';
        const session = await addPerson(services, id);
        succeeded(
          await call(admin, 'POST', `/accounts/${encodeURIComponent(id)}/authsystems/`, {
            form: { system: 'clinic', username: 'outside' },
          }),
        );
        for (let failure = 0; failure < services.config.lockoutFailures + 1; failure += 1) {
          expect(
            (
              await call(session, 'POST', `/accounts/${encodeURIComponent(id)}/authsystems/password/change`, {
                form: { old: 'x', new: PASSWORD },
              })
            ).status,
          ).to.equal(403);
        }
        succeeded(await logIn({ username: 'outside', system: 'clinic' }));
        const lockedSince = async (milliseconds: number): Promise<void> => {
          const at = toTimestamp(services.clock.now() - milliseconds);
          await services.database.transaction((trx) =>
            accountStore.updateAccount(trx, id, {
              state: 'disabled',
              lastStateChange: at,
              lastFailedLoginAt: at,
            }),
          );
        };
        await lockedSince(1000);
        succeeded(await logIn({ username: 'outside', system: 'clinic' }));
        expect(isLocked((await accountStore.findAccount(direct(services.database), id))!)).to.be.true();
        await lockedSince(services.config.lockoutSeconds * 1000 + 1000);
        succeeded(await logIn({ username: 'outside', system: 'clinic' }));
      });

      it('ends lock-outs that are over although nobody signs in, those by an admin app never', async () => {
        const { services } = service;
        const long = services.config.lockoutSeconds * 1000;
        // The clock shows tomorrow, so that the service itself ends none of these lock-outs meanwhile. It stands still,
        // so the duration of the test does not matter.
        const now = services.clock.now() + 24 * 3600 * 1000;
        const clock = { ...services.clock, now: () => now };
        const at = (milliseconds: number): string => toTimestamp(now - milliseconds);
        const people = {
          over: { lastStateChange: at(long), lastFailedLoginAt: at(long) },
          running: { lastStateChange: at(long - 5000), lastFailedLoginAt: at(long - 5000) },
          byAdmin: { lastStateChange: at(long), lastFailedLoginAt: at(long + 1) },
        };
        const id = (name: string): string => `${name.toLowerCase()}@locked.example`;
        for (const [name, times] of Object.entries(people)) {
          await createAccount(service.call, id(name));
          await services.database.transaction((trx) =>
            accountStore.updateAccount(trx, id(name), { state: 'disabled', failedLoginCount: 3, ...times }),
          );
        }
        await endLockouts({ ...services, clock, config: { ...services.config, lockoutSeconds: 0 } });
        expect((await accountStore.findAccount(direct(services.database), id('over')))?.state).to.equal('disabled');
        await endLockouts({ ...services, clock });
        expect(
          await Promise.all(
            Object.keys(people).map(
              async (name) => (await accountStore.findAccount(direct(services.database), id(name)))?.state,
            ),
          ),
        ).to.equal(['active', 'disabled', 'disabled']);
        expect((await accountStore.findAccount(direct(services.database), id('over')))?.failedLoginCount).to.equal(0);
      });

      it('is for UI apps only', async () => {
        for (const who of [admin!, medications!, alice]) {
          expect((await logIn({ username: DORA, password: PASSWORD }, who)).status).to.equal(403);
        }
      });

      it('lets several sessions of one account live side by side', async () => {
        const [one, two] = [
          pairsOf(await logIn({ username: DORA, password: PASSWORD })),
          pairsOf(await logIn({ username: DORA, password: PASSWORD })),
        ];
        expect(one['oauth_token']).to.not.equal(two['oauth_token']);
      });
    });

    describe('get_connect_credentials', () => {
      const path = (account = ALICE, app = APP): string =>
        `/accounts/${encodeURIComponent(account)}/apps/${encodeURIComponent(app)}/connect_credentials`;
      const connect = (form: Record<string, string>, who: Signs = alice, at = path()): Promise<Answer> =>
        call(who, 'POST', at, { form });

      it('gives one pair for the website and one for the app', async () => {
        await enable(service.services, recordId, APP);
        const { text } = succeeded(await connect({ record_id: recordId }));
        const value = (name: string): string => child(text, name)!;
        expect([...text.matchAll(/<(\w+)[ >/]/g)].map((match) => match[1]).slice(1)).to.equal([
          'App',
          'ConnectToken',
          'ConnectSecret',
          'APIBase',
          'RESTToken',
          'RESTSecret',
          'OAuthHeader',
          'ExpiresAt',
        ]);
        expect(value('APIBase')).to.equal(service.services.baseUrl());
        expect(Date.parse(value('ExpiresAt').replace(/000Z$/, 'Z')) - Date.now()).to.be.within(1_700_000, 1_800_000);
        const [website, app] = [
          { ...ui!, token: { key: value('ConnectToken'), secret: value('ConnectSecret') } },
          { ...medications!, token: { key: value('RESTToken'), secret: value('RESTSecret') } },
        ];
        succeeded(await call(website, 'GET', `/records/${recordId}/documents/`));
        succeeded(await call(app, 'GET', `/records/${recordId}/documents/`));
        expect((await call({ ...app, consumer: ui!.consumer }, 'GET', '/apps/')).status).to.equal(403);
        expect((await call({ ...website, consumer: medications!.consumer }, 'GET', '/apps/')).status).to.equal(403);
      });

      it('gives a header that the app can check with its own secret', async () => {
        const header = child((await connect({ record_id: recordId })).text, 'OAuthHeader')!.replaceAll('&quot;', '"');
        expect(header).to.match(/^OAuth realm="", /);
        const values = new Map(
          [...header.matchAll(/([a-z_]+)="([^"]*)"/g)].map((match) => [match[1]!, decodeURIComponent(match[2]!)]),
        );
        expect(values.get('smart_record_id')).to.equal(recordId);
        expect(values.get('smart_user_id')).to.equal(ALICE);
        expect(values.get('smart_app_id')).to.equal(APP);
        expect(values.get('smart_container_api_base')).to.equal(service.services.baseUrl());
        const rest = {
          ...medications!,
          token: { key: values.get('smart_oauth_token')!, secret: values.get('smart_oauth_token_secret')! },
        };
        succeeded(await call(rest, 'GET', `/records/${recordId}`));
        const signed = [...values].filter(([name]) => name !== 'realm' && name !== 'oauth_signature');
        expect(values.get('oauth_signature')).to.equal(
          sign(
            baseString('GET', 'https://medications.apps.svc.example/start', signed),
            medications!.consumer.secret,
            '',
          ),
        );
      });

      for (const [index, address] of [
        ['https://keyed.example', 'https://keyed.example/'],
        ['HTTPS://Keyed.Example:443/a?b=c#/start?r={record_id}', 'https://keyed.example/a'],
      ] as const) {
        it(`signs what a server sees of ${index}`, async () => {
          const before = (await knex()('app').where({ id: APP }).first('index_url')) as { index_url: string };
          await knex()('app').where({ id: APP }).update({ index_url: index });
          try {
            const header = child((await connect({ record_id: recordId })).text, 'OAuthHeader')!.replaceAll(
              '&quot;',
              '"',
            );
            const values = new Map(
              [...header.matchAll(/([a-z_]+)="([^"]*)"/g)].map((match) => [match[1]!, decodeURIComponent(match[2]!)]),
            );
            const signed = [...values].filter(([name]) => name !== 'realm' && name !== 'oauth_signature');
            expect(values.get('oauth_signature')).to.equal(
              sign(baseString('GET', address, signed), medications!.consumer.secret, ''),
            );
          } finally {
            await knex()('app').where({ id: APP }).update(before);
          }
        });
      }

      it('for a carenet names no record', async () => {
        await place();
        const { text } = succeeded(await connect({ carenet_id: carenetId }, carol, path(CAROL)));
        expect(text).to.not.contain('smart_record_id');
        const website = { ...ui!, token: { key: child(text, 'ConnectToken')!, secret: child(text, 'ConnectSecret')! } };
        succeeded(await call(website, 'GET', `/carenets/${carenetId}/documents/`));
        succeeded(await connect({ carenet_id: carenetId }));
      });

      it('needs exactly one id, an app that is enabled there, and rights of the account', async () => {
        expect((await connect({})).status).to.equal(400);
        expect((await connect({ record_id: recordId, carenet_id: carenetId })).status).to.equal(400);
        expect((await connect({ record_id: newId() })).status).to.equal(403);
        expect((await connect({ record_id: recordId }, bob, path(BOB))).status).to.equal(403);
        expect((await connect({ record_id: recordId }, carol, path(CAROL))).status).to.equal(403);
        expect((await connect({ carenet_id: carenetId }, bob, path(BOB))).status).to.equal(403);
        expect((await connect({ record_id: recordId }, alice, path(ALICE, 'none@apps.example'))).status).to.equal(404);
        expect((await connect({ record_id: recordId }, alice, path(ALICE, ui!.consumer.key))).status).to.equal(404);
        await disable();
        expect((await connect({ record_id: recordId })).status).to.equal(403);
        await enable(service.services, recordId, APP);
      });

      it('works for apps that have no secret of their own', async () => {
        const sealed = service.services.sealing.seal('');
        const before = (await knex()('app').where({ id: APP }).first('consumer_secret')) as { consumer_secret: string };
        await knex()('app').where({ id: APP }).update({ consumer_secret: sealed });
        const { text } = succeeded(await connect({ record_id: recordId }));
        const bare = { consumer: { key: APP, secret: '' } };
        succeeded(
          await call(
            { ...bare, token: { key: child(text, 'RESTToken')!, secret: child(text, 'RESTSecret')! } },
            'GET',
            `/records/${recordId}`,
          ),
        );
        expect((await call(bare, 'GET', '/apps/')).status).to.equal(403);
        expect((await ask({}, bare)).status).to.equal(403);
        await knex()('app').where({ id: APP }).update(before);
      });
    });

    describe('tokens issued at the moment when a right ends', () => {
      const ROUNDS = 8;
      const dave = 'dave@example.org';
      const connectPath = (account: string): string =>
        `/accounts/${encodeURIComponent(account)}/apps/${encodeURIComponent(APP)}/connect_credentials`;
      const rowsOf = async (where: Record<string, string>, tables = ['access_token']): Promise<string[]> => {
        const counted = await inTurn(tables, async (table) =>
          ((await knex()(table).where(where)) as unknown[]).map(() => table),
        );
        return counted.flat();
      };
      let his: Signs;
      let own: string;
      before(async () => {
        his = await addPerson(service.services, dave);
        own = await createRecord(service.call, ALICE);
      });

      it('end with the share', async () => {
        const statuses = new Set<number>();
        await inTurn(Array.from({ length: ROUNDS }), async () => {
          await enable(service.services, own, APP);
          succeeded(await call(alice, 'POST', `/records/${own}/shares/`, { form: { account_id: dave } }));
          const token = await request({ svc_record_id: own });
          const verifier = verifierIn(await approve(his, token, { record_id: own }));
          const answers = await Promise.all([
            ...[1, 2, 3].map(() => call(his, 'POST', connectPath(dave), { form: { record_id: own } })),
            call(alice, 'DELETE', `/records/${own}/shares/${encodeURIComponent(dave)}`),
            exchange(token, verifier),
            call(his, 'POST', connectPath(dave), { form: { record_id: own } }),
          ]);
          answers.forEach(({ status }) => statuses.add(status));
          expect(await rowsOf({ account_id: dave })).to.equal([]);
        });
        expect(
          [...statuses].every((status) => [200, 403].includes(status)),
          [...statuses].join(),
        ).to.be.true();
      });

      it('end with the app on the record', async () => {
        await inTurn(Array.from({ length: ROUNDS }), async () => {
          await enable(service.services, own, APP);
          const answers = await Promise.all([
            ...[1, 2].map(() => call(alice, 'POST', connectPath(ALICE), { form: { record_id: own } })),
            call(alice, 'DELETE', `/records/${own}/apps/${encodeURIComponent(APP)}`),
            ...[1, 2].map(() => call(alice, 'POST', connectPath(ALICE), { form: { record_id: own } })),
          ]);
          expect(answers.every(({ status }) => [200, 403].includes(status))).to.be.true();
          expect(await rowsOf({ record_id: own, app_id: APP })).to.equal([]);
        });
      });

      it('end with the carenet, as all that is put into it does', async () => {
        const parts = [
          'carenet_account',
          'carenet_app',
          'carenet_preference',
          'carenet_autoshare',
          'access_token',
          'request_token',
        ];
        await inTurn(Array.from({ length: ROUNDS }), async () => {
          await enable(service.services, own, APP);
          const id = attribute(
            succeeded(await call(alice, 'POST', `/records/${own}/carenets/`, { form: { name: newId() } })).text,
            'Carenet',
            'id',
          );
          succeeded(await call(alice, 'PUT', `/carenets/${id}/apps/${encodeURIComponent(APP)}`));
          const answers = await Promise.all([
            call(alice, 'POST', connectPath(ALICE), { form: { carenet_id: id } }),
            ask({ svc_carenet_id: id }),
            call(alice, 'POST', `/carenets/${id}/accounts/`, { form: { account_id: dave, write: 'false' } }),
            call(alice, 'DELETE', `/carenets/${id}`),
            call(alice, 'POST', connectPath(ALICE), { form: { carenet_id: id } }),
            ask({ svc_carenet_id: id }),
            call(alice, 'POST', `/carenets/${id}/accounts/`, { form: { account_id: CAROL, write: 'false' } }),
            call(alice, 'PUT', `/carenets/${id}/apps/${encodeURIComponent(APP)}`),
            call(alice, 'POST', `/records/${own}/autoshare/carenets/${id}/bytype/set`, { form: { type: 'Procedure' } }),
          ]);
          expect(answers.map(({ status }) => status).filter((status) => ![200, 403, 404].includes(status))).to.equal(
            [],
          );
          expect(await rowsOf({ carenet_id: id }, parts)).to.equal([]);
        });
      });
    });

    describe('surl_verify', () => {
      let token: Token;
      before(async () => {
        await enable(service.services, recordId, APP);
        token = (await addToken(service.services, { app: medications!, accountId: ALICE, recordId })).token!;
      });
      const signed = (
        time = new Date().toISOString(),
        { path = '/widgets/DocumentAccess?record_id=R1', key = token.key, secret = token.secret } = {},
      ): string => {
        const text = `${path}&surl_timestamp=${encodeURIComponent(time)}&surl_token=${key}`;
        return `${text}&surl_sig=${encodeURIComponent(signUrl(text, secret))}`;
      };
      const verify = async (url: string, who: Signs = alice): Promise<string> =>
        child(
          succeeded(await call(who, 'GET', `/oauth/internal/surl-verify?url=${encodeURIComponent(url)}`)).text,
          'result',
        )!;

      it('makes the signature of the test vector', () => {
        expect(
          signUrl(
            '/widgets/DocumentAccess?record_id=R1&document_id=D1&surl_timestamp=2026-01-02T03%3A04%3A05Z&surl_token=TOKENtoken1234567890',
            'SECRETsecret12345678',
          ),
        ).to.equal('nquewy8caS2hnwwrxMyucPczyk4=');
      });

      it("passes what the caller's own app signed within the hour", async () => {
        expect(await verify(signed())).to.equal('ok');
        expect(await verify(signed(new Date(Date.now() - 3_500_000).toISOString()))).to.equal('ok');
        expect(await verify(signed(new Date().toISOString().slice(0, 19)))).to.equal('ok');
        expect(await verify(`${signed()}&more=1`)).to.equal('mismatch');
      });

      it('finds old what is older, before it looks at anything else', async () => {
        expect(await verify(signed(new Date(Date.now() - 3_700_000).toISOString()))).to.equal('old');
        expect(await verify(signed(new Date(Date.now() - 3_700_000).toISOString(), { key: 'unknown' }))).to.equal(
          'old',
        );
      });

      it("finds mismatched what was changed, is from the future, or has a token that is not the caller's or no more", async () => {
        expect(await verify(signed().replace('R1', 'R2'))).to.equal('mismatch');
        expect(await verify(signed(undefined, { secret: 'wrong' }))).to.equal('mismatch');
        expect(await verify(signed(undefined, { key: 'unknown' }))).to.equal('mismatch');
        expect(await verify(signed(new Date(Date.now() + 400_000).toISOString()))).to.equal('mismatch');
        expect(await verify(signed(), bob)).to.equal('mismatch');
        const own = (await addToken(service.services, { app: connector!, accountId: null, recordId })).token!;
        await enable(service.services, recordId, connector!.consumer.key);
        expect(await verify(signed(undefined, own), bob)).to.equal('ok');
        await knex()('access_token')
          .where({ token_hash: sha256(own.key) })
          .update({ expires_at: toTimestamp(Date.now() - 1) });
        expect(await verify(signed(undefined, own), bob)).to.equal('mismatch');
      });

      it('finds mismatched what the token of a carenet signed when its account is in it no more', async () => {
        await enable(service.services, recordId, APP);
        await sharingStore.putCarenetApp(knex(), carenetId, APP, toTimestamp(0));
        await sharingStore.putMember(knex(), carenetId, BOB, false, toTimestamp(0));
        const his = (await addToken(service.services, { app: medications!, accountId: BOB, recordId, carenetId }))
          .token!;
        expect(await verify(signed(undefined, his), bob)).to.equal('ok');
        await knex()('carenet_account').where({ carenet_id: carenetId, account_id: BOB }).delete();
        expect(await verify(signed(undefined, his), bob)).to.equal('mismatch');
      });

      it('takes the three values without url, over its own path and query', async () => {
        const url = signed(undefined, { path: '/oauth/internal/surl-verify?' }).replace('?&', '?');
        const text = url.slice(0, url.indexOf('&surl_sig='));
        const answer = await call(alice, 'GET', `${text}&surl_sig=${encodeURIComponent(signUrl(text, token.secret))}`);
        expect(child(succeeded(answer).text, 'result')).to.equal('ok');
      });

      it('refuses what lacks a part or has a time that is none', async () => {
        for (const url of [
          '/x?surl_token=a&surl_timestamp=b',
          '/x?a=1&surl_sig=x',
          '/x?surl_timestamp=2026-01-02T03:04:05Z&surl_sig=x',
          '/x?surl_token=a&surl_timestamp=yesterday&surl_sig=x',
          '/x?surl_token=a&surl_timestamp=2026-02-30T00:00:00Z&surl_sig=x',
          '/x?surl_token=a&surl_timestamp=2026-11-31T23:00:00Z&surl_sig=x',
        ]) {
          expect(
            (await call(alice, 'GET', `/oauth/internal/surl-verify?url=${encodeURIComponent(url)}`)).status,
            url,
          ).to.equal(400);
        }
        expect((await call(alice, 'GET', '/oauth/internal/surl-verify')).status).to.equal(400);
      });
    });
  });

  describe(`credential attempts on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '3', SVC_RATE_CONSUMER_PER_MINUTE: '8' });
      await createAccount(service.call, 'limited@example.org');
    });
    after(() => service.stop());

    const many = async (times: number, work: () => Promise<Answer>): Promise<number[]> => {
      const statuses: number[] = [];
      for (let round = 0; round < times; round += 1) {
        statuses.push((await work()).status);
      }
      return statuses;
    };
    /** The attempts of one test may fall into two minutes. */
    const limitedAfter = (statuses: readonly number[], first: number, limit: number): void => {
      expect(statuses.slice(0, limit)).to.equal(Array.from({ length: limit }, () => first));
      expect([...statuses]).to.include([429]);
    };

    it('of one name are limited, whether it exists or not', async () => {
      for (const username of ['nobody@example.org', 'limited@example.org']) {
        limitedAfter(
          await many(8, () =>
            service.call(ui, 'POST', '/oauth/internal/session_create', {
              form: { username, password: 'wrong password' },
            }),
          ),
          403,
          3,
        );
      }
      const answer = await service.call(ui, 'POST', '/oauth/internal/session_create', {
        form: { username: 'nobody@example.org', password: 'wrong password' },
      });
      if (answer.status === 429) {
        expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
      }
    });

    it('are limited for secrets and forgotten passwords, too', async () => {
      await direct(service.services.database)('failed_attempt').delete();
      const id = 'fresh@example.org';
      succeeded(await service.call(admin, 'POST', '/accounts/', { form: { account_id: id } }));
      const at = (rest: string): string => `/accounts/${encodeURIComponent(id)}/${rest}`;
      limitedAfter(await many(8, () => service.call(ui, 'GET', at('check-secrets/wrong'))), 403, 3);
      await direct(service.services.database)('failed_attempt').delete();
      limitedAfter(await many(8, () => service.call(ui, 'POST', at('initialize/wrong'), { form: {} })), 403, 3);
      await direct(service.services.database)('failed_attempt').delete();
      limitedAfter(await many(8, () => service.call(ui, 'POST', at('forgot-password'))), 400, 3);
    });

    it('refuse nobody whose password is right, however many others failed', async () => {
      await direct(service.services.database)('failed_attempt').delete();
      const id = 'right@example.org';
      await createAccount(service.call, id);
      const wrong = await Promise.all(
        Array.from({ length: 40 }, (_, number) =>
          service.call(ui, 'POST', '/oauth/internal/session_create', {
            form: { username: `invented${number}@example.org`, password: 'wrong password' },
          }),
        ),
      );
      expect(wrong.map(({ status }) => status)).to.include([429]);
      const session = await signIn(service.call, id);
      const at = (rest: string): string => `/accounts/${encodeURIComponent(id)}/${rest}`;
      succeeded(await service.call(ui, 'POST', at('forgot-password')));
      const primary = child(succeeded(await service.call(admin, 'GET', at('primary-secret'))).text, 'secret')!;
      succeeded(await service.call(ui, 'GET', at(`check-secrets/${primary}`)));
      succeeded(
        await service.call(session, 'POST', at('authsystems/password/change'), {
          form: { old: PASSWORD, new: 'another password' },
        }),
      );
    });

    it('at the old password of an open session are limited, right ones too', async () => {
      const id = 'stolen@example.org';
      await createAccount(service.call, id);
      const session = await signIn(service.call, id);
      const change = async (old: string): Promise<number> =>
        (
          await service.call(session, 'POST', `/accounts/${encodeURIComponent(id)}/authsystems/password/change`, {
            form: { old, new: 'another password' },
          })
        ).status;
      limitedAfter(await many(8, async () => ({ status: await change('a guess') }) as Answer), 403, 3);
      expect([403, 429]).to.include(await change('a guess'));
    });

    it('through one app are limited over all names', async () => {
      await direct(service.services.database)('failed_attempt').delete();
      let round = 0;
      const statuses = await many(18, () =>
        service.call(ui, 'POST', '/oauth/internal/session_create', {
          form: { username: `n${(round += 1)}@example.org`, password: 'wrong password' },
        }),
      );
      expect(statuses).to.include([429]);
    });
  });
}
