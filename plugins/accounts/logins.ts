/** logins: the auth systems through which an account signs in, and its password (specification 5.7). */
import { requireOwnName } from '../../core/accounts/usernames';
import { limitGuesses } from '../../core/auth/attempts';
import { countFailedLogin, unlocked } from '../../core/auth/lockout';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { isDuplicate } from '../../core/db/db-errors';
import { isLocked, type Account, type AccountRow } from '../../core/accounts/store';
import { lockedAccount, requireAccount, type InAccount } from './find';
import { sendPasswordChanged, sendUsernameChanged } from '../../core/accounts/letters';
import { noSecrets } from './secrets';
import * as accountStore from '../../core/accounts/store';
import * as tokenStore from '../../core/tokens/store';

export type NewLogin = { username: string; system: string; password: string };

const PASSWORD = 'password';

/** @param names of the person, which the password must not hold */
function checkPassword(
  { passwords }: Services,
  { field, names }: { readonly field: string; readonly names: readonly string[] },
  password: string,
): void {
  const problem = passwords.problem(password, names);
  if (problem !== undefined) {
    throw errors.invalidParameter(field, problem);
  }
}

function namesOfPerson({
  id,
  fullName,
  contactEmail,
  authSystems = [],
}: AccountRow & Partial<Pick<Account, 'authSystems'>>): readonly string[] {
  return [id, fullName, contactEmail, ...authSystems.map(({ username }) => username)];
}

/**
 * What a new password changes in addition to the hash: the account's secrets become void, and its lock-out and its
 * count of failures end.
 */
function afterNewPassword(
  { clock }: Services,
  trx: Transaction,
  account: AccountRow,
  { activates }: { readonly activates: boolean },
): Promise<void> {
  return accountStore.updateAccount(trx, account.id, {
    ...noSecrets,
    failedLoginCount: 0,
    ...(activates || isLocked(account) ? unlocked(clock) : {}),
  });
}

/** @throws errors.notFound for an unknown account, errors.refused for a retired one */
async function lockUsable(trx: Transaction, id: string): Promise<AccountRow> {
  const account = await lockedAccount(trx, id);
  if (account.state === 'retired') {
    throw errors.refused('the account is retired');
  }
  return account;
}

/**
 * Adds an auth system: with a password, the account becomes active; an external one is a name and nothing else.
 * 403 for an unknown system; 400 when the account is on the system already, the name is taken there, or it is somebody
 * else's address.
 */
