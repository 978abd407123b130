/**
 * plan: which test files `npm test` and `npm run test:rest` run, on which databases, and which share a process. There
 * are four rules. `*.rest.test.ts` needs another program or much time and belongs to the rest. Where the databases
 * differ, `npm test` runs on both of them. The rest runs all other files that know databases on MariaDB. The rest also
 * runs, with all its cases, what `npm test` tries only some times. Its long comparisons run in a process for each
 * database, side by side.
 */
import { availableParallelism } from 'node:os';

/** A test file as the plan sees it: its path below `dist/test`, and its compiled text. */
export type TestFile = { readonly path: string; readonly text: string };

/** `mysql` leaves out SQLite, on which the other command runs the file. */
export type Legs = 'sqlite' | 'mysql' | 'all';

/** Files that one process runs, one after the other. */
export type Job = {
  readonly files: readonly string[];
  readonly legs: Legs;
  /** True for all cases that the files can try, false for some of them. */
  readonly thorough: boolean;
};

export type Part = 'test' | 'rest' | 'everything';

/** Files for which the databases differ, or whose responses depend on how a database reads, sorts and locks. */
const DATABASES_DIFFER = [
  'core/db/',
  'core/facts/',
  'core/sharing/',
  'plugins/fhir/search/',
  'tables/',
  'property/',
  'flows/',
  'plugins/reports',
  'core/archive/round-trip',
];

/**
 * Comparisons by the ten thousand. The rest gives each database a process of its own, so that neither waits for the
 * other.
 */
const SIDE_BY_SIDE = ['property/', 'plugins/fhir/search/search-oracle.', 'core/facts/report-oracle.', 'hostile/fuzz.'];

/**
 * Files about processes, files and folders, words, and what a page shows before anything is added. Their services keep
 * little or nothing, and the database makes no difference.
 */
const DATABASES_ALIKE = [
  'bin/demo.rest',
  'bin/drop-in.rest',
  'bin/serve.rest',
  'bin/stop.rest',
  'core/metrics/trace-export.rest',
  'core/outbox/syslog.rest',
  'hostile/shipped-secrets.rest',
  'intake/given-cases.rest',
  'property/dosage.rest',
];

/** The longest files, the longest first: if one began last, it would run on alone. */
const FIRST = [
  'faults/short.rest',
  'cluster/cluster.rest',
  'core/backup/restore.rest',
  'fuzz/fuzz.rest',
  'property/worlds',
  'property/sharing',
  'property/fhir',
  'property/site',
  'core/fhir/round-trip.rest',
  'bin/stop.rest',
  'bin/drop-in.rest',
  'bin/serve.rest',
  'docs/readme.rest',
  'bin/svc',
  'core/facts/report-oracle',
  'hostile/fuzz',
  'bin/reprocess.rest',
  'bin/demo.rest',
  'plugins/fhir/map/validation.rest',
  'plugins/fhir/search/search-oracle',
  'bin/operator.rest',
  'core/pipeline/readers/reader-pool.rest',
  'core/facts/apply-plan',
];

type Kind = 'alone' | 'program' | 'service' | 'plain';

/**
 * How many files of a kind share a process. Starting Node and loading a service takes a second of processor time, and
 * loading the formats another. With fewer files in a process, many processors are used better.
 */
const togetherOn = (processors: number): Readonly<Record<Kind, number>> =>
  processors > 2 ? { alone: 1, program: 1, service: 5, plain: 12 } : { alone: 1, program: 4, service: 10, plain: 24 };

/**
 * Kinds in the order in which they begin. In `npm test` files that share a process take longest, elsewhere those with a
 * process of their own.
 */
const KINDS: readonly Kind[] = ['alone', 'program', 'service', 'plain'];
const KINDS_OF_TEST: readonly Kind[] = ['service', 'plain', 'program', 'alone'];
const LEGS: readonly Legs[] = ['all', 'mysql', 'sqlite'];

const isRest = ({ path }: TestFile): boolean => path.endsWith('.rest.test.js');

/** Whether the file makes its tests once for each database of the run (`test/support/databases.ts`). */
const knowsDatabases = ({ text }: TestFile): boolean => /\bdatabases_\d+\.databases\b(?!\[)/.test(text);

const turnOf = (path: string): number => {
  const turn = FIRST.findIndex((start) => path.startsWith(`${start}.`));
  return turn < 0 ? FIRST.length : turn;
};

/**
 * Long files, and files of the rest with their own disks and browsers, get a process of their own. A test that starts
 * programs waits for them most of the time; a test with the service in its own process does not.
 */
const kindOf = (file: TestFile): Kind => {
  const { path, text } = file;
  const startsPrograms = /require\("(?:node:child_process|[./]+\/support\/(?:svc|mariadb|browser))"\)/.test(text);
  if (turnOf(path) < FIRST.length || (startsPrograms && isRest(file))) {
    return 'alone';
  }
  if (startsPrograms) {
    return 'program';
  }
  return /require\("[./]+\/support\/server"\)/.test(text) ? 'service' : 'plain';
};

/** Whether it tries some cases in `npm test` and all in the rest (`test/support/amount.ts`). */
const hasAmounts = ({ text }: TestFile): boolean => /require\("[./]+\/support\/amount"\)/.test(text);

const differs = ({ path }: TestFile): boolean => DATABASES_DIFFER.some((place) => path.startsWith(place));

const restLegsOf = ({ path }: TestFile): Legs =>
  DATABASES_ALIKE.some((place) => path.startsWith(place)) ? 'sqlite' : 'all';

/** Databases on which a part runs a file; undefined when it leaves the file out. */
const legsOf = (file: TestFile, part: Part): Legs | undefined => {
  if (part === 'everything') {
    return 'all';
  }
  if (isRest(file)) {
    return part === 'rest' ? restLegsOf(file) : undefined;
  }
  const onBoth = differs(file);
  if (part === 'test') {
    return onBoth ? 'all' : 'sqlite';
  }
  if (hasAmounts(file)) {
    return 'all';
  }
  return knowsDatabases(file) && !onBoth ? 'mysql' : undefined;
};

const inGroups = (files: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, index) => files.slice(index * size, (index + 1) * size));

/** The server's job comes first, because it takes longer. */
const separately = ({ path }: TestFile, legs: Legs, part: Part): readonly Legs[] =>
  part === 'rest' && legs === 'all' && SIDE_BY_SIDE.some((place) => path.startsWith(place))
    ? ['mysql', 'sqlite']
    : [legs];

/** The jobs of a part, the longest first. */
export const planOf = (files: readonly TestFile[], part: Part, processors = availableParallelism()): readonly Job[] => {
  const together = togetherOn(processors);
  const placed = files.flatMap((file) => {
    const legs = legsOf(file, part);
    const each = legs === undefined ? [] : separately(file, legs, part);
    return each.map((one) => ({ path: file.path, legs: one, kind: kindOf(file) }));
  });
  const kinds = part === 'test' ? KINDS_OF_TEST : KINDS;
  return kinds.flatMap((kind) =>
    LEGS.flatMap((legs) => {
      const paths = placed.filter((one) => one.kind === kind && one.legs === legs).map(({ path }) => path);
      return inGroups(paths, together[kind]).map((group): Job => ({ files: group, legs, thorough: part === 'rest' }));
    }).sort((a, b) => turnOf(a.files[0]!) - turnOf(b.files[0]!)),
  );
};

/** About every third job waits for a clock, a disk or another process rather than for a processor. */
export const atOnce = (processors = availableParallelism()): number => Math.ceil(processors * 1.5);
