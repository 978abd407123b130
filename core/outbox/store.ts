/** store: rows of deliveries: due, leased to one process at a time, sent, put off or given up. */
import type { Knex } from 'knex';
import type { Id, Timestamp } from '../base/types';
import type { Database, Reads, Transaction } from '../db/database';
import { insertRows } from '../db/insert-rows';

type NewDelivery = {
  readonly id: Id;
  readonly kind: string;
  readonly subject: string;
  /** Sealed. */ readonly payload: string;
  readonly createdAt: Timestamp;
};

export type DueDelivery = NewDelivery & { readonly attempts: number };

/** Adds deliveries, in the order in which they are to be sent. */
export function insertDeliveries(trx: Transaction, deliveries: readonly NewDelivery[]): Promise<unknown> {
  return insertRows(
    trx,
    'outbox',
    ['id', 'kind', 'subject', 'payload', 'created_at', 'due_at', 'attempts'],
    deliveries.map(({ id, kind, subject, payload, createdAt }) => ({
      id,
      kind,
      subject,
      payload,
      created_at: createdAt,
      due_at: createdAt,
      attempts: 0,
    })),
  );
}

type ClaimOrder = {
  readonly kind: string;
  /** Whether deliveries of one subject are sent one at a time. */ readonly inOrder: boolean;
  readonly workerId: Id;
  readonly now: Timestamp;
  readonly leaseUntil: Timestamp;
  readonly limit: number;
};

/** Deliveries that are due and that no process has leased. */
function free(on: Reads, { kind, now }: ClaimOrder): Knex.QueryBuilder {
  return on('outbox as o')
    .where('o.kind', kind)
    .whereNull('o.sent_at')
    .whereNull('o.dead_at')
    .where('o.due_at', '<=', now)
    .where((either) => void either.whereNull('o.lease_until').orWhere('o.lease_until', '<=', now));
}

/**
 * Due deliveries that are the first unsent ones of their subject. A delivery that was committed late may have a lower
 * number than one that is being sent; it waits until that one is done. The index skips all others of a subject.
 */
function freeInOrder(on: Reads, { kind, now }: ClaimOrder): Knex.QueryBuilder {
  const heads = on('outbox as n')
    .where('n.kind', kind)
    .whereNull('n.sent_at')
    .whereNull('n.dead_at')
    .groupBy('n.subject')
    .select('n.subject')
    .min({ seq: 'n.seq' });
  const leases = on('outbox as e').where('e.subject', on.ref('head.subject')).max('e.lease_until');
  return on
    .from(heads.as('head'))
    .join('outbox as o', 'o.seq', 'head.seq')
    .where('o.due_at', '<=', now)
    .whereRaw("coalesce(?, '') <= ?", [leases, now]);
}

async function findFree(on: Reads, order: ClaimOrder): Promise<readonly Id[]> {
  return (await (order.inOrder ? freeInOrder : free)(on, order)
    .orderBy(['o.due_at', 'o.seq'])
    .limit(order.limit)
    .pluck('o.id')) as Id[];
}

/** Those of these deliveries whose subject has another delivery under way. */
async function crowded(on: Reads, ids: readonly Id[], now: Timestamp): Promise<readonly Id[]> {
  return (await on('outbox as o')
    .join('outbox as e', 'e.subject', 'o.subject')
    .whereIn('o.id', ids)
    .whereRaw('e.seq <> o.seq')
    .whereNull('e.sent_at')
    .whereNull('e.dead_at')
    .where('e.lease_until', '>', now)
    .pluck('o.id')) as string[];
}

function release(trx: Transaction, ids: readonly Id[], workerId: Id): Promise<unknown> {
  return trx('outbox').whereIn('id', ids).where({ leased_by: workerId }).update({ lease_until: null });
}

/** Leases those of these deliveries that nobody has leased meanwhile, and answers their ids. */
async function lease(
  trx: Transaction,
  ids: readonly Id[],
  { workerId, now, leaseUntil }: ClaimOrder,
): Promise<readonly Id[]> {
  const leased = await trx('outbox')
    .whereIn('id', ids)
    .whereNull('sent_at')
    .whereNull('dead_at')
    .where('due_at', '<=', now)
    .where((either) => {
      void either.whereNull('lease_until').orWhere('lease_until', '<=', now);
    })
    .update({ lease_until: leaseUntil, leased_by: workerId });
  return leased === ids.length
    ? ids
    : ((await trx('outbox')
        .whereIn('id', ids)
        .where({ leased_by: workerId, lease_until: leaseUntil })
        .pluck('id')) as string[]);
}

