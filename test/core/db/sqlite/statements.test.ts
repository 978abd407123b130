/** statements: rows as the driver would return them, also from a statement that is older than its table's columns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Sqlite } from '../../../../core/db/sqlite/better-sqlite';
import { allRows, prepared, type SqliteConnection } from '../../../../core/db/sqlite/statements';

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

describe('prepared', () => {
  /** How often SQLite asked for the value of a condition: once at each run, and once more if it planned anew. */
  const countEvaluations = (sql: (condition: string) => string, make: typeof prepared): readonly number[] => {
    const connection: SqliteConnection = new Sqlite(':memory:');
    let evaluations = 0;
    connection.function('counted', { deterministic: true }, (value) => {
      evaluations += 1;
      return value;
    });
    // With statistics of an index, the planner evaluates what the index is compared with.
    connection.exec('create table a (id integer primary key, name text); create index a_name on a (name)');
    connection.exec("insert into a (name) values ('one'), ('two'), ('three'); analyze");
    const statement = make(connection, sql("name > counted('a')"));
    const counts = [1, 2, 3].map((limit) => {
      evaluations = 0;
      statement.all([limit, limit].slice(0, sql('').split('?').length - 1));
      return evaluations;
    });
    connection.close();
    return counts;
  };
  const texts = [
    (condition: string) => `select id from a where ${condition} limit ?`,
    (condition: string) => `select id from a where ${condition} order by id LIMIT ? OFFSET ?`,
    (condition: string) => `select id from (select id from a where ${condition} limit ?) as b order by id limit ?`,
  ];

  it('keeps the plan of a statement whose limit changes', () => {
    for (const text of texts) {
      expect(countEvaluations(text, prepared)).to.equal([1, 1, 1]);
    }
  });

  it('would be planned anew with a bare limit, which this test can see', () => {
    for (const text of texts) {
      expect(countEvaluations(text, (connection, sql) => connection.prepare(sql))).to.not.equal([1, 1, 1]);
    }
  });
});
