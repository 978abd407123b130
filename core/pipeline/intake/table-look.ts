/**
 * table-look: looks at a table that nobody has described: where its heads are, and for each column which dates, times
 * and numbers its cells can be. It runs in intake processes only; what it answers is small.
 */
import { foldedText } from '../../base/words/folded-text';
import { findAcross, recordsAcross } from './across';
import { isClinicalHead } from './clinical-lists';
import { dateInForm, inOneUnit } from './csv-cells';
import { csvRecords, uniqueHeads } from './csv-tables';
import { FORMS, isDateCell, isDayAlone, MIDNIGHT, YEARLESS, type DateSequence } from './date-forms';
import { headLines, joinHeadLines } from './head-lines';
import { InvalidFile } from './invalid-file';
import { isPeriodCell, isTitleOfMeans } from './means';
import { headsBelow, WHEN } from './other-heads';
import { isNothing, isWorkbook, plainDigits, pressureParts, wideEncoding, zoneInCell } from './plain-cells';
import { sheetRecords, type SheetsSeen } from './sheet';
import { TIME_FORMS } from './sure-dates';

/** One way to read all dates of a column. */
export type DateReading = {
  readonly sequence: DateSequence;
  readonly forms: readonly string[];
  /** Whether a form has a time. */ readonly timed: boolean;
  /** A cell, and the date that it would be: one that shows how the ways differ. */ readonly written: string;
  readonly read: string;
  /** For dates without a year: whether they go on after the end of one. */ readonly yearless?: 'one' | 'several';
};

type NumberReading = {
  /** Words behind the numbers, such as mmHg; the empty word for bare numbers. */ readonly units: readonly string[];
  /** Signs that can only be those of a fraction: the comma of 5,4. */ readonly fractions: readonly ('.' | ',')[];
  /** Signs that may be those of a fraction or of a thousand: 1,234. */ readonly open: readonly ('.' | ',')[];
  /** The middle one of the values, in which an open sign is one of a fraction. */ readonly middle: number;
  /** The smallest and the largest value. */ readonly ends: readonly [number, number];
};

export type ColumnLook = {
  readonly head: string;
  readonly samples: readonly string[];
  /** All its different cells, where these are few words. */ readonly few: readonly string[];
  /** Ways to read its cells as dates, if that is what most of them are. */ readonly dates: readonly DateReading[];
  /** Forms of a time of day. */ readonly times: readonly string[];
  /** For the year of a date in three columns: the heads of all three, in the order of its forms. */
  readonly day?: readonly string[];
  /** Whether each cell names a time zone. */ readonly isZone: boolean;
  /** Whether most cells are weeks, months or years. */ readonly isPeriods: boolean;
  readonly number: NumberReading | null;
  /** Whether most cells are two numbers, as in 120/80. */ readonly isPair: boolean;
};

export type TableLook = {
  readonly delimiter: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  readonly sheet: boolean;
  /** Of a workbook with several tables: the names of their sheets, and which of them this is. */
  readonly sheets?: SheetsSeen;
  /** How many records stand above the heads. */ readonly skip: number;
  /** The same, if the heads are dates: then `skip` counts the records of the table that was made of it. */
  readonly across?: number;
  /** A line above the heads that says that all values are means of weeks, months or years. */
  readonly means?: string;
  /** The head of a column that the file does not have, of the days that stand alone in their lines. */
  readonly alone?: string;
  /** How many lines the heads have. */ readonly headLines: 1 | 2;
  readonly headless: boolean;
  readonly columns: readonly ColumnLook[];
  /** The first rows. */ readonly rows: readonly (readonly string[])[];
};

