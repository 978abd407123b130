/** 024-exports: what apps asked for as files, how far it is written, and the files in parts. */
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
      /** Of the token that asked, separated by spaces. */ scopes: 'long',
      /** JSON: what is wanted, and the address as it was asked. */ request: 'long',
      /** open, done or failed. */ state: 'text:10',
      /** JSON: where the writing goes on; null at the beginning. */ place: 'long?',
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
      /** Of the resources in it. */ type: 'text:60',
      /** The parts of one type are one file, in their order. */ number: 'int',
      resources: 'int',
      /** In bytes, before it was sealed. */ size: 'int',
      /** Sealed. */ content: 'bytes',
      expires_at: 'stamp',
    },
    unique: [['job_id', 'type', 'number']],
    indexes: [['record_id'], ['expires_at']],
  },
];
