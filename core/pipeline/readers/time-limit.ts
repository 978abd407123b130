/**
 * time-limit: how long a piece of work may take. Processor time counts, because a busy machine makes the same work take
 * ten times as long; a process that waits and does nothing is ended by the clock.
 */
import { readFileSync } from 'node:fs';

/** Ticks of /proc in a second: 100 on every Linux that Node.js runs on. */
const TICKS = 100;

/** At most this many times as long as the limit, whatever the processor did. */
const MOST_TIMES = 12;

/**
 * A process that uses less than this share of a processor does nothing. Readers give way to all others, so that beside
 * thirty busy processes one was seen to get less than a hundredth.
 */
const IDLE_SHARE = 0.001;
/** The shortest time, in seconds, in which that can be seen. */
const SHORTEST_LOOK = 1;

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
}

/** The program's name, which may have spaces and brackets, stands before the numbers. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(numbers[11]) + Number(numbers[12]);
}

/**
 * The processor time in seconds that a process and its descendants have used; the sandbox puts processes around a
 * reader. Undefined where the system does not tell it.
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    const inner = childrenOf(pid).map((child) => processorSeconds(child) ?? 0);
    return ticksOf(pid) / TICKS + inner.reduce((sum, one) => sum + one, 0);
  } catch {
    return undefined;
  }
}

/** A look at a process that works, in seconds. */
type Look = {
  /** The limit. */ readonly limit: number;
  /** Since the work began. */ readonly waited: number;
  /** Since the last look. */ readonly since: number;
  /** Processor time since the work began, and since the last look; undefined where the system does not tell it. */
  readonly used: number | undefined;
  readonly usedSince: number | undefined;
};

/** How long to wait until the next look, in seconds; undefined when the time is over. */
export function timeLeft({ limit, waited, since, used, usedSince }: Look): number | undefined {
  const isIdle = usedSince === undefined || usedSince < since * IDLE_SHARE;
  if (used === undefined || used >= limit || isIdle || waited >= limit * MOST_TIMES) {
    return undefined;
  }
  return Math.max(limit - used, SHORTEST_LOOK);
}
