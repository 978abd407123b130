/** csv-cells: turns the cells of one row into the fields of one fact, or reports why a cell cannot be read. */
import { timeByClock } from '../../base/clock';
import { offsetAt, offsetShown } from '../../base/time-zones';
import { foldedText } from '../../base/words/folded-text';
import { parseDay } from '../../facts/model/dates';
import { isNothing, plainDates, plainDigits, pressureParts } from './plain-cells';
import { formsOf, PRESSURE_SIGN, unitFieldOf, type Conversion, type CsvColumns, type CsvField } from './csv-columns';
import type { Range, WrittenUnit } from './csv-columns';
import { sureFormsBeside } from './sure-dates';

/** Head of a column -> the text of its cell. */
export type Row = Readonly<Record<string, string>>;

/** A field that is ready for reading cells: its date forms and its units are regular expressions. */
export type ReadyField = {
  readonly name: string;
  readonly field: CsvField;
  readonly forms: readonly DateForm[];
  /** Whether the order of day and month can be mistaken, for each form. */ readonly unsettled: readonly boolean[];
  readonly units: readonly { readonly form: RegExp; readonly conversion: WrittenUnit }[];
};

/** Why a row is left out: a cell that cannot be read, or a reading that the device could not measure. */
export type WrongCell = {
  readonly column: string;
  /** The field of the model that it would have filled. */ readonly field: string;
  readonly words: string;
  readonly reason: 'cell' | 'below' | 'above' | 'impossible';
  /** True when the cell should be a date, but has none of its forms. */ readonly isDate?: true;
  /** True for a date without any digit, such as the word of a line with sums. */ readonly isWords?: true;
  /** True when the cell would be a date if its day and its month changed places. */ readonly isSwapped?: true;
};

export type ReadRow = {
  readonly fields: ReadonlyMap<string, string>;
  readonly wrong: readonly WrongCell[];
  /** Columns whose values hardly can be. They are kept as they are. */ readonly unlikely: readonly string[];
  /** The columns of a date in the future. */ readonly future?: string;
  /** The day, `YYYY-MM-DD`, as the file gives it. */ readonly day?: string;
  /** How the day is written, when its day and its month are numbers whose order a reader cannot see. */
  readonly order?: DayOrder;
};

/** A date whose form does not show whether the day or the month comes first. */
export type DayOrder = {
  readonly form: string;
  readonly written: string;
  readonly day: string;
  /** The day if the two numbers changed places; undefined when there is no such day, which settles the order. */
  readonly other: string | undefined;
};

/** How numbers are written, and the time zone of the times. */
export type Manner = Pick<CsvColumns, 'decimal' | 'thousands'> & {
  readonly zone: string | undefined;
  /** The zone of the clock of a row, where the row says it. */ readonly clock?: string;
};

const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MMM: '(?<name>\\p{L}{3,12})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})(?:[.,]\\d{1,9})?',
  A: '(?<half>[AaPp]\\.? ?[Mm]\\.?|(?:vorm|nachm)\\.?|ص|صباح\\p{L}*|م|مساء)',
  Z: '(?<zone>Z|[+-]\\d{2}:?\\d{2})',
  MIDNIGHT: '0?0:00(?::00(?:[.,]0+)?)?',
  SPAN: '(?<from>\\d{1,2}[:.]\\d{2})(?<to>\\s*[-–—]\\s*\\d{1,2}[:.]\\d{2})',
  UNIX: '(?<seconds>\\d{9,10}(?:\\.\\d+)?)',
  UNIXMS: '(?<thousandths>\\d{12,13})',
  UNIXDAY: '(?<midnight>\\d{9,10}|\\d{12,13})',
  EXCEL: '(?<serial>\\d{5}(?:[.,]\\d+)?)',
  EXCEL1904: '(?<later>\\d{5}(?:[.,]\\d+)?)',
};

/** How the names of the months begin in English, German, Spanish, French, Italian and Arabic, folded. */
const MONTHS = [
  'jan gen ene يناير',
  'feb fev فبراير',
  'mar مارس',
  'apr abr avr ابريل',
  'may mai mag مايو',
  'jun juin giu يونيو',
  'jul juil lug يوليو',
  'aug ago aou اغسطس',
  'sep set سبتمبر',
  'oct okt ott اكتوبر',
  'nov نوفمبر',
  'dec dez dic ديسمبر',
].map((names) => names.split(' '));

