/**
 * legs: the databases that are measured, each empty and on its own. MariaDB is a private server, where the program is
 * installed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { openDatabase } from '../../core/db/open';
import { findMariadb, startMariadb, type Mariadb } from '../support/mariadb';
import { direct } from '../support/direct';

export type Leg = { readonly name: string; readonly url: string; readonly close: () => Promise<void> };

const sqliteLeg = (): Leg => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  return {
    name: 'SQLite',
    url: `sqlite:${join(folder, 'svc.sqlite')}`,
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
};

const create = async (server: string): Promise<string> => {
  const database = await openDatabase(`${server}/information_schema`, 1);
  await direct(database).raw('create database svc_bench');
  await database.close();
  return `${server}/svc_bench`;
};

const mariadbLeg = async (program: string): Promise<Leg> => {
  const server: Mariadb = await startMariadb(program);
  return { name: 'MariaDB', url: await create(server.url), close: server.stop };
};

const names = ['sqlite', 'mariadb'] as const;
export type DatabaseName = (typeof names)[number];

export const databaseOption = new Option('--database <name>', 'only this one').choices(names);

/** Opens the databases one after the other: two at once would share the machine. */
export const eachLeg = async (only: DatabaseName | undefined, work: (leg: Leg) => Promise<void>): Promise<void> => {
  const program = findMariadb();
  const openers = [
    { name: 'sqlite', open: async () => sqliteLeg() },
    ...(program ? [{ name: 'mariadb', open: () => mariadbLeg(program) }] : []),
  ];
  for (const { open } of openers.filter(({ name }) => only === undefined || name === only)) {
    const leg = await open();
    try {
      await work(leg);
    } finally {
      await leg.close();
    }
  }
};
