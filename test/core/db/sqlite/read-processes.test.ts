/**
 * read-processes: a process continues after it closed its database, whatever its read processes say meanwhile; a
 * statement that is interrupted ends at once, and the next one finds a process.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { Sqlite } from '../../../../core/db/sqlite/better-sqlite';
import { readProcesses, type ReadProcesses } from '../../../../core/db/sqlite/read-processes';
import { until } from '../../../support/receiver';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const ENDLESS = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) as n from n';

/** The script of a process that only these read processes keep alive. */
const closing = (file: string): string => `
  const { readProcesses } = require(${JSON.stringify(inProject('dist/core/db/sqlite/read-processes.js'))});
  const never = new AbortController().signal;
  (async () => {
    for (let number = 0; number < 12; number += 1) {
      const processes = readProcesses(${JSON.stringify(file)});
      await processes.rows('select 1', [], never);
      const late = processes.rows('select 1', [], never).catch(() => undefined);
      const until = Date.now() + (number % 6);
      while (Date.now() < until);
      await processes.close();
      await late;
    }
    const left = readProcesses(${JSON.stringify(file)});
    await left.rows('select 1', [], never);
    console.log('closed');
  })();`;

/** The script of a process that is killed while one of its read processes counts without end. It says which one. */
const abandoning = (file: string): string => `
  const processes = require('node:child_process');
  const { fork } = processes;
  processes.fork = (...all) => {
    const child = fork(...all);
    child.once('spawn', () => console.log(child.pid));
    return child;
  };
  const { readProcesses } = require(${JSON.stringify(inProject('dist/core/db/sqlite/read-processes.js'))});
  const { rows } = readProcesses(${JSON.stringify(file)});
  const never = new AbortController().signal;
  rows('select 1', [], never).then(() => {
    rows(${JSON.stringify(ENDLESS)}, [], never);
    setTimeout(() => console.log('busy'), 200);
  });`;

/** Whether the process runs. One that has ended and that nobody has asked about is a zombie. */
const runs = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const never = new AbortController().signal;

describe('readProcesses', () => {
  let folder: string;
  let file: string;
  let processes: ReadProcesses;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-read-'));
    file = join(folder, 'a.sqlite');
    new Sqlite(file).exec("create table a (b, c); insert into a values (1, null), (2.5, x'00ff')").close();
    processes = readProcesses(file);
  });
  afterEach(async () => {
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are waited for to the end, whatever they say meanwhile, and keep nobody alive', () => {
    const said = execFileSync(process.execPath, ['-e', closing(file)], { encoding: 'utf8' });
    expect(said).to.equal('closed\n');
  });

  it('end when the process that asked them was killed, also in the middle of a statement', async () => {
    const parent = spawn(process.execPath, ['-e', abandoning(file)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: string[] = [];
    parent.stdout.on('data', (text: Buffer) => said.push(String(text)));
    await until(() => said.join('').includes('busy'));
    const pid = Number.parseInt(said.join(''), 10);
    expect(runs(pid)).to.equal(true);
    parent.kill('SIGKILL');
    await until(() => !runs(pid));
  });

  it('answer rows with their values as they are, and no rows', async () => {
    expect(await processes.rows('select b, c from a order by b', [], never)).to.equal([
      { b: 1, c: null },
      { b: 2.5, c: Buffer.from([0, 255]) },
    ]);
    expect(await processes.rows('select b from a where b = ?', [7], never)).to.equal([]);
    const sent = ['é\u0000"', -1.5, null, Buffer.from([1, 2])];
    expect(await processes.rows('select ? as a, ? as b, ? as c, ? as d, 9e999 as e', sent, never)).to.equal([
      { a: sent[0], b: -1.5, c: null, d: sent[3], e: Infinity },
    ]);
  });

  it('start none once they are closed', async () => {
    await processes.close();
    await expect(processes.rows('select 1', [], never)).to.reject(/the database is closed/);
  });

  it('end what is interrupted with the reason that was given, and go on', async () => {
    const interrupting = new AbortController();
    const asked = processes.rows(ENDLESS, [], interrupting.signal);
    const beside = await processes.rows('select count(*) as n from a', [], never);
    interrupting.abort(new Error('enough'));
    await expect(asked).to.reject('enough');
    expect(beside).to.equal([{ n: 2 }]);
    expect(await processes.rows('select count(*) as n from a', [], never)).to.equal([{ n: 2 }]);
  });

  it('let nothing wait for a slow statement, wherever it was sent', async () => {
    const interrupting = new AbortController();
    const slow = [1, 2].map(() => expect(processes.rows(ENDLESS, [], interrupting.signal)).to.reject('enough'));
    const waiting = new AbortController();
    const given = expect(processes.rows('select 2 as n', [], waiting.signal)).to.reject('not needed');
    const quick = [1, 2, 3].map((n) => processes.rows('select ? as n', [n], never));
    waiting.abort(new Error('not needed'));
    await given;
    expect(await Promise.all(quick)).to.equal([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    interrupting.abort(new Error('enough'));
    await Promise.all(slow);
    expect(await processes.rows('select count(*) as n from a', [], never)).to.equal([{ n: 2 }]);
  });

  it('do not begin what was interrupted before', async () => {
    await expect(processes.rows(ENDLESS, [], AbortSignal.abort(new Error('too late')))).to.reject('too late');
  });

  it('tell those who wait when the database is closed', async () => {
    const asked = expect(processes.rows(ENDLESS, [], never)).to.reject(/was not read to the end/);
    await processes.rows('select 1', [], never);
    await processes.close();
    await asked;
  });
});
