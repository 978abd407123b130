/** second-factors: the second factor of an account, its recovery codes, and what keeps each code from counting twice. */
import type { PrincipalId, Timestamp } from '../../base/types';
import type { Reads } from '../connection';
import type { Transaction } from '../database';

export type SecondFactor = {
  /** Sealed. */ readonly secret: string;
  /** An app shows codes; else there are passkeys only. */ readonly app: boolean;
  readonly failures: number;
  readonly failedAt: Timestamp | null;
  readonly since: Timestamp;
};

export const findSecondFactor = async (on: Reads, accountId: PrincipalId): Promise<SecondFactor | undefined> => {
  const row = (await on('second_factor').where({ account_id: accountId }).first({
    secret: 'secret',
    withoutApp: 'without_app',
    failures: 'failures',
    failedAt: 'failed_at',
    since: 'since',
  })) as (Omit<SecondFactor, 'app'> & { readonly withoutApp: number | null }) | undefined;
  return row && { ...row, app: Number(row.withoutApp) !== 1 };
};

/** What an app shows codes of; of half a minute that comes later than `step` the next one counts. */
export type AppSecret = { readonly secret: string; readonly step: number };

/** @throws a duplicate when there is one already; the transaction must not be committed then */
export const insertSecondFactor = (
  trx: Transaction,
  accountId: PrincipalId,
  { secret, step, since, app = true }: AppSecret & { readonly since: Timestamp; readonly app?: boolean },
): Promise<unknown> =>
  trx('second_factor').insert({
    account_id: accountId,
    secret,
    last_step: step,
    failures: 0,
    since,
    without_app: app ? null : 1,
  });

/** An app beside passkeys. @returns false when there is one already */
export const addApp = async (trx: Transaction, accountId: PrincipalId, { secret, step }: AppSecret): Promise<boolean> =>
  (await trx('second_factor')
    .where({ account_id: accountId, without_app: 1 })
    .update({ secret, last_step: step, without_app: null })) === 1;

/**
 * Passkeys only from now on.
 * @param secret one that nobody has, so that no code is right, whichever release looks
 * @returns false when there was no app
 */
export const dropApp = async (trx: Transaction, accountId: PrincipalId, secret: string): Promise<boolean> =>
  (await trx('second_factor')
    .where({ account_id: accountId })
    .whereNull('without_app')
    .update({ secret, last_step: 0, without_app: 1 })) === 1;

/** @returns false when the code of this half minute, or of a later one, has counted already */
export const useStep = async (trx: Transaction, accountId: PrincipalId, step: number): Promise<boolean> =>
  (await trx('second_factor')
    .where({ account_id: accountId })
    .andWhere('last_step', '<', step)
    .update({ last_step: step })) === 1;

/** @returns false when there is no such code, or not any more */
export const useRecoveryCode = async (trx: Transaction, accountId: PrincipalId, codeHash: string): Promise<boolean> =>
  (await trx('recovery_code').where({ account_id: accountId, code_hash: codeHash }).delete()) === 1;

export const countRecoveryCodes = async (on: Reads, accountId: PrincipalId): Promise<number> => {
  const rows = await on('recovery_code').where({ account_id: accountId }).pluck('code_hash');
  return rows.length;
};

/** Those from before count no more. */
export const replaceRecoveryCodes = async (
  trx: Transaction,
  accountId: PrincipalId,
  hashes: readonly string[],
): Promise<void> => {
  await trx('recovery_code').where({ account_id: accountId }).delete();
  await trx('recovery_code').insert(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })));
};

export const setFailures = (
  trx: Transaction,
  accountId: PrincipalId,
  failures: number,
  failedAt: Timestamp | null,
): Promise<unknown> => trx('second_factor').where({ account_id: accountId }).update({ failures, failed_at: failedAt });

/** With its passkeys and recovery codes. @returns false when there was none */
export const deleteSecondFactor = async (trx: Transaction, accountId: PrincipalId): Promise<boolean> => {
  await trx('passkey').where({ account_id: accountId }).delete();
  await trx('recovery_code').where({ account_id: accountId }).delete();
  return (await trx('second_factor').where({ account_id: accountId }).delete()) === 1;
};
