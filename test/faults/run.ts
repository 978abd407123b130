/**
 * run: `npm run test:faults`: a mixed load of signed requests against the real service and database, which are killed,
 * frozen, disconnected and starved at random moments. After every round everything acknowledged must still exist.
 */
import { Option } from 'commander';
import { aboveZero, program } from '../support/program';
import { mysqlRun, sqliteRun } from './campaign';
import { cleanUp } from './field';
import { table } from './report';

const main = async (): Promise<number> => {
  const { database, ...options } = program(
    'test:faults',
    'Kills, freezes, cuts off and starves the service and its database under load, and looks for what was acknowledged.',
  )
    .option('--kills <number>', 'rounds, each of which ends with a kill -9 or a power cut', aboveZero, 200)
    .addOption(new Option('--database <name>', 'whose rounds').choices(['sqlite', 'mysql', 'all']).default('all'))
    .option('--callers <number>', 'requests under way at once', aboveZero, 4)
    .option('--only <fault>', "one kind of fault, such as 'disk full', for as many rounds")
    .parse()
    .opts<{
      readonly kills: number;
      readonly database: 'sqlite' | 'mysql' | 'all';
      readonly callers: number;
      readonly only?: string;
    }>();
  const reports = [
    ...(database === 'mysql' ? [] : [await sqliteRun(options)]),
    ...(database === 'sqlite' ? [] : [await mysqlRun(options)]),
  ];
  process.stdout.write(`${table(reports)}\n`);
  return reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void cleanUp().finally(() => process.exit(130));
  });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
