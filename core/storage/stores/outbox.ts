/** outbox: rows of deliveries: due, leased to one process at a time, sent, put off or given up. */
import type { Id, Timestamp } from '../../base/types';
import type { Connection } from '../database';

export type NewDelivery = { readonly id: Id; readonly kind: string; readonly subject: string; /** Sealed. */ readonly payload: string; readonly createdAt: Timestamp };

export type DueDelivery = NewDelivery & { readonly attempts: number };

export const insertDelivery = (connection: Connection, { id, kind, subject, payload, createdAt }: NewDelivery): Promise<unknown> =>
  connection('outbox').insert({ id, kind, subject, payload, created_at: createdAt, due_at: createdAt, attempts: 0 });

export type ClaimOrder = { readonly kind: string; readonly workerId: Id; readonly now: Timestamp; readonly leaseUntil: Timestamp; readonly limit: number };

/** Due, nobody's at the moment, and the first of its subject that has not left. */
const free = (connection: Connection, kind: string, now: Timestamp) =>
  connection('outbox as o').where('o.kind', kind).whereNull('o.sent_at').whereNull('o.dead_at').where('o.due_at', '<=', now)
    .where((either) => { void either.whereNull('o.lease_until').orWhere('o.lease_until', '<=', now); })
    .whereNotExists(connection('outbox as e').whereRaw('e.subject = o.subject and e.seq < o.seq and e.sent_at is null and e.dead_at is null').select(connection.raw('1')));

/** Leases up to `limit` deliveries to this process; another process that looks at the same moment gets none of them. */
export const claimDue = async (connection: Connection, { kind, workerId, now, leaseUntil, limit }: ClaimOrder): Promise<readonly DueDelivery[]> => {
  const ids = (await free(connection, kind, now).orderBy(['o.due_at', 'o.seq']).limit(limit).pluck('o.id')) as string[];
  const mine: string[] = [];
  for (const id of ids) {
    const leased = await connection('outbox').where({ id }).whereNull('sent_at').whereNull('dead_at').where('due_at', '<=', now)
      .where((either) => { void either.whereNull('lease_until').orWhere('lease_until', '<=', now); })
      .update({ lease_until: leaseUntil, leased_by: workerId });
    if (leased === 1) {
      mine.push(id);
    }
  }
  if (mine.length === 0) {
    return [];
  }
  return (await connection('outbox').whereIn('id', mine).orderBy('seq')
    .select({ id: 'id', kind: 'kind', subject: 'subject', payload: 'payload', createdAt: 'created_at', attempts: 'attempts' })) as DueDelivery[];
};

/** What has left is not kept: mails hold secrets. */
export const markSent = (connection: Connection, id: Id, now: Timestamp): Promise<unknown> =>
  connection('outbox').where({ id }).update({ sent_at: now, payload: '', lease_until: null });

export const markDead = (connection: Connection, id: Id, now: Timestamp, reason: string): Promise<unknown> =>
  connection('outbox').where({ id }).update({ dead_at: now, payload: '', lease_until: null, last_error: reason, attempts: connection.raw('attempts + 1') });

export const postpone = (connection: Connection, id: Id, dueAt: Timestamp, reason: string): Promise<unknown> =>
  connection('outbox').where({ id }).update({ due_at: dueAt, lease_until: null, last_error: reason, attempts: connection.raw('attempts + 1') });
