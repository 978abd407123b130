/** members: the accounts in a carenet. */
import { effectiveId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { addInvitation, type Told } from '../../core/outbox/invitations';
import { changeCarenet, requireAccountState, requireCarenet, requireGuest } from '../../core/records/require';
import type { CarenetMember } from '../../core/sharing/store';
import type { InCarenet } from './service';
import * as sharingStore from '../../core/sharing/store';

type InMember = InCarenet & { ACCOUNT_ID: string };

export async function listMembers({
  params,
  query,
  services,
}: Call<InCarenet, Page>): Promise<readonly CarenetMember[]> {
  const { id } = await requireCarenet(services, params.CARENET_ID);
  return sharingStore.listMembers(services.database.reads, id, pageOf(services, query));
}

/**
 * Adds an account, or changes whether a member may write: only `true` lets it. When a door invites somebody who is a
 * member already, nothing changes. 400 for a retired account, 404 for an unknown one.
 */
export async function addMember({
  params,
  body,
  principal,
  services,
  request: { invites },
}: Call<InCarenet, unknown, { account_id: string; write: string }>): Promise<Told> {
  const { clock, outbox } = services;
  const [to, at] = [body.account_id, toTimestamp(clock.now())];
  const { id } = await requireCarenet(services, params.CARENET_ID);
  await requireGuest(services, to);
  return changeCarenet(services, id, async (trx) => {
    const told = invites === true && (await sharingStore.memberSince(trx, id, to)) === undefined;
    if (told || invites !== true) {
      await sharingStore.putMember(trx, id, to, body.write === 'true', at);
    }
    if (told) {
      const link = `${uiBaseUrl(services)}/carenets/${id}/`;
      await addInvitation(outbox, trx, { from: effectiveId(principal) ?? '', to, given: { carenetId: id }, at, link });
    }
    return { told };
  });
}

/**
 * Removes an account from the carenet. The tokens that it gave for this carenet end, too, unless it keeps full control
 * of the record. 404 for an account that is not in it.
 */
export async function removeMember({ params, services }: Call<InMember>): Promise<void> {
  const removed = await changeCarenet(
    services,
    params.CARENET_ID,
    (trx, carenet) => sharingStore.deleteMember(trx, carenet, params.ACCOUNT_ID),
    { ends: true },
  );
  if (!removed) {
    throw errors.notFound('member of the carenet');
  }
}

/**
 * Whether the account may write. With full control of the record it always may; a member may if it was added with that
 * right. 404 for all others.
 */
export async function readPermissions({ params, services }: Call<InMember>): Promise<{ readonly write: boolean }> {
  const { clock, database, lookups } = services;
  const carenet = await requireCarenet(services, params.CARENET_ID);
  await requireAccountState(services, params.ACCOUNT_ID);
  if (await lookups.fullControl(params.ACCOUNT_ID, carenet.recordId)) {
    return { write: true };
  }
  const member = await sharingStore.findMember(database.reads, carenet.id, params.ACCOUNT_ID, toTimestamp(clock.now()));
  if (!member) {
    throw errors.notFound('member of the carenet');
  }
  return { write: member.canWrite };
}
