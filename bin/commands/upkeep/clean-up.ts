/** clean-up: `svc clean-up`: deletes expired tokens, sessions and nonces. */
import type { Command } from 'commander';
import { systemClock } from '../../../core/base/clock';
import { shortenAnonymousCalls } from '../../../core/audit/shorten';
import { openAuditSigner } from '../../../core/audit/signer';
import { cleanUp } from '../../../core/auth/clean-up';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { loadConfig } from '../../../core/config/load';
import { withDatabase } from '../../../core/server/migrate-all';

export function addCleanUp(program: Command): void {
  program
    .command('clean-up')
    .alias('clean_up')
    .description(
      'delete expired tokens, sessions and nonces, and shorten old audit rows of refused calls without credentials ' +
        '(a running service does both by itself)',
    )
    .option('--json', 'print the counts as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = loadConfig();
      const counts = await withDatabase(config, async (database) => {
        const signer = await openAuditSigner(database, makeSealing(secretKeysOf(config)), systemClock, { config });
        const parts = { database, signer, clock: systemClock };
        return {
          ...(await cleanUp(database, systemClock)),
          'audit rows of refused calls': await shortenAnonymousCalls(parts, config.auditAnonymousDays),
        };
      });
      if (json) {
        process.stdout.write(`${JSON.stringify(counts)}\n`);
        return;
      }
      Object.entries(counts).forEach(([what, count]) =>
        process.stdout.write(
          `${String(count).padStart(8)} ${what} ${what.startsWith('audit') ? 'shortened' : 'deleted'}\n`,
        ),
      );
    });
}
