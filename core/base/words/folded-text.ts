/**
 * folded-text: texts as searches compare them (pure): without case, accents and the forms that letters and digits have in
 * Arabic, so that what people type finds what a source says. They are folded when they are compared: a stored copy would
 * double what lies in clear.
 */

/** Letters that people type in place of others. */
const SAME: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ٱ: 'ا',
  ة: 'ه',
  ـ: '',
  '\u2019': "'",
  '\u00ad': '',
};

const MARKS = /\p{M}+/gu;
const OTHERS = new RegExp(`[${Object.keys(SAME).join('')}]`, 'gu');
/** Arabic digits, and those of Persian. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

function plainDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0xf);
}

/** @returns the text for comparisons; letter by letter it is the same */
export function foldedText(text: string): string {
  // Most texts are plain.
  // eslint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .toLowerCase()
        // Some letters get marks with their small form.
        .replace(MARKS, '')
        .replace(OTHERS, (letter) => SAME[letter]!)
        .replace(DIGITS, plainDigit);
}
