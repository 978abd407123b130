/** store: rows of account and its auth systems (specification 2.1). */
import { errors } from '../base/errors';
import type { AccountState, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable, toColumns, type Columns } from '../db/columns';
import type { Reads, Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { keptStatement } from '../db/kept-statement';
import { insertPrincipal, renamePrincipal } from './principals-store';

export type AuthSystem = { readonly name: string; readonly username: string };

export type AccountRow = {
  readonly id: PrincipalId;
  readonly fullName: string;
  readonly contactEmail: string;
  readonly state: AccountState;
  readonly lastStateChange: Timestamp | null;
  readonly lastLoginAt: Timestamp | null;
  readonly totalLoginCount: number;
  readonly failedLoginCount: number;
  readonly lastFailedLoginAt: Timestamp | null;
  /** Sealed. */
  readonly primarySecret: string | null;
  /**
   * Sealed. It is valid only together with a primary secret that has not expired. After that it shows that the account
   * needs a secondary secret.
   */
  readonly secondarySecret: string | null;
  readonly secretsExpireAt: Timestamp | null;
  /** Wrong secrets since the secondary one was made, or the primary one if there is no other. */
  readonly secretFailures: number;
  readonly createdAt: Timestamp;
  readonly createdBy: PrincipalId | null;
  /** The language for mails that the person chose at the website; null: none, so the next one is used. */
  readonly chosenLanguage: string | null;
  /** Language of the page on which the person last signed in; null: not known. */
  readonly spokenLanguage: string | null;
  /**
   * 1: nobody has shown that the contact address is the account's, because the account gave it by a call of the
   * interface. The account is not found by such an address, and cannot have it as its user name.
   */
  readonly unconfirmedEmail: 0 | 1 | null;
};

/** An account that cannot sign in yet and has no secrets. */
export function newAccount(
  given: Pick<AccountRow, 'id' | 'fullName' | 'contactEmail' | 'createdAt' | 'createdBy'> & Partial<AccountRow>,
): AccountRow {
  return {
    state: 'uninitialized',
    lastStateChange: null,
    lastLoginAt: null,
    totalLoginCount: 0,
    failedLoginCount: 0,
    lastFailedLoginAt: null,
    primarySecret: null,
    secondarySecret: null,
    secretsExpireAt: null,
    secretFailures: 0,
    chosenLanguage: null,
    spokenLanguage: null,
    unconfirmedEmail: null,
    ...given,
  };
}

export type Account = AccountRow & { /** By name. */ readonly authSystems: readonly AuthSystem[] };

const columns: Columns<keyof AccountRow> = columnsNamed(
  'id',
  'fullName',
  'contactEmail',
  'state',
  'lastStateChange',
  'lastLoginAt',
  'totalLoginCount',
  'failedLoginCount',
  'lastFailedLoginAt',
  'primarySecret',
  'secondarySecret',
  'secretsExpireAt',
  'secretFailures',
  'createdAt',
  'createdBy',
  'chosenLanguage',
  'spokenLanguage',
  'unconfirmedEmail',
);

const selection = inTable('account', columns);

/**
 * Whether another account has this user name. The row, or the gap where it would be, stays locked until the transaction
 * ends.
 */
export async function isNameOfOther(trx: Transaction, id: PrincipalId, username: string): Promise<boolean> {
  return (
    (await trx('account_auth_system')
      .where({ auth_system: 'password', username })
      .whereNot({ account_id: id })
      .forUpdate()
      .first('account_id')) !== undefined
  );
}

/**
 * Fails with the driver's duplicate error when an account or app has the id.
 * @throws errors.duplicate when it is the user name of another account
 */
export async function insertAccount(trx: Transaction, account: AccountRow): Promise<void> {
  await insertPrincipal(trx, {
    id: account.id,
    kind: 'account',
    name: account.fullName,
    createdAt: account.createdAt,
    createdBy: account.createdBy,
  });
  await trx('account').insert({
    ...toColumns(columns, account),
    search_name: account.fullName.toLowerCase(),
    search_email: account.contactEmail.toLowerCase(),
  });
  // A name and an id that are given away at the same moment see each other here, because both are locked after they
  // were written.
  if (await isNameOfOther(trx, account.id, account.id)) {
    throw errors.duplicate('The account_id');
  }
}

type AuthSystemRow = { account_id: string; auth_system: string; username: string };

async function withAuthSystems(on: Reads, rows: readonly AccountRow[]): Promise<readonly Account[]> {
  const systems: AuthSystemRow[] = [];
  for (const some of inParts(rows)) {
    systems.push(
      ...((await on('account_auth_system')
        .whereIn(
          'account_id',
          some.map(({ id }) => id),
        )
        .orderBy('auth_system')
        .select('account_id', 'auth_system', 'username')) as AuthSystemRow[]),
    );
  }
  const of = (id: PrincipalId): readonly AuthSystem[] =>
    systems
      .filter((system) => system.account_id === id)
      .map((system) => ({ name: system.auth_system, username: system.username }));
  return rows.map((row) => ({ ...row, authSystems: of(row.id) }));
}

export async function findAccount(on: Reads, id: PrincipalId): Promise<Account | undefined> {
  const row = (await on('account').where({ id }).first(selection)) as AccountRow | undefined;
  return row && (await withAuthSystems(on, [row]))[0];
}

/** The account and its user name at the password system, null before a password was chosen, in one statement. */
export async function findWithUsername(
  on: Reads,
  id: PrincipalId,
): Promise<(AccountRow & { readonly username: string | null }) | undefined> {
  return (await on('account')
    .where({ id })
    .first({
      ...selection,
      username: on('account_auth_system')
        .where({ account_id: on.ref('account.id'), auth_system: 'password' })
        .select('username'),
    })) as (AccountRow & { username: string | null }) | undefined;
}

/** Locks the row for the rest of the transaction, so that two changes of one account never mix. */
export async function lockAccount(trx: Transaction, id: PrincipalId): Promise<AccountRow | undefined> {
  return (await trx('account').where({ id }).forUpdate().first(selection)) as AccountRow | undefined;
}

/** The fields that distinguish a lock-out from the state that an admin app sets to `disabled`. */
export type LockState = Pick<AccountRow, 'state' | 'lastStateChange' | 'lastFailedLoginAt'>;

/**
 * Whether the account was disabled by its last failed log-in. Its password is refused for a while, but its open
 * sessions and tokens stay valid.
 */
export function isLocked({ state, lastStateChange, lastFailedLoginAt }: LockState): boolean {
  return state === 'disabled' && lastFailedLoginAt !== null && lastFailedLoginAt === lastStateChange;
}

/**
 * SQL for the state of an account that applies to its sessions and tokens, which a lock-out does not end.
 * @param account name of the table in the statement
 */
export function standingState(account: string): string {
  return (
    `case when ${account}.state = 'disabled' and ${account}.last_failed_login_at = ${account}.last_state_change ` +
    `then 'active' else ${account}.state end`
  );
}

const readStandingState = keptStatement<{ state: AccountState }, readonly [id: PrincipalId]>((on, id) =>
  on('account')
    .where({ id })
    .select({ state: on.raw(standingState('account')) }),
);

/** The state of an account that applies to its sessions and tokens; undefined for an unknown account. */
export async function findStandingState(on: Reads, id: PrincipalId): Promise<AccountState | undefined> {
  return (await readStandingState(on, id))[0]?.state;
}

/** Accounts that were disabled by a failed log-in at the given time or earlier. */
export async function findLockedSince(on: Reads, at: Timestamp): Promise<readonly PrincipalId[]> {
  return (await on('account')
    .where('state', 'disabled')
    .where('last_failed_login_at', '<=', at)
    .whereRaw('last_state_change = last_failed_login_at')
    .limit(1000)
    .pluck('id')) as PrincipalId[];
}

export async function updateAccount(
  trx: Transaction,
  id: PrincipalId,
  changes: Partial<Omit<AccountRow, 'id'>>,
): Promise<void> {
  const { fullName, contactEmail } = changes;
  await trx('account')
    .where({ id })
    .update({
      ...toColumns(columns, changes),
      ...(fullName === undefined ? {} : { search_name: fullName.toLowerCase() }),
      ...(contactEmail === undefined ? {} : { search_email: contactEmail.toLowerCase() }),
    });
  if (fullName !== undefined) {
    await renamePrincipal(trx, id, fullName);
  }
}

export type AccountSearch = {
  readonly fullName: string;
  readonly contactEmail: string;
  readonly limit: number;
  readonly offset: number;
};

/**
 * Accounts whose name or address contains the text asked for, ignoring case, in the order of their ids. Empty texts
 * find nothing.
 */
export async function searchAccounts(on: Reads, search: AccountSearch): Promise<readonly Account[]> {
  const rows = (await on('account')
    .where((any) => {
      for (const [column, text] of [
        ['search_name', search.fullName],
        ['search_email', search.contactEmail],
      ] as const) {
        if (text !== '') {
          void any.orWhereRaw('instr(??, ?) > 0', [column, text.toLowerCase()]);
        }
      }
    })
    .orderBy('id')
    .limit(search.limit)
    .offset(search.offset)
    .select(selection)) as AccountRow[];
  return withAuthSystems(on, rows);
}

const PAGE = 500;

/**
 * The next accounts after an id, in the order of their ids, whose id, name or address contains the text, ignoring case.
 */
export async function pageOfAccounts(on: Reads, text: string, after: PrincipalId): Promise<readonly Account[]> {
  const rows = (await on('account')
    .where('id', '>', after)
    .where((any) => {
      for (const column of ['search_name', 'search_email', 'id']) {
        void any.orWhereRaw(column === 'id' ? 'instr(lower(??), ?) > 0' : 'instr(??, ?) > 0', [
          column,
          text.toLowerCase(),
        ]);
      }
    })
    .orderBy('id')
    .limit(PAGE)
    .select(selection)) as AccountRow[];
  return withAuthSystems(on, rows);
}

export type NewAuthSystem = {
  readonly accountId: PrincipalId;
  readonly system: string;
  readonly username: string;
  readonly passwordHash: string | null;
};

/** Fails with the driver's duplicate error when the account is on the system or the username is taken there. */
export function insertAuthSystem(
  trx: Transaction,
  { accountId, system, username, passwordHash }: NewAuthSystem,
): Promise<unknown> {
  return trx('account_auth_system').insert({
    account_id: accountId,
    auth_system: system,
    username,
    password_hash: passwordHash,
  });
}

export type Login = { readonly accountId: PrincipalId; readonly passwordHash: string | null };

/** A user name of an auth system, with what decides whether its account may sign in. */
export async function findLogin(on: Reads, system: string, username: string): Promise<(Login & LockState) | undefined> {
  return (await on('account_auth_system')
    .join('account', 'account.id', 'account_auth_system.account_id')
    .where({ auth_system: system, username })
    .first({
      accountId: 'account_id',
      passwordHash: 'password_hash',
      state: 'account.state',
      lastStateChange: 'account.last_state_change',
      lastFailedLoginAt: 'account.last_failed_login_at',
    })) as (Login & LockState) | undefined;
}

export type NamedAccount = { readonly id: PrincipalId; readonly fullName: string };

type Found = NamedAccount & { readonly how: 'login' | 'id' | 'address'; readonly among: number };

/** One statement: the accounts with this user name, id or confirmed contact address. */
async function findAllNamed(on: Reads, name: string): Promise<readonly Found[]> {
  const login = on('account_auth_system')
    .where({ auth_system: 'password', username: name })
    .select(on.raw("'login' as how"), 'account_id as named', on.raw('1 as among'));
  const byId = on('account').where({ id: name }).select(on.raw("'id' as how"), 'id as named', on.raw('1 as among'));
  const byAddress = on('account')
    .where({ search_email: name })
    .whereRaw('coalesce(unconfirmed_email, 0) = 0')
    .select(on.raw("'address' as how"), on.raw('min(id) as named'), on.raw('count(*) as among'));
  return (await on
    .from(login.unionAll([byId, byAddress]).as('found'))
    .join('account', 'account.id', 'found.named')
    .select('found.how', 'found.among', { id: 'account.id', fullName: 'account.full_name' })) as readonly Found[];
}

/**
 * The account that a person means by a user name, an id or a contact address. A name with @ counts only if user name
 * and address do not lead to different accounts.
 */
export async function findNamed(on: Reads, name: string): Promise<NamedAccount | undefined> {
  const found = await findAllNamed(on, name);
  const of = (wanted: Found['how']): Found | undefined =>
    found.find(({ how, among }) => how === wanted && Number(among) === 1);
  const login = of('login');
  if (!name.includes('@')) {
    return login;
  }
  const owner = of('id') ?? of('address');
  return login === undefined || login.id === owner?.id ? owner : undefined;
}

export async function findPasswordLogin(on: Reads, accountId: PrincipalId): Promise<Login | undefined> {
  return (await on('account_auth_system')
    .where({ account_id: accountId, auth_system: 'password' })
    .first({ accountId: 'account_id', passwordHash: 'password_hash' })) as Login | undefined;
}

/** Whether this is still the account's password. If so, the password cannot change until the transaction ends. */
export async function holdPassword(trx: Transaction, accountId: PrincipalId, passwordHash: string): Promise<boolean> {
  return (
    (await trx('account_auth_system')
      .where({ account_id: accountId, auth_system: 'password', password_hash: passwordHash })
      .forUpdate()
      .first('account_id')) !== undefined
  );
}

/** @returns false when the account has no password login */
export async function setPasswordHash(
  trx: Transaction,
  accountId: PrincipalId,
  passwordHash: string,
): Promise<boolean> {
  return (
    (await trx('account_auth_system')
      .where({ account_id: accountId, auth_system: 'password' })
      .update({ password_hash: passwordHash })) === 1
  );
}

/** Whether the id is that of an account, whose row is then locked until the transaction ends. */
export async function holdId(trx: Transaction, id: PrincipalId): Promise<boolean> {
  return (await trx('account').where({ id }).forUpdate().first('id')) !== undefined;
}

/** Fails with the driver's duplicate error when the name is taken. @returns false when it is the name already */
export async function setUsername(trx: Transaction, accountId: PrincipalId, username: string): Promise<boolean> {
  return (
    (await trx('account_auth_system')
      .where({ account_id: accountId, auth_system: 'password' })
      .whereNot({ username })
      .update({ username })) === 1
  );
}

export type FreedName = { readonly accountId: PrincipalId; readonly username: string };

/** Some of the user names that a migration has freed, and of which nobody was told yet. */
export async function findFreedNames(on: Reads, most: number): Promise<readonly FreedName[]> {
  return (await on('freed_username')
    .orderBy('freed_at')
    .limit(most)
    .select({ accountId: 'account_id', username: 'username' })) as FreedName[];
}

/** @returns false when another process has told of it */
export async function dropFreedName(trx: Transaction, accountId: PrincipalId): Promise<boolean> {
  return (await trx('freed_username').where({ account_id: accountId }).delete()) === 1;
}

/**
 * The accounts that are notified about a record: the owner, if it is an account, and the accounts with a full share.
 * Retired accounts are left out.
 */
export async function accountsAuthorizedOn(on: Reads, recordId: string): Promise<readonly AccountRow[]> {
  const owner = on('record').where({ id: recordId }).whereNotNull('owner_id').select('owner_id as id');
  const sharing = on('record_share').where({ record_id: recordId }).select('account_id as id');
  return (await on
    .from(owner.union(sharing).as('authorized'))
    .join('account', 'account.id', 'authorized.id')
    .whereNot('account.state', 'retired')
    .orderBy('account.id')
    .select(selection)) as AccountRow[];
}
