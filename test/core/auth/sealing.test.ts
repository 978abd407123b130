/** sealing: sealed text opens only with its key, and never after a change. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeSealing } from '../../../core/auth/sealing';

export const lab = Lab.script();
const { describe, it } = lab;

describe('sealing', () => {
  const sealing = makeSealing(['a key of the installation']);

  it('opens what it sealed, the empty text and other alphabets too', () => {
    for (const plain of ['secret', '', 'ключ 🔑', 'x'.repeat(200)]) {
      expect(sealing.open(sealing.seal(plain))).to.equal(plain);
    }
  });

  it('seals content as bytes, which open under the same key only and not after a change', () => {
    for (const plain of [Buffer.alloc(0), Buffer.from([0, 255, 10, 46]), Buffer.alloc(100_000, 'x')]) {
      const sealed = sealing.sealBytes(plain);
      expect(Buffer.compare(sealing.openBytes(sealed), plain)).to.equal(0);
      expect(sealed.length).to.equal(plain.length + 36);
      const changed = Buffer.from(sealed);
      changed[changed.length - 1]! ^= 1;
      expect(() => sealing.openBytes(changed)).to.throw();
      expect(() => makeSealing(['another key']).openBytes(sealed)).to.throw(/another SVC_SECRET_KEY/);
      expect(Buffer.compare(makeSealing(['new', 'a key of the installation']).openBytes(sealed), plain)).to.equal(0);
    }
  });

  it('never seals the same way twice and never shows the text', () => {
    expect(sealing.seal('secret')).to.not.equal(sealing.seal('secret'));
    expect(sealing.seal('secret')).to.not.contain('secret');
  });

  it('fits the column of secrets', () => {
    expect(sealing.seal('s'.repeat(60)).length).to.be.below(300);
  });

  it('does not open what another key sealed', () => {
    expect(() => makeSealing(['another key']).open(sealing.seal('secret'))).to.throw(/another SVC_SECRET_KEY/);
    expect(makeSealing(['a key of the installation']).open(sealing.seal('secret'))).to.equal('secret');
  });

  it('does not open what was changed', () => {
    const [id, content = ''] = sealing.seal('secret').split('.');
    const bytes = Buffer.from(content, 'base64url');
    for (const index of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => sealing.open(`${id}.${changed.toString('base64url')}`)).to.throw();
    }
    expect(() => sealing.open(`${id}.${bytes.subarray(0, 20).toString('base64url')}`)).to.throw();
    expect(() => sealing.open('')).to.throw();
  });
});
