/** world: people, records and tokens, made through the public interface with signed calls. */
import { expect } from '@hapi/code';
import { admin, ui, type TestService } from './server';
import type { Answer, Client, Credentials } from './client';

export const PASSWORD = 'correct horse battery';

/** Fails with the response's own text, so that a broken set-up explains itself. */
export const succeeded = (answer: Answer): Answer => {
  expect(answer.status, answer.text).to.equal(200);
  return answer;
};

export const attribute = (text: string, element: string, name: string): string => {
  const tag = new RegExp(`<${element}\\b[^>]*>`).exec(text)?.[0] ?? '';
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
};

export const child = (text: string, element: string): string | undefined =>
  new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`).exec(text)?.[1];

/** Makes an active account with a password; its user name is its id. */
export const createAccount = async (call: Client, id: string, name = 'A Person'): Promise<void> => {
  succeeded(
    await call(admin, 'POST', '/accounts/', { form: { account_id: id, full_name: name, primary_secret_p: '0' } }),
  );
  succeeded(
    await call(admin, 'POST', `/accounts/${encodeURIComponent(id)}/authsystems/`, {
      form: { system: 'password', username: id, password: PASSWORD },
    }),
  );
};

/** Signs in and resolves to credentials that sign as the account. */
export const signIn = async (call: Client, id: string): Promise<Exclude<Credentials, null>> => {
  const { text } = succeeded(
    await call(ui, 'POST', '/oauth/internal/session_create', { form: { username: id, password: PASSWORD } }),
  );
  const pairs = new URLSearchParams(text);
  return {
    consumer: ui!.consumer,
    token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
  };
};

export const demographics = (given: string, family: string, vocabBase = 'https://svc.example/vocab'): string =>
  `<Demographics xmlns="${vocabBase}/xml/documents#"><dateOfBirth>1970-01-02</dateOfBirth><gender>female</gender>` +
  `<Name><familyName>${family}</familyName><givenName>${given}</givenName></Name></Demographics>`;

/** Makes a record that the account owns; resolves to its id. */
export const createRecord = async (call: Client, owner: string, given = 'Ann', family = 'Lee'): Promise<string> => {
  const { text } = succeeded(await call(admin, 'POST', '/records/', { body: demographics(given, family) }));
  const id = attribute(text, 'Record', 'id');
  succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: owner, type: 'text/plain' }));
  return id;
};

type Bound = { readonly record_id: string } | { readonly carenet_id: string };

/**
 * The whole dance: request token, claim, approve, exchange; resolves to credentials that sign as the app for the
 * account.
 */
export const authorizeApp = async (
  call: Client,
  app: Exclude<Credentials, null>,
  account: Credentials,
  bound: Bound,
): Promise<Exclude<Credentials, null>> => {
  const asked: Record<string, string> =
    'record_id' in bound ? { svc_record_id: bound.record_id } : { svc_carenet_id: bound.carenet_id };
  const requested = new URLSearchParams(
    succeeded(await call(app, 'POST', '/oauth/request_token', { form: asked, oauth: { oauth_callback: 'oob' } })).text,
  );
  const token = { key: requested.get('oauth_token')!, secret: requested.get('oauth_token_secret')! };
  const path = `/oauth/internal/request_tokens/${token.key}`;
  succeeded(await call(account, 'POST', `${path}/claim`));
  const approved = new URLSearchParams(
    succeeded(await call(account, 'POST', `${path}/approve`, { form: { ...bound } })).text,
  );
  const verifier = new URL(approved.get('location')!).searchParams.get('oauth_verifier')!;
  const exchanged = new URLSearchParams(
    succeeded(
      await call({ consumer: app.consumer, token }, 'POST', '/oauth/access_token', {
        oauth: { oauth_verifier: verifier },
      }),
    ).text,
  );
  return {
    consumer: app.consumer,
    token: { key: exchanged.get('oauth_token')!, secret: exchanged.get('oauth_token_secret')! },
  };
};

/** Alice owns a record, Bob is a stranger. */
export type World = {
  readonly alice: Exclude<Credentials, null>;
  readonly bob: Exclude<Credentials, null>;
  readonly recordId: string;
};

export const makeWorld = async ({ call }: Pick<TestService, 'call'>): Promise<World> => {
  await createAccount(call, 'alice@example.org', 'Alice Lee');
  await createAccount(call, 'bob@example.org', 'Bob Stranger');
  const recordId = await createRecord(call, 'alice@example.org');
  return { alice: await signIn(call, 'alice@example.org'), bob: await signIn(call, 'bob@example.org'), recordId };
};
