/** 017-smart-tokens: what SMART tokens may do, and the grant that they came from. */
import type { ColumnsSpec, IndexSpec } from '../tables';

export const smartTokenColumns: readonly ColumnsSpec[] = [
  {
    table: 'access_token',
    columns: { /** Separated by spaces. */ scopes: 'long?', grant_hash: 'hash?' },
  },
];

export const smartTokenIndexes: readonly IndexSpec[] = [{ table: 'access_token', indexes: [['grant_hash']] }];
