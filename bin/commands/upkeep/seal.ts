/** seal: `svc seal`: seals what earlier releases stored in clear; the service may go on answering. */
import type { Command } from 'commander';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { systemClock } from '../../../core/base/clock';
import { SetupError } from '../../../core/base/errors';
import { withProgress } from '../../../core/base/progress';
import { loadConfig } from '../../../core/config/load';
import { checkContents, sealStored, type SealTools } from '../../../core/sealing/seal-stored';
import { withDatabase } from '../../../core/server/migrate-all';
import { makeContents } from '../../../core/sealing/contents-store';

/** At most this many problems are named. Once they are solved, the operator sees the others. */
const NAMED = 20;

async function check(tools: SealTools, step: (count: number) => void): Promise<void> {
  const { sealed, clear, problems } = await checkContents(tools, step);
  process.stdout.write(`${sealed} sealed, ${clear} in clear, ${problems.length} that cannot be read\n`);
  if (problems.length > 0) {
    throw new SetupError([...problems.slice(0, NAMED), 'restore them from a backup, or give the key that they need']);
  }
  if (clear > 0) {
    throw new SetupError([`${clear} contents are in clear: run svc seal`]);
  }
}

export function addSeal(program: Command): void {
  program
    .command('seal')
    .description(
      'seal documents, messages and app storage that an earlier release stored in clear, once every process is of this release; ' +
        'online, and a second run goes on where the first stopped',
    )
    .option(
      '--check',
      'change nothing; open everything that is stored, and fail when something is in clear or cannot be read',
    )
    .action(async ({ check: checking = false }: { check?: boolean }) => {
      const config = loadConfig();
      await withProgress('contents', ({ step }) =>
        withDatabase(config, async (database) => {
          const contents = makeContents(makeSealing(secretKeysOf(config)));
          const tools = { database, contents, clock: systemClock };
          if (checking) {
            return check(tools, step);
          }
          const done = await sealStored(tools, step);
          process.stdout.write(`${done} sealed; all that is stored from now on is sealed, too\n`);
        }),
      );
    });
}
