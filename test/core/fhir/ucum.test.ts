/** ucum: amounts in different units of one dimension are the same in base units, and others are never compared. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inBaseUnits } from '../../../core/fhir/ucum';

export const lab = Lab.script();
const { describe, it } = lab;

describe('amounts in base units', () => {
  it('are the same in all units of a dimension', () => {
    const same: readonly (readonly [number, string, number, string])[] = [
      [7.5, 'g/dL', 75, 'g/L'],
      [0.075, 'kg/L', 75, 'mg/mL'],
      [5.5, 'mmol/L', 5500, 'umol/L'],
      [1, 'meq/L', 1, 'mmol/L'],
      [120, 'mm[Hg]', 15.99864, 'kPa'],
      [37, 'Cel', 98.6, '[degF]'],
      [72, '/min', 72, '{beats}/min'],
      [1, '/min', 60, '/h'],
      [4.5, '10*9/L', 4500, '10*6/L'],
      [4.5, '10*3/uL', 4.5, '10^9/L'],
      [1, '[lb_av]', 0.45359237, 'kg'],
      [180, 'cm', 1.8, 'm'],
      [50, '%', 0.5, '1'],
      [80, 'kg/m2', 8, 'g/cm2'],
      [5, '[iU]/L', 5, 'm[iU]/mL'],
      [120, 'mL/min/{1.73_m2}', 2, 'mL/s'],
    ];
    for (const [amount, unit, other, otherUnit] of same) {
      const [one, two] = [inBaseUnits(unit)!, inBaseUnits(otherUnit)!];
      expect(one.dimension, `${unit} ${otherUnit}`).to.equal(two.dimension);
      expect(Math.abs(one.of(amount) - two.of(other)), `${amount} ${unit}`).to.be.at.most(
        1e-9 * Math.abs(two.of(other)),
      );
    }
  });

  it('are never compared across dimensions, nor read from what is no unit', () => {
    const dimensions = ['g/L', 'mmol/L', '[iU]/L', 'mm[Hg]', 'Cel', '/min', 'm', '[CFU]', '1'].map(
      (unit) => inBaseUnits(unit)!.dimension,
    );
    expect(new Set(dimensions).size).to.equal(dimensions.length);
    for (const text of [
      '',
      'grams',
      'mg per dL',
      'g//L',
      'g/',
      '.g',
      'xyz',
      'mmHg',
      '(g)',
      'ü',
      '10*',
      'g'.repeat(61),
    ]) {
      expect(inBaseUnits(text), text).to.be.undefined();
    }
    expect(inBaseUnits('g/dL')!.of(Number.MAX_VALUE)).to.equal(Number.MAX_VALUE);
  });
});
