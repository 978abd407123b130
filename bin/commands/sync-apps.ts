/** sync-apps: `svc sync-apps`: makes the stored apps equal the manifests (specification 2.12). */
import type { Command } from 'commander';
import { SetupError } from '../../core/base/errors';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';
import { synchronize } from '../../core/server/prepare';
import type { SyncResult } from '../../core/apps/sync';

function printDifference({ added, updated, removed, unchanged, warnings }: SyncResult): void {
  warnings.forEach((warning) => process.stderr.write(`svc: warning: ${warning}\n`));
  const lines = [
    ...added.map((id) => `added    ${id}`),
    ...updated.map((id) => `updated  ${id}`),
    ...removed.map((id) => `removed  ${id}`),
  ];
  lines.forEach((line) => process.stdout.write(`${line}\n`));
  process.stdout.write(
    `${added.length} added, ${updated.length} updated, ${removed.length} removed, ${unchanged.length} unchanged\n`,
  );
}

export function addSyncApps(program: Command): void {
  program
    .command('sync-apps')
    .alias('sync_apps')
    .description('make the stored apps equal the manifests; a broken folder is reported and its app kept')
    .option('--dry-run', 'print the difference, change nothing')
    .option('--json', 'print the difference as JSON')
    .option('--force', 'go on although no manifest was found, which removes every app')
    .action(async ({ json, ...options }: { dryRun?: boolean; force?: boolean; json?: boolean }) => {
      const config = loadConfig();
      const result = await withDatabase(config, (database) =>
        synchronize(config, database, makeSealing(secretKeysOf(config)), options),
      );
      if (json) {
        process.stdout.write(`${JSON.stringify(result)}\n`);
      } else {
        printDifference(result);
      }
      if (result.problems.length > 0) {
        throw new SetupError(result.problems);
      }
    });
}
