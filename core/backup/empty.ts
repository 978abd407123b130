/** empty: drops every table of the service, fact tables of forgotten models included. */
import type { Database } from '../db/database';

const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  mysql: 'select table_name as name from information_schema.tables where table_schema = database()',
};

/** Every table, fact tables of forgotten models included. */
export async function tableNames({ reads, dialect }: Database): Promise<readonly string[]> {
  return (await reads.rows<{ name: string }>(TABLES[dialect.name], [])).map(({ name }) => name);
}

export async function emptyDatabase(database: Database): Promise<void> {
  for (const name of await tableNames(database)) {
    await database.write((trx) => trx.change(`drop table \`${name}\``));
  }
}
