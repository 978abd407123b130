/**
 * builder: begins statements. knex builds them and has no connection: an awaited statement asks its client of knex for a
 * runner, and ours runs it on the connection of its builder. The runner and the pool of knex cost some 50 µs of processor
 * time a statement, where a whole create takes 367 µs (core/DECISIONS.md, 18).
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

const clients: Readonly<Record<'sqlite' | 'mysql', Knex.Client>> = {
  sqlite: knexFactory({ client: 'better-sqlite3', useNullAsDefault: true }).client as Knex.Client,
  mysql: knexFactory({ client: 'mysql2' }).client as Knex.Client,
};

const READING = ['select', 'first', 'pluck', 'raw'];

/** What a caller expects of the method: all rows, the first row, one column, or the number of changed rows. */
function queryOutcome({ method = 'select', pluck = '' }: Built, { rows, changed }: Answer): unknown {
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
}

/** Runs a statement with `run`, whatever builder began it. @param mayWrite false: refuses statements that write */
export async function runBuilt(statement: Statement, run: RunStatement, mayWrite: boolean): Promise<unknown> {
  const built = statement.toSQL() as Built;
  if (!mayWrite && !READING.includes(built.method ?? 'select')) {
    throw new Error(`only a transaction may ${built.method}`);
  }
  const { sql, bindings } = built.toNative();
  return queryOutcome(built, await run(sql, bindings as readonly Value[]));
}

/** @param mayWrite false: refuses statements that write before they reach the database */
export function builderOn(database: 'sqlite' | 'mysql', run: RunStatement, mayWrite: boolean): Builder {
  const runner = (statement: Statement) => ({ run: () => runBuilt(statement, run, mayWrite) });
  const client = Object.create(clients[database], { runner: { value: runner } }) as Knex.Client;
  const query = (): Knex.QueryBuilder => client.queryBuilder();
  return Object.assign((table: string) => query().from(table), {
    database,
    raw: (sql: string, values: readonly Knex.RawBinding[] = []) => client.raw(sql, [...values]) as Knex.Raw,
    from: (source: Knex.QueryBuilder | Knex.Raw) => query().from(source as Knex.QueryBuilder),
    select: (columns: Readonly<Record<string, Knex.QueryBuilder>>) => query().select(columns),
    ref: client.ref.bind(client) as Builder['ref'],
    queryBuilder: query as Builder['queryBuilder'],
  });
}
