/** 041-documents-from-links: where a document came from that was fetched by a link. */
import type { ColumnsSpec } from '../tables';

export const documentsFromLinks: readonly ColumnsSpec[] = [
  /** The host of the link or of the issuer; null: the document came in another way. */
  { table: 'document', columns: { came_from: 'text:300?' } },
];