/** 1 to 12; 0 for a text that names no month. */
function monthNamed(text: string): number {
  const plain = foldedText(text);
  return MONTHS.findIndex((names) => names.some((name) => plain.startsWith(name))) + 1;
}

function escapePattern(sign: string): string {
  return sign.replace(/[$()*+./?[\\\]^{|}]/, '\\$&');
}

/** The year at the end of a form whose dates say none. */
const YEAR_BEHIND = /@(\d{4})$/;

/** A form of dates, with the year of those that say none. */
type DateForm = { readonly pattern: RegExp; readonly year?: string };

/** `DD.MM.YYYY HH:mm` as a regular expression with named groups. */
function dateForm(whole: string): DateForm {
  const [, year] = YEAR_BEHIND.exec(whole) ?? [];
  const form = whole.replace(YEAR_BEHIND, '');
  const parts = /EXCEL1904|EXCEL|UNIXMS|UNIXDAY|UNIX|MIDNIGHT|SPAN|YYYY|YY|MM?M?|DD?|HH?|hh?|mm|ss|A|Z|[^\w\s]/g;
  const pattern = new RegExp(`^${form.replace(parts, (part) => PARTS[part] ?? escapePattern(part))}$`, 'u');
  return { pattern, ...(year === undefined ? {} : { year }) };
}

/**
 * Whether the order of day and month can be mistaken: both are numbers and stand before the year. Points between them
 * are written in countries only that put the day first.
 */
function isUnsettled(form: string): boolean {
  return /^[^Y]*DD?[^.\w]*MM?[^M]|^[^Y]*(?<!M)MM?[^.\w]*DD?/.test(form);
}

/** `mm Hg` at the end of a cell, with any white space inside and before it. */
function unitForm(unit: string): RegExp {
  const signs = [...unit.replace(/\s/g, '')].map(escapePattern);
  return new RegExp(`^(.*?)\\s*${signs.join('\\s*')}$`, 'iu');
}

/** The date that a text is in a form; undefined when it has another form. */
export function dateInForm(text: string, form: string): string | undefined {
  return dateInCell(text, dateFormOf(form), 'UTC')?.value;
}

const forms = new Map<string, DateForm>();
function dateFormOf(form: string): DateForm {
  const known = forms.get(form) ?? dateForm(form);
  forms.set(form, known);
  return known;
}

export function readyField(name: string, field: CsvField): ReadyField {
  const forms = [...formsOf(field), ...sureFormsBeside(formsOf(field))];
  return {
    name,
    field,
    forms: forms.map(dateFormOf),
    unsettled: forms.map((form) => isUnsettled(form) && formsOf(field).includes(form)),
    units: Object.entries(field.units ?? {}).map(([unit, how]) => ({
      form: unitForm(unit),
      conversion: typeof how === 'number' ? { times: how } : how,
    })),
  };
}

/** Of what stands for the half of a day, in any language, these begin the words for the second one. */
const SECOND_HALF = /^(?:p|nachm|م)/i;

function to24(hour: number, half: string | undefined): number {
  return half === undefined ? hour : (hour % 12) + (SECOND_HALF.test(half) ? 12 : 0);
}

/** Minutes east of UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

type ReadDate = { readonly value: string; readonly day: string; readonly order?: DayOrder };

/** The day whose month is the day of this one, and the other way round; undefined when there is none. */
function swapped(day: string): string | undefined {
  const other = day.replace(/-(\d\d)-(\d\d)$/, '-$2-$1');
  return parseDay(other) === undefined ? undefined : other;
}

/** Whether the text has one of the forms, but its day and its month have changed places. */
function isSwappedDate(text: string, { forms }: ReadyField): boolean {
  return forms.some(({ pattern, year: given }) => {
    const { year = given, short, month, day } = pattern.exec(text)?.groups ?? {};
    return (
      month !== undefined && swapped(`${year ?? `20${short}`}-${two(Number(month))}-${two(Number(day))}`) !== undefined
    );
  });
}

