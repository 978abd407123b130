/**
 * erasure-store: removes all rows of one record, in steps that can be resumed. This is the one place where medical data is
 * deleted.
 */
import type { Id } from '../base/types';
import type { Transaction } from '../db/database';
import type { Dialect } from '../db/dialect';
import { deleteSearchValues } from '../db/delete-search-values';
import { factDialect } from '../facts/fact-dialect';
import { inParts } from '../db/in-parts';

/** A portion of this many rows takes a few milliseconds, for which all other writers wait on SQLite. */
const LINEAGES_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

/**
 * Ends all access to the record, so that nothing is added while it is removed. It also destroys the record's key, so
 * that its sealed contents can no longer be read, even in a copy of a row.
 * @returns false for an unknown record
 */
export async function closeRecord(trx: Transaction, recordId: Id): Promise<boolean> {
  if (!(await trx('record').where({ id: recordId }).forUpdate().first('id'))) {
    return false;
  }
  await trx('record').where({ id: recordId }).update({
    owner_id: null,
    creator_id: '',
    content_key: null,
    // The record can no longer be found by its name or external id, and another record can use the external id.
    label: '',
    search_label: '',
    external_app_id: null,
    external_id: null,
  });
  for (const table of [
    'record_share',
    'record_app',
    'smart_grant',
    'access_token',
    'request_token',
    'subscription',
    'kept_file',
    'document_identifier',
    'sent_document',
    'record_handover',
    'record_invitation',
    'seen_changes',
    'health_link',
    'export_job',
  ]) {
    await trx(table).where({ record_id: recordId }).delete();
  }
  const carenets = (await trx('carenet').where({ record_id: recordId }).pluck('id')) as string[];
  for (const some of inParts(carenets)) {
    for (const table of [
      'carenet_account',
      'carenet_app',
      'carenet_autoshare',
      'carenet_kind',
      'carenet_preference',
      'smart_grant',
      'access_token',
      'request_token',
    ]) {
      await trx(table).whereIn('carenet_id', some).delete();
    }
  }
  await trx('carenet').where({ record_id: recordId }).delete();
  return true;
}

/**
 * Removes some documents with all their versions. After an interrupted import these include documents whose lineage
 * does not exist yet.
 * @returns how many lineages; 0 when none are left
 */
export async function eraseDocuments(trx: Transaction, recordId: Id): Promise<number> {
  const lineages = (await trx('document')
    .where({ record_id: recordId })
    .distinct('lineage_id')
    .limit(LINEAGES_AT_ONCE)
    .pluck('lineage_id')) as string[];
  // A row of this record that names a lineage of another one must not take that lineage along.
  const others = (await trx('document_lineage')
    .whereIn('id', lineages)
    .whereNot('record_id', recordId)
    .pluck('id')) as string[];
  const own = lineages.filter((id) => !others.includes(id));
  await trx('document_status').whereIn('lineage_id', own).delete();
  await trx('document_relation').whereIn('subject_lineage_id', own).delete();
  await trx('document_relation').whereIn('object_lineage_id', own).delete();
  await trx('carenet_preference').whereIn('lineage_id', own).delete();
  for (const table of ['sent_statement', 'statement_coding', 'document_part']) {
    await trx(table)
      .whereIn(
        'document_id',
        trx('document').whereIn('lineage_id', lineages).where({ record_id: recordId }).select('id'),
      )
      .delete();
  }
  const kept = trx('fhir_resource').whereIn('lineage_id', lineages).where({ record_id: recordId });
  await deleteSearchValues(trx, kept);
  await kept.delete();
  for (const table of ['missing_resource', 'document_picture', 'document_text', 'document_text_due', 'left_out_fact']) {
    await trx(table).whereIn('lineage_id', lineages).where({ record_id: recordId }).delete();
  }
  await trx('document').whereIn('lineage_id', lineages).where({ record_id: recordId }).delete();
  await trx('document_lineage').whereIn('id', own).delete();
  return lineages.length;
}

/**
 * Removes some of the record's rows from the fact tables of the database, including those of models that no longer
 * exist.
 * @returns how many; 0 when none are left
 */
export async function eraseFacts(trx: Transaction, dialect: Dialect, recordId: Id): Promise<number> {
  for (const table of await factDialect(dialect).factTables(trx)) {
    const rows = (await trx(table).where({ _record_id: recordId }).limit(ROWS_AT_ONCE).pluck('_seq')) as number[];
    if (rows.length > 0) {
      await trx(table).whereIn('_seq', rows).delete();
      return rows.length;
    }
  }
  return 0;
}

/** Removes some of the messages about the record, with their attachments. @returns how many; 0 when none are left */
export async function eraseMessages(trx: Transaction, recordId: Id): Promise<number> {
  const messages = (await trx('record_message')
    .where({ record_id: recordId })
    .limit(ROWS_AT_ONCE)
    .pluck('id')) as string[];
  await trx('record_message_attachment').whereIn('record_message_id', messages).delete();
  await trx('record_message').whereIn('id', messages).delete();
  return messages.length;
}

/** Removes some of the files that were exported for apps. @returns how many parts; 0 when none are left */
export async function eraseExports(trx: Transaction, recordId: Id): Promise<number> {
  const parts = (await trx('export_part')
    .where({ record_id: recordId })
    .limit(LINEAGES_AT_ONCE)
    .pluck('seq')) as number[];
  await trx('export_part').whereIn('seq', parts).delete();
  return parts.length;
}

/**
 * Removes what is left: messages about the record with their attachments, notifications, app storage, demographics, and
 * the record itself.
 */
export async function eraseRecord(trx: Transaction, recordId: Id): Promise<void> {
  const messages = (await trx('record_message').where({ record_id: recordId }).pluck('id')) as string[];
  for (const some of inParts(messages)) {
    await trx('record_message_attachment').whereIn('record_message_id', some).delete();
  }
  for (const table of ['record_message', 'message', 'notification', 'demographics']) {
    await trx(table).where({ record_id: recordId }).delete();
  }
  await trx('app_document').where({ scope: recordId }).delete();
  await trx('record').where({ id: recordId }).delete();
}
