/** handovers: offers of records to their next owners. An offer counts while who made it still owns the record. */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import type { Reads, Transaction } from '../database';

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

type Row = {
  record_id: string;
  label: string;
  owner_id: string;
  owner_name: string | null;
  to_id: string;
  to_name: string | null;
  keeps: number;
  expires_at: string;
};

const live = (on: Reads, now: Timestamp) =>
  on('record_handover as offer')
    .join('record', { 'record.id': 'offer.record_id', 'record.owner_id': 'offer.owner_id' })
    .leftJoin('account as owner', 'owner.id', 'offer.owner_id')
    .leftJoin('account as other', 'other.id', 'offer.to_id')
    .where('offer.expires_at', '>', now)
    .select({
      record_id: 'offer.record_id',
      label: 'record.label',
      owner_id: 'offer.owner_id',
      owner_name: 'owner.full_name',
      to_id: 'offer.to_id',
      to_name: 'other.full_name',
      keeps: 'offer.keeps',
      expires_at: 'offer.expires_at',
    });

const toHandover = (row: Row): Handover => ({
  recordId: row.record_id,
  label: row.label,
  ownerId: row.owner_id,
  ownerName: row.owner_name ?? row.owner_id,
  toId: row.to_id,
  toName: row.to_name ?? row.to_id,
  keeps: Number(row.keeps) === 1,
  expiresAt: row.expires_at,
});

export const findHandover = async (on: Reads, recordId: Id, now: Timestamp): Promise<Handover | undefined> => {
  const row = (await live(on, now).where('offer.record_id', recordId).first()) as Row | undefined;
  return row && toHandover(row);
};

const MOST = 50;

/** What waits for the answer of an account, the newest first. */
export const listHandoversTo = async (on: Reads, toId: PrincipalId, now: Timestamp): Promise<readonly Handover[]> =>
  (
    (await live(on, now)
      .where('offer.to_id', toId)
      .orderBy([{ column: 'offer.offered_at', order: 'desc' }, { column: 'offer.record_id' }])
      .limit(MOST)) as Row[]
  ).map(toHandover);

export type NewHandover = Pick<Handover, 'recordId' | 'ownerId' | 'toId' | 'keeps' | 'expiresAt'> & {
  readonly offeredAt: Timestamp;
};

/** A later offer takes the place of an earlier one. */
export const putHandover = async (trx: Transaction, offer: NewHandover): Promise<void> => {
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
};

export const deleteHandover = (trx: Transaction, recordId: Id): Promise<unknown> =>
  trx('record_handover').where({ record_id: recordId }).delete();