/** The offset of a zone that is one, such as `+02:00`; undefined for a name. */
function writtenOffset(zone: string): number | undefined {
  return /^[+-]/.test(zone) ? 60_000 * offsetOf(zone) : undefined;
}

/**
 * The offset of a time: that of the text, else that of the zone; undefined where nobody knows the zone, and for the
 * hour that a clock shows twice.
 */
function offsetAtTime(shown: number, written: string | undefined, zone: string | undefined): number | undefined {
  if (written !== undefined) {
    return 60_000 * offsetOf(written);
  }
  if (zone === undefined) {
    return undefined;
  }
  return writtenOffset(zone) ?? offsetShown(zone, shown);
}

type Groups = Readonly<Record<string, string | undefined>>;

function clockIn({ hour, half, minute = '0', second = '0' }: Groups): string {
  return [to24(Number(hour), half), Number(minute), Number(second)].map(two).join(':');
}

const DAY = 86_400_000;
/** The day before the first one of the calendars of spreadsheets, as they count. */
const SERIAL_STARTS = { serial: Date.UTC(1899, 11, 30), later: Date.UTC(1904, 0, 1) };

/** Seconds since 1970 have at most so many digits. */
const SECONDS_DIGITS = 10;

/** A date that a program counts: Unix times are moments, the days of a spreadsheet stand for what a clock showed. */
function countedDate(found: Groups, zone: string | undefined): ReadDate | undefined {
  const { seconds, thousandths, midnight, serial, later } = found;
  if (midnight !== undefined) {
    const day = new Date(Number(midnight) * (midnight.length > SECONDS_DIGITS ? 1 : 1000)).toISOString().slice(0, 10);
    return { value: day, day };
  }
  const unix = seconds === undefined ? thousandths : Number(seconds) * 1000;
  if (unix !== undefined) {
    const offset = zone === undefined ? 0 : (writtenOffset(zone) ?? offsetAt(zone, Number(unix)));
    const shown = Number(unix) + offset;
    const value = offset === 0 ? `${timeByClock(shown, undefined)}Z` : timeByClock(shown, offset);
    return { value, day: new Date(shown).toISOString().slice(0, 10) };
  }
  const counted = serial ?? later;
  if (counted === undefined) {
    return undefined;
  }
  const start = serial === undefined ? SERIAL_STARTS.later : SERIAL_STARTS.serial;
  const moment = Math.round((start + Number(counted.replace(',', '.')) * DAY) / 1000) * 1000;
  const day = new Date(moment).toISOString().slice(0, 10);
  if (moment % DAY === 0 && found['hour'] === undefined) {
    return { value: day, day };
  }
  const shown = found['hour'] === undefined ? moment : Date.parse(`${day}T${clockIn(found)}Z`);
  const value = timeByClock(shown, zone === 'UTC' ? undefined : offsetAtTime(shown, undefined, zone));
  return Number.isNaN(shown) ? undefined : { value: zone === 'UTC' ? `${value}Z` : value, day };
}

/**
 * A day unchanged, or a time as the clock showed it, with the offset of the clock; undefined when the text has another
 * form or the day does not exist.
 */
function dateInCell(text: string, { pattern, year }: DateForm, zone: string | undefined): ReadDate | undefined {
  for (const plain of plainDates(text)) {
    const found: Groups | undefined = pattern.exec(plain)?.groups;
    const date = found && dateFrom(year === undefined ? found : { ...found, year }, zone);
    if (date) {
      return date;
    }
  }
  return undefined;
}

/** Whether a span of hours, if there is one, ends later than it begins; 20:00-05:00 is rather a time with its offset. */
function isSpan({ from, to }: Groups): boolean {
  const [begins, ends = ''] = [from, to].map((time) =>
    time
      ?.replace(/^[\s–—-]+/, '')
      .replace('.', ':')
      .padStart(5, '0'),
  );
  return begins === undefined || /[\s–—]/.test(to!) || ends > begins;
}

