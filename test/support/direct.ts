/** direct: statements of tests that belong to nobody's transaction: each commits by itself. */
import { transactionOn, type Transaction, type Value } from '../../core/storage/connection';
import type { Database } from '../../core/storage/database';

/** The table as the database has it, whoever may see what: `direct(database)('app').where({ id }).first()`. */
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
    },
    // What was written before is committed, and what is written after is not waited for.
    (listener) => void setImmediate(listener),
  );
};
