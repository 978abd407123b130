/**
 * sqlite-file: work on a SQLite file that runs beside the event loop: syncing the log, long reads, emptying the log.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { errors, type AppError } from '../../../core/base/errors';
import type { Database } from '../../../core/db/database';
import { openDatabase } from '../../../core/db/open';
import { translate } from '../../../core/db/db-errors';
import { diskSync } from '../../../core/db/sqlite/disk-sync';
import { groupCommits } from '../../../core/db/sqlite/group-commit';
import { until } from '../../support/receiver';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('waiting for the disk', () => {
  it('is shared by those who come while it is busy, and never answers for what came later', async () => {
    writeFileSync(join(folder, 'a-wal'), '');
    let synced = 0;
    const disk = diskSync(join(folder, 'a'), () => {
      synced += 1;
    });
    await Promise.all(Array.from({ length: 50 }, () => disk.sync()));
    expect(synced).to.equal(2);
    await disk.sync();
    expect(synced).to.equal(3);
    await disk.close();
  });

  it('promises nothing any more once it has failed', async () => {
    const disk = diskSync(join(folder, 'none'), () => undefined);
    await expect(disk.sync()).to.reject(/has to be started again/);
    writeFileSync(join(folder, 'none-wal'), '');
    const error = (await expect(disk.sync()).to.reject(/could not be written to the disk/)) as Error & {
      status: number;
    };
    expect(error.status).to.equal(503);
    await disk.close();
  });
});

describe('a database in a file', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase(`sqlite:${join(folder, 'svc.sqlite')}`, 1);
    await direct(database).change('create table thing (id integer primary key autoincrement, name text)');
  });
  afterEach(() => database.close());

  const put = (name: string): Promise<unknown> => database.write((trx) => trx('thing').insert({ name }));

  it("is nobody else's to read, and so is its log", async () => {
    await put('private');
    const rights = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    expect(rights.sort()).to.equal([
      ['svc.sqlite', '600'],
      ['svc.sqlite-shm', '600'],
      ['svc.sqlite-wal', '600'],
    ]);
  });

  it('keeps the rights that somebody gave it', async () => {
    await database.close();
    chmodSync(join(folder, 'svc.sqlite'), 0o640);
    database = await openDatabase(`sqlite:${join(folder, 'svc.sqlite')}`, 1);
    expect((statSync(join(folder, 'svc.sqlite')).mode & 0o777).toString(8)).to.equal('640');
  });

  it('answers long reads without holding up others, with what was committed before', async () => {
    await put('first');
    const endless =
      'with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) as n, ' +
      '(select count(*) from thing) as things from n';
    const order: string[] = [];
    const long = database.reads.long.rows<{ n: number; things: number }>(endless, []).then((rows) => {
      order.push('long');
      return rows;
    });
    const short = database.reads.rows('select name from thing', []).then((rows) => {
      order.push('short');
      return rows;
    });
    expect(await short).to.equal([{ name: 'first' }]);
    expect(await long).to.equal([{ n: 3_000_000, things: 1 }]);
    expect(order).to.equal(['short', 'long']);
  });

  it('tells what is wrong with a long read', async () => {
    await expect(database.reads.long.rows('select * from missing', [])).to.reject(/no such table: missing/);
    expect(await database.reads.long.rows('select 1 as one', [])).to.equal([{ one: 1 }]);
  });

  it('shows every long read of many at once what was committed before it was asked, and fails only the broken ones', async () => {
    let written = 0;
    const caller = async (number: number): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        await put(`${number} ${round}`);
        written += 1;
        const known = written;
        const [asked, broken] = [
          database.reads.long('thing').count({ n: '*' }),
          database.reads.long.rows(`select missing from thing where ${number} = ${number}`, []),
        ];
        await expect(broken).to.reject(/no such column: missing/);
        expect(((await asked) as { n: number }[])[0]!.n).to.be.min(known);
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, number) => caller(number)));
    expect(await database.reads.long('thing').count({ n: '*' })).to.equal([{ n: 500 }]);
  });

  it('shows one moment to all reads of a snapshot, to many at the same time', async () => {
    await put('before');
    const counts = await Promise.all(
      Array.from({ length: 10 }, () =>
        database.snapshot(async (on) => {
          const [first] = (await on('thing').count({ n: '*' })) as { n: number }[];
          await put('meanwhile');
          const [second] = (await on('thing').count({ n: '*' })) as { n: number }[];
          return [first!.n, second!.n];
        }),
      ),
    );
    expect(counts.every(([first, second]) => first === second)).to.be.true();
    expect(await database.reads.rows('select count(*) as n from thing', [])).to.equal([{ n: 11 }]);
  });

  it('tells no value of a statement when the disk fails', async () => {
    const broken = groupCommits({
      transact: database.transaction,
      sync: () => Promise.reject(errors.unavailable('the disk is broken')),
    });
    const error = await expect(broken((trx) => trx('thing').insert({ name: 'secret' }), true)).to.reject();
    const told = translate(error) as AppError;
    expect([told.status, told.message]).to.equal([
      503,
      'The service cannot answer now: the disk is broken. Try again soon.',
    ]);
  });

  it('empties its log while nobody waits', async () => {
    const size = (): number => statSync(join(folder, 'svc.sqlite')).size;
    const earlier = size();
    for (let number = 0; number < 110; number += 1) {
      await put('x'.repeat(10_000));
    }
    await until(() => Promise.resolve(size() > earlier + 900_000));
  });

  it('begins its log anew while others go on writing', async () => {
    const sizeOfLog = (): number => statSync(join(folder, 'svc.sqlite-wal')).size;
    const text = 'x'.repeat(20_000);
    let written = 0;
    // The log file keeps its greatest length, which is what about a second of writing adds on a machine that is not
    // busy. A log that never restarts would be longer than all that was written.
    await until(async () => {
      await put(text);
      written += text.length;
      return written > 8_000_000 && sizeOfLog() < written * 0.75;
    });
  });
});
