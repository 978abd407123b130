/**
 * authorization-server: the settings of `oidc-provider`. User apps get codes with PKCE, a person is asked each time,
 * and no session is kept.
 */
import type { Configuration, KoaContextWithOIDC, default as Provider } from 'oidc-provider' with {
  'resolution-mode': 'import',
};
import { openKeys } from '../../core/auth/smart-keys';
import { smartClientOf } from '../../core/apps/smart-client';
import { readLaunch } from './launch';
import { scopeWords } from '../../core/tokens/smart-scopes';
import { sitePath } from '../../core/http/site-path';
import type { Services } from '../../core/services';
import { contextOf, makeAdapter, type Lent } from './adapter';
import { addresses, FHIR } from './addresses';
import { proofOf } from './proofs';
import { exchangeRefreshToken, type Answer, type Rotation } from './rotation';
import { offered } from './discovery';
import { everyScope, grantable } from './scopes';
import * as appStore from '../../core/apps/store';
import * as smartStore from './store';

type Package = typeof import('oidc-provider', { with: { 'resolution-mode': 'import' } });

/**
 * Lifetimes in seconds. A code is valid for a minute, an access token for at most an hour, and a request that waits for
 * an answer for a quarter of an hour.
 */
const CODE_SECONDS = 60;
const TOKEN_SECONDS = 3600;
const ASKING_SECONDS = 900;
/** An app that acts by itself has no refresh token, and asks again with its key. */
const ALONE_SECONDS = 300;
/** An assertion may be valid for five minutes at most, and some seconds more because clocks differ. */
const ASSERTION_SECONDS = 300;
const CLOCKS_DIFFER = 15;

/** The most bytes of the keys that an app publishes: several times those of an app with many keys. */
const MOST_KEY_BYTES = 65_536;

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The lifetime of a token in seconds: it ends with its grant at the latest. */
function untilGrantEnds(ctx: KoaContextWithOIDC, most: number): number {
  return Math.max(1, Math.min(most, (ctx.oidc.entities.Grant?.exp ?? 0) - nowSeconds()));
}

function sentScope(ctx: KoaContextWithOIDC): string {
  const { scope } = ctx.query;
  return typeof scope === 'string' ? scope : '';
}

function withoutEndSlash(address: unknown): string {
  return typeof address === 'string' ? address.replace(/\/$/, '') : '';
}

/**
 * Checks what SMART requires of a request in addition to OAuth: `aud` must be this service. Reduces the scopes to those
 * that the app may get.
 */
function checkAsking(services: Services, { errors }: Package) {
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const params = ctx.oidc.params as Record<string, string | undefined>;
    if (withoutEndSlash(params['aud'] ?? ctx.query['resource']) !== `${services.baseUrl()}${FHIR}`) {
      throw new errors.InvalidRequest(`aud must be ${services.baseUrl()}${FHIR}`);
    }
    if (!params['state']) {
      throw new errors.InvalidRequest('state is missing');
    }
    const app = await appStore.findUserAppByKey(services.database.reads, ctx.oidc.client?.clientId ?? '');
    const client = app && smartClientOf(app);
    if (!client) {
      throw new errors.InvalidClient('client not found');
    }
    if (params['launch'] !== undefined && !readLaunch(services, params['launch'], app.id)) {
      throw new errors.InvalidRequest('launch is not known, or it has expired');
    }
    // The scope is read from the request itself, because the package removes offline_access unless a person is asked,
    // and here a person always is.
    const scope = grantable(sentScope(ctx), client.scope);
    if (scope === '') {
      throw new errors.InvalidScope('the app may have none of these scopes', sentScope(ctx));
    }
    params['scope'] = scope;
  };
}

function checkAssertion({ errors }: Package) {
  return async (
    _ctx: KoaContextWithOIDC,
    claims: Readonly<Record<string, unknown>>,
    header: Readonly<Record<string, unknown>>,
    client: { readonly jwksUri?: string | undefined },
  ): Promise<void> => {
    if (Number(claims['exp']) > nowSeconds() + ASSERTION_SECONDS + CLOCKS_DIFFER) {
      throw new errors.InvalidClientAuth('the assertion may be good for five minutes at most');
    }
    if (header['jku'] !== undefined && header['jku'] !== client.jwksUri) {
      throw new errors.InvalidClientAuth('jku is not the registered jwks_uri');
    }
  };
}

