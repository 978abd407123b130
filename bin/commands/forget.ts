/** forget: `svc forget RECORD --yes`: removes one record entirely. */
import type { Command } from 'commander';
import { openAuditSigner } from '../../core/audit/signer';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock } from '../../core/base/clock';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { forgetRecord } from '../../core/records/forget';
import { withDatabase } from '../../core/server/migrate-all';

export function addForget(program: Command): void {
  program
    .command('forget <record>')
    .description(
      'remove one record entirely: documents, facts, shares, carenets, tokens, messages about it, app storage; ' +
        'only the audit log keeps that it was there',
    )
    .requiredOption('--yes', 'really remove it: there is no way back but a backup')
    .action(async (recordId: string) => {
      const config = loadConfig();
      await withDatabase(config, async (database) => {
        const signer = await openAuditSigner(database, makeSealing(secretKeysOf(config)), systemClock, { config });
        const removed = await forgetRecord({ database, signer, clock: systemClock }, recordId);
        if (removed === undefined) {
          throw new SetupError([`there is no record ${recordId}: svc records list ACCOUNT shows the ids`]);
        }
        process.stdout.write(`record ${recordId} removed with ${removed} documents\n`);
      });
    });
}
