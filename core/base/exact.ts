/** exact: decimal numbers as exact fractions, and back as decimal texts (pure). */

/** A fraction in its lowest terms. `bottom` is above zero. */
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

export function exactOf(whole: bigint): Exact {
  return { top: whole, bottom: 1n };
}

export function powerOfTen(power: number): Exact {
  return power >= 0 ? exactOf(10n ** BigInt(power)) : { top: 1n, bottom: 10n ** BigInt(-power) };
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
  return times(exactOf(digits), powerOfTen(Number(power) - fraction.length));
}

export function times(one: Exact, other: Exact): Exact {
  return reduced(one.top * other.top, one.bottom * other.bottom);
}

/** @param other not zero */
export function over(one: Exact, other: Exact): Exact {
  const sign = other.top < 0n ? -1n : 1n;
  return reduced(one.top * other.bottom * sign, one.bottom * other.top * sign);
}

export function plus(one: Exact, other: Exact): Exact {
  return reduced(one.top * other.bottom + other.top * one.bottom, one.bottom * other.bottom);
}

/** @param power a whole number, below zero too unless the number is zero */
export function toPower(one: Exact, power: number): Exact {
  const positive = { top: one.top ** BigInt(Math.abs(power)), bottom: one.bottom ** BigInt(Math.abs(power)) };
  return power >= 0 ? positive : over(exactOf(1n), positive);
}

/** The whole number next to it. Half is rounded away from zero. */
function roundWhole({ top, bottom }: Exact): bigint {
  const size = top < 0n ? -top : top;
  const rounded = (size * 2n + bottom) / (bottom * 2n);
  return top < 0n ? -rounded : rounded;
}

/** The number with so many digits behind the decimal point. */
export function withDecimals(number: Exact, decimals: number): string {
  const whole = roundWhole(times(number, powerOfTen(decimals)));
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0');
  const sign = whole < 0n ? '-' : '';
  const point = digits.length - decimals;
  return decimals <= 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** How many digits stand before the decimal point; 0 for 0.5, -1 for 0.05. */
function magnitudeOf({ top, bottom }: Exact): number {
  const size = top < 0n ? -top : top;
  let magnitude = String(size).length - String(bottom).length;
  while (size >= bottom * 10n ** BigInt(Math.max(0, magnitude)) && magnitude >= 0) {
    magnitude += 1;
  }
  while (magnitude <= 0 && size * 10n ** BigInt(1 - magnitude) < bottom) {
    magnitude -= 1;
  }
  while (magnitude > 0 && size < bottom * 10n ** BigInt(magnitude - 1)) {
    magnitude -= 1;
  }
  return magnitude;
}

/** The number with so many significant digits. Digits before the decimal point stay, rounded to zeros. */
export function withDigits(number: Exact, digits: number): string {
  if (number.top === 0n) {
    return '0';
  }
  const decimals = digits - magnitudeOf(number);
  if (decimals >= 0) {
    const text = withDecimals(number, decimals);
    // 9.96 with two digits is 10, and not 10.0.
    return digitsOf(text) > digits && decimals > 0 ? withDecimals(number, decimals - 1) : text;
  }
  return withDecimals(times(exactOf(roundWhole(times(number, powerOfTen(decimals)))), powerOfTen(-decimals)), 0);
}

/** How many significant digits a number is written with. Zeros at the end of a whole number count. */
export function digitsOf(text: string): number {
  const [mantissa = ''] = text.trim().toLowerCase().split('e');
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+/, '');
  return Math.max(1, digits.length);
}
