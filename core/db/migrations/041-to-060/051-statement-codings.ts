/**
 * 051-statement-codings: the codes that a sender gives beside the one that a fact holds, so that more sources are seen to
 * mean the same. All of it is made from documents, as facts are.
 */
import type { TableSpec } from '../tables';

export const statementCodings: readonly TableSpec[] = [
  {
    table: 'statement_coding',
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      statement_id: 'id',
      /** Tells the codes of a statement apart. */ place: 'int',
      model: 'text:100',
      /** The column of the fact that holds the first code. */ field: 'text:100',
      /** Address of the system; empty when the sender gives none. */ system: 'text:255',
      code: 'text:255',
    },
    primary: ['record_id', 'statement_id', 'place'],
    indexes: [['document_id'], ['record_id', 'model']],
  },
];
