/**
 * 020-document-identifiers: by which identifiers of their own the resources that came through the FHIR door are known,
 * so that nobody stores one twice.
 */
import type { TableSpec } from '../tables';

export const documentIdentifiers: readonly TableSpec[] = [
  {
    table: 'document_identifier',
    columns: {
      record_id: 'id',
      /** Over type, system and value. */ identifier_hash: 'hash',
      document_id: 'id',
      /** Of the statement that came of the resource; null when none did. */ statement_id: 'id?',
    },
    // The index, not a prior read, decides between two callers who store the same resource.
    primary: ['record_id', 'identifier_hash'],
    indexes: [['document_id']],
  },
];