/** Finds the person behind a grant; undefined once the grant has ended. */
function findAccount({ database }: Services): NonNullable<Configuration['findAccount']> {
  return async (ctx, sub, source) => {
    const consent = (ctx.oidc.result as { consent?: { grantId?: string } } | undefined)?.consent;
    const grantId = (source as { grantId?: string } | undefined)?.grantId ?? consent?.grantId;
    const grant = grantId === undefined ? undefined : await smartStore.findGrant(database.reads, grantId);
    if (!grant || grant.subject !== sub) {
      return undefined;
    }
    const { fhirUser } = contextOf(grant, scopeWords(grant.scopes));
    return { accountId: sub, claims: () => Promise.resolve({ sub, ...(fhirUser ? { fhirUser } : {}) }) };
  };
}

/** Asks the person about every request; an earlier answer is never used for another request. */
function askEachTime({ interactionPolicy, errors }: Package) {
  const { Check, Prompt } = interactionPolicy;
  const answered = new Check('answer_missing', 'the person has to be asked', 'interaction_required', (ctx) => {
    const { result, entities } = ctx.oidc;
    if (!(result as { consent?: unknown } | undefined)?.consent) {
      return Check.REQUEST_PROMPT;
    }
    if (!entities.Grant?.openid) {
      throw new errors.AccessDenied('what was given has ended');
    }
    return Check.NO_NEED_TO_PROMPT;
  });
  // The page with the question leads to the sign-in when the app wants a new one (plugins/smart/requests.ts).
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, answered),
  ];
}

function fetchKeys({ config }: Services): NonNullable<Configuration['fetch']> {
  return (url, options) => {
    // The package passes a dispatcher that refuses addresses of private networks.
    const { dispatcher, ...rest } = options as RequestInit & { dispatcher?: unknown };
    return globalThis.fetch(url, (config.callbackAllowPrivate ? rest : { ...rest, dispatcher }) as RequestInit);
  };
}

// eslint-disable-next-line max-lines-per-function -- one setting after another
function providerSettings(services: Services, lent: Lent, pack: Package, storedKeys: string): Configuration {
  return {
    adapter: (name: string) => makeAdapter(services, lent, name),
    jwks: openKeys(services, storedKeys) as never,
    routes: { ...addresses },
    scopes: [...everyScope()],
    claims: { openid: ['sub'], fhirUser: ['fhirUser'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['RS384', 'ES384'], idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    fetchResponseBodyLimits: { jwks_uri: MOST_KEY_BYTES },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      userinfo: { enabled: true },
    },
    extraParams: { aud: checkAsking(services, pack), launch: null } as never,
    assertJwtClientAuthClaimsAndHeader: checkAssertion(pack) as never,
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((address) => URL.canParse(address) && new URL(address).origin === origin),
    clockTolerance: CLOCKS_DIFFER,
    cookies: {
      names: { session: 'svc_smart_session', interaction: 'svc_smart_asking', resume: 'svc_smart_asked' },
      short: { httpOnly: true, sameSite: 'lax', signed: false },
      long: { httpOnly: true, sameSite: 'lax', signed: false },
    },
    expiresWithSession: () => Promise.resolve(false),
    extraTokenClaims: async (_ctx, token) => {
      const { grantId = '', scope = '' } = token as { grantId?: string; scope?: string };
      const grant = await smartStore.findGrant(services.database.reads, grantId);
      return grant && contextOf(grant, scopeWords(scope));
    },
    fetch: fetchKeys(services),
    findAccount: findAccount(services),
    interactions: {
      policy: askEachTime(pack),
      url: (_ctx, asking) => `${sitePath(services.baseUrl())}/smart/${asking.uid}`,
    },
    issueRefreshToken: (_ctx, _client, source) =>
      Promise.resolve(source.scopes.has('offline_access') || source.scopes.has('online_access')),
    renderError: (ctx, out) => {
      ctx.type = 'application/json';
      ctx.body = out;
    },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: (ctx) => untilGrantEnds(ctx, TOKEN_SECONDS),
      AuthorizationCode: CODE_SECONDS,
      ClientCredentials: ALONE_SECONDS,
      Grant: services.config.refreshTokenSeconds,
      IdToken: TOKEN_SECONDS,
      Interaction: ASKING_SECONDS,
      RefreshToken: (ctx) => untilGrantEnds(ctx, services.config.refreshTokenSeconds),
      Session: ASKING_SECONDS,
    },
  };
}

/** How the package refuses a grant that another client may have; RFC 6749 (5.2) has words for it. */
const OTHER_GRANT = 'requested grant type is not allowed for this client';

