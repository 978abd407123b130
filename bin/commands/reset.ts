/** reset: `svc reset --yes`: an empty, migrated database with the apps of the manifests. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { requireStopped } from '../../core/backup/sqlite-file';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import { sqliteFile } from '../../core/config/sqlite-url';
import { readModels, withDatabase } from '../../core/server/migrate-all';
import { prepareDatabase } from '../../core/server/prepare';
import { emptyDatabase } from '../../core/storage/empty';

/** A service that goes on would sign the audit log of the new database with the key and the chain of the old one. */
const refuseServed = ({ databaseUrl }: Config): void => {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined && existsSync(file)) {
    requireStopped(file);
  }
};

export const addReset = (program: Command): void => {
  program.command('reset')
    .description('empty the database, migrate, sync apps, with the service stopped: everything stored is lost')
    .option('--yes', 'yes, remove every account, record and document')
    .action(async (options: { yes?: boolean }) => {
      if (!options.yes) {
        program.error('svc: reset removes everything: add --yes when you mean it', { exitCode: 2 });
      }
      const config = loadConfig();
      const models = readModels(config);
      refuseServed(config);
      await withDatabase(config, async (database) => {
        await emptyDatabase(database);
        const { problems } = await prepareDatabase({ ...config, autoMigrate: true }, database, models, makeSealing(secretKeysOf(config)));
        problems.forEach((problem) => process.stderr.write(`svc: ${problem}\n`));
      }, { make: true });
      process.stdout.write('the database is empty, migrated and knows the apps of the manifests\n');
    });
};
