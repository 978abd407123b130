/** operate: what an operator does to accounts from the command line: list, create, unlock; each change stands in the audit log. */
import { isAddress } from '../auth/address';
import { passwordProblem, type Passwords } from '../auth/passwords';
import type { AuditSigner } from '../audit/signer';
import { recordTrail } from '../audit/trail';
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { PrincipalId } from '../base/types';
import type { Database } from '../storage/database';
import { isDuplicate } from '../storage/db-errors';
import {
  insertAccount,
  insertAuthSystem,
  lockAccount,
  pageOfAccounts,
  updateAccount,
  type Account,
} from '../storage/stores/accounts';

export type OperatorTools = {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly signer: AuditSigner;
};

export type NewAccount = {
  readonly id: PrincipalId;
  readonly fullName: string;
  readonly contactEmail: string;
  readonly password: string;
};

/** Every account whose id, name or address contains the text, by id. */
export async function* listAccounts(
  { database }: Pick<OperatorTools, 'database'>,
  text: string,
): AsyncGenerator<Account> {
  let after = '';
  for (;;) {
    const page = await pageOfAccounts(database.knex, text, after);
    yield* page;
    const last = page.at(-1);
    if (!last) {
      return;
    }
    after = last.id;
  }
}

const refuse = (problem: string): never => {
  throw new SetupError([problem]);
};

/**
 * Makes an active account that signs in with its id and a password; answers the id.
 * @throws SetupError when the id is taken or no address, or the password is too weak
 */
export const createAccount = async (
  { database, clock, passwords, signer }: OperatorTools,
  { id: given, fullName, contactEmail, password }: NewAccount,
): Promise<PrincipalId> => {
  // As the interface does: ids differ by more than their case.
  const id = given.trim().toLowerCase();
  for (const address of [id, contactEmail]) {
    if (!isAddress(address)) {
      refuse(`${address} is no e-mail address`);
    }
  }
  const problem = passwordProblem(password);
  if (problem !== undefined) {
    refuse(`the password cannot be used: ${problem}`);
  }
  const now = toTimestamp(clock.now());
  const passwordHash = await passwords.hash(password);
  try {
    await database.transaction(async (trx) => {
      await insertAccount(trx, {
        id,
        fullName,
        contactEmail,
        state: 'active',
        lastStateChange: now,
        lastLoginAt: null,
        totalLoginCount: 0,
        failedLoginCount: 0,
        lastFailedLoginAt: null,
        primarySecret: null,
        secondarySecret: null,
        secretsExpireAt: null,
        secretFailures: 0,
        createdAt: now,
        createdBy: null,
      });
      await insertAuthSystem(trx, { accountId: id, system: 'password', username: id, passwordHash });
    });
  } catch (error) {
    throw isDuplicate(error) ? new SetupError([`${id} is in use already`]) : error;
  }
  await recordTrail({ database, signer, clock }, [{ function_name: 'account_create', account_id: id }]);
  return id;
};

/**
 * Makes a disabled account active again and forgets its failed log-ins.
 * @returns false when it was not disabled
 * @throws SetupError for an unknown, retired or uninitialized account
 */
export const unlockAccount = async (
  { database, clock, signer }: Omit<OperatorTools, 'passwords'>,
  id: PrincipalId,
): Promise<boolean> => {
  const changed = await database.transaction(async (trx) => {
    const account = (await lockAccount(trx, id)) ?? refuse(`there is no account ${id}`);
    if (account.state === 'retired' || account.state === 'uninitialized') {
      refuse(`the account is ${account.state}: only a disabled account can be unlocked`);
    }
    await updateAccount(trx, id, {
      state: 'active',
      failedLoginCount: 0,
      lastFailedLoginAt: null,
      ...(account.state === 'active' ? {} : { lastStateChange: toTimestamp(clock.now()) }),
    });
    return account.state === 'disabled';
  });
  await recordTrail({ database, signer, clock }, [{ function_name: 'account_set_state', account_id: id }]);
  return changed;
};
