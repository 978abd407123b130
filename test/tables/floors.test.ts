/** floors: every import goes down; plugins do not import each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../core/base/paths';

export const lab = Lab.script();
const { describe, it } = lab;

const sources = (folder: string): readonly string[] =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory()
      ? sources(path)
      : /\.ts$/.test(entry.name) && !entry.name.endsWith('.d.ts')
        ? [path]
        : [];
  });

/** Height of the floor that a file stands on. */
const floorOf = (file: string): number => {
  if (file.startsWith('bin/')) {
    return 5;
  }
  if (file.startsWith('core/server/')) {
    return 4;
  }
  if (file.startsWith('plugins/')) {
    return 3;
  }
  if (file.startsWith('core/base/') || file.startsWith('core/config/')) {
    return 0;
  }
  if (file.startsWith('core/storage/')) {
    return 1;
  }
  return 2;
};

type Import = { readonly from: string; readonly to: string };

const importsOf = (file: string): readonly Import[] => {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|require\()\s*'(\.[^']+)'/g)].map((match) => {
    const target = relative(projectRoot, resolve(join(projectRoot, dirname(file)), match[1]!));
    return { from: file, to: target };
  });
};

const area = (file: string): string => file.split('/')[1]!;

const broken = ({ from, to }: Import): boolean => {
  if (from === 'plugins/index.ts') {
    return false;
  }
  if (floorOf(from) === 5 && to.startsWith('plugins')) {
    return true;
  }
  if (floorOf(from) === 3 && to.startsWith('plugins')) {
    return area(from) !== area(to);
  }
  // The composition root is the one that knows the areas.
  if (from.startsWith('core/server/')) {
    return to.startsWith('bin/');
  }
  return floorOf(`${to}${to.includes('.') ? '' : '/'}`) > floorOf(from);
};

describe('the floors', () => {
  const all = ['bin', 'core', 'plugins'].flatMap(sources);

  it('has files to look at', () => {
    expect(all.length).to.be.above(60);
  });

  it('imports downwards only', () => {
    const upward = all
      .flatMap(importsOf)
      .filter(broken)
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(upward).to.equal([]);
  });

  it('reads settings in core/config only', () => {
    const readers = all.filter((file) => /process\.env/.test(readFileSync(join(projectRoot, file), 'utf8')));
    expect(readers.filter((file) => !file.startsWith('core/config/'))).to.equal([]);
  });

  it('says the job of each file in its first line', () => {
    const silent = all.filter((file) => !/^\/\*\*/.test(readFileSync(join(projectRoot, file), 'utf8')));
    expect(silent).to.equal([]);
  });
});
