/** fact-dialect: the SQL of fact tables and reports that differs between SQLite and MySQL, by name. */
import type { Reads } from '../db/connection';
import type { ColumnType, Dialect } from '../db/dialect';
import type { ColumnKind, Increment, PlannedIndex } from './plans';

/** A column as the database has it; `length` in characters, for strings with a limit. */
export type ActualColumn = { readonly name: string; readonly type: string; readonly length: number | null };

type FactDialect = {
  readonly factTables: (on: Reads) => Promise<readonly string[]>;
  readonly actualColumns: (on: Reads, table: string) => Promise<readonly ActualColumn[]>;
  readonly actualIndexes: (on: Reads, table: string) => Promise<readonly PlannedIndex[]>;
  /**
   * Whether an index with a descending and an ascending column makes reading in that order faster. Some servers treat
   * it as an ascending index.
   */
  readonly descends: boolean;
  /**
   * Names under which fact tables, unlike other tables, declare some types, so that the columns show what they hold.
   */
  readonly typeNames: Partial<Readonly<Record<ColumnType, string>>>;
  /** SQL that changes the type of a column; undefined where the declared type has no effect. */
  readonly widen: ((table: string, column: string, type: string) => string) | undefined;
  /** SQL for one value of the JSON text in `column`, as a value of this kind. */
  readonly unpack: (column: string, name: string, kind: ColumnKind) => string;
  /** Text of the period that a date lies in, in UTC; `date` is SQL for `YYYY-MM-DD` with or without a time. */
  readonly period: (date: string, increment: Increment) => string;
  /** A time `YYYY-MM-DDTHH:MM:SS`, `seconds` later, in the same form; null where the calendar ends. */
  readonly plusSeconds: (time: string, seconds: string) => string;
  /** SQL for a floating point number with every digit, because mysql2 rounds what it reads as a number. */
  readonly everyDigit: (number: string) => string;
  /** SQL for the sum of floating point numbers, each smaller than one, without rounding errors in between. */
  readonly sumOf: (number: string) => string;
  /** A floating point number with `SUM_DIGITS` digits, to sort by. */
  readonly rounded: (number: string) => string;
};

/** Digits of a sum that do not depend on the way in which a database adds. */
export const SUM_DIGITS = 15;

/** Stored dates are text with the year first, so most periods are a part of this text. */
function pieceOf(date: string, increment: Increment, join: (...parts: string[]) => string): string | undefined {
  switch (increment) {
    case 'year':
      return `substr(${date}, 1, 4)`;
    case 'month':
      return `substr(${date}, 1, 7)`;
    case 'day':
      return `substr(${date}, 1, 10)`;
    case 'hour':
      return join(`substr(${date}, 1, 10)`, "'-'", hourOf(date));
    case 'monthofyear':
      return `substr(${date}, 6, 2)`;
    case 'hourofday':
      return hourOf(date);
    default:
      return undefined;
  }
}

/** The hour of a date. A day without a time is in its first hour. */
function hourOf(date: string): string {
  return `case when length(${date}) > 10 then substr(${date}, 12, 2) when ${date} is not null then '00' end`;
}

type IndexedColumn = { readonly name: string; readonly column: string; readonly uniq: number };

/** Makes indexes from rows that each name one column of an index, in the order of the columns. */
function indexesFrom(rows: readonly IndexedColumn[]): readonly PlannedIndex[] {
  return [...new Set(rows.map(({ name }) => name))].map((name) => {
    const own = rows.filter((row) => row.name === name);
    return { name, columns: own.map(({ column }) => column), unique: Number(own[0]?.uniq) === 1 };
  });
}

const sqlite: FactDialect = {
  factTables: async (on) =>
    (
      await on.rows<{ name: string }>(
        "select name from sqlite_master where type = 'table' and substr(name, 1, 5) = 'fact_' order by name",
        [],
      )
    ).map(({ name }) => name),
  actualColumns: async (on, table) =>
    (await on.rows<{ name: string; type: string }>('select name, type from pragma_table_info(?)', [table])).map(
      ({ name, type }) => {
        const [, plain = '', length] = /^(\w*)(?:\((\d+)\))?/.exec(type.toLowerCase()) ?? [];
        return { name, type: plain, length: length === undefined ? null : Number(length) };
      },
    ),
  actualIndexes: async (on, table) =>
    indexesFrom(
      await on.rows<IndexedColumn>(
        'select i.name, c.name as "column", i."unique" as uniq from pragma_index_list(?) i join ' +
          'pragma_index_info(i.name) c order by i.seq, c.seqno',
        [table],
      ),
    ),
  // SQLite reads the ascending index backwards and only sorts rows that are equal in it.
  descends: false,
  // SQLite accepts any name as a type, and keeps it.
  typeNames: { stamp: 'varchar(27)', date: 'varchar(10)', flag: 'tinyint', int: 'bigint' },
  widen: undefined,
  unpack: (column, name) => `json_extract(${column}, '$.${name}')`,
  period: (date, increment) => {
    const week = `substr('0' || ((strftime('%j', substr(${date}, 1, 10)) - 1) / 7 + 1), -2)`;
    const piece = pieceOf(date, increment, (...parts) => parts.map((part) => `(${part})`).join(' || '));
    if (piece !== undefined) {
      return piece;
    }
    if (increment === 'dayofweek') {
      return `cast(strftime('%w', substr(${date}, 1, 10)) + 1 as text)`;
    }
    return increment === 'week' ? `substr(${date}, 1, 4) || '-' || ${week}` : week;
  },
  plusSeconds: (time, seconds) => `strftime('%Y-%m-%dT%H:%M:%S', ${time}, (${seconds}) || ' seconds')`,
  everyDigit: (number) => number,
  // SQLite's own sum compensates for rounding errors.
  sumOf: (number) => `sum(${number})`,
  // Without the condition null would be printed as zero.
  rounded: (number) =>
    `case when ${number} is not null then cast(printf('%.${SUM_DIGITS - 1}e', ${number}) as real) end`,
};

