/**
 * groups: calls that come while a group is under way are answered with the next group, in order, also when other calls
 * fail.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inGroups, inLine, perTurn } from '../../../core/base/groups';

export const lab = Lab.script();
const { describe, it } = lab;

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

describe('groups', () => {
  it('hold what was asked since the last one began, a limited number of it, and answer in order', async () => {
    const groups: (readonly number[])[] = [];
    const twice = inGroups(3, async (numbers: readonly number[]) => {
      groups.push(numbers);
      await pause();
      return numbers.map((number) => number * 2);
    });
    const first = [1, 2].map((number) => twice(number));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    const later = [3, 4, 5, 6].map((number) => twice(number));
    expect(await Promise.all([...first, ...later])).to.equal([2, 4, 6, 8, 10, 12]);
    expect(groups).to.equal([[1, 2], [3, 4, 5], [6]]);
    expect(await twice(7)).to.equal(14);
  });

  it('fail together and alone', async () => {
    const careful = inGroups(2, async (numbers: readonly number[]) => {
      await pause();
      if (numbers.includes(2)) {
        throw new Error('no');
      }
      return numbers;
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((number) => careful(number)));
    expect(outcomes.map(({ status }) => status)).to.equal([
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('in a line begin before the last one is answered, and those of lane 0 first', async () => {
    const groups: (readonly number[])[] = [];
    const answered: number[] = [];
    const line = inLine(
      2,
      (numbers: readonly number[]) => {
        groups.push(numbers);
        // Takes longer than the next group waits to begin.
        const answers = (numbers[0] === 1 ? pause() : Promise.resolve()).then(() => numbers);
        return { answers, next: numbers.includes(9) ? Promise.reject(new Error('no next')) : Promise.resolve() };
      },
      (number) => (number > 10 ? 1 : 0),
    );
    const asked = [11, 1, 2, 3, 12, 9].map(async (number) => answered.push(await line(number)));
    await Promise.all(asked);
    expect(groups).to.equal([
      [1, 2],
      [3, 9],
      [11, 12],
    ]);
    expect(answered).to.equal([3, 9, 11, 12, 1, 2]);
    expect(await line(4)).to.equal(4);
  });

  it('of one turn wait for no other', async () => {
    const groups: (readonly number[])[] = [];
    const ends: (() => void)[] = [];
    const echo = perTurn(2, async (numbers: readonly number[]) => {
      groups.push(numbers);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
      return numbers;
    });
    const first = [1, 2, 3].map((number) => echo(number));
    await new Promise((resolve) => setImmediate(resolve));
    const later = echo(4);
    await new Promise((resolve) => setImmediate(resolve));
    expect(groups).to.equal([[1, 2], [3], [4]]);
    ends[2]!();
    expect(await later).to.equal(4);
    ends.forEach((end) => end());
    expect(await Promise.all(first)).to.equal([1, 2, 3]);
  });
});
