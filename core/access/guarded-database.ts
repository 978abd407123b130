/**
 * guarded-database: the database of one request: what must be true before the request writes is checked in each of its
 * transactions.
 */
import type { Database, Transaction } from '../storage/database';

export type Admission = {
  /** @throws AppError permission_denied when the caller may not do it any more */
  readonly admit: (trx: Transaction) => Promise<void>;
  /**
   * True: the permission may end while the transaction waits for a lock, so it is checked again then. False: it cannot
   * end before the transaction does.
   */
  readonly mayEnd: boolean;
};

/** Every transaction begins with its admission. */
export const admitting = (database: Database, { admit, mayEnd }: Admission): Database => {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (trx) => {
      await admit(trx);
      return work(mayEnd ? Object.assign(trx, { askAgain: () => admit(trx) }) : trx);
    });
  return { ...database, transaction, write: transaction };
};

/** Nothing is written before `settled` has resolved, nor after it has rejected. */
export const writingAfter = (database: Database, settled: Promise<void>): Database => ({
  ...database,
  transaction: async (work) => {
    await settled;
    return database.transaction(work);
  },
  write: async (work, when) => {
    await settled;
    return database.write(work, when);
  },
});
