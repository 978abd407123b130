/** 005-messaging: inboxes, attachments, notifications, and the outbox of all that leaves the service (specification 2.2, 2.3, 6). */
import type { TableSpec } from '../tables';

export const messaging: readonly TableSpec[] = [
  {
    table: 'record_message',
    columns: {
      id: 'id', record_id: 'id', sender_id: 'principal', external_id: 'text:250', subject: 'text:100', body: 'long', body_type: 'text:10', severity: 'text:6',
      attachment_count: 'int', created_at: 'stamp', /** Null until the last declared attachment is there (specification 3.5). */ delivered_at: 'stamp?',
    },
    primary: ['id'],
    unique: [['record_id', 'sender_id', 'external_id']],
  },
  {
    table: 'record_message_attachment',
    columns: { record_message_id: 'id', num: 'int', type: 'uri', media_type: 'text:100', size: 'int', document_id: 'id?', content: 'bytes' },
    primary: ['record_message_id', 'num'],
  },
  {
    table: 'message',
    sequence: true,
    columns: {
      id: 'id', account_id: 'principal', sender_id: 'principal', external_id: 'text:250?', record_message_id: 'id?', record_id: 'id?',
      subject: 'text:100', body: 'long', body_type: 'text:10', severity: 'text:6', received_at: 'stamp', read_at: 'stamp?', archived_at: 'stamp?',
    },
    unique: [['id'], ['account_id', 'sender_id', 'external_id']],
    indexes: [['account_id', 'received_at', 'seq'], ['record_message_id'], ['record_id']],
  },
  {
    table: 'notification',
    sequence: true,
    columns: { id: 'id', account_id: 'principal', sender_id: 'principal', record_id: 'id', document_id: 'id?', content: 'text:500', app_url: 'text:300?', received_at: 'stamp' },
    unique: [['id']],
    indexes: [['account_id', 'received_at', 'seq'], ['record_id']],
  },
  {
    table: 'outbox',
    sequence: true,
    columns: {
      id: 'id', /** mail or ping. */ kind: 'text:10', /** Deliveries of one subject leave one at a time, in order. */ subject: 'text:300',
      payload: 'long', created_at: 'stamp', due_at: 'stamp', attempts: 'int', lease_until: 'stamp?', leased_by: 'text:36?',
      sent_at: 'stamp?', dead_at: 'stamp?', last_error: 'text:300?',
    },
    unique: [['id']],
    indexes: [['kind', 'sent_at', 'dead_at', 'due_at'], ['subject', 'seq'], ['sent_at'], ['dead_at']],
  },
  {
    table: 'subscription',
    columns: { id: 'id', app_id: 'principal', record_id: 'id', url: 'text:500', callback: 'text:500', target: 'text:100', digest: 'hash', created_at: 'stamp', expires_at: 'stamp' },
    primary: ['id'],
    unique: [['app_id', 'record_id', 'digest']],
    indexes: [['record_id', 'expires_at'], ['expires_at']],
  },
];
