/** plan: the two commands together run every test on each database, and neither runs more than it needs. */
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
const amounts = 'const amount_1 = require("../support/amount");';
const onEach = 'const databases_1 = require("../support/databases"); for (const leg of databases_1.databases) {}';

const legsIn = (part: Part, file: TestFile): Legs | undefined => planOf([file], part)[0]?.legs;

describe('the plan of the tests', () => {
  const cases: readonly (readonly [path: string, text: string, test: Legs | undefined, rest: Legs | undefined])[] = [
    ['plugins/records.test.js', service + onEach, 'sqlite', 'mysql'],
    ['plugins/reports.test.js', service + onEach, 'all', undefined],
    ['core/db/transaction.test.js', onEach, 'all', undefined],
    ['core/xml/gate.test.js', '', 'sqlite', undefined],
    ['hostile/locked.test.js', 'startService(databases_1.databases[0])', 'sqlite', undefined],
    ['cluster/cluster.rest.test.js', '', undefined, 'all'],
    ['bin/stop.rest.test.js', onEach, undefined, 'sqlite'],
    ['bin/reload.test.js', service + onEach + amounts, 'sqlite', 'all'],
  ];
  for (const [path, text, test, rest] of cases) {
    it(`runs ${path} on ${test ?? 'nothing'} in npm test and on ${rest ?? 'nothing'} in test:rest`, () => {
      expect([legsIn('test', { path, text }), legsIn('rest', { path, text })]).to.equal([test, rest]);
    });
  }

  it('gives each database a process of its own for the long comparisons of test:rest', () => {
    const path = 'property/sharing.test.js';
    const file = { path, text: service + onEach + amounts };
    const jobsOf = (part: Part) => planOf([file], part).map(({ files, legs }) => [...files, legs]);
    expect(jobsOf('test')).to.equal([[path, 'all']]);
    expect(jobsOf('rest')).to.equal([
      [path, 'mysql'],
      [path, 'sqlite'],
    ]);
  });

  it('leaves out no file of the project, and runs none twice on a database but with more', () => {
    const files = testFiles();
    expect(files.length).to.be.above(90);
    const onIn = (part: Part): readonly string[] =>
      planOf(files, part).flatMap(({ files: paths, legs }) =>
        paths.flatMap((path) => (legs === 'all' ? ['sqlite', 'mysql'] : [legs]).map((leg) => `${path} ${leg}`)),
      );
    const [test, rest] = [onIn('test'), onIn('rest')];
    expect([new Set(test).size, new Set(rest).size]).to.equal([test.length, rest.length]);
    const run = new Set([...test, ...rest]);
    expect(files.filter(({ path }) => !run.has(`${path} sqlite`))).to.equal([]);
    const more = new Set(test.filter((one) => rest.includes(one)).map((one) => one.replace(/ .*/, '')));
    expect([...more]).to.include(['property/sharing.test.js', 'hostile/fuzz.test.js']);
    // Only files with thousands of cases are run by both.
    expect(more.size).to.be.at.most(14);
  });

  it('finds databases in what the compiler makes of a test', () => {
    const mysqlOnly = planOf(testFiles(), 'rest').filter(({ legs }) => legs === 'mysql');
    expect(mysqlOnly.flatMap(({ files }) => files)).to.include(['plugins/records.test.js', 'bin/svc.test.js']);
  });

  it('lets files share a process, and fewer of those that start a service or programs', () => {
    const program = 'const svc_1 = require("../support/svc");';
    const seven = (text: string): readonly TestFile[] =>
      Array.from({ length: 7 }, (_, index) => ({ path: `core/${text.length}/${index}.test.js`, text }));
    const sizesOn = (processors: number): readonly number[] =>
      planOf([...seven(''), ...seven(service), ...seven(service + program)], 'test', processors).map(
        ({ files }) => files.length,
      );
    expect(sizesOn(8)).to.equal([5, 2, 7, 1, 1, 1, 1, 1, 1, 1]);
    expect(sizesOn(2)).to.equal([7, 7, 4, 3]);
  });

  it('begins with what takes longest', () => {
    const files = ['bin/audit', 'hostile/fuzz', 'bin/svc'].map((name) => ({ path: `${name}.test.js`, text: service }));
    const [alone, together] = [['bin/svc.test.js', 'hostile/fuzz.test.js'], ['bin/audit.test.js']];
    const orderIn = (part: Part) => planOf(files, part).map(({ files: [path] }) => path);
    expect(orderIn('everything')).to.equal([...alone, ...together]);
    expect(orderIn('test')).to.equal([...together, ...alone]);
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
