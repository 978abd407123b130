/** 024-exports: exports that apps asked for, their progress, and their files in parts. */
import type { TableSpec } from '../tables';

export const exportTables: readonly TableSpec[] = [
  {
    table: 'export_job',
    columns: {
      id: 'id',
      record_id: 'id',
      carenet_id: 'id?',
      app_id: 'principal',
      account_id: 'principal',
      /** Scopes of the token that asked, separated by spaces. */ scopes: 'long',
      /** JSON: what the app asked for, and the address of its request. */ request: 'long',
      /** open, done or failed. */ state: 'text:10',
      /** JSON: the position from which the job continues; null at the beginning. */ place: 'long?',
      resources: 'int',
      attempts: 'int',
      lease_until: 'stamp?',
      leased_by: 'id?',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['id'],
    indexes: [['state', 'created_at'], ['record_id', 'app_id'], ['expires_at']],
  },
  {
    table: 'export_part',
    sequence: true,
    columns: {
      job_id: 'id',
      record_id: 'id',
      /** Type of the resources in the part. */ type: 'text:60',
      /** The parts of one type are one file, in their order. */ number: 'int',
      resources: 'int',
      /** Size in bytes before the content was sealed. */ size: 'int',
      /** Sealed. */ content: 'bytes',
      expires_at: 'stamp',
    },
    unique: [['job_id', 'type', 'number']],
    indexes: [['record_id'], ['expires_at']],
  },
];
