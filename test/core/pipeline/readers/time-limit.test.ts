/** time-limit: work is ended for the processor time that it takes, and for waiting without doing anything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { processorSeconds, timeLeft } from '../../../../core/pipeline/readers/time-limit';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the time limit of a reader', () => {
  it('goes on for work that a busy machine gives little time', () => {
    const look = { limit: 10, waited: 10, since: 10, used: 0.9, usedSince: 0.9 };
    expect(Math.round(10 * (timeLeft(look) ?? 0))).to.equal(91);
    expect(timeLeft({ ...look, waited: 100, used: 9.9, usedSince: 0.8 })).to.equal(1);
    expect(timeLeft({ ...look, used: 0.03, usedSince: 0.03 })! > 9).to.be.true();
  });

  it('ends work that took its processor time, waits, or never ends', () => {
    const look = { limit: 10, waited: 12, since: 10, used: 3, usedSince: 3 };
    expect(timeLeft({ ...look, used: 10 })).to.be.undefined();
    expect(timeLeft({ ...look, usedSince: 0.005 })).to.be.undefined();
    expect(timeLeft({ ...look, waited: 120 })).to.be.undefined();
    expect(timeLeft({ ...look, used: undefined, usedSince: undefined })).to.be.undefined();
  });

  it('counts the processor time of a process and of those below it', async () => {
    const busy =
      'const end = Date.now() + 400; while (Date.now() < end); process.stdout.write("x"); process.stdin.resume()';
    const outer = spawn('/bin/sh', ['-c', '"$0" -e "$1"; true', process.execPath, busy]);
    await once(outer.stdout, 'data');
    const used = processorSeconds(outer.pid!);
    // The inner process ends with its input, and then the outer one.
    outer.stdin.end();
    await once(outer, 'exit');
    // A system that tells nothing has the clock alone.
    expect(used === undefined || used > 0).to.be.true();
    expect(processorSeconds(2 ** 30)).to.be.undefined();
  });
});
