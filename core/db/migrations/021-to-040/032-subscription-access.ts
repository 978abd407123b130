/**
 * 032-subscription-access: the access with which an app made a subscription, which then ends with that access. Both
 * columns are null when the app signed with its own key.
 */
import type { ColumnsSpec, IndexSpec } from '../tables';

export const subscriptionAccess: readonly ColumnsSpec[] = [
  { table: 'subscription', columns: { account_id: 'principal?', carenet_id: 'id?' } },
];

export const subscriptionAccessIndexes: readonly IndexSpec[] = [
  {
    table: 'subscription',
    indexes: [
      ['account_id', 'record_id'],
      ['carenet_id', 'app_id'],
    ],
  },
];
