/** handovers: a record gets another owner when both agree: the owner offers it, the other accepts or declines. */
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { countDone } from '../../core/auth/attempts';
import { errors } from '../../core/base/errors';
import type { Timestamp } from '../../core/base/types';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { unexpected, writeLetter } from '../../core/outbox/letters';
import { addMail } from '../../core/outbox/mail';
import { changeRecord, requireGuest, requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { Handover } from '../../core/records/handovers-store';
import * as accountStore from '../../core/accounts/store';
import * as handoverStore from '../../core/records/handovers-store';
import * as recordStore from '../../core/records/store';
import * as sharingStore from '../../core/sharing/store';

type InOffer = { ACCOUNT_EMAIL: string; RECORD_ID: string };
export type Offer = { account_id: string; keep: boolean };
export type Acceptance = { keep: boolean };

const DAYS = 30;
const DAY = 86_400_000;

/** The offer that waits for an answer, or null. 404 for an unknown record. */
export async function readOffer({ params, services }: Call<InRecord>): Promise<Handover | null> {
  const { database, clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  return (await handoverStore.findHandover(database.reads, id, toTimestamp(clock.now()))) ?? null;
}

/**
 * Mails the offer; the mail names the owner and not the record. @throws errors.tooManyRequests after too many mails to
 * one person in a minute
 */
async function tellGuest(
  services: Services,
  trx: Transaction,
  { recordId, ownerId, toId, until }: Pick<Handover, 'recordId' | 'ownerId' | 'toId'> & { readonly until: Timestamp },
): Promise<void> {
  const { config, clock, outbox } = services;
  await countDone(trx, clock, { name: `mail ${toId}`, limit: config.rateAccountPerMinute });
  const [owner, guest] = [await accountStore.findAccount(trx, ownerId), await accountStore.findAccount(trx, toId)];
  if (!guest) {
    return;
  }
  const values = {
    owner: owner?.fullName || ownerId,
    until: new Date(fromTimestamp(until)),
    link: `${uiBaseUrl(services)}/handovers/${encodeURIComponent(recordId)}`,
  };
  await addMail(outbox, trx, writeLetter(config, guest, 'hand-over.subject', [['hand-over.text', values], unexpected]));
}

/**
 * Mails the answer to the owner who made the offer, in words that do not say whose record it is. These mails need no
 * limit, because each offer is answered once.
 */
async function tellOwner(
  services: Services,
  trx: Transaction,
  { ownerId, toId }: Pick<Handover, 'ownerId' | 'toId'>,
  answer: 'accepted' | 'declined',
): Promise<void> {
  const { config, outbox } = services;
  const [owner, guest] = [await accountStore.findAccount(trx, ownerId), await accountStore.findAccount(trx, toId)];
  if (!owner) {
    return;
  }
  const values = { guest: guest?.fullName || toId, link: `${uiBaseUrl(services)}/?all=1` };
  await addMail(
    outbox,
    trx,
    writeLetter(config, owner, `hand-over.${answer}-subject`, [[`hand-over.${answer}`, values]]),
  );
}

/**
 * Offers the record for 30 days to another account, which gets a mail. A later offer replaces an earlier one. 400 for
 * the owner itself and for a retired account, 404 for an unknown one, 429 after too many mails.
 */
export async function offer({ params, body, principal, services }: Call<InRecord, unknown, Offer>): Promise<void> {
  const { clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  const ownerId = principal.kind === 'account' ? principal.accountId : '';
  const toId = body.account_id.trim().toLowerCase();
  if (toId === ownerId) {
    throw errors.invalidParameter('account_id', 'it must be somebody else');
  }
  await requireGuest(services, toId);
  const expiresAt = toTimestamp(clock.now() + DAYS * DAY);
  await changeRecord(services, id, async (trx) => {
    await tellGuest(services, trx, { recordId: id, ownerId, toId, until: expiresAt });
    await handoverStore.putHandover(trx, {
      recordId: id,
      ownerId,
      toId,
      keeps: body.keep,
      offeredAt: toTimestamp(clock.now()),
      expiresAt,
    });
  });
}

/** It is no error when there is no offer. */
export async function withdraw({ params, services }: Call<InRecord>): Promise<void> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  await changeRecord(services, id, (trx) => handoverStore.deleteHandover(trx, id), { ends: true });
}

export async function listOffers({
  params,
  services: { database, clock },
}: Call<{ ACCOUNT_EMAIL: string }>): Promise<readonly Handover[]> {
  return handoverStore.listHandoversTo(database.reads, params.ACCOUNT_EMAIL, toTimestamp(clock.now()));
}

/**
 * Runs the work of an answer while the row of the record is locked, so that nobody withdraws the offer or names another
 * owner meanwhile. Deletes the offer. 404 without an offer to this account.
 */
function answering(
  { params, services }: Call<InOffer>,
  work: (trx: Parameters<Parameters<typeof changeRecord>[2]>[0], found: Handover) => Promise<unknown>,
): Promise<void> {
  return changeRecord(
    services,
    params.RECORD_ID,
    async (trx) => {
      const found = await handoverStore.findHandover(trx, params.RECORD_ID, toTimestamp(services.clock.now()));
      if (found?.toId !== params.ACCOUNT_EMAIL) {
        throw errors.notFound('offer');
      }
      await work(trx, found);
      await handoverStore.deleteHandover(trx, found.recordId);
    },
    { ends: true },
  );
}

/**
 * Makes the account the owner. The tokens that the old owner gave to apps end, and so do all health links. The old owner
 * keeps a full share if both agreed on that. Other shares, carenets and apps stay as they are. 404 without an offer.
 */
export async function accept(call: Call<InOffer, unknown, Acceptance>): Promise<void> {
  const { clock } = call.services;
  await answering(call, async (trx, { recordId, ownerId, toId, keeps }) => {
    await recordStore.setRecordOwner(trx, recordId, toId);
    await sharingStore.deleteShares(trx, recordId, toId, ownerId);
    await sharingStore.deleteTokensWithoutControl(trx, recordId, ownerId);
    // Tokens end while there is no share: what apps do in the old owner's name ends even if a share is kept.
    if (keeps && call.body.keep) {
      await sharingStore.putShare(trx, recordId, ownerId, undefined, toTimestamp(clock.now()));
    }
    await tellOwner(call.services, trx, { ownerId, toId }, 'accepted');
  });
}

/** Deletes the offer. 404 without one to this account. */
export function decline(call: Call<InOffer>): Promise<void> {
  return answering(call, (trx, found) => tellOwner(call.services, trx, found, 'declined'));
}
