/** head-file: lines of several writers never mix and never get lost, even while one of them shortens the file. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { appendLines, compactLines, readLines } from '../../../core/audit/head-file';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

describe('a file of heads', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-heads-'));
    path = join(folder, 'var', 'audit.head');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made with its folder, and grows by whole lines', async () => {
    expect(await readLines(path)).to.be.undefined();
    await appendLines(path, ['one', 'two']);
    await appendLines(path, ['three']);
    expect(await readLines(path)).to.equal(['one', 'two', 'three']);
  });

  it('begins a new line behind what a power cut left unfinished', async () => {
    await appendLines(path, ['one']);
    appendFileSync(path, 'unfini');
    await appendLines(path, ['two']);
    expect(await readLines(path)).to.equal(['one', 'unfini', 'two']);
  });

  it('loses no line of any writer while several make it smaller', async () => {
    let writing = true;
    const wanted = new Set<string>();
    const writer = async (name: string): Promise<void> => {
      for (let number = 0; number < 200; number += 1) {
        await appendLines(path, [`${name} ${number}`]);
        wanted.add(`${name} ${number}`);
      }
    };
    const compactor = async (): Promise<void> => {
      while (writing) {
        await compactLines(path, (lines) => Promise.resolve([...new Set(lines)]));
      }
    };
    await appendLines(path, ['first']);
    const compactors = Array.from({ length: 6 }, compactor);
    await Promise.all(['a', 'b', 'c'].map(writer));
    writing = false;
    await Promise.all(compactors);
    const found = new Set(await readLines(path));
    expect([...wanted].filter((line) => !found.has(line))).to.equal([]);
    expect(readdirSync(join(folder, 'var'))).to.equal(['audit.head']);
  });

  it('still has the lines of one that was broken off while it made the file smaller', async () => {
    await appendLines(path, ['one']);
    writeFileSync(`${path}.0123456789ab.old`, 'zero\n');
    expect(new Set(await readLines(path))).to.equal(new Set(['zero', 'one']));
    await compactLines(path, (lines) => Promise.resolve(lines));
    expect(existsSync(`${path}.0123456789ab.old`)).to.be.false();
    expect(new Set(await readLines(path))).to.equal(new Set(['zero', 'one']));
  });

  it('says so when it cannot be written', async () => {
    await expect(appendLines('/proc/nothing/audit.head', ['one'])).to.reject();
  });
});