function dateFrom(found: Groups, zone: string | undefined): ReadDate | undefined {
  const counted = countedDate(found, zone);
  if (counted) {
    return counted;
  }
  const year = found['year'] ?? (found['short'] === undefined ? undefined : `20${found['short']}`);
  if (year === undefined || !found['day']) {
    return undefined;
  }
  const month = found['month'] ?? monthNamed(found['name'] ?? '');
  const day = `${year}-${two(Number(month))}-${two(Number(found['day']))}`;
  if (parseDay(day) === undefined) {
    return undefined;
  }
  if (found['hour'] === undefined) {
    return isSpan(found) ? { value: day, day } : undefined;
  }
  const shown = Date.parse(`${day}T${clockIn(found)}Z`);
  if (Number.isNaN(shown)) {
    return undefined;
  }
  const written = found['zone'] ?? (zone === 'UTC' ? 'Z' : undefined);
  const value = timeByClock(shown, written === 'Z' ? undefined : offsetAtTime(shown, written, zone));
  return { value: written === 'Z' ? `${value}Z` : value, day };
}

/** A time in UTC as the clock of its row showed it, on the day of that clock; any other date unchanged. */
function onClock(date: ReadDate, clock: string | undefined): ReadDate {
  if (clock === undefined || !/T.*Z$/.test(date.value)) {
    return date;
  }
  const moment = Date.parse(date.value);
  const offset = writtenOffset(clock) ?? offsetAt(clock, moment);
  const shown = moment + offset;
  return { ...date, value: timeByClock(shown, offset), day: new Date(shown).toISOString().slice(0, 10) };
}

function firstDate(
  text: string,
  { field, forms, unsettled }: ReadyField,
  zone: string | undefined,
): ReadDate | undefined {
  for (const [index, form] of forms.entries()) {
    const date = dateInCell(text, form, zone);
    if (date) {
      const { day } = date;
      const order = { form: formsOf(field)[index]!, written: text, day, other: swapped(day) };
      return unsettled[index] ? { ...date, order } : date;
    }
  }
  return undefined;
}

function numberText(
  text: string,
  { times = 1, plus = 0 }: Conversion,
  { decimal, thousands }: Manner,
): string | undefined {
  const signs = [decimal].flat();
  // Where both signs are read, 1,234 is a thousand or a fraction: nobody knows.
  if (signs.length > 1 && /[1-9]\d*,\d{3}$/.test(text)) {
    return undefined;
  }
  const [whole = '', fraction = '0', ...more] = text.split(signs.length > 1 ? /[.,]/ : signs[0]!);
  const [first = '', ...groups] = thousands === undefined ? [whole] : whole.split(thousands);
  const grouped = groups.every((group) => group.length === 3);
  const integer = [first, ...groups].join('');
  if (more.length > 0 || !grouped || !/^[+-]?\d+$/.test(integer) || !/^\d+$/.test(fraction)) {
    return undefined;
  }
  const plain = `${integer}.${fraction}`;
  // A number is exact to fifteen digits; further digits are errors of the multiplication.
  return String(Number((Number(plain) * times + plus).toPrecision(15)));
}

/** A number, as it was before its conversion, and its unit and range where they are not those of the field. */
type Amount = Pick<WrittenUnit, 'unit' | 'possible'> & { readonly value: string; readonly raw?: string | undefined };

const STONES = /^(\d{1,2})\s*(?:st|stones?)\b\.?,?\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:lbs?|pounds?)?\.?)?$/i;
const FEET =
  /^(\d)\s*(?:['\u2019\u2032]|(?:ft|feet|foot)\b\.?,?)\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:["\u201d\u2033]|'{2}|in\.?|inch(?:es)?)?)?$/i;

/** "11 st 4 lb" is "158 lb", and 5'11" is "71 in"; any other text stays. */
export function inOneUnit(text: string): string {
  for (const [form, of, unit] of [
    [STONES, 14, 'lb'],
    [FEET, 12, 'in'],
  ] as const) {
    const [, large, small = '0'] = form.exec(text.trim()) ?? [];
    if (large !== undefined && Number(small) < of) {
      return `${String(Number((Number(large) * of + Number(small)).toPrecision(12)))} ${unit}`;
    }
  }
  return text;
}

