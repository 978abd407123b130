/**
 * run: `npm test`, and with --rest `npm run test:rest` (test/runner/plan.ts says which tests belong to which). With
 * parts of paths it runs the files whose paths contain one of them, on all databases; with --rest it runs those of the
 * rest. SQLite always exists. SVC_TEST_DATABASE_URL names a MariaDB or MySQL server; without it a private mariadbd is
 * started where one is installed. SVC_REQUIRE_MYSQL=1 makes a missing server a failure.
 */
import { testFiles } from './runner/files';
import { databaseVersions, makeGround } from './runner/ground';
import { doJobs, stopJobs } from './runner/jobs';
import { atOnce, planOf, type Part } from './runner/plan';

const partOf = (arguments_: readonly string[]): { readonly part: Part; readonly wanted: readonly string[] } => {
  const wanted = arguments_.filter((word) => word !== '--rest');
  if (arguments_.includes('--rest')) {
    return { part: 'rest', wanted };
  }
  return { part: wanted.length > 0 ? 'everything' : 'test', wanted };
};

const main = async (): Promise<number> => {
  const { part, wanted } = partOf(process.argv.slice(2));
  const files = testFiles().filter(({ path }) => wanted.length === 0 || wanted.some((word) => path.includes(word)));
  const ground = await makeGround();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopJobs();
      // The folder may be in memory, so it must be removed.
      void ground.leave().finally(() => process.exit(1));
    });
  }
  try {
    const versions = await databaseVersions(ground);
    versions.forEach((version) => process.stdout.write(`database leg: ${version}\n`));
    // Without a server, jobs that run on MariaDB or MySQL alone are left out.
    const jobs = planOf(files, part).filter(({ legs }) => legs !== 'mysql' || ground.mysqlUrl !== undefined);
    const { passed, failed } = await doJobs(jobs, ground, atOnce());
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await ground.leave();
  }
};

// Lab loads every file of a folder that is passed to it.
if (require.main === module) {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${String((error as Error).message ?? error)}\n`);
      process.exit(1);
    },
  );
}
