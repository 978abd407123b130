/**
 * record-check: whether the log behind a record's history is unbroken. This is checked whenever the history is shown,
 * so its cost is bounded. A small log is walked whole. In a large one, each of the record's newest rows is checked with
 * the rows before and after it, and all chains are counted for gaps. Two things are found by `svc verify-audit` only:
 * rows behind the last signed end that are gone with their checkpoints, and changes of old rows in a large log.
 */
import type { Id } from '../base/types';
import type { Database } from '../db/database';
import {
  countChains,
  lastCheckpoints,
  listShortened,
  readNeighbours,
  readWholeLog,
  sizeOfLog,
  type ChainRow,
  type CheckpointRow,
} from './store';
import { checkpointText } from './checkpoint-text';
import { chainStart, rowHash, type AuditColumn } from './row';
import { ShortenedCheck, statementText } from './shortened';

export type RecordCheck = {
  readonly unbroken: boolean;
  /**
   * True: every row of the log was checked. False: only the newest rows of the record were, each with its neighbours.
   */
  readonly whole: boolean;
  /** How many rows of the record were checked. */ readonly checked: number;
};

type Tools = {
  readonly database: Database;
  readonly verify: (text: string, signature: string) => boolean;
};

/**
 * Numbers of rows: of a log that is still walked whole, of a page, of a record in a larger log, and of a log whose
 * chains are still counted.
 */
const WALKED = 5000;
const PAGE = 2500;
const NEWEST = 1000;
const COUNTED = 2_000_000;

function seqOf(row: ChainRow): number {
  return Number(row['writer_seq']);
}
function writerOf(row: ChainRow): Id {
  return String(row['writer_id']);
}
function follows(previous: string, row: ChainRow): boolean {
  return rowHash(previous, row as Record<AuditColumn, unknown>) === row['hash'];
}
function isShortened(row: ChainRow): boolean {
  return Number(row['shortened']) === 1;
}

/**
 * The signed end of each chain.
 * @returns undefined when a signature is not ours
 */
async function signedEnds({ database, verify }: Tools): Promise<ReadonlyMap<Id, CheckpointRow> | undefined> {
  const ends = await lastCheckpoints(database.reads);
  return ends.every((end) => verify(checkpointText(end), end.signature))
    ? new Map(ends.map((end) => [end.writerId, end]))
    : undefined;
}

/**
 * Whether one chain is unbroken.
 * @param rows all rows of the chain, in order
 */
async function chainHolds(
  { database, verify }: Tools,
  rows: readonly ChainRow[],
  end: CheckpointRow | undefined,
): Promise<boolean> {
  const writerId = writerOf(rows[0]!);
  const shortened = new ShortenedCheck(
    rows.some(isShortened) ? await listShortened(database.reads, writerId) : [],
    (statement) => verify(statementText(statement), statement.signature),
  );
  let hash = chainStart(writerId);
  for (const [index, row] of rows.entries()) {
    const sound = isShortened(row) ? shortened.take(seqOf(row), hash, row) : follows(hash, row);
    hash = String(row['hash']);
    if (!sound || seqOf(row) !== index + 1 || (end?.writerSeq === index + 1 && end.hash !== hash)) {
      return false;
    }
  }
  return shortened.end().length === 0 && (end === undefined || end.writerSeq <= rows.length);
}

async function readChains({ database }: Tools): Promise<ReadonlyMap<Id, readonly ChainRow[]>> {
  const chains = new Map<Id, ChainRow[]>();
  for (let after: ChainRow | undefined; ;) {
    const page = await readWholeLog(database.reads, after && [writerOf(after), seqOf(after)], PAGE);
    for (const row of page) {
      const chain = chains.get(writerOf(row)) ?? [];
      chains.set(writerOf(row), chain);
      chain.push(row);
    }
    after = page.at(-1);
    if (page.length < PAGE) {
      return chains;
    }
  }
}

async function checkWhole(tools: Tools, recordId: Id): Promise<RecordCheck> {
  // The signed ends are read first, so that their rows exist by the time that rows are read.
  const ends = await signedEnds(tools);
  const chains = await readChains(tools);
  let unbroken =
    ends !== undefined && [...ends.values()].every((end) => end.writerSeq === 0 || chains.has(end.writerId));
  for (const [writerId, rows] of chains) {
    unbroken &&= await chainHolds(tools, rows, ends?.get(writerId));
  }
  const checked = [...chains.values()].flat().filter((row) => row['record_id'] === recordId).length;
  return { unbroken, whole: true, checked };
}

function rowKey(writerId: Id, seq: number): string {
  return `${writerId} ${seq}`;
}

async function checkNeighbours(tools: Tools, recordId: Id, size: number, newest: number): Promise<RecordCheck> {
  const ends = await signedEnds(tools);
  const rows = await readNeighbours(tools.database.reads.long, recordId, newest);
  const byPlace = new Map(rows.map((row) => [rowKey(writerOf(row), seqOf(row)), row]));
  // A neighbour may be the record's, too, but its own neighbours were not read. So only the rows that were asked for
  // are checked.
  const own = rows.filter((row) => Number(row['step']) === 0);
  const holds = (row: ChainRow): boolean => {
    const [writerId, seq] = [writerOf(row), seqOf(row)];
    const before = seq === 1 ? chainStart(writerId) : byPlace.get(rowKey(writerId, seq - 1))?.['hash'];
    const next = byPlace.get(rowKey(writerId, seq + 1));
    return (
      typeof before === 'string' &&
      (isShortened(row) || follows(before, row)) &&
      (next ? isShortened(next) || follows(String(row['hash']), next) : (ends?.get(writerId)?.writerSeq ?? 0) <= seq)
    );
  };
  const chains = size > COUNTED ? [] : await countChains(tools.database.reads.long);
  const complete = chains.every(({ rows: count, last }) => count === last);
  return { unbroken: ends !== undefined && complete && own.every(holds), whole: false, checked: own.length };
}

/** @param limits for tests, so that they need no thousands of rows */
export async function checkRecord(
  tools: Tools,
  recordId: Id,
  { walked, newest } = { walked: WALKED, newest: NEWEST },
): Promise<RecordCheck> {
  const size = await sizeOfLog(tools.database.reads);
  return size <= walked ? checkWhole(tools, recordId) : checkNeighbours(tools, recordId, size, newest);
}
