/** databases: the same tests on every database of this run: SQLite always, MariaDB or MySQL when the run has one. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../core/base/clock';
import { migrateCore } from '../../core/db/migrations/migrate';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { direct } from './direct';

export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> };
export type DatabaseLeg = { readonly name: string; readonly create: () => Promise<TestDatabase> };

const server = process.env['SVC_TEST_DATABASE_URL'];

/** A database in memory, which is gone when its one connection is closed. */
export const sqliteMemory: DatabaseLeg = {
  name: 'sqlite in memory',
  create: () => Promise.resolve({ url: 'sqlite::memory:', drop: () => Promise.resolve() }),
};

/** A folder in memory, if there is one, so that files need not wait for a disk. */
const quickFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const sqliteFile: DatabaseLeg = {
  name: 'sqlite',
  create: () => {
    const folder = mkdtempSync(join(quickFolder, 'svc-sqlite-'));
    return Promise.resolve({
      url: `sqlite:${join(folder, 'svc.sqlite')}`,
      drop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    });
  },
};

const mysql = (address: string): DatabaseLeg => ({
  name: 'mysql',
  create: async () => {
    const name = `svc_test_${randomBytes(6).toString('hex')}`;
    const run = async (sql: string): Promise<void> => {
      const database = await openDatabase(`${address}/information_schema`, 1);
      await direct(database).raw(sql);
      await database.close();
    };
    await run(`create database ${name}`);
    return { url: `${address}/${name}`, drop: () => run(`drop database ${name}`) };
  },
});

const servers = server ? [mysql(server.replace(/\/[^/@]*$/, (path) => (path.includes(':') ? path : '')))] : [];

/** The databases of this run; `npm run test:rest` leaves out SQLite where `npm test` has run it. */
export const databases: readonly DatabaseLeg[] = [
  ...(process.env['SVC_TEST_WITHOUT_SQLITE'] === '1' ? [] : [sqliteFile]),
  ...servers,
];

export type OpenDatabase = { readonly database: Database; readonly url: string; readonly drop: () => Promise<void> };

/** Opens a new database with all migrations and no rows. */
export const openTestDatabase = async (leg: DatabaseLeg): Promise<OpenDatabase> => {
  const { url, drop } = await leg.create();
  const database = await openDatabase(url, 10);
  await migrateCore(database, systemClock);
  return {
    database,
    url,
    drop: async () => {
      await database.close();
      await drop();
    },
  };
};
