/** checkpoints: signed statements of how far a chain of audit rows had come; each also confirms an earlier one. */
import { sha256 } from '../base/ids';
import type { Id, Timestamp } from '../base/types';
import type { Database } from '../db/database';
import { insertCheckpoint, lastSignature } from './store';
import type { AuditSigner } from './signer';
import { checkpointText } from './checkpoint-text';

/** How far a chain has come: the number and the hash of its last row. */
export type Head = { readonly writerId: Id; readonly seq: number; readonly hash: string };

/** The very first checkpoint has this instead of the digest of an earlier one. */
export const NO_EARLIER = sha256('no earlier audit checkpoint');

export function signatureDigest(signature: string): string {
  return sha256(signature);
}

/** @param after the last row of the chain that a checkpoint covers already */
export async function writeCheckpoint(
  database: Database,
  signer: AuditSigner,
  { writerId, seq, hash }: Head,
  madeAt: Timestamp,
  after = 0,
): Promise<void> {
  const earlier = await lastSignature(database.reads);
  const unsigned = {
    madeAt,
    writerId,
    writerSeq: seq,
    hash,
    previous: earlier === undefined ? NO_EARLIER : signatureDigest(earlier),
  };
  const checkpoint = { ...unsigned, signature: signer.sign(checkpointText(unsigned)) };
  const { handOver, keep } = signer.outside;
  await (handOver
    ? database.transaction(async (trx) => {
        await insertCheckpoint(trx, checkpoint);
        await handOver(trx, checkpoint, after);
      })
    : database.write((trx) => insertCheckpoint(trx, checkpoint)));
  keep(checkpoint);
}
