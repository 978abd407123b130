/** better-sqlite: the release of better-sqlite3 that fits the running Node.js. Both releases behave the same. */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/**
 * Release 12 depends on internals of Node.js, which 24.19 changed: there the process ends when an unused statement is
 * garbage-collected. Release 13 uses Node.js's stable interface, but a larger part of it than Node.js 20 has.
 */
const fitting = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3' : 'better-sqlite3-napi';

export const Sqlite = createRequire(__filename)(fitting) as typeof BetterSqlite3;

export type SqliteDatabase = BetterSqlite3.Database;
export type SqliteOptions = BetterSqlite3.Options;
