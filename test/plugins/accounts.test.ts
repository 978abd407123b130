/** accounts: every call on accounts: its responses, its refusals, and each change of state. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../core/base/clock';
import type { AccountState } from '../../core/base/types';
import { addAccount, addPerson, addSession, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { mailsIn, waitForMail } from '../support/mails';
import { meanwhile } from '../support/meanwhile';
import { until } from '../support/receiver';
import { admin, medications, startService, ui, type TestService } from '../support/server';
import { attribute, authorizeApp, child, createRecord, PASSWORD, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as accountStore from '../../core/accounts/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OWNER = 'owner@example.org';

for (const leg of databases) {
  describe(`accounts on ${leg.name}`, () => {
    let service: TestService;
    let owner: Signs;
    let made = 0;
    before(async () => {
      service = await startService(leg, {
        SVC_AUTH_SYSTEMS: 'clinic,bank',
        SVC_RATE_ACCOUNT_PER_MINUTE: '100',
        SVC_UI_BASE_URL: 'https://ui.example',
      });
      owner = await addPerson(service.services, OWNER);
    });
    after(() => service.stop());

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const at = (id: string, rest = ''): string => `/accounts/${encodeURIComponent(id)}${rest}`;
    const knex = () => direct(service.services.database);
    const code = ({ text }: Answer): string => attribute(text, 'error', 'code');
    const expectError = (answer: Answer, status: number, name: string): void => {
      expect(answer.status, answer.text).to.equal(status);
      expect(code(answer)).to.equal(name);
    };
    const newId = (): string => `person${(made += 1)}@example.org`;
    const info = async (id: string): Promise<string> => succeeded(await call(admin, 'GET', at(id))).text;
    const stateOf = async (id: string): Promise<string | undefined> => child(await info(id), 'state');
    const secretOf = async (id: string, which: 'primary-secret' | 'secret'): Promise<string> =>
      child(succeeded(await call(admin, 'GET', at(id, `/${which}`))).text, 'secret') ?? '';

    /** Makes an account with POST /accounts/. */
    const create = async (form: Record<string, string> = {}): Promise<string> => {
      const id = newId();
      succeeded(await call(admin, 'POST', '/accounts/', { form: { account_id: id, full_name: 'A Person', ...form } }));
      return id;
    };
    const addPassword = (id: string, password = PASSWORD): Promise<Answer> =>
      call(admin, 'POST', at(id, '/authsystems/'), { form: { system: 'password', username: id, password } });
    const logIn = (id: string, password = PASSWORD): Promise<Answer> =>
      call(ui, 'POST', '/oauth/internal/session_create', { form: { username: id, password } });
    const check = (id: string, primary: string, query = ''): Promise<Answer> =>
      call(ui, 'GET', at(id, `/check-secrets/${primary}${query}`));
    /** Makes an account with a password, in this state. */
    const inState = async (state: AccountState): Promise<string> => {
      const id = await create();
      if (state !== 'uninitialized') {
        succeeded(await addPassword(id));
        if (state !== 'active') {
          succeeded(await call(admin, 'POST', at(id, '/set-state'), { form: { state } }));
        }
      }
      return id;
    };

    describe('account_create', () => {
      it('answers the account, uninitialized, without its secrets', async () => {
        const id = newId();
        const { text, headers } = succeeded(
          await call(admin, 'POST', '/accounts/', {
            form: { account_id: ` ${id.toUpperCase()} `, full_name: 'Änn <Lee>', contact_email: 'Ann@Mail.example' },
          }),
        );
        expect(text).to.equal(
          `<?xml version="1.0" encoding="UTF-8"?>\n<Account id="${id}"><fullName>Änn &lt;Lee&gt;</fullName><contactEmail>Ann@Mail.example</contactEmail><lastLoginAt></lastLoginAt>` +
            '<totalLoginCount>0</totalLoginCount><failedLoginCount>0</failedLoginCount><state>uninitialized</state><lastStateChange></lastStateChange></Account>',
        );
        expect(headers['content-type']).to.equal('application/xml; charset=utf-8');
      });

      it('mails the activation link to the contact address, without the secondary secret', async () => {
        const id = await create({ contact_email: 'contact@example.org', secondary_secret_p: '1' });
        const mail = await waitForMail(service.mailDir, 'contact@example.org', 'Activate your account');
        const primary = await secretOf(id, 'primary-secret');
        expect(primary).to.match(/^[\w-]{22,}$/);
        expect(mail.links).to.equal([
          `https://ui.example/accounts/${encodeURIComponent(id)}/init/${primary}`,
          `https://ui.example/accounts/${encodeURIComponent(id)}/send_secret/${primary}`,
        ]);
        const secondary = await secretOf(id, 'secret');
        expect(secondary).to.match(/^\d{6}$/);
        expect(mail.text).to.not.contain(secondary);
      });

      it('makes no secrets and sends no mail when none is asked for', async () => {
        const id = await create({ primary_secret_p: '0', secondary_secret_p: '1' });
        expect(await secretOf(id, 'primary-secret')).to.equal('');
        expect(await secretOf(id, 'secret')).to.equal('');
        await waitForMail(service.mailDir, await create(), 'Activate your account');
        expect(mailsIn(service.mailDir).filter(({ to }) => to.includes(id))).to.have.length(0);
      });

      it('keeps secrets sealed at rest', async () => {
        const id = await create({ secondary_secret_p: '1' });
        const row = (await knex()('account').where({ id }).first()) as Record<string, string>;
        expect(JSON.stringify(row)).to.not.contain(await secretOf(id, 'primary-secret'));
      });

      it('refuses ids that are missing, malformed or taken by an account or app', async () => {
        const taken = await create();
        expectError(await call(admin, 'POST', '/accounts/', { form: {} }), 400, 'missing_parameter');
        for (const id of [
          'ann',
          'ann@localhost',
          'a b@example.org',
          'ann@example.o',
          `${'x'.repeat(250)}@example.org`,
          'ann@@example.org',
          'ann@ex/ample.org',
        ]) {
          expectError(await call(admin, 'POST', '/accounts/', { form: { account_id: id } }), 400, 'invalid_parameter');
        }
        expectError(await call(admin, 'POST', '/accounts/', { form: { account_id: taken } }), 400, 'duplicate');
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { account_id: taken.toUpperCase() } }),
          400,
          'duplicate',
        );
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { account_id: 'medications@apps.svc.example' } }),
          400,
          'duplicate',
        );
      });

      it('refuses a contact address or name that cannot be', async () => {
        const form = { account_id: newId() };
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { ...form, contact_email: '' } }),
          400,
          'invalid_parameter',
        );
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { ...form, contact_email: 'nowhere' } }),
          400,
          'invalid_parameter',
        );
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { ...form, full_name: 'x'.repeat(151) } }),
          400,
          'invalid_parameter',
        );
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { ...form, full_name: '\u{1F600}'.repeat(151) } }),
          400,
          'invalid_parameter',
        );
        expectError(
          await call(admin, 'POST', '/accounts/', { form: { ...form, full_name: 'Ann\r\nBcc: bob@example.org' } }),
          400,
          'invalid_parameter',
        );
      });

      it('makes one account when many ask for the same id at once', async () => {
        const id = newId();
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => call(admin, 'POST', '/accounts/', { form: { account_id: id } })),
        );
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 400, 400, 400, 400]);
      });

      it('may be called by UI apps, too', async () => {
        succeeded(await call(ui, 'POST', '/accounts/', { form: { account_id: newId() } }));
      });
    });

    describe('account_search', () => {
      it('finds parts of names or addresses ignoring case, by id, in pages', async () => {
        await addAccount(service.services, 'zz1@search.example', 'Quirin Ärztin');
        await addAccount(service.services, 'zz2@search.example', 'Someone Else');
        await addAccount(service.services, 'zz3@search.example', 'Nobody');
        const ids = async (query: string): Promise<string[]> =>
          [
            ...succeeded(await call(admin, 'GET', `/accounts/search?${query}`)).text.matchAll(/<Account id="([^"]*)"/g),
          ].map((match) => match[1]!);
        expect(await ids('fullname=quirin%20%C3%84R')).to.equal(['zz1@search.example']);
        expect(await ids('fullname=quirin&contact_email=ZZ2')).to.equal(['zz1@search.example', 'zz2@search.example']);
        expect(await ids('contact_email=search.example')).to.equal([
          'zz1@search.example',
          'zz2@search.example',
          'zz3@search.example',
        ]);
        expect(await ids('contact_email=search.example&limit=1&offset=1')).to.equal(['zz2@search.example']);
        expect(await ids('contact_email=%25')).to.equal([]);
        expect((await call(admin, 'GET', '/accounts/search?fullname=nobody-has-this')).text).to.contain('<Accounts/>');
      });

      it('needs something to look for', async () => {
        expectError(await call(admin, 'GET', '/accounts/search'), 400, 'missing_parameter');
        expectError(await call(admin, 'GET', '/accounts/search?fullname='), 400, 'missing_parameter');
        expectError(await call(admin, 'GET', '/accounts/search?fullname=x&limit=many'), 400, 'invalid_parameter');
      });
    });

    describe('account_info', () => {
      it('shows auth systems and log-ins, to admin apps and the account itself', async () => {
        const id = await inState('active');
        succeeded(await call(admin, 'POST', at(id, '/authsystems/'), { form: { system: 'clinic', username: 'C-17' } }));
        succeeded(await logIn(id));
        await logIn(id, 'wrong password');
        const text = await info(id);
        expect(text).to.contain(
          `<authSystem name="clinic" username="c-17"/><authSystem name="password" username="${id}"/>`,
        );
        expect(child(text, 'totalLoginCount')).to.equal('1');
        expect(child(text, 'failedLoginCount')).to.equal('1');
        expect(child(text, 'lastLoginAt')).to.match(/^\d{4}-\d\d-\d\dT/);
        expect(succeeded(await call(owner, 'GET', at(OWNER.toUpperCase()))).text).to.contain(`<Account id="${OWNER}">`);
      });

      it('is 404 for who may know, 403 for who may not', async () => {
        expectError(await call(admin, 'GET', at('none@example.org')), 404, 'not_found');
        expect((await call(owner, 'GET', at('none@example.org'))).status).to.equal(403);
      });
    });

    describe('account_authsystem_add', () => {
      it('with a password opens the account; a name and a password then sign in, whatever their case and spaces', async () => {
        const id = await create();
        succeeded(
          await call(admin, 'POST', at(id, '/authsystems/'), {
            form: { system: 'password', username: ` Name${made} `, password: PASSWORD },
          }),
        );
        expect(await stateOf(id)).to.equal('active');
        expect(child(await info(id), 'lastStateChange')).to.not.equal('');
        succeeded(await logIn(` NAME${made}`));
        expect(await secretOf(id, 'primary-secret')).to.equal('');
      });

      it('with an external system only adds a name', async () => {
        const id = await create();
        succeeded(await call(admin, 'POST', at(id, '/authsystems/'), { form: { system: 'bank', username: id } }));
        expect(await stateOf(id)).to.equal('uninitialized');
      });

      it('opens a disabled account again, and never a retired one', async () => {
        const disabled = await create();
        succeeded(await call(admin, 'POST', at(disabled, '/set-state'), { form: { state: 'disabled' } }));
        succeeded(await addPassword(disabled));
        expect(await stateOf(disabled)).to.equal('active');
        const retired = await create();
        succeeded(await call(admin, 'POST', at(retired, '/set-state'), { form: { state: 'retired' } }));
        expectError(await addPassword(retired), 403, 'refused');
        expect(await stateOf(retired)).to.equal('retired');
      });

      it('refuses what is missing, unknown, weak or taken', async () => {
        const id = await create();
        const add = (form: Record<string, string>): Promise<Answer> =>
          call(admin, 'POST', at(id, '/authsystems/'), { form });
        expectError(await add({ system: 'password', password: PASSWORD }), 400, 'missing_parameter');
        expectError(await add({ system: 'password', username: '', password: PASSWORD }), 400, 'missing_parameter');
        expectError(await add({ username: id, password: PASSWORD }), 400, 'missing_parameter');
        expectError(await add({ system: '', username: id }), 400, 'missing_parameter');
        expectError(await add({ system: 'password', username: id }), 400, 'missing_parameter');
        expectError(await add({ system: 'password', username: id, password: 'short' }), 400, 'invalid_parameter');
        expectError(await add({ system: 'unheard-of', username: id }), 403, 'refused');
        succeeded(await add({ system: 'password', username: id, password: PASSWORD }));
        expectError(await add({ system: 'password', username: `${id}2`, password: PASSWORD }), 400, 'duplicate');
        const other = await create();
        expectError(
          await call(admin, 'POST', at(other, '/authsystems/'), {
            form: { system: 'password', username: id.toUpperCase(), password: PASSWORD },
          }),
          400,
          'duplicate',
        );
        expect(await stateOf(other)).to.equal('uninitialized');
        expectError(
          await call(admin, 'POST', at('none@example.org', '/authsystems/'), {
            form: { system: 'clinic', username: 'x' },
          }),
          404,
          'not_found',
        );
      });
    });

    describe('account_password_change', () => {
      it('needs the old password, keeps this session and ends the others', async () => {
        const id = await inState('active');
        const [mine, other] = [await addSession(service.services, id), await addSession(service.services, id)];
        const change = (form: Record<string, string>): Promise<Answer> =>
          call(mine, 'POST', at(id, '/authsystems/password/change'), { form });
        expectError(await change({ new: 'another password' }), 400, 'missing_parameter');
        expectError(await change({ old: PASSWORD }), 400, 'missing_parameter');
        expectError(await change({ old: PASSWORD, new: '' }), 400, 'missing_parameter');
        expectError(await change({ old: PASSWORD, new: 'short' }), 400, 'invalid_parameter');
        expectError(await change({ old: 'wrong one', new: 'another password' }), 403, 'refused');
        expect(child(await info(id), 'failedLoginCount')).to.equal('1');
        succeeded(await change({ old: PASSWORD, new: 'another password' }));
        expect((await call(mine, 'GET', at(id))).status).to.equal(200);
        expect((await call(other, 'GET', at(id))).status).to.equal(403);
        expect((await logIn(id)).status).to.equal(403);
        succeeded(await logIn(id, 'another password'));
        const { text, links } = await waitForMail(service.mailDir, id, 'Your password was changed');
        expect([links, text.includes('another password')]).to.equal([['https://ui.example'], false]);
      });

      it('is refused without a password login', async () => {
        expectError(
          await call(owner, 'POST', at(OWNER, '/authsystems/password/change'), {
            form: { old: PASSWORD, new: 'another password' },
          }),
          403,
          'refused',
        );
      });
    });

    describe('a password that is changed while another call works with it', () => {
      /** Makes a call during which, as soon as the password has been found right, something else happens. */
      const once = (happens: () => Promise<unknown>, make: () => Promise<Answer>): Promise<Answer> =>
        meanwhile(service.services.passwords, 'verify', happens, make);
      const change = (who: Signs, id: string, password: string): Promise<Answer> =>
        call(who, 'POST', at(id, '/authsystems/password/change'), { form: { old: PASSWORD, new: password } });
      const set = (id: string, password: string): Promise<Answer> =>
        call(admin, 'POST', at(id, '/authsystems/password/set'), { form: { password } }).then(succeeded);

      it('is changed by one of many who know the old one', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        const names = Array.from({ length: 6 }, (_, number) => `another password ${number}`);
        const answers = await Promise.all(names.map((name) => change(session, id, name)));
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 403, 403, 403, 403, 403]);
        const winner = names[answers.findIndex(({ status }) => status === 200)]!;
        // The new password is checked without a sign-in, because the late callers gave a wrong old password, which may
        // have locked the account.
        const { services } = service;
        const login = await accountStore.findPasswordLogin(direct(services.database), id);
        expect(await Promise.all(names.map((name) => services.passwords.verify(login!.passwordHash, name)))).to.equal(
          names.map((name) => name === winner),
        );
      });

      it('stays as an admin app set it', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        expect(
          (
            await once(
              () => set(id, 'set by an admin'),
              () => change(session, id, 'set by a thief'),
            )
          ).status,
        ).to.equal(403);
        expect([(await logIn(id, 'set by a thief')).status, (await logIn(id, 'set by an admin')).status]).to.equal([
          403, 200,
        ]);
      });

      it('stays lost after a reset, whose secrets stay good', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        const reset = (): Promise<Answer> => call(admin, 'POST', at(id, '/reset')).then(succeeded);
        expect((await once(reset, () => change(session, id, 'another password'))).status).to.equal(403);
        expect(await stateOf(id)).to.equal('uninitialized');
        expect(await secretOf(id, 'secret')).to.match(/^\d{6}$/);
        expect(await secretOf(id, 'primary-secret')).to.not.equal('');
      });

      it('opens no session any more', async () => {
        const id = await inState('active');
        expect(
          (
            await once(
              () => set(id, 'another password'),
              () => logIn(id),
            )
          ).status,
        ).to.equal(403);
        succeeded(await logIn(id, 'another password'));
      });
    });

    describe('account_password_set', () => {
      it('activates an uninitialized account that has a login, and leaves a disabled one disabled', async () => {
        const id = await inState('active');
        succeeded(await call(admin, 'POST', at(id, '/reset')));
        const set = (password: string): Promise<Answer> =>
          call(admin, 'POST', at(id, '/authsystems/password/set'), { form: { password } });
        succeeded(await set('another password'));
        expect(await stateOf(id)).to.equal('active');
        const session = await addSession(service.services, id);
        succeeded(await call(admin, 'POST', at(id, '/set-state'), { form: { state: 'disabled' } }));
        succeeded(await set('yet another password'));
        expect(await stateOf(id)).to.equal('disabled');
        succeeded(await call(admin, 'POST', at(id, '/set-state'), { form: { state: 'active' } }));
        expect((await call(session, 'GET', at(id))).status).to.equal(403);
        succeeded(await logIn(id, 'yet another password'));
        await waitForMail(service.mailDir, id, 'Your password was changed', 2);
      });

      it('refuses a missing or weak password, an account without a login and a retired one', async () => {
        const id = await create();
        expectError(
          await call(admin, 'POST', at(id, '/authsystems/password/set'), { form: {} }),
          400,
          'missing_parameter',
        );
        expectError(
          await call(admin, 'POST', at(id, '/authsystems/password/set'), { form: { password: 'short' } }),
          400,
          'invalid_parameter',
        );
        expectError(
          await call(admin, 'POST', at(id, '/authsystems/password/set'), { form: { password: PASSWORD } }),
          400,
          'invalid_state',
        );
        expectError(
          await call(admin, 'POST', at(await inState('retired'), '/authsystems/password/set'), {
            form: { password: PASSWORD },
          }),
          403,
          'refused',
        );
      });
    });

    describe('account_username_set', () => {
      it('renames the login, for admin apps and the account itself', async () => {
        const id = await inState('active');
        const name = `new-${id.replace('@', '-at-')}`;
        succeeded(
          await call(admin, 'POST', at(id, '/authsystems/password/set-username'), {
            form: { username: name.toUpperCase() },
          }),
        );
        succeeded(await logIn(name));
        const told = 'Your user name was changed';
        expect((await waitForMail(service.mailDir, id, told)).text).to.contain(`is ${name} now`);
        const session = await addSession(service.services, id);
        succeeded(
          await call(session, 'POST', at(id, '/authsystems/password/set-username'), { form: { username: id } }),
        );
        succeeded(
          await call(session, 'POST', at(id, '/authsystems/password/set-username'), { form: { username: id } }),
        );
        await waitForMail(service.mailDir, id, told, 2);
        const other = await inState('active');
        expectError(
          await call(admin, 'POST', at(other, '/authsystems/password/set-username'), { form: { username: id } }),
          400,
          'duplicate',
        );
        expectError(
          await call(admin, 'POST', at(other, '/authsystems/password/set-username'), { form: {} }),
          400,
          'missing_parameter',
        );
        expectError(
          await call(admin, 'POST', at(await create(), '/authsystems/password/set-username'), {
            form: { username: 'fresh' },
          }),
          400,
          'invalid_state',
        );
        // Setting the same name again is no change, and sends no mail.
        expect(
          mailsIn(service.mailDir).filter(({ to, subject }) => to.includes(id) && subject === told),
        ).to.have.length(2);
      });
    });

    describe('account_check_secrets', () => {
      it('passes right secrets, and the secondary only if it is given', async () => {
        const id = await create({ secondary_secret_p: '1' });
        const [primary, secondary] = [await secretOf(id, 'primary-secret'), await secretOf(id, 'secret')];
        expect(succeeded(await check(id, primary)).text).to.contain('<ok/>');
        succeeded(await check(id, primary, `?secondary_secret=${secondary}`));
        expectError(await check(id, primary, '?secondary_secret=nonsense'), 403, 'refused');
        expectError(await check(id, primary, '?secondary_secret='), 403, 'refused');
        expectError(await check(id, 'wrong'), 403, 'refused');
        succeeded(
          await check(
            await create({ full_name: 'only primary' }),
            await secretOf(`person${made}@example.org`, 'primary-secret'),
            '?secondary_secret=any',
          ),
        );
      });

      it('voids the secrets of an uninitialized account after ten wrong ones', async () => {
        const id = await create();
        const primary = await secretOf(id, 'primary-secret');
        for (let round = 0; round < 10; round += 1) {
          expect((await check(id, 'wrong')).status).to.equal(403);
        }
        expect((await check(id, primary)).status).to.equal(403);
        expect(await stateOf(id)).to.equal('uninitialized');
        succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        succeeded(await check(id, await secretOf(id, 'primary-secret')));
      });

      it('asks for a secondary secret whatever became of the one before: a resend makes a new one, or keeps its count', async () => {
        const initialize = (id: string, primary: string, form: Record<string, string> = {}): Promise<Answer> =>
          call(ui, 'POST', at(id, `/initialize/${primary}`), { form });
        const resend = async (id: string): Promise<void> => {
          succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        };
        const voided: Record<string, (id: string) => Promise<unknown>> = {
          guessed: async (id) => {
            const primary = await secretOf(id, 'primary-secret');
            for (let round = 0; round < 10; round += 1) {
              if (round === 5) {
                await resend(id);
              }
              expect(
                (
                  await initialize(id, round < 5 ? primary : await secretOf(id, 'primary-secret'), {
                    secondary_secret: 'wrong',
                  })
                ).status,
              ).to.equal(403);
            }
          },
          expired: (id) =>
            knex()('account')
              .where({ id })
              .update({ secrets_expire_at: toTimestamp(Date.now() - 1) }),
          'used up': async (id) => {
            succeeded(
              await initialize(id, await secretOf(id, 'primary-secret'), {
                secondary_secret: await secretOf(id, 'secret'),
              }),
            );
            succeeded(await addPassword(id));
          },
        };
        for (const [how, spoil] of Object.entries(voided)) {
          const id = await create({ secondary_secret_p: '1' });
          const before = await secretOf(id, 'secret');
          await spoil(id);
          expect(await secretOf(id, 'secret'), how).to.equal('');
          await resend(id);
          const [primary, secondary] = [await secretOf(id, 'primary-secret'), await secretOf(id, 'secret')];
          expect(secondary, how)
            .to.match(/^\d{6}$/)
            .and.not.equal(before);
          expect((await check(id, primary, '?secondary_secret=wrong')).status, how).to.equal(403);
          if (how !== 'used up') {
            expectError(await initialize(id, primary), 400, 'missing_parameter');
            succeeded(await initialize(id, primary, { secondary_secret: secondary }));
          }
        }
      });

      it('refuses secrets after a week', async () => {
        const id = await create();
        const primary = await secretOf(id, 'primary-secret');
        await knex()('account')
          .where({ id })
          .update({ secrets_expire_at: toTimestamp(Date.now() - 1) });
        expect((await check(id, primary)).status).to.equal(403);
        expect(await secretOf(id, 'primary-secret')).to.equal('');
      });

      it('cannot lock an account that has no secrets', async () => {
        const id = await inState('active');
        for (let round = 0; round < 4; round += 1) {
          expect((await check(id, 'wrong')).status).to.equal(403);
        }
        expect(await stateOf(id)).to.equal('active');
      });

      it('of an unknown account is 404', async () => {
        expectError(await check('none@example.org', 'x'), 404, 'not_found');
      });
    });

    describe('account_initialize', () => {
      const initialize = (id: string, primary: string, form: Record<string, string> = {}): Promise<Answer> =>
        call(ui, 'POST', at(id, `/initialize/${primary}`), { form });

      it('activates with the right secrets, mails a welcome without a secret, and works once', async () => {
        const id = await create({ secondary_secret_p: '1' });
        const [primary, secondary] = [await secretOf(id, 'primary-secret'), await secretOf(id, 'secret')];
        expectError(await initialize(id, 'wrong', { secondary_secret: secondary }), 403, 'refused');
        expectError(await initialize(id, primary), 400, 'missing_parameter');
        expectError(await initialize(id, primary, { secondary_secret: 'nonsense' }), 403, 'refused');
        succeeded(await initialize(id, primary, { secondary_secret: secondary }));
        expect(await stateOf(id)).to.equal('active');
        const mail = await waitForMail(service.mailDir, id, 'Welcome');
        expect(mail.text).to.not.contain(primary);
        expect(mail.links).to.equal(['https://ui.example']);
        expectError(await initialize(id, primary, { secondary_secret: secondary }), 403, 'refused');
        succeeded(await call(ui, 'GET', at(id, `/check-secrets/${primary}?secondary_secret=${secondary}`)));
        succeeded(await addPassword(id));
        expect((await call(ui, 'GET', at(id, `/check-secrets/${primary}`))).status).to.equal(403);
      });

      it('needs no secondary secret when there is none, and none at all is refused', async () => {
        const id = await create();
        succeeded(await initialize(id, await secretOf(id, 'primary-secret')));
        const bare = await create({ primary_secret_p: '0' });
        expectError(await initialize(bare, 'x'), 403, 'refused');
      });

      it('activates once when asked many times at once', async () => {
        const id = await create();
        const primary = await secretOf(id, 'primary-secret');
        const statuses = (await Promise.all(Array.from({ length: 4 }, () => initialize(id, primary)))).map(
          ({ status }) => status,
        );
        expect(statuses.sort()).to.equal([200, 403, 403, 403]);
      });

      for (const renew of ['/secret-resend', '/reset']) {
        it(`refuses the old secrets when ${renew} has made new ones: they are looked at under the account's own row only`, async () => {
          const id = await create();
          const primary = await secretOf(id, 'primary-secret');
          succeeded(await call(admin, 'POST', at(id, renew)));
          const answer = await initialize(id, primary);
          expectError(answer, 403, 'refused');
          expect(await stateOf(id)).to.equal('uninitialized');
          succeeded(
            await initialize(id, await secretOf(id, 'primary-secret'), {
              secondary_secret: await secretOf(id, 'secret'),
            }),
          );
        });
      }
    });

    describe('account_reset, account_forgot_password, account_resend_secret', () => {
      for (const state of ['uninitialized', 'active', 'disabled', 'retired'] as const) {
        it(`account_reset puts an account that is ${state} back to uninitialized, with new secrets and no mail`, async () => {
          const id = await inState(state);
          const before = await secretOf(id, 'primary-secret');
          const session = await addSession(service.services, id);
          succeeded(await call(admin, 'POST', at(id, '/reset')));
          expect(await stateOf(id)).to.equal('uninitialized');
          const [primary, secondary] = [await secretOf(id, 'primary-secret'), await secretOf(id, 'secret')];
          expect(primary).to.not.equal(before);
          expect(secondary).to.match(/^\d{6}$/);
          expect((await call(session, 'GET', at(id))).status).to.equal(403);
          expect(
            mailsIn(service.mailDir).filter((mail) => mail.to.includes(id) && mail.subject === 'Your password'),
          ).to.have.length(0);
          succeeded(
            await call(ui, 'POST', at(id, `/initialize/${primary}`), { form: { secondary_secret: secondary } }),
          );
          if (state !== 'uninitialized') {
            succeeded(await logIn(id));
          }
        });
      }

      it('account_forgot_password answers the secondary secret, mails the links and changes nothing else', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        const answer = succeeded(await call(ui, 'POST', at(id, '/forgot-password')));
        const secondary = child(answer.text, 'secret');
        expect(secondary).to.equal(await secretOf(id, 'secret'));
        expect(await stateOf(id)).to.equal('active');
        succeeded(await logIn(id));
        succeeded(await call(session, 'GET', at(id)));
        const primary = await secretOf(id, 'primary-secret');
        const mail = await waitForMail(service.mailDir, id, 'Your password');
        const base = `https://ui.example/accounts/${encodeURIComponent(id)}`;
        expect(mail.links).to.equal([`${base}/reset_password/${primary}`, `${base}/send_secret/${primary}`]);
        expect(mail.text).to.not.contain(secondary!);
        expect(mail.text).to.contain('A Person');
      });

      it('account_forgot_password leads to a new password, which ends sessions, tokens and the lock-out of the old one', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        const recordId = await createRecord(call, id);
        const app = await authorizeApp(call, medications!, session, { record_id: recordId });
        for (let round = 0; round < 3; round += 1) {
          await logIn(id, 'wrong password');
        }
        const secondary = child(succeeded(await call(ui, 'POST', at(id, '/forgot-password'))).text, 'secret')!;
        expect(await stateOf(id)).to.equal('disabled');
        const primary = await secretOf(id, 'primary-secret');
        succeeded(await check(id, primary, `?secondary_secret=${secondary}`));
        for (const [who, path] of [
          [session, at(id)],
          [app, `/records/${recordId}`],
        ] as const) {
          succeeded(await call(who, 'GET', path));
        }
        succeeded(
          await call(ui, 'POST', at(id, '/authsystems/password/set'), { form: { password: 'another password' } }),
        );
        expect((await call(session, 'GET', at(id))).status).to.equal(403);
        expect((await call(app, 'GET', `/records/${recordId}`)).status).to.equal(403);
        expect((await check(id, primary)).status).to.equal(403);
        expect((await logIn(id)).status).to.equal(403);
        succeeded(await logIn(id, 'another password'));
      });

      it('account_forgot_password of an account that an admin app disabled opens nothing', async () => {
        const id = await inState('disabled');
        succeeded(await call(ui, 'POST', at(id, '/forgot-password')));
        succeeded(
          await call(ui, 'POST', at(id, '/authsystems/password/set'), { form: { password: 'another password' } }),
        );
        expect(await stateOf(id)).to.equal('disabled');
        expect((await logIn(id, 'another password')).status).to.equal(403);
      });

      it('voids its secrets after ten wrong ones in any state, and many at once are no more than ten', async () => {
        const id = await inState('active');
        const secondary = child(succeeded(await call(ui, 'POST', at(id, '/forgot-password'))).text, 'secret')!;
        const primary = await secretOf(id, 'primary-secret');
        await knex()('failed_attempt').delete();
        const guesses = await Promise.all(
          Array.from({ length: 30 }, (_, number) => check(id, primary, `?secondary_secret=${1_000_000 + number}`)),
        );
        expect(guesses.every(({ status }) => status === 403 || status === 429)).to.be.true();
        expect((await accountStore.findAccount(knex(), id))?.primarySecret).to.be.null();
        expect((await check(id, primary, `?secondary_secret=${secondary}`)).status).to.not.equal(200);
      });

      it('account_resend_secret and account_forgot_password send so many mails a minute to one person, and go on for others', async () => {
        const [id, other] = [await inState('active'), await inState('active')];
        const sentTo = (): number =>
          mailsIn(service.mailDir).filter((mail) => mail.to.includes(id) && mail.subject === 'Your password').length;
        const answers = await Promise.all(
          Array.from({ length: 230 }, (_, number) =>
            call(admin, 'POST', at(id, number % 2 === 0 ? '/secret-resend' : '/forgot-password')),
          ),
        );
        const allowed = service.services.config.rateAccountPerMinute;
        const sent = answers.filter(({ status }) => status === 200).length;
        // The calls may have been made in two minutes.
        expect(sent).to.be.within(allowed, 2 * allowed);
        const refused = answers.filter(({ status }) => status === 429);
        expect(refused).to.have.length(230 - sent);
        expect(Number(refused[0]!.headers['retry-after'])).to.be.within(1, 60);
        await until(() => Promise.resolve(sentTo() === sent));
        succeeded(await call(admin, 'POST', at(other, '/secret-resend')));
      });

      it('account_forgot_password changes nothing for an uninitialized or retired account', async () => {
        const id = await create();
        const before = await secretOf(id, 'primary-secret');
        expectError(await call(ui, 'POST', at(id, '/forgot-password')), 400, 'account_not_initialized');
        expect(await secretOf(id, 'primary-secret')).to.equal(before);
        expectError(await call(ui, 'POST', at(await inState('retired'), '/forgot-password')), 403, 'refused');
        expectError(await call(ui, 'POST', at('none@example.org', '/forgot-password')), 404, 'not_found');
      });

      it('account_resend_secret mails a new primary secret and keeps the secondary one', async () => {
        const id = await create({ secondary_secret_p: '1' });
        await waitForMail(service.mailDir, id, 'Activate your account');
        const [primary, secondary] = [await secretOf(id, 'primary-secret'), await secretOf(id, 'secret')];
        succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        const mail = await waitForMail(service.mailDir, id, 'Activate your account', 2);
        const next = await secretOf(id, 'primary-secret');
        expect(next).to.not.equal(primary);
        expect(mail.links[0]).to.contain(next);
        expect(await secretOf(id, 'secret')).to.equal(secondary);
        expect((await call(ui, 'GET', at(id, `/check-secrets/${primary}`))).status).to.equal(403);
        succeeded(await call(admin, 'POST', at(await inState('retired'), '/secret-resend')));
      });

      it('account_resend_secret sends who has a password the links for that again', async () => {
        const id = await inState('active');
        const linksOf = async (nth: number): Promise<readonly string[]> => {
          const { links } = await waitForMail(service.mailDir, id, 'Your password', nth);
          return links.map((link) => link.replace(/.*\/accounts\/[^/]+/, ''));
        };
        succeeded(await call(ui, 'POST', at(id, '/forgot-password')));
        await linksOf(1);
        succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        const next = await secretOf(id, 'primary-secret');
        expect((await linksOf(2))[0]).to.equal(`/reset_password/${next}`);
        succeeded(await call(admin, 'POST', at(id, '/reset')));
        succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        const last = await secretOf(id, 'primary-secret');
        expect((await linksOf(3)).slice(0, 2)).to.equal([`/init/${last}`, `/reset_password/${last}`]);
      });

      it('account_primary_secret says that it is deprecated', async () => {
        const { headers } = await call(admin, 'GET', at(OWNER, '/primary-secret'));
        expect(headers['deprecation']).to.equal('true');
      });
    });

    describe('account_set_state', () => {
      const setState = (id: string, state: string): Promise<Answer> =>
        call(admin, 'POST', at(id, '/set-state'), { form: { state } });
      const targets = ['active', 'disabled', 'retired'] as const;

      for (const from of ['uninitialized', 'active', 'disabled', 'retired'] as const) {
        for (const to of targets) {
          it(`${from} to ${to}: ${from === 'retired' ? 'refused' : 'done'}`, async () => {
            const id = await inState(from);
            // The times are compared as moments: a whole second has no fraction, so as text it would come after all
            // others of that second.
            const changed = async () => Date.parse(child(await info(id), 'lastStateChange')! || '1970-01-01');
            const before = await changed();
            const answer = await setState(id, to);
            expect(answer.status).to.equal(from === 'retired' ? 403 : 200);
            expect(await stateOf(id)).to.equal(from === 'retired' ? 'retired' : to);
            expect((await changed()) > before).to.equal(from !== 'retired');
          });
        }
      }

      it('refuses other values and none', async () => {
        const id = await create();
        for (const state of ['uninitialized', 'ACTIVE', 'gone']) {
          expectError(await setState(id, state), 400, 'invalid_parameter');
        }
        expectError(await setState(id, ''), 400, 'missing_parameter');
        expectError(await call(admin, 'POST', at(id, '/set-state'), { form: {} }), 400, 'missing_parameter');
        expectError(await setState('none@example.org', 'active'), 404, 'not_found');
      });

      it('ends sessions and tokens for good when it disables, those of a locked account, too', async () => {
        for (const locked of [false, true]) {
          const id = await inState('active');
          const session = await addSession(service.services, id);
          const recordId = await createRecord(call, id);
          const app = await authorizeApp(call, medications!, session, { record_id: recordId });
          const pending = new URLSearchParams(
            succeeded(
              await call(medications, 'POST', '/oauth/request_token', {
                form: { svc_record_id: recordId },
                oauth: { oauth_callback: 'oob' },
              }),
            ).text,
          );
          succeeded(await call(session, 'POST', `/oauth/internal/request_tokens/${pending.get('oauth_token')}/claim`));
          if (locked) {
            await Promise.all(Array.from({ length: 3 }, () => logIn(id, 'wrong password')));
          }
          succeeded(await call(app, 'GET', `/records/${recordId}`));
          succeeded(await setState(id, 'disabled'));
          expect((await call(app, 'GET', `/records/${recordId}`)).status).to.equal(403);
          succeeded(await setState(id, 'active'));
          expect((await call(session, 'GET', at(id))).status).to.equal(403);
          expect((await call(app, 'GET', `/records/${recordId}`)).status).to.equal(403);
          const left = (await knex()('request_token').where({ claimed_by: id }).select('app_id')) as unknown[];
          expect(left).to.equal([]);
          succeeded(await logIn(id));
        }
      });
    });

    describe('account_info_set', () => {
      it('applies what is not empty', async () => {
        const id = await create({ full_name: 'Old Name' });
        succeeded(
          await call(admin, 'POST', at(id, '/info-set'), {
            form: { contact_email: 'new@mail.example', full_name: '' },
          }),
        );
        expect(await info(id)).to.contain('<fullName>Old Name</fullName><contactEmail>new@mail.example</contactEmail>');
        const session = await addPerson(service.services, newId());
        succeeded(
          await call(session, 'POST', at(`person${made}@example.org`, '/info-set'), {
            form: { full_name: 'New Name' },
          }),
        );
        expect(await info(`person${made}@example.org`)).to.contain('<fullName>New Name</fullName>');
      });

      it('refuses nothing, and an address that is none', async () => {
        const id = await create();
        expectError(await call(admin, 'POST', at(id, '/info-set'), { form: {} }), 400, 'missing_parameter');
        expectError(
          await call(admin, 'POST', at(id, '/info-set'), { form: { full_name: '', contact_email: '' } }),
          400,
          'missing_parameter',
        );
        expectError(
          await call(admin, 'POST', at(id, '/info-set'), { form: { contact_email: 'nowhere' } }),
          400,
          'invalid_parameter',
        );
      });
    });

    describe('lock-out', () => {
      it('refuses the password after three failures, ends nothing that is open, and is over after the delay', async () => {
        const id = await inState('active');
        const session = await addSession(service.services, id);
        const recordId = await createRecord(call, id);
        const app = await authorizeApp(call, medications!, session, { record_id: recordId });
        for (let round = 0; round < 3; round += 1) {
          expect((await logIn(id, 'wrong password')).status).to.equal(403);
        }
        expect(await stateOf(id)).to.equal('disabled');
        succeeded(await call(session, 'GET', at(id)));
        succeeded(await call(app, 'GET', `/records/${recordId}`));
        succeeded(
          await call(app, 'POST', `/records/${recordId}/documents/`, {
            body: '<Note xmlns="https://svc.example/vocab/xml/documents#"/>',
          }),
        );
        succeeded(await call(app, 'GET', `/records/${recordId}`));
        await authorizeApp(call, medications!, session, { record_id: recordId });
        expect((await logIn(id)).status).to.equal(403);
        const past = toTimestamp(Date.now() - 901_000);
        await knex()('account').where({ id }).update({ last_failed_login_at: past, last_state_change: past });
        succeeded(await logIn(id));
        expect(child(await info(id), 'failedLoginCount')).to.equal('0');
        expect(await stateOf(id)).to.equal('active');
      });

      it('counts wrong secrets of an active account, too, and success takes the count back', async () => {
        const id = await inState('active');
        await logIn(id, 'wrong password');
        await logIn(id, 'wrong password');
        succeeded(await logIn(id));
        expect(child(await info(id), 'failedLoginCount')).to.equal('0');
        await logIn(id, 'wrong password');
        succeeded(await call(admin, 'POST', at(id, '/secret-resend')));
        await call(ui, 'GET', at(id, '/check-secrets/wrong'));
        await call(ui, 'GET', at(id, '/check-secrets/wrong'));
        expect(await stateOf(id)).to.equal('disabled');
      });

      it('does not open an account that an admin app disabled', async () => {
        const id = await inState('active');
        await logIn(id, 'wrong password');
        succeeded(await call(admin, 'POST', at(id, '/set-state'), { form: { state: 'disabled' } }));
        await knex()('account')
          .where({ id })
          .update({ last_state_change: toTimestamp(Date.now() - 10_000_000) });
        expect((await logIn(id)).status).to.equal(403);
        expect(await stateOf(id)).to.equal('disabled');
      });

      it('counts every one of many failures at once', async () => {
        const id = await inState('active');
        await Promise.all(Array.from({ length: 3 }, () => logIn(id, 'wrong password')));
        expect(await stateOf(id)).to.equal('disabled');
      });
    });
  });
}
