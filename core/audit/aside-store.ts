/** aside-store: moves rows of the audit log, and their checkpoints, from a second file into the database. */
import type { Database, Reads, Transaction } from '../db/database';
import { insertRows } from '../db/insert-rows';
import { insertCheckpoint, readAudit, toCheckpoint, type CheckpointRow, type StoredCheckpoint } from './store';

/** Sends the rows of a checkpoint whose numbers are greater than `after`. */
type HandOver = (trx: Transaction, checkpoint: CheckpointRow, after: number) => Promise<unknown>;

const PAGE = 500;

type Stored = StoredCheckpoint & { readonly seq: number };

/**
 * Checkpoints whose rows all have a `seq` up to `last`: a checkpoint without its rows would look like a truncated log.
 */
const coveredCheckpoints = async (on: Reads, last: number): Promise<readonly Stored[]> =>
  (await on('audit_checkpoint as c')
    .whereNotExists(
      on('audit')
        .where('audit.writer_id', on.ref('c.writer_id'))
        .where('audit.writer_seq', '<=', on.ref('c.writer_seq'))
        .where('audit.seq', '>', last)
        .select(on.raw('1')),
    )
    .orderBy('seq')) as Stored[];

/** For each chain, the numbers of the rows that the database has checkpoints for. */
const signedIn = async (
  trx: Transaction,
  checkpoints: readonly CheckpointRow[],
): Promise<ReadonlyMap<string, number[]>> => {
  const signed = new Map<string, number[]>(checkpoints.map(({ writerId }) => [writerId, []]));
  const rows = (await trx('audit_checkpoint')
    .whereIn('writer_id', [...signed.keys()])
    .select('writer_id', 'writer_seq')) as { writer_id: string; writer_seq: number }[];
  rows.forEach((row) => signed.get(row.writer_id)?.push(row.writer_seq));
  return signed;
};

const insertCheckpoints = async (
  trx: Transaction,
  checkpoints: readonly CheckpointRow[],
  handOver?: HandOver,
): Promise<void> => {
  const signed = await signedIn(trx, checkpoints);
  for (const checkpoint of checkpoints) {
    const numbers = signed.get(checkpoint.writerId)!;
    if (!numbers.includes(checkpoint.writerSeq)) {
      await insertCheckpoint(trx, checkpoint);
      await handOver?.(trx, checkpoint, Math.max(0, ...numbers.filter((number) => number < checkpoint.writerSeq)));
      numbers.push(checkpoint.writerSeq);
    }
  }
};

/**
 * Moves the oldest rows. Rows that the database already has are skipped, so that a process that ended between the two
 * writes does no harm.
 * @returns how many rows were moved, and whether there may be more
 */
export const moveAudit = async (
  from: Database,
  to: Database,
  handOver?: HandOver,
): Promise<{ readonly rows: number; readonly more: boolean }> => {
  const rows = await readAudit(from.reads, 0, PAGE);
  const last = Number(rows.at(-1)?.['seq'] ?? 0);
  const checkpoints = await coveredCheckpoints(from.reads, last);
  if (rows.length + checkpoints.length === 0) {
    return { rows: 0, more: false };
  }
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'seq');
  await to.transaction(async (trx) => {
    await insertRows(trx, 'audit', columns, rows, to.dialect.insertIgnore);
    await insertCheckpoints(trx, checkpoints.map(toCheckpoint), handOver);
  });
  await from.transaction(async (trx) => {
    await trx('audit').where('seq', '<=', last).delete();
    await trx('audit_checkpoint')
      .whereIn(
        'seq',
        checkpoints.map(({ seq }) => seq),
      )
      .delete();
  });
  return { rows: rows.length, more: rows.length === PAGE };
};
