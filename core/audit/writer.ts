/**
 * writer: makes audit rows durable in groups. All rows that arrive while one group is written go into the next one, so
 * that many requests share one commit and none is answered before its row is safe.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toTimestamp, type Clock } from '../base/clock';
import { inLine, type Begun } from '../base/groups';
import { newId } from '../base/ids';
import type { Database } from '../db/database';
import { insertRows } from '../db/insert-rows';
import { writeCheckpoint, type Head } from './checkpoints';
import { chainStart, rowColumns, rowHash, type AuditFacts, type AuditRow } from './row';
import type { AuditSigner } from './signer';

export type AuditWriter = {
  /** Resolves when the row is durable. */
  readonly write: (facts: AuditFacts) => Promise<void>;
  /** Resolves when everything handed over so far is durable and signed, and its end is kept outside the database. */
  readonly drain: () => Promise<void>;
};

export type AuditWriterParts = { readonly database: Database; readonly signer: AuditSigner; readonly clock: Clock };

const GROUP = 200;
const columns = [...rowColumns, 'hash'] as const;

/**
 * The next group is collected while the disk writes one, but at most for this time: a big document may keep the disk
 * busy.
 */
const LONGEST_GATHERING_MILLISECONDS = 1;

/** Rows are signed after this many of them, or after this time. */
const ROWS_UNSIGNED = 1000;
const MILLISECONDS_UNSIGNED = 5000;

/** Asks the writer to sign the rows so far. */
const SIGN = Symbol('sign');

function newChain(): Head {
  const writerId = newId();
  return { writerId, seq: 0, hash: chainStart(writerId) };
}

function link(chain: Head, facts: AuditFacts): { row: AuditRow; chain: Head } {
  const seq = chain.seq + 1;
  const linked = { ...facts, writer_id: chain.writerId, writer_seq: seq };
  const hash = rowHash(chain.hash, linked);
  return { row: { ...linked, hash }, chain: { writerId: chain.writerId, seq, hash } };
}

/** One writer per process: it owns one hash chain. */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function makeAuditWriter({ database, signer, clock }: AuditWriterParts): AuditWriter {
  let chain = newChain();
  /** The last row that a checkpoint covers; undefined before the checkpoint that begins the chain. */
  let signed: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Resolves when the last group is durable or has failed. */
  let told: Promise<void> = Promise.resolve();

  const sign = async (): Promise<void> => {
    await writeCheckpoint(database, signer, chain, toTimestamp(clock.now()), signed);
    signed = chain.seq;
  };

  const store = async (rows: readonly AuditRow[]): Promise<void> => {
    if (signed === undefined) {
      // A chain must begin with a signature; without it, its rows would not be recognized as ours.
      await sign();
    }
    await database.write((trx) => insertRows(trx, 'audit', columns, rows), 'ahead');
  };

  const writeGroup = async (group: readonly AuditFacts[]): Promise<void> => {
    let next = chain;
    const rows = group.map((facts) => {
      const linked = link(next, facts);
      next = linked.chain;
      return linked.row;
    });
    try {
      await store(rows);
      chain = next;
    } catch (error) {
      // Whether the rows arrived is unknown, so this chain ends here and no number is used twice.
      chain = newChain();
      signed = undefined;
      throw error;
    }
  };

  const signIfDue = async (due: boolean): Promise<void> => {
    const unsigned = signed === undefined ? 0 : chain.seq - signed;
    if (unsigned > 0 && (due || unsigned >= ROWS_UNSIGNED)) {
      // If a checkpoint cannot be written now, the next one covers its rows.
      await sign().catch(() => undefined);
    }
    if (signed !== undefined && chain.seq > signed && timer === undefined) {
      timer = setTimeout(() => {
        timer = undefined;
        void line(SIGN);
      }, MILLISECONDS_UNSIGNED);
      timer.unref();
    }
  };

  const begin = (items: readonly (AuditFacts | typeof SIGN)[]): Begun<void> => {
    const group = items.filter((item): item is AuditFacts => item !== SIGN);
    if (group.length === 0) {
      const answers = signIfDue(true).then(() => items.map(() => undefined));
      return { answers, next: answers };
    }
    const written = writeGroup(group);
    const answers = written.then(() => database.durable()).then(() => group.map(() => undefined));
    told = answers.then(
      () => undefined,
      () => undefined,
    );
    // A later row never reaches the disk before an earlier one, so the next group need not wait for it. It waits a
    // little to become larger.
    const gathered = written.then(() => Promise.race([answers, sleep(LONGEST_GATHERING_MILLISECONDS)]));
    return { answers, next: gathered.catch(() => undefined).then(() => signIfDue(false)) };
  };

  const line = inLine(GROUP, begin, (item) => (item === SIGN ? 1 : 0));

  return {
    write: line,
    drain: async () => {
      await line(SIGN);
      await told;
      clearTimeout(timer);
      await signer.outside.settled();
    },
  };
}
