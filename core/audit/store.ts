/** store: rows of the audit log, read for verification, and its signed checkpoints. */
import type { Id, Timestamp } from '../base/types';
import { columnsNamed, toColumns } from '../db/columns';
import type { Reads, Transaction } from '../db/database';
import { behindKeys } from '../db/page';

export type CheckpointRow = {
  readonly madeAt: Timestamp;
  readonly writerId: Id;
  /** The last row that it covers; 0 is the beginning of the chain. */
  readonly writerSeq: number;
  readonly hash: string;
  /** Digest of the signature of an earlier checkpoint. */
  readonly previous: string;
  readonly signature: string;
};

export function insertCheckpoint(trx: Transaction, row: CheckpointRow): Promise<unknown> {
  return trx('audit_checkpoint').insert({
    made_at: row.madeAt,
    writer_id: row.writerId,
    writer_seq: row.writerSeq,
    hash: row.hash,
    previous: row.previous,
    signature: row.signature,
  });
}

export async function lastSignature(on: Reads): Promise<string | undefined> {
  return ((await on('audit_checkpoint').orderBy('seq', 'desc').first('signature')) as { signature: string } | undefined)
    ?.signature;
}

const checkpointColumns = ['made_at', 'writer_id', 'writer_seq', 'hash', 'previous', 'signature'] as const;

type StoredCheckpoint = {
  made_at: string;
  writer_id: string;
  writer_seq: number | string;
  hash: string;
  previous: string;
  signature: string;
};

function toCheckpoint(row: StoredCheckpoint): CheckpointRow {
  return {
    madeAt: row.made_at,
    writerId: row.writer_id,
    writerSeq: Number(row.writer_seq),
    hash: row.hash,
    previous: row.previous,
    signature: row.signature,
  };
}

/** All checkpoints, in the order in which they were made. */
export async function listCheckpoints(on: Reads): Promise<readonly CheckpointRow[]> {
  return (
    (await on('audit_checkpoint')
      .orderBy('seq')
      .select(...checkpointColumns)) as StoredCheckpoint[]
  ).map(toCheckpoint);
}

/** The last checkpoint of each chain. */
export async function lastCheckpoints(on: Reads): Promise<readonly CheckpointRow[]> {
  return (
    (await on('audit_checkpoint as c')
      .join(
        on('audit_checkpoint')
          .groupBy('writer_id')
          .select({ last_writer: 'writer_id' })
          .max({ last_seq: 'writer_seq' })
          .as('last'),
        (on) => {
          void on.on('last.last_writer', 'c.writer_id').andOn('last.last_seq', 'c.writer_seq');
        },
      )
      .select(checkpointColumns.map((name) => `c.${name}`))) as StoredCheckpoint[]
  ).map(toCheckpoint);
}

/** A chain with rows after its last checkpoint. */
export type UnsignedEnd = { readonly writerId: Id; readonly signed: number };

/** For each chain that this installation ever began, this looks up its end once. */
const UNSIGNED_ENDS = `
  select writer_id, signed from (select writer_id, max(writer_seq) as signed from audit_checkpoint group by writer_id) as chain
  where exists (select 1 from audit where audit.writer_id = chain.writer_id and audit.writer_seq > chain.signed)`;

export async function listUnsignedEnds(on: Reads): Promise<readonly UnsignedEnd[]> {
  // MariaDB does not find the inner column when the statement is a prepared one that runs again.
  const rows = (await on.raw(UNSIGNED_ENDS)) as unknown as { writer_id: string; signed: number | string }[];
  return rows.map((row) => ({ writerId: row.writer_id, signed: Number(row.signed) }));
}

export async function findCheckpointHash(on: Reads, writerId: Id, writerSeq: number): Promise<string> {
  return (
    (
      (await on('audit_checkpoint').where({ writer_id: writerId, writer_seq: writerSeq }).first('hash')) as
        { hash: string } | undefined
    )?.hash ?? ''
  );
}

/** The last row of a chain. */
export async function findLastRow(
  on: Reads,
  writerId: Id,
): Promise<{ readonly writerSeq: number; readonly hash: string } | undefined> {
  const row = (await on('audit')
    .where({ writer_id: writerId })
    .orderBy('writer_seq', 'desc')
    .first('writer_seq', 'hash')) as { writer_seq: number | string; hash: string } | undefined;
  return row && { writerSeq: Number(row.writer_seq), hash: row.hash };
}

/** The number of the last row of each chain. */
export async function listEnds(on: Reads): Promise<readonly { readonly writerId: Id; readonly writerSeq: number }[]> {
  const rows = (await on('audit')
    .groupBy('writer_id')
    .orderBy('writer_id')
    .select('writer_id')
    .max({ last: 'writer_seq' })) as { writer_id: string; last: number | string }[];
  return rows.map((row) => ({ writerId: row.writer_id, writerSeq: Number(row.last) }));
}

/** A row with all its columns as the driver gives them. */
export type ChainRow = Readonly<Record<string, string | number | null>>;

/** The next rows of a chain, in its order. */
export async function readChain(on: Reads, writerId: Id, after: number, limit: number): Promise<readonly ChainRow[]> {
  return (await on('audit')
    .where('writer_id', writerId)
    .where('writer_seq', '>', after)
    .orderBy('writer_seq')
    .limit(limit)) as ChainRow[];
}

