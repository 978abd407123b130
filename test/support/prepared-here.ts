/** prepared-here: the statements of SQLite that hold up the event loop. */
import { Sqlite } from '../../core/db/sqlite/better-sqlite';

type Prepare = (this: unknown, sql: string) => unknown;

/**
 * The statements that were prepared in this thread, which is that of the event loop, while the work ran. A connection
 * prepares a statement once, so ask for something new. On MariaDB there are none.
 */
export const preparedHere = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const statements: string[] = [];
  const prototype = Sqlite.prototype as unknown as { prepare: Prepare };
  const prepare = Reflect.get(prototype, 'prepare') as Prepare;
  prototype.prepare = function (sql) {
    statements.push(sql);
    return prepare.call(this, sql);
  };
  try {
    await work();
  } finally {
    prototype.prepare = prepare;
  }
  return statements;
};
