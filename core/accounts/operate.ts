/**
 * operate: what an operator does to accounts from the command line: list, create, unlock and so on. Each change is in
 * the audit log.
 */
import type { Sealing } from '../auth/sealing';
import { isAddress } from '../auth/address';
import { isOneLine, LONGEST_NAME } from '../auth/full-name';
import type { Passwords } from '../auth/passwords';
import type { AuditSigner } from '../audit/signer';
import { recordTrail } from '../audit/trail';
import { toTimestamp, type Clock } from '../base/clock';
import { AppError, SetupError } from '../base/errors';
import type { PrincipalId } from '../base/types';
import type { Database, Transaction } from '../db/database';
import { isDuplicate } from '../db/db-errors';
import {
  insertAccount,
  findPasswordLogin,
  insertAuthSystem,
  lockAccount,
  newAccount,
  pageOfAccounts,
  setPasswordHash,
  updateAccount,
  type Account,
  type AccountRow,
} from './store';
import { deleteSecondFactor, setFailures } from '../tokens/second-factors-store';
import { endAccess } from '../tokens/store';
import { newSecrets, type PlainSecrets } from './new-secrets';

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

/** Every account whose id, name or address contains the text, ordered by id. */
export async function* listAccounts(
  { database }: Pick<OperatorTools, 'database'>,
  text: string,
): AsyncGenerator<Account> {
  let after = '';
  for (;;) {
    const page = await pageOfAccounts(database.reads, text, after);
    yield* page;
    const last = page.at(-1);
    if (!last) {
      return;
    }
    after = last.id;
  }
}

function refuseCommand(problem: string): never {
  throw new SetupError([problem]);
}

function requireGoodPassword(passwords: Passwords, password: string, names: readonly string[]): void {
  const problem = passwords.problem(password, names);
  if (problem !== undefined) {
    refuseCommand(`the password cannot be used: ${problem}`);
  }
}

/** A checked account, ready to be inserted by a transaction that may insert more than it. */
export type ReadyAccount = {
  readonly id: PrincipalId;
  readonly insert: (trx: Transaction) => Promise<void>;
};

/**
 * Prepares an active account that signs in with its id and a password.
 * @throws SetupError when the id is no address, the name is too long, or the password is too weak
 */
export async function readyAccount(
  { clock, passwords }: Pick<OperatorTools, 'clock' | 'passwords'>,
  { id: given, fullName, contactEmail, password }: NewAccount,
): Promise<ReadyAccount> {
  // As in the interface, ids that differ only in case are the same id.
  const id = given.trim().toLowerCase();
  for (const address of [id, contactEmail]) {
    if (!isAddress(address)) {
      refuseCommand(`${address} is no e-mail address`);
    }
  }
  if (!isOneLine(fullName, LONGEST_NAME)) {
    refuseCommand(`the name must be one line of at most ${LONGEST_NAME} characters`);
  }
  requireGoodPassword(passwords, password, [id, fullName, contactEmail]);
  const now = toTimestamp(clock.now());
  const passwordHash = await passwords.hash(password);
  return {
    id,
    insert: async (trx) => {
      await insertAccount(
        trx,
        newAccount({
          id,
          fullName,
          contactEmail,
          state: 'active',
          lastStateChange: now,
          createdAt: now,
          createdBy: null,
        }),
      );
      await insertAuthSystem(trx, { accountId: id, system: 'password', username: id, passwordHash });
    },
  };
}

/** What is wrong when an account or its user name cannot be inserted. */
export function insertFailure(error: unknown, id: PrincipalId): unknown {
  return isDuplicate(error) || (error instanceof AppError && error.code === 'duplicate')
    ? new SetupError([`${id} is in use already, as an account or as a user name`])
    : error;
}

/**
 * Makes an account.
 * @returns its id
 * @throws SetupError as `readyAccount` does, and when the id is taken
 */
export async function createAccount(tools: OperatorTools, given: NewAccount): Promise<PrincipalId> {
  const { id, insert } = await readyAccount(tools, given);
  try {
    await tools.database.transaction(insert);
  } catch (error) {
    throw insertFailure(error, id);
  }
  await recordTrail(tools, [{ function_name: 'account_create', account_id: id }]);
  return id;
}

type ChangeTools = Omit<OperatorTools, 'passwords'>;

/**
 * Changes an account in one transaction, and writes the change into the audit log.
 * @param name of the change in the audit log
 * @throws SetupError for an unknown account
 */
