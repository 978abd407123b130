/** amount-keys: amounts with units as texts that can be compared, by exact fractions (pure). */

import { powerOfTen, readExact, times, withDecimals, type Exact } from '../base/exact';

/** A text that is the same for equal numbers only. */
export function exactKey({ top, bottom }: Exact): string {
  return `${top}/${bottom}`;
}

/** Powers of ten by which units of one dimension differ. What is not here is compared as it is written. */
const UNITS: Readonly<Record<string, readonly [dimension: string, power: number]>> = {
  kg: ['g', 3],
  g: ['g', 0],
  mg: ['g', -3],
  ug: ['g', -6],
  mcg: ['g', -6],
  μg: ['g', -6],
  µg: ['g', -6],
  ng: ['g', -9],
  pg: ['g', -12],
  l: ['l', 0],
  dl: ['l', -1],
  cl: ['l', -2],
  ml: ['l', -3],
  ul: ['l', -6],
  μl: ['l', -6],
  µl: ['l', -6],
  mol: ['mol', 0],
  mmol: ['mol', -3],
  umol: ['mol', -6],
  μmol: ['mol', -6],
  µmol: ['mol', -6],
  nmol: ['mol', -9],
  pmol: ['mol', -12],
};

/** Units that are told apart by capitals elsewhere are not in the table, so lower case loses nothing. */
function baseUnit(text: string): readonly [string, number] {
  return UNITS[text.toLowerCase()] ?? [text, 0];
}

/** An amount as text that is the same for amounts that are equal after exact conversion; undefined for no number. */
export function amountKey(value: string, unit = ''): string | undefined {
  const number = readExact(value);
  if (!number) {
    return undefined;
  }
  const [above = '', below, ...more] = unit.replace(/\s+/g, '').split('/');
  if (more.length > 0) {
    return `${exactKey(number)} ${unit}`;
  }
  const [dimension, power] = baseUnit(above);
  const [per, less] = below === undefined ? ['', 0] : baseUnit(below);
  return `${exactKey(times(number, powerOfTen(power - less)))} ${dimension}${below === undefined ? '' : `/${per}`}`;
}

/** A text that units share which differ by powers of ten only; empty for none. */
export function dimensionOf(unit: string): string {
  const [above = '', ...below] = unit.replace(/\s+/g, '').split('/');
  return [above, ...below].map((part) => baseUnit(part)[0].toLowerCase()).join('/');
}

function digitsBehind(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}

function roundedTo(text: string, digits: number): string | undefined {
  const number = readExact(text);
  if (!number) {
    return undefined;
  }
  const scaled = number.top * 10n ** BigInt(digits) * 2n + number.bottom;
  const whole =
    scaled >= 0n ? scaled / (number.bottom * 2n) : -((-scaled + number.bottom * 2n - 1n) / (number.bottom * 2n));
  return String(whole);
}

/** Whether a number is written as this text when it has as many digits behind the point. */
export function isRoundedTo(number: Exact | undefined, text: string): boolean {
  const written = readExact(text);
  return (
    number !== undefined &&
    written !== undefined &&
    roundedTo(withDecimals(number, digitsBehind(text)), digitsBehind(text)) === roundedTo(text, digitsBehind(text))
  );
}

/** Whether two numbers of one unit are equal when both have as few digits as the shorter one. Half is rounded up. */
export function isEqualRounded(one: string, other: string): boolean {
  const digits = Math.min(digitsBehind(one), digitsBehind(other));
  const [a, b] = [roundedTo(one, digits), roundedTo(other, digits)];
  return a !== undefined && a === b;
}
