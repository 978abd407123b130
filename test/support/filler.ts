/**
 * filler: inserts rows of other people straight into every table, so that tables are as full as in a large
 * installation.
 */
import { toTimestamp } from '../../core/base/clock';
import { newId, sha256 } from '../../core/base/ids';
import type { Database } from '../../core/db/database';
import type { ColumnType } from '../../core/db/dialect';
import { insertRows } from '../../core/db/insert-rows';
import { migrations } from '../../core/db/migrations';
import type { TablePlan } from '../../core/facts/plans';
import { BASE_COLUMNS } from '../../core/facts/store';
import type { TableSpec } from '../../core/db/migrations/tables';
import { direct } from './direct';

/** Tables that stay small however many people use an installation. */
export const smallTables: readonly string[] = [
  'app',
  'app_required_type',
  'coding_system',
  'installation',
  'audit_checkpoint',
];

const PER_RECORD = 20;

const valueOf = (type: ColumnType, name: string, number: number): string | number | Buffer => {
  const shared = Math.floor(number / PER_RECORD);
  switch (type) {
    case 'id':
      return name === 'id' || name === 'latest_id' || name === 'lineage_id' || name === '_id'
        ? newId()
        : `filler-${shared}`;
    // Clean-up must remove none of these rows.
    case 'stamp':
      return /^(?:expires|sent|dead)_at$/.test(name)
        ? '2999-01-01T00:00:00.000000Z'
        : toTimestamp(Date.UTC(2020, 0, 1) + number * 60_000);
    case 'date':
      return '2020-01-01';
    case 'hash':
      return sha256(`${name} ${number}`);
    case 'principal':
      return name === 'id' ? `filler-${number}@example.org` : `filler-${shared}@example.org`;
    case 'uri':
      return `https://filler.example/type-${number % 30}`;
    case 'bytes':
      return Buffer.from('filler');
    case 'flag':
      return number % 2;
    case 'int':
    case 'double':
      return number;
    default:
      return `filler ${number}`.slice(0, type === 'long' ? 100 : Number(type.slice(5)));
  }
};

/**
 * Nonces show whether the clock has stood still or gone back, so these expire like nonces that were claimed just now.
 */
const nonceExpiry = (): string => toTimestamp(Date.now() + 60_000);

type Columns = Readonly<Record<string, string>>;

const fill = async (database: Database, table: string, columns: Columns, rows: number): Promise<void> => {
  const cellOf = (name: string, spec: string, number: number): ReturnType<typeof valueOf> | null => {
    if (table === 'nonce' && name === 'expires_at') {
      return nonceExpiry();
    }
    return spec.endsWith('?') && number % 3 === 0 ? null : valueOf(spec.replace('?', '') as ColumnType, name, number);
  };
  const made = Array.from({ length: rows }, (_, number) =>
    Object.fromEntries(Object.entries(columns).map(([name, spec]) => [name, cellOf(name, spec, number)])),
  );
  for (let start = 0; start < rows; start += 500) {
    await insertRows(
      direct(database),
      table,
      Object.keys(columns),
      made.slice(start, start + 500),
      database.dialect.insertIgnore,
    );
  }
};

/** Inserts `rows` rows into each growing table and each fact table, and lets the database update its statistics. */
export const fillTables = async (database: Database, facts: readonly TablePlan[], rows: number): Promise<void> => {
  const core: readonly TableSpec[] = migrations
    .flatMap(({ tables }) => tables)
    .filter(({ table }) => !smallTables.includes(table));
  for (const { table, columns } of core) {
    await fill(database, table, columns, rows);
  }
  for (const { table, columns } of facts) {
    const own = Object.fromEntries(columns.filter(({ packed }) => !packed).map(({ name, type }) => [name, `${type}?`]));
    await fill(
      database,
      table,
      { ...Object.fromEntries(BASE_COLUMNS.map((name) => [name, name === '_created_at' ? 'stamp' : 'id'])), ...own },
      rows,
    );
  }
  await direct(database)('document_lineage').where('record_id', 'like', 'filler-%').update({ status: 'active' });
  const names = [...core.map(({ table }) => table), ...facts.map(({ table }) => table)];
  if (database.dialect.name === 'mysql') {
    await direct(database).raw(`analyze table ${names.map((name) => `\`${name}\``).join(', ')}`);
  }
};
