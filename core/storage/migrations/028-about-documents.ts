/**
 * 028-about-documents: what a document says that it is as a whole, and the parts of it that searches compare. Null: it
 * says nothing.
 */
import type { ColumnsSpec } from '../tables';

export const aboutDocuments: readonly ColumnsSpec[] = [
  {
    table: 'document',
    columns: {
      /** JSON: title, kind, code, system, date, start, end, author, from. */ about: 'long?',
      about_system: 'text:255?',
      about_code: 'text:100?',
      /** The care that it tells of: from here on, and before there. */ about_start: 'stamp?',
      about_end: 'stamp?',
    },
  },
  {
    table: 'document_lineage',
    columns: { /** What people look for in the latest version of it, as it is written. */ about_words: 'long?' },
  },
];
