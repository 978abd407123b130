/** described-tables-store: what a person said about the columns of a table, by the digest of its heads. */
import type { PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';

/** An account keeps this many; the one that was used longest ago goes. */
export const MOST_DESCRIBED = 50;

type Described = { readonly accountId: PrincipalId; readonly heads: string };

/** The answers in JSON; undefined for heads that nobody has described. */
export async function findDescribedTable(on: Reads, { accountId, heads }: Described): Promise<string | undefined> {
  const row = (await on('described_table').where({ account_id: accountId, heads }).first({ answers: 'answers' })) as
    { readonly answers: string } | undefined;
  return row?.answers;
}

/** Keeps the answers for the next file with these heads. */
export async function putDescribedTable(
  trx: Transaction,
  { accountId, heads }: Described,
  answers: string,
  now: Timestamp,
): Promise<void> {
  const row = { answers, used_at: now };
  await trx('described_table')
    .insert({ account_id: accountId, heads, ...row })
    .onConflict(['account_id', 'heads'])
    .merge(row);
  const older = (await trx('described_table')
    .where({ account_id: accountId })
    .orderBy([{ column: 'used_at', order: 'desc' }, { column: 'heads' }])
    .offset(MOST_DESCRIBED)
    .limit(MOST_DESCRIBED)
    .select({ heads: 'heads' })) as readonly { readonly heads: string }[];
  if (older.length > 0) {
    await trx('described_table')
      .where({ account_id: accountId })
      .whereIn(
        'heads',
        older.map((one) => one.heads),
      )
      .delete();
  }
}
