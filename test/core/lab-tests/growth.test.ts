/** growth: the lines of the WHO Child Growth Standards, beside WHO's tables by day and its rounded percentiles. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { MONTH_DAYS, percentileOf, PERCENTILES, valueAt, type Sex } from '../../../core/lab-tests/growth';
import { loadLabTests } from '../../../core/lab-tests/load';

export const lab = Lab.script();
const { describe, it } = lab;

const { growth } = loadLabTests([inProject('datamodels')], []);
const rowsOf = (measure: string, month: number) => growth.get(measure)!.rows.filter((row) => row.month === month);

type Day = readonly [day: number, l: number, m: number, s: number];
/** Of WHO's tables by day: the days around a month of the standards. */
const byDay: readonly (readonly [string, Sex, number, Day, Day])[] = [
  ['weight', 'male', 48, [1461, -0.1131, 16.3489, 0.12759], [1462, -0.1132, 16.3544, 0.12761]],
  ['weight', 'male', 54, [1643, -0.1325, 17.3418, 0.13131], [1644, -0.1326, 17.3473, 0.13133]],
  ['weight', 'male', 57, [1734, -0.1416, 17.8371, 0.13323], [1735, -0.1417, 17.8425, 0.13325]],
  ['weight', 'female', 1, [30, 0.1727, 4.1716, 0.13738], [31, 0.1697, 4.2075, 0.13706]],
  ['weight', 'female', 4, [121, -0.004, 6.4108, 0.12406], [122, -0.0053, 6.428, 0.12401]],
  ['height', 'male', 1, [30, 1, 54.6645, 0.03559], [31, 1, 54.8012, 0.03554]],
  ['height', 'male', 3, [91, 1, 61.4013, 0.03329], [92, 1, 61.4904, 0.03326]],
  ['height', 'male', 6, [182, 1, 67.5904, 0.03166], [183, 1, 67.6435, 0.03165]],
  ['head', 'male', 54, [1643, 1, 50.4917, 0.02929], [1644, 1, 50.4931, 0.0293]],
  ['head', 'male', 59, [1795, 1, 50.6973, 0.02943], [1796, 1, 50.6986, 0.02943]],
  ['head', 'female', 6, [182, 1, 42.1855, 0.03088], [183, 1, 42.2079, 0.03087]],
  ['head', 'female', 12, [365, 1, 44.894, 0.03027], [366, 1, 44.9037, 0.03027]],
];

describe('the growth standards', () => {
  it('have every month of both sexes, and agree with the tables by day', () => {
    for (const measure of ['weight', 'head', 'height']) {
      const months = new Set(growth.get(measure)!.rows.map(({ month }) => month));
      expect([...months], measure).to.equal(Array.from({ length: 61 }, (_, month) => month));
    }
    for (const [measure, sex, month, before, after] of byDay) {
      const part = month * MONTH_DAYS - before[0];
      const { l, m, s } = rowsOf(measure, month)[0]![sex];
      const between = (at: 1 | 2 | 3): number => before[at] + (after[at] - before[at]) * part;
      const what = `${measure} ${sex} ${month}`;
      expect(Math.abs(l - between(1)), what).to.be.below(0.0002);
      expect(Math.abs(m - between(2)), what).to.be.below(0.0003);
      expect(Math.abs(s - between(3)), what).to.be.below(0.00002);
    }
  });

  it('change from lying to standing at 24 months', () => {
    const [lying, standing] = rowsOf('height', 24);
    expect(lying!.male.m).to.equal(87.8161);
    expect(standing!.male.m).to.equal(87.1161);
    expect(rowsOf('weight', 24).length).to.equal(1);
  });

  it('give the percentiles that WHO prints', () => {
    const lines = (measure: string, sex: Sex, month: number): readonly string[] =>
      PERCENTILES.map(({ z }) => valueAt(rowsOf(measure, month)[0]![sex], z).toFixed(1));
    expect(lines('weight', 'male', 0)).to.equal(['2.5', '2.9', '3.3', '3.9', '4.3']);
    expect(lines('weight', 'female', 12)).to.equal(['7.1', '7.9', '8.9', '10.2', '11.3']);
    expect(lines('height', 'male', 12)).to.equal(['71.3', '73.3', '75.7', '78.2', '80.2']);
  });

  it('say how many of 100 children have a lower value', () => {
    const weight = growth.get('weight')!;
    expect(percentileOf(weight, 'male', 12, 9.6479)!).to.be.about(50, 0.001);
    for (const { percent, z } of PERCENTILES) {
      const value = valueAt(rowsOf('weight', 12)[0]!.female, z);
      expect(percentileOf(weight, 'female', 12, value)!).to.be.about(percent, 0.001);
    }
    expect(percentileOf(weight, 'male', 12.5, (9.6479 + 9.8749) / 2)!).to.be.about(50, 0.001);
    expect(percentileOf(weight, 'male', 60.5, 18)).to.be.undefined();
    expect(percentileOf(weight, 'male', -1, 3)).to.be.undefined();
    expect(percentileOf(weight, 'male', 3, 0)).to.be.undefined();
  });

  it('of a folder of its own are refused with line and reason', () => {
    const folder = mkdtempSync(join(tmpdir(), 'growth-'));
    mkdirSync(join(folder, 'tests'));
    const head = 'measure,month,male_l,male_m,male_s,female_l,female_m,female_s';
    const rows = ['arm,1,1,2,3,1,2,3', 'weight,1,1,2,3,1,2,3', 'weight,0,1,2,,1,2,3', 'head,61,1,2,3,1,2,3'];
    writeFileSync(join(folder, 'tests', 'growth.csv'), `${[head, ...rows].join('\n')}\n`);
    const problems: string[] = [];
    loadLabTests([folder], problems);
    const file = join(folder, 'tests', 'growth.csv');
    expect(problems).to.equal([
      `${file}:2: measure is one of weight, height, head`,
      `${file}:4: l, m and s are numbers`,
      `${file}:5: month is a number up to 60`,
      `${file}: the months of weight are in order`,
    ]);
  });
});
