/** require: what a path names, or 404: records, carenets, accounts and apps, looked up and held alike by every area. */
import { errors } from '../base/errors';
import type { AccountState, Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { Transaction } from '../storage/database';
import type { AppRow } from '../storage/stores/apps';
import type { HeldRecord, RecordRow } from '../storage/stores/records';
import type { CarenetRow } from '../storage/stores/sharing';

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

/** An account that something can be shared with. @throws errors.notFound, errors.invalidParameter for a retired one */
export const requireGuest = async (stored: Stored, accountId: PrincipalId): Promise<void> => {
  if ((await requireAccountState(stored, accountId)) === 'retired') {
    throw errors.invalidParameter('account_id', 'the account is retired');
  }
};

type Changing = {
  /** Rights end, which tokens rest on: whoever issues one is done before, and it ends here, or is refused. */
  readonly ends?: boolean;
};

/**
 * Changes what rests on a record, which nobody removes meanwhile. Who waited for the record may have lost the permission by what was waited
 * for, and is asked again.
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

/** Changes something of a carenet, which nobody deletes meanwhile; as `changeRecord`. @throws errors.notFound, errors.permissionDenied */
export const changeCarenet = <T>(
  { stores, database }: Stored,
  carenetId: Id,
  work: (trx: Transaction) => Promise<T>,
  { ends = false }: Changing = {},
): Promise<T> =>
  database.transaction(async (trx) => {
    found(await stores.sharing.lockCarenet(trx, carenetId, ends), 'carenet');
    await trx.askAgain?.();
    return work(trx);
  });

/**
 * Nobody retires the app before the transaction ends: what it is given ends with it.
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
