/**
 * 034-own-names: a user name that is an e-mail address is the account's own id or confirmed address. Other ones are
 * freed, and both people are told once the service runs.
 */
import { toTimestamp, type Clock } from '../../../base/clock';
import { newId } from '../../../base/ids';
import type { Transaction } from '../../database';
import type { ColumnsSpec, TableSpec } from '../tables';

export const freedNames: readonly TableSpec[] = [
  {
    table: 'freed_username',
    columns: {
      account_id: 'principal',
      /** The user name that the account had. */ username: 'text:250',
      freed_at: 'stamp',
    },
    primary: ['account_id'],
    indexes: [['freed_at']],
  },
];

export const unconfirmedAddresses: readonly ColumnsSpec[] = [
  {
    table: 'account',
    columns: { /** 1: nobody has shown that the contact address is the account's. */ unconfirmed_email: 'flag?' },
  },
];

type Wrong = { readonly account_id: string; readonly username: string };

const LONGEST_USERNAME = 250;

/** Names that are an address, and neither the account's id nor its contact address; and ids of other accounts. */
async function findWrong(trx: Transaction): Promise<readonly Wrong[]> {
  return (await trx('account_auth_system as login')
    .join('account', 'account.id', 'login.account_id')
    .leftJoin('account as other', 'other.id', 'login.username')
    .where('login.auth_system', 'password')
    .whereRaw("instr(login.username, '@') > 0")
    .whereRaw('login.username <> account.id')
    .whereRaw('(login.username <> account.search_email or other.id is not null)')
    .select('login.account_id', 'login.username')) as readonly Wrong[];
}

/**
 * Gives each account with a wrong name its id as its user name. First all wrong names go, since one of them may be the
 * id of another of these accounts. A run that was interrupted in between is continued by the next one.
 */
export async function freeWrongNames(trx: Transaction, clock: Clock): Promise<void> {
  const logins = (id: string) => trx('account_auth_system').where({ account_id: id, auth_system: 'password' });
  for (const { account_id, username } of await findWrong(trx)) {
    await trx('freed_username')
      .insert({ account_id, username, freed_at: toTimestamp(clock.now()) })
      .onConflict(['account_id'])
      .ignore();
    await logins(account_id).update({ username: `freed ${newId()}` });
  }
  const waiting = (await trx('freed_username')
    .join('account_auth_system as login', 'login.account_id', 'freed_username.account_id')
    .where('login.auth_system', 'password')
    .where('login.username', 'like', 'freed %')
    .pluck('freed_username.account_id')) as readonly string[];
  for (const id of waiting.filter(({ length }) => length <= LONGEST_USERNAME)) {
    await logins(id).update({ username: id });
  }
}
