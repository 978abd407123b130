/** 052-clinic-links: links that clinics scan, and the name that each clinic gives when it fetches one. */
import type { ColumnsSpec } from '../tables';

export const clinicLinks: readonly ColumnsSpec[] = [
  /** JSON: what a link for clinics shows, and how often it can be opened; null: a link of another kind. */
  { table: 'health_link', columns: { clinic: 'text:1000?' } },
  /** Who fetched something by a link, as they called themselves. */
  { table: 'audit', columns: { recipient: 'text:200?' } },
];
