/**
 * convert: laboratory values in other units, beside values that are known, and beside a second computation that shares
 * nothing with the first but the rows of the file: it is exact, too, and has UCUM's definitions of the units.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { digitsOf, readExact, withDigits } from '../../../core/base/exact';
import { conversionFor, convertValue } from '../../../core/lab-tests/convert';
import { loadLabTests } from '../../../core/lab-tests/load';
import { namesLoinc } from '../../../core/lab-tests/tests';
import { readYaml } from '../../../core/config/read-yaml';
import { amount } from '../../support/amount';
import { below, pick, randomFrom } from '../../support/random';

export const lab = Lab.script();
const { describe, it } = lab;

const problems: string[] = [];
const tests = loadLabTests([inProject('datamodels')], problems);
const named = (id: string) => tests.find(id)!;
const converted = (id: string, value: string, from: string, to: string): string | undefined =>
  convertValue(named(id), value, from, to)?.text;

const CONVERSIONS = Number(process.env['SVC_TEST_CONVERSIONS'] ?? amount(20_000, 250_000));

describe('values of laboratories in another unit', () => {
  it('are those that the field knows', () => {
    const known: readonly (readonly [test: string, value: string, from: string, to: string, result: string])[] = [
      ['glucose', '100', 'mg/dL', 'mmol/L', '5.55'],
      ['cholesterol', '200', 'mg/dL', 'mmol/L', '5.17'],
      ['creatinine', '1.0', 'mg/dL', 'umol/L', '88'],
      ['creatinine', '1.00', 'mg/dL', 'umol/L', '88.4'],
      ['bilirubin', '1.00', 'mg/dL', 'umol/L', '17.1'],
      ['calcium', '10.0', 'mg/dL', 'mmol/L', '2.50'],
      ['iron', '100', 'ug/dL', 'umol/L', '17.9'],
      ['free-t4', '1.00', 'ng/dL', 'pmol/L', '12.9'],
      ['vitamin-b12', '300', 'pg/mL', 'pmol/L', '221'],
      ['urine-acr', '30.0', 'mg/g', 'mg/mmol', '3.39'],
      ['hba1c', '48', 'mmol/mol', '%', '6.5'],
      ['hba1c', '42', 'mmol/mol', '%', '6.0'],
      ['hba1c', '7.0', '%', 'mmol/mol', '53'],
      ['hemoglobin', '14.0', 'g/dL', 'g/L', '140'],
      ['glucose', '<10.0', 'mg/dL', 'mmol/L', '<0.555'],
    ];
    for (const [test, value, from, to, result] of known) {
      expect(named(test), test).to.exist();
      expect(converted(test, value, from, to), `${test} ${value} ${from}`).to.equal(result);
    }
  });

  it('stay as they are written in the same unit', () => {
    expect(converted('glucose', '100.00', 'mg/dL', 'mg/dL')).to.equal('100.00');
  });

  it('are not made where two kinds of unit depend on the assay', () => {
    const never = tests.tests.filter(({ precision }) => precision === 'never');
    expect(never.length).to.be.above(3);
    for (const test of never) {
      const crossing = test.units.filter((unit) => conversionFor(test, test.units[0]!, unit) === undefined);
      expect(crossing.length, test.id).to.be.above(0);
    }
  });

  it('are not made of words, nor in units of other tests', () => {
    expect(converted('glucose', 'see note', 'mg/dL', 'mmol/L')).to.be.undefined();
    expect(converted('glucose', '100', 'mg/dL', 'U/L')).to.be.undefined();
    expect(converted('hba1c', '48', 'mmol/mol', '1')).to.be.undefined();
    expect(converted('inr', '2.5', '1', '%')).to.be.undefined();
  });

  it('say so where the mass of a mole is agreed only', () => {
    expect(convertValue(named('triglycerides'), '150', 'mg/dL', 'mmol/L')?.byConvention).to.be.true();
    expect(convertValue(named('glucose'), '100', 'mg/dL', 'mmol/L')?.byConvention).to.be.false();
  });
});

describe('spellings of units', () => {
  const unit = (test: string, written: string): string | undefined => tests.unitFor(named(test), written);

  it('mean UCUM units, some of them only for some tests', () => {
    expect(unit('glucose', 'MG/DL')).to.equal('mg/dL');
    expect(unit('glucose', 'mg/dl')).to.equal('mg/dL');
    expect(unit('creatinine', 'µmol/l')).to.equal('umol/L');
    expect(unit('alt', 'IU/L')).to.equal('U/L');
    expect(unit('alt', 'U/l')).to.equal('U/L');
    expect(unit('tsh', 'mU/L')).to.equal('m[IU]/L');
    expect(unit('tsh', 'uIU/mL')).to.equal('u[IU]/mL');
    expect(unit('platelets', 'Thou/uL')).to.equal('10*3/uL');
    expect(unit('platelets', 'x10E3/uL')).to.equal('10*3/uL');
    expect(unit('ferritin', 'mcg/L')).to.equal('ug/L');
  });

  it('are none where the test is a ratio, and the number is all that it has', () => {
    for (const written of ['', '1', '{INR}', '{ratio}']) {
      expect([written, unit('inr', written)]).to.equal([written, '1']);
    }
    for (const written of ['%', 's', '{INR}/L']) {
      expect([written, unit('inr', written)]).to.equal([written, undefined]);
    }
    expect(unit('hba1c', ''), 'percent or mmol/mol').to.be.undefined();
  });

  it('that a test cannot have are no unit of it', () => {
    expect(unit('glucose', 'mmHg')).to.be.undefined();
    expect(unit('glucose', '')).to.be.undefined();
    expect(unit('glucose', 'mg/dL{FEU}')).to.be.undefined();
    expect(unit('glucose', 'constructor')).to.be.undefined();
  });
});

describe('exact numbers', () => {
  it('are rounded to significant digits, half up', () => {
    const cases: readonly (readonly [string, number, string])[] = [
      ['9.96', 2, '10'],
      ['0.0995', 2, '0.10'],
      ['1234.5', 4, '1235'],
      ['12345', 3, '12300'],
      ['0.00123456', 3, '0.00123'],
      ['5', 2, '5.0'],
      ['99.95', 3, '100'],
      ['0', 3, '0'],
    ];
    for (const [text, digits, result] of cases) {
      expect(withDigits(readExact(text)!, digits), text).to.equal(result);
    }
    expect(digitsOf('0.050')).to.equal(2);
    expect(digitsOf('100')).to.equal(3);
  });
});

const ATOMS: Readonly<Record<string, number>> = {
  H: 1.008,
  C: 12.011,
  N: 14.007,
  O: 15.999,
  S: 32.06,
  P: 30.973_762,
  I: 126.9,
  Na: 22.989_77,
  K: 39.0983,
  Cl: 35.45,
  Ca: 40.078,
  Mg: 24.305,
  Fe: 55.845,
  Zn: 65.38,
  Cu: 63.546,
  Li: 6.94,
  Co: 58.933,
  Se: 78.971,
  F: 18.998,
  Pb: 207.2,
};

/** A fraction that the second computation works with. */
type Ratio = readonly [top: bigint, bottom: bigint];
const ratio = (text: string): Ratio => {
  const [number = '', power = '0'] = text.split('e');
  const [whole = '', part = ''] = number.split('.');
  const digits = BigInt(`${whole}${part}`);
  const shift = Number(power) - part.length;
  return shift >= 0 ? [digits * 10n ** BigInt(shift), 1n] : [digits, 10n ** BigInt(-shift)];
};
const multiplied = (...all: readonly Ratio[]): Ratio =>
  all.reduce(([top, bottom], [over, under]) => [top * over, bottom * under], [1n, 1n]);
