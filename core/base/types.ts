/** types: the types that every floor shares. */

/** UTC, `YYYY-MM-DDThh:mm:ss.ffffffZ`, always 27 characters, so that text order is time order on both databases. */
export type Timestamp = string;

/** UUID version 7 in lower case: keys grow with time, which keeps inserts local. */
export type Id = string;

/** The e-mail-shaped identifier of an account or an app; both share one namespace. */
export type PrincipalId = string;

export type DocumentStatus = 'active' | 'void' | 'archived';
export type AccountState = 'uninitialized' | 'active' | 'disabled' | 'retired';
export type AppKind = 'user' | 'admin' | 'ui';

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
