/** sqlite-worker: a process continues after it closed its database, even when a thread responds at the same moment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { sqliteWorker } from '../../../../core/storage/sqlite/sqlite-worker';

export const lab = Lab.script();
const { describe, it } = lab;

/** The script of a process that only these workers keep alive. */
const closing = (file: string): string => `
  const { sqliteWorker } = require(${JSON.stringify(inProject('dist/core/storage/sqlite/sqlite-worker.js'))});
  const { Sqlite } = require(${JSON.stringify(inProject('dist/core/storage/sqlite/better-sqlite.js'))});
  new Sqlite(${JSON.stringify(file)}).exec('create table a (b)');
  (async () => {
    for (let number = 0; number < 30; number += 1) {
      const worker = sqliteWorker(${JSON.stringify(file)});
      await worker.rows('select 1', []);
      const late = worker.rows('select 1', []).catch(() => undefined);
      const until = Date.now() + (number % 6);
      while (Date.now() < until);
      await worker.close();
      await late;
    }
    console.log('closed');
  })();`;

describe('sqliteWorker', () => {
  it('is waited for to the end, whatever its threads say meanwhile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
    try {
      const said = execFileSync(process.execPath, ['-e', closing(join(folder, 'a.sqlite'))], { encoding: 'utf8' });
      expect(said).to.equal('closed\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('starts no thread once it is closed', async () => {
    const worker = sqliteWorker(':memory:');
    await worker.close();
    await expect(worker.rows('select 1', [])).to.reject(/the database is closed/);
  });
});
