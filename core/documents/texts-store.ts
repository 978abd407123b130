/**
 * texts-store: the words of files, sealed under the key of their record, and the documents that wait to be read. A search
 * opens them: an index of SQL would hold them in clear.
 */
import type { Id, DocumentStatus, Timestamp } from '../base/types';
import { sliced } from '../base/turns/slices';
import type { Reads, Transaction } from '../db/connection';
import { insertRow, insertRows } from '../db/insert-rows';
import type { ContentKey, ContentPlace, Contents } from '../sealing/contents-store';
import { containedIn } from '../sharing/containment';
import { withoutUndone, type DocumentScope } from './store';

/** A version whose files are to be read. */
export type DueText = {
  readonly seq: number;
  readonly recordId: Id;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly tries: number;
};

type Owner = Pick<DueText, 'recordId' | 'documentId' | 'lineageId'>;

/** The words of one page; `page` is from 1, or OWN_TEXT. */
export type PageText = { readonly page: number; readonly text: string; readonly byMachine: boolean };

function documentTextPlace(
  { recordId, documentId }: Pick<Owner, 'recordId' | 'documentId'>,
  page: number,
): ContentPlace {
  return ['document_text', recordId, documentId, String(page)];
}

/** The page of a document's own text, behind those of its files. */
export const OWN_TEXT = 1_000_000;

/** Has the files of a version read soon. */
export function awaitText(trx: Transaction, { recordId, documentId, lineageId }: Owner): Promise<unknown> {
  return insertRow(trx, 'document_text_due', {
    record_id: recordId,
    document_id: documentId,
    lineage_id: lineageId,
    tries: 0,
  });
}

/** Types of documents that may hold files. */
const HOLDING = ['%#File', 'http://hl7.org/fhir#%', 'urn:hl7-org:v3#%'];

/** Has the files of all documents of a record read that was just brought in. */
export async function awaitTexts(trx: Transaction, recordId: Id): Promise<void> {
  await trx.raw(
    'insert into document_text_due (record_id, document_id, lineage_id, tries) ' +
      `select record_id, latest_id, id, 0 from document_lineage where record_id = ? and (${HOLDING.map(() => 'type like ?').join(' or ')})`,
    [recordId, ...HOLDING],
  );
}

/** How many are looked at for one that nobody else has taken. */
const LOOKED_AT = 5;

const KEYS = { recordId: 'record_id', documentId: 'document_id', lineageId: 'lineage_id' };

/**
 * Documents that wait, the oldest first; those for a program that reads pictures come last.
 * @param hasMachine whether such a program is there; it is asked when one of those waits, because looking takes time
 */
export async function findDue(on: Reads, now: Timestamp, hasMachine: () => boolean): Promise<readonly DueText[]> {
  const find = async (needsMachine: 1 | null): Promise<readonly DueText[]> =>
    (await on('document_text_due')
      .where({ needs_machine: needsMachine })
      .where((free) => void free.whereNull('taken_until').orWhere('taken_until', '<', now))
      .orderBy('seq')
      .limit(LOOKED_AT)
      .select('seq', 'tries', KEYS)) as DueText[];
  const files = await find(null);
  if (files.length > 0) {
    return files;
  }
  const pictures = await find(1);
  return pictures.length > 0 && hasMachine() ? pictures : [];
}

/** Takes one for this process. @returns false when another was faster */
export async function takeDue(trx: Transaction, { seq }: DueText, now: Timestamp, until: Timestamp): Promise<boolean> {
  return (
    (await trx('document_text_due')
      .where({ seq })
      .where((free) => void free.whereNull('taken_until').orWhere('taken_until', '<', now))
      .update({ taken_until: until, tries: trx.raw('tries + 1') })) === 1
  );
}

export function dropDue(trx: Transaction, { seq }: DueText): Promise<unknown> {
  return trx('document_text_due').where({ seq }).delete();
}

/** Tries it again after a while. */
export function postponeDue(trx: Transaction, { seq }: DueText, until: Timestamp): Promise<unknown> {
  return trx('document_text_due').where({ seq }).update({ taken_until: until });
}

/** Leaves it for when a program for pictures is there. */
export function leaveForMachine(trx: Transaction, { seq }: DueText): Promise<unknown> {
  return trx('document_text_due').where({ seq }).update({ needs_machine: 1, taken_until: null, tries: 0 });
}

/**
 * Keeps the words of a version in place of earlier ones of all versions.
 * @param key that of the record, which is locked
 * @param words the different words of all pages
 */
