/** store: full shares, carenets with their members and apps, preferences and autoshares (specification 2.9, 5.8). */
import { newId } from '../base/ids';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { containing } from './containment';
import type { Transaction, Reads } from '../db/database';
import { inParts } from '../db/in-parts';
import type { PageQuery } from '../db/page';
import { lockRecord } from '../records/store';

export type CarenetRow = { readonly id: Id; readonly recordId: Id; readonly name: string };

/** The condition that a membership has not ended. @param member alias of carenet_account */
function goesOn(member: string): string {
  return `(${member}.ends_at is null or ${member}.ends_at > ?)`;
}

type Row = { id: string; record_id: string; name: string };

function toCarenet(row: Row): CarenetRow {
  return { id: row.id, recordId: row.record_id, name: row.name };
}

const carenetColumns = ['carenet.id', 'carenet.record_id', 'carenet.name'];

/** Fails with the driver's duplicate error when the record has a carenet of that name. */
export async function insertCarenet(
  trx: Transaction,
  { id, recordId, name }: CarenetRow,
  now: Timestamp,
): Promise<void> {
  await trx('carenet').insert({ id, record_id: recordId, name, created_at: now });
}

/** Several carenets of a new record, in the order given. */
export async function insertCarenets(
  trx: Transaction,
  recordId: Id,
  names: readonly string[],
  now: Timestamp,
): Promise<void> {
  if (names.length > 0) {
    await trx('carenet').insert(names.map((name) => ({ id: newId(), record_id: recordId, name, created_at: now })));
  }
}

export async function findCarenet(on: Reads, carenetId: Id): Promise<CarenetRow | undefined> {
  const row = (await on('carenet').where({ id: carenetId }).first(carenetColumns)) as Row | undefined;
  return row && toCarenet(row);
}

/**
 * Locks a carenet, so that it cannot be removed until the transaction ends; undefined when it is gone. The row that is
 * locked is that of its record. All rights on a record use this one lock, so that no transaction waits for two.
 * @param changes true: rights or the carenet itself will end, so that nobody else may hold the lock meanwhile
 */
export async function lockCarenet(trx: Transaction, carenetId: Id, changes: boolean): Promise<CarenetRow | undefined> {
  const found = await findCarenet(trx, carenetId);
  return found && (await lockRecord(trx, found.recordId, changes)) && (await findCarenet(trx, carenetId));
}

/** Whether another carenet of the record has the name. The write itself decides between two at the same time. */
export async function isNameTaken(on: Reads, { id, recordId, name }: CarenetRow): Promise<boolean> {
  return (await on('carenet').where({ record_id: recordId, name }).whereNot({ id }).first('id')) !== undefined;
}

/** One page, in the order in which they were made. */
export async function listCarenets(
  on: Reads,
  recordId: Id,
  { limit, offset }: PageQuery,
): Promise<readonly CarenetRow[]> {
  return (
    (await on('carenet')
      .where({ record_id: recordId })
      .orderBy('seq')
      .limit(limit)
      .offset(offset)
      .select(carenetColumns)) as Row[]
  ).map(toCarenet);
}

/** One page, by name, of the carenets that an account is in and of all carenets of the records that it owns. */
export async function listCarenetsOf(
  on: Reads,
  accountId: PrincipalId,
  { limit, offset }: PageQuery,
  now: Timestamp,
): Promise<readonly CarenetRow[]> {
  const member = on('carenet_account as member')
    .join('carenet', 'carenet.id', 'member.carenet_id')
    .where('member.account_id', accountId)
    .whereRaw(goesOn('member'), [now])
    .select(...carenetColumns, 'carenet.seq');
  const owned = on('record')
    .join('carenet', 'carenet.record_id', 'record.id')
    .where('record.owner_id', accountId)
    .select(...carenetColumns, 'carenet.seq');
  return (
    (await on.from(member.union(owned).as('reached')).orderBy(['name', 'seq']).limit(limit).offset(offset)) as Row[]
  ).map(toCarenet);
}

/** Fails with the driver's duplicate error when another carenet of the record has the name. */
export async function renameCarenet(trx: Transaction, carenetId: Id, name: string): Promise<void> {
  await trx('carenet').where({ id: carenetId }).update({ name });
}

