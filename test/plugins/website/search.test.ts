/** search: values first, then documents and visits; in the person's language and that of the source; nothing of others. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { wrapFile } from '../../../core/files/envelope';
import { databases } from '../../support/databases';
import { readable, type Site, type SitePage } from '../../support/site';
import {
  enterSite,
  factOf,
  factsDocument,
  makeSiteRecord,
  OWNER,
  sample,
  type SiteRecord,
} from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`search on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let address: string;
    const ids: Record<string, string> = {};
    const find = (q: string, site: Site = record.owner): Promise<SitePage> =>
      site.open(`${address}?${new URLSearchParams({ q }).toString()}`);
    const result = (name: string, value: string, date: string): string =>
      factOf('LabResult', {
        test_name_title: name,
        collected_at: date,
        quantitative_result_value_value: value,
        quantitative_result_value_unit: 'mg/dL',
      });

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      address = `/my/records/${record.recordId}/search`;
      ids['old'] = await record.store(factsDocument(service, result('Cholesterol', '231', '2025-11-03T08:00:00Z')));
      ids['new'] = await record.store(factsDocument(service, result('Cholesterol', '199', '2026-01-05T08:00:00Z')));
      ids['visit'] = await record.store(sample(service, 'vital-signs/sample-check-up.xml'));
      ids['problem'] = await record.store(
        factsDocument(service, factOf('Problem', { name_title: 'Hypercholesterolemia', startDate: '2020-01-02' })),
      );
    });
    after(() => service.stop());

    it('stands in the frame of every page of the record, and says how to search', async () => {
      const page = await record.owner.open(`/my/records/${record.recordId}/`);
      expect(page.text).to.contain(`action="${address}"`).and.to.contain('Search this record');
      const empty = await record.owner.open(address);
      expect(empty.status).to.equal(200);
      expect(readable(empty)).to.contain('cholesterol 2025');
    });

    it('answers with values first, then documents, then what else is there', async () => {
      const page = await find('cholesterol');
      const text = readable(page);
      const places = ['Values', 'Documents', 'Also in the record'].map((title) => text.indexOf(title));
      expect(places.every((place, index) => place > (places[index - 1] ?? -1))).to.be.true();
      expect(page.text).to.match(/data-kind="LabResult" data-id="[\w-]+" data-value="199 mg\/dL"/);
      expect(page.text.indexOf('199 mg/dL')).to.be.below(page.text.indexOf('231 mg/dL'));
      expect(page.text).to.contain(`data-kind="Document" data-id="${ids['problem']!}"`);
      expect(text).to.contain('Hypercholesterolemia');
    });

    it('says each value with its day, its mark and its course, and leads to what it found of each kind', async () => {
      const marked = factOf('LabResult', {
        test_name_title: 'Ferritin',
        collected_at: '2025-11-03T08:00:00Z',
        quantitative_result_value_value: '12',
        quantitative_result_value_unit: 'ng/mL',
        abnormal_interpretation_title: 'Low',
        abnormal_interpretation_identifier: 'L',
      });
      const bound = factOf('LabResult', {
        test_name_title: 'Ferritin',
        collected_at: '2024-11-03T08:00:00Z',
        quantitative_result_value_value: '&lt;5',
        quantitative_result_value_unit: 'ng/mL',
      });
      const older = ['2021-11', '2022-11', '2025-02'].map((month) =>
        factOf('LabResult', {
          test_name_title: 'Ferritin',
          collected_at: `${month}-03T08:00:00Z`,
          quantitative_result_value_value: month.slice(2, 4),
          quantitative_result_value_unit: 'ng/mL',
        }),
      );
      await record.store(factsDocument(service, marked, bound, ...older));
      const page = await find('ferritin');
      const values = /<section[^>]*id="values">[^]*?<\/section>/.exec(page.text)![0];
      const said = readable({ ...page, text: `<main>${values}</main>` });
      expect(said).to.contain(['Ferritin 12 ng/mL on 3 November 2025', '<5 ng/mL', 'low', 'Ferritin: 2 older values']);
      expect(values).to.contain('data-value="&lt;5 ng/mL"').and.to.contain('class="spark"');
      expect(page.text).to.match(/href="#values">Values <span class="soft">5</);
      expect(page.text).to.contain('href="#documents"');
      // The day of its facts, not the one on which it was added.
      const documents = /<section[^>]*id="documents">[^]*?<\/section>/.exec(page.text)![0];
      expect(documents).to.contain('first on 3 November 2025').and.to.not.contain('>added ');
    });

    it('means every word, a year too, in capitals or not', async () => {
      const page = await find('CHOLESTEROL 2025');
      expect(page.text).to.contain('231 mg/dL').and.to.not.contain('199 mg/dL');
      expect(readable(await find('cholesterol zebra'))).to.contain('Nothing was found.');
    });

    it('finds readings and visits by their names in all languages', async () => {
      for (const word of ['blood pressure', 'Blutdruck']) {
        const page = await find(word);
        expect(page.text, word).to.match(/data-kind="VitalSigns"[^>]*data-value="132\/82 mm\[Hg\]"/);
      }
      const visits = await find('ambulatory');
      expect(visits.text).to.contain('data-kind="Visit"');
      const german = await enterSite(service, OWNER, 'de');
      const page = await find('Gewicht', german);
      expect(page.text).to.contain('data-kind="VitalSigns"');
    });

    it('finds results by every name of their test, whatever their laboratory calls them', async () => {
      await record.store(
        factsDocument(
          service,
          factOf('LabResult', {
            test_name_title: 'KREA',
            test_name_identifier: '2160-0',
            test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
            collected_at: '2025-11-03T09:00:00Z',
            quantitative_result_value_value: '0.97',
            quantitative_result_value_unit: 'mg/dL',
          }),
        ),
      );
      for (const word of ['creatinine', 'Kreatinin', 'creatinina', 'krea']) {
        expect((await find(word)).text, word).to.contain('data-value="0.97 mg/dL"');
      }
      // The name of the person's language, with the laboratory's own one below it.
      const german = await find('krea', await enterSite(service, OWNER, 'de'));
      expect(readable(german)).to.match(/Kreatinin \(Blut\) 0,97 mg\/dL am 3\. November 2025 KREA/);
    });

    it('finds words with two dots however they are written, in facts and files', async () => {
      const bytes = Buffer.from('Die Größe der Milz ist normal, Oedeme keine.');
      await record.store(wrapFile({ bytes, title: 'Befund' }, service.services.config.vocabBase).toString('utf8'));
      await record.store(
        factsDocument(
          service,
          factOf('Problem', { name_title: 'Übelkeit am Morgen', startDate: '2022-01-02' }),
          factOf('Problem', { name_title: 'Blutarmut', startDate: '2022-01-02' }),
          factOf('Problem', { name_title: 'Gefaessverengung', startDate: '2022-01-02' }),
        ),
      );
      const german = await enterSite(service, OWNER, 'de');
      for (const word of ['uebelkeit', 'übelkeit', 'ubelkeit']) {
        expect(readable(await find(word, german)), word).to.contain('Übelkeit am Morgen');
      }
      for (const word of ['Gefäßverengung', 'gefaessverengung']) {
        expect(readable(await find(word, german)), word).to.contain('Gefaessverengung');
      }
      for (const [word, said] of [
        ['groesse', '<mark>Größe</mark>'],
        ['Größe', '<mark>Größe</mark>'],
        ['ödeme', '<mark>Oedeme</mark>'],
      ] as const) {
        expect((await find(word, german)).text, word).to.contain(said);
      }
      expect(readable(await find('blue', german)))
        .to.contain('Nichts gefunden.')
        .and.to.not.contain('Blutarmut');
    });

    it('answers with the test itself before those that are named after it', async () => {
      const result = (identifier: string, title: string, value: string): string =>
        factOf('LabResult', {
          test_name_title: title,
          test_name_identifier: identifier,
          test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
          collected_at: '2026-02-03T09:00:00Z',
          quantitative_result_value_value: value,
          quantitative_result_value_unit: 'mg/dL',
        });
      const long = 'in Serum or Plasma';
      const [ldl, total] = [`Cholesterol in LDL [Mass/volume] ${long}`, `Cholesterol [Mass/volume] ${long}`];
      await record.store(factsDocument(service, result('13457-7', ldl, '141'), result('2093-3', total, '244')));
      const { text } = await find('cholesterol 2026');
      expect(text.indexOf('data-value="244 mg/dL"')).to.be.within(1, text.indexOf('data-value="141 mg/dL"'));
    });

    it('says a file once', async () => {
      const file = { bytes: Buffer.from('Hello'), title: 'Quetzal' };
      await record.store(wrapFile(file, service.services.config.vocabBase).toString('utf8'));
      const page = readable(await find('quetzal'));
      expect(page.match(/Quetzal/g)).to.have.length(1);
      expect(page).to.not.contain('Also in the record');
    });

    it('counts neither accents nor case nor the forms of Arabic letters, in facts, labels and kinds', async () => {
      const pairs = [
        ['Hämoglobin', 'hamoglobin', 'HAMOGLOBIN', 'hämoglobin', 'HÄMOGLOBIN'],
        ['Große Øresund-Æther', 'grosse', 'oresund', 'aether', 'GROSSE'],
        ['Sodio sérico, niño', 'serico', 'nino', 'NIÑO', 'sérico'],
        ['Potassium', 'pótassium'],
        ['أملاح الحديد ٥٠', 'املاح', 'إملاح', 'أملاح', '50', '٥٠'],
        ['مُستشفى الملكة', 'مستشفي', 'المستشفى'.slice(2), 'الملكه'],
        ['İzmir kłuty', 'izmir', 'kluty', 'İZMİR'],
        ['Cafe\u0301 reaction', 'café', 'cafe'],
      ] as const;
      for (const [said, ...typed] of pairs) {
        const id = await record.store(factsDocument(service, factOf('Problem', { name_title: said })));
        for (const word of typed) {
          const page = await find(word);
          expect(page.text, `${said} by ${word}`).to.match(new RegExp(`data-kind="Problem"[^]{0,900}documents/${id}`));
          expect(page.text, `${said} by ${word}`).to.contain(`data-kind="Document" data-id="${id}"`);
        }
      }
      expect(readable(await find('himoglobin'))).to.contain('Nothing was found.');
      expect(readable(await find('Hamoglobin_'))).to.contain('Nothing was found.');
    });

    it('finds what a code means, and nothing by the address of its system', async () => {
      const smear = factOf('LabResult', {
        test_name_title: 'Smear',
        test_name_identifier: 'SMR7',
        test_name_system: 'https://hospital.example/codes',
        collected_at: '2024-11-03T08:00:00Z',
        value: 'toxic granulation',
      });
      const id = await record.store(factsDocument(service, smear));
      for (const word of ['smr7', 'smear', 'granulation']) {
        expect(readable(await find(word)), word).to.contain('toxic granulation');
      }
      for (const word of ['hospital', 'example']) {
        expect(readable(await find(word)), word).to.not.contain('toxic granulation');
      }
      const path = `/records/${record.recordId}/documents/${id}/set-status`;
      succeeded(await service.call(record.credentials, 'POST', path, { form: { status: 'void', reason: 'x' } }));
    });

    it('takes no harm from signs, and refuses what is too long', async () => {
      for (const q of ['%', '_', "'", '<b>', '*|', '\u0000', '!']) {
        expect((await find(q)).status, q).to.equal(200);
      }
      expect((await find('<img src=x>')).text).to.not.contain('<img src=x');
      expect((await find('x'.repeat(201))).status).to.equal(400);
    });

    it('shows a circle what lies there, not even counts of the rest, and strangers nothing', async () => {
      const place = `/records/${record.recordId}/documents/${ids['old']!}/carenets/${record.carenetId}`;
      succeeded(await service.call(record.credentials, 'PUT', place));
      const page = await record.member.open(`/my/carenets/${record.carenetId}/search?q=cholesterol`);
      expect(page.text).to.contain('231 mg/dL').and.to.not.contain('199 mg/dL').and.to.not.contain('Hyperchol');
      expect(readable(page)).to.match(/Lab results 1\b/);
      expect((await record.stranger.get(`${address}?q=cholesterol`)).status).to.equal(404);
      expect((await record.member.get(`${address}?q=cholesterol`)).status).to.equal(404);
    });

    it('keeps the words out of the history', async () => {
      await find('a very private word');
      const page = await record.owner.open(`/my/records/${record.recordId}/history`);
      expect(readable(page)).to.contain('searched the record').and.to.not.contain('private');
      const csv = await record.owner.get(`/my/records/${record.recordId}/history.csv`);
      expect(csv.text).to.not.contain('private');
    });
  });
}
