/** progress: a bar on a terminal, which disappears when the work ends. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { withProgress } from '../../../core/base/progress';

export const lab = Lab.script();
const { describe, it } = lab;

describe('progress', () => {
  it('hands on what the work answers, and what it throws', async () => {
    expect(
      await withProgress('pages', ({ begin, step }) => {
        begin(2);
        step();
        return Promise.resolve('done');
      }),
    ).to.equal('done');
    await expect(withProgress('pages', () => Promise.reject(new Error('the disk is full')))).to.reject(
      'the disk is full',
    );
  });

  it("ends a terminal's bar with work that fails", { skip: !existsSync('/usr/bin/script') }, () => {
    const work =
      `require(${JSON.stringify(require.resolve('../../../core/base/progress'))}).withProgress('pages', async ({ ` +
      `begin, step }) => { begin(10); step(3); throw new Error('the disk is full'); }).catch((error) => ` +
      'console.log(error.message))';
    const ran = spawnSync(
      '/usr/bin/script',
      ['-qec', `'${process.execPath}' -e '${work.replaceAll("'", `'\\''`)}'`, '/dev/null'],
      { encoding: 'utf8', timeout: 240_000 },
    );
    expect(ran.signal).to.be.null();
    expect(ran.stdout).to.contain('pages').and.to.contain('the disk is full');
  });
});
