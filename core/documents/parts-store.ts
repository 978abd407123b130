/**
 * parts-store: the rest of a content that is too large for one statement. The row of a document holds the beginning of
 * its content, and rows of `document_part` the rest, each sealed at its own place.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { limit } from '../base/turns/limit';
import type { Id } from '../base/types';
import type { Reads, Transaction } from '../db/connection';
import { insertRow } from '../db/insert-rows';
import { UnreadableContent, type ContentPlace, type Sealer, type StoredContent } from '../sealing/contents-store';

/**
 * The most bytes of one part. MariaDB accepts statements of 16 MB unless it is told otherwise, and bytes are written
 * into a statement with two characters each.
 */
export const PART_BYTES = 3_000_000;

/** A document, and how many bytes its whole content has. */
type Divided = { readonly recordId: Id; readonly id: Id; readonly size: number };

function partPlace({ recordId, id }: Pick<Divided, 'recordId' | 'id'>, num: number): ContentPlace {
  return ['document_part', recordId, id, String(num)];
}

/** What the row of the document holds of a content. */
export function beginningOf(content: Buffer): Buffer {
  return content.subarray(0, PART_BYTES);
}

/** Stores what the row of the document does not hold of its content, part by part. */
export async function insertParts(
  trx: Transaction,
  sealer: Sealer,
  { recordId, id, content }: Pick<Divided, 'recordId' | 'id'> & { readonly content: Buffer },
): Promise<void> {
  for (let num = 1; num * PART_BYTES < content.length; num += 1) {
    const part = content.subarray(num * PART_BYTES, (num + 1) * PART_BYTES);
    await insertRow(trx, 'document_part', {
      record_id: recordId,
      document_id: id,
      num,
      ...sealer.seal(partPlace({ recordId, id }, num), part),
    });
    await breathe();
  }
}

/** So many parts are read by one statement. */
const PARTS_AT_ONCE = 5;
/** Some parts of a document, in their order and from a number on. */
async function readDocumentParts(
  on: Reads,
  id: Id,
  from: number,
): Promise<readonly (StoredContent & { num: number })[]> {
  return (await on('document_part')
    .where({ document_id: id })
    .whereBetween('num', [from, from + PARTS_AT_ONCE - 1])
    .orderBy('num')
    .select('num', 'content', 'sealed')) as (StoredContent & { num: number })[];
}

/** So many large contents are put together at the same time; the others wait. */
const AT_ONCE = 2;
const inTurn = limit(AT_ONCE);

/**
 * The whole content of a document.
 * @param beginning what its row holds, opened
 * @throws UnreadableContent also for a content with a part that is missing
 */
export async function wholeContent(
  on: Reads,
  sealer: Sealer,
  { recordId, id, size }: Divided,
  beginning: Buffer,
): Promise<Buffer> {
  if (beginning.length >= size) {
    return beginning;
  }
  return inTurn(async () => {
    const parts = [beginning];
    let length = beginning.length;
    while (length < size) {
      const found = await readDocumentParts(on, id, parts.length);
      const isMissing = found.length === 0 || found.some(({ num }, index) => num !== parts.length + index);
      if (isMissing) {
        throw new UnreadableContent(partPlace({ recordId, id }, parts.length));
      }
      for (const { num, ...stored } of found) {
        const part = sealer.open(partPlace({ recordId, id }, num), stored);
        parts.push(part);
        length += part.length;
        await breathe();
      }
    }
    return Buffer.concat(parts);
  });
}
