/** 009-outbox-order: whose turn it is, found without reading through what waits behind it. */
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
