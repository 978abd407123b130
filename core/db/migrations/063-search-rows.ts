/**
 * 063-search-rows: what searches find of kept resources, in rows of a third of the size. Those of resources that are
 * stored are made in the background, and then go from `fhir_value`.
 */
import type { Transaction } from '../connection';
import type { Dialect } from '../dialect';
import type { TableSpec } from './tables';

export const searchRows: readonly TableSpec[] = [
  {
    table: 'search_value',
    sequence: true,
    columns: {
      /** Record and search parameter; see `search-places.ts`. */ place: 'int',
      /** `seq` of the resource. */ resource: 'int',
      /** A code, the beginning of a text, an address, a reference, or the beginning of a time. */
      word: 'text:150?',
      system: 'text:150?',
      exact: 'long?',
      /** The beginning of a time that stands beside a code. */ low: 'text:27?',
      high: 'text:27?',
      num_from: 'double?',
      num_to: 'double?',
    },
    indexes: [
      ['place', 'word'],
      ['resource', 'place'],
    ],
  },
];

export async function noteUnsought(trx: Transaction, dialect: Dialect): Promise<void> {
  await trx.raw(
    `${dialect.insertIgnore} missing_resource (record_id, lineage_id) select record_id, id from document_lineage ` +
      'where exists (select 1 from fhir_resource where fhir_resource.document_id = document_lineage.latest_id)',
  );
}
