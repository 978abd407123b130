/** pictures-store: pages of documents as pictures, sealed under the key of their record. */
import type { Id, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/connection';
import { insertRow } from '../db/insert-rows';
import type { ContentKey, ContentPlace, Contents } from '../sealing/contents-store';

/** A picture, or why there is none. */
export type KeptPicture = {
  readonly png: Buffer;
  readonly pages: number;
  readonly width: number;
  readonly height: number;
  readonly problem: string | null;
};

/** `page`: from 1; 0 is the small picture of the first one. */
type PicturePlace = {
  readonly recordId: Id;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly page: number;
};

function picturePlace({ recordId, documentId, page }: Omit<PicturePlace, 'lineageId'>): ContentPlace {
  return ['document_picture', recordId, documentId, String(page)];
}

type Row = Omit<KeptPicture, 'png'> & {
  readonly content: Buffer;
  readonly sealed: number | null;
  readonly content_key: ContentKey;
  readonly made_at: Timestamp;
};

/**
 * A picture that was made before. What could not be drawn is only known after `since`: then it is tried again.
 * @throws UnreadableContent
 */
export async function findPicture(
  on: Reads,
  contents: Contents,
  place: Omit<PicturePlace, 'lineageId'>,
  since: Timestamp,
): Promise<KeptPicture | undefined> {
  const row = (await on('document_picture as picture')
    .join('record', 'record.id', 'picture.record_id')
    .where({ 'picture.document_id': place.documentId, 'picture.page': place.page })
    .where('picture.record_id', place.recordId)
    .whereNot('record.creator_id', '')
    .first('picture.content', 'picture.sealed', 'picture.pages', 'picture.width', 'picture.height', {
      problem: 'picture.problem',
      made_at: 'picture.made_at',
      content_key: 'record.content_key',
    })) as Row | undefined;
  if (!row || (row.problem !== null && row.made_at < since)) {
    return undefined;
  }
  const { content, sealed, content_key: key, pages, width, height, problem } = row;
  return { png: contents.under(key).open(picturePlace(place), { content, sealed }), pages, width, height, problem };
}

/** Keeps a picture in place of an earlier one. @param key that of the record, which is locked */
export async function keepPicture(
  trx: Transaction,
  contents: Contents,
  key: ContentKey,
  place: PicturePlace,
  { png, pages, width, height, problem }: KeptPicture,
  now: Timestamp,
): Promise<void> {
  const { recordId, documentId, lineageId, page } = place;
  const row = {
    record_id: recordId,
    document_id: documentId,
    lineage_id: lineageId,
    page,
    pages,
    width,
    height,
    problem,
    made_at: now,
    ...contents.under(key).seal(picturePlace(place), png),
  };
  await insertRow(trx, 'document_picture', row, 'replace into');
}
