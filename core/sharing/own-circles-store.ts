/**
 * own-circles-store: what one person sees of a record, as a carenet of their own that the page of sharing keeps, and all
 * the ways by which people see a record.
 */
import { newId } from '../base/ids';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';

/** One way by which a person sees a record: as a whole, or by a carenet. */
export type Way = {
  readonly accountId: PrincipalId;
  readonly name: string;
  readonly since: Timestamp;
  /** Null: the whole record. */ readonly carenetId: Id | null;
  /** True: the carenet is the person's own. */ readonly own: boolean;
  readonly endsAt: Timestamp | null;
};

type WayRow = {
  account_id: string;
  name: string | null;
  created_at: string;
  carenet_id: string | null;
  person_id: string | null;
  ends_at: string | null;
};

function toWay(row: WayRow): Way {
  return {
    accountId: row.account_id,
    name: row.name ?? row.account_id,
    since: row.created_at,
    carenetId: row.carenet_id,
    own: row.person_id === row.account_id,
    endsAt: row.ends_at,
  };
}

export type Looked = {
  readonly recordId: Id;
  /** False: full shares are left out. */ readonly withShares: boolean;
  readonly now: Timestamp;
  readonly limit: number;
  /** Absent: everybody. */ readonly accountId?: PrincipalId;
};

/** The ways of the people who see a record, except its owner's; those of one person stand together, by name. */
export async function listWays(
  on: Reads,
  { recordId, withShares, now, limit, accountId }: Looked,
): Promise<readonly Way[]> {
  const none = on.raw('null');
  const shares = on('record_share as share')
    .join('record', 'record.id', 'share.record_id')
    .where('share.record_id', withShares ? recordId : '')
    // Whoever was given the record may still have a share of before.
    .whereRaw('(record.owner_id is null or record.owner_id <> share.account_id)')
    .select({ account_id: 'share.account_id', created_at: 'share.created_at' })
    .select({ carenet_id: none, person_id: none, ends_at: none, place: on.raw('0') });
  const members = on('carenet')
    .join('carenet_account as member', 'member.carenet_id', 'carenet.id')
    .join('record', 'record.id', 'carenet.record_id')
    .where('carenet.record_id', recordId)
    .whereRaw('(member.ends_at is null or member.ends_at > ?)', [now])
    .whereRaw('(record.owner_id is null or record.owner_id <> member.account_id)')
    .select({ account_id: 'member.account_id', created_at: 'member.created_at', carenet_id: 'carenet.id' })
    .select({ person_id: 'carenet.person_id', ends_at: 'member.ends_at', place: 'carenet.seq' });
  const query = on
    .from(shares.unionAll([members]).as('way'))
    .leftJoin('principal', 'principal.id', 'way.account_id')
    .orderBy(['principal.name', 'way.account_id', 'way.place'])
    .limit(limit)
    .select('way.account_id', 'principal.name', 'way.created_at', 'way.carenet_id', 'way.person_id', 'way.ends_at');
  const rows = (await (accountId === undefined ? query : query.where('way.account_id', accountId))) as WayRow[];
  return rows.map(toWay);
}

/** The carenets of a record that are one person's own, and hold nobody else. */
export async function listOwnCircles(on: Reads, recordId: Id): Promise<readonly Id[]> {
  return (await on('carenet')
    .join('carenet_account as own', { 'own.carenet_id': 'carenet.id', 'own.account_id': 'carenet.person_id' })
    .where('carenet.record_id', recordId)
    .whereNotExists(
      on('carenet_account as other')
        .where('other.carenet_id', on.ref('carenet.id'))
        .whereNot('other.account_id', on.ref('carenet.person_id'))
        .select(on.raw('1')),
    )
    .pluck('carenet.id')) as string[];
}

/** The id of a person's own carenet of a record. */
export async function findOwnCircle(on: Reads, recordId: Id, accountId: PrincipalId): Promise<Id | undefined> {
  const row = (await on('carenet').where({ record_id: recordId, person_id: accountId }).orderBy('seq').first('id')) as
    { id: string } | undefined;
  return row?.id;
}

/** Whether somebody is in a carenet whose time is not over. */
export async function hasMembers(on: Reads, carenetId: Id, now: Timestamp): Promise<boolean> {
  return (
    (await on('carenet_account')
      .where({ carenet_id: carenetId })
      .whereRaw('(ends_at is null or ends_at > ?)', [now])
      .first('account_id')) !== undefined
  );
}

