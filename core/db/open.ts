/** open: opens the database that a URL names. */
import { traced, bound, type Traced } from '../base/tracing';
import { sqlitePath } from '../config/sqlite-url';
import type { Database, Patience } from './database';
import { type Transaction } from './database';
import { openMysql } from './mysql/open';
import { openSqlite } from './sqlite/open';

/**
 * Opens the database of `SVC_DATABASE_URL`.
 * @throws SetupError when it cannot be reached
 */
export async function openDatabase(url: string, pool: number, patience = PATIENT): Promise<Database> {
  const path = sqlitePath(url);
  const opened = path === undefined ? await openMysql(url, pool, patience) : openSqlite(path, patience);
  const {
    driver,
    readers: { close, ...readers },
    ...rest
  } = opened;
  return {
    ...readers,
    ...rest,
    // Several requests may share a commit, so each traces its own transaction.
    transaction: (work) =>
      traced('transaction', { 'db.system.name': driver.name }, (span) =>
        rest.transaction(span ? bound(countingAttempts(span, work)) : work),
      ),
    write: (work, when) => rest.write(bound(work), when),
    close: async () => {
      await close();
      await driver.close();
    },
  };
}
function countingAttempts<T>(span: Traced, work: Work<T>): Work<T> {
  let attempts = 0;
  return (trx) => {
    attempts += 1;
    span.note({ 'svc.attempts': attempts });
    return work(trx);
  };
}
/** For commands, which may wait long. */
export const PATIENT: Patience = { lockMilliseconds: 15_000 };
type Work<T> = (trx: Transaction) => Promise<T>;
