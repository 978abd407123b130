/**
 * group-commit: lets SQLite transactions share commits. Only one transaction writes at a time, so transactions that
 * wait together run one after the other and share one commit. Commits that come while the disk is busy share the next
 * sync. Each caller gets its outcome once it is safe.
 */
import { inLine, type Begun } from '../../base/groups';
import { translate } from '../db-errors';
import type { Transaction } from '../connection';

type Work = (trx: Transaction) => Promise<unknown>;
type Outcome = { readonly value: unknown } | { readonly error: unknown };
type Job = { readonly work: Work; readonly durable: boolean };

/**
 * At most this many transactions are in a group. The first one gets its outcome no sooner than the last, so a group
 * stays short.
 */
const GROUP = 50;

async function attempt(work: Work, trx: Transaction): Promise<Outcome> {
  try {
    return { value: await work(trx) };
  } catch (error) {
    return { error };
  }
}

/** Runs one of several transactions. When it fails, its own changes are undone, and no others. */
async function attemptAmongOthers(work: Work, trx: Transaction): Promise<Outcome> {
  await trx.change('savepoint job');
  const outcome = await attempt(work, trx);
  if ('error' in outcome) {
    // After some errors, such as a full disk, SQLite has undone the whole transaction. Then the first error is thrown.
    await trx.change('rollback to job').catch(() => {
      throw outcome.error;
    });
  }
  await trx.change('release job');
  return outcome;
}

async function attemptAlone(work: Work, trx: Transaction): Promise<readonly Outcome[]> {
  return [{ value: await work(trx) }];
}

async function attemptAll(jobs: readonly Job[], trx: Transaction): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { work } of jobs) {
    outcomes.push(await attemptAmongOthers(work, trx));
  }
  return outcomes;
}

type Grouping = {
  /** Runs one transaction of the database, without waiting for the disk. */
  readonly transact: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Resolves when everything committed so far is on the disk. */
  readonly sync: () => Promise<void>;
};

/** With `durable` the outcome is returned when it is safe from a power cut, otherwise as soon as it is committed. */
type Grouped = <T>(work: (trx: Transaction) => Promise<T>, durable: boolean) => Promise<T>;

/** Shares commits between the transactions that it is given. */
export function groupCommits({ transact, sync }: Grouping): Grouped {
  const begin = (jobs: readonly Job[]): Begun<Outcome> => {
    const durable = jobs[0]!.durable;
    const outcomes = transact((trx) => (jobs.length === 1 ? attemptAlone(jobs[0]!.work, trx) : attemptAll(jobs, trx)));
    const safe = async (): Promise<readonly Outcome[]> => {
      const known = await outcomes;
      await sync();
      return known;
    };
    // The next group is committed while this one is written to the disk.
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
}
