/**
 * people-and-apps: how people register and let apps in, from end to end over HTTP, following the links in their mails.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { httpClient, type Answer, type Client } from '../support/client';
import type { Signs } from '../support/cast';
import { databases } from '../support/databases';
import { admin, connector, medications, startService, ui, type TestService } from '../support/server';
import { startMailServer, type Mailbox } from '../support/smtp';
import { attribute, child, demographics, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const UI = 'https://ui.example';
const APP = medications!.consumer.key;
const BACKGROUND = connector!.consumer.key;

const pairsOf = ({ text }: Answer): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const tokenIn = (answer: Answer): { key: string; secret: string } => {
  const pairs = pairsOf(succeeded(answer));
  return { key: pairs['oauth_token']!, secret: pairs['oauth_token_secret']! };
};

/** What the website reads from a link of a mail: its path contains the account, the page and the secret. */
const open = (link: string): { account: string; page: string; secret: string } => {
  const [, , account = '', page = '', secret = ''] = new URL(link).pathname.split('/');
  expect(new URL(link).origin).to.equal(UI);
  return { account: decodeURIComponent(account), page, secret };
};

for (const leg of databases) {
  describe(`people and apps on ${leg.name}`, () => {
    let service: TestService;
    let mails: Mailbox;
    let call: Client;
    before(async () => {
      mails = await startMailServer();
      service = await startService(leg, { SVC_SMTP_URL: mails.url, SVC_UI_BASE_URL: UI, SVC_AUTH_SYSTEMS: 'clinic' });
      call = httpClient(service.running.url);
    });
    after(async () => {
      await service.stop();
      await mails.stop();
    });

    const at = (id: string, rest = ''): string => `/accounts/${encodeURIComponent(id)}${rest}`;
    const signIn = async (form: Record<string, string>): Promise<Signs> => ({
      ...ui!,
      token: tokenIn(await call(ui, 'POST', '/oauth/internal/session_create', { form })),
    });

    /** Registration up to a session and a record. */
    const register = async (id: string, password: string): Promise<{ session: Signs; recordId: string }> => {
      // The website asks for an account and shows the secondary secret on the screen.
      succeeded(
        await call(ui, 'POST', '/accounts/', {
          form: {
            account_id: id,
            contact_email: `mail-of-${id}`,
            full_name: 'Ann Lee',
            primary_secret_p: '1',
            secondary_secret_p: '1',
          },
        }),
      );
      const shown = child(succeeded(await call(ui, 'GET', at(id, '/secret'))).text, 'secret')!;

      // The person opens the link of the mail.
      const { account, page, secret } = open((await mails.wait(`mail-of-${id}`, 'Activate your account')).links[0]!);
      expect([account, page]).to.equal([id, 'init']);
      expect(child(succeeded(await call(ui, 'GET', at(account))).text, 'state')).to.equal('uninitialized');
      succeeded(await call(ui, 'GET', at(account, `/check-secrets/${secret}`)));
      succeeded(await call(ui, 'POST', at(account, `/initialize/${secret}`), { form: { secondary_secret: shown } }));

      // The website checks both secrets, and lets the person choose a name and a password.
      succeeded(await call(ui, 'GET', at(account, `/check-secrets/${secret}?secondary_secret=${shown}`)));
      succeeded(
        await call(ui, 'POST', at(account, '/authsystems/'), {
          form: { system: 'password', username: `user of ${id.replace('@', ' at ')}`, password },
        }),
      );
      const session = await signIn({ username: `user of ${id.replace('@', ' at ')}`, password });

      // The account has no record yet.
      expect(succeeded(await call(session, 'GET', at(id, '/records/'))).text).to.contain('<Records/>');
      const recordId = attribute(
        succeeded(await call(ui, 'POST', '/records/', { body: demographics('Ann', 'Lee') })).text,
        'Record',
        'id',
      );
      succeeded(await call(ui, 'PUT', `/records/${recordId}/owner`, { body: id, type: 'text/plain' }));
      expect(succeeded(await call(session, 'GET', at(id, '/records/'))).text).to.contain(
        `<Record id="${recordId}" label="Ann Lee"/>`,
      );
      return { session, recordId };
    };

    /** The app dance; resolves to the credentials of the app. */
    const dance = async (session: Signs, app: Signs, recordId: string, kind: 'new' | 'same'): Promise<Signs> => {
      // The app asks for a token and sends the browser to the website.
      const token = tokenIn(
        await call(app, 'POST', '/oauth/request_token', {
          form: { svc_record_id: recordId },
          oauth: { oauth_callback: 'oob' },
        }),
      );
      const at = `/oauth/internal/request_tokens/${token.key}`;
      // The website claims the token, reads what it requests, and asks the person unless that was approved before.
      succeeded(await call(session, 'POST', `${at}/claim`));
      const info = succeeded(await call(session, 'GET', `${at}/info`)).text;
      expect([child(info, 'kind'), attribute(info, 'record', 'id')]).to.equal([kind, recordId]);
      const location = new URL(
        pairsOf(succeeded(await call(session, 'POST', `${at}/approve`, { form: { record_id: recordId } })))[
          'location'
        ]!,
      );
      // The browser comes back to the app.
      expect(location.searchParams.get('oauth_token')).to.equal(token.key);
      const exchanged = await call({ ...app, token }, 'POST', '/oauth/access_token', {
        oauth: { oauth_verifier: location.searchParams.get('oauth_verifier')! },
      });
      expect(pairsOf(succeeded(exchanged))['xoauth_svc_record_id']).to.equal(recordId);
      return { ...app, token: tokenIn(exchanged) };
    };

    it("registration: from the form to a record of one's own", async () => {
      await register('reg@example.org', 'a password of mine');
      expect((await mails.wait('mail-of-reg@example.org', 'Welcome')).links).to.equal([UI]);
    });

    it('a lost secondary code is found again by the second link', async () => {
      succeeded(
        await call(ui, 'POST', '/accounts/', { form: { account_id: 'code@example.org', secondary_secret_p: '1' } }),
      );
      const { account, page, secret } = open((await mails.wait('code@example.org', 'Activate your account')).links[1]!);
      expect(page).to.equal('send_secret');
      succeeded(await call(ui, 'GET', at(account, `/check-secrets/${secret}`)));
      expect(child(succeeded(await call(ui, 'GET', at(account, '/secret'))).text, 'secret')).to.match(/^\d{6}$/);
    });

    it('forgotten password: the old one stays good until the mailed link has led to a new one', async () => {
      const id = 'lost@example.org';
      const { session } = await register(id, 'the old password');
      const forget = async (count: number): Promise<{ shown: string; links: readonly string[] }> => {
        const shown = child(succeeded(await call(ui, 'POST', at(id, '/forgot-password'))).text, 'secret')!;
        succeeded(await call(session, 'GET', at(id)));
        await signIn({ username: `user of ${id.replace('@', ' at ')}`, password: 'the old password' });
        return { shown, links: (await mails.wait(`mail-of-${id}`, 'Your password', count)).links };
      };

      const first = await forget(1);
      expect(first.links.some((link) => open(link).page === 'init')).to.be.false();
      const back = open(first.links.find((link) => open(link).page === 'reset_password')!);

      const second = await forget(2);
      const fresh = open(second.links.find((link) => open(link).page === 'reset_password')!);
      // While the first link is fresh it is sent again, so that nobody can make it void by asking.
      expect([fresh.secret, second.shown]).to.equal([back.secret, first.shown]);
      succeeded(
        await call(ui, 'GET', at(fresh.account, `/check-secrets/${fresh.secret}?secondary_secret=${second.shown}`)),
      );
      succeeded(
        await call(ui, 'POST', at(fresh.account, '/authsystems/password/set'), {
          form: { password: 'the new password' },
        }),
      );
      expect((await call(session, 'GET', at(id))).status).to.equal(403);
      await signIn({ username: `user of ${id.replace('@', ' at ')}`, password: 'the new password' });
      expect((await call(ui, 'GET', at(fresh.account, `/check-secrets/${fresh.secret}`))).status).to.equal(403);
    });

    it('external log-in: the website vouches for a name of another system', async () => {
      const id = 'external@example.org';
      succeeded(await call(admin, 'POST', '/accounts/', { form: { account_id: id, primary_secret_p: '0' } }));
      succeeded(await call(admin, 'POST', at(id, '/authsystems/'), { form: { system: 'clinic', username: 'C-4711' } }));
      expect(
        (await call(ui, 'POST', '/oauth/internal/session_create', { form: { username: 'C-4711', system: 'clinic' } }))
          .status,
      ).to.equal(403);
      succeeded(await call(admin, 'POST', at(id, '/set-state'), { form: { state: 'active' } }));
      const session = await signIn({ username: 'C-4711', system: 'clinic' });
      expect(child(succeeded(await call(session, 'GET', at(id))).text, 'totalLoginCount')).to.equal('1');
    });

    it('app dance: asked the first time, silent the next, over when the app is taken off', async () => {
      const { session, recordId } = await register('dance@example.org', 'a password of mine');
      const first = await dance(session, medications!, recordId, 'new');
      const documentId = attribute(
        succeeded(await call(first, 'POST', `/records/${recordId}/documents/`, { body: '<note/>' })).text,
        'Document',
        'id',
      );
      const second = await dance(session, medications!, recordId, 'same');
      expect(succeeded(await call(second, 'GET', `/records/${recordId}/documents/${documentId}`)).text).to.equal(
        '<note/>',
      );
      succeeded(await call(session, 'DELETE', `/records/${recordId}/apps/${encodeURIComponent(APP)}`));
      for (const token of [first, second]) {
        expect((await call(token, 'GET', `/records/${recordId}/documents/`)).status).to.equal(403);
      }
    });

    it('connect: the website asks, enables the app, and signs for it', async () => {
      const id = 'connect@example.org';
      const { session, recordId } = await register(id, 'a password of mine');
      const ask = (): Promise<Answer> =>
        call(session, 'POST', at(id, `/apps/${encodeURIComponent(APP)}/connect_credentials`), {
          form: { record_id: recordId },
        });
      expect((await ask()).status).to.equal(403);
      succeeded(await call(session, 'PUT', `/records/${recordId}/apps/${encodeURIComponent(APP)}`));
      const { text } = succeeded(await ask());
      const [website, app] = [
        { ...ui!, token: { key: child(text, 'ConnectToken')!, secret: child(text, 'ConnectSecret')! } },
        { ...medications!, token: { key: child(text, 'RESTToken')!, secret: child(text, 'RESTSecret')! } },
      ];
      succeeded(await call(website, 'GET', `/records/${recordId}`));
      succeeded(
        await call(app, 'PUT', at(id, `/apps/${encodeURIComponent(APP)}/preferences`), {
          body: '{"unit":"mg"}',
          type: 'application/json',
        }),
      );
      expect(
        succeeded(await call(session, 'GET', at(id, `/apps/${encodeURIComponent(APP)}/preferences`))).text,
      ).to.equal('{"unit":"mg"}');
    });

    it('autonomous app: enabled once, it fetches its tokens by itself and tells people what it brought', async () => {
      const id = 'night@example.org';
      const { session, recordId } = await register(id, 'a password of mine');
      succeeded(await call(session, 'PUT', `/records/${recordId}/apps/${encodeURIComponent(BACKGROUND)}`));
      const app = `/apps/${encodeURIComponent(BACKGROUND)}`;
      expect(succeeded(await call(connector, 'GET', `${app}/records/`)).text).to.contain(
        `<Record id="${recordId}" label="Ann Lee"/>`,
      );
      expect((await call(connector, 'GET', `/records/${recordId}/documents/`)).status).to.equal(403);
      const token = {
        ...connector!,
        token: tokenIn(await call(connector, 'POST', `${app}/records/${recordId}/access_token`)),
      };
      const documentId = attribute(
        succeeded(await call(token, 'POST', `/records/${recordId}/documents/`, { body: '<result/>' })).text,
        'Document',
        'id',
      );
      succeeded(
        await call(token, 'POST', `/records/${recordId}/notifications/`, {
          form: { content: 'New result', document_id: documentId },
        }),
      );
      succeeded(await call(token, 'POST', `/records/${recordId}/inbox/r-1`, { form: { subject: 'New result' } }));
      expect((await mails.wait(`mail-of-${id}`, 'A message is waiting for you')).links).to.equal([UI]);
      expect(succeeded(await call(session, 'GET', at(id, '/notifications/'))).text).to.contain(
        `<document id="${documentId}" label=""/>`,
      );
      expect(
        attribute(
          succeeded(await call(session, 'GET', `/records/${recordId}/documents/${documentId}/meta`)).text,
          'creator',
          'id',
        ),
      ).to.equal(BACKGROUND);
    });
  });
}
