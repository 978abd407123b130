/**
 * open: opens a MySQL or MariaDB database: a pool of connections, and transactions that are retried after a conflict.
 */
import { SetupError } from '../../base/errors';
import type { Database, Opened, Patience } from '../database';
import { isConflict, isLockWait, isUnencrypted, translate } from '../db-errors';
import { mysqlDialect } from '../dialect';
import type { Driver } from '../driver';
import { LONG_SECONDS, longReads, pooledReaders } from '../readers';
import { onDriver, runAlone, runTransaction, sessionOn } from '../transaction';
import { LOCK_SECONDS, mysqlConnections } from './connections';
import { mysqlDriver } from './driver';
import { interruptible } from './long-statements';

const ATTEMPTS = 8;

/** How long a change of a table waits for transactions that read the table, such as the export of a large record. */
const TABLE_SECONDS = 600;

/**
 * Runs an attempt that leaves nothing behind when it fails, and retries it after a conflict with another transaction.
 * @param lockSeconds how long the attempt waits for a lock
 */
async function persistently<T>(attempt: () => Promise<T>, lockSeconds = LOCK_SECONDS): Promise<T> {
  const began = performance.now();
  const isTooLate = (error: unknown): boolean =>
    isLockWait(error) && performance.now() - began >= (lockSeconds - 1) * 1000;
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || isTooLate(error) || (count >= ATTEMPTS && !isLockWait(error))) {
        throw translate(error);
      }
      // The pause is random, so that the same transactions do not conflict again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** Math.min(count, ATTEMPTS)));
    }
  }
}

/** Statements that begin a transaction which reads one snapshot of the database and writes nothing. */
const BEGIN_SNAPSHOT = [
  'set transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];

function connectionReason(error: unknown): string {
  return error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
}

function connectionProblem(error: unknown): string {
  return isUnencrypted(error)
    ? `no encrypted connection to the database (${connectionReason(error)}): its certificate must name the host and come ` +
        'from an authority that Node trusts, or from one in the file that NODE_EXTRA_CA_CERTS names'
    : `the database does not answer: ${connectionReason(error)}`;
}

/** @throws SetupError when no host answers */
async function serverVersion(driver: Driver): Promise<string> {
  try {
    const { rows } = await onDriver(driver)((connection) => driver.run(connection, 'select version() as version', []));
    return (rows[0] as { version: string }).version;
  } catch (error) {
    await driver.close();
    throw new SetupError([`SVC_DATABASE_URL: ${connectionProblem(error)}`]);
  }
}

/** A third of the connections, so that short statements always have some. */
function longAtOnce(pool: number): number {
  return Math.max(1, Math.floor(pool / 3));
}

export async function openMysql(
  url: string,
  pool: number,
  { longSeconds = LONG_SECONDS }: Pick<Patience, 'longSeconds'>,
): Promise<Opened> {
  // One more than the requests use: the migration lock holds a connection of its own.
  const connections = mysqlConnections(url, pool + 1);
  const driver = mysqlDriver(connections) as Driver;
  const version = await serverVersion(driver);
  const session = sessionOn(driver, onDriver(driver));
  const transaction: Database['transaction'] = (work) => persistently(() => runTransaction(driver, work));
  const write: Database['write'] = (work) => persistently(() => runAlone(session, work));
  const change: Database['write'] = (work) => persistently(() => runAlone(session, work), TABLE_SECONDS);
  const dialect = mysqlDialect(version, { transaction, write: change });
  return {
    driver,
    dialect,
    transaction,
    write,
    durable: () => Promise.resolve(),
    readers: pooledReaders(
      driver,
      BEGIN_SNAPSHOT,
      longReads({
        database: 'mysql',
        run: interruptible(connections, version, longSeconds),
        most: longAtOnce(pool),
        seconds: longSeconds,
      }),
    ),
  };
}
