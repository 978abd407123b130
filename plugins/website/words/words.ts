/**
 * words: the texts of the website in the person's language, with dates and numbers as the person writes them and in
 * their time zone.
 */
import type { ComponentChildren } from 'preact';
import { languages, type Language } from '../../../core/base/languages';
import { inProject } from '../../../core/base/paths';
import { textsOf } from '../../../core/base/texts';
import { isTimeZone } from '../../../core/base/time-zones';
import { clockTime, shownAt } from './zoned';

export const websiteTexts = textsOf(inProject('plugins', 'website', 'texts'));

type Values = Readonly<Record<string, string | number>>;
/** The values of a text. For `<name>…</name>` in it, a function makes an element of the words between. */
type RichValues = Readonly<
  Record<string, string | number | ComponentChildren | ((chunks: ComponentChildren) => ComponentChildren)>
>;

/** How a date is written. */
type DateStyle =
  | 'day'
  | 'short'
  | 'short-day'
  | 'month'
  | 'short-month'
  | 'month-name'
  | 'year'
  | 'clock'
  | 'time'
  | 'short-time'
  | 'weekday';

const styles: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  /** Without its year, which is in the margin. */ short: { day: 'numeric', month: 'short' },
  'short-day': { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  'short-month': { month: 'short', year: 'numeric' },
  'month-name': { month: 'short' },
  year: { year: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit' },
  time: { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  'short-time': { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
};

export type Words = {
  readonly language: Language;
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  readonly zone: string;
  /** The time at which the page is made, in milliseconds. */ readonly now: number;
  /** The text of `section.name` in texts/<language>.yaml. */
  readonly say: (key: string, values?: Values) => string;
  /** The same text with elements in it. */
  readonly rich: (key: string, values: RichValues) => ComponentChildren;
  /** @param when milliseconds, stored text, or a day as YYYY-MM-DD, which has no time zone */
  readonly date: (when: number | string, style?: DateStyle) => string;
  /** Two times of the same day, which is written once: "3 March 2026, 09:10 to 09:40". */
  readonly timesOfDay: (from: string, to: string) => string;
  /** Two days of a year, of which a month is written once: "1 – 25 Nov". */
  readonly days: (from: string, to: string) => string;
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** "30 minutes", in the largest unit that needs no fraction. */
  readonly duration: (seconds: number) => string;
};

/** The separator of things in a line. */
export function comma({ dir }: Words): string {
  return dir === 'rtl' ? '، ' : ', ';
}

/** Arabic signs between things, by those of the other languages. */
const arabicSigns: Readonly<Record<string, string>> = { ', ': '، ', '; ': '؛ ' };

/**
 * Joins texts, such as names, with a sign. In Arabic, the line runs from right to left whatever it begins with, and each
 * text keeps its own direction: without that, Latin names beside each other are one run from left to right.
 */
export function joinedBy(sign: ', ' | '; ' | ' · ', texts: readonly string[], { dir }: Pick<Words, 'dir'>): string {
  return dir === 'ltr' || texts.length < 2
    ? texts.join(sign)
    : `\u200f${texts.map((one) => `\u2068${one}\u2069`).join(arabicSigns[sign] ?? sign)}`;
}

/** The full stop of a sentence; the point of an abbreviation, such as St. or 3., is not matched. */
const FULL_STOP = /(?<=\p{L}{3}|\))\.$/u;

/** Joins the parts that are not empty with commas. A part loses its full stop if another follows. */
export function commaSeparated(parts: readonly string[], words: Words): string {
  const there = parts
    .filter((part) => part !== '')
    .map((part, index, all) => (index < all.length - 1 ? part.replace(FULL_STOP, '') : part));
  return joinedBy(', ', there, words);
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(locale: string, zone: string, style: DateStyle): Intl.DateTimeFormat {
  const id = `${locale} ${zone} ${style}`;
  const format = dateFormats.get(id) ?? new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone });
  dateFormats.set(id, format);
  return format;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Making a format takes longer than using it, and pages need only a few, so each is made once. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions | undefined): Intl.NumberFormat {
  const id = options === undefined ? locale : `${locale} ${JSON.stringify(options)}`;
  const format = numberFormats.get(id) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(id, format);
  return format;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The time zones as browsers name them. Older names are valid, too, but it takes longer to check them. */
const usualZones = new Set(Intl.supportedValuesOf('timeZone'));

export function isZone(zone: string): boolean {
  return zone === 'UTC' || usualZones.has(zone) || isTimeZone(zone);
}

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function durationIn(locale: string, seconds: number): string {
  const [unit, length] = units.find((one) => seconds >= one[1] && seconds % one[1] === 0) ?? units[2];
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

/** @param now milliseconds */
export function wordsIn(language: Language, zone: string, now = Date.now()): Words {
  const { locale, dir } = languages[language];
  return {
    language,
    locale,
    dir,
    zone,
    now,
    say: (key, values) =>
      String(websiteTexts.formatOf(language, key).format(values as Record<string, string | number>)),
    rich: (key, values) =>
      websiteTexts.formatOf(language, key).format(values as Record<string, string>) as ComponentChildren,
    date: (when, style = 'day') => {
      const written = typeof when === 'string' && (DAY.test(when) ? when : clockTime(when));
      return written
        ? dateFormat(locale, 'UTC', style).format(Date.parse(written))
        : dateFormat(locale, zone, style).format(typeof when === 'string' ? Date.parse(when) : when);
    },
    timesOfDay: (from, to) => dateFormat(locale, 'UTC', 'time').formatRange(shownAt(zone, from), shownAt(zone, to)),
    days: (from, to) => dateFormat(locale, 'UTC', 'short').formatRange(Date.parse(from), Date.parse(to)),
    number: (value, options) => numberFormat(locale, options).format(value),
    duration: (seconds) => durationIn(locale, seconds),
  };
}
