/**
 * store: rows of the SMART authorization server: waiting requests, grants, codes and refresh tokens, and used
 * assertions.
 */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../../core/base/types';
import { columnsNamed, inTable, toColumns, type Columns } from '../../core/db/columns';
import type { Reads } from '../../core/db/connection';
import type { Transaction } from '../../core/db/database';
import { isDuplicate } from '../../core/db/db-errors';

export type SmartRequestRow = { readonly requestHash: string; readonly content: string; readonly expiresAt: Timestamp };

const requestColumns: Columns<keyof SmartRequestRow> = columnsNamed('requestHash', 'content', 'expiresAt');

export function insertRequest(trx: Transaction, row: SmartRequestRow): Promise<unknown> {
  return trx('smart_request').insert(toColumns(requestColumns, row));
}

function liveRequest(on: Reads, requestHash: string, now: Timestamp): Knex.QueryBuilder {
  return on('smart_request').where({ request_hash: requestHash }).where('expires_at', '>', now).first(requestColumns);
}

export async function findRequest(
  on: Reads,
  requestHash: string,
  now: Timestamp,
): Promise<SmartRequestRow | undefined> {
  return (await liveRequest(on, requestHash, now)) as SmartRequestRow | undefined;
}

/** Like findRequest, and locks the row for the rest of the transaction. */
export async function lockRequest(
  trx: Transaction,
  requestHash: string,
  now: Timestamp,
): Promise<SmartRequestRow | undefined> {
  return (await liveRequest(trx, requestHash, now).forUpdate()) as SmartRequestRow | undefined;
}

export function answerRequest(trx: Transaction, requestHash: string, content: string): Promise<unknown> {
  return trx('smart_request').where({ request_hash: requestHash }).update({ content });
}

/** @returns false when another caller has taken it */
export async function deleteRequest(trx: Transaction, requestHash: string): Promise<boolean> {
  return (await trx('smart_request').where({ request_hash: requestHash }).delete()) === 1;
}

export type SmartGrantRow = {
  readonly grantHash: string;
  readonly appId: PrincipalId;
  readonly accountId: PrincipalId;
  readonly subject: string;
  readonly recordId: Id;
  readonly carenetId: Id | null;
  readonly sessionHash: string | null;
  readonly scopes: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

const grantColumns: Columns<keyof SmartGrantRow> = columnsNamed(
  'grantHash',
  'appId',
  'accountId',
  'subject',
  'recordId',
  'carenetId',
  'sessionHash',
  'scopes',
  'createdAt',
  'expiresAt',
);

export function insertGrant(trx: Transaction, row: SmartGrantRow): Promise<unknown> {
  return trx('smart_grant').insert(toColumns(grantColumns, row));
}

/** A grant with the app that has it and the owner of its record. */
export type FoundGrant = SmartGrantRow & {
  readonly consumerKey: string;
  readonly autonomous: boolean;
  readonly ownerId: PrincipalId | null;
};

/** Undefined for an unknown grant, and while its app is retired. */
export async function findGrant(on: Reads, grantHash: string): Promise<FoundGrant | undefined> {
  const row = (await on('smart_grant')
    .join('app', 'app.id', 'smart_grant.app_id')
    .join('record', 'record.id', 'smart_grant.record_id')
    .where({ 'smart_grant.grant_hash': grantHash })
    .whereNull('app.retired_at')
    .first({
      ...inTable('smart_grant', grantColumns),
      consumerKey: 'app.consumer_key',
      autonomous: 'app.autonomous',
      ownerId: 'record.owner_id',
    })) as (Omit<FoundGrant, 'autonomous'> & { autonomous: number }) | undefined;
  return row && { ...row, autonomous: Number(row.autonomous) === 1 };
}

/** Whether the grant exists. It stays so until the transaction ends. */
export async function holdGrant(trx: Transaction, grantHash: string): Promise<boolean> {
  return (await trx('smart_grant').where({ grant_hash: grantHash }).forShare().first('grant_hash')) !== undefined;
}

/** Ends a grant with the codes and tokens that came from it. */
export async function endGrant(trx: Transaction, grantHash: string): Promise<void> {
  for (const table of ['smart_grant', 'smart_code', 'access_token']) {
    await trx(table).where({ grant_hash: grantHash }).delete();
  }
}

export type SmartCodeKind = 'code' | 'refresh';

export type SmartCodeRow = {
  readonly codeHash: string;
  readonly kind: SmartCodeKind;
  readonly grantHash: string;
  readonly content: string;
  readonly usedAt: Timestamp | null;
  readonly expiresAt: Timestamp;
};

const codeColumns: Columns<keyof SmartCodeRow> = columnsNamed(
  'codeHash',
  'kind',
  'grantHash',
  'content',
  'usedAt',
  'expiresAt',
);

export function insertCode(trx: Transaction, row: SmartCodeRow): Promise<unknown> {
  return trx('smart_code').insert(toColumns(codeColumns, row));
}

export async function findCode(on: Reads, kind: SmartCodeKind, codeHash: string): Promise<SmartCodeRow | undefined> {
  return (await on('smart_code').where({ code_hash: codeHash, kind }).first(codeColumns)) as SmartCodeRow | undefined;
}

/** Reads a code as it is now, and locks it until the transaction ends. */
export async function lockCode(trx: Transaction, codeHash: string): Promise<SmartCodeRow | undefined> {
  return (await trx('smart_code').where({ code_hash: codeHash }).forUpdate().first(codeColumns)) as
    SmartCodeRow | undefined;
}

/** @param content what is kept from now on @returns false when it was used before */
export async function useCode(trx: Transaction, codeHash: string, now: Timestamp, content?: string): Promise<boolean> {
  return (
    (await trx('smart_code')
      .where({ code_hash: codeHash })
      .whereNull('used_at')
      .update({ used_at: now, ...(content === undefined ? {} : { content }) })) === 1
  );
}

export function deleteCode(trx: Transaction, codeHash: string): Promise<unknown> {
  return trx('smart_code').where({ code_hash: codeHash }).delete();
}

export function deleteSmartToken(trx: Transaction, tokenHash: string): Promise<unknown> {
  return trx('access_token').where({ token_hash: tokenHash, kind: 'smart' }).delete();
}

/** @returns false when it was used before; the transaction must not be committed then */
export async function useAssertion(trx: Transaction, assertionHash: string, expiresAt: Timestamp): Promise<boolean> {
  try {
    await trx('smart_assertion').insert({ assertion_hash: assertionHash, expires_at: expiresAt });
    return true;
  } catch (error) {
    if (isDuplicate(error)) {
      return false;
    }
    throw error;
  }
}

export async function isAssertionUsed(on: Reads, assertionHash: string): Promise<boolean> {
  return (await on('smart_assertion').where({ assertion_hash: assertionHash }).first('assertion_hash')) !== undefined;
}
