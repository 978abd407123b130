import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import fc from 'fast-check';
import {
  eachInSlices,
  filterInSlices,
  flatMapInSlices,
  groupedInSlices,
  ITEMS_IN_SLICE,
  mapInSlices,
  sliced,
  sortedInSlices,
  textInSlices,
} from '../../../../core/base/turns/slices';

export const lab = Lab.script();
const { describe, it } = lab;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** The most that a counter grew in one turn of the event loop, while the work ran. */
const mostInTurn = async (counter: () => number, work: Promise<unknown>): Promise<number> => {
  let [most, last, done] = [0, counter(), false];
  const turn = (): void => {
    most = Math.max(most, counter() - last);
    last = counter();
    if (!done) {
      setImmediate(turn);
    }
  };
  turn();
  await work;
  done = true;
  turn();
  return most;
};

describe('slices', () => {
  it('are as their names without slices, whatever the items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 3 * ITEMS_IN_SLICE }), async (items) => {
        const pairs = items.map((value, place) => ({ value, place }));
        const byValue = (one: { value: number }, other: { value: number }): number => one.value - other.value;
        expect(await mapInSlices(items, (item) => item * 2)).to.equal(items.map((item) => item * 2));
        expect(await flatMapInSlices(items, (item) => numbers(item % 3))).to.equal(
          items.flatMap((item) => numbers(item % 3)),
        );
        expect(await filterInSlices(items, (item) => item > 9)).to.equal(items.filter((item) => item > 9));
        expect(await sortedInSlices(pairs, byValue)).to.equal([...pairs].sort(byValue));
        const groups = await groupedInSlices(items, (item) => item % 7);
        expect([...groups.values()].flat()).to.have.length(items.length);
        groups.forEach((group, key) => expect(group).to.equal(items.filter((item) => item % 7 === key)));
      }),
      { numRuns: 60 },
    );
  });

  it('let the event loop turn, and share a slice among all loops', async () => {
    let count = 0;
    const loops = numbers(9).map(() => eachInSlices(numbers(1000), () => void (count += 1)));
    // Each loop may have begun one item when the slice of its turn is used up.
    expect(await mostInTurn(() => count, Promise.all(loops))).to.be.at.most(ITEMS_IN_SLICE + loops.length);
    expect(count).to.equal(9000);
  });

  it('sort in slices, too', async () => {
    let compared = 0;
    const sorted = sortedInSlices([...numbers(5000)].reverse(), (one, other) => {
      compared += 1;
      return one - other;
    });
    // A list of one slice is sorted at once, with some comparisons for each item.
    expect(await mostInTurn(() => compared, sorted)).to.be.at.most(ITEMS_IN_SLICE * 12);
    expect(await sorted).to.equal(numbers(5000));
  });

  it('put short pieces of a text together and keep all of it', async () => {
    const pieces = numbers(20_000).map((number) => `${number},`);
    const texts: string[] = [];
    for await (const text of textInSlices(pieces)) {
      texts.push(text);
    }
    expect(texts.join('')).to.equal(pieces.join(''));
    expect(texts.length).to.be.between(2, 20);
  });

  it('end when nothing is counted any more', async () => {
    await sliced(ITEMS_IN_SLICE);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sliced()).to.be.undefined();
  });

  it('pass on what the work throws', async () => {
    const failing = mapInSlices(numbers(1000), (item) => {
      if (item === 700) {
        throw new Error('no more');
      }
    });
    await expect(failing).to.reject('no more');
    expect(await mapInSlices([1], (item) => item)).to.equal([1]);
  });
});
