/** 025-unread-messages: how many messages of a person wait to be read, counted in an index. */
import type { IndexSpec } from '../tables';

export const unreadMessages: readonly IndexSpec[] = [
  { table: 'message', indexes: [['account_id', 'archived_at', 'read_at']] },
];