const turned = ([top, bottom]: Ratio): Ratio => [bottom, top];

/** UCUM's own definitions of the units that these tests have: what they count, and how much of it one is. */
const SIZES: Readonly<Record<string, readonly [kind: string, size: string]>> = {
  'g/L': ['g', '1'],
  'g/dL': ['g', '10'],
  'mg/L': ['g', '1e-3'],
  'mg/dL': ['g', '1e-2'],
  'ug/L': ['g', '1e-6'],
  'ug/dL': ['g', '1e-5'],
  'ug/mL': ['g', '1e-3'],
  'ng/L': ['g', '1e-9'],
  'ng/dL': ['g', '1e-8'],
  'ng/mL': ['g', '1e-6'],
  'pg/mL': ['g', '1e-9'],
  'pg/dL': ['g', '1e-11'],
  'mmol/L': ['mol', '1e-3'],
  'umol/L': ['mol', '1e-6'],
  'nmol/L': ['mol', '1e-9'],
  'pmol/L': ['mol', '1e-12'],
  'meq/L': ['eq', '1e-3'],
  pg: ['g', '1e-12'],
  fmol: ['mol', '1e-15'],
  'mg/mmol': ['for a mole', '1'],
  'mg/g': ['for a gram', '1e-3'],
  'ug/g': ['share', '1e-6'],
  'mg/kg': ['share', '1e-6'],
  '%': ['share', '1e-2'],
  '[ppth]': ['share', '1e-3'],
  'L/L': ['share', '1'],
  '10*9/L': ['count', '1e9'],
  '10*3/uL': ['count', '1e9'],
  '/uL': ['count', '1e6'],
  '10*12/L': ['count', '1e12'],
  '10*6/uL': ['count', '1e12'],
  'U/L': ['enzyme', '1e-6'],
  'U/mL': ['enzyme', '1e-3'],
  'kU/L': ['enzyme', '1e-3'],
  // Sixty units are a microkatal.
  'ukat/L': ['enzyme', '60e-6'],
  'nkat/L': ['enzyme', '60e-9'],
  '[IU]/L': ['IU', '1'],
  'm[IU]/mL': ['IU', '1'],
  'k[IU]/L': ['IU', '1e3'],
  '[IU]/mL': ['IU', '1e3'],
  'm[IU]/L': ['IU', '1e-3'],
  'u[IU]/mL': ['IU', '1e-3'],
  "[arb'U]/mL": ['enzyme', '1e-3'],
  'mL/min': ['flow', '1'],
  'mL/s': ['flow', '60'],
  'mL/min/{1.73_m2}': ['flow of a body', '1'],
  'mL/s/{1.73_m2}': ['flow of a body', '60'],
  'g/(24.h)': ['day', '1'],
  'mg/(24.h)': ['day', '1e-3'],
  'mm[Hg]': ['pressure', '133.322387415'],
  kPa: ['pressure', '1000'],
};

