/** left-aside: audit rows that an earlier release could not write during a lock are brought into the log. */
import { existsSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { bringInLeftAside } from '../../../core/audit/left-aside';
import { sqlitePath } from '../../../core/config/sqlite-url';
import { Sqlite } from '../../../core/db/sqlite/better-sqlite';
import { databases, type TestDatabase } from '../../support/databases';
import { command } from '../../support/svc';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const TABLES = ['audit', 'audit_checkpoint'];

describe('rows in the second file of an earlier release', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let file: string;

  beforeEach(async () => {
    database = await databases[0]!.create();
    file = sqlitePath(database.url)!;
    settings = { SVC_DATABASE_URL: database.url, SVC_AUDIT_HEAD: `${file}.head` };
    expect((await command(['accounts', 'create', 'ann@example.org'], settings)).code).to.equal(0);
  });
  afterEach(() => database.drop());

  /** Moves all audit rows out of the database, as if a lock had kept them out. */
  const putAside = (): number => {
    const connection = new Sqlite(file);
    connection.prepare('attach database ? as aside').run(`${file}-aside`);
    TABLES.forEach((table) =>
      connection.exec(`create table aside.${table} as select * from main.${table}; delete from main.${table}`),
    );
    const rows = connection.prepare('select count(*) from aside.audit').pluck().get() as number;
    connection.close();
    return rows;
  };
  const rowsOf = (): number => {
    const connection = new Sqlite(file);
    const rows = connection.prepare('select count(*) from audit').pluck().get() as number;
    connection.close();
    return rows;
  };

  it('stand in the log after the next start, in chains that verify', async () => {
    const rows = putAside();
    expect(rows).to.be.above(0);
    expect(rowsOf()).to.equal(0);
    expect((await command(['accounts', 'create', 'bob@example.org'], settings)).code).to.equal(0);
    expect(rowsOf()).to.be.above(rows);
    expect(existsSync(`${file}-aside`)).to.be.false();
    const { code, stdout } = await command(['verify-audit'], settings);
    expect([code, stdout]).to.include(0);
    expect(stdout).to.contain(' 0 problems');
  });

  it('are brought in once, also when a process ended before it could delete the file', () => {
    const rows = putAside();
    const connection = new Sqlite(file);
    connection.prepare('attach database ? as aside').run(`${file}-aside`);
    connection.exec(
      'insert into main.audit select * from aside.audit; insert into main.audit_checkpoint select * from aside.audit_checkpoint',
    );
    connection.close();
    bringInLeftAside(file);
    bringInLeftAside(file);
    expect(rowsOf()).to.equal(rows);
  });

  it('do not come into a database that was emptied', async () => {
    const rows = putAside();
    expect((await command(['reset', '--yes'], settings)).code).to.equal(0);
    expect(rowsOf()).to.be.below(rows + 1);
    expect(existsSync(`${file}-aside`)).to.be.false();
  });
});