export async function keepTexts(
  trx: Transaction,
  contents: Contents,
  key: ContentKey,
  owner: Owner,
  words: string,
  pages: readonly PageText[],
  now: Timestamp,
): Promise<void> {
  await trx('document_text').where({ lineage_id: owner.lineageId, record_id: owner.recordId }).delete();
  const sealer = contents.under(key);
  const byMachine = pages.some((page) => page.byMachine);
  const all = pages.length === 0 ? [] : [{ page: 0, text: words, byMachine }, ...pages];
  await insertRows(
    trx,
    'document_text',
    ['record_id', 'document_id', 'lineage_id', 'page', 'by_machine', 'made_at', 'content', 'sealed'],
    all.map(({ page, text, byMachine: machine }) => ({
      record_id: owner.recordId,
      document_id: owner.documentId,
      lineage_id: owner.lineageId,
      page,
      by_machine: machine ? 1 : null,
      made_at: now,
      ...sealer.seal(documentTextPlace(owner, page), Buffer.from(text, 'utf8')),
    })),
  );
}

/** The latest version and the key of its record; undefined when it is no latest one any more, or its record is closed. */
export async function findLatest(
  on: Reads,
  { recordId, documentId }: Owner,
): Promise<{ readonly key: ContentKey; readonly hasLeftOut: boolean } | undefined> {
  const row = (await on('document_lineage as lineage')
    .join('record', 'record.id', 'lineage.record_id')
    .join('document', 'document.id', 'lineage.latest_id')
    .where({ 'lineage.latest_id': documentId, 'lineage.record_id': recordId })
    .whereNot('record.creator_id', '')
    .first({ key: 'record.content_key', leftOut: 'document.left_out' })) as
    { readonly key: ContentKey; readonly leftOut: string | null } | undefined;
  return row && { key: row.key, hasLeftOut: row.leftOut !== null };
}

type TextRow = {
  readonly document_id: Id;
  readonly page: number;
  readonly by_machine: number | null;
  readonly content: Buffer;
  readonly sealed: number | null;
  readonly content_key: ContentKey;
};

/** The most bytes that a search opens, those of the newest documents. */
const MOST_SEARCHED = 33_554_432;

/**
 * The documents of a scope whose files say words: for each word those that say it. Only what the scope holds is opened.
 * @param words each with its folded forms
 */
export async function findByTexts(
  on: Reads,
  contents: Contents,
  { recordId, carenetId }: DocumentScope,
  status: DocumentStatus,
  words: readonly (readonly string[])[],
): Promise<readonly (readonly Id[])[]> {
  const lineages = on('document_text as text')
    .join('document_lineage as lineage', 'lineage.latest_id', 'text.document_id')
    .join('record', 'record.id', 'text.record_id')
    .where({ 'text.record_id': recordId, 'text.page': 0, 'lineage.record_id': recordId, 'lineage.status': status });
  const held = withoutUndone(carenetId === undefined ? lineages : containedIn(lineages, 'lineage', carenetId), status);
  const counted = held.select(
    'text.document_id',
    'text.page',
    'text.content',
    'text.sealed',
    'record.content_key',
    on.raw('sum(length(text.content)) over (order by text.seq desc) as upto'),
  );
  const rows = (await on.from(counted.as('found')).where('upto', '<=', MOST_SEARCHED)) as TextRow[];
  const said = words.map((): Id[] => []);
  for (const row of rows) {
    const { document_id: documentId, content, sealed, content_key: key } = row;
    const text = contents
      .under(key)
      .open(documentTextPlace({ recordId, documentId }, 0), { content, sealed })
      .toString('utf8');
    const isSaid = (form: string): boolean => form !== '' && text.includes(form);
    words.forEach((forms, index) => forms.some(isSaid) && said[index]!.push(documentId));
    const turn = sliced();
    if (turn) {
      await turn;
    }
  }
  return said;
}

/** The pages of documents that the caller may read, in their order. @throws UnreadableContent */
export async function findPages(
  on: Reads,
  contents: Contents,
  recordId: Id,
  documentIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly PageText[]>> {
  const rows = (await on('document_text as text')
    .join('record', 'record.id', 'text.record_id')
    .where('text.record_id', recordId)
    .where('text.page', '>', 0)
    .whereIn('text.document_id', [...documentIds])
    .whereNot('record.creator_id', '')
    .orderBy(['text.document_id', 'text.page'])
    .select(
      'text.document_id',
      'text.page',
      'text.by_machine',
      'text.content',
      'text.sealed',
      'record.content_key',
    )) as TextRow[];
  const found = new Map<Id, PageText[]>();
  for (const { document_id: documentId, page, by_machine: machine, content, sealed, content_key: key } of rows) {
    const text = contents.under(key).open(documentTextPlace({ recordId, documentId }, page), { content, sealed });
    found.set(documentId, [
      ...(found.get(documentId) ?? []),
      { page, text: text.toString('utf8'), byMachine: machine === 1 },
    ]);
    const turn = sliced();
    if (turn) {
      await turn;
    }
  }
  return found;
}
