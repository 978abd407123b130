/** store: rows of record and demographics (specification 2.4; demographics are flat fields). */
import type { Knex } from 'knex';
import type { Builder } from '../db/builder';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable } from '../db/columns';
import type { Transaction, Reads } from '../db/database';
import { keptStatement } from '../db/kept-statement';
import { countRows, readPart, type ListPart, type PageQuery, type Seek } from '../db/page';
import type { Scalar } from '../facts/plans';
import type { ContentKey } from '../sealing/contents-store';

export type RecordRow = {
  readonly id: Id;
  readonly label: string;
  readonly ownerId: PrincipalId | null;
  readonly creatorId: PrincipalId;
  readonly demographicsLineageId: Id | null;
  /** Latest version of the demographics document. */
  readonly demographicsId: Id | null;
  readonly createdAt: Timestamp;
};

export type NewRecord = {
  readonly id: Id;
  readonly label: string;
  readonly ownerId: PrincipalId;
  readonly creatorId: PrincipalId;
  /** Unique over the installation. */
  readonly external: { readonly appId: PrincipalId; readonly externalId: string } | null;
  readonly contentKey: ContentKey;
  readonly createdAt: Timestamp;
};

/**
 * The form of a label that searches compare. It is made here because databases differ in which letters they treat as
 * equal.
 */
function foldedLabel(label: string): string {
  return label.toLowerCase();
}

function selectRecords(on: Reads) {
  return on('record')
    .leftJoin('document_lineage', 'document_lineage.id', 'record.demographics_lineage_id')
    .select({
      ...inTable('record', columnsNamed('id', 'label', 'ownerId', 'creatorId', 'demographicsLineageId', 'createdAt')),
      demographicsId: 'document_lineage.latest_id',
    });
}

/** Fails with the driver's duplicate error when the external id is taken. */
export function insertRecord(trx: Transaction, record: NewRecord): Promise<unknown> {
  return trx('record').insert({
    id: record.id,
    label: record.label,
    search_label: foldedLabel(record.label),
    owner_id: record.ownerId,
    creator_id: record.creatorId,
    external_app_id: record.external?.appId ?? null,
    external_id: record.external?.externalId ?? null,
    demographics_lineage_id: null,
    content_key: record.contentKey,
    created_at: record.createdAt,
  });
}

/** Whether there is a record of this id, also while it is being forgotten. */
export async function isRecord(on: Reads, recordId: Id): Promise<boolean> {
  return (await on('record').where({ id: recordId }).first('id')) !== undefined;
}

/** Records that are being forgotten are not found: `closeRecord` empties their creator. */
export async function findRecord(on: Reads, recordId: Id): Promise<RecordRow | undefined> {
  const row = (await selectRecords(on).where('record.id', recordId).first()) as RecordRow | undefined;
  return row?.creatorId === '' ? undefined : row;
}

export async function findRecordByExternalId(
  on: Reads,
  appId: PrincipalId,
  externalId: string,
): Promise<RecordRow | undefined> {
  return (await selectRecords(on)
    .where({ 'record.external_app_id': appId, 'record.external_id': externalId })
    .first()) as RecordRow | undefined;
}

/** How many records that were begun are removed at once. */
const MOST_BEGUN = 10;

/** Records that an app named so that their external ids begin alike, by these ids, with their owners. */
export async function findRecordsNamed(
  on: Reads,
  appId: PrincipalId,
  beginning: string,
  most: number,
): Promise<readonly (Pick<RecordRow, 'id' | 'label' | 'ownerId' | 'createdAt'> & { readonly externalId: string })[]> {
  return (await on('record')
    .where('external_app_id', appId)
    .where('external_id', '>=', beginning)
    .where('external_id', '<', `${beginning}~`)
    .whereNot('creator_id', '')
    .orderBy('external_id')
    .limit(most)
    .select(columnsNamed('id', 'label', 'ownerId', 'createdAt', 'externalId'))) as never;
}

