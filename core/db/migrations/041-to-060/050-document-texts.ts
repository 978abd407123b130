/**
 * 050-document-texts: the words of files, page by page, and which documents still have to be read for them. No archive has
 * them: an import has them made again.
 */
import type { Transaction } from '../../database';
import type { TableSpec } from '../tables';

export const documentTexts: readonly TableSpec[] = [
  {
    table: 'document_text',
    sequence: true,
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      /** From 1; 0: the different words of all pages, for searches. */ page: 'int',
      /** 1: a machine has read it from a picture. */ by_machine: 'flag?',
      made_at: 'stamp',
      /** Text in UTF-8. */ content: 'bytes',
      /** 1: the content is sealed. */ sealed: 'flag?',
    },
    unique: [['document_id', 'page']],
    indexes: [['lineage_id'], ['record_id', 'page']],
  },
  {
    table: 'document_text_due',
    sequence: true,
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      /** 1: only a program that reads pictures can go on with it. */ needs_machine: 'flag?',
      /** No other process takes it before. */ taken_until: 'stamp?',
      tries: 'int',
    },
    unique: [['document_id']],
    indexes: [['lineage_id'], ['needs_machine', 'seq']],
  },
];

/** Documents of earlier releases are read for the words of their files, too. */
export async function readStoredFiles(trx: Transaction): Promise<void> {
  await trx.raw(
    'insert into document_text_due (record_id, document_id, lineage_id, tries) ' +
      'select record_id, latest_id, id, 0 from document_lineage as lineage ' +
      "where (type like '%#File' or type like 'http://hl7.org/fhir#%' or type like 'urn:hl7-org:v3#%') and not exists " +
      '(select 1 from document_text_due as due where due.document_id = lineage.latest_id) and not exists ' +
      '(select 1 from document_text as made where made.document_id = lineage.latest_id)',
  );
}

/** 066: documents that say something of which there is no fact are read for the words of their own text. */
export async function readOwnTexts(trx: Transaction): Promise<void> {
  await trx.raw(
    'insert into document_text_due (record_id, document_id, lineage_id, tries) ' +
      'select lineage.record_id, lineage.latest_id, lineage.id, 0 from document_lineage as lineage ' +
      'join document on document.id = lineage.latest_id where document.left_out is not null and ' +
      "(lineage.type like 'http://hl7.org/fhir#%' or lineage.type like 'urn:hl7-org:v3#%') and not exists " +
      '(select 1 from document_text_due as due where due.document_id = lineage.latest_id)',
  );
}
