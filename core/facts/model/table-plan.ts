/**
 * table-plan: plans the fact table of a model as pure data: columns, indexes, and what to do when it is too wide for a
 * row.
 */
import { sha256 } from '../../base/ids';
import type { ColumnType } from '../../db/dialect';
import { isDate, type PlannedColumn, type PlannedIndex, type TablePlan } from '../plans';
import type { Column, ColumnKind, Model } from './model';

// A row of MySQL holds 65,535 bytes, four for each character of a string column. Some are reserved for the base
// columns.
const ROW_BYTES = 62_000;
// This part of them is reserved for columns without an index, which become narrower when there are many.
const UNINDEXED_BYTES = 12_600;
// InnoDB keeps 8,126 bytes of a row in one page, some of them for the base columns. When it moves a text elsewhere, at
// least 40 bytes stay in the page.
const PLACE_BYTES = 7_655;
const LONGEST_IN_PLACE = 41;
const MOST_COLUMNS = 1000;
// A table of MySQL can have 64 indexes, of which the base columns need seven.
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

// Strings longer than this are no longer cheaper inside the row.
const LONGEST_VARCHAR = 4000;

function typeOfColumn({ kind, max }: Column): ColumnType {
  if (kind !== 'string' || max === undefined) {
    return types[kind];
  }
  return max > LONGEST_VARCHAR ? 'long' : `text:${max}`;
}

const BYTES: Readonly<Record<string, number>> = { long: 12, stamp: 110 };

function bytesOfColumn(type: ColumnType): number {
  return type.startsWith('text:') ? Number(type.slice(5)) * 4 + 2 : (BYTES[type] ?? 42);
}

/** The bytes that a value may take in the row's page. */
const PLACES: Readonly<Partial<Record<ColumnKind, number>>> = { number: 8, integer: 8, boolean: 1 };

function rankColumn({ kind }: Column): number {
  return PLACES[kind] ?? LONGEST_IN_PLACE;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function narrow(column: Column): ColumnType {
  return column.kind === 'string' && !column.index ? 'long' : typeOfColumn(column);
}

/** Why a model cannot have a table; undefined when it can. */
export function widthProblem(columns: readonly Column[]): string | undefined {
  const indexed = columns.filter(({ index }) => index);
  if (columns.length > MOST_COLUMNS) {
    return `the model has ${columns.length} columns: ${MOST_COLUMNS} is the most`;
  }
  if (indexed.length > MOST_INDEXES) {
    return `the model has ${indexed.length} columns with an index: ${MOST_INDEXES} is the most`;
  }
  return sum(indexed.map((column) => bytesOfColumn(typeOfColumn(column)))) > ROW_BYTES - UNINDEXED_BYTES
    ? 'the columns with an index are too long together: take the index off some, or give them a smaller max'
    : undefined;
}

function planColumns(columns: readonly Column[]): readonly PlannedColumn[] {
  const packs = sum(columns.map(rankColumn)) > PLACE_BYTES;
  const wide = sum(columns.map((column) => bytesOfColumn(typeOfColumn(column)))) > ROW_BYTES;
  return columns.map((column) => ({
    name: column.name,
    kind: column.kind,
    type: wide ? narrow(column) : typeOfColumn(column),
    packed: packs && !column.index,
    ...(column.statement && { statement: column.statement }),
  }));
}

/**
 * An index name that fits both databases and differs from every other name. On SQLite, tables and indexes share their
 * names. No table has a $ in its name, because no model has one. Databases of earlier releases have indexes without it.
 */
function indexName(table: string, suffix: string): string {
  const name = `${table}$${suffix}`;
  return name.length <= LONGEST_SQL_NAME ? name : `${name.slice(0, LONGEST_SQL_NAME - 9)}$${sha256(name).slice(0, 8)}`;
}

/**
 * The column whose date places facts of a model in a person's history: the one that its words name, or else its first
 * date; undefined without one.
 */
export function dateColumn({ columns, words }: Pick<Model, 'columns' | 'words'>): string | undefined {
  const dates = columns.filter(isDate);
  return (dates.find(({ name }) => name === words?.date) ?? dates[0])?.name;
}

function planIndexes(model: Model, planned: readonly PlannedColumn[]): readonly PlannedIndex[] {
  const { table, columns, parent } = model;
  // The timeline of a record reads the newest facts first. A packed column has no index.
  const date = parent ? undefined : planned.find(({ name, packed }) => name === dateColumn(model) && !packed)?.name;
  const index = (suffix: string, on: readonly string[], unique = false): PlannedIndex => ({
    name: indexName(table, suffix),
    columns: on,
    unique,
  });
  return [
    index('id', ['_id'], true),
    index('record', ['_record_id', '_created_at', '_seq']),
    // The default order of a report: the newest document first, its facts in their own order. MariaDB reads it from an
    // index only if a column of it descends; without one it sorted 100,000 rows for a page of a hundred.
    index('newest', ['_record_id', '_created_at desc', '_seq']),
    index('document', ['_document_id']),
    index('statement', ['_record_id', '_statement']),
    // A one-to-one field holds at most one fact, which the index enforces.
    ...(parent ? [index(parent.many ? 'parent' : 'only_parent', ['_parent_id'], !parent.many)] : []),
    ...columns
      .filter((column) => column.index || column.name === date)
      .map(({ name }) => index(`by_${name.toLowerCase()}`, ['_record_id', name])),
  ];
}

export function tablePlan(model: Model): TablePlan {
  const columns = planColumns(model.columns);
  return {
    model: model.name,
    table: model.table,
    columns,
    relations: model.relations,
    indexes: planIndexes(model, columns),
  };
}
