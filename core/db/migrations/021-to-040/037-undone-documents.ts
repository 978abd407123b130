/** 037-undone-documents: documents that were taken back right after they were added. No page shows them. */
import type { ColumnsSpec } from '../tables';

export const undoneDocuments: readonly ColumnsSpec[] = [
  /** Null: nobody took it back. A later change of its status ends it. */
  { table: 'document_lineage', columns: { undone: 'flag?' } },
];
