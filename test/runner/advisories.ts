/**
 * advisories: `npm run tool advisories`: lists known advisories for the packages of the service. It ends with 1 for a high
 * or critical one. Where no registry answers it says so and ends with 0.
 */
import { spawnSync } from 'node:child_process';
import { inProject } from '../../core/base/paths';

type Advisory = { readonly name: string; readonly severity: string; readonly range: string };
export type Answer = { readonly lines: readonly string[]; readonly bad: boolean };

const BAD = ['high', 'critical'];

/** What to print for the output of `npm audit --json`. */
export const answerOf = (output: string): Answer => {
  let report: { vulnerabilities?: Readonly<Record<string, Advisory>> };
  try {
    report = JSON.parse(output) as typeof report;
  } catch {
    report = {};
  }
  if (typeof report.vulnerabilities !== 'object' || report.vulnerabilities === null) {
    return { lines: ['skipped: the registry does not answer about advisories; try again where it does'], bad: false };
  }
  const found = Object.values(report.vulnerabilities);
  return {
    lines: [
      ...found.map(
        ({ name, severity, range }) => `${severity}: ${name} ${range}; see npm audit, then npm update ${name}`,
      ),
      `${found.length} packages with advisories`,
    ],
    bad: found.some(({ severity }) => BAD.includes(severity)),
  };
};

if (require.main === module) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: inProject('.'),
    encoding: 'utf8',
    timeout: 60_000,
  });
  const { lines, bad } = answerOf(stdout ?? '');
  lines.forEach((line) => process.stdout.write(`${line}\n`));
  process.exitCode = bad ? 1 : 0;
}
