/** 064-resource-order: an index with the order in which searches answer, which also counts without reading resources. */
import type { IndexSpec } from './tables';

export const resourceOrder: readonly IndexSpec[] = [
  { table: 'fhir_resource', indexes: [['record_id', 'type', 'lineage_id', 'document_id']] },
];
