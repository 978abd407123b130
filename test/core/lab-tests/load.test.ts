/** load: what is wrong in the files of tests is named with file, line and reason; the bundled rows are recomputed. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { loadLabTests } from '../../../core/lab-tests/load';

export const lab = Lab.script();
const { describe, it } = lab;

const HEAD = 'id,group,en,de,es,ar,units,formula,molar_mass,precision,kind,special,aliases\n';
const CODES = 'loinc,test,property,system,series,method,loinc_name,checked\n';
const GOOD = 'a,kidney,A,A,A,A,mg/dL,,,exact,quantity,,\n';

type Row = Readonly<Record<string, string>>;
const rowsOf = (file: string): readonly Row[] =>
  parse(readFileSync(inProject(`datamodels/tests/${file}`)), { columns: true }) as unknown as readonly Row[];

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tests-'));
  const problems: string[] = [];
  try {
    mkdirSync(join(folder, 'tests'));
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, 'tests', name), text);
    }
    loadLabTests([folder], problems);
    return problems.map((problem) => problem.slice(folder.length + 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('files of tests', () => {
  it('are good as they are here', () => {
    expect(
      problemsOf({ 'tests.csv': HEAD + GOOD, 'codes.csv': `${CODES}2160-0,a,,Ser/Plas,,,Creatinine,M\n` }),
    ).to.equal([]);
  });

  const wrong: readonly (readonly [what: string, files: Row, start: string, reason: RegExp])[] = [
    ['a wrong check digit', { 'codes.csv': '2160-1,a,,Ser,,,Name,M' }, 'tests/codes.csv:2: ', /check digit is wrong/],
    ['no letter of a check', { 'codes.csv': '2160-0,a,,Ser,,,Name,' }, 'tests/codes.csv:2: ', /checked is empty/],
    ['no official name', { 'codes.csv': '2160-0,a,,Ser,,,,M' }, 'tests/codes.csv:2: ', /loinc_name is empty/],
    ['a code of no test', { 'codes.csv': '2160-0,b,,Ser,,,Name,M' }, 'tests/codes.csv:2: ', /there is no test b/],
    [
      'a code twice',
      { 'codes.csv': '2160-0,a,,Ser,,,Name,M\n2160-0,a,,Ser,,,Name,M' },
      'tests/codes.csv:3: ',
      /2160-0 stands in this file twice/,
    ],
    ['a test twice', { 'tests.csv': HEAD + GOOD + GOOD }, 'tests/tests.csv:3: ', /a stands in this file twice/],
    ['a unit that is none', { 'tests.csv': HEAD + GOOD.replace('mg/dL', 'moons') }, 'tests/tests.csv:2: ', /moons/],
    ['an unknown precision', { 'tests.csv': HEAD + GOOD.replace('exact', 'near') }, 'tests/tests.csv:2: ', /precision/],
    ['a name that lacks', { 'tests.csv': HEAD + GOOD.replace('A,A,A,A', 'A,,A,A') }, 'tests/tests.csv:2: ', /de/],
    ['a measure named as a test', { 'body.csv': HEAD + GOOD }, 'tests/body.csv:2: ', /a is a test of tests.csv, too/],
    ['an unknown spelling', { 'spellings.yaml': 'every:\n  moons: [m]\n' }, 'tests/spellings.yaml:2: ', /is no unit/],
    ['an unknown key', { 'spellings.yaml': 'every: {}\nmost: {}\n' }, 'tests/spellings.yaml:2: ', /most/],
  ];
  for (const [what, files, start, reason] of wrong) {
    it(`are refused for ${what}`, () => {
      const codes = files['codes.csv'];
      const [first = ''] = problemsOf({
        'tests.csv': HEAD + GOOD,
        ...files,
        ...(codes === undefined ? {} : { 'codes.csv': `${CODES}${codes}\n` }),
      });
      expect(first).to.startWith(start);
      expect(first).to.match(reason);
    });
  }
});

describe('the bundled codes', () => {
  it('end with their check digit, computed here once more', () => {
    const rows = rowsOf('codes.csv');
    expect(rows.length).to.be.above(300);
    // Luhn's sum over all digits, the last one included, is a multiple of ten.
    const isRight = (code: string): boolean => {
      const digits = [...code.replace('-', '')].map(Number).reverse();
      const sum = digits.reduce((total, digit, at) => {
        const part = at % 2 === 0 ? digit : digit * 2;
        return total + Math.trunc(part / 10) + (part % 10);
      }, 0);
      return /^\d+-\d$/.test(code) && sum % 10 === 0;
    };
    expect(rows.filter(({ loinc }) => !isRight(loinc!)).map(({ loinc }) => loinc)).to.equal([]);
    expect(rows.filter((row) => row['checked'] === '' || row['loinc_name'] === '')).to.equal([]);
    expect(new Set(rows.map(({ loinc }) => loinc)).size).to.equal(rows.length);
  });
});
