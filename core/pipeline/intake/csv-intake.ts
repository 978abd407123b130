/**
 * csv-intake: turns the rows of a CSV into documents with facts, as the YAML described in csv-columns says. It runs in
 * intake processes only.
 */
import { documentsNamespace } from '../../documents/document-types';
import type { ReadingsRule } from '../../documents/readings';
import { element, writeElement } from '../../xml/write';
import { saysNone } from './clinical-lists';
import { needsZone, OWN_ZONE, type CsvColumns } from './csv-columns';
import {
  readRow,
  saysSomething,
  withoutWrong,
  withPair,
  type DayOrder,
  type Manner,
  type ReadRow,
  type Row,
  type WrongCell,
} from './csv-cells';
import { tableRows, type OpenTable } from './csv-tables';
import type { IntakeItem, LeftOutOfFile } from './intake-messages';
import { InvalidFile } from './invalid-file';
import { saysMean } from './means';
import { saysControl, saysNoReading, zoneInCell } from './plain-cells';
import { MOST_FEW, saysWhose } from './table-look';

/** The most facts of one document. Documents of the same day or month are joined when they are stored. */
const FACTS_EACH = 5000;
/** So many facts are held in memory. For documents of days all are, because one wrong date refuses the whole file. */
const FACTS_HELD = 200_000;

export type CsvSettings = {
  readonly vocabBase: string;
  /** The most bytes of a document. */ readonly maxBytes: number;
  /** The time zone of the person's devices. */ readonly timeZone?: string | undefined;
};

function factText(model: string, fields: ReadonlyMap<string, string>): string {
  return writeElement(
    element(
      'Model',
      { name: model },
      [...fields].map(([name, value]) => element('Field', { name }, value)),
    ),
  );
}

/** So many columns that are not read are told by their heads. */
const COLUMNS_TOLD = 40;

/** The orders in which days and months were read, by the form of the date, until a date of the form settles it. */
class DayOrders {
  readonly #open = new Map<string, { readonly first: DayOrder; count: number }>();
  readonly #settled = new Set<string>();

  add(order: DayOrder): void {
    if (order.other === undefined) {
      this.#settled.add(order.form);
    } else if (order.other !== order.day) {
      const told = this.#open.get(order.form) ?? { first: order, count: 0 };
      told.count += 1;
      this.#open.set(order.form, told);
    }
  }

  items(): readonly IntakeItem[] {
    return [...this.#open].flatMap(([form, { first, count }]) =>
      this.#settled.has(form) ? [] : [{ leftOut: orderTold(first, count) }],
    );
  }
}

function orderTold({ written, day, other = '' }: DayOrder, count: number): LeftOutOfFile {
  return {
    what: 'Dates',
    count,
    words:
      `they can be read in two ways, and no date of the file settles it: "${written}" was read as ${spelledOut(day)}, ` +
      `and may be ${spelledOut(other)}. If that is so, write the dates in another way, such as ${day}`,
    reason: 'order',
    dates: { written, read: day, other },
  };
}

