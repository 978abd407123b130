/**
 * 028-about-documents: a document's description of itself as a whole, and the parts of it that searches compare. Null:
 * the document has no description.
 */
import type { ColumnsSpec } from '../tables';

export const aboutDocuments: readonly ColumnsSpec[] = [
  {
    table: 'document',
    columns: {
      /** JSON: title, kind, code, system, date, start, end, author, from. */ about: 'long?',
      about_system: 'text:255?',
      about_code: 'text:100?',
      /** The care that the document is about took place from this time on and before `about_end`. */
      about_start: 'stamp?',
      about_end: 'stamp?',
    },
  },
  {
    table: 'document_lineage',
    /** Words of the latest version by which people search, as they are written there. */
    columns: { about_words: 'long?' },
  },
];
