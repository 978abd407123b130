/** tests by date: all tests in one table, a day a column, in one unit a row, for a record and a carenet. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { readable, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LOINC = 'http://purl.bioontology.org/ontology/LNC/';
const CHOLESTEROL = { test_name_identifier: '2093-3', test_name_system: LOINC };
const SODIUM = { test_name_identifier: '2951-2', test_name_system: LOINC };

const result = (name: string, value: string, unit: string, day: string, more: Readonly<Record<string, string>> = {}) =>
  factOf('LabResult', {
    test_name_title: name,
    quantitative_result_value_value: value,
    quantitative_result_value_unit: unit,
    ...(day === '' ? {} : { collected_at: `${day}T09:00:00Z` }),
    ...more,
  });

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The cells of each row in words, without the rows that name a group. */
const rowsOf = ({ text }: SitePage): readonly (readonly string[])[] =>
  [...text.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) => plain(cell!)),
  );

describe('the table of tests by date', () => {
  let service: TestService;
  let record: SiteRecord;
  const look = (path: string): Promise<SitePage> => record.owner.open(`/my/records/${record.recordId}/${path}`);

  before(async () => {
    service = await startService(databases[0]!);
    record = await makeSiteRecord(service);
    const high = { abnormal_interpretation_identifier: 'H', abnormal_interpretation_title: 'High' };
    const upTo = {
      quantitative_result_normal_range_max_value: '5',
      quantitative_result_normal_range_max_unit: 'mmol/L',
    };
    await record.store(
      factsDocument(
        service,
        result('Cholesterol', '5.97', 'mmol/L', '2025-11-03', { ...CHOLESTEROL, ...high, ...upTo }),
        result('Chol.', '200', 'mg/dL', '2024-05-03', CHOLESTEROL),
        result('Hausmessung', '7.9', 'g', '2024-05-04', {
          status_identifier: 'preliminary',
          status_title: 'Preliminary',
        }),
        result('Sodium', '141', 'mmol/L', '2025-11-03', SODIUM),
        result('Sodium', '142', 'mmol/L', '2025-11-03', SODIUM),
        result('Sodium', '143', 'mmol/L', '2025-11-03', SODIUM),
        result('Hausmessung', '7.5', 'g', '2024-05-03'),
        result('Hausmessung', '7.1', 'g', ''),
        ...Array.from({ length: 7 }, (_, at) => result('Hausmessung', `${at + 1}`, 'g', `201${at}-02-01`)),
      ),
    );
  });
  after(() => service.stop());

  it('is one press from the newest results, and has the newest day first', async () => {
    expect((await look('tests')).text).to.contain(`href="/my/records/${record.recordId}/tests?by=date"`);
    const page = await look('tests?by=date');
    expect(page.status).to.equal(200);
    const [head, ...rows] = rowsOf(page);
    expect(head!.slice(0, 5)).to.equal(['Test', 'Trend', '3 November 2025', '4 May 2024', '3 May 2024']);
    expect(head).to.have.length(9);
    const named = (name: string): readonly string[] => rows.find(([first]) => first!.startsWith(name))!;
    expect(named('Cholesterol').slice(0, 5)).to.equal([
      'Cholesterol, total mmol/L',
      '',
      '5.97 high ≤ 5 mmol/L',
      '·',
      // The unit that the laboratory wrote, since the person has chosen none.
      '200 mg/dL',
    ]);
    expect(named('Hausmessung').slice(0, 6)).to.equal(['Hausmessung g', '', '·', '7.9 Preliminary', '7.5', '7']);
    // Of many results of one day two are shown, and all are counted.
    expect(named('Sodium')[2]).to.match(/^14\d 14\d 3 results$/);
    expect(page.text).to.contain('Blood fats').and.to.contain('Other results');
    expect(readable(await look('tests'))).to.contain('7.9 g Preliminary');
  });

  it('begins with the newest day, says how many of its results are marked, and leads to groups and a file', async () => {
    for (const address of ['tests', 'tests?by=date']) {
      const page = await look(address);
      expect(readable(page), address).to.contain('The newest: 4 results of 3 November 2025. 1 is marked or out of its');
      expect(page.text, address)
        .to.match(/<nav class="chips[^>]*>[^]*tests\?group=lipids">Blood fats [^]*tests\?group=electrolytes">Salts/)
        .and.to.contain(['/data/LabResult.csv"', '/add/LabResult"']);
    }
    const circle = await record.member.open(`/my/carenets/${record.carenetId}/tests`);
    expect(readable(circle)).to.not.contain('The newest');
  });

  it('shows older days, then results without a date', async () => {
    const page = await look('tests?by=date&place=7');
    const [head, ...rows] = rowsOf(page);
    expect(head).to.equal(['Test', 'Trend', '1 February 2012', '1 February 2011', '1 February 2010', 'Without a date']);
    expect(rows).to.equal([['Hausmessung g', '', '3', '2', '1', '7.1']]);
    expect(readable(page)).to.contain('Later days').and.to.not.contain('Earlier days');
    for (const place of ['99', '-1', 'x', '123456']) {
      expect(rowsOf(await look(`tests?by=date&place=${place}`))[0]![2], place).to.equal('3 November 2025');
    }
  });

  it('draws the values of a test in one unit, over the range of the laboratory', async () => {
    const { text } = await look('tests?by=date');
    const label = 'Cholesterol, total: 2 results. First 3 May 2024: 200 mg/dL. Last 3 November 2025: 5.97 mmol/L.';
    const drawn = new RegExp(`<svg[^>]*aria-label="${label}">([^]*?)</svg>`).exec(text)![1]!;
    // 200 mg/dL are 5.17 mmol/L, so that the line goes up, and the newest value has the form of one out of its range.
    const [, y1, y2] = /class="c-line c-1" d="M[\d.]+,([\d.]+)L[\d.]+,([\d.]+)"/.exec(drawn)!;
    expect(Number(y1)).to.be.above(Number(y2));
    expect(drawn).to.contain(['class="b1"', 'class="f-out"']);
    // Words, one value, and values of one time are not drawn.
    expect(text.match(/class="spark"/g)).to.have.length(2);
  });

  it('shows a time, only what is out of its range, and other units, by links that keep each other', async () => {
    const year = await look('tests?by=date&period=5y&only=out&units=mass');
    expect(rowsOf(year)[0]).to.equal(['Test', 'Trend', '3 November 2025', '3 May 2024']);
    expect(rowsOf(year)[1]![0]).to.equal('Cholesterol, total mg/dL');
    expect(rowsOf(year)).to.have.length(2);
    expect(year.text)
      .to.contain('tests?by=date&amp;period=1y&amp;units=mass&amp;only=out"')
      .and.to.contain('tests?by=date&amp;period=5y&amp;units=mass" aria-current="true"');
    expect(year.text.match(/class="b1"/g)).to.have.length(1);
    const none = await look('tests?by=date&period=1m');
    expect(readable(none)).to.contain('No results in this time.');
    for (const query of ['period=x', 'units=stone', 'only=some', 'period=__proto__']) {
      const page = await look(`tests?by=date&${query}`);
      expect(page.status, query).to.equal(200);
      expect(rowsOf(page)[0], query).to.have.length(9);
    }
  });

  it('converts to the unit of the person, and shows what was written', async () => {
    const manner = { what: 'manner', language: 'en', zone: '', theme: '', size: '', units: 'mass' };
    await record.owner.submit(await record.owner.open('/my/account'), manner, 'name="theme"');
    const cells = rowsOf(await look('tests?by=date')).find(([first]) => first!.startsWith('Cholesterol'))!;
    expect(cells[0]).to.equal('Cholesterol, total mg/dL');
    expect(cells[2]).to.match(/^23\d(\.\d+)? high 5\.97 mmol\/L ≤ 5 mmol\/L$/);
    expect(cells[4]).to.equal('200');
    const written = rowsOf(await look('tests?by=date&units=written')).find(([first]) => first!.startsWith('Chol'))!;
    expect(written[0]).to.equal('Cholesterol, total mmol/L');
  });

  it('shows a circle nothing that does not lie in it', async () => {
    const page = await record.member.open(`/my/carenets/${record.carenetId}/tests?by=date`);
    expect(page.status).to.equal(200);
    expect(readable(page)).to.not.contain('Cholesterol').and.to.not.contain('Hausmessung');
  });
});
