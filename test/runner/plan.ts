/**
 * plan: which test files `npm test` runs, which `npm run test:rest`, on which databases, and which share a process. Three rules say it all:
 * `*.rest.test.ts` needs another program or much time and belongs to the rest; where the databases differ, `npm test` runs on both of them;
 * the rest runs everything else that knows databases on MariaDB.
 */
import { availableParallelism } from 'node:os';

/** A test file as the plan sees it: its path below `dist/test`, and its compiled text. */
export type TestFile = { readonly path: string; readonly text: string };

/** `mysql` leaves SQLite out: the other command has run it. */
export type Legs = 'sqlite' | 'mysql' | 'all';

/** Files that one process runs, one after another. */
export type Job = { readonly files: readonly string[]; readonly legs: Legs };

export type Part = 'test' | 'rest' | 'everything';

/** Here the databases differ, or what the service answers depends on how they read, sort and lock. */
const DATABASES_DIFFER = [
  'core/storage/',
  'tables/',
  'property/',
  'flows/',
  'plugins/reports',
  'core/archive/round-trip',
];

/** The longest, longest first: one that began last would run on alone. */
const FIRST = [
  'faults/short.rest',
  'cluster/cluster.rest',
  'core/backup/restore.rest',
  'bin/svc',
  'bin/stop',
  'bin/drop-in',
  'property/sharing',
  'core/storage/report-oracle',
  'hostile/fuzz',
  'bin/reprocess',
  'bin/demo',
  'bin/operator',
  'core/pipeline/reader-pool',
  'core/storage/apply-plan',
];

/** Starting Node and loading what a service needs takes half a second, many of these files less. */
const LIGHT_AT_ONCE = 12;

const isRest = ({ path }: TestFile): boolean => path.endsWith('.rest.test.js');

/** The file makes its tests once for each database of the run (`test/support/databases.ts`). */
const knowsDatabases = ({ text }: TestFile): boolean => /\bdatabases_\d+\.databases\b(?!\[)/.test(text);

/** It starts no other program and no service: of what tests share it takes at most databases and formats. */
const isLight = ({ path, text }: TestFile): boolean =>
  path.startsWith('core/') &&
  !/require\("(?:node:child_process|[./]+\/support\/(?!databases"|formats")[\w-]+)"\)/.test(text);

const differs = ({ path }: TestFile): boolean => DATABASES_DIFFER.some((place) => path.startsWith(place));

/** Databases on which a part runs a file; undefined when it leaves the file out. */
const legsOf = (file: TestFile, part: Part): Legs | undefined => {
  if (part === 'everything') {
    return 'all';
  }
  if (isRest(file)) {
    return part === 'rest' ? 'all' : undefined;
  }
  const onBoth = differs(file);
  if (part === 'test') {
    return onBoth ? 'all' : 'sqlite';
  }
  return knowsDatabases(file) && !onBoth ? 'mysql' : undefined;
};

const turnOf = (path: string): number => {
  const turn = FIRST.findIndex((start) => path.startsWith(`${start}.`));
  return turn < 0 ? FIRST.length : turn;
};

const inGroups = (files: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / LIGHT_AT_ONCE) }, (_, index) =>
    files.slice(index * LIGHT_AT_ONCE, (index + 1) * LIGHT_AT_ONCE),
  );

/** The jobs of a part, those that take longest first. */
export const planOf = (files: readonly TestFile[], part: Part): readonly Job[] => {
  const jobs: Job[] = [];
  const light: Record<Legs, string[]> = { sqlite: [], mysql: [], all: [] };
  for (const file of files) {
    const legs = legsOf(file, part);
    if (legs !== undefined && isLight(file) && turnOf(file.path) === FIRST.length) {
      light[legs].push(file.path);
    } else if (legs !== undefined) {
      jobs.push({ files: [file.path], legs });
    }
  }
  const shared = (Object.keys(light) as Legs[]).flatMap((legs) =>
    inGroups(light[legs]).map((group): Job => ({ files: group, legs })),
  );
  return [...jobs, ...shared].sort((a, b) => turnOf(a.files[0]!) - turnOf(b.files[0]!));
};

/** Every third job waits for a clock, a disk or another process rather than for a processor. */
export const atOnce = (processors = availableParallelism()): number => Math.ceil(processors * 1.5);