const LOOKED_BYTES = 8_000_000;
const LOOKED_ROWS = 20_000;
/** The heads stand in one of the first records. */
const ABOVE = 30;
const MOST_COLUMNS = 60;
const ROWS_SHOWN = 5;
const SAMPLES = 3;
const LONGEST_CELL = 60;
/** More people are in no table of a family. */
export const MOST_FEW = 12;
/** So many of the cells have to be dates. */
const MOST_OF = 0.6;
/** So many of the cells have to be numbers: what cannot be read of the others is told. */
const HALF = 0.5;

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** The encoding of the bytes: what is not UTF-8 is what older spreadsheets write. */
function encodingOf(bytes: Buffer): TableLook['encoding'] {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    return wide;
  }
  try {
    // The last bytes may be the first ones of a letter.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The sign that stands most evenly between the cells of the first lines; semicolons and tabs win over commas. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r\n?|\n/, ABOVE).filter((line) => line.trim() !== '');
  const plain = lines.map((line) => line.replace(/"[^"]*"/g, ''));
  const counts = ['\t', ';', '|', ','].map((sign) => {
    const each = plain.map((line) => line.split(sign).length - 1).sort((a, b) => a - b);
    return [sign, each[Math.floor(each.length / 2)] ?? 0] as const;
  });
  return counts.find(([, count]) => count > 0)?.[0] ?? ',';
}

/** The first piece of a file, and all of its pieces. */
async function withFirst(file: AsyncIterable<Buffer>) {
  const pieces = file[Symbol.asyncIterator]();
  const { value, done } = await pieces.next();
  const first: Buffer = done === true ? Buffer.alloc(0) : value;
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  return { first, chunks: all() };
}

async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length >= LOOKED_BYTES) {
      break;
    }
  }
  return Buffer.concat(held);
}

async function firstRecords(records: AsyncIterable<readonly string[]>): Promise<readonly (readonly string[])[]> {
  const held: (readonly string[])[] = [];
  try {
    for await (const record of records) {
      held.push(record.slice(0, MOST_COLUMNS));
      if (held.length >= LOOKED_ROWS + ABOVE) {
        break;
      }
    }
  } catch (error) {
    // What was cut off in the middle of a row, or has an odd quotation mark far below, is still a table.
    if (held.length < 2 || (error as { code?: string }).code === 'invalid_file') {
      throw (error as { code?: string }).code === 'invalid_file' ? error : new InvalidFile('it is no table');
    }
  }
  return held;
}

