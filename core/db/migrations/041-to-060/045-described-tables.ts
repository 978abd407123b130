/** 045-described-tables: what people said about the columns of tables, for the next file with the same heads. */
import type { TableSpec } from '../tables';

export const describedTables: readonly TableSpec[] = [
  {
    table: 'described_table',
    columns: {
      account_id: 'principal',
      /** Digest of the heads, which themselves are not kept. */ heads: 'hash',
      /** Roles by the place of the column, order of dates, sign of fractions and units, in JSON. */
      answers: 'text:4000',
      used_at: 'stamp',
    },
    primary: ['account_id', 'heads'],
    indexes: [['account_id', 'used_at']],
  },
];
