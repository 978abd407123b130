/** run: `npm run tool NAME [-- OPTIONS]`: starts one of the tools below. Without a name it lists them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inProject, projectRoot } from '../../core/base/paths';

export type Tool = {
  /** What it does, in one line. */ readonly says: string;
  /** The words of its command, below `dist/test` or `node_modules/.bin`. */ readonly command: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
};

const ours = (path: string): string => join(projectRoot, 'dist', 'test', ...path.split('/'));
const installed = (name: string): string => inProject('node_modules', '.bin', name);

export const TOOLS: Readonly<Record<string, Tool>> = {
  advisories: { says: 'lists known advisories for the packages', command: [ours('runner/advisories.js')] },
  'bench-fhir': { says: 'times the FHIR door beside another state', command: [ours('bench/fhir.js')] },
  'bench-flood': { says: 'holds the service under a flood', command: [ours('bench/flood.js')] },
  'bench-hostile': {
    says: 'runs the tests of hostile input with their times',
    command: [installed('lab'), '-l', '-m', '60000', ours('hostile')],
    settings: { SVC_TEST_ALONE: '1' },
  },
  'bench-large': { says: 'measures what storing large documents needs', command: [ours('bench/large.js')] },
  'bench-pages': { says: 'times the pages of the website', command: [ours('bench/pages.js')] },
  'bench-processes': { says: 'times several processes beside one', command: [ours('bench/processes.js')] },
  'bench-profile': { says: 'shows where an operation spends its time', command: [ours('bench/profile.js')] },
  'bench-scale': { says: 'times reads as the database grows', command: [ours('bench/scale.js')] },
  clinic: { says: 'plays a person at a reception desk, and the clinic', command: [ours('tools/clinic.js')] },
  'clinic-records': {
    says: 'makes the Bundles for clinics of 2,000 random records',
    command: [installed('lab'), '-v', '-l', '-m', '0', ours('plugins/fhir/clinic-random.rest.test.js')],
    settings: { SVC_TEST_RECORDS: '2000' },
  },
  'bench-states': {
    says: 'measures processor time and growth beside another state',
    command: [ours('bench/states.js')],
  },
  cluster: { says: 'cuts and kills nodes of a Galera cluster', command: [ours('cluster/run.js')] },
  conversions: {
    says: 'converts a million results of laboratories, and compares them with a second exact computation',
    command: [installed('lab'), '-l', '-m', '3600000', ours('core/lab-tests/convert.test.js')],
    settings: { SVC_TEST_CONVERSIONS: '1000000' },
  },
  coverage: {
    says: 'runs the tests and counts the lines that ran',
    command: [installed('c8'), 'node', ours('run.js')],
  },
  fuzz: { says: 'sends random input to every door', command: [ours('fuzz/run.js')] },
  'hostile-links': {
    says: 'gives the service 500 hostile links and cards',
    command: [installed('lab'), '-v', '-l', '-m', '3600000', ours('hostile/link-list.test.js')],
    settings: { SVC_TEST_LINKS: '500' },
  },
  house: { says: 'counts files, names and circles of the code', command: [ours('tools/house.js')] },
  lines: {
    says: 'joins a million pairs of statements, and compares them with plain matchers',
    command: [installed('lab'), '-l', '-m', '3600000', ours('core/lines/lines.test.js')],
    settings: { SVC_TEST_ALL: '1', SVC_TEST_PAIRS: '1000000', SVC_TEST_SETS: '10000' },
  },
  pictures: { says: 'makes the pictures of the documents', command: [ours('docs/pictures.js')] },
  restore: {
    says: 'practises a restore under load',
    command: [installed('lab'), ours('core/backup/restore.rest.test.js')],
  },
  settings: { says: 'writes docs/settings.md', command: [ours('tools/settings.js')] },
  'start-time': { says: 'times the start of the service', command: [ours('docs/start-time.js')] },
  telephone: {
    says: 'cuts the network 200 times while a telephone sends readings',
    command: [installed('lab'), '-v', '-m', '0', ours('plugins/website/telephone-browser.rest.test.js')],
    settings: { SVC_TEST_CUTS: '200' },
  },
  watch: { says: 'runs the tests that a saved file concerns', command: [ours('runner/watch.js')] },
  worlds: {
    says: 'compares what a circle is answered in pairs of worlds that differ in what it may not see',
    command: [ours('run.js'), 'property/worlds'],
    settings: { PAIRS: '10000' },
  },
};

const list = (): string =>
  Object.entries(TOOLS)
    .map(([name, { says }]) => `  ${name.padEnd(16)} ${says}\n`)
    .join('');

const main = ([name, ...options]: readonly string[]): number => {
  const tool = name === undefined ? undefined : TOOLS[name];
  if (tool === undefined) {
    const unknown = name === undefined ? '' : `There is no tool ${name}. `;
    process.stderr.write(`${unknown}The tools, each called by npm run tool NAME:\n${list()}`);
    return name === undefined ? 0 : 1;
  }
  const env = { ...process.env, ...tool.settings };
  return spawnSync(process.execPath, [...tool.command, ...options], { stdio: 'inherit', env }).status ?? 1;
};

if (require.main === module) {
  process.exit(main(process.argv.slice(2)));
}
