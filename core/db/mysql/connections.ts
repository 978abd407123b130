/**
 * connections: the pool of connections to MySQL or MariaDB. A new connection goes to the first host, in the order of
 * the setting, that answers and is ready. A connection that broke, or whose node has left the cluster, is discarded
 * when its user releases it.
 */
import { createConnection } from 'mysql2';
import { Pool, TimeoutError } from 'tarn';
import { errors } from '../../base/errors';
import { parseMysqlUrl, type MysqlHost } from '../../config/mysql-url';
import { watchHosts, type HostWatch, type Watched } from './host-watch';

/** SQL; `timeout` is in milliseconds. */
type Statement = string | { readonly sql: string; readonly timeout: number };

type Ask = (statement: Statement, values: readonly unknown[], done: (error: unknown, answer?: unknown) => void) => void;

export type MysqlConnection = Watched & {
  broken?: boolean;
  /** The number by which the server knows the connection. */ readonly threadId: number;
  readonly connect: (done: (error: unknown) => void) => void;
  readonly query: Ask;
  readonly execute: Ask;
  readonly on: (event: 'error' | 'end', listener: () => void) => void;
  readonly end: (done: () => void) => void;
  readonly destroy: () => void;
};

export type MysqlConnections = {
  readonly acquire: () => Promise<MysqlConnection>;
  readonly release: (connection: MysqlConnection) => void;
  readonly close: () => Promise<void>;
};

/**
 * The error of a cluster node that is cut off from the others, or has not joined them yet. Such a node accepts
 * connections and refuses every statement.
 */
const NOT_READY = 1047;

class NodeNotReady extends Error {
  readonly code = 'ER_UNKNOWN_COM_ERROR';
  readonly errno = NOT_READY;
}

/** Closes a connection that must not be used again. */
export function throwAway(connection: MysqlConnection): void {
  connection.broken = true;
  connection.destroy();
}

/** Runs one statement. After some errors the connection is closed, because its next user could not use it either. */
export function ask(
  connection: MysqlConnection,
  how: 'execute' | 'query',
  statement: Statement,
  values: readonly unknown[],
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection[how](statement, values, (error, answer) => {
      if (!error) {
        resolve(answer);
        return;
      }
      const { errno, fatal } = error as { errno?: number; fatal?: boolean };
      if (errno === NOT_READY || fatal) {
        throwAway(connection);
      }
      reject(error as Error);
    });
  });
}

async function readVariable(connection: MysqlConnection, sql: string): Promise<string | undefined> {
  return ((await ask(connection, 'query', sql, [])) as readonly { Value: string }[])[0]?.Value;
}

/**
 * Whether the host runs statements. A server without a cluster has no `wsrep_on`, or has it off; then `wsrep_ready`
 * says nothing.
 */
async function isReady(connection: MysqlConnection): Promise<boolean> {
  return (
    (await readVariable(connection, "show variables like 'wsrep_on'")) !== 'ON' ||
    (await readVariable(connection, "show status like 'wsrep_ready'")) === 'ON'
  );
}

/** How many bytes of a text are compared when rows are sorted. Ten times as many would not fit into the sort buffer. */
const SORTED_BYTES = 65_536;

/**
 * The smallest sort buffer. Servers refuse to sort when it has no room for fifteen such texts. MariaDB's default is
 * this large, MySQL's is smaller.
 */
const SORT_MEMORY = 2_097_152;

/**
 * A transaction that waits longer for a row or a table gives up and releases its locks. The servers' own limit of 50
 * seconds for a row would hold up others, too: on a Galera node nothing is read while what another node has committed
 * waits for such a row. Their limit of a day for a table would let a backup that locks all tables keep every request
 * waiting.
 */
export const LOCK_SECONDS = 5;

/**
 * Makes a connection check the values that it stores, sort by long texts, and read what is committed. In a cluster it
 * also waits for everything that other nodes committed before.
 */
