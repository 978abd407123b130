/**
 * 033-export-contents: the documents of which the files of a carenet's export tell, and indexes by which exports end
 * with the access of who asked for them.
 */
import type { IndexSpec, TableSpec } from '../tables';

export const exportContents: readonly TableSpec[] = [
  {
    table: 'export_document',
    columns: { job_id: 'id', document_id: 'id' },
    primary: ['job_id', 'document_id'],
  },
];

export const exportEnds: readonly IndexSpec[] = [
  {
    table: 'export_job',
    indexes: [['account_id', 'record_id'], ['carenet_id', 'app_id'], ['app_id']],
  },
];
