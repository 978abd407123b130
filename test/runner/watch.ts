/**
 * watch: `npm run tool watch`: compiles saved files and runs the tests that they concern, on SQLite, as far as they
 * need no other program.
 */
import { concernedBy } from './concerned';
import { testFiles } from './files';
import { makeGround } from './ground';
import { doJobs } from './jobs';
import { atOnce, planOf } from './plan';
import { DEPLOYED, onChanges, startCompiler } from './watched';

const main = async (): Promise<void> => {
  const ground = { ...(await makeGround({ server: false })), mysqlUrl: undefined };
  const compiler = startCompiler();
  let running = Promise.resolve();
  const runConcerned = async (paths: readonly string[]): Promise<void> => {
    const jobs = planOf(concernedBy(paths, testFiles()), 'test');
    if (jobs.length > 0) {
      const { passed, failed } = await doJobs(jobs, ground, atOnce());
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    }
  };
  const stop = onChanges(['dist', ...DEPLOYED], (paths) => {
    running = running.then(() => runConcerned(paths));
  });
  const end = (): void => {
    stop();
    compiler.kill('SIGTERM');
    void ground.leave().then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
};

if (require.main === module) {
  void main();
}
