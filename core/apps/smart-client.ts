/**
 * smart-client: what makes a user app a client of the FHIR door: its redirect addresses, the scopes that it may ask
 * for, and how it proves who it is.
 */
import Joi from 'joi';
import { parseScope, parseSystemScope, scopeWords } from '../tokens/smart-scopes';
import type { AppRow } from './store';

const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
type AuthMethod = (typeof authMethods)[number];

/** What a client may ask for in addition to resources. */
export const contextScopes = [
  'openid',
  'fhirUser',
  'launch',
  'launch/patient',
  'offline_access',
  'online_access',
] as const;

/** The fields of a manifest that describe a client, under the names of RFC 7591. */
export type ClientFields = {
  scope: string;
  redirect_uris: readonly string[];
  grant_types: readonly string[];
  token_endpoint_auth_method: AuthMethod;
  jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  jwks_uri: string;
};

/** A client as it is stored with its app. */
type SmartClient = Pick<ClientFields, 'scope' | 'redirect_uris' | 'token_endpoint_auth_method'> &
  Partial<Pick<ClientFields, 'jwks' | 'jwks_uri'>>;

/** An app that acts by itself at the FHIR door, as it is stored. It proves itself with a key. */
type SmartBackend = Pick<ClientFields, 'scope'> & Partial<Pick<ClientFields, 'jwks' | 'jwks_uri'>>;

/** What a manifest says beside the fields of clients, as far as an app needs it that acts by itself. */
type Acting = { readonly mode?: string; readonly autonomous_reason?: string };

/** The grant of apps that act by themselves (SMART Backend Services). */
const ALONE = 'client_credentials';

/** The manifest's word for all that an app may do with a record. */
const WHOLE = 'record';
const EVERYTHING = ['patient/*.cruds', ...contextScopes].join(' ');

function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** An app on a device has a URL scheme of its own, which begins with a domain of its maker. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

function redirectProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) {
    return 'must be an absolute address';
  }
  if (address.includes('#') || url.username !== '' || url.password !== '') {
    return 'must have no fragment, user name or password';
  }
  if (address.includes('*')) {
    return 'has the wildcard *, which can match no address: they are compared letter by letter, so name each one';
  }
  return /^https?:$/.test(url.protocol) || OWN_SCHEME.test(url.protocol)
    ? undefined
    : 'must begin with https, http, or a scheme of the app such as org.example.app';
}

function saying(problemOf: (value: string) => string | undefined): Joi.StringSchema {
  return Joi.string()
    .max(500)
    .custom((value: string, helpers) => {
      const problem = problemOf(value);
      return problem === undefined ? value : helpers.message({ custom: `{{#label}} ${problem}` });
    });
}

function keysProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))
    ? undefined
    : 'must be an https address';
}

function scopeProblem(text: string): string | undefined {
  const unknown = text === WHOLE ? [] : scopeWords(text).filter((word) => !isScope(word) && !isForeignScope(word));
  return unknown.length === 0 ? undefined : `has ${unknown.join(', ')}, which is no scope of this service`;
}

function isScope(word: string): boolean {
  return contextScopes.some((known) => known === word) || parseScope(word) !== undefined;
}

/**
 * Whether OpenID Connect or SMART defines a scope that this service does not grant. Many apps ask every service for the
 * same list, so such a scope is left out, as it is when an app asks for it.
 */
function isForeignScope(word: string): boolean {
  return /^(profile|email|address|phone|smart\/\S+|launch\/[a-z]+|(user|system)\/\S+)$/.test(word) && !isScope(word);
}

/** A public key of one of the two kinds that sign as RS384 and ES384. */
const publicKey = Joi.object({
  kty: Joi.string().valid('RSA', 'EC').required(),
  kid: Joi.string().required(),
  crv: Joi.when('kty', { is: 'EC', then: Joi.string().valid('P-384').required() }),
  d: Joi.forbidden().messages({ 'any.unknown': '{{#label}} is private: only public keys belong here' }),
}).unknown(true);

export const clientFields = {
  scope: saying(scopeProblem).max(4000),
  grant_types: Joi.array()
    .items(Joi.string().valid('authorization_code', 'refresh_token', ALONE))
    .min(1),
  redirect_uris: Joi.array().items(saying(redirectProblem)).min(1).max(20),
  token_endpoint_auth_method: Joi.string().valid(...authMethods),
  jwks: Joi.object({ keys: Joi.array().items(publicKey).min(1).required() }).unknown(true),
  jwks_uri: saying(keysProblem),
};

function methodOf(fields: Partial<ClientFields>): AuthMethod {
  return (
    fields.token_endpoint_auth_method ?? (fields.jwks || fields.jwks_uri ? 'private_key_jwt' : 'client_secret_basic')
  );
}

function isBackend({ grant_types: grants = [] }: Partial<ClientFields>): boolean {
  return grants.includes(ALONE);
}

