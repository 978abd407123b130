/**
 * csv-tables: turns the records of a CSV into the rows of its tables. It finds the heads, decides to which of several
 * tables a row belongs, and copies what a row takes over from the row above.
 */
import { isAscii } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { tablesOf, waysOf, type CsvColumns, type CsvField, type CsvTable } from './csv-columns';
import { recordsAcross } from './across';
import { isDateCell, isDayAlone } from './date-forms';
import { readyField, type ReadyField, type Row } from './csv-cells';
import { decodeWindows, mayBeWestern } from '../../xml/mend';
import { joinHeadLines } from './head-lines';
import { InvalidFile } from './invalid-file';
import { headsBelow } from './other-heads';
import { wideEncoding } from './plain-cells';
import { sheetRecords } from './sheet';

const LONGEST_ROW = 1_000_000;
const HEADS_TOLD = 20;

/** A table whose heads have been found. */
export type OpenTable = Pick<CsvTable, 'model' | 'rows' | 'only'> & {
  readonly fields: readonly ReadyField[];
  /** The heads of the columns that nothing reads. */ readonly unread: readonly string[];
  /** Further facts of the same rows. */ readonly more: readonly Omit<OpenTable, 'more' | 'unread'>[];
};

/**
 * A row of a table, or one of which nobody knows what its cells are: below a name that the YAML does not have, or too
 * long.
 */
type TableRow =
  | { readonly table: OpenTable; readonly row: Row }
  | { readonly below: string }
  /** A row below the heads of another table in the same sheet. */
  | { readonly others: string }
  /** A record with more cells than there are heads. */
  | { readonly cells: number; readonly heads: number };

/**
 * Decodes the pieces of a file. If its first letters outside ASCII are none of UTF-8, they are what older spreadsheets
 * write: Windows-1252.
 */
class Letters {
  #decoder: TextDecoder | undefined;
  #isPlain = true;
  #isOlder = false;
  /** The bytes of a letter that has not ended. */ #held = Buffer.alloc(0);

  constructor(
    private readonly encoding: string,
    private readonly guessed: () => void,
  ) {}

