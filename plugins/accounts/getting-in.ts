/** getting-in: what a door must know of somebody who is not signed in: the account that is meant, and what a mailed link is for. */
import { sameText } from '../../core/auth/signature';
import type { AccountState } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import { openSecrets, type WithSecret } from './secrets';

/** Null when nobody is meant. A page must not show which it was. */
export const nameOfLogin = async ({ query, services }: Call<unknown, { name: string }>): Promise<string | null> => {
  const { stores, database } = services;
  const login = await stores.accounts.findLogin(database.reads, 'password', query.name);
  return login?.accountId ?? (await stores.accounts.findByAddress(database.reads, query.name)) ?? null;
};

export type MailedLink = {
  readonly state: AccountState;
  /** The code is asked for beside the link. */
  readonly asksCode: boolean;
  /** User name at the password system; null before a password was chosen. */
  readonly username: string | null;
};

/** Null for a link that is wrong, used up or too old, and for an account that is not there. */
export const readMailedLink = async ({ params, services }: Call<WithSecret>): Promise<MailedLink | null> => {
  const { stores, database } = services;
  const account = await stores.accounts.findAccount(database.reads, params.ACCOUNT_EMAIL);
  const { primary, secondary } = account ? openSecrets(services, account) : { primary: null, secondary: null };
  if (!account || primary === null || !sameText(primary, params.PRIMARY_SECRET)) {
    return null;
  }
  return {
    state: account.state,
    asksCode: secondary !== null,
    username: account.authSystems.find(({ name }) => name === 'password')?.username ?? null,
  };
};
