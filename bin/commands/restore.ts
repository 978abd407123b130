/** restore: `svc restore FILE`: a backup takes the place of the SQLite database. */
import type { Command } from 'commander';
import { NotEmpty, restore } from '../../core/backup/restore';
import { loadConfig } from '../../core/config/load';
import { exitOnSignals } from '../signals';

type Options = { readonly yes?: boolean; readonly json?: boolean };

const run = async (file: string, { yes = false, json }: Options): Promise<void> => {
  const restored = await restore(loadConfig().databaseUrl, file, { yes, now: new Date() });
  process.stdout.write(
    json
      ? `${JSON.stringify(restored)}\n`
      : `${restored.accounts} accounts, ${restored.records} records, ${restored.documents} documents, ${restored.audits} audit rows are in ${restored.file}\n` +
          `${restored.before === null ? '' : `what was there before is ${restored.before}\n`}` +
          'Start the service with the secret key of that installation. svc verify-audit checks the audit log.\n',
  );
};

export const addRestore = (program: Command): void => {
  program
    .command('restore')
    .description(
      'put a backup in the place of the SQLite database, with the service stopped; what was there is kept beside it',
    )
    .argument('<file>', 'a file of svc backup')
    .option('--yes', 'yes, although the database holds accounts, records or documents')
    .option('--json', 'print what was restored as JSON')
    .action(async (file: string, options: Options) => {
      exitOnSignals();
      try {
        await run(file, options);
      } catch (error) {
        if (error instanceof NotEmpty) {
          program.error(`svc: ${error.message}`, { exitCode: 2 });
        }
        throw error;
      }
    });
};
