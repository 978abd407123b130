/**
 * rows-store: rows of any table that belong to one record, read in pages of one snapshot and written back as they were.
 */
import type { Id } from '../base/types';
import type { Reads, Transaction } from '../db/database';
import type { Dialect } from '../db/dialect';
import { insertRows } from '../db/insert-rows';
import { behindKeys, type Keys } from '../db/page';
import type { TablePlan } from '../facts/plans';
import { wholeContent } from '../documents/parts-store';
import type { Sealer } from './contents-store';
import { factColumns, type FactRow } from '../facts/store';
import { type RawRow, placeColumns, openRow, valuesOf } from './tables-store';

/** Rows of a page; a record may own any number. */
const PAGE = 500;

type Owned = {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  readonly order: readonly string[];
  readonly columns: readonly string[];
};

/** Pages of the rows whose column has the value. */
export async function* pagesOf(
  on: Reads,
  { table, column, value, order, columns }: Owned,
): AsyncGenerator<readonly RawRow[]> {
  let last: RawRow | undefined;
  do {
    const owned = on(table)
      .where(column, value)
      .select([...new Set([...columns, ...order])]);
    const rows = (await (last ? behindKeys(owned, order, valuesOf(last, order)) : owned)
      .orderBy([...order])
      .limit(PAGE)) as readonly RawRow[];
    yield rows;
    last = rows.length < PAGE ? undefined : rows[PAGE - 1];
  } while (last);
}

type Belonging = {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
  readonly order: readonly string[];
  readonly columns: readonly string[];
};

/** The rows whose column has one of a page's values. */
export async function rowsBelonging(
  on: Reads,
  { table, column, values, order, columns }: Belonging,
): Promise<readonly RawRow[]> {
  return values.length === 0
    ? []
    : ((await on(table)
        .whereIn(column, [...values])
        .orderBy([...order])
        .select([...columns])) as RawRow[]);
}

/** Pages of the facts of a record, in the order in which reports list them. */
export async function* factPages(
  on: Reads,
  dialect: Dialect,
  plan: TablePlan,
  recordId: Id,
): AsyncGenerator<readonly FactRow[]> {
  let last: FactRow | undefined;
  do {
    const facts = on(`${plan.table} as fact`)
      .where('fact._record_id', recordId)
      .select(on.raw(`fact._seq, ${factColumns(dialect, plan)}`));
    const order = ['fact._created_at', 'fact._seq'];
    const rows = (await (last ? behindKeys(facts, order, [last['_created_at'], last['_seq']] as Keys) : facts)
      .orderBy(order)
      .limit(PAGE)) as readonly FactRow[];
    yield rows;
    last = rows.length < PAGE ? undefined : rows[PAGE - 1];
  } while (last);
}

/** Values of a primary key. */
type Key = Readonly<Record<string, string | number>>;

/** The whole content of a document. @param opened its row with the beginning of its content, opened */
export function contentOfDocument(on: Reads, sealer: Sealer, opened: RawRow): Promise<Buffer> {
  const [recordId, id] = [String(opened['record_id']), String(opened['id'])];
  return wholeContent(on, sealer, { recordId, id, size: Number(opened['size']) }, opened['content'] as Buffer);
}

/** The bytes of a record's rows, in the order of their keys. @throws UnreadableContent */
export async function contentsOf(
  on: Reads,
  sealer: Sealer,
  table: string,
  keys: readonly Key[],
): Promise<readonly Buffer[]> {
  const [first = 'id', ...rest] = Object.keys(keys[0] ?? {});
  const columns = [first, ...rest];
  const isDivided = table === 'document';
  const query = on(table)
    .whereIn(first, [...new Set(keys.map((key) => key[first]!))])
    .select([...new Set([...columns, ...placeColumns(table), ...(isDivided ? ['size'] : []), 'content', 'sealed'])]);
  if (rest.length > 0) {
    void query.whereIn(
      columns,
      keys.map((key) => columns.map((column) => key[column]!)),
    );
  }
  const named = (row: RawRow): string => columns.map((column) => String(row[column])).join('/');
  const contents = new Map<string, Buffer>();
  for (const row of (await query) as RawRow[]) {
    const opened = openRow(table, sealer, row);
    contents.set(named(row), isDivided ? await contentOfDocument(on, sealer, opened) : (opened['content'] as Buffer));
  }
  return keys.map((key) => contents.get(named(key)) ?? Buffer.alloc(0));
}

/** Which of the ids a table has already. */
export async function takenIds(
  on: Reads,
  table: string,
  column: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return ids.length === 0
    ? []
    : ((await on(table)
        .whereIn(column, [...ids])
        .distinct(column)
        .pluck(column)) as string[]);
}

export function writeRows(
  trx: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly RawRow[],
): Promise<number> {
  return insertRows(trx, table, columns, rows);
}
