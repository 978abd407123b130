/**
 * overview: what the first page of a record shows, and what it must not show: allergies are always mentioned, nothing
 * that is over looks as if it lasted, and it needs few statements.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { askedBy } from '../../support/asked';
import type { Credentials } from '../../support/client';
import { databases } from '../../support/databases';
import { makeSite, readable, type Site } from '../../support/site';
import { admin, startService, type TestService } from '../../support/server';
import { attribute, createAccount, createRecord, demographics, PASSWORD, signIn, succeeded } from '../../support/world';
import { escapedModel } from '../../support/fields';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '<img src=x onerror=alert(1)>"\'&';
const NS = 'https://svc.example/vocab/xml/documents#';
const MOST_STATEMENTS = 20;

const weight = (at: number): string =>
  escapedModel('VitalSigns', {
    date: new Date(Date.UTC(2020, 0, 1) + at * 86_400_000).toISOString(),
    weight_value: 70 + (at % 5),
    weight_unit: 'kg',
  });

/** The part of the page from this heading to the next. */
const part = (text: string, title: string): string =>
  new RegExp(`<h2[^>]*>(?:<svg[^]*?</svg>)?(?:<a [^>]*>)?${title}[^]*?</section>`).exec(text)?.[0] ?? '';

for (const leg of databases) {
  describe(`overview on ${leg.name}`, () => {
    let service: TestService;
    let hers: Exclude<Credentials, null>;
    let [olga, paul]: Site[] = [];
    let [record, empty, family]: string[] = [];

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
    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const textOf = async (id: string, site = olga!): Promise<string> => {
      const page = await site.get(`/my/records/${id}/`);
      expect(page.status, readable(page)).to.equal(200);
      return page.text;
    };
    const words = (text: string): string =>
      readable({ text: `<main>${text}</main>`, status: 200, path: '', headers: {} });
    const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> =>
      (await askedBy(work)).asked.map(({ sql }) => sql);

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, PAUL, 'Paul Poole');
      hers = await signIn(service.call, OLGA);
      record = await createRecord(service.call, OLGA, 'Olga', 'Openshaw');
      empty = await createRecord(service.call, OLGA, 'Nils', 'Nothing');
      const carenets = succeeded(await service.call(hers, 'GET', `/records/${record}/carenets/`)).text;
      family = /<Carenet id="([^"]+)" name="Family"/.exec(carenets)![1]!;
      [olga, paul] = [await enter(OLGA), await enter(PAUL)] as [Site, Site];
    });
    after(() => service.stop());

    it('says of an empty record what is not known, and how to begin', async () => {
      const said = words(await textOf(empty!));
      expect(said).to.contain([
        'Nils Nothing',
        'Born 2 January 1970',
        'Female.',
        'What a doctor asks first 0 of 3',
        'Not known. Nobody has said whether there are any.',
        'No medicine yet.',
        'None known',
      ]);
      expect(said.match(/None known/g), 'each question is asked once').to.have.length(3);
    });

    it('tells that there are no allergies from nobody having said, and hides neither when both are said', async () => {
      const id = await createRecord(service.call, OLGA, 'Ada', 'Allergic');
      await put(id, escapedModel('AllergyExclusion', { name_title: 'No known drug allergies' }));
      const none = words(await textOf(id));
      expect(none).to.contain('No known drug allergies');
      expect(none).to.not.contain('Not known. Nobody');
      await put(id, escapedModel('Allergy', { allergen_title: 'Latex', clinicalStatus_title: 'Resolved' }));
      expect(words(await textOf(id))).to.contain(['No known drug allergies', '1 more that is over']);
      await put(id, escapedModel('Allergy', { allergen_title: HOSTILE, allergic_reaction_title: 'hives' }));
      const both = await textOf(id);
      expect(both).to.match(/<section class="allergies"[^>]*><h2/);
      expect(words(both)).to.contain([HOSTILE, 'hives', 'Somewhere else it says: No known drug allergies']);
      expect(both).to.not.contain('<img');
    });

    it('shows as going on only what nothing says is over, and as given only what was', async () => {
      await put(
        record!,
        escapedModel('Problem', { name_title: 'Asthma', startDate: '2019-05-01T00:00:00Z' }),
        escapedModel('Problem', { name_title: 'Pneumonia', clinicalStatus_title: 'Resolved' }),
        escapedModel('Problem', { name_title: 'Cancer', verificationStatus_title: 'Refuted' }),
        escapedModel('Problem', {
          name_title: '? MS',
          clinicalStatus_title: 'Active',
          verificationStatus_title: 'Unconfirmed',
        }),
        escapedModel('Problem', { name_title: 'Broken arm', endDate: '2020-01-01T00:00:00Z' }),
        escapedModel('Medication', { drugName_title: 'Lisinopril', status_title: 'active', instructions: HOSTILE }),
        escapedModel('Medication', { drugName_title: 'Atorvastatin', status_title: 'stopped' }),
        escapedModel('Medication', { drugName_title: 'Warfarin', status_title: 'On Hold' }),
        escapedModel('Medication', { drugName_title: 'Amoxicillin', endDate: '2020-02-18' }),
        escapedModel('Medication', { drugName_title: 'Apixaban', startDate: '2190-01-01', status_title: 'Active' }),
        escapedModel('Medication', { drugName_title: 'Insulin', status_title: 'Intended' }),
        escapedModel('Immunization', { product_name_title: 'Influenza', administration_status_title: 'Dose given' }),
        escapedModel('Immunization', { product_name_title: 'Measles', status_title: 'not-done' }),
        escapedModel('Immunization', { product_name_title: 'Rabies', refusal_reason_title: 'refused' }),
      );
      const text = await textOf(record!);
      const problems = words(part(text, 'Problems'));
      expect(problems).to.contain([
        'Asthma since 1 May 2019',
        '? MS',
        'unconfirmed',
        '3 that are over or were ruled out',
      ]);
      expect(problems).to.not.contain(['Pneumonia', 'Cancer', 'Broken arm', 'active']);
      const medicines = words(part(text, 'Medicines'));
      expect(medicines).to.contain(['Lisinopril', HOSTILE, 'status: active', '2 that were stopped or are over']);
      // What is on hold goes on; what is planned has not begun.
      expect(medicines).to.contain(['Warfarin', 'status: on Hold', '2 that are planned and have not begun']);
      for (const name of ['Atorvastatin', 'Amoxicillin', 'Apixaban', 'Insulin']) {
        expect(medicines).to.not.contain(name);
      }
      const vaccinations = words(part(text, 'Vaccinations'));
      expect(vaccinations).to.contain(['Influenza', '2 that were not given']);
      expect(vaccinations).to.not.contain(['Measles', 'Rabies']);
      // The status is shown only once.
      expect(vaccinations.match(/dose given/gi)).to.equal(['dose given']);
    });

    it('lists vaccinations by disease, with the newest dose and how many', async () => {
      const id = await createRecord(service.call, OLGA, 'Often', 'Vaccinated');
      const dose = (name: string, date: string, more: Readonly<Record<string, string>> = {}): string =>
        escapedModel('Immunization', { product_name_title: name, date: `${date}T00:00:00Z`, ...more });
      await put(
        id,
        dose('Influenza, seasonal, injectable', '2023-10-09'),
        dose('Grippe-Impfstoff', '2024-10-09', { administration_status_title: 'Dose given' }),
        dose('Fluad', '2021-10-09', { target_disease: 'Influenza' }),
        dose('Tdap', '2015-03-02'),
        dose('Vaccine of the village', '2014-03-02'),
        dose('MMR', '2013-03-02', { status_title: 'not-done' }),
      );
      const said = words(part(await textOf(id), 'Vaccinations'));
      expect(said).to.contain(['Influenza Grippe-Impfstoff 9 October 2024', 'status: dose given', '3 doses']);
      expect(said.match(/Influenza/g), 'once').to.equal(['Influenza']);
      expect(said).to.contain(['Tetanus Tdap 2 March 2015', 'Whooping cough', 'Vaccine of the village 2 March 2014']);
      expect(said).to.contain('1 that was not given').and.to.not.contain('Measles');
    });

    it('lists results in words among the newest, as their laboratory wrote and marked them', async () => {
      const id = await createRecord(service.call, OLGA, 'In', 'Words');
      const long = 'Borderline; please repeat in four to six weeks, since an early infection cannot be ruled out.';
      await put(
        id,
        escapedModel('LabResult', {
          test_name_title: 'Nitrite',
          collected_at: '2026-09-15T00:00:00Z',
          value: 'negativ',
          reference: 'negativ',
        }),
        escapedModel('LabResult', {
          test_name_title: 'Protein',
          collected_at: '2026-09-14T00:00:00Z',
          value: '++',
          abnormal_interpretation_identifier: 'A',
          abnormal_interpretation_title: 'A',
        }),
        escapedModel('LabResult', {
          test_name_title: 'Borrelia',
          collected_at: '2026-09-13T00:00:00Z',
          narrative_result: long,
        }),
        escapedModel('LabResult', { test_name_title: 'Nothing', collected_at: '2026-09-16T00:00:00Z' }),
      );
      const results = words(part(await textOf(id), 'Lab results'));
      expect(results).to.contain([
        'Nitrite 15 September 2026 negativ laboratory’s range negativ',
        'Protein 14 September 2026 ++ abnormal',
        `Borrelia ${long} 13 September 2026`,
      ]);
      expect(results).to.not.contain('Nothing');
    });

    it('says the whole of how a medicine is taken, on every page, and shows devices that are in use', async () => {
      const id = await createRecord(service.call, OLGA, 'Many', 'Medicines');
      const dosed = (name: string, repeat: object, more: object = {}): string =>
        escapedModel('Medication', {
          drugName_title: name,
          dosage: JSON.stringify([
            { timing: { repeat }, doseAndRate: [{ doseQuantity: { value: 6, unit: 'tablets' } }], ...more },
          ]),
        });
      const daily = { frequency: 1, period: 1, periodUnit: 'd' };
      const stated = await put(
        id,
        dosed('Methotrexate', { ...daily, dayOfWeek: ['mon'] }, { patientInstruction: 'Long '.repeat(80) }),
        dosed('Metformin', { ...daily, timeOfDay: ['08:00:00', '20:00:00'] }),
        escapedModel('Medication', { drugName_title: 'Denosumab', frequency_value: 1, frequency_unit: '/(6.mo)' }),
        escapedModel('Equipment', { name: 'Pacemaker', date_started: '2018-07-03' }),
        escapedModel('Equipment', { name: 'Crutches', date_stopped: '2019-01-01' }),
      );
      const pages = [await textOf(id)];
      for (const path of ['data/Medication', `documents/${stated}`]) {
        pages.push((await olga!.get(`/my/records/${id}/${path}`)).text);
      }
      for (const text of pages.map(words)) {
        expect(text).to.contain(['6 tablets on Mondays', '6 tablets at 08:00 and 20:00, every day']);
        expect(text).to.contain('once every 6 months').and.to.contain('Long '.repeat(79));
        expect(text).to.not.match(/1 a day|once a day|\/\(|"timing"/);
      }
      const devices = words(part(pages[0]!, 'Devices'));
      expect(devices).to.contain(['Pacemaker since 3 July 2018', '1 that was stopped or is over']);
      expect(devices).to.not.contain('Crutches');
    });

    it('shows what several documents say of one thing once, with all of it, and in how many', async () => {
      const id = await createRecord(service.call, OLGA);
      const allergy = (reaction: string): string =>
        escapedModel('Allergy', { drug_allergen_title: 'Codeine', allergic_reaction_title: reaction });
      const problem = (fields: object): string => escapedModel('Problem', { name_title: 'Asthma', ...fields });
      await put(id, allergy('Wheezing'), allergy('Wheezing'), problem({ startDate: '2007-04-14T00:00:00Z' }));
      expect(await textOf(id)).not.to.contain('in 2 documents');
      await put(id, allergy('Wheezing'), allergy('Hives'), problem({ startDate: '2007-04-14T00:00:00Z' }));
      await put(id, allergy('wheezing'), problem({ startDate: '2011-01-02T00:00:00Z' }));
      await put(id, problem({ startDate: '2007-04-14T00:00:00Z', clinicalStatus_title: 'Resolved' }));
      const text = await textOf(id);
      const allergies = part(text, 'Allergies');
      expect(allergies.match(/Codeine/g)).to.have.length(1);
      expect(allergies)
        .to.contain('in 3 documents')
        .and.to.contain('Hives')
        .and.to.match(/wheezing/i);
      const problems = part(text, 'Problems');
      // It was over, and is back.
      expect(problems.match(/Asthma/g)).to.have.length(1);
      expect(problems).to.contain('in 4 documents').and.to.not.contain('that is over');
    });

    it('shows the latest of each measurement as it was stored, also one that was not taken lately', async () => {
      const id = await createRecord(service.call, OLGA, 'Many', 'Readings');
      await put(
        id,
        escapedModel('VitalSigns', { date: '2019-03-01T00:00:00Z', height_value: 1.68, height_unit: 'm' }),
        ...Array.from({ length: 300 }, (_, at) => weight(at)),
      );
      await put(
        id,
        ...['41', '<5'].map((value, at) =>
          escapedModel('LabResult', {
            test_name_title: HOSTILE,
            collected_at: `202${at}-04-10T07:00:00Z`,
            quantitative_result_value_value: value,
            quantitative_result_value_unit: 'mmol/mol',
          }),
        ),
      );
      const text = await textOf(id);
      const latest = words(part(text, 'Latest measurements'));
      const [newest] = JSON.parse(
        succeeded(await service.call(hers, 'GET', `/records/${id}/reports/VitalSigns/?order_by=-date&limit=1`)).text,
      ) as Record<string, unknown>[];
      expect(latest).to.contain([`${String(newest!['weight_value'])} kg`, 'Weight', '1.68 m', '1 March 2019']);
      expect(words(part(text, 'Lab results')), 'the newest, which is no number')
        .to.contain('10 April 2021 <5 mmol/mol')
        .and.to.not.contain('41 mmol/mol');
      expect(text).to.contain('aria-label="Weight, the last 60 readings.');
      expect(text).to.not.contain('<img');
    });

    const result = (name: string, day: string, value: number): string =>
      escapedModel('LabResult', {
        test_name_title: name,
        collected_at: `${day}T07:00:00Z`,
        quantitative_result_value_value: value,
        quantitative_result_value_unit: 'mmol/L',
      });

    it('goes by the dates of readings, not by when they came, and keeps room for blood pressure and the like', async () => {
      const id = await createRecord(service.call, OLGA, 'Late', 'Letters');
      await put(
        id,
        weight(0),
        ...Array.from({ length: 12 }, (_, at) => result(`Test ${at}`, '2024-06-01', at)),
        result('Potassium', '2024-07-01', 4.4),
      );
      await put(id, ...Array.from({ length: 250 }, (_, at) => result('Potassium', `20${10 + (at % 10)}-01-01`, 9.9)));
      const text = await textOf(id);
      expect(words(part(text, 'Latest measurements'))).to.contain(['Weight', '70 kg']);
      const results = words(part(text, 'Lab results'));
      expect(results).to.contain(['Potassium', '4.4 mmol/L', '1 July 2024', 'Lab results: 7 more']);
      expect(results).to.not.contain('9.9');
    });

    it('shows other measurements that say something by themselves, and not what a phone counts all day', async () => {
      const id = await createRecord(service.call, OLGA, 'Sweet', 'Sensor');
      const other = (type: string, value: number, unit: string, minute: number): string =>
        escapedModel('Measurement', { type, value, unit, datetime: `2024-06-01T08:${minute}:00Z` });
      await put(
        id,
        other('Blood glucose', 5.4, 'mmol/L', 10),
        other('Blood glucose', 6.1, 'mmol/L', 20),
        other('Steps', 34, '1', 30),
        other('Grip strength', 31, 'kg', 15),
      );
      const text = await textOf(id);
      const latest = words(part(text, 'Latest measurements'));
      expect(latest).to.contain(['Blood glucose', '6.1 mmol/L', 'Grip strength', '31 kg']);
      expect(latest).to.not.contain('Steps');
      expect(text).to.contain('aria-label="Blood glucose, the last 2 readings.');
    });

    it('marks results as their laboratory did, or by its range, and leads to the fact in its document', async () => {
      const id = await createRecord(service.call, OLGA, 'Marked', 'Results');
      const marked = (name: string, value: number, more: Readonly<Record<string, unknown>>): string =>
        escapedModel('LabResult', {
          test_name_title: name,
          collected_at: '2024-06-01T07:00:00Z',
          quantitative_result_value_value: value,
          quantitative_result_value_unit: 'mmol/L',
          ...more,
        });
      const most = { quantitative_result_normal_range_max_value: 5 };
      const unit = { quantitative_result_normal_range_max_unit: 'mmol/L' };
      const document = await put(
        id,
        marked('Sodium', 120, { abnormal_interpretation_identifier: 'LL', abnormal_interpretation_title: 'LL' }),
        marked('Potassium', 6, { ...most, ...unit }),
        marked('Calcium', 6, { ...most, quantitative_result_normal_range_max_unit: 'mg/dL' }),
        escapedModel('Problem', { name_title: 'Asthma' }),
      );
      const text = await textOf(id);
      const results = part(text, 'Lab results');
      const marks = [...results.matchAll(/<p class="(mk[^"]*)">(<svg)?/g)].map(([, name, sign]) => [name, sign]);
      expect(marks)
        .to.have.length(2)
        .and.to.include([
          ['mk crit', '<svg'],
          ['mk', '<svg'],
        ]);
      expect(words(results)).to.contain(['critically low', 'high', 'range']);
      const [, anchor] = new RegExp(`documents/${document}\\?fact=[^#"]+#(fact-[^"]+)"`).exec(part(text, 'Problems'))!;
      expect((await olga!.get(`/my/records/${id}/documents/${document}`)).text).to.contain(`id="${anchor}"`);
      expect(part(text, 'Problems')).to.contain(`data-id="${anchor!.slice('fact-'.length)}"`);
      expect(text).to.contain(`<body class="me-`).and.to.contain(`data-record="${id}"`);
    });

    it('draws the last year at most, with dated ends, and says how many readings that are', async () => {
      const id = await createRecord(service.call, OLGA, 'Old', 'Weights');
      const on = (date: string, value: number): string =>
        escapedModel('VitalSigns', { date: `${date}T00:00:00Z`, weight_value: value, weight_unit: 'kg' });
      await put(id, on('2014-03-01', 61), on('2025-09-01', 70), on('2026-01-01', 71), on('2026-02-01', 72));
      const latest = part(await textOf(id), 'Latest measurements');
      expect(latest).to.contain('aria-label="Weight, the last 3 readings. First: 1 September 2025');
      expect(words(latest)).to.contain('Aug 2025').and.to.not.contain('2014');
    });

    it('takes no reading for the latest that was cancelled, and says what is not final', async () => {
      const id = await createRecord(service.call, OLGA, 'Stated', 'Readings');
      const stated = (date: string, value: number, status: string) =>
        escapedModel('VitalSigns', {
          date: `${date}T00:00:00Z`,
          weight_value: value,
          weight_unit: 'kg',
          ...(status === '' ? {} : { status_identifier: status, status_title: status }),
        });
      const result = (date: string, value: number, status: string) =>
        escapedModel('LabResult', {
          test_name_title: 'Sodium',
          collected_at: `${date}T00:00:00Z`,
          quantitative_result_value_value: value,
          status_identifier: status,
          status_title: status,
        });
      await put(
        id,
        stated('2024-01-01', 71, ''),
        stated('2024-02-01', 72, 'final'),
        stated('2024-03-01', 73, 'preliminary'),
        stated('2024-04-01', 74, 'cancelled'),
        stated('2024-05-01', 75, 'entered-in-error'),
        result('2024-01-01', 140, 'final'),
        result('2024-02-01', 999, 'cancelled'),
      );
      const text = await textOf(id);
      const latest = words(part(text, 'Latest measurements'));
      expect(latest).to.contain(['73 kg', '1 March 2024, preliminary']);
      expect(latest).to.not.contain(['74', '75']);
      expect(words(part(text, 'Lab results')))
        .to.contain('140')
        .and.to.not.contain('999');
      const page = await olga!.get(`/my/records/${id}/data/VitalSigns`);
      expect(readable(page)).to.contain(['latest: 73 kg', 'Status', 'preliminary', 'cancelled']);
      expect(page.text).to.contain('aria-label="Weight, 3 readings');
      expect(readable(await olga!.get(`/my/records/${id}/data/LabResult`))).to.contain(['latest: 140', 'cancelled']);
    });

    it('lists a message that is not read, the last documents, and the way to every kind', async () => {
      const ids = { record: record! };
      succeeded(
        await service.call(admin, 'POST', `/records/${record}/inbox/m1`, {
          form: { subject: HOSTILE, body: 'x' },
        }),
      );
      const said = words(await textOf(ids.record));
      expect(said).to.contain([`Message: ${HOSTILE} Administration`, 'Last documents', 'All by kind', 'Medicines']);
      const html = (await olga!.get(`/my/records/${ids.record}/`)).text;
      const card = /<section class="card k-doc" data-kind="Document".*?<\/section>/s.exec(html)![0];
      expect(card.match(/class="page /g)!.length).to.equal(card.match(/data-kind="Document" data-id/g)!.length);
    });

    it('hides no document behind readings of the same day', async () => {
      const measured = await createRecord(service.call, OLGA, 'Measured', 'Often');
      await put(measured, escapedModel('Procedure', { name: 'Appendectomy', date_performed: '2024-03-01' }));
      const cards: string[] = [];
      for (let round = 0; round < 5; round += 1) {
        await put(measured, weight(round));
        const { text } = await olga!.get(`/my/records/${measured}/`);
        cards.push(/<section class="card k-doc" data-kind="Document".*?<\/section>/s.exec(text)![0]);
      }
      expect(cards.map((card) => card.includes('Appendectomy'))).to.equal([true, true, true, true, true]);
      expect(cards.map((card) => card.match(/data-kind="Document" data-id/g)!.length)).to.equal([3, 3, 3, 3, 3]);
      expect(cards.at(-1)).to.contain('All 7 documents');
    });

    it('makes at most 20 statements, whatever the record holds, and names no code or type', async () => {
      const heavy = await createRecord(service.call, OLGA, 'Heavy', 'Record');
      for (let round = 0; round < 3; round += 1) {
        await put(
          heavy,
          ...Array.from({ length: 230 }, (_, at) => weight(round * 230 + at)),
          ...Array.from({ length: 90 }, (_, at) =>
            escapedModel('Medication', { drugName_title: `Medicine ${round * 90 + at}` }),
          ),
          ...Array.from({ length: 90 }, (_, at) =>
            escapedModel('Problem', { name_title: `Problem ${round * 90 + at}` }),
          ),
          ...Array.from({ length: 90 }, (_, at) =>
            escapedModel('Allergy', { allergen_title: `Cause ${round * 90 + at}` }),
          ),
        );
      }
      await put(
        heavy,
        escapedModel('VitalSigns', { date: '2018-03-01T00:00:00Z', height_value: 1.68, height_unit: 'm' }),
      );
      await put(
        heavy,
        escapedModel('VitalSigns', { date: '2018-03-01T00:00:00Z', temperature_value: 37, temperature_unit: 'Cel' }),
      );
      for (const id of [empty!, record!, heavy]) {
        await olga!.get(`/my/records/${id}/`);
        const asked = await statementsOf(() => olga!.get(`/my/records/${id}/`));
        expect(asked.length, asked.map((sql) => sql.trim().slice(0, 60)).join('\n')).to.be.at.most(MOST_STATEMENTS);
      }
      expect(words(await textOf(heavy))).to.contain(['There are more than 200']);
    });

    it('reads of hundreds of facts only what it says of them', async () => {
      const asked = await statementsOf(() => olga!.get(`/my/records/${record!}/`));
      const lists = asked.find((sql) => sql.includes('fact_medication') && sql.includes(' as facts_')) ?? '';
      expect(lists).to.contain(['drugName_title', 'status_title', 'endDate']);
      expect(lists).to.not.contain('quantity_unit_system');
      const readings = asked.find((sql) => sql.includes('fact_vitalsigns') && sql.includes('bp_systolic_value')) ?? '';
      expect(readings).to.contain('bp_position_title').and.to.not.contain('bp_site_title');
    });

    it('says what others added and who looked, until the person has seen it, each for themselves', async () => {
      const id = await createRecord(service.call, OLGA, 'Nora', 'News');
      await put(id, escapedModel('Problem', { name_title: 'Own word' }));
      const changed = async (site = olga!): Promise<string> => {
        const { text } = await site.get(`/my/records/${id}/`);
        return /<section[^>]*id="changed"[^]*?<\/section>/.exec(text)?.[0] ?? '';
      };
      expect(await changed()).to.equal('');
      succeeded(await service.call(hers, 'POST', `/records/${id}/shares/`, { form: { account_id: PAUL } }));
      const his = await signIn(service.call, PAUL);
      const add = async (...models: readonly string[]): Promise<void> => {
        const body = `<Models xmlns="${NS}">${models.join('')}</Models>`;
        succeeded(await service.call(his, 'POST', `/records/${id}/documents/`, { body }));
      };
      const high = {
        quantitative_result_normal_range_max_value: 5,
        quantitative_result_normal_range_max_unit: 'mmol/L',
      };
      const result_ = (name: string, value: number): string =>
        escapedModel('LabResult', {
          test_name_title: name,
          collected_at: '2026-06-01T07:00:00Z',
          quantitative_result_value_value: value,
          quantitative_result_value_unit: 'mmol/L',
          ...high,
        });
      await add(escapedModel('Problem', { name_title: HOSTILE }));
      await add(result_('Potassium', 9), result_('Sodium', 4));
      const news = words(await changed());
      expect(news).to.contain([
        'What changed',
        'in the last 90 days',
        `${HOSTILE} Paul Poole`,
        '2 lab results',
        'One is marked or outside the laboratory’s range: Potassium',
        'Paul Poole looked in',
        'I have seen these',
      ]);
      expect(news).to.not.contain(['Own word', 'Sodium', 'Olga Openshaw looked']);
      // Paul sees neither what he added himself nor his own looks.
      expect(words(await changed(paul!)))
        .to.contain(['Own word', 'Olga Openshaw looked in'])
        .and.to.not.contain(HOSTILE);
      const page = await olga!.open(`/my/records/${id}/`);
      const until = /name="until" value="([^"]+)"/.exec(page.text)![1]!;
      const tick = async (at: string): Promise<number> =>
        (await olga!.post(`/my/records/${id}/`, { crumb: olga!.cookies.get('crumb')!, until: at })).status;
      expect(await tick('yesterday')).to.equal(400);
      expect(await tick(until)).to.equal(303);
      expect(await tick('2020-01-01T00:00:00.000000Z')).to.equal(303);
      expect(await changed()).to.equal('');
      expect(await changed(paul!)).to.contain('Own word');
      await add(escapedModel('Problem', { name_title: 'Later' }));
      expect(words(await changed()))
        .to.contain(['Later', 'when you had seen all of it'])
        .and.to.not.contain('Potassium');
      expect((await olga!.post(`/my/carenets/${family}/`, { crumb: olga!.cookies.get('crumb')! })).status).to.equal(
        404,
      );
    });

    it('shows in a circle what lies there and nothing else, and is the same 404 for others', async () => {
      const document = await put(
        record!,
        escapedModel('Medication', { drugName_title: 'Ibuprofen' }),
        escapedModel('Allergy', { allergen_title: 'Hazelnut' }),
      );
      expect((await paul!.get(`/my/carenets/${family}/`)).status).to.equal(404);
      succeeded(
        await service.call(hers, 'POST', `/carenets/${family}/accounts/`, {
          form: { account_id: PAUL, write: 'false' },
        }),
      );
      const before_ = await paul!.get(`/my/carenets/${family}/`);
      expect(readable(before_)).to.contain(['What lies in Family', 'Not known here']);
      expect(readable(before_)).to.not.contain(['1970', 'Lisinopril', 'Add']);
      succeeded(await service.call(hers, 'PUT', `/records/${record}/documents/${document}/carenets/${family}`));
      const page = await paul!.get(`/my/carenets/${family}/`);
      expect(readable(page)).to.contain(['Ibuprofen', 'Hazelnut']);
      expect(readable(page)).to.not.contain(['Lisinopril', 'Asthma', 'Message:', '3 that were stopped']);
      expect(page.text).to.not.contain([`/records/${record}`, '>Sharing<', '>Apps<']);
      expect(page.text.match(/<nav class="places"[^]*?<\/nav>/)![0].match(/<ul>/g)).to.have.length(2);
      const crumb = paul!.cookies.get('crumb')!;
      expect((await paul!.post(`/my/carenets/${family}/`, { crumb })).status).to.equal(404);
      for (const path of ['', 'timeline', 'documents/']) {
        const { text } = await paul!.get(`/my/carenets/${family}/${path}`);
        expect(text, path).to.match(/<title>[^<]* · Family · /);
        expect(text, path).to.match(/class="of">[^<]*<bdi>Family<\/bdi>/);
      }
      const texts = new Set<string>();
      for (const path of [`records/${record}/`, 'records/none/', 'carenets/none/']) {
        const other = await paul!.get(`/my/${path}`);
        expect(other.status, path).to.equal(404);
        texts.add(readable(other).replace(/reference \w+|\d\d:\d\d/g, ''));
      }
      expect(texts.size).to.equal(1);
      const asked = await statementsOf(() => paul!.get(`/my/carenets/${family}/`));
      expect(asked.length, asked.map((sql) => sql.trim().slice(0, 60)).join('\n')).to.be.at.most(MOST_STATEMENTS);
    });

    it('puts on paper whose it is and when it was printed', async () => {
      succeeded(
        await service.call(hers, 'PUT', `/records/${empty}/demographics`, { body: demographics('Nora', 'Nothing') }),
      );
      expect(await textOf(empty!)).to.match(/<p class="print-only">Nora Nothing, born 2 January 1970\. Printed on \d/);
    });
  });
}
