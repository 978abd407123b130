/**
 * unfinished: imports in progress, and what is left of imports that never ended. Nobody sees their rows, because no
 * record owns them yet.
 */
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Database, Transaction } from '../db/database';
import { isDuplicate } from '../db/db-errors';
import { eraseDocuments, eraseFacts, eraseRecord } from '../records/erasure-store';
import { isRecord } from '../records/store';

const PREFIX = 'import:';
/** An import that has not reported for this time is treated as dead. */
const SILENT_MILLISECONDS = 600_000;

type Tools = { readonly database: Database; readonly clock: Clock };

/** @throws SetupError when the same archive is being imported at this moment */
export async function beginImport({ database, clock }: Tools, recordId: string): Promise<void> {
  const row = {
    name: `${PREFIX}${recordId}`,
    content: JSON.stringify({ process: process.pid }),
    changed_at: toTimestamp(clock.now()),
  };
  await database
    .write((trx) => trx('installation').insert(row))
    .catch((error: unknown) => {
      throw isDuplicate(error) ? new SetupError([`another svc import is bringing in the record ${recordId}`]) : error;
    });
}

export function tellImportLives({ database, clock }: Tools, recordId: string): Promise<unknown> {
  return database.write((trx) =>
    trx('installation')
      .where({ name: `${PREFIX}${recordId}` })
      .update({ changed_at: toTimestamp(clock.now()) }),
  );
}

export function endImport(trx: Transaction, recordId: string): Promise<unknown> {
  return trx('installation')
    .where({ name: `${PREFIX}${recordId}` })
    .delete();
}

/** Record ids of imports that died. */
export async function deadImports({ database, clock }: Tools): Promise<readonly string[]> {
  const names = (await database
    .reads('installation')
    .where('name', 'like', `${PREFIX}%`)
    .where('changed_at', '<', toTimestamp(clock.now() - SILENT_MILLISECONDS))
    .pluck('name')) as string[];
  return names.map((name) => name.slice(PREFIX.length));
}

/**
 * Removes the rows of an import that failed, in steps that can be resumed. Does nothing if the record exists: the last
 * transaction may have been committed although its caller never learnt of it. A record that is being forgotten exists,
 * too, and forgetting it removes these rows.
 */
export async function undoImport({ database }: Tools, recordId: string): Promise<void> {
  if (await isRecord(database.reads, recordId)) {
    return;
  }
  for (const erase of [
    (trx: Transaction) => eraseFacts(trx, database.dialect, recordId),
    (trx: Transaction) => eraseDocuments(trx, recordId),
  ]) {
    while ((await database.transaction(erase)) > 0) {
      // The next portion.
    }
  }
  await database.transaction(async (trx) => {
    await eraseRecord(trx, recordId);
    await endImport(trx, recordId);
  });
}
