/**
 * pictures: pages of files as pictures. Bombs are refused and told, nobody sees a page of what they may not read, no
 * word of a page lies in clear, and nothing remains when the record is forgotten.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openAuditSigner } from '../../core/audit/signer';
import { wrapFile } from '../../core/files/envelope';
import { forgetRecord } from '../../core/records/forget';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { endlessPdf, pdfWith, pngOf, sidesOf } from '../support/pictures';
import { startService, type TestService } from '../support/server';
import type { SitePage } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type PictureRow = {
  readonly page: number;
  readonly problem: string | null;
  readonly sealed: number;
  readonly content: Buffer;
};

for (const leg of databases) {
  describe(`pictures of documents on ${leg.name}`, { timeout: 240_000 }, () => {
    let service: TestService;
    let record: SiteRecord;
    const ids = { report: '', photo: '', locked: '', bomb: '', endless: '', words: '' };

    const keep = (bytes: Buffer, title: string): Promise<string> =>
      record.store(wrapFile({ bytes, title }, service.services.config.vocabBase).toString());
    const open = (id: string, picture: string, site = record.owner): Promise<SitePage> =>
      site.open(`/my/records/${record.recordId}/documents/${id}/${picture}`);
    const inCircle = (id: string, picture: string): Promise<SitePage> =>
      record.member.open(`/my/carenets/${record.carenetId}/documents/${id}/${picture}`);
    const rowsOf = async (id: string): Promise<readonly PictureRow[]> =>
      (await direct(service.services.database)('document_picture')
        .where({ document_id: id })
        .orderBy('page')
        .select('page', 'problem', 'sealed', 'content')) as PictureRow[];

    before(async () => {
      service = await startService(leg, { SVC_TRANSFORM_SECONDS: '4' });
      record = await makeSiteRecord(service);
      ids.report = await keep(pdfWith(['Ferritin 42', 'Haemoglobin 13']), 'Report');
      ids.photo = await keep(pngOf(800, 400), 'Photo');
      ids.locked = await keep(pdfWith(['Nothing'], '/Encrypt << /Filter /Standard /V 9 /R 9 >>'), 'Locked');
      ids.bomb = await keep(pngOf(31_000, 31_000, 1), 'Bomb');
      ids.endless = await keep(endlessPdf(), 'Endless');
      ids.words = await record.store('<SchoolLetter xmlns="urn:school"><p>Feels well</p></SchoolLetter>');
    });
    after(() => service.stop());

    it('shows pages and a small picture, which no cache keeps', async () => {
      const [thumb, second] = [await open(ids.report, 'thumb.png'), await open(ids.report, 'pages/2.png')];
      for (const answer of [thumb, second]) {
        expect(answer.status).to.equal(200);
        expect(answer.headers).to.include({ 'content-type': 'image/png', 'cache-control': 'private, no-store' });
      }
      expect(sidesOf(thumb.bytes!)).to.equal({ width: 283, height: 400 });
      expect(sidesOf(second.bytes!).width).to.equal(1200);
      expect(sidesOf((await open(ids.photo, 'pages/1.png')).bytes!)).to.equal({ width: 800, height: 400 });
      expect((await open(ids.report, 'thumb.png')).bytes!.equals(thumb.bytes!)).to.be.true();
    });

    it('answers 404 where there is no page', async () => {
      for (const [id, picture] of [
        [ids.report, 'pages/3.png'],
        [ids.report, 'pages/0.png'],
        [ids.report, 'pages/-1.png'],
        [ids.report, 'pages/1e3.png'],
        [ids.report, 'pages/99999999999.png'],
        [ids.photo, 'pages/2.png'],
        [ids.words, 'thumb.png'],
        [ids.words, 'pages/1.png'],
        [record.recordId, 'thumb.png'],
      ] as const) {
        expect((await open(id, picture)).status, picture).to.equal(404);
      }
    });

    it('refuses what needs too much, says so, and goes on', async () => {
      for (const [id, problem] of [
        [ids.bomb, 'large'],
        [ids.endless, 'large'],
      ] as const) {
        expect((await open(id, 'thumb.png')).status).to.equal(404);
        expect((await rowsOf(id)).map((row) => [row.page, row.problem])).to.equal([[0, problem]]);
      }
      expect((await open(ids.locked, 'thumb.png')).status).to.equal(404);
      expect((await open(ids.photo, 'thumb.png')).status).to.equal(200);
    });

    it('keeps no picture in clear', async () => {
      const rows = await rowsOf(ids.report);
      expect(rows.map(({ page }) => Number(page))).to.equal([0, 2]);
      expect(rows.every(({ sealed }) => Number(sealed) === 1)).to.be.true();
      expect(rows.some(({ content }) => content.includes('PNG') || content.includes('IHDR'))).to.be.false();
    });

    it('shows nobody a page of what they may not read', async () => {
      expect((await inCircle(ids.photo, 'thumb.png')).status).to.equal(404);
      succeeded(
        await service.call(
          record.credentials,
          'PUT',
          `/records/${record.recordId}/documents/${ids.photo}/carenets/${record.carenetId}`,
        ),
      );
      expect((await inCircle(ids.photo, 'thumb.png')).status).to.equal(200);
      expect((await inCircle(ids.photo, 'pages/1.png')).status).to.equal(200);
      expect((await inCircle(ids.report, 'pages/2.png')).status).to.equal(404);
      for (const site of [record.member, record.stranger]) {
        expect((await open(ids.photo, 'thumb.png', site)).status).to.equal(404);
      }
    });

    it('removes every picture with the record', async () => {
      const { database, clock, config, sealing } = service.services;
      const signer = await openAuditSigner(database, sealing, clock, { config, warn: () => undefined });
      await forgetRecord({ database, clock, signer }, record.recordId);
      const rows = await direct(service.services.database)('document_picture').select('seq');
      expect(rows.length).to.equal(0);
    });
  });
}
