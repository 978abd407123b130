/** still-permits: the permission that let a request in, asked again inside each of its transactions, since it may have ended meanwhile. */
import { errors } from '../base/errors';
import type { Database } from '../storage/database';
import { holdAccessToken, holdSession } from '../storage/stores/tokens';
import type { Admission } from './guarded-database';
import { makeLookups } from './lookups';
import { permits, type AccessQuestion, type AccessRule } from './rules';

/**
 * Whoever removes an app, a share, a member or a carenet deletes the tokens that rest on it in the same transaction: for the
 * holder of a token its row, with the state of its account, says it all, and stays as it is until the transaction ends. Whoever
 * disables an account ends its sessions.
 */
export const stillPermits = (rule: AccessRule, { principal, params }: Omit<AccessQuestion, 'lookups'>, { dialect }: Pick<Database, 'dialect'>): Admission => async (trx) => {
  const stands = principal.kind === 'access_token' ? await holdAccessToken(trx, dialect, principal.tokenHash)
    : principal.kind === 'account' ? await holdSession(trx, dialect, principal.sessionHash)
    : true;
  if (!stands || (principal.kind !== 'access_token' && !(await permits(rule, { principal, params, lookups: makeLookups(trx) })))) {
    throw errors.permissionDenied();
  }
};
