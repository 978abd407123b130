/** find: the account of the path. */
import { errors } from '../../core/base/errors';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { Account, AccountRow } from '../../core/accounts/store';
import * as accountStore from '../../core/accounts/store';

export type InAccount = { ACCOUNT_EMAIL: string };

/** @throws errors.notFound: callers whom the access rule lets in may know which accounts exist */
export async function requireAccount({ database }: Services, id: string): Promise<Account> {
  const account = await accountStore.findAccount(database.reads, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
}

/**
 * The account, whose row is locked until the transaction ends, so that concurrent calls count their failures one after
 * the other.
 * @throws errors.notFound
 */
export async function lockedAccount(trx: Transaction, id: string): Promise<AccountRow> {
  const account = await accountStore.lockAccount(trx, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
}