/** Deletes the carenet with its members, apps, preferences, autoshares, kinds and tokens; the documents stay. */
export async function deleteCarenet(trx: Transaction, carenetId: Id): Promise<void> {
  for (const table of [
    'carenet_account',
    'carenet_app',
    'carenet_preference',
    'carenet_autoshare',
    'carenet_kind',
    'smart_grant',
    'access_token',
    'request_token',
    'health_link',
    'subscription',
    'export_job',
  ]) {
    await trx(table).where({ carenet_id: carenetId }).delete();
  }
  await trx('carenet').where({ id: carenetId }).delete();
}

export type CarenetMember = { readonly accountId: PrincipalId; readonly fullName: string; readonly canWrite: boolean };

/** One page of the members, in the order in which they were added. */
export async function listMembers(
  on: Reads,
  carenetId: Id,
  { limit, offset }: PageQuery,
): Promise<readonly CarenetMember[]> {
  const rows = (await on('carenet_account as member')
    .leftJoin('account', 'account.id', 'member.account_id')
    .where('member.carenet_id', carenetId)
    .orderBy(['member.created_at', 'member.account_id'])
    .limit(limit)
    .offset(offset)
    .select('member.account_id', 'account.full_name', 'member.can_write')) as {
    account_id: string;
    full_name: string | null;
    can_write: number;
  }[];
  return rows.map((row) => ({
    accountId: row.account_id,
    fullName: row.full_name ?? '',
    canWrite: Boolean(row.can_write),
  }));
}

export async function findMember(
  on: Reads,
  carenetId: Id,
  accountId: PrincipalId,
  now: Timestamp,
): Promise<{ readonly canWrite: boolean } | undefined> {
  const row = (await on('carenet_account as member')
    .where({ carenet_id: carenetId, account_id: accountId })
    .whereRaw(goesOn('member'), [now])
    .first('can_write')) as { can_write: number } | undefined;
  return row && { canWrite: Boolean(row.can_write) };
}

/** Adds a member. Adding a member again changes whether the member may write; the end of the membership stays. */
export async function putMember(
  trx: Transaction,
  carenetId: Id,
  accountId: PrincipalId,
  canWrite: boolean,
  now: Timestamp,
): Promise<void> {
  // A membership that has ended is not prolonged: it is a new one.
  await trx('carenet_account')
    .where({ carenet_id: carenetId, account_id: accountId })
    .where('ends_at', '<=', now)
    .delete();
  await trx('carenet_account')
    .insert({ carenet_id: carenetId, account_id: accountId, can_write: canWrite ? 1 : 0, created_at: now })
    .onConflict(['carenet_id', 'account_id'])
    .merge({ can_write: canWrite ? 1 : 0 });
}

/**
 * Removes a member, and ends the tokens that the account gave for this carenet, unless it keeps full control of the
 * record.
 * @returns false when the account was not a member
 */
export async function deleteMember(
  trx: Transaction,
  { id: carenetId, recordId }: Pick<CarenetRow, 'id' | 'recordId'>,
  accountId: PrincipalId,
): Promise<boolean> {
  const deleted = await trx('carenet_account').where({ carenet_id: carenetId, account_id: accountId }).delete();
  await deleteTokensWithoutControl(trx, recordId, accountId);
  return deleted === 1;
}

export async function putCarenetApp(
  trx: Transaction,
  carenetId: Id,
  appId: PrincipalId,
  now: Timestamp,
): Promise<void> {
  await trx('carenet_app')
    .insert({ carenet_id: carenetId, app_id: appId, created_at: now })
    .onConflict(['carenet_id', 'app_id'])
    .ignore();
}

/** Removes an app from a carenet, and ends its tokens for it, with its subscriptions and exports there. */
export async function deleteCarenetApp(trx: Transaction, carenetId: Id, appId: PrincipalId): Promise<void> {
  await trx('carenet_app').where({ carenet_id: carenetId, app_id: appId }).delete();
  for (const table of ['smart_grant', 'access_token', 'subscription', 'export_job']) {
    await trx(table).where({ carenet_id: carenetId, app_id: appId }).delete();
  }
}

export type Placement = {
  readonly carenet: CarenetRow;
  /** False: by an autoshare of the document's type. */ readonly explicit: boolean;
};

/** One page of the carenets that contain a document, in the order in which they were made. */
export async function listPlacements(
  on: Reads,
  lineageId: Id,
  { limit, offset }: PageQuery,
): Promise<readonly Placement[]> {
  const pairs = on('document_lineage as lineage')
    .join('carenet', 'carenet.record_id', 'lineage.record_id')
    .leftJoin('carenet_preference as explicit', {
      'explicit.carenet_id': 'carenet.id',
      'explicit.lineage_id': 'lineage.id',
    })
    .where('lineage.id', lineageId);
  const rows = (await containing(pairs, 'lineage', 'carenet')
    .orderBy('carenet.seq')
    .limit(limit)
    .offset(offset)
    .select(...carenetColumns, 'explicit.shared')) as (Row & { shared: number | null })[];
  return rows.map((row) => ({ carenet: toCarenet(row), explicit: row.shared !== null }));
}

