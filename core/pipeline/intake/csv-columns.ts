/** csv-columns: the types of the YAML file next to a document.yaml that says what the columns of a CSV are. */

/** The factor by which a number is multiplied, and the number that is added afterwards. */
export type Conversion = { readonly times?: number; readonly plus?: number };

export type Range = { readonly from: number; readonly to: number };

/** A unit behind a number: its conversion, or the unit in which the number stays, with what is possible in it. */
export type WrittenUnit = Conversion & { readonly unit?: string; readonly possible?: Range };

export type CsvField = Conversion & {
  /** Heads of columns; the cells of several, such as a date and a time, are joined by a space. */
  readonly column?: string | readonly string[];
  /**
   * Heads of columns, of which a file may have any, for a text such as a note: what each says is joined, each with the
   * name of its column, unless the cell says the same.
   */
  readonly any?: readonly string[];
  /** Texts that stand for nothing, such as a dash, or a zero where nothing was measured. */
  readonly none?: readonly string[];
  /** True if the file may lack the columns: then nothing is said in the field. */
  readonly optional?: boolean;
  /** A text for every row, instead of a column. */
  readonly text?: string;
  /**
   * The sign at which the cell is split, as in `120/80`; `part` is the number of the part that is read, counted from 1.
   */
  readonly split?: string;
  readonly part?: number;
  /** Unit of the model (UCUM), for a field `value` or `..._value`: it is written to the accompanying field `unit`. */
  readonly unit?: string;
  /** Units that may follow the number, with their conversions; `times` and `plus` are for a bare number. */
  readonly units?: Readonly<Record<string, number | WrittenUnit>>;
  /** A number without a unit behind it is none: other rows have different ones. */ readonly needsUnit?: true;
  /** Bare numbers of this range are in another unit, which is converted so. */ readonly between?: Range & Conversion;
  /**
   * The smallest and the largest value, in `unit`, that a living person can have, where the words of the model do not say
   * it. Rows with other values are left out.
   */
  readonly possible?: Range;
  /**
   * Head of the column with the unit of the number. A number behind `<` or before a unit is read, too, if `inWords` names
   * the text field for a cell that is no number.
   */
  readonly unitColumn?: string;
  readonly inWords?: string;
  /** The text field in which a cell that is no date is kept, behind the name of its column. */ readonly elseIn?: string;
  /** Codes for words, folded; other words have none. */ readonly codes?: Readonly<Record<string, string>>;
  /** A row says nothing by it alone. */ readonly aside?: true;
  /** A row without it says nothing. */ readonly needed?: true;
  /** At most so many characters of a text are kept. */ readonly most?: number;
  /** The same from the words of the model. Other values are kept and told, unless they are in another unit. */
  readonly likely?: Range & { readonly atMost?: string };
  /** Words instead of a number: the measurement was below or above the range of the device. */
  readonly beyond?: Readonly<Partial<Record<'below' | 'above', readonly string[]>>>;
  /**
   * How a date is written: YYYY, MM, DD, HH, mm, ss, hh with A (AM or PM), M, D, H and h without a leading zero, MMM
   * for Jan to Dec, Z for Z or an offset, SPAN for hours from and to, of which the day is read, MIDNIGHT for 00:00 that
   * stands for a day; UNIX, UNIXMS, EXCEL and EXCEL1904 count seconds, thousandths of them, and days. A form that ends with `@2025` has no year: it is that one. Of several forms, the first that fits is used.
   */
  readonly date?: string | readonly string[];
  /** The values for words in the file; other words are left out. */
  readonly words?: Readonly<Record<string, string>>;
  /**
   * Further fields of the model that are set together with this one, with their texts, such as the code of the
   * measurement.
   */
  readonly also?: Readonly<Record<string, string>>;
};

/** Rows that become facts of one model. */
export type CsvTable = {
  readonly model: string;
  /** Heads of columns -> the texts that accepted rows have there; without it, all rows are accepted. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  /** Accepts only rows that name something, or only those that say that there is none. */
  readonly only?: { readonly column: string; readonly says: 'some' | 'none' };
  /** Of several ways to fill a field, the first whose columns exist is used. */
  readonly fields: Readonly<Record<string, CsvField | readonly CsvField[]>>;
  /** Further facts of the same rows. One whose columns the file lacks is passed over. */
  readonly more?: readonly Omit<CsvTable, 'more'>[];
};

