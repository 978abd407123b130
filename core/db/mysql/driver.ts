/** driver: statements on connections of MySQL or MariaDB. */
import { raw } from 'mysql2';
import type { Value } from '../builder';
import type { Driver } from '../driver';
import { published } from '../watch';
import { ask, throwAway, type MysqlConnection, type MysqlConnections } from './connections';

function oneRow(values: readonly Value[]): string {
  return `(${values.map(() => '?').join(',')})`;
}

/**
 * The server accepts statements of 16 MB unless it is told otherwise, and bytes are written into one with two characters
 * each. If those of a statement are more than these, its large values are handed over before it, piece by piece.
 */
const BYTES_IN_STATEMENT = 6_000_000;
const [LARGE_BYTES, PIECE_BYTES] = [250_000, 3_000_000];

function lengthOf(value: Value): number {
  return Buffer.isBuffer(value) ? value.length : 0;
}

/**
 * Makes bytes the value of a variable of the connection.
 * @returns the variable, in the place of a value
 * @throws Error where the server joins no bytes of this length: it would say nothing and store no value
 */
async function handOver(connection: MysqlConnection, name: string, bytes: Buffer): Promise<Value> {
  await ask(connection, 'query', `set ${name} = ?`, [bytes.subarray(0, PIECE_BYTES)]);
  for (let from = PIECE_BYTES; from < bytes.length; from += PIECE_BYTES) {
    const piece = bytes.subarray(from, from + PIECE_BYTES);
    await ask(connection, 'query', `set ${name} = concat(${name}, ?)`, [piece]);
  }
  const rows = (await ask(connection, 'query', `select length(${name}) as size`, [])) as readonly { size: number }[];
  if (Number(rows[0]?.size) !== bytes.length) {
    throw new Error(`the server takes no value of ${bytes.length} bytes: its max_allowed_packet is too small`);
  }
  return raw(name) as unknown as Value;
}

/** Runs a statement, whatever the size of its bytes. */
async function askWithBytes(connection: MysqlConnection, sql: string, values: readonly Value[]): Promise<unknown> {
  if (values.reduce((sum: number, value) => sum + lengthOf(value), 0) <= BYTES_IN_STATEMENT) {
    return ask(connection, 'query', sql, values);
  }
  const names: string[] = [];
  try {
    const given: Value[] = [];
    for (const value of values) {
      if (lengthOf(value) > LARGE_BYTES) {
        names.push(`@bytes_${names.length + 1}`);
        given.push(await handOver(connection, names.at(-1)!, value as Buffer));
      } else {
        given.push(value);
      }
    }
    return await ask(connection, 'query', sql, given);
  } finally {
    if (names.length > 0 && !connection.broken) {
      await ask(connection, 'query', `set ${names.map((name) => `${name} = null`).join(', ')}`, []);
    }
  }
}

/** How long a rollback may take. A server that does not even answer this is out of reach. */
const ROLLBACK_MILLISECONDS = 5000;

/**
 * `execute` lets the server keep the prepared statement, so that it need not parse and check the text each time. It is
 * not used inside transactions: in a cluster, a transaction that conflicted with another one in the middle of an
 * `execute` was seen to lose its first part and keep its last.
 */
export const answerOf: Driver<MysqlConnection>['run'] = async (connection, sql, values, kept = false) => {
  const answer = await (kept ? ask(connection, 'execute', sql, values) : askWithBytes(connection, sql, values));
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
      return ((await askWithBytes(connection, sql, row)) as unknown as { insertId: number }).insertId;
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
