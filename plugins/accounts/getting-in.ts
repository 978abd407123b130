/** getting-in: tells a door which account a person who is not signed in means, and what a mailed link is for. */
import { sameText } from '../../core/auth/signature';
import type { AccountState } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import { openSecrets, type WithSecret } from './secrets';

/**
 * The account that a person means by a user name or an e-mail address; null when there is none. A page must not show
 * whether the name or the address matched.
 */
export const nameOfLogin = async ({ query, services }: Call<unknown, { name: string }>): Promise<string | null> =>
  (await services.stores.accounts.findNamed(services.database.reads, query.name))?.id ?? null;

export type MailedLink = {
  readonly state: AccountState;
  /** True: the page must ask for the code as well. */
  readonly asksCode: boolean;
  /** User name at the password system; null before a password was chosen. */
  readonly username: string | null;
};

/** Null for a link that is wrong, used up or too old, and for an account that does not exist. */
export const readMailedLink = async ({ params, services }: Call<WithSecret>): Promise<MailedLink | null> => {
  const { stores, database } = services;
  const account = await stores.accounts.findWithUsername(database.reads, params.ACCOUNT_EMAIL);
  const { primary, secondary } = account ? openSecrets(services, account) : { primary: null, secondary: null };
  if (!account || primary === null || !sameText(primary, params.PRIMARY_SECRET)) {
    return null;
  }
  return {
    state: account.state,
    asksCode: secondary !== null,
    username: account.username,
  };
};
