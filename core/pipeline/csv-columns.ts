/** csv-columns: what the columns of a CSV are, as the YAML beside a document.yaml says it. */

/** What a number is multiplied by, and what is added then. */
export type Conversion = { readonly times?: number; readonly plus?: number };

export type CsvField = Conversion & {
  /** Heads of columns; several are joined by a space, such as a date and a time. */
  readonly column?: string | readonly string[];
  /** A text that stands in every row, in place of a column. */
  readonly text?: string;
  /** The cell is cut at this sign, and the part with this number counts, from 1: `120/80`. */
  readonly split?: string;
  readonly part?: number;
  /** Unit of the model (UCUM), for a field `value` or `..._value`: it is written to the field `unit` beside it. */
  readonly unit?: string;
  /** Units that may stand behind the number -> how it is converted; `times` and `plus` are for a bare number. */
  readonly units?: Readonly<Record<string, number | Conversion>>;
  /** Words in place of a number: what was measured is below or above what the device can measure. */
  readonly beyond?: Readonly<Partial<Record<'below' | 'above', readonly string[]>>>;
  /**
   * How a date is written: YYYY, MM, DD, HH, mm, ss, hh with A (AM or PM), M, D, H and h without a leading zero, MMM for
   * Jan to Dec, Z for Z or an offset. Of several forms the first that fits counts.
   */
  readonly date?: string | readonly string[];
  /** What words in the file become; others are left out. */
  readonly words?: Readonly<Record<string, string>>;
  /** Further fields of the model, with texts, that go with this one: the code of what was measured. */
  readonly also?: Readonly<Record<string, string>>;
};

/** Rows that become facts of one model. */
export type CsvTable = {
  readonly model: string;
  /** Heads of columns -> the texts of rows that are taken; without it, all rows are. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  /** Of several ways to fill a field, the first whose columns are there counts. */
  readonly fields: Readonly<Record<string, CsvField | readonly CsvField[]>>;
};

/** Times are those of clocks where the person is who brings the file. */
export const OWN_ZONE = 'person';

type Layout = {
  readonly delimiter: string;
  /** The sign before the fraction of a number. */
  readonly decimal: '.' | ',';
  /** The sign between the thousands of a number. */
  readonly thousands?: string;
  /** Number of the line with the heads of the columns, 1 if not given; those before it are passed over. */
  readonly head?: number;
  /** How many lines the heads have. */
  readonly head_lines: number;
  /** Heads of columns in which an empty cell says what the one above says. */
  readonly above?: readonly string[];
  /** Head of a column: a row that is empty there goes on with what the row above says. */
  readonly continues?: string;
  readonly encoding: string;
  /** OWN_ZONE or an IANA name; times in the file are those of clocks there. */
  readonly time_zone: string;
  /** `day`: all facts of a day are one document, which a later file renews. */
  readonly documents: 'rows' | 'day';
};

/** One table, or several, each below a line that has only its name. */
export type CsvColumns = Layout & (CsvTable | { readonly tables: Readonly<Record<string, CsvTable>> });

export const waysOf = (field: CsvField | readonly CsvField[]): readonly CsvField[] => [field].flat();

export const formsOf = ({ date = [] }: CsvField): readonly string[] => [date].flat();

/** Name -> table; the only table of a file has no name. */
export const tablesOf = (columns: CsvColumns): ReadonlyMap<string, CsvTable> =>
  new Map('tables' in columns ? Object.entries(columns.tables) : [['', columns]]);

/** Whether it depends on the person who brings the file when its readings were taken. */
export const needsZone = (columns: CsvColumns): boolean =>
  columns.time_zone === OWN_ZONE &&
  [...tablesOf(columns).values()].some(({ fields }) =>
    Object.values(fields)
      .flatMap(waysOf)
      .some((field) => formsOf(field).some((form) => /[Hh]/.test(form) && !form.includes('Z'))),
  );

/** The field that says in what unit `name` is. */
export const unitFieldOf = (name: string): string => name.replace(/value$/, 'unit');
