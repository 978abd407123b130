/** limit: only a few works run at a time, in order, whether or not others fail. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { limit, limitInTurn } from '../../../../core/base/turns/limit';

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

describe('a limit in turn', () => {
  /** Hands in works while another one runs; resolves to the order in which they ran. */
  const order = async (room: number, owners: readonly string[]): Promise<readonly string[]> => {
    const turn = limitInTurn(1, room, () => new Error('full'));
    const ran: string[] = [];
    let release: () => void = () => undefined;
    const first = turn('first', () => new Promise<void>((resolve) => (release = resolve)));
    const works = owners.map((owner, number) =>
      turn(owner, async () => {
        ran.push(`${owner}${number}`);
        await Promise.resolve();
      }).catch((error: Error) => ran.push(`${owner}${number} ${error.message}`)),
    );
    release();
    await Promise.all([first, ...works]);
    return ran;
  };

  it('serves owners in turn, the newest of each first', async () => {
    expect(await order(10, ['a', 'a', 'a', 'b', 'b', 'c'])).to.equal(['a2', 'b4', 'c5', 'a1', 'b3', 'a0']);
  });

  it('refuses the oldest of the longest line when too many wait', async () => {
    expect(await order(3, ['a', 'a', 'b', 'a', 'b'])).to.equal(['a0 full', 'a1 full', 'a3', 'b4', 'b2']);
  });

  it('goes on after failures, and when nobody waits', async () => {
    const turn = limitInTurn(1, 0, () => new Error('full'));
    await expect(turn('a', () => Promise.reject(new Error('no')))).to.reject('no');
    expect(await turn('a', () => Promise.resolve(1))).to.equal(1);
    const running = turn('a', () => new Promise((resolve) => setTimeout(resolve, 5)));
    await expect(turn('b', () => Promise.resolve(2))).to.reject('full');
    await running;
    expect(await turn('b', () => Promise.resolve(3))).to.equal(3);
  });
});
