/** called-wrong: a reading that the person calls wrong is marked where it stands, and counts in no chart and average. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { readable } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CALLED = 'You said that this is wrong';
/** Typed with a slip. */
const WRONG = '172.5';

for (const leg of databases) {
  describe(`readings that are called wrong on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let base: string;

    const open = (path: string) => made.owner.open(`${base}${path}`);

    const store = async (recordId: string, body: string): Promise<void> => {
      succeeded(await service.call(made.credentials, 'POST', `/records/${recordId}/documents/`, { body }));
    };

    /** Says of the statement of a model with these words that it is wrong. */
    const callWrong = async (model: string, words: string, recordId = made.recordId): Promise<void> => {
      const lines = await service.call(made.credentials, 'GET', `/records/${recordId}/lines/${model}/`);
      const says = [...succeeded(lines).text.matchAll(/<Says\b[^>]*?\bid="([^"]*)"[^]*?<\/Says>/g)];
      const statement = says.find(([text]) => text.includes(words))![1]!;
      await store(
        recordId,
        `<OwnWord xmlns="${service.services.config.vocabBase}/xml/documents#"><verdict>wrong</verdict>` +
          `<date>2026-03-05</date><about model="${model}" statement="${statement}">About it</about></OwnWord>`,
      );
    };

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      base = `/my/records/${made.recordId}/`;
      for (const [day, value] of [
        ['2026-03-01', '72'],
        ['2026-03-02', '71'],
        ['2026-03-03', '70'],
        ['2026-03-04', WRONG],
      ] as const) {
        const fact = factOf('VitalSigns', { date: day, weight_value: value, weight_unit: 'kg' });
        const id = await made.store(factsDocument(service, fact));
        const placed = `/records/${made.recordId}/documents/${id}/carenets/${made.carenetId}`;
        succeeded(await service.call(made.credentials, 'PUT', placed));
      }
      expect((await open('tests/weight')).text).to.contain(WRONG);
      await callWrong('VitalSigns', WRONG);
    });
    after(() => service.stop());

    it('leave the chart of the measure and its figures', async () => {
      const { text } = await open('tests/weight');
      const chart = /<svg class="wide"[^]*?<\/svg>/.exec(text)![0];
      expect(chart).to.contain('72').and.to.not.contain(WRONG);
      expect(readable(await open('data/VitalSigns?aggregate_by=avg*weight_value'))).to.contain([
        '2026 3 readings 71 70 72',
        'Latest: 70 kg',
      ]);
    });

    it('leave the overview and the readings beside a new one', async () => {
      const [tiles] = /<section data-kind="VitalSigns">[^]*?<\/section>/.exec((await open('')).text)!;
      expect(tiles).to.contain('70');
      expect(tiles).to.not.contain(WRONG);
      const page = await open('quick/weight');
      expect(readable(page)).to.contain('The last one: 70 kg');
    });

    it('stay in the table, the timeline and a search, with the mark, out of their averages', async () => {
      for (const path of ['data/VitalSigns', 'timeline', 'search?q=weight']) {
        const page = readable(await open(path));
        expect(page.split(CALLED).length - 1, path).to.equal(1);
        expect(page, path).to.contain(WRONG);
      }
      expect(readable(await open('timeline'))).to.contain('Average of 3 of them: 71 kg');
    });

    it('say it in words, also of a medicine, which then marks no day in a chart', async () => {
      await made.store(
        factsDocument(service, factOf('Medication', { drugName_title: 'Lisinopril', startDate: '2026-03-02' })),
      );
      expect((await open('data/VitalSigns')).text).to.contain('Lisinopril');
      await callWrong('Medication', 'Lisinopril');
      expect((await open('data/VitalSigns')).text).to.not.contain('Lisinopril');
      const said = readable(await open('data/OwnWord'));
      expect(said)
        .to.contain('It is wrong')
        .and.to.not.match(/\bwrong wrong\b|· wrong/);
    });

    it('are marked in the files for spreadsheets, which have a column for it only where something is wrong', async () => {
      const rowsOf = async (path: string) => (await open(path)).text.trim().split('\r\n');
      for (const path of ['data/VitalSigns.csv', 'tests/weight.csv']) {
        const [heads = '', ...rows] = await rowsOf(path);
        expect(heads.endsWith(',called_wrong'), path).to.be.true();
        expect(rows.filter((row) => row.endsWith(',true'))).to.have.length(1);
        expect(rows.find((row) => row.endsWith(',true'))).to.contain(WRONG);
      }
      const shared = await made.member.open(`/my/carenets/${made.carenetId}/data/VitalSigns.csv`);
      expect(shared.text).to.contain(WRONG).and.to.not.contain('called_wrong');
    });

    it('are no measurements in words, where there is nothing else', async () => {
      const recordId = await createRecord(service.call, OWNER, 'Una', 'Openshaw');
      const overview = async () => readable(await made.owner.open(`/my/records/${recordId}/`));
      expect(await overview()).to.contain('No measurement yet');
      const fact = factOf('VitalSigns', { date: '2026-03-04', weight_value: WRONG, weight_unit: 'kg' });
      await store(recordId, factsDocument(service, fact));
      await callWrong('VitalSigns', WRONG, recordId);
      expect(await overview()).to.contain('No measurement can be shown here as a number. All of them: Measurements');
    });

    it('are not marked for a circle that does not see what the person says', async () => {
      for (const path of ['data/VitalSigns', 'timeline', 'tests/weight']) {
        const page = readable(await made.member.open(`/my/carenets/${made.carenetId}/${path}`));
        expect(page, path).to.contain(WRONG).and.to.not.contain(CALLED);
      }
    });
  });
}
