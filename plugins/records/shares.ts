/** shares: full shares of a record (specification 5.8). */
import { effectiveId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import type { InRecord, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { addInvitation, type Told } from '../../core/outbox/invitations';
import { changeRecord, requireAccountState, requireGuest, requireRecord } from '../../core/records/require';
import type { Shares } from './serialize';
import * as recordStore from '../../core/records/store';
import * as sharingStore from '../../core/sharing/store';

export async function listShares({ params, query, services }: Call<InRecord, Page>): Promise<Shares> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  return {
    recordId: id,
    shares: await sharingStore.listShares(services.database.reads, id, pageOf(services, query)),
  };
}

/**
 * Shares the whole record with an account. If the account has a share already, a label in the request replaces the old
 * one. Nothing happens for the owner. 400 for a retired account, 404 for an unknown one.
 */
export async function addShare({
  params,
  body,
  principal,
  services,
  request: { invites },
}: Call<InRecord, unknown, { account_id: string; role_label?: string }>): Promise<Told> {
  const { clock, outbox } = services;
  const [to, at] = [body.account_id, toTimestamp(clock.now())];
  const { id } = await requireRecord(services, params.RECORD_ID);
  await requireGuest(services, to);
  const roleLabel = body.role_label === '' ? null : body.role_label;
  return changeRecord(services, id, async (trx) => {
    if ((await recordStore.findRecord(trx, id))?.ownerId === to) {
      return { told: false };
    }
    const told = invites === true && (await sharingStore.sharedSince(trx, id, to)) === undefined;
    await sharingStore.putShare(trx, id, to, roleLabel, at);
    if (told) {
      const link = `${uiBaseUrl(services)}/records/${id}/`;
      await addInvitation(outbox, trx, { from: effectiveId(principal) ?? '', to, given: { recordId: id }, at, link });
    }
    return { told };
  });
}

/**
 * Ends a full share and the tokens that depend on it. It is no error when there was none. 404 for an unknown record or
 * account.
 */
export async function removeShare({
  params,
  services,
}: Call<{ RECORD_ID: string; OTHER_ACCOUNT_ID: string }>): Promise<void> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  await requireAccountState(services, params.OTHER_ACCOUNT_ID);
  await changeRecord(
    services,
    id,
    async (trx) => {
      await sharingStore.deleteShares(trx, id, params.OTHER_ACCOUNT_ID);
      await sharingStore.deleteTokensWithoutControl(trx, id, params.OTHER_ACCOUNT_ID);
    },
    { ends: true },
  );
}
