/**
 * proof: checks the proof that a person sends in addition to the password: a code of the app, one on paper, or a
 * passkey. Each is accepted once.
 */
import { asTimeCode, recoveryHash, stepOfCode } from '../../core/auth/one-time-codes';
import type { ShownPasskey } from '../../core/auth/passkeys';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { AppError, errors } from '../../core/base/errors';
import { characters } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { AccountRow } from '../../core/accounts/store';
import type { SecondFactor } from '../../core/tokens/second-factors-store';
import { lockedAccount, type InAccount } from './find';
import { sendFactorNews } from '../../core/accounts/letters';
import { passkeyFields, readPasskey, takeChallenge, type Challenge, type SentPasskey } from './passkey-challenges';
import * as passkeyStore from '../../core/tokens/passkeys-store';
import * as secondFactorStore from '../../core/tokens/second-factors-store';

/** A code, or what a passkey signed with the challenge that it was asked to sign. */
export type SentProof = { readonly code?: string } & Partial<SentPasskey>;

export const proofSchema = { code: characters(100).trim().empty(''), ...passkeyFields };

/** What was sent. A passkey's signature is checked already, because that needs no transaction. */
type Shown =
  | { readonly kind: 'code'; readonly typed: string }
  | {
      readonly kind: 'passkey';
      readonly challenge: Challenge | undefined;
      /** Undefined: it is wrong. */ readonly passkey: ShownPasskey | undefined;
    };

async function readProof(
  { params, principal, services }: Pick<Call<InAccount>, 'params' | 'principal' | 'services'>,
  { code, passkey, ask }: SentProof,
): Promise<Shown> {
  if (passkey !== undefined) {
    return { kind: 'passkey', ...(await readPasskey({ params, principal, services }, { passkey, ask: ask ?? '' })) };
  }
  if (code === undefined) {
    throw errors.missingParameter('code');
  }
  return { kind: 'code', typed: code };
}

/**
 * After too many wrong codes, the time in milliseconds from which codes of the app are accepted again. Undefined: they
 * are accepted now.
 */
function closedUntil(
  { config, clock }: Services,
  { failures, failedAt }: Pick<SecondFactor, 'failures' | 'failedAt'>,
): number | undefined {
  if (failures < config.lockoutFailures || failedAt === null) {
    return undefined;
  }
  const end = config.lockoutSeconds === 0 ? Infinity : fromTimestamp(failedAt) + config.lockoutSeconds * 1000;
  return end > clock.now() ? end : undefined;
}

type Verdict = 'right' | AppError;

const MINUTE = 60_000;

function tooMany({ clock }: Services, end: number): AppError {
  return errors.tooManyRequests(Math.ceil((Math.min(end, clock.now() + 60 * MINUTE) - clock.now()) / 1000));
}

export function wrongProof(): AppError {
  return errors.refused('the code or the passkey is not right');
}

/**
 * Counts a wrong proof. After too many of them, codes of the app are not accepted for a while. A mail then warns the
 * person, because whoever tried them knows the password.
 */
async function countWrong(
  services: Services,
  trx: Transaction,
  account: AccountRow,
  factor: SecondFactor,
): Promise<AppError> {
  const { clock, config } = services;
  // After a time in which no code was accepted, the count begins at 1 again.
  const failures = (factor.failures >= config.lockoutFailures ? 0 : factor.failures) + 1;
  await secondFactorStore.setFailures(trx, account.id, failures, toTimestamp(clock.now()));
  if (failures >= config.lockoutFailures) {
    await sendFactorNews(services, trx, account, 'guessed');
  }
  return wrongProof();
}

async function isRight(
  services: Services,
  trx: Transaction,
  account: AccountRow,
  factor: SecondFactor,
  shown: Shown,
): Promise<boolean> {
  const { sealing, clock } = services;
  if (shown.kind === 'passkey') {
    const { challenge, passkey } = shown;
    const fresh = challenge !== undefined && (await takeChallenge(trx, challenge));
    const now = toTimestamp(clock.now());
    return fresh && passkey !== undefined && passkeyStore.usePasskey(trx, account.id, { ...passkey, now });
  }
  const code = asTimeCode(shown.typed);
  if (code !== undefined) {
    const step = factor.app ? stepOfCode(sealing.open(factor.secret), code, clock.now()) : undefined;
    return step !== undefined && secondFactorStore.useStep(trx, account.id, step);
  }
  const paper = await secondFactorStore.useRecoveryCode(trx, account.id, recoveryHash(account.id, shown.typed));
  if (paper) {
    await sendFactorNews(services, trx, account, 'paper');
  }
  return paper;
}

/**
 * Checks a proof while the row of its account is locked, so that codes sent at the same time are counted one after the
 * other. Recovery codes and passkeys cannot be guessed, so they are accepted at any time.
 */
async function judge(services: Services, trx: Transaction, account: AccountRow, shown: Shown): Promise<Verdict> {
  const factor = await secondFactorStore.findSecondFactor(trx, account.id);
  if (factor === undefined) {
    return errors.invalidState('the second factor is off');
  }
  const closed = closedUntil(services, factor);
  if (closed !== undefined && shown.kind === 'code' && asTimeCode(shown.typed) !== undefined) {
    return tooMany(services, closed);
  }
  if (await isRight(services, trx, account, factor, shown)) {
    await secondFactorStore.setFailures(trx, account.id, 0, null);
    return 'right';
  }
  return closed === undefined ? countWrong(services, trx, account, factor) : wrongProof();
}

/**
 * Checks the proof that was sent, and runs `then` in the same transaction if it is right. A wrong one is counted.
 * @throws errors.refused for a wrong proof, errors.tooManyRequests while codes are not accepted,
 * errors.missingParameter without a proof, errors.invalidState when the account has no second factor
 */
export async function withProof<T>(
  call: Call<InAccount, unknown, SentProof>,
  then: (trx: Transaction, account: AccountRow) => Promise<T>,
): Promise<T> {
  const { params, body, services } = call;
  const shown = await readProof(call, body);
  const outcome = await services.database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    const verdict = await judge(services, trx, account, shown);
    return verdict === 'right' ? { done: await then(trx, account) } : verdict;
  });
  if (outcome instanceof AppError) {
    throw outcome;
  }
  return outcome.done;
}