function spelledOut(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

/** The reasons for which rows were left out, with their numbers. */
class LeftOutRows {
  readonly #counts = new Map<string, LeftOutOfFile>();
  readonly #columns = new Map<string, number>();
  /** Head of a column -> the people below it; null for other columns. */
  readonly #people = new Map<string, Set<string> | null>();
  readonly orders = new DayOrders();
  /** @param described whether a person has said in which order days and months stand */
  constructor(private readonly described: boolean) {}

  #impossible = 0;
  #wrongDates = 0;
  #swappedDates = 0;
  /** The first wrong date. */ #wrongDate: WrongCell | undefined;

  /** Refuses the file if a date cannot be read: days and months of all rows may then be swapped. @throws InvalidFile */
  refuseWrongDates(each: 'day' | 'month'): void {
    if (this.#wrongDate && (each === 'day' || this.#swappedDates > 0)) {
      const { column, words } = this.#wrongDate;
      throw new InvalidFile(
        `${column} ${words} in ${this.#wrongDates} rows, so that days and months of the other rows may be the wrong ` +
          'way round: nothing of it is taken',
        'dates',
      );
    }
  }

  /**
   * Refuses the file if values are impossible in more rows than were taken: it then has another unit, in which some
   * values seem possible. @throws InvalidFile
   */
  refuseImpossible(taken: number): void {
    if (this.#impossible > taken) {
      const { words } = [...this.#counts.values()].find(({ reason }) => reason === 'impossible')!;
      throw new InvalidFile(
        `${words} (rows: ${this.#impossible}). Choose the unit that the file's columns should have where you have it ` +
          'from, such as mmHg instead of kPa, and take it from there once more: nothing of it is taken',
        'values',
      );
    }
  }

  /** Notes whose a row is that is taken, where a column says so that nobody was asked about. */
  addPerson(row: Row): void {
    for (const head of this.described ? [] : Object.keys(row)) {
      if (!this.#people.has(head)) {
        this.#people.set(head, saysWhose(head) ? new Set() : null);
      }
      const people = this.#people.get(head);
      if (people && row[head] !== '' && people.size <= MOST_FEW) {
        people.add(row[head]!);
      }
    }
  }

  /** Refuses a file with rows of several people: nobody said whose are meant. @throws InvalidFile */
  refusePeople(): void {
    for (const [head, people] of this.#people) {
      if (people && people.size > 1 && people.size <= MOST_FEW) {
        throw new InvalidFile(
          `rows of several people stand below "${head}", and nobody said whose are meant: divide it, one file for each`,
          'people',
        );
      }
    }
  }

  /** Notes the columns that are not read. @returns whether the row says anything in one of them */
  addUnread(unread: readonly string[], row: Row): boolean {
    const said = unread.filter((name) => /[^\s-]/.test(row[name] ?? ''));
    for (const name of said) {
      this.#columns.set(name, (this.#columns.get(name) ?? 0) + 1);
    }
    return said.length > 0;
  }

  #unreadColumns(): readonly LeftOutOfFile[] {
    const all = [...this.#columns];
    const told = all.slice(0, COLUMNS_TOLD);
    const rest = all.slice(COLUMNS_TOLD).reduce((sum, [, count]) => sum + count, 0);
    return [...told, ...(rest > 0 ? [['Other columns', rest] as const] : [])].map(([what, count]) => ({
      what,
      count,
      words: 'the column has no place in a record',
      reason: 'no-place',
    }));
  }

  /** Notes in what order the date was read, and what is kept although it hardly can be. */
  addRead({ order, unlikely, future }: ReadRow): void {
    if (order && !this.described) {
      this.orders.add(order);
    }
    for (const column of unlikely) {
      const words = `please check the values of ${column}: hardly any person has such a one. They are kept as they are`;
      this.add(words, 'check', column, 'Values');
    }
    if (future !== undefined) {
      this.add(`please check ${future}: it is in the future. It is kept as it is`, 'check', future, 'Dates');
    }
  }

  /** Notes that nobody said in which letters the file is written. */
  guessed = (): void => {
    const words = 'it is not in UTF-8, and was read as Windows-1252: check letters with accents';
    this.add(words, 'letters', undefined, 'Letters');
  };

  /** Notes sheets with tables that are not read, each by its name. */
  passedOver = (names: readonly string[]): void => {
    for (const name of names) {
      const words = `one sheet of a workbook is read at a time: give it once more, and choose "${name}"`;
      this.add(words, 'sheet', name, 'Sheet');
    }
  };

  /** @returns true: it is told */
  add(words: string, reason: string, column?: string, what = 'Rows'): true {
    const key = `${what}: ${words}`;
    const before = this.#counts.get(key)?.count ?? 0;
    this.#counts.set(key, {
      what,
      count: before + 1,
      words,
      reason,
      ...(column === undefined ? {} : { column }),
    });
    return true;
  }

  /**
   * @param isRead whether the rest of the row was read
   * @returns true: it is told
   */
  addWrong(wrong: readonly WrongCell[], isRead: boolean): true {
    const date = wrong.find(({ isDate }) => isDate);
    this.#wrongDates += date && !date.isWords ? 1 : 0;
    this.#swappedDates += wrong.some(({ isSwapped }) => isSwapped) ? 1 : 0;
    this.#wrongDate ??= date?.isWords ? undefined : date;
    this.#impossible += wrong.some(({ reason }) => reason === 'impossible') ? 1 : 0;
    const [beyond] = wrong.filter(({ reason }) => reason !== 'cell');
    const told = beyond ? [beyond] : wrong;
    const words = [...new Set(told.map((one) => `${one.column} ${one.words}`))].join('; ');
    const columns = [...new Set(told.map(({ column }) => column))].join(', ');
    return this.add(words, beyond?.reason ?? 'cell', columns, isRead ? 'Values' : 'Rows');
  }

  /** The counts of irrelevant rows come first, then the counts of rows that a person may want to look at. */
  items(): readonly IntakeItem[] {
    const all = [...this.#counts.values()];
    const passed = ({ reason }: LeftOutOfFile): boolean => reason === 'no-place';
    const rows = [...all.filter(passed), ...this.#unreadColumns(), ...all.filter((one) => !passed(one))];
    return [...this.orders.items(), ...rows.map((leftOut) => ({ leftOut }))];
  }
}

/** The column because of which a row is not accepted; undefined for an accepted row. */
function notTaken({ rows = {}, only }: Pick<OpenTable, 'rows' | 'only'>, row: Row): string | undefined {
  if (only !== undefined && saysNone(row[only.column] ?? '') !== (only.says === 'none')) {
    return only.column;
  }
  return Object.keys(rows).find((name) => !rows[name]!.includes(row[name] ?? ''));
}

/**
 * The time zone of the times; undefined where it depends on a person who has chosen none, which is what UTC stands for.
 * @throws InvalidFile when it depends on a person and is unknown
 */
function zoneFor(columns: CsvColumns, timeZone: string | undefined): string | undefined {
  if (columns.time_zone !== OWN_ZONE) {
    return columns.time_zone;
  }
  if (timeZone === undefined && needsZone(columns)) {
    throw new InvalidFile('its times name no time zone, and nobody has said one');
  }
  return timeZone === 'UTC' ? undefined : timeZone;
}

/** How a row is read: a column may say its time zone, which moves no time that is written in UTC. */
function mannerOf(row: Row, { zones = [], time_zone }: CsvColumns, manner: Manner): Manner {
  const clock = zones.map((name) => zoneInCell(row[name] ?? '')).find((zone) => zone !== undefined);
  return clock === undefined ? manner : { ...manner, clock, zone: time_zone === 'UTC' ? 'UTC' : clock };
}

type Taken = {
  readonly fact: string;
  readonly row: ReadRow;
  /** Whether a value beside it is impossible. */ readonly isBeside: boolean;
};

/** Whether the rows of a table are values of glucose, of which meters also keep tests with a control solution. */
function isOfGlucose({ fields }: Pick<OpenTable, 'fields'>): boolean {
  return fields.some(({ field: { text } }) => text === 'Blood glucose');
}

/**
 * The facts of one row. What is wrong with one of them does not touch the others, but a date that cannot be read is that
 * of them all.
 */
function* readRowFacts(table: OpenTable, row: Row, manner: Manner, leftOut: LeftOutRows): Generator<Taken> {
  let told = false;
  let other: string | undefined;
  if ([table, ...table.more].some(isOfGlucose) && Object.entries(row).some((cell) => saysControl(...cell))) {
    leftOut.add('they are tests of the meter with a control solution', 'control');
    return;
  }
  // A word where a number belongs is a cell that cannot be read.
  if (table.unread.some((head) => saysNoReading(head, row[head] ?? ''))) {
    leftOut.add('they say that they are a goal, deleted or wrong', 'no-reading');
    return;
  }
  if (Object.values(row).some(saysMean)) {
    leftOut.add('they say that they are means or sums of weeks, months or years', 'means');
    return;
  }
  for (const part of [table, ...table.more]) {
    const no = notTaken(part, row);
    const read = no === undefined ? readRow(part.fields, row, manner) : undefined;
    other ??= no;
    if (read === undefined) {
      continue;
    }
    const rest = read.wrong.length === 0 ? read : withoutWrong(part.fields, read);
    const isRead = rest !== undefined && saysSomething(part.fields, rest.fields);
    if (read.wrong.length > 0) {
      told = leftOut.addWrong(isRead ? withPair(part.fields, read.wrong) : read.wrong, isRead);
      if (read.wrong.some(({ isDate }) => isDate)) {
        return;
      }
    }
    if (isRead) {
      told = true;
      leftOut.addRead(rest);
      const isBeside = read.wrong.some(({ reason }) => reason === 'impossible');
      yield { fact: factText(part.model, rest.fields), row: rest, isBeside };
    }
  }
  const { only } = table;
  const isNameless = only !== undefined && (row[only.column] ?? '').trim() === '';
  if (isNameless && Object.values(row).some((text) => text !== '')) {
    leftOut.add(`${only.column} is empty, so that nobody knows what they are about`, 'cell', only.column);
  } else if (!told && other !== undefined) {
    leftOut.add(`their ${other} is none that is taken`, 'no-place');
  } else if (!told && !leftOut.addUnread(table.unread, row)) {
    leftOut.add('nothing is said in it', 'no-value');
  }
}

/**
 * The facts of the rows, one after the other; it notes the rows that are left out. @throws InvalidFile when there are
 * no rows
 */
async function* takeFacts(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  manner: Manner,
  leftOut: LeftOutRows,
): AsyncGenerator<Taken> {
  let rows = 0;
  let taken = 0;
  for await (const found of tableRows(chunks, columns, leftOut)) {
    rows += 1;
    if ('below' in found) {
      leftOut.add(`they stand below "${found.below}", which columns.yaml does not name`, 'no-place');
      continue;
    }
    if ('others' in found) {
      leftOut.add(
        `they stand below other heads (${found.others}): save that table as a file of its own`,
        'other-heads',
        found.others,
      );
      continue;
    }
    if ('cells' in found) {
      leftOut.add(`they have ${found.cells} cells below ${found.heads} heads: a comma may stand in a number`, 'cell');
      continue;
    }
    const { table, row } = found;
    const facts = [...readRowFacts(table, row, mannerOf(row, columns, manner), leftOut)];
    if (facts.length > 0) {
      taken += facts.some(({ isBeside }) => !isBeside) ? 1 : 0;
      leftOut.addPerson(row);
      leftOut.addUnread(table.unread, row);
    }
    yield* facts;
  }
  if (rows === 0) {
    throw new InvalidFile('it has no rows below the heads of its columns');
  }
  leftOut.refuseImpossible(taken);
  leftOut.refusePeople();
}

/**
 * One fact a line, so that the document can be joined with those of other files. The namespace is in each document, so
 * that the document is the same wherever the service runs.
 */
function modelsDocument(facts: readonly string[], vocabBase: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Models xmlns="${documentsNamespace(vocabBase)}">\n${facts.join('\n')}\n</Models>\n`;
}

/** The facts of each document, which is at most half as long as a document may be, so that there is room for others. */
function* inDocuments(facts: readonly string[], maxBytes: number): Generator<readonly string[]> {
  let held: string[] = [];
  let bytes = 0;
  for (const fact of facts) {
    const length = Buffer.byteLength(fact);
    if (held.length === FACTS_EACH || (held.length > 0 && bytes + length > maxBytes / 2)) {
      yield held;
      held = [];
      bytes = 0;
    }
    held.push(fact);
    bytes += length;
  }
  if (held.length > 0) {
    yield held;
  }
}

/** All rows of a list of statements as one document: a later list is another one, and each says what it says. */
async function* wholeList(
  facts: AsyncIterable<Taken>,
  { vocabBase, maxBytes }: CsvSettings,
): AsyncGenerator<IntakeItem> {
  const held = new Set<string>();
  for await (const { fact } of facts) {
    held.add(fact);
  }
  for (const some of inDocuments([...held], maxBytes)) {
    yield { xml: modelsDocument(some, vocabBase), name: UNDATED };
  }
}

/** What the facts without any date are called. */
const UNDATED = 'rows';

/** The facts that were read and not yet given away, by the day or month of their documents. */
class HeldFacts {
  readonly #facts = new Map<string, Set<string>>();
  size = 0;

  add(key: string, fact: string): void {
    const held = this.#facts.get(key) ?? new Set();
    this.#facts.set(key, held);
    this.size -= held.size;
    held.add(fact);
    this.size += held.size;
  }

  /** Documents with all facts that are held, in an order that does not depend on that of the rows. */
  *take({ vocabBase, maxBytes }: CsvSettings, readings: ReadingsRule): Generator<IntakeItem> {
    for (const key of [...this.#facts.keys()].sort()) {
      for (const facts of inDocuments([...this.#facts.get(key)!].sort(), maxBytes)) {
        yield { xml: modelsDocument(facts, vocabBase), name: key, key, readings };
      }
    }
    this.#facts.clear();
    this.size = 0;
  }
}

/**
 * Makes a document of the facts of each day, or of each month, named by it. A file that comes later, or was made
 * earlier, adds to these documents what they lack.
 */
async function* byTime(
  facts: AsyncIterable<Taken>,
  leftOut: LeftOutRows,
  { each, isDated }: { readonly each: 'day' | 'month'; /** Whether rows need a day. */ readonly isDated: boolean },
  { settings, readings }: { readonly settings: CsvSettings; readonly readings: ReadingsRule },
): AsyncGenerator<IntakeItem> {
  const held = new HeldFacts();
  for await (const { fact, row } of facts) {
    if (row.day === undefined && isDated) {
      leftOut.add('it says no day', 'no-time');
      continue;
    }
    held.add((each === 'day' ? row.day : row.day?.slice(0, 7)) ?? UNDATED, fact);
    if (held.size >= FACTS_HELD && each === 'month') {
      yield* held.take(settings, readings);
    }
  }
  leftOut.refuseWrongDates(each);
  yield* held.take(settings, readings);
}

/**
 * The documents of a CSV. Rows with a cell that cannot be read are left out, and reported by their column.
 * @throws InvalidFile when it is not such a CSV
 */
export async function* csvIntake(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  settings: CsvSettings,
): AsyncGenerator<IntakeItem> {
  const { decimal, thousands } = columns;
  const zone = zoneFor(columns, settings.timeZone);
  const manner: Manner = { decimal, ...(thousands === undefined ? {} : { thousands }), zone };
  const leftOut = new LeftOutRows(columns.described !== undefined);
  const facts = takeFacts(chunks, columns, manner, leftOut);
  if (columns.described?.list) {
    yield* wholeList(facts, settings);
    yield* leftOut.items();
    return;
  }
  const readings = { byClock: columns.time_zone === OWN_ZONE };
  const each = columns.documents === 'day' ? 'day' : 'month';
  // In a table that a person has described, a row without a day is mostly one with sums or averages.
  const isDated = each === 'day' || columns.described !== undefined;
  yield* byTime(facts, leftOut, { each, isDated }, { settings, readings });
  yield* leftOut.items();
}
