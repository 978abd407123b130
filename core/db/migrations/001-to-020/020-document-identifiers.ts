/**
 * 020-document-identifiers: the senders' identifiers of resources that came through the FHIR door, so that nobody
 * stores a resource twice.
 */
import type { TableSpec } from '../tables';

export const documentIdentifiers: readonly TableSpec[] = [
  {
    table: 'document_identifier',
    columns: {
      record_id: 'id',
      /** Hash over type, system and value. */ identifier_hash: 'hash',
      document_id: 'id',
      /** Id of the statement that was made from the resource; null when there is none. */ statement_id: 'id?',
    },
    // The index, not a prior read, decides between two callers that store the same resource.
    primary: ['record_id', 'identifier_hash'],
    indexes: [['document_id']],
  },
];
