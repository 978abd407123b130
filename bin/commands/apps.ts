/** apps: `svc apps secret NAME`: shows the secret of an app, or makes another one. */
import type { Command } from 'commander';
import { readAppSecret, renewAppSecret } from '../../core/apps/operate';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';

export function addApps(program: Command): void {
  const apps = program.command('apps').description('the secrets that apps sign with');
  apps
    .command('secret')
    .description('print the secret of an app, and nothing else: the one that was made for it, or the one of its folder')
    .argument('<name>', 'id of the app, or the name of its folder')
    .option('--new', 'make another one first; what is signed with the one before is refused at once')
    .action(async (name: string, options: { readonly new?: boolean }) => {
      const config = loadConfig();
      const secret = await withDatabase(config, (database) =>
        (options.new ? renewAppSecret : readAppSecret)(
          { config, database, sealing: makeSealing(secretKeysOf(config)) },
          name,
        ),
      );
      process.stdout.write(`${secret}\n`);
    });
}