/** Records that an app named so and still owns, made before a time. */
export async function listBegun(
  on: Reads,
  appId: PrincipalId,
  beginning: string,
  before: Timestamp,
): Promise<readonly Id[]> {
  return (await on('record')
    .where({ external_app_id: appId, owner_id: appId })
    .where('external_id', '>=', beginning)
    .where('external_id', '<', `${beginning}~`)
    .where('created_at', '<', before)
    .limit(MOST_BEGUN)
    .pluck('id')) as Id[];
}

export type HeldRecord = {
  /** Whether apps subscribe to it. */
  readonly watched: boolean;
  /** The key under which the record's contents are sealed. */
  readonly contentKey: ContentKey;
};

function recordToHold(changes: boolean) {
  return keptStatement<{ watched: number; content_key: ContentKey }, readonly [recordId: Id]>((on, recordId) => {
    const subscribed = on('subscription').whereRaw('subscription.record_id = record.id').select(on.raw('1'));
    const query = on('record')
      .where('id', recordId)
      .where('creator_id', '<>', '')
      .select('content_key', { watched: on.raw('exists ?', [subscribed]) });
    return changes ? query.forUpdate() : query.forShare();
  });
}

const recordForUse = recordToHold(false);
const recordForChange = recordToHold(true);

/**
 * Locks the record until the transaction ends. Until then it is not removed or given away, and its shares, apps and
 * carenets do not end. Undefined when there is no such record, or it is being forgotten.
 * @param changes true: the record's own row will change, or one of the others will end, so that nobody else may hold
 * the lock meanwhile
 * @returns what the caller needs to store something in the record
 */
export async function lockRecord(trx: Transaction, recordId: Id, changes: boolean): Promise<HeldRecord | undefined> {
  const [row] = await (changes ? recordForChange : recordForUse)(trx, recordId);
  return row && { watched: row.watched === 1, contentKey: row.content_key };
}

