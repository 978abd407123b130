/**
 * documents-store: rows of app storage: documents of an app alone, or of an app on one record (specification 4.2, 4.3).
 */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';
import { countRows, orderOf, type PageQuery } from '../db/page';
import type { ContentKey, Contents, ContentPlace, Sealer, StoredContent } from '../sealing/contents-store';
import type { PrincipalKind } from '../accounts/principals-store';

/** Where an app keeps documents: on a record, or in storage of its own when the record is null. */
export type Shelf = { readonly appId: PrincipalId; readonly recordId: Id | null };

export type AppDocumentRow = {
  readonly id: Id;
  readonly recordId: Id | null;
  /** Type URI of XML, null for everything else. */
  readonly type: string | null;
  readonly mediaType: string;
  readonly size: number;
  readonly digest: string;
  readonly label: string | null;
  readonly creator: { readonly id: PrincipalId; readonly kind: PrincipalKind; readonly name: string };
  readonly createdAt: Timestamp;
};

export type NewAppDocument = {
  readonly id: Id;
  readonly externalId: string | null;
  readonly type: string | null;
  readonly mediaType: string;
  readonly digest: string;
  readonly content: Buffer;
  readonly creatorId: PrincipalId;
  readonly now: Timestamp;
};

/** The columns that say on which shelf a document stands. */
function shelfColumns({ appId, recordId }: Shelf) {
  return { app_id: appId, scope: recordId ?? '' };
}

/** Where the content of a document belongs. */
function appDocumentPlace({ appId, recordId }: Shelf, id: Id): ContentPlace {
  return ['app_document', appId, recordId ?? '', id];
}

/**
 * Locks the app's principal for the rest of the transaction. Every writer locks this row, so that two writers together
 * cannot exceed the quota.
 */
export async function lockShelves(trx: Transaction, appId: PrincipalId): Promise<void> {
  await trx('principal').where({ id: appId }).forUpdate().first('id');
}

/** Bytes that an app has stored in all, on records and in its own storage. */
export async function storedBytes(on: Reads, appId: PrincipalId): Promise<number> {
  const row = (await on('app_document').where({ app_id: appId }).sum({ bytes: 'size' }).first()) as
    { bytes: number | string | null } | undefined;
  return Number(row?.bytes ?? 0);
}

export function insertAppDocument(
  trx: Transaction,
  sealer: Sealer,
  shelf: Shelf,
  document: NewAppDocument,
): Promise<unknown> {
  return trx('app_document').insert({
    id: document.id,
    ...shelfColumns(shelf),
    external_id: document.externalId,
    type: document.type,
    media_type: document.mediaType,
    size: document.content.length,
    digest: document.digest,
    label: null,
    status: 'active',
    creator_id: document.creatorId,
    created_at: document.now,
    updated_at: document.now,
    ...sealer.seal(appDocumentPlace(shelf, document.id), document.content),
  });
}

/**
 * Replaces the content of a document; its id, label and creation stay.
 * @returns false when there is no such document
 */
export async function overwriteAppDocument(
  trx: Transaction,
  sealer: Sealer,
  shelf: Shelf,
  id: Id,
  document: Omit<NewAppDocument, 'id' | 'externalId' | 'creatorId'>,
): Promise<boolean> {
  return (
    (await trx('app_document')
      .where({ ...shelfColumns(shelf), id })
      .update({
        type: document.type,
        media_type: document.mediaType,
        size: document.content.length,
        digest: document.digest,
        updated_at: document.now,
        ...sealer.seal(appDocumentPlace(shelf, id), document.content),
      })) === 1
  );
}

type Row = {
  id: string;
  scope: string;
  type: string | null;
  media_type: string;
  size: number;
  digest: string;
  label: string | null;
  creator_id: string;
  creator_kind: PrincipalKind | null;
  creator_name: string | null;
  created_at: string;
};

function toDocument(row: Row): AppDocumentRow {
  return {
    id: row.id,
    recordId: row.scope === '' ? null : row.scope,
    type: row.type,
    mediaType: row.media_type,
    size: Number(row.size),
    digest: row.digest,
    label: row.label,
    creator: { id: row.creator_id, kind: row.creator_kind ?? 'userapp', name: row.creator_name || row.creator_id },
    createdAt: row.created_at,
  };
}

