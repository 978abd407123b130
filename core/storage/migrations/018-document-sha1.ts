/** 018-document-sha1: the hash by which FHIR lets clients check what they were sent. */
import type { ColumnsSpec } from '../tables';

export const documentSha1: readonly ColumnsSpec[] = [
  { table: 'document', columns: { /** Hexadecimal; null for documents of before. */ sha1: 'text:40?' } },
];