async function prepareSession(connection: MysqlConnection): Promise<void> {
  await ask(
    connection,
    'query',
    `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO', time_zone = ` +
      `'+00:00', max_sort_length = ${SORTED_BYTES}, sort_buffer_size = cast(greatest(@@sort_buffer_size, ` +
      `${SORT_MEMORY}) as unsigned), innodb_lock_wait_timeout = ${LOCK_SECONDS}, lock_wait_timeout = ${LOCK_SECONDS}`,
    [],
  );
  await ask(connection, 'query', 'set session transaction isolation level read committed', []);
  if ((await readVariable(connection, "show variables like 'wsrep_on'")) === 'ON') {
    await ask(connection, 'query', 'set session wsrep_sync_wait = 1', []);
  }
}

/** Prepared statements that each connection keeps. The server has room for some 16,000 in all. */
const STATEMENTS_KEPT = 200;

function connectionSettings(url: string) {
  const { hosts, ...settings } = parseMysqlUrl(url);
  return {
    hosts,
    settings: {
      ...settings,
      charset: 'utf8mb4',
      connectTimeout: 5000,
      supportBigNumbers: true,
      dateStrings: true,
      maxPreparedStatements: STATEMENTS_KEPT,
    },
  };
}

type Settings = ReturnType<typeof connectionSettings>['settings'];

function connectTo(settings: Settings, { host, port }: MysqlHost): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    const connection = createConnection({ ...settings, host, port }) as unknown as MysqlConnection;
    const breaks = (): void => {
      connection.broken = true;
    };
    connection.on('error', breaks);
    connection.on('end', breaks);
    connection.connect((error) => {
      if (error) {
        connection.destroy();
        reject(error as Error);
      } else {
        resolve(connection);
      }
    });
  });
}

async function refuseUnready(connection: MysqlConnection): Promise<void> {
  if (!(await isReady(connection))) {
    throw new NodeNotReady('the node is not ready');
  }
}

/** Tries the hosts one after the other, and throws the last failure when none can be used. */
async function connectToFirst(
  settings: Settings,
  watch: HostWatch<MysqlConnection>,
  cluster: boolean,
): Promise<MysqlConnection> {
  let failure: unknown;
  for (const host of watch.order()) {
    let connection: MysqlConnection | undefined;
    try {
      connection = await connectTo(settings, host);
      await (cluster ? refuseUnready(connection) : undefined);
      watch.add(host, connection);
      return connection;
    } catch (error) {
      connection?.destroy();
      watch.failed(host);
      failure = error;
    }
  }
  throw failure;
}

async function prepared(connection: MysqlConnection): Promise<MysqlConnection> {
  try {
    await prepareSession(connection);
    return connection;
  } catch (error) {
    throwAway(connection);
    throw error;
  }
}

const WAIT_MILLISECONDS = 60_000;

/** @param size of the pool */
export function mysqlConnections(url: string, size: number): MysqlConnections {
  const { hosts, settings } = connectionSettings(url);
  const cluster = hosts.length > 1;
  const watch = watchHosts({ hosts, watched: cluster, connect: (host) => connectTo(settings, host), ask: isReady });
  const pool = new Pool<MysqlConnection>({
    create: async () => prepared(await connectToFirst(settings, watch, cluster)),
    validate: ({ broken }) => broken !== true,
    destroy: (connection) =>
      new Promise<void>((resolve) => {
        if (connection.broken) {
          connection.destroy();
          resolve();
        } else {
          connection.end(resolve);
        }
      }),
    min: 0,
    max: size,
    acquireTimeoutMillis: WAIT_MILLISECONDS,
    propagateCreateError: true,
  });
  return {
    acquire: async () => {
      try {
        return await pool.acquire().promise;
      } catch (error) {
        throw error instanceof TimeoutError
          ? Object.assign(errors.unavailable('the database is busy or out of reach'), { cause: error })
          : error;
      }
    },
    release: (connection) => {
      pool.release(connection);
    },
    close: async () => {
      await pool.destroy();
      watch.close();
    },
  };
}
