/** doctor: `svc doctor`: checks whether everything that the service needs is in order, and says what to do if not. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { presentSecretKeys } from '../../../core/auth/secret-key';
import { systemClock } from '../../../core/base/clock';
import { coloured, type Colour } from '../../../core/base/colours';
import { SetupError } from '../../../core/base/errors';
import { loadConfig } from '../../../core/config/load';
import { sqliteFile } from '../../../core/config/sqlite-url';
import { examine } from '../../../core/doctor/examine';
import { fine, problem, type Finding, type State } from '../../../core/doctor/finding';

const colours: Readonly<Record<State, Colour>> = { fine: 'green', warning: 'yellow', problem: 'red' };

function findingLine({ check, state, found, advice }: Finding): string {
  const line = `${coloured(process.stdout, colours[state], state.padEnd(7))}  ${check.padEnd(15)}  ${found}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(26)}${coloured(process.stdout, 'dim', `-> ${advice}`)}`;
}

/** Runs all checks. They must make nothing: neither a database nor a key. */
async function examineAll(): Promise<readonly Finding[]> {
  let config;
  try {
    config = loadConfig();
  } catch (error) {
    const problems = error instanceof SetupError ? error.problems : [(error as Error).message];
    return problems.map((found) => problem('settings', found, 'docs/settings.md lists every setting'));
  }
  const file = sqliteFile(config.databaseUrl);
  if (file !== undefined && !existsSync(file)) {
    return [problem('database', `${file} is not there yet`, 'start the service once (npm start), or run svc migrate')];
  }
  return [
    fine('settings', 'all can be read'),
    ...(await examine(config, systemClock, () => presentSecretKeys(config))),
  ];
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'look at database, migrations, keys, clock, disk, mail and outbox, with advice; exit 1 when something is wrong; changes nothing',
    )
    .option('--json', 'print the findings as JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = await examineAll();
      process.stdout.write(
        `${options.json ? JSON.stringify(findings, null, 1) : findings.map(findingLine).join('\n')}\n`,
      );
      process.exitCode = findings.some(({ state }) => state === 'problem') ? 1 : 0;
    });
}
