/** tokens: issues tokens of the FHIR door from grants, while the account may still give this access. */
import { whySessionEnded } from '../../core/auth/session-life';
import { fromTimestamp, toTimestamp, type Clock } from '../../core/base/clock';
import type { Config } from '../../core/config/schema';
import type { Database, Transaction } from '../../core/db/database';
import { findStandingState } from '../../core/accounts/store';
import { findGrant, holdGrant, type FoundGrant } from './store';
import { findSession } from '../../core/tokens/store';
import { lockScope, mayGive } from '../../core/access/giving';
import { isEnabled } from '../../core/access/lookups';
import * as tokenStore from '../../core/tokens/store';

type SmartParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'sessionIdleSeconds'>;
};

/** A grant of `online_access` ends with the session in which it was given. */
async function sessionStands(
  { clock, config }: SmartParts,
  trx: Transaction,
  { sessionHash }: FoundGrant,
): Promise<boolean> {
  if (sessionHash === null) {
    return true;
  }
  const session = await findSession(trx, sessionHash);
  return session !== undefined && whySessionEnded(session, clock, config) === undefined;
}

/**
 * The grant, if a token may be issued from it now; undefined otherwise. The rights that it depends on are locked until
 * the transaction ends. A transaction that ends the access of an app or account deletes its grants, too.
 */
export async function holdStanding(
  parts: SmartParts,
  trx: Transaction,
  grantHash: string,
): Promise<FoundGrant | undefined> {
  if (!(await holdGrant(trx, grantHash))) {
    return undefined;
  }
  const grant = await findGrant(trx, grantHash);
  if (!grant || fromTimestamp(grant.expiresAt) <= parts.clock.now()) {
    return undefined;
  }
  const { accountId, recordId, carenetId } = grant;
  const scope = carenetId === null ? { recordId } : { carenetId };
  const stands =
    (await lockScope(trx, scope)) === recordId &&
    (await findStandingState(trx, accountId)) === 'active' &&
    (await isEnabled(trx, recordId, grant.appId)) &&
    (await mayGive(trx, {
      clock: parts.clock,
      accountId,
      app: { id: grant.appId, autonomous: grant.autonomous },
      scope,
    })) &&
    (await sessionStands(parts, trx, grant));
  return stands ? grant : undefined;
}

/** Stores a new token of a grant. @returns false when no token may be issued from the grant any more */
export async function issueSmartToken(
  parts: SmartParts & { readonly sealing: { readonly seal: (plain: string) => string } },
  trx: Transaction,
  token: {
    readonly tokenHash: string;
    readonly grantHash: string;
    readonly scopes: string;
    readonly expiresAt: number;
  },
): Promise<boolean> {
  const grant = await holdStanding(parts, trx, token.grantHash);
  if (!grant) {
    return false;
  }
  await tokenStore.insertAccessToken(trx, {
    tokenHash: token.tokenHash,
    // A SMART token signs nothing, so it has no secret.
    secret: parts.sealing.seal(''),
    kind: 'smart',
    appId: grant.appId,
    accountId: grant.accountId,
    recordId: grant.recordId,
    carenetId: grant.carenetId,
    createdAt: toTimestamp(parts.clock.now()),
    expiresAt: toTimestamp(token.expiresAt),
    scopes: token.scopes,
    grantHash: token.grantHash,
  });
  return true;
}