const NUMBER = /^[<>≤≥]?\s*([+-]?\d[\d.,'\u00A0\u202F]*)\s*(\D{0,20})$/u;

function isHeadCell(cell: string): boolean {
  const text = plainDigits(cell);
  return text !== '' && !NUMBER.test(text) && pressureParts(text) === undefined && !isDateCell(text);
}

/**
 * The place of the heads: a record of at least two cells that are all words, and have a number or a date below them;
 * of several the widest, because lines about the device may stand above. Undefined for a table that begins with its
 * values.
 */
function findHeads(records: readonly (readonly string[])[]): number | undefined {
  const widths = records.slice(0, ABOVE).map((record, index) => {
    const filled = record.filter((text) => text !== '');
    const below = records.slice(index + 1, index + 6);
    const isHead =
      filled.length > 1 &&
      filled.every(isHeadCell) &&
      (below.some((row) => row.length > 1 && row.some((text) => text !== '' && !isHeadCell(text))) ||
        // In a list of allergies all cells are words.
        (below.length > 0 && isClinicalHead(record)));
    return isHead ? filled.length : 0;
  });
  const widest = Math.max(0, ...widths);
  return widest === 0 ? undefined : widths.indexOf(widest);
}

/** How many different numbers stand first in the cells, and how many stand third. */
function countEnds(cells: readonly string[]): readonly [number, number] {
  const numbers = cells.map((text) => /^\D*(\d+)\D+\d+\D+(\d+)/.exec(text) ?? []);
  return [1, 2].map((at) => new Set(numbers.map((found) => found[at])).size) as [number, number];
}

/**
 * The ways without those that nobody would take where a year has two figures, as in 25/03/12: a way by which a date
 * lies in the future, and the year first where the first number changes more often than the last one.
 */
function withShortYears<Way extends Pick<DateReading, 'sequence' | 'forms'>>(
  ways: readonly Way[],
  cells: readonly string[],
): readonly Way[] {
  const isShort = ({ forms }: Way): boolean => forms.every((form) => /(?<!Y)YY(?!Y)/.test(form));
  if (ways.length < 2 || !ways.every(isShort)) {
    return ways;
  }
  const [first, last] = countEnds(cells);
  const latest = new Date(Date.now() + DAY_MS).toISOString();
  const past = ways.filter((way) => cells.every((text) => (readAs(text, way) ?? '') <= latest));
  const usual = past.filter(({ sequence }) => sequence !== 'ymd' || first <= last);
  return [usual, past, ways].find((some) => some.length > 0)!;
}

/** The ways in which most cells are dates: those of most cells, more than one if nothing settles the order. */
function readDates(cells: readonly string[], all = FORMS): readonly DateReading[] {
  const some = cells.slice(0, 20);
  const found = all.flatMap(([sequence, forms]) => {
    const known = forms.filter((form) => some.some((text) => dateInForm(text, form) !== undefined));
    const fits = (text: string): boolean => known.some((form) => dateInForm(text, form) !== undefined);
    const count = known.length === 0 ? 0 : cells.filter(fits).length;
    return count === 0 || count < MOST_OF * cells.length
      ? []
      : [{ sequence, forms: known, count, timed: known.some((form) => /[Hh]/.test(form)) }];
  });
  const most = Math.max(0, ...found.map(({ count }) => count));
  const ways = withShortYears(
    found.filter(({ count }) => count === most),
    cells,
  );
  const shown = cells.slice(0, 200).find((text) => new Set(ways.map((way) => readAs(text, way))).size === ways.length);
  const written = shown ?? cells[0] ?? '';
  return ways.map(({ count: _count, ...way }) => ({ ...way, written, read: readAs(written, way) ?? '' }));
}

/** Months as they follow each other: from the last ones of a year to the first ones, or back, it has ended. */
function goesOverYears(cells: readonly string[], reading: DateReading): boolean {
  const months = cells.flatMap((text) => readAs(text, reading)?.slice(5, 7) ?? []).map(Number);
  return months.some((month, at) => at > 0 && Math.abs(month - months[at - 1]!) > 6);
}

/** Dates that say no year, below a head that says when, or below none with the name of the month. */
const DAY_HEAD = /^(?:day|tag|dia|jour|giorno|اليوم|يوم)$/;
function readYearless(head: string, cells: readonly string[]): readonly DateReading[] {
  const isNameless = /^column \d+$/i.test(head);
  const forms = YEARLESS.filter(([, all]) => !isNameless || all[0]!.includes('MMM'));
  const isWhen = [WHEN, DAY_HEAD].some((one) => one.test(foldedText(head)));
  const readings = isNameless || isWhen ? readDates(cells, forms) : [];
  return readings.map((one) => ({ ...one, yearless: goesOverYears(cells, one) ? 'several' : 'one' }));
}

const COUNTED_HEADS = /timestamp|epoch|unix|date|created|recorded|_time\b/;

/** Heads of columns that say whose row it is. */
const PEOPLE =
  /^(?:(?:full|first|last|given|family|patient|person|user|member|client|profile|display)[ _-]?names?|names?|(?:patient|person|user|member|profile)(?:[ _-]?(?:id|no|nr|number))?|family member|who|(?:vor|nach|familien|benutzer|nutzer|patienten)?name|patientin|benutzer|nutzer|profil|mitglied|nombre|paciente|usuario|perfil|miembro|nom|prenom|patiente|utilisateur|nome|utente|paziente|profilo|الاسم|اسم|المريض|المستخدم|(?:for )?whom?|whose|for|wer|wessen|fur(?: wen)?|(?:de |para )?quien|para|(?:pour )?qui|pour|(?:per )?chi|من|لمن)$/;
/** Words that people have for themselves and their families, folded. */
const OF_FAMILY =
  /^(?:me|myself|self|mum|mummy|mom|mommy|mother|dad|daddy|father|wife|husband|son|daughter|grand(?:ma|pa|mother|father)|ich|selbst|mama|mutti|mutter|papa|vati|vater|frau|mann|sohn|tochter|oma|opa|yo|mi|madre|padre|esposa|esposo|marido|mujer|hijo|hija|abuela|abuelo|moi|maman|mere|pere|femme|mari|fils|fille|mamie|papi|io|mamma|moglie|marito|figlio|figlia|nonna|nonno|انا|امي|ابي|ماما|بابا|زوجتي|زوجي|ابني|ابنتي)$/;
const LONGEST_OF_FAMILY = 12;

/** Whether a column says whose row it is: by its head, or by one of its cells. */
export function saysWhose(head: string, cells: readonly string[] = []): boolean {
  // WHO is also an organization, after which classes of blood pressure are called.
  const isHead = head.trim() !== 'WHO' && PEOPLE.test(foldedText(head));
  return isHead || cells.some((text) => text.length <= LONGEST_OF_FAMILY && OF_FAMILY.test(foldedText(text)));
}

const COUNTED: readonly (readonly [DateSequence, string])[] = [
  ['unix', 'UNIX'],
  ['unix', 'UNIXMS'],
  ['excel', 'EXCEL'],
  ['excel1904', 'EXCEL1904'],
];
const DAY_MS = 86_400_000;

/**
 * Dates that programs count, below a head that says so, where each of them would be one of the years since 1990. Old
 * spreadsheets count from 1904: where this is possible, too, there are two ways.
 */
function readCounted(head: string, cells: readonly string[]): readonly DateReading[] {
  const name = foldedText(head);
  if (!WHEN.test(name) && !COUNTED_HEADS.test(name)) {
    return [];
  }
  const latest = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  return COUNTED.flatMap(([sequence, form]) => {
    const read = cells.map((text) => dateInForm(text, form));
    const all = read.every((date) => date !== undefined && date > '1990' && date.slice(0, 10) <= latest);
    // Programs count a day from its beginning in UTC: it is that day wherever somebody lives.
    const isDays = read.every((date) => date?.endsWith('T00:00:00Z'));
    const timed = !isDays && read.some((date) => date?.includes('T'));
    const own = isDays ? 'UNIXDAY' : form;
    return all ? [{ sequence, forms: [own], timed, written: cells[0]!, read: dateInForm(cells[0]!, own)! }] : [];
  });
}

function readAs(text: string, { forms }: Pick<DateReading, 'forms'>): string | undefined {
  return forms.map((form) => dateInForm(text, form)).find((date) => date !== undefined);
}

/** Heads of a time of day, below which 7.15 is a quarter past seven. */
const POINTED_HEAD = /^(?:zeit|uhrzeit|uhr|time|hora|heure|ora|godzina|tijd|الوقت|الساعه)$/;

/** A time of day, by the forms that fit. */
function readTimes(head: string, cells: readonly string[]): readonly string[] {
  const day = (text: string, form: string): boolean =>
    dateInForm(`2000-01-01 ${text}`, `YYYY-MM-DD ${form}`) !== undefined;
  const forms = POINTED_HEAD.test(foldedText(head)) ? [...TIME_FORMS, 'H.mm'] : TIME_FORMS;
  const known = forms.filter((form) => cells.slice(0, 20).some((text) => day(text, form)));
  const count = cells.filter((text) => known.some((form) => day(text, form))).length;
  return known.length > 0 && count >= MOST_OF * cells.length ? known : [];
}

function fractionIn(digits: string): '.' | ',' | undefined {
  const [, sign] = /^[+-]?(?:\d+|\d{1,3}(?:[.,' \u00A0\u202F]\d{3})+)([.,])(?:\d{1,2}|\d{4,})$/u.exec(digits) ?? [];
  const [, zero] = /^[+-]?0([.,])\d+$/.exec(digits) ?? [];
  const [, , last] = /^[+-]?\d{1,3}([.,])\d{3}(?!\1)([.,])\d+$/.exec(digits) ?? [];
  return (last ?? zero ?? sign) as '.' | ',' | undefined;
}

function openIn(digits: string): '.' | ',' | undefined {
  return /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/.exec(digits)?.[1] as '.' | ',' | undefined;
}

function readDigits(digits: string): number {
  const sign = fractionIn(digits) ?? openIn(digits);
  const plain =
    sign === undefined
      ? digits
      : digits.slice(0, digits.lastIndexOf(sign)).concat('.', digits.slice(digits.lastIndexOf(sign) + 1));
  return Number(sign === undefined ? plain.replace(/[^\d+-]/g, '') : plain.replace(/[^\d.+-]/g, ''));
}

/** Words of devices for a value outside of what they can measure. */
const BEYOND = /^(?:lo|low|hi|high)$/i;

function readNumbers(all: readonly string[]): NumberReading | null {
  const cells = all.filter((text) => !BEYOND.test(text));
  const found = cells
    .map((text) => inOneUnit(plainDigits(text)))
    .flatMap((text) => {
      const [, digits, unit = ''] = NUMBER.exec(text) ?? [];
      return digits === undefined ? [] : [{ digits, unit: unit.trim() }];
    });
  if (found.length === 0 || found.length < HALF * cells.length) {
    return null;
  }
  const only = <T>(values: readonly (T | undefined)[]): readonly T[] => [
    ...new Set(values.filter((value): value is T => value !== undefined)),
  ];
  const values = found.map(({ digits }) => readDigits(digits)).sort((a, b) => a - b);
  return {
    units: only(found.map(({ unit }) => unit)).slice(0, 5),
    fractions: only(found.map(({ digits }) => fractionIn(digits))),
    open: only(found.map(({ digits }) => openIn(digits))),
    middle: values[Math.floor(values.length / 2)] ?? 0,
    ends: [values[0] ?? 0, values.at(-1) ?? 0],
  };
}

/** What stands below the rows in the place of a date. */
const SUMS =
  /^(?:total|sums?|summen?|gesamt|suma|totale|totaux|somme|averages?|avg|mean|mittel(?:wert)?|durchschnitt|promedio|media|moyenne|min\w*|max\w*|المجموع|المتوسط)\b.{0,10}$/;

/** Where all times are midnight, a program has added them to days. */
function asDays(readings: readonly DateReading[], cells: readonly string[]): readonly DateReading[] {
  return readings.map((one) => {
    const read = cells.flatMap((text) => readAs(text, one) ?? []);
    const isDays = one.timed && read.length > 1 && read.every((date) => /T00:00(?::00)?Z?$|^[^T]*$/.test(date));
    const forms = one.forms.map((form) => form.replace(/(?: |T|, )(?:H|h).*$/, MIDNIGHT));
    return isDays ? { ...one, timed: false, forms: [...new Set(forms)], read: one.read.slice(0, 10) } : one;
  });
}

function lookAtColumn(head: string, cells: readonly string[]): ColumnLook {
  const filled = cells.filter((text) => text !== '' && !isNothing(text));
  const days = filled.filter((text) => !SUMS.test(foldedText(text)));
  const written = days.length === 0 ? [] : asDays(readDates(days), days);
  const counted = written.length > 0 || filled.length === 0 ? written : readCounted(head, filled);
  const dates = counted.length > 0 || filled.length === 0 ? counted : readYearless(head, filled);
  const times = filled.length === 0 || dates.length > 0 ? [] : readTimes(head, filled);
  const pairs = filled.filter((text) => pressureParts(text) !== undefined).length;
  // 15/07/26 is a date, and no blood pressure with a heart rate.
  const least = dates.length > 0 ? MOST_OF : HALF;
  const isPair = pairs > 0 && pairs >= least * filled.length && written.length === 0;
  const different = [...new Set(filled)];
  const isFew = different.length <= MOST_FEW && different.every((text) => text.length <= LONGEST_CELL);
  return {
    head,
    few: isFew && dates.length === 0 && times.length === 0 && !isPair ? different : [],
    samples: different.slice(0, SAMPLES).map((text) => text.slice(0, LONGEST_CELL)),
    dates: isPair ? [] : dates,
    times,
    number: dates.length > 0 || times.length > 0 || isPair ? null : readNumbers(filled),
    isPair,
    isPeriods: dates.length === 0 && filled.filter(isPeriodCell).length > MOST_OF * filled.length,
    isZone: filled.length > 0 && different.every((text) => zoneInCell(text) !== undefined),
  };
}

/** The rows of the table, without those of another one that begins below it in the same sheet. */
function rowsBelow(all: readonly (readonly string[])[], at: number | undefined, begins: number) {
  const rows = all.slice(begins);
  const ends = at === undefined ? -1 : rows.findIndex((row) => headsBelow(row, all[at]!) === 'other');
  return ends === -1 ? rows : rows.slice(0, ends);
}

const PARTS_OF_DAY = [
  /^(year|jahr|ano|annee|anno|السنه|سنه)$/,
  /^(month|monat|mes|mois|mese|الشهر|شهر)$/,
  /^(day|tag|dia|jour|giorno|اليوم|يوم)$/,
];

/** Columns of which three are the year, the month and the day: the first of these has their dates. */
function withWholeDays(columns: readonly ColumnLook[], rows: readonly (readonly string[])[]): readonly ColumnLook[] {
  const at = PARTS_OF_DAY.map((part) => columns.findIndex(({ head }) => part.test(foldedText(head))));
  if (at.includes(-1) || columns.some(({ dates }) => dates.length > 0)) {
    return columns;
  }
  const days = rows.map((row) => at.map((place) => row[place] ?? '').join(' '));
  const forms = ['YYYY M D', 'YYYY MMM D'].filter((form) => days.some((text) => dateInForm(text, form) !== undefined));
  const [written = ''] = days;
  const reading: DateReading = {
    sequence: 'ymd',
    forms,
    timed: false,
    written,
    read: readAs(written, { forms }) ?? '',
  };
  return forms.length === 0
    ? columns
    : columns.map((column, place) =>
        place === at[0] ? { ...column, dates: [reading], day: at.map((part) => columns[part]!.head) } : column,
      );
}

/** The head of a column with the days that stand alone above their rows. */
const DAY_ALONE = 'Day';

/**
 * The rows, each with the day that stands alone above it behind its cells; undefined if there are no such days, or a
 * column has days.
 */
function rowsOfDays(rows: readonly (readonly string[])[], heads: readonly string[]) {
  const others = rows.filter((row) => !isDayAlone(row));
  const isDated = heads.some((_, at) => {
    const cells = others.map((row) => row[at] ?? '').filter(Boolean);
    return cells.length > 0 && readDates(cells).length > 0;
  });
  if (others.length === rows.length || heads.includes(DAY_ALONE) || isDated) {
    return undefined;
  }
  let day = '';
  return rows.flatMap((row) => {
    day = isDayAlone(row) ? row[0]! : day;
    return isDayAlone(row) ? [] : [[...heads.map((_, at) => row[at] ?? ''), day]];
  });
}

type Beginning = Pick<TableLook, 'delimiter' | 'encoding' | 'sheet'> & {
  /** The sheets of a workbook, as soon as a record was read. */ readonly sheets?: () => SheetsSeen | undefined;
  readonly records: AsyncIterable<readonly string[]>;
};

/** The records of a workbook or of a text, which the bytes tell apart: names of files are often wrong. */
async function recordsIn(file: AsyncIterable<Buffer>, wanted: string | undefined): Promise<Beginning> {
  const { first, chunks } = await withFirst(file);
  if (isWorkbook(first)) {
    let sheets: SheetsSeen | undefined;
    const records = sheetRecords(chunks, wanted, (seen) => {
      sheets = seen;
    });
    return { delimiter: ',', encoding: 'utf-8', sheet: true, records, sheets: () => sheets };
  }
  const bytes = await readBeginning(chunks);
  const encoding = encodingOf(bytes);
  const text = withoutMark(new TextDecoder(encoding).decode(bytes));
  const delimiter = delimiterOf(text);
  return { delimiter, encoding, sheet: false, records: csvRecords([text], delimiter) };
}

/**
 * @param wanted the name of the sheet of a workbook; without it, the first one with a table
 * @throws InvalidFile for what is no table
 */
export async function lookAtTable(file: AsyncIterable<Buffer>, wanted?: string): Promise<TableLook> {
  const { delimiter, encoding, sheet, records, sheets: seen } = await recordsIn(file, wanted);
  const written = await firstRecords(records);
  const sheets = seen?.();
  const across = findAcross(written.slice(0, ABOVE), isDateCell, isHeadCell);
  const all = across === undefined ? written : await firstRecords(recordsAcross(written, across, isDateCell));
  const found = findHeads(all);
  const isOneLine = found === undefined || isClinicalHead(all[found]!);
  const { at, count } = isOneLine ? { at: found, count: 1 as const } : headLines(all, found, isHeadCell);
  const begins =
    at === undefined
      ? Math.max(
          0,
          all.findIndex((record) => record.filter(Boolean).length > 1),
        )
      : at + count;
  const below = rowsBelow(all, at, begins);
  const first = at === undefined ? below[0] : joinHeadLines(all.slice(at, begins));
  if (!first || below.length === 0 || first.length < 2) {
    throw new InvalidFile('it is no table with columns and rows');
  }
  const own = uniqueHeads(first, at === undefined);
  const ofDays = rowsOfDays(below, own);
  const [rows, heads] = ofDays === undefined ? [below, own] : [ofDays, [...own, DAY_ALONE]];
  const means = all
    .slice(0, at ?? begins)
    .find(isTitleOfMeans)
    ?.find(Boolean);
  // A text that stands alone, such as the name of a week, is in no column.
  const full = rows.filter((row) => row.filter(Boolean).length > 1);
  const looked = full.length > 0 ? full : rows;
  const each = heads.map((head, index) =>
    lookAtColumn(
      head,
      looked.map((row) => row[index] ?? ''),
    ),
  );
  return {
    delimiter,
    encoding,
    sheet,
    ...(sheets === undefined ? {} : { sheets }),
    skip: at ?? begins,
    ...(across === undefined ? {} : { across }),
    ...(means === undefined ? {} : { means }),
    ...(ofDays === undefined ? {} : { alone: DAY_ALONE }),
    headLines: count,
    headless: at === undefined,
    columns: withWholeDays(each, looked),
    rows: rows.slice(0, ROWS_SHOWN).map((row) => heads.map((_, index) => (row[index] ?? '').slice(0, LONGEST_CELL))),
  };
}
