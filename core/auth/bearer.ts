/**
 * bearer: finds out from `Authorization: Bearer` who calls through the FHIR door. Each call checks what the token still
 * permits.
 */
import type { Logger } from 'pino';
import type { Clock } from '../base/clock';
import { errors } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Database } from '../db/database';
import { findBearerStanding } from '../tokens/store';
import type { SmartPrincipal } from './principal';
import { toTimestamp } from '../base/clock';
import type { Id, PrincipalId } from '../base/types';
import { findSystemToken } from '../tokens/system-tokens-store';
import { parseScopes, parseSystemScopes } from '../tokens/smart-scopes';
import { whyEnded } from './tokens';

export type BearerCaller = { readonly principal: SmartPrincipal; readonly consumerKey: string };

type BearerParts = { readonly database: Database; readonly clock: Clock; readonly log: Logger };

/** The syntax of a token in RFC 6750; tokens of this service are never longer. */
const BEARER = /^bearer +([\w.~+/-]{1,512}=*) *$/i;

/** Finds the record that a call of an app is about, among those that were shared with the app. */
export type RecordFinder = (appId: PrincipalId) => Promise<Id | undefined>;

/** The app that a token of its own names; undefined for any other token. */
async function identifyApp(
  { database, clock }: BearerParts,
  tokenHash: string,
  find: RecordFinder,
): Promise<BearerCaller | undefined> {
  const token = await findSystemToken(database.reads, tokenHash, toTimestamp(clock.now()));
  return (
    token && {
      principal: {
        kind: 'access_token',
        app: { id: token.appId, kind: 'user', autonomous: true },
        accountId: null,
        recordId: (await find(token.appId)) ?? '',
        carenetId: null,
        tokenHash,
        accountInControl: false,
        scopes: parseSystemScopes(token.scopes),
      },
      consumerKey: token.consumerKey,
    }
  );
}

/**
 * Finds the caller. One statement reads the token together with what the app and its account may see.
 * @param find where tokens of apps themselves are taken
 * @throws errors.noToken without a header, and for a token that is unknown, expired or ended
 */
export async function identifyBearer(
  parts: BearerParts,
  authorization: string | undefined,
  find?: RecordFinder,
): Promise<BearerCaller> {
  const { database, clock, log } = parts;
  if (authorization === undefined || authorization === '') {
    throw errors.noToken();
  }
  const token = BEARER.exec(authorization)?.[1];
  const tokenHash = sha256(token ?? '');
  const standing = token === undefined ? undefined : await findBearerStanding(database.reads, tokenHash);
  const app = standing || token === undefined || !find ? undefined : await identifyApp(parts, tokenHash, find);
  if (app) {
    return app;
  }
  const ended = standing ? whyEnded(standing.access, clock) : 'the token is not known';
  if (!standing || ended !== undefined || standing.access.accountId === null) {
    log.info({ reason: ended, consumer: standing?.consumerKey }, 'a bearer token was refused');
    throw errors.noToken('invalid_token');
  }
  const { accountId, recordId, carenetId, accountInControl } = standing.access;
  const scopes = parseScopes(standing.scopes);
  return {
    principal: {
      kind: 'access_token',
      app: standing.access.app,
      accountId,
      recordId,
      carenetId,
      tokenHash,
      accountInControl,
      scopes,
    },
    consumerKey: standing.consumerKey,
  };
}
