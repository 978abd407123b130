/** migrate: brings the core tables up to date, one process at a time, each step safe to run twice. */
import { toTimestamp, type Clock } from '../../base/clock';
import { SetupError } from '../../base/errors';
import type { Database, Reads, Transaction } from '../database';
import { migrations, type Migration } from '.';
import { createColumns, createIndexes, createTable } from './tables';

type MigrationState = { readonly name: string; readonly applied: boolean };

const ledger = { table: 'migration', columns: { name: 'text:100', applied_at: 'stamp' }, primary: ['name'] } as const;

async function appliedNames({ dialect }: Database, on: Reads): Promise<readonly string[]> {
  const columns = await dialect.columnsOf(on, ledger.table);
  return columns.length === 0 ? [] : on('migration').orderBy('name').pluck('name');
}

/** @throws SetupError when the database was migrated by a newer release than this one */
function refuseNewer(applied: readonly string[]): void {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new SetupError([
      `the database was migrated by a newer release (${unknown.join(', ')}): start that release, or restore a backup`,
    ]);
  }
}

/** Every migration of this release and whether the database has it. */
export async function migrationStates(
  database: Database,
  on: Reads = database.reads,
): Promise<readonly MigrationState[]> {
  const applied = await appliedNames(database, on);
  refuseNewer(applied);
  return migrations.map(({ name }) => ({ name, applied: applied.includes(name) }));
}

async function apply({ dialect }: Database, trx: Transaction, migration: Migration, clock: Clock): Promise<void> {
  for (const table of migration.tables) {
    await createTable(trx, dialect, table);
  }
  for (const more of migration.columns ?? []) {
    await createColumns(trx, dialect, more);
  }
  for (const more of migration.indexes ?? []) {
    await createIndexes(trx, dialect, more);
  }
  await migration.change?.(trx, clock, dialect);
  await trx('migration').insert({ name: migration.name, applied_at: toTimestamp(clock.now()) });
}

/** Applies the missing migrations and answers their names. */
export function migrateCore(database: Database, clock: Clock): Promise<readonly string[]> {
  return database.dialect.exclusively(async (trx) => {
    await createTable(trx, database.dialect, ledger);
    const states = await migrationStates(database, trx);
    const missing = migrations.filter((migration) =>
      states.some((state) => state.name === migration.name && !state.applied),
    );
    for (const migration of missing) {
      await apply(database, trx, migration, clock);
    }
    return missing.map(({ name }) => name);
  });
}
