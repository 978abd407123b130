/** floors: every import goes down; areas do not import each other, and doors import only the operations of areas. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject, projectRoot } from '../../core/base/paths';

export const lab = Lab.script();
const { describe, it } = lab;

const sources = (folder: string): readonly string[] =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return sources(path);
    }
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });

/**
 * A store holds the rows of its noun. It stands with the noun, and imports only what stands below all stores. All of
 * core/facts is about rows.
 */
const isStore = (file: string): boolean =>
  /^core\/.*\/(?:[a-z-]+-)?store(?:\.ts)?$/.test(file) && !file.startsWith('core/facts/');
const isElement = (file: string): boolean => /^core\/.*\/(?:[a-z-]+-)?element(?:\.ts)?$/.test(file);

const floors = JSON.parse(readFileSync(inProject('core/floors.json'), 'utf8')) as readonly string[];

/** The floor of a file in core: that of its role (stores, elements), else the longest entry that its path begins with. */
const floorIn = (file: string): string => {
  if (isStore(file)) {
    return '*store';
  }
  if (isElement(file)) {
    return '*element';
  }
  const path = file.replace(/^core\//, '').replace(/\.tsx?$/, '');
  const found = floors
    .filter((floor) => path === floor || path.startsWith(`${floor}/`))
    .sort((one, other) => other.length - one.length);
  return found[0] ?? path.split('/')[0]!;
};

/** The height of a file's floor. */
const floorOf = (file: string): number => {
  if (file.startsWith('bin/')) {
    return 5;
  }
  if (file.startsWith('core/server/')) {
    return 4;
  }
  return file.startsWith('plugins/') ? 3 : 0;
};

/** Plugins that offer the operations of areas to another kind of caller. */
const doors = ['fhir', 'smart', 'website'];

type Import = { readonly from: string; readonly to: string };

const importsOf = (file: string): readonly Import[] => {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|require\()\s*'(\.[^']+)'/g)].map((match) => {
    const target = relative(projectRoot, resolve(join(projectRoot, dirname(file)), match[1]!));
    return { from: file, to: target };
  });
};

const area = (file: string): string => file.split('/')[1]!;

/** A door may import the operations of any plugin, and of another door also its parts. */
const betweenPlugins = (from: string, to: string): boolean =>
  area(from) === area(to) ||
  (doors.includes(area(from)) &&
    (/\/([a-z]+-)?routes$/.test(to) || (doors.includes(area(to)) && to.startsWith(`plugins/${area(to)}/parts/`))));

const broken = ({ from, to }: Import): boolean => {
  if (from === 'plugins/index.ts') {
    return false;
  }
  if (floorOf(from) === 5 && to.startsWith('plugins')) {
    return true;
  }
  if (floorOf(from) === 3 && to.startsWith('plugins')) {
    return !betweenPlugins(from, to);
  }
  // Only the composition root knows the areas.
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

  it('lets a door import operations and keeps areas off doors and off each other', () => {
    const tried = [
      { from: 'plugins/website/pages/account/account.tsx', to: 'plugins/accounts/routes' },
      { from: 'plugins/website/pages/account/account.tsx', to: 'plugins/carenets/content-routes' },
      { from: 'plugins/website/pages/account/account.tsx', to: 'plugins/accounts/service' },
      { from: 'plugins/accounts/service.ts', to: 'plugins/website/parts/frame' },
      { from: 'plugins/accounts/service.ts', to: 'plugins/records/routes' },
      { from: 'core/http/area.ts', to: 'plugins/website/index' },
    ];
    expect(tried.map(broken)).to.equal([false, false, true, true, true, true]);
  });

  it('keeps the order of the folders of core, types included', () => {
    const inCore = all.flatMap(importsOf).filter(({ from, to }) => from.startsWith('core/') && to.startsWith('core/'));
    const used = new Set(inCore.flatMap(({ from, to }) => [floorIn(from), floorIn(to)]));
    expect([...used].sort()).to.equal([...floors].sort());
    const upward = inCore
      .filter(({ from, to }) => floors.indexOf(floorIn(to)) > floors.indexOf(floorIn(from)))
      .map(({ from, to }) => `${from} imports ${to}`);
    expect(upward).to.equal([]);
  });

  it('has no folder with more files than somebody overlooks', () => {
    const big = [...new Set(all.map(dirname))].filter(
      (folder) => all.filter((file) => dirname(file) === folder).length > 25,
    );
    expect(big).to.equal([]);
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
