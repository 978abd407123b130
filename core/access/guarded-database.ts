/**
 * guarded-database: the database as one request sees it. Each of its transactions first checks what must be true for
 * the request to write.
 */
import type { Database, Transaction } from '../db/database';

export type Admission = {
  /** @throws AppError permission_denied when the caller has lost the permission */
  readonly admit: (trx: Transaction) => Promise<void>;
  /**
   * True: the permission may end while the transaction waits for a lock, so it is checked again then. False: it cannot
   * end before the transaction does.
   */
  readonly mayEnd: boolean;
};

/** Checks the admission at the beginning of every transaction. */
export function admitting(database: Database, { admit, mayEnd }: Admission): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (trx) => {
      await admit(trx);
      return work(mayEnd ? Object.assign(trx, { askAgain: () => admit(trx) }) : trx);
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
