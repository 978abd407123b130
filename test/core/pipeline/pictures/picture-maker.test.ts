/** picture-maker: pages and photos are drawn outside the server, within limits, and what is wrong with a file is told. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { pictureKindOf } from '../../../../core/files/picture-kind';
import { makePictures, type PictureMaker } from '../../../../core/pipeline/pictures/picture-maker';
import type { Drawing } from '../../../../core/pipeline/pictures/picture-messages';
import { endlessPdf, pdfWith, pngOf, sidesOf } from '../../../support/pictures';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const BOX = { width: 400, height: 400 };

describe('the pictures of files', { timeout: 240_000 }, () => {
  let pictures: PictureMaker;
  before(() => {
    pictures = makePictures(10);
  });
  after(() => pictures.close());

  const draw = (bytes: Buffer, page = 1, box = BOX): Promise<Drawing> =>
    pictures.draw({ bytes, kind: pictureKindOf(bytes)!, page, box }, 'somebody');
  const drawn = (drawing: Drawing) => {
    if ('problem' in drawing) {
      throw new Error(`not drawn: ${drawing.problem}`);
    }
    return drawing.drawn;
  };

  it('draws each page of a PDF so that it fits into the box', async () => {
    const pdf = pdfWith(['Ferritin 42', 'Haemoglobin 13']);
    const [first, second] = [drawn(await draw(pdf)), drawn(await draw(pdf, 2, { width: 1200, height: 1700 }))];
    expect({ ...sidesOf(first.png), pages: first.pages }).to.equal({ width: 283, height: 400, pages: 2 });
    expect(sidesOf(second.png)).to.equal({ width: 1200, height: 1698 });
    expect(Buffer.from(first.png).equals(Buffer.from(drawn(await draw(pdf, 2)).png))).to.be.false();
    expect(await draw(pdf, 3)).to.equal({ problem: 'none' });
  });

  it('draws a photo smaller, never larger, and only as one page', async () => {
    expect(sidesOf(drawn(await draw(pngOf(1000, 500))).png)).to.equal({ width: 400, height: 200 });
    expect(sidesOf(drawn(await draw(pngOf(30, 20))).png)).to.equal({ width: 30, height: 20 });
    expect(await draw(pngOf(30, 20), 2)).to.equal({ problem: 'none' });
  });

  it('tells what is wrong with a file, and draws the next one', async () => {
    expect(await draw(Buffer.from('%PDF-1.7\nnothing more'))).to.equal({ problem: 'broken' });
    expect(await draw(Buffer.from('\xff\xd8\xff\xe0 no photo', 'latin1'))).to.equal({ problem: 'broken' });
    expect(await draw(pngOf(20_000, 20_000, 1))).to.equal({ problem: 'large' });
    expect(sidesOf(drawn(await draw(pngOf(30, 20))).png).width).to.equal(30);
  });

  it('ends a process that draws without end, and goes on with the files that waited', async () => {
    const strict = makePictures(3);
    try {
      const ask = (bytes: Buffer, owner: string): Promise<Drawing> =>
        strict.draw({ bytes, kind: pictureKindOf(bytes)!, page: 1, box: BOX }, owner);
      const [endless, other] = await Promise.all([ask(endlessPdf(), 'one'), ask(pngOf(30, 20), 'other')]);
      expect(endless).to.equal({ problem: 'large' });
      expect(drawn(other).width).to.equal(30);
    } finally {
      await strict.close();
    }
  });

  it('refuses what is asked after it was closed', async () => {
    const closed = makePictures(3);
    await closed.close();
    await expect(closed.draw({ bytes: pngOf(3, 2), kind: 'png', page: 1, box: BOX }, 'one')).to.reject(/stopping/);
  });
});
