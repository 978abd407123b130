/** clients: knex's two drivers with what this service needs of them added: statements given as text, and hosts of a cluster. */
import type { Knex } from 'knex';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import { AppError } from '../base/errors';
import type { MysqlHost } from '../config/mysql-url';
import { watchHosts, type HostWatch, type Watched } from './host-watch';
import type { Value } from './select';
import { Sqlite } from './sqlite-driver';
import { allRows, asBound, prepared, type SqliteConnection } from './statements';
import type { TransactingClient } from './transaction';

type Query = { sql: string; bindings?: readonly unknown[]; response?: unknown; context?: unknown };

/** knex adds the statement and its values to the message of whatever it passes on; what callers are told must not have them. */
const hidden = (error: unknown): unknown =>
  error instanceof AppError ? new Error('what was written is not safe', { cause: error }) : error;

/** What was written is on the disk, unless a transaction is open, whose end sees to it. */
const onDisk = async (connection: SqliteConnection): Promise<void> => {
  if (!connection.inTransaction) {
    await connection.disk?.sync();
  }
};

/** knex's own transactions are those of migrations, and another process may be migrating. */
const MIGRATION_MILLISECONDS = 120_000;

/** Runs a statement that writes when no other process stands in its way. Inside a transaction none can. */
const whenFree = async <T>(connection: SqliteConnection, run: () => T, longest?: number): Promise<T> =>
  connection.inTransaction || !connection.lock ? run() : connection.lock.wait(run, longest);

const oneRow = (values: readonly Value[]): string => `(${values.map(() => '?').join(',')})`;

/**
 * SQLite: transactions take the write lock when they begin, so that one that reads first can never fail half-way because
 * another process wrote in between.
 */
export class SqliteClient extends BetterSqliteClient implements TransactingClient<SqliteConnection> {
  override _driver(): unknown {
    return Sqlite;
  }

  override async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    const begins = query.sql === 'BEGIN;';
    const statement = prepared(connection, begins ? 'BEGIN IMMEDIATE;' : query.sql);
    const bindings = this._formatBindings(query.bindings) as unknown[];
    if (statement.reader) {
      query.response = allRows(statement, bindings);
    } else {
      const result = await whenFree(
        connection,
        () => statement.run(bindings),
        begins ? MIGRATION_MILLISECONDS : undefined,
      );
      await onDisk(connection).catch((error: unknown) => {
        throw hidden(error);
      });
      query.response = result;
      query.context = { lastID: result.lastInsertRowid, changes: result.changes };
    }
    return query;
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    await connection.disk?.close();
    connection.close();
  }

  async rows(connection: SqliteConnection, sql: string, values: readonly Value[]): Promise<readonly unknown[]> {
    this.emit('query', { sql, bindings: values });
    return allRows(prepared(connection, sql), values.map(asBound));
  }

  async change(connection: SqliteConnection, sql: string, values: readonly Value[]): Promise<number> {
    this.emit('query', { sql, bindings: values });
    const { changes } = await whenFree(connection, () => prepared(connection, sql).run(values.map(asBound)));
    await onDisk(connection);
    return changes;
  }

  /** Row by row: one text, whose plan is there already, for any number of them. */
  async insert(connection: SqliteConnection, start: string, rows: readonly (readonly Value[])[]): Promise<number> {
    const sql = start + oneRow(rows[0] ?? []);
    const statement = prepared(connection, sql);
    const insertOne = (row: readonly Value[]): number => statement.run(row.map(asBound)).changes;
    let inserted = 0;
    for (const row of rows) {
      this.emit('query', { sql, bindings: row });
      inserted += connection.inTransaction ? insertOne(row) : await whenFree(connection, () => insertOne(row));
    }
    await onDisk(connection);
    return inserted;
  }

  async begin(connection: SqliteConnection): Promise<void> {
    // A rollback that failed, on a disk in trouble, is made up for.
    if (connection.inTransaction) {
      this.runHere(connection, 'rollback');
    }
    this.runHere(connection, 'begin immediate');
  }

  async commit(connection: SqliteConnection): Promise<void> {
    this.runHere(connection, 'commit');
  }

  async rollback(connection: SqliteConnection): Promise<void> {
    try {
      this.runHere(connection, 'rollback');
    } catch {
      // After some errors SQLite has done it already; after others the next begin does it.
    }
  }

  private runHere(connection: SqliteConnection, sql: string): void {
    this.emit('query', { sql, bindings: [] });
    prepared(connection, sql).run();
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
export class MysqlClient extends Mysql2Client implements TransactingClient<RawConnection> {
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

  override async _query(connection: RawConnection, query: Query): Promise<Query> {
    try {
      return (await super._query(connection, query)) as Query;
    } catch (error) {
      throw leaveUnready(connection, error);
    }
  }

  async rows(connection: RawConnection, sql: string, values: readonly Value[]): Promise<readonly unknown[]> {
    return (await this.ask(connection, this.transacting ? 'query' : 'execute', sql, values)) as readonly unknown[];
  }

  async change(connection: RawConnection, sql: string, values: readonly Value[]): Promise<number> {
    return ((await this.ask(connection, 'query', sql, values)) as { affectedRows: number }).affectedRows;
  }

  /** Many rows in one round trip. */
  async insert(connection: RawConnection, start: string, rows: readonly (readonly Value[])[]): Promise<number> {
    return this.change(connection, start + rows.map(oneRow).join(','), rows.flat());
  }

  async begin(connection: RawConnection): Promise<void> {
    await this.change(connection, 'begin', []);
  }

  async commit(connection: RawConnection): Promise<void> {
    await this.change(connection, 'commit', []);
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

  /**
   * `execute` lets the server keep the prepared statement, so that it need not parse and check the text each time. Not inside
   * transactions: in a cluster one was seen to lose its first part and keep its last when it met another in the middle of one.
   */
  private ask(
    connection: RawConnection,
    how: 'execute' | 'query',
    statement: Statement,
    values: readonly Value[],
  ): Promise<unknown> {
    this.emit('query', { sql: typeof statement === 'string' ? statement : statement.sql, bindings: values });
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
