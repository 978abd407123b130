/** database: opens and closes knex on either database; the one way to run a transaction. */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import knexFactory, { type Knex } from 'knex';
import { SetupError } from '../base/errors';
import { makeFolders } from '../base/paths';
import { parseMysqlUrl } from '../config/mysql-url';
import { IN_MEMORY, sqlitePath } from '../config/sqlite-url';
import { MysqlClient, SqliteClient } from './clients';
import { isConflict, isUnencrypted, translate } from './db-errors';
import { mysqlDialect, sqliteDialect, type Dialect } from './dialect';
import { diskSync, type DiskSync } from './disk-sync';
import { factDialect } from './fact-dialect';
import { groupCommits } from './group-commit';
import { pooledReaders, sqliteReaders, type DatabaseReads, type Readers } from './readers';
import { sqliteAside, type Aside } from './sqlite-aside';
import type { SqliteConnection } from './statements';
import { onPool, runAlone, runTransaction, sessionOn, type Client } from './transaction';
import type { Reads, Transaction } from './connection';
import { writeLock, type WriteLock } from './write-lock';

export type { DatabaseReads, Reads, Transaction };

export type Database = Omit<Readers, 'close'> & {
  readonly dialect: Dialect;
  /**
   * Runs `work` in one transaction. Deadlocks and certification conflicts run the whole of it again, so `work` must touch
   * nothing but the transaction it is given.
   */
  readonly transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Runs a single writing statement, which needs no transaction of its own; on SQLite it shares the commit of others. `ahead` is
   * for what is of no use without something that the same request writes later: it does not wait for the disk. SQLite's log is
   * one sequence, so what stands before is on the disk whenever that is.
   */
  readonly write: <T>(work: (trx: Transaction) => Promise<T>, when?: 'ahead') => Promise<T>;
  /** Resolves when what was written ahead before this call is safe from a power cut; at once on MySQL, where it is so when written. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const ATTEMPTS = 8;

/** Runs what has left nothing behind when it failed, and runs it again when it met somebody else. */
const persistently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count >= ATTEMPTS || !isConflict(error)) {
        throw translate(error);
      }
      // A random pause, so that the transactions that met do not meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** count));
    }
  }
};

const silent = (): void => undefined;

/** knex says on stdout what the error that it throws says anyway; stdout has the one line of readiness. */
const log = { warn: silent, error: silent, deprecate: silent, debug: silent };

