/**
 * run: `npm run test:faults`: a mixed load of signed requests against the real service and database, which are killed, frozen,
 * cut off and starved at random moments; after every round all that was acknowledged must be there.
 *   --kills N       rounds, each of which ends with a kill -9 or a power cut (default 200)
 *   --database X    sqlite, mysql or all (default)
 *   --callers N     requests under way at once (default 4)
 *   --only NAME     one kind of fault, such as 'disk full', for as many rounds
 */
import { parseArgs } from 'node:util';
import { mysqlRun, sqliteRun } from './campaign';
import { cleanUp } from './field';
import { table } from './report';

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, database: { type: 'string', default: 'all' }, callers: { type: 'string', default: '4' }, only: { type: 'string' } } });
  const options = { kills: Number(values.kills), callers: Number(values.callers), ...(values.only === undefined ? {} : { only: values.only }) };
  const reports = [
    ...(values.database === 'mysql' ? [] : [await sqliteRun(options)]),
    ...(values.database === 'sqlite' ? [] : [await mysqlRun(options)]),
  ];
  process.stdout.write(`${table(reports)}\n`);
  return reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => { void cleanUp().finally(() => process.exit(130)); });
}

main().then((code) => process.exit(code), (error: unknown) => { process.stderr.write(`${String((error as Error).stack ?? error)}\n`); process.exit(1); });
