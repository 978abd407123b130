/**
 * migrate-all: migrates the core tables, then the fact tables of the models, and reports what was done and what is to
 * be done.
 */
import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import { IN_MEMORY, sqliteFile } from '../config/sqlite-url';
import { factTables } from '../facts/model/fact-tables';
import { loadModels, type Models } from '../facts/model/models';
import { applyPlans, describeStep, planSteps, type PlanStep } from '../facts/apply-plan';
import type { Database } from '../db/database';
import { openDatabase } from '../db/open';
import { migrateCore, migrationStates } from '../db/migrations/migrate';
import type { TablePlan } from '../facts/plans';

export type PlanLine = { readonly state: 'applied' | 'pending' | 'done' | 'kept'; readonly what: string };

/** @throws SetupError with every problem of the model files */
export function readModels(config: Config): Models {
  const { models, problems } = loadModels(config.datamodelsDirs, config.vocabBase);
  if (problems.length > 0) {
    throw new SetupError(problems);
  }
  return models;
}

function factTablePlans(models: Models): readonly TablePlan[] {
  return [...factTables(models).values()];
}

/** The file of an embedded database, if it does not exist yet. */
function missingFile({ databaseUrl }: Config): string | undefined {
  const file = sqliteFile(databaseUrl);
  return file === undefined || existsSync(file) ? undefined : file;
}

/** @throws SetupError when there is no file: making one would show an empty database if the setting is misspelt */
export function requireDatabase(config: Config): void {
  const file = missingFile(config);
  if (file !== undefined) {
    throw new SetupError([
      `SVC_DATABASE_URL: there is no database ${file}: name the one that is meant, or run svc migrate to make it`,
    ]);
  }
}

/**
 * Opens the database of the settings for the time of `work`.
 * @param make for commands that may be the first ones: a missing database is made
 * @throws SetupError when it is missing otherwise, and when a newer release has migrated it
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  { make = false }: { readonly make?: boolean } = {},
): Promise<T> {
  if (!make) {
    requireDatabase(config);
  }
  const database = await openDatabase(config.databaseUrl, config.databasePool);
  try {
    await migrationStates(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

function planLine(state: 'pending' | 'done') {
  return (step: PlanStep): PlanLine => ({ state: step.sql === undefined ? 'kept' : state, what: describeStep(step) });
}

/** Migrates an open database, and returns what was done. */
export async function migrateDatabase(database: Database, models: Models): Promise<readonly PlanLine[]> {
  const core = await migrateCore(database, systemClock);
  const facts = await applyPlans(database, factTablePlans(models));
  return [...core.map((what): PlanLine => ({ state: 'done', what })), ...facts.map(planLine('done'))];
}

/** Makes the fact tables that new models need, before documents are read with these models. */
export async function admitModels(config: Config, database: Database, models: Models): Promise<void> {
  const plans = factTablePlans(models);
  const missing = (await planSteps(database, plans)).filter((step) => step.sql !== undefined);
  if (missing.length > 0 && !config.autoMigrate) {
    throw new SetupError([
      'the models need other fact tables and SVC_AUTO_MIGRATE is 0: run svc migrate first',
      ...missing.map(describeStep),
    ]);
  }
  if (missing.length > 0) {
    await applyPlans(database, plans);
  }
}

export function migrateAll(config: Config): Promise<readonly PlanLine[]> {
  const models = readModels(config);
  return withDatabase(config, (database) => migrateDatabase(database, models), { make: true });
}

/**
 * Every migration and every step on a fact table, done or to be done; changes nothing. A file that does not exist yet
 * needs the same steps as an empty database.
 */
export function migrationPlan(config: Config): Promise<readonly PlanLine[]> {
  const models = readModels(config);
  return withDatabase(
    missingFile(config) === undefined ? config : { ...config, databaseUrl: `sqlite:${IN_MEMORY}` },
    async (database) => {
      const core = await migrationStates(database);
      const facts = await planSteps(database, factTablePlans(models));
      return [
        ...core.map(({ name, applied }): PlanLine => ({ state: applied ? 'applied' : 'pending', what: name })),
        ...facts.map(planLine('pending')),
      ];
    },
  );
}
