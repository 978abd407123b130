/**
 * forget: removes one record entirely, for an operator who was asked to do so. The audit log still says that it
 * happened.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { recordTrail } from '../audit/trail';
import type { AuditSigner } from '../audit/signer';
import type { Clock } from '../base/clock';
import type { Id } from '../base/types';
import type { Database, Transaction } from '../db/database';
import { closeRecord, eraseDocuments, eraseExports, eraseFacts, eraseMessages, eraseRecord } from './erasure-store';

type ForgetTools = { readonly database: Database; readonly signer: AuditSigner; readonly clock: Clock };

/** A pause in which other processes can write, because SQLite has no queue for its write lock. */
const PAUSE_MILLISECONDS = 5;

/**
 * Removes everything in portions, each in its own transaction.
 * @returns how much was removed
 */
async function inPortions(
  { database }: ForgetTools,
  erase: (trx: Transaction) => Promise<number>,
  progress: (removed: number) => void = () => undefined,
): Promise<number> {
  let removed = 0;
  for (let step = 1; step > 0; removed += step) {
    step = await database.transaction(erase);
    progress(step);
    await pause(PAUSE_MILLISECONDS);
  }
  return removed;
}

async function eraseAll(erase: () => Promise<number>): Promise<void> {
  while ((await erase()) > 0) {
    // The next portion.
  }
}

async function forget(
  tools: ForgetTools,
  recordId: Id,
  progress: (documents: number) => void,
): Promise<number | undefined> {
  const { database } = tools;
  if (!(await database.transaction((trx) => closeRecord(trx, recordId)))) {
    return undefined;
  }
  await inPortions(tools, (trx) => eraseFacts(trx, database.dialect, recordId));
  await inPortions(tools, (trx) => eraseExports(trx, recordId));
  await inPortions(tools, (trx) => eraseMessages(trx, recordId));
  const removed = await inPortions(tools, (trx) => eraseDocuments(trx, recordId), progress);
  await database.transaction(async (trx) => {
    // While the record was being closed, another request may have been storing a document or giving a right.
    await closeRecord(trx, recordId);
    await eraseAll(() => eraseExports(trx, recordId));
    await eraseAll(() => eraseFacts(trx, database.dialect, recordId));
    await eraseAll(() => eraseDocuments(trx, recordId));
    await eraseRecord(trx, recordId);
  });
  await recordTrail(tools, [{ function_name: 'record_forget', record_id: recordId }]);
  return removed;
}

/**
 * Removes documents with all versions, facts, shares, carenets, tokens, messages about the record with their
 * attachments, notifications, app storage on the record, and the record itself. If a run is interrupted, run it again.
 * @param progress called with the number of documents that each step has removed
 * @returns how many documents were removed; undefined for an unknown record
 */
export function forgetRecord(
  tools: ForgetTools,
  recordId: Id,
  progress: (documents: number) => void = () => undefined,
): Promise<number | undefined> {
  return tools.database.dialect.erasing(() => forget(tools, recordId, progress));
}
