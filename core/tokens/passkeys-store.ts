/**
 * passkeys-store: the passkeys of accounts, and the challenges that were answered. A caller that changes them has locked the
 * row of the account.
 */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, toColumns, type Columns } from '../db/columns';
import type { Reads } from '../db/connection';
import type { Transaction } from '../db/database';

export type Passkey = {
  readonly id: Id;
  /** In base64url, like the key. */ readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
};

const columns: Columns<keyof Passkey> = columnsNamed(
  'id',
  'credentialId',
  'publicKey',
  'counter',
  'transports',
  'name',
  'createdAt',
  'lastUsedAt',
);

/** The oldest first. */
export async function listPasskeys(on: Reads, accountId: PrincipalId): Promise<readonly Passkey[]> {
  const rows = (await on('passkey')
    .where({ account_id: accountId })
    .orderBy(['created_at', 'id'])
    .select(columns)) as (Omit<Passkey, 'transports'> & { readonly transports: string })[];
  return rows.map((row) => ({
    ...row,
    counter: Number(row.counter),
    transports: row.transports.split(',').filter((one) => one !== ''),
  }));
}

/** @throws a duplicate error when an account has the passkey already; the transaction must not be committed then */
export function insertPasskey(
  trx: Transaction,
  accountId: PrincipalId,
  credentialHash: string,
  passkey: Omit<Passkey, 'lastUsedAt'>,
): Promise<unknown> {
  return trx('passkey').insert({
    account_id: accountId,
    credential_hash: credentialHash,
    ...toColumns(columns, { ...passkey, transports: passkey.transports.join(',') }),
  });
}

/**
 * Stores that a passkey has signed, and its own count of signatures.
 * @returns false when the account has no such passkey, or when the count has not grown, because there is a copy of the
 * passkey
 */
export async function usePasskey(
  trx: Transaction,
  accountId: PrincipalId,
  { id, counter, now }: { readonly id: Id; readonly counter: number; readonly now: Timestamp },
): Promise<boolean> {
  return (
    (await trx('passkey')
      .where({ id, account_id: accountId })
      // A passkey that does not count sends 0 each time.
      .andWhere('counter', counter === 0 ? '=' : '<', counter)
      .update({ counter, last_used_at: now })) === 1
  );
}

/** @returns false when the account has no such passkey */
export async function deletePasskey(trx: Transaction, accountId: PrincipalId, id: Id): Promise<boolean> {
  return (await trx('passkey').where({ id, account_id: accountId }).delete()) === 1;
}

/**
 * Notes that a challenge was answered. The caller has locked the row of the account; the primary key is a second
 * safeguard.
 * @returns false when it was answered before
 */
export async function takeChallenge(trx: Transaction, challengeHash: string, expiresAt: Timestamp): Promise<boolean> {
  if (await trx('used_challenge').where({ challenge_hash: challengeHash }).first('challenge_hash')) {
    return false;
  }
  await trx('used_challenge').insert({ challenge_hash: challengeHash, expires_at: expiresAt });
  return true;
}
