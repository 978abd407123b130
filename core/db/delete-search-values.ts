/** delete-search-values: removes what searches find of resources, before the resources themselves. */
import type { Knex } from 'knex';
import type { Transaction } from './connection';
import { inParts } from './in-parts';

/** In `fhir_value` are the rows of resources that were stored before `search_value` was made. */
const TABLES: readonly string[] = ['search_value', 'fhir_value'];

/**
 * Removes the search values of some resources. MariaDB reads the whole table for a `delete` with a subselect, so their
 * numbers are read first.
 * @param resources rows of fhir_resource
 */
export async function deleteSearchValues(
  trx: Transaction,
  resources: Knex.QueryBuilder,
  tables: readonly string[] = TABLES,
): Promise<void> {
  const numbers = (await resources.clone().pluck('seq')) as readonly number[];
  for (const part of inParts(numbers)) {
    for (const table of tables) {
      await trx(table).whereIn('resource', part).delete();
    }
  }
}
