/** pictures: a document's page begins with its file, the list has a view of first pages, and a preview shows the file. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { wrapFile } from '../../../core/files/envelope';
import { databases } from '../../support/databases';
import { pdfWith, pngOf, sidesOf } from '../../support/pictures';
import { startService, type TestService } from '../../support/server';
import { readable } from '../../support/site';
import { enterSite, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FILES = 14;

for (const leg of databases) {
  describe(`pages with pictures on ${leg.name}`, { timeout: 240_000 }, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    const ids = { report: '', bomb: '', letter: '' };

    const keep = (bytes: Buffer, title: string): Promise<string> =>
      record.store(wrapFile({ bytes, title }, service.services.config.vocabBase).toString());

    /** A document's page once its first picture is made: the page itself waits only a few seconds for it. */
    const openDrawn = async (id: string): Promise<Awaited<ReturnType<typeof record.owner.open>>> => {
      await record.owner.open(`${base}documents/${id}/thumb.png`);
      return record.owner.open(`${base}documents/${id}`);
    };

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}/`;
      ids.letter = await record.store('<SchoolLetter xmlns="urn:school"><p>Feels well</p></SchoolLetter>');
      for (let index = 2; index < FILES; index += 1) {
        await keep(pngOf(30 + index, 20), `Photo ${index}`);
      }
      ids.bomb = await keep(pngOf(31_000, 31_000, 1), 'Bomb');
      ids.report = await keep(pdfWith(['Ferritin 42', 'Haemoglobin 13']), 'Report');
    });
    after(() => service.stop());

    it('begin with the first page of the file, the others folded', async () => {
      const page = await openDrawn(ids.report);
      expect(page.text).to.match(
        /<img class="page" src="[^"]*\/pages\/1\.png" alt="Page 1 of 2" width="1200" height="169\d"/,
      );
      expect(page.text).to.match(/\/pages\/2\.png" alt="Page 2 of 2" [^>]*loading="lazy"/);
      expect(readable(page)).to.contain('One more page');
      expect(page.text.indexOf('pages/1.png')).to.be.below(page.text.indexOf('id="versions"'));
    });

    it('say why there is no picture, and have none where there is no file', async () => {
      const page = await openDrawn(ids.bomb);
      expect(page.text).to.not.contain('/pages/1.png');
      expect(readable(page)).to.contain('more time or memory than a picture may');
      expect((await record.owner.open(`${base}documents/${ids.letter}`)).text).to.not.contain('/pages/1.png');
    });

    it('list first pages, lazily below the twelfth, and keep what was searched for', async () => {
      const page = await record.owner.open(`${base}documents/?view=grid`);
      const pictures = [...page.text.matchAll(/<img class="page"[^>]*>/g)].map(([image]) => image);
      expect(pictures.length).to.equal(FILES);
      expect(pictures.every((image) => /width="283" height="400"/.test(image))).to.be.true();
      expect(pictures.map((image) => image.includes('loading="lazy"'))).to.equal(
        pictures.map((_, index) => index >= 12),
      );
      expect(page.text).to.contain(`data-kind="Document" data-id="${ids.report}"`);
      const found = await record.owner.open(`${base}documents/?view=grid&q=report`);
      expect([...found.text.matchAll(/thumb\.png/g)].length).to.equal(1);
      const list = await record.owner.open(`${base}documents/?q=report`);
      expect([...list.text.matchAll(/thumb\.png/g)].length).to.equal(1);
      expect(list.text).to.contain('q=report&amp;view=grid');
    });

    it('show a file that is looked at, in this session only', async () => {
      const preview = await record.owner.send(await record.owner.open(`${base}add`), [
        { field: 'file', name: 'scan.pdf', bytes: pdfWith(['Seen first']), type: 'application/pdf' },
      ]);
      const address = /src="([^"]*\/add\/[^"]*\/pages\/1\.png)"/.exec(preview.text)?.[1];
      expect(address).to.be.a.string();
      const picture = await record.owner.open(address!);
      expect(picture.headers).to.include({ 'content-type': 'image/png', 'cache-control': 'private, no-store' });
      expect(sidesOf(picture.bytes!).width).to.equal(1200);
      expect((await record.owner.open(address!.replace('/1.png', '/2.png'))).status).to.equal(404);
      for (const site of [await enterSite(service, OWNER), record.member, record.stranger]) {
        expect((await site.open(address!)).status).to.equal(404);
      }
    });
  });
}