  next(chunk: Buffer, isLast = false): string {
    if (this.#isOlder) {
      return decodeWindows(chunk);
    }
    this.#decoder ??= new TextDecoder(wideEncoding(chunk) ?? this.encoding, { fatal: true });
    const waiting = Buffer.concat([this.#held, chunk]);
    try {
      const text = this.#decoder.decode(chunk, { stream: !isLast });
      // Of a file with a byte order mark the text is shorter than the bytes.
      const rest = waiting.subarray(text.length);
      this.#isPlain &&=
        this.#decoder.encoding === 'utf-8' && isAscii(Buffer.from(text)) && rest.every((byte) => byte > 127);
      this.#held = this.#isPlain ? rest : this.#held;
      return text;
    } catch (error) {
      if (!this.#isPlain || !mayBeWestern(waiting)) {
        throw error;
      }
      this.#isOlder = true;
      this.guessed();
      return decodeWindows(waiting);
    }
  }
}

async function* decodedText(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  guessed: () => void,
): AsyncGenerator<string, undefined> {
  const letters = new Letters(encoding, guessed);
  try {
    for await (const chunk of chunks) {
      yield letters.next(chunk);
    }
    yield letters.next(Buffer.alloc(0), true);
  } catch (error) {
    throw error instanceof TypeError
      ? new InvalidFile(
          `it is not written in ${encoding}: save it as CSV in UTF-8 ("CSV UTF-8" in a spreadsheet)`,
          'encoding',
        )
      : error;
  }
  return undefined;
}

/** What has to be told of how a file was read. */
type Told = {
  /** Called when the file is not in its encoding and is read as Windows-1252. */ readonly guessed: () => void;
  /** Called with the names of the sheets of a workbook that are not read. */
  readonly passedOver: (names: readonly string[]) => void;
};

/** The sign between the cells; a spreadsheet with commas in its numbers saves the same table with another one. */
function signBetween(line: string, delimiter: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  const other = [';', '\t'].find((sign) => bare.includes(sign));
  return delimiter === ',' && !bare.includes(',') ? (other ?? delimiter) : delimiter;
}

/** Records may be shorter than the line with the heads; their last cells are missing then. */
async function* recordsOf(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  told: Told,
): AsyncGenerator<readonly string[]> {
  const { described } = columns;
  if (described?.across !== undefined) {
    const whole = { ...columns, described: { ...described, across: undefined } } as unknown as CsvColumns;
    yield* recordsAcross(recordsOf(chunks, whole, told), described.across, isDateCell);
    return;
  }
  if (described?.sheet) {
    yield* sheetRecords(chunks, described.sheetName, ({ names, chosen }) =>
      told.passedOver(names.filter((name) => name !== chosen)),
    );
    return;
  }
  const fromLine = 'tables' in columns ? 1 : (columns.head ?? 1);
  const texts = decodedText(chunks, columns.encoding, told.guessed);
  const { value: first } = await texts.next();
  const beginning = first ?? '';
  const line = beginning.split('\n')[fromLine - 1] ?? '';
  const delimiter = described ? columns.delimiter : signBetween(line, columns.delimiter);
  yield* csvRecords(followedBy(beginning, texts), delimiter, fromLine);
}

async function* followedBy(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** The records of a CSV, without empty lines. */
export function csvRecords(
  texts: AsyncIterable<string> | Iterable<string>,
  delimiter: string,
  fromLine = 1,
): AsyncIterable<readonly string[]> {
  const source = Readable.from(texts);
  const parser = parse({
    bom: true,
    delimiter,
    from_line: fromLine,
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    // A quotation mark inside of a cell is itself: felt "odd", 5'11".
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  source.on('error', (error) => parser.destroy(error));
  return source.pipe(parser) as AsyncIterable<readonly string[]>;
}

/** A head with a comma between brackets, such as "Carbs (g, net)", which its program did not quote, is one head. */
function withWholeBrackets(record: readonly string[]): readonly string[] {
  const heads: string[] = [];
  for (const text of record) {
    const last = heads.at(-1);
    if (last !== undefined && /\([^)]*$/.test(last) && /^[^(]*\)/.test(text)) {
      heads[heads.length - 1] = `${last}, ${text}`;
    } else {
      heads.push(text);
    }
  }
  return heads;
}

/** The heads of a described table: each has a name of its own, so that a column without a head can be named, too. */
export function uniqueHeads(record: readonly string[], headless: boolean): readonly string[] {
  const taken = new Set<string>();
  return withWholeBrackets(record).map((text, index) => {
    const head = headless || text === '' ? `Column ${index + 1}` : text.replace(/\s+/g, ' ').slice(0, 200);
    const own = taken.has(head) ? `${head} (${index + 1})` : head;
    taken.add(own);
    return own;
  });
}

/** Heads of several lines are joined; an empty cell of an upper line continues the cell to its left. */
function joinedHeads(lines: readonly (readonly string[])[]): readonly string[] {
  const filled = lines.map((line, index) => {
    let left = '';
    return index === lines.length - 1 ? line : line.map((head) => (left = head || left));
  });
  const width = Math.max(...lines.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) =>
    filled
      .map((line) => line[column] ?? '')
      .join(' ')
      .trim(),
  );
}

/** A head in another language has the name that the YAML uses, unless a column with this name is there as well. */
function inOneLanguage(found: readonly string[], { heads = {} }: CsvColumns): readonly string[] {
  return found.map((head) => {
    const [name = head] = Object.values(heads)
      .flatMap((language) => Object.entries(language))
      .flatMap(([one, translated]) => (translated === head ? [one] : []));
    return found.includes(name) ? head : name;
  });
}

/** What a person can do when the heads are in a language that is not read. */
function languageHint({ heads = {} }: CsvColumns): string {
  const languages = Object.keys(heads).filter((name) => !name.includes('('));
  return languages.length === 0
    ? ''
    : `. Besides the language of these columns, ${languages.join(' and ')} can be read: choose one of these ` +
        'languages where you have the file from, and download it once more';
}

function csvColumnNames({ column = [] }: CsvField): readonly string[] {
  return [column].flat();
}

/** All columns that a field reads, also those that the file may lack. */
function readBy(field: CsvField): readonly string[] {
  return [
    ...csvColumnNames(field),
    ...(field.any ?? []),
    ...(field.unitColumn === undefined ? [] : [field.unitColumn]),
  ];
}

function differentNames(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}

function headPlace(columns: CsvColumns, name: string): string {
  if (name !== '') {
    return `the table ${name}`;
  }
  const { head = 1 } = columns;
  return head === 1 ? 'its first line' : `its line ${head}`;
}

/** @throws InvalidFile when columns that the YAML names are missing or occur twice */
function checkHeads(heads: readonly string[], named: readonly string[], place: string, hint: string): void {
  const missing = named.filter((name) => !heads.includes(name));
  if (missing.length > 0) {
    const there = differentNames(heads.filter((head) => head !== '').slice(0, HEADS_TOLD)) || 'nothing';
    throw new InvalidFile(
      `${place} has no column ${differentNames(missing)}; it has ${there}. If the heads of the columns stand in another line, ` +
        'or the columns are called otherwise, columns.yaml of the format must say so' +
        hint,
      'columns',
    );
  }
  const twice = named.filter((name) => heads.indexOf(name) !== heads.lastIndexOf(name));
  if (twice.length > 0) {
    throw new InvalidFile(
      `${place} has several columns ${differentNames(twice)}, so that nobody knows which one counts: give them names of their own`,
      'columns',
    );
  }
}

type ChosenField = readonly [name: string, way: CsvField];

/** The first way to fill each field whose columns exist. Fields that the file may lack are passed over. */
function chooseWays({ fields }: CsvTable, isThere: (way: CsvField) => boolean): readonly ChosenField[] {
  return Object.entries(fields).flatMap(([name, ways]): readonly ChosenField[] => {
    const found = waysOf(ways).find(isThere);
    const isOptional = waysOf(ways).some(({ optional, any }) => optional === true || any !== undefined);
    return found === undefined && isOptional ? [] : [[name, found ?? waysOf(ways)[0]!]];
  });
}

function acceptedRows({ rows, only }: CsvTable): Pick<OpenTable, 'rows' | 'only'> {
  return { ...(rows === undefined ? {} : { rows }), ...(only === undefined ? {} : { only }) };
}

/** Fields of which the file has the columns. */
function openFields(table: CsvTable, isThere: (way: CsvField) => boolean): Omit<OpenTable, 'more' | 'unread'> {
  return {
    model: table.model,
    ...acceptedRows(table),
    fields: chooseWays(table, isThere).map(([name, way]) => readyField(name, way)),
  };
}

function openTable(columns: CsvColumns, name: string, table: CsvTable, heads: readonly string[]): OpenTable {
  const isThere = (way: CsvField): boolean =>
    way.any === undefined
      ? csvColumnNames(way).every((one) => heads.includes(one))
      : way.any.some((one) => heads.includes(one));
  const chosen = chooseWays(table, isThere);
  const more = (table.more ?? []).filter((one) => chooseWays(one, isThere).every(([, way]) => isThere(way)));
  const further = more.map((one) => openFields(one, isThere));
  const named = [
    ...chosen.flatMap(([, way]) => csvColumnNames(way)),
    ...further.flatMap(({ fields, rows }) => [
      ...fields.flatMap(({ field }) => csvColumnNames(field)),
      ...Object.keys(rows ?? {}),
    ]),
    ...Object.keys(table.rows ?? {}),
    ...(columns.above ?? []),
    ...(columns.zones ?? []).filter((name) => heads.includes(name)),
    ...(columns.continues === undefined ? [] : [columns.continues]),
  ];
  checkHeads(heads, named, headPlace(columns, name), languageHint(columns));
  const said = [...chosen.map(([, way]) => way), ...further.flatMap(({ fields }) => fields.map(({ field }) => field))];
  const known = new Set(['', ...named, ...said.flatMap(readBy), ...(columns.ignored ?? [])]);
  return {
    model: table.model,
    unread: [...new Set(heads)].filter((head) => !known.has(head)),
    ...acceptedRows(table),
    fields: chosen.map(([field, way]) => readyField(field, way)),
    more: further,
  };
}

function withAbove(row: Row, last: Row | undefined, { above = [], described }: CsvColumns): Row {
  const isBare = described?.time !== undefined && row[described.time] === '';
  return last === undefined || isBare
    ? row
    : {
        ...row,
        ...Object.fromEntries(above.map((name) => [name, row[name] === '' ? (last[name] ?? '') : row[name]!])),
      };
}

function joined(row: Row, more: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, `${text} ${more[name] ?? ''}`.trim()]));
}

/**
 * The cells by their heads; undefined if there are more of them, so that nobody knows which stands below which head. A
 * text below the last head may have signs in it that divide cells.
 */
function rowFrom(heads: readonly string[], record: readonly string[], delimiter: string): Row | undefined {
  const [last, ...further] = record.slice(Math.max(heads.length - 1, 0));
  if (further.some((text) => text !== '')) {
    const isText = /^(?=.*\p{L}{2})[^\d]/u.test(last ?? '');
    const whole = [last, ...further].join(`${delimiter} `);
    return isText ? rowFrom(heads, [...record.slice(0, heads.length - 1), whole], delimiter) : undefined;
  }
  return Object.fromEntries(heads.map((head, index) => [head, record[index] ?? '']));
}

function standsAlone(record: readonly string[]): boolean {
  return record[0] !== '' && record.slice(1).every((text) => text === '');
}

/** The current place in the file. */
class Place {
  #name: string | undefined;
  #lines: (readonly string[])[] = [];
  #heads: readonly string[] = [];
  #table: OpenTable | undefined;
  /** The row that the next record may continue. */ #row: Row | undefined;
  readonly #tables: ReadonlyMap<string, CsvTable>;
  #found = false;
  /** The heads of another table that began below the only one. */ #others: string | undefined;
  /** The last cell that stood alone in its line. */ #alone = '';
  /** How many records still stand above the heads of a described table. */ #above: number;