/**
 * Adds the patient to the response with the token, as apps of SMART expect it, and names the usual scopes in the
 * discovery document.
 */
function addContext(services: Services, provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as Record<string, unknown> | undefined;
    const token = (ctx as KoaContextWithOIDC).oidc?.entities.AccessToken;
    if (ctx.path === addresses.token && body?.['access_token'] !== undefined && token) {
      ctx.body = {
        ...body,
        ...token.extra,
        need_patient_banner: true,
      };
      delete (ctx.body as Record<string, unknown>)['fhirUser'];
    }
    if (ctx.path === addresses.token && body?.['error_description'] === OTHER_GRANT) {
      const { grants } = await offered(services);
      const asked = String((ctx as KoaContextWithOIDC).oidc.params?.['grant_type']);
      ctx.body = { ...body, error: grants.includes(asked) ? 'unauthorized_client' : 'unsupported_grant_type' };
    }
    if (body?.['scopes_supported'] !== undefined) {
      const { [ISS_SUPPORTED]: _iss, ...rest } = body;
      const { scopes, grants } = await offered(services);
      ctx.body = {
        ...rest,
        scopes_supported: scopes,
        grant_types_supported: grants,
        response_modes_supported: ['query', 'fragment'],
      };
    }
  });
}

/** Writes what the exchange of a refresh token has prepared, and answers an exchange that comes again as before. */
function completeExchanges(
  services: Services,
  provider: Provider,
  { errors }: Package,
  rotations: WeakMap<object, Rotation>,
): void {
  provider.use(async (ctx, next) => {
    await next();
    const rotation = rotations.get(ctx);
    if (!rotation || ctx.status !== 200) {
      return;
    }
    const token = String((ctx as KoaContextWithOIDC).oidc.params?.['refresh_token']);
    try {
      const exchange = { token, rotation, answer: ctx.body as Answer };
      ctx.body = await exchangeRefreshToken(services, exchange, (why) => new errors.InvalidGrant(why));
    } catch (cause) {
      if (!(cause instanceof errors.OIDCProviderError)) {
        throw cause;
      }
      ctx.status = cause.statusCode;
      ctx.body = { error: cause.error, error_description: cause.error_description };
    }
  });
}

const ISS_SUPPORTED = 'authorization_response_iss_parameter_supported';

/**
 * Leaves `iss` (RFC 9207) out of the addresses that lead back to apps. SMART has given the parameter another meaning
 * before, the base of the FHIR door at a launch, and the client of the SMART project takes it for that when its page is
 * opened again.
 */
function leaveIssuerOut(provider: Provider): void {
  const issuer = new URLSearchParams({ iss: provider.issuer }).toString();
  provider.use(async (ctx, next) => {
    await next();
    const location = String(ctx.res.getHeader('location') ?? '');
    // The package adds the parameter last.
    const end = ['&', '?', '#'].map((before) => `${before}${issuer}`).find((text) => location.endsWith(text));
    if (end !== undefined) {
      ctx.set('location', location.slice(0, -end.length));
    }
  });
}

/** @param storedKeys as core/auth/smart-keys.ts keeps them */
export async function makeAuthorizationServer(services: Services, storedKeys: string): Promise<Provider> {
  // The package is loaded when the first app asks, because nothing else needs it.
  const pack = await import('oidc-provider');
  const { errors, Provider: Server } = pack;
  const rotations = new WeakMap<object, Rotation>();
  const lent: Lent = {
    refuseGrant: (why) => new errors.InvalidGrant(why),
    refuseSession: (why) => new errors.SessionNotFound(why),
    refuseScope: (why, scope) => new errors.InvalidScope(why, scope),
    refuseClient: (why) => new errors.InvalidClientAuth(why),
    answer: () => {
      const word = Server.ctx?.query['answer'];
      return typeof word === 'string' ? word : undefined;
    },
    rotation: () => (Server.ctx ? rotations.get(Server.ctx) : undefined),
    rotate: (codeHash) => Server.ctx && rotations.set(Server.ctx, { codeHash, writes: [] }),
    proven: () => proofOf(Server.ctx?.req),
    address: () => Server.ctx?.req.socket.remoteAddress ?? '',
  };
  const provider = new Server(services.baseUrl(), providerSettings(services, lent, pack, storedKeys));
  provider.proxy = true;
  completeExchanges(services, provider, pack, rotations);
  addContext(services, provider);
  leaveIssuerOut(provider);
  return provider;
}
