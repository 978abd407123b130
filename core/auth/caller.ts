/** caller: the Authorization header of a request -> who is calling; all that is bad ends as one 403. */
import type { Logger } from 'pino';
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import { errors } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Config } from '../config/schema';
import type { Database } from '../storage/database';
import { findStanding, touchSession, type Standing } from '../storage/stores/tokens';
import { countFailure } from './attempts';
import type { Nonces } from './nonces';
import { anonymous, type Principal } from './principal';
import type { Sealing } from './sealing';
import { BadCredentials, parseAuthorization, verifyBody, verifySignature, type OAuthHeader, type SignedRequest } from './signature';

export type { SignedRequest } from './signature';

export type Caller = { readonly principal: Principal; readonly consumerKey: string | null };

/** @throws errors.permissionDenied for credentials that are bad in any way, errors.tooManyRequests after many of them */
export type Authenticator = (request: SignedRequest) => Promise<Caller>;

export type AuthenticatorParts = {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly nonces: Nonces;
  readonly clock: Clock;
  readonly log: Logger;
  readonly baseUrl: () => string;
  readonly config: Pick<Config, 'sessionIdleSeconds' | 'rateConsumerPerMinute' | 'requireBodyHash'>;
};

const WINDOW_SECONDS = 300;
const NONCE_CHARACTERS = 100;
const TOUCH_SECONDS = 60;

/** The principal that credentials stand for, and the sealed secret that the token adds to the signing key. */
type Claimed = { readonly principal: Principal; readonly tokenSecret: string | null };

const refuse = (reason: string): never => {
  throw new BadCredentials(reason);
};

const checkFreshness = ({ timestamp, nonce }: OAuthHeader, clock: Clock): void => {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - clock.now() / 1000) > WINDOW_SECONDS) {
    refuse('the timestamp is outside the window');
  }
  if (nonce.length > NONCE_CHARACTERS) {
    refuse('the nonce is too long');
  }
};

const claimSession = ({ app, session }: Standing, tokenHash: string, { clock, config }: AuthenticatorParts): Claimed => {
  if (!session) {
    return refuse('the token is not known');
  }
  const now = clock.now();
  if (session.uiAppId !== app.id) {
    refuse('the session belongs to another UI app');
  }
  if (fromTimestamp(session.expiresAt) <= now || fromTimestamp(session.lastUsedAt) + config.sessionIdleSeconds * 1000 <= now) {
    refuse('the session has expired');
  }
  if (session.accountState !== 'active') {
    refuse('the account is not active');
  }
  return { principal: { kind: 'account', accountId: session.accountId, uiAppId: app.id, sessionHash: tokenHash }, tokenSecret: session.secret };
};

const claimAccess = ({ app, access }: Standing, tokenHash: string, clock: Clock): Claimed => {
  if (!access) {
    return refuse('the token is not known');
  }
  const fits = app.kind === 'ui' ? access.kind === 'connect' : access.kind !== 'connect' && access.app.id === app.id;
  if (!fits) {
    refuse('the token belongs to another app');
  }
  if (fromTimestamp(access.expiresAt) <= clock.now()) {
    refuse('the access token has expired');
  }
  if (!access.appEnabled) {
    refuse('the app is no longer enabled there');
  }
  if (access.accountId !== null && (access.accountState !== 'active' || !access.accountAdmitted)) {
    refuse('the account of the token has lost its access');
  }
  const { accountId, recordId, carenetId, accountInControl } = access;
  return { principal: { kind: 'access_token', app: access.app, accountId, recordId, carenetId, tokenHash, accountInControl }, tokenSecret: access.secret };
};

const claimRequest = ({ app, request }: Standing, tokenHash: string, clock: Clock): Claimed => {
  if (!request || request.appId !== app.id) {
    return refuse('the token is not known or belongs to another app');
  }
  if (fromTimestamp(request.expiresAt) <= clock.now()) {
    refuse('the request token has expired');
  }
  const { id, kind, autonomous } = app;
  return { principal: { kind: 'request_token', app: { id, kind, autonomous }, tokenHash }, tokenSecret: request.secret };
};