export async function addAuthSystem({ params, body, services }: Call<InAccount, unknown, NewLogin>): Promise<void> {
  const { database, config, passwords } = services;
  const internal = body.system === PASSWORD;
  if (internal && body.password === '') {
    throw errors.missingParameter('password');
  }
  if (!internal && !config.authSystems.includes(body.system)) {
    throw errors.refused('the auth system is not known');
  }
  const id = params.ACCOUNT_EMAIL;
  if (internal) {
    checkPassword(services, { field: 'password', names: [id, body.username] }, body.password);
  }
  const passwordHash = internal ? await passwords.hash(body.password) : null;
  try {
    await database.transaction(async (trx) => {
      const account = await lockUsable(trx, id);
      await accountStore.insertAuthSystem(trx, {
        accountId: id,
        system: body.system,
        username: body.username,
        passwordHash,
      });
      if (internal) {
        await requireOwnName(trx, account, body.username);
        checkPassword(services, { field: 'password', names: namesOfPerson(account) }, body.password);
        await afterNewPassword(services, trx, account, { activates: account.state !== 'active' });
        await tokenStore.endSessions(trx, id);
      }
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The auth system of this account or the username') : error;
  }
}

type Change = Call<InAccount, unknown, { old: string; new: string }>;

/**
 * Checks the account's password. A wrong one counts as a failed log-in.
 * @returns its hash
 * @throws errors.refused when it is wrong or the account has no password
 */
async function requirePassword(services: Services, accountId: string, given: string): Promise<string> {
  const { database, passwords } = services;
  const login = await accountStore.findPasswordLogin(database.reads, accountId);
  const hash = login?.passwordHash ?? null;
  if ((await passwords.verify(hash, given, accountId)) && hash !== null) {
    return hash;
  }
  if (login) {
    // An account without a password is not locked: there is nothing to guess.
    await database.transaction((trx) => countFailedLogin(trx, services, accountId));
  }
  throw wrongPassword();
}

function wrongPassword(): Error {
  return errors.refused('the old password is not right');
}

/**
 * Runs work that begins with a check of the password of a person who is signed in. 429 after too many wrong ones in a
 * minute. The lock-out alone would not stop further guesses, because it does not end sessions.
 */
function guessing<T>(services: Services, accountId: string, work: () => Promise<T>): Promise<T> {
  return limitGuesses(
    services,
    { name: `old password ${accountId}`, limit: services.config.rateAccountPerMinute },
    work,
  );
}

/** @throws errors.refused when the password is wrong, errors.tooManyRequests after too many wrong ones in a minute */
export async function provePassword(services: Services, accountId: string, given: string): Promise<void> {
  await guessing(services, accountId, () => requirePassword(services, accountId, given));
}

async function change({ params, body, principal, services }: Change): Promise<void> {
  const { database, passwords } = services;
  const names = namesOfPerson(await requireAccount(services, params.ACCOUNT_EMAIL));
  checkPassword(services, { field: 'new', names }, body.new);
  const oldHash = await requirePassword(services, params.ACCOUNT_EMAIL, body.old);
  const passwordHash = await passwords.hash(body.new, params.ACCOUNT_EMAIL);
  await database.transaction(async (trx) => {
    const account = await lockUsable(trx, params.ACCOUNT_EMAIL);
    // Another request may have changed the password since it was checked.
    if (!(await accountStore.holdPassword(trx, account.id, oldHash))) {
      throw wrongPassword();
    }
    await accountStore.setPasswordHash(trx, account.id, passwordHash);
    await afterNewPassword(services, trx, account, { activates: false });
    await tokenStore.endSessions(trx, account.id, principal.kind === 'account' ? principal.sessionHash : undefined);
    await sendPasswordChanged(services, trx, account);
  });
}

/**
 * Changes the password, and tells the person by mail; the session that makes the change stays, all others end
 * (specification 4.1). 400 for a new password that cannot be used, 403 when the old one is wrong or there is none, 429
 * after too many wrong ones in a minute.
 */
export function changePassword(call: Change): Promise<void> {
  return guessing(call.services, call.params.ACCOUNT_EMAIL, () => change(call));
}

/**
 * Sets the password without the old one (specification 4.1). Sessions and tokens end, because whoever knew the old
 * password may have opened them. An account that an admin app has disabled stays disabled. 400 for a password that
 * cannot be used and for an account without a password login, 403 for a retired account, 404 for an unknown one.
 */
export async function setPassword({
  params,
  body,
  services,
}: Call<InAccount, unknown, { password: string }>): Promise<void> {
  const { database, passwords } = services;
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  const { id } = account;
  checkPassword(services, { field: 'password', names: namesOfPerson(account) }, body.password);
  const passwordHash = await passwords.hash(body.password);
  await database.transaction(async (trx) => {
    const locked = await lockUsable(trx, id);
    if (!(await accountStore.setPasswordHash(trx, id, passwordHash))) {
      throw errors.invalidState('the account has no password login');
    }
    await afterNewPassword(services, trx, locked, { activates: locked.state === 'uninitialized' });
    await tokenStore.endAccess(trx, id);
    await sendPasswordChanged(services, trx, locked);
  });
}

/**
 * Sets the user name, and tells the person by mail. 400 when the account has no password login, the name is taken, or
 * it is somebody else's address (specification 4.1), 404 for an unknown account.
 */
export async function setUsername({
  params,
  body,
  services,
}: Call<InAccount, unknown, { username: string }>): Promise<void> {
  const { database } = services;
  const { id } = await requireAccount(services, params.ACCOUNT_EMAIL);
  if (!(await accountStore.findPasswordLogin(database.reads, id))) {
    throw errors.invalidState('the account has no password login');
  }
  try {
    await database.transaction(async (trx) => {
      const account = await lockedAccount(trx, id);
      if (await accountStore.setUsername(trx, id, body.username)) {
        await requireOwnName(trx, account, body.username);
        await sendUsernameChanged(services, trx, account, body.username);
      }
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The username') : error;
  }
}
