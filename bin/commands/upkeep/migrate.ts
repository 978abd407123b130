/** migrate: `svc migrate`: brings core tables and fact tables up to date. */
import { Option, type Command } from 'commander';
import { loadConfig } from '../../../core/config/load';
import { migrateAll, migrationPlan, type PlanLine } from '../../../core/server/migrate-all';

function printPlan(lines: readonly PlanLine[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(lines)}\n`);
    return;
  }
  lines.forEach((line) => process.stdout.write(`${line.state.padEnd(8)} ${line.what}\n`));
}

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring core tables and fact tables up to date; a removed field keeps its column and is reported')
    .option('--status', 'list every migration and whether the database has it')
    .addOption(new Option('--dry-run', 'print what would be done, change nothing').conflicts('status'))
    .option('--json', 'print the lines as JSON')
    .action(async ({ json = false, ...options }: { status?: boolean; dryRun?: boolean; json?: boolean }) => {
      const config = loadConfig();
      if (options.status || options.dryRun) {
        const plan = await migrationPlan(config);
        printPlan(options.status ? plan : plan.filter((line) => line.state !== 'applied'), json);
        if (!json && options.dryRun && plan.every((line) => line.state === 'applied' || line.state === 'kept')) {
          process.stdout.write('nothing to do\n');
        }
        return;
      }
      const done = await migrateAll(config);
      printPlan(done, json);
      if (!json && done.length === 0) {
        process.stdout.write('the database is up to date\n');
      }
    });
}
