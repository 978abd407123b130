/**
 * reader-queue: what waits for a reader, in a line per principal; whose turn it is, and how much may wait. No
 * processes, no timers.
 */

export type Waiting = {
  /** The principal for whom it waits. */
  readonly owner: string;
  /** Bytes that it holds. */
  readonly size: number;
};

/** A job that keeps a reader for longer than this is slow. */
export const SLOW_MILLISECONDS = 500;
/**
 * Readers are left a quarter of a processor that others want, so a job that only waited for it is no slow one before it
 * took four times as long.
 */
const STARVED = 4;
/** The memory of how long a principal's jobs take fades by half in this time. */
const HALF_LIFE_MILLISECONDS = 30_000;
/** Each time limit in a row doubles what the next one is charged, this number of times at most. */
const STRIKES = 3;
/** How many principals are remembered at most who neither wait nor are served, and how long. */
const IDLE_OWNERS = 1000;
const REMEMBERED_MILLISECONDS = 300_000;

type Line<J> = {
  readonly jobs: J[];
  bytes: number;
  /** Reader time it has had, in milliseconds, as far as it counts against it: the least served is next. */
  charged: number;
  /** Start times of the jobs that readers are at. */
  readonly running: Map<J, number>;
  strikes: number;
  /** A job of it has ended, so that something is known of how long they take. */
  known: boolean;
  /** How long its longest job took, fading since `slowestAt`. */
  slowest: number;
  slowestAt: number;
};

const isActive = ({
  jobs,
  running,
}: {
  readonly jobs: readonly unknown[];
  readonly running: ReadonlyMap<unknown, unknown>;
}): boolean => jobs.length > 0 || running.size > 0;

/** Jobs that readers are at count as far as they have come. */
const served = (
  { charged, running }: { readonly charged: number; readonly running: ReadonlyMap<unknown, number> },
  now: number,
): number => [...running.values()].reduce((sum, began) => sum + now - began, charged);

/**
 * Turns go to the principal who has had the least reader time. A principal who comes back
 * after a pause begins level with those who are being served, because turns cannot be saved up. A principal whose document
 * runs into the time limit is charged for more than the time it took.
 */
export class ReaderQueue<J extends Waiting> {
  private readonly lines = new Map<string, Line<J>>();
  private bytes = 0;
  private count = 0;
  /** The charge of the least served active principal, as of the last time that anybody was active. */
  private level = 0;

  /** @param now milliseconds of a clock that is never set back */
  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get length(): number {
    return this.count;
  }

  /** How many principals it remembers. */
  get owners(): number {
    return this.lines.size;
  }

  /** @returns the jobs that found no room: those last in the longest line, which may be the new one */
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

  /** Puts a job that a reader began in vain first in its line; it had room before. */
  addAgain(job: J): void {
    const line = this.lineOf(job.owner);
    line.jobs.unshift(job);
    this.account(line, job, 1);
  }

  /** The next job that `may` be done now; of each line the first such. Tell `ended` when its reader is done with it. */
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
   * A reader is done with the job.
   * @param hitLimit it was stopped at the time limit
   * @param processor milliseconds of processor time that it took, where that is known
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

  /** Takes out, and returns, all that wait and match. */
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

  /** Whether a job of it has ended, as long as it is remembered. */
  isKnown(owner: string): boolean {
    return this.lines.get(owner)?.known === true;
  }

  /** Whether its jobs keep readers long: one does now, or one did lately. */
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

  /** Those who wait, the least served first; of equals, whom fewer readers serve, then who came first. */
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
