/** request-tokens: the checks of every call of a person about a request token. */
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { AppRow } from '../../core/apps/store';
import type { RequestTokenRow } from '../../core/tokens/store';

export type InToken = { REQTOKEN_ID: string };

/** The account that is signed in. @throws errors.permissionDenied for other callers */
export function accountOf({ principal }: Pick<Call, 'principal'>): string {
  if (principal.kind !== 'account') {
    throw errors.permissionDenied();
  }
  return principal.accountId;
}

/** @throws errors.notFound without a token or its app, errors.refused when another account has claimed the token */
export function checkToken(
  token: RequestTokenRow | undefined,
  app: AppRow | undefined,
  accountId: string,
): { readonly token: RequestTokenRow; readonly app: AppRow } {
  if (!token || !app) {
    throw errors.notFound('request token');
  }
  if (token.claimedBy !== null && token.claimedBy !== accountId) {
    throw errors.refused('the request token is claimed by another account');
  }
  return { token, app };
}
