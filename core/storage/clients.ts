/** clients: knex's two drivers with what this service needs of them added: statements given as text, and hosts of a cluster. */
import type { Knex } from 'knex';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import type { MysqlHost } from '../config/mysql-url';
import { watchHosts, type HostWatch, type Watched } from './host-watch';
import type { Answer, Value } from './builder';
import { Sqlite } from './sqlite-driver';
import { asBound, prepared, runPrepared, type SqliteConnection } from './statements';
import type { Client } from './transaction';
import { published } from './watch';

const oneRow = (values: readonly Value[]): string => `(${values.map(() => '?').join(',')})`;

/**
 * SQLite: transactions take the write lock when they begin, so that one that reads first can never fail half-way because
 * another process wrote in between.
 */
export class SqliteClient extends BetterSqliteClient implements Client<SqliteConnection> {
  override _driver(): unknown {
    return Sqlite;
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    await connection.disk?.close();
    connection.close();
  }

  async run(connection: SqliteConnection, sql: string, values: readonly Value[]): Promise<Answer> {
    return runPrepared(connection, sql, values);
  }

  /** Row by row: one text, whose plan is there already, for any number of them. */
  async insert(connection: SqliteConnection, start: string, rows: readonly (readonly Value[])[]): Promise<number> {
    const sql = start + oneRow(rows[0] ?? []);
    const statement = prepared(connection, sql);
    let inserted = 0;
    for (const row of rows) {
      published(sql, row);
      inserted += statement.run(row.map(asBound)).changes;
    }
    return inserted;
  }

  async begin(connection: SqliteConnection): Promise<void> {
    // A rollback that failed, on a disk in trouble, is made up for.
    if (connection.inTransaction) {
      runPrepared(connection, 'rollback', []);
    }
    runPrepared(connection, 'begin immediate', []);
  }

  async commit(connection: SqliteConnection): Promise<void> {
    runPrepared(connection, 'commit', []);
  }

  async rollback(connection: SqliteConnection): Promise<void> {
    try {
      runPrepared(connection, 'rollback', []);
    } catch {
      // After some errors SQLite has done it already; after others the next begin does it.
    }
  }
}

/** The timeout in milliseconds. */
type Statement = string | { readonly sql: string; readonly timeout: number };

type Ask = (statement: Statement, values: readonly unknown[], done: (error: unknown, answer?: unknown) => void) => void;

type RawConnection = Watched & {
  __knex__disposed?: unknown;
  connect: (done: (error: unknown) => void) => void;
  query: Ask;
  execute: Ask;
  on: (event: 'error', listener: (error: unknown) => void) => void;
  destroy: () => void;
};

/** A node of a cluster that is cut off from the others, or not yet one of them, takes connections and refuses every statement. */
const NOT_READY = 1047;

class NodeNotReady extends Error {
  readonly code = 'ER_UNKNOWN_COM_ERROR';
  readonly errno = NOT_READY;
}

const valueOf = (connection: RawConnection, sql: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    connection.query(sql, [], (error, rows) =>
      error ? reject(error as Error) : resolve((rows as readonly { Value: string }[])[0]?.Value),
    );
  });

/** A server without a cluster does not know these words, or says that it is not ready for one. */
const isReady = async (connection: RawConnection): Promise<boolean> =>
  (await valueOf(connection, "show variables like 'wsrep_on'")) !== 'ON' ||
  (await valueOf(connection, "show status like 'wsrep_ready'")) === 'ON';

/** A connection whose node has left the cluster is of no use to the next caller either. */
const leaveUnready = (connection: RawConnection, error: unknown): unknown => {
  if ((error as { errno?: number }).errno === NOT_READY) {
    connection.__knex__disposed = error;
    connection.destroy();
  }
  return error;
};

/** A server that does not even answer this is out of reach. */
const ROLLBACK_MILLISECONDS = 5000;

