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
import { parseScopes } from '../tokens/smart-scopes';
import { whyEnded } from './tokens';

export type BearerCaller = { readonly principal: SmartPrincipal; readonly consumerKey: string };

type BearerParts = { readonly database: Database; readonly clock: Clock; readonly log: Logger };

/** The syntax of a token in RFC 6750; tokens of this service are never longer. */
const BEARER = /^bearer +([\w.~+/-]{1,512}=*) *$/i;

/**
 * Finds the caller. One statement reads the token together with what the app and its account may see.
 * @throws errors.noToken without a header, and for a token that is unknown, expired or ended
 */
export async function identifyBearer(
  { database, clock, log }: BearerParts,
  authorization: string | undefined,
): Promise<BearerCaller> {
  if (authorization === undefined || authorization === '') {
    throw errors.noToken();
  }
  const token = BEARER.exec(authorization)?.[1];
  const tokenHash = sha256(token ?? '');
  const standing = token === undefined ? undefined : await findBearerStanding(database.reads, tokenHash);
  const ended = standing ? whyEnded(standing.access, clock) : 'the token is not known';
  if (!standing || ended !== undefined || standing.access.accountId === null) {
    log.info({ reason: ended, consumer: standing?.consumerKey }, 'a bearer token was refused');
    throw errors.noToken('invalid_token');
  }
  const { app, accountId, recordId, carenetId, accountInControl } = standing.access;
  const scopes = parseScopes(standing.scopes);
  return {
    principal: { kind: 'access_token', app, accountId, recordId, carenetId, tokenHash, accountInControl, scopes },
    consumerKey: standing.consumerKey,
  };
}
