/** 003-sharing: full shares, apps on records, carenets and what they hold (specification 2.9, 5.8). */
import type { TableSpec } from '../tables';

export const sharing: readonly TableSpec[] = [
  {
    table: 'record_share',
    sequence: true,
    columns: { id: 'id', record_id: 'id', account_id: 'principal', role_label: 'text:50?', created_at: 'stamp' },
    unique: [
      ['record_id', 'account_id'],
      ['account_id', 'record_id'],
    ],
  },
  {
    table: 'record_app',
    sequence: true,
    columns: { id: 'id', record_id: 'id', app_id: 'principal', authorized_at: 'stamp', authorized_by: 'principal?' },
    unique: [
      ['record_id', 'app_id'],
      ['app_id', 'record_id'],
    ],
  },
  {
    table: 'carenet',
    sequence: true,
    columns: { id: 'id', record_id: 'id', name: 'text:40', created_at: 'stamp' },
    unique: [['id'], ['record_id', 'name']],
  },
  {
    table: 'carenet_account',
    columns: { carenet_id: 'id', account_id: 'principal', can_write: 'flag', created_at: 'stamp' },
    primary: ['carenet_id', 'account_id'],
    indexes: [['account_id', 'carenet_id']],
  },
  {
    table: 'carenet_app',
    columns: { carenet_id: 'id', app_id: 'principal', created_at: 'stamp' },
    primary: ['carenet_id', 'app_id'],
    indexes: [['app_id', 'carenet_id']],
  },
  {
    table: 'carenet_preference',
    columns: {
      carenet_id: 'id',
      lineage_id: 'id',
      /** 1: shared, 0: excluded; no row: by type. */ shared: 'flag',
      changed_at: 'stamp',
    },
    primary: ['carenet_id', 'lineage_id'],
    indexes: [['lineage_id', 'carenet_id']],
  },
  {
    table: 'carenet_autoshare',
    columns: { carenet_id: 'id', type: 'uri', created_at: 'stamp' },
    primary: ['carenet_id', 'type'],
  },
];