/** MySQL: a new connection goes to the first host of the cluster that answers and is ready, in the order of the setting. */
export class MysqlClient extends Mysql2Client implements Client<RawConnection> {
  private watched: HostWatch<RawConnection> | undefined;

  override async acquireRawConnection(): Promise<unknown> {
    const watch = (this.watched ??= this.watch());
    let failure: unknown;
    for (const host of watch.order()) {
      try {
        const connection = await this.connectTo(host);
        await (this.cluster().length === 1 ? undefined : this.refuseUnready(connection));
        watch.add(host, connection);
        return connection;
      } catch (error) {
        watch.failed(host);
        failure = error;
      }
    }
    throw failure;
  }

  override async destroy(done?: () => void): Promise<unknown> {
    const destroyed: unknown = await super.destroy(done);
    this.watched?.close();
    return destroyed;
  }

  private cluster(): readonly MysqlHost[] {
    return (this.connectionSettings as { hosts: readonly MysqlHost[] }).hosts;
  }

  private watch(): HostWatch<RawConnection> {
    const hosts = this.cluster();
    return watchHosts({ hosts, watched: hosts.length > 1, connect: (host) => this.connectTo(host), ask: isReady });
  }

  /**
   * `execute` lets the server keep the prepared statement, so that it need not parse and check the text each time. Not inside
   * transactions: in a cluster one was seen to lose its first part and keep its last when it met another in the middle of one.
   */
  async run(connection: RawConnection, sql: string, values: readonly Value[], kept = false): Promise<Answer> {
    const answer = await this.ask(connection, kept ? 'execute' : 'query', sql, values);
    return Array.isArray(answer)
      ? { rows: answer, changed: 0 }
      : { rows: [], changed: (answer as { affectedRows: number }).affectedRows };
  }

  /** Many rows in one round trip. */
  async insert(connection: RawConnection, start: string, rows: readonly (readonly Value[])[]): Promise<number> {
    return (await this.run(connection, start + rows.map(oneRow).join(','), rows.flat())).changed;
  }

  async begin(connection: RawConnection): Promise<void> {
    await this.run(connection, 'begin', []);
  }

  async commit(connection: RawConnection): Promise<void> {
    await this.run(connection, 'commit', []);
  }

  async rollback(connection: RawConnection): Promise<void> {
    try {
      await this.ask(connection, 'query', { sql: 'rollback', timeout: ROLLBACK_MILLISECONDS }, []);
    } catch (error) {
      // Nobody knows what is still open on it.
      connection.__knex__disposed = error;
      connection.destroy();
    }
  }

  private ask(
    connection: RawConnection,
    how: 'execute' | 'query',
    statement: Statement,
    values: readonly Value[],
  ): Promise<unknown> {
    published(typeof statement === 'string' ? statement : statement.sql, values);
    return new Promise((resolve, reject) => {
      connection[how](statement, values, (error, answer) =>
        error ? reject(leaveUnready(connection, error) as Error) : resolve(answer),
      );
    });
  }

  private connectTo({ host, port }: MysqlHost): Promise<RawConnection> {
    const given = this.connectionSettings as Knex.MySql2ConnectionConfig & { hosts: readonly MysqlHost[] };
    const { hosts: _hosts, ...settings } = given;
    return new Promise((resolve, reject) => {
      // knex hides the password from whoever lists the settings, and so from the copy of them.
      const connection = this.driver.createConnection({
        ...settings,
        password: given.password,
        host,
        port,
      }) as RawConnection;
      connection.on('error', (error: unknown) => {
        connection.__knex__disposed = error;
      });
      connection.connect((error: unknown) => {
        if (error) {
          connection.destroy();
          reject(error as Error);
        } else {
          resolve(connection);
        }
      });
    });
  }

  private async refuseUnready(connection: RawConnection): Promise<void> {
    try {
      if (!(await isReady(connection))) {
        throw new NodeNotReady('the node is not ready');
      }
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }
}
