/**
 * verify: walks the whole audit log and finds rows that were edited, removed, reordered, cut off or added by others.
 */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { Database } from '../db/database';
import { listCheckpoints, listEnds, listShortened, readChain, type ChainRow, type CheckpointRow } from './store';
import { NO_EARLIER, signatureDigest } from './checkpoints';
import { checkpointText } from './checkpoint-text';
import type { Expected, Heads } from './heads';
import { chainStart, rowHash, type AuditColumn } from './row';
import { ShortenedCheck, statementText } from './shortened';
import type { AuditSigner } from './signer';

/** What is wrong, and where: a row's number in its chain, and its id where there is a row. */
type AuditProblem = {
  readonly writerId: Id;
  readonly writerSeq: number;
  readonly rowId?: string;
  readonly problem: string;
};

export type AuditReport = {
  readonly rows: number;
  readonly chains: number;
  readonly checkpoints: number;
  /** Rows newer than the last checkpoint of their chain: chained, but not yet signed. */
  readonly unsigned: number;
  /** Rows from an import: nobody here saw the calls that they describe. */
  readonly imported: number;
  /** Rows of refused calls whose path was removed, as a signed statement confirms. */
  readonly shortened: number;
  /** Chains whose ends were compared with what is kept outside the database. */
  readonly compared: number;
  readonly problems: readonly AuditProblem[];
};

type Tools = {
  readonly database: Database;
  readonly signer: Pick<AuditSigner, 'verify'>;
  /** What is kept outside the database. It must be read before the log, because rows are written before their head. */
  readonly heads?: Heads;
};
type Found = (problem: AuditProblem) => void;

const PAGE = 2000;

