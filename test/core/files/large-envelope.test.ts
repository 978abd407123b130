/** large-envelope: a document with a large file is recognized in the form in which it is written, and read as others. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { wrapFile } from '../../../core/files/envelope';
import { largeEnvelope } from '../../../core/files/large-envelope';

export const lab = Lab.script();
const { describe, it } = lab;

const VOCAB = 'https://svc.example/vocab';
const envelope = (text: string): Buffer => wrapFile({ bytes: Buffer.from(text), title: 'A & <b>' }, VOCAB);

describe('largeEnvelope', () => {
  it('says how long the file is, and decodes it, whatever fills its last characters', async () => {
    for (const text of ['a', 'ab', 'abc', 'abcd', 'Grüße '.repeat(2000)]) {
      const found = largeEnvelope(envelope(text), VOCAB, 10);
      expect(found?.bytes).to.equal(Buffer.byteLength(text));
      expect([await found?.isBase64(), (await found?.decode())?.toString()]).to.equal([true, text]);
      expect(found?.short.toString()).to.equal(
        envelope(text)
          .toString()
          .replace(/<content>[^<]*/, '<content>AA=='),
      );
      expect(found?.beginning().toString()).to.equal(envelope(text).toString());
    }
  });

  it('ends the beginning of a text between two characters', () => {
    const found = largeEnvelope(envelope(`a${'ü'.repeat(1_000_000)}`), VOCAB, 10);
    const base64 = /<content>([^<]*)/.exec(found!.beginning().toString())![1]!;
    expect(Buffer.from(base64, 'base64').toString()).to.equal(`a${'ü'.repeat(749_999)}`);
  });

  it('passes over small documents, other forms, and what stands behind the file', () => {
    const whole = envelope('abc').toString();
    expect(largeEnvelope(Buffer.from(whole), VOCAB, 10_000)).to.be.undefined();
    expect(largeEnvelope(Buffer.from(whole), 'https://other.example', 10)).to.be.undefined();
    for (const other of [
      `${whole}\n`,
      whole.replace('<content>', '<content><!-- -->'),
      whole.replace('YWJj', 'YWJ'),
      whole.replace('YWJj', ''),
      whole.replace('<File ', '<File lang="en" '),
      whole.replace('UTF-8', 'UTF-16'),
    ]) {
      expect(largeEnvelope(Buffer.from(other), VOCAB, 10), other).to.be.undefined();
    }
  });

  it('tells what is no base64', async () => {
    for (const wrong of ['YW-j', 'YW=j', 'Y Wj', 'YWJ!']) {
      const text = envelope('abc').toString().replace('YWJj', wrong);
      expect(await largeEnvelope(Buffer.from(text), VOCAB, 10)?.isBase64(), wrong).to.be.false();
    }
  });
});