/** Stores a text of this installation under a name, unless one is stored already. */
export async function keepInstallationText(
  trx: Transaction,
  name: string,
  content: string,
  now: Timestamp,
): Promise<string> {
  await trx('installation').insert({ name, content, changed_at: now }).onConflict('name').ignore();
  return ((await trx('installation').where({ name }).first('content')) as { content: string }).content;
}

/** Changes a text of this installation, unless somebody else did so meanwhile. */
export async function moveInstallationText(
  trx: Transaction,
  name: string,
  from: string,
  to: string,
  now: Timestamp,
): Promise<boolean> {
  return (await trx('installation').where({ name, content: from }).update({ content: to, changed_at: now })) === 1;
}

/** The next rows of the whole log, in the order in which they were written. */
export async function readAudit(on: Reads, after: number, limit: number): Promise<readonly ChainRow[]> {
  return (await on('audit').where('seq', '>', after).orderBy('seq').limit(limit)) as ChainRow[];
}

/** The hashes of some rows of a chain, by their numbers. */
export async function hashesOf(
  on: Reads,
  writerId: Id,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = (await on('audit')
    .where({ writer_id: writerId })
    .whereIn('writer_seq', [...numbers])
    .select('writer_seq', 'hash')) as { writer_seq: number | string; hash: string }[];
  return new Map(rows.map((row) => [Number(row.writer_seq), row.hash]));
}

export function shortenRows(
  trx: Transaction,
  writerId: Id,
  numbers: readonly number[],
  values: Readonly<Record<string, string | number | null>>,
): Promise<unknown> {
  return trx('audit')
    .where({ writer_id: writerId })
    .whereIn('writer_seq', [...numbers])
    .update(values);
}

/** The signed statement that vouches for rows that were shortened. */
export type ShortenedRow = {
  readonly madeAt: Timestamp;
  readonly writerId: Id;
  readonly numbers: readonly number[];
  readonly digest: string;
  readonly signature: string;
};

const shortenedColumns = columnsNamed('madeAt', 'writerId', 'numbers', 'digest', 'signature');

export function insertShortened(trx: Transaction, row: ShortenedRow): Promise<unknown> {
  return trx('audit_shortened').insert(toColumns(shortenedColumns, { ...row, numbers: JSON.stringify(row.numbers) }));
}

export async function listShortened(on: Reads, writerId: Id): Promise<readonly ShortenedRow[]> {
  const rows = (await on('audit_shortened')
    .where({ writer_id: writerId })
    .orderBy('seq')
    .select(shortenedColumns)) as (Omit<ShortenedRow, 'numbers'> & { readonly numbers: string })[];
  return rows.map((row) => ({ ...row, numbers: JSON.parse(row.numbers) as number[] }));
}

/** How many rows the log has, or a few more. */
export async function sizeOfLog(on: Reads): Promise<number> {
  const row = (await on('audit').min({ first: 'seq' }).max({ last: 'seq' }).first()) as
    { first: number | string | null; last: number | string | null } | undefined;
  return row?.last === undefined || row.last === null ? 0 : Number(row.last) - Number(row.first) + 1;
}

/**
 * The next rows of all chains, one chain after the other.
 * @param after writer and number of the last row that was read
 */
export async function readWholeLog(
  on: Reads,
  after: readonly [Id, number] | undefined,
  limit: number,
): Promise<readonly ChainRow[]> {
  const order = ['writer_id', 'writer_seq'];
  const query = on('audit').orderBy(order).limit(limit);
  return (await (after ? behindKeys(query, order, after) : query)) as ChainRow[];
}

/**
 * The newest rows of a record with `step` 0. Each comes with the row before it in its chain (`step` -1) and the row
 * after it (`step` 1). Some rows come twice: the row before one of them may be another one of them, or an older row of
 * the same record.
 */
export async function readNeighbours(on: Reads, recordId: Id, limit: number): Promise<readonly ChainRow[]> {
  const own = on('audit')
    .where('record_id', recordId)
    .orderBy([
      { column: 'requested_at', order: 'desc' },
      { column: 'seq', order: 'desc' },
    ])
    .limit(limit)
    .select('writer_id', 'writer_seq')
    .as('own');
  const beside = [-1, 0, 1].map((step) =>
    on
      .from(own)
      .join('audit as near', {
        'near.writer_id': 'own.writer_id',
        'near.writer_seq': on.raw(`own.writer_seq + (${step})`),
      })
      .select('near.*', on.raw('(?) as step', [step])),
  );
  return (await on.queryBuilder().unionAll(beside)) as ChainRow[];
}

/** Every chain with its number of rows and the number of its last row. The two are equal if no row is missing. */
export async function countChains(on: Reads): Promise<readonly { readonly rows: number; readonly last: number }[]> {
  const rows = (await on('audit').groupBy('writer_id').count({ n: '*' }).max({ last: 'writer_seq' })) as {
    n: number | string;
    last: number | string;
  }[];
  return rows.map((row) => ({ rows: Number(row.n), last: Number(row.last) }));
}
