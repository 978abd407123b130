/** export-files: a record as files by year with readable names, for those who have the whole record. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { wrapFile } from '../../../core/files/envelope';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Site } from '../../support/site';
import { enterSite, factOf, factsDocument, makeSiteRecord, STRANGER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { unzip } from '../../support/unzip';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PDF = Buffer.from('%PDF-1.4\n%\u00e4 a letter\n%%EOF\n', 'latin1');

type Bundle = { readonly entry: readonly { readonly resource: { readonly resourceType: string } }[] };

for (const leg of databases) {
  describe(`taking a record along as files on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let address: string;

    /** What the browser of a person gets for the form of the page. */
    const take = async (
      site: Site,
      language = 'en',
    ): Promise<{ readonly status: number; readonly type: string; readonly bytes: Buffer }> => {
      await site.open('/my/account');
      const response = await service.running.server.inject({
        method: 'POST',
        url: address,
        headers: {
          'accept-language': language,
          cookie: [...site.cookies].map((pair) => pair.join('=')).join('; '),
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams({ crumb: site.cookies.get('crumb')! }).toString(),
      });
      const { statusCode: status, headers, rawPayload: bytes } = response;
      return { status, type: String(headers['content-type']), bytes };
    };
    const storeFile = (title: string, date?: string): Promise<string> =>
      record.store(
        wrapFile({ bytes: PDF, title, ...(date ? { date } : {}) }, service.services.config.vocabBase).toString('utf8'),
      );
    const rows = async (): Promise<number> =>
      (
        (await direct(service.services.database)('audit')
          .whereIn('function_name', ['record_files', 'record_resources'])
          .where({ successful: 1 })) as readonly unknown[]
      ).length;

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      address = `/my/records/${record.recordId}/export/files.zip`;
      await record.store(
        factsDocument(service, factOf('Allergy', { allergen_title: 'Penicillin', onset: '2011-04-05' })),
      );
      await storeFile('Letter: "Dr. <Ömer>"/../.. CON', '2019-03-02');
      await storeFile('letter: "dr. <ömer>"/../.. con', '2019-03-02');
      const gone = await storeFile('Sent by mistake', '2018-01-01');
      succeeded(
        await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/${gone}/set-status`, {
          form: { status: 'void', reason: 'x' },
        }),
      );
    });
    after(() => service.stop());

    it('names a file with its ending once, and by the day of care that a person says', async () => {
      const id = await storeFile('Scan.PDF', '2017-01-01');
      const page = await record.owner.open(`/my/records/${record.recordId}/documents/${id}`);
      await record.owner.submit(page, { own_date: '2016-05-04', own_kind: '', tags: '' });
      expect([...unzip((await take(record.owner)).bytes).keys()]).to.include('2016/2016-05-04 Scan.pdf');
      succeeded(
        await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/${id}/set-status`, {
          form: { status: 'void', reason: 'x' },
        }),
      );
    });

    it('offers the files on the page of the record', async () => {
      const page = await record.owner.open(`/my/records/${record.recordId}/export`);
      const form = formsOf(page).find(({ html }) => html.includes('Download files'))!;
      expect(form.action).to.equal(address);
    });

    it('has each active document in the folder of its year, under a name of its own', async () => {
      const answer = await take(record.owner);
      expect([answer.status, answer.type]).to.equal([200, 'application/zip']);
      const files = unzip(answer.bytes);
      // Where the compiler of paper is not installed, the summary is missing.
      const paths = [...files.keys()].filter((path) => path !== 'summary.pdf').sort();
      expect(paths).to.have.length(6);
      expect(paths).to.contain([
        '2011/2011-04-05 Penicillin.xml',
        '2019/2019-03-02 letter dr. ömer .. .. con.pdf',
        '2019/2019-03-02 Letter Dr. Ömer .. .. CON (2).pdf',
        'index.html',
        'record.fhir.json',
      ]);
      expect(files.get('2019/2019-03-02 letter dr. ömer .. .. con.pdf')).to.equal(PDF);
      expect(files.get('2011/2011-04-05 Penicillin.xml')!.toString()).to.contain('Penicillin');
      const index = files.get('index.html')!.toString();
      expect(index).to.contain([
        'href="2011/2011-04-05%20Penicillin.xml"',
        '4 documents',
        '5 April 2011',
        '&quot;Dr. &lt;Ömer>&quot;',
      ]);
      expect(index).to.not.contain('<Ömer>').and.to.not.contain('Sent by mistake').and.to.not.contain('<script');
    });

    it('has everything as the Bundle that the FHIR door answers', async () => {
      const bundle = JSON.parse(
        unzip((await take(record.owner)).bytes)
          .get('record.fhir.json')!
          .toString(),
      ) as Bundle;
      const types = bundle.entry.map(({ resource }) => resource.resourceType);
      expect(types).to.include(['Patient', 'AllergyIntolerance', 'DocumentReference']);
    });

    it('has the page for a doctor as a PDF, where the service makes PDFs', async () => {
      const files = unzip((await take(record.owner)).bytes);
      const printed = await record.owner.open(`/my/records/${record.recordId}/paper.pdf`);
      expect(files.has('summary.pdf')).to.equal(printed.status === 200);
      expect(files.get('index.html')!.toString().includes('summary.pdf')).to.equal(printed.status === 200);
      expect(files.get('summary.pdf')?.toString('latin1').slice(0, 5) ?? '%PDF-').to.equal('%PDF-');
    });

    it('speaks the language of the person, also from right to left', async () => {
      const site = await enterSite(service, 'olga@people.example', 'ar');
      const index = unzip((await take(site, 'ar')).bytes)
        .get('index.html')!
        .toString();
      expect(index).to.contain('<html lang="ar" dir="rtl">');
    });

    it('refuses members of a circle, strangers, nobody and forged forms, and gives it to a full share', async () => {
      const before = await rows();
      expect((await take(record.member)).status).to.equal(404);
      expect((await take(record.stranger)).status).to.equal(404);
      expect((await record.owner.post(address, { crumb: 'x'.repeat(43) })).status).to.equal(403);
      expect((await record.owner.get(address)).status).to.equal(404);
      expect(await rows()).to.equal(before);
      succeeded(
        await service.call(record.credentials, 'POST', `/records/${record.recordId}/shares/`, {
          form: { account_id: STRANGER },
        }),
      );
      expect((await take(record.stranger)).status).to.equal(200);
      expect(await rows()).to.equal(before + 2);
      const history = readable(await record.owner.open(`/my/records/${record.recordId}/history`));
      expect(history).to.contain('took the documents along as files');
    });
  });
}
