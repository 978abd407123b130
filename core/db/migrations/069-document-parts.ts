/** 069-document-parts: what does not fit into the row of a document of its content. No archive has these rows. */
import type { TableSpec } from './tables';

export const documentParts: readonly TableSpec[] = [
  {
    table: 'document_part',
    sequence: true,
    columns: {
      record_id: 'id',
      document_id: 'id',
      /** From 1; the row of the document holds what comes before. */ num: 'int',
      content: 'bytes',
      /** 1: the content is sealed. */ sealed: 'flag?',
    },
    unique: [['document_id', 'num']],
  },
];
