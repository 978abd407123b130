/** checkpoint-text: the text of a checkpoint that is signed. */

import type { CheckpointRow } from './store';

export function checkpointText({
  writerId,
  writerSeq,
  hash,
  previous,
  madeAt,
}: Omit<CheckpointRow, 'signature'>): string {
  return JSON.stringify(['audit checkpoint', 1, writerId, writerSeq, hash, previous, madeAt]);
}
