/** write-lock: statements that meet another connection's lock are retried from the event loop, for a limited time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Database } from '../../../../core/db/database';
import { openDatabase } from '../../../../core/db/open';
import { Sqlite, type SqliteDatabase } from '../../../../core/db/sqlite/better-sqlite';
import { writeLock } from '../../../../core/db/sqlite/write-lock';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const busy = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const held = (): never => {
  throw busy();
};

describe('waiting for a lock', () => {
  it('goes on while others have their turn, and gives up after its time', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await expect(writeLock(200).wait(held)).to.reject(/database is locked/);
    clearInterval(timer);
    expect(turns).to.be.above(5);
  });

  it('counts the time for all who wait, and anew when the lock was free in between', async () => {
    const lock = writeLock(100);
    await expect(lock.wait(held)).to.reject(/locked/);
    let tries = 0;
    const counted = (): never => {
      tries += 1;
      throw busy();
    };
    await expect(lock.wait(counted)).to.reject(/locked/);
    expect(tries).to.equal(1);
    expect(await lock.wait(() => 'free')).to.equal('free');
    await expect(lock.wait(counted)).to.reject(/locked/);
    expect(tries).to.be.above(3);
  });

  it('passes on every other failure at once', async () => {
    let tries = 0;
    const broken = (): never => {
      tries += 1;
      throw new Error('broken');
    };
    await expect(writeLock(1000).wait(broken)).to.reject('broken');
    expect(tries).to.equal(1);
  });
});

describe('a database whose lock another process holds', () => {
  let folder: string;
  let database: Database;
  let stranger: SqliteDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
    const file = join(folder, 'svc.sqlite');
    database = await openDatabase(`sqlite:${file}`, 1, { lockMilliseconds: 100 });
    await database.write((trx) => trx.change('create table thing (name text)'));
    stranger = new Sqlite(file);
    stranger.exec('begin immediate');
  });
  afterEach(async () => {
    stranger.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says 503 to everything that writes, in words that have no value of a statement', async () => {
    const writes: (() => Promise<unknown>)[] = [
      () => database.write((trx) => trx('thing').insert({ name: 'secret' })),
      () => database.transaction((trx) => trx('thing').insert({ name: 'secret' })),
      () => database.write((trx) => trx('thing').insert({ name: 'secret' }), 'ahead'),
    ];
    for (const write of writes) {
      const error = (await expect(write()).to.reject(/busy/)) as Error & { status: number };
      expect(error.status).to.equal(503);
      expect(error.message).to.not.contain('secret');
    }
    expect(await database.reads('thing')).to.equal([]);
  });

  it('lets reads pass while a transaction waits', async () => {
    let settled = false;
    const waiting = database
      .write((trx) => trx('thing').insert({ name: 'late' }))
      .finally(() => {
        settled = true;
      });
    expect(await database.reads('thing')).to.equal([]);
    expect(settled).to.be.false();
    stranger.exec('rollback');
    await waiting;
    expect(await database.reads('thing')).to.equal([{ name: 'late' }]);
  });
});
