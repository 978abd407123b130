/** security: SECURITY.md names files that exist and versions that are installed, and every reply that it speaks of is protected. */
import { existsSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';

export const lab = Lab.script();
const { describe, it } = lab;

const page = readFileSync(inProject('SECURITY.md'), 'utf8');
type Lock = { readonly packages: Readonly<Record<string, { readonly version: string; readonly name?: string }>> };
const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')) as Lock;

describe('SECURITY.md', () => {
  it('names tests and sources that exist', () => {
    const named = [...page.matchAll(/`((?:test|core|plugins|bin)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(named.length).to.be.above(60);
    expect(named.filter((path) => !existsSync(inProject(path)) && !existsSync(inProject(path.replace(/-\*$/, ''))))).to.equal([]);
  });

  it('shows each item by a test, and by files that hold one or are used by one', () => {
    const rows = page.slice(page.indexOf('## OWASP'), page.indexOf('## Advisories')).split('\n').filter((line) => line.startsWith('| V'));
    expect(rows.length).to.be.above(35);
    expect(rows.filter((row) => !/`test\/[\w./-]+\.ts`/.test(row.split('|')[3] ?? ''))).to.equal([]);
  });

  it('speaks of the versions that are installed', () => {
    const versions = [...page.matchAll(/(?:^\| |inside )(libxmljs2|libxslt) (0\.\d+\.\d+)/gm)].map(([, name, version]) => [name, version] as const);
    expect(versions.map(([name]) => name).sort()).to.equal(['libxmljs2', 'libxslt']);
    const installed = (name: string): string | undefined => Object.entries(lock.packages).find(([path, entry]) => (entry.name ?? path.replace(/^.*node_modules\//, '')) === name)?.[1].version;
    for (const [name, version] of versions) {
      expect(version, name).to.equal(installed(name!));
    }
  });
});
