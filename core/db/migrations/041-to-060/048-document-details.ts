/** 048-document-details: what people say about a document beside it: the day of care, its kind, and tags. */
import type { ColumnsSpec } from '../tables';

export const documentDetails: readonly ColumnsSpec[] = [
  {
    table: 'document_lineage',
    columns: {
      /** YYYY-MM-DD; null: as the document says. */ own_date: 'text:10?',
      own_kind: 'text:100?',
      /** Each on a line, with a line end before the first and after the last. */ tags: 'text:1000?',
      /** The same in lower case, for searches. */ folded_tags: 'text:1000?',
    },
  },
];
