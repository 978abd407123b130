/** browser-sessions: sessions whose browser holds a cookie, and all sessions of an account as its person sees them. */
import type { AccountState, PrincipalId, Timestamp } from '../../base/types';
import type { Reads } from '../connection';
import type { Transaction } from '../database';
import { standingState } from './accounts';

/** How a person is spoken to; empty: not chosen. */
export type Manner = { readonly language: string; readonly zone: string };

export type BrowserSessionRow = Manner & {
  readonly cookieHash: string;
  readonly tokenHash: string;
  /** What the browser calls itself. */ readonly device: string;
  readonly expiresAt: Timestamp;
  /** Null: signed in. Else a code is still missing, and may come until then. */ readonly waitsUntil: Timestamp | null;
};

export const insertBrowserSession = (trx: Transaction, row: BrowserSessionRow): Promise<unknown> =>
  trx('browser_session').insert({
    cookie_hash: row.cookieHash,
    token_hash: row.tokenHash,
    device: row.device,
    language: row.language,
    zone: row.zone,
    expires_at: row.expiresAt,
    waits_until: row.waitsUntil,
  });

/** What a cookie stands for; its session decides how long. */
export type BrowserSession = Manner & {
  readonly tokenHash: string;
  readonly accountId: PrincipalId;
  readonly accountState: AccountState;
  readonly fullName: string;
  readonly uiAppId: PrincipalId;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** Messages in the inbox that nobody has opened. */ readonly unread: number;
};

const FOUND = `
  select s.token_hash as tokenHash, s.account_id as accountId, ${standingState('a')} as accountState, a.full_name as fullName, s.ui_app_id as uiAppId,
    s.last_used_at as lastUsedAt, s.expires_at as expiresAt, b.language, b.zone,
    (select count(*) from message m where m.account_id = s.account_id and m.archived_at is null and m.read_at is null) as unread
  from browser_session b
  join session_token s on s.token_hash = b.token_hash
  join account a on a.id = s.account_id
  where b.cookie_hash = ?`;
const SIGNED_IN = `${FOUND} and b.waits_until is null`;
const WAITING = `${FOUND} and b.waits_until > ?`;

export const findBrowserSession = async (on: Reads, cookieHash: string): Promise<BrowserSession | undefined> =>
  (await on.rows<BrowserSession>(SIGNED_IN, [cookieHash]))[0];

/** A sign-in whose code is still missing. */
export const findWaitingSession = async (
  on: Reads,
  hash: string,
  now: Timestamp,
): Promise<BrowserSession | undefined> => (await on.rows<BrowserSession>(WAITING, [hash, now]))[0];

/** The code has come: from now on a cookie stands for the session. @returns false when that happened already, or the session has ended */
export const endWaiting = async (trx: Transaction, hash: string, cookieHash: string): Promise<boolean> =>
  (await trx('browser_session')
    .where({ cookie_hash: hash })
    .whereNotNull('waits_until')
    .update({ cookie_hash: cookieHash, waits_until: null })) === 1;

/** A session as its person sees it. */
export type HeldSession = {
  readonly tokenHash: string;
  readonly appName: string;
  /** Null: an app of another kind than the website holds it. */ readonly device: string | null;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
};

const HELD = `
  select s.token_hash as tokenHash, app.name as appName, b.device, s.created_at as createdAt, s.last_used_at as lastUsedAt, s.expires_at as expiresAt
  from session_token s
  join app on app.id = s.ui_app_id
  left join browser_session b on b.token_hash = s.token_hash
  where s.account_id = ? and b.waits_until is null
  order by s.last_used_at desc, s.token_hash
  limit 200`;

/** The latest used first; expired ones that were not cleaned up yet are among them. */
export const heldSessions = (on: Reads, accountId: PrincipalId): Promise<readonly HeldSession[]> =>
  on.rows<HeldSession>(HELD, [accountId]);

/** Ends one session with its cookie. */
export const endSession = async (trx: Transaction, tokenHash: string): Promise<void> => {
  await trx('browser_session').where({ token_hash: tokenHash }).delete();
  await trx('session_token').where({ token_hash: tokenHash }).delete();
};

/** All browsers of an account speak to it alike. */
export const setManner = async (trx: Transaction, accountId: PrincipalId, manner: Manner): Promise<void> => {
  const hashes = (await trx('session_token').where({ account_id: accountId }).pluck('token_hash')) as string[];
  await trx('browser_session').whereIn('token_hash', hashes).update(manner);
};
