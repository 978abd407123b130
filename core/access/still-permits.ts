/** still-permits: the permission that let a request in, asked again inside each of its transactions, since it may have ended meanwhile. */
import { errors } from '../base/errors';
import type { Database } from '../storage/database';
import { hasSession, holdAccessToken } from '../storage/stores/tokens';
import type { Admission } from './guarded-database';
import { makeLookups } from './lookups';
import { permits, type AccessQuestion, type AccessRule } from './rules';

/**
 * Whoever removes an app, a share, a member or a carenet deletes the tokens that rest on it in the same transaction: for the
 * holder of a token its row says it all, and stays as it is until the transaction ends.
 */
export const stillPermits = (rule: AccessRule, { principal, params }: Omit<AccessQuestion, 'lookups'>, { dialect }: Pick<Database, 'dialect'>): Admission => async (trx) => {
  const permitted = principal.kind === 'access_token'
    ? await holdAccessToken(trx, dialect, principal.tokenHash)
    : (principal.kind !== 'account' || (await hasSession(trx, principal.sessionHash))) && (await permits(rule, { principal, params, lookups: makeLookups(trx) }));
  if (!permitted) {
    throw errors.permissionDenied();
  }
};