async function changeAccount<T>(
  { database, clock, signer }: ChangeTools,
  id: PrincipalId,
  name: string,
  change: (trx: Transaction, account: AccountRow) => Promise<T>,
): Promise<T> {
  const result = await database.transaction(async (trx) =>
    change(trx, (await lockAccount(trx, id)) ?? refuseCommand(`there is no account ${id}`)),
  );
  await recordTrail({ database, signer, clock }, [{ function_name: name, account_id: id }]);
  return result;
}

function refuseRetired({ state }: AccountRow): void {
  if (state === 'retired') {
    refuseCommand('the account is retired: it stays so');
  }
}

/**
 * Makes a disabled account active again, and resets its counts of failed log-ins and wrong codes.
 * @returns false when it was not disabled
 * @throws SetupError for an unknown, retired or uninitialized account
 */
export function unlockAccount(tools: ChangeTools, id: PrincipalId): Promise<boolean> {
  return changeAccount(tools, id, 'account_set_state', async (trx, account) => {
    if (account.state === 'retired' || account.state === 'uninitialized') {
      refuseCommand(`the account is ${account.state}: only a disabled account can be unlocked`);
    }
    await updateAccount(trx, id, {
      state: 'active',
      failedLoginCount: 0,
      lastFailedLoginAt: null,
      ...(account.state === 'active' ? {} : { lastStateChange: toTimestamp(tools.clock.now()) }),
    });
    await setFailures(trx, id, 0, null);
    return account.state === 'disabled';
  });
}

/**
 * Disables an account: nobody can sign in with it any more, its sessions end, and so do the tokens of apps that act for
 * it.
 * @returns false when it was disabled already
 * @throws SetupError for an unknown or a retired account
 */
export function disableAccount(tools: ChangeTools, id: PrincipalId): Promise<boolean> {
  return changeAccount(tools, id, 'account_set_state', async (trx, account) => {
    refuseRetired(account);
    await updateAccount(trx, id, {
      state: 'disabled',
      lastStateChange: toTimestamp(tools.clock.now()),
      // With the time of a failed log-in it would be a lock-out, which ends by itself.
      lastFailedLoginAt: null,
    });
    await endAccess(trx, id);
    return account.state !== 'disabled';
  });
}

/**
 * Takes an account back to the state before its activation; its password and its records stay, its sessions end.
 * @returns its new secrets
 * @throws SetupError for an unknown account
 */
export async function resetAccount(
  tools: ChangeTools & { readonly sealing: Sealing },
  id: PrincipalId,
): Promise<PlainSecrets & { readonly hasPassword: boolean }> {
  const { plain, stored } = newSecrets(tools, { secondary: true });
  const hasPassword = await changeAccount(tools, id, 'account_reset', async (trx) => {
    await updateAccount(trx, id, {
      ...stored,
      state: 'uninitialized',
      lastStateChange: toTimestamp(tools.clock.now()),
      failedLoginCount: 0,
      lastFailedLoginAt: null,
    });
    await endAccess(trx, id);
    return (await findPasswordLogin(trx, id)) !== undefined;
  });
  return { ...plain, hasPassword };
}

/**
 * Gives an account another password and makes it active; its sessions end.
 * @throws SetupError for an unknown or a retired account, a password that is too weak, or a user name that somebody
 * else has
 */
export async function setAccountPassword(tools: OperatorTools, id: PrincipalId, password: string): Promise<void> {
  requireGoodPassword(tools.passwords, password, [id]);
  const passwordHash = await tools.passwords.hash(password);
  const change = async (trx: Transaction, account: AccountRow): Promise<void> => {
    refuseRetired(account);
    if ((await findPasswordLogin(trx, id)) === undefined) {
      await insertAuthSystem(trx, { accountId: id, system: 'password', username: id, passwordHash });
    } else {
      await setPasswordHash(trx, id, passwordHash);
    }
    await updateAccount(trx, id, {
      state: 'active',
      lastStateChange: toTimestamp(tools.clock.now()),
      failedLoginCount: 0,
      lastFailedLoginAt: null,
      primarySecret: null,
      secretsExpireAt: null,
      secretFailures: 0,
    });
    await endAccess(trx, id);
  };
  try {
    await changeAccount(tools, id, 'account_password_set', change);
  } catch (error) {
    throw insertFailure(error, id);
  }
}

/**
 * Turns off the second factor, so that the website asks for the password only. This helps a person who lost both the
 * telephone and the recovery codes.
 * @returns false when the website asked for no code before
 * @throws SetupError for an unknown account
 */
export function dropSecondFactor(tools: ChangeTools, id: PrincipalId): Promise<boolean> {
  return changeAccount(tools, id, 'account_second_factor_end', (trx) => deleteSecondFactor(trx, id));
}
