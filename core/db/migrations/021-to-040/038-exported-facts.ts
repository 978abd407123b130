/** 038-exported-facts: facts seen by their kind, of which the files of a carenet's export tell. */
import type { TableSpec } from '../tables';

export const exportedFacts: readonly TableSpec[] = [
  {
    table: 'export_fact',
    columns: {
      job_id: 'id',
      /** Type and id of the resource, which are names of the carenet for what it sees of the fact. */
      name: 'text:140',
    },
    primary: ['job_id', 'name'],
  },
];
