/** delete-search-values: removes what searches find of resources, before the resources themselves. */
import type { Knex } from 'knex';
import type { Transaction } from './connection';
import { inParts } from './in-parts';

/** Rows of resources that were stored before `search_value` was made; they go one document after the other. */
export const EARLIER = 'fhir_value';
const NOW = 'search_value';

/** The tables of what searches find of resources. */
export const SOUGHT: readonly string[] = [NOW, EARLIER];

/** Removes the search values in one table that are of the resources of a document. */
export function deleteValuesOf(trx: Transaction, table: string, documentId: string): Promise<number> {
  const sql =
    trx.database === 'sqlite'
      ? `delete from ${table} where resource in (select seq from fhir_resource where document_id = ?)`
      : // MariaDB reads the whole table for a subselect.
        `delete found from fhir_resource as kept straight_join ${table} as found on found.resource = kept.seq ` +
        'where kept.document_id = ?';
  return trx.change(sql, [documentId]);
}

type Row = { readonly seq: number; readonly earlier: number };

/**
 * Removes the search values of some resources. MariaDB reads the whole table for a `delete` with a subselect, so their
 * numbers are read first.
 * @param resources rows of fhir_resource
 */
export async function deleteSearchValues(
  trx: Transaction,
  resources: Knex.QueryBuilder,
  tables: readonly string[] = SOUGHT,
): Promise<void> {
  const had = trx.raw(`exists (select 1 from ${EARLIER} as had where had.resource = fhir_resource.seq) as earlier`);
  const rows = (await resources.clone().select('seq', had)) as readonly Row[];
  for (const table of tables) {
    const held = table === EARLIER ? rows.filter(({ earlier }) => Number(earlier) === 1) : rows;
    for (const part of inParts(held.map(({ seq }) => seq))) {
      await trx(table).whereIn('resource', part).delete();
    }
  }
}
