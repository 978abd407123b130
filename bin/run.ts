/**
 * run: `svc <command>`: picks the command, prints usage, and returns the exit code: 0 done, 1 failed, 2 wrong usage.
 */
import { Command, CommanderError } from 'commander';
import { SetupError } from '../core/base/errors';
import { projectVersion } from '../core/base/paths';
import { driverCode, isUnmigrated } from '../core/db/db-errors';
import { addCommands } from './commands';

const USAGE = 2;

function newProgram(): Command {
  return new Command('svc')
    .description(
      'The Personal Health Records Service: keeps versioned health documents, turns them into facts, reports and shares them.',
    )
    .version(projectVersion, '-V, --version', 'print the version of this release')
    .exitOverride()
    .addHelpText(
      'after',
      '\nSettings are SVC_... environment variables or lines of a .env file; docs/settings.md lists them.\nA first look: ' +
        'svc demo on an empty database, then svc serve.',
    );
}

// Subcommands inherit neither of these settings from the program.
function prepare(command: Command, path: string): void {
  command.exitOverride().showHelpAfterError(`(${path} --help for usage)`);
  command.commands.forEach((one) => prepare(one, `${path} ${one.name()}`));
}

function failureReason(error: unknown): string {
  if (isUnmigrated(error)) {
    return 'the database is behind this release: run svc migrate';
  }
  const code = driverCode(error);
  if (code !== undefined) {
    return `the database refused a statement (${code})`;
  }
  return error instanceof Error ? error.message : String(error);
}

function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? 0 : USAGE;
  }
  if (error instanceof SetupError) {
    error.problems.forEach((problem) => process.stderr.write(`svc: ${problem}\n`));
    return 1;
  }
  process.stderr.write(`svc: ${failureReason(error)}\n`);
  return 1;
}

/** @param argv the words after `svc` */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    const program = newProgram();
    await addCommands(program, argv[0]);
    prepare(program, program.name());
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return fail(error);
  }
}