const claim = (standing: Standing, tokenHash: string | null, parts: AuthenticatorParts): Claimed => {
  const { id, kind, autonomous } = standing.app;
  if (tokenHash === null) {
    return { principal: { kind: 'app', app: { id, kind, autonomous } }, tokenSecret: null };
  }
  switch (kind) {
    case 'ui': return standing.access ? claimAccess(standing, tokenHash, parts.clock) : claimSession(standing, tokenHash, parts);
    case 'user': return standing.access ? claimAccess(standing, tokenHash, parts.clock) : claimRequest(standing, tokenHash, parts.clock);
    case 'admin': return refuse('an admin app signs without a token');
  }
};

/** The signing secret of an app. Without one, anybody could sign: only its access tokens prove anything then. */
const consumerSecretOf = ({ app }: Standing, principal: Principal, sealing: Sealing): string => {
  const secret = sealing.open(app.secret);
  if (secret === '' && principal.kind !== 'access_token') {
    refuse('the consumer has no secret and signs without an access token');
  }
  return secret;
};

const keepSessionAlive = async ({ session }: Standing, tokenHash: string, { database, clock, config }: AuthenticatorParts): Promise<void> => {
  const step = Math.min(TOUCH_SECONDS, config.sessionIdleSeconds / 10) * 1000;
  if (session && clock.now() - fromTimestamp(session.lastUsedAt) > step) {
    await touchSession(database.knex, tokenHash, toTimestamp(clock.now()));
  }
};

/** Which consumer a refusal counts against: only ones that exist, so that invented keys fill no table. */
type Progress = { consumerKey: string | null; known: boolean };

const identify = async (request: SignedRequest, authorization: string, parts: AuthenticatorParts, progress: Progress): Promise<Caller> => {
  const header = parseAuthorization(authorization);
  const { consumerKey, token } = header;
  progress.consumerKey = consumerKey;
  checkFreshness(header, parts.clock);
  verifyBody(request, header, parts.config.requireBodyHash);

  const tokenHash = token === null ? null : sha256(token);
  const standing = (await findStanding(parts.database, consumerKey, tokenHash)) ?? refuse('the consumer is not known');
  progress.known = true;
  const { principal, tokenSecret } = claim(standing, tokenHash, parts);
  const secrets = {
    consumerSecret: consumerSecretOf(standing, principal, parts.sealing),
    tokenSecret: tokenSecret === null ? '' : parts.sealing.open(tokenSecret),
  };
  if (!verifySignature(request, header, parts.baseUrl(), secrets)) {
    refuse('the signature does not fit');
  }
  if (!(await parts.nonces.claim(header))) {
    refuse('the nonce was used before');
  }
  if (principal.kind === 'account') {
    await keepSessionAlive(standing, principal.sessionHash, parts);
  }
  return { principal, consumerKey };
};

export const makeAuthenticator = (parts: AuthenticatorParts): Authenticator => async (request) => {
  if (request.authorization === undefined) {
    return { principal: anonymous, consumerKey: null };
  }
  const progress: Progress = { consumerKey: null, known: false };
  try {
    return await identify(request, request.authorization, parts, progress);
  } catch (error) {
    if (!(error instanceof BadCredentials)) {
      throw error;
    }
    parts.log.info({ reason: error.message, consumer: progress.consumerKey?.slice(0, 200) }, 'credentials refused');
    if (progress.known) {
      // Against the consumer alone. Good signatures pass even then, so that nobody can lock an app out.
      await countFailure(parts, [{ name: `signature ${progress.consumerKey}`, limit: parts.config.rateConsumerPerMinute }]);
    }
    throw errors.permissionDenied();
  }
};
