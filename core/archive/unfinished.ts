/** unfinished: imports under way, and what is left of those that never ended; nobody sees their rows, because no record owns them yet. */
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Connection, Database } from '../storage/database';
import { isDuplicate } from '../storage/db-errors';
import type { FactTables } from '../storage/stores/facts';

const PREFIX = 'import:';
/** An import tells that it lives at least this often. */
const SILENT_MILLISECONDS = 600_000;
const PART = 500;

export type Tools = { readonly database: Database; readonly tables: FactTables; readonly clock: Clock };

/** @throws SetupError when the same archive is being imported at this moment */
export const beginImport = async ({ database, clock }: Tools, recordId: string): Promise<void> => {
  const row = { name: `${PREFIX}${recordId}`, content: JSON.stringify({ process: process.pid }), changed_at: toTimestamp(clock.now()) };
  await database.knex('installation').insert(row).catch((error: unknown) => {
    throw isDuplicate(error) ? new SetupError([`another svc import is bringing in the record ${recordId}`]) : error;
  });
};

export const tellImportLives = ({ database, clock }: Tools, recordId: string): Promise<unknown> =>
  database.knex('installation').where({ name: `${PREFIX}${recordId}` }).update({ changed_at: toTimestamp(clock.now()) });

export const endImport = (connection: Connection, recordId: string): Promise<unknown> =>
  connection('installation').where({ name: `${PREFIX}${recordId}` }).delete();

/** Record ids of imports that died. */
export const deadImports = async ({ database, clock }: Pick<Tools, 'database' | 'clock'>): Promise<readonly string[]> => {
  const names = (await database.knex('installation').where('name', 'like', `${PREFIX}%`)
    .where('changed_at', '<', toTimestamp(clock.now() - SILENT_MILLISECONDS)).pluck('name')) as string[];
  return names.map((name) => name.slice(PREFIX.length));
};

const removeDocuments = async ({ database: { knex }, tables }: Tools, recordId: string): Promise<void> => {
  for (;;) {
    const ids = (await knex('document').where({ record_id: recordId }).limit(PART).pluck('id')) as string[];
    if (ids.length === 0) {
      return;
    }
    for (const [table, column] of [['document_status', 'lineage_id'], ['document_relation', 'subject_lineage_id'], ['carenet_preference', 'lineage_id'], ['document_lineage', 'id']] as const) {
      await knex(table).whereIn(column, ids).delete();
    }
    for (const { table } of tables.values()) {
      await knex(table).whereIn('_document_id', ids).delete();
    }
    await knex('document').whereIn('id', ids).delete();
  }
};

/** Removes what an import wrote that did not end well. Its record does not exist, so nothing else has its id. */
export const undoImport = async (tools: Tools, recordId: string): Promise<void> => {
  const { knex } = tools.database;
  await removeDocuments(tools, recordId);
  const messages = (await knex('record_message').where({ record_id: recordId }).pluck('id')) as string[];
  for (let start = 0; start < messages.length; start += PART) {
    await knex('record_message_attachment').whereIn('record_message_id', messages.slice(start, start + PART)).delete();
  }
  await knex('record_message').where({ record_id: recordId }).delete();
  await knex('app_document').where({ scope: recordId }).delete();
  await endImport(knex, recordId);
};
