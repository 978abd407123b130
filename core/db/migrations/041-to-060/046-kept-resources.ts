/**
 * 046-kept-resources: the resources of documents of FHIR, as they came, of all versions.
 */
import type { TableSpec } from '../tables';

export const keptResources: readonly TableSpec[] = [
  {
    table: 'fhir_resource',
    sequence: true,
    columns: {
      record_id: 'id',
      /** The id by which clients know it, the same in all versions. */ id: 'id',
      type: 'text:40',
      /** The document, and a number behind it when the same document was read anew and says something else. */
      version: 'text:60',
      document_id: 'id',
      lineage_id: 'id',
      /** Hash over what names it in its documents. */ source_key: 'hash',
      /** The order of the document. */ part: 'int',
      updated_at: 'stamp',
      /** JSON in UTF-8. */ content: 'bytes',
      /** 1: the content is sealed. */ sealed: 'flag?',
    },
    unique: [['document_id', 'id', 'type']],
    indexes: [
      ['record_id', 'type', 'id'],
      ['lineage_id', 'source_key'],
    ],
  },
];
