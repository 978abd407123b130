/** statements: rows as the driver would return them, also from a statement that is older than its table's columns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Sqlite } from '../../../../core/storage/sqlite/better-sqlite';
import { allRows, prepared, type SqliteConnection } from '../../../../core/storage/sqlite/statements';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('allRows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-statements-'));
  let connection: SqliteConnection;
  before(() => {
    connection = new Sqlite(join(folder, 'rows.sqlite'));
    connection.exec(
      "create table a (id integer, name text, data blob); insert into a values (1, 'one', x'00ff'), (2, null, null)",
    );
  });
  after(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });

  it('gives what the driver gives: nulls, bytes, the last of two columns of one name, no rows', () => {
    for (const sql of [
      'select * from a order by id',
      'select id, name as id from a order by a.id',
      'select count(*) from a',
      'select * from a where id = 3',
      "insert into a values (9, 'x', null) returning id, name",
    ]) {
      const own = connection.prepare(sql).all() as object[];
      expect(allRows(prepared(connection, sql), []) as object[]).to.equal(own);
    }
  });

  it('binds values, and gives rows that can be changed one by one', () => {
    const rows = allRows(prepared(connection, 'select id, name from a where id in (?, ?) order by id'), [1, 2]) as {
      id: number;
      name: string | null;
    }[];
    rows[0]!.name = 'changed';
    expect(rows).to.equal([
      { id: 1, name: 'changed' },
      { id: 2, name: null },
    ]);
  });

  it('knows columns that another connection has added since the statement was prepared', () => {
    const statement = prepared(connection, 'select * from a where id = 1');
    expect(allRows(statement, [])).to.equal([{ id: 1, name: 'one', data: Buffer.from([0, 255]) }]);
    const other = new Sqlite(join(folder, 'rows.sqlite'));
    other.exec("alter table a add column more text default 'added'");
    other.close();
    expect(prepared(connection, 'select * from a where id = 1')).to.shallow.equal(statement);
    expect(allRows(statement, [])).to.equal([{ id: 1, name: 'one', data: Buffer.from([0, 255]), more: 'added' }]);
  });
});
