/** main: picks the command, prints usage, sets the exit code: 0 done, 1 failed, 2 wrong usage. */
import { Command, CommanderError } from 'commander';
import { SetupError } from '../core/base/errors';
import { projectVersion } from '../core/base/paths';
import { driverCode, isUnmigrated } from '../core/storage/db-errors';
import { addCommands } from './commands';

const USAGE = 2;

const program = new Command('svc')
  .description(
    'The Personal Health Records Service: keeps versioned health documents, turns them into facts, reports and shares them.',
  )
  .version(projectVersion, '-V, --version', 'print the version of this release')
  .showHelpAfterError('(add --help for usage)')
  .exitOverride()
  .addHelpText(
    'after',
    '\nSettings are SVC_... environment variables or lines of a .env file; README.md lists them.\nA first look: svc demo on an empty database, then svc serve.',
  );

// Subcommands inherit neither of these from the program.
const prepare = (command: Command): void => {
  command.exitOverride().showHelpAfterError('(add --help for usage)');
  command.commands.forEach(prepare);
};

// `svc import FILE | head -1` closes the pipe early: the work goes on without a reader, and its own exit code says how it went.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') {
    process.stderr.write(`svc: standard output cannot be written (${code ?? 'unknown reason'})\n`);
    process.exit(1);
  }
});
// There is nowhere left to say it.
process.stderr.on('error', () => undefined);

const reasonOf = (error: unknown): string => {
  if (isUnmigrated(error)) {
    return 'the database is behind this release: run svc migrate';
  }
  const code = driverCode(error);
  if (code !== undefined) {
    return `the database refused a statement (${code})`;
  }
  return error instanceof Error ? error.message : String(error);
};

const fail = (error: unknown): number => {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : USAGE;
  }
  if (error instanceof SetupError) {
    error.problems.forEach((problem) => process.stderr.write(`svc: ${problem}\n`));
    return 1;
  }
  process.stderr.write(`svc: ${reasonOf(error)}\n`);
  return 1;
};

const run = async (): Promise<void> => {
  await addCommands(program, process.argv[2]);
  prepare(program);
  await program.parseAsync(process.argv);
};

run().then(
  () => {
    process.exitCode ??= 0;
  },
  (error: unknown) => {
    process.exitCode = fail(error);
  },
);
