/** attempts: failed credential attempts per minute, counted in the database for all processes. */
import { toTimestamp, type Clock } from '../base/clock';
import { AppError, errors } from '../base/errors';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../storage/database';

/** What is counted, and how many failures a minute it may have; 0: any number. */
export type Bucket = { readonly name: string; readonly limit: number };

type Counting = { readonly database: Database; readonly clock: Clock };

const MINUTE = 60_000;

const minuteOf = (clock: Clock): string => toTimestamp(clock.now()).slice(0, 16);

const failuresOf = async ({ database, clock }: Counting, name: string): Promise<number> => {
  const row = (await database
    .knex('failed_attempt')
    .where({ bucket: name, minute: minuteOf(clock) })
    .first('failures')) as { failures: number } | undefined;
  return Number(row?.failures ?? 0);
};

/** @throws errors.tooManyRequests when one of the buckets is full in this minute */
const refuseFull = async (counting: Counting, buckets: readonly Bucket[]): Promise<void> => {
  for (const { name, limit } of buckets) {
    if (limit > 0 && (await failuresOf(counting, name)) >= limit) {
      throw errors.tooManyRequests(Math.ceil((MINUTE - (counting.clock.now() % MINUTE)) / 1000));
    }
  }
};

/**
 * Counts one failure in each bucket.
 * @throws errors.tooManyRequests, without writing, when a bucket is full already
 */
export const countFailure = async (counting: Counting, buckets: readonly Bucket[]): Promise<void> => {
  await refuseFull(counting, buckets);
  const { database, clock } = counting;
  for (const { name } of buckets.filter(({ limit }) => limit > 0)) {
    const row = {
      bucket: name,
      minute: minuteOf(clock),
      failures: 1,
      expires_at: toTimestamp(clock.now() + 2 * MINUTE),
    };
    await database.transaction((trx) =>
      trx('failed_attempt')
        .insert(row)
        .onConflict(['bucket', 'minute'])
        .merge({ failures: trx.raw('failed_attempt.failures + 1') }),
    );
  }
};

/** What a check of credentials counts against: the account or name that was tried, and the app that passed it on. */
export const credentialBuckets = (
  config: Pick<Config, 'rateAccountPerMinute' | 'rateConsumerPerMinute'>,
  tried: string,
  appId: PrincipalId,
): readonly Bucket[] => [
  { name: `account ${tried}`.slice(0, 300), limit: config.rateAccountPerMinute },
  { name: `credentials ${appId}`, limit: config.rateConsumerPerMinute },
];

/**
 * Runs work that checks credentials; its refusals count as failed attempts. The buckets are looked at again before success is
 * told, so that many guesses sent at once are worth no more than the limit.
 * @param failing statuses that count
 * @throws errors.tooManyRequests when a bucket is full
 */
export const limitFailures = async <T>(
  counting: Counting,
  buckets: readonly Bucket[],
  work: () => Promise<T>,
  failing: readonly number[] = [403],
): Promise<T> => {
  await refuseFull(counting, buckets);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (error instanceof AppError && failing.includes(error.status)) {
      await countFailure(counting, buckets);
    }
    throw error;
  }
  await refuseFull(counting, buckets);
  return result;
};
