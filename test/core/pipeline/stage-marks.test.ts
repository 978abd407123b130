/**
 * stage-marks: the times of its stages that a reader reports, and false reports of a reader that a document has taken
 * over.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { mark, stageTimes, startMarks, takeMarks } from '../../../core/pipeline/stage-marks';
import { monotonic } from '../../../core/base/tracing';

export const lab = Lab.script();
const { describe, it } = lab;

describe('marks of stages', () => {
  it('become times, each stage ending where the next begins', () => {
    const before = monotonic();
    startMarks(true);
    mark('gate');
    mark('validate');
    const times = stageTimes(takeMarks(), before, monotonic());
    expect(times.map(({ stage }) => stage)).to.equal(['gate', 'validate']);
    expect(times[0]!.to).to.equal(times[1]!.from);
    expect(times[1]!.to).to.be.at.least(times[1]!.from);
  });

  it('are not made for nobody', () => {
    startMarks(false);
    mark('gate');
    expect(takeMarks()).to.be.undefined();
    expect(stageTimes(undefined, 0, 1)).to.equal([]);
  });

  it('are believed only as stages that are known, at times at which the reader had the work', () => {
    const hostile: readonly unknown[] = [
      ['HIV positive', 10],
      ['gate', 5],
      ['gate', 'now'],
      ['gate', Number.NaN],
      ['gate', 1e9],
      'gate',
      null,
      [['gate'], 10],
      ['gate', 12],
      ['done', 14],
    ];
    expect(stageTimes(hostile, 10, 20)).to.equal([{ stage: 'gate', from: 12, to: 14 }]);
    expect(stageTimes({ length: 3 }, 10, 20)).to.equal([]);
    expect(stageTimes(Array(1e5).fill(['gate', 11]), 10, 20)).to.have.length(19);
    expect(
      stageTimes(
        [
          ['validate', 15],
          ['gate', 12],
          ['done', 13],
        ],
        10,
        20,
      )[0],
    ).to.equal({
      stage: 'validate',
      from: 15,
      to: 15,
    });
  });
});
