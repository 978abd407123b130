/** 042-link-texts: what people wrote about health links is sealed like their other words. */
import type { ColumnsSpec } from '../tables';

export const linkTexts: readonly ColumnsSpec[] = [
  /** The label and the last openings, sealed together; their own columns are empty then. */
  { table: 'health_link', columns: { sealed_texts: 'bytes?' } },
];
