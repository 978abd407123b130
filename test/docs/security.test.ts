/**
 * security: SECURITY.md and docs/asvs.md name files that exist, and docs/advisories.md versions that are installed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject, projectRoot } from '../../core/base/paths';

export const lab = Lab.script();
const { describe, it } = lab;

const [page, items, advisories] = ['SECURITY.md', 'docs/asvs.md', 'docs/advisories.md'].map((name) =>
  readFileSync(inProject(name), 'utf8'),
) as [string, string, string];
type Lock = { readonly packages: Readonly<Record<string, { readonly version: string; readonly name?: string }>> };
const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')) as Lock;

describe('SECURITY.md', () => {
  it('names tests and sources that exist', () => {
    const named = [...`${page}${items}`.matchAll(/`((?:test|core|plugins|bin)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(named.length).to.be.above(60);
    expect(
      named.filter((path) => !existsSync(inProject(path)) && !existsSync(inProject(path.replace(/-\*$/, '')))),
    ).to.equal([]);
  });

  it('shows each item by a test, and by files that hold one or are used by one', () => {
    const rows = items.split('\n').filter((line) => line.startsWith('| V'));
    expect(rows.length).to.be.above(35);
    expect(rows.filter((row) => !/`test\/[\w./-]+\.ts`/.test(row.split('|')[3] ?? ''))).to.equal([]);
  });

  /** The first columns of the tables of advisories. */
  const dependencies = [...advisories.matchAll(/^\| ([^|]*?) \|/gm)].map(([, cell]) => cell!).join('\n');
  /** Native code inside packages: the lock file has no line for it. */
  const engine = /^(?:libxml2|SQLite|DOMPurify|libxslt 1\.)/;

  it('speaks of the versions that are installed', () => {
    const named = [...dependencies.matchAll(/(?:@[\w-]+\/)?[A-Za-z][\w-]* \d+\.\d+\.\d+/g)]
      .map(([whole]) => whole)
      .filter((whole) => whole.startsWith('libxml2-wasm') || !engine.test(whole));
    expect(named.length).to.be.above(6);
    const installed = new Set(
      Object.entries(lock.packages).map(
        ([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')} ${version}`,
      ),
    );
    expect(named.filter((whole) => !installed.has(whole))).to.equal([]);
  });

  /**
   * The value of an expression in a process of its own, because two copies of one engine may not work in one process.
   */
  const says = (expression: string): string =>
    execFileSync(process.execPath, ['-p', expression], { cwd: projectRoot, encoding: 'utf8' }).trim();

  it('speaks of the engines that run', () => {
    const versionsOf = (pattern: RegExp): readonly string[] => [
      ...new Set([...dependencies.matchAll(pattern)].map(([, version]) => version!)),
    ];
    expect(versionsOf(/\b(2\.[\d.]+) in libxmljs2/g)).to.equal([says("require('libxmljs2').libxml_version")]);
    expect(versionsOf(/\b(2\.[\d.]+) in libxslt/g)).to.equal([says("require('node1-libxmljsmt-myh').libxml_version")]);
    // One for each release of the driver; only one of the two is used here.
    expect(versionsOf(/\(SQLite ([\d.]+)\)/g))
      .to.have.length(2)
      .and.to.include(
        says(
          "new (require('./dist/core/db/sqlite/better-sqlite').Sqlite)(':memory:').prepare('select sqlite_version()').pluck().get()",
        ),
      );
  });
});