/** Records whose label contains the text, ignoring case; by label, then id. */
export async function searchRecords(
  on: Reads,
  label: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly RecordRow[]> {
  return (
    (await selectRecords(on)
      // The index holds all that is searched; rows are read for the hits only.
      .whereIn(
        'record.seq',
        on('record')
          .whereRaw('instr(search_label, ?) > 0', [foldedLabel(label)])
          .select('seq'),
      )
      .orderBy([{ column: 'record.label' }, { column: 'record.id' }])
      .limit(limit)
      .offset(offset)) as RecordRow[]
  );
}

/**
 * Sets the owner and answers the account that was the owner before, if it was one; undefined for an unknown record. If
 * the owner changes, all health links of the record end, because the new owner decides who sees it.
 */
export async function setRecordOwner(
  trx: Transaction,
  recordId: Id,
  ownerId: PrincipalId,
): Promise<{ readonly before: PrincipalId | null } | undefined> {
  const kind = trx.raw('(select principal.kind from principal where principal.id = record.owner_id) as kind');
  const linked = trx.raw('exists (select 1 from health_link where health_link.record_id = record.id) as linked');
  const row = (await trx('record').where({ id: recordId }).forUpdate().first('owner_id', kind, linked)) as
    { owner_id: string | null; kind: string | null; linked: number } | undefined;
  if (row) {
    await trx('record').where({ id: recordId }).update({ owner_id: ownerId });
  }
  if (row?.linked && row.owner_id !== ownerId) {
    await trx('health_link').where({ record_id: recordId }).delete();
  }
  return row && { before: row.kind === 'account' ? row.owner_id : null };
}

/**
 * Makes a lineage the record's demographics, once.
 * @returns false when the record had one already
 */
export async function pointToDemographics(trx: Transaction, recordId: Id, lineageId: Id): Promise<boolean> {
  return (
    (await trx('record')
      .where({ id: recordId })
      .whereNull('demographics_lineage_id')
      .update({ demographics_lineage_id: lineageId })) === 1
  );
}

export type Demographics = { readonly documentId: Id; readonly values: Readonly<Record<string, Scalar>> };

/** The demographics as they are kept, with the time at which their document was stored. */
export type KeptDemographics = Demographics & { readonly createdAt: Timestamp };

/**
 * Replaces the demographics with the fields of the latest demographics document. The record's label follows the name.
 */
export async function putDemographics(
  trx: Transaction,
  recordId: Id,
  { documentId, values }: Demographics,
  now: Timestamp,
): Promise<void> {
  const flags = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  const row = { ...Object.fromEntries(flags), document_id: documentId, created_at: now } as Record<string, Scalar>;
  await trx('demographics')
    .insert({ record_id: recordId, ...row })
    .onConflict('record_id')
    .merge(row);
  const label = [values['name_given'], values['name_family']]
    .filter((name) => name !== null && name !== undefined && name !== '')
    .join(' ');
  await trx('record')
    .where({ id: recordId })
    .update({ label, search_label: foldedLabel(label) });
}

/** The fields as stored: flags are 0 or 1. */
export async function findDemographics(on: Reads, recordId: Id): Promise<KeptDemographics | undefined> {
  const row = (await on('demographics').where({ record_id: recordId }).first()) as Record<string, Scalar> | undefined;
  if (!row) {
    return undefined;
  }
  const { record_id: _record, document_id: documentId, created_at: createdAt, ...values } = row;
  return { documentId: String(documentId), createdAt: String(createdAt) as Timestamp, values };
}

/** A record in the list of a person. */
export type ListedRecord = {
  readonly id: Id;
  readonly label: string;
  readonly kind: 'owned' | 'full_share' | 'carenet';
  readonly roleLabel: string | null;
  readonly carenet: { readonly id: Id; readonly name: string } | null;
};

/** A record of a person's list, and what a page says of it. */
export type ReachedRecord = ListedRecord & {
  /** When it was shared with them as a whole; null: it was not. */ readonly sharedAt: Timestamp | null;
  /** Day of birth as YYYY-MM-DD; empty if it is not known, and for what a carenet holds of a record. */
  readonly born: string;
};

type ListedRow = {
  id: string;
  label: string;
  role_label: string | null;
  carenet_id: string | null;
  carenet_name: string | null;
};

const reachedKeys = ['rank', 'label', 'id', 'carenet_name'];
const sortableReached = ['label', 'created_at'];

/**
 * Sorts by a known field first, then by the usual keys in the same direction, so that equal rows have one order on all
 * pages.
 */
function reachedOrder(asked: string | undefined) {
  const field = sortableReached.find((name) => name === asked?.replace(/^-/, ''));
  const order = field !== undefined && asked?.startsWith('-') ? 'desc' : 'asc';
  return [...(field === undefined ? [] : [field]), ...reachedKeys.filter((key) => key !== field)].map((column) => ({
    column,
    order,
  }));
}

type Reached = ListedRow & { readonly rank: number; readonly shared_at: string | null };

/** The records that an account reaches: its own, those fully shared, those by carenet. */
function reachedBy(on: Builder, accountId: PrincipalId | Knex.QueryBuilder, now: Timestamp) {
  const none = on.raw('null');
  const nowhere = { carenet_id: none, carenet_name: none, place: on.raw("''") };
  const common = { id: 'record.id', label: 'record.label', created_at: 'record.created_at' };
  const owned = on('record')
    .where('record.owner_id', accountId)
    .select({ rank: on.raw('1'), ...common, role_label: none, shared_at: none, ...nowhere });
  const shared = on('record_share as share')
    .join('record', 'record.id', 'share.record_id')
    .where('share.account_id', accountId)
    .select({
      rank: on.raw('2'),
      ...common,
      role_label: 'share.role_label',
      shared_at: 'share.created_at',
      ...nowhere,
    });
  const inCarenets = on('carenet_account as member')
    .join('carenet', 'carenet.id', 'member.carenet_id')
    .join('record', 'record.id', 'carenet.record_id')
    .where('member.account_id', accountId)
    .whereRaw('(member.ends_at is null or member.ends_at > ?)', [now])
    .select({
      rank: on.raw('3'),
      ...common,
      role_label: none,
      shared_at: none,
      carenet_id: 'carenet.id',
      carenet_name: 'carenet.name',
      place: 'carenet.id',
    });
  return on.from(owned.unionAll([shared, inCarenets]).as('reached'));
}

function toListed(row: Reached): ListedRecord {
  return {
    id: row.id,
    label: row.label,
    kind: (['owned', 'full_share', 'carenet'] as const)[Number(row.rank) - 1]!,
    roleLabel: row.role_label,
    carenet: row.carenet_id === null ? null : { id: row.carenet_id, name: row.carenet_name ?? '' },
  };
}

/**
 * One page of the records that an account reaches: owned, then fully shared, then by carenet; inside a group by label,
 * then id. `label` or `created_at` can be asked for instead.
 */
export async function listRecordsOf(
  on: Reads,
  accountId: PrincipalId,
  { limit, offset, orderBy }: PageQuery,
  now: Timestamp,
): Promise<readonly ListedRecord[]> {
  return (
    (await reachedBy(on, accountId, now).orderBy(reachedOrder(orderBy)).limit(limit).offset(offset)) as Reached[]
  ).map(toListed);
}

/** Record -> day of birth, for those that have one. */
async function birthDaysOf(on: Reads, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>> {
  const rows = (
    ids.length === 0 ? [] : await on('demographics').whereIn('record_id', ids).select('record_id', 'bday')
  ) as {
    record_id: string;
    bday: unknown;
  }[];
  return new Map(rows.map(({ record_id: id, bday }) => [id, String(bday ?? '').slice(0, 10)]));
}

/** A record that a page can lead over to. */
export type OtherRecord = Pick<ReachedRecord, 'id' | 'label' | 'born'> & {
  readonly carenetId: Id | null;
  readonly carenetName: string | null;
};

const JSON_LIST = { sqlite: 'json_group_array', mysql: 'json_arrayagg' } as const;
const OTHERS = 11;

/**
 * The first records that an account reaches, in the usual order, as a column with a list in JSON: what the frame of
 * every page leads to costs no query of its own.
 * @param account a statement with the id of the account
 * @param here the id of a record or carenet that stands first if it is among them
 */
export function otherRecordsColumn(on: Builder, account: Knex.QueryBuilder, here: string, now: Timestamp): Knex.Raw {
  const listed = reachedBy(on, account, now)
    .leftJoin('demographics', 'demographics.record_id', 'reached.id')
    .select('reached.id', 'reached.label', 'reached.carenet_id', 'reached.carenet_name')
    .select(on.raw('case when reached.carenet_id is null then demographics.bday end as born'))
    .orderByRaw('case when coalesce(reached.carenet_id, reached.id) = ? then 0 else 1 end', [here])
    .orderBy(['rank', 'label', 'id', 'place'].map((column) => ({ column: `reached.${column}` })))
    .limit(OTHERS);
  return on.raw(
    `(select ${JSON_LIST[on.database]}(json_object('id', one.id, 'label', one.label, 'carenetId', one.carenet_id, ` +
      "'carenetName', one.carenet_name, 'born', one.born)) from ? as one)",
    [listed],
  );
}

/** The records of that column. */
export function otherRecordsIn(column: unknown): readonly OtherRecord[] {
  const listed = (typeof column === 'string' ? JSON.parse(column) : column) as readonly OtherRecord[] | null;
  return (listed ?? []).map((one) => ({ ...one, born: String(one.born ?? '').slice(0, 10) }));
}

/** A part of these records in the usual order, and how many there are in all. */
export async function seekRecordsOf(
  on: Reads,
  accountId: PrincipalId,
  seek: Seek,
  now: Timestamp,
): Promise<{ readonly part: ListPart<ReachedRecord>; readonly total: number }> {
  const query = reachedBy(on, accountId, now).select('reached.*');
  const part = await readPart<Reached>(query, ['rank', 'label', 'id', 'place'], false, seek);
  const born = await birthDaysOf(
    on,
    part.rows.filter((row) => row.carenet_id === null).map(({ id }) => id),
  );
  const rows = part.rows.map((row) => ({
    ...toListed(row),
    sharedAt: row.shared_at,
    born: row.carenet_id === null ? (born.get(row.id) ?? '') : '',
  }));
  return { part: { ...part, rows }, total: await countRows(reachedBy(on, accountId, now)) };
}