/** How many of the second kind one of the first is, by the row of the test; undefined where no row says it. */
const crossing = (from: string, to: string, mass: Ratio | undefined, charge: string | undefined): Ratio | undefined => {
  const inMoles: Readonly<Record<string, Ratio | undefined>> = {
    mol: [1n, 1n],
    g: mass && turned(mass),
    eq: charge === undefined ? undefined : turned(ratio(charge)),
  };
  if (from === to) {
    return [1n, 1n];
  }
  if (from === 'for a gram' || to === 'for a gram') {
    return from === 'for a gram' ? mass : mass && turned(mass);
  }
  const [one, other] = [inMoles[from], inMoles[to]];
  return one && other && multiplied(one, turned(other));
};

/** Rounded to so many significant digits, or to decimals, half up: how many steps of which size. */
const roundedTo = ([top, bottom]: Ratio, digits: number | undefined, decimals = 0): Ratio => {
  let power = 0;
  while (digits !== undefined && top !== 0n && top * 10n ** BigInt(power) < bottom * 10n ** BigInt(digits - 1)) {
    power += 1;
  }
  while (digits !== undefined && power <= 0 && top >= bottom * 10n ** BigInt(digits - power)) {
    power -= 1;
  }
  const step = ratio(`1e${digits === undefined ? -decimals : -power}`);
  const [steps, under] = multiplied([top, bottom], turned(step));
  return multiplied([(steps * 2n + under) / (under * 2n), 1n], step);
};

const isEqual = ([a, b]: Ratio, [c, d]: Ratio): boolean => a * d === c * b;

