/**
 * aside: a second SQLite file next to the database. Rows that must be safe before a reply is sent (nonces and audit
 * rows) are written there while another process holds the write lock of the database. All processes share the file, and
 * most installations never need it.
 */
import { existsSync } from 'node:fs';
import type { Database, Patience } from './database';
import { openDatabase } from './open';
import { migrations } from './migrations';
import { createColumns, createIndexes, createTable } from './tables';

export type Aside = {
  /** Opens the second file; creates it when it is first needed. */
  readonly open: () => Promise<Database>;
  /** Opens the second file; undefined when no process has ever needed it. */
  readonly found: () => Promise<Database> | undefined;
  readonly close: () => Promise<void>;
};

/** The path of the second file of a database. */
export const asideFile = (file: string): string => `${file}-aside`;

const isKept = ({ table }: { readonly table: string }): boolean =>
  ['nonce', 'audit', 'audit_checkpoint'].includes(table);

/** Creates the missing tables of the second file. */
const makeTables = ({ dialect }: Database): Promise<void> =>
  dialect.exclusively(async (trx) => {
    for (const { tables, columns = [], indexes = [] } of migrations) {
      for (const table of tables.filter(isKept)) {
        await createTable(trx, dialect, table);
      }
      for (const more of columns.filter(isKept)) {
        await createColumns(trx, dialect, more);
      }
      for (const more of indexes.filter(isKept)) {
        await createIndexes(trx, dialect, more);
      }
    }
  });

export const asideOf = (databaseFile: string, patience?: Patience): Aside => {
  const file = asideFile(databaseFile);
  let opening: Promise<Database> | undefined;

  const begin = async (): Promise<Database> => {
    const database = await openDatabase(`sqlite:${file}`, 1, patience);
    try {
      await makeTables(database);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const open = (): Promise<Database> => {
    opening ??= begin().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    open,
    found: () => opening ?? (existsSync(file) ? open() : undefined),
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
};
