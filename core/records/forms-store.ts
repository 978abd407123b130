/** forms-store: forms that were used, each only once, and the files that are kept for a form. */
import { sha256 } from '../base/ids';
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
    await deleteKept(trx, [formHash]);
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
  /** Its content in parts, each sealed; see `KEPT_PARTS`. */ readonly parts: readonly Buffer[];
  readonly keptAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** At most this many files of one session are kept. The oldest ones are deleted for new ones. */
const KEPT = 10;
/** The most parts of one file: more than the largest file has. */
const KEPT_PARTS = 20;

/** The name of the row with a part of a kept file: the first part stands in the row of its form. */
function partHash(formHash: string, part: number): string {
  return part === 0 ? formHash : sha256(`${formHash} ${part}`);
}

async function deleteKept(trx: Transaction, formHashes: readonly string[]): Promise<void> {
  const rows = formHashes.flatMap((hash) => Array.from({ length: KEPT_PARTS }, (_, part) => partHash(hash, part)));
  await trx('kept_file').whereIn('form_hash', rows).delete();
}

export async function keepFile(trx: Transaction, file: KeptFile): Promise<void> {
  const older = (await trx('kept_file')
    .where({ session_hash: file.sessionHash })
    .orderBy('kept_at', 'desc')
    .limit(KEPT + 10)
    .pluck('form_hash')) as string[];
  if (older.length >= KEPT) {
    await deleteKept(trx, older.slice(KEPT - 1));
  }
  for (const [part, content] of file.parts.entries()) {
    await trx('kept_file').insert({
      form_hash: partHash(file.formHash, part),
      // Only files are counted, and not their parts.
      session_hash: part === 0 ? file.sessionHash : '',
      record_id: file.recordId,
      content,
      kept_at: file.keptAt,
      expires_at: file.expiresAt,
    });
  }
}

/** A sealed part of a kept file, until it expires; the first one is part 0. */
export async function findKeptPart(
  on: Reads,
  formHash: string,
  part: number,
  now: Timestamp,
): Promise<Buffer | undefined> {
  const row = (await on('kept_file')
    .where({ form_hash: partHash(formHash, part) })
    .where('expires_at', '>', now)
    .first('content')) as { content: Buffer } | undefined;
  return row?.content;
}
