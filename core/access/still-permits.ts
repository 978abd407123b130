/**
 * still-permits: checks the permission of a request again inside each of its transactions, because it may have ended
 * since the request began.
 */
import type { Clock } from '../base/clock';
import { errors } from '../base/errors';
import type { Transaction } from '../db/database';
import { holdApp } from '../apps/store';
import { holdAccessToken, holdSession } from '../tokens/store';
import type { Admission } from './guarded-database';
import { makeLookups } from './lookups';
import { permits, type AccessQuestion, type AccessRule } from './rules';

async function holdPrincipal(principal: AccessQuestion['principal'], trx: Transaction): Promise<boolean> {
  switch (principal.kind) {
    case 'access_token':
      return holdAccessToken(trx, principal.tokenHash);
    case 'account':
      return holdSession(trx, principal.sessionHash);
    case 'anonymous':
      return true;
    default:
      return holdApp(trx, principal.app.id);
  }
}

/**
 * Locks the row of the token, session or app of the caller, and tests the rule again. For an access token, the row and
 * the state of its account are enough: the transaction that removes an app, share, member or carenet also deletes the
 * tokens that depend on it, and the one that disables an account ends its sessions.
 */
export function stillPermits(
  rule: AccessRule,
  { principal, params }: Omit<AccessQuestion, 'lookups'>,
  clock: Clock,
): Admission {
  const tokenSaysAll = principal.kind === 'access_token';
  return {
    mayEnd: !tokenSaysAll,
    admit: async (trx) => {
      const stands = await holdPrincipal(principal, trx);
      if (
        !stands ||
        (!tokenSaysAll && !(await permits(rule, { principal, params, lookups: makeLookups(trx, clock) })))
      ) {
        throw errors.permissionDenied();
      }
    },
  };
}
