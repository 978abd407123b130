/** statements: an SQLite connection with the statements that it has prepared. */
import type BetterSqlite3 from 'better-sqlite3';
import type { Answer, Value } from '../builder';
import { published } from '../watch';

export type SqliteConnection = BetterSqlite3.Database & {
  statements?: Map<string, BetterSqlite3.Statement>;
};

const STATEMENTS_KEPT = 500;

/**
 * The text with its bare limits as sums. Since release 3.47 SQLite looks at the value of a bare `limit ?` or `offset ?`
 * while it plans, and therefore plans the statement anew at every run. It does not look into a sum.
 */
function keepPlan(sql: string): string {
  return sql.replace(/\b(limit|offset) \?(?!\+)/gi, '$1 ?+0');
}

/** A statement text is prepared once per connection. */
export const prepared = (connection: SqliteConnection, sql: string): BetterSqlite3.Statement => {
  const statements = (connection.statements ??= new Map<string, BetterSqlite3.Statement>());
  let statement = statements.get(sql);
  if (!statement || statement.busy) {
    statement = connection.prepare(keepPlan(sql));
    if (statements.size >= STATEMENTS_KEPT) {
      statements.clear();
    }
    statements.set(sql, statement);
  }
  return statement;
};

type Shape = { readonly names: readonly string[]; readonly empty: Readonly<Record<string, unknown>> };

const shapes = new WeakMap<BetterSqlite3.Statement, Shape>();

const describe = (statement: BetterSqlite3.Statement): Shape => {
  const names = statement.columns().map(({ name }) => name);
  const shape = { names, empty: Object.fromEntries(names.map((name) => [name, null])) };
  shapes.set(statement, shape);
  return shape;
};

/**
 * The rows of a reading statement. Copies of one object that has all columns are made and discarded in half the time
 * that the driver's own objects need.
 */
export const allRows = (statement: BetterSqlite3.Statement, values: readonly unknown[]): readonly unknown[] => {
  const lists = statement.raw().all(values) as readonly (readonly unknown[])[];
  const width = lists[0]?.length;
  if (width === undefined) {
    return lists;
  }
  const known = shapes.get(statement);
  // A `select *` that was prepared earlier also returns the columns that were added since.
  const { names, empty } = known?.names.length === width ? known : describe(statement);
  return lists.map((list) => {
    const row: Record<string, unknown> = { ...empty };
    for (let column = 0; column < width; column += 1) {
      row[names[column]!] = list[column];
    }
    return row;
  });
};

/** The driver accepts no booleans. */
export const asBound = (value: Value): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** Runs one statement on the connection. */
export const runPrepared = (connection: SqliteConnection, sql: string, values: readonly Value[]): Answer => {
  published(sql, values);
  const statement = prepared(connection, sql);
  const bound = values.map(asBound);
  return statement.reader
    ? { rows: allRows(statement, bound), changed: 0 }
    : { rows: [], changed: statement.run(bound).changes };
};
