/** 067-left-out-facts: facts that people did not want in a record, with the version of the document that says them. */
import type { TableSpec } from './tables';

export const leftOutFacts: readonly TableSpec[] = [
  {
    table: 'left_out_fact',
    sequence: true,
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      /** Its place among those of the document, from 1. */ num: 'int',
      /** JSON of what the document says there; empty where it is sealed. */ fact: 'long',
      sealed_texts: 'bytes?',
    },
    unique: [['document_id', 'num']],
    indexes: [['record_id'], ['lineage_id']],
  },
];
