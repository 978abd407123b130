/**
 * rotate-key: `svc rotate-key`: seals stored secrets again with the present SVC_SECRET_KEY; the service may go on
 * answering.
 */
import type { Command } from 'commander';
import { reseal } from '../../../core/auth/reseal';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { SetupError } from '../../../core/base/errors';
import { withProgress } from '../../../core/base/progress';
import { loadConfig } from '../../../core/config/load';
import { withDatabase } from '../../../core/server/migrate-all';

export function addRotateKey(program: Command): void {
  program
    .command('rotate-key')
    .description(
      'seal every stored secret under the first key of SVC_SECRET_KEY; the key they were under must stand behind it',
    )
    .option('--check', 'change nothing; fail when a secret is still under another key')
    .action(async ({ check = false }: { check?: boolean }) => {
      const config = loadConfig();
      const counts = await withProgress('secrets', ({ step }) =>
        withDatabase(config, (database) => reseal(database, makeSealing(secretKeysOf(config)), check, step)),
      );
      process.stdout.write(
        `${counts.current} under the present key, ${counts.resealed} ` +
          `${check ? 'still under another' : 'sealed again'}, ${counts.unreadable} under a key that is not at hand\n`,
      );
      if (counts.unreadable > 0) {
        throw new SetupError([`${counts.unreadable} secrets need a key that SVC_SECRET_KEY does not hold`]);
      }
      if (check && counts.resealed > 0) {
        throw new SetupError([`${counts.resealed} secrets are still under another key: run svc rotate-key`]);
      }
    });
}
