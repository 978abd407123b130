/** dialect: every difference between SQLite and MySQL or MariaDB, by name. */
import { anyOf, type Condition } from './condition';
import type { Reads, Transaction } from './connection';

/** Column types as the migrations name them; `text:N` is a string of at most N characters. */
export type ColumnType =
  | 'id'
  | 'stamp'
  | 'date'
  | 'hash'
  | 'principal'
  | 'uri'
  | 'long'
  | 'bytes'
  | 'flag'
  | 'int'
  | 'double'
  | `text:${number}`;

/** A word that is looked for in texts: in lower case, and without accents and forms of letters if these do not count. */
type SoughtWord = {
  readonly text: string;
  readonly folded?: string;
  /** Texts begin with it. */ readonly isFirst?: boolean;
};

/** What the dialect needs of a database. */
type Writes = {
  readonly transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
};

export type Dialect = {
  readonly name: 'sqlite' | 'mysql';
  /** What the server calls itself, for logs and the test report. */
  readonly version: string;
  /** Type text for `CREATE TABLE`. */
  readonly columnType: (type: ColumnType) => string;
  /** Text of an ever-growing primary key. */
  readonly sequenceKey: string;
  /** What follows the closing bracket of CREATE TABLE. */
  readonly tableSuffix: string;
  /** `INSERT` that skips rows which break a unique index. */
  readonly insertIgnore: string;
  /** Runs `work` while no other process runs it on the same database. */
  readonly exclusively: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Runs `work`, which deletes data. As far as the database can do it, the data cannot be read in its files afterwards.
   */
  readonly erasing: <T>(work: () => Promise<T>) => Promise<T>;
  /** Names of the columns of a table, empty when there is no such table. */
  readonly columnsOf: (on: Reads, table: string) => Promise<readonly string[]>;
  readonly indexesOf: (on: Reads, table: string) => Promise<readonly string[]>;
  readonly dropIndex: (table: string, name: string) => string;
  /** The condition that a text contains a word, whatever its case. @param sql for the text */
  readonly says: (sql: string, word: SoughtWord) => Condition;
};

const lengths: Partial<Record<ColumnType, number>> = {
  id: 36,
  stamp: 27,
  date: 10,
  hash: 64,
  principal: 255,
  uri: 255,
};

function characters(type: ColumnType): number | undefined {
  return type.startsWith('text:') ? Number(type.slice(5)) : lengths[type];
}

const sqliteTypes: Partial<Record<ColumnType, string>> = {
  long: 'text',
  bytes: 'blob',
  flag: 'integer',
  int: 'integer',
  double: 'real',
};
const mysqlTypes: Partial<Record<ColumnType, string>> = {
  long: 'longtext',
  bytes: 'longblob',
  flag: 'tinyint(1)',
  int: 'bigint',
  double: 'double',
};

async function readNames(on: Reads, sql: string, table: string): Promise<readonly string[]> {
  return (await on.rows<{ name: string }>(sql, [table])).map(({ name }) => name);
}

/** A pattern for texts that contain a word, or begin with it. */
function patternOf(word: string, isFirst = false): string {
  return `${isFirst ? '' : '%'}${word.replace(/[%_!]/g, '!$&')}%`;
}

/** @param own functions that need the writing connection */
export function sqliteDialect(version: string, own: Pick<Dialect, 'exclusively' | 'erasing'>): Dialect {
  return {
    name: 'sqlite',
    version: `SQLite ${version}`,
    columnType: (type) => sqliteTypes[type] ?? 'text',
    sequenceKey: 'integer primary key autoincrement',
    tableSuffix: '',
    insertIgnore: 'insert or ignore into',
    ...own,
    columnsOf: (on, table) => readNames(on, 'select name from pragma_table_info(?)', table),
    indexesOf: (on, table) => readNames(on, 'select name from pragma_index_list(?)', table),
    dropIndex: (_table, name) => `drop index \`${name}\``,
    // SQLite ignores the case of plain letters only. Its own function for the others is slow, and few texts have any.
    says: (sql, { text, folded = text, isFirst }) => ({
      text: `case when ${sql} glob '*[^ -~]*' then folded(${sql}) else ${sql} end like ? escape '!'`,
      values: [patternOf(folded, isFirst)],
    }),
  };
}