/** Shares or excludes a document explicitly, in place of any earlier preference. */
export async function putPreference(
  trx: Transaction,
  carenetId: Id,
  lineageId: Id,
  shared: boolean,
  now: Timestamp,
): Promise<void> {
  const row = { shared: shared ? 1 : 0, changed_at: now };
  await trx('carenet_preference')
    .insert({ carenet_id: carenetId, lineage_id: lineageId, ...row })
    .onConflict(['carenet_id', 'lineage_id'])
    .merge(row);
}

/** Removes the placement or exclusion, so that the type of the document decides again. */
export async function deletePreference(trx: Transaction, carenetId: Id, lineageId: Id): Promise<void> {
  await trx('carenet_preference').where({ carenet_id: carenetId, lineage_id: lineageId }).delete();
}

export async function putAutoshares(
  trx: Transaction,
  carenetId: Id,
  types: readonly string[],
  now: Timestamp,
): Promise<void> {
  await trx('carenet_autoshare')
    .insert(types.map((type) => ({ carenet_id: carenetId, type, created_at: now })))
    .onConflict(['carenet_id', 'type'])
    .ignore();
}

export async function deleteAutoshares(trx: Transaction, carenetId: Id, types: readonly string[]): Promise<void> {
  await trx('carenet_autoshare').where({ carenet_id: carenetId }).whereIn('type', types).delete();
}

/** A document type that a carenet gets, or no longer gets. */
export type TypeChange = { readonly carenet: Id; readonly type: string };

function byCarenet(changes: readonly TypeChange[]): readonly (readonly [Id, readonly string[]])[] {
  return [...new Set(changes.map(({ carenet }) => carenet))].map((id) => [
    id,
    changes.filter(({ carenet }) => carenet === id).map(({ type }) => type),
  ]);
}

/** Changes the rules of several carenets. A rule that is in both lists is set afterwards. */
export async function changeAutoshares(
  trx: Transaction,
  { set, unset }: { readonly set: readonly TypeChange[]; readonly unset: readonly TypeChange[] },
  now: Timestamp,
): Promise<void> {
  for (const part of inParts(unset)) {
    await trx('carenet_autoshare')
      .where((where) => {
        byCarenet(part).forEach(
          ([id, types]) => void where.orWhere((one) => void one.where('carenet_id', id).whereIn('type', [...types])),
        );
      })
      .delete();
  }
  for (const part of inParts(set)) {
    await trx('carenet_autoshare')
      .insert(part.map(({ carenet, type }) => ({ carenet_id: carenet, type, created_at: now })))
      .onConflict(['carenet_id', 'type'])
      .ignore();
  }
}

export type Autoshare = { readonly type: string; readonly carenet: CarenetRow };

function selectAutoshares(on: Reads, recordId: Id) {
  return on('carenet')
    .join('carenet_autoshare as autoshare', 'autoshare.carenet_id', 'carenet.id')
    .where('carenet.record_id', recordId);
}

/** All autoshares, by type, then by carenet in the order in which they were made. */
export async function listAutoshares(on: Reads, recordId: Id): Promise<readonly Autoshare[]> {
  const rows = (await selectAutoshares(on, recordId)
    .orderBy(['autoshare.type', 'carenet.seq'])
    .select(...carenetColumns, 'autoshare.type')) as (Row & { type: string })[];
  return rows.map((row) => ({ type: row.type, carenet: toCarenet(row) }));
}

/** One page of the carenets that get every document of one of the types, in the order in which they were made. */
export async function listCarenetsOfTypes(
  on: Reads,
  recordId: Id,
  types: readonly string[],
  { limit, offset }: PageQuery,
): Promise<readonly CarenetRow[]> {
  return (
    (await selectAutoshares(on, recordId)
      .whereIn('autoshare.type', types)
      .orderBy('carenet.seq')
      .limit(limit)
      .offset(offset)
      .distinct(carenetColumns)
      .select('carenet.seq')) as Row[]
  ).map(toCarenet);
}

