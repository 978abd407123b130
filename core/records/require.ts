/** require: finds and locks the record, carenet, account or app that a path names, or throws a 404. */
import { errors } from '../base/errors';
import type { AccountState, Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { Transaction } from '../db/database';
import type { AppRow } from '../apps/store';
import type { HeldRecord, RecordRow } from './store';
import type { CarenetRow } from '../sharing/store';

type Stored = Pick<Services, 'stores' | 'database'>;

const found = <T>(row: T | undefined, what: string): T => {
  if (row === undefined) {
    throw errors.notFound(what);
  }
  return row;
};

/** @throws errors.notFound */
export const requireRecord = async ({ stores, database }: Stored, recordId: Id): Promise<RecordRow> =>
  found(await stores.records.findRecord(database.reads, recordId), 'record');

/** @throws errors.notFound */
export const requireCarenet = async ({ stores, database }: Stored, carenetId: Id): Promise<CarenetRow> =>
  found(await stores.sharing.findCarenet(database.reads, carenetId), 'carenet');

/** @throws errors.notFound for apps, too */
export const requireAccountState = async (
  { stores, database }: Stored,
  accountId: PrincipalId,
): Promise<AccountState> =>
  found((await stores.principals.findPrincipal(database.reads, accountId))?.accountState ?? undefined, 'account');

/**
 * Requires an account with which something can be shared.
 * @throws errors.notFound, errors.invalidParameter for a retired one
 */
export const requireGuest = async (stored: Stored, accountId: PrincipalId): Promise<void> => {
  if ((await requireAccountState(stored, accountId)) === 'retired') {
    throw errors.invalidParameter('account_id', 'the account is retired');
  }
};

type Changing = {
  /**
   * True when the change ends rights on which tokens depend. A token that is issued at the same time is then deleted,
   * or not issued.
   */
  readonly ends?: boolean;
};

/**
 * Changes something of a record, which nobody can remove meanwhile. Once the record is locked, the permission is
 * checked again, because the transaction that held the lock before may have ended it.
 * @throws errors.notFound, errors.permissionDenied
 */
export const changeRecord = <T>(
  { stores, database }: Stored,
  recordId: Id,
  work: (trx: Transaction, held: HeldRecord) => Promise<T>,
  { ends = false }: Changing = {},
): Promise<T> =>
  database.transaction(async (trx) => {
    const held = found(await stores.records.lockRecord(trx, recordId, ends), 'record');
    await trx.askAgain?.();
    return work(trx, held);
  });

/** As `changeRecord`, for a carenet. @throws errors.notFound, errors.permissionDenied */
export const changeCarenet = <T>(
  { stores, database }: Stored,
  carenetId: Id,
  work: (trx: Transaction, carenet: CarenetRow) => Promise<T>,
  { ends = false }: Changing = {},
): Promise<T> =>
  database.transaction(async (trx) => {
    const held = found(await stores.sharing.lockCarenet(trx, carenetId, ends), 'carenet');
    await trx.askAgain?.();
    return work(trx, held);
  });

/**
 * Keeps the app from being retired until the transaction ends.
 * @throws errors.notFound when it was retired meanwhile
 */
export const holdUserApp = async ({ stores }: Stored, trx: Transaction, appId: PrincipalId): Promise<void> => {
  if (!(await stores.apps.holdApp(trx, appId))) {
    throw errors.notFound('app');
  }
};

/** @throws errors.notFound for admin and UI apps, too */
export const requireUserApp = async ({ stores, database }: Stored, appId: PrincipalId): Promise<AppRow> =>
  found(await stores.apps.findUserApp(database.reads, appId), 'app');
