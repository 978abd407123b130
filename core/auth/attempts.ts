/**
 * attempts: counts failed attempts with credentials, and mails, per minute. The counts are in the database, so that all
 * processes share them.
 */
import { toTimestamp, type Clock } from '../base/clock';
import { AppError, errors } from '../base/errors';
import { networkOf } from '../base/networks';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database, Reads, Transaction } from '../db/database';

/** A counter, and the most failures that it may have in a minute; 0 means any number. */
type Bucket = { readonly name: string; readonly limit: number };

type Counting = { readonly database: Database; readonly clock: Clock };

const MINUTE = 60_000;

function minuteOf(clock: Clock): string {
  return toTimestamp(clock.now()).slice(0, 16);
}

/** Mails that anybody may ask for, to one address in a day (UTC). */
export const MAILS_A_DAY = 20;

const DAY = 86_400_000;

/** Seconds until the next day begins. */
export function secondsOfDay(clock: Clock): number {
  return Math.ceil((DAY - (clock.now() % DAY)) / 1000);
}

function secondsLeft(clock: Clock): number {
  return Math.ceil((MINUTE - (clock.now() % MINUTE)) / 1000);
}

function bucketNames(buckets: readonly Bucket[]): readonly string[] {
  return buckets.map(({ name }) => name);
}

/** The buckets that have reached their limit or, when `beyond` is 1, exceeded it. */
async function fullOnes(
  on: Reads | Transaction,
  clock: Clock,
  buckets: readonly Bucket[],
  beyond = 0,
): Promise<readonly Bucket[]> {
  if (buckets.length === 0) {
    return [];
  }
  const rows = (await on('failed_attempt')
    .whereIn('bucket', bucketNames(buckets))
    .where({ minute: minuteOf(clock) })
    .select('bucket', 'failures')) as readonly { bucket: string; failures: number }[];
  const failures = new Map(rows.map((row) => [row.bucket, Number(row.failures)]));
  return buckets.filter(({ name, limit }) => (failures.get(name) ?? 0) >= limit + beyond);
}

function countAttempt(trx: Transaction, clock: Clock, buckets: readonly Bucket[]): Promise<unknown> {
  const row = { minute: minuteOf(clock), failures: 1, expires_at: toTimestamp(clock.now() + 2 * MINUTE) };
  return trx('failed_attempt')
    .insert(bucketNames(buckets).map((bucket) => ({ bucket, ...row })))
    .onConflict(['bucket', 'minute'])
    .merge({ failures: trx.raw('failed_attempt.failures + 1') });
}

/** Counts a failure in buckets that are already full. Their rows exist, so invented names cannot fill the table. */
function addOneMore(trx: Transaction, clock: Clock, buckets: readonly Bucket[]): Promise<unknown> {
  return trx('failed_attempt')
    .whereIn('bucket', bucketNames(buckets))
    .where({ minute: minuteOf(clock) })
    .increment('failures', 1);
}

/**
 * Counts one failure in each bucket, in one transaction with other changes that the failure causes. The buckets are
 * checked beforehand, so that no rows for new names are added when one is full. They are checked again after counting,
 * because concurrent failures see each other only then.
 * @param also makes the other changes, whether a bucket is full or not
 * @throws errors.tooManyRequests at the end when a bucket was full beforehand or has exceeded its limit
 */
export async function countFailure(
  counting: Counting,
  given: readonly Bucket[],
  also?: (trx: Transaction) => Promise<void>,
): Promise<void> {
  const { database, clock } = counting;
  const buckets = given.filter(({ limit }) => limit > 0);
  const full = await fullOnes(database.reads, clock, buckets);
  const counts = full.length === 0 && buckets.length > 0;
  let overflowed = false;
  if (counts || also !== undefined) {
    await database.transaction(async (trx) => {
      await (counts ? countAttempt(trx, clock, buckets) : addOneMore(trx, clock, full));
      overflowed = counts && (await fullOnes(trx, clock, buckets, 1)).length > 0;
      await also?.(trx);
    });
  }
  if (full.length > 0 || overflowed) {
    throw errors.tooManyRequests(secondsLeft(clock));
  }
}

/**
 * Counts an action, such as a mail to one person, inside its transaction.
 * @returns false when the limit of this minute is exceeded
 */
export async function countAction(trx: Transaction, clock: Clock, bucket: Bucket): Promise<boolean> {
  if (bucket.limit === 0) {
    return true;
  }
  await countAttempt(trx, clock, [bucket]);
  const row = (await trx('failed_attempt')
    .where({ bucket: bucket.name, minute: minuteOf(clock) })
    .first('failures')) as { failures: number };
  return Number(row.failures) <= bucket.limit;
}

