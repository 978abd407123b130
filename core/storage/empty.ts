/** empty: drops every table of the service, fact tables of forgotten models included. */
import type { Database } from './database';

const tableNames = async ({ knex, dialect }: Database): Promise<readonly string[]> => {
  if (dialect.name === 'sqlite') {
    const rows: { name: string }[] = await knex.raw(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    );
    return rows.map(({ name }) => name);
  }
  const [rows] = await knex.raw(
    'select table_name as name from information_schema.tables where table_schema = database()',
  );
  return (rows as { name: string }[]).map(({ name }) => name);
};

export const emptyDatabase = async (database: Database): Promise<void> => {
  for (const name of await tableNames(database)) {
    await database.knex.raw(`drop table \`${name}\``);
  }
};
