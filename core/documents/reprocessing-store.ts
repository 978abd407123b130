/** reprocessing-store: latest versions whose facts were made by another configuration than the present one. */
import type { Knex } from 'knex';
import { storedLeftOut, type LeftOut } from '../base/left-out';
import type { Id, Timestamp } from '../base/types';
import { aboutWords, type AboutColumns } from '../facts/about';
import type { Transaction, Reads } from '../db/database';
import type { ContentKey, Contents, StoredContent } from '../sealing/contents-store';
import { wholeContent } from './parts-store';
import { documentPlace, type FactCounts } from './store';

export type StaleScope = {
  /** The formats in force: a document of one of these types is stale when its fingerprint differs. */
  readonly current: readonly { readonly type: string; readonly fingerprint: string }[];
  readonly type?: string;
  readonly recordId?: Id;
};

export type StaleDocument = {
  readonly seq: number;
  readonly id: Id;
  readonly recordId: Id;
  readonly lineageId: Id;
  readonly createdAt: Timestamp;
};

function isStale(query: Knex.QueryBuilder, { current, type, recordId }: StaleScope): Knex.QueryBuilder {
  query.join('document_lineage as lineage', 'lineage.latest_id', 'document.id');
  query.where((either) => {
    for (const one of current) {
      void either.orWhere((of) => {
        void of.where('document.type', one.type).where((wrong) => {
          void wrong.whereNull('document.fingerprint').orWhereNot('document.fingerprint', one.fingerprint);
        });
      });
    }
    // Facts of a removed format stay until its documents are reprocessed.
    void either.orWhere((gone) => {
      void gone
        .whereNotIn(
          'document.type',
          current.map((one) => one.type),
        )
        .whereNotNull('document.fingerprint');
    });
  });
  if (type !== undefined) {
    query.where('document.type', type);
  }
  if (recordId !== undefined) {
    query.where('document.record_id', recordId);
  }
  return query;
}

/** Types that no format has any more, with the number of their documents that still have facts of a format. */
export async function countGone(
  on: Reads,
  { current, ...scope }: StaleScope,
): Promise<readonly { readonly type: string; readonly documents: number }[]> {
  const types = current.map((one) => one.type);
  const rows = (await isStale(on('document'), { current, ...scope })
    .whereNotIn('document.type', types)
    .groupBy('document.type')
    .orderBy('document.type')
    .select('document.type as type')
    .count({ documents: '*' })) as { type: string; documents: number | string }[];
  return rows.map(({ type, documents }) => ({ type, documents: Number(documents) }));
}

/** Whether any version of a document has this type, in any record. */
export async function isTypeStored(on: Reads, type: string): Promise<boolean> {
  return (await on('document').where({ type }).first('id')) !== undefined;
}

export async function countStale(on: Reads, scope: StaleScope): Promise<number> {
  const row = (await isStale(on('document'), scope).count({ count: '*' }).first()) as { count: number } | undefined;
  return Number(row?.count ?? 0);
}

/**
 * The next stale documents after `after`, in the order in which they were stored, without their content, which may be
 * large.
 */
export async function readStale(
  on: Reads,
  scope: StaleScope,
  after: number,
  limit: number,
): Promise<readonly StaleDocument[]> {
  return (await isStale(on('document'), scope)
    .where('document.seq', '>', after)
    .orderBy('document.seq')
    .limit(limit)
    .select(
      'document.seq',
      'document.id',
      'document.record_id as recordId',
      'document.lineage_id as lineageId',
      'document.created_at as createdAt',
    )) as StaleDocument[];
}

/** Undefined when the document is gone, or its record is being forgotten. @throws UnreadableContent */
export async function readContent(on: Reads, contents: Contents, documentId: Id): Promise<Buffer | undefined> {
  const row = (await on('document')
    .join('record', 'record.id', 'document.record_id')
    .where('document.id', documentId)
    .whereNot('record.creator_id', '')
    .first('document.record_id', 'document.size', 'document.content', 'document.sealed', 'record.content_key')) as
    (StoredContent & { record_id: string; size: number | string; content_key: ContentKey }) | undefined;
  if (!row) {
    return undefined;
  }
  const sealer = contents.under(row.content_key);
  const beginning = sealer.open(documentPlace(row.record_id, documentId), row);
  const divided = { recordId: row.record_id, id: documentId, size: Number(row.size) };
  return wholeContent(on, sealer, divided, beginning);
}

/** Locks the lineage until the transaction ends. True when the document is the latest of its lineage. */
export async function lockLatest(
  trx: Transaction,
  { id, lineageId }: Pick<StaleDocument, 'id' | 'lineageId'>,
): Promise<boolean> {
  return (await trx('document_lineage').where({ id: lineageId, latest_id: id }).forUpdate().first('id')) !== undefined;
}

/** Whether the document is a version of the record's own demographics. */
export async function isDemographics(trx: Transaction, { recordId, lineageId }: StaleDocument): Promise<boolean> {
  return (await trx('record').where({ id: recordId, demographics_lineage_id: lineageId }).first('id')) !== undefined;
}

type Processed = {
  readonly entry: string | null;
  readonly fingerprint: string | null;
  readonly leftOut: readonly LeftOut[];
  readonly facts: FactCounts;
  readonly about: AboutColumns;
};

/** Stores the new result. The document must be the latest of its lineage, and the lineage must be locked. */
export async function markProcessed(
  trx: Transaction,
  { id, lineageId }: Pick<StaleDocument, 'id' | 'lineageId'>,
  { entry, fingerprint, leftOut, facts, about }: Processed,
): Promise<void> {
  await trx('document')
    .where({ id })
    .update({
      entry,
      fingerprint,
      facts: JSON.stringify(facts),
      left_out: storedLeftOut(leftOut),
      ...about,
    });
  await trx('document_lineage')
    .where({ id: lineageId })
    .update({ about_words: aboutWords(about.about) });
}
