/** find: the account of the path. */
import { errors } from '../../core/base/errors';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { Account, AccountRow } from '../../core/accounts/store';

export type InAccount = { ACCOUNT_EMAIL: string };

/** @throws errors.notFound: callers whom the access rule lets in may know which accounts exist */
export const requireAccount = async ({ stores, database }: Services, id: string): Promise<Account> => {
  const account = await stores.accounts.findAccount(database.reads, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
};

/**
 * The account, whose row is locked until the transaction ends, so that concurrent calls count their failures one after
 * the other.
 * @throws errors.notFound
 */
export const lockedAccount = async ({ stores }: Services, trx: Transaction, id: string): Promise<AccountRow> => {
  const account = await stores.accounts.lockAccount(trx, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
};
