/** decimal: numbers that keep their digits: 7.50 goes out as 7.50. */
import { LosslessNumber } from 'lossless-json';

/** A number for JSON, which `JSON.stringify` writes as well, then without the zeros at its end. */
export class Decimal extends LosslessNumber {
  toJSON(): number {
    return Number(this.value);
  }
}

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/**
 * The number that a text is, with its digits; undefined for a text that is none, or that nobody could mean as a measurement.
 * @param shift by how many places the decimal point goes to the right
 */
export const decimalOf = (text: string, shift = 0): Decimal | undefined => {
  const [, sign = '', whole, fraction = ''] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined || whole.length + fraction.length > 30) {
    return undefined;
  }
  const digits = whole + fraction.padEnd(shift, '0');
  const point = whole.length + shift;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const after = digits.slice(point);
  return new Decimal(`${sign === '-' ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`);
};

/** A stored number as a decimal; numbers too large or small to be written without an exponent keep it. */
export const decimalOfNumber = (value: number, shift = 0): Decimal =>
  decimalOf(String(value), shift) ?? new Decimal(String(value * 10 ** shift));
