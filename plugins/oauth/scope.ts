/** scope: may this account give this app access to a record or a carenet. */
import { makeLookups } from '../../core/access/lookups';
import { errors } from '../../core/base/errors';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/storage/database';
import type { AppRow } from '../../core/storage/stores/apps';

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
  { stores, database: { dialect } }: Services,
  trx: Transaction,
  { recordId = '', carenetId }: Scope,
): Promise<string | undefined> =>
  carenetId !== undefined
    ? (await stores.sharing.lockCarenet(trx, dialect, carenetId, false))?.recordId
    : (await stores.records.lockRecord(trx, dialect, recordId, false)) && recordId;

export type Gift = { readonly accountId: string; readonly app: AppRow; readonly scope: Scope };

/**
 * A record: the account has full control of it. A carenet: the account is in it or has full control of its record, the app is
 * placed there, and is not one that acts by itself. False for unknown ids.
 */
export const mayGive = async (
  { stores, database }: Services,
  trx: Transaction,
  { accountId, app, scope }: Gift,
): Promise<boolean> => {
  if (!(await stores.apps.holdApp(trx, database.dialect, app.id))) {
    return false;
  }
  const lookups = makeLookups(trx);
  if (scope.recordId !== undefined) {
    return lookups.fullControl(accountId, scope.recordId);
  }
  const standing = app.autonomous ? undefined : await lookups.carenet(scope.carenetId ?? '', accountId, app.id);
  return standing !== undefined && standing.appPlaced && (standing.member || standing.fullControl);
};
