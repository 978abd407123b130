/** reload: `svc reload`: tells the running service to read formats, models and manifests again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import { servingProcesses, type Reloaded, type Serving } from '../../core/server/pid-files';

const LONGEST_SECONDS = 120;
const LOOK_MILLISECONDS = 100;

/**
 * Tells one process to reload, and waits until it has done so.
 * @throws SetupError when it ends, or does not answer
 */
async function reloadOne(config: Config, { pid, reloads }: Serving): Promise<Reloaded> {
  process.kill(pid, 'SIGHUP');
  for (let waited = 0; waited < LONGEST_SECONDS * 1000; waited += LOOK_MILLISECONDS) {
    await sleep(LOOK_MILLISECONDS);
    const now = servingProcesses(config).find((one) => one.pid === pid);
    if (!now) {
      throw new SetupError([`the process ${pid} has ended: its log says why`]);
    }
    if (now.reloads > reloads && now.last) {
      return now.last;
    }
  }
  throw new SetupError([`the process ${pid} has not answered within ${LONGEST_SECONDS} seconds: its log says more`]);
}

export function addReload(program: Command): void {
  program
    .command('reload')
    .description(
      'tell the service that runs on this machine to read formats, models and manifests again, and wait for the ' +
        'outcome; what is broken changes nothing',
    )
    .action(async () => {
      const config = loadConfig();
      const running = servingProcesses(config);
      if (running.length === 0) {
        throw new SetupError([
          'no service on this machine serves this database (SVC_DATABASE_URL): start one with svc serve, or send ' +
            'SIGHUP to it where it runs',
        ]);
      }
      const outcomes = await Promise.all(running.map((one) => reloadOne(config, one)));
      outcomes.forEach(({ warnings }) =>
        warnings.forEach((warning) => process.stderr.write(`svc: warning: ${warning}\n`)),
      );
      const problems = [...new Set(outcomes.flatMap((outcome) => outcome.problems))];
      if (problems.length > 0) {
        throw new SetupError([...problems, 'the service goes on with what it had']);
      }
      running.forEach(({ pid, url }) =>
        process.stdout.write(`the service on ${url} (process ${pid}) has read formats, models and manifests again\n`),
      );
    });
}
