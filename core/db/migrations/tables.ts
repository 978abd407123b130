/** tables: a table as data, and the statements that create it on either database. */
import type { Reads, Transaction } from '../database';
import type { ColumnType, Dialect } from '../dialect';

/** `'id'` is not null, `'id?'` may be null. */
type ColumnSpec = ColumnType | `${ColumnType}?`;

export type IndexSpec = {
  readonly table: string;
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
};

export type ColumnsSpec = {
  readonly table: string;
  readonly columns: Readonly<Record<string, `${ColumnType}?`>>;
};

export type TableSpec = IndexSpec & {
  /** True: a growing `seq` is the primary key; it breaks ties in every ordering. */
  readonly sequence?: boolean;
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly primary?: readonly string[];
};

function columnText(dialect: Dialect, name: string, spec: ColumnSpec): string {
  const nullable = spec.endsWith('?');
  const type = (nullable ? spec.slice(0, -1) : spec) as ColumnType;
  return `${name} ${dialect.columnType(type)}${nullable ? '' : ' not null'}`;
}

function indexName(table: string, columns: readonly string[]): string {
  return `${table}_${columns.join('_')}`.slice(0, 60);
}

/** Creates the indexes that are missing; running it again changes nothing. */
export async function createIndexes(
  on: Reads,
  dialect: Dialect,
  { table, unique = [], indexes = [] }: IndexSpec,
): Promise<void> {
  const present = await dialect.indexesOf(on, table);
  const wanted = [
    ...unique.map((columns) => ({ columns, kind: 'unique index' })),
    ...indexes.map((columns) => ({ columns, kind: 'index' })),
  ];
  for (const { columns, kind } of wanted) {
    const name = indexName(table, columns);
    if (!present.includes(name)) {
      await on.raw(
        `create ${kind} \`${name}\` on \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')})`,
      );
    }
  }
}

/** Creates the table and its indexes where they are missing; running it again changes nothing. */
export async function createTable(trx: Transaction, dialect: Dialect, spec: TableSpec): Promise<void> {
  const parts = [
    ...(spec.sequence ? [`seq ${dialect.sequenceKey}`] : []),
    ...Object.entries(spec.columns).map(([name, column]) => columnText(dialect, `\`${name}\``, column)),
    ...(spec.primary ? [`primary key (${spec.primary.map((name) => `\`${name}\``).join(', ')})`] : []),
  ];
  await trx.raw(`create table if not exists \`${spec.table}\` (${parts.join(', ')}) ${dialect.tableSuffix}`);
  await createIndexes(trx, dialect, spec);
}

/** Adds the columns that are missing; running it again changes nothing. */
export async function createColumns(
  trx: Transaction,
  dialect: Dialect,
  { table, columns }: ColumnsSpec,
): Promise<void> {
  const present = await dialect.columnsOf(trx, table);
  for (const [name, column] of Object.entries(columns).filter(([one]) => !present.includes(one))) {
    await trx.raw(`alter table \`${table}\` add column ${columnText(dialect, `\`${name}\``, column)}`);
  }
}
