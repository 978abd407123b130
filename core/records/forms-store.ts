/** forms-store: forms that were used, each only once, and the files that are kept for a form. */
import type { Id, Timestamp } from '../base/types';
import type { Reads } from '../db/connection';
import type { Transaction } from '../db/database';
import { isDuplicate } from '../db/db-errors';

export type UsedForm = {
  readonly formHash: string;
  /** Id of the document or record that the form made, or of what it ended. */ readonly madeId: Id;
  /** Whether a file was kept for the form. */ readonly kept: boolean;
  readonly expiresAt: Timestamp;
};

/** @returns false when the form was used before; the transaction must not be committed then */
export async function useForm(trx: Transaction, { formHash, madeId, kept, expiresAt }: UsedForm): Promise<boolean> {
  try {
    await trx('used_form').insert({ form_hash: formHash, document_id: madeId, expires_at: expiresAt });
  } catch (error) {
    if (isDuplicate(error)) {
      return false;
    }
    throw error;
  }
  if (kept) {
    await trx('kept_file').where({ form_hash: formHash }).delete();
  }
  return true;
}

/** The document or record that the form made; undefined: it was not used yet. */
export async function findFormResult(on: Reads, formHash: string): Promise<Id | undefined> {
  return ((await on('used_form').where({ form_hash: formHash }).first({ id: 'document_id' })) as { id: Id } | undefined)
    ?.id;
}

export type KeptFile = {
  readonly formHash: string;
  readonly sessionHash: string;
  readonly recordId: Id;
  readonly content: Buffer;
  readonly keptAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** At most this many files of one session are kept. The oldest ones are deleted for new ones. */
const KEPT = 10;

export async function keepFile(trx: Transaction, file: KeptFile): Promise<void> {
  const older = (await trx('kept_file')
    .where({ session_hash: file.sessionHash })
    .orderBy('kept_at', 'desc')
    .limit(KEPT + 10)
    .pluck('form_hash')) as string[];
  if (older.length >= KEPT) {
    await trx('kept_file')
      .whereIn('form_hash', older.slice(KEPT - 1))
      .delete();
  }
  await trx('kept_file').insert({
    form_hash: file.formHash,
    session_hash: file.sessionHash,
    record_id: file.recordId,
    content: file.content,
    kept_at: file.keptAt,
    expires_at: file.expiresAt,
  });
}

/** The sealed content of a kept file, until it expires. */
export async function findKeptFile(on: Reads, formHash: string, now: Timestamp): Promise<Buffer | undefined> {
  return (
    (await on('kept_file').where({ form_hash: formHash }).where('expires_at', '>', now).first('content')) as
      { content: Buffer } | undefined
  )?.content;
}
