/**
 * bare-driver: replays captured statements on the database driver itself, with fresh ids, in one transaction when they
 * write.
 */
import { createPool, type Pool, type PoolConnection } from 'mysql2/promise';
import { newId, newToken } from '../../core/base/ids';
import { Sqlite } from '../../core/db/sqlite/better-sqlite';
import type { Captured, Statement } from './capture';

export type BareDriver = { readonly replay: () => Promise<void>; readonly close: () => Promise<void> };

/** An id (of a statement, too), or the hash of a token. */
const ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64})$/;

/** The ids that the call made: they occur in what it inserted and in no query before that. */
const madeIds = (statements: readonly Statement[]): ReadonlySet<unknown> => {
  const asked = new Set<unknown>();
  const made = new Set<unknown>();
  for (const { sql, bindings } of statements) {
    const inserts = /^insert/i.test(sql);
    for (const binding of bindings) {
      if (typeof binding === 'string' && ID.test(binding) && !asked.has(binding)) {
        (inserts ? made : asked).add(binding);
      }
    }
  }
  return made;
};

const freshBindings = (statements: readonly Statement[]): (() => readonly (readonly unknown[])[]) => {
  const made = madeIds(statements);
  return () => {
    const fresh = new Map([...made].map((id) => [id, String(id).length === 64 ? newToken() : newId()]));
    return statements.map(({ bindings }) => bindings.map((binding) => fresh.get(binding) ?? binding ?? null));
  };
};

const sqliteDriver = (file: string, { statements, writes }: Captured): BareDriver => {
  const database = new Sqlite(file);
  for (const pragma of [
    'busy_timeout = 15000',
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'cache_size = -32000',
  ]) {
    database.pragma(pragma);
  }
  const prepared = statements.map(({ sql }) => database.prepare(sql));
  const bindings = freshBindings(statements);
  const run = (): void => {
    const values = bindings();
    prepared.forEach((statement, index) =>
      statement.reader ? statement.all(values[index]) : statement.run(values[index]),
    );
  };
  const transaction = database.transaction(run);
  return {
    replay: async () => (writes ? transaction.immediate() : run()),
    close: async () => {
      database.close();
    },
  };
};

const mysqlDriver = (url: string, { statements, writes }: Captured): BareDriver => {
  const pool: Pool = createPool({ uri: url, connectionLimit: 10, dateStrings: true, supportBigNumbers: true });
  const bindings = freshBindings(statements);
  const run = async (connection: PoolConnection): Promise<void> => {
    const values = bindings();
    for (const [index, { sql }] of statements.entries()) {
      await connection.execute(sql, values[index] as string[]);
    }
  };
  const replay = async (): Promise<void> => {
    const connection = await pool.getConnection();
    try {
      if (writes) {
        await connection.beginTransaction();
      }
      await run(connection);
      if (writes) {
        await connection.commit();
      }
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  };
  return { replay, close: () => pool.end() };
};

export const openBareDriver = (databaseUrl: string, captured: Captured): BareDriver =>
  databaseUrl.startsWith('sqlite:')
    ? sqliteDriver(databaseUrl.slice('sqlite:'.length), captured)
    : mysqlDriver(databaseUrl, captured);
