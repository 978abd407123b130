/** named-person: whose account somebody means with whom a record is to be shared. */
import type { Call } from '../../core/http/route';
import * as accountStore from '../../core/accounts/store';

export type NamedPerson = { readonly id: string; readonly name: string };

/** The person with this user name or e-mail address; null when there is none, or when they lead to different people. */
export async function findNamedPerson({
  query,
  services,
}: Call<unknown, { name: string }>): Promise<NamedPerson | null> {
  const { database } = services;
  const account = await accountStore.findNamed(database.reads, query.name);
  return account ? { id: account.id, name: account.fullName || account.id } : null;
}
