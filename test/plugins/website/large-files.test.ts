/** large-files: a file that is larger than a document in XML may be is added, read at every door, and taken along. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { PART_BYTES } from '../../../core/documents/parts-store';
import { MOST_FILE_BYTES, wrapFile } from '../../../core/files/envelope';
import { UnreadableContent } from '../../../core/sealing/contents-store';
import * as documentStore from '../../../core/documents/store';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import {
  addFiles,
  isSame,
  isUnharmed,
  passThrough,
  pdfOfSize,
  shareIt,
  takeAlong,
  whenReady,
} from '../../support/large-files';
import { formsOf, readable } from '../../support/site';
import { enterSite, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Its document has more bytes than one in XML that is sent may have. */
const SIZE = 9_000_000;
/** How many parts its document has beside the one in its row. */
const PARTS = Math.floor(((SIZE / 3) * 4) / PART_BYTES);

for (const leg of databases) {
  describe(`a large file on ${leg.name}`, { timeout: 120_000 }, () => {
    const bytes = pdfOfSize(SIZE, 'margay');
    let service: TestService;
    let of: SiteRecord;
    let id: string;

    const rows = async (table: string): Promise<number> =>
      Number((await direct(service.services.database)(table).count({ n: '*' }))[0]!['n']);
    const contentOf = (documentId: string): Promise<Buffer | undefined> =>
      documentStore
        .findContent(service.services.database.reads, service.services.contents, { recordId: of.recordId }, documentId)
        .then((found) => found?.content);

    before(async () => {
      service = await startService(leg);
      of = await makeSiteRecord(service);
    });
    after(() => service.stop());

    it('is added, shown, and the same at each door', async () => {
      expect(bytes.length).to.equal(SIZE);
      id = await passThrough(service, of, bytes);
      const { database } = service.services;
      expect(await rows('document_part')).to.equal(PARTS);
      expect(await direct(database)('document_part').whereNull('sealed')).to.equal([]);
      expect(await rows('kept_file')).to.equal(0);
    });

    it('is found in a circle that has it, and nowhere else', async () => {
      await shareIt(service, of, id, bytes);
    });

    it('is taken along and brought in again, and forgotten', async () => {
      await takeAlong(service, of, bytes);
      await isUnharmed(service);
    });

    it('is told of when it is added again, and may come twice at once', async () => {
      const second = await enterSite(service, OWNER);
      const others = [pdfOfSize(8_000_000, 'one'), pdfOfSize(8_000_001, 'two')];
      const added = await Promise.all([
        addFiles(of.owner, of.recordId, [['one.pdf', others[0]!]]),
        addFiles(second, of.recordId, [['two.pdf', others[1]!]]),
      ]);
      for (const [index, one] of added.entries()) {
        const file = await of.owner.get(`/my/records/${of.recordId}/documents/${one.id}/download`);
        expect(isSame(file.bytes, others[index]!)).to.be.true();
      }
      const again = await addFiles(second, of.recordId, [['again.pdf', others[0]!]]);
      expect(readable(again.preview)).to.contain('Is it here already?');
    });

    it('is stored whole or not at all', async () => {
      const before = [await rows('document'), await rows('document_part')];
      const { pipeline, config } = service.services;
      const storing = pipeline.create({
        recordId: of.recordId,
        bytes: wrapFile({ bytes, title: 'Half' }, config.vocabBase),
        mediaType: 'application/xml',
        principal: { kind: 'account', accountId: OWNER, id: OWNER } as never,
        within: () => Promise.reject(new Error('the power is gone')),
      });
      await expect(storing).to.reject('the power is gone');
      expect([await rows('document'), await rows('document_part')]).to.equal(before);
    });

    it('does not open when a part was changed, moved or removed', async () => {
      const on = () => direct(service.services.database)('document_part').where({ document_id: id });
      const [one, two] = (await on().orderBy('num').select('num', 'content')) as { num: number; content: Buffer }[];
      for (const [num, content] of [
        [1, two!.content],
        [1, Buffer.concat([one!.content.subarray(0, -1), Buffer.from([one!.content.at(-1)! ^ 1])])],
      ] as const) {
        await on().where({ num }).update({ content });
        await expect(contentOf(id)).to.reject(UnreadableContent);
        expect((await of.owner.get(`/my/records/${of.recordId}/documents/${id}/download`)).status).to.equal(500);
        await on().where({ num: 1 }).update({ content: one!.content });
      }
      await on().where({ num: 2 }).update({ num: 99 });
      await expect(contentOf(id)).to.reject(UnreadableContent);
      await on().where({ num: 99 }).update({ num: 2 });
      expect(await contentOf(id)).to.exist();
    });

    it('of one byte too much is refused with the sizes that are possible', async () => {
      const before = await rows('document');
      const page = await of.owner.send(await of.owner.open(`/my/records/${of.recordId}/add`), [
        { field: 'file', name: 'film.mp4', bytes: Buffer.alloc(MOST_FILE_BYTES + 1, 'a') },
      ]);
      expect(page.status).to.equal(413);
      expect(readable(page)).to.contain(['This is too large', 'any other file 50 MB']);
      expect([await rows('document'), await rows('kept_file')]).to.equal([before, 0]);
    });

    it('among many files is kept like the others', async () => {
      const notes = [1, 2, 3, 4, 5].map((n) => [`note-${n}.txt`, Buffer.from(`Note ${n}`)] as const);
      const large = pdfOfSize(12_000_000, 'many');
      const sent = await of.owner.send(
        await of.owner.open(`/my/records/${of.recordId}/add`),
        [...notes, ['large.pdf', large] as const].map(([name, content]) => ({ field: 'file', name, bytes: content })),
      );
      const page = await whenReady(of.owner, sent);
      expect(readable(page)).to.contain('6 files').and.not.contain('It is larger than a document may be');
      const { action, fields } = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const answer = await of.owner.post(action, fields);
      await whenReady(of.owner, await of.owner.open(String(answer.headers['location'])));
      const { text } = await service.call(
        of.credentials,
        'GET',
        `/records/${of.recordId}/reports/StoredFile/?response_format=application/json`,
      );
      expect((JSON.parse(text) as { bytes: number }[]).map((file) => file.bytes)).to.include([large.length, 6]);
    });
  });
}
