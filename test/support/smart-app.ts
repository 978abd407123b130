/**
 * smart-app: a SMART app as its developer writes one: it sends a person to the question, and exchanges the code that
 * comes back.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Server } from '@hapi/hapi';
import { clientOf, type ClientFields } from '../../core/apps/smart-client';
import type { PrincipalId } from '../../core/base/types';
import { addApp } from './cast';
import { direct } from './direct';
import type { TestService } from './server';
import { formsOf, readable, type Site, type SitePage } from './site';

export const REDIRECT = 'https://app.example/back';

export type SmartApp = { readonly id: PrincipalId; readonly secret: string };

/** Registers a user app that is a SMART client. */
export const addSmartApp = async (
  { services }: TestService,
  id: PrincipalId,
  fields: Partial<ClientFields>,
  { index, autonomous = false }: { readonly index?: string; readonly autonomous?: boolean } = {},
): Promise<SmartApp> => {
  const { consumer } = await addApp(services, id, 'user', autonomous);
  const manifest = { smart_client: clientOf({ redirect_uris: [REDIRECT], ...fields }) };
  await direct(services.database)('app')
    .where({ id })
    .update({ manifest: JSON.stringify(manifest), name: 'Pulse', ...(index ? { index_url: index } : {}) });
  return { id, secret: consumer.secret };
};

export type Reply = {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
};

export type Form = Readonly<Record<string, string>>;

/** A call that an app's server makes, with a form or without. */
export const ask = async (
  server: Server,
  method: string,
  url: string,
  form?: Form | string,
  headers: Form = {},
): Promise<Reply> => {
  const response = await server.inject({
    method,
    url,
    headers: { ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
    ...(form === undefined ? {} : { payload: typeof form === 'string' ? form : new URLSearchParams(form).toString() }),
  });
  let json: Record<string, unknown> = {};
  try {
    json = JSON.parse(response.payload) as Record<string, unknown>;
  } catch {
    // Not every response is JSON.
  }
  return { status: response.statusCode, json, headers: response.headers };
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** The address of an authorization request; a parameter that is empty is left out. */
export const askingOf = ({ services }: TestService, app: SmartApp, verifier: string, change: Form = {}): string => {
  const asked: Record<string, string> = {
    response_type: 'code',
    client_id: app.id,
    redirect_uri: REDIRECT,
    scope: 'launch/patient patient/*.rs',
    state: 'state-of-the-app',
    aud: `${services.baseUrl()}/fhir`,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...change,
  };
  const sent = Object.entries(asked).filter(([, value]) => value !== '');
  return `/oauth2/authorize?${new URLSearchParams(sent).toString()}`;
};

export const choicesOn = ({ text }: SitePage): readonly string[] =>
  [...text.matchAll(/<input type="radio"[^>]* value="([^"]+)"/g)].map((match) => match[1]!);

/** Presses a button on the page with the question. */
export const press = (site: Site, page: SitePage, said: 'yes' | 'no', what = ''): Promise<SitePage> => {
  const form = formsOf(page).find(({ html }) => html.includes('name="answer"'));
  if (!form) {
    throw new Error(`nobody is asked on ${page.path}: ${page.status} ${readable(page)} ${page.text.slice(0, 300)}`);
  }
  return site.post(form.action, { ...form.fields, what, answer: said });
};

/** The address to which a page redirects by itself. */
export const leadsTo = (page: SitePage): string => {
  const refresh = String(page.headers['refresh'] ?? '');
  if (!refresh.startsWith('0; url=')) {
    throw new Error(`${page.path} leads nowhere: ${page.status} ${readable(page)}`);
  }
  return refresh.slice('0; url='.length);
};

/** The redirect to the app after the person has answered. */
export const comesBack = async (site: Site, page: SitePage): Promise<URL> => {
  const { status, headers, text } = await site.get(leadsTo(page));
  if (status !== 303 && status !== 302) {
    throw new Error(`no answer for the app: ${status} ${text.slice(0, 300)}`);
  }
  return new URL(String(headers['location']));
};

/** Lets a person say yes, and resolves to the code that the app gets. */
export const codeFor = async (
  service: TestService,
  site: Site,
  app: SmartApp,
  { verifier, what, change = {} }: { readonly verifier: string; readonly what: string; readonly change?: Form },
): Promise<string> => {
  const page = await site.open(askingOf(service, app, verifier, change));
  const back = await comesBack(site, await press(site, page, 'yes', what));
  const code = back.searchParams.get('code');
  if (code === null) {
    throw new Error(`no code: ${back.search}`);
  }
  return code;
};

export const basic = ({ id, secret }: SmartApp): Form => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

/** Exchanges a code as a public app. */
export const exchange = (
  { running }: TestService,
  app: SmartApp,
  code: string,
  verifier: string,
  change: Form = {},
  headers: Form = {},
): Promise<Reply> =>
  ask(
    running.server,
    'POST',
    '/oauth2/token',
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      client_id: app.id,
      ...change,
    },
    headers,
  );

/** The whole dance of a public app; resolves to the response of the token endpoint. */
export const letIn = async (
  service: TestService,
  site: Site,
  app: SmartApp,
  what: string,
  scope = 'launch/patient patient/*.rs',
): Promise<Record<string, unknown>> => {
  const verifier = newVerifier();
  const code = await codeFor(service, site, app, { verifier, what, change: { scope } });
  const { status, json } = await exchange(service, app, code, verifier);
  if (status !== 200) {
    throw new Error(`no token: ${status} ${JSON.stringify(json)}`);
  }
  return json;
};

export const refresh = (service: TestService, app: SmartApp, token: unknown, change: Form = {}): Promise<Reply> =>
  ask(service.running.server, 'POST', '/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    client_id: app.id,
    ...change,
  });

export type SigningKey = {
  readonly alg: 'RS384' | 'ES384';
  readonly kid: string;
  readonly key: KeyObject;
  readonly jwk: Record<string, unknown>;
};

export const newSigningKey = (alg: SigningKey['alg'], kid: string): SigningKey => {
  const { privateKey, publicKey } =
    alg === 'RS384'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-384' });
  return { alg, kid, key: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
};

/** A signed client assertion. */
export const assertion = (
  { alg, kid, key }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>> = {},
): Form => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg, kid, typ: 'JWT', ...header })}.${encode(claims)}`;
  const signature = sign('sha384', Buffer.from(text), alg === 'ES384' ? { key, dsaEncoding: 'ieee-p1363' } : key);
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${text}.${signature.toString('base64url')}`,
  };
};
