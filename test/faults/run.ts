/**
 * run: `npm run test:faults`: a mixed load of signed requests against the real service and database, which are killed, frozen,
 * cut off and starved at random moments; after every fault all that was acknowledged must be there.
 *   --kills N       kill -9 this often on each database (default 200)
 *   --database X    sqlite, mysql or all (default)
 *   --callers N     requests under way at once (default 6)
 *   --only NAME     one kind of fault, such as 'disk full', for as many rounds
 */
import { parseArgs } from 'node:util';
import { mysqlRun, sqliteRun } from './campaign';

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, database: { type: 'string', default: 'all' }, callers: { type: 'string', default: '6' }, only: { type: 'string' } } });
  const options = { kills: Number(values.kills), callers: Number(values.callers), ...(values.only === undefined ? {} : { only: values.only }) };
  const reports = [
    ...(values.database === 'mysql' ? [] : [await sqliteRun(options)]),
    ...(values.database === 'sqlite' ? [] : [await mysqlRun(options)]),
  ];
  for (const report of reports) {
    process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
  }
  return reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
};

main().then((code) => process.exit(code), (error: unknown) => { process.stderr.write(`${String((error as Error).stack ?? error)}\n`); process.exit(1); });
