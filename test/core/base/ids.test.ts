/** ids: tokens are long, different, and can be given to a command. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { newToken } from '../../../core/base/ids';

export const lab = Lab.script();
const { describe, it } = lab;

describe('newToken', () => {
  it('is never the same, fits an address, and never looks like an option', () => {
    const tokens = Array.from({ length: 5000 }, newToken);
    expect(new Set(tokens).size).to.equal(tokens.length);
    // One in 64 began with a hyphen when nothing was done about it.
    expect(tokens.filter((token) => !/^\w[\w-]{26}$/.test(token))).to.equal([]);
  });
});