function selectDocuments(on: Reads, shelf: Shelf) {
  const { app_id: appId, scope } = shelfColumns(shelf);
  return on('app_document as d')
    .leftJoin('principal as creator', 'creator.id', 'd.creator_id')
    .where({ 'd.app_id': appId, 'd.scope': scope })
    .select(
      'd.id',
      'd.scope',
      'd.type',
      'd.media_type',
      'd.size',
      'd.digest',
      'd.label',
      'd.creator_id',
      'creator.kind as creator_kind',
      'creator.name as creator_name',
      'd.created_at',
    );
}

async function findBy(
  column: 'd.id' | 'd.external_id',
  value: string,
  on: Reads,
  shelf: Shelf,
): Promise<AppDocumentRow | undefined> {
  const row = (await selectDocuments(on, shelf).where(column, value).first()) as Row | undefined;
  return row && toDocument(row);
}

export function findAppDocument(on: Reads, shelf: Shelf, id: Id): Promise<AppDocumentRow | undefined> {
  return findBy('d.id', id, on, shelf);
}

export function findAppDocumentByExternalId(
  on: Reads,
  shelf: Shelf,
  externalId: string,
): Promise<AppDocumentRow | undefined> {
  return findBy('d.external_id', externalId, on, shelf);
}

/** @throws UnreadableContent */
export async function readAppDocument(
  on: Reads,
  contents: Contents,
  shelf: Shelf,
  id: Id,
): Promise<{ readonly content: Buffer; readonly mediaType: string; readonly digest: string } | undefined> {
  const { app_id: appId, scope } = shelfColumns(shelf);
  const found = on('app_document as d')
    .where({ 'd.app_id': appId, 'd.scope': scope, 'd.id': id })
    .select({ content: 'd.content', sealed: 'd.sealed', mediaType: 'd.media_type', digest: 'd.digest' });
  if (shelf.recordId !== null) {
    // A record that is being forgotten has no key any more.
    void found
      .join('record', 'record.id', 'd.scope')
      .whereNot('record.creator_id', '')
      .select({ key: 'record.content_key' });
  }
  const row = (await found.first()) as
    (StoredContent & { key?: ContentKey; mediaType: string; digest: string }) | undefined;
  if (!row) {
    return undefined;
  }
  const sealer = shelf.recordId === null ? await contents.common(on) : contents.under(row.key ?? null);
  const { mediaType, digest } = row;
  return { content: sealer.open(appDocumentPlace(shelf, id), row), mediaType, digest };
}

export type AppDocumentQuery = PageQuery & { /** Any of these. */ readonly types?: readonly string[] };
export type AppDocumentPage = { readonly documents: readonly AppDocumentRow[]; readonly total: number };

const sortable = Object.fromEntries(
  ['created_at', 'updated_at', 'type', 'media_type', 'size', 'digest', 'label', 'id'].map((name) => [
    name,
    `d.${name}`,
  ]),
);

function ofTypes(documents: Knex.QueryBuilder, column: string, { types }: AppDocumentQuery): void {
  if (types !== undefined) {
    void documents.whereIn(column, types);
  }
}

/** One page, the newest first unless asked otherwise; equal ones in the order in which they were stored. */
export async function listAppDocuments(on: Reads, shelf: Shelf, query: AppDocumentQuery): Promise<AppDocumentPage> {
  const total = await countRows(on('app_document').where(shelfColumns(shelf)).modify(ofTypes, 'type', query));
  const rows = (await selectDocuments(on, shelf)
    .modify(ofTypes, 'd.type', query)
    .orderBy(orderOf(query.orderBy, sortable, '-created_at', 'd.seq'))
    .limit(query.limit)
    .offset(query.offset)) as Row[];
  return { documents: rows.map(toDocument), total };
}

/** @returns false when there is no such document */
export async function labelAppDocument(trx: Transaction, shelf: Shelf, id: Id, label: string | null): Promise<boolean> {
  return (
    (await trx('app_document')
      .where({ ...shelfColumns(shelf), id })
      .update({ label })) === 1
  );
}

/** @returns false when there is no such document */
export async function deleteAppDocument(trx: Transaction, shelf: Shelf, id: Id): Promise<boolean> {
  return (
    (await trx('app_document')
      .where({ ...shelfColumns(shelf), id })
      .delete()) === 1
  );
}
