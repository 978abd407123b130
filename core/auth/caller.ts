/** caller: finds out from the Authorization header who is calling. All bad credentials get the same 403. */
import type { Logger } from 'pino';
import { fromTimestamp, type Clock } from '../base/clock';
import { errors } from '../base/errors';
import { inGroups } from '../base/groups';
import { sha256 } from '../base/ids';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { findStandings, type AccessTokenKind, type Credentials, type Standing } from '../tokens/store';
import { countFailure } from './attempts';
import { WINDOW_SECONDS, type Nonces } from './nonces';
import { anonymous, type Principal } from './principal';
import type { Sealing } from './sealing';
import { keepSessionAlive, whySessionEnded } from './session-life';
import { whyEnded } from './tokens';
import {
  BadCredentials,
  mayBeForm,
  parseAuthorization,
  verifyBody,
  expectedBase,
  verifySignature,
  type OAuthHeader,
  type SignedHead,
} from './signature';

type Caller = {
  readonly principal: Principal;
  readonly consumerKey: string | null;
  /** Settles when the nonce is claimed; rejects as permission_denied when the request has been served before. */
  readonly claimed: Promise<void>;
};

/**
 * Credentials, checked as far as possible before the body is read. `admit` completes the check with the body: the
 * signature covers a form, and of any other body at most the hash.
 * @throws errors.permissionDenied for a body that is not the signed one, errors.tooManyRequests after many such
 * refusals
 */
export type Judged = { readonly admit: (body: Buffer | null) => Promise<Caller> };

/**
 * @throws errors.permissionDenied for credentials that are bad in any way, errors.tooManyRequests after many of them
 */
export type Authenticator = (head: SignedHead) => Promise<Judged>;

type AuthenticatorParts = {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly nonces: Pick<Nonces, 'claim'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseUrl: () => string;
  readonly config: Pick<Config, 'sessionIdleSeconds' | 'rateConsumerPerMinute'>;
};

/**
 * How long a check of the credentials is valid. If the body arrives later, they are checked again, since they may have
 * ended meanwhile.
 */
const JUDGED_MILLISECONDS = 1000;
const NONCE_CHARACTERS = 100;

/** The principal of the credentials, and the sealed secret that the token adds to the signing key. */
type Claimed = { readonly principal: Principal; readonly tokenSecret: string | null };

function refuseCaller(reason: string): never {
  throw new BadCredentials(reason);
}

function checkFreshness({ timestamp, nonce }: OAuthHeader, clock: Clock): void {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - clock.now() / 1000) > WINDOW_SECONDS) {
    refuseCaller('the timestamp is outside the window');
  }
  if (nonce.length > NONCE_CHARACTERS) {
    refuseCaller('the nonce is too long');
  }
}

function claimSession({ app, session }: Standing, tokenHash: string, { clock, config }: AuthenticatorParts): Claimed {
  if (!session) {
    return refuseCaller('the token is not known');
  }
  if (session.uiAppId !== app.id) {
    refuseCaller('the session belongs to another UI app');
  }
  const ended = whySessionEnded(session, clock, config);
  if (ended !== undefined) {
    refuseCaller(ended);
  }
  return {
    principal: { kind: 'account', accountId: session.accountId, uiAppId: app.id, sessionHash: tokenHash },
    tokenSecret: session.secret,
  };
}

/** The tokens with which a user app signs; SMART tokens sign nothing. */
const SIGNING: readonly AccessTokenKind[] = ['ordinary', 'rest'];

function claimAccess({ app, access }: Standing, tokenHash: string, clock: Clock): Claimed {
  if (!access) {
    return refuseCaller('the token is not known');
  }
  const fits =
    app.kind === 'ui' ? access.kind === 'connect' : SIGNING.includes(access.kind) && access.app.id === app.id;
  if (!fits) {
    refuseCaller('the token belongs to another app');
  }
  const ended = whyEnded(access, clock);
  if (ended !== undefined) {
    refuseCaller(ended);
  }
  const { accountId, recordId, carenetId, accountInControl } = access;
  return {
    principal: { kind: 'access_token', app: access.app, accountId, recordId, carenetId, tokenHash, accountInControl },
    tokenSecret: access.secret,
  };
}

