/** picture-codes: codes in pictures are read; what is no picture, is too large or is broken has none, and harms nothing. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { codesInPicture, mayHoldCodes } from '../../../core/received/picture-codes';
import { pngOf, qrPicture } from '../../support/qr-picture';

export const lab = Lab.script();
const { describe, it } = lab;

const LINK = 'shlink:/eyJ1cmwiOiJodHRwczovL2V4YW1wbGUub3JnIn0';

describe('the codes in a picture', () => {
  it('are read from PNG and JPEG', async () => {
    expect(await codesInPicture(qrPicture(LINK))).to.equal([LINK]);
    expect(await codesInPicture(readFileSync(inProject('test', 'fixtures', 'pictures', 'code.jpg')))).to.equal([LINK]);
    expect(await codesInPicture(qrPicture('Grüße, مرحبا'))).to.equal(['Grüße, مرحبا']);
  });

  it('are none in what is no picture, is broken, or unpacks to more dots than a telephone makes', async () => {
    const good = qrPicture(LINK);
    const white = pngOf([Buffer.alloc(64, 255)]);
    expect(await codesInPicture(white)).to.equal([]);
    expect(await codesInPicture(Buffer.from('shlink:/abc'))).to.equal([]);
    for (const cut of [0, 3, 9, 30, good.length - 40]) {
      expect(await codesInPicture(good.subarray(0, cut))).to.equal([]);
    }
    const huge = pngOf([Buffer.alloc(8, 255)], { width: 100_000, height: 100_000 });
    expect(mayHoldCodes(huge)).to.be.false();
    expect(await codesInPicture(huge)).to.equal([]);
    for (let round = 0; round < 20; round += 1) {
      const noise = Buffer.concat([good.subarray(0, 40), randomBytes(400)]);
      expect(await codesInPicture(noise)).to.equal([]);
    }
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), randomBytes(400)]);
    expect(await codesInPicture(jpeg)).to.equal([]);
    expect(await codesInPicture(good)).to.equal([LINK]);
  });
});
