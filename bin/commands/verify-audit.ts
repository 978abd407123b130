/** verify-audit: `svc verify-audit`: was the audit log changed behind the service's back? */
import type { Command } from 'commander';
import { openAuditSigner } from '../../core/audit/signer';
import { verifyAudit } from '../../core/audit/verify';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock } from '../../core/base/clock';
import { withProgress } from '../../core/base/progress';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';

const PROBLEMS_SHOWN = 100;

export const addVerifyAudit = (program: Command): void => {
  program
    .command('verify-audit')
    .description(
      'find every audit row that was edited, removed, reordered, cut off or put in by others; the service may go on answering',
    )
    .option('--json', 'print the counts and every problem as JSON')
    .action(async (options: { json?: boolean }) => {
      const config = loadConfig();
      await withDatabase(config, async (database) => {
        const signer = await openAuditSigner(database, makeSealing(secretKeysOf(config)), systemClock);
        const report = await withProgress('audit rows', async ({ begin, step }) => {
          begin(Number(((await database.knex('audit').count({ n: '*' }).first()) as { n: number }).n));
          return verifyAudit({ database, signer }, step);
        });
        process.stdout.write(
          options.json
            ? `${JSON.stringify(report, null, 1)}\n`
            : `${report.rows} rows in ${report.chains} chains, ${report.checkpoints} signed checkpoints, ${report.unsigned} rows not signed for yet, ${report.problems.length} problems\n`,
        );
        if (report.problems.length > 0) {
          const lines = report.problems
            .slice(0, PROBLEMS_SHOWN)
            .map(
              ({ writerId, writerSeq, rowId, problem }) =>
                `chain ${writerId}, row ${writerSeq}${rowId === undefined ? '' : ` (id ${rowId})`}: ${problem}`,
            );
          const rest = report.problems.length - lines.length;
          throw new SetupError([...lines, ...(rest > 0 ? [`and ${rest} more`] : [])]);
        }
      });
    });
};
