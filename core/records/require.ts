/** require: finds and locks the record, carenet, account or app that a path names, or throws a 404. */
import { errors } from '../base/errors';
import type { AccountState, Id, PrincipalId } from '../base/types';
import { readOnce } from '../access/once';
import type { Services } from '../services';
import type { Transaction } from '../db/database';
import type { AppRow } from '../apps/store';
import type { HeldRecord, RecordRow } from './store';
import type { CarenetRow } from '../sharing/store';
import * as appStore from '../apps/store';
import * as principalStore from '../accounts/principals-store';
import * as recordStore from './store';
import { findWithKinds } from '../sharing/kinds-store';
import * as sharingStore from '../sharing/store';

type Stored = Pick<Services, 'database' | 'once'>;

function found<T>(row: T | undefined, what: string): T {
  if (row === undefined) {
    throw errors.notFound(what);
  }
  return row;
}

/** @throws errors.notFound */
export async function requireRecord(stored: Stored, recordId: Id): Promise<RecordRow> {
  const find = () => recordStore.findRecord(stored.database.reads, recordId);
  return found(await readOnce(stored, ['record', recordId], find), 'record');
}

/** @throws errors.notFound */
export async function requireCarenet(stored: Stored, carenetId: Id): Promise<CarenetRow> {
  // Other operations of a page read it with its kinds, so that they read it once.
  const find = stored.once ? findWithKinds : sharingStore.findCarenet;
  return found(await readOnce(stored, ['carenet', carenetId], () => find(stored.database.reads, carenetId)), 'carenet');
}

/** @throws errors.notFound for apps, too */
export async function requireAccountState({ database }: Stored, accountId: PrincipalId): Promise<AccountState> {
  return found((await principalStore.findPrincipal(database.reads, accountId))?.accountState ?? undefined, 'account');
}

/**
 * Requires an account with which something can be shared.
 * @throws errors.notFound, errors.invalidParameter for a retired one
 */
export async function requireGuest(stored: Stored, accountId: PrincipalId): Promise<void> {
  if ((await requireAccountState(stored, accountId)) === 'retired') {
    throw errors.invalidParameter('account_id', 'the account is retired');
  }
}

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
export function changeRecord<T>(
  { database }: Stored,
  recordId: Id,
  work: (trx: Transaction, held: HeldRecord) => Promise<T>,
  { ends = false }: Changing = {},
): Promise<T> {
  return database.transaction(async (trx) => {
    const held = found(await recordStore.lockRecord(trx, recordId, ends), 'record');
    await trx.askAgain?.();
    return work(trx, held);
  });
}

/** As `changeRecord`, for a carenet. @throws errors.notFound, errors.permissionDenied */
export function changeCarenet<T>(
  { database }: Stored,
  carenetId: Id,
  work: (trx: Transaction, carenet: CarenetRow) => Promise<T>,
  { ends = false }: Changing = {},
): Promise<T> {
  return database.transaction(async (trx) => {
    const held = found(await sharingStore.lockCarenet(trx, carenetId, ends), 'carenet');
    await trx.askAgain?.();
    return work(trx, held);
  });
}

/**
 * Keeps the app from being retired until the transaction ends.
 * @throws errors.notFound when it was retired meanwhile
 */
export async function holdUserApp(trx: Transaction, appId: PrincipalId): Promise<void> {
  if (!(await appStore.holdApp(trx, appId))) {
    throw errors.notFound('app');
  }
}

/** @throws errors.notFound for admin and UI apps, too */
export async function requireUserApp({ database }: Stored, appId: PrincipalId): Promise<AppRow> {
  return found(await appStore.findUserApp(database.reads, appId), 'app');
}