/** Those of the given types that a latest version in the record has, or that one of its carenets shares. */
export async function typesKnownTo(on: Reads, recordId: Id, types: readonly string[]): Promise<readonly string[]> {
  const known: string[] = [];
  for (const part of inParts(types)) {
    const rows = (await on('document_lineage')
      .where({ record_id: recordId })
      .whereIn('type', part)
      .select('type')
      .union([selectAutoshares(on, recordId).whereIn('autoshare.type', part).select('autoshare.type')])) as {
      type: string;
    }[];
    known.push(...rows.map(({ type }) => type));
  }
  return known;
}

export type Share = { readonly id: Id; readonly accountId: PrincipalId; readonly roleLabel: string | null };
export type AppShare = { readonly id: Id; readonly appId: PrincipalId };

type ListedShareRow = { rank: number; id: string; principal_id: string; role_label: string | null };

/** One page of the full shares and then the apps of a record, both in the order in which they were added. */
export async function listShares(
  on: Reads,
  recordId: Id,
  { limit, offset }: PageQuery,
): Promise<readonly (Share | AppShare)[]> {
  const full = on('record_share')
    .where({ record_id: recordId })
    .select({ rank: on.raw('1'), seq: 'seq', id: 'id', principal_id: 'account_id', role_label: 'role_label' });
  const apps = on('record_app')
    .where({ record_id: recordId })
    .select({
      rank: on.raw('2'),
      seq: 'seq',
      id: 'id',
      principal_id: 'app_id',
      role_label: on.raw('null'),
    });
  const rows = (await on
    .from(full.unionAll([apps]).as('listed'))
    .orderBy(['rank', 'seq'])
    .limit(limit)
    .offset(offset)) as ListedShareRow[];
  return rows.map(({ rank, id, principal_id: principalId, role_label: roleLabel }) =>
    Number(rank) === 1 ? { id, accountId: principalId, roleLabel } : { id, appId: principalId },
  );
}

/** Sharing again with another label, or null for none, changes the label; undefined leaves it as it is. */
export async function putShare(
  trx: Transaction,
  recordId: Id,
  accountId: PrincipalId,
  roleLabel: string | null | undefined,
  now: Timestamp,
): Promise<void> {
  const share = trx('record_share')
    .insert({ id: newId(), record_id: recordId, account_id: accountId, role_label: roleLabel ?? null, created_at: now })
    .onConflict(['record_id', 'account_id']);
  await (roleLabel === undefined ? share.ignore() : share.merge({ role_label: roleLabel }));
}

async function createdAt(row: PromiseLike<unknown>): Promise<Timestamp | undefined> {
  return ((await row) as { created_at: Timestamp } | undefined)?.created_at;
}

/** When the record was shared with the account; undefined when it is not. */
export function sharedSince(on: Reads, recordId: Id, accountId: PrincipalId): Promise<Timestamp | undefined> {
  return createdAt(on('record_share').where({ record_id: recordId, account_id: accountId }).first('created_at'));
}

/** When the account was added to the carenet; undefined when it is not in it. */
export function memberSince(on: Reads, carenetId: Id, accountId: PrincipalId): Promise<Timestamp | undefined> {
  return createdAt(on('carenet_account').where({ carenet_id: carenetId, account_id: accountId }).first('created_at'));
}

export async function deleteShares(trx: Transaction, recordId: Id, ...accountIds: PrincipalId[]): Promise<void> {
  await trx('record_share').where({ record_id: recordId }).whereIn('account_id', accountIds).delete();
}

/**
 * Ends the access that an account gave to apps on a record and on carenets of which it is no member, and its links to
 * the record. It ends nothing while the account owns the record or has a full share of it.
 */
export async function deleteTokensWithoutControl(
  trx: Transaction,
  recordId: Id,
  accountId: PrincipalId,
): Promise<void> {
  const uncontrolled = (table: string) =>
    trx(table)
      .where({ record_id: recordId, account_id: accountId })
      .whereNotExists(trx('record').where({ id: recordId, owner_id: accountId }).select(trx.raw('1')))
      .whereNotExists(trx('record_share').where({ record_id: recordId, account_id: accountId }).select(trx.raw('1')));
  for (const table of ['smart_grant', 'access_token', 'subscription', 'export_job']) {
    await uncontrolled(table)
      .whereNotExists(
        trx('carenet_account')
          .where({ account_id: accountId })
          .where('carenet_account.carenet_id', trx.ref(`${table}.carenet_id`))
          .select(trx.raw('1')),
      )
      .delete();
  }
  await uncontrolled('health_link').delete();
}
