/** people: doctors and places that documents name: each once, linked both ways, and in a circle only those named there. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { plainName } from '../../../plugins/reports/people';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, sample, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MOST = 20;

describe('the name of a person', () => {
  it('is compared without title, mark and case, and never by likeness', () => {
    const same = [
      'Dr. Yusra Benali',
      'yusra  BENALI',
      'Benali, Yusra',
      'Prof. Dr. Yusra Benali, MD',
      'Benali, Dr. Yusra',
    ];
    expect([...new Set(same.map(plainName))]).to.equal(['yusra benali']);
    expect(plainName('Yusra Benali-Roy')).to.not.equal('yusra benali');
    expect(plainName('د. يسرا بن علي')).to.contain('يسرا');
    expect(['Dr.', ' - ', '', 'MD'].map(plainName)).to.equal(['', '', '', '']);
  });
});

for (const leg of databases) {
  describe(`doctors and places on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    const ids: Record<string, string> = {};
    const look = (path = '', site: Site = record.owner): Promise<SitePage> => site.open(`${base}people${path}`);
    const keyOf = ({ text }: SitePage, name: string): string =>
      [...text.matchAll(/<li data-kind="Person" data-id="([\w-]+)">[^]*?<\/li>/g)].find(([row]) =>
        row.includes(`<bdi>${name}</bdi>`),
      )?.[1] ?? '';

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}/`;
      ids['stay'] = await record.store(sample(service, 'fhir-bundle/sample-hospital-stay.xml'));
      ids['summary'] = await record.store(sample(service, 'ccda/sample-clinic-summary.xml'));
      ids['one'] = await record.store(
        factsDocument(
          service,
          factOf('Procedure', { name: 'Cast', date_performed: '2024-05-17T08:00:00Z', provider_name: 'Benali, Yusra' }),
          factOf('LabResult', { test_name_title: 'Ferritin', collected_by_org_name: 'Harbour Laboratory' }),
        ),
      );
      ids['two'] = await record.store(
        factsDocument(
          service,
          factOf('Procedure', {
            name: 'Cast removed',
            date_performed: '2024-06-17T08:00:00Z',
            provider_name: '&lt;img src=x onerror=alert(1)&gt;',
          }),
        ),
      );
    });
    after(() => service.stop());

    it('are listed once each, whatever their title and the order of their names', async () => {
      const page = await look();
      expect(page.status).to.equal(200);
      const text = readable(page);
      expect(text).to.contain(['Dr Yusra Benali', 'Mercy Point Hospital', 'Harbour Laboratory']);
      expect(text).to.not.contain('Benali, Yusra');
      expect(page.text).to.not.contain('<img src=x');
      const keys = [...page.text.matchAll(/data-kind="Person" data-id="([\w-]+)"/g)].map(([, key]) => key);
      expect(new Set(keys).size).to.equal(keys.length);
    });

    it('have what they wrote and did, and documents and visits lead to them', async () => {
      const key = keyOf(await look(), 'Dr Yusra Benali');
      const page = await look(`/${key}`);
      expect(readable(page)).to.contain(['Dr Yusra Benali', 'Also written: Benali, Yusra', 'Cast']);
      expect(readable(page)).to.not.contain(['Cast removed', 'Ferritin']);
      const [, visit] = /data-kind="Visit" data-id="([\w-]+)"/.exec(page.text)!;
      for (const path of [`visits/${visit}`, `documents/${ids['one']}`, `documents/${ids['stay']}`]) {
        expect((await record.owner.open(`${base}${path}`)).text, path).to.contain(`href="${base}people/${key}"`);
      }
      expect((await record.owner.open(`${base}documents/${ids['two']}`)).text).to.not.contain(`people/${key}`);
      expect(page.text).to.contain(`documents/${ids['one']}?fact=`);
    });

    it('of a summary are its author and its clinic, with the document', async () => {
      const from = await record.owner.open(`${base}documents/${ids['summary']}`);
      const keys = [...from.text.matchAll(/data-kind="Person" data-id="([\w-]+)"/g)].map(([, key]) => key!);
      expect(keys.length).to.be.above(1);
      const pages = await Promise.all(keys.map((key) => look(`/${key}`)));
      expect(pages.some(({ text }) => text.includes(`data-kind="Document" data-id="${ids['summary']!}"`))).to.be.true();
    });

    it('are found by a search', async () => {
      const key = keyOf(await look(), 'Dr Yusra Benali');
      const found = await record.owner.open(`${base}search?q=benali`);
      expect(keyOf(found, 'Dr Yusra Benali')).to.equal(key);
      expect((await record.owner.open(`${base}search?q=ferritin`)).text).to.not.contain('data-kind="Person"');
    });

    it('have keys that stay, that differ between records, and that open nothing of others', async () => {
      const key = keyOf(await look(), 'Dr Yusra Benali');
      expect(keyOf(await look(), 'Dr Yusra Benali')).to.equal(key);
      expect((await look(`/${key}`, record.stranger)).status).to.equal(404);
      const other = await createRecord(service.call, OWNER, 'Tor', 'Other');
      expect((await record.owner.open(`/my/records/${other}/people/${key}`)).status).to.equal(404);
      expect(readable(await record.owner.open(`/my/records/${other}/people`))).to.contain('No document here names');
      for (const path of ['/unknown', '/%3Cimg%3E', "/x'--"]) {
        expect((await look(path)).status, path).to.equal(404);
      }
    });

    it('in a circle are those whom its documents name', async () => {
      const circle = `/my/carenets/${record.carenetId}/`;
      expect(readable(await record.member.open(`${circle}people`))).to.contain('No document here names');
      const path = `/records/${record.recordId}/documents/${ids['two']!}/carenets/${record.carenetId}`;
      succeeded(await service.call(record.credentials, 'PUT', path));
      const page = await record.member.open(`${circle}people`);
      expect(readable(page))
        .to.contain('<img src=x')
        .and.to.not.match(/Benali|Harbour|Mercy/);
      const key = keyOf(await look(), 'Dr Yusra Benali');
      expect((await record.member.open(`${circle}people/${key}`)).status).to.equal(404);
      expect((await record.member.open(`${circle}search?q=benali`)).text).to.not.contain('data-kind="Person"');
    });

    it('need few statements', async () => {
      const key = keyOf(await look(), 'Dr Yusra Benali');
      for (const path of ['people', `people/${key}`, 'search?q=benali', `documents/${ids['stay']!}`]) {
        const { asked } = await askedBy(() => record.owner.open(`${base}${path}`));
        expect(asked.length, `${path}: ${asked.map(({ sql }) => sql.slice(0, 60)).join('\n')}`).to.be.at.most(MOST);
      }
    });
  });
}
