/**
 * group-commit: on SQLite every commit waits for the disk and only one transaction writes at a time, so transactions that wait
 * together run one after the other and share one commit. Each is told its outcome once that commit is durable.
 */
import type { Knex } from 'knex';
import { translate } from './db-errors';
import { change } from './select';

type Work = (trx: Knex.Transaction) => Promise<unknown>;
type Outcome = { readonly value: unknown } | { readonly error: unknown };
type Job = { readonly work: Work; readonly settle: (outcome: Outcome) => void };

/** Reads wait while a group runs, so a group stays short. */
const GROUP = 50;

const attempt = async (work: Work, trx: Knex.Transaction): Promise<Outcome> => {
  try {
    return { value: await work(trx) };
  } catch (error) {
    return { error };
  }
};

/** One of several: what it wrote before it failed is undone, and only that. */
const attemptAmongOthers = async (work: Work, trx: Knex.Transaction): Promise<Outcome> => {
  await change(trx, 'savepoint job');
  const outcome = await attempt(work, trx);
  if ('error' in outcome) {
    await change(trx, 'rollback to job');
  }
  await change(trx, 'release job');
  return outcome;
};

const attemptAlone = async (work: Work, trx: Knex.Transaction): Promise<readonly Outcome[]> => [{ value: await work(trx) }];

const attemptAll = async (jobs: readonly Job[], trx: Knex.Transaction): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const { work } of jobs) {
    outcomes.push(await attemptAmongOthers(work, trx));
  }
  return outcomes;
};

/**
 * Shares commits between the transactions that it is given.
 * @param transact runs one transaction of the database
 */
export const groupCommits = (transact: <T>(work: (trx: Knex.Transaction) => Promise<T>) => Promise<T>): typeof transact => {
  let waiting: Job[] = [];
  let running = false;

  const runGroup = async (jobs: readonly Job[]): Promise<void> => {
    const [first] = jobs;
    try {
      const outcomes = await transact((trx) => (jobs.length === 1 && first ? attemptAlone(first.work, trx) : attemptAll(jobs, trx)));
      jobs.forEach(({ settle }, index) => settle(outcomes[index]!));
    } catch (error) {
      jobs.forEach(({ settle }) => settle({ error }));
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    // Lets everything of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const jobs = waiting.slice(0, GROUP);
      waiting = waiting.slice(GROUP);
      await runGroup(jobs);
    }
    running = false;
  };

  return <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({ work, settle: (outcome) => ('error' in outcome ? reject(translate(outcome.error) as Error) : resolve(outcome.value as T)) });
      if (!running) {
        void run();
      }
    });
};