/** Letters that the collation below does not take for those that people type in their place. */
const LETTERS: readonly (readonly [from: string, to: string])[] = [
  ['\u00df', 'ss'],
  ['\u00e6', 'ae'],
  ['\u0153', 'oe'],
  ['\u00f8', 'o'],
  ['\u0142', 'l'],
  ['\u0131', 'i'],
  ['\u0649', '\u064a'],
  ['\u06cc', '\u064a'],
  ['\u0626', '\u064a'],
  ['\u0624', '\u0648'],
  ['\u06a9', '\u0643'],
  ...['\u0622', '\u0623', '\u0625', '\u0671'].map((alef) => [alef, '\u0627'] as const),
  ['\u0629', '\u0647'],
  ['\u0640', ''],
  ['\u2019', "''"],
  ['\u00ad', ''],
];
const MARKS = '[\\x{300}-\\x{36f}\\x{64b}-\\x{65f}\\x{670}]';

/** Texts of plain letters alone are as long in bytes. The others are compared by a collation that ignores accents. */
function saysFolded(sql: string, folded: string, isFirst = false): Condition {
  const letters = LETTERS.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, `lower(${sql})`);
  return {
    text:
      `length(${sql}) <> char_length(${sql}) and ` +
      `regexp_replace(${letters}, ?, '') collate utf8mb4_unicode_520_ci like ? escape '!'`,
    values: [MARKS, patternOf(folded, isFirst)],
  };
}

const LOCK_SECONDS = 120;
/**
 * Locks are global on a server that may hold several installations, so the name contains a hash of the database's name.
 * It has at most 64 characters. MySQL 9 has no sha1.
 */
const LOCK_NAME = "concat('svc_migrate_', left(sha2(database(), 256), 40))";

/**
 * MySQL and MariaDB. Strings compare byte by byte and trailing spaces are significant, as in SQLite; the two servers
 * have different names for that collation.
 */
export function mysqlDialect(version: string, { transaction, write }: Writes): Dialect {
  const collation = /mariadb/i.test(version) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  return {
    name: 'mysql',
    version: /mariadb/i.test(version) ? `MariaDB ${version.replace(/-?mariadb.*/i, '')}` : `MySQL ${version}`,
    columnType: (type) => {
      const length = characters(type);
      return length === undefined ? (mysqlTypes[type] ?? 'longtext') : `varchar(${length})`;
    },
    sequenceKey: 'bigint not null auto_increment primary key',
    tableSuffix: `engine=InnoDB row_format=dynamic default character set utf8mb4 collate ${collation}`,
    insertIgnore: 'insert ignore into',
    erasing: (work) => work(),
    // The transaction keeps the connection with the lock. Changes of tables use another connection, where they commit
    // at once.
    exclusively: (work) =>
      transaction(async (holder) => {
        const [lock] = await holder.rows<{ got: number }>(`select get_lock(${LOCK_NAME}, ?) as got`, [LOCK_SECONDS]);
        if (lock?.got !== 1) {
          throw new Error(`another process has been migrating this database for ${LOCK_SECONDS} seconds`);
        }
        try {
          return await write(work);
        } finally {
          await holder.rows(`select release_lock(${LOCK_NAME})`, []).catch(() => undefined);
        }
      }),
    columnsOf: (on, table) =>
      readNames(
        on,
        'select column_name as name from information_schema.columns where table_schema = database() and ' +
          'table_name = ? order by ordinal_position',
        table,
      ),
    indexesOf: (on, table) =>
      readNames(
        on,
        'select distinct index_name as name from information_schema.statistics where table_schema = database() and table_name = ?',
        table,
      ),
    dropIndex: (table, name) => `drop index \`${name}\` on \`${table}\``,
    says: (sql, { text, folded, isFirst }) => {
      const plain = [...new Set([text, folded ?? text])].map((word) => ({
        text: `lower(${sql}) like ? escape '!'`,
        values: [patternOf(word, isFirst)],
      }));
      return anyOf(folded === undefined ? plain : [...plain, saysFolded(sql, folded, isFirst)]);
    },
  };
}
