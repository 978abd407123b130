/** named-person: whose account somebody means with whom a record is to be shared. */
import type { Call } from '../../core/http/route';

export type NamedPerson = { readonly id: string; readonly name: string };

/** The person with this user name or e-mail address; null when there is none, or when they lead to different people. */
export async function findNamedPerson({
  query,
  services,
}: Call<unknown, { name: string }>): Promise<NamedPerson | null> {
  const { stores, database } = services;
  const account = await stores.accounts.findNamed(database.reads, query.name);
  return account ? { id: account.id, name: account.fullName || account.id } : null;
}