/** In a described table: the cell is a blood pressure, with the heart rate as its third part. */
export const PRESSURE_SIGN = 'pressure';

/** The time zone is that of the person who brings the file. */
export const OWN_ZONE = 'person';

/**
 * A table that a person has described at a page: its heads are made unique, and the order of its dates was asked about.
 */
type Described = {
  /** How many records stand above its heads. */ readonly skip: number;
  /** True for a table without heads. */ readonly headless: boolean;
  /** True for a workbook (XLSX). */ readonly sheet: boolean;
  /** The name of its sheet that is read, if several have tables. */ readonly sheetName?: string;
  /** True for a list of statements, such as medicines: it is one document, and its rows need no day. */
  readonly list?: true;
  /** How many records stand above the heads, if these are dates, with a value of each row below each. */
  readonly across?: number;
  /** The column of the time of day: a row that has a time without a date is of the day above it. */
  readonly time?: string;
};

type Layout = {
  readonly delimiter: string;
  /** The sign before the fraction of a number, or both where it depends on the language. */
  readonly decimal: '.' | ',' | readonly ('.' | ',')[];
  /** The sign between the thousands of a number. */
  readonly thousands?: string;
  /** Number of the line with the heads of the columns, 1 if not given; earlier lines are skipped. */
  readonly head?: number;
  /** How many lines the heads have. */
  readonly head_lines: number;
  /** Language of another export -> head of a column -> the head in that language. */
  readonly heads?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Columns that say nothing about the person. Any other column that is not read is reported. */
  readonly ignored?: readonly string[];
  /** Heads of columns in which an empty cell repeats the cell above. */
  readonly above?: readonly string[];
  /**
   * Head of a column that the file does not have: a line with one cell only, such as a date, is what all rows below it
   * say there.
   */
  readonly alone?: string;
  /** Head of a column: a row that is empty there continues the row above. */
  readonly continues?: string;
  readonly encoding: string;
  /** OWN_ZONE or an IANA name: the time zone of the times in the file. */
  readonly time_zone: string;
  /**
   * Heads of columns, of which a file may have one, that say for each row the time zone of the clock, such as
   * `America/New_York` or `+02:00`. Where the times are in UTC, the clock that is shown is that of this zone.
   */
  readonly zones?: readonly string[];
  /** For a table that a person has described, and no YAML. */ readonly described?: Described;
  /** With `day`, all facts of a day form one document, which a later file renews. */
  readonly documents: 'rows' | 'day';
};

/** One table, or several, each below a line that holds only its name. */
export type CsvColumns = Layout & (CsvTable | { readonly tables: Readonly<Record<string, CsvTable>> });

export function waysOf(field: CsvField | readonly CsvField[]): readonly CsvField[] {
  return [field].flat();
}

export function formsOf({ date = [] }: CsvField): readonly string[] {
  return [date].flat();
}

/** Name -> table; the only table of a file has no name. */
export function tablesOf(columns: CsvColumns): ReadonlyMap<string, CsvTable> {
  return new Map('tables' in columns ? Object.entries(columns.tables) : [['', columns]]);
}

/** Whether the times of the readings depend on the time zone of the person who brings the file. */
export function needsZone(columns: CsvColumns): boolean {
  return (
    columns.time_zone === OWN_ZONE &&
    [...tablesOf(columns).values()]
      .flatMap((table) => [table, ...(table.more ?? [])])
      .some(({ fields }) =>
        Object.values(fields)
          .flatMap(waysOf)
          .some((field) => formsOf(field).some((form) => /[Hh]|EXCEL/.test(form) && !form.includes('Z'))),
      )
  );
}

/** The field that holds the unit of the field `name`. */
export function unitFieldOf(name: string): string {
  return name.replace(/value$/, 'unit');
}
