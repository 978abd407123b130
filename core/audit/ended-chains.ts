/**
 * ended-chains: signs the last rows of processes that were killed, which are chained but not signed yet. Without the
 * signature, somebody could cut them off later unnoticed.
 */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import type { Database } from '../db/database';
import { findCheckpointHash, listUnsignedEnds, readChain, type UnsignedEnd } from './store';
import { writeCheckpoint, type Head } from './checkpoints';
import { rowHash, type AuditColumn } from './row';
import type { AuditSigner } from './signer';

type EndedChains = { readonly database: Database; readonly signer: AuditSigner; readonly clock: Clock };

/** A running writer signs within seconds, so the writer of a row that is unsigned for this time has ended. */
const ENDED_MILLISECONDS = 60_000;
const PAGE = 1000;

/**
 * The last row of a chain, if the rows after its last checkpoint follow one from another; undefined if they do not, or
 * are too young.
 */
async function findHead(
  { database, clock }: EndedChains,
  { writerId, signed }: UnsignedEnd,
): Promise<Head | undefined> {
  let head: Head = { writerId, seq: signed, hash: await findCheckpointHash(database.reads, writerId, signed) };
  for (;;) {
    const rows = await readChain(database.reads, writerId, head.seq, PAGE);
    for (const row of rows) {
      const [seq, hash] = [Number(row['writer_seq']), String(row['hash'])];
      const fits = seq === head.seq + 1 && rowHash(head.hash, row as Record<AuditColumn, unknown>) === hash;
      if (!fits || fromTimestamp(String(row['requested_at'])) > clock.now() - ENDED_MILLISECONDS) {
        return undefined;
      }
      head = { writerId, seq, hash };
    }
    if (rows.length < PAGE) {
      return head;
    }
  }
}

/**
 * Signs the ends of chains whose writers are gone. Changed rows stay unsigned, so that `verifyAudit` finds them.
 * @returns how many chains were signed
 */
export async function signEndedChains(parts: EndedChains): Promise<number> {
  let signed = 0;
  for (const end of await listUnsignedEnds(parts.database.reads.long)) {
    const head = await findHead(parts, end);
    if (head && head.seq > end.signed) {
      await writeCheckpoint(parts.database, parts.signer, head, toTimestamp(parts.clock.now()), end.signed);
      signed += 1;
    }
  }
  return signed;
}
