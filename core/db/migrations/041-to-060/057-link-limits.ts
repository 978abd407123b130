/** 057-link-limits: how often a health link may be opened. */
import type { ColumnsSpec } from '../tables';

export const linkLimits: readonly ColumnsSpec[] = [
  /** Null: as often as anybody likes. A link for clinics has its limit in `clinic`. */
  { table: 'health_link', columns: { most_openings: 'int?' } },
];
