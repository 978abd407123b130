/** subscriptions-store: rows of the apps' subscriptions to reports (specification 3.7, 6.1). */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Builder } from '../db/builder';
import { columnsNamed, toColumns, type Columns } from '../db/columns';
import { containedInColumn } from '../sharing/containment';
import type { Reads, Transaction } from '../db/database';
import { keptStatement } from '../db/kept-statement';
import type { PageQuery } from '../db/page';
import { standingState } from '../accounts/store';

export type SubscriptionRow = {
  readonly id: Id;
  readonly appId: PrincipalId;
  readonly recordId: Id;
  /** The person with whose token the app made it; null: the app signed with its own key. */
  readonly accountId: PrincipalId | null;
  /** The carenet of that token. */ readonly carenetId: Id | null;
  /** The report, relative to the record, as the app wrote it. */
  readonly url: string;
  readonly callback: string;
  /** Model that the report shows, or EVERY_MODEL. */
  readonly target: string;
  /** Digest of report, callback and carenet. Two subscriptions with the same digest are the same. */
  readonly digest: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** Target of a report that shows the facts of all models. */
export const EVERY_MODEL = '*';

const columns: Columns<keyof SubscriptionRow> = columnsNamed(
  'id',
  'appId',
  'recordId',
  'accountId',
  'carenetId',
  'url',
  'callback',
  'target',
  'digest',
  'createdAt',
  'expiresAt',
);

type Holder = { readonly appId: PrincipalId; readonly recordId: Id };

function ofHolder({ appId, recordId }: Holder) {
  return { app_id: appId, record_id: recordId };
}

/** Subscriptions of one app on one record that have not expired, the oldest first: all of them, or one page. */
export async function listSubscriptions(
  on: Reads,
  holder: Holder,
  now: Timestamp,
  page?: PageQuery,
): Promise<readonly SubscriptionRow[]> {
  return (await on('subscription')
    .where(ofHolder(holder))
    .where('expires_at', '>', now)
    .modify((query) => {
      if (page) {
        void query.limit(page.limit).offset(page.offset);
      }
    })
    .orderBy(['created_at', 'id'])
    .select(columns)) as SubscriptionRow[];
}

/**
 * Adds a subscription. Subscribing to the same report with the same callback again renews it: the id stays, the end
 * moves, and it depends on the person with whose token it was renewed, if there is one.
 */
export async function putSubscription(trx: Transaction, row: SubscriptionRow): Promise<SubscriptionRow> {
  await trx('subscription')
    .insert(toColumns(columns, row))
    .onConflict(['app_id', 'record_id', 'digest'])
    .merge({
      url: row.url,
      target: row.target,
      expires_at: row.expiresAt,
      ...(row.accountId === null ? {} : { account_id: row.accountId }),
    });
  return (await trx('subscription')
    .where({ ...ofHolder(row), digest: row.digest })
    .first(columns)) as SubscriptionRow;
}

/** @returns false when the app has no such subscription on the record */
export async function deleteSubscription(trx: Transaction, holder: Holder, id: Id): Promise<boolean> {
  return (
    (await trx('subscription')
      .where({ ...ofHolder(holder), id })
      .delete()) === 1
  );
}

function control(account: string): string {
  return `(exists (select 1 from record as owned where owned.id = subscription.record_id and owned.owner_id = ${account})
    or exists (select 1 from record_share as shared where shared.record_id = subscription.record_id and shared.account_id = ${account}))`;
}

/**
 * Whether a token of the account for the record, or for the carenet, would let the app read a lineage now. The time and
 * the lineage are bound, in this order.
 */
function readsFor(account: string, carenet: string): string {
  return `exists (select 1 from account as person where person.id = ${account} and (${standingState('person')}) = 'active')
  and ((${carenet} is null and ${control(account)})
    or (exists (select 1 from carenet_app as placed where placed.carenet_id = ${carenet} and placed.app_id = subscription.app_id)
      and (${control(account)} or exists (select 1 from carenet_account as member where member.carenet_id = ${carenet} and member.account_id = ${account} and (member.ends_at is null or member.ends_at > ?)))
      and exists (select 1 from document_lineage as lineage where lineage.id = ? and ${containedInColumn('lineage', carenet)})))`;
}

/**
 * The condition that the app of a subscription may read the facts of a lineage now. A subscription that was made with a
 * person's token depends on what that person may give the app. One that the app made with its own key depends on what
 * the app may read: an autonomous app the whole record, any other what its unexpired tokens open.
 */
const readsLineage = `(
  (subscription.account_id is not null and ${readsFor('subscription.account_id', 'subscription.carenet_id')})
  or (subscription.account_id is null and app.autonomous = 1)
  or (subscription.account_id is null and exists (select 1 from access_token as token
    where token.record_id = subscription.record_id and token.app_id = subscription.app_id and token.kind <> 'smart' and token.expires_at > ?
      and ${readsFor('token.account_id', 'token.carenet_id')})))`;

/** Subscriptions of apps that are registered, enabled on the record, and may read the lineage. */
function entitled(on: Builder, lineageId: Id, now: Timestamp): Knex.QueryBuilder {
  return on('subscription')
    .join('app', 'app.id', 'subscription.app_id')
    .join('record_app as enabled', {
      'enabled.record_id': 'subscription.record_id',
      'enabled.app_id': 'subscription.app_id',
    })
    .whereNull('app.retired_at')
    .whereRaw(readsLineage, [now, lineageId, now, now, lineageId]);
}

export type Watch = { readonly id: Id; readonly target: string };

/** The watches on a record that are active now, and whose apps may read the facts of the lineage. */
export const listWatches = keptStatement<Watch, readonly [recordId: Id, lineageId: Id, now: Timestamp]>(
  (on, recordId, lineageId, now) =>
    entitled(on, lineageId, now)
      .where('subscription.record_id', recordId)
      .where('subscription.expires_at', '>', now)
      .orderBy(['subscription.created_at', 'subscription.id'])
      .select('subscription.id', 'subscription.target'),
);

/** Where a ping goes, and the sealed secret that signs it. */
export type PingAddress = {
  readonly recordId: Id;
  readonly url: string;
  readonly callback: string;
  readonly consumerSecret: string;
};

/** What a ping is about. */
export type PingCause = { readonly subscriptionId: Id; readonly lineageId: Id };

/**
 * Undefined when the subscription has ended, or when the app may no longer read what has changed. An expired
 * subscription still sends its outstanding pings.
 */
export async function findPingAddress(
  on: Reads,
  { subscriptionId, lineageId }: PingCause,
  now: Timestamp,
): Promise<PingAddress | undefined> {
  return (await entitled(on, lineageId, now).where('subscription.id', subscriptionId).first({
    recordId: 'subscription.record_id',
    url: 'subscription.url',
    callback: 'subscription.callback',
    consumerSecret: 'app.consumer_secret',
  })) as PingAddress | undefined;
}