/** Leases up to `limit` deliveries to this process. Another process that looks at the same time gets none of them. */
export async function claimDue(
  { reads, write }: Pick<Database, 'reads' | 'write'>,
  order: ClaimOrder,
): Promise<readonly DueDelivery[]> {
  const { inOrder, workerId, now } = order;
  const ids = await findFree(reads, order);
  const mine = ids.length === 0 ? [] : await write((trx) => lease(trx, ids, order));
  // Two processes may have leased deliveries of one subject at the same time. A process that sees the other's lease
  // releases its own.
  const back = mine.length === 0 || !inOrder ? [] : await crowded(reads, mine, now);
  if (back.length > 0) {
    await write((trx) => release(trx, back, workerId));
  }
  const kept = mine.filter((id) => !back.includes(id));
  if (kept.length === 0) {
    return [];
  }
  return (await reads('outbox').whereIn('id', kept).orderBy('seq').select({
    id: 'id',
    kind: 'kind',
    subject: 'subject',
    payload: 'payload',
    createdAt: 'created_at',
    attempts: 'attempts',
  })) as DueDelivery[];
}

/**
 * A sent payload is deleted, because mails contain secrets. The row also leaves its subject, so that the index finds
 * the next delivery quickly.
 */
export function markSent(trx: Transaction, id: Id, now: Timestamp): Promise<unknown> {
  return trx('outbox')
    .where({ id })
    .update({ sent_at: now, payload: '', subject: trx.ref('id'), lease_until: null });
}

/** A delivery that failed, unless another process has sent it after this one lost its lease. */
function failedDeliveries(on: Reads, id: Id) {
  return on('outbox').where({ id }).whereNull('sent_at');
}

export function markDead(trx: Transaction, id: Id, now: Timestamp, reason: string): Promise<unknown> {
  return failedDeliveries(trx, id).update({
    dead_at: now,
    lease_until: null,
    last_error: reason,
    attempts: trx.raw('attempts + 1'),
  });
}

export function postpone(trx: Transaction, id: Id, dueAt: Timestamp, reason: string): Promise<unknown> {
  return failedDeliveries(trx, id).update({
    due_at: dueAt,
    lease_until: null,
    last_error: reason,
    attempts: trx.raw('attempts + 1'),
  });
}

/** Deletes the unsent deliveries of a subject. */
export function dropSubject(trx: Transaction, kind: string, subject: string): Promise<unknown> {
  return trx('outbox').where({ kind, subject }).whereNull('sent_at').delete();
}

/** A delivery as an operator sees it, without its content. */
export type DeliveryRow = {
  readonly id: Id;
  readonly kind: string;
  readonly subject: string;
  readonly createdAt: Timestamp;
  readonly dueAt: Timestamp;
  readonly attempts: number;
  readonly leaseUntil: Timestamp | null;
  readonly deadAt: Timestamp | null;
  readonly lastError: string | null;
};

export type DeliveryFilter = {
  readonly kind?: string;
  /** True: only deliveries that were given up. */ readonly dead?: boolean;
  readonly ids?: readonly Id[];
};

function unsent(on: Reads, { kind, dead, ids }: DeliveryFilter) {
  return on('outbox')
    .whereNull('sent_at')
    .modify((query) => {
      if (kind !== undefined) {
        void query.where({ kind });
      }
      if (dead === true) {
        void query.whereNotNull('dead_at');
      }
      if (ids !== undefined) {
        void query.whereIn('id', ids);
      }
    });
}

/** Unsent deliveries, both waiting and given up, the oldest first. */
export async function listDeliveries(
  on: Reads,
  filter: DeliveryFilter,
  limit: number,
): Promise<readonly DeliveryRow[]> {
  return (await unsent(on, filter).orderBy('seq').limit(limit).select({
    id: 'id',
    kind: 'kind',
    subject: 'subject',
    createdAt: 'created_at',
    dueAt: 'due_at',
    attempts: 'attempts',
    leaseUntil: 'lease_until',
    deadAt: 'dead_at',
    lastError: 'last_error',
  })) as DeliveryRow[];
}

/** Makes deliveries due now, including those that were given up. Their age is counted from now. Answers how many. */
export function retryDeliveries(trx: Transaction, filter: DeliveryFilter, now: Timestamp): Promise<number> {
  return unsent(trx, filter).update({ dead_at: null, due_at: now, created_at: now, attempts: 0 });
}

/** Deletes unsent deliveries. Answers how many. */
export function dropDeliveries(trx: Transaction, filter: DeliveryFilter): Promise<number> {
  return unsent(trx, filter).delete();
}
