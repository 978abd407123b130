/** Only a few at a time, in order, whatever happens to them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { limit } from '../../../core/base/limit';

export const lab = Lab.script();
const { describe, it } = lab;

describe('limit', () => {
  it('lets a few run at a time, in order, and goes on after failures', async () => {
    const turn = limit(2);
    let running = 0;
    let most = 0;
    const began: number[] = [];
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) =>
        turn(async () => {
          began.push(number);
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => {
            setTimeout(resolve, 5);
          });
          running -= 1;
          if (number === 2) {
            throw new Error('no');
          }
        }),
      ),
    );
    expect([most, began]).to.equal([2, [1, 2, 3, 4, 5]]);
    expect(outcomes.map(({ status }) => status)).to.equal([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });
});