  constructor(readonly columns: CsvColumns) {
    this.#tables = tablesOf(columns);
    this.#name = 'tables' in columns ? undefined : '';
    this.#above = columns.described?.skip ?? 0;
  }

  /** @returns the rows that are now complete */
  take(record: readonly string[]): readonly TableRow[] {
    if (this.#above > 0) {
      this.#above -= 1;
      return [];
    }
    const name = this.#nameIn(record);
    if (name !== undefined) {
      const before = this.end();
      [this.#name, this.#lines, this.#heads, this.#table] = [name, [], [], undefined];
      this.#found ||= this.#tables.has(name);
      return before;
    }
    const table = this.#name === undefined ? undefined : this.#tables.get(this.#name);
    if (table === undefined) {
      return this.#name === undefined ? [] : [{ below: this.#name }];
    }
    if (this.#table === undefined) {
      this.#takeHead(record, this.#name!, table);
      if (!this.columns.described?.headless) {
        return [];
      }
    }
    if (this.#takeHeadsBelow(record)) {
      return this.end();
    }
    if (this.#others !== undefined) {
      return [{ others: this.#others }];
    }
    const { alone } = this.columns;
    // In a table of a person a word that stands alone is no day.
    if (alone !== undefined && (this.columns.described ? isDayAlone(record) : standsAlone(record))) {
      this.#alone = record[0]!;
      return this.end();
    }
    const heads = this.#heads.slice(0, this.#heads.length - this.#headAlone().length);
    const row = rowFrom(heads, record, this.columns.delimiter);
    if (row === undefined) {
      return [...this.end(), { cells: record.length, heads: heads.length }];
    }
    return this.#takeRow(alone === undefined ? row : { ...row, [alone]: this.#alone });
  }

  /** The name of a table is alone in its line. In a table of one column, only names in the YAML are table names. */
  #nameIn(record: readonly string[]): string | undefined {
    const [text = ''] = record;
    if (!('tables' in this.columns) || !standsAlone(record)) {
      return undefined;
    }
    const isInTable = this.#tables.has(this.#name ?? '') && this.#heads.length < 2;
    return this.#tables.has(text) || !isInTable ? text : undefined;
  }

  #takeHead(record: readonly string[], name: string, table: CsvTable): void {
    this.#lines.push(record);
    if (this.#lines.length === this.columns.head_lines) {
      const { described } = this.columns;
      const found = described
        ? uniqueHeads(joinHeadLines(this.#lines), described.headless)
        : inOneLanguage(joinedHeads(this.#lines), this.columns);
      this.#heads = [...found, ...this.#headAlone()];
      this.#table = openTable(this.columns, name, table, this.#heads);
    }
  }

  /** @returns whether the record has heads: those of the only table of the file once more, or of another one below it */
  #takeHeadsBelow(record: readonly string[]): boolean {
    const found = this.#name === '' ? headsBelow(record, this.#heads) : undefined;
    this.#others = { same: undefined, other: record.filter(Boolean).join(', '), row: this.#others }[found ?? 'row'];
    return found !== undefined;
  }

  #headAlone(): readonly string[] {
    return this.columns.alone === undefined ? [] : [this.columns.alone];
  }

  #takeRow(found: Row): readonly TableRow[] {
    const { continues } = this.columns;
    if (this.#row !== undefined && continues !== undefined && found[continues] === '') {
      this.#row = joined(this.#row, found);
      return [];
    }
    const row = withAbove(found, this.#row, this.columns);
    const before = this.end();
    this.#row = row;
    return before;
  }

  /** @returns the last row of a table */
  end(): readonly TableRow[] {
    const row = this.#row;
    this.#row = undefined;
    return row !== undefined && this.#table !== undefined ? [{ table: this.#table, row }] : [];
  }

  /** @throws InvalidFile when the file has none of the tables */
  checkFound(): void {
    if ('tables' in this.columns && !this.#found) {
      throw new InvalidFile(`it has no line that says only ${[...this.#tables.keys()].join(' or ')}, above a table`);
    }
  }
}

/**
 * @throws InvalidFile when it is not such a CSV
 */
export async function* tableRows(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  told: Told,
): AsyncGenerator<TableRow> {
  const place = new Place(columns);
  let rows = 0;
  try {
    for await (const record of recordsOf(chunks, columns, told)) {
      rows += 1;
      yield* place.take(record);
    }
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw typeof code === 'string' && /^(CSV|INVALID)_/.test(code)
      ? new InvalidFile(`it is no CSV after row ${rows}: a quotation mark stands where none may, or is never closed`)
      : error;
  }
  place.checkFound();
  yield* place.end();
}
