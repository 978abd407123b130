/**
 * data: every model has its page, with the numbers of its report; filters, paging, CSV, hostile texts, and no other
 * person's data.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse } from 'csv-parse/sync';
import { inProject } from '../../../core/base/paths';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { makeSite, readable, type Site } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { attribute, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';
import type { Credentials } from '../../support/client';
import { escapedModel } from '../../support/fields';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '<img src=x onerror=alert(1)>"\'&';
const NS = 'https://svc.example/vocab/xml/documents#';
const MOST_STATEMENTS = 20;

const pressure = (date: string, high: number, low: number): string =>
  escapedModel('VitalSigns', {
    date,
    bp_systolic_value: high,
    bp_systolic_unit: 'mm[Hg]',
    bp_diastolic_value: low,
    bp_diastolic_unit: 'mm[Hg]',
    bp_position_title: 'Sitting',
  });

const DIVE = `__modelname__: DeepDive
date: { type: Date, index: true }
site: String
depth: Number
minutes: Integer
`;

const JOG = `__modelname__: Jog
date: { type: Date, index: true }
route: { type: String, required: true }
pulse: VitalSign
`;

for (const leg of databases) {
  describe(`data pages on ${leg.name}`, () => {
    let service: TestService;
    let folder: string;
    let hers: Exclude<Credentials, null>;
    let [olga, paul]: Site[] = [];
    let [record, big, family]: string[] = [];

    const put = async (id: string, ...models: readonly string[]): Promise<string> =>
      attribute(
        succeeded(
          await service.call(hers, 'POST', `/records/${id}/documents/`, {
            body: `<Models xmlns="${NS}">${models.join('')}</Models>`,
          }),
        ).text,
        'Document',
        'id',
      );
    const report = async (id: string, name: string, query: string): Promise<Record<string, unknown>[]> =>
      JSON.parse(succeeded(await service.call(hers, 'GET', `/records/${id}/reports/${name}/?${query}`)).text) as Record<
        string,
        unknown
      >[];
    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const statementsOf = async (work: () => Promise<unknown>): Promise<number> => (await askedBy(work)).asked.length;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
      cpSync(inProject('datamodels'), folder, { recursive: true });
      writeFileSync(join(folder, 'deep-dive.yaml'), DIVE);
      writeFileSync(join(folder, 'jog.yaml'), JOG);
      service = await startService(leg, { SVC_DATAMODELS_DIR: folder, SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, PAUL, 'Paul Poole');
      hers = await signIn(service.call, OLGA);
      record = await createRecord(service.call, OLGA, 'Olga', 'Openshaw');
      big = await createRecord(service.call, OLGA, 'Big', 'Record');
      await put(
        record,
        pressure('2024-03-01T00:00:00Z', 150, 95),
        pressure('2024-09-01T00:00:00Z', 141, 90),
        pressure('2025-02-01T08:30:00Z', 132, 84),
        escapedModel('VitalSigns', { date: '2025-03-01T00:00:00Z', weight_value: 73.4, weight_unit: 'kg' }),
      );
      await put(
        record,
        escapedModel('DeepDive', { date: '2025-05-01T10:00:00Z', site: HOSTILE, depth: 18.5, minutes: 41 }),
        escapedModel('DeepDive', { date: '2025-06-01T10:00:00Z', site: '=SUM(A1:A9)', depth: 21, minutes: 39 }),
        escapedModel('DeepDive', { date: '2026-06-01T10:00:00Z', site: 'Harbour, "north"', minutes: 30 }),
      );
      await put(
        record,
        ...[44, 41, 39].map((value, at) =>
          escapedModel('LabResult', {
            test_name_title: 'Long-term blood sugar',
            test_name_identifier: '59261-8',
            collected_at: `202${3 + at}-04-10T07:00:00Z`,
            quantitative_result_value_value: value,
            quantitative_result_value_unit: 'mmol/mol',
          }),
        ),
        escapedModel('LabResult', { test_name_title: 'Sodium', value: HOSTILE, collected_at: '2022-04-10T07:00:00Z' }),
      );
      const carenets = succeeded(await service.call(hers, 'GET', `/records/${record}/carenets/`)).text;
      family = /<Carenet id="([^"]+)" name="Family"/.exec(carenets)![1]!;
      [olga, paul] = [await enter(OLGA), await enter(PAUL)] as [Site, Site];
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const pageOf = async (rest: string, site = olga!, id = record!): Promise<string> => {
      const page = await site.open(`/my/records/${id}/data/${rest}`);
      expect(page.status, readable(page)).to.equal(200);
      return page.text;
    };
    const words = (text: string): string => readable({ text, status: 200, path: '', headers: {} });

    it('shows readings with their latest, their averages as the report has them, and a chart drawn twice', async () => {
      const text = await pageOf('VitalSigns?aggregate_by=avg*bp_systolic_value');
      const said = words(text);
      expect(said).to.contain(['Blood pressure', 'Latest: 132 / 84 mmHg, 1 February 2025', 'By year', '1 Sept 2024']);
      for (const year of await report(
        record!,
        'VitalSigns',
        'aggregate_by=avg*bp_systolic_value&date_group=date*year',
      )) {
        const low = await report(record!, 'VitalSigns', `aggregate_by=avg*bp_diastolic_value&date_group=date*year`);
        const other = low.find(({ group }) => group === year['group'])!;
        const rounded = [year, other].map(({ value }) => Math.round(Number(value))).join(' / ');
        expect(text, String(year['group'])).to.match(
          new RegExp(`rowheader">${String(year['group'])} [^]*?<b>${rounded}</b>`),
        );
      }
      expect(
        text.match(/<svg class="(?:wide|slim)"[^>]*role="img" aria-label="Blood pressure, 3 readings/g),
      ).to.have.length(2);
      expect(text.match(/<circle class="d-1"[^>]*r="[34]"/g)).to.have.length(6);
      expect(said).to.not.contain(['bp_systolic', 'mm[Hg]', 'VitalSigns', '8480-6']);
    });

    describe('medicines that were begun', () => {
      const medicine = (name: string, startDate: string, fields: Readonly<Record<string, unknown>> = {}): string =>
        escapedModel('Medication', { drugName_title: name, startDate, ...fields });
      const labels = (text: string): readonly string[] =>
        [...text.matchAll(/<text class="begun"[^>]*>([^<]*)</g)].map(([, label]) =>
          label!.replaceAll(/[\u2066-\u2069]/g, ''),
        );
      let patient: string;

      before(async () => {
        patient = await createRecord(service.call, OLGA, 'Mara', 'Medicated');
        await put(patient, pressure('2023-04-02T08:30:00Z', 146, 93), pressure('2026-03-03T00:00:00Z', 132, 84));
      });

      it('draws none where none is written down, was begun, or has a day within the time', async () => {
        await put(
          patient,
          medicine('Planned', '2024-01-01', { status_identifier: 'draft' }),
          medicine('Withdrawn', '2024-01-02', { status_title: 'Cancelled' }),
          medicine('Mistaken', '2024-01-03', { status_identifier: 'entered-in-error' }),
          medicine('Untaken', '2024-01-04', { status_identifier: 'not-taken' }),
          medicine('Proposed', '2024-01-05', { intent_identifier: 'plan' }),
          medicine('Monthly', '2024-02'),
          medicine('Yearly', '2025'),
          medicine('Before', '2023-04-01'),
          medicine('After', '2026-03-04'),
          escapedModel('Medication', { drugName_title: 'Dateless' }),
        );
        await put(record!, medicine('Elsewhere', '2025-03-05'));
        const text = await pageOf('VitalSigns', olga, patient);
        expect(text).to.contain('<svg class="wide"');
        expect(text).to.not.contain(['c-event', 'egun on', 'data/Medication']);
      });

      it('marks their days in both charts, says so in words, and where it comes from', async () => {
        await put(
          patient,
          medicine('Lisinopril 10 MG Oral Tablet', '2023-07-02', { status_identifier: 'stopped' }),
          medicine('Aspirin 75 mg', '2023-07-02'),
          medicine(HOSTILE, '2025-01-10', { intent_identifier: 'plan', provenance_identifier: 'patientReport' }),
          medicine('First day', '2023-04-02'),
        );
        await put(patient, medicine('aspirin 75 mg', '2023-07-02'));
        const text = await pageOf('VitalSigns', olga, patient);
        const linesIn = (size: string): number =>
          [...new RegExp(`<svg class="${size}"[^]*?</svg>`).exec(text)![0].matchAll(/class="c-event"/g)].length;
        // The small chart omits events that have no room beside the latest one.
        expect(linesIn('wide')).to.equal(3);
        expect(linesIn('slim')).to.be.within(1, 3);
        expect(labels(text)).to.contain(['Aspirin and 1 more begun', 'First day begun']);
        expect(text).to.not.contain('<img');
        expect(text.replaceAll(/[\u2066-\u2069]/g, '')).to.match(
          /aria-label="[^"]*Begun on 2 July 2023: Aspirin 75 mg, Lisinopril 10 MG Oral Tablet\. Begun on 10 January 2025: &lt;img/,
        );
        expect(text).to.contain(`from <a href="/my/records/${patient}/data/Medication">the medicines</a>`);
        const other = await pageOf('VitalSigns?from=2024-06-01&to=', olga, patient);
        expect(labels(other)).to.equal([]);
        expect(await statementsOf(() => olga!.get(`/my/records/${patient}/data/VitalSigns`))).to.be.at.most(
          MOST_STATEMENTS,
        );
      });

      it('marks the four latest days, and shows in a circle only what lies there', async () => {
        const readings = await put(patient, pressure('2023-05-01T00:00:00Z', 140, 90), pressure('2026-02-01', 131, 80));
        await put(patient, medicine('Late', '2025-12-01'), medicine('Later', '2026-02-20'));
        const text = await pageOf('VitalSigns', olga, patient);
        expect(text).to.contain('Later').and.to.not.contain('First day');
        const carenets = succeeded(await service.call(hers, 'GET', `/records/${patient}/carenets/`)).text;
        const circle = /<Carenet id="([^"]+)" name="Family"/.exec(carenets)![1]!;
        const share = async (document: string): Promise<unknown> =>
          succeeded(await service.call(hers, 'PUT', `/records/${patient}/documents/${document}/carenets/${circle}`));
        await share(readings);
        const there = `/my/carenets/${circle}/data/VitalSigns`;
        const without = await olga!.open(there);
        expect(without.text).to.contain('<svg class="wide"').and.to.not.contain(['c-event', 'Lisinopril']);
        await share(await put(patient, medicine('Ramipril 5 mg', '2024-05-05')));
        const page = await olga!.open(there);
        expect(labels(page.text)).to.equal(['Ramipril begun', 'Ramipril begun']);
        expect(page.text).to.contain(`href="/my/carenets/${circle}/data/Medication"`).and.to.not.contain('Lisinopril');
      });
    });

    it('gives every model of the installation its page', async () => {
      for (const { name, builtin } of service.services.models().all) {
        const page = await olga!.get(`/my/records/${record}/data/${name}`);
        expect(page.status, name).to.equal(builtin ? 404 : 200);
        expect(/<h1>(?:<bdi>)?([^<]*)/.exec(page.text)?.[1], name).to.not.contain('_');
      }
    });

    it('draws a model that was dropped in, sums it up, and shows its hostile texts as text', async () => {
      const text = await pageOf('DeepDive?aggregate_by=sum*minutes');
      expect(words(text)).to.contain(['Deep dive', 'Minutes', 'Harbour, "north"', HOSTILE]);
      expect(text).to.not.contain('<img');
      expect(text).to.match(/<th[^>]*>2025 [^]*?<b>80<\/b>/);
      const sums = await report(record!, 'DeepDive', 'aggregate_by=sum*minutes&date_group=date*year');
      expect(sums.map(({ value }) => value)).to.equal([80, 30]);
      expect(text.match(/<svg class="wide"/g)).to.have.length(1);
      expect(words(await pageOf('DeepDive'))).to.contain('3 entries');
    });

    it('chooses what is measured where a value stands beside a name, and never mixes two', async () => {
      const text = await pageOf('LabResult');
      expect(words(text)).to.contain(['Long-term blood sugar, latest: 39 mmol/mol', 'Sodium (1)']);
      expect(text).to.match(/aria-label="Long-term blood sugar, 3 readings/);
      const one = await pageOf('LabResult?test_name_title=Sodium');
      expect(words(one)).to.contain(['Sodium', HOSTILE]);
      expect(one).to.not.contain(['<svg class="wide"', '<img']);
    });

    it('says times of a day at the axis as in the table, in the time zone and the numerals of the person', async () => {
      const id = await createRecord(service.call, OLGA, 'Stella', 'Steps');
      const steps = (value: number, time: string): string =>
        escapedModel('Measurement', { type: 'Steps', value, datetime: `2025-03-02T${time}:00Z` });
      const glucose = { type: 'Blood glucose', value: 5, unit: 'mmol/L', datetime: '2025-03-01T08:00:00Z' };
      await put(id, steps(812, '08:00'), steps(95, '09:00'), escapedModel('Measurement', glucose));
      const manner = async (language: string, zone: string): Promise<void> => {
        await olga!.submit(await olga!.open('/my/account'), { what: 'manner', language, zone });
      };
      await manner('ar', 'Europe/Oslo');
      const text = await pageOf('Measurement', olga, id);
      await manner('en', 'UTC');
      const axis = [...text.matchAll(/<text [^>]*text-anchor="middle"[^>]*>([^<]*)/g)].map(([, said]) => said);
      expect(axis).to.include(['٠٩:٠٠ ص', '١٠:٠٠ ص']).and.to.not.include(['08:00']);
      expect(words(text)).to.contain(['الخطوات (٢)', 'سكر الدم (١)']);
    });

    it('draws and sums up no sizes of files', async () => {
      const id = await createRecord(service.call, OLGA, 'Fiona', 'Files');
      await put(
        id,
        ...[70, 80].map((bytes) => escapedModel('StoredFile', { title: 'X-ray', date: `20${bytes}-01-01`, bytes })),
      );
      const text = words(await pageOf('StoredFile', olga, id));
      expect(text).to.contain(['Files', '2 entries', 'Size in bytes', '80']);
      expect(text).to.not.contain('latest').and.to.not.contain('Average');
    });

    it('begins with what a result is, leaves out what says nothing more, and draws no chart of one time', async () => {
      const id = await createRecord(service.call, OLGA, 'Tessa', 'Tested');
      const result = (name: string, fields: object): string =>
        escapedModel('LabResult', { test_name_title: name, collected_at: '2022-04-10T07:00:00Z', ...fields });
      const [value, unit] = ['quantitative_result_value_value', 'quantitative_result_value_unit'];
      const limit = 'quantitative_result_normal_range_max_value';
      await put(
        id,
        result('Sodium', { [value]: 140, [unit]: 'mmol/L', [limit]: 145, status_title: 'Preliminary' }),
        result('Sodium', { [value]: 140, [unit]: 'mmol/L', abnormal_interpretation_title: 'Normal' }),
        result('Culture', { value: 'No growth', narrative_result: 'No growth' }),
      );
      const text = await pageOf('LabResult', olga, id);
      const columns = [...text.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, name]) => name);
      expect(columns).to.equal([
        'Sample taken',
        'Test',
        'Result',
        'Usual range',
        'Result as written',
        'What the laboratory says',
        'Status',
      ]);
      expect(words(text)).to.contain(['140 mmol/L ≤ 145', 'Preliminary', 'No growth']);
      expect(text).to.not.contain('<svg class="wide"');
    });

    it('names what a reading belongs to, keeps equal numbers apart, and shows no codes beside their words', async () => {
      const id = await createRecord(service.call, OLGA, 'Jo', 'Gger');
      await put(
        id,
        escapedModel('Jog', {
          date: '2022-04-10T07:00:00Z',
          route: 'Along the fjord',
          pulse_value: 140,
          pulse_unit: '/min',
        }),
        escapedModel('DeepDive', { date: '2025-05-01T10:00:00Z', depth: 20, minutes: 20 }),
        escapedModel('Procedure', {
          name: 'Appendectomy',
          name_type: 'http://snomed.info/sct',
          name_value: '80146002',
        }),
      );
      const columnsOf = async (name: string): Promise<readonly string[]> =>
        [...(await pageOf(name, olga, id)).matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, text]) => text!.trim());
      expect((await columnsOf('Jog')).slice(-3)).to.equal(['Date', 'Route', 'Pulse']);
      expect(words(await pageOf('Jog', olga, id))).to.contain('Along the fjord');
      expect((await columnsOf('DeepDive')).slice(-4)).to.equal(['Date', 'Site', 'Depth', 'Minutes']);
      expect(await columnsOf('Procedure')).to.equal(['Date', 'What was done']);
    });

    it('turns the days of its form into a date range of the report, the last day included', async () => {
      const filter = olga!;
      const page = await filter.open(
        `/my/records/${record}/data/VitalSigns?from=2024-09-01&to=2025-02-01&aggregate_by=`,
      );
      expect(page.text).to.match(
        /<form[^>]*method="get"[^]*name="from"[^>]*value="2024-09-01"[^]*name="to"[^>]*value="2025-02-01"/,
      );
      expect(decodeURIComponent(page.path)).to.contain('date_range=date*2024-09-01*2025-02-01');
      expect(readable(page)).to.contain(['1 Feb 2025', '1 Sept 2024', '2, newest first']);
      expect(readable(page)).to.not.contain('1 Mar 2024');
      const typed = await filter.open(`/my/records/${record}/data/VitalSigns?from=2026-02-30&to=1+May`);
      expect([typed.status, typed.path]).to.equal([200, `/my/records/${record}/data/VitalSigns`]);
      expect((await filter.get(`/my/records/${record}/data/VitalSigns?nothing=1`)).status).to.equal(400);
      expect((await filter.get(`/my/records/${record}/data/VitalSigns?date_range=date*x*`)).status).to.equal(400);
    });

    it('writes all of it as CSV: the columns of the report, its values, and no formulas', async () => {
      const page = await olga!.get(`/my/records/${record}/data/DeepDive.csv?minutes=39|41&order_by=date`);
      expect([page.status, page.headers['content-type']]).to.equal([200, 'text/csv; charset=utf-8']);
      const rows = parse(page.text, { record_delimiter: '\r\n' });
      expect(rows).to.equal([
        ['date', 'site', 'depth', 'minutes'],
        ['2025-05-01T10:00:00Z', HOSTILE, '18.5', '41'],
        ['2025-06-01T10:00:00Z', "'=SUM(A1:A9)", '21', '39'],
      ]);
      const facts = await report(record!, 'VitalSigns', 'order_by=-date');
      const csv = await olga!.get(`/my/records/${record}/data/VitalSigns.csv`);
      const [names, ...values] = parse(csv.text, { record_delimiter: '\r\n' }) as string[][];
      for (const [at, fact] of facts.entries()) {
        const expected = names!.map((name) => fact[name] ?? '').map(String);
        expect(values[at], String(at)).to.equal(expected);
      }
    });

    it('says over many facts what the report says: averages of weeks, pages of the table, every row in the CSV', async () => {
      const DAY = 86_400_000;
      const many = 1100;
      const models = Array.from({ length: many }, (_, at) =>
        pressure(new Date(Date.UTC(2024, 0, 1) + at * DAY).toISOString(), 120 + (at % 23), 80 + (at % 7)),
      );
      await put(big!, ...models.slice(0, 550));
      await put(big!, ...models.slice(550));
      const text = await pageOf('VitalSigns', olga, big);
      const said = words(text);
      expect(said).to.contain([
        'latest: 138 / 80 mmHg, 4 January 2027',
        '1,100 readings',
        'Each point is the average of a week',
        '1 to 25 of 1,100',
      ]);
      const weeks = await report(
        big!,
        'VitalSigns',
        'aggregate_by=avg*bp_systolic_value&date_group=date*week&limit=1000',
      );
      expect(text.match(/<g><title>Week from/g)).to.have.length(2 * weeks.length);
      const next = await pageOf('VitalSigns?offset=1075', olga, big);
      expect(words(next)).to.contain(['1,076 to 1,100 of 1,100', '1 Jan 2024']);
      const csv = await olga!.get(`/my/records/${big}/data/VitalSigns.csv?order_by=date`);
      const rows = parse(csv.text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
      expect(rows).to.have.length(many);
      expect(rows.at(-1)!['bp_systolic_value']).to.equal(String(120 + ((many - 1) % 23)));
    });

    it('asks no more of the database for many facts than for few', async () => {
      for (const path of ['data/VitalSigns', 'data/LabResult', 'data/Medication', 'data/DeepDive']) {
        for (const id of [record, big]) {
          const count = await statementsOf(() => olga!.get(`/my/records/${id}/${path}`));
          expect(count, `${path} ${count}`).to.be.at.most(MOST_STATEMENTS);
        }
      }
    });

    it('says once that there is nothing, and how to begin; a filter stays where it left nothing', async () => {
      const text = await pageOf('Equipment');
      expect(text.match(/nothing here yet/g)).to.have.length(1);
      expect(text).to.contain('add/Equipment"').and.to.not.contain('class="filters');
      expect(await pageOf('VitalSigns?date_range=date*1900-01-01*1900-01-02')).to.contain('class="filters');
    });

    it('is the same 404 for what is not theirs and what does not exist, CSV too', async () => {
      const texts = new Set<string>();
      for (const rest of [
        `records/${record}/data/VitalSigns`,
        `records/${record}/data/VitalSigns.csv`,
        `records/none/data/VitalSigns`,
        `records/${record}/data/Nothing`,
        `carenets/${family}/data/VitalSigns`,
        `carenets/none/data/VitalSigns.csv`,
      ]) {
        const page = await paul!.get(`/my/${rest}`);
        expect(page.status, rest).to.equal(404);
        texts.add(readable(page).replace(/reference \w+|\d\d:\d\d/g, ''));
      }
      expect(texts.size).to.equal(1);
    });

    it('says of a filter that leaves nothing that nothing fits, and leads to what there is', async () => {
      const at = `/my/records/${record}/data/VitalSigns`;
      const page = await olga!.get(`${at}?date_range=date*1901-01-01T00:00:00Z*1902-01-01T00:00:00Z`);
      expect(readable(page)).to.contain('No entry matches the filters.').and.to.not.contain('nothing here yet');
      expect(page.text).to.contain(`<a href="${at}">Without these filters</a>`);
    });

    it('shows in a circle what lies there, and takes no form', async () => {
      succeeded(
        await service.call(hers, 'POST', `/carenets/${family}/accounts/`, {
          form: { account_id: PAUL, write: 'false' },
        }),
      );
      const document = await put(record!, pressure('2026-01-01T00:00:00Z', 128, 81));
      const nothing = await paul!.get(`/my/carenets/${family}/data/VitalSigns`);
      expect(readable(nothing)).to.contain('There is nothing here yet.');
      expect(nothing.text).to.not.contain('class="filters').and.to.not.contain('Add one');
      succeeded(await service.call(hers, 'PUT', `/records/${record}/documents/${document}/carenets/${family}`));
      const page = await paul!.get(`/my/carenets/${family}/data/VitalSigns`);
      expect(readable(page)).to.contain(['128 / 81', 'One']);
      expect(readable(page)).to.not.contain(['132 / 84', '73.4']);
      expect(page.text).to.not.contain([`/records/${record}`, 'frame.add', '>Sharing<']);
      const csv = await paul!.get(`/my/carenets/${family}/data/VitalSigns.csv`);
      expect(parse(csv.text, { record_delimiter: '\r\n' })).to.have.length(2);
      const crumb = paul!.cookies.get('crumb')!;
      expect((await paul!.post(`/my/carenets/${family}/data/VitalSigns`, { crumb })).status).to.equal(404);
      const count = await statementsOf(() => paul!.get(`/my/carenets/${family}/data/VitalSigns`));
      expect(count).to.be.at.most(MOST_STATEMENTS);
    });
  });
}
