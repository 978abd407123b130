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

/** Vowels with two dots, and how German writes them where a keyboard has none. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** Two letters that may stand for such a vowel: not those in `neue`, `Frauen` and `Quelle`. */
const MAY_STAND_FOR = /(?<![aeq])([aou])e/g;
/** Of a word such as `blue` less would be left, which is in too many others. */
const FEWEST_LETTERS = 4;

/**
 * @returns the folded forms by which a text finds a typed word, the usual one first: `größe` as `grosse` and, written
 * out, as `groesse`; `groesse` as it is and, as texts with `größe` are folded, as `grosse`
 */
export function foldedForms(word: string): readonly string[] {
  const folded = foldedText(word);
  const writtenOut = foldedText(
    word
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöü]/g, (one) => WRITTEN_OUT[one]!),
  );
  const short = folded.replace(MAY_STAND_FOR, '$1');
  return [...new Set([folded, writtenOut, ...(short.length < FEWEST_LETTERS ? [] : [short])])];
}

/** Whether a text says one of the forms of a word. @param forms of `foldedForms` */
export function saysForm(text: string, forms: readonly string[]): boolean {
  const folded = foldedText(text);
  return forms.some((form) => folded.includes(form));
}
