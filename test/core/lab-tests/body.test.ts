/** body: readings of the body in another unit of their measure. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { bodyUnit, convertReading } from '../../../core/lab-tests/body';
import { loadLabTests } from '../../../core/lab-tests/load';
import { readUnit } from '../../../core/lab-tests/units';

export const lab = Lab.script();
const { describe, it } = lab;

const tests = loadLabTests([inProject('datamodels')], []);
const converted = (id: string, value: string, from: string, to: string): string | undefined => {
  const measure = tests.body.find((one) => one.id === id)!;
  const [one, other] = [from, to].map((written) => bodyUnit(tests, measure, written));
  return one === undefined || other === undefined ? undefined : convertReading(measure, value, one, other);
};

describe('readings of the body', () => {
  it('are converted between the units in which people write them', () => {
    const known: readonly (readonly [string, string, string, string, string])[] = [
      ['waist', '40', 'in', 'cm', '100'],
      ['waist', '40.0', 'inches', 'cm', '102'],
      ['waist', '101.6', 'cm', '[in_i]', '40.00'],
      ['weight', '180.5', 'lbs', 'kg', '81.87'],
      ['weight', '3500', 'g', 'kg', '3.500'],
      ['height', '70.0', 'in', 'm', '1.78'],
      ['temperature', '98.6', '°F', '°C', '37.0'],
      ['temperature', '38.5', 'Cel', '[degF]', '101'],
      ['temperature', '-40', 'degC', 'degF', '-40'],
      ['heart-rate', '72', '/min', '{beats}/min', '72'],
      ['oxygen-saturation', '97', '%', '%{HemoglobinSaturation}', '97'],
    ];
    for (const [id, value, from, to, result] of known) {
      expect(converted(id, value, from, to), `${id} ${value} ${from}`).to.equal(result);
    }
  });

  it('are not converted from units of other measures, nor where there is no number', () => {
    for (const [id, value, from, to] of [
      ['waist', '40', 'kg', 'cm'],
      ['waist', '40', '', 'cm'],
      ['waist', 'large', 'in', 'cm'],
      ['temperature', '98', 'in', 'Cel'],
      ['temperature', '98', 'K', 'Cel'],
      ['weight', '12', 'st', 'kg'],
    ] as const) {
      expect(converted(id, value, from, to), `${id} ${value} ${from}`).to.be.undefined();
    }
  });

  it('have units that the service can read, all of one kind or of degrees', () => {
    for (const { id, units } of tests.body) {
      expect(
        units.filter((unit) => readUnit(unit) === undefined),
        id,
      ).to.equal([]);
      const first = units[0]!;
      expect(
        units.filter((unit) => converted(id, '7', unit, first) === undefined),
        id,
      ).to.equal([]);
    }
  });
});
