/**
 * 068-search-tests: an index from which searches by codes, dates and amounts are answered. The index that it replaces
 * led to the row of each value of a parameter, which took ten times as long. One for each kind of test would be larger.
 */
import type { Transaction } from '../connection';
import type { Dialect } from '../dialect';
import type { IndexSpec } from './tables';

const TABLE = 'search_value';
const REPLACED = 'search_value_place_word';

export const searchTests: readonly IndexSpec[] = [
  { table: TABLE, indexes: [['place', 'word', 'system', 'high', 'num_from', 'num_to']] },
];

export async function dropReplaced(trx: Transaction, dialect: Dialect): Promise<void> {
  if ((await dialect.indexesOf(trx, TABLE)).includes(REPLACED)) {
    await trx.raw(dialect.dropIndex(TABLE, REPLACED));
  }
}
