/**
 * 043-sent-statements: by which ids senders know their statements and documents, so that the newer one of two is found.
 * All of it is made from documents, as facts are.
 */
import type { TableSpec } from '../tables';

export const sentStatements: readonly TableSpec[] = [
  {
    table: 'sent_statement',
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      /** Statement of facts; for one that its sender took back, an id to which no fact belongs. */
      statement_id: 'id',
      model: 'text:100',
      /** Hash over the name of a statement that belongs to a list of its sender; null for others. */
      name: 'hash?',
      /** The sender's id as it was written. */ system: 'text:255?',
      value: 'text:255?',
      /** Hash that statements share of which the newer one counts; null for a statement without a usable id. */
      line: 'hash?',
      /** Sorts statements of a line by what their sender says of their age; empty when it says nothing. */
      said: 'text:64',
      /** Hash over all that is stated. */ content: 'hash',
    },
    primary: ['record_id', 'statement_id'],
    indexes: [['record_id', 'line', 'said'], ['document_id'], ['record_id', 'model']],
  },
  {
    table: 'sent_document',
    columns: {
      record_id: 'id',
      document_id: 'id',
      lineage_id: 'id',
      said: 'text:64',
      /** JSON: what the sender says of the document and its earlier versions. */ source: 'long',
    },
    primary: ['record_id', 'document_id'],
    indexes: [['document_id']],
  },
];
