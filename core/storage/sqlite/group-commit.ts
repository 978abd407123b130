/**
 * group-commit: on SQLite only one transaction writes at a time, so transactions that wait together run one after the
 * other and share one commit, and commits that come while the disk is busy share its next turn. Each is told its
 * outcome once it is safe.
 */
import { inLine, type Begun } from '../../base/groups';
import { translate } from '../db-errors';
import type { Transaction } from '../connection';

type Work = (trx: Transaction) => Promise<unknown>;
type Outcome = { readonly value: unknown } | { readonly error: unknown };
type Job = { readonly work: Work; readonly durable: boolean };

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
    // After some errors, such as a full disk, SQLite has undone the whole transaction: that error is the one to tell.
    await trx.change('rollback to job').catch(() => {
      throw outcome.error;
    });
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
  /**
   * Runs one transaction of the database, without waiting for the disk.
   * @param durable false for what has another place to go when it is locked
   */
  readonly transact: <T>(work: (trx: Transaction) => Promise<T>, durable: boolean) => Promise<T>;
  /** Resolves when everything committed so far is on the disk. */
  readonly sync: () => Promise<void>;
};

/** Durable: the outcome is told when it is safe from a power cut. Otherwise as soon as it is committed. */
export type Grouped = <T>(work: (trx: Transaction) => Promise<T>, durable: boolean) => Promise<T>;

/** Shares commits between the transactions that it is given. */
export const groupCommits = ({ transact, sync }: Grouping): Grouped => {
  const begin = (jobs: readonly Job[]): Begun<Outcome> => {
    const durable = jobs[0]!.durable;
    const outcomes = transact(
      (trx) => (jobs.length === 1 ? attemptAlone(jobs[0]!.work, trx) : attemptAll(jobs, trx)),
      durable,
    );
    const safe = async (): Promise<readonly Outcome[]> => {
      const known = await outcomes;
      await sync();
      return known;
    };
    // The next group is committed while the disk takes this one.
    return { answers: durable ? safe() : outcomes, next: outcomes };
  };
  const commit = inLine(GROUP, begin, ({ durable }) => (durable ? 1 : 0));

  return async <T>(work: (trx: Transaction) => Promise<T>, durable: boolean): Promise<T> => {
    const outcome = await commit({ work, durable }).catch((error: unknown): Outcome => ({ error }));
    if ('error' in outcome) {
      throw translate(outcome.error);
    }
    return outcome.value as T;
  };
};