/** Makes a carenet one that people share. */
export async function dropPersonOf(trx: Transaction, carenetId: Id): Promise<void> {
  await trx('carenet').where({ id: carenetId }).update({ person_id: null });
}

/** The longest name of a carenet. */
const MOST_CHARACTERS = 40;

/** Makes a person's own carenet, with a name that no other carenet of the record has. The record must be locked. */
export async function insertOwnCircle(
  trx: Transaction,
  { recordId, accountId, name }: { readonly recordId: Id; readonly accountId: PrincipalId; readonly name: string },
  now: Timestamp,
): Promise<Id> {
  const taken = new Set(
    ((await trx('carenet').where({ record_id: recordId }).pluck('name')) as string[]).map((one) => one.toLowerCase()),
  );
  const named = (place: number): string => {
    const end = place === 1 ? '' : ` ${place}`;
    return `${[...(name.trim() || accountId)]
      .slice(0, MOST_CHARACTERS - end.length)
      .join('')
      .trim()}${end}`;
  };
  const free = Array.from({ length: taken.size + 1 }, (_, index) => named(index + 1)).find(
    (one) => !taken.has(one.toLowerCase()),
  )!;
  const id = newId();
  await trx('carenet').insert({ id, record_id: recordId, name: free, person_id: accountId, created_at: now });
  return id;
}

/** Says until when a person is in a carenet; null: without an end. */
export async function setEnd(
  trx: Transaction,
  carenetId: Id,
  accountId: PrincipalId,
  endsAt: Timestamp | null,
): Promise<void> {
  await trx('carenet_account').where({ carenet_id: carenetId, account_id: accountId }).update({ ends_at: endsAt });
}

/** Ends the sharing of single documents with a carenet; those that were taken out stay out. */
export async function deletePlacements(trx: Transaction, carenetId: Id): Promise<void> {
  await trx('carenet_preference').where({ carenet_id: carenetId, shared: 1 }).delete();
}

/** The types that a carenet gets. */
export async function listTypes(on: Reads, carenetId: Id): Promise<readonly string[]> {
  return (await on('carenet_autoshare').where({ carenet_id: carenetId }).pluck('type')) as string[];
}

/** The types of a record's documents. */
export async function listRecordTypes(on: Reads, recordId: Id): Promise<readonly string[]> {
  return (await on('document_lineage').where({ record_id: recordId }).distinct().pluck('type')) as string[];
}

export type Ended = { readonly recordId: Id; readonly carenetId: Id; readonly accountId: PrincipalId };

/** Some memberships that have ended and whose rows are still there. */
export async function listEnded(on: Reads, now: Timestamp, limit: number): Promise<readonly Ended[]> {
  const rows = (await on('carenet_account as member')
    .join('carenet', 'carenet.id', 'member.carenet_id')
    .where('member.ends_at', '<=', now)
    .orderBy('member.ends_at')
    .limit(limit)
    .select('carenet.record_id', 'carenet.id', 'member.account_id')) as {
    record_id: string;
    id: string;
    account_id: string;
  }[];
  return rows.map((row) => ({ recordId: row.record_id, carenetId: row.id, accountId: row.account_id }));
}

/** Takes a person out of all carenets of a record. */
export async function deleteMemberships(trx: Transaction, recordId: Id, accountId: PrincipalId): Promise<void> {
  await trx('carenet_account')
    .where({ account_id: accountId })
    .whereIn('carenet_id', trx('carenet').where({ record_id: recordId }).select('id'))
    .delete();
}

/** Whether a member's time is over. */
export async function isEnded(on: Reads, { carenetId, accountId }: Ended, now: Timestamp): Promise<boolean> {
  return (
    (await on('carenet_account')
      .where({ carenet_id: carenetId, account_id: accountId })
      .where('ends_at', '<=', now)
      .first('account_id')) !== undefined
  );
}

/** Ends the invitations by whose link a person has come and that wait for an answer. */
export async function deleteComing(trx: Transaction, recordId: Id, accountId: PrincipalId): Promise<void> {
  await trx('record_invitation').where({ record_id: recordId, guest_id: accountId }).delete();
}
