/**
 * ended-chains: a process that is killed leaves its last rows chained but not signed for; another one signs for them, so that
 * nobody can cut them off later without its being seen.
 */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import type { Database } from '../storage/database';
import { findCheckpointHash, listUnsignedEnds, readChain, type UnsignedEnd } from '../storage/stores/audit';
import { writeCheckpoint, type Head } from './checkpoints';
import { rowHash, type AuditColumn } from './row';
import type { AuditSigner } from './signer';

export type EndedChains = { readonly database: Database; readonly signer: AuditSigner; readonly clock: Clock };

/** A writer that lives signs within seconds. */
const ENDED_MILLISECONDS = 60_000;
const PAGE = 1000;

/** The last row, when the rows from the last checkpoint on follow one from another; undefined when they do not or are too young. */
const findHead = async (
  { database, clock }: EndedChains,
  { writerId, signed }: UnsignedEnd,
): Promise<Head | undefined> => {
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
};

/**
 * Signs for the ends of chains whose writers are gone, and answers for how many. What was changed stays unsigned for
 * `verifyAudit` to find.
 */
export const signEndedChains = async (parts: EndedChains): Promise<number> => {
  let signed = 0;
  for (const end of await listUnsignedEnds(parts.database.reads.long)) {
    const head = await findHead(parts, end);
    if (head && head.seq > end.signed) {
      await writeCheckpoint(parts.database, parts.signer, head, toTimestamp(parts.clock.now()), end.signed);
      signed += 1;
    }
  }
  return signed;
};
