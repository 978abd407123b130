/**
 * run: every test file in a process of its own, two at a time and beside them those that mostly wait, on SQLite always and on MariaDB or MySQL when there is one.
 * SVC_TEST_DATABASE_URL names a server; without it a private mariadbd is started when one is installed; SVC_REQUIRE_MYSQL=1
 * makes a missing server a failure.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../core/base/paths';
import { openDatabase } from '../core/storage/database';
import { findMariadb, startMariadb, type Mariadb } from './support/mariadb';

const AT_ONCE = 2;
/** A slow hour of a shared machine doubles what a file takes. */
const FILE_MINUTES = 15;

/** Long files that would run on alone at the end if their turn came by their names. */
const FIRST = ['property/sharing.test.js', 'hostile/fuzz.test.js'];

/** Files that wait for other programs or for time to pass more than they compute. */
const MOSTLY_WAITING = ['cluster/cluster.rest.test.js', 'core/storage/host-watch.test.js', 'docs/reference.rest.test.js'];

const endsWithOneOf =
  (endings: readonly string[]) =>
  (file: string): boolean =>
    endings.some((ending) => file.endsWith(join(ending)));

const parted = (
  files: readonly string[],
  isMet: (file: string) => boolean,
): readonly [met: readonly string[], rest: readonly string[]] => [
  files.filter(isMet),
  files.filter((file) => !isMet(file)),
];

const testFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return testFiles(path);
      }
      return entry.name.endsWith('.test.js') ? [path] : [];
    })
    .sort();

type Outcome = {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly output: string;
};

/** Lab's own closing lines: `N tests complete` or `M of N tests failed`. */
const readCounts = (output: string, code: number | null): { passed: number; failed: number } => {
  const failed = /(\d+) of (\d+) tests failed/.exec(output);
  if (failed) {
    return { passed: Number(failed[2]) - Number(failed[1]), failed: Number(failed[1]) };
  }
  const passed = Number(/(\d+) tests? complete/.exec(output)?.[1] ?? 0);
  // A file without a test, or one that died, is a failure too.
  return { passed, failed: code === 0 && passed > 0 ? 0 : 1 };
};

const runFile = (file: string, environment: NodeJS.ProcessEnv): Promise<Outcome> =>
  new Promise((resolve) => {
    const began = Date.now();
    const lab = join(projectRoot, 'node_modules', '.bin', 'lab');
    const child = spawn(lab, [file, '-m', '300000', '-l'], { cwd: projectRoot, env: environment });
    const timer = setTimeout(() => child.kill('SIGKILL'), FILE_MINUTES * 60_000);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ file, ...readCounts(output, code), seconds: (Date.now() - began) / 1000, output });
    });
  });

const runAll = async (files: readonly string[], environment: NodeJS.ProcessEnv): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  const work = async (queue: string[]): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const outcome = await runFile(file, environment);
      outcomes.push(outcome);
      const name = relative(join(projectRoot, 'dist', 'test'), file);
      process.stdout.write(
        `${outcome.failed > 0 ? 'FAILED' : 'ok    '} ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.seconds.toFixed(1)} s\n`,
      );
      if (outcome.failed > 0) {
        process.stdout.write(`${outcome.output}\n`);
      }
      // What a file leaves out it says in such a line, and that is not to be hidden.
      outcome.output
        .split('\n')
        .filter((line) => line.startsWith('skipped: '))
        .forEach((line) => process.stdout.write(`${line}\n`));
    }
  };
  const [aside, others] = parted(files, endsWithOneOf(MOSTLY_WAITING));
  const queue = parted(others, endsWithOneOf(FIRST)).flat();
  await Promise.all([work([...aside]), ...Array.from({ length: AT_ONCE }, () => work(queue))]);
  return outcomes;
};

/** Settings of the person who runs the tests must not decide what the tests see. */
const cleanEnvironment = (mysqlUrl: string | undefined): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SVC_') || name.startsWith('SVC_REQUIRE_'),
  );
  return {
    ...Object.fromEntries(kept),
    SVC_LOG_LEVEL: 'fatal',
    ...(mysqlUrl ? { SVC_TEST_DATABASE_URL: mysqlUrl } : {}),
  };
};

const reportDatabases = async (mysqlUrl: string | undefined): Promise<void> => {
  const urls = [
    'sqlite::memory:',
    ...(mysqlUrl ? [`${mysqlUrl.replace(/(:\d+)\/.*$/, '$1')}/information_schema`] : []),
  ];
  for (const url of urls) {
    const database = await openDatabase(url, 1);
    process.stdout.write(`database leg: ${database.dialect.version}\n`);
    await database.close();
  }
};

const main = async (): Promise<number> => {
  const wanted = process.argv.slice(2);
  const files = testFiles(join(projectRoot, 'dist', 'test')).filter(
    (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
  );
  let server: Mariadb | undefined;
  let url = process.env['SVC_TEST_DATABASE_URL'];
  const program = findMariadb();
  if (!url && program) {
    server = await startMariadb(program);
    url = server.url;
  }
  if (!url && process.env['SVC_REQUIRE_MYSQL'] === '1') {
    process.stdout.write(
      'SVC_REQUIRE_MYSQL=1, but no MariaDB or MySQL server was found: install mariadb-server or set SVC_TEST_DATABASE_URL\n',
    );
    return 1;
  }
  try {
    await reportDatabases(url);
    const outcomes = await runAll(files, cleanEnvironment(url));
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
    const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    await server?.stop();
  }
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
