/**
 * table-plan: a model -> its fact table as pure data: columns, indexes, and what to do when it is too wide for a row.
 */
import { sha256 } from '../base/ids';
import type { ColumnType } from '../storage/dialect';
import { isDate, type PlannedColumn, type PlannedIndex, type TablePlan } from '../storage/plans';
import type { Column, ColumnKind, Model } from './model';

// A row of MySQL holds 65,535 bytes, four for each character of a string column; some are left for the base columns.
const ROW_BYTES = 62_000;
// This part of them is kept for columns without an index, which are narrower when there are many.
const UNINDEXED_BYTES = 12_600;
// InnoDB keeps 8,126 bytes of a row in one place, some of them for the base columns; of a text it takes 40 bytes out at
// the least.
const PLACE_BYTES = 7_700;
const LONGEST_IN_PLACE = 41;
const MOST_COLUMNS = 1000;
// A table of MySQL has 64 indexes, the base columns need seven.
const MOST_INDEXES = 50;
const LONGEST_SQL_NAME = 60;

const types: Readonly<Record<ColumnKind, ColumnType>> = {
  string: 'text:255',
  text: 'long',
  number: 'double',
  integer: 'int',
  boolean: 'flag',
  datetime: 'stamp',
  date: 'date',
};

// Longer strings than these are no longer cheaper inside the row.
const LONGEST_VARCHAR = 4000;

const typeOf = ({ kind, max }: Column): ColumnType => {
  if (kind !== 'string' || max === undefined) {
    return types[kind];
  }
  return max > LONGEST_VARCHAR ? 'long' : `text:${max}`;
};

const BYTES: Readonly<Record<string, number>> = { long: 12, stamp: 110 };

const bytesOf = (type: ColumnType): number =>
  type.startsWith('text:') ? Number(type.slice(5)) * 4 + 2 : (BYTES[type] ?? 42);

/** How much of a row's one place a value may take. */
const PLACES: Readonly<Partial<Record<ColumnKind, number>>> = { number: 8, integer: 8, boolean: 1 };

const placeOf = ({ kind }: Column): number => PLACES[kind] ?? LONGEST_IN_PLACE;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const narrow = (column: Column): ColumnType => (column.kind === 'string' && !column.index ? 'long' : typeOf(column));

/** Why a model cannot have a table; undefined when it can. */
export const widthProblem = (columns: readonly Column[]): string | undefined => {
  const indexed = columns.filter(({ index }) => index);
  if (columns.length > MOST_COLUMNS) {
    return `the model has ${columns.length} columns: ${MOST_COLUMNS} is the most`;
  }
  if (indexed.length > MOST_INDEXES) {
    return `the model has ${indexed.length} columns with an index: ${MOST_INDEXES} is the most`;
  }
  return sum(indexed.map((column) => bytesOf(typeOf(column)))) > ROW_BYTES - UNINDEXED_BYTES
    ? 'the columns with an index are too long together: take the index off some, or give them a smaller max'
    : undefined;
};

const planColumns = (columns: readonly Column[]): readonly PlannedColumn[] => {
  const packs = sum(columns.map(placeOf)) > PLACE_BYTES;
  const wide = sum(columns.map((column) => bytesOf(typeOf(column)))) > ROW_BYTES;
  return columns.map((column) => ({
    name: column.name,
    kind: column.kind,
    type: wide ? narrow(column) : typeOf(column),
    packed: packs && !column.index,
    ...(column.statement && { statement: column.statement }),
  }));
};

/**
 * A name that fits both databases and differs from every other one. Tables and indexes share their names on SQLite: no
 * table has a $ in its own, because no model has. Databases of earlier releases have indexes without it.
 */
const indexName = (table: string, suffix: string): string => {
  const name = `${table}$${suffix}`;
  return name.length <= LONGEST_SQL_NAME ? name : `${name.slice(0, LONGEST_SQL_NAME - 9)}$${sha256(name).slice(0, 8)}`;
};

/**
 * The column by whose date facts of a model stand in a person's history: as its words say, else its first date;
 * undefined without one.
 */
export const dateColumn = ({ columns, words }: Pick<Model, 'columns' | 'words'>): string | undefined => {
  const dates = columns.filter(isDate);
  return (dates.find(({ name }) => name === words?.date) ?? dates[0])?.name;
};

const planIndexes = (model: Model, planned: readonly PlannedColumn[]): readonly PlannedIndex[] => {
  const { table, columns, parent } = model;
  // The timeline of a record reads the newest facts first. A column that is packed has no index.
  const date = parent ? undefined : planned.find(({ name, packed }) => name === dateColumn(model) && !packed)?.name;
  const index = (suffix: string, on: readonly string[], unique = false): PlannedIndex => ({
    name: indexName(table, suffix),
    columns: on,
    unique,
  });
  return [
    index('id', ['_id'], true),
    index('record', ['_record_id', '_created_at', '_seq']),
    // The order of a report that asks for none: the newest document first, its facts in their own order.
    index('newest', ['_record_id', '_created_at desc', '_seq']),
    index('document', ['_document_id']),
    index('statement', ['_record_id', '_statement']),
    // A one-to-one field holds one fact at most: the index keeps it so.
    ...(parent ? [index(parent.many ? 'parent' : 'only_parent', ['_parent_id'], !parent.many)] : []),
    ...columns
      .filter((column) => column.index || column.name === date)
      .map(({ name }) => index(`by_${name.toLowerCase()}`, ['_record_id', name])),
  ];
};

export const tablePlan = (model: Model): TablePlan => {
  const columns = planColumns(model.columns);
  return {
    model: model.name,
    table: model.table,
    columns,
    relations: model.relations,
    indexes: planIndexes(model, columns),
  };
};
