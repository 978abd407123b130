/** decimal: numbers that keep their digits, so that 7.50 is sent as 7.50. */
import { LosslessNumber } from 'lossless-json';

/** A number for JSON. `JSON.stringify` can write it, too, but drops the zeros at its end. */
export class Decimal extends LosslessNumber {
  toJSON(): number {
    return Number(this.value);
  }
}

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * The number in a text, with its digits; undefined when the text is no number, or one too long to be a measurement.
 * @param shift how many places to move the decimal point to the right
 */
export function decimalOf(text: string, shift = 0): Decimal | undefined {
  const [, sign = '', whole, fraction = ''] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined || whole.length + fraction.length > 30) {
    return undefined;
  }
  const digits = whole + fraction.padEnd(shift, '0');
  const point = whole.length + shift;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const after = digits.slice(point);
  return new Decimal(`${sign === '-' ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`);
}

/** A stored number as a decimal. A number that is too large or too small to be written without an exponent keeps it. */
export function decimalOfNumber(value: number, shift = 0): Decimal {
  return decimalOf(String(value), shift) ?? new Decimal(String(value * 10 ** shift));
}
