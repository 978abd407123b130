/** long-statements: statements of MySQL or MariaDB that can be interrupted. */
import { errors } from '../../base/errors';
import type { RunLong } from '../readers';
import { ask, throwAway, type MysqlConnection, type MysqlConnections } from './connections';
import { published } from '../watch';
import { answerOf } from './driver';

/**
 * Makes the server end a statement that takes longer, also when this process has ended meanwhile.
 * @param version as the server tells it; MariaDB and MySQL have different words for this
 */
function limitTime(version: string, seconds: number): (sql: string) => string {
  return /mariadb/i.test(version)
    ? (sql) => `set statement max_statement_time = ${seconds} for ${sql}`
    : (sql) => sql.replace(/\bselect\b/i, `select /*+ max_execution_time(${seconds * 1000}) */`);
}

/** The errors of MariaDB (1969) and MySQL (3024) for a statement that took too long. */
function isTooLong(error: unknown): boolean {
  return [1969, 3024].includes(Number((error as { readonly errno?: unknown } | null)?.errno));
}

/** Ends the statement that runs on a connection, by another one. */
async function kill(connections: MysqlConnections, { threadId }: MysqlConnection): Promise<void> {
  const other = await connections.acquire();
  try {
    await ask(other, 'query', `kill query ${threadId}`, []);
  } finally {
    connections.release(other);
  }
}

/** @param seconds how long a statement may take that is not patient */
export function interruptible(connections: MysqlConnections, version: string, seconds: number): RunLong {
  const limited = limitTime(version, seconds);
  return async (sql, values, { kept, interrupted, patient }) => {
    const connection = await connections.acquire();
    let killing: Promise<void> | undefined;
    const interrupt = (): void => {
      // Nobody else may use the connection: the kill may come just after the statement has ended.
      killing = kill(connections, connection)
        .catch(() => undefined)
        .finally(() => throwAway(connection));
    };
    interrupted.addEventListener('abort', interrupt);
    try {
      interrupted.throwIfAborted();
      published(sql, values);
      return await answerOf(connection, patient ? sql : limited(sql), values, kept);
    } catch (error) {
      if (interrupted.aborted) {
        throw interrupted.reason;
      }
      throw isTooLong(error) ? errors.tookTooLong(seconds) : error;
    } finally {
      interrupted.removeEventListener('abort', interrupt);
      await killing;
      connections.release(connection);
    }
  };
}
