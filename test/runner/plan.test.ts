/** plan: every test is run by one of the two commands on each database, and no command runs what it cannot need. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../core/base/paths';
import { testFiles } from './files';
import { atOnce, planOf, type Legs, type Part, type TestFile } from './plan';

export const lab = Lab.script();
const { describe, it } = lab;

const service = 'const server_1 = require("../support/server");';
const onEach = 'const databases_1 = require("../support/databases"); for (const leg of databases_1.databases) {}';

const legsIn = (part: Part, file: TestFile): Legs | undefined => planOf([file], part)[0]?.legs;

describe('the plan of the tests', () => {
  const cases: readonly (readonly [path: string, text: string, test: Legs | undefined, rest: Legs | undefined])[] = [
    ['plugins/records.test.js', service + onEach, 'sqlite', 'mysql'],
    ['plugins/reports.test.js', service + onEach, 'all', undefined],
    ['core/storage/transaction.test.js', onEach, 'all', undefined],
    ['core/xml/gate.test.js', '', 'sqlite', undefined],
    ['hostile/locked.test.js', 'startService(databases_1.databases[0])', 'sqlite', undefined],
    ['cluster/cluster.rest.test.js', '', undefined, 'all'],
  ];
  for (const [path, text, test, rest] of cases) {
    it(`runs ${path} on ${test ?? 'nothing'} in npm test and on ${rest ?? 'nothing'} in test:rest`, () => {
      expect([legsIn('test', { path, text }), legsIn('rest', { path, text })]).to.equal([test, rest]);
    });
  }

  it('leaves out no file of the project, and runs none twice on a database', () => {
    const files = testFiles();
    expect(files.length).to.be.above(90);
    const seen = new Map<string, string[]>();
    for (const { files: paths, legs } of [...planOf(files, 'test'), ...planOf(files, 'rest')]) {
      paths.forEach((path) => seen.set(path, [...(seen.get(path) ?? []), legs]));
    }
    expect([...seen.keys()].sort()).to.equal(files.map(({ path }) => path).sort());
    const ways = new Set([...seen.values()].map((legs) => legs.join(' then ')));
    expect([...ways].sort()).to.equal(['all', 'sqlite', 'sqlite then mysql']);
  });

  it('finds databases in what the compiler makes of a test', () => {
    const mysqlOnly = planOf(testFiles(), 'rest').filter(({ legs }) => legs === 'mysql');
    expect(mysqlOnly.flatMap(({ files }) => files)).to.include(['plugins/records.test.js', 'bin/svc.test.js']);
  });

  it('lets light files share a process, and those that start something have their own', () => {
    const light = Array.from({ length: 13 }, (_, index) => ({ path: `core/base/${index}.test.js`, text: '' }));
    const jobs = planOf([...light, { path: 'core/base/other.test.js', text: service }], 'test');
    expect(jobs.map(({ files }) => files.length)).to.equal([1, 12, 1]);
  });

  it('begins with what takes longest', () => {
    const files = ['bin/audit', 'bin/svc', 'bin/stop'].map((name) => ({ path: `${name}.test.js`, text: service }));
    expect(planOf(files, 'test').map(({ files: [path] }) => path)).to.equal([
      'bin/svc.test.js',
      'bin/stop.test.js',
      'bin/audit.test.js',
    ]);
  });

  it('names only files that are there as the longest', () => {
    const paths = testFiles().map(({ path }) => path);
    const source = readFileSync(join(projectRoot, 'test', 'runner', 'plan.ts'), 'utf8');
    const list = /const FIRST = \[([^\]]*)\]/.exec(source)?.[1] ?? '';
    const named = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => `${name}.test.js`);
    expect(named.length).to.be.above(5);
    expect(named.filter((name) => !paths.includes(name))).to.equal([]);
  });

  it('grows with the processors', () => {
    expect([1, 2, 4, 8].map(atOnce)).to.equal([2, 3, 6, 12]);
  });
});