function claimRequest({ app, request }: Standing, tokenHash: string, clock: Clock): Claimed {
  if (!request || request.appId !== app.id) {
    return refuseCaller('the token is not known or belongs to another app');
  }
  if (fromTimestamp(request.expiresAt) <= clock.now()) {
    refuseCaller('the request token has expired');
  }
  const { id, kind, autonomous } = app;
  return {
    principal: { kind: 'request_token', app: { id, kind, autonomous }, tokenHash },
    tokenSecret: request.secret,
  };
}

function claim(standing: Standing, tokenHash: string | null, parts: AuthenticatorParts): Claimed {
  const { id, kind, autonomous } = standing.app;
  if (tokenHash === null) {
    return { principal: { kind: 'app', app: { id, kind, autonomous } }, tokenSecret: null };
  }
  switch (kind) {
    case 'ui':
      return standing.access ? claimAccess(standing, tokenHash, parts.clock) : claimSession(standing, tokenHash, parts);
    case 'user':
      return standing.access
        ? claimAccess(standing, tokenHash, parts.clock)
        : claimRequest(standing, tokenHash, parts.clock);
    case 'admin':
      return refuseCaller('an admin app signs without a token');
  }
}

/**
 * The signing secret of an app. Anybody could sign with an empty one, so an app that has none needs an access token.
 */
function consumerSecretOf({ app }: Standing, principal: Principal, { open }: Tools): string {
  const secret = open(app.secret);
  if (secret === '' && principal.kind !== 'access_token') {
    refuseCaller('the consumer has no secret and signs without an access token');
  }
  return secret;
}

/**
 * The consumer of the credentials, and whether their refusal is counted. A malformed header or an old timestamp is
 * refused without a query, and is not counted.
 */
type Progress = { consumerKey: string | null; counts: boolean; known: boolean };

type Tools = AuthenticatorParts &
  Pick<Sealing, 'open'> & { readonly standing: (asked: Credentials) => Promise<Standing | undefined> };

type Identified = {
  readonly header: OAuthHeader;
  readonly standing: Standing;
  readonly principal: Principal;
  /** @throws BadCredentials when the signature does not fit the request with this body */
  readonly verify: (body: Buffer | null) => void;
};

async function identify(
  head: SignedHead,
  authorization: string,
  tools: Tools,
  progress: Progress,
): Promise<Identified> {
  const header = parseAuthorization(authorization);
  const { consumerKey, token } = header;
  progress.consumerKey = consumerKey;
  checkFreshness(header, tools.clock);
  progress.counts = true;

  const tokenHash = token === null ? null : sha256(token);
  const standing = (await tools.standing({ consumerKey, tokenHash })) ?? refuseCaller('the consumer is not known');
  progress.known = true;
  const { principal, tokenSecret } = claim(standing, tokenHash, tools);
  const secrets = {
    consumerSecret: consumerSecretOf(standing, principal, tools),
    tokenSecret: tokenSecret === null ? '' : tools.open(tokenSecret),
  };
  const verify = (body: Buffer | null): void => {
    if (!verifySignature({ ...head, body }, header, tools.baseUrl(), secrets)) {
      if (tools.log.isLevelEnabled('debug')) {
        const expected = expectedBase({ ...head, body }, header, tools.baseUrl());
        tools.log.debug({ expected, consumer: header.consumerKey.slice(0, 200) }, 'another base string was expected');
      }
      refuseCaller('the signature does not fit');
    }
  };
  if (!mayBeForm(head.mediaType)) {
    verify(null);
  }
  return { header, standing, principal, verify };
}

