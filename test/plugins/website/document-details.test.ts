/** details: title, day of care, kind and tags stand beside a document, never in it, and circles see the first two. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { readable, type SitePage } from '../../support/site';
import { enterSite, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`details of a document on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    let letter: string;

    const one = (): Promise<SitePage> => record.owner.open(`${base}documents/${letter}`);
    const say = async (own: Readonly<Record<string, string>>): Promise<SitePage> =>
      record.owner.submit(await one(), { own_date: '', own_kind: '', tags: '', ...own });
    const list = (tag: string): Promise<SitePage> =>
      record.owner.open(`${base}documents/?tag=${encodeURIComponent(tag)}`);

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}/`;
      letter = await record.store('<SchoolLetter xmlns="urn:school"><p>Feels well</p></SchoolLetter>');
      await record.store('<SchoolLetter xmlns="urn:school"><p>Another</p></SchoolLetter>');
    });
    after(() => service.stop());

    it('are kept beside the document, which stays as it is', async () => {
      const before = (await record.owner.open(`${base}documents/${letter}/download`)).text;
      const saved = await say({ own_date: '2023-02-03', own_kind: 'X-ray', tags: 'Knie,  herz , HERZ,, Über' });
      expect(saved.status).to.equal(200);
      expect(readable(saved)).to.contain(['3 February 2023', 'X-ray', 'Knie', 'HERZ']);
      expect((await record.owner.open(`${base}documents/${letter}/download`)).text).to.equal(before);
      const row = await record.owner.open(`${base}documents/`);
      expect(readable(row)).to.contain(['X-ray', '3 Feb 2023', 'Knie']);
    });

    it('find documents by a whole tag, whatever its case', async () => {
      for (const tag of ['knie', 'KNIE', 'Herz', 'über']) {
        const page = await list(tag);
        expect(page.text, tag).to.contain(`data-id="${letter}"`);
      }
      for (const tag of ['kni', 'nie', 'kn%', '_nie', 'aber', 'Knie\nHERZ']) {
        expect((await list(tag)).text, tag).to.not.contain('data-kind="Document"');
      }
      const both = await record.owner.open(`${base}documents/?tag=knie&q=another`);
      expect(both.text).to.not.contain('data-kind="Document"');
    });

    it('are refused where they cannot be, and nothing changes', async () => {
      for (const [own, words] of [
        [{ own_date: '2023-02-30' }, 'This is no day'],
        [{ own_date: 'yesterday' }, 'This is no day'],
        [{ own_kind: 'x'.repeat(101) }, 'At most 100 characters'],
        [{ tags: 'x'.repeat(41) }, 'At most 20 tags'],
        [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`).join(',') }, 'At most 20 tags'],
      ] as const) {
        const page = await say(own);
        expect(page.status, words).to.equal(400);
        expect(readable(page)).to.contain(words);
      }
      expect(readable(await one())).to.contain(['3 February 2023', 'X-ray', 'Knie']);
    });

    it('show a circle the title and the day, and no tag', async () => {
      succeeded(
        await service.call(
          record.credentials,
          'PUT',
          `/records/${record.recordId}/documents/${letter}/carenets/${record.carenetId}`,
        ),
      );
      for (const path of [`documents/${letter}`, 'documents/', 'documents/?tag=knie']) {
        const page = await record.member.open(`/my/carenets/${record.carenetId}/${path}`);
        expect(page.status).to.equal(200);
        expect(readable(page)).to.match(/3 Feb(?:ruary)? 2023/);
        expect(page.text).to.not.match(/HERZ|>Knie<|tag=Knie/);
      }
      expect((await record.stranger.open(`${base}documents/?tag=knie`)).status).to.equal(404);
    });

    it('stand beside circles whose usual names are in the language of the person', async () => {
      for (const [language, name] of [
        ['en', 'Family'],
        ['de', 'Familie'],
        ['es', 'Familia'],
      ] as const) {
        const page = await (await enterSite(service, OWNER, language)).open(`${base}documents/${letter}`);
        expect(page.text, language).to.contain(`<bdi>${name}</bdi>`);
      }
    });

    it('are taken back when the fields are empty', async () => {
      const page = await say({});
      expect(readable(page)).to.not.match(/3 Feb(?:ruary)? 2023/);
      expect((await list('knie')).text).to.not.contain('data-kind="Document"');
    });
  });
}
