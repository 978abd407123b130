/**
 * rotate-id-keys: `svc rotate-id-keys`: makes a new key that signs id tokens from now on; the earlier keys stay
 * published.
 */
import type { Command } from 'commander';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { renewKeys } from '../../../core/auth/smart-keys';
import { systemClock } from '../../../core/base/clock';
import { loadConfig } from '../../../core/config/load';
import { withDatabase } from '../../../core/server/migrate-all';

export function addRotateIdKeys(program: Command): void {
  program
    .command('rotate-id-keys')
    .description('sign id tokens of SMART apps with a new key; a running service takes it within a minute')
    .action(async () => {
      const config = loadConfig();
      const name = await withDatabase(config, (database) =>
        renewKeys({ database, sealing: makeSealing(secretKeysOf(config)), clock: systemClock }),
      );
      process.stdout.write(`key ${name} signs from now on\n`);
    });
}
