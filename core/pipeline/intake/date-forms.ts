/** date-forms: the ways in which people and programs write days and times, and whether a cell is one of them (pure). */
import { dateInForm } from './csv-cells';
import { TIME_FORMS } from './sure-dates';

/** In which order a date has its day, month and year, or from when it counts. */
export type DateSequence = 'ymd' | 'dmy' | 'mdy' | 'unix' | 'excel' | 'excel1904';

const DAY_FORMS: readonly (readonly [DateSequence, string])[] = [
  ['ymd', 'YYYY-M-D'],
  ['ymd', 'YYYYMMDD'],
  ['dmy', 'D.M.YYYY'],
  ['dmy', 'D.M.YY'],
  ['dmy', 'D. M. YYYY'],
  ['dmy', 'D/M/YYYY'],
  ['mdy', 'M/D/YYYY'],
  ['dmy', 'D-M-YYYY'],
  ['mdy', 'M-D-YYYY'],
  ['dmy', 'D/M/YY'],
  ['mdy', 'M/D/YY'],
  ['dmy', 'D-M-YY'],
  ['mdy', 'M-D-YY'],
  ['ymd', 'YY/M/D'],
  ['ymd', 'YY-M-D'],
  ['mdy', 'MMM D YYYY'],
  ['dmy', 'D MMM YYYY'],
  ['dmy', 'D. MMM YYYY'],
  ['dmy', 'D-MMM-YYYY'],
  ['dmy', 'D-MMM-YY'],
];
const BETWEEN = [' ', 'T', ', '];
const ZONES = ['', 'Z', ' Z'];

/** Behind a day, the hours from and to which something was measured. */
export const SPAN = ' SPAN';

/** Behind a day, the time that programs write where they know none. */
export const MIDNIGHT = ' MIDNIGHT';

/** Forms of a day, alone and with a time, by the form of the day. */
export const FORMS: readonly (readonly [DateSequence, readonly string[]])[] = DAY_FORMS.map(([sequence, day]) => [
  sequence,
  // Before the times with an offset, as which hours from and to would be read.
  [
    day,
    `${day}${SPAN}`,
    ...BETWEEN.flatMap((sign) => TIME_FORMS.flatMap((time) => ZONES.map((zone) => `${day}${sign}${time}${zone}`))),
  ],
]);

/** The year in which dates without one are tried: it has a 29 February. */
export const ANY_YEAR = '2000';

/** The same for dates that say no year. */
export const YEARLESS: typeof FORMS = (
  [
    ['dmy', 'D.M.'],
    ['dmy', 'D/M'],
    ['mdy', 'M/D'],
    ['mdy', 'MMM D'],
    ['dmy', 'D MMM'],
    ['dmy', 'D. MMM'],
  ] as const
).map(([sequence, day]) => [
  sequence,
  [day, ...TIME_FORMS.map((time) => `${day} ${time}`)].map((form) => `${form}@${ANY_YEAR}`),
]);

/** Whether a text is a date, with a time or without. */
export function isDateCell(text: string): boolean {
  return FORMS.some(([, forms]) => forms.some((form) => dateInForm(text, form) !== undefined));
}

/** Whether a record is a day alone, which all rows below it have. */
export function isDayAlone([first = '', ...rest]: readonly string[]): boolean {
  return first !== '' && rest.every((text) => text === '') && isDateCell(first);
}
