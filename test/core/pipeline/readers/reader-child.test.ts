/** reader-child: a reader process that is started before it is known what it has to read. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { bundledFormats, inProject } from '../../../../core/base/paths';
import { startReaderAhead } from '../../../../core/pipeline/readers/reader-child';
import { noteFormat, noteXml, openTestReader } from '../../../support/formats';
import { readersOf, startedFor } from '../../../support/readers';
import { until } from '../../../support/receiver';

export const lab = Lab.script();
const { describe, it } = lab;

const lives = (id: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a process that was started ahead', () => {
  /** The reader, and the process that was started for it, which may be the sandbox around it. */
  const startedAhead = async (): Promise<{ readonly reader: number; readonly started: number }> => {
    const [readers, started] = [new Set(readersOf(process.pid)), new Set(startedFor(process.pid))];
    startReaderAhead([tmpdir(), bundledFormats]);
    let reader: number | undefined;
    await until(() => {
      reader = readersOf(process.pid).find((one) => !readers.has(one));
      return Promise.resolve(reader !== undefined);
    });
    return { reader: reader ?? 0, started: startedFor(process.pid).find((one) => !started.has(one)) ?? 0 };
  };

  it('is the first one that reads', async () => {
    const { reader } = await startedAhead();
    const own = await openTestReader(noteFormat, { xmlWorkers: 1 });
    expect((await own.read(noteXml('<title>t</title>'))).facts).to.have.length(1);
    // A reader that does not read would have been ended and replaced.
    expect(lives(reader)).to.be.true();
    await own.close();
    await until(() => Promise.resolve(!readersOf(process.pid).includes(reader)), 'its end');
  });

  it('is not waited for when it has ended', async () => {
    const { reader, started } = await startedAhead();
    process.kill(reader, 'SIGKILL');
    // Its remains disappear when this process has noticed its end.
    await until(() => Promise.resolve(!existsSync(`/proc/${started}`)), 'its end');
    const own = await openTestReader(noteFormat, { xmlWorkers: 1 });
    expect((await own.read(noteXml('<title>t</title>'))).facts).to.have.length(1);
    await own.close();
  });

  it('keeps nobody from ending, and ends too', async () => {
    const script = `require(${JSON.stringify(join(__dirname, '../../../../core/pipeline/readers/reader-child.js'))}).startReaderAhead([]);`;
    const parent = spawn(process.execPath, ['-e', script], { cwd: inProject(), stdio: 'inherit' });
    let readers: readonly number[] = [];
    await until(() => {
      readers = readersOf(parent.pid ?? 0);
      return readers.length > 0 || parent.exitCode !== null;
    }, 'a reader');
    await until(() => parent.exitCode === 0, 'the end of who started it');
    await until(() => !readers.some(lives), 'the end of the reader');
  });
});

describe('a process that is ended as it starts', () => {
  const file = (name: string): string =>
    JSON.stringify(join(__dirname, `../../../../core/pipeline/readers/${name}.js`));
  /** Processes that were started for a folder with this name. */
  const startedWith = (folder: string): readonly string[] =>
    readdirSync('/proc').filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    });
  const ended = (folder: string): Promise<void> =>
    until(() => Promise.resolve(startedWith(folder).length === 0), 'the end of all');
  const runs = (script: string): ChildProcess =>
    spawn(process.execPath, ['-e', script], { cwd: inProject(), stdio: ['ignore', 'pipe', 'inherit'] });
  const folder = (name: string): string => `/none-${name}-${process.pid}`;

  it('leaves nothing behind when the service ends it', async () => {
    const name = folder('killed');
    const child = runs(`const { ReaderChild, takeProcess } = require(${file('reader-child')});
      const nothing = () => undefined;
      const round = (left) => {
        if (left === 0) return process.exit(0);
        const reader = new ReaderChild({ message: nothing, end: nothing }, takeProcess(['${name.slice(0, 6)}' + '${name.slice(6)}']));
        setTimeout(() => { reader.kill(null); reader.ended.then(() => round(left - 1)); }, left % 12);
      };
      round(120);`);
    await once(child, 'exit');
    await ended(name);
  });

  it('leaves nothing behind when the service is killed', async () => {
    const name = folder('orphaned');
    for (let round = 0; round < 24; round += 1) {
      const child = runs(`const { protection } = require(${file('reader-sandbox')});
        const { startReaderAhead } = require(${file('reader-child')});
        protection();
        startReaderAhead(['${name.slice(0, 6)}' + '${name.slice(6)}']);
        process.stdout.write('started');
        setInterval(() => undefined, 1000);`);
      await once(child.stdout!, 'data');
      await new Promise((resolve) => setTimeout(resolve, round % 8));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await ended(name);
  });
});
