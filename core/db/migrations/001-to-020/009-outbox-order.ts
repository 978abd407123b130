/** 009-outbox-order: indexes that find the next delivery of each subject without reading those that wait behind it. */
import type { IndexSpec } from '../tables';

export const outboxOrder: readonly IndexSpec[] = [
  {
    table: 'outbox',
    indexes: [
      ['kind', 'sent_at', 'dead_at', 'subject', 'seq'],
      ['subject', 'lease_until'],
    ],
  },
];
