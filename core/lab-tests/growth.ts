/**
 * growth: the WHO Child Growth Standards from birth to five years, as L, M and S for each month (pure). Between two
 * months the three are joined by straight lines. Height lies until 24 months, and stands from then on: that month has
 * two rows.
 */

export type Sex = 'male' | 'female';
type Lms = { readonly l: number; readonly m: number; readonly s: number };
export type GrowthRow = { readonly measure: string; readonly month: number } & Readonly<Record<Sex, Lms>>;
/** The rows of one measure, youngest first. */
export type GrowthTable = { readonly unit: string; readonly rows: readonly GrowthRow[] };

/** The units in which the standards are given: id of the measure in `body.csv` -> UCUM. */
export const GROWTH_UNITS: Readonly<Record<string, string>> = { weight: 'kg', height: 'cm', head: 'cm' };
/** A month of the standards, in days. */
export const MONTH_DAYS = 30.4375;
export const LAST_MONTH = 60;

/** The percentiles that the charts of WHO draw, each with the standard deviations that it lies from the middle. */
export const PERCENTILES: readonly { readonly percent: number; readonly z: number }[] = [
  { percent: 3, z: -1.880794 },
  { percent: 15, z: -1.036433 },
  { percent: 50, z: 0 },
  { percent: 85, z: 1.036433 },
  { percent: 97, z: 1.880794 },
];

/** The value that lies so many standard deviations from the middle. */
export function valueAt({ l, m, s }: Lms, z: number): number {
  return l === 0 ? m * Math.exp(s * z) : m * (1 + l * s * z) ** (1 / l);
}

function lmsAt({ rows }: GrowthTable, sex: Sex, months: number): Lms | undefined {
  const next = rows.findIndex(({ month }) => month >= months);
  const [before, after] = [rows[next - 1] ?? rows[0], rows[next]];
  if (!before || !after || months < before.month) {
    return undefined;
  }
  const part = after.month === before.month ? 1 : (months - before.month) / (after.month - before.month);
  const [one, other] = [before[sex], after[sex]];
  const between = (name: keyof Lms): number => one[name] + (other[name] - one[name]) * part;
  return { l: between('l'), m: between('m'), s: between('s') };
}

/** The share of a normal distribution below z, by Abramowitz and Stegun 26.2.17; it is wrong by less than 10⁻⁷. */
function shareBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const sum = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce((all, one) => all * t + one, 0);
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum * t;
  return z < 0 ? above : 1 - above;
}

/** Of 100 children of this sex and age, how many have a lower value; undefined outside of the standards. */
export function percentileOf(table: GrowthTable, sex: Sex, months: number, value: number): number | undefined {
  const lms = lmsAt(table, sex, months);
  if (!lms || value <= 0) {
    return undefined;
  }
  const { l, m, s } = lms;
  const z = l === 0 ? Math.log(value / m) / s : ((value / m) ** l - 1) / (l * s);
  return 100 * shareBelow(z);
}
