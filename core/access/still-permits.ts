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
  const askAgain = async (trx: Transaction): Promise<void> => {
    if (!(await permits(rule, { principal, params, lookups: makeLookups(trx, clock) }))) {
      throw errors.permissionDenied();
    }
  };
  return {
    admit: async (trx) => {
      if (!(await holdPrincipal(principal, trx))) {
        throw errors.permissionDenied();
      }
      await (tokenSaysAll ? undefined : askAgain(trx));
    },
    // Behind the lock of the record. The row of the caller is held until the end of the transaction; only the rule is
    // tested anew, because shares and circles can end while it waits.
    ...(tokenSaysAll ? {} : { askAgain }),
  };
}
