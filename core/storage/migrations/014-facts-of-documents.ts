/**
 * 014-facts-of-documents: how many facts of which model a document made, kept with it so that lists of metadata need
 * not count.
 */
import type { ColumnsSpec } from '../tables';

export const factsOfDocuments: readonly ColumnsSpec[] = [
  {
    table: 'document',
    columns: { /** JSON: model -> number; null for documents of before, until they are made anew. */ facts: 'long?' },
  },
];
