/** browser-sessions-store: sessions whose browser holds a cookie, and all sessions of an account as its person sees them. */
import type { Knex } from 'knex';
import type { AccountState, PrincipalId, Timestamp } from '../base/types';
import type { Builder } from '../db/builder';
import { columnsNamed, toColumns, type Columns } from '../db/columns';
import type { Reads } from '../db/connection';
import type { Transaction } from '../db/database';
import { keptStatement } from '../db/kept-statement';
import { otherRecordsColumn } from '../records/store';
import { standingState } from '../accounts/store';

/** The language and time zone that the person chose, and how pages look; empty when not chosen. */
export type Manner = {
  readonly language: string;
  readonly zone: string;
  /** `light` or `dark`. */ readonly theme: string;
  /** Of letters: `larger` or `largest`. */ readonly size: string;
  /** Of results: `moles` or `mass`. */ readonly units: string;
};

export const notChosen: Manner = { language: '', zone: '', theme: '', size: '', units: '' };

export type BrowserSessionRow = Manner & {
  readonly cookieHash: string;
  readonly tokenHash: string;
  /** What the browser calls itself. */ readonly device: string;
  /** The time zone that the browser has; empty if it did not say. */ readonly browserZone: string;
  readonly expiresAt: Timestamp;
  /** Null: signed in. Otherwise a code is still missing, and is accepted until this time. */
  readonly waitsUntil: Timestamp | null;
};

const columns: Columns<keyof BrowserSessionRow> = columnsNamed(
  'cookieHash',
  'tokenHash',
  'device',
  'language',
  'zone',
  'theme',
  'size',
  'units',
  'browserZone',
  'expiresAt',
  'waitsUntil',
);

export function insertBrowserSession(trx: Transaction, row: BrowserSessionRow): Promise<unknown> {
  return trx('browser_session').insert(toColumns(columns, row));
}

/** The session of a cookie. The session decides how long the cookie is valid. */
export type BrowserSession = Manner & {
  readonly tokenHash: string;
  readonly accountId: PrincipalId;
  readonly accountState: AccountState;
  readonly fullName: string;
  readonly uiAppId: PrincipalId;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** 1: it has no idle end. */ readonly kept: number | null;
  readonly browserZone: string | null;
  /** Messages in the inbox that nobody has opened. */ readonly unread: number;
  /** The records to which pages lead over, as `otherRecordsIn` reads them. */ readonly others?: unknown;
};

function sessionsBehind(on: Builder, cookieHash: string): Knex.QueryBuilder {
  return on('browser_session as b')
    .join('session_token as s', 's.token_hash', 'b.token_hash')
    .join('account as a', 'a.id', 's.account_id')
    .where('b.cookie_hash', cookieHash)
    .select({
      tokenHash: 's.token_hash',
      accountId: 's.account_id',
      accountState: on.raw(standingState('a')),
      fullName: 'a.full_name',
      uiAppId: 's.ui_app_id',
      lastUsedAt: 's.last_used_at',
      expiresAt: 's.expires_at',
      language: 'b.language',
      zone: 'b.zone',
      theme: 'b.theme',
      size: 'b.size',
      units: 'b.units',
      browserZone: 'b.browser_zone',
      kept: 's.kept',
      unread: on('message as m')
        .where('m.account_id', on.ref('s.account_id'))
        .whereNull('m.archived_at')
        .whereNull('m.read_at')
        .count(),
    });
}

function accountOf(on: Builder, cookieHash: string): Knex.QueryBuilder {
  return on('session_token')
    .whereIn('token_hash', on('browser_session').where('cookie_hash', cookieHash).select('token_hash'))
    .select('account_id');
}

const readSignedIn = keptStatement<BrowserSession, readonly [cookieHash: string, here: string, now: Timestamp]>(
  (on, cookieHash, here, now) =>
    sessionsBehind(on, cookieHash)
      .whereNull('b.waits_until')
      .select({ others: otherRecordsColumn(on, accountOf(on, cookieHash), here, now) }),
);

const readWaiting = keptStatement<BrowserSession, readonly [cookieHash: string, now: Timestamp]>(
  (on, cookieHash, now) => sessionsBehind(on, cookieHash).where('b.waits_until', '>', now),
);

/** @param here the record or carenet of the page */
export async function findBrowserSession(
  on: Reads,
  cookieHash: string,
  here: string,
  now: Timestamp,
): Promise<BrowserSession | undefined> {
  return (await readSignedIn(on, cookieHash, here, now))[0];
}

/** A sign-in whose code is still missing. */
export async function findWaitingSession(on: Reads, hash: string, now: Timestamp): Promise<BrowserSession | undefined> {
  return (await readWaiting(on, hash, now))[0];
}

/** Completes a sign-in after its code. @returns false when it was completed before, or the session has ended */
export async function endWaiting(trx: Transaction, hash: string, cookieHash: string): Promise<boolean> {
  return (
    (await trx('browser_session')
      .where({ cookie_hash: hash })
      .whereNotNull('waits_until')
      .update({ cookie_hash: cookieHash, waits_until: null })) === 1
  );
}

/** Gives the session of a cookie no idle end, and its age another one. */
export async function keepSession(trx: Transaction, cookieHash: string, expiresAt: Timestamp): Promise<void> {
  await trx('session_token')
    .where({ token_hash: trx('browser_session').where({ cookie_hash: cookieHash }).select('token_hash') })
    .update({ kept: 1, expires_at: expiresAt });
  await trx('browser_session').where({ cookie_hash: cookieHash }).update({ expires_at: expiresAt });
}

/** A session as its person sees it. */
export type HeldSession = {
  readonly tokenHash: string;
  readonly appName: string;
  /** Null: an app of another kind than the website holds it. */ readonly device: string | null;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly kept: number | null;
};

/** All sessions of an account, the latest used first, including expired ones that were not cleaned up yet. */
export async function heldSessions(on: Reads, accountId: PrincipalId): Promise<readonly HeldSession[]> {
  return (await on('session_token as s')
    .join('app', 'app.id', 's.ui_app_id')
    .leftJoin('browser_session as b', 'b.token_hash', 's.token_hash')
    .where('s.account_id', accountId)
    .whereNull('b.waits_until')
    .orderBy([{ column: 's.last_used_at', order: 'desc' }, { column: 's.token_hash' }])
    .limit(200)
    .select({
      tokenHash: 's.token_hash',
      appName: 'app.name',
      device: 'b.device',
      createdAt: 's.created_at',
      lastUsedAt: 's.last_used_at',
      expiresAt: 's.expires_at',
      kept: 's.kept',
    })) as HeldSession[];
}

/** Ends one session with its cookie. */
export async function endSession(trx: Transaction, tokenHash: string): Promise<void> {
  await trx('browser_session').where({ token_hash: tokenHash }).delete();
  await trx('session_token').where({ token_hash: tokenHash }).delete();
}

/** Sets language and time zone in all browsers of an account. */
export async function setManner(trx: Transaction, accountId: PrincipalId, manner: Manner): Promise<void> {
  const hashes = (await trx('session_token').where({ account_id: accountId }).pluck('token_hash')) as string[];
  await trx('browser_session').whereIn('token_hash', hashes).update(manner);
}
