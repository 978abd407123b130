/**
 * turns: lets only a few works run at the same time. The others wait in a line for each principal; whoever has had the
 * least time is next, and who is slow never takes all places. A work is interrupted at its deadline, or when nobody
 * waits for it any more.
 */
import { errors } from '../errors';
import { Interruption, type Interrupted } from './interruption';
import { TurnQueue } from './turn-queue';

/** For whom something is worked on: one for each request. */
export type Asker = {
  /** The principal; for strangers their network. */
  readonly owner: string;
  /**
   * Calls the listener once the caller has gone, perhaps at once; the function that it returns ends that. Absent:
   * somebody waits for as long as it takes.
   */
  readonly onGone?: (listener: () => void) => () => void;
  /** The work of the service itself, and of commands, has no deadline. */
  readonly patient?: true;
};

/** The service itself, and commands. */
export const OWN_WORK: Asker = { owner: '', patient: true };

/**
 * Runs a work when it is the owner's turn. `work` gets a signal: once it is aborted, the work must end soon, and reject
 * with the reason of the signal.
 *
 * How a door uses it: make one `Turns` for each kind of place that works share, such as the threads that compute, and
 * call it with the `Asker` of the request: `turns(asker, (interrupted) => thread.compute(job, interrupted))`. For reads
 * of the database this is done already: `services.database.reads.long` of an operation's services waits for its turn
 * under the asker of that operation. All works of one asker share one deadline.
 * @throws AppError took_too_long at the deadline; unavailable when too many wait, or when the caller has gone
 */
export type Turns = <T>(asker: Asker, work: (interrupted: Interrupted) => Promise<T>) => Promise<T>;

type TurnsOptions = {
  /** How many works run at a time. */ readonly most: number;
  /** How many works of slow owners run at a time; absent: one less. */ readonly slowMost?: number;
  /** How many works may wait; beyond that, the last one of the longest line is refused. */ readonly room: number;
  /** How long the works of one asker may run in all. */ readonly seconds: number;
};

/**
 * Work for somebody who has gone is interrupted only after it has taken this long, since interrupting and beginning
 * anew costs something, too.
 */
const WORTH_INTERRUPTING_MILLISECONDS = 1000;

type Job = {
  readonly owner: string;
  readonly size: 1;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
};

const GONE = 'nobody waits for the answer any more';

/** Aborts when the caller goes. */
function leavingOf({ onGone }: Asker): { readonly signal: Interrupted; readonly stop: () => void } {
  const signal = new Interruption();
  const stop = onGone?.(() => signal.abort(errors.unavailable(GONE)));
  return { signal, stop: () => stop?.() };
}

/** Calls the listener when the signal is aborted, at once if it was. */
function whenAborted(signal: Interrupted, listener: () => void): void {
  if (signal.aborted) {
    listener();
  } else {
    signal.addEventListener('abort', listener);
  }
}

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function makeTurns({ most, slowMost = Math.max(1, most - 1), room, seconds }: TurnsOptions): Turns {
  const queue = new TurnQueue<Job>(room);
  const spent = new WeakMap<Asker, number>();
  const running = new Set<Job>();

  /** Some places are kept for owners who are quick. */
  const mayStart = ({ owner }: Job): boolean =>
    !queue.isSlow(owner) || [...running].filter((job) => queue.isSlow(job.owner)).length < slowMost;

  const startNext = (): void => {
    while (running.size < most) {
      const job = queue.take(mayStart);
      if (!job) {
        return;
      }
      running.add(job);
      job.start();
    }
  };

  const waitForTurn = (owner: string, leaving: Interrupted): Promise<Job> =>
    new Promise((resolve, refuse) => {
      const job: Job = { owner, size: 1, start: () => resolve(job), refuse };
      queue.add(job).forEach((one) => one.refuse(errors.unavailable('too many long reads wait')));
      whenAborted(leaving, () => {
        queue.drop((one) => one === job).forEach((one) => one.refuse(errors.unavailable(GONE)));
      });
      startNext();
    });

  const millisecondsLeft = (asker: Asker): number =>
    asker.patient ? Infinity : seconds * 1000 - (spent.get(asker) ?? 0);

  const run = async <T>(
    job: Job,
    { asker, leaving }: { readonly asker: Asker; readonly leaving: Interrupted },
    work: (interrupted: Interrupted) => Promise<T>,
  ): Promise<T> => {
    const interrupting = new Interruption();
    const began = performance.now();
    const left = millisecondsLeft(asker);
    const timers: NodeJS.Timeout[] = [];
    const interruptAt = (milliseconds: number, reason: () => Error): void => {
      const wait = Math.max(0, began + milliseconds - performance.now());
      timers.push(setTimeout(() => interrupting.abort(reason()), wait));
    };
    if (left < Infinity) {
      interruptAt(left, () => errors.tookTooLong(seconds));
    }
    whenAborted(leaving, () => interruptAt(WORTH_INTERRUPTING_MILLISECONDS, () => errors.unavailable(GONE)));
    try {
      return await work(interrupting);
    } finally {
      timers.forEach((timer) => clearTimeout(timer));
      spent.set(asker, (spent.get(asker) ?? 0) + performance.now() - began);
      queue.ended(job, interrupting.aborted);
      running.delete(job);
      startNext();
    }
  };

  return async (asker, work) => {
    // A timer may end up to a millisecond early.
    if (millisecondsLeft(asker) < 1) {
      throw errors.tookTooLong(seconds);
    }
    const leaving = leavingOf(asker);
    try {
      const job = await waitForTurn(asker.owner, leaving.signal);
      return await run(job, { asker, leaving: leaving.signal }, work);
    } finally {
      leaving.stop();
    }
  };
}
