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
export function prepared(connection: SqliteConnection, sql: string): BetterSqlite3.Statement {
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
}

type Shape = { readonly names: readonly string[]; readonly empty: Readonly<Record<string, unknown>> };

const shapes = new WeakMap<BetterSqlite3.Statement, Shape>();

function shapeOf(names: readonly string[]): Shape {
  return {
    names,
    empty: Object.fromEntries(names.map((name) => [name, null])),
  };
}

function describeShape(statement: BetterSqlite3.Statement): Shape {
  const shape = shapeOf(statement.columns().map(({ name }) => name));
  shapes.set(statement, shape);
  return shape;
}

/** Rows as the driver gives them, with the names of their columns. */
export type Lists = { readonly names: readonly string[]; readonly lists: readonly (readonly unknown[])[] };

/** Copies of one object that has all columns are made and discarded in half the time that the driver's own need. */
function objectsOf({ names, empty }: Shape, lists: Lists['lists']): readonly unknown[] {
  return lists.map((list) => {
    const row: Record<string, unknown> = { ...empty };
    for (let column = 0; column < names.length; column += 1) {
      row[names[column]!] = list[column];
    }
    return row;
  });
}

function readLists(
  statement: BetterSqlite3.Statement,
  values: readonly unknown[],
): { readonly shape: Shape; readonly lists: Lists['lists'] } {
  const lists = statement.raw().all(values) as Lists['lists'];
  const known = shapes.get(statement);
  // A `select *` that was prepared earlier also returns the columns that were added since.
  const fits = known !== undefined && (lists.length === 0 || known.names.length === lists[0]!.length);
  return { shape: fits ? known : describeShape(statement), lists };
}

/** The rows of a reading statement. */
export function allRows(statement: BetterSqlite3.Statement, values: readonly unknown[]): readonly unknown[] {
  const { shape, lists } = readLists(statement, values);
  return objectsOf(shape, lists);
}

type Packed = { readonly base64: string } | { readonly number: string };

/** A value in a form that JSON keeps; processes that exchange JSON need a third of the time of other messages. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { number: String(value) } satisfies Packed;
  }
  return Buffer.isBuffer(value) ? ({ base64: value.toString('base64') } satisfies Packed) : value;
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const packed = value as Packed;
  return 'number' in packed ? Number(packed.number) : Buffer.from(packed.base64, 'base64');
}

/** The rows of a reading statement, to be sent to another process as JSON. */
export function listsOf(statement: BetterSqlite3.Statement, values: readonly unknown[]): Lists {
  const { shape, lists } = readLists(statement, values.map(fromJson));
  return { names: shape.names, lists: lists.map((list) => list.map(toJson)) };
}

/** The rows that another process sent. */
export function rowsOf({ names, lists }: Lists): readonly unknown[] {
  return objectsOf(
    shapeOf(names),
    lists.map((list) => list.map(fromJson)),
  );
}

/** The driver accepts no booleans. */
export function asBound(value: Value): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Runs one statement on the connection. */
export function runPrepared(connection: SqliteConnection, sql: string, values: readonly Value[]): Answer {
  published(sql, values);
  const statement = prepared(connection, sql);
  const bound = values.map(asBound);
  return statement.reader
    ? { rows: allRows(statement, bound), changed: 0 }
    : { rows: [], changed: statement.run(bound).changes };
}
