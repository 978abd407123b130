/** read-yaml: values, lines, syntax errors, the placeholder. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseDocument } from 'yaml';
import { SetupError } from '../../../core/base/errors';
import { inProject } from '../../../core/base/paths';
import { fillVocabBase, readSetupFile, readYaml } from '../../../core/config/read-yaml';
import { removeFolder, writeFolder } from '../../support/formats';
import { randomFrom } from '../../support/random';

export const lab = Lab.script();
const { describe, it } = lab;

describe('readYaml', () => {
  const text = '# comment\nname: a\nlist:\n  - one\n  - { deep: 1,\n      deeper: 2 }\n';

  it('gives the value', () => {
    expect(readYaml(text).value).to.equal({ name: 'a', list: ['one', { deep: 1, deeper: 2 }] });
  });

  it('reads JSON', () => {
    const json = readYaml('{\n "a": [1,\n 2]}');
    expect(json.value).to.equal({ a: [1, 2] });
    expect(json.lineOf(['a', 1])).to.equal(3);
  });

  const lines: readonly (readonly [(string | number)[], number])[] = [
    [[], 2],
    [['name'], 2],
    [['list'], 3],
    [['list', 0], 4],
    [['list', 1, 'deeper'], 6],
    [['missing'], 2],
    [['list', 9], 3],
    [['list', 1, 'missing'], 5],
  ];
  for (const [path, line] of lines) {
    it(`finds ${path.join('.') || 'the whole'} in line ${line}`, () => {
      expect(readYaml(text).lineOf(path)).to.equal(line);
    });
  }

  const broken: readonly (readonly [string, string, number])[] = [
    ['an open bracket', 'a: 1\nb: [1', 2],
    ['a key twice', 'a: 1\na: 2', 2],
    ['a tab as indent', 'a:\n\tb: 1', 2],
    ['two documents', 'a: 1\n---\nb: 2', 2],
    ['an unknown tag', 'a: 1\nb: !!js/function x', 2],
    ['an alias without anchor', 'a: 1\nb: *none', 2],
    ['an alias inside of what it names', 'a: &x\n  b: [*x]', 2],
  ];
  for (const [what, yaml, line] of broken) {
    it(`reports ${what} with its line`, () => {
      const { value, problems } = readYaml(yaml);
      expect(value).to.be.undefined();
      expect(problems[0]?.line).to.equal(line);
      expect(problems[0]?.message.startsWith('not valid YAML: ')).to.be.true();
    });
  }

  it('stops at aliases that multiply', () => {
    const bomb = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`),
    ].join('\n');
    expect(readYaml(bomb).problems).to.have.length(1);
  });

  it('keeps __proto__ a plain key', () => {
    const value = readYaml('__proto__: { bad: true }').value as Record<string, unknown>;
    expect(value['bad']).to.be.undefined();
    expect(({} as Record<string, unknown>)['bad']).to.be.undefined();
  });

  describe('with its quicker parser', () => {
    const bundled = ['datamodels', 'pipeline-config'].flatMap((folder) =>
      readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => readFileSync(inProject(folder, name), 'utf8')),
    );
    /** Whether `readYaml` and the slower library agree about the value, and about whether it is right. */
    const agree = (some: string): boolean => {
      const read = readYaml(some);
      const document = parseDocument(some, { logLevel: 'error' });
      const isRight = document.errors.length + document.warnings.length === 0;
      return read.problems.length === 0
        ? isRight && JSON.stringify(read.value) === JSON.stringify(document.toJS() as unknown)
        : read.value === undefined;
    };

    it('reads every bundled file alike', () => {
      expect(bundled.length).to.be.above(100);
      expect(bundled.filter((one) => !agree(one))).to.equal([]);
    });

    it('reads numbers, words, keys and scalars as the slower one', () => {
      const values = ['012', '0o17', '0x1F', '0b11', '1_000', '+1', '-.5', '1.', '.inf', '1e3', '2001-01-01', '1:30'];
      const more = ['-0x1F', '+0o7', '0X1F', '08', '1E3', '1.e3', '.5e3', '.NaN', '12345678901234567890', '-0', '1_0'];
      const words = [
        'yes',
        'No',
        'True',
        'NULL',
        '~',
        '',
        '!!str 1',
        '&a x',
        '"a\\tb"',
        "'it''s'",
        '|\n  a\n  b',
        '>-\n  a',
      ];
      for (const value of [
        ...values,
        ...more,
        ...words,
        '[a, b',
        '{ a: ,[b] }',
        '{ a: 1, {b: c} }',
        '{ [a]: 1 }',
        '\n  - { a: 1 }: ',
        '{ a: 1, a: 2 }',
        '<<',
        '%',
        '@x',
        '- a',
        'a: b',
        '\t1',
        '*a',
      ]) {
        for (const one of [`key: ${value}\n`, `- ${value}\n`, `[${value}]`, `? ${value}\n: 1\n`]) {
          expect(agree(one), JSON.stringify(one)).to.be.true();
        }
      }
    });

    it('agrees about files in which something was changed', () => {
      const pieces = [
        ' ',
        '\n',
        ':',
        ': ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ',',
        '"',
        "'",
        ' #',
        '|',
        '~',
        '1',
        '?',
        '---\n',
        '%',
        '&a ',
      ];
      const random = randomFrom(20261129);
      const pick = (most: number): number => Math.floor(random() * most);
      for (let round = 0; round < 600; round += 1) {
        const file = bundled[pick(bundled.length)]!.slice(0, 1500);
        const at = pick(file.length);
        const changed = file.slice(0, at) + pieces[pick(pieces.length)]! + file.slice(at + pick(3));
        expect(agree(changed), changed).to.be.true();
      }
    });
  });

  it('takes an empty file as null', () => {
    expect(readYaml('').value).to.be.null();
    expect(readYaml('').lineOf(['a'])).to.equal(1);
  });
});

describe('readSetupFile', () => {
  it('fills in the placeholder everywhere', () => {
    const folder = writeFolder({ 'a.txt': '\uFEFF{vocab_base}/x {vocab_base}' });
    expect(readSetupFile(join(folder, 'a.txt'), 'https://v')).to.equal('https://v/x https://v');
    removeFolder(folder);
  });

  it('refuses a missing file and one that is not UTF-8, naming it', () => {
    const folder = writeFolder({});
    writeFileSync(join(folder, 'b.txt'), Buffer.from([0x61, 0xff]));
    expect(() => readSetupFile(join(folder, 'none'), '')).to.throw(
      SetupError,
      `${join(folder, 'none')}:1: there is no such file`,
    );
    expect(() => readSetupFile(join(folder, 'b.txt'), '')).to.throw(
      SetupError,
      `${join(folder, 'b.txt')}:1: the file is not UTF-8 text: save it in UTF-8`,
    );
    removeFolder(folder);
  });

  it('leaves dollar signs of the address alone', () => {
    expect(fillVocabBase('{vocab_base}', 'a$&b')).to.equal('a$&b');
  });
});