function checkBody({ header, verify }: Identified, head: SignedHead, body: Buffer | null): void {
  verifyBody({ ...head, body }, header);
  if (mayBeForm(head.mediaType)) {
    verify(body);
  }
}

async function claimNonce({ header, standing, principal }: Identified, tools: Tools): Promise<void> {
  if (!(await tools.nonces.claim(header))) {
    refuseCaller('the nonce was used before');
  }
  if (principal.kind === 'account' && standing.session) {
    await keepSessionAlive(standing.session, principal.sessionHash, tools);
  }
}

/**
 * The bucket of a consumer's refusals. Refusals of unknown keys are counted, too, so that a 429 does not reveal which
 * keys exist. Several keys share a bucket, so that invented keys cannot fill the table.
 */
function signatureBucket(consumerKey: string | null): string {
  return `signature ${sha256(consumerKey ?? '').slice(0, 3)}`;
}

const ofKnownConsumers = new WeakMap<object, string>();

/**
 * The consumer of refused credentials, if it is known here. A refusal above the limit of wrong credentials (429) names
 * none.
 */
export function consumerOfRefusal(error: unknown): string | undefined {
  return ofKnownConsumers.get(error as object);
}

/** Logs and counts what is wrong with credentials. The caller learns only that the call is not permitted. */
async function refusing<T>(tools: Tools, progress: Progress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BadCredentials)) {
      throw error;
    }
    tools.log.info({ reason: error.message, consumer: progress.consumerKey?.slice(0, 200) }, 'credentials refused');
    if (progress.counts) {
      // Good signatures pass even above the limit, so nobody can lock out an app.
      const bucket = { name: signatureBucket(progress.consumerKey), limit: tools.config.rateConsumerPerMinute };
      await countFailure(tools, [bucket]);
    }
    const refusal = errors.permissionDenied();
    if (progress.known) {
      ofKnownConsumers.set(refusal, progress.consumerKey ?? '');
    }
    throw refusal;
  }
}

/** One statement reads the standing of at most this many callers. */
const GROUP = 32;

/**
 * Decrypted secrets of at most this many recent callers are cached, since most callers call again soon. The key itself
 * is in memory, too.
 */
const SECRETS_KEPT = 1000;

/** Decrypts sealed secrets with a cache. */
function rememberingOpen(open: Sealing['open']): Sealing['open'] {
  const opened = new Map<string, string>();
  return (sealed) => {
    const plain = opened.get(sealed) ?? open(sealed);
    if (!opened.has(sealed)) {
      if (opened.size >= SECRETS_KEPT) {
        opened.clear();
      }
      opened.set(sealed, plain);
    }
    return plain;
  };
}

export function makeAuthenticator(parts: AuthenticatorParts): Authenticator {
  const tools: Tools = {
    ...parts,
    open: rememberingOpen(parts.sealing.open),
    standing: inGroups(GROUP, (asked: readonly Credentials[]) => findStandings(parts.database.reads, asked)),
  };
  return async (head) => {
    const { authorization } = head;
    if (authorization === undefined) {
      return { admit: () => Promise.resolve({ principal: anonymous, consumerKey: null, claimed: Promise.resolve() }) };
    }
    const progress: Progress = { consumerKey: null, counts: false, known: false };
    const judge = (): Promise<Identified> =>
      refusing(tools, progress, () => identify(head, authorization, tools, progress));
    const first = await judge();
    const judgedAt = parts.clock.now();
    return {
      admit: async (body) => {
        const identified = parts.clock.now() - judgedAt > JUDGED_MILLISECONDS ? await judge() : first;
        await refusing(tools, progress, async () => checkBody(identified, head, body));
        const claimed = refusing(tools, progress, () => claimNonce(identified, tools));
        // The reply waits for this promise, but perhaps not before it has been rejected.
        claimed.catch(() => undefined);
        return { principal: identified.principal, consumerKey: progress.consumerKey, claimed };
      },
    };
  };
}
