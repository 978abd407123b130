/**
 * handovers-store: offers of records to their next owners. An offer is valid while the person who made it still owns the
 * record.
 */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable } from '../db/columns';
import type { Reads, Transaction } from '../db/database';

export type Handover = {
  readonly recordId: Id;
  readonly label: string;
  readonly ownerId: PrincipalId;
  readonly ownerName: string;
  readonly toId: PrincipalId;
  readonly toName: string;
  /** The owner asks to keep a full share. */ readonly keeps: boolean;
  readonly expiresAt: Timestamp;
};

type Row = Omit<Handover, 'ownerName' | 'toName' | 'keeps'> & {
  readonly ownerName: string | null;
  readonly toName: string | null;
  readonly keeps: number;
};

function live(on: Reads, now: Timestamp) {
  return on('record_handover as offer')
    .join('record', { 'record.id': 'offer.record_id', 'record.owner_id': 'offer.owner_id' })
    .leftJoin('account as owner', 'owner.id', 'offer.owner_id')
    .leftJoin('account as other', 'other.id', 'offer.to_id')
    .where('offer.expires_at', '>', now)
    .select({
      ...inTable('offer', columnsNamed('recordId', 'ownerId', 'toId', 'keeps', 'expiresAt')),
      label: 'record.label',
      ownerName: 'owner.full_name',
      toName: 'other.full_name',
    });
}

function toHandover(row: Row): Handover {
  return {
    ...row,
    ownerName: row.ownerName ?? row.ownerId,
    toName: row.toName ?? row.toId,
    keeps: Number(row.keeps) === 1,
  };
}

export async function findHandover(on: Reads, recordId: Id, now: Timestamp): Promise<Handover | undefined> {
  const row = (await live(on, now).where('offer.record_id', recordId).first()) as Row | undefined;
  return row && toHandover(row);
}

const MOST = 50;

/** Offers that wait for the answer of an account, the newest first. */
export async function listHandoversTo(on: Reads, toId: PrincipalId, now: Timestamp): Promise<readonly Handover[]> {
  return (
    (await live(on, now)
      .where('offer.to_id', toId)
      .orderBy([{ column: 'offer.offered_at', order: 'desc' }, { column: 'offer.record_id' }])
      .limit(MOST)) as Row[]
  ).map(toHandover);
}

export type NewHandover = Pick<Handover, 'recordId' | 'ownerId' | 'toId' | 'keeps' | 'expiresAt'> & {
  readonly offeredAt: Timestamp;
};

/** Stores an offer; a later one replaces an earlier one. */
export async function putHandover(trx: Transaction, offer: NewHandover): Promise<void> {
  const row = {
    owner_id: offer.ownerId,
    to_id: offer.toId,
    keeps: offer.keeps ? 1 : 0,
    offered_at: offer.offeredAt,
    expires_at: offer.expiresAt,
  };
  await trx('record_handover')
    .insert({ record_id: offer.recordId, ...row })
    .onConflict('record_id')
    .merge(row);
}

export function deleteHandover(trx: Transaction, recordId: Id): Promise<unknown> {
  return trx('record_handover').where({ record_id: recordId }).delete();
}
