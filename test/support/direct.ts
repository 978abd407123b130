/** direct: statements of tests outside of any transaction: each commits by itself. */
import type { Transaction, Value } from '../../core/db/connection';
import { transactionOn } from '../../core/db/session';
import type { Database } from '../../core/db/database';

/** Access to the tables without any access rules: `direct(database)('app').where({ id }).first()`. */
export const direct = ({ dialect, write }: Database): Transaction => {
  const rows = <Row>(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> =>
    write((trx) => trx.rows<Row>(sql, values));
  return transactionOn(
    {
      database: dialect.name,
      rows,
      run: async (sql, values) =>
        /^\s*(select|with|explain|pragma|show|analyze table)\b/i.test(sql)
          ? { rows: await rows(sql, values), changed: 0 }
          : { rows: [], changed: await write((trx) => trx.change(sql, values)) },
      insert: (start, list) => write((trx) => trx.insert(start, list)),
      insertNumbered: (start, row) => write((trx) => trx.insertNumbered(start, row)),
    },
    // Each statement has been committed by now, so listeners are called without waiting for later ones.
    (listener) => void setImmediate(listener),
  );
};
