/**
 * second-factors-store: the second factor of an account, its recovery codes, and what prevents a code from being used twice.
 */
import type { PrincipalId, Timestamp } from '../base/types';
import type { Reads } from '../db/connection';
import type { Transaction } from '../db/database';

export type SecondFactor = {
  /** Sealed. */ readonly secret: string;
  /** Whether an app shows codes; otherwise there are only passkeys. */ readonly app: boolean;
  readonly failures: number;
  readonly failedAt: Timestamp | null;
  readonly since: Timestamp;
};

export async function findSecondFactor(on: Reads, accountId: PrincipalId): Promise<SecondFactor | undefined> {
  const row = (await on('second_factor').where({ account_id: accountId }).first({
    secret: 'secret',
    withoutApp: 'without_app',
    failures: 'failures',
    failedAt: 'failed_at',
    since: 'since',
  })) as (Omit<SecondFactor, 'app'> & { readonly withoutApp: number | null }) | undefined;
  return row && { ...row, app: Number(row.withoutApp) !== 1 };
}

/**
 * The secret of an app, and the half minute of the last code that was used. Only codes of later half minutes are valid.
 */
export type AppSecret = { readonly secret: string; readonly step: number };

/** @throws a duplicate error when there is one already; the transaction must not be committed then */
export function insertSecondFactor(
  trx: Transaction,
  accountId: PrincipalId,
  { secret, step, since, app = true }: AppSecret & { readonly since: Timestamp; readonly app?: boolean },
): Promise<unknown> {
  return trx('second_factor').insert({
    account_id: accountId,
    secret,
    last_step: step,
    failures: 0,
    since,
    without_app: app ? null : 1,
  });
}

/** Adds an app to an account that has only passkeys. @returns false when there is an app already */
export async function addApp(trx: Transaction, accountId: PrincipalId, { secret, step }: AppSecret): Promise<boolean> {
  return (
    (await trx('second_factor')
      .where({ account_id: accountId, without_app: 1 })
      .update({ secret, last_step: step, without_app: null })) === 1
  );
}

/**
 * Removes the app; passkeys stay.
 * @param secret a new one that nobody knows, so that an earlier release, which does not know `without_app`, accepts no
 * code
 * @returns false when there was no app
 */
export async function dropApp(trx: Transaction, accountId: PrincipalId, secret: string): Promise<boolean> {
  return (
    (await trx('second_factor')
      .where({ account_id: accountId })
      .whereNull('without_app')
      .update({ secret, last_step: 0, without_app: 1 })) === 1
  );
}

/** @returns false when the code of this half minute, or of a later one, was used already */
export async function useStep(trx: Transaction, accountId: PrincipalId, step: number): Promise<boolean> {
  return (
    (await trx('second_factor')
      .where({ account_id: accountId })
      .andWhere('last_step', '<', step)
      .update({ last_step: step })) === 1
  );
}

/** @returns false when there is no such code, or it was used already */
export async function useRecoveryCode(trx: Transaction, accountId: PrincipalId, codeHash: string): Promise<boolean> {
  return (await trx('recovery_code').where({ account_id: accountId, code_hash: codeHash }).delete()) === 1;
}

export async function countRecoveryCodes(on: Reads, accountId: PrincipalId): Promise<number> {
  const rows = await on('recovery_code').where({ account_id: accountId }).pluck('code_hash');
  return rows.length;
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  trx: Transaction,
  accountId: PrincipalId,
  hashes: readonly string[],
): Promise<void> {
  await trx('recovery_code').where({ account_id: accountId }).delete();
  await trx('recovery_code').insert(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })));
}

export function setFailures(
  trx: Transaction,
  accountId: PrincipalId,
  failures: number,
  failedAt: Timestamp | null,
): Promise<unknown> {
  return trx('second_factor').where({ account_id: accountId }).update({ failures, failed_at: failedAt });
}

/** Deletes the second factor with its passkeys and recovery codes. @returns false when there was none */
export async function deleteSecondFactor(trx: Transaction, accountId: PrincipalId): Promise<boolean> {
  await trx('passkey').where({ account_id: accountId }).delete();
  await trx('recovery_code').where({ account_id: accountId }).delete();
  return (await trx('second_factor').where({ account_id: accountId }).delete()) === 1;
}
