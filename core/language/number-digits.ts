/** number-digits: how many digits of a number people are shown, on pages and on paper (pure). */

/**
 * The digits of a number that was computed or converted: four that count, and all before the point. So a small number
 * never becomes 0.
 */
export const COMPUTED_DIGITS: Intl.NumberFormatOptions = {
  maximumFractionDigits: 0,
  maximumSignificantDigits: 4,
  roundingPriority: 'morePrecision',
};

/** Nobody measures or writes more places after the point than these: a computer made them. */
const MOST_PLACES = 6;
/** A number keeps this many digits exactly. */
export const MOST_EXACT = 15;

/** Whether a text is a number whose last places only a computer writes, as 195.63766110972347; documents keep them. */
export function isComputed(text: string): boolean {
  const [, whole = '', places = ''] = /^-?(0|[1-9]\d*)\.(\d+)$/.exec(text) ?? [];
  return places.length > MOST_PLACES && whole.length <= MOST_EXACT;
}

const computed = new Intl.NumberFormat('en', { ...COMPUTED_DIGITS, useGrouping: false });

/** A number in an English sentence, with the digits of its source but for those that only a computer writes. */
export function numberInText(value: unknown): string {
  const text = String(value);
  return isComputed(text) ? computed.format(Number(text)) : text;
}
