/**
 * guarded-database: the database as one request sees it. Each of its transactions first checks what must be true for
 * the request to write.
 */
import type { Database, Transaction } from '../db/database';

export type Admission = {
  /** @throws AppError permission_denied when the caller has lost the permission */
  readonly admit: (trx: Transaction) => Promise<void>;
  /**
   * Tests what may end while the transaction waits for a lock; absent where nothing can end before the transaction does.
   * @throws AppError permission_denied
   */
  readonly askAgain?: (trx: Transaction) => Promise<void>;
};

/** Checks the admission at the beginning of every transaction. */
export function admitting(database: Database, { admit, askAgain }: Admission): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (trx) => {
      await admit(trx);
      return work(askAgain ? Object.assign(trx, { askAgain: () => askAgain(trx) }) : trx);
    });
  return { ...database, transaction, write: transaction };
}

/** Lets a transaction begin only when `settled` has resolved; none begins after it has rejected. */
export function writingAfter(database: Database, settled: Promise<void>): Database {
  return {
    ...database,
    transaction: async (work) => {
      await settled;
      return database.transaction(work);
    },
    write: async (work, when) => {
      await settled;
      return database.write(work, when);
    },
  };
}
