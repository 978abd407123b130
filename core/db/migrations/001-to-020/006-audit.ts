/**
 * 006-audit: who did what (specification 2.17). The table is append-only. Each row has a hash over itself and over the
 * row before it in its writer's chain, so that an edited, removed or reordered row is detected.
 */
import type { TableSpec } from '../tables';

export const audit: readonly TableSpec[] = [
  {
    table: 'audit',
    sequence: true,
    columns: {
      id: 'id',
      requested_at: 'stamp',
      function_name: 'text:60',
      successful: 'flag',
      principal_id: 'principal?',
      proxy_id: 'principal?',
      /** The UI app behind a session. */ ui_app_id: 'principal?',
      consumer_key: 'text:200?',
      record_id: 'text:36?',
      carenet_id: 'text:36?',
      app_id: 'principal?',
      account_id: 'principal?',
      document_id: 'text:36?',
      external_id: 'text:250?',
      message_id: 'text:250?',
      url: 'text:2000',
      ip_address: 'text:45',
      domain: 'text:255',
      method: 'text:10',
      status: 'int',
      content_type: 'text:100',
      writer_id: 'id',
      writer_seq: 'int',
      hash: 'hash',
    },
    unique: [['writer_id', 'writer_seq']],
    indexes: [
      ['record_id', 'requested_at', 'seq'],
      ['record_id', 'document_id', 'requested_at', 'seq'],
      ['record_id', 'function_name', 'requested_at', 'seq'],
      ['record_id', 'principal_id', 'requested_at', 'seq'],
    ],
  },
  {
    table: 'audit_checkpoint',
    sequence: true,
    columns: {
      made_at: 'stamp',
      writer_id: 'id',
      writer_seq: 'int',
      hash: 'hash',
      /** Digest of an earlier checkpoint's signature. */ previous: 'hash',
      signature: 'text:128',
    },
    indexes: [['writer_id', 'writer_seq']],
  },
];
