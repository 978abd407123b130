/** looked-at-as: as whom the owner of a record looks at one of its carenets. */
import type { Principal } from '../auth/principal';
import type { Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import { findPersonOf } from '../sharing/own-circles-store';

/** `person`: whose own the carenet is; null: several people share it. */
export type LookedAtAs = {
  readonly recordId: Id;
  readonly person: { readonly id: PrincipalId; readonly name: string } | null;
};

/** Null for everybody but the owner: to others the carenet is what they see of the record. */
export async function lookedAtAs(
  { database }: Pick<Services, 'database'>,
  principal: Principal,
  { recordId, carenetId, ownerId }: { recordId: Id; carenetId: Id; ownerId: PrincipalId | null },
): Promise<LookedAtAs | null> {
  return principal.kind === 'account' && principal.accountId === ownerId
    ? { recordId, person: (await findPersonOf(database.reads, carenetId)) ?? null }
    : null;
}
