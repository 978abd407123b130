/** tests: results of one laboratory test in one list, as they are written and converted, for a record and a carenet. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PersonVisit } from '../../../plugins/website/http/page';
import { Growth } from '../../../plugins/website/pages/tests/growth';
import { wordsIn } from '../../../plugins/website/words/words';
import { databases } from '../../support/databases';
import { readable, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

type Said = {
  readonly code: string;
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly day: string;
};

const result = ({ code, name, value, unit = '', day }: Said, more: Readonly<Record<string, string>> = {}) =>
  factOf('LabResult', {
    test_name_title: name,
    ...(code === '' ? {} : { test_name_identifier: code, test_name_system: LOINC }),
    ...(unit === '' ? { value } : { quantitative_result_value_value: value, quantitative_result_value_unit: unit }),
    collected_at: `${day}T09:00:00Z`,
    ...more,
  });

for (const leg of databases) {
  describe(`the pages of tests on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    const look = (path: string): Promise<SitePage> => record.owner.open(`/my/records/${record.recordId}/${path}`);

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
    });
    after(() => service.stop());

    it('say so when there are no results', async () => {
      const page = await look('tests');
      expect(page.status).to.equal(200);
      expect(readable(page)).to.contain('There are no results yet');
      expect((await look('tests/cholesterol')).status).to.equal(404);
    });

    describe('of measures of the body', () => {
      const vitals = (day: string, upper: string, lower: string): string =>
        factOf('VitalSigns', {
          date: day,
          bp_systolic_value: upper,
          bp_systolic_unit: 'mm[Hg]',
          bp_diastolic_value: lower,
          bp_diastolic_unit: 'mm[Hg]',
        });
      const measured = (type: string, day: string, value: string, unit: string): string =>
        factOf('Measurement', { type, value, unit, datetime: day });
      const waist = (day: string, value: string): string => measured('Waist', day, value, 'cm');
      const put = (path: string, fields: Readonly<Record<string, string>>): Promise<SitePage> =>
        record.owner.post(`/my/records/${record.recordId}/${path}`, {
          crumb: record.owner.cookies.get('crumb')!,
          ...fields,
        });

      before(async () => {
        const year = new Date().getUTCFullYear();
        await record.store(
          factsDocument(
            service,
            vitals(`${year - 3}-03-01T07:00:00Z`, '150', '95') +
              vitals(`${year - 3}-03-01T20:00:00Z`, '130', '85') +
              vitals(`${year - 3}-03-02T07:00:00Z`, '140', '91') +
              waist(`${year - 3}-03-02T07:00:00Z`, '91.5') +
              waist(`${year - 3}-05-02T07:00:00Z`, '88'),
          ),
        );
      });

      it('show readings in a chart and a table, in the morning and in the evening, by ranges of time', async () => {
        const page = await look('tests/blood-pressure');
        expect(page.status).to.equal(200);
        const said = readable(page);
        expect(said).to.contain(['Blood pressure', '150 / 95', 'In the morning 145 / 93', 'average, readings: 2']);
        expect(said).to.contain('In the evening 130 / 85');
        expect(page.text).to.contain(['<svg', 'period=1y', 'data-kind="VitalSigns"']);
        const lately = readable(await look('tests/blood-pressure?period=1y'));
        expect(lately).to.contain('There are no readings in this time.').and.to.not.contain('150 / 95');
        const other = await look('tests/waist');
        expect(readable(other)).to.contain(['Waist', '91.5', '88']);
        expect(readable(other)).to.not.contain('In the morning');
        expect((await look('tests/none-such')).status).to.equal(404);
      });

      it('lead to the other measures that have readings, and show the last year where it has some', async () => {
        const chips = ({ text }: SitePage): string => /<nav class="chips.*?<\/nav>/s.exec(text)?.[0] ?? '';
        const before = chips(await look('tests/waist'));
        expect(before).to.contain(['/tests/blood-pressure"', '/tests/waist" aria-current="page"']);
        expect(before).to.not.contain('/tests/temperature"').and.to.not.contain('data/Measurement');
        const lately = new Date(Date.now() - 30 * 86_400_000).toISOString();
        const long = new Date(Date.now() - 2000 * 86_400_000).toISOString();
        await record.store(
          factsDocument(
            service,
            factOf('VitalSigns', {
              date: lately,
              oxygen_saturation_value: '97',
              oxygen_saturation_unit: '%{HemoglobinSaturation}',
            }) +
              factOf('VitalSigns', {
                date: long,
                oxygen_saturation_value: '93',
                oxygen_saturation_unit: '%{HemoglobinSaturation}',
              }) +
              measured('Grip strength', lately, '31', 'kg') +
              measured('Steps', lately, '4000', '{steps}'),
          ),
        );
        const page = await look('tests/oxygen-saturation');
        expect(page.text).to.match(/period=1y" aria-current="true"/);
        expect(readable(page)).to.contain(['97', '1 more measurement']).and.to.not.contain('93');
        expect(chips(page)).to.contain(['/tests/waist"', '/data/Measurement"']);
        expect(readable(await look('tests/oxygen-saturation?period=all'))).to.contain(['97', '93']);
        expect((await look('tests/waist')).text, 'nothing of the last year').to.match(
          /period=all" aria-current="true"/,
        );
        const circle = await record.member.get(`/my/carenets/${record.carenetId}/tests/oxygen-saturation`);
        expect(circle.text).to.not.contain('/tests/waist"');
      });

      it('are one chart and one table, whichever model they are in, in one unit', async () => {
        const weight = (day: string, value: string): string =>
          factOf('VitalSigns', { date: day, weight_value: value, weight_unit: 'kg' });
        const scales = await record.store(
          factsDocument(
            service,
            weight('2019-01-02T08:00:00Z', '80') +
              measured('Body weight', '2019-01-03T08:00:00Z', '200', '[lb_av]') +
              measured('Body weight', '2019-01-04T08:00:00Z', '12', 'stones') +
              weight('2019-01-05T08:00:00Z', '82'),
          ),
        );
        const page = await look('tests/weight');
        expect(page.text.match(/<figure/g)).to.have.length(1);
        expect(page.text.match(/<table/g)).to.have.length(1);
        const rows = [...page.text.matchAll(/<tr data-kind="(\w+)" data-id="[^"]+">([^]*?)<\/tr>/g)].map(
          ([, kind, html]) => ({
            kind,
            says: html!
              .replaceAll(/<[^>]*>/g, ' ')
              .replaceAll(/\s+/g, ' ')
              .trim(),
            leads: html!.includes(`documents/${scales}`),
          }),
        );
        expect(rows.map(({ kind }) => kind)).to.equal(['VitalSigns', 'Measurement', 'Measurement', 'VitalSigns']);
        expect(rows.every(({ leads }) => leads)).to.be.true();
        expect(rows[0]!.says).to.match(/5 January 2019.* 82 kg Measurements/);
        // An amount in a unit that does not convert is in the table only, as it is written.
        expect(rows[1]!.says).to.match(/4 January 2019.* 12 stones Other measurements/);
        expect(rows[2]!.says).to.match(/3 January 2019.* 200 lb .*90\.7\d* kg Other measurements/);
        expect(/role="img" aria-label="([^"]*)"/.exec(page.text)![1]).to.contain('3 readings');
        const pounds = await look(`tests/weight?unit=${encodeURIComponent('[lb_av]')}`);
        expect(readable(page), 'no month has two of them').to.not.contain('By month');
        expect(readable(pounds))
          .to.contain('200 lb')
          .and.to.match(/82 kg 180 lb/);
      });

      it('say mornings and evenings of the last days, and the weeks in the target', async () => {
        const on = (days: number, clock: string): string =>
          `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T${clock}:00Z`;
        const temperature = (when: string, value: string): string =>
          factOf('VitalSigns', { date: when, temperature_value: value, temperature_unit: 'Cel' });
        await record.store(
          factsDocument(
            service,
            [
              temperature(on(1, '07:00'), '36'),
              temperature(on(1, '20:00'), '37'),
              temperature(on(20, '07:00'), '38'),
              temperature(on(20, '20:00'), '39'),
              temperature(on(40, '07:00'), '50'),
            ].join(''),
          ),
        );
        const page = await look('tests/temperature');
        const said = readable(page);
        expect(said).to.contain('The average of the mornings of the last 7 days is 36, that of the evenings 37.');
        expect(said).to.match(/7 days 36 ?1 reading 37 ?1 reading 30 days 37 ?2 readings 38 ?2 readings/);
        expect(said).to.not.contain('Weeks in the target');
        const headings = [...page.text.matchAll(/<h2>([^<]*)</g)].map(([, heading]) => heading!);
        expect(headings.indexOf('Morning and evening')).to.be.between(-1, headings.indexOf('Readings'));
        expect(said).to.match(/By month.*Average In the morning In the evening Lowest Highest/);
        // The month of the oldest reading has that one alone.
        expect(said).to.match(/ 1 reading 50 – – 50 50/);
        expect((await put('tests/temperature', { low: '', high: '37' })).status).to.equal(303);
        const aimed = await look('tests/temperature');
        expect(readable(aimed)).to.contain(['Weeks in the target', '≤ 37 °C', 'Change the target']);
        expect(readable(aimed)).to.match(/1 of [67] /);
        expect(aimed.text.match(/<rect class="in"/g)).to.have.length(1);
        expect(aimed.text.match(/<rect class="out"/g)).to.have.length(2);
      });

      it('show the newest readings, and the older ones folded below', async () => {
        const days = Array.from(
          { length: 20 },
          (_, day) => `2018-0${1 + (day % 2)}-${String(9 + day).padStart(2, '0')}T08:00:00Z`,
        );
        await record.store(
          factsDocument(service, days.map((day, at) => measured('body fat', day, `${20 + at}`, '%')).join('')),
        );
        const page = await look('tests/body-fat');
        const [before, folded] = page.text.split('<summary>8 older readings</summary>');
        expect(before!.match(/<tr data-kind/g)).to.have.length(12);
        expect(folded!.match(/<tr data-kind/g)).to.have.length(8);
        expect(readable(page)).to.match(/Feb 2018 10 readings 30 21 39 Jan 2018 10 readings 29 20 38/);
      });

      it('draw averages of more readings than a page lists, and list these', async () => {
        const days = Array.from({ length: 210 }, (_, day) => new Date(Date.UTC(2020, 0, day + 1)).toISOString());
        await record.store(
          factsDocument(
            service,
            days
              .map((date) => factOf('VitalSigns', { date, heart_rate_value: '60', heart_rate_unit: '{beats}/min' }))
              .join(''),
          ),
        );
        const page = await look('tests/heart-rate');
        expect([page.status, page.text.includes('<svg')]).to.equal([200, true]);
        expect(readable(page)).to.contain(['Readings: 210', 'All readings: 210']);
        expect(page.text.match(/<li><bdi>/g)!.length).to.be.between(20, 100);
      });

      it('draw readings in units that convert as one, with what is written beside', async () => {
        await record.store(
          factsDocument(
            service,
            [
              measured('Head circumference', '2020-01-01T07:00:00Z', '13.5', 'in'),
              measured('Head circumference', '2020-02-01T07:00:00Z', '12', 'U/L'),
              measured('Head circumference', '2020-03-01T07:00:00Z', '35.6', 'cm'),
              measured('respiratory rate', '2020-01-01T09:00:00Z', '15', '/min'),
              measured('respiratory rate', '2020-02-01T09:00:00Z', '16', '{breaths}/min'),
            ].join(''),
          ),
        );
        const drawn = ({ text }: SitePage): string => /<svg class="wide"[^]*?<\/svg>/.exec(text)![0];
        const page = await look('tests/head');
        expect(drawn(page)).to.contain(['34.3', '35.6']).and.to.not.contain(['13.5']);
        expect(drawn(page)).to.not.contain(': 12');
        expect(readable(page)).to.match(/As written Converted.* 35\.6 cm .*12 U\/L .*13\.5 in 34\.3 cm/);
        const inches = await look('tests/head?unit=[in_i]');
        expect(drawn(inches)).to.contain('13.5');
        expect(readable(inches)).to.match(/35\.6 cm 14\.0 in .*13\.5 in/);
        const wrong = await look('tests/head?unit=kPa');
        expect([wrong.status, readable(wrong).includes('This test has no results in kPa.')]).to.equal([400, true]);
        const breaths = await look('tests/respiratory-rate');
        expect(drawn(breaths).match(/<title>/g)).to.have.length(2);
        expect(readable(breaths)).to.not.contain('Converted');
      });

      it('make averages of many readings in two units, never of their bare numbers', async () => {
        const days = Array.from({ length: 240 }, (_, day) => new Date(Date.UTC(2021, 0, day + 1)).toISOString());
        await record.store(
          factsDocument(
            service,
            days
              .map((datetime, day) =>
                day % 3 === 0
                  ? measured('Waist circumference', datetime, '100', 'cm')
                  : measured('Waist circumference', datetime, '40', 'in'),
              )
              .join(''),
          ),
        );
        const page = await look('tests/waist?to=2021-12-31');
        const weeks = [...page.text.matchAll(/<li><bdi>([^<]*)</g)].map(([, text]) => text!);
        expect(weeks.length).to.be.above(20);
        // The newest is in inches: 100 cm are 39.37 in.
        expect(
          weeks.map((text) => /: ([\d.]+)$/.exec(text)?.[1]).filter((text) => !/^39\.[78]$|^40$/.test(text ?? '')),
        ).to.equal([]);
        const inMetres = await look('tests/waist?to=2021-12-31&unit=m');
        expect(readable(inMetres)).to.contain(': 1.01').and.to.not.contain(': 40');
      });

      it('keep a target of the person, draw it as a band, and take it back', async () => {
        const band = async (): Promise<boolean> => /class="b1"/.test((await look('tests/blood-pressure')).text);
        expect(await band()).to.be.false();
        for (const fields of [
          { low: 'x', high: '' },
          { low: '140', high: '110' },
          { low: '-1', high: '5' },
        ]) {
          const wrong = await put('tests/blood-pressure', fields);
          expect([wrong.status, /aria-invalid/.test(wrong.text)]).to.equal([400, true]);
        }
        expect((await put('tests/blood-pressure', { low: '110', high: '135,5' })).status).to.equal(303);
        const page = await look('tests/blood-pressure');
        expect(await band()).to.be.true();
        expect(page.text).to.contain(['value="110"', 'value="135.5"']);
        expect(readable(await look('data/Goal'))).to.contain('110–135.5 mm[Hg]');
        expect((await look('tests/weight')).text).to.not.contain('value="110"');
        const both = { low: '110', high: '135', lower_low: '', lower_high: '85' };
        for (const lower of [{ lower_high: 'x' }, { lower_low: '90' }]) {
          const wrong = await put('tests/blood-pressure', { ...both, ...lower });
          expect([wrong.status, /aria-invalid/.test(wrong.text)]).to.equal([400, true]);
        }
        expect((await put('tests/blood-pressure', both)).status).to.equal(303);
        const aimed = await look('tests/blood-pressure');
        expect(aimed.text).to.contain(['class="b1"', 'class="b2"', 'value="135"', 'value="85"']);
        expect(readable(aimed)).to.contain('110–135 / ≤ 85 mmHg');
        expect(readable(await look('data/Goal'))).to.contain('110–135 / ≤ 85 mm[Hg]');
        expect((await put('tests/blood-pressure', { lower_high: '85' })).status).to.equal(303);
        const lower = await look('tests/blood-pressure');
        expect(lower.text).to.contain('class="b2"').and.to.not.contain('class="b1"');
        expect(readable(lower)).to.contain('– / ≤ 85 mmHg');
        expect((await put('tests/none-such', { low: '1', high: '2' })).status).to.equal(404);
        expect((await put('tests/blood-pressure', { low: '', high: '' })).status).to.equal(303);
        expect(await band()).to.be.false();
      });

      it('show a circle what it sees, and no form', async () => {
        const page = await record.member.get(`/my/carenets/${record.carenetId}/tests/blood-pressure`);
        expect(page.status).to.equal(200);
        expect(page.text).to.not.contain('name="low"');
        expect(readable(page)).to.contain('There are no readings in this time.');
        const sent = await record.member.post(`/my/carenets/${record.carenetId}/tests/blood-pressure`, {
          crumb: record.member.cookies.get('crumb') ?? '',
          low: '1',
          high: '2',
        });
        expect(sent.status).to.be.above(399);
      });
    });

    describe('of a child', () => {
      const weighed = (day: string, value: string, unit: string): string =>
        factOf('VitalSigns', { date: day, weight_value: value, weight_unit: unit });
      let child: string;
      let page: SitePage;
      const lookAtChild = async (test: string): Promise<SitePage> =>
        record.owner.open(`/my/records/${child}/tests/${test}`);
      const isDrawn = ({ text }: SitePage): boolean => text.includes('class="c-percent');
      const say = async (more: string): Promise<unknown> =>
        succeeded(
          await service.call(record.credentials, 'PUT', `/records/${child}/demographics`, {
            body:
              `<Demographics xmlns="${service.services.config.vocabBase}/xml/documents#">${more}` +
              `<Name><familyName>Halvorsen</familyName><givenName>Nils</givenName></Name></Demographics>`,
          }),
        );

      before(async () => {
        child = await createRecord(service.call, OWNER, 'Nils', 'Halvorsen');
        const facts =
          weighed('2024-01-01', '3.5', 'kg') + weighed('2024-12-31', '9.652', 'kg') + weighed('2031-01-01', '25', 'kg');
        const stored = await service.call(record.credentials, 'POST', `/records/${child}/documents/`, {
          body: factsDocument(
            service,
            facts +
              factOf('Measurement', { type: 'Head circumference', value: '0.46', unit: 'm', datetime: '2024-12-31' }) +
              factOf('VitalSigns', { date: '2024-07-01', height_value: '0.676', height_unit: 'm' }) +
              factOf('VitalSigns', { date: '2024-12-31', height_value: '0.757', height_unit: 'm' }),
          ),
        });
        succeeded(stored);
      });

      it('say which detail is missing, and have no lines then', () => {
        const table = service.services.models().labTests.growth.get('weight')!;
        const readings = [{ at: Date.parse('2024-03-01'), date: '2024-03-01', value: 5, unit: 'kg' }];
        const words = wordsIn('en', 'UTC');
        const shownFor = (born: string, sex: 'male' | undefined): string => {
          const visit = { words, site: '/my', params: { RECORD_ID: child } } as unknown as PersonVisit;
          return renderToString(h(Growth, { visit, child: { born, sex }, table, readings, name: 'Weight' }));
        };
        expect(shownFor('', 'male')).to.contain('once the date of birth is said').and.to.not.contain('c-percent');
        expect(shownFor('2024-01-01', undefined)).to.contain('once the sex is said').and.to.not.contain('c-percent');
        expect(shownFor('2024-01-01', 'male')).to.contain('c-percent').and.to.not.contain('is said');
      });

      it('stand over the lines of their sex, with their age and how many weigh less', async () => {
        await say('<dateOfBirth>2024-01-01</dateOfBirth><gender>male</gender>');
        page = await lookAtChild('weight');
        expect(isDrawn(page)).to.be.true();
        const text = readable(page);
        expect(text).to.contain('of 100 boys of the same age').and.to.contain('11 months').and.to.contain('0 months');
        expect(/11 months\s+9\.652 kg\s+50/.test(text), text).to.be.true();
        expect(isDrawn(await lookAtChild('head'))).to.be.true();
        const height = await lookAtChild('height');
        expect(isDrawn(height)).to.be.true();
        expect(readable(height)).to.contain('6 months');
        expect(/class="strong"[^>]*>0\.757</.test(height.text), 'the last point says its value').to.be.true();
      });

      it('are not drawn where all readings are older than five years', async () => {
        await say('<dateOfBirth>1990-01-01</dateOfBirth><gender>male</gender>');
        page = await lookAtChild('weight');
        expect(readable(page)).to.not.contain('WHO');
      });
    });

    describe('with results', () => {
      let documentId: string;
      before(async () => {
        documentId = await record.store(
          factsDocument(
            service,
            result({ code: '2093-3', name: 'CHOL', value: '231', unit: 'mg/dL', day: '2025-11-03' }),
            result(
              { code: '14647-2', name: 'Cholesterin', value: '5.2', unit: 'mmol/l', day: '2024-05-02' },
              { status_identifier: 'corrected', status_title: 'Corrected', reference: 'up to 5.0' },
            ),
            result({ code: '2093-3', name: 'CHOL', value: '210', unit: 'mg/dL', day: '2014-01-02' }),
            result({ code: '2093-3', name: 'CHOL', value: '&lt;50 mg/dL', day: '2013-01-02' }),
            result({ code: '2093-3', name: 'CHOL', value: '4', unit: 'U/L', day: '2012-01-02' }),
            ...['2024-01-02', '2025-01-02'].map((day, number) =>
              result(
                { code: '2345-7', name: 'Glucose', value: String(90 + 20 * number), unit: 'mg/dL', day },
                {
                  quantitative_result_normal_range_min_value: '70',
                  quantitative_result_normal_range_min_unit: 'mg/dL',
                  quantitative_result_normal_range_max_value: '99',
                  quantitative_result_normal_range_max_unit: 'mg/dL',
                },
              ),
            ),
            result({ code: '4548-4', name: 'HbA1c', value: '6.5', unit: '%', day: '2025-11-03' }),
            result({ code: '', name: 'Vitamin Q', value: '7', unit: 'mg/L', day: '2025-11-03' }),
          ),
        );
      });

      it('list a test once, with its latest result, and what is unknown by its name', async () => {
        const text = readable(await look('tests'));
        expect(text).to.contain(['Blood fats', 'Cholesterol, total', '3 November 2025, 5 results', '231', 'mg/dL']);
        expect(text).to.contain(['HbA1c (long-term sugar)', 'Other results']);
        expect(text).to.match(/Vitamin Q\s+3 November 2025\s+7\s+mg\/L/);
        expect(text.split('Cholesterol, total').length).to.equal(2);
      });

      it('show every result as it is written, and converted to the unit of the newest', async () => {
        const page = await look('tests/cholesterol');
        const text = readable(page);
        expect(page.status).to.equal(200);
        expect(text).to.contain([
          'As written',
          'Converted',
          '231 mg/dL',
          '5.2 mmol/l',
          '200 mg/dL',
          '<50',
          'up to 5.0',
          'Corrected',
        ]);
        expect(page.text).to.contain('<svg');
      });

      it('begin with the newest result, where it lies, and the one before it in the same unit', async () => {
        const laboratory = (name: string, value: string, day: string, more: Readonly<Record<string, string>>): string =>
          result(
            { code: '3016-3', name, value, unit: 'm[IU]/L', day },
            {
              quantitative_result_normal_range_min_value: '0.4',
              quantitative_result_normal_range_min_unit: 'm[IU]/L',
              quantitative_result_normal_range_max_value: '4.2',
              quantitative_result_normal_range_max_unit: 'm[IU]/L',
              ...more,
            },
          );
        await record.store(
          factsDocument(
            service,
            laboratory('TSH', '2.1', '2023-02-01', { collected_by_org_name: 'Harbour' }),
            laboratory('TSH', '3.9', '2024-02-01', { collected_by_org_name: 'Harbour' }),
            laboratory('Thyrotropin', '6.80', '2025-02-01', { collected_by_org_name: 'Corrib' }),
          ),
        );
        const page = await look('tests/tsh');
        const said = readable(page);
        expect(said).to.match(/6\.80 mIU\/L high 1 February 2025, Corrib laboratory’s range 0\.4 to 4\.2 mIU\/L/);
        expect(said).to.match(/The one before, 1 February 2024, Harbour 3\.9 mIU\/L, 2\.90 lower/);
        expect(said.indexOf('6.80')).to.be.below(said.indexOf('1 month'));
        expect(page.text).to.contain('aria-label="TSH: 6.80. Range of the laboratory: 0.4 to 4.2 mIU/L"');
        const [drawn] = /<svg class="wide"[^]*?<\/svg>/.exec(page.text)!;
        expect([drawn.match(/class="d-1"/g)!.length, drawn.match(/class="d1o"/g)!.length]).to.equal([2, 1]);
        expect(page.text).to.match(/<ul class="key">[^]*Harbour[^]*Corrib[^]*<\/ul>/);
        expect(said).to.match(/Put together.*Thyrotropin ?Corrib ?1 result.*TSH ?Harbour ?2 results/);
        // A value that is only words, or a bound, has no place on the ruler and no difference.
        const alone = await look('tests/hba1c');
        expect(readable(alone)).to.not.contain(['The one before', 'Put together']);
        expect(alone.text).to.not.contain('class="ruler"');
        expect(readable(await look('tests/cholesterol'))).to.match(
          /231 mg\/dL 3 November 2025 The one before, 2 May 2024 200 mg\/dL.{0,20}1 month/,
        );
      });

      it('are a file of all results as they are written, and of all readings of a measure', async () => {
        const file = await look('tests/tsh.csv');
        expect([file.status, file.headers['content-type']]).to.equal([200, 'text/csv; charset=utf-8']);
        const [head = '', ...rows] = file.text.trim().split('\r\n');
        expect(head).to.startWith('collected_at,test_name_title,');
        expect(rows.map((row) => row.replace(/T[^,]*,/, ','))).to.have.length(3);
        expect(rows[0]).to.contain(['2025-02-01', 'Thyrotropin', '6.80', 'm[IU]/L', 'Corrib']);
        const weights = (await look('tests/weight.csv')).text.trim().split('\r\n');
        expect(weights[0]).to.equal('date,weight_value,unit,model');
        expect(weights.some((row) => row.endsWith('82,kg,VitalSigns'))).to.be.true();
        expect(weights.some((row) => row.endsWith('200,[lb_av],Measurement'))).to.be.true();
        const pressure = (await look('tests/blood-pressure.csv')).text;
        expect(pressure).to.startWith('date,bp_systolic_value,bp_diastolic_value,unit,model').and.to.contain('150,95,');
        expect((await look('tests/sodium.csv')).status).to.equal(404);
        expect((await look('tests/nothing.csv')).status).to.equal(404);
        const circle = await record.member.open(`/my/carenets/${record.carenetId}/tests/tsh.csv`);
        expect(circle.status).to.equal(404);
      });

      it('draw no line over years without a result, and the range of the laboratory as a band', async () => {
        const { text } = await look('tests/cholesterol');
        const [, path = ''] = /class="c-line c-1" d="([^"]*)"/.exec(text) ?? [];
        expect(path.match(/M/g)).to.have.length(2);
        expect(text).to.not.contain('class="b1"');
        const glucose = (await look('tests/glucose')).text;
        expect(glucose).to.contain(['class="b1"', 'class="f-out"']);
      });

      it('convert to another unit of the test, and keep a unit of no test apart', async () => {
        const text = readable(await look('tests/cholesterol?unit=mmol/L'));
        expect(text).to.contain(['5.97 mmol/L', '5.43 mmol/L', '<1.3 mmol/L', 'in U/L', '4 U/L']);
      });

      it('keep what has no unit a series of its own, but for ratios, which have none', async () => {
        const plain = (code: string, name: string, value: string, day: string, unit = ''): string =>
          result(
            { code, name, value, day },
            {
              value: '',
              quantitative_result_value_value: value,
              ...(unit === '' ? {} : { quantitative_result_value_unit: unit }),
            },
          );
        await record.store(
          factsDocument(
            service,
            plain('2823-3', 'K', '5.1', '2024-01-01'),
            plain('2823-3', 'K', '5.3', '2024-06-01'),
            plain('2823-3', 'K', '4.2', '2025-01-01', 'mmol/L'),
            plain('2823-3', 'K', '4.4', '2025-06-01', 'mmol/L'),
            plain('6301-6', 'INR', '2.3', '2025-01-01'),
            plain('6301-6', 'INR', '2.5', '2025-02-01', '{INR}'),
            plain('6301-6', 'INR', '2.6', '2025-03-01', '1'),
          ),
        );
        const charts = async (path: string): Promise<readonly string[]> =>
          ((await look(path)).text.match(/<svg class="wide"[^]*?<\/svg>/g) ?? []).map((chart) =>
            [...chart.matchAll(/<title>[^<]*: ([^<]*)<\/title>/g)].map(([, title]) => title).join(', '),
          );
        expect(await charts('tests/potassium')).to.equal(['4.2 mmol/L, 4.4 mmol/L', '5.1, 5.3']);
        expect(readable(await look('tests/potassium'))).to.contain('Serum or plasma, no unit written');
        expect(await charts('tests/inr')).to.equal(['2.3, 2.5, 2.6']);
      });

      it('draw titres as steps, and words in a row under the chart', async () => {
        const said = (code: string, name: string, values: readonly string[]): string =>
          values.map((value, month) => result({ code, name, value, day: `2025-0${month + 1}-01` })).join('');
        await record.store(
          factsDocument(
            service,
            said('5048-4', 'ANA', ['1:80', '1:320', '1:160', '1:160', '1:80', '&lt;1:80', 'not done']),
            said('20454-5', 'Protein strip', ['+', '++', 'negative']),
          ),
        );
        const chart = async (path: string): Promise<string> =>
          /<svg class="wide"[^]*?<\/svg>/.exec((await look(path)).text)?.[0] ?? '';
        const titres = await chart('tests/ana');
        expect(titres.match(/<text[^>]*text-anchor="end">[^<]*/g)!.map((one) => one.replace(/.*>/, ''))).to.equal([
          '1:80',
          '1:160',
          '1:320',
        ]);
        // A line of steps goes along and up, never straight from one titre to the next.
        const [, path = ''] = /class="c-line c-1" d="([^"]*)"/.exec(titres) ?? [];
        const points = path
          .slice(1)
          .split('L')
          .map((point) => point.split(','));
        const isStraight = points.slice(1).every(([x, y], at) => x === points[at]![0] || y === points[at]![1]);
        expect([points.length > 3, isStraight]).to.equal([true, true]);
        expect(titres.match(/<circle/g)).to.have.length(6);
        expect(titres, 'the newest').to.match(/<text class="strong"[^>]*>&lt;1:80</);
        expect(titres).to.match(/<g class="word"><title>[^<]*: not done<\/title>/);
        const words = await chart('tests/urine-protein');
        expect(words).to.not.contain('<circle').and.to.not.contain('c-line');
        expect(words.match(/text-anchor="middle">(?:negative|\+\+|\+)</g)).to.have.length(3);
      });

      it('follow the units that the person wants, unless one is asked for', async () => {
        const account = await record.owner.open('/my/account');
        const want = (units: string) => record.owner.submit(account, { units }, 'name="theme"');
        await want('moles');
        const list = readable(await look('tests'));
        expect(list).to.contain('5.97 mmol/L').and.to.contain('231 mg/dL');
        expect((await look('tests/cholesterol')).text).to.match(/aria-current="true"><bdi>mmol\/L/);
        expect((await look('tests/cholesterol?unit=mg/dL')).text).to.match(/aria-current="true"><bdi>mg\/dL/);
        await want('mass');
        expect((await look('tests/cholesterol')).text).to.match(/aria-current="true"><bdi>mg\/dL/);
        await want('');
      });

      it('show a period, and refuse a unit that the test does not have', async () => {
        const text = readable(await look('tests/cholesterol?period=5y'));
        expect(text).to.contain('231 mg/dL').and.to.not.contain('210 mg/dL');
        const wrong = await look('tests/cholesterol?unit=kPa');
        expect(wrong.status).to.equal(400);
        expect(readable(wrong)).to.contain('This test has no results in kPa.');
      });

      it('keep what the person calls wrong in the table, and in no chart', async () => {
        const of = async () => (await look('tests/cholesterol')).text;
        const { services, call } = service;
        const [, statement] = /<Says[^>]*?id="([^"]*)"(?:(?!<Says)[^])*?>231</.exec(
          succeeded(await call(record.credentials, 'GET', `/records/${record.recordId}/lines/LabResult/`)).text,
        )!;
        expect(/<svg class="wide"[^]*?<\/svg>/.exec(await of())![0]).to.contain('231 mg/dL');
        const body =
          `<OwnWord xmlns="${services.config.vocabBase}/xml/documents#"><verdict>wrong</verdict>` +
          `<date>2026-05-02</date><about model="LabResult" statement="${statement}">CHOL</about></OwnWord>`;
        const id = await record.store(body);
        expect(readable(await look('tests/cholesterol'))).to.contain('You said that this is wrong');
        expect(/<svg class="wide"[^]*?<\/svg>/.exec(await of())![0]).to.not.contain('231 mg/dL');
        const [heads = '', ...rows] = (await look('tests/cholesterol.csv')).text.trim().split('\r\n');
        expect(heads).to.match(/,called_wrong$/);
        expect(rows.filter((row) => row.endsWith(',true'))).to.equal(rows.filter((row) => row.includes(',231,')));
        succeeded(
          await call(record.credentials, 'POST', `/records/${record.recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'x' },
          }),
        );
        expect(readable(await look('tests/cholesterol'))).to.not.contain('You said that this is wrong');
        expect((await look('tests/cholesterol.csv')).text).to.not.contain('called_wrong');
      });

      it('show a result that was corrected since as history, and in no chart', async () => {
        const said = (value: string, status: string, hour: string): string =>
          result(
            { code: '2951-2', name: 'Sodium serum', value, unit: 'mmol/L', day: '2025-11-03' },
            {
              accession_number: 'N-7',
              collected_at: `2025-11-03T${hour}:00:00Z`,
              status_identifier: status,
              status_title: status,
            },
          );
        const before = { code: '2951-2', name: 'Sodium serum', value: '140', unit: 'mmol/L', day: '2024-11-03' };
        const id = await record.store(factsDocument(service, said('151', 'final', '10') + result(before)));
        const wide = async (path: string): Promise<string> =>
          /<svg class="wide"[^]*?<\/svg>/.exec((await look(path)).text)?.[0] ?? '';
        const pages = ['tests/sodium', 'data/LabResult?test_name_title=Sodium%20serum'];
        for (const path of pages) {
          expect(await wide(path), path).to.contain('151');
        }
        const corrected = await record.store(factsDocument(service, said('141', 'corrected', '09')));
        for (const path of pages) {
          expect(await wide(path), path)
            .to.contain('141')
            .and.to.not.contain('151');
          expect(readable(await look(path)), path).to.contain(['141', '151']);
        }
        expect(readable(await look('tests/sodium'))).to.match(/151 mmol\/L Replaced by a corrected result/);
        expect(readable(await look('tests'))).to.match(/Sodium \(blood\) 3 November 2025, 3 results 141 /);
        expect(readable(await look('')))
          .to.contain('141')
          .and.to.not.contain('151');
        // A circle that does not see the correction knows nothing of it.
        const share = (document: string, method: 'PUT' | 'DELETE') =>
          service.call(
            record.credentials,
            method,
            `/records/${record.recordId}/documents/${document}/carenets/${record.carenetId}`,
          );
        const seen = async (): Promise<string> =>
          readable(await record.member.open(`/my/carenets/${record.carenetId}/tests/sodium`));
        succeeded(await share(id, 'PUT'));
        expect(await seen())
          .to.contain('151')
          .and.to.not.contain('Replaced');
        succeeded(await share(corrected, 'PUT'));
        expect(await seen()).to.contain(['151', 'Replaced']);
        for (const document of [id, corrected]) {
          succeeded(await share(document, 'DELETE'));
          const path = `/records/${record.recordId}/documents/${document}/set-status`;
          succeeded(await service.call(record.credentials, 'POST', path, { form: { status: 'void', reason: 'x' } }));
        }
      });

      it('show urea and the nitrogen in it as one series in moles, and apart in mass', async () => {
        await record.store(
          factsDocument(
            service,
            result({ code: '22664-7', name: 'Harnstoff', value: '5.0', unit: 'mmol/L', day: '2025-11-03' }),
            result({ code: '3094-0', name: 'BUN', value: '14', unit: 'mg/dL', day: '2024-11-03' }),
            result({ code: '3091-6', name: 'Urea', value: '30', unit: 'mg/dL', day: '2023-11-03' }),
          ),
        );
        for (const test of ['urea', 'urea-nitrogen']) {
          const moles = await look(`tests/${test}?unit=mmol/L`);
          expect(moles.text.match(/<svg class="wide"/g), test).to.have.length(1);
          expect(readable(moles), test).to.contain(['Urea (blood), Urea nitrogen (BUN)', '3 results']);
          expect(readable(moles), test).to.match(/14 mg\/dL Urea nitrogen \(BUN\) 5\.0 mmol\/L/);
          expect(readable(moles), test).to.match(/30 mg\/dL Urea \(blood\) 5\.0 mmol\/L/);
          const mass = await look(`tests/${test}?unit=mg/dL`);
          expect(mass.text.match(/<table/g), test).to.have.length(2);
          expect(readable(mass), test).to.match(/5\.0 mmol\/L 30 mg\/dL/);
        }
        expect(readable(await look('tests/urea'))).to.contain('14 mg/dL Urea nitrogen (BUN)');
      });

      it('show another test on the same time, and medicines as bars', async () => {
        const medicine = (name: string, fields: Readonly<Record<string, string>>): string =>
          factOf('Medication', { drugName_title: name, ...fields });
        await record.store(
          factsDocument(
            service,
            medicine('Ramipril 5 mg', { startDate: '2024-03-01', endDate: '2024-09-01' }),
            medicine('Ramipril 5 mg', { startDate: '2024-11-01', endDate: '2024-12-01' }),
            medicine('Metformin', { endDate: '2024-07-01' }),
            medicine('Insulin', { startDate: '2025-03-01', status_identifier: 'active' }),
            medicine('Long before', { startDate: '1990-03-01', endDate: '1991-03-01' }),
            medicine('Amlodipine', { startDate: '2024-03-05', status_identifier: 'completed' }),
            medicine('Amlodipine', { startDate: '2025-04-01', status_identifier: 'active' }),
          ),
        );
        const alone = await look('tests/cholesterol');
        expect(alone.text.match(/<svg class="wide"/g)).to.have.length(1);
        expect(alone.text).to.contain('<option value="ldl"').and.to.contain('class="lane"');
        expect(alone.text).to.contain('Ramipril 5 mg: 1 March 2024 to 1 September 2024');
        expect(alone.text).to.contain(['Ramipril 5 mg: 1 November 2024 to', 'Metformin: until 1 July 2024']);
        const [drawn] = /<svg class="wide"[^]*?<\/svg>/.exec(alone.text)!;
        expect(drawn.match(/>Ramipril 5 mg<\/text>/g), 'one row').to.have.length(1);
        expect(drawn, 'nobody has said since').to.contain([
          'class="lane-since"',
          'Insulin: nobody has said since 1 March 2025',
        ]);
        expect(drawn, 'no sources differ').to.not.contain('lane-q');
        expect(readable(alone)).to.contain(['Somebody said that it is taken', 'Nobody has said since then that']);
        expect(alone.text).to.contain('Insulin: from 1 March 2025, last said');
        // What was last said of a medicine is said of its newest time, and of no time before it.
        expect(alone.text).to.contain(['Amlodipine: from 5 March 2024<', 'Amlodipine: from 1 April 2025, last said']);
        expect(drawn).to.not.contain('Long before');
        // Sources that differ have a form of their own, and a month stays a month.
        for (const [id, status] of [
          ['a', 'active'],
          ['b', 'stopped'],
        ] as const) {
          const resource = {
            resourceType: 'MedicationStatement',
            id,
            status,
            medicationCodeableConcept: { text: 'Simvastatin 20 mg' },
            subject: { reference: 'Patient/p' },
            effectivePeriod: { start: '2024-04' },
          };
          succeeded(
            await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/`, {
              body: JSON.stringify(resource),
              type: 'application/fhir+json',
            }),
          );
        }
        const differing = await look('tests/cholesterol');
        expect(differing.text).to.match(/<title>Simvastatin 20 mg: from April 2024, sources differ<[^]{0,60}"lane-q"/);
        expect(readable(differing)).to.match(
          /Medicines in this time.*Simvastatin 20 mg from April 2024, sources differ/,
        );
        const both = await look('tests/cholesterol?with=glucose&unit=mmol/L');
        const [first, second] = [...both.text.matchAll(/<svg class="wide"[^]*?<\/svg>/g)].map(([drawn]) => drawn);
        expect([first!.includes('Glucose'), second!.includes('Glucose')]).to.equal([false, true]);
        const ticks = (svg: string): string => [...svg.matchAll(/text-anchor="middle"[^>]*>[^<]*/g)].join();
        expect(ticks(second!)).to.equal(ticks(first!));
        expect(readable(both)).to.contain('On the same time as the chart above.');
        expect(both.text).to.contain('<input type="hidden" name="unit" value="mmol/L"');
        for (const none of ['sodium', 'nothing', 'cholesterol', '__proto__']) {
          const page = await look(`tests/cholesterol?with=${none}`);
          expect([page.status, page.text.match(/<svg class="wide"/g)!.length], none).to.equal([200, 1]);
        }
        expect(readable(await look('tests/cholesterol?with=sodium'))).to.contain('No results of Sodium (blood)');
      });

      it('show one medicine beside a test, however many there are, and say where its time is unknown', async () => {
        const lines = succeeded(
          await service.call(record.credentials, 'GET', `/records/${record.recordId}/lines/Medication/`),
        ).text;
        const idOf = (name: string): string =>
          new RegExp(`<Line id="([^"]*)"(?:(?!<Line )[^])*?>${name}<`).exec(lines)![1]!;
        const page = await look(`tests/cholesterol?with=${idOf('Metformin')}`);
        const [drawn] = /<svg class="wide"[^]*?<\/svg>/.exec(page.text)!;
        expect(drawn).to.contain('Metformin: until 1 July 2024').and.to.not.contain('Ramipril');
        expect(page.text).to.match(/<option value="[^"]*" selected[^>]*>Metformin/);
        expect(page.text).to.contain(['<optgroup label="Blood fats"', '<optgroup label="Medicines"']);
        const before = await look(`tests/cholesterol?with=${idOf('Long before')}`);
        expect(readable(before)).to.contain('Nothing says when Long before was taken in this time.');
        expect(before.text).to.not.match(/class="lane[^"]*"/);
        const circle = await record.member.open(
          `/my/carenets/${record.carenetId}/tests/cholesterol?with=${idOf('Metformin')}`,
        );
        expect(circle.status).to.equal(404);
      });

      it('show a group with small charts on one time, and no group of which nothing is seen', async () => {
        expect((await look('tests')).text).to.contain('tests?group=diabetes"');
        const page = await look('tests?group=diabetes');
        expect(readable(page)).to.contain([
          'Sugar',
          'All charts have the same time.',
          'HbA1c (long-term sugar)',
          '110',
        ]);
        const drawn = [...page.text.matchAll(/<svg class="mini"[^]*?<\/svg>/g)].map(([svg]) => svg);
        expect(drawn.length).to.equal(2);
        const ticks = (svg: string): string => [...svg.matchAll(/text-anchor="middle"[^>]*>[^<]*/g)].join();
        expect(ticks(drawn[1]!)).to.equal(ticks(drawn[0]!)).and.to.not.equal('');
        expect(drawn[0]).to.contain('class="b1"');
        const lipids = await look('tests?group=lipids');
        expect(lipids.text, 'the digits of the source beside the converted ones').to.contain('(5.2 mmol/l)');
        expect(readable(lipids)).to.contain(['Cholesterol, total', '231', 'in U/L']);
        expect(readable(await look('tests?group=lipids&period=1m'))).to.contain('No results in this time.');
        const path = `/my/carenets/${record.carenetId}/tests?group=lipids`;
        const none = await Promise.all(
          ['stool', 'nothing', '__proto__', ''].map((name) => look(`tests?group=${name}`)),
        );
        expect([...none, await record.member.open(path)].map(({ status }) => status)).to.equal([
          404, 404, 404, 404, 404,
        ]);
      });

      it('answer a test without results like one that does not exist', async () => {
        const [none, unknown, other] = await Promise.all([
          look('tests/sodium'),
          look('tests/nothing'),
          look('tests/__proto__'),
        ]);
        expect([none.status, unknown.status, other.status]).to.equal([404, 404, 404]);
        const plain = (page: SitePage): string => readable(page).replace(/reference \w+/, '');
        expect(plain(none)).to.equal(plain(unknown));
      });

      it('show a long table page by page, and draw all of it', async () => {
        const days = Array.from({ length: 205 }, (_, number) =>
          new Date(Date.UTC(2019, 0, 1 + number)).toISOString().slice(0, 10),
        );
        const calcium = days.map((day, number) =>
          result({ code: '17861-6', name: 'Calcium', value: String(1000 + number), unit: 'mg/dL', day }),
        );
        await record.store(factsDocument(service, calcium.join('')));
        const first = await look('tests/calcium');
        const rows = (page: SitePage): number => page.text.split('data-kind="LabResult"').length - 1;
        expect([first.status, rows(first)]).to.equal([200, 200]);
        const next = /href="([^"]+)" rel="next"/.exec(first.text)![1]!.replaceAll('&amp;', '&');
        const second = await record.owner.open(next);
        expect([second.status, rows(second)]).to.equal([200, 5]);
        expect(second.text).to.not.contain('rel="next"');
        expect(second.text).to.contain('rel="prev"');
        expect(rows(await look('tests/calcium?place-0=9999'))).to.equal(200);
        expect(rows(await look('tests/calcium?place-0=x'))).to.equal(200);
      });

      it('show a circle only what lies in it, and a stranger nothing', async () => {
        const path = `/my/carenets/${record.carenetId}/tests`;
        const before = await record.member.open(path);
        expect(before.status).to.equal(200);
        expect(readable(before)).to.not.contain('231');
        expect((await record.member.open(`${path}/cholesterol`)).status).to.equal(404);
        succeeded(
          await service.call(
            record.credentials,
            'PUT',
            `/records/${record.recordId}/documents/${documentId}/carenets/${record.carenetId}`,
          ),
        );
        expect(readable(await record.member.open(`${path}/cholesterol`))).to.contain('231 mg/dL');
        expect((await record.stranger.open(`${path}/cholesterol`)).status).to.equal(404);
        expect((await record.stranger.open(`/my/records/${record.recordId}/tests`)).status).to.equal(404);
      });
    });
  });
}
