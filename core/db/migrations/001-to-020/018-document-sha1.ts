/** 018-document-sha1: the hash with which FHIR clients check a document that they received. */
import type { ColumnsSpec } from '../tables';

export const documentSha1: readonly ColumnsSpec[] = [
  { table: 'document', columns: { /** Hexadecimal; null for documents of earlier releases. */ sha1: 'text:40?' } },
];
