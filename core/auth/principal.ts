/** principal: the types that say who is calling, and in whose name. */
import type { AppKind, Id, PrincipalId } from '../base/types';
import type { SmartScope } from '../tokens/smart-scopes';

/** The app behind a call, as far as access rules need it. */
export type CallingApp = { readonly id: PrincipalId; readonly kind: AppKind; readonly autonomous: boolean };

type Anonymous = { readonly kind: 'anonymous' };
/** A person, signed in through a UI app's session; the app has no rights of its own here. */
export type AccountPrincipal = {
  readonly kind: 'account';
  readonly accountId: PrincipalId;
  readonly uiAppId: PrincipalId;
  readonly sessionHash: string;
};
/** An app that signs with its own key only (two-legged). */
export type AppPrincipal = { readonly kind: 'app'; readonly app: CallingApp };
/** An app with an access token: for an account, or for itself when the account is null. */
export type AccessTokenPrincipal = {
  readonly kind: 'access_token';
  readonly app: CallingApp;
  readonly accountId: PrincipalId | null;
  readonly recordId: Id;
  /** The carenet to which the token is limited, if there is one. */
  readonly carenetId: Id | null;
  readonly tokenHash: string;
  /**
   * Whether the account owned the record or had a full share of it when the request was signed; false for tokens
   * without an account.
   */
  readonly accountInControl: boolean;
};
/**
 * An app with a token that was granted through SMART. The token is valid only at the FHIR door, and only for what its
 * scopes permit. Without an account it is a token of the app itself, for the records that were shared with it; each call
 * is about one of these, and its record is empty where the call names none.
 */
export type SmartPrincipal = AccessTokenPrincipal & {
  readonly scopes: readonly SmartScope[];
};
/** An app that signs with a request token, which is valid only for the exchange. */
type RequestTokenPrincipal = {
  readonly kind: 'request_token';
  readonly app: CallingApp;
  readonly tokenHash: string;
};

export type Principal = Anonymous | AccountPrincipal | AppPrincipal | AccessTokenPrincipal | RequestTokenPrincipal;

export const anonymous: Anonymous = { kind: 'anonymous' };

/** The principal that documents, messages and audits name: the account where there is one, else the app. */
export function effectiveId(principal: Principal): PrincipalId | null {
  switch (principal.kind) {
    case 'anonymous':
      return null;
    case 'account':
      return principal.accountId;
    case 'access_token':
      return principal.accountId ?? principal.app.id;
    default:
      return principal.app.id;
  }
}

/** The app through which an account acts. */
export function proxyId(principal: Principal): PrincipalId | null {
  return principal.kind === 'access_token' && principal.accountId !== null ? principal.app.id : null;
}
