/**
 * turn-queue: queues jobs, such as documents that wait for a reader, in a line for each principal. It decides whose turn
 * it is and how much may wait. It uses no processes and no timers.
 */

export type Waiting = {
  /** The principal for whom the job waits. */
  readonly owner: string;
  /** Bytes that the job holds. */
  readonly size: number;
};

/** A job that keeps a reader for longer than this is slow. */
export const SLOW_MILLISECONDS = 500;
/**
 * When others want the processor, readers get a quarter of it. A job that only waited for the processor is therefore
 * not slow unless it took four times as long.
 */
const STARVED = 4;
/** What is remembered of the duration of a principal's jobs halves in this time. */
const HALF_LIFE_MILLISECONDS = 30_000;
/** Each consecutive time limit doubles the charge of the next one, at most this many times. */
const STRIKES = 3;
/** At most this many principals are remembered who neither wait nor are served, and below for how long. */
const IDLE_OWNERS = 1000;
const REMEMBERED_MILLISECONDS = 300_000;

type Line<J> = {
  readonly jobs: J[];
  bytes: number;
  /** The reader time charged to the principal, in milliseconds: the least charged is next. */
  charged: number;
  /** Start times of the jobs that readers are working on. */
  readonly running: Map<J, number>;
  strikes: number;
  /** Whether a job of the principal has ended, so that something is known of how long their jobs take. */
  known: boolean;
  /** How long the principal's longest job took, decreasing since `slowestAt`. */
  slowest: number;
  slowestAt: number;
};

function isActive({
  jobs,
  running,
}: {
  readonly jobs: readonly unknown[];
  readonly running: ReadonlyMap<unknown, unknown>;
}): boolean {
  return jobs.length > 0 || running.size > 0;
}

/** The charge including the time that running jobs have taken so far. */
function served(
  { charged, running }: { readonly charged: number; readonly running: ReadonlyMap<unknown, number> },
  now: number,
): number {
  return [...running.values()].reduce((sum, began) => sum + now - began, charged);
}

/**
 * The next turn is given to the principal who has had the least reader time: documents of ten seconds would have every
 * second turn if documents were counted. A principal who comes back after a pause starts level with those who are being
 * served, because turns cannot be saved up. One whose document runs into the time limit is charged for more than it took.
 */
export class TurnQueue<J extends Waiting> {
  private readonly lines = new Map<string, Line<J>>();
  private bytes = 0;
  private count = 0;
  /** The charge of the least served active principal, as of the last time that anybody was active. */
  private level = 0;

  /** @param now returns the milliseconds of a clock that is never set back */
  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get length(): number {
    return this.count;
  }

  /** The number of principals that are remembered. */
  get owners(): number {
    return this.lines.size;
  }

  /** @returns the jobs for which there was no room: the last ones in the longest line, which may include the new one */
  add(job: J): readonly J[] {
    const line = this.lineOf(job.owner);
    line.jobs.push(job);
    this.account(line, job, 1);
    const refused: J[] = [];
    while (this.bytes > this.mostBytes && this.count > 1) {
      const longest = [...this.lines.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most));
      const last = longest.jobs.pop()!;
      this.account(longest, last, -1);
      refused.push(last);
    }
    return refused;
  }

  /** Puts a job whose reader failed to the front of its line. There is room, since it was in the queue before. */
  addAgain(job: J): void {
    const line = this.lineOf(job.owner);
    line.jobs.unshift(job);
    this.account(line, job, 1);
  }

  /**
   * The next job that `may` start now, of each line the first such job. Call `ended` when its reader is done with it.
   */
  take(may: (job: J) => boolean): J | undefined {
    for (const [, line] of this.turns()) {
      const place = line.jobs.findIndex(may);
      if (place >= 0) {
        const job = line.jobs.splice(place, 1)[0]!;
        this.account(line, job, -1);
        line.running.set(job, this.now());
        return job;
      }
    }
    return undefined;
  }

  /**
   * Records that a reader is done with the job.
   * @param hitLimit true when it was stopped at the time limit
   * @param processor the processor time that it took in milliseconds, if known
   */
  ended(job: J, hitLimit: boolean, processor?: number): void {
    const line = this.lines.get(job.owner);
    const began = line?.running.get(job);
    if (!line || began === undefined) {
      return;
    }
    const took = this.now() - began;
    line.running.delete(job);
    line.known = true;
    line.charged += took * 2 ** line.strikes * (hitLimit ? 2 : 1);
    line.strikes = hitLimit ? Math.min(STRIKES, line.strikes + 1) : Math.max(0, line.strikes - 1);
    line.slowest = Math.max(processor === undefined ? took : Math.max(processor, took / STARVED), this.slowestOf(line));
    line.slowestAt = this.now();
    this.raiseLevel();
  }

  /** Removes and returns all waiting jobs that match. */
  drop(matches: (job: J) => boolean): readonly J[] {
    const dropped: J[] = [];
    for (const line of this.lines.values()) {
      for (const job of line.jobs.filter(matches)) {
        line.jobs.splice(line.jobs.indexOf(job), 1);
        this.account(line, job, -1);
        dropped.push(job);
      }
    }
    return dropped;
  }

  /** Whether a job of the principal has ended, as long as that is remembered. */
  isKnown(owner: string): boolean {
    return this.lines.get(owner)?.known === true;
  }

  /** Whether the principal's jobs occupy readers for long: one does now, or one did recently. */
  isSlow(owner: string): boolean {
    const line = this.lines.get(owner);
    return (
      line !== undefined &&
      (this.slowestOf(line) > SLOW_MILLISECONDS ||
        [...line.running.values()].some((began) => this.now() - began >= SLOW_MILLISECONDS))
    );
  }

  private account(line: Line<J>, job: J, sign: 1 | -1): void {
    line.bytes += sign * job.size;
    this.bytes += sign * job.size;
    this.count += sign;
  }

  private lineOf(owner: string): Line<J> {
    const known = this.lines.get(owner);
    const line = known ?? {
      jobs: [],
      bytes: 0,
      charged: 0,
      running: new Map<J, number>(),
      strikes: 0,
      known: false,
      slowest: 0,
      slowestAt: 0,
    };
    if (!isActive(line)) {
      line.charged = Math.max(line.charged, this.level);
    }
    if (!known) {
      this.forgetIdle();
      this.lines.set(owner, line);
    }
    return line;
  }

  /**
   * The lines that wait, the least served first; of equal ones, the line with fewer readers first, then the older one.
   */
  private turns(): readonly (readonly [served: number, line: Line<J>])[] {
    const now = this.now();
    return [...this.lines.values()]
      .filter(({ jobs }) => jobs.length > 0)
      .map((line): readonly [number, Line<J>] => [served(line, now), line])
      .sort(([a, one], [b, other]) => a - b || one.running.size - other.running.size);
  }

  private slowestOf({ slowest, slowestAt }: Line<J>): number {
    return slowest * 0.5 ** ((this.now() - slowestAt) / HALF_LIFE_MILLISECONDS);
  }

  private raiseLevel(): void {
    const active = [...this.lines.values()].filter(isActive);
    if (active.length > 0) {
      this.level = Math.max(this.level, Math.min(...active.map(({ charged }) => charged)));
    }
  }

  private forgetIdle(): void {
    if (this.lines.size >= IDLE_OWNERS) {
      for (const [owner, line] of this.lines) {
        const forgiven = line.charged <= this.level && !this.isSlow(owner);
        if (!isActive(line) && (forgiven || this.now() - line.slowestAt > REMEMBERED_MILLISECONDS)) {
          this.lines.delete(owner);
        }
      }
    }
  }
}
