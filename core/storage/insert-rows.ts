/** insert-rows: many rows in one statement, without a query builder's cost per value. */
import type { Connection } from './database';

/** SQLite and MySQL both take at least this many values in one statement. */
const VALUES_IN_STATEMENT = 30_000;

type Value = string | number | boolean | null | Buffer | undefined;

/** Rows that a raw statement wrote or took away; the drivers say it in different words. */
export const affectedRows = (answer: unknown): number => {
  const [first] = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
  const { affectedRows: affected, changes } = first as { affectedRows?: number; changes?: number };
  return Number(affected ?? changes ?? 0);
};

const statementText = (verb: string, table: string, columns: readonly string[], rows: number): string => {
  const one = `(${columns.map(() => '?').join(',')})`;
  return `${verb} \`${table}\` (${columns.map((column) => `\`${column}\``).join(',')}) values ${Array.from({ length: rows }, () => one).join(',')}`;
};

/**
 * Inserts rows in their order and answers how many. Missing values are null.
 * @param verb the dialect's `insertIgnore` to skip rows that break a unique index
 */
export const insertRows = async <C extends string>(
  connection: Connection,
  table: string,
  columns: readonly C[],
  rows: readonly Readonly<Partial<Record<C, Value>>>[],
  verb = 'insert into',
): Promise<number> => {
  const perStatement = Math.max(1, Math.floor(VALUES_IN_STATEMENT / columns.length));
  let inserted = 0;
  for (let start = 0; start < rows.length; start += perStatement) {
    const part = rows.slice(start, start + perStatement);
    const values = part.flatMap((row) => columns.map((column) => row[column] ?? null));
    inserted += affectedRows(await connection.raw(statementText(verb, table, columns, part.length), values));
  }
  return inserted;
};
