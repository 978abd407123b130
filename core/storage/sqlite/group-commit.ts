/**
 * group-commit: on SQLite only one transaction writes at a time, so transactions that wait together run one after the other and
 * share one commit, and commits that come while the disk is busy share its next turn. Each is told its outcome once it is safe.
 */
import { translate } from '../db-errors';
import type { Transaction } from '../connection';

type Work = (trx: Transaction) => Promise<unknown>;
type Outcome = { readonly value: unknown } | { readonly error: unknown };
type Job = { readonly work: Work; readonly settle: (outcome: Outcome) => void };

/** The first of a group is told no sooner than its last, so a group stays short. */
const GROUP = 50;

const attempt = async (work: Work, trx: Transaction): Promise<Outcome> => {
  try {
    return { value: await work(trx) };
  } catch (error) {
    return { error };
  }
};

/** One of several: what it wrote before it failed is undone, and only that. */
const attemptAmongOthers = async (work: Work, trx: Transaction): Promise<Outcome> => {
  await trx.change('savepoint job');
  const outcome = await attempt(work, trx);
  if ('error' in outcome) {
    await trx.change('rollback to job');
  }
  await trx.change('release job');
  return outcome;
};

const attemptAlone = async (work: Work, trx: Transaction): Promise<readonly Outcome[]> => [{ value: await work(trx) }];

const attemptAll = async (jobs: readonly Job[], trx: Transaction): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const { work } of jobs) {
    outcomes.push(await attemptAmongOthers(work, trx));
  }
  return outcomes;
};

export type Grouping = {
  /** Runs one transaction of the database, without waiting for the disk. */
  readonly transact: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Resolves when everything committed so far is on the disk. */
  readonly sync: () => Promise<void>;
};

/** Durable: the outcome is told when it is safe from a power cut. Otherwise as soon as it is committed. */
export type Grouped = <T>(work: (trx: Transaction) => Promise<T>, durable: boolean) => Promise<T>;

/** Shares commits between the transactions that it is given. */
export const groupCommits = ({ transact, sync }: Grouping): Grouped => {
  const waiting = { durable: [] as Job[], quick: [] as Job[] };
  let running = false;

  const commit = (jobs: readonly Job[]): Promise<readonly Outcome[]> =>
    transact((trx) => (jobs.length === 1 && jobs[0] ? attemptAlone(jobs[0].work, trx) : attemptAll(jobs, trx)));

  const settleAll = (jobs: readonly Job[], outcomes: Promise<readonly Outcome[]>): Promise<void> =>
    outcomes.then(
      (known) => jobs.forEach(({ settle }, index) => settle(known[index]!)),
      (error: unknown) => jobs.forEach(({ settle }) => settle({ error })),
    );

  const runNext = async (): Promise<void> => {
    const durable = waiting.quick.length === 0;
    const jobs = (durable ? waiting.durable : waiting.quick).splice(0, GROUP);
    const outcomes = commit(jobs);
    // The next group is committed while the disk takes this one.
    const told = settleAll(
      jobs,
      durable
        ? outcomes.then(async (known) => {
            await sync();
            return known;
          })
        : outcomes,
    );
    await outcomes.catch(() => told);
  };

  const run = async (): Promise<void> => {
    running = true;
    // Lets everything of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.durable.length + waiting.quick.length > 0) {
      await runNext();
    }
    running = false;
  };

  return <T>(work: (trx: Transaction) => Promise<T>, durable: boolean): Promise<T> =>
    new Promise((resolve, reject) => {
      (durable ? waiting.durable : waiting.quick).push({
        work,
        settle: (outcome) =>
          'error' in outcome ? reject(translate(outcome.error) as Error) : resolve(outcome.value as T),
      });
      if (!running) {
        void run();
      }
    });
};
