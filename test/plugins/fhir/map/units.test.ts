/** units and decimals: which units may be called UCUM, and numbers that keep their digits. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { decimalOf, decimalOfNumber } from '../../../../core/fhir/decimal';
import { isUcum } from '../../../../core/pipeline/resources/units';

export const lab = Lab.script();
const { describe, it } = lab;

describe('isUcum', () => {
  it('knows the units of laboratories and vital signs', () => {
    const units =
      'mg/dL mmol/L 10*3/uL mm[Hg] kg/m2 Cel % /min {score} {tablet} U/L [IU]/mL mL/min/{1.73_m2} g/(24.h) ' +
      'ug/kg/min 1 /(2.d) meq/L [degF] fL pg ng/mL mg/g{creat} cm [in_i] d mo a h';
    expect(units.split(' ').filter((unit) => !isUcum(unit))).to.equal([]);
  });

  it('does not call what people write UCUM', () => {
    const units = [
      'mmHg',
      'tabs',
      'beats/min',
      'mg per dl',
      'mEq/L',
      'inhaler',
      '',
      'x10^3',
      'µg',
      'sec',
      '{',
      'mg/(dL',
      'Deg F',
      'lbs',
    ];
    expect(units.filter(isUcum)).to.equal([]);
  });
});

describe('decimals', () => {
  const cases: readonly (readonly [string, number, string | undefined])[] = [
    ['7.50', 0, '7.50'],
    ['007.5', 0, '7.5'],
    ['+1', 0, '1'],
    ['-0.5', 0, '-0.5'],
    ['1.57', 2, '157'],
    ['1.5725', 2, '157.25'],
    ['0.5', 2, '50'],
    ['2', 2, '200'],
    ['1e5', 0, undefined],
    ['.5', 0, undefined],
    ['', 0, undefined],
    ['1.2.3', 0, undefined],
    ['1,5', 0, undefined],
  ];
  for (const [text, shift, expected] of cases) {
    it(`reads ${text === '' ? 'nothing' : text} moved by ${shift} as ${expected ?? 'no number'}`, () => {
      expect(decimalOf(text, shift)?.value).to.equal(expected);
    });
  }

  it('writes stored numbers, and plain JSON as well', () => {
    expect(decimalOfNumber(1.73, 2).value).to.equal('173');
    expect(decimalOfNumber(5e-7).value).to.equal('5e-7');
    expect(JSON.stringify({ value: decimalOf('7.50') })).to.equal('{"value":7.5}');
  });
});