/** A number in two units, whose fraction has a point in any language. */
function jointAmount(text: string, { units }: ReadyField): Amount | undefined {
  const joint = inOneUnit(text);
  for (const { form, conversion } of joint === text ? [] : units) {
    const [, number] = form.exec(joint) ?? [];
    const value = number === undefined ? undefined : numberText(number, conversion, { decimal: '.', zone: undefined });
    if (value !== undefined) {
      return { value };
    }
  }
  return undefined;
}

/** Signs between thousands that are none before a fraction: 12'045, and narrow spaces. */
const SURE_THOUSANDS = /(?<=\d)['\u2019\u00A0\u202F](?=\d{3}(?!\d))/gu;

/** A bare number, or one followed by one of the named units. */
function amountIn(cellText: string, ready: ReadyField, manner: Manner): Amount | undefined {
  const { field, units } = ready;
  const text = plainDigits(cellText).replace(SURE_THOUSANDS, '');
  const joint = jointAmount(text, ready);
  if (joint) {
    return joint;
  }
  const raw = numberText(text, {}, manner);
  const { between } = field;
  const bare = numberText(text, between && isInRange(Number(raw), between) ? between : field, manner);
  if (bare !== undefined && field.needsUnit !== true) {
    return { value: bare, raw };
  }
  for (const { form, conversion } of units) {
    const [, number] = form.exec(text) ?? [];
    const value = number === undefined ? undefined : numberText(number, conversion, manner);
    if (value !== undefined) {
      const { unit, possible } = conversion;
      return { value, ...(unit === undefined ? {} : { unit }), ...(possible === undefined ? {} : { possible }) };
    }
  }
  return undefined;
}

/** What several columns say, each with its name, behind the text for all rows. */
function joinedCells(row: Row, { any = [], none = [], text: first = '' }: CsvField): string {
  const said = any
    .map((name) => [name, (row[name] ?? '').trim()] as const)
    .filter(([, text]) => text !== '' && !none.includes(text))
    .map(([name, text]) => (foldedText(text) === foldedText(name) ? text : `${name}: ${text}`));
  return [first, ...said].filter(Boolean).join('; ');
}

/** The text of a cell; empty if it stands for nothing. */
function cell(row: Row, field: CsvField): string {
  const text = field.any === undefined ? wholeCell(row, field) : joinedCells(row, field);
  return field.none?.includes(text) === true ? '' : text;
}

function wholeCell(row: Row, { column = [], text }: CsvField): string {
  return (
    text ??
    [column]
      .flat()
      .map((name) => (row[name] ?? '').trim())
      .join(' ')
      .trim()
  );
}

/** The part of the cell that is read; undefined when the cell has no such part. */
function splitPart(text: string, { split, part = 1 }: CsvField): string | undefined {
  if (split === PRESSURE_SIGN) {
    return isNothing(text) || text === '' ? '' : pressureParts(text)?.[part - 1];
  }
  return split === undefined || text === '' ? text : text.split(split)[part - 1]?.trim();
}

function isNumeric({ name, field }: ReadyField): boolean {
  return (
    [field.unit, field.units, field.times, field.plus].some((part) => part !== undefined) || /(^|_)value$/.test(name)
  );
}

type Wrong = Omit<WrongCell, 'column' | 'field'>;
type ReadCell =
  | {
      readonly value: string;
      readonly day?: string;
      readonly order?: DayOrder;
      readonly unlikely?: true;
      readonly unit?: string;
    }
  | Wrong;

function unreadableCell(words: string): Wrong {
  return { words, reason: 'cell' };
}

function missingPart({ split, part }: CsvField): Wrong {
  return unreadableCell(split === PRESSURE_SIGN ? 'is no blood pressure' : `has no part ${part} between "${split}"`);
}

function notANumber(text: string, { field, units }: ReadyField): string {
  if (field.needsUnit === true && /\d$/.test(text)) {
    return 'has no unit, where others have one';
  }
  return /\d\s*\D+$/.test(text)
    ? `has something behind the number that its units in columns.yaml ${units.length === 0 ? 'would' : 'do not'} name`
    : 'is no number';
}

/**
 * Unit of a model -> how values are converted that were measured in another unit. A value that is possible in one of
 * these only was measured in it.
 */
const OTHER_UNITS: Readonly<Record<string, readonly Required<Conversion>[]>> = {
  'mm[Hg]': [{ times: 7.50062, plus: 0 }],
  kg: [{ times: 0.001, plus: 0 }],
  m: [
    { times: 0.01, plus: 0 },
    { times: 0.0254, plus: 0 },
    { times: 0.001, plus: 0 },
  ],
  Cel: [{ times: 5 / 9, plus: -160 / 9 }],
  '%{HemoglobinSaturation}': [{ times: 100, plus: 0 }],
};

function isInRange(value: number, { from, to }: Range): boolean {
  return value >= from && value <= to;
}

/** Whether the value is impossible, and would be possible if it had been measured in another unit. */
function isInOtherUnit(value: number, range: Range, unit: string): boolean {
  const others = OTHER_UNITS[unit] ?? [];
  return !isInRange(value, range) && others.some(({ times, plus }) => isInRange(value * times + plus, range));
}

function impossible({ from, to }: Range, unit: string): Wrong {
  const range = `${from} to ${to} ${unit}`.trim();
  return {
    words: `has a value that no living person has (possible are ${range}): it is an error, or in another unit`,
    reason: 'impossible',
  };
}

/** A value that hardly can be is kept, unless another unit explains it: then it would be read as what it is not. */
function checkedValue({ value, raw, ...own }: Amount, field: CsvField): ReadCell {
  const { possible, likely, unit = '' } = { ...field, ...own };
  if (possible !== undefined && !isInRange(Number(value), possible)) {
    return impossible(possible, unit);
  }
  const isAsWritten = raw !== undefined && likely !== undefined && isInRange(Number(raw), likely);
  const isOdd = likely !== undefined && !isInRange(Number(value), likely);
  if (likely !== undefined && (isInOtherUnit(Number(value), likely, unit) || (isOdd && isAsWritten))) {
    return impossible(likely, unit);
  }
  return {
    ...(own.unit === undefined ? {} : { unit: own.unit }),
    value,
    ...(likely !== undefined && !isInRange(Number(value), likely) ? { unlikely: true as const } : {}),
  };
}

/** On which side of what a device can measure a value is; a unit may stand behind the word. */
function sideBeyond(text: string, { field: { beyond }, units }: ReadyField): 'below' | 'above' | undefined {
  if (beyond === undefined) {
    return undefined;
  }
  const bare = units.map(({ form }) => form.exec(text)?.[1]).find((found) => found !== undefined) ?? text;
  const [, sign] = /^([<>≤≥])\s*\d/.exec(bare) ?? [];
  if (sign !== undefined) {
    return '<≤'.includes(sign) ? 'below' : 'above';
  }
  return (['below', 'above'] as const).find((side) => beyond[side]?.some((word) => word === text || word === bare));
}

/** Why the text is no date of the forms. */
function noDate(text: string, ready: ReadyField): Wrong {
  return {
    ...unreadableCell(`is not written as ${formsOf(ready.field).join(' or ')}`),
    isDate: true,
    ...(/\p{N}/u.test(text) ? {} : { isWords: true as const }),
    ...(isSwappedDate(text, ready) ? { isSwapped: true as const } : {}),
  };
}

/** The code of a word, also of one with more behind it: "discontinued in 2020". What goes on may so have ended. */
function codeIn(text: string, codes: Readonly<Record<string, string>>): string {
  const begun = Object.keys(codes).find((word) => codes[word] !== 'active' && text.startsWith(`${word} `));
  return codes[text] ?? (begun === undefined ? '' : codes[begun]!);
}

/** Reads one cell. */
function readCell(ready: ReadyField, text: string, manner: Manner): ReadCell {
  const { field, forms } = ready;
  if (text === '') {
    return { value: '' };
  }
  if (forms.length > 0) {
    const date = firstDate(text, ready, manner.zone);
    return date ? onClock(date, manner.clock) : noDate(text, ready);
  }
  if (field.codes) {
    return { value: codeIn(foldedText(text), field.codes) };
  }
  if (field.words) {
    const value = field.words[text];
    return value === undefined ? unreadableCell('has a word that its words in columns.yaml do not name') : { value };
  }
  if (field.text !== undefined || !isNumeric(ready)) {
    // Documents of readings have one fact a line.
    return { value: [...text.replace(/[\r\n]+/g, ' ')].slice(0, field.most).join('') };
  }
  if (isNothing(text)) {
    return { value: '' };
  }
  const beyond = sideBeyond(text, ready);
  if (beyond !== undefined) {
    return { words: `says "${text}": it was ${beyond} what the device can measure`, reason: beyond };
  }
  const amount = amountIn(text, ready, manner);
  return amount === undefined ? unreadableCell(notANumber(text, ready)) : checkedValue(amount, field);
}

/** Somewhere on earth it may be tomorrow already. */
function isFuture(day: string | undefined): boolean {
  return day !== undefined && day > new Date(Date.now() + DAY).toISOString().slice(0, 10);
}

/** Columns whose values are above that of the column that has to be higher: 80/120. */
function columnsAbove(table: readonly ReadyField[], fields: ReadonlyMap<string, string>): readonly string[] {
  return table.flatMap(({ name, field: { likely, column = name } }) =>
    likely?.atMost !== undefined && Number(fields.get(name)) > Number(fields.get(likely.atMost))
      ? [[column].flat().join(', ')]
      : [],
  );
}

/** What the column with units says. */
function unitBeside(row: Row, { unitColumn = '' }: CsvField): string | undefined {
  return (row[unitColumn] ?? '').trim() || undefined;
}

const RESULT = /^([<>≤≥]=?)?\s*([+-]?\d[\d.,'\u00A0\u202F]*)\s*([\p{L}%‰µ°].{0,39})?$/u;
/** What laboratories write behind a number and that is no unit. */
const FLAG = /^(?:[hlan*]|hh|ll)$/i;

/**
 * The fields of a result, which may have a sign before its number, and a unit behind it; what is no such number is kept
 * in its words. Empty for a cell that says nothing.
 */
function resultIn(
  row: Row,
  ready: ReadyField,
  cellText: string,
  manner: Manner,
): readonly (readonly [string, string])[] {
  const { name, field } = ready;
  const beside = unitBeside(row, field);
  const text = plainDigits(cellText).trim();
  if (text === '' || isNothing(text)) {
    return [];
  }
  const [, sign = '', digits = '', behind] = RESULT.exec(text) ?? [];
  const number = numberText(digits.replace(SURE_THOUSANDS, ''), {}, manner);
  const isOwn = behind === undefined || beside === undefined || foldedText(behind) === foldedText(beside);
  if (number === undefined || !isOwn || FLAG.test(behind ?? '')) {
    const unit = /\d/.test(text) && beside !== undefined && !text.includes(beside) ? ` ${beside}` : '';
    return [[field.inWords!, `${cellText.replace(/[\r\n]+/g, ' ')}${unit}`]];
  }
  const unit = behind ?? beside;
  const value = `${sign}${writtenNumber(digits, number)}`;
  return [[name, value], ...(unit === undefined ? [] : [[unitFieldOf(name), unit] as const])];
}

/** The number with the zeros that were written behind it: 14,20 is 14.20. A thousand, as in 12,000, gets none. */
function writtenNumber(digits: string, number: string): string {
  const [, whole = '', written = ''] = /^(.*)[.,](\d+)$/.exec(digits) ?? [];
  const [, before = '', behind = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  const zeros = written.slice(behind.length);
  const isSame = whole.replace(/\D/g, '') === before && written.startsWith(behind) && /^0+$/.test(zeros);
  return isSame ? `${number}${behind === '' ? '.' : ''}${zeros}` : number;
}

/** A text that is no date, behind the name of its column where others stand beside it. */
function undatedText(column: string, field: string, text: string): string {
  return field === 'notes' ? `${column}: ${text}` : text;
}

export function readRow(table: readonly ReadyField[], row: Row, manner: Manner): ReadRow {
  const fields = new Map<string, string>();
  const wrong: WrongCell[] = [];
  const unlikely: string[] = [];
  const others: [field: string, text: string][] = [];
  let day: string | undefined;
  let future: string | undefined;
  let order: DayOrder | undefined;
  for (const ready of table) {
    const { name, field } = ready;
    const text = splitPart(cell(row, field), field);
    const read = text === undefined ? missingPart(field) : readCell(ready, text, manner);
    const column = [field.column ?? name].flat().join(', ');
    const result = field.inWords === undefined ? undefined : resultIn(row, ready, text ?? '', manner);
    if (result) {
      result.forEach(([place, said]) => fields.set(place, said));
    } else if ('words' in read && field.elseIn !== undefined) {
      others.push([field.elseIn, isNothing(text ?? '') ? '' : undatedText(column, field.elseIn, text ?? '')]);
    } else if ('words' in read) {
      wrong.push({ column, field: name, ...read });
    } else if (read.value !== '') {
      day ??= read.day;
      future ??= isFuture(read.day) ? column : undefined;
      order ??= read.order;
      unlikely.push(...(read.unlikely ? [column] : []));
      fields.set(name, read.value);
      const unit = read.unit ?? unitBeside(row, field) ?? field.unit;
      if (unit !== undefined) {
        fields.set(unitFieldOf(name), unit);
      }
      Object.entries(field.also ?? {}).forEach(([other, also]) => fields.set(other, also));
    }
  }
  others
    .filter(([, text]) => text !== '')
    .forEach(([name, text]) => fields.set(name, [fields.get(name), text].filter(Boolean).join('; ')));
  return {
    fields,
    wrong,
    unlikely: [...unlikely, ...columnsAbove(table, fields)],
    ...(future === undefined ? {} : { future }),
    ...(day === undefined ? {} : { day }),
    ...(order === undefined ? {} : { order }),
  };
}

/** A value of a row that has several, such as the heart rate beside a blood pressure. */
const ONE_OF_SEVERAL = /^(.+)_value$/;
/** One number of a blood pressure says nothing by itself. */
const PAIR: readonly string[] = ['bp_systolic', 'bp_diastolic'];

/**
 * The row without the values that cannot be read. Each value of a reading of the body stands for itself, so that an odd
 * pulse takes no blood pressure with it; the two numbers of a blood pressure belong together.
 * @returns undefined where something else is wrong, because of which the whole row is left out
 */
export function withoutWrong(table: readonly ReadyField[], { fields, wrong, ...rest }: ReadRow): ReadRow | undefined {
  const wrongs = wrong.map(({ field }) => ONE_OF_SEVERAL.exec(field)?.[1] ?? '');
  if (wrongs.includes('')) {
    return undefined;
  }
  const gone = wrongs.some((name) => PAIR.includes(name)) ? [...wrongs, ...PAIR] : wrongs;
  const kept = [...fields].filter(([name]) => !gone.some((one) => name.startsWith(`${one}_`)));
  const columns = table.filter(({ name }) => gone.some((one) => name.startsWith(`${one}_`)));
  const isGone = (column: string): boolean => columns.some(({ field }) => [field.column].flat().join(', ') === column);
  const unlikely = rest.unlikely.filter((column) => !isGone(column));
  return { ...rest, unlikely, fields: new Map(kept), wrong: [] };
}

/** What is wrong, with the columns of both numbers of a blood pressure, of which the other one is not taken either. */
export function withPair(table: readonly ReadyField[], wrong: readonly WrongCell[]): readonly WrongCell[] {
  const ofPair = table.filter(({ name }) => PAIR.some((one) => name === `${one}_value`));
  const columns = [...new Set(ofPair.map(({ name, field }) => [field.column ?? name].flat().join(', ')))].join(', ');
  return wrong.map((one) => (ofPair.some(({ name }) => name === one.field) ? { ...one, column: columns } : one));
}

/** Whether a row says anything: it is empty when it has only dates and the texts that are in every row. */
export function saysSomething(table: readonly ReadyField[], found: ReadonlyMap<string, string>): boolean {
  const isFree = ({ field, forms }: ReadyField): boolean => field.column !== undefined && forms.length === 0;
  // What several columns say is a remark to the others, unless there are none.
  const hasColumns = table.some(isFree);
  const isSaid = ({ name, field, forms }: ReadyField): boolean =>
    (hasColumns ? field.column !== undefined : field.any !== undefined) &&
    field.aside !== true &&
    forms.length === 0 &&
    (found.has(name) || found.has(field.inWords ?? name));
  return table.some(isSaid) && table.every(({ name, field }) => field.needed !== true || found.has(name));
}