function json(column: string, name: string): string {
  return `json_unquote(json_extract(${column}, '$.${name}'))`;
}
function isNumber(kind: ColumnKind): boolean {
  return kind === 'number' || kind === 'integer' || kind === 'boolean';
}

/**
 * Between one and two, floating point numbers are 2^-52 apart. Adding and subtracting 1.5 therefore removes all digits
 * below.
 */
function firstDigits(number: string): string {
  return `((${number} + 1.5e0) - 1.5e0)`;
}

/** MariaDB 10.8 and MySQL 8.0 are the first that keep an index in descending order. */
function descends(version: string): boolean {
  const [, name, major, minor] = /^(MariaDB|MySQL) (\d+)\.(\d+)/.exec(version) ?? [];
  return name === 'MariaDB' ? Number(major) * 100 + Number(minor) >= 1008 : Number(major) >= 8;
}

/** @param collation of the tables; text from JSON has another one, which treats some different texts as equal */
function mysql(version: string, collation: string): FactDialect {
  return {
    factTables: async (on) =>
      (
        await on.rows<{ name: string }>(
          "select table_name as name from information_schema.tables where table_schema = database() and left(table_name, 5) = 'fact_' order by table_name",
          [],
        )
      ).map(({ name }) => name),
    actualColumns: async (on, table) =>
      (
        await on.rows<{ name: string; type: string; length: number | string | null }>(
          'select column_name as name, data_type as type, character_maximum_length as length from ' +
            'information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position',
          [table],
        )
      ).map(({ name, type, length }) => ({
        name,
        type: type.toLowerCase(),
        length: length === null ? null : Number(length),
      })),
    actualIndexes: async (on, table) =>
      indexesFrom(
        await on.rows<IndexedColumn>(
          "select index_name as name, if(collation = 'D', concat(column_name, ' desc'), column_name) as `column`, 1 - non_unique as uniq from information_schema.statistics where table_schema = database() and table_name = ? order by index_name, seq_in_index",
          [table],
        ),
      ),
    descends: descends(version),
    typeNames: {},
    widen: (table, column, type) => `alter table \`${table}\` modify column \`${column}\` ${type}`,
    unpack: (column, name, kind) =>
      isNumber(kind) ? `(${json(column, name)} + 0e0)` : `(${json(column, name)} collate ${collation})`,
    period: (date, increment) => {
      const week = `lpad(floor((dayofyear(substr(${date}, 1, 10)) - 1) / 7) + 1, 2, '0')`;
      const piece = pieceOf(date, increment, (...parts) => `concat(${parts.join(', ')})`);
      if (piece !== undefined) {
        return piece;
      }
      if (increment === 'dayofweek') {
        return `cast(dayofweek(substr(${date}, 1, 10)) as char)`;
      }
      return increment === 'week' ? `concat(substr(${date}, 1, 4), '-', ${week})` : week;
    },
    plusSeconds: (time, seconds) =>
      `date_format(date_add(cast(replace(${time}, 'T', ' ') as datetime), interval (${seconds}) second), '%Y-%m-%dT%H:%i:%s')`,
    // Without a length MariaDB uses 22 characters in temporary tables, which cuts off an exponent.
    everyDigit: (number) => `cast(${number} as char(40))`,
    // The first digits and the rest are summed separately. The first digits are added without rounding as long as their
    // sum is smaller than two.
    sumOf: (number) => `(sum(${firstDigits(number)}) + sum(${number} - ${firstDigits(number)}))`,
    // Zero has no logarithm, so it stays as it is.
    rounded: (number) => `coalesce(round(${number}, ${SUM_DIGITS - 1} - floor(log10(abs(${number})))), ${number})`,
  };
}

const made = new Map<string, FactDialect>();

export function factDialect({ name, version, tableSuffix }: Dialect): FactDialect {
  if (name === 'sqlite') {
    return sqlite;
  }
  const found = made.get(version) ?? mysql(version, /collate (\w+)/.exec(tableSuffix)?.[1] ?? 'utf8mb4_bin');
  made.set(version, found);
  return found;
}