/** What is wrong with an app that asks to act by itself, if anything. */
function backendProblem(manifest: Partial<ClientFields> & Acting): string | undefined {
  const { redirect_uris, grant_types = [], scope = '', jwks, jwks_uri, token_endpoint_auth_method: method } = manifest;
  if (redirect_uris || grant_types.length > 1) {
    return `"${ALONE}" is for an app that acts by itself, so it has no other grant and no "redirect_uris"`;
  }
  if ((method ?? 'private_key_jwt') !== 'private_key_jwt' || !jwks === !jwks_uri) {
    return `"${ALONE}" needs "private_key_jwt" with either "jwks" or "jwks_uri"`;
  }
  if (manifest.mode !== 'background' || !manifest.autonomous_reason) {
    return `"${ALONE}" needs the mode background and an "autonomous_reason", which people read before they let the app in`;
  }
  const others = scopeWords(scope).filter((word) => parseSystemScope(word) === undefined);
  return scope === '' || others.length > 0
    ? `"${ALONE}" needs a "scope" of system scopes that read, such as system/*.rs${others.length > 0 ? `, and not ${others.join(', ')}` : ''}`
    : undefined;
}

/** Checks the keys of a client that depend on each other. */
export function needsClient(manifest: Partial<ClientFields> & Acting, helpers: Joi.CustomHelpers): unknown {
  if (isBackend(manifest)) {
    const problem = backendProblem(manifest);
    return problem === undefined ? manifest : helpers.message({ custom: problem });
  }
  const { redirect_uris: redirects, jwks, jwks_uri: keysAt } = manifest;
  const fail = (custom: string) => helpers.message({ custom });
  if (!redirects) {
    const alone = (['token_endpoint_auth_method', 'jwks', 'jwks_uri'] as const).find(
      (key) => manifest[key] !== undefined,
    );
    return alone ? fail(`"${alone}" has no effect without "redirect_uris"`) : manifest;
  }
  if (methodOf(manifest) === 'private_key_jwt' ? !jwks === !keysAt : jwks || keysAt) {
    return fail('"private_key_jwt" needs either "jwks" or "jwks_uri", and the other methods need neither');
  }
  const own = redirects.filter((address) => !/^https?:/i.test(address));
  return own.length > 0 && redirects.some((address) => /^http:/i.test(address))
    ? fail('"redirect_uris" mixes addresses of a device with http addresses')
    : manifest;
}

/** The client that a manifest describes; undefined for an app that is no client. */
export function clientOf(manifest: Partial<ClientFields>): SmartClient | undefined {
  const { redirect_uris, scope = WHOLE, jwks, jwks_uri } = manifest;
  return (
    redirect_uris && {
      redirect_uris,
      scope: scope === WHOLE ? EVERYTHING : scopeWords(scope).filter(isScope).join(' '),
      token_endpoint_auth_method: methodOf(manifest),
      ...(jwks ? { jwks } : {}),
      ...(jwks_uri ? { jwks_uri } : {}),
    }
  );
}

/** The app that a manifest lets act by itself at the FHIR door; undefined for all others. */
export function backendOf(manifest: Partial<ClientFields>): SmartBackend | undefined {
  const { scope = '', jwks, jwks_uri } = manifest;
  return isBackend(manifest) ? { scope, ...(jwks ? { jwks } : {}), ...(jwks_uri ? { jwks_uri } : {}) } : undefined;
}

/** Whether the manifest describes a client that proves itself with a key, or not at all. */
export function needsNoSecret(manifest: object): boolean {
  if (isBackend(manifest)) {
    return true;
  }
  const client = clientOf(manifest);
  return client !== undefined && !client.token_endpoint_auth_method.startsWith('client_secret');
}

/** What is wrong with the secret of a client, if anything. */
export function clientProblem(manifest: object, secret: string | undefined): string | undefined {
  const client = clientOf(manifest);
  return secret === '' && client?.token_endpoint_auth_method.startsWith('client_secret')
    ? '"consumer_secret" is empty although the app proves with it who it is: give it one, or say token_endpoint_auth_method none'
    : undefined;
}

export function clientWarnings(manifest: Partial<ClientFields>): readonly string[] {
  if (isBackend(manifest)) {
    return [];
  }
  const { redirect_uris: redirects = [], scope = '' } = manifest;
  return [
    ...redirects
      .filter((address) => /^http:/i.test(address) && !isLocal(new URL(address)))
      .map((address) => `the redirect address ${address} is not encrypted, so that others can take its codes`),
    ...scopeWords(scope)
      .filter(isForeignScope)
      .map((word) => `the scope ${word} is not one of this service, so it is left out`),
  ];
}

/** The client that is stored with an app. */
export function smartClientOf({ manifest }: Pick<AppRow, 'manifest'>): SmartClient | undefined {
  return manifest['smart_client'] as SmartClient | undefined;
}

/** What lets an app act by itself at the FHIR door, as it is stored with it. */
export function smartBackendOf({ manifest, autonomous }: Pick<AppRow, 'manifest' | 'autonomous'>) {
  return autonomous ? (manifest['smart_backend'] as SmartBackend | undefined) : undefined;
}