function span(from: number, to: number): string {
  return from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`;
}

function checkSignatures(checkpoints: readonly CheckpointRow[], signer: Tools['signer'], found: Found): void {
  const known = new Set([NO_EARLIER, ...checkpoints.map(({ signature }) => signatureDigest(signature))]);
  for (const checkpoint of checkpoints) {
    const { writerId, writerSeq } = checkpoint;
    if (!signer.verify(checkpointText(checkpoint), checkpoint.signature)) {
      found({ writerId, writerSeq, problem: 'the signature of its checkpoint is not ours' });
    }
    if (!known.has(checkpoint.previous)) {
      found({ writerId, writerSeq, problem: 'the checkpoint made before this one is missing' });
    }
  }
}

/** Checks one chain, from its first row to its last. */
class ChainCheck {
  rows = 0;
  imported = 0;
  shortenedRows = 0;
  private seq = 0;
  private readonly begun: boolean;
  /** Undefined after a gap: the check then continues from the next row's own hash. */
  private hash: string | undefined;
  private readonly signedHashes: ReadonlyMap<number, string>;

  constructor(
    private readonly writerId: Id,
    checkpoints: readonly CheckpointRow[],
    private readonly found: Found,
    private readonly expected: Expected | undefined,
    private readonly shortened: ShortenedCheck,
  ) {
    this.hash = chainStart(writerId);
    this.signedHashes = new Map(checkpoints.map(({ writerSeq, hash }) => [writerSeq, hash]));
    this.begun = this.signedHashes.get(0) === this.hash;
  }

  take(row: ChainRow): void {
    const writerSeq = Number(row['writer_seq']);
    const stored = String(row['hash']);
    const report = (problem: string): void =>
      this.found({ writerId: this.writerId, writerSeq, rowId: String(row['id']), problem });
    if (writerSeq > this.seq + 1) {
      this.found({ writerId: this.writerId, writerSeq: this.seq + 1, problem: span(this.seq + 1, writerSeq - 1) });
      this.hash = undefined;
    }
    if (Number(row['shortened']) === 1) {
      this.shortenedRows += 1;
      if (!this.shortened.take(writerSeq, this.hash ?? '', row)) {
        report('the row was shortened, which nothing signed speaks of');
      }
    } else if (this.hash !== undefined && rowHash(this.hash, row as Record<AuditColumn, unknown>) !== stored) {
      report('the row, or its place, was changed');
    }
    if (row['imported_by'] !== null && row['imported_by'] !== undefined) {
      this.imported += 1;
    }
    const signed = this.signedHashes.get(writerSeq);
    if (signed !== undefined && signed !== stored) {
      report('the row or rows before it were written anew: the signed checkpoint says otherwise');
    } else if (writerSeq === this.expected?.writerSeq && this.expected.hash !== stored) {
      report('the row or rows before it were written anew: the head outside the database says otherwise');
    }
    this.rows += 1;
    this.seq = writerSeq;
    this.hash = stored;
  }

  /** @returns how many rows no checkpoint covers */
  end(): number {
    const last = Math.max(...this.signedHashes.keys(), 0);
    const head = this.expected?.writerSeq ?? 0;
    if (this.expected && this.signedHashes.size + this.rows === 0) {
      const problem = `the chain is gone, whose row ${head} the head outside the database knows`;
      this.found({ writerId: this.writerId, writerSeq: 0, problem });
      return 0;
    }
    if (!this.begun) {
      this.found({ writerId: this.writerId, writerSeq: 0, problem: 'the chain was not begun by this service' });
    }
    this.shortened.end().forEach(([first, end]) =>
      this.found({
        writerId: this.writerId,
        writerSeq: first,
        problem: `rows between ${first} and ${end} were shortened, and changed or removed since`,
      }),
    );
    if (Math.max(last, head) > this.seq) {
      const writerSeq = this.seq + 1;
      const outside = head > last ? ', which the head outside the database knows' : '';
      const problem = `${span(writerSeq, Math.max(last, head))} at the end${outside}`;
      this.found({ writerId: this.writerId, writerSeq, problem });
    }
    return Math.max(0, this.seq - last);
  }
}

async function checkChain(
  { database }: Tools,
  check: ChainCheck,
  writerId: Id,
  progress: (rows: number) => void,
): Promise<void> {
  for (let after = 0; ;) {
    const page = await readChain(database.reads, writerId, after, PAGE);
    page.forEach((row) => check.take(row));
    progress(page.length);
    if (page.length < PAGE) {
      return;
    }
    after = Number(page[page.length - 1]!['writer_seq']);
  }
}

/** Reports chains whose lines outside the database cannot be verified. */
function checkForeign({ heads }: Tools, found: Found): void {
  return heads?.foreign.forEach((head, writerId) =>
    found({
      writerId,
      writerSeq: head,
      problem: "the head outside the database is not signed with this log's key",
    }),
  );
}

/**
 * Verifies the log while it is being written to; rows that arrive meanwhile may or may not be checked.
 * @param progress called after every page of rows
 */
export async function verifyAudit(
  tools: Tools,
  progress: (rows: number) => void = () => undefined,
): Promise<AuditReport> {
  const problems: AuditProblem[] = [];
  const found: Found = (problem) => problems.push(problem);
  // The checkpoints are read first, so that their rows exist by the time that rows are read.
  const checkpoints = await listCheckpoints(tools.database.reads);
  checkSignatures(checkpoints, tools.signer, found);
  checkForeign(tools, found);
  const byWriter = groupedBy(checkpoints, ({ writerId }) => writerId);
  const expected = tools.heads?.expected ?? new Map<Id, Expected>();
  const writers = new Set([
    ...(await listEnds(tools.database.reads)).map(({ writerId }) => writerId),
    ...byWriter.keys(),
    ...expected.keys(),
  ]);
  let [rows, unsigned, imported, shortened] = [0, 0, 0, 0];
  for (const writerId of writers) {
    const shortenings = new ShortenedCheck(await listShortened(tools.database.reads, writerId), (statement) =>
      tools.signer.verify(statementText(statement), statement.signature),
    );
    const check = new ChainCheck(writerId, byWriter.get(writerId) ?? [], found, expected.get(writerId), shortenings);
    await checkChain(tools, check, writerId, progress);
    rows += check.rows;
    imported += check.imported;
    shortened += check.shortenedRows;
    unsigned += check.end();
  }
  return {
    rows,
    chains: writers.size,
    checkpoints: checkpoints.length,
    unsigned,
    imported,
    shortened,
    compared: [...writers].filter((writerId) => expected.has(writerId)).length,
    problems,
  };
}
