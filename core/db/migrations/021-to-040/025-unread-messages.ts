/** 025-unread-messages: an index that counts the unread messages of a person. */
import type { IndexSpec } from '../tables';

export const unreadMessages: readonly IndexSpec[] = [
  { table: 'message', indexes: [['account_id', 'archived_at', 'read_at']] },
];
