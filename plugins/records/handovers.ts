/** handovers: a record gets another owner by the yes of both: the owner offers it, the other accepts or declines. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { changeRecord, requireGuest, requireRecord } from '../../core/records/require';
import type { Handover } from '../../core/storage/stores/handovers';

export type InOffer = { ACCOUNT_EMAIL: string; RECORD_ID: string };
export type Offer = { account_id: string; keep: boolean };
export type Acceptance = { keep: boolean };

const DAYS = 30;
const DAY = 86_400_000;

export const readOffer = async ({ params, services }: Call<InRecord>): Promise<Handover | null> => {
  const { stores, database, clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  return (await stores.handovers.findHandover(database.reads, id, toTimestamp(clock.now()))) ?? null;
};

/** Nothing changes before the other says yes. 400 for the owner itself, 404 for an unknown account. */
export const offer = async ({ params, body, principal, services }: Call<InRecord, unknown, Offer>): Promise<void> => {
  const { stores, clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  const ownerId = principal.kind === 'account' ? principal.accountId : '';
  const toId = body.account_id.trim().toLowerCase();
  if (toId === ownerId) {
    throw errors.invalidParameter('account_id', 'it must be somebody else');
  }
  await requireGuest(services, toId);
  await changeRecord(services, id, (trx) =>
    stores.handovers.putHandover(trx, {
      recordId: id,
      ownerId,
      toId,
      keeps: body.keep,
      offeredAt: toTimestamp(clock.now()),
      expiresAt: toTimestamp(clock.now() + DAYS * DAY),
    }),
  );
};

/** Fine when there was none. */
export const withdraw = async ({ params, services }: Call<InRecord>): Promise<void> => {
  const { id } = await requireRecord(services, params.RECORD_ID);
  await changeRecord(services, id, (trx) => services.stores.handovers.deleteHandover(trx, id), { ends: true });
};

export const listOffers = async ({
  params,
  services: { stores, database, clock },
}: Call<{ ACCOUNT_EMAIL: string }>): Promise<readonly Handover[]> =>
  stores.handovers.listHandoversTo(database.reads, params.ACCOUNT_EMAIL, toTimestamp(clock.now()));

/** Runs with the record's own row held: nobody withdraws the offer or names another owner meanwhile. 404 without an offer to this account. */
const answering = (
  { params, services }: Call<InOffer>,
  work: (trx: Parameters<Parameters<typeof changeRecord>[2]>[0], found: Handover) => Promise<unknown>,
): Promise<void> =>
  changeRecord(
    services,
    params.RECORD_ID,
    async (trx) => {
      const { handovers } = services.stores;
      const found = await handovers.findHandover(trx, params.RECORD_ID, toTimestamp(services.clock.now()));
      if (found?.toId !== params.ACCOUNT_EMAIL) {
        throw errors.notFound('offer');
      }
      await work(trx, found);
      await handovers.deleteHandover(trx, found.recordId);
    },
    { ends: true },
  );

/**
 * The account becomes the owner, at once and as a whole: what the old owner gave apps ends, unless both want that a full share
 * remains (decision 52). Other shares, carenets and apps stay as they are.
 */
export const accept = async (call: Call<InOffer, unknown, Acceptance>): Promise<void> => {
  const { stores, clock } = call.services;
  await answering(call, async (trx, { recordId, ownerId, toId, keeps }) => {
    await stores.records.setRecordOwner(trx, recordId, toId);
    await stores.sharing.deleteShare(trx, recordId, toId);
    if (keeps && call.body.keep) {
      await stores.sharing.putShare(trx, recordId, ownerId, undefined, toTimestamp(clock.now()));
    } else {
      await stores.sharing.deleteShare(trx, recordId, ownerId);
    }
    await stores.sharing.deleteTokensWithoutControl(trx, recordId, ownerId);
  });
};

export const decline = (call: Call<InOffer>): Promise<void> => answering(call, () => Promise.resolve());
