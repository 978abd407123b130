/** second-factor: a code beside the password: turned on and off, checked at sign-in, and codes on paper for a lost telephone. */
import {
  asTimeCode,
  newRecoveryCodes,
  newTimeSecret,
  recoveryHash,
  stepOfCode,
  timeSecretLink,
} from '../../core/auth/one-time-codes';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { AppError, errors } from '../../core/base/errors';
import type { Timestamp } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/storage/database';
import { isDuplicate } from '../../core/storage/db-errors';
import type { AccountRow } from '../../core/storage/stores/accounts';
import type { SecondFactor } from '../../core/storage/stores/second-factors';
import { requireAccount, type InAccount } from './find';
import { sendFactorNews } from './letters';
import { provePassword } from './logins';

export type FactorView =
  | { readonly on: false }
  | { readonly on: true; readonly since: Timestamp; /** Not used yet. */ readonly recoveryCodes: number };

export const readSecondFactor = async ({ params, services }: Call<InAccount>): Promise<FactorView> => {
  const { stores, database } = services;
  const factor = await stores.secondFactors.findSecondFactor(database.reads, params.ACCOUNT_EMAIL);
  return factor === undefined
    ? { on: false }
    : {
        on: true,
        since: factor.since,
        recoveryCodes: await stores.secondFactors.countRecoveryCodes(database.reads, params.ACCOUNT_EMAIL),
      };
};

/** A secret that counts for nothing until a code of it has come; nothing is stored before. */
export type FactorOffer = {
  readonly secret: string;
  readonly link: string;
  /** The secret sealed for this account, to be sent back with a code. */
  readonly offer: string;
};

type Sealed = { readonly factorOf: string; readonly secret: string; readonly expires: Timestamp };

const HOUR = 3_600_000;

const offerOf = (services: Services, account: AccountRow | { readonly id: string }, secret: string): FactorOffer => {
  const { sealing, clock } = services;
  const sealed: Sealed = { factorOf: account.id, secret, expires: toTimestamp(clock.now() + HOUR) };
  return { secret, link: timeSecretLink(secret, account.id), offer: sealing.seal(JSON.stringify(sealed)) };
};

const openOffer = ({ sealing, clock }: Services, accountId: string, offer: string): string | undefined => {
  try {
    const { factorOf, secret, expires } = JSON.parse(sealing.open(offer)) as Sealed;
    return factorOf === accountId && expires > toTimestamp(clock.now()) ? secret : undefined;
  } catch {
    return undefined;
  }
};

/** The offer that was sent along if it is still good, so that who mistyped a code needs no new picture; else a new one. */
export const offerSecondFactor = async ({
  params,
  query,
  services,
}: Call<InAccount, { offer?: string }>): Promise<FactorOffer> => {
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  return offerOf(services, account, openOffer(services, account.id, query.offer ?? '') ?? newTimeSecret());
};

/** @returns the recovery codes, which nobody can read again */
const renewRecoveryCodes = async (
  { stores }: Services,
  trx: Transaction,
  accountId: string,
): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await stores.secondFactors.replaceRecoveryCodes(
    trx,
    accountId,
    codes.map((code) => recoveryHash(accountId, code)),
  );
  return codes;
};

const wrongCode = (): AppError => errors.refused('the code is not right');

/**
 * Turns the second factor on with a code of the offered secret; that code counts no second time.
 * @returns recovery codes; 403 for a wrong code or an offer that is too old, 400 when it is on already
 */
