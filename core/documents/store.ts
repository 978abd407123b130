/**
 * store: rows of documents and their lineages. A lineage holds what survives a replace: status, label, nevershare,
 * relations, carenet preferences (specification 2.5, 3.2 to 3.4).
 */
import type { Knex } from 'knex';
import type { LeftOut } from '../base/left-out';
import type { DocumentStatus, Id, PrincipalId, Timestamp } from '../base/types';
import { aboutWords, storedAbout, type About, type AboutColumns } from '../facts/about';
import type { Builder } from '../db/builder';
import { columnsNamed, inTable, toColumns } from '../db/columns';
import {
  containedIn,
  containedLineages,
  countContained,
  shownIn,
  lineageInUse,
  type ReportScope,
} from '../sharing/containment';
import type { Reads, Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { insertRow } from '../db/insert-rows';
import { keptStatement } from '../db/kept-statement';
import { countRows, orderOf, readPart, type ListPart, type Seek } from '../db/page';
import type { ContentKey, Contents, ContentPlace, Sealer } from '../sealing/contents-store';
import { beginningOf, insertParts, wholeContent } from './parts-store';
import type { RelationType } from './relations-store';

/** The documents of one record, or those that one of its carenets contains. */
export type DocumentScope = ReportScope;

export type ExternalId = { readonly appId: PrincipalId; readonly externalId: string };

export type NewDocument = {
  readonly id: Id;
  readonly recordId: Id;
  readonly lineageId: Id;
  readonly replacesId: Id | null;
  readonly external: ExternalId | null;
  readonly type: string;
  readonly mediaType: string;
  readonly size: number;
  readonly digest: string;
  readonly sha1: string;
  readonly creatorId: PrincipalId;
  readonly proxyId: PrincipalId | null;
  readonly createdAt: Timestamp;
  readonly entry: string | null;
  readonly fingerprint: string | null;
  /** JSON text. */
  readonly facts: string;
  readonly leftOut: string | null;
  readonly about: AboutColumns;
  readonly content: Buffer;
  /** The new label of the lineage; absent: it stays as before. */
  readonly label?: string | null;
  readonly nevershare?: boolean;
};

/** A principal as documents name it. */
export type NamedPrincipal = { readonly id: PrincipalId; readonly kind: string; readonly name: string };

/** Model -> how many facts of it. */
export type FactCounts = Readonly<Record<string, number>>;

/** Everything that metadata shows of one version, except its relations. */
export type DocumentRow = {
  readonly id: Id;
  readonly recordId: Id;
  readonly lineageId: Id;
  readonly type: string;
  readonly size: number;
  readonly digest: string;
  readonly createdAt: Timestamp;
  readonly creator: NamedPrincipal;
  readonly suppressedAt: Timestamp | null;
  readonly suppressor: NamedPrincipal | null;
  readonly replacedById: Id | null;
  /** Null when read through a carenet, like the id of the first version: a carenet does not show earlier versions. */
  readonly replacesId: Id | null;
  readonly originalId: Id | null;
  readonly latest: { readonly id: Id; readonly createdAt: Timestamp; readonly createdBy: PrincipalId };
  readonly label: string | null;
  readonly status: DocumentStatus;
  readonly nevershare: boolean;
  /** Whether it was taken back right after it was added: it is void, and no page shows it. */
  readonly undone: boolean;
  /** Name of the format; null when none is registered for its type. */
  readonly entry: string | null;
  /** Null for documents of releases before this was kept. */
  readonly facts: FactCounts | null;
  /** What its stylesheet could not turn into facts. */
  readonly leftOut: readonly LeftOut[];
  /** The document's description of itself; null: it has none. */
  readonly about: About | null;
  /** The host that it was fetched from by a link; null: it came in another way. */ readonly cameFrom: string | null;
  /** What people say about it beside it. A carenet shows the date only. */ readonly own: OwnDetails;
};

/** Null: as the document says. */
export type OwnDetails = {
  /** The day of care, YYYY-MM-DD. */ readonly date: string | null;
  readonly kind: string | null;
  readonly tags: readonly string[];
};

export type DocumentContent = { readonly content: Buffer; readonly mediaType: string; readonly digest: string };

type Row = {
  id: string;
  record_id: string;
  lineage_id: string;
  type: string;
  size: number | string;
  digest: string;
  created_at: string;
  creator_id: string;
  creator_kind: string | null;
  creator_name: string | null;
  suppressed_at: string | null;
  suppressor_id: string | null;
  suppressor_kind: string | null;
  suppressor_name: string | null;
  replaced_by_id: string | null;
  replaces_id: string | null;
  latest_id: string;
  latest_at: string;
  latest_by: string;
  label: string | null;
  status: DocumentStatus;
  nevershare: number;
  undone: number | null;
  entry: string | null;
  facts: string | null;
  left_out: string | null;
  about: string | null;
  came_from: string | null;
  own_date: string | null;
  own_kind: string | null;
  tags: string | null;
};

function ownOf({ own_date: date, own_kind: kind, tags }: Row, isWhole: boolean): OwnDetails {
  return {
    date,
    kind: isWhole ? kind : null,
    tags: isWhole && tags !== null ? tags.split('\n').filter((tag) => tag !== '') : [],
  };
}

export function toNamedPrincipal(id: string, kind: string | null, name: string | null): NamedPrincipal {
  return {
    id,
    kind: kind ?? '',
    name: name === null || name === '' ? id : name,
  };
}

function leftOutIn({ left_out: text }: Pick<Row, 'left_out'>): readonly LeftOut[] {
  return text === null ? [] : (JSON.parse(text) as LeftOut[]);
}

function toDocument(row: Row, { carenetId }: Pick<DocumentScope, 'carenetId'>): DocumentRow {
  return {
    id: row.id,
    recordId: row.record_id,
    lineageId: row.lineage_id,
    type: row.type,
    size: Number(row.size),
    digest: row.digest,
    createdAt: row.created_at,
    creator: toNamedPrincipal(row.creator_id, row.creator_kind, row.creator_name),
    suppressedAt: row.suppressed_at,
    suppressor:
      row.suppressor_id === null ? null : toNamedPrincipal(row.suppressor_id, row.suppressor_kind, row.suppressor_name),
    replacedById: row.replaced_by_id,
    replacesId: carenetId === undefined ? row.replaces_id : null,
    originalId: carenetId === undefined ? row.lineage_id : null,
    latest: { id: row.latest_id, createdAt: row.latest_at, createdBy: row.latest_by },
    label: row.label,
    status: row.status,
    nevershare: Boolean(row.nevershare),
    undone: Boolean(row.undone),
    entry: row.entry,
    facts: row.facts === null ? null : (JSON.parse(row.facts) as FactCounts),
    leftOut: leftOutIn(row),
    about: storedAbout(row.about),
    cameFrom: row.came_from,
    own: ownOf(row, carenetId === undefined),
  };
}

const metadataColumns = [
  'document.id',
  'document.record_id',
  'document.lineage_id',
  'document.type',
  'document.size',
  'document.digest',
  'document.created_at',
  'document.creator_id',
  'creator.kind as creator_kind',
  'creator.name as creator_name',
  'document.suppressed_at',
  'document.suppressor_id',
  'suppressor.kind as suppressor_kind',
  'suppressor.name as suppressor_name',
  'document.replaced_by_id',
  'document.replaces_id',
  'latest.id as latest_id',
  'latest.created_at as latest_at',
  'latest.creator_id as latest_by',
  'lineage.label',
  'lineage.status',
  'lineage.nevershare',
  'lineage.undone',
  'document.entry',
  'document.facts',
  'document.left_out',
  'document.about',
  'document.came_from',
  'lineage.own_date',
  'lineage.own_kind',
  'lineage.tags',
] as const;

/** Adds the columns of metadata to a query that has `document` and `lineage` in it. */
function withMetadata(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .join('document as latest', 'latest.id', 'lineage.latest_id')
    .leftJoin('principal as creator', 'creator.id', 'document.creator_id')
    .leftJoin('principal as suppressor', 'suppressor.id', 'document.suppressor_id')
    .select(...metadataColumns);
}

/** All versions with their lineages. */
export function versions(on: Builder): Knex.QueryBuilder {
  return on('document').join('document_lineage as lineage', 'lineage.id', 'document.lineage_id');
}

/**
 * Reads one version that a scope holds, which is the most frequent request of clients.
 * @param rows all versions with the wanted columns
 */
function versionReader<R>(rows: (on: Builder) => Knex.QueryBuilder) {
  const inRecord = keptStatement<R, readonly [documentId: Id, recordId: Id]>((on, documentId, recordId) =>
    rows(on).where({ 'document.id': documentId, 'lineage.record_id': recordId }),
  );
  const throughCarenet = keptStatement<R, readonly [documentId: Id, recordId: Id, carenetId: Id]>(
    (on, documentId, recordId, carenetId) =>
      documentsInScope(rows(on).where('document.id', documentId), { recordId, carenetId }),
  );
  return async (on: Reads, { recordId, carenetId }: DocumentScope, documentId: Id): Promise<R | undefined> =>
    (carenetId === undefined
      ? await inRecord(on, documentId, recordId)
      : await throughCarenet(on, documentId, recordId, carenetId))[0];
}

const readMetadata = versionReader<Row>((on) => withMetadata(versions(on)));

/** Where a version's content belongs. */
export function documentPlace(recordId: Id, id: Id): ContentPlace {
  return ['document', recordId, id];
}

/**
 * Versions whose record has a key. A record that is being forgotten has none any more, so its documents are not found.
 */
function withKey(on: Builder): Knex.QueryBuilder {
  return versions(on).join('record', 'record.id', 'document.record_id').whereNot('record.creator_id', '');
}

type Sealed = {
  readonly id: string;
  readonly record_id: string;
  readonly size: number | string;
  readonly content: Buffer;
  readonly sealed: number | null;
  readonly content_key: ContentKey;
  readonly media_type: string;
  readonly digest: string;
};

const SEALED_COLUMNS = [
  'document.id',
  'document.record_id',
  'document.size',
  'document.content',
  'document.sealed',
  'record.content_key',
  'document.media_type',
  'document.digest',
] as const;

/** The whole content of a version. @throws UnreadableContent */
async function opened(on: Reads, contents: Contents, row: Sealed): Promise<DocumentContent> {
  const sealer = contents.under(row.content_key);
  const { record_id: recordId, id } = row;
  const beginning = sealer.open(documentPlace(recordId, id), row);
  return {
    content: await wholeContent(on, sealer, { recordId, id, size: Number(row.size) }, beginning),
    mediaType: row.media_type,
    digest: row.digest,
  };
}

const readContent = versionReader<Sealed>((on) => withKey(on).select(...SEALED_COLUMNS));

/** Versions of `document` that the scope holds. */
function documentsInScope(query: Knex.QueryBuilder, { recordId, carenetId }: DocumentScope): Knex.QueryBuilder {
  const scoped = query.where('lineage.record_id', recordId);
  return carenetId === undefined ? scoped : shownIn(scoped, 'lineage', 'document', carenetId);
}

const WHOLE_RECORD = {};

const MOST_DESCRIBED = 5000;

/** What the active documents of a scope that name an author or a sender say of themselves, the newest first. */
export async function readNamingDocuments(
  on: Reads,
  { recordId, carenetId }: DocumentScope,
  documentId?: Id,
): Promise<readonly { readonly id: Id; readonly about: About }[]> {
  const used = lineageInUse('lineage', { recordId, ...(carenetId === undefined ? {} : { carenetId }) });
  const one = documentId === undefined ? '' : ' and document.id = ?';
  const rows = await on.rows<{ id: Id; about: string }>(
    'select document.id as id, document.about as about from document_lineage as lineage ' +
      'join document on document.id = lineage.latest_id where lineage.record_id = ? and document.about is not null ' +
      `and (instr(document.about, '"author":') > 0 or instr(document.about, '"from":') > 0) and ${used.text}${one} ` +
      'order by lineage.seq desc limit ?',
    [recordId, ...used.values, ...(documentId === undefined ? [] : [documentId]), MOST_DESCRIBED],
  );
  return rows.map(({ id, about }) => ({ id, about: storedAbout(about)! }));
}

const readWithRelated = versionReader<Row & { readonly has_relations: number }>((on) => {
  const [subject, object] = ['subject_lineage_id', 'object_lineage_id'].map((side) =>
    on('document_relation').whereRaw(`document_relation.${side} = document.lineage_id`).select(on.raw('1')),
  );
  return withMetadata(versions(on)).select({ has_relations: on.raw('(exists ? or exists ?)', [subject!, object!]) });
});

/** One version of the record, and whether it may have relations. */
export async function findRelated(
  on: Reads,
  recordId: Id,
  documentId: Id,
): Promise<{ readonly row: DocumentRow; readonly hasRelations: boolean } | undefined> {
  const row = await readWithRelated(on, { recordId }, documentId);
  return row && { row: toDocument(row, WHOLE_RECORD), hasRelations: Number(row.has_relations) === 1 };
}

/** One version of any status; undefined when the scope does not hold it. */
export async function findDocument(on: Reads, scope: DocumentScope, documentId: Id): Promise<DocumentRow | undefined> {
  const row = await readMetadata(on, scope, documentId);
  return row && toDocument(row, scope);
}

/** Versions by their ids, of any status and in no order; those that the scope does not hold are left out. */
export async function findDocuments(
  on: Reads,
  scope: DocumentScope,
  documentIds: readonly Id[],
): Promise<readonly DocumentRow[]> {
  const rows: Row[] = [];
  for (const ids of inParts(documentIds)) {
    rows.push(...((await withMetadata(documentsInScope(versions(on), scope)).whereIn('document.id', ids)) as Row[]));
  }
  return rows.map((row) => toDocument(row, scope));
}

export async function findDocumentByExternalId(
  on: Reads,
  recordId: Id,
  { appId, externalId }: ExternalId,
): Promise<DocumentRow | undefined> {
  const row = (await withMetadata(versions(on))
    .where({ 'document.record_id': recordId, 'document.external_app_id': appId, 'document.external_id': externalId })
    .first()) as Row | undefined;
  return row && toDocument(row, WHOLE_RECORD);
}

/** A document that an app stored under an external id: its latest version. */
export type ImportedDocument = Pick<DocumentRow, 'id' | 'digest'> & {
  readonly externalId: string;
  /** @throws UnreadableContent */ readonly open: () => Promise<Buffer>;
};

/** The latest versions of the documents that one of the apps stored under one of the external ids, by these ids. */
export async function findImported(
  on: Reads,
  contents: Contents,
  recordId: Id,
  { appIds, externalIds }: { readonly appIds: readonly PrincipalId[]; readonly externalIds: readonly string[] },
): Promise<readonly ImportedDocument[]> {
  const rows = (await on('document as first')
    .join('document_lineage as lineage', 'lineage.id', 'first.lineage_id')
    .join('document', 'document.id', 'lineage.latest_id')
    .join('record', 'record.id', 'document.record_id')
    .whereNot('record.creator_id', '')
    .where('first.record_id', recordId)
    .whereIn('first.external_app_id', [...appIds])
    .whereIn('first.external_id', [...externalIds])
    .orderBy('first.seq')
    .select(...SEALED_COLUMNS, 'first.external_id')) as (Sealed & { readonly external_id: string })[];
  return rows.map((row) => ({
    id: row.id,
    digest: row.digest,
    externalId: row.external_id,
    open: async () => (await opened(on, contents, row)).content,
  }));
}

/** What a person is shown of a document that the record already has. */
export type KnownDocument = Pick<DocumentRow, 'id' | 'type' | 'label' | 'about' | 'createdAt'>;

type KnownRow = Pick<Row, 'id' | 'type' | 'label' | 'about' | 'created_at'>;

const KNOWN_COLUMNS = ['document.id', 'document.type', 'lineage.label', 'document.about', 'document.created_at'];

function toKnown({ id, type, label, about, created_at: createdAt }: KnownRow): KnownDocument {
  return {
    id,
    type,
    label,
    about: storedAbout(about),
    createdAt,
  };
}

/** The newest document whose latest version has this digest, unless it is void. */
export async function findByDigest(on: Reads, recordId: Id, digest: string): Promise<KnownDocument | undefined> {
  const row = (await versions(on)
    .where({ 'document.record_id': recordId, 'document.digest': digest })
    .whereNull('document.replaced_by_id')
    .whereNot('lineage.status', 'void')
    .orderBy('document.seq', 'desc')
    .first(KNOWN_COLUMNS)) as KnownRow | undefined;
  return row && toKnown(row);
}

/**
 * Documents with a fact in which a column has this value, the newest first, without void ones.
 * @param fact the table, and the column as SQL, in which `fact` is the alias of the table
 */
export async function findByFact(
  on: Reads,
  contents: Contents,
  recordId: Id,
  fact: { readonly table: string; readonly column: string; readonly value: number },
  most: number,
): Promise<
  readonly { readonly known: KnownDocument; /** @throws UnreadableContent */ readonly open: () => Promise<Buffer> }[]
> {
  const rows = (await withKey(on)
    .join(`${fact.table} as fact`, 'fact._document_id', 'document.id')
    .where('fact._record_id', recordId)
    .whereRaw(`${fact.column} = ?`, [fact.value])
    .whereNot('lineage.status', 'void')
    .orderBy('document.seq', 'desc')
    .limit(most)
    .select(...SEALED_COLUMNS, ...KNOWN_COLUMNS.slice(1))) as (Sealed & KnownRow)[];
  return rows.map((row) => ({ known: toKnown(row), open: async () => (await opened(on, contents, row)).content }));
}

/** @throws UnreadableContent */
export async function findContent(
  on: Reads,
  contents: Contents,
  scope: DocumentScope,
  documentId: Id,
): Promise<DocumentContent | undefined> {
  const row = await readContent(on, scope, documentId);
  return row && opened(on, contents, row);
}

/** The contents of versions by their ids; those that the scope does not hold are left out. @throws UnreadableContent */
export async function findContents(
  on: Reads,
  contents: Contents,
  scope: DocumentScope,
  documentIds: readonly Id[],
): Promise<ReadonlyMap<Id, DocumentContent>> {
  const rows = (await documentsInScope(withKey(on), scope)
    .whereIn('document.id', [...documentIds])
    .select(...SEALED_COLUMNS)) as Sealed[];
  const found = new Map<Id, DocumentContent>();
  for (const row of rows) {
    found.set(row.id, await opened(on, contents, row));
  }
  return found;
}

type FoundCorrectable = Sealed & {
  readonly type: string;
  readonly replaced_by_id: string | null;
  readonly label: string | null;
  readonly left_out: string | null;
};

const readCorrectable = versionReader<FoundCorrectable>((on) =>
  withKey(on).select(
    ...SEALED_COLUMNS,
    'document.type',
    'document.replaced_by_id',
    'document.left_out',
    'lineage.label',
  ),
);

/** One version of a record with what is needed to correct it. */
export type CorrectableDocument = DocumentContent & {
  readonly type: string;
  readonly label: string | null;
  readonly latest: boolean;
  readonly leftOut: readonly LeftOut[];
};

/** @throws UnreadableContent */
export async function findCorrectable(
  on: Reads,
  contents: Contents,
  recordId: Id,
  documentId: Id,
): Promise<CorrectableDocument | undefined> {
  const row = await readCorrectable(on, { recordId }, documentId);
  return (
    row && {
      ...(await opened(on, contents, row)),
      type: row.type,
      label: row.label,
      latest: row.replaced_by_id === null,
      leftOut: leftOutIn(row),
    }
  );
}

/** The bytes of the latest version of a lineage, with its id. @throws UnreadableContent */
export async function findLatestContent(
  on: Reads,
  contents: Contents,
  scope: DocumentScope,
  lineageId: Id,
): Promise<(DocumentContent & { readonly id: Id }) | undefined> {
  const row = (await documentsInScope(
    on('document_lineage as lineage')
      .join('document', 'document.id', 'lineage.latest_id')
      .join('record', 'record.id', 'document.record_id'),
    scope,
  )
    .where('lineage.id', lineageId)
    .whereNot('record.creator_id', '')
    .first(...SEALED_COLUMNS)) as Sealed | undefined;
  return row && { id: row.id, ...(await opened(on, contents, row)) };
}

export type ListQuery = {
  readonly status: DocumentStatus;
  /** Any of these. */
  readonly types?: readonly string[];
  /** A metadata field, `-` in front for descending; anything else has no effect. */
  readonly orderBy?: string;
  readonly limit: number;
  readonly offset: number;
};

export type DocumentList = { readonly rows: readonly DocumentRow[]; readonly total: number };

const orderColumns: Readonly<Record<string, string>> = {
  created_at: 'lineage.latest_created_at',
  label: 'lineage.label',
  status: 'lineage.status',
  id: 'lineage.latest_id',
  type: 'lineage.type',
  size: 'document.size',
  digest: 'document.digest',
};

const NEWEST_FIRST = '-created_at';

/**
 * Up to this many documents are collected and sorted. When there are more, a walk along the record's index soon finds
 * enough of them.
 */
const FEW = 1000;

/** How many documents match, and the query that finds a page of them. */
async function findMatching(
  on: Reads,
  { recordId, carenetId }: DocumentScope,
  narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
) {
  const lineages = (): Knex.QueryBuilder =>
    narrow(on('document_lineage as lineage').where('lineage.record_id', recordId));
  if (carenetId === undefined) {
    return { total: await countRows(lineages()), matching: lineages };
  }
  const scope = { recordId, carenetId };
  const total = await countContained(on, scope, narrow);
  const few = (): Knex.QueryBuilder =>
    on
      .from(containedLineages(on, scope, narrow).as('contained'))
      .join('document_lineage as lineage', 'lineage.seq', 'contained.seq');
  return { total, matching: total <= FEW ? few : () => containedIn(lineages(), 'lineage', carenetId) };
}

function ofStatus({ status, types }: Pick<ListQuery, 'status' | 'types'>) {
  return (lineages: Knex.QueryBuilder): Knex.QueryBuilder => {
    const filtered = lineages.where('lineage.status', status);
    return types === undefined ? filtered : filtered.whereIn('lineage.type', types);
  };
}

/** Leaves out what was taken back right after it was added, which is void. */
export function withoutUndone(lineages: Knex.QueryBuilder, status: DocumentStatus): Knex.QueryBuilder {
  return status === 'void' ? lineages.whereRaw('coalesce(lineage.undone, 0) = 0') : lineages;
}

/** The newest first. */
export const NEWEST_LINEAGES = ['lineage.latest_created_at', 'lineage.seq'];

/** The ids of a part of the latest versions in a scope, the newest first, and how many there are in all. */
export async function seekDocuments(
  on: Reads,
  scope: DocumentScope,
  status: DocumentStatus,
  seek: Seek,
  narrow: (lineages: Knex.QueryBuilder) => Knex.QueryBuilder = (lineages) => lineages,
): Promise<{ readonly part: ListPart<{ readonly id: Id }>; readonly total: number }> {
  const shown = (lineages: Knex.QueryBuilder): Knex.QueryBuilder => narrow(ofStatus({ status })(lineages));
  const { total, matching } = await findMatching(on, scope, (lineages) => withoutUndone(shown(lineages), status));
  const keys = matching().select('lineage.latest_id as id');
  return { total, part: await readPart<{ id: Id }>(keys, NEWEST_LINEAGES, true, seek) };
}

/**
 * The latest versions of the record documents in a scope. The keys of the page come from an index walk, and its rows
 * are read only for these keys.
 */
export async function listDocuments(on: Reads, scope: DocumentScope, query: ListQuery): Promise<DocumentList> {
  const { total, matching } = await findMatching(on, scope, ofStatus(query));
  if (total <= query.offset || query.limit === 0) {
    return { rows: [], total };
  }
  const order = orderOf(query.orderBy, orderColumns, NEWEST_FIRST, 'lineage.seq');
  const keys = matching().select('lineage.seq as seq').orderBy(order).limit(query.limit).offset(query.offset);
  if (order[0]?.column.startsWith('document.')) {
    keys.join('document', 'document.id', 'lineage.latest_id');
  }
  const page = on
    .from(keys.as('page'))
    .join('document_lineage as lineage', 'lineage.seq', 'page.seq')
    .join('document', 'document.id', 'lineage.latest_id');
  const rows = (await withMetadata(page).orderBy(order)) as Row[];
  return { rows: rows.map((row) => toDocument(row, scope)), total };
}

const versionOrder: Readonly<Record<string, string>> = {
  created_at: 'document.created_at',
  size: 'document.size',
  digest: 'document.digest',
  type: 'document.type',
  id: 'document.id',
  label: 'lineage.label',
  status: 'lineage.status',
};

/** Every version of a lineage, if its status is the one asked for. */
export async function listVersions(on: Reads, lineageId: Id, query: ListQuery): Promise<DocumentList> {
  const matching = (): Knex.QueryBuilder =>
    versions(on).where({ 'document.lineage_id': lineageId, 'lineage.status': query.status });
  const rows = (await withMetadata(matching())
    .orderBy(orderOf(query.orderBy, versionOrder, NEWEST_FIRST, 'document.seq'))
    .limit(query.limit)
    .offset(query.offset)) as Row[];
  return { rows: rows.map((row) => toDocument(row, WHOLE_RECORD)), total: await countRows(matching()) };
}

/** A part of the versions of a lineage whatever its status, the newest first. */
export async function seekVersions(on: Reads, lineageId: Id, seek: Seek): Promise<ListPart<DocumentRow>> {
  const query = withMetadata(versions(on)).where('document.lineage_id', lineageId);
  const part = await readPart<Row>(query, ['document.seq'], true, seek);
  return { ...part, rows: part.rows.map((row) => toDocument(row, WHOLE_RECORD)) };
}

/** The versions of a lineage that are older than one of them, the newest first. */
export async function olderVersions(
  on: Reads,
  lineageId: Id,
  versionId: Id,
  limit: number,
): Promise<readonly DocumentRow[]> {
  const rows = await withMetadata(versions(on))
    .where('document.lineage_id', lineageId)
    .where('document.seq', '<', on('document').where({ id: versionId, lineage_id: lineageId }).select('seq'))
    .orderBy('document.seq', 'desc')
    .limit(limit);
  return (rows as Row[]).map((row) => toDocument(row, WHOLE_RECORD));
}

/** The number of versions of a lineage, and the number of one of them, counted from the first. */
export async function placeOfVersion(
  on: Reads,
  lineageId: Id,
  versionId: Id | undefined,
): Promise<{ readonly place: number; readonly total: number }> {
  const until = on('document')
    .where('id', versionId ?? '')
    .select('seq');
  const [row] = (await on('document')
    .where('lineage_id', lineageId)
    .count({ total: '*' })
    .select({ place: on.raw('sum(case when seq <= ? then 1 else 0 end)', [until]) })) as Record<
    'place' | 'total',
    number | string | null
  >[];
  return { place: Number(row?.place ?? 0), total: Number(row?.total ?? 0) };
}

/** Latest versions of the documents that relate to an object, of one status; newest first. */
export async function listRelated(
  on: Reads,
  objectLineageId: Id,
  type: RelationType,
  status: DocumentStatus,
): Promise<DocumentList> {
  const related = on('document_relation as relation')
    .join('document_lineage as lineage', 'lineage.id', 'relation.subject_lineage_id')
    .join('document', 'document.id', 'lineage.latest_id')
    .where({ 'relation.object_lineage_id': objectLineageId, 'relation.type': type, 'lineage.status': status });
  const rows = (await withMetadata(related).orderBy(
    orderOf(undefined, orderColumns, NEWEST_FIRST, 'lineage.seq'),
  )) as Row[];
  return { rows: rows.map((row) => toDocument(row, WHOLE_RECORD)), total: rows.length };
}

/** A document to which another one is related, or which is related to it. */
export type Relative = {
  /** `about`: the other document is about this one. `from`: this one is about the other document. */
  readonly side: 'about' | 'from';
  readonly type: RelationType;
  readonly document: DocumentRow;
};

/**
 * A part of the active documents that are about a document, or that it is about, in their latest versions and as far as
 * the scope holds them. Those that were related last come first.
 */
export async function seekRelatives(
  on: Reads,
  scope: DocumentScope,
  lineageId: Id,
  side: Relative['side'],
  seek: Seek,
): Promise<ListPart<Relative>> {
  const [own, other] =
    side === 'about'
      ? (['subject_lineage_id', 'object_lineage_id'] as const)
      : (['object_lineage_id', 'subject_lineage_id'] as const);
  const related = on('document_relation as relation')
    .join('document_lineage as lineage', 'lineage.id', `relation.${other}`)
    .where({ [`relation.${own}`]: lineageId, 'lineage.status': 'active', 'lineage.record_id': scope.recordId });
  const held = scope.carenetId === undefined ? related : containedIn(related, 'lineage', scope.carenetId);
  const part = await readPart<{ id: string; type: RelationType }>(
    held.select('lineage.latest_id as id', 'relation.type'),
    ['relation.seq'],
    true,
    seek,
  );
  const found = new Map(
    (
      await findDocuments(
        on,
        scope,
        part.rows.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  return {
    ...part,
    rows: part.rows.flatMap(({ id, type }) => {
      const document = found.get(id);
      return document ? [{ side, type, document }] : [];
    }),
  };
}

/** Fails with the driver's duplicate error when the external id is taken, or the replaced version has a successor. */
export async function insertDocument(trx: Transaction, sealer: Sealer, document: NewDocument): Promise<void> {
  await insertRow(trx, 'document', {
    id: document.id,
    record_id: document.recordId,
    lineage_id: document.lineageId,
    replaces_id: document.replacesId,
    external_app_id: document.external?.appId ?? null,
    external_id: document.external?.externalId ?? null,
    type: document.type,
    media_type: document.mediaType,
    size: document.size,
    digest: document.digest,
    sha1: document.sha1,
    creator_id: document.creatorId,
    proxy_id: document.proxyId,
    created_at: document.createdAt,
    entry: document.entry,
    fingerprint: document.fingerprint,
    facts: document.facts,
    left_out: document.leftOut,
    ...document.about,
    ...sealer.seal(documentPlace(document.recordId, document.id), beginningOf(document.content)),
  });
  await insertParts(trx, sealer, document);
}

/** The lineage of a first version. */
export function insertLineage(trx: Transaction, document: NewDocument): Promise<unknown> {
  return insertRow(trx, 'document_lineage', {
    id: document.lineageId,
    record_id: document.recordId,
    type: document.type,
    latest_id: document.id,
    latest_created_at: document.createdAt,
    status: 'active',
    nevershare: document.nevershare ? 1 : 0,
    label: document.label ?? null,
    about_words: aboutWords(document.about.about),
    created_at: document.createdAt,
  });
}

/**
 * Marks the version that `document` replaces, and makes `document` the lineage's latest. Two callers meet at the row of
 * the old version, and the second one finds it marked.
 * @returns false when it had been replaced already; nothing is changed then
 */
export async function supersede(trx: Transaction, document: NewDocument): Promise<boolean> {
  const marked = await trx('document')
    .where({ id: document.replacesId })
    .whereNull('replaced_by_id')
    .update({ replaced_by_id: document.id, suppressed_at: document.createdAt, suppressor_id: document.creatorId });
  if (marked === 0) {
    return false;
  }
  await trx('document_lineage')
    .where({ id: document.lineageId, latest_id: document.replacesId })
    .update({
      latest_id: document.id,
      latest_created_at: document.createdAt,
      type: document.type,
      about_words: aboutWords(document.about.about),
      ...(document.label === undefined ? {} : { label: document.label }),
      ...(document.nevershare ? { nevershare: 1 } : {}),
    });
  return true;
}

/** Notes the host that a document was fetched from, in the transaction that stores it. */
export function setCameFrom(trx: Transaction, id: Id, host: string): Promise<unknown> {
  return trx('document').where({ id }).update({ came_from: host });
}

export function setLabel(trx: Transaction, lineageId: Id, label: string | null): Promise<unknown> {
  return trx('document_lineage').where({ id: lineageId }).update({ label });
}

/** A tag on a line of its own, as it is looked for: case does not count. */
export function foldedTag(tag: string): string {
  return `\n${tag.replace(/\s+/g, ' ').toLowerCase()}\n`;
}

/** Keeps what people say about a document in place of what they said before. */
export function setOwn(trx: Transaction, lineageId: Id, { date, kind, tags }: OwnDetails): Promise<unknown> {
  const kept = tags.length > 0 ? `\n${tags.join('\n')}\n` : null;
  return trx('document_lineage')
    .where({ id: lineageId })
    .update({ own_date: date, own_kind: kind, tags: kept, folded_tags: kept?.toLowerCase() ?? null });
}

export function setNevershare(trx: Transaction, lineageId: Id, nevershare: boolean): Promise<unknown> {
  return trx('document_lineage')
    .where({ id: lineageId })
    .update({ nevershare: nevershare ? 1 : 0 });
}

/** The status of a lineage, locked until the transaction ends. */
export async function lockStatus(trx: Transaction, lineageId: Id): Promise<DocumentStatus | undefined> {
  return (
    (await trx('document_lineage').where({ id: lineageId }).forUpdate().first('status')) as
      { status: DocumentStatus } | undefined
  )?.status;
}

export type StatusChange = {
  readonly status: DocumentStatus;
  readonly reason: string;
  readonly changedBy: PrincipalId;
  readonly changedAt: Timestamp;
};

const changeColumns = columnsNamed('status', 'reason', 'changedBy', 'changedAt');

export async function setStatus(
  trx: Transaction,
  lineageId: Id,
  change: StatusChange,
  proxyId: PrincipalId | null,
  undone = false,
): Promise<void> {
  await trx('document_lineage')
    .where({ id: lineageId })
    .update({ status: change.status, undone: undone ? 1 : null });
  await trx('document_status').insert({
    lineage_id: lineageId,
    proxy_id: proxyId,
    ...toColumns(changeColumns, change),
  });
}

/** All changes of a lineage, the newest first. */
export async function statusHistory(on: Reads, lineageId: Id): Promise<readonly StatusChange[]> {
  return (await on('document_status')
    .where({ lineage_id: lineageId })
    .orderBy('seq', 'desc')
    .select(changeColumns)) as StatusChange[];
}

/** A change of status with the name of the principal who made it. */
export type NamedChange = StatusChange & { readonly changedByName: string };

/** The latest changes of a lineage, the newest first. */
export async function namedHistory(on: Reads, lineageId: Id, seek: Seek): Promise<ListPart<NamedChange>> {
  const query = on('document_status as history')
    .leftJoin('principal', 'principal.id', 'history.changed_by')
    .where('history.lineage_id', lineageId)
    .select({ ...inTable('history', changeColumns), name: 'principal.name' });
  const part = await readPart<StatusChange & { readonly name: string | null }>(query, ['history.seq'], true, seek);
  return {
    ...part,
    rows: part.rows.map(({ status, reason, changedBy, changedAt, name }) => ({
      status,
      reason,
      changedBy,
      changedAt,
      changedByName: name ?? changedBy,
    })),
  };
}
