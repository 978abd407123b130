/** room: what is held is bounded together and for each owner, and given back once. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { newRoom } from '../../../../core/base/turns/room';

export const lab = Lab.script();
const { describe, it } = lab;

describe('newRoom', () => {
  const full = (): Error => new Error('full');

  it('refuses what is too much for one owner, and holds nothing of it', () => {
    const begin = newRoom({ together: 100, each: 30, full });
    const [one, two] = [begin('anna'), begin('anna')];
    one.more(20);
    expect(() => two.more(11)).to.throw('full');
    two.more(10);
    expect(() => one.more(1)).to.throw('full');
    begin('olga').more(30);
  });

  it('refuses what is too much together, until somebody has ended', () => {
    const begin = newRoom({ together: 50, each: 30, full });
    const one = begin('anna');
    one.more(30);
    begin('olga').more(20);
    const paul = begin('paul');
    expect(() => paul.more(1)).to.throw('full');
    one.end();
    one.end();
    paul.more(30);
    expect(() => begin('eve').more(1)).to.throw('full');
  });
});
