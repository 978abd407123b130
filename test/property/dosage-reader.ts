/**
 * dosage-reader: reads English words about how a medicine is taken back into statements. It knows the language and
 * nothing of the code that makes the words; what it cannot read is an error.
 */

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const UNIT = 'mg/kg|mg|g|mL|puff|tablet|IU';
const LENGTHS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  week: 'wk',
  month: 'mo',
  year: 'a',
};
const LENGTH = `(?:${Object.keys(LENGTHS).join('|')})s?`;
const COMPARISON = '(?:less than|at most|at least|more than)';
const AMOUNT = `(?:${COMPARISON} )?${NUMBER}(?: (?:${UNIT}|${LENGTH}))?`;
const RANGE = `(?:${AMOUNT} to ${AMOUNT}|up to ${AMOUNT}|at least ${AMOUNT})`;
const SIZE = `(?:${RANGE}|${AMOUNT})`;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DATE = String.raw`(?:\d{1,2} )?(?:(?:${MONTHS.join('|')}) )?\d{4}(?: \d\d:\d\d(?::\d\d)?)?(?: \(UTC(?:[+-]\d\d:\d\d)?\))?`;

const inCodes = (words: string): string =>
  words.replace(new RegExp(`\\b(${LENGTH})(?=$| )`, 'g'), (name) => LENGTHS[name.replace(/s$/, '')]!);

/** "4 to 10 mg" means 4 mg to 10 mg. */
const inFull = (words: string): string => {
  const coded = inCodes(words);
  const [, low, high, unit] = new RegExp(`^(${NUMBER}) to ((?:${NUMBER}) (.+))$`).exec(coded) ?? [];
  return unit === undefined ? coded : `${low!} ${unit} to ${high!}`;
};

const dateIn = (words: string): string => {
  const [, day, month, year, time, zone] =
    /^(?:(\d{1,2}) )?(?:([A-Z][a-z]+) )?(\d{4})(?: (\d\d:\d\d(?::\d\d)?))?(?: \(UTC([+-]\d\d:\d\d)?\))?$/.exec(words) ??
    [];
  const two = (value: number | string): string => String(value).padStart(2, '0');
  const date = [year, month && two(MONTHS.indexOf(month) + 1), day && two(day)].filter(Boolean).join('-');
  return time === undefined ? date : `${date}T${time.length === 5 ? `${time}:00` : time}${zone ?? 'Z'}`;
};

const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

const MOMENTS: Readonly<Record<string, string>> = {
  'in the morning': 'MORN',
  'early in the morning': 'MORN.early',
  'late in the morning': 'MORN.late',
  'at noon': 'NOON',
  'in the afternoon': 'AFT',
  'early in the afternoon': 'AFT.early',
  'late in the afternoon': 'AFT.late',
  'in the evening': 'EVE',
  'early in the evening': 'EVE.early',
  'late in the evening': 'EVE.late',
  'at night': 'NIGHT',
  'after falling asleep': 'PHS',
  'at bedtime': 'HS',
  'after waking up': 'WAKE',
  'at a meal': 'C',
  'at breakfast': 'CM',
  'at lunch': 'CD',
  'at dinner': 'CV',
  'before a meal': 'AC',
  'before breakfast': 'ACM',
  'before lunch': 'ACD',
  'before dinner': 'ACV',
  'after a meal': 'PC',
  'after breakfast': 'PCM',
  'after lunch': 'PCD',
  'after dinner': 'PCV',
};
const MOMENT = Object.keys(MOMENTS).join('|');
const TIMES = `(?:once|${NUMBER} times|${NUMBER} to ${NUMBER} times)`;

const timesIn = (words: string): string => (words === 'once' ? '1' : words.replace(/ times$/, ''));

type Read = (groups: readonly string[]) => readonly string[];
type Pattern = readonly [RegExp, Read];

const at = (pattern: string): RegExp => new RegExp(`^(?:${pattern})(?=$|, | and | or |[ ,])`);

const listOf = (words: string): readonly string[] => words.split(/, | and /);

/** What may be said before the first semicolon, the longest forms first. */
const patterns: readonly Pattern[] = [
  [at('every day'), () => ['often every day']],
  [at(`(${TIMES}) in all`), ([times]) => [`in all ${timesIn(times!)}`]],
  [at(`(${TIMES}) every (${SIZE})`), ([times, every]) => [`often ${timesIn(times!)} per ${inCodes(every!)}`]],
  [at(`(${TIMES}) an? (${LENGTH})`), ([times, every]) => [`often ${timesIn(times!)} per 1 ${inCodes(every!)}`]],
  [at(`(${TIMES})`), ([times]) => [`often ${timesIn(times!)}`]],
  [at(`(on (?:${DAYS.join('|')}))`), ([day]) => [`day ${day!.slice(3, 6).toLowerCase()}`]],
  [at(`at ((?:\\d\\d:\\d\\d(?::\\d\\d)?(?:, | and )?)+)`), ([times]) => listOf(times!).map((time) => `at ${time}`)],
  [
    at(`(${NUMBER}) minutes? after this moment: (${MOMENT})`),
    ([minutes, moment]) => [`when ${MOMENTS[moment!]!} + ${minutes!} min`],
  ],
  [at(`(${NUMBER}) minutes? (${MOMENT})`), ([minutes, moment]) => [`when ${MOMENTS[moment!]!} + ${minutes!} min`]],
  [at(`(${MOMENT})`), ([moment]) => [`when ${MOMENTS[moment!]!}`]],
  [at(`each time over (${SIZE})`), ([size]) => [`each ${inCodes(size!)}`]],
  [at(`for (${SIZE})`), ([size]) => [`for ${inFull(size!)}`]],
  [at(`from (${DATE}) until (${DATE})`), ([from, until]) => [`from ${dateIn(from!)}`, `until ${dateIn(until!)}`]],
  [at(`from (${DATE})`), ([from]) => [`from ${dateIn(from!)}`]],
  [at(`until (${DATE})`), ([until]) => [`until ${dateIn(until!)}`]],
  [at(`on ((?:${DATE}(?:, | and )?)+)`), ([dates]) => listOf(dates!).map((one) => `on ${dateIn(one)}`)],
  [at('schedule: ([A-Za-z0-9 ]+)'), ([words]) => [`schedule ${words!}`]],
];

