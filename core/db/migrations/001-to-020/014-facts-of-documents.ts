/**
 * 014-facts-of-documents: the number of facts of each model in a document, stored with the document so that lists of
 * metadata need not count them.
 */
import type { ColumnsSpec } from '../tables';

export const factsOfDocuments: readonly ColumnsSpec[] = [
  {
    table: 'document',
    /** JSON: model -> number; null for documents of earlier releases until they are reprocessed. */
    columns: { facts: 'long?' },
  },
];
