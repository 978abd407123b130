/**
 * left-out-store: what a person left out of a document when they added it, sealed under the key of the record. Each
 * version of a document has rows of its own.
 */
import type { Id } from '../base/types';
import type { Reads, Transaction } from '../db/connection';
import { insertRows } from '../db/insert-rows';
import type { Fact } from '../facts/plans';
import { openTexts, sealTexts, type StoredTexts } from '../sealing/sealed-texts-store';
import type { ContentKey, Contents, ContentPlace, Sealer } from '../sealing/contents-store';

/** Columns that are sealed. */
export const LEFT_OUT_TEXTS = ['fact'] as const;

/** A fact that a person left out. */
export type LeftOutFact = {
  readonly fact: Pick<Fact, 'model' | 'statement' | 'values' | 'partialDates' | 'children'>;
  /** It was not found any more when the document was read anew, so that it cannot be taken in. */
  readonly isGone?: true;
};

type Owner = { readonly recordId: Id; readonly documentId: Id; readonly lineageId: Id };
type Row = StoredTexts<'fact'> & { readonly num: number };
type KeyedRow = Row & { readonly record_id: Id; readonly content_key: ContentKey };

const COLUMNS = ['record_id', 'document_id', 'lineage_id', 'num', 'fact', 'sealed_texts'] as const;

function placeOf(recordId: Id, documentId: Id, num: number): ContentPlace {
  return ['left_out_fact', recordId, documentId, String(num)];
}

function openedFact(sealer: Sealer, recordId: Id, documentId: Id, row: Row): LeftOutFact {
  const { fact } = openTexts(sealer, placeOf(recordId, documentId, row.num), LEFT_OUT_TEXTS, row);
  return JSON.parse(fact) as LeftOutFact;
}

function isFact(value: unknown): value is LeftOutFact['fact'] {
  const { model, statement, values, children } = (typeof value === 'object' && value ? value : {}) as Partial<Fact>;
  const areScalars = (all: readonly unknown[]): boolean => all.every((one) => one === null || typeof one !== 'object');
  return (
    typeof model === 'string' &&
    typeof statement === 'string' &&
    typeof values === 'object' &&
    areScalars(Object.values(values)) &&
    typeof children === 'object' &&
    Object.values(children)
      .flat()
      .every((child) => child === null || isFact(child))
  );
}

/** What the text of a row says that somebody else wrote; undefined where it says no fact. */
export function readLeftOutText(text: string): LeftOutFact | undefined {
  try {
    const { fact } = JSON.parse(text) as Partial<LeftOutFact>;
    return isFact(fact) ? { fact } : undefined;
  } catch {
    return undefined;
  }
}

/** What was left out of a version of a document, in the order of the document. @throws UnreadableContent */
export async function readLeftOut(on: Reads, contents: Contents, documentId: Id): Promise<readonly LeftOutFact[]> {
  const rows = await on.rows<KeyedRow>(
    'select kept.record_id, kept.num, kept.fact, kept.sealed_texts, record.content_key from left_out_fact as kept ' +
      "join record on record.id = kept.record_id where kept.document_id = ? and record.creator_id <> '' " +
      'order by kept.num',
    [documentId],
  );
  return rows.map((row) => openedFact(contents.under(row.content_key), row.record_id, documentId, row));
}

/** Keeps what is left out of a version of a document, in the place of what was. */
export async function putLeftOut(
  trx: Transaction,
  sealer: Sealer,
  { recordId, documentId, lineageId }: Owner,
  all: readonly LeftOutFact[],
): Promise<void> {
  await trx('left_out_fact').where({ document_id: documentId }).delete();
  await insertLeftOut(trx, sealer, { recordId, documentId, lineageId }, all);
}

/** As `putLeftOut`, for a version that is new. */
export async function insertLeftOut(
  trx: Transaction,
  sealer: Sealer,
  { recordId, documentId, lineageId }: Owner,
  all: readonly LeftOutFact[],
): Promise<void> {
  if (all.length > 0) {
    const rows = all.map((one, index) => ({
      record_id: recordId,
      document_id: documentId,
      lineage_id: lineageId,
      num: index + 1,
      ...sealTexts(sealer, placeOf(recordId, documentId, index + 1), LEFT_OUT_TEXTS, { fact: JSON.stringify(one) }),
    }));
    await insertRows(trx, 'left_out_fact', COLUMNS, rows);
  }
}