const DOSE = new RegExp(
  `^(?:(a dose of )?(${SIZE}))?(?: ?(?:at a rate of (${SIZE})(?: per (${SIZE}))?))?(?: \\((Ordered|Calculated)\\))?(?=$|, | or |[ ,])`,
);

/** The doses at the beginning, and the rest. A number of times or minutes is no dose. */
const dosesIn = (words: string): readonly [readonly string[], string] => {
  const [said = '', , dose, rate, per, type] = DOSE.exec(words) ?? [];
  const isDose = said !== '' && !/^ ?(?:times|to \d+ times)/.test(words.slice(said.length)) && !isMoment(words);
  if (!isDose) {
    return [[], words];
  }
  const statement = [
    'dose',
    dose === undefined ? '' : inFull(dose),
    rate === undefined ? '' : `rate ${inFull(rate)}${per === undefined ? '' : ` per ${inCodes(per)}`}`,
    type === undefined ? '' : `as ${type}`,
  ];
  const rest = words.slice(said.length);
  const [others, end] = rest.startsWith(' or ') ? dosesIn(rest.slice(4)) : [[], rest];
  return [[statement.filter(Boolean).join(' '), ...others], end];
};

const isMoment = (words: string): boolean =>
  new RegExp(`^${NUMBER} minutes? (?:after this moment|${MOMENT})`).test(words) ||
  new RegExp(`^${TIMES}`).test(words) ||
  new RegExp(`^at (?:\\d\\d:|noon|night|bedtime|a meal|breakfast|lunch|dinner)`).test(words);

const scheduleIn = (words: string): readonly string[] => {
  const rest = words.replace(/^(?:, | and | )/, '');
  if (rest === '') {
    return [];
  }
  for (const [pattern, read] of patterns) {
    const found = pattern.exec(rest);
    if (found) {
      return [...read(found.slice(1)), ...scheduleIn(rest.slice(found[0].length).replace(/^,? ?(?=$)/, ''))];
    }
  }
  throw new Error(`nobody can read: ${rest}`);
};

const labels: readonly (readonly [RegExp, (words: string, other: string) => string])[] = [
  [/^as needed for (.+)$/, (what) => `as needed for ${what}`],
  [/^as needed$/, () => 'as needed'],
  [/^at most (.+) a day$/, (amount) => `most ${amount} per 1 d`],
  [/^at most (.+) in a lifetime$/, (amount) => `most in a lifetime ${amount}`],
  [/^at most (.+) at a time$/, (amount) => `most at a time ${amount}`],
  [/^at most (.+) (?:in|per) (.+)$/, (amount, time) => `most ${amount} per ${inCodes(time)}`],
  [/^route: (.+)$/, (what) => `route ${what}`],
  [/^where: (.+)$/, (what) => `site ${what}`],
  [/^way: (.+)$/, (what) => `method ${what}`],
  [/^instructions: (.+)$/, (what) => `instruction ${what}`],
  [/^as the source writes it: (.+)$/, (what) => `original ${what}`],
  [/^the source adds something here that cannot be read/, () => 'unread'],
];

const partIn = (words: string): readonly string[] => {
  for (const [pattern, read] of /^a dose of/.test(words) ? [] : labels) {
    const found = pattern.exec(words);
    if (found) {
      return [read(found[1] ?? '', found[2] ?? '')];
    }
  }
  const [doses, rest] = dosesIn(words);
  return [...doses, ...scheduleIn(rest)];
};

const TEXTS = /^(Take 2 of the white ones|As told by the nurse|One at 7 o’clock)(?: \((.*)\))?$/;

/** The statements in the words about one dosage. @throws Error for words that it cannot read */
export const statementsIn = (words: string): readonly string[] => {
  const [, text, inside] = TEXTS.exec(words) ?? [];
  const elements = text === undefined ? words : (inside ?? '');
  return [...(text === undefined ? [] : [text]), ...elements.split('; ').filter(Boolean).flatMap(partIn)];
};

/** The dosages in the words about several, with how each follows the one before it. */
export const dosagesIn = (
  words: string,
): readonly { readonly turn: string; readonly statements: readonly string[] }[] =>
  words.split(/; (?=then |and )/).map((part, index) => {
    const [, turn = '', rest = part] = index === 0 ? [] : (/^(then|and) (.*)$/.exec(part) ?? []);
    return { turn, statements: statementsIn(rest) };
  });
