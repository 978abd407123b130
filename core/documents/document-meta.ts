/**
 * document-meta: everything that the metadata of documents shows: their rows, and how often each is related to others.
 */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { Reads } from '../db/connection';
import type { DocumentRow } from './store';
import { countRelations, type RelationCount } from './relations-store';
import { relationUri } from './document-types';

/** `type` is the full relation URI. */
export type Related = { readonly type: string; readonly count: number };

export type DocumentMeta = DocumentRow & {
  readonly relatesTo: readonly Related[];
  readonly isRelatedFrom: readonly Related[];
};

function relatedOf(
  counts: readonly RelationCount[],
  direction: RelationCount['direction'],
  vocabBase: string,
): readonly Related[] {
  return counts
    .filter((count) => count.direction === direction)
    .map(({ type, count }) => ({ type: relationUri(type, vocabBase), count }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

const NONE: readonly Related[] = [];

/** A document that is known to be related to no other. */
export function withoutRelations(row: DocumentRow): DocumentMeta {
  return { ...row, relatesTo: NONE, isRelatedFrom: NONE };
}

/**
 * The rows of a page with their relations, which are read with one statement for all of them.
 * @param carenetId counts only what this carenet contains
 */
export async function withRelations(
  on: Reads,
  vocabBase: string,
  rows: readonly DocumentRow[],
  carenetId?: Id,
): Promise<readonly DocumentMeta[]> {
  const counts = await countRelations(on, [...new Set(rows.map(({ lineageId }) => lineageId))], carenetId);
  const byLineage = groupedBy(counts, ({ lineageId }) => lineageId);
  return rows.map((row) => {
    const own = byLineage.get(row.lineageId);
    return own
      ? {
          ...row,
          relatesTo: relatedOf(own, 'relates_to', vocabBase),
          isRelatedFrom: relatedOf(own, 'is_related_from', vocabBase),
        }
      : withoutRelations(row);
  });
}
