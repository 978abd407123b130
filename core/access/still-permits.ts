/** still-permits: the permission that let a request in, asked again inside each of its transactions, since it may have ended meanwhile. */
import { errors } from '../base/errors';
import type { Transaction } from '../storage/database';
import { holdApp } from '../storage/stores/apps';
import { holdAccessToken, holdSession } from '../storage/stores/tokens';
import type { Admission } from './guarded-database';
import { makeLookups } from './lookups';
import { permits, type AccessQuestion, type AccessRule } from './rules';

const holdPrincipal = async (principal: AccessQuestion['principal'], trx: Transaction): Promise<boolean> => {
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
};

/**
 * Whoever removes an app, a share, a member or a carenet deletes the tokens that rest on it in the same transaction: for the
 * holder of a token its row, with the state of its account, says it all, and stays as it is until the transaction ends. Whoever
 * disables an account ends its sessions. An app that calls for itself is held by its own row.
 */
export const stillPermits = (rule: AccessRule, { principal, params }: Omit<AccessQuestion, 'lookups'>): Admission => {
  const tokenSaysAll = principal.kind === 'access_token';
  return {
    mayEnd: !tokenSaysAll,
    admit: async (trx) => {
      const stands = await holdPrincipal(principal, trx);
      if (!stands || (!tokenSaysAll && !(await permits(rule, { principal, params, lookups: makeLookups(trx) })))) {
        throw errors.permissionDenied();
      }
    },
  };
};
