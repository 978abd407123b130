/**
 * 056-resource-times: indexes for clients that ask what has changed, and for everything in a record in the order in which
 * it was stored.
 */
import type { IndexSpec } from '../tables';

export const resourceTimes: readonly IndexSpec[] = [
  { table: 'fhir_resource', indexes: [['record_id', 'type', 'updated_at'], ['record_id']] },
];
