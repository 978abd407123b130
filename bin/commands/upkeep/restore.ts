/** restore: `svc restore FILE`: replaces the SQLite database with a backup. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import { acceptRestored } from '../../../core/audit/restored';
import { openAuditSigner } from '../../../core/audit/signer';
import { makeSealing } from '../../../core/auth/sealing';
import { presentSecretKeys } from '../../../core/auth/secret-key';
import { NotEmpty, restore } from '../../../core/backup/restore';
import { databaseFile, migrationNames, withFile } from '../../../core/backup/sqlite-file';
import { systemClock } from '../../../core/base/clock';
import { loadConfig } from '../../../core/config/load';
import type { Config } from '../../../core/config/schema';
import { withDatabase } from '../../../core/server/migrate-all';
import { migrations } from '../../../core/db/migrations';
import { exitOnSignals } from '../../signals';

type Options = { readonly yes?: boolean; readonly json?: boolean };

/**
 * Signs, beside the heads of the audit log, that the log went back with its database. Without this signature,
 * `verify-audit` would treat the log as one that was cut.
 * @returns how many chains went back; undefined while this cannot be signed, because the key or a migration is missing
 */
async function signForAuditLog(config: Config, file: string): Promise<number | undefined> {
  const keys = presentSecretKeys(config);
  const present = withFile(databaseFile(config.databaseUrl), migrationNames);
  if (!keys || migrations.some(({ name }) => !present.includes(name))) {
    return undefined;
  }
  return withDatabase(config, async (database) => {
    const signer = await openAuditSigner(database, makeSealing(keys), systemClock, { config });
    return acceptRestored({ config, database, signer, clock: systemClock }, `svc restore ${basename(file)}`);
  }).catch(() => undefined);
}

async function runRestore(file: string, { yes = false, json }: Options): Promise<void> {
  const config = loadConfig();
  const restored = await restore(config.databaseUrl, file, { yes, now: new Date() });
  const chains = await signForAuditLog(config, file);
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...restored, chainsTakenBack: chains ?? null })}\n`
      : `${restored.accounts} accounts, ${restored.records} records, ${restored.documents} documents, ${restored.audits} audit rows are in ${restored.file}\n` +
          `${restored.before === null ? '' : `what was there before is ${restored.before}\n`}` +
          'Start the service with the secret key of that installation. svc verify-audit checks the audit log.\n' +
          (chains === undefined
            ? 'It could not be signed yet that the audit log went back. Once the service runs, call svc verify-audit --restored "why".\n'
            : `${chains} chains of the audit log went back with it: this is signed in ${config.auditHead}.\n`),
  );
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description(
      'put a backup in the place of the SQLite database, with the service stopped; what was there is kept beside it',
    )
    .argument('<file>', 'a file of svc backup')
    .option('--yes', 'go on although the database holds accounts, records or documents')
    .option('--json', 'print what was restored as JSON')
    .action(async (file: string, options: Options) => {
      exitOnSignals();
      try {
        await runRestore(file, options);
      } catch (error) {
        if (error instanceof NotEmpty) {
          program.error(`svc: ${error.message}`, { exitCode: 2 });
        }
        throw error;
      }
    });
}
