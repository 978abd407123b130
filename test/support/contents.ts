/** contents: reads sealed rows of the database in clear. */
import { makeSealing } from '../../core/auth/sealing';
import type { Database } from '../../core/db/database';
import { makeContents, type ContentKey } from '../../core/sealing/contents-store';
import { type RawRow, openRow } from '../../core/sealing/tables-store';

/** The key of the services that tests start. */
const KEY = 'only for tests: 0123456789abcdef';

/** The column with the record of a row, by table. */
const recordOf: Readonly<Record<string, string>> = {
  document: 'record_id',
  record_message: 'record_id',
  message: 'record_id',
  app_document: 'scope',
};

/**
 * Rows of a table in clear.
 * @param where a condition with its values
 */
export const openedRows = async (
  { reads }: Pick<Database, 'reads'>,
  table: string,
  where: readonly [text: string, ...values: string[]] = ['1 = 1'],
): Promise<readonly RawRow[]> => {
  // The contents are made anew for each database, because they keep the key of the installation.
  const contents = makeContents(makeSealing([KEY]));
  const [text, ...values] = where;
  const column = recordOf[table]!;
  const rows = await reads.rows<RawRow & { readonly content_key: ContentKey }>(
    `select t.*, (select record.content_key from record where record.id = t.${column}) as content_key from ${table} as t where ${text}`,
    values,
  );
  const common = await contents.common(reads);
  return rows.map((row) => openRow(table, (row[column] ?? '') === '' ? common : contents.under(row.content_key), row));
};
