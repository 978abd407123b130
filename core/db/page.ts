/** page: one page of a list: by an offset (specification 4.9), or after a certain row. */
import type { Knex } from 'knex';

export type PageQuery = {
  readonly limit: number;
  readonly offset: number;
  /** A field name, with a leading `-` descending; unknown fields have no effect. */
  readonly orderBy?: string;
};

/** How many rows a query finds; it selects nothing else. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [row] = (await query.count({ n: '*' })) as { n: number | string }[];
  return Number(row?.n ?? 0);
}

export type Order = { readonly column: string; readonly order: 'asc' | 'desc' }[];

/**
 * The requested order, or the default. Equal rows are sorted by `tie`, so pages never overlap.
 * @param asked as in `PageQuery`
 * @param columns by the names of the fields that can be asked for
 * @param usual the default order in the same form, such as `-created_at`
 */
export function orderOf(
  asked: string | undefined,
  columns: Readonly<Record<string, string>>,
  usual: string,
  tie: string,
): Order {
  const fieldOf = (text: string): string => text.replace(/^-/, '');
  const chosen = asked !== undefined && Object.hasOwn(columns, fieldOf(asked)) ? asked : usual;
  const order = chosen.startsWith('-') ? 'desc' : 'asc';
  return [
    { column: columns[fieldOf(chosen)]!, order },
    { column: tie, order },
  ];
}

/** The values by which a row is sorted. */
export type Keys = readonly (string | number | null)[];

/**
 * Where a page begins: after the row with these keys or, with `back`, before it. Rows that are added or deleted
 * elsewhere do not shift it.
 */
export type Place = { readonly keys: Keys; readonly back: boolean };

/** Asks for a page: the first one, or the one at a place. */
export type Seek = { readonly limit: number; readonly place?: Place | undefined };

/** One page, in the order of the list. */
export type ListPart<R> = {
  readonly rows: readonly R[];
  /** Keys of the first and the last row; absent for an empty part. */ readonly ends?: readonly [Keys, Keys];
  /** Whether the list continues in the direction in which it was read. */ readonly more: boolean;
  /** Keys of the row with which it continues. */ readonly beyond?: Keys;
};

/** Whether rows are read in descending order. Reading backwards reverses the order of the list. */
export function isDescending(descending: boolean, place: Place | undefined): boolean {
  return descending !== (place?.back ?? false);
}

/**
 * The condition that a row is beyond keys that are not null. The first column appears in it twice, so that its index is
 * used.
 */
function beyondKeys(columns: readonly string[], sign: '<' | '>', keys: Keys): { text: string; values: Keys } {
  const [column, ...others] = columns;
  const [key = null, ...rest] = keys;
  if (others.length === 0) {
    return { text: `${column} ${sign} ?`, values: [key] };
  }
  const further = beyondKeys(others, sign, rest);
  return {
    text: `${column} ${sign}= ? and (${column} ${sign} ? or (${further.text}))`,
    values: [key, key, ...further.values],
  };
}

function quoted(column: string): string {
  return column
    .split('.')
    .map((name) => `\`${name}\``)
    .join('.');
}

/** Limits a query to rows after the last one that was read, for columns that are never null and all ascend. */
export function behindKeys(query: Knex.QueryBuilder, columns: readonly string[], keys: Keys): Knex.QueryBuilder {
  const { text, values } = beyondKeys(columns.map(quoted), '>', keys);
  return query.whereRaw(text, [...values] as Knex.Value[]);
}

/** Condition and order of a part, for a list whose columns are never null and all run in one direction. */
function seekText(
  columns: readonly string[],
  descending: boolean,
  place: Place | undefined,
): { readonly condition: string; readonly values: Keys; readonly order: string } {
  const down = isDescending(descending, place);
  const names = columns.map(quoted);
  const { text, values } = place
    ? beyondKeys(names, down ? '<' : '>', place.keys)
    : { text: '1 = 1', values: [] as Keys };
  return {
    condition: text,
    values,
    order: names.map((column) => `${column} ${down ? 'desc' : 'asc'}`).join(', '),
  };
}

/**
 * Makes the requested part from rows that were read in the direction of the place. An additional row shows that the
 * list continues.
 */
export function partOf<R>(found: readonly R[], { limit, place }: Seek, keysOf: (row: R) => Keys): ListPart<R> {
  const kept = found.slice(0, limit);
  const rows = place?.back ? kept.reverse() : kept;
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    more: found.length > limit,
    ...(found[limit] === undefined ? {} : { beyond: keysOf(found[limit]) }),
    ...(first !== undefined && last !== undefined ? { ends: [keysOf(first), keysOf(last)] as const } : {}),
  };
}

/** Reads one part of the rows that a query finds. */
export async function readPart<R extends object>(
  query: Knex.QueryBuilder,
  columns: readonly string[],
  descending: boolean,
  seek: Seek,
): Promise<ListPart<R>> {
  const { condition, values, order } = seekText(columns, descending, seek.place);
  const found = (await query
    .whereRaw(condition, [...values] as Knex.Value[])
    .orderByRaw(order)
    .limit(seek.limit + 1)
    .select(Object.fromEntries(columns.map((column, index) => [`key_${index}`, column])))) as R[];
  return partOf(found, seek, (row) =>
    columns.map((_, index) => (row as Readonly<Record<string, string | number>>)[`key_${index}`]!),
  );
}
