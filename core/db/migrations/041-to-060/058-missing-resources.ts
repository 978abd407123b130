/**
 * 058-missing-resources: documents whose facts were stored before facts had resources, or came with an imported record.
 * Their rows go once the resources are made.
 */
import type { Transaction } from '../../connection';
import type { Dialect } from '../../dialect';
import type { TableSpec } from '../tables';

export const missingResources: readonly TableSpec[] = [
  {
    table: 'missing_resource',
    sequence: true,
    columns: { record_id: 'id', lineage_id: 'id' },
    unique: [['lineage_id']],
    indexes: [['record_id']],
  },
];

/** The id of a resource may have an ending behind the id of its statement. */
const LONGEST_ID = 'text:64';

export async function noteMissing(trx: Transaction, dialect: Dialect): Promise<void> {
  if (dialect.name === 'mysql') {
    await trx.raw(`alter table fhir_resource modify column id ${dialect.columnType(LONGEST_ID)} not null`);
  }
  await trx.raw(
    `${dialect.insertIgnore} missing_resource (record_id, lineage_id) select record_id, id from document_lineage where not exists (select 1 from fhir_resource where fhir_resource.document_id = document_lineage.latest_id)`,
  );
}
