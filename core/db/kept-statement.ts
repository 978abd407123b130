/**
 * kept-statement: keeps the text of a statement that every request runs. knex builds it once; after that only its
 * values are bound.
 */
import type { Knex } from 'knex';
import type { Builder, Value } from './builder';
import type { Reads } from './connection';

type Kept = { readonly text: string; readonly bindings: readonly Value[] };

/** Stands for a value while knex builds the statement. No statement contains such numbers itself. */
function placeholder(index: number): number {
  return Number.MAX_SAFE_INTEGER - index;
}

function valueFor(binding: Value, values: readonly Value[]): Value {
  const index = typeof binding === 'number' ? Number.MAX_SAFE_INTEGER - binding : Infinity;
  return index < values.length ? values[index]! : binding;
}

/**
 * Answers a function that runs the statement. One text is kept for each database and each number of values.
 * @param build gets a placeholder for each value, and must build the same statement whatever the values are
 */
export function keptStatement<Row, V extends readonly Value[]>(
  build: (on: Builder, ...values: V) => Knex.QueryBuilder,
): (on: Builder & Pick<Reads, 'rows'>, ...values: V) => Promise<readonly Row[]> {
  const kept = { sqlite: new Map<number, Kept>(), mysql: new Map<number, Kept>() };
  const keep = (on: Builder, count: number): Kept => {
    const placeholders = Array.from({ length: count }, (_, index) => placeholder(index));
    const { sql, bindings } = build(on, ...(placeholders as readonly Value[] as V))
      .toSQL()
      .toNative();
    const statement = { text: sql, bindings: bindings as readonly Value[] };
    kept[on.database].set(count, statement);
    return statement;
  };
  return (on, ...values) => {
    const { text, bindings } = kept[on.database].get(values.length) ?? keep(on, values.length);
    return on.rows<Row>(
      text,
      bindings.map((binding) => valueFor(binding, values)),
    );
  };
}

/** Repeats the last item until the length is a power of two, so that few texts are kept. */
export function padded<T>(items: readonly T[]): readonly T[] {
  return Array.from(
    { length: 2 ** Math.ceil(Math.log2(items.length)) },
    (_, index) => items[Math.min(index, items.length - 1)]!,
  );
}
