/** 001-principals: accounts, apps, and the one namespace of ids that they share (specification 2.1, 2.10). */
import type { TableSpec } from '../tables';

export const principals: readonly TableSpec[] = [
  {
    table: 'principal',
    columns: { id: 'principal', kind: 'text:10', name: 'text:200', created_at: 'stamp', created_by: 'principal?' },
    primary: ['id'],
  },
  {
    table: 'account',
    columns: {
      id: 'principal', full_name: 'text:150', contact_email: 'text:300', /** Lower case, what searches compare. */ search_name: 'text:300', search_email: 'text:600', state: 'text:13', last_state_change: 'stamp?',
      last_login_at: 'stamp?', total_login_count: 'int', failed_login_count: 'int', last_failed_login_at: 'stamp?',
      primary_secret: 'text:300?', secondary_secret: 'text:300?', secrets_expire_at: 'stamp?', secret_failures: 'int',
      created_at: 'stamp', created_by: 'principal?',
    },
    primary: ['id'],
  },
  {
    table: 'account_auth_system',
    columns: { account_id: 'principal', auth_system: 'text:100', username: 'text:250', password_hash: 'text:300?' },
    primary: ['account_id', 'auth_system'],
    unique: [['auth_system', 'username']],
  },
  {
    table: 'app',
    columns: {
      id: 'principal', kind: 'text:5', name: 'text:200', description: 'text:2000', author: 'text:200', version: 'text:40',
      svc_version: 'text:40?', autonomous: 'flag', autonomous_reason: 'text:2000?', frameable: 'flag', has_ui: 'flag',
      index_url: 'text:500?', icon: 'text:500?', callback_url: 'text:500?', manifest: 'long',
      /** Kind and folder name it was registered from. */ folder: 'text:500',
      consumer_key: 'text:200', consumer_secret: 'text:300', digest: 'hash', retired_at: 'stamp?', created_at: 'stamp', updated_at: 'stamp',
    },
    primary: ['id'],
    unique: [['consumer_key']],
    indexes: [['kind', 'name']],
  },
  {
    table: 'app_required_type',
    columns: { app_id: 'principal', type: 'uri' },
    primary: ['app_id', 'type'],
    indexes: [['type', 'app_id']],
  },
  {
    table: 'app_preference',
    columns: { account_id: 'principal', app_id: 'principal', media_type: 'text:100', updated_at: 'stamp', content: 'bytes' },
    primary: ['account_id', 'app_id'],
    indexes: [['app_id']],
  },
  {
    table: 'app_document',
    sequence: true,
    columns: {
      id: 'id', app_id: 'principal', /** The record, or empty for storage that belongs to the app alone. */ scope: 'text:36',
      external_id: 'text:250?', type: 'uri?', media_type: 'text:100', size: 'int', digest: 'hash', label: 'text:100?',
      status: 'text:8', creator_id: 'principal', created_at: 'stamp', updated_at: 'stamp', content: 'bytes',
    },
    unique: [['id'], ['app_id', 'scope', 'external_id']],
    indexes: [['app_id', 'scope', 'created_at', 'seq'], ['scope']],
  },
];
