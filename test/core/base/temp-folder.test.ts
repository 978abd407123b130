/** temp-folder: incomplete files are readable by this user only, and are all removed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { withTempFolder } from '../../../core/base/temp-folder';
import { SetupError } from '../../../core/base/errors';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('drafts', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-drafts-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are in a folder that only this user may enter, and go when the work ends or fails', async () => {
    const file = join(folder, 'wanted');
    const drafts = await withTempFolder(file, (inside) => {
      expect(statSync(inside).mode & 0o777).to.equal(0o700);
      return Promise.resolve(inside);
    });
    expect(existsSync(drafts)).to.be.false();
    await expect(withTempFolder(file, () => Promise.reject(new Error('the work failed')))).to.reject('the work failed');
    expect(readdirSync(folder)).to.equal([]);
  });

  it('want a folder that is there', async () => {
    await expect(withTempFolder(join(folder, 'none', 'wanted'), () => Promise.resolve())).to.reject(
      SetupError,
      `${join(folder, 'none')}: there is no such folder`,
    );
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`go with a process that ${signal} ends`, async () => {
      const script = `require(${JSON.stringify(require.resolve('../../../bin/signals'))}).exitOnSignals();
        require(${JSON.stringify(require.resolve('../../../core/base/temp-folder'))}).withTempFolder(${JSON.stringify(join(folder, 'wanted'))}, (inside) => { process.stdout.write(inside); return new Promise((go) => setTimeout(go, 60000)); });`;
      const child = spawn(process.execPath, ['-e', script]);
      const [inside] = (await once(child.stdout, 'data')) as [Buffer];
      expect(existsSync(inside.toString())).to.be.true();
      child.kill(signal);
      expect((await once(child, 'exit'))[0]).to.equal(code);
      expect(readdirSync(folder)).to.equal([]);
    });
  }
});