/**
 * Counts an action of a day, as `countAction` does those of a minute.
 * @returns false when the limit of this day is exceeded
 */
export async function countToday(trx: Transaction, clock: Clock, { name, limit }: Bucket): Promise<boolean> {
  if (limit === 0) {
    return true;
  }
  const key = { bucket: name, minute: toTimestamp(clock.now()).slice(0, 10) };
  await trx('failed_attempt')
    .insert({ ...key, failures: 1, expires_at: toTimestamp(clock.now() + 2 * DAY) })
    .onConflict(['bucket', 'minute'])
    .merge({ failures: trx.raw('failed_attempt.failures + 1') });
  const row = (await trx('failed_attempt').where(key).first('failures')) as { failures: number };
  return Number(row.failures) <= limit;
}

/** Counts as `countAction`. @throws errors.tooManyRequests when the limit of this minute is exceeded */
export async function countDone(trx: Transaction, clock: Clock, bucket: Bucket): Promise<void> {
  if (!(await countAction(trx, clock, bucket))) {
    throw errors.tooManyRequests(secondsLeft(clock));
  }
}

/**
 * The buckets for a check of credentials: that of the account or name that was tried, and that of the app that passed
 * it on.
 */
export function credentialBuckets(
  config: Pick<Config, 'rateAccountPerMinute' | 'rateConsumerPerMinute'>,
  tried: string,
  appId: PrincipalId,
): readonly Bucket[] {
  return [
    { name: `account ${tried}`.slice(0, 300), limit: config.rateAccountPerMinute },
    { name: `credentials ${appId}`, limit: config.rateConsumerPerMinute },
  ];
}

/**
 * The bucket for wrong tries from one address, at doors that people use directly. Wrap the call that checks the
 * credentials: `limitFailures(services, [addressBucket(limit, request.ipAddress)], () => operate(...), [403, 429])`.
 * Right credentials pass even when it is full.
 * @param limit wrong tries a minute; 0 means any number
 */
export function addressBucket(limit: number, address: string): Bucket {
  return {
    name: `address ${networkOf(address)}`.slice(0, 300),
    limit,
  };
}

/** Limits of requests are this many times the limits of wrong tries, because most requests are right. */
const ASKED_PER_FAILURE = 10;

/**
 * The bucket for an app's requests to a person: one for each address and app, so that a flood blocks no other address
 * and no other app.
 */
export function askingBucket(limit: number, clientId: string, address: string): Bucket {
  return {
    name: `asking ${networkOf(address)} ${clientId}`.slice(0, 300),
    limit: limit * ASKED_PER_FAILURE,
  };
}

/** The bucket for mails that strangers ask for from one network, in a day. */
export function mailsBucket(limit: number, address: string): Bucket {
  return {
    name: `mails from ${networkOf(address)}`.slice(0, 300),
    limit,
  };
}

/** The statuses that are counted by default. */
const REFUSED: readonly number[] = [403];

/**
 * Runs work that checks credentials, and counts its refusals as failed attempts. Right credentials always pass, so that
 * nobody can lock out others. Therefore, if the secret can be guessed, its check must also count the wrong guesses at
 * that secret, as the lock-out does.
 * @param failing statuses that are counted
 * @throws errors.tooManyRequests in place of a refusal when a bucket is full
 */
export async function limitFailures<T>(
  counting: Counting,
  buckets: readonly Bucket[],
  work: () => Promise<T>,
  failing: readonly number[] = REFUSED,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && failing.includes(error.status)) {
      await countFailure(counting, buckets);
    }
    throw error;
  }
}

/**
 * Limits guesses at a secret of a person who is signed in. Strangers cannot make such guesses, so when the bucket is
 * full, right guesses are refused as well.
 * @throws errors.tooManyRequests when the bucket is full, before or after the work
 */
export async function limitGuesses<T>(counting: Counting, bucket: Bucket, work: () => Promise<T>): Promise<T> {
  const refuseFull = async (): Promise<void> => {
    if (bucket.limit > 0 && (await fullOnes(counting.database.reads, counting.clock, [bucket])).length > 0) {
      throw errors.tooManyRequests(secondsLeft(counting.clock));
    }
  };
  await refuseFull();
  const result = await limitFailures(counting, [bucket], work);
  // Many concurrent guesses must not exceed the limit.
  await refuseFull();
  return result;
}
