/** same-rules: files that say when two facts are one, and tables of codes: what is wrong is named with file and line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readRelation } from '../../../core/facts/code-tables';
import { loadModels } from '../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const MODEL = '__modelname__: Pill\nname: CodedValue\ndose: ValueAndUnit\nstart: DateOnly\n';
const HEAD = '# source: here\n# licence: none\n# release: 1\n# kind: ingredient\n';

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'same-'));
  try {
    mkdirSync(join(folder, 'relations'));
    for (const [name, text] of Object.entries({ 'pill.yaml': MODEL, ...files })) {
      writeFileSync(join(folder, name), text);
    }
    return loadModels([folder], 'x').problems.map((problem) => problem.slice(folder.length + 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const same = (rules: string): Readonly<Record<string, string>> => ({ 'pill.same.yaml': `Pill:\n${rules}` });

describe('a file that says when two facts are one', () => {
  it('gives the model its rules', () => {
    expect(
      problemsOf(same('  what: thing\n  equal:\n    - { code: name }\n    - { words: name, amount: dose }\n')),
    ).to.equal([]);
  });

  const wrong: readonly (readonly [string, string, number, RegExp])[] = [
    ['neither a thing nor an event', '  what: other\n', 2, /what is thing or event/],
    ['a field that is not there', '  what: thing\n  equal:\n    - { words: title }\n', 4, /title is no field of Pill/],
    [
      'a day that is none',
      '  what: thing\n  equal:\n    - { words: name, day: name }\n',
      4,
      /name is no field of Pill that can/,
    ],
    ['an unknown key', '  what: thing\n  likeness: 90\n', 3, /likeness is none of/],
    ['an unknown key of an entry', '  what: thing\n  equal:\n    - { words: name, fuzzy: 1 }\n', 4, /fuzzy is none of/],
    [
      'a system that is not there',
      '  what: thing\n  equal:\n    - { code: name, systems: [Foo] }\n',
      4,
      /no system Foo/,
    ],
    ['an event without a date', '  what: event\n', 1, /an event has when/],
    ['a sender’s id alone', '  what: thing\n  equal:\n    - { sent: true }\n', 4, /proves nothing alone/],
    ['an unknown conflict', '  what: thing\n  conflict: [mood]\n', 3, /an entry of conflict is/],
    ['an unknown unless', '  what: thing\n  unless: [{ moons: name }]\n', 3, /an entry of unless is/],
    [
      'an id of its sender that is a word',
      '  what: thing\n  equal: [{ words: name, sent: yes please }]\n',
      3,
      /sent is true/,
    ],
    [
      'systems without a code',
      '  what: thing\n  equal: [{ words: name, systems: [Foo] }]\n',
      3,
      /systems belongs to a code/,
    ],
    [
      'a relation without a code',
      '  what: thing\n  equal: [{ words: name, through: foo }]\n',
      3,
      /through belongs to a code/,
    ],
    [
      'times of an event',
      '  what: event\n  when: { date: start, same: day }\n  times: { from: start, apart: 30 }\n',
      4,
      /has no times/,
    ],
    ['times without days', '  what: thing\n  times: { from: start }\n', 3, /apart: 30/],
  ];
  for (const [what, rules, line, reason] of wrong) {
    it(`is refused for ${what}`, () => {
      const [first = ''] = problemsOf(same(rules));
      expect(first).to.startWith(`pill.same.yaml:${line}: `);
      expect(first).to.match(reason);
    });
  }

  it('is refused without a model beside it, and under another name', () => {
    expect(problemsOf({ 'tablet.same.yaml': 'Pill: { what: thing }' })[0]).to.match(
      /there is no model file of this name/,
    );
    expect(problemsOf({ 'pill.same.yml': 'Pill: { what: thing }' })[0]).to.match(/name it pill.same.yaml/);
    expect(problemsOf({ 'pill.same.yaml': 'Other: { what: thing }' })[0]).to.match(/has no model Other/);
  });
});

describe('tables of codes', () => {
  it('are refused for a system without addresses, a ring, a row without all parts, and a missing head', () => {
    expect(problemsOf({ 'systems.yaml': 'A: { coarse: true }\n' })[0]).to.match(/^systems.yaml:1: A is/);
    expect(problemsOf({ 'relations/a.tsv': `${HEAD}A\t1\tA\t2\nA\t2\tA\t1\n` })[0]).to.match(/leads back to itself/);
    expect(problemsOf({ 'relations/a.tsv': `${HEAD}A\t1\tA\n` })[0]).to.match(/^relations\/a.tsv:5: a row is/);
    expect(problemsOf({ 'relations/a.tsv': 'A\t1\tA\t2\n' })[0]).to.match(/begin with lines/);
  });

  it('lead a code with two targets nowhere', () => {
    const relation = readRelation(`${HEAD}A\t1\tA\t2\nA\t1\tA\t3\nA\t4\tA\t2\n`, () => {
      throw new Error('nothing is wrong with it');
    });
    expect(relation).to.include({ targets: { 'A|4': 'A|2' }, double: ['A|1'] });
  });
});
