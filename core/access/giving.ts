/**
 * giving: decides whether an account may give an app access to a record or carenet, and gives it. OAuth 1.0a and SMART
 * both use this.
 */
import type { Clock } from '../base/clock';
import { errors } from '../base/errors';
import { newId } from '../base/ids';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Transaction } from '../db/database';
import { makeLookups } from './lookups';
import * as appStore from '../apps/store';
import * as recordStore from '../records/store';
import * as sharingStore from '../sharing/store';

/** A record or a carenet: exactly one of the two ids is given. */
export type Scope = { readonly recordId?: string; readonly carenetId?: string };

/** The scope under the names that forms use. */
export type Chosen = { record_id?: string; carenet_id?: string };

/** @throws errors.missingParameter without an id, errors.invalidParameter with both */
export function chosenScope({ record_id: recordId = '', carenet_id: carenetId = '' }: Chosen): Scope {
  if (recordId !== '' && carenetId !== '') {
    throw errors.invalidParameter('carenet_id', 'name a record or a carenet, not both');
  }
  if (recordId === '' && carenetId === '') {
    throw errors.missingParameter('record_id or carenet_id (one of them)');
  }
  return recordId === '' ? { carenetId } : { recordId };
}

/**
 * Locks the record of the scope until the transaction ends. A transaction that ends shares, memberships or bindings
 * waits for this lock; after that, it also deletes the tokens that were issued while the lock was held.
 * @returns the record of the scope; undefined when it or the carenet is gone
 */
export async function lockScope(trx: Transaction, { recordId = '', carenetId }: Scope): Promise<string | undefined> {
  return carenetId !== undefined
    ? (await sharingStore.lockCarenet(trx, carenetId, false))?.recordId
    : (await recordStore.lockRecord(trx, recordId, false)) && recordId;
}

type Gift = {
  readonly clock: Clock;
  readonly accountId: PrincipalId;
  readonly app: { readonly id: PrincipalId; readonly autonomous: boolean };
  readonly scope: Scope;
};

/**
 * Whether the account may give this access. For a record, it needs full control of it. For a carenet, it must be in the
 * carenet or have full control of its record; the app must be placed in the carenet, and must not act by itself. False
 * for unknown ids.
 */
export async function mayGive(trx: Transaction, { clock, accountId, app, scope }: Gift): Promise<boolean> {
  if (!(await appStore.holdApp(trx, app.id))) {
    return false;
  }
  const lookups = makeLookups(trx, clock);
  if (scope.recordId !== undefined) {
    return lookups.fullControl(accountId, scope.recordId);
  }
  const standing = app.autonomous ? undefined : await lookups.carenet(scope.carenetId ?? '', accountId, app.id);
  return standing !== undefined && standing.appPlaced && (standing.member || standing.fullControl);
}

type Giving = Gift & {
  readonly at: Timestamp;
  /**
   * True: if the account has full control of the record, the app is first enabled on the record and placed in the
   * carenet.
   */
  readonly placing: boolean;
};

async function placeFirst(
  trx: Transaction,
  recordId: Id,
  { clock, accountId, app, scope: { carenetId }, at }: Giving,
): Promise<void> {
  if (
    carenetId === undefined ||
    app.autonomous ||
    !(await appStore.holdApp(trx, app.id)) ||
    !(await makeLookups(trx, clock).fullControl(accountId, recordId))
  ) {
    return;
  }
  await appStore.enableApp(trx, { id: newId(), recordId, appId: app.id, by: accountId, at });
  await sharingStore.putCarenetApp(trx, carenetId, app.id, at);
}

/**
 * Gives the access that an account agreed to; for a whole record, this enables the app there.
 * @returns the id of the record
 * @throws errors.permissionDenied for an unknown record or carenet, and for one to which the account may not give
 * access
 */
export async function give(trx: Transaction, giving: Giving): Promise<Id> {
  const { accountId, app, scope, at, placing } = giving;
  const recordId = await lockScope(trx, scope);
  if (recordId !== undefined && placing) {
    await placeFirst(trx, recordId, giving);
  }
  if (recordId === undefined || !(await mayGive(trx, giving))) {
    throw errors.permissionDenied();
  }
  if (scope.recordId !== undefined) {
    await appStore.enableApp(trx, { id: newId(), recordId, appId: app.id, by: accountId, at });
  }
  return recordId;
}
