/** system-tokens-store: tokens with which apps act by themselves at the FHIR door (SMART Backend Services). */
import type { PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable, toColumns, type Columns } from '../db/columns';
import type { Reads, Transaction } from '../db/connection';

export type SystemTokenRow = {
  readonly tokenHash: string;
  readonly appId: PrincipalId;
  /** Separated by spaces, such as `system/*.rs`. */ readonly scopes: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

const columns: Columns<keyof SystemTokenRow> = columnsNamed('tokenHash', 'appId', 'scopes', 'createdAt', 'expiresAt');

export function insertSystemToken(trx: Transaction, row: SystemTokenRow): Promise<unknown> {
  return trx('system_token').insert(toColumns(columns, row));
}

type FoundSystemToken = SystemTokenRow & {
  readonly consumerKey: string;
};

/** A token that has not expired, of an app that may still have one: it is registered as a backend service. */
export async function findSystemToken(
  on: Reads,
  tokenHash: string,
  now: Timestamp,
): Promise<FoundSystemToken | undefined> {
  return (await on('system_token')
    .join('app', 'app.id', 'system_token.app_id')
    .where({ 'system_token.token_hash': tokenHash, 'app.kind': 'user', 'app.autonomous': 1 })
    .where('system_token.expires_at', '>', now)
    .whereNull('app.retired_at')
    .where('app.manifest', 'like', '%"smart_backend"%')
    .first({ ...inTable('system_token', columns), consumerKey: 'app.consumer_key' })) as FoundSystemToken | undefined;
}

export function deleteSystemToken(trx: Transaction, tokenHash: string): Promise<unknown> {
  return trx('system_token').where({ token_hash: tokenHash }).delete();
}
