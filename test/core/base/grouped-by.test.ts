/** grouped-by: every item is in the group of its key, in the order in which it came. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { groupedBy } from '../../../core/base/grouped-by';

export const lab = Lab.script();
const { describe, it } = lab;

describe('groupedBy', () => {
  it('keeps the order of groups and items', () => {
    expect([...groupedBy([5, 2, 3, 8, 2], (number) => number % 2)]).to.equal([
      [1, [5, 3]],
      [0, [2, 8, 2]],
    ]);
  });

  it('has no group for nothing', () => {
    expect(groupedBy([], () => 'a').size).to.equal(0);
  });
});
