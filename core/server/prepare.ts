/** prepare: prepares a database before the first process serves from it. */
import type { Logger } from 'pino';
import { makeSealing, type Sealing } from '../auth/sealing';
import { secretKeysOf } from '../auth/secret-key';
import { refuseKnownSecrets, syncApps, type SyncResult } from '../apps/sync';
import { bringInLeftAside } from '../audit/left-aside';
import { systemClock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import { sqliteFile } from '../config/sqlite-url';
import type { Models } from '../facts/model/models';
import type { Database } from '../db/database';
import { beginWhereEmpty } from '../sealing/seal-stored';
import { migrationStates } from '../db/migrations/migrate';
import { makeContents } from '../sealing/contents-store';
import { admitModels, migrateDatabase, readModels, withDatabase } from './migrate-all';

/**
 * Makes the stored apps equal the manifests; `register` adds and updates only, removal is the operator's own command.
 */
export function synchronize(
  config: Config,
  database: Database,
  sealing: Sealing,
  options: { readonly register?: boolean; readonly force?: boolean; readonly dryRun?: boolean },
): Promise<SyncResult> {
  return syncApps({ config, database, clock: systemClock, sealing }, options);
}

/** Problems of manifests, whose apps stay as they were, and other warnings about them for the operator. */
export type Registered = Pick<SyncResult, 'problems' | 'warnings'>;

export function tellRegistered(log: Logger, { problems, warnings }: Registered): void {
  problems.forEach((problem) => log.warn({ problem }, 'an app could not be registered'));
  warnings.forEach((warning) => log.warn({ warning }, 'an app has something odd about it'));
}

/**
 * Migrates unless that is switched off, and registers the apps.
 * @throws SetupError when the database is behind and must not be migrated here
 */
export async function prepareDatabase(
  config: Config,
  database: Database,
  models: Models,
  sealing: Sealing,
): Promise<Registered> {
  if (config.autoMigrate) {
    await migrateDatabase(database, models);
  } else if ((await migrationStates(database)).some(({ applied }) => !applied)) {
    throw new SetupError(['the database is behind this release and SVC_AUTO_MIGRATE is 0: run svc migrate']);
  } else {
    await admitModels(config, database, models);
  }
  const file = sqliteFile(config.databaseUrl);
  if (file !== undefined) {
    bringInLeftAside(file);
  }
  await beginWhereEmpty({ database, contents: makeContents(sealing), clock: systemClock });
  return synchronize(config, database, sealing, { register: true });
}

/**
 * As `prepareDatabase`, for a process that serves no requests itself but starts those that do.
 * @returns the kind of database
 * @throws SetupError as `prepareDatabase`, `refuseKnownSecrets` and `withDatabase` do
 */
export async function prepareAlone(config: Config, log: Logger): Promise<string> {
  return withDatabase(
    config,
    async (database) => {
      const sealing = makeSealing(secretKeysOf(config));
      tellRegistered(log, await prepareDatabase(config, database, readModels(config), sealing));
      await refuseKnownSecrets({ config, database, sealing });
      return database.dialect.version;
    },
    { make: config.autoMigrate },
  );
}

/** Registers the apps anew from the manifests, for a process that serves no requests itself. */
export async function registerAlone(config: Config, log: Logger): Promise<Registered> {
  const registered = await withDatabase(config, (database) =>
    synchronize(config, database, makeSealing(secretKeysOf(config)), { register: true }),
  );
  tellRegistered(log, registered);
  return registered;
}
