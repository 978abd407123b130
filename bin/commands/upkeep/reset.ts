/** reset: `svc reset --yes`: makes an empty, migrated database with the apps of the manifests. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { removeLeftAside } from '../../../core/audit/left-aside';
import { acceptRestored } from '../../../core/audit/restored';
import { openAuditSigner } from '../../../core/audit/signer';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { Damaged, requireStopped } from '../../../core/backup/sqlite-file';
import { systemClock } from '../../../core/base/clock';
import { SetupError } from '../../../core/base/errors';
import { loadConfig } from '../../../core/config/load';
import type { Config } from '../../../core/config/schema';
import { sqliteFile } from '../../../core/config/sqlite-url';
import { readModels, withDatabase } from '../../../core/server/migrate-all';
import { prepareDatabase } from '../../../core/server/prepare';
import { isDamage } from '../../../core/db/db-errors';
import { emptyDatabase } from '../../../core/backup/empty';

/**
 * Refuses while a service uses the database: it would sign the audit log of the new database with the key and the chain
 * of the old one. With MariaDB and MySQL this cannot be seen.
 */
function refuseServed({ databaseUrl }: Config): void {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined && existsSync(file)) {
    requireStopped(file);
  }
}

function sayWhatHelps(error: unknown, { databaseUrl }: Config): unknown {
  return error instanceof Damaged || isDamage(error)
    ? new SetupError([
        `${sqliteFile(databaseUrl)} is damaged or no SQLite database: move it away, or put a backup in its place with svc restore`,
      ])
    : error;
}

async function reset(config: Config): Promise<void> {
  const models = readModels(config);
  refuseServed(config);
  const file = sqliteFile(config.databaseUrl);
  if (file !== undefined) {
    removeLeftAside(file);
  }
  await withDatabase(
    config,
    async (database) => {
      await emptyDatabase(database);
      const sealing = makeSealing(secretKeysOf(config));
      const { problems } = await prepareDatabase({ ...config, autoMigrate: true }, database, models, sealing);
      problems.forEach((problem) => process.stderr.write(`svc: ${problem}\n`));
      const signer = await openAuditSigner(database, sealing, systemClock, { config });
      await acceptRestored({ config, database, signer, clock: systemClock }, 'svc reset');
    },
    { make: true },
  );
}

export function addReset(program: Command): void {
  program
    .command('reset')
    .description(
      'empty the database, migrate, sync apps: everything stored is lost. Stop the service first: on SQLite a ' +
        'database in use is refused, on MariaDB and MySQL nobody notices',
    )
    .option('--yes', 'yes, remove every account, record and document')
    .action(async (options: { yes?: boolean }) => {
      if (!options.yes) {
        program.error('svc: reset removes everything: add --yes when you mean it', { exitCode: 2 });
      }
      const config = loadConfig();
      await reset(config).catch((error: unknown) => {
        throw sayWhatHelps(error, config);
      });
      process.stdout.write('the database is empty, migrated and knows the apps of the manifests\n');
    });
}