const makeFolder = (folder: string): void => {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new SetupError([
      `SVC_DATABASE_URL: the folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    ]);
  }
};

/** Nobody but its user reads a new one; the log and its index take the rights of the file. One that is there keeps its own. */
const makeFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // The driver says better what is wrong with it.
  }
};

/** Only when the thread that empties the log cannot keep up does a commit do it. */
const PAGES_IN_LOG = 50_000;

const openSqlite = (filename: string, disk: DiskSync, lock: WriteLock): Knex => {
  if (filename !== IN_MEMORY) {
    makeFolder(dirname(filename));
    makeFile(filename);
  }
  return knexFactory({
    client: SqliteClient as unknown as typeof Knex.Client,
    connection: { filename },
    useNullAsDefault: true,
    log,
    pool: {
      min: 1,
      // One connection: SQLite writes one at a time anyway, and a second would wait inside the event loop.
      max: 1,
      idleTimeoutMillis: 2 ** 31 - 1,
      acquireTimeoutMillis: 60_000,
      afterCreate: (connection: SqliteConnection, done: (error: Error | null, connection: unknown) => void) => {
        connection.pragma('busy_timeout = 15000');
        if (connection.pragma('journal_mode = WAL', { simple: true }) === 'wal') {
          connection.pragma('synchronous = NORMAL');
          connection.pragma(`wal_autocheckpoint = ${PAGES_IN_LOG}`);
          connection.disk = disk;
        }
        connection.pragma('foreign_keys = ON');
        connection.pragma('cache_size = -8000');
        // From here on nothing waits inside the event loop.
        connection.pragma('busy_timeout = 0');
        connection.lock = lock;
        done(null, connection);
      },
    },
  });
};

type MysqlConnection = { promise: () => { query: (sql: string) => Promise<readonly [unknown, unknown]> } };

/** How many bytes of a text count when rows are sorted; ten times as much would not fit into the memory for sorting. */
const SORTED_BYTES = 65_536;

/** Servers refuse to sort when this has no room for fifteen such texts: MariaDB brings as much, MySQL has less of its own. */
const SORT_MEMORY = 2_097_152;

/**
 * Who waits longer for a row gives up what it holds and begins again, up to eight times in all. The servers' own 50 seconds hold up others, too: on a Galera
 * node nothing is read while what another node has committed waits for such a row.
 */
const ROW_SECONDS = 5;

/** Every connection checks what it stores, sorts by long texts too, and reads what is committed; in a cluster it also waits for what other nodes committed before. */
const prepareSession = async (connection: MysqlConnection): Promise<void> => {
  const query = (sql: string) => connection.promise().query(sql);
  await query(
    `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO', time_zone = '+00:00', max_sort_length = ${SORTED_BYTES}, sort_buffer_size = cast(greatest(@@sort_buffer_size, ${SORT_MEMORY}) as unsigned), innodb_lock_wait_timeout = ${ROW_SECONDS}`,
  );
  await query('set session transaction isolation level read committed');
  const [rows] = await query("show variables like 'wsrep_on'");
  if ((rows as readonly { Value: string }[])[0]?.Value === 'ON') {
    await query('set session wsrep_sync_wait = 1');
  }
};

/** On each connection; the server has room for some 16,000 in all. */
const STATEMENTS_KEPT = 200;

const openMysql = (url: string, pool: number): Knex =>
  knexFactory({
    client: MysqlClient as unknown as typeof Knex.Client,
    connection: {
      ...parseMysqlUrl(url),
      charset: 'utf8mb4',
      connectTimeout: 5000,
      supportBigNumbers: true,
      dateStrings: true,
      maxPreparedStatements: STATEMENTS_KEPT,
    } as Knex.MySql2ConnectionConfig,
    log,
    pool: {
      min: 0,
      // One more than the requests use: the migration lock holds a connection of its own.
      max: pool + 1,
      acquireTimeoutMillis: 60_000,
      afterCreate: (connection: MysqlConnection, done: (error: unknown, connection: unknown) => void) => {
        prepareSession(connection).then(
          () => done(null, connection),
          (error: unknown) => done(error, connection),
        );
      },
    },
  });

/** What each of the two brings of its own. */
type Engine = Pick<Database, 'dialect' | 'transaction' | 'write' | 'durable'> & {
  readonly readers: Readers;
};

type SqliteParts = { readonly file: string; readonly disk: DiskSync; readonly aside: Aside; readonly lock: WriteLock };

const clientOf = (knex: Knex): Client => knex.client as Client;

/** Deletes so that nothing can be read in the files afterwards: neither in pages that are free, nor in the log. */
const erasing =
  (client: Client): Dialect['erasing'] =>
  async (work) => {
    const { run } = sessionOn(client, 'sqlite', onPool(client));
    await run('pragma secure_delete = on', []);
    const result = await work();
    // What was deleted still stands in the write-ahead log, which readers may hold for a moment.
    await run('pragma busy_timeout = 15000', []);
    await run('pragma wal_checkpoint(truncate)', []);
    await run('pragma busy_timeout = 0', []);
    return result;
  };

/** Another process may be migrating. */
const MIGRATION_MILLISECONDS = 120_000;

const sqliteEngine = async (knex: Knex, { file, disk, aside, lock }: SqliteParts): Promise<Engine> => {
  const client = clientOf(knex);
  const session = sessionOn(client, 'sqlite', onPool(client));
  const [version] = await session.rows<{ version: string }>('select sqlite_version() as version', []);
  const inMemory = file === IN_MEMORY;
  const sync = inMemory ? () => Promise.resolve() : disk.sync;
  // The connection is given back between two tries.
  const transact = <T>(work: (trx: Transaction) => Promise<T>, longest?: number): Promise<T> =>
    lock.wait(() => runTransaction(client, 'sqlite', work), longest);
  const grouped = groupCommits({ transact, sync });
  const durably: Database['transaction'] = (work) => grouped(work, true);
  const dialect = sqliteDialect(version?.version ?? '', {
    // SQLite rolls table changes back like rows, and gives an immediate transaction to one process at a time.
    exclusively: async (work) => {
      const result = await transact(work, MIGRATION_MILLISECONDS);
      await sync();
      return result;
    },
    erasing: erasing(client),
  });
  return {
    dialect,
    transaction: durably,
    write: (work, when) => grouped(work, when !== 'ahead'),
    durable: sync,
    readers: inMemory
      ? pooledReaders(client, 'sqlite', factDialect(dialect).beginSnapshot)
      : sqliteReaders(file, aside),
  };
};

const mysqlEngine = async (knex: Knex): Promise<Engine> => {
  const client = clientOf(knex);
  const session = sessionOn(client, 'mysql', onPool(client));
  const [version] = await session.rows<{ version: string }>('select version() as version', []);
  const transaction: Database['transaction'] = (work) => persistently(() => runTransaction(client, 'mysql', work));
  const write: Database['write'] = (work) => persistently(() => runAlone(session, work));
  const dialect = mysqlDialect(version?.version ?? '', { transaction, write });
  return {
    dialect,
    transaction,
    write,
    durable: () => Promise.resolve(),
    readers: pooledReaders(client, 'mysql', factDialect(dialect).beginSnapshot),
  };
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);

const opened = async (
  knex: Knex,
  engine: Promise<Engine>,
  problem: (reason: string, error: unknown) => string,
): Promise<Database> => {
  try {
    const {
      readers: { close, ...readers },
      ...rest
    } = await engine;
    return {
      ...readers,
      ...rest,
      close: async () => {
        await close();
        await knex.destroy();
      },
    };
  } catch (error) {
    await knex.destroy();
    throw new SetupError([`SVC_DATABASE_URL: ${problem(reasonOf(error), error)}`]);
  }
};

const openSqliteDatabase = (file: string, lockPatience: number): Promise<Database> => {
  const aside = sqliteAside(file);
  const disk = diskSync(file, aside.wrote);
  const lock = writeLock(lockPatience);
  const knex = openSqlite(file, disk, lock);
  return opened(
    knex,
    sqliteEngine(knex, { file, disk, aside, lock }),
    (reason) =>
      `${file} cannot be opened (${reason}): this user must be allowed to write the file and its folder, and the disk must have room`,
  );
};

const openMysqlDatabase = (url: string, pool: number): Promise<Database> => {
  const knex = openMysql(url, pool);
  return opened(knex, mysqlEngine(knex), (reason, error) =>
    isUnencrypted(error)
      ? `no encrypted connection to the database (${reason}): its certificate must name the host and come from an authority that Node trusts, or from one in the file that NODE_EXTRA_CA_CERTS names`
      : `the database does not answer: ${reason}`,
  );
};

/** A command has nobody who waits for it. */
const LOCK_PATIENCE = 15_000;

/**
 * Opens the database of `SVC_DATABASE_URL`.
 * @param lockPatience milliseconds for which a transaction waits for the lock that another process holds on an SQLite file
 * @throws SetupError when it cannot be reached
 */
export const openDatabase = async (url: string, pool: number, lockPatience = LOCK_PATIENCE): Promise<Database> => {
  const path = sqlitePath(url);
  return path === undefined ? openMysqlDatabase(url, pool) : openSqliteDatabase(path, lockPatience);
};
