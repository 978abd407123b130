/** sqlite-driver: better-sqlite3 in the release that the running Node.js can use; the two do the same. */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/**
 * Release 12 goes by what is inside Node.js, and 24.19 changed that: the process ends when a statement that nobody uses
 * is swept. Release 13 goes by Node.js's stable interface, but by more of it than Node.js 20 has.
 */
const fitting = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3' : 'better-sqlite3-napi';

export const Sqlite = createRequire(__filename)(fitting) as typeof BetterSqlite3;

export type SqliteDatabase = BetterSqlite3.Database;
export type SqliteOptions = BetterSqlite3.Options;
