/** giving: may this account give this app access to a record or a carenet, and the app its place there; of every dance. */
import { errors } from '../base/errors';
import { newId } from '../base/ids';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Transaction } from '../storage/database';
import type { Stores } from '../storage/stores';
import { makeLookups } from './lookups';

export type GivingParts = { readonly stores: Stores };

/** One of the two. */
export type Scope = { readonly recordId?: string; readonly carenetId?: string };

/** As a form names it. */
export type Chosen = { record_id?: string; carenet_id?: string };

/** @throws errors.missingParameter without an id, errors.invalidParameter with both */
export const chosenScope = ({ record_id: recordId = '', carenet_id: carenetId = '' }: Chosen): Scope => {
  if (recordId !== '' && carenetId !== '') {
    throw errors.invalidParameter('carenet_id', 'name a record or a carenet, not both');
  }
  if (recordId === '' && carenetId === '') {
    throw errors.missingParameter('record_id or carenet_id (one of them)');
  }
  return recordId === '' ? { carenetId } : { recordId };
};

/**
 * Keeps what rights on the scope rest on as it is until the transaction ends: who ends one of them waits, and ends the token, too.
 * @returns the record of the scope; undefined when it or the carenet is gone
 */
export const lockScope = async (
  { stores }: GivingParts,
  trx: Transaction,
  { recordId = '', carenetId }: Scope,
): Promise<string | undefined> =>
  carenetId !== undefined
    ? (await stores.sharing.lockCarenet(trx, carenetId, false))?.recordId
    : (await stores.records.lockRecord(trx, recordId, false)) && recordId;

export type Gift = {
  readonly accountId: PrincipalId;
  readonly app: { readonly id: PrincipalId; readonly autonomous: boolean };
  readonly scope: Scope;
};

/**
 * A record: the account has full control of it. A carenet: the account is in it or has full control of its record, the app is
 * placed there, and is not one that acts by itself. False for unknown ids.
 */
export const mayGive = async (
  { stores }: GivingParts,
  trx: Transaction,
  { accountId, app, scope }: Gift,
): Promise<boolean> => {
  if (!(await stores.apps.holdApp(trx, app.id))) {
    return false;
  }
  const lookups = makeLookups(trx);
  if (scope.recordId !== undefined) {
    return lookups.fullControl(accountId, scope.recordId);
  }
  const standing = app.autonomous ? undefined : await lookups.carenet(scope.carenetId ?? '', accountId, app.id);
  return standing !== undefined && standing.appPlaced && (standing.member || standing.fullControl);
};

export type Giving = Gift & {
  readonly at: Timestamp;
  /** Who has full control of the record may let an app into a part of it only: it is enabled there and placed in the carenet. */
  readonly placing: boolean;
};

const placeFirst = async (
  { stores }: GivingParts,
  trx: Transaction,
  recordId: Id,
  { accountId, app, scope: { carenetId }, at }: Giving,
): Promise<void> => {
  if (
    carenetId === undefined ||
    app.autonomous ||
    !(await stores.apps.holdApp(trx, app.id)) ||
    !(await makeLookups(trx).fullControl(accountId, recordId))
  ) {
    return;
  }
  await stores.apps.enableApp(trx, { id: newId(), recordId, appId: app.id, by: accountId, at });
  await stores.sharing.putCarenetApp(trx, carenetId, app.id, at);
};

/**
 * The account's yes: for a record it puts the app there. Answers the record.
 * @throws errors.permissionDenied for what is not the account's to give, and for what is not there
 */
export const give = async (parts: GivingParts, trx: Transaction, giving: Giving): Promise<Id> => {
  const { accountId, app, scope, at, placing } = giving;
  const recordId = await lockScope(parts, trx, scope);
  if (recordId !== undefined && placing) {
    await placeFirst(parts, trx, recordId, giving);
  }
  if (recordId === undefined || !(await mayGive(parts, trx, giving))) {
    throw errors.permissionDenied();
  }
  if (scope.recordId !== undefined) {
    await parts.stores.apps.enableApp(trx, { id: newId(), recordId, appId: app.id, by: accountId, at });
  }
  return recordId;
};
