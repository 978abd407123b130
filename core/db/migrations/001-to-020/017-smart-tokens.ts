/** 017-smart-tokens: the scopes of SMART tokens, and the grant from which they were issued. */
import type { ColumnsSpec, IndexSpec } from '../tables';

export const smartTokenColumns: readonly ColumnsSpec[] = [
  {
    table: 'access_token',
    columns: { /** Separated by spaces. */ scopes: 'long?', grant_hash: 'hash?' },
  },
];

export const smartTokenIndexes: readonly IndexSpec[] = [{ table: 'access_token', indexes: [['grant_hash']] }];
