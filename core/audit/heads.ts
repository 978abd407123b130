/**
 * heads: what the log must have according to the lines outside the database (pure, except that it gives way to the
 * event loop).
 */
import { groupedBy } from '../base/grouped-by';
import type { Id, Timestamp } from '../base/types';
import {
  writeOutsideLine,
  parseLine,
  signedText,
  type HeadLine,
  type OutsideLine,
  type RestoredLine,
} from './head-line';
import type { AuditKey } from './key';

export type Expected = {
  /** The last row that the chain must have, and its hash. */ readonly writerSeq: number;
  readonly hash: string;
};

/** A chain that became shorter with its database, as the operator's signed statement says. */
type TakenBack = Pick<RestoredLine, 'writerId' | 'writerSeq' | 'was' | 'why' | 'madeAt'>;

export type Heads = {
  readonly expected: ReadonlyMap<Id, Expected>;
  readonly takenBack: readonly TakenBack[];
  /** Chains whose last head is not signed by this installation, with the row that it names. */
  readonly foreign: ReadonlyMap<Id, number>;
  /** When the first file was begun. */ readonly since?: Timestamp;
};

type Verify = Pick<AuditKey, 'verify'>;

function isOurs(signer: Verify, line: OutsideLine): boolean {
  try {
    return signer.verify(signedText(line), line.signature);
  } catch {
    return false;
  }
}

const A_FEW = 100;

/**
 * The lines with a signature of ours. Checking one takes a tenth of a millisecond, so the event loop gets a turn now
 * and then.
 */
async function judge<T extends OutsideLine>(signer: Verify, lines: readonly T[]): Promise<ReadonlySet<T>> {
  const ours = new Set<T>();
  for (const [index, line] of lines.entries()) {
    if (isOurs(signer, line)) {
      ours.add(line);
    }
    if (index % A_FEW === A_FEW - 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return ours;
}

function byChain<T extends HeadLine | RestoredLine>(lines: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return groupedBy(lines, (line) => `${line.place}\n${line.writerId}`);
}

/** Heads of each chain, the last one first. */
function newestHeads(lines: readonly OutsideLine[]): ReadonlyMap<string, readonly HeadLine[]> {
  const heads = lines.filter((line) => line.kind === 'head');
  return byChain([...heads].sort((one, other) => other.writerSeq - one.writerSeq));
}

/** The last head with a signature of ours; if there is none, the very last head. */
async function lastHead(
  signer: Verify,
  heads: readonly HeadLine[],
): Promise<{ readonly head: HeadLine; readonly ours: boolean }> {
  for (const head of heads) {
    if ((await judge(signer, [head])).size > 0) {
      return { head, ours: true };
    }
  }
  return { head: heads[0]!, ours: false };
}

/**
 * What the lines demand of the log of one database; undefined if no line is about it.
 * @param place lines of other databases are ignored, because a copy of this database may have the same key and a
 * history of its own
 */
export async function readHeads(texts: readonly string[], signer: Verify, place: string): Promise<Heads | undefined> {
  const lines = texts.map(parseLine).filter((line) => line?.place === place) as readonly OutsideLine[];
  if (lines.length === 0) {
    return undefined;
  }
  const restored = [
    ...(await judge(
      signer,
      lines.filter((line) => line.kind === 'restored'),
    )),
  ];
  const excuses = groupedBy(restored, ({ writerId }) => writerId);
  const [expected, foreign] = [new Map<Id, Expected>(), new Map<Id, number>()];
  for (const heads of newestHeads(lines).values()) {
    const { head, ours } = await lastHead(signer, heads);
    const { writerId } = head;
    const back = (excuses.get(writerId) ?? [])
      .filter(({ was }) => was >= head.writerSeq)
      .sort((one, other) => one.writerSeq - other.writerSeq)[0];
    if (back) {
      if (back.writerSeq > 0) {
        expected.set(writerId, back);
      }
    } else if (ours) {
      expected.set(writerId, head);
    } else {
      foreign.set(writerId, head.writerSeq);
    }
  }
  const begun = [
    ...(await judge(
      signer,
      lines.filter((line) => line.kind === 'begun'),
    )),
  ]
    .map(({ madeAt }) => madeAt)
    .sort();
  return {
    expected,
    foreign,
    takenBack: restored,
    ...(begun[0] === undefined ? {} : { since: begun[0] }),
  };
}

/**
 * The lines that still matter: the last head of each chain, and every other line once, whether its signature is ours or
 * not.
 */
export async function compactHeads(texts: readonly string[], signer: Verify): Promise<readonly string[]> {
  const lines = texts.map(parseLine).filter((line) => line !== undefined);
  const kept = new Set(lines.filter((line) => line.kind !== 'head').map(writeOutsideLine));
  for (const heads of newestHeads(lines).values()) {
    kept.add(writeOutsideLine((await lastHead(signer, heads)).head));
  }
  return [...kept];
}
