/**
 * run: `npm run tool cluster`: three service processes on a three-node Galera cluster under load. One node or process
 * at a time is killed or frozen and brought back, while the same things are written through different nodes at once.
 */
import { aboveZero, program } from '../support/program';
import { cleanUp, runCampaign, type Trouble } from './campaign';
import { missingPrograms } from './nodes';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const TROUBLES: readonly Trouble['what'][] = [
  'node killed',
  'service killed',
  'node frozen',
  'node killed and emptied',
];

/** Every kind of trouble happens to each of the three in turn. */
const troubles = (rounds: number, only: string): readonly Trouble[] => {
  const all = TROUBLES.filter((what) => what.includes(only)).flatMap((what) =>
    ([0, 1, 2] as const).map((which) => ({ what, which })),
  );
  return Array.from({ length: rounds }, (_, round) => all[round % all.length]!);
};

const main = async (): Promise<number> => {
  const { rounds, callers, only } = program(
    'test:cluster',
    'Runs three service processes on a three-node Galera cluster under load, and kills or freezes one node or process at a time.',
  )
    .option('--rounds <number>', 'how often something is killed or frozen', aboveZero, 12)
    .option('--callers <number>', 'callers of the load', aboveZero, 6)
    .option('--only <word>', 'only troubles whose name has this word: killed, emptied, frozen, service', '')
    .parse()
    .opts<{ readonly rounds: number; readonly callers: number; readonly only: string }>();
  const missing = missingPrograms();
  if (missing.length > 0) {
    say(
      `test:cluster needs ${missing.join(', ')}: apt-get install mariadb-server mariadb-backup galera-4 socat lsof rsync`,
    );
    return 1;
  }
  const report = await runCampaign({
    troubles: troubles(rounds, only),
    suspectSeconds: 2,
    callers,
    restMilliseconds: 0,
    raceWidth: 50,
    races: 3,
    awaySeconds: 15,
    limit: { failing: 12_000, balanced: 12_000 },
    say,
  });
  say(JSON.stringify(report, null, 1));
  return report.faults.length === 0 ? 0 : 1;
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void cleanUp().then(() => process.exit(1));
  });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
