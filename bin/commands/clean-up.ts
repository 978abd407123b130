/** clean-up: `svc clean-up`: expired tokens, sessions and nonces are deleted. */
import type { Command } from 'commander';
import { systemClock } from '../../core/base/clock';
import { cleanUp } from '../../core/auth/clean-up';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';

export const addCleanUp = (program: Command): void => {
  program
    .command('clean-up')
    .alias('clean_up')
    .description('delete expired tokens, sessions and nonces (a running service does this by itself, too)')
    .option('--json', 'print the counts as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = loadConfig();
      const counts = await withDatabase(config, (database) => cleanUp(database, systemClock));
      if (json) {
        process.stdout.write(`${JSON.stringify(counts)}\n`);
        return;
      }
      Object.entries(counts).forEach(([what, count]) =>
        process.stdout.write(`${String(count).padStart(8)} ${what} deleted\n`),
      );
    });
};
