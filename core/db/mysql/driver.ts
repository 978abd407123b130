/** driver: statements on connections of MySQL or MariaDB. */
import type { Value } from '../builder';
import type { Driver } from '../driver';
import { published } from '../watch';
import { ask, throwAway, type MysqlConnection, type MysqlConnections } from './connections';

function oneRow(values: readonly Value[]): string {
  return `(${values.map(() => '?').join(',')})`;
}

/** How long a rollback may take. A server that does not even answer this is out of reach. */
const ROLLBACK_MILLISECONDS = 5000;

/**
 * `execute` lets the server keep the prepared statement, so that it need not parse and check the text each time. It is
 * not used inside transactions: in a cluster, a transaction that conflicted with another one in the middle of an
 * `execute` was seen to lose its first part and keep its last.
 */
export const answerOf: Driver<MysqlConnection>['run'] = async (connection, sql, values, kept = false) => {
  const answer = await ask(connection, kept ? 'execute' : 'query', sql, values);
  return Array.isArray(answer)
    ? { rows: answer, changed: 0 }
    : { rows: [], changed: (answer as { affectedRows: number }).affectedRows };
};

const run: Driver<MysqlConnection>['run'] = (connection, sql, values, kept) => {
  published(sql, values);
  return answerOf(connection, sql, values, kept);
};

export function mysqlDriver(connections: MysqlConnections): Driver<MysqlConnection> {
  return {
    name: 'mysql',
    ...connections,
    run,
    // This inserts many rows in one round trip.
    insert: async (connection, start, rows) =>
      (await run(connection, start + rows.map(oneRow).join(','), rows.flat())).changed,
    insertNumbered: async (connection, start, row) => {
      const sql = start + oneRow(row);
      published(sql, row);
      return ((await ask(connection, 'query', sql, row)) as unknown as { insertId: number }).insertId;
    },
    begin: async (connection) => {
      await run(connection, 'begin', []);
    },
    commit: async (connection) => {
      await run(connection, 'commit', []);
    },
    rollback: async (connection) => {
      published('rollback', []);
      try {
        await ask(connection, 'query', { sql: 'rollback', timeout: ROLLBACK_MILLISECONDS }, []);
      } catch {
        // A transaction may still be open on the connection.
        throwAway(connection);
      }
    },
  };
}
