/** guarded-database: the database as one request may use it: what must be true before it writes is asked where it writes. */
import type { Database, Transaction } from '../storage/database';

/** @throws AppError permission_denied when the caller may not do it any more */
export type Admission = (trx: Transaction) => Promise<void>;

/** Every transaction begins with its admission. */
export const admitting = (database: Database, admit: Admission): Database => {
  const transaction: Database['transaction'] = (work) => database.transaction(async (trx) => {
    await admit(trx);
    return work(trx);
  });
  return { ...database, transaction, write: transaction, writeAhead: transaction, askAgain: admit };
};

/** Nothing is written before `settled` has resolved, nor after it has rejected. */
export const writingAfter = (database: Database, settled: Promise<void>): Database => ({
  ...database,
  transaction: async (work) => { await settled; return database.transaction(work); },
  write: async (work) => { await settled; return database.write(work); },
  writeAhead: async (work) => { await settled; return database.writeAhead(work); },
});