export const startSecondFactor = async ({
  params,
  body,
  services,
}: Call<InAccount, unknown, { offer: string; code: string }>): Promise<readonly string[]> => {
  const { database, stores, sealing, clock } = services;
  const secret = openOffer(services, params.ACCOUNT_EMAIL, body.offer);
  const code = asTimeCode(body.code);
  const step = secret === undefined || code === undefined ? undefined : stepOfCode(secret, code, services.clock.now());
  if (secret === undefined || step === undefined) {
    throw wrongCode();
  }
  try {
    return await database.transaction(async (trx) => {
      const account = await lockedAccount(services, trx, params.ACCOUNT_EMAIL);
      await stores.secondFactors.insertSecondFactor(trx, account.id, {
        secret: sealing.seal(secret),
        step,
        since: toTimestamp(clock.now()),
      });
      await sendFactorNews(services, trx, account, 'on');
      return renewRecoveryCodes(services, trx, account.id);
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.invalidState('the second factor is on already') : error;
  }
};

const lockedAccount = async ({ stores }: Services, trx: Transaction, id: string): Promise<AccountRow> => {
  const account = await stores.accounts.lockAccount(trx, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
};

/** When codes of the app count again after too many wrong ones; undefined: now. */
const closedUntil = (
  { config, clock }: Services,
  { failures, failedAt }: Pick<SecondFactor, 'failures' | 'failedAt'>,
): number | undefined => {
  if (failures < config.lockoutFailures || failedAt === null) {
    return undefined;
  }
  const end = config.lockoutSeconds === 0 ? Infinity : fromTimestamp(failedAt) + config.lockoutSeconds * 1000;
  return end > clock.now() ? end : undefined;
};

type Verdict = 'right' | 'paper' | AppError;

const MINUTE = 60_000;

const tooMany = ({ clock }: Services, end: number): AppError =>
  errors.tooManyRequests(Math.ceil((Math.min(end, clock.now() + 60 * MINUTE) - clock.now()) / 1000));

/** A wrong code; the last one allowed closes the way for codes of the app, and the person is told: whoever tried knows the password. */
const countWrongCode = async (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  factor: SecondFactor,
): Promise<AppError> => {
  const { stores, clock, config } = services;
  // Behind a closed time the count begins anew.
  const failures = (factor.failures >= config.lockoutFailures ? 0 : factor.failures) + 1;
  await stores.secondFactors.setFailures(trx, account.id, failures, toTimestamp(clock.now()));
  if (failures >= config.lockoutFailures) {
    await sendFactorNews(services, trx, account, 'guessed');
  }
  return wrongCode();
};

/**
 * Under the row of the account, so that many codes sent at once are worth no more than the limit. A recovery code
 * cannot be guessed, so it counts at any time.
 */
const judge = async (services: Services, trx: Transaction, account: AccountRow, typed: string): Promise<Verdict> => {
  const { stores, sealing, clock } = services;
  const factor = await stores.secondFactors.findSecondFactor(trx, account.id);
  if (factor === undefined) {
    return errors.invalidState('the second factor is off');
  }
  const code = asTimeCode(typed);
  const closed = closedUntil(services, factor);
  if (code !== undefined && closed !== undefined) {
    return tooMany(services, closed);
  }
  if (code !== undefined) {
    const step = stepOfCode(sealing.open(factor.secret), code, clock.now());
    if (step !== undefined && (await stores.secondFactors.useStep(trx, account.id, step))) {
      await stores.secondFactors.setFailures(trx, account.id, 0, null);
      return 'right';
    }
  } else if (await stores.secondFactors.useRecoveryCode(trx, account.id, recoveryHash(account.id, typed))) {
    await stores.secondFactors.setFailures(trx, account.id, 0, null);
    await sendFactorNews(services, trx, account, 'paper');
    return 'paper';
  }
  return closed === undefined ? countWrongCode(services, trx, account, factor) : wrongCode();
};

/**
 * Takes a code, and does what it permits in the same transaction.
 * @throws errors.refused, errors.tooManyRequests; a wrong code stays counted
 */
const withCode = async <T>(
  services: Services,
  accountId: string,
  typed: string,
  then: (trx: Transaction, account: AccountRow) => Promise<T>,
): Promise<T> => {
  const outcome = await services.database.transaction(async (trx) => {
    const account = await lockedAccount(services, trx, accountId);
    const verdict = await judge(services, trx, account, typed);
    return typeof verdict === 'string' ? { done: await then(trx, account) } : verdict;
  });
  if (outcome instanceof AppError) {
    throw outcome;
  }
  return outcome.done;
};

type WithCode = Call<InAccount, unknown, { code: string }>;

/** 403 for a wrong or used code, 429 after too many wrong ones, when only a recovery code counts. */
export const checkSecondFactor = ({ params, body, services }: WithCode): Promise<void> =>
  withCode(services, params.ACCOUNT_EMAIL, body.code, () => Promise.resolve());

/** New recovery codes for the old ones; fails as `checkSecondFactor` does. */
export const newCodes = ({ params, body, services }: WithCode): Promise<readonly string[]> =>
  withCode(services, params.ACCOUNT_EMAIL, body.code, async (trx, account) => {
    await sendFactorNews(services, trx, account, 'codes');
    return renewRecoveryCodes(services, trx, account.id);
  });

/** Whoever turns it off has both: the password and a code, of the app or on paper. Fails as `changePassword` and `checkSecondFactor` do. */
export const endSecondFactor = async ({
  params,
  body,
  services,
}: Call<InAccount, unknown, { password: string; code: string }>): Promise<void> => {
  await provePassword(services, params.ACCOUNT_EMAIL, body.password);
  await withCode(services, params.ACCOUNT_EMAIL, body.code, async (trx, account) => {
    await services.stores.secondFactors.deleteSecondFactor(trx, account.id);
    await sendFactorNews(services, trx, account, 'off');
  });
};
