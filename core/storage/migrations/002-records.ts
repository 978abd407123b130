/**
 * 002-records: records, documents with their lineages, and what belongs to a lineage (specification 2.4 to 2.8).
 * A lineage is the chain of versions that share one original; its id is the id of the first version.
 */
import type { TableSpec } from '../tables';

export const records: readonly TableSpec[] = [
  {
    table: 'record',
    sequence: true,
    columns: {
      id: 'id', label: 'text:520', /** Lower case, what searches compare. */ search_label: 'text:520', owner_id: 'principal?', creator_id: 'principal', external_app_id: 'principal?', external_id: 'text:250?',
      demographics_lineage_id: 'id?', created_at: 'stamp',
    },
    unique: [['id'], ['external_app_id', 'external_id']],
    indexes: [['owner_id', 'seq'], ['creator_id'], ['search_label']],
  },
  {
    table: 'demographics',
    columns: {
      record_id: 'id', document_id: 'id', bday: 'date', email: 'text:200?', ethnicity: 'text:200?', gender: 'text:50',
      preferred_language: 'text:200?', race: 'text:200?',
      name_given: 'text:255?', name_middle: 'text:255?', name_family: 'text:255?', name_prefix: 'text:255?', name_suffix: 'text:255?',
      tel_1_type: 'text:1?', tel_1_number: 'text:20?', tel_1_preferred_p: 'flag', tel_2_type: 'text:1?', tel_2_number: 'text:20?', tel_2_preferred_p: 'flag',
      adr_street: 'text:255?', adr_city: 'text:255?', adr_region: 'text:255?', adr_postalcode: 'text:12?', adr_country: 'text:255?',
      created_at: 'stamp',
    },
    primary: ['record_id'],
  },
  {
    table: 'document_lineage',
    sequence: true,
    columns: {
      id: 'id', record_id: 'id', /** Type, id and time of the latest version. */ type: 'uri', latest_id: 'id', latest_created_at: 'stamp',
      status: 'text:8', nevershare: 'flag', label: 'text:100?', created_at: 'stamp',
    },
    unique: [['id'], ['latest_id']],
    // nevershare comes last in both, so that counting what a carenet contains reads no rows.
    indexes: [['record_id', 'status', 'latest_created_at', 'seq', 'nevershare'], ['record_id', 'type', 'status', 'latest_created_at', 'seq', 'nevershare']],
  },
  {
    table: 'document',
    sequence: true,
    columns: {
      id: 'id', record_id: 'id', lineage_id: 'id', replaces_id: 'id?', replaced_by_id: 'id?',
      external_app_id: 'principal?', external_id: 'text:250?', type: 'uri', media_type: 'text:100', size: 'int', digest: 'hash',
      creator_id: 'principal', proxy_id: 'principal?', created_at: 'stamp', suppressed_at: 'stamp?', suppressor_id: 'principal?',
      /** Name and fingerprint of the pipeline entry that made the facts. */ entry: 'text:100?', fingerprint: 'hash?',
      /** JSON list of what the stylesheet could not map. */ left_out: 'long?', content: 'bytes',
    },
    // A version is replaced once at most: the index, not a prior read, decides between two callers (specification 3.3).
    unique: [['id'], ['replaces_id'], ['record_id', 'external_app_id', 'external_id']],
    indexes: [['lineage_id', 'seq'], ['record_id', 'seq'], ['type', 'seq']],
  },
  {
    table: 'document_status',
    sequence: true,
    columns: { lineage_id: 'id', status: 'text:8', reason: 'long', changed_by: 'principal', proxy_id: 'principal?', changed_at: 'stamp' },
    indexes: [['lineage_id', 'seq']],
  },
  {
    table: 'document_relation',
    sequence: true,
    columns: { type: 'text:20', /** The annotation. */ subject_lineage_id: 'id', /** The annotated document. */ object_lineage_id: 'id', created_by: 'principal', created_at: 'stamp' },
    unique: [['subject_lineage_id', 'type', 'object_lineage_id'], ['object_lineage_id', 'type', 'subject_lineage_id']],
  },
];
