/** usernames: which user names an account may have, and what happens to one that it may not have any more. */
import { errors } from '../base/errors';
import { newId } from '../base/ids';
import type { Transaction } from '../db/database';
import { holdId, isNameOfOther, setUsername, type AccountRow } from './store';

type Named = Pick<AccountRow, 'id' | 'contactEmail' | 'unconfirmedEmail'>;

const LONGEST = 250;

/** Whether a user name is no e-mail address, or one of the account's own. */
function isOwnName({ id, contactEmail, unconfirmedEmail }: Named, username: string): boolean {
  return (
    !username.includes('@') || username === id || (username === contactEmail.toLowerCase() && unconfirmedEmail !== 1)
  );
}

/**
 * Call it in the transaction that has given the user name to the account: by then, a transaction that makes an account
 * with this id sees the name, or is seen here.
 * @throws errors.foreignAddress for a name with @ that is neither the account's id nor its confirmed address,
 * errors.duplicate for the id of another account
 */
export async function requireOwnName(trx: Transaction, account: Named, username: string): Promise<void> {
  if (!isOwnName(account, username)) {
    throw errors.foreignAddress();
  }
  if (username.includes('@') && username !== account.id && (await holdId(trx, username))) {
    throw errors.duplicate('The username');
  }
}

/**
 * Gives the account its id as its user name if its present one is an address that is not its own any more.
 * @param changed the account with its new address
 * @returns the new user name; undefined if the name stays
 */
export async function freeOldName(
  trx: Transaction,
  changed: Named,
  username: string | undefined,
): Promise<string | undefined> {
  if (username === undefined || isOwnName(changed, username)) {
    return undefined;
  }
  // An id may be longer than a user name. Nobody else can have the id as a name, unless the migration has not run yet.
  const free = changed.id.length <= LONGEST && !(await isNameOfOther(trx, changed.id, changed.id));
  const own = free ? changed.id : newId();
  await setUsername(trx, changed.id, own);
  return own;
}
