/** exact: decimal numbers and their ratios as exact fractions, and amounts with units that can be compared (pure). */

export type Exact = { readonly top: bigint; readonly bottom: bigint };

function divisorOf(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other];
  while (b !== 0n) {
    [a, b] = [b, a % b];
  }
  return a === 0n ? 1n : a;
}

function reduced(top: bigint, bottom: bigint): Exact {
  const divisor = divisorOf(top, bottom);
  return { top: top / divisor, bottom: bottom / divisor };
}

const DECIMAL = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i;

/** The number that a text writes with a decimal point; undefined for other text, such as "<5". */
export function readExact(text: string): Exact | undefined {
  const match = DECIMAL.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(power);
  return scale >= 0 ? reduced(digits, 10n ** BigInt(scale)) : reduced(digits * 10n ** BigInt(-scale), 1n);
}

export function times(one: Exact, other: Exact): Exact {
  return reduced(one.top * other.top, one.bottom * other.bottom);
}

/** @param other not zero */
export function over(one: Exact, other: Exact): Exact {
  const sign = other.top < 0n ? -1n : 1n;
  return reduced(one.top * other.bottom * sign, one.bottom * other.top * sign);
}

/** A text that is the same for equal numbers only. */
export const exactKey = ({ top, bottom }: Exact): string => `${top}/${bottom}`;

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
const unitOf = (text: string): readonly [string, number] => UNITS[text.toLowerCase()] ?? [text, 0];

const powerOfTen = (power: number): Exact =>
  power >= 0 ? { top: 10n ** BigInt(power), bottom: 1n } : { top: 1n, bottom: 10n ** BigInt(-power) };

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
  const [dimension, power] = unitOf(above);
  const [per, less] = below === undefined ? ['', 0] : unitOf(below);
  return `${exactKey(times(number, powerOfTen(power - less)))} ${dimension}${below === undefined ? '' : `/${per}`}`;
}

const digitsBehind = (text: string): number => /\.(\d+)/.exec(text)?.[1]?.length ?? 0;

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

/** Whether two numbers of one unit are equal when both have as few digits as the shorter one. Half is rounded up. */
export function isEqualRounded(one: string, other: string): boolean {
  const digits = Math.min(digitsBehind(one), digitsBehind(other));
  const [a, b] = [roundedTo(one, digits), roundedTo(other, digits)];
  return a !== undefined && a === b;
}
