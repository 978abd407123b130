/** plain-words: words as they are compared: the same letters, digits and amounts however they were typed (pure). */
import { over, readExact, times, type Exact } from '../base/exact';
import { exactKey } from './amount-keys';

const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

function digit(sign: string): string {
  return String((sign.charCodeAt(0) & 0x0f) % 16);
}

/** Lower case, single spaces, and the digits and signs of other scripts as those of Latin. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(DIGITS, digit)
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/\u066a/g, '%')
    .replace(/\u060c/g, ',')
    .replace(/[\u00b5]/g, '\u03bc')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Units of amounts in names, as they are written, with the dimension and the power of ten that they mean. */
const UNITS: Readonly<Record<string, readonly [dimension: string, power: number]>> = {
  kg: ['g', 3],
  g: ['g', 0],
  gm: ['g', 0],
  gr: ['gr', 0],
  gram: ['g', 0],
  grams: ['g', 0],
  gramm: ['g', 0],
  gramos: ['g', 0],
  mg: ['g', -3],
  milligram: ['g', -3],
  milligrams: ['g', -3],
  milligramm: ['g', -3],
  miligramos: ['g', -3],
  ملغ: ['g', -3],
  ملغم: ['g', -3],
  ملجم: ['g', -3],
  مجم: ['g', -3],
  mcg: ['g', -6],
  ug: ['g', -6],
  μg: ['g', -6],
  microgram: ['g', -6],
  micrograms: ['g', -6],
  mikrogramm: ['g', -6],
  microgramos: ['g', -6],
  ng: ['g', -9],
  l: ['l', 0],
  dl: ['l', -1],
  cl: ['l', -2],
  ml: ['l', -3],
  مل: ['l', -3],
  μl: ['l', -6],
  ul: ['l', -6],
  iu: ['iu', 0],
  '[iu]': ['iu', 0],
  ie: ['iu', 0],
  ui: ['iu', 0],
  u: ['u', 0],
  unit: ['u', 0],
  units: ['u', 0],
  unt: ['u', 0],
  einheiten: ['u', 0],
  unidades: ['u', 0],
  mu: ['mu', 0],
  meq: ['meq', 0],
  mmol: ['mol', -3],
  '%': ['%', 0],
};

function escapeBrackets(text: string): string {
  return text.replace(/[[\]]/g, '\\$&');
}

const UNIT = Object.keys(UNITS)
  .sort((one, other) => other.length - one.length)
  .map(escapeBrackets)
  .join('|');
const NUMBER = '\\d+(?:[.,]\\d+)*';
const VOLUME = Object.keys(UNITS)
  .filter((unit) => UNITS[unit]![0] === 'l')
  .join('|');
/** An amount, and the volume that it is in. A slash before anything else begins another amount or stays a word. */
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d.,])(${NUMBER})\\s?-?\\s?(${UNIT})(?![\\p{L}\\d])(?:\\s*/\\s*(${NUMBER})?\\s*(${VOLUME})(?![\\p{L}\\d]))?`,
  'gu',
);

/** A number as people write it. A comma before three digits is a mark of thousands, if it can be one. */
function exactIn(text: string): Exact | undefined {
  const isGrouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text);
  if (isGrouped) {
    return readExact(text.replaceAll(',', ''));
  }
  if (/^[1-9]\d{0,2}(\.\d{3})+,\d+$/.test(text) || /^[1-9]\d{0,2}(\.\d{3}){2,}$/.test(text)) {
    return readExact(text.replaceAll('.', '').replace(',', '.'));
  }
  return /^\d+(,\d+)?$/.test(text) ? readExact(text.replace(',', '.')) : readExact(text);
}

function scaled(number: Exact, power: number): Exact {
  return times(
    number,
    power >= 0 ? { top: 10n ** BigInt(power), bottom: 1n } : { top: 1n, bottom: 10n ** BigInt(-power) },
  );
}

function amountOf([, number = '', unit = '', volume = '1', per]: RegExpMatchArray): string | undefined {
  const value = exactIn(number);
  const [dimension = '', power = 0] = UNITS[unit] ?? [];
  if (!value) {
    return undefined;
  }
  const whole = scaled(value, power);
  if (per === undefined) {
    return `${exactKey(whole)} ${dimension}`;
  }
  const around = exactIn(volume);
  return around && around.top !== 0n
    ? `${exactKey(over(whole, scaled(around, UNITS[per]![1])))} ${dimension}/l`
    : undefined;
}

export type Worded = {
  /** Without amounts. */ readonly words: string;
  /** In their order. */ readonly amounts: string;
};

/** Words without their amounts, and the amounts by themselves. */
export function worded(text: string): Worded {
  const amounts: string[] = [];
  const rest = plain(text).replace(AMOUNT, (...match) => {
    const amount = amountOf(match as unknown as RegExpMatchArray);
    if (amount === undefined) {
      return match[0] as string;
    }
    amounts.push(amount);
    return ' ';
  });
  return {
    words: rest
      .replace(/\(\s*\)|\[\s*\]/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[\s,;/-]+|[\s,;/-]+$/g, ''),
    amounts: amounts.join(' + '),
  };
}

const SIDES: readonly (readonly [side: string, words: RegExp])[] = [
  [
    'both',
    /^(bilateral(es|e|er|en|ly)?|both|beidseit(s|ig|ige|iger|igen)|beide[rsn]?|amb[oa]s|ثنائي|كلا|كلتا|الجانبين)$/u,
  ],
  ['left', /^(left|links|linksseitig\p{L}*|linke[rsnm]?|izquierd[oa]s?|ال?(أيسر|ايسر|يسرى|يسار))$/u],
  ['right', /^(right|rechts|rechtsseitig\p{L}*|rechte[rsnm]?|derech[oa]s?|ال?(أيمن|ايمن|يمنى|يمين))$/u],
];

/** The side of the body that words name: left, right or both; empty for none. */
export function sideIn(text: string): string {
  const found = new Set(
    plain(text)
      .split(/[^\p{L}]+/u)
      .flatMap((word) => SIDES.find(([, words]) => words.test(word))?.[0] ?? []),
  );
  return found.size > 1 ? 'both' : ([...found][0] ?? '');
}
