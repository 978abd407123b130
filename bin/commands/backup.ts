/** backup: `svc backup FILE`: the SQLite database as it is now, while the service goes on. */
import type { Command } from 'commander';
import { backUp } from '../../core/backup/backup';
import { withProgress } from '../../core/base/progress';
import { loadConfig } from '../../core/config/load';
import { exitOnSignals } from '../signals';

export const addBackup = (program: Command): void => {
  program
    .command('backup')
    .description(
      'copy the SQLite database as it is at one moment, while the service goes on writing; docs/backup.md has the way for MariaDB',
    )
    .argument('<file>', 'the copy to write; never overwritten')
    .option('--json', 'print what was written as JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      exitOnSignals();
      const made = await withProgress('pages', (pages) => backUp(loadConfig().databaseUrl, file, pages));
      process.stdout.write(
        options.json
          ? `${JSON.stringify(made)}\n`
          : `${made.accounts} accounts, ${made.records} records, ${made.documents} documents, ${made.audits} audit rows: ${made.bytes} bytes in ${made.file}\nsha256 ${made.sha256}\n` +
              'Keep the secret key (SVC_SECRET_KEY or secret.key) as well, in another place: without it the secrets in the copy cannot be read.\n',
      );
    });
};
