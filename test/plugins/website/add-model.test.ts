/** add-model: a form of any model becomes a document with the right facts, once; errors are shown at their fields. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadStarterCodes } from '../../../core/codes/load';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { enterSite } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createAccount, signIn } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '<img src=x onerror=alert(1)>"&\' ]]> {name} \u2028 =1+1';

/** A model with every type of field, a list, a list in a list, required fields and a field with only one value. */
const DROPPED_IN = `__modelname__: Walk
day: { type: Date, required: true }
steps: { type: Integer, required: true }
far: ValueAndUnit
level: Number
dog: Boolean
mood: { type: String, max: 12, values: [good, fair, poor] }
source: { type: String, equals: by hand }
note: Text
finished: DateOnly
guide: Provider
phone: Telephone
place: Address
club: Organization
shop: Pharmacy
range: ValueRange
test: QuantitativeResult
pulse: VitalSign
pressure: BloodPressure
reason: CodedValue
stops:
  - __modelname__: Stop
    where: { type: String, required: true }
    minutes: Number
    drinks:
      - __modelname__: Drink
        what: String
`;

for (const leg of databases) {
  describe(`writing down on ${leg.name}`, () => {
    let service: TestService;
    let olga: Site;
    let paul: Site;
    let recordId: string;

    const enter = (id: string, language = 'en'): Promise<Site> => enterSite(service, id, language);
    const path = (model: string): string => `/my/records/${recordId}/add/${model}`;
    const count = async (): Promise<number> =>
      (await direct(service.services.database)('document').where({ record_id: recordId })).length;
    const form = (page: SitePage) => formsOf(page).find(({ html }) => html.includes('name="form"'))!;
    const send = (site: Site, page: SitePage, fields: Readonly<Record<string, string>>): Promise<SitePage> => {
      const { action, fields: filled } = form(page);
      const { more: _more, look: _look, ...rest } = filled;
      return site.post(action, { ...rest, ...fields });
    };
    const write = async (model: string, fields: Readonly<Record<string, string>>, site = olga): Promise<SitePage> =>
      send(site, await site.open(path(model)), fields);
    const documentAt = (page: SitePage): string => {
      expect(page.status, readable(page)).to.equal(303);
      return /\/documents\/([\w-]{36})(?:\?note=before)?$/.exec(String(page.headers['location']))![1]!;
    };
    type Found = Readonly<Record<string, unknown>> & { readonly __documentid__: string };
    const factsOf = async (model: string, id: string): Promise<readonly Found[]> => {
      const hers = await signIn(service.call, OLGA);
      const reply = await service.call(
        hers,
        'GET',
        `/records/${recordId}/reports/${model}/?response_format=application/json`,
      );
      return (JSON.parse(reply.text) as Found[]).filter((fact) => fact.__documentid__ === id);
    };
    const labelOf = async (id: string): Promise<unknown> =>
      (
        (await direct(service.services.database)('document_lineage').where({ latest_id: id }).first()) as {
          label: unknown;
        }
      ).label;

    before(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'walk.yaml'), DROPPED_IN);
      service = await startService(leg, { SVC_DATAMODELS_DIR: `datamodels:${folder}` });
      await loadStarterCodes(service.services.database, service.services.clock);
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, PAUL, 'Paul');
      olga = await enter(OLGA);
      paul = await enter(PAUL);
      const made = await olga.submit(await olga.open('/my/start'), {
        given: 'Tor',
        family: 'Openshaw',
        born: '1941-08-08',
        sex: 'male',
      });
      recordId = /\/my\/records\/([\w-]{36})\//.exec(made.path)![1]!;
    });
    after(() => service.stop());

    it('offers every kind, the usual ones first, a dropped-in one too', async () => {
      const page = await olga.open(`/my/records/${recordId}/add`);
      const links = [...page.text.matchAll(/\/add\/(\w+)"/g)].map((match) => match[1]!);
      expect(links.slice(0, 3)).to.equal(['VitalSigns', 'Medication', 'Allergy']);
      expect(links).to.include(['Walk', 'Measurement', 'Procedure']);
      expect(links).to.not.include(['Fill', 'Stop', 'Demographics']);
      // A file is added with the file field above the list.
      expect(links).to.not.include('StoredFile');
      for (const model of links) {
        const shown = await olga.get(path(model));
        expect([shown.status, shown.text.includes('>Save')], model).to.equal([200, true]);
      }
    });

    it('stores a measurement with its units, as a document with a label', async () => {
      const id = documentAt(
        await write('VitalSigns', {
          date: '2026-03-03',
          bp_systolic_value: '132',
          bp_diastolic_value: '84',
          weight_value: ' 73.4 ',
        }),
      );
      const [fact] = await factsOf('VitalSigns', id);
      expect(fact).to.include({
        date: '2026-03-03T00:00:00Z',
        bp_systolic_value: 132,
        bp_systolic_unit: 'mm[Hg]',
        weight_value: 73.4,
        weight_unit: 'kg',
        height_unit: null,
      });
      expect(await labelOf(id)).to.equal('Measurement: Blood pressure 132 / 84 mmHg');
      const rows = (await direct(service.services.database)('audit').where({ document_id: id })) as {
        function_name: string;
      }[];
      expect(rows.map(({ function_name }) => function_name)).to.include('document_create');
    });

    it('says what is missing or wrong at its field and in a summary, keeps what was typed, and stores nothing', async () => {
      const before = await count();
      const empty = await write('VitalSigns', {});
      expect(empty.status).to.equal(400);
      expect(readable(empty)).to.contain(['Date: fill this in', 'Fill in at least one: ']);
      const bad = await write('VitalSigns', { date: 'yesterday', bp_systolic_value: '13s', weight_value: '70' });
      expect([bad.status, (bad.text.match(/aria-invalid/g) ?? []).length]).to.equal([400, 2]);
      expect(bad.text).to.contain([
        'href="#field-bp_systolic_value"',
        'id="field-bp_systolic_value-why"',
        'role="alert"',
      ]);
      expect(bad.text).to.match(/<title>Error: /);
      expect(form(bad).fields).to.include({ bp_systolic_value: '13s', weight_value: '70' });
      const pair = await write('VitalSigns', { date: '2026-03-03', bp_systolic_value: '130/85' });
      expect(readable(pair)).to.contain(
        'Upper blood pressure: write one number here. The other has a field of its own',
      );
      expect((await write('Allergy', { severity_title: 'mild' })).status).to.equal(400);
      expect((await write('Medication', { instructions: 'one a day' })).status).to.equal(400);
      expect((await write('Measurement', { type: 'x'.repeat(25), value: '1' })).status).to.equal(400);
      expect((await write('Problem', { name_title: 'bell \u0007' })).status).to.equal(400);
      expect(await count()).to.equal(before);
    });

    it('asks once about a value that hardly can be, and stores nothing before the answer', async () => {
      const before = await count();
      const typed = { date: '2026-03-03', bp_systolic_value: '1380', bp_diastolic_value: '88' };
      const asked = await write('VitalSigns', typed);
      expect([asked.status, await count()]).to.equal([200, before]);
      expect(readable(asked)).to.contain([
        'Is this right?',
        'Upper blood pressure: 1,380 mmHg',
        'Yes, keep it',
        'No, change it',
      ]);
      expect(readable(asked)).not.to.contain('Lower blood pressure: 88');
      const sure = (page: SitePage): string => /name="sure" value="([^"]+)"/.exec(page.text)![1]!;
      const change = await send(olga, asked, { change: 'yes', sure: '' });
      expect([change.status, readable(change).includes('Is this right?')]).to.equal([200, false]);
      expect(form(change).fields).to.include(typed);
      const other = await send(olga, asked, { sure: sure(asked), bp_diastolic_value: '880' });
      expect([readable(other).includes('Is this right?'), await count()], 'yes to another value').to.equal([
        true,
        before,
      ]);
      const id = documentAt(await send(olga, asked, { sure: sure(asked), change: '' }));
      expect((await factsOf('VitalSigns', id))[0]).to.include({ bp_systolic_value: 1380 });
      expect(await count()).to.equal(before + 1);
      expect(readable(await olga.open(`/my/records/${recordId}/documents/${id}`))).to.contain(
        'Please check: Upper blood pressure',
      );
    });

    it('asks about a height in centimetres and a day that has not come, in the time zone of the person', async () => {
      const before = await count();
      const tall = await write('VitalSigns', { date: '2026-03-03', height_value: '172' });
      expect(readable(tall)).to.contain(['Is this right?', 'Height: 172 m']);
      const future = await write('VitalSigns', { date: '2062-03-03', weight_value: '70' });
      expect(readable(future)).to.contain(['Is this right?', 'Date: 3 March 2062']);
      const year = await write('Problem', { name_title: 'Asthma', 'startDate:partial': '2099' });
      expect(readable(year)).to.contain(['Is this right?', '2099']);
      expect(await count()).to.equal(before);
      documentAt(await write('Problem', { name_title: 'Asthma', 'startDate:partial': '2019' }));
    });

    it('shows one empty row of a list, and one more at a time, with what was typed', async () => {
      let page = await olga.open(path('Medication'));
      const rows = (): number => (page.text.match(/class="row"/g) ?? []).length;
      expect(rows()).to.equal(1);
      page = await send(olga, page, {
        drugName_title: 'Aspirin',
        'fulfillments.1.date': '2026-01-02',
        more: 'fulfillments',
      });
      expect([page.status, rows()]).to.equal([200, 2]);
      expect(form(page).fields).to.include({ drugName_title: 'Aspirin', 'fulfillments.1.date': '2026-01-02' });
      const wrong = await send(olga, page, { 'fulfillments.2.dispenseDaysSupply': '30' });
      expect([wrong.status, wrong.text.includes('href="#field-fulfillments.2.date"')]).to.equal([400, true]);
      const id = documentAt(await send(olga, page, { 'fulfillments.1.pharmacy_org': 'Corner' }));
      const [fact] = await factsOf('Medication', id);
      expect((fact!['fulfillments'] as Found[]).length).to.equal(1);
      expect((fact!['fulfillments'] as Found[])[0]).to.include({
        date: '2026-01-02T00:00:00Z',
        pharmacy_org: 'Corner',
      });
    });

    it('looks codes up without a script, and takes the code only with its own title', async () => {
      const page = await send(olga, await olga.open(path('Problem')), {
        name_title: 'hypertensive',
        look: 'name_title',
      });
      expect([page.status, readable(page).includes('High blood pressure')]).to.equal([200, true]);
      const pick = / name="pick:name_title" value="(38341003[^"]*)"/.exec(page.text)![1]!;
      const id = documentAt(await send(olga, page, { 'pick:name_title': pick }));
      expect((await factsOf('Problem', id))[0]).to.include({
        name_title: 'High blood pressure',
        name_identifier: '38341003',
        name_system: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
      });
      const own = documentAt(await send(olga, page, { 'pick:name_title': '', name_title: 'My own words' }));
      expect(own).to.equal(id);
      const corrected = await olga.open(`${path('Problem')}?correct=${id}`);
      const next = documentAt(await send(olga, corrected, { name_title: 'Something else' }));
      expect((await factsOf('Problem', next))[0]).to.include({ name_title: 'Something else', name_identifier: null });
      const none = await send(olga, await olga.open(path('Problem')), { name_title: 'zzzqqq', look: 'name_title' });
      expect(none.text).to.match(/<p id="[^"]*-found" tabindex="-1" autofocus/);
      expect(readable(none)).to.contain('Nothing was found');
    });

    it('makes a form for a model that somebody dropped in, with every type of field', async () => {
      const page = await olga.open(path('Walk'));
      const filled = {
        day: '2026-07-01',
        'day:time': '14:30',
        steps: '9000',
        far_value: '6.5',
        far_unit: 'km',
        level: '-0.5',
        dog: 'true',
        mood: 'fair',
        note: 'two\r\nlines',
        finished: '2026-07-02',
        guide_name_given: 'Ida',
        guide_gender: 'f',
        phone_number: '123',
        place_city: 'Oslo',
        club_name: 'Club',
        shop_org: 'Shop',
        range_min_value: '1',
        range_max_value: '2',
        test_value_value: '5',
        pulse_value: '60',
        pulse_unit: '/min',
        pressure_systolic_value: '120',
        reason_title: HOSTILE,
        'stops.1.where': 'Hut',
        'stops.1.drinks.1.what': 'Water',
      };
      for (const name of Object.keys(filled)) {
        expect(form(page).fields, name).to.include(name);
      }
      const id = documentAt(await send(olga, page, filled));
      const [fact] = await factsOf('Walk', id);
      expect(fact).to.include({
        day: '2026-07-01T14:30:00Z',
        steps: 9000,
        level: -0.5,
        dog: true,
        mood: 'fair',
        source: 'by hand',
        note: 'two\nlines',
        finished: '2026-07-02',
        guide_name_given: 'Ida',
        reason_title: HOSTILE.trim(),
        phone_preferred_p: false,
      });
      const stop = (fact!['stops'] as Found[])[0]!;
      expect([stop['where'], (stop['drinks'] as Found[])[0]!['what']]).to.equal(['Hut', 'Water']);
      expect((await write('Walk', { ...filled, mood: 'splendid' })).status).to.equal(400);
      const again = await olga.open(`${path('Walk')}?correct=${id}`);
      expect(again.text).to.not.contain('<img');
      expect(form(again).fields).to.include({ ...filled, note: 'two\nlines', reason_title: HOSTILE.trim() });
    });

    it('reads numbers and times as the person writes them', async () => {
      await olga.submit(await olga.open('/my/account'), { what: 'manner', language: 'de', zone: 'Europe/Berlin' });
      const id = documentAt(
        await write('VitalSigns', { date: '2026-07-01', 'date:time': '08:15', weight_value: '73,4' }),
      );
      expect((await factsOf('VitalSigns', id))[0]).to.include({ date: '2026-07-01T06:15:00Z', weight_value: 73.4 });
      const shown = form(await olga.open(`${path('VitalSigns')}?correct=${id}`)).fields;
      expect(shown).to.include({ date: '2026-07-01', 'date:time': '08:15', weight_value: '73,4' });
      await olga.submit(await olga.open('/my/account'), { what: 'manner', language: 'en', zone: 'America/New_York' });
      const elsewhere = await olga.open(`${path('VitalSigns')}?correct=${id}`);
      expect(form(elsewhere).fields).to.include({ date: '2026-07-01', 'date:time': '08:15', weight_value: '73.4' });
      const corrected = await olga.submit(elsewhere, { weight_value: '74' });
      expect(readable(corrected)).to.contain(['1 July 2026 at 08:15', '74 kg']);
      const [again] = await factsOf('VitalSigns', /documents\/([^/?]+)/.exec(corrected.path)![1]!);
      expect(again).to.include({ date: '2026-07-01T06:15:00Z', weight_value: 74 });
      await olga.submit(await olga.open('/my/account'), { what: 'manner', language: 'de', zone: 'Europe/Berlin' });
      expect((await write('VitalSigns', { date: '2026-07-01', weight_value: '1.234' })).status).to.equal(400);
      await olga.submit(await olga.open('/my/account'), { what: 'manner', language: 'ar', zone: 'UTC' });
      const arabic = documentAt(await write('VitalSigns', { date: '2026-07-01', weight_value: '٧٣٫٤' }));
      expect((await factsOf('VitalSigns', arabic))[0]).to.include({ weight_value: 73.4 });
      await olga.submit(await olga.open('/my/account'), { what: 'manner', language: 'en', zone: 'UTC' });
      // A telephone of another region has no other sign; thousands are asked about.
      const comma = documentAt(await write('VitalSigns', { date: '2026-07-01', weight_value: '73,4' }));
      expect((await factsOf('VitalSigns', comma))[0]).to.include({ weight_value: 73.4 });
      expect((await write('VitalSigns', { date: '2026-07-01', weight_value: '1,234' })).status).to.equal(400);
    });

    it('stores an amount as the data models read it, however the person writes its decimals', async () => {
      const manner = async (language: string): Promise<SitePage> =>
        olga.submit(await olga.open('/my/account'), { what: 'manner', language, zone: 'UTC' });
      const amountOf = async (typed: string): Promise<readonly [string, unknown]> => {
        const id = documentAt(
          await write('LabResult', {
            test_name_title: 'Glucose',
            quantitative_result_value_value: typed,
            quantitative_result_value_unit: 'mmol/L',
          }),
        );
        return [id, (await factsOf('LabResult', id))[0]!['quantitative_result_value_value']];
      };
      const shownOf = async (id: string): Promise<unknown> =>
        form(await olga.open(`${path('LabResult')}?correct=${id}`)).fields['quantitative_result_value_value'];
      await manner('de');
      const [id, stored] = await amountOf('5,40');
      expect([stored, await shownOf(id)]).to.equal(['5.40', '5,40']);
      expect((await amountOf('5,1-5,3'))[1]).to.equal('5,1-5,3');
      expect(
        (await write('LabResult', { test_name_title: 'Platelets', quantitative_result_value_value: '1.234' })).status,
      ).to.equal(400);
      const [thousandths] = await amountOf('1,234');
      const again = await olga.open(`${path('LabResult')}?correct=${thousandths}`);
      expect((await send(olga, again, { test_name_title: 'Sugar' })).status).to.equal(303);
      await manner('ar');
      expect((await amountOf('٥٫٤'))[1]).to.equal('5.4');
      await manner('en');
      expect([(await amountOf('5.4'))[1], await shownOf(id)]).to.equal(['5.4', '5.40']);
    });

    it('stores once what is sent twice, one after the other or at once', async () => {
      for (const together of [false, true]) {
        const page = await olga.open(path('Problem'));
        const before = await count();
        const once = (): Promise<SitePage> => send(olga, page, { name_title: 'Twice' });
        const answers = together ? await Promise.all([once(), once(), once()]) : [await once(), await once()];
        expect(new Set(answers.map(documentAt)).size).to.equal(1);
        expect(await count()).to.equal(before + 1);
      }
    });

    it('tells whoever went back and typed something else that it is not stored', async () => {
      const page = await olga.open(path('Problem'));
      const first = await send(olga, page, { name_title: 'Cough' });
      const again = await send(olga, page, { name_title: 'Cough' });
      expect(again.headers['location']).to.equal(first.headers['location']);
      const other = await send(olga, page, { name_title: 'Cough and fever' });
      expect(documentAt(other)).to.equal(documentAt(first));
      expect(readable(await olga.open(String(other.headers['location'])))).to.contain([
        'This was saved already.',
        'Problem: Cough',
      ]);
    });

    describe('a correction', () => {
      it('is a new version, says kindly that somebody was faster, and keeps a label that was chosen', async () => {
        const first = documentAt(await write('Problem', { name_title: 'Asthma', startDate: '2020-01-01' }));
        const [mine, other] = [
          await olga.open(`${path('Problem')}?correct=${first}`),
          await olga.open(`${path('Problem')}?correct=${first}`),
        ];
        expect(form(mine).fields).to.include({ name_title: 'Asthma', startDate: '2020-01-01' });
        const seen = await olga.open(`/my/records/${recordId}/documents/${first}`);
        expect(seen.text).to.contain(`/add/Problem?correct=${first}`);
        const second = documentAt(await send(olga, mine, { name_title: 'Asthma, mild' }));
        expect(documentAt(await send(olga, mine, { name_title: 'Asthma, mild' }))).to.equal(second);
        expect(await labelOf(second)).to.equal('Problem: Asthma, mild');
        const late = await send(olga, other, { name_title: 'Asthma, severe' });
        expect([late.status, readable(late).includes('This was changed meanwhile')]).to.equal([409, true]);
        expect(form(late).fields).to.include({ name_title: 'Asthma, severe' });
        expect(await factsOf('Problem', first)).to.equal([]);
        expect((await factsOf('Problem', second))[0]).to.include({ name_title: 'Asthma, mild' });
        await direct(service.services.database)('document_lineage')
          .where({ latest_id: second })
          .update({ label: 'Mine' });
        const third = documentAt(
          await send(olga, await olga.open(`${path('Problem')}?correct=${second}`), { name_title: 'Gone' }),
        );
        expect(await labelOf(third)).to.equal('Mine');
      });

      it('is there for documents of one such fact only, and for whom they are', async () => {
        const id = documentAt(await write('Problem', { name_title: 'Private' }));
        expect((await olga.get(`${path('Allergy')}?correct=${id}`)).status).to.equal(404);
        expect((await olga.get(`${path('Problem')}?correct=none`)).status).to.equal(404);
        expect((await paul.get(`${path('Problem')}?correct=${id}`)).status).to.equal(404);
      });
    });

    it('refuses who may not, what is no model, and forged forms', async () => {
      const before = await count();
      expect((await paul.get(path('Problem'))).status).to.equal(404);
      expect((await olga.get(path('Nothing'))).status).to.equal(404);
      expect((await olga.get(path('Fill'))).status).to.equal(404);
      // The results of a panel cannot be typed in.
      expect((await olga.get(path('LabPanel'))).status).to.equal(404);
      expect((await olga.get(path('Demographics'))).status).to.equal(404);
      const crumb = paul.cookies.get('crumb')!;
      expect((await paul.post(path('Problem'), { crumb, name_title: 'His' })).status).to.equal(404);
      expect((await olga.post(path('Problem'), { name_title: 'Forged' })).status).to.equal(403);
      expect((await olga.post(path('Problem'), { name_title: 'Forged', crumb })).status).to.equal(403);
      olga.headers['origin'] = 'https://evil.example';
      expect((await write('Problem', { name_title: 'Forged' })).status).to.equal(403);
      delete olga.headers['origin'];
      expect(await count()).to.equal(before);
    });
  });
}
