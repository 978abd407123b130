/** store: rows of sessions, access tokens and request tokens (specification 3.6, 5); found by hash, secrets sealed. */
import type { Knex } from 'knex';
import type { AccountState, AppKind, Id, PrincipalId, Timestamp } from '../base/types';
import type { Builder } from '../db/builder';
import { columnsNamed, toColumns, type Columns } from '../db/columns';
import type { Reads, Transaction } from '../db/connection';
import { keptStatement, padded } from '../db/kept-statement';
import { standingState } from '../accounts/store';

export type SessionRow = {
  readonly tokenHash: string;
  readonly secret: string;
  readonly accountId: PrincipalId;
  readonly uiAppId: PrincipalId;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** A `smart` token opens the FHIR door only; the others sign calls of the interface. */
export type AccessTokenKind = 'ordinary' | 'rest' | 'connect' | 'smart';

export type AccessTokenRow = {
  readonly tokenHash: string;
  readonly secret: string;
  readonly kind: AccessTokenKind;
  readonly appId: PrincipalId;
  /** Null: the app acts for itself. */
  readonly accountId: PrincipalId | null;
  readonly recordId: Id;
  readonly carenetId: Id | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** Only of a `smart` token. */ readonly scopes?: string;
  /** Only of a `smart` token: hash of the id of the grant that it came from. */ readonly grantHash?: string;
};

export type RequestTokenRow = {
  readonly tokenHash: string;
  readonly secret: string;
  /** Sealed. */ readonly verifier: string;
  readonly appId: PrincipalId;
  /** Null: the registered callback. */
  readonly callback: string | null;
  readonly recordId: Id | null;
  readonly carenetId: Id | null;
  readonly claimedBy: PrincipalId | null;
  readonly approvedBy: PrincipalId | null;
  readonly approvedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

const sessionColumns = columnsNamed(
  'tokenHash',
  'secret',
  'accountId',
  'uiAppId',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
);

export function insertSession(trx: Transaction, row: SessionRow): Promise<unknown> {
  return trx('session_token').insert(toColumns(sessionColumns, row));
}

export function touchSession(trx: Transaction, tokenHash: string, now: Timestamp): Promise<unknown> {
  return trx('session_token').where({ token_hash: tokenHash }).update({ last_used_at: now });
}

/** Ends the sessions of an account, except the one that may be kept. */
export function endSessions(trx: Transaction, accountId: PrincipalId, keptHash = ''): Promise<unknown> {
  return trx('session_token').where({ account_id: accountId }).whereNot({ token_hash: keptHash }).delete();
}

/** Ends the sessions of an account, and all tokens and requests of apps for it. */
export async function endAccess(trx: Transaction, accountId: PrincipalId): Promise<void> {
  // Each of these is needed to make the next one, so this order also waits for a transaction that is making the next
  // one.
  await endSessions(trx, accountId);
  await trx('request_token').where({ claimed_by: accountId }).delete();
  await trx('smart_grant').where({ account_id: accountId }).delete();
  await trx('access_token').where({ account_id: accountId }).delete();
  await trx('health_link').where({ account_id: accountId }).delete();
  await trx('export_job').where({ account_id: accountId }).delete();
}

type SessionStanding = {
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly kept: number | null;
  readonly accountState: AccountState;
};

/** Undefined for an unknown session. A session that is found may have expired. */
export async function findSession(on: Reads, tokenHash: string): Promise<SessionStanding | undefined> {
  return (await on('session_token as s')
    .join('account', 'account.id', 's.account_id')
    .where('s.token_hash', tokenHash)
    .first({
      createdAt: 's.created_at',
      lastUsedAt: 's.last_used_at',
      expiresAt: 's.expires_at',
      kept: 's.kept',
      accountState: on.raw(standingState('account')),
    })) as SessionStanding | undefined;
}

export function endSession(trx: Transaction, tokenHash: string): Promise<unknown> {
  return trx('session_token').where({ token_hash: tokenHash }).delete();
}

const accessTokenColumns = columnsNamed(
  'tokenHash',
  'secret',
  'kind',
  'appId',
  'accountId',
  'recordId',
  'carenetId',
  'createdAt',
  'expiresAt',
);

export function insertAccessToken(trx: Transaction, row: AccessTokenRow): Promise<unknown> {
  return trx('access_token').insert(toColumns({ ...accessTokenColumns, ...columnsNamed('scopes', 'grantHash') }, row));
}

export async function findAccessToken(on: Reads, tokenHash: string): Promise<AccessTokenRow | undefined> {
  return (await on('access_token').where({ token_hash: tokenHash }).first(accessTokenColumns)) as
    AccessTokenRow | undefined;
}

const heldAccessToken = keptStatement<{ state: AccountState | null }, readonly [tokenHash: string]>((on, tokenHash) =>
  on('access_token')
    .leftJoin('account', 'account.id', 'access_token.account_id')
    .where('access_token.token_hash', tokenHash)
    .select({ state: on.raw(standingState('account')) })
    .forShare(),
);

/** Whether the token exists and its account, if it has one, is active. Both stay so until the transaction ends. */
export async function holdAccessToken(trx: Transaction, tokenHash: string): Promise<boolean> {
  const [row] = await heldAccessToken(trx, tokenHash);
  return row !== undefined && (row.state === null || row.state === 'active');
}

const heldSession = keptStatement<unknown, readonly [tokenHash: string]>((on, tokenHash) =>
  on('session_token').where('token_hash', tokenHash).select(on.raw('1')).forShare(),
);

/**
 * Whether the session exists. It stays so until the transaction ends. Accounts that are not active have no sessions.
 */
export async function holdSession(trx: Transaction, tokenHash: string): Promise<boolean> {
  return (await heldSession(trx, tokenHash)).length > 0;
}

const requestTokenColumns: Columns<keyof RequestTokenRow> = columnsNamed(
  'tokenHash',
  'secret',
  'verifier',
  'appId',
  'callback',
  'recordId',
  'carenetId',
  'claimedBy',
  'approvedBy',
  'approvedAt',
  'createdAt',
  'expiresAt',
);

export function insertRequestToken(trx: Transaction, row: RequestTokenRow): Promise<unknown> {
  return trx('request_token').insert(toColumns(requestTokenColumns, row));
}

function liveRequestToken(on: Reads, tokenHash: string, now: Timestamp): Knex.QueryBuilder {
  return on('request_token').where({ token_hash: tokenHash }).where('expires_at', '>', now).first(requestTokenColumns);
}

/** Undefined for an unknown or expired token. */
export async function findRequestToken(
  on: Reads,
  tokenHash: string,
  now: Timestamp,
): Promise<RequestTokenRow | undefined> {
  return (await liveRequestToken(on, tokenHash, now)) as RequestTokenRow | undefined;
}

/** Like findRequestToken, and locks the row for the rest of the transaction. */
export async function lockRequestToken(
  trx: Transaction,
  tokenHash: string,
  now: Timestamp,
): Promise<RequestTokenRow | undefined> {
  return (await liveRequestToken(trx, tokenHash, now).forUpdate()) as RequestTokenRow | undefined;
}

/** @returns false when another account was first */
export async function claimRequestToken(trx: Transaction, tokenHash: string, accountId: PrincipalId): Promise<boolean> {
  return (
    (await trx('request_token')
      .where({ token_hash: tokenHash })
      .where((either) => {
        void either.whereNull('claimed_by').orWhere({ claimed_by: accountId });
      })
      .update({ claimed_by: accountId })) === 1
  );
}

export type Approval = {
  readonly by: PrincipalId;
  readonly at: Timestamp;
  readonly recordId: Id | null;
  readonly carenetId: Id | null;
};

export function approveRequestToken(
  trx: Transaction,
  tokenHash: string,
  { by, at, recordId, carenetId }: Approval,
): Promise<unknown> {
  return trx('request_token')
    .where({ token_hash: tokenHash })
    .update({ claimed_by: by, approved_by: by, approved_at: at, record_id: recordId, carenet_id: carenetId });
}

/** @returns false when it was used already */
export async function deleteRequestToken(trx: Transaction, tokenHash: string): Promise<boolean> {
  return (await trx('request_token').where({ token_hash: tokenHash }).delete()) === 1;
}

/** Everything that decides whether the credentials of one consumer key and one token are valid. */
export type Standing = {
  readonly app: {
    readonly id: PrincipalId;
    readonly kind: AppKind;
    readonly autonomous: boolean;
    readonly secret: string;
  };
  readonly session: {
    readonly secret: string;
    readonly accountId: PrincipalId;
    readonly accountState: AccountState;
    readonly uiAppId: PrincipalId;
    readonly lastUsedAt: Timestamp;
    readonly expiresAt: Timestamp;
  } | null;
  readonly access: {
    readonly secret: string;
    readonly kind: AccessTokenKind;
    readonly expiresAt: Timestamp;
    readonly app: { readonly id: PrincipalId; readonly kind: AppKind; readonly autonomous: boolean };
    readonly accountId: PrincipalId | null;
    readonly accountState: AccountState | null;
    readonly recordId: Id;
    readonly carenetId: Id | null;
    /** The app is not retired, and enabled on the record; for a carenet also placed there. */
    readonly appEnabled: boolean;
    /** The account owns or fully shares the record. */
    readonly accountInControl: boolean;
    /** The account owns or fully shares the record, or is in the carenet of the token. */
    readonly accountAdmitted: boolean;
  } | null;
  readonly request: { readonly secret: string; readonly appId: PrincipalId; readonly expiresAt: Timestamp } | null;
};

type StandingRow = Record<
  | 'app_id'
  | 'app_kind'
  | 'app_secret'
  | 's_secret'
  | 's_account'
  | 's_state'
  | 's_ui_app'
  | 's_used'
  | 's_expires'
  | 't_secret'
  | 't_kind'
  | 't_expires'
  | 't_app'
  | 't_app_kind'
  | 't_app_retired'
  | 't_account'
  | 't_state'
  | 't_record'
  | 't_carenet'
  | 'enabled'
  | 'owner'
  | 'share'
  | 'placed'
  | 'member'
  | 'member_ends'
  | 'r_secret'
  | 'r_app'
  | 'r_expires',
  string | null
> & { app_autonomous: number; t_app_autonomous: number | null };

/**
 * Adds what decides whether the access token `t` is valid. Every join uses a primary or unique key, so this costs a few
 * index look-ups.
 */
function withAccess(on: Builder, query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .leftJoin('app as ta', 'ta.id', 't.app_id')
    .leftJoin('account as tc', 'tc.id', 't.account_id')
    .leftJoin('record_app as en', { 'en.record_id': 't.record_id', 'en.app_id': 't.app_id' })
    .leftJoin('record as rec', 'rec.id', 't.record_id')
    .leftJoin('record_share as sh', { 'sh.record_id': 't.record_id', 'sh.account_id': 't.account_id' })
    .leftJoin('carenet_app as pl', { 'pl.carenet_id': 't.carenet_id', 'pl.app_id': 't.app_id' })
    .leftJoin('carenet_account as cm', { 'cm.carenet_id': 't.carenet_id', 'cm.account_id': 't.account_id' })
    .select({
      t_secret: 't.secret',
      t_kind: 't.kind',
      t_expires: 't.expires_at',
      t_app: 'ta.id',
      t_app_kind: 'ta.kind',
      t_app_autonomous: 'ta.autonomous',
      t_app_retired: 'ta.retired_at',
      t_account: 't.account_id',
      t_state: on.raw(standingState('tc')),
      t_record: 't.record_id',
      t_carenet: 't.carenet_id',
      enabled: 'en.app_id',
      owner: 'rec.owner_id',
      share: 'sh.account_id',
      placed: 'pl.app_id',
      member: 'cm.account_id',
      member_ends: 'cm.ends_at',
    });
}

const APP_COLUMNS = {
  app_id: 'app.id',
  app_kind: 'app.kind',
  app_autonomous: 'app.autonomous',
  app_secret: 'app.consumer_secret',
};

/** Adds the session, access token or request token that `token` names to a query of apps. */
function withToken(on: Builder, query: Knex.QueryBuilder, token: Knex.Raw): Knex.QueryBuilder {
  return withAccess(
    on,
    query
      .leftJoin('session_token as s', 's.token_hash', token)
      .leftJoin('account as sa', 'sa.id', 's.account_id')
      .leftJoin('access_token as t', 't.token_hash', token)
      .leftJoin('request_token as r', 'r.token_hash', token),
  )
    .whereNull('app.retired_at')
    .select(APP_COLUMNS, {
      s_secret: 's.secret',
      s_account: 's.account_id',
      s_state: on.raw(standingState('sa')),
      s_ui_app: 's.ui_app_id',
      s_used: 's.last_used_at',
      s_expires: 's.expires_at',
      r_secret: 'r.secret',
      r_app: 'r.app_id',
      r_expires: 'r.expires_at',
    });
}

const readStandingOfApp = keptStatement<StandingRow, readonly [consumerKey: string]>((on, consumerKey) =>
  on('app').where('consumer_key', consumerKey).whereNull('retired_at').select(APP_COLUMNS),
);

const readOneStanding = keptStatement<StandingRow, readonly [consumerKey: string, tokenHash: string]>(
  (on, consumerKey, tokenHash) =>
    withToken(on, on('app').where('app.consumer_key', consumerKey), on.raw('?', [tokenHash])),
);

/** The values are pairs of a consumer key and a token hash. Each row has the number of its pair as `n`. */
const readStandings = keptStatement<StandingRow & { n: number }, readonly string[]>((on, ...values) => {
  const asked = Array.from({ length: values.length / 2 }, (_, n) =>
    on.queryBuilder().select(on.raw(`${n} as n, ? as consumer_key, ? as token_hash`, values.slice(2 * n, 2 * n + 2))),
  );
  const apps = on
    .from(on.queryBuilder().unionAll(asked).as('asked'))
    .join('app', 'app.consumer_key', 'asked.consumer_key')
    .select('asked.n');
  return withToken(on, apps, on.raw('asked.token_hash'));
});

function accessOf(row: StandingRow): Standing['access'] {
  if (!row.t_secret) {
    return null;
  }
  const inControl = row.t_account !== null && (row.owner === row.t_account || row.share !== null);
  // A token of a member ends with the membership, if not before.
  const ends = inControl ? null : row.member_ends;
  return {
    secret: row.t_secret,
    kind: row.t_kind as AccessTokenKind,
    expiresAt: ends !== null && ends < row.t_expires! ? ends : row.t_expires!,
    app: { id: row.t_app!, kind: row.t_app_kind as AppKind, autonomous: Number(row.t_app_autonomous) === 1 },
    accountId: row.t_account,
    accountState: row.t_state as AccountState | null,
    recordId: row.t_record!,
    carenetId: row.t_carenet,
    appEnabled: row.t_app_retired === null && row.enabled !== null && (row.t_carenet === null || row.placed !== null),
    accountInControl: inControl,
    accountAdmitted: inControl || (row.t_carenet !== null && row.member !== null),
  };
}

function readStanding(row: StandingRow): Standing {
  return {
    app: {
      id: row.app_id!,
      kind: row.app_kind as AppKind,
      autonomous: Number(row.app_autonomous) === 1,
      secret: row.app_secret!,
    },
    session: row.s_secret
      ? {
          secret: row.s_secret,
          accountId: row.s_account!,
          accountState: row.s_state as AccountState,
          uiAppId: row.s_ui_app!,
          lastUsedAt: row.s_used!,
          expiresAt: row.s_expires!,
        }
      : null,
    access: accessOf(row),
    request: row.r_secret ? { secret: row.r_secret, appId: row.r_app!, expiresAt: row.r_expires! } : null,
  };
}

export type BearerStanding = {
  readonly access: NonNullable<Standing['access']>;
  readonly consumerKey: string;
  readonly scopes: string;
  readonly grantHash: string | null;
  readonly createdAt: Timestamp;
};

type BearerRow = StandingRow & {
  consumer_key: string;
  scopes: string | null;
  grant_hash: string | null;
  created_at: string;
};

const readBearer = keptStatement<BearerRow, readonly [tokenHash: string]>((on, tokenHash) =>
  withAccess(on, on('access_token as t').where({ 't.token_hash': tokenHash, 't.kind': 'smart' })).select(
    'ta.consumer_key',
    't.scopes',
    't.grant_hash',
    't.created_at',
  ),
);

/** The current standing of a token of the FHIR door; undefined for an unknown token and for tokens that sign calls. */
export async function findBearerStanding(on: Reads, tokenHash: string): Promise<BearerStanding | undefined> {
  const [row] = await readBearer(on, tokenHash);
  const access = row && accessOf(row);
  return access
    ? {
        access,
        consumerKey: row.consumer_key,
        scopes: row.scopes ?? '',
        grantHash: row.grant_hash,
        createdAt: row.created_at,
      }
    : undefined;
}

/** @param tokenHash null: the call is signed with the consumer's key only */
export type Credentials = { readonly consumerKey: string; readonly tokenHash: string | null };

async function findStanding(on: Reads, { consumerKey, tokenHash }: Credentials): Promise<Standing | undefined> {
  const [row] =
    tokenHash === null ? await readStandingOfApp(on, consumerKey) : await readOneStanding(on, consumerKey, tokenHash);
  return row && readStanding(row);
}

async function findSeveral(on: Reads, asked: readonly Credentials[]): Promise<readonly (Standing | undefined)[]> {
  const values = padded(asked).flatMap(({ consumerKey, tokenHash }) => [consumerKey, tokenHash ?? '']);
  const rows = await readStandings(on, ...values);
  const found = new Map(rows.map((row) => [Number(row.n), row]));
  return asked.map((_, index) => {
    const row = found.get(index);
    return row && readStanding(row);
  });
}

function credentialsKey({ consumerKey, tokenHash }: Credentials): string {
  return `${tokenHash ?? ''} ${consumerKey}`;
}

/**
 * The current standings of consumers and tokens, read with one statement for all of them.
 * @returns the standings in the order of `asked`; undefined for an unknown or retired consumer
 */
export async function findStandings(
  on: Reads,
  asked: readonly Credentials[],
): Promise<readonly (Standing | undefined)[]> {
  const keys = asked.map(credentialsKey);
  const different = new Map(asked.map((credentials, index) => [keys[index]!, credentials]));
  const standings =
    different.size === 1 ? [await findStanding(on, asked[0]!)] : await findSeveral(on, [...different.values()]);
  const byKey = new Map([...different.keys()].map((key, index) => [key, standings[index]]));
  return keys.map((key) => byKey.get(key));
}
