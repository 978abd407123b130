/**
 * builder: begins statements. knex builds them and has no connection. An awaited statement runs on the connection of
 * its builder.
 */
import knexFactory, { type Knex } from 'knex';

export type Value = string | number | boolean | null | Buffer;

/** The rows of a statement that reads; the number of changed rows of a statement that writes. */
export type Answer = { readonly rows: readonly unknown[]; readonly changed: number };

/** Begins statements, which run when they are awaited. */
export type Builder = ((table: string) => Knex.QueryBuilder) &
  Pick<Knex, 'ref' | 'queryBuilder'> & {
    readonly database: 'sqlite' | 'mysql';
    readonly raw: (sql: string, values?: readonly Knex.RawBinding[]) => Knex.Raw;
    readonly from: (source: Knex.QueryBuilder | Knex.Raw) => Knex.QueryBuilder;
    readonly select: (columns: Readonly<Record<string, Knex.QueryBuilder>>) => Knex.QueryBuilder;
  };

/** Runs one statement. */
export type RunStatement = (sql: string, values: readonly Value[]) => Promise<Answer>;

export type Statement = Knex.QueryBuilder | Knex.Raw;
type Built = Knex.Sql & { readonly method?: string; readonly pluck?: string };

const builders = {
  sqlite: knexFactory({ client: 'better-sqlite3', useNullAsDefault: true }),
  mysql: knexFactory({ client: 'mysql2' }),
};

const READING = ['select', 'first', 'pluck', 'raw'];

/** What a caller expects of the method: all rows, the first row, one column, or the number of changed rows. */
const outcomeOf = ({ method = 'select', pluck = '' }: Built, { rows, changed }: Answer): unknown => {
  switch (method) {
    case 'select':
    case 'raw':
      return rows;
    case 'first':
      return rows[0];
    case 'pluck': {
      const column = pluck.split('.').at(-1)!;
      return rows.map((row) => (row as Record<string, unknown>)[column]);
    }
    default:
      return changed;
  }
};

/** Runs a statement with `run`, whatever builder began it. @param mayWrite false: refuses statements that write */
export const runBuilt = async (statement: Statement, run: RunStatement, mayWrite: boolean): Promise<unknown> => {
  const built = statement.toSQL() as Built;
  if (!mayWrite && !READING.includes(built.method ?? 'select')) {
    throw new Error(`only a transaction may ${built.method}`);
  }
  const { sql, bindings } = built.toNative();
  return outcomeOf(built, await run(sql, bindings as readonly Value[]));
};

/** @param mayWrite false: refuses statements that write before they reach the database */
export const builderOn = (database: 'sqlite' | 'mysql', run: RunStatement, mayWrite: boolean): Builder => {
  const knex = builders[database];
  const awaitable = <S extends Statement>(statement: S): S => {
    const copy = (statement as { clone?: () => S }).clone;
    return Object.defineProperties(statement, {
      then: {
        value: (done: (outcome: unknown) => unknown, failed?: (error: unknown) => unknown) =>
          runBuilt(statement, run, mayWrite).then(done, failed),
      },
      ...(copy ? { clone: { value: () => awaitable(copy.call(statement)) } } : {}),
    });
  };
  return Object.assign((table: string) => awaitable(knex(table)), {
    database,
    raw: (sql: string, values: readonly Knex.RawBinding[] = []) => awaitable(knex.raw(sql, [...values])),
    from: (source: Knex.QueryBuilder | Knex.Raw) => awaitable(knex.queryBuilder().from(source as Knex.QueryBuilder)),
    select: (columns: Readonly<Record<string, Knex.QueryBuilder>>) => awaitable(knex.queryBuilder().select(columns)),
    ref: knex.ref.bind(knex) as Builder['ref'],
    queryBuilder: () => awaitable(knex.queryBuilder()) as Knex.QueryBuilder,
  });
};
