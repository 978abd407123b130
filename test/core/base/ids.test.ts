/** ids: tokens are long and different, and can be passed to a command. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { derivedId, newToken } from '../../../core/base/ids';

export const lab = Lab.script();
const { describe, it } = lab;

describe('newToken', () => {
  it('is never the same, fits an address, and never looks like an option', () => {
    const tokens = Array.from({ length: 5000 }, newToken);
    expect(new Set(tokens).size).to.equal(tokens.length);
    // Without a remedy one in 64 would begin with a hyphen.
    expect(tokens.filter((token) => !/^\w[\w-]{26}$/.test(token))).to.equal([]);
  });
});

describe('derivedId', () => {
  it('is a UUID of version 8 that follows from the words and where one ends', () => {
    expect(derivedId('a', 'b')).to.equal(derivedId('a', 'b'));
    expect(new Set([derivedId('a', 'b'), derivedId('ab', ''), derivedId('a","b'), derivedId('b', 'a')]).size).to.equal(
      4,
    );
    expect(derivedId('a')).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
