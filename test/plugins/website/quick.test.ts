/**
 * quick: the short forms store what was typed, in the time zone of the record's owner; they ask about values that hardly
 * can be, refuse in four languages, and take back what the same account has just added.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Fields, type Site, type SitePage } from '../../support/site';
import { enterSite, makeSiteRecord, OWNER, STRANGER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Found = Readonly<Record<string, unknown>> & { readonly __documentid__: string };

const languages = {
  en: ['Something is missing or wrong', 'this day is still to come'],
  de: ['Etwas fehlt', 'kommt erst noch'],
  es: ['Falta algo', 'aún no ha llegado'],
  ar: ['', 'لم يأتِ بعد'],
} as const;

for (const leg of databases) {
  describe(`quick forms on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let olga: Site;
    let paul: Site;

    const path = (rest: string): string => `/my/records/${made.recordId}/quick/${rest}`;
    const formIn = (page: SitePage) => formsOf(page).find(({ html }) => html.includes('name="form"'))!;
    const send = async (site: Site, page: SitePage, fields: Readonly<Record<string, string>>): Promise<SitePage> => {
      const { action, fields: filled } = formIn(page);
      const { more: _more, sure: _sure, change: _change, position: _position, severity: _severity, ...rest } = filled;
      return site.post(action, { ...rest, ...fields });
    };
    const add = async (what: string, fields: Readonly<Record<string, string>>, site = olga): Promise<SitePage> =>
      send(site, await site.open(path(what)), fields);
    const savedAt = (page: SitePage): string => {
      expect(page.status, readable(page)).to.equal(303);
      return String(page.headers['location']);
    };
    const idAt = (page: SitePage): string => /saved\/([\w-]{36})$/.exec(savedAt(page))![1]!;
    const factOf = async (model: string, page: SitePage): Promise<Found> => {
      const reply = succeeded(
        await service.call(
          made.credentials,
          'GET',
          `/records/${made.recordId}/reports/${model}/?response_format=application/json`,
        ),
      );
      return (JSON.parse(reply.text) as Found[]).find((fact) => fact.__documentid__ === idAt(page))!;
    };
    const count = async (): Promise<number> =>
      (await direct(service.services.database)('document').where({ record_id: made.recordId })).length;
    const undo = (site: Site, at: string): Promise<SitePage> => site.post(at, { crumb: site.cookies.get('crumb')! });
    const speak = (site: Site, zone: string): Promise<SitePage> =>
      site.open('/my/account').then((page) => site.submit(page, { language: 'en', zone }));

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      ({ owner: olga, stranger: paul } = made);
      const form = { account_id: STRANGER, role_label: 'son' };
      succeeded(await service.call(made.credentials, 'POST', `/records/${made.recordId}/shares/`, { form }));
    });
    after(() => service.stop());

    it('offer what people write down daily, and have today and now filled in', async () => {
      const all = await olga.open(path(''));
      for (const what of ['blood-pressure', 'weight', 'medicine', 'journal', 'photo', 'allergy', 'note']) {
        expect(all.text).to.contain(`/quick/${what}"`);
        expect((await olga.open(path(what))).status).to.equal(200);
      }
      const page = await olga.open(path('blood-pressure'));
      const now = new Date(service.services.clock.now()).toISOString();
      expect(formIn(page).fields['date']).to.equal(now.slice(0, 10));
      expect(formIn(page).fields['date:time']).to.equal(now.slice(11, 16));
      const arabic = await (await enterSite(service, OWNER, 'ar')).open(path('weight'));
      expect(arabic.text).to.match(/<b>\u200f\u2068اليوم\u2069، \u2068[\u0660-\u0669]{2}:[\u0660-\u0669]{2}\u2069</);
      expect(page.text).to.contain('inputmode="numeric"');
      expect((await olga.open(path('steps'))).status).to.equal(404);
    });

    it('say the last reading of what they ask for', async () => {
      expect(readable(await olga.open(path('weight')))).to.not.contain('The last one');
      const first = await add('weight', { weight_value: '72.5', date: '2020-03-01', 'date:time': '07:30' });
      expect((await olga.open(savedAt(first))).text, 'a chart of one reading').to.not.contain('class="spark"');
      const second = await olga.open(
        savedAt(await add('weight', { weight_value: '71.4', date: '2020-03-02', 'date:time': '' })),
      );
      // Beside what was saved stand the readings before it, with the way to all of them.
      expect(second.text)
        .to.contain('class="spark"')
        .and.to.match(/href="[^"]*\/tests\/weight"/);
      expect(second.text).to.contain(
        'the last 2 readings. First: 1 March 2020 at 07:30: 72.5. Latest: 2 March 2020: 71.4.',
      );
      const page = await olga.open(path('weight'));
      expect(readable(page)).to.contain('The last one: 71.4 kg, 2 March 2020.');
      expect(page.text).to.contain('inputmode="decimal"');
      expect(readable(await olga.open(path('blood-pressure')))).to.not.contain('The last one');
      expect(readable(await olga.open(path('note')))).to.not.contain('The last one');
    });

    it('store a blood pressure with its pulse and position, once', async () => {
      const page = await olga.open(path('blood-pressure'));
      const fields = {
        bp_systolic_value: '138',
        bp_diastolic_value: '88',
        heart_rate_value: '70',
        position: 'sitting',
      };
      const first = await send(olga, page, fields);
      const fact = await factOf('VitalSigns', first);
      expect(fact).to.include({
        bp_systolic_value: 138,
        bp_systolic_unit: 'mm[Hg]',
        bp_diastolic_value: 88,
        heart_rate_value: 70,
        bp_position_identifier: '33586001',
      });
      expect(savedAt(await send(olga, page, fields))).to.equal(savedAt(first));
      const saved = await olga.get(savedAt(first));
      expect(saved.text).to.contain('role="status"');
      expect(readable(saved)).to.contain('Saved').and.to.contain('138 / 88').and.to.contain('Undo');
      expect(readable(saved)).to.contain('Add another');
    });

    it('store the other kinds', async () => {
      const weight = await factOf('VitalSigns', await add('weight', { weight_value: '81.4', notes: 'in the evening' }));
      expect(weight).to.include({ weight_value: 81.4, weight_unit: 'kg', notes: 'in the evening' });
      const medicine = await add('medicine', {
        drugName_title: 'Ramipril',
        'how-much': '5 mg',
        'how-often': '2 times A DAY',
        startDate: '2026-01-02',
      });
      expect(await factOf('Medication', medicine)).to.include({
        drugName_title: 'Ramipril',
        quantity_value: '5',
        quantity_unit: 'mg',
        frequency_value: '2',
        frequency_unit: '/d',
        instructions: null,
      });
      const own = await add('medicine', { drugName_title: 'Drops', 'how-much': 'a few', 'how-often': 'when I cough' });
      expect(await factOf('Medication', own)).to.include({ instructions: 'a few, when I cough', quantity_value: null });
      const allergy = await add('allergy', {
        allergen_title: 'Hazelnut',
        allergic_reaction_title: 'hives',
        severity: 'severe',
      });
      expect(await factOf('Allergy', allergy)).to.include({
        allergen_title: 'Hazelnut',
        allergic_reaction_title: 'hives',
        severity_identifier: '24484000',
      });
      const journal = await add('journal', { name_title: 'Dizzy', severity: 'mild', said: 'On the stairs.' });
      expect(await factOf('Symptom', journal)).to.include({ name_title: 'Dizzy', said: 'On the stairs.' });
      const note = await add('note', { content: 'Ask about the dose.' });
      expect(await factOf('SimpleClinicalNote', note)).to.include({ content: 'Ask about the dose.' });
    });

    it('take a photo through the preview, and take it back', async () => {
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const looked = await olga.send(await olga.open(path('photo')), [
        { field: 'file', name: 'letter.png', type: 'image/png', bytes: png },
      ]);
      expect(readable(looked)).to.contain('Add to my record');
      const form = formsOf(looked).find(({ fields }) => 'quick' in fields && 'label' in fields)!;
      expect(form.fields['date']).to.match(/^\d{4}-\d\d-\d\d$/);
      const { nevershare: _never, ...fields } = form.fields;
      const at = savedAt(await olga.post(form.action, fields));
      expect(at).to.contain('/quick/photo/saved/');
      expect(readable(await olga.get(at)))
        .to.contain('letter')
        .and.to.contain('Undo');
      expect((await undo(olga, at)).status).to.equal(303);
      expect((await olga.get(at)).status).to.equal(404);
      const both = await olga.send(
        await olga.open(path('photo')),
        ['front.png', 'back.png'].map((name) => ({ field: 'file', name, type: 'image/png', bytes: png })),
      );
      const days = formsOf(both).find((one) => 'date-2' in one.fields)!.fields;
      expect(days['date-2'])
        .to.equal(days['date'])
        .and.to.match(/^\d{4}-\d\d-\d\d$/);
    });

    it('ask once about a value that hardly can be, and store nothing before', async () => {
      const before = await count();
      const fields = { bp_systolic_value: '1380', bp_diastolic_value: '88' };
      const asked = await add('blood-pressure', fields);
      expect(readable(asked)).to.contain('Is this right?').and.to.contain('1,380');
      expect(await count()).to.equal(before);
      const again = await send(olga, asked, { ...fields, change: 'yes' });
      expect(readable(again)).not.to.contain('Is this right?');
      const sure = /name="sure" value="([^"]*)"/.exec(asked.text)![1]!;
      expect((await factOf('VitalSigns', await send(olga, asked, { ...fields, sure })))['bp_systolic_value']).to.equal(
        1380,
      );
    });

    for (const [language, [title, late]] of Object.entries(languages)) {
      it(`refuse what is empty, no number, or still to come, in ${language}`, async () => {
        const site = await enterSite(service, OWNER, language);
        await site.open('/my/account').then((page) => site.submit(page, { language, zone: 'UTC' }));
        const before = await count();
        for (const [what, fields] of [
          ['blood-pressure', {}],
          ['weight', { weight_value: 'heavy' }],
          ['medicine', { 'how-much': '5 mg' }],
          ['journal', {}],
          ['allergy', { allergic_reaction_title: 'hives' }],
          ['note', {}],
          ['weight', { weight_value: '80', date: '2026-02-30' }],
        ] as const) {
          const page = await add(what, fields, site);
          expect(page.status, `${what} ${JSON.stringify(fields)}`).to.equal(400);
          expect(page.text).to.contain('role="alert"').and.to.contain('aria-invalid="true"').and.to.contain(title);
          expect(/href="#(field-[^"]+)"/.exec(page.text.slice(page.text.indexOf('role="alert"')))).not.to.be.null();
        }
        const tomorrow = new Date(service.services.clock.now() + 2 * 86_400_000).toISOString().slice(0, 10);
        const page = await add('weight', { weight_value: '80', date: tomorrow }, site);
        expect(page.status).to.equal(400);
        expect(readable(page)).to.contain(late);
        expect(await count()).to.equal(before);
      });
    }

    it('say no time of another day that nobody has said', async () => {
      await speak(olga, 'UTC');
      const { 'date:time': time, 'date:filled': filled } = formIn(await olga.open(path('weight'))).fields;
      expect(filled!.endsWith(`T${time}`)).to.be.true();
      const untouched = await add('weight', { weight_value: '70.1', date: '2019-05-01' });
      expect(readable(await olga.open(savedAt(untouched)))).to.contain('Weight 70.1 kg · 1 May 2019 Undo');
      const said = await add('weight', { weight_value: '70.2', date: '2019-05-02', 'date:time': '00:01' });
      expect(readable(await olga.open(savedAt(said)))).to.contain('2 May 2019 at 00:01');
      const today = await olga.open(savedAt(await add('weight', { weight_value: '70.3' })));
      expect(readable(today)).to.match(/Weight 70\.3 kg · \d+ \w+ \d{4} at \d\d:\d\d/);
    });

    it('write days and times in the time zone of the owner, whoever types', async () => {
      await speak(olga, 'Asia/Tokyo');
      await speak(paul, 'America/New_York');
      const fields = { weight_value: '80', date: '2026-01-02', 'date:time': '07:30' };
      for (const site of [olga, paul]) {
        const page = await add('weight', fields, site);
        expect((await factOf('VitalSigns', page))['date']).to.equal('2026-01-01T22:30:00Z');
      }
      expect(readable(await paul.open(path('weight')))).to.contain('Tokyo');
      await speak(olga, 'UTC');
      await speak(paul, 'UTC');
    });

    it('lead on to the whole form with what was typed', async () => {
      const page = await add('medicine', { drugName_title: 'Aspirin', 'how-often': 'Once a day', more: 'all' });
      expect(page.status).to.equal(200);
      const form = formsOf(page).find(({ action }) => action.endsWith('/add/Medication'))!;
      expect(form.fields).to.include({ drugName_title: 'Aspirin', frequency_value: '1', frequency_unit: '/d' });
      const { look: _look, more: _more, ...fields } = form.fields;
      const stored = await olga.post(form.action, fields as Fields);
      expect(stored.status, readable(stored)).to.equal(303);
      expect(String(stored.headers['location'])).to.contain('/documents/');
    });

    describe('taking back', () => {
      it('makes it void with its reason, on no page but the history', async () => {
        const saved = await add('allergy', { allergen_title: 'Walnut of a mistake' });
        const [at, id] = [savedAt(saved), idAt(saved)];
        const undone = await undo(olga, at);
        expect(readable(await olga.get(savedAt(undone)))).to.contain('Taken back');
        const base = `/my/records/${made.recordId}`;
        for (const gone of [
          at,
          `${base}/documents/${id}`,
          `${base}/documents/${id}/text`,
          `${base}/documents/${id}/file`,
        ]) {
          expect((await olga.get(gone)).status, gone).to.equal(404);
        }
        for (const list of [
          '',
          'timeline',
          'data/Allergy',
          'documents/',
          'documents/?status=void',
          'documents/?status=void&q=walnut',
        ]) {
          const page = await olga.get(`${base}/${list}`);
          expect(page.status).to.equal(200);
          expect(page.text, list).not.to.contain('Walnut of a mistake').and.not.to.contain(id);
        }
        expect(readable(await olga.get(`${base}/history`))).to.contain('right after adding it');
        const history = succeeded(
          await service.call(made.credentials, 'GET', `/records/${made.recordId}/documents/${id}/status-history`),
        ).text;
        expect(history).to.contain('void').and.to.contain('Undone');
        expect((await undo(olga, at)).status).to.equal(303);
      });

      it('is for the account that added it, from any device', async () => {
        const saved = savedAt(await add('weight', { weight_value: '79' }));
        expect((await paul.get(saved)).status).to.equal(404);
        expect((await undo(paul, saved)).status).to.equal(404);
        expect((await undo(made.member, saved)).status).to.equal(404);
        const other = await enterSite(service, OWNER);
        expect((await undo(other, saved)).status).to.equal(303);
      });

      it('ends after ten minutes, with 409, and what was added stays', async () => {
        const saved = await add('weight', { weight_value: '78' });
        const earlier = new Date(service.services.clock.now() - 11 * 60_000).toISOString();
        const rows = direct(service.services.database)('document').where({ id: idAt(saved) });
        const { created_at: created } = (await rows.clone().first()) as { created_at: string };
        // The form of stored times stays as it is.
        const at = earlier.slice(0, 23) + created.slice(23);
        await rows.update({ created_at: at });
        expect(readable(await olga.get(savedAt(saved)))).not.to.contain('Undo');
        const late = await undo(olga, savedAt(saved));
        expect(late.status).to.equal(409);
        expect(readable(late)).to.contain('Ten minutes are over');
        expect((await factOf('VitalSigns', saved))['weight_value']).to.equal(78);
      });

      it('does not bring back or void anything else', async () => {
        const saved = await add('weight', { weight_value: '77' });
        const form = { status: 'archived', reason: 'Put away' };
        succeeded(
          await service.call(
            made.credentials,
            'POST',
            `/records/${made.recordId}/documents/${idAt(saved)}/set-status`,
            {
              form,
            },
          ),
        );
        expect((await undo(olga, savedAt(saved))).status).to.equal(404);
        const status = await direct(service.services.database)('document_lineage')
          .where({ latest_id: idAt(saved) })
          .first();
        expect(status).to.include({ status: 'archived', undone: null });
      });
    });
  });
}