describe('random conversions', () => {
  const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
  const random = randomFrom(seed);
  const rows = new Map(
    (
      parse(readFileSync(inProject('datamodels/tests/tests.csv')), { columns: true }) as unknown as readonly Readonly<
        Record<string, string>
      >[]
    ).map((row) => [row['id']!, row]),
  );
  /** What the second computation makes of it, from the rows of the file alone; undefined: it must not be converted. */
  const factorOf = (id: string, from: string, to: string): Ratio | undefined => {
    const { molar_mass: mass = '', special = '', precision } = rows.get(id)!;
    const [[kind, size], [otherKind, otherSize]] = [SIZES[from]!, SIZES[to]!];
    const own = precision === 'never' && kind !== otherKind ? undefined : true;
    const charge = /charge:(\d)/.exec(special)?.[1];
    const cross = own && crossing(kind, otherKind, mass === '' ? undefined : ratio(mass), charge);
    return cross && multiplied(ratio(size), cross, turned(ratio(otherSize)));
  };
  const pairs = tests.tests
    .filter(({ precision }) => precision !== 'formula')
    .flatMap((test) => test.units.flatMap((from) => test.units.map((to) => ({ test, from, to }))))
    .filter(({ from, to }) => from !== to);

  it(`are what a second exact computation says, to the last digit, seed ${seed}`, () => {
    const unknown = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].filter((unit) => !SIZES[unit]);
    expect(unknown.filter((unit) => unit !== '/[HPF]')).to.equal([]);
    const known = pairs.filter(({ from, to }) => SIZES[from] && SIZES[to]);
    expect(known.length).to.be.above(400);
    const factors = new Map(known.map((pair) => [pair, factorOf(pair.test.id, pair.from, pair.to)]));
    let made = 0;
    for (let number = 0; number < CONVERSIONS; number += 1) {
      const pair = pick(random, known);
      const written = (below(random, 100_000) / 10 ** below(random, 4)).toFixed(below(random, 4));
      const text = convertValue(pair.test, written, pair.from, pair.to)?.text;
      const factor = factors.get(pair);
      const digits = Math.min(4, Math.max(2, written.replace('.', '').replace(/^0+/, '').length));
      const expected = factor && roundedTo(multiplied(ratio(written), factor), digits);
      // An expectation costs more than the conversion.
      if (text === undefined ? expected !== undefined : !expected || !isEqual(ratio(text), expected)) {
        expect(text, `${pair.test.id} ${written} ${pair.from} in ${pair.to}`).to.equal(
          expected && String(Number(expected[0]) / Number(expected[1])),
        );
      }
      made += Number(text !== undefined);
    }
    expect(made).to.be.above(CONVERSIONS * 0.75);
  });

  it('of HbA1c have one digit in percent, and none in mmol/mol', () => {
    const [slope, shift] = [ratio('0.09148'), ratio('2.152')];
    for (let tenth = 0; tenth < 2000; tenth += 1) {
      const written = (tenth / 10).toFixed(1);
      const [top, bottom] = multiplied(ratio(written), slope);
      const percent = roundedTo([top * shift[1] + shift[0] * bottom, bottom * shift[1]], undefined, 1);
      expect(isEqual(ratio(converted('hba1c', written, 'mmol/mol', '%')!), percent), written).to.be.true();
      const [over, under] = ratio(written);
      const rest = over * shift[1] - shift[0] * under;
      const moles = roundedTo(multiplied([rest, under * shift[1]], turned(slope)), undefined, 0);
      const shown = converted('hba1c', written, '%', 'mmol/mol')!;
      expect(rest < 0n || isEqual(ratio(shown), moles), `${written} ${shown}`).to.be.true();
    }
  });
});

describe('the bundled tests', () => {
  it('have no problems, and codes with an official name', () => {
    expect(problems).to.equal([]);
    expect(tests.tests.length).to.be.above(200);
    expect(tests.codes.size).to.be.above(300);
    expect(tests.codes.get('2093-3')).to.include({ series: '', system: 'Ser/Plas' });
  });

  it('convert between all their units, but for those that depend on the assay', () => {
    const cut = tests.tests
      .filter(({ precision }) => !['never', 'none'].includes(precision))
      .flatMap((test) =>
        test.units
          .filter((unit) => conversionFor(test, unit, test.units[0]!) === undefined)
          .map((unit) => `${test.id} ${unit}`),
      );
    expect(cut).to.equal([]);
  });
});

describe('molar masses', () => {
  const rows = parse(readFileSync(inProject('datamodels/tests/tests.csv')), {
    columns: true,
  }) as unknown as readonly Readonly<Record<string, string>>[];
  const massOf = (formula: string): number =>
    [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)].reduce(
      (sum, [, atom, count]) => sum + (ATOMS[atom!] ?? NaN) * Number(count || 1),
      0,
    );

  it('follow from the formulas', () => {
    const some = rows.filter(({ formula }) => formula !== '');
    expect(some.length).to.be.above(40);
    const wrong = some.filter((row) => !(Math.abs(massOf(row['formula']!) - Number(row['molar_mass'])) < 0.02));
    expect(
      wrong.map((row) => `${row['id']} ${row['formula']} ${massOf(row['formula']!)} ${row['molar_mass']}`),
    ).to.equal([]);
  });
});

describe('codes of results', () => {
  it('are of LOINC by every name that the table of systems has for it', () => {
    const { addresses } = (
      readYaml(readFileSync(inProject('datamodels/systems.yaml'), 'utf8')).value as Record<
        string,
        { readonly addresses: readonly string[] }
      >
    )['LOINC']!;
    expect(addresses.length).to.be.above(2);
    for (const system of [...addresses, 'LOINC', '2.16.840.1.113883.6.1']) {
      expect([system, namesLoinc(system)]).to.equal([system, true]);
    }
    for (const system of [
      '',
      'http://snomed.info/sct',
      'urn:oid:2.16.840.1.113883.6.12',
      'urn:oid:12.16.840.1.113883.6.1',
    ]) {
      expect([system, namesLoinc(system)]).to.equal([system, false]);
    }
  });
});
