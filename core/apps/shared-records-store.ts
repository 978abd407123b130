/**
 * shared-records-store: the records that people shared with an app that acts by itself. Whoever let the app in must
 * still have the record, and an app that is placed in a carenet of a record was given that carenet and not the record.
 */
import type { Knex } from 'knex';
import { standingState } from '../accounts/store';
import type { Id, PrincipalId } from '../base/types';
import type { Reads } from '../db/connection';

function shared(on: Reads, appId: PrincipalId): Knex.QueryBuilder {
  const placed = on('carenet_app as placed')
    .join('carenet', 'carenet.id', 'placed.carenet_id')
    .where('carenet.record_id', on.ref('bound.record_id'))
    .where('placed.app_id', on.ref('bound.app_id'))
    .select(on.raw('1'));
  return on('record_app as bound')
    .join('record', 'record.id', 'bound.record_id')
    .join('account as giver', 'giver.id', 'bound.authorized_by')
    .leftJoin('record_share as share', {
      'share.record_id': 'bound.record_id',
      'share.account_id': 'bound.authorized_by',
    })
    .where('bound.app_id', appId)
    .whereRaw(`${standingState('giver')} = ?`, ['active'])
    .whereRaw('(record.owner_id = bound.authorized_by or share.account_id is not null)')
    .whereNotExists(placed);
}

/** Whether a record is shared with the app. */
export async function isShared(on: Reads, appId: PrincipalId, recordId: Id): Promise<boolean> {
  return (await shared(on, appId).where('bound.record_id', recordId).first('bound.record_id')) !== undefined;
}

/** The ids of records that are shared with the app, in their order, from the one after `after` on. */
export async function listShared(on: Reads, appId: PrincipalId, after: Id, limit: number): Promise<readonly Id[]> {
  return (await shared(on, appId)
    .where('bound.record_id', '>', after)
    .orderBy('bound.record_id')
    .limit(limit)
    .pluck('bound.record_id')) as Id[];
}

/** The record, among those that are shared with the app, that holds a resource or document with this id. */
export async function findSharedWith(
  on: Reads,
  appId: PrincipalId,
  { type, id }: { readonly type: string; readonly id: string },
): Promise<Id | undefined> {
  const kept = (await shared(on, appId)
    .join('fhir_resource as kept', 'kept.record_id', 'bound.record_id')
    .where({ 'kept.type': type, 'kept.id': id })
    .first('bound.record_id')) as { record_id: Id } | undefined;
  if (kept) {
    return kept.record_id;
  }
  const stored = (await shared(on, appId)
    .join('document', 'document.record_id', 'bound.record_id')
    .where('document.id', id)
    .first('bound.record_id')) as { record_id: Id } | undefined;
  return stored?.record_id;
}
