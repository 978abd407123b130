/**
 * insert-rows: inserts rows into one table, in their order. The statement is joined as text, because knex takes five
 * times as long to build it.
 */
import type { Transaction, Value } from './connection';
import { inParts, VALUES_IN_STATEMENT } from './in-parts';

function insertTextOf(table: string, columns: readonly string[], verb: string): string {
  return `${verb} \`${table}\` (${columns.map((column) => `\`${column}\``).join(',')}) values `;
}

/** Inserts rows whose values have the order of the columns; see `insertRows`. */
export async function insertValues(
  trx: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  verb = 'insert into',
): Promise<number> {
  const start = insertTextOf(table, columns, verb);
  const perStatement = Math.max(1, Math.floor(VALUES_IN_STATEMENT / columns.length));
  let inserted = 0;
  for (const part of inParts(rows, perStatement)) {
    inserted += await trx.insert(start, part);
  }
  return inserted;
}

/**
 * Inserts rows in their order and answers how many. Missing values are null.
 * @param verb the dialect's `insertIgnore` to skip rows that break a unique index
 */
export function insertRows<C extends string>(
  trx: Transaction,
  table: string,
  columns: readonly C[],
  rows: readonly Readonly<Partial<Record<C, Value | undefined>>>[],
  verb?: string,
): Promise<number> {
  return insertValues(
    trx,
    table,
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    verb,
  );
}

/** Inserts one row and answers the number that the database gave it. */
export function insertNumberedRow<C extends string>(
  trx: Transaction,
  table: string,
  columns: readonly C[],
  row: Readonly<Partial<Record<C, Value | undefined>>>,
): Promise<number> {
  return trx.insertNumbered(
    insertTextOf(table, columns, 'insert into'),
    columns.map((column) => row[column] ?? null),
  );
}

/** Inserts one row; see `insertRows`. */
export function insertRow<C extends string>(
  trx: Transaction,
  table: string,
  row: Readonly<Record<C, Value>>,
  verb?: string,
): Promise<number> {
  return insertRows(trx, table, Object.keys(row) as C[], [row], verb);
}
