/** 062-seen-changes: when a person last said that they have seen what changed in a record. */
import type { TableSpec } from './tables';

export const seenChanges: readonly TableSpec[] = [
  {
    table: 'seen_changes',
    columns: { record_id: 'id', account_id: 'principal', seen_at: 'stamp' },
    primary: ['record_id', 'account_id'],
  },
];
