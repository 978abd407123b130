/** subscriptions: rows of the apps' subscriptions to reports (specification 3.7, 6.1). */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import { columnsOf, toColumns, type Columns } from '../columns';
import type { Reads, Transaction } from '../database';
import { keptStatement } from '../kept-statement';
import type { PageQuery } from '../page';

export type SubscriptionRow = {
  readonly id: Id;
  readonly appId: PrincipalId;
  readonly recordId: Id;
  /** The report, relative to the record, as the app wrote it. */
  readonly url: string;
  readonly callback: string;
  /** Model that the report shows, or EVERY_MODEL. */
  readonly target: string;
  /** Digest of report and callback. Two subscriptions with the same digest are the same. */
  readonly digest: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** Target of a report that shows the facts of all models. */
export const EVERY_MODEL = '*';

const columns: Columns<keyof SubscriptionRow> = columnsOf(
  'id',
  'appId',
  'recordId',
  'url',
  'callback',
  'target',
  'digest',
  'createdAt',
  'expiresAt',
);

type Holder = { readonly appId: PrincipalId; readonly recordId: Id };

const ofHolder = ({ appId, recordId }: Holder) => ({ app_id: appId, record_id: recordId });

/** Subscriptions of one app on one record that have not expired, the oldest first: all of them, or one page. */
export const listSubscriptions = async (
  on: Reads,
  holder: Holder,
  now: Timestamp,
  page?: PageQuery,
): Promise<readonly SubscriptionRow[]> =>
  (await on('subscription')
    .where(ofHolder(holder))
    .where('expires_at', '>', now)
    .modify((query) => {
      if (page) {
        void query.limit(page.limit).offset(page.offset);
      }
    })
    .orderBy(['created_at', 'id'])
    .select(columns)) as SubscriptionRow[];

/**
 * Adds a subscription. Subscribing to the same report with the same callback again renews it: the id stays, the end
 * moves.
 */
export const putSubscription = async (trx: Transaction, row: SubscriptionRow): Promise<SubscriptionRow> => {
  await trx('subscription')
    .insert(toColumns(columns, row))
    .onConflict(['app_id', 'record_id', 'digest'])
    .merge({ url: row.url, target: row.target, expires_at: row.expiresAt });
  return (await trx('subscription')
    .where({ ...ofHolder(row), digest: row.digest })
    .first(columns)) as SubscriptionRow;
};

/** @returns false when the app has no such subscription on the record */
export const deleteSubscription = async (trx: Transaction, holder: Holder, id: Id): Promise<boolean> =>
  (await trx('subscription')
    .where({ ...ofHolder(holder), id })
    .delete()) === 1;

export type Watch = { readonly id: Id; readonly target: string };

/** The watches on a record that are active now. */
export const listWatches = keptStatement<Watch, readonly [recordId: Id, now: Timestamp]>((on, recordId, now) =>
  on('subscription')
    .where('record_id', recordId)
    .where('expires_at', '>', now)
    .orderBy(['created_at', 'id'])
    .select('id', 'target'),
);

/** Where a ping goes, and the sealed secret that signs it. */
export type PingAddress = {
  readonly recordId: Id;
  readonly url: string;
  readonly callback: string;
  readonly consumerSecret: string;
};

/**
 * Undefined when the app has ended the subscription or may no longer have it. An expired subscription still sends its
 * outstanding pings.
 */
export const findPingAddress = async (on: Reads, id: Id): Promise<PingAddress | undefined> =>
  (await on('subscription')
    .join('app', 'app.id', 'subscription.app_id')
    .where('subscription.id', id)
    .whereNull('app.retired_at')
    .first({
      recordId: 'subscription.record_id',
      url: 'subscription.url',
      callback: 'subscription.callback',
      consumerSecret: 'app.consumer_secret',
    })) as PingAddress | undefined;
