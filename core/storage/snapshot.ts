/** snapshot: several reads of one moment, so that a reply never shows half of what another request is writing. */
import type { Knex } from 'knex';
import type { Database } from './database';
import { translate } from './db-errors';
import { factDialect } from './fact-dialect';

/** Runs one read. */
export type Run = <T>(query: Knex.QueryBuilder | Knex.Raw) => Promise<T>;

/** Reads without a snapshot: enough for a reply that takes one statement. */
export const directly: Run = async <T>(query: Knex.QueryBuilder | Knex.Raw): Promise<T> => {
  try {
    return (await query) as T;
  } catch (error) {
    throw translate(error);
  }
};

/** Runs `work`, all of whose reads see the same moment. */
export const snapshot = async <T>({ knex, dialect }: Database, work: (run: Run) => Promise<T>): Promise<T> => {
  const connection: unknown = await knex.client.acquireConnection().catch((error: unknown) => {
    throw translate(error);
  });
  const run: Run = <R>(query: Knex.QueryBuilder | Knex.Raw): Promise<R> => directly<R>(query.connection(connection) as Knex.Raw);
  try {
    for (const statement of factDialect(dialect).beginSnapshot) {
      await run(knex.raw(statement));
    }
    return await work(run);
  } finally {
    // A connection that broke is thrown away by the pool; there is nothing to undo on any other.
    await run(knex.raw('rollback')).catch(() => undefined);
    await knex.client.releaseConnection(connection);
  }
};
