/**
 * add-table: the page that asks what the columns of a table are. Nothing is stored before; what was said is offered for
 * the next file with the same heads; tables are closed to others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { PrincipalId, Timestamp } from '../../../core/base/types';
import { MOST_DESCRIBED, putDescribedTable } from '../../../core/documents/described-tables-store';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { until } from '../../support/receiver';
import { archiveOf, workbookOf, workbookOfTwo } from '../../support/workbook';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OPEN = 'Date,Sys,Dia,Weight,Mood\n03/02/2025,128,82,71.4,fair\n03/04/2025,131,80,71.6,good\n';

for (const leg of databases) {
  describe(`tables that no format knows on ${leg.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-tables-'));
    let service: TestService;
    let of: SiteRecord;

    const path = (end: string): string => `/my/records/${of.recordId}/${end}`;
    const count = async (): Promise<number> =>
      (await direct(service.services.database)('document').where({ record_id: of.recordId })).length;
    const follow = async (site: Site, answer: SitePage): Promise<SitePage> => {
      let here = answer;
      await until(async () => {
        const to = here.headers['location'] ?? (here.headers['refresh'] === undefined ? undefined : here.path);
        here = to === undefined ? here : await site.open(String(to));
        return to === undefined;
      });
      return here;
    };
    const send = async (site: Site, name: string, bytes: Buffer | string): Promise<SitePage> =>
      follow(site, await site.send(await site.open(path('add')), [{ field: 'file', name, bytes }]));
    const form = (page: SitePage) => formsOf(page).find(({ action }) => action.includes('/add-table'))!;
    const answer = async (page: SitePage, fields: Readonly<Record<string, string>>, site = of.owner) => {
      const { keep: _keep, ...filled } = form(page).fields;
      return follow(site, await site.post(form(page).action, { ...filled, ...fields }));
    };
    const confirm = async (page: SitePage): Promise<SitePage> => {
      const { action, fields } = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      return follow(of.owner, await of.owner.post(action, fields));
    };

    before(async () => {
      service = await startService(leg, {}, { uploadDir: folder });
      of = await makeSiteRecord(service);
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    it('shows the first rows, asks only what has two readings, and reads the table as it was told', async () => {
      const none = await count();
      const page = await send(of.owner, 'mine.csv', OPEN);
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain([
        'What is in this table?',
        'mine.csv',
        '71.6',
        'Column “Mood”',
        'For example: fair · good',
        'Which day is “03/02/2025”?',
        '3 February 2025',
        '2 March 2025',
        'Unit of “Weight”',
      ]);
      expect(form(page).fields).to.include({
        'role-0': 'date',
        'role-1': 'bp_systolic',
        'role-2': 'bp_diastolic',
        'role-3': 'weight',
        'role-4': 'none',
        sequence: '',
        'unit-3': '',
      });
      const open = await answer(page, {});
      expect([open.status, await count()]).to.equal([400, none]);
      expect(readable(open)).to.contain('Choose an answer');
      const preview = await answer(page, { sequence: 'mdy', 'unit-3': 'lb', 'role-4': 'note' });
      expect(preview.status, readable(preview)).to.equal(200);
      expect(readable(preview)).to.contain(['Nothing is stored yet', '128 / 82 mmHg', '2 March 2025', '32.39 kg']);
      expect(readable(preview)).to.contain('fair');
      expect(await count()).to.equal(none);
      expect(readable(await confirm(preview))).to.contain('One document was added.');
      expect(await count()).to.equal(none + 1);
    });

    it('reads lists of vaccinations and of medicines, and says nothing that they do not say', async () => {
      const doses = await send(
        of.owner,
        'doses.csv',
        'Vaccine,Date,Lot\nBoostrix,2019-05-03,AB123\nFluenz,declined,\n',
      );
      expect(form(doses).fields).to.include({ 'role-0': 'vaccine', 'role-1': 'date', 'role-2': 'lot' });
      const given = await answer(doses, {});
      expect(readable(given)).to.contain(['Boostrix', '3 May 2019', 'Fluenz', 'declined', 'Not done']);
      expect(readable(given)).to.not.contain('Given');
      const list = 'Medikament;Stärke;Dosierung;seit\nMetformin;500 mg;1-0-1;13.05.2019\n';
      const taken = await answer(await send(of.owner, 'list.csv', list), {});
      expect(readable(taken)).to.contain(['Metformin', '1-0-1', '13 May 2019']).and.not.to.contain('Active');
      expect(readable(await confirm(taken))).to.contain('One document was added.');
      const had = await count();
      await confirm(await answer(await send(of.owner, 'again.csv', list), {}));
      expect(await count(), 'the same list is stored once').to.equal(had);
    });

    it('asks for the year of dates that say none, each time', async () => {
      const text = 'Datum;SYS;DIA\n12.03.;128;82\n13.03.;130;84\n';
      const page = await send(of.owner, 'noyear.csv', text);
      expect(readable(page)).to.contain('“12.03.” says no year. Which year is it?');
      expect(readable(await answer(page, { year: '2024' }))).to.contain(['12 March 2024', '128 / 82 mmHg']);
      expect(form(await send(of.owner, 'noyear.csv', text)).fields['year']).to.equal('');
      const over = await answer(await send(of.owner, 'over.csv', text.replace('13.03.', '02.12.')), { year: '2024' });
      expect(readable(over)).to.contain('“Datum” says no year, and its dates go over the end of one');
    });

    it('reads laboratory results below dates, and both readings of a day', async () => {
      const labs = 'Test;Unit;Reference;13.03.2021;04.05.2022\nFerritin;ng/mL;30-400;25;48\n';
      const page = await send(of.owner, 'labs.csv', labs);
      expect(form(page).fields).to.include({
        'role-0': 'test',
        'role-1': 'unit',
        'role-2': 'range',
        'role-4': 'result',
      });
      expect(readable(page)).to.contain(['Column “Date”', 'Column “Result of what the row names”']);
      expect(readable(await answer(page, {}))).to.contain([
        'Lab result Ferritin 25 ng/mL',
        '13 March 2021',
        '48 ng/mL',
      ]);
      const days = await send(of.owner, 'days.csv', 'Date,Morning,Evening\n2025-03-13,128/82,135/88\n');
      expect(readable(await answer(days, {}))).to.contain(['128 / 82 mmHg', 'Morning', '135 / 88 mmHg', 'Evening']);
    });

    it('says at once that months are no days, and takes nothing of them', async () => {
      const had = await count();
      const page = await send(of.owner, 'months.csv', 'Month;Weight (kg)\n2024-03-01;70\n2024-04-01;71\n');
      expect([page.status, readable(page).includes('These are no readings of a day')]).to.equal([200, true]);
      const said = await answer(page, { 'role-0': 'date' });
      expect([said.status, readable(said).includes('“Month” stands for weeks, months or years')]).to.equal([400, true]);
      expect(await count()).to.equal(had);
    });

    it('asks whether degrees of both units are each in their own', async () => {
      const page = await send(of.owner, 'fever.csv', 'Date,Temp\n2024-03-01,36.6\n2024-03-02,98.1\n');
      expect(readable(page)).to.contain(['Unit of “Temp”', '°C / °F']);
      const preview = await answer(page, { 'unit-1': '°C / °F' });
      expect(readable(preview)).to.contain(['36.6', '36.72']);
    });

    it('keeps a blood pressure whose pulse cannot be read, and tells the pulse', async () => {
      const page = await send(
        of.owner,
        'pulse.csv',
        'Datum;SYS;DIA;Puls\n2024-03-03;130;84;6x4\n2024-03-04;131;85;66\n',
      );
      const preview = await answer(page, {});
      expect(readable(preview)).to.contain(['130 / 84 mmHg', 'Values', '“Puls” cannot be read.']);
    });

    it('offers what was said for the next table with these heads, and joins it with the first', async () => {
      const had = await count();
      const page = await send(of.owner, 'later.csv', `${OPEN}03/09/2025,127,79,71.2,\n`);
      expect(readable(page)).to.contain('As you said last time');
      expect(form(page).fields).to.include({ 'role-4': 'note', sequence: 'mdy', 'unit-3': 'lb' });
      const preview = await answer(page, {});
      expect(readable(preview)).to.contain(['One reading is new.', '4 readings are in the record already.']);
      await confirm(preview);
      const rows = await direct(service.services.database)('document').where({ record_id: of.recordId });
      expect(rows.length, 'a new version of the same document').to.equal(had + 1);
      const other = await send(of.owner, 'other.csv', OPEN.replace('Mood', 'Spirits'));
      expect(readable(other)).not.to.contain('As you said last time');
    });

    it('asks further questions that an answer raises, and says what is missing', async () => {
      const page = await send(of.owner, 'raised.csv', 'Date,A,B\n2025-03-02,71.4,ab\n');
      const missing = await answer(page, {});
      expect([missing.status, readable(missing).includes('Choose at least one column')]).to.equal([400, true]);
      const raised = await answer(page, { 'role-1': 'weight' });
      expect([raised.status, readable(raised).includes('One more question')]).to.equal([200, true]);
      expect(readable(raised)).to.contain('Unit of “A”');
      const undated = await answer(page, { 'role-0': 'none', 'role-2': 'date', 'role-1': 'other' });
      expect(readable(undated)).to.contain('“B” has no dates that can be read');
      const done = await answer(raised, { 'unit-1': 'kg' });
      expect(readable(done)).to.contain('71.4 kg');
    });

    it('asks about a blood pressure that is possible in kPa or cmHg only, also where the heads are known', async () => {
      const none = await count();
      const unknown = await send(of.owner, 'kpa.csv', 'Date,Sys,Dia\n2025-03-02,17.1,10.9\n');
      expect(form(unknown).fields).to.include({ 'unit-1': '', 'unit-2': '' });
      expect((await answer(unknown, {})).status).to.equal(400);
      expect(readable(await answer(unknown, { 'unit-1': 'cmHg', 'unit-2': 'cmHg' }))).to.contain('171 / 109 mmHg');
      const refused = await send(
        of.owner,
        'known.csv',
        'Date,Time,Systolic,Diastolic,Pulse\n23/02/2025,07:15,17.1,10.9,64\n',
      );
      expect([refused.status, await count()]).to.equal([400, none]);
      const to = /href="([^"]*add-table[^"]*)"/.exec(refused.text)![1]!;
      const page = await of.owner.open(to);
      expect(form(page).fields).to.include({ 'unit-2': '', 'unit-3': '' });
      expect(readable(await answer(page, { 'unit-2': 'kPa', 'unit-3': 'kPa' }))).to.contain('128.3 / 81.76 mmHg');
    });

    it('lets a person choose the other order of a known table that was read', async () => {
      const file = 'Date,Time,Systolic,Diastolic,Pulse\n03/02/2025,07:15,128,82,64\n';
      const page = await send(of.owner, 'us.csv', file);
      expect(readable(page)).to.contain('Which number is the day?');
      const describing = await of.owner.open(/href="([^"]*add-table[^"]*)"/.exec(page.text)![1]!);
      const told = await answer(describing, { sequence: 'mdy' });
      expect(readable(told)).to.contain('2 March 2025').and.not.to.contain('Which number is the day?');
    });

    it('asks each time whose rows are meant, where there are those of several people', async () => {
      const family = 'Date,Name,Weight (kg)\n2025-03-01,Anna,61.2\n2025-03-01,Ben,82.4\n';
      const page = await send(of.owner, 'family.csv', family);
      expect(readable(page)).to.contain('Rows of several people stand below “Name”. Whose are to be added?');
      expect(form(page).fields).to.include({ 'role-1': 'person', person: '' });
      expect((await answer(page, {})).status).to.equal(400);
      expect(form(await answer(page, { person: 'Carl' })).fields).to.include({ person: '' });
      const preview = await answer(page, { person: 'Ben' });
      expect(readable(preview)).to.contain('82.4 kg').and.not.to.contain('61.2');
      const next = await send(of.owner, 'next.csv', family);
      expect(readable(next)).to.contain('As you said last time');
      expect(form(next).fields).to.include({ 'role-1': 'person', person: '' });
    });

    it('asks it of the table of a known device, too', async () => {
      const heads = 'Date,Time,Systolic,Diastolic,Pulse,User\n';
      const file = `${heads}23/02/2025,08:00,128,82,64,Anna\n24/02/2025,08:00,148,92,71,Ben\n`;
      const page = await send(of.owner, 'cuff.csv', file);
      expect(readable(page)).to.contain('Rows of several people stand below “User”. Whose are to be added?');
      const preview = await answer(page, { person: 'Ben' });
      expect(readable(preview)).to.contain('148 / 92').and.not.to.contain('128 / 82');
    });

    it('reads a workbook, and keeps what is no table as a file', async () => {
      const rows = [
        ['Date', 'Sys', 'Dia'],
        [{ value: 45_718, format: 'day' }, 128, 82],
      ] as const;
      const page = await send(of.owner, 'book.xlsx', workbookOf(rows));
      expect(readable(await answer(page, {}))).to.contain(['128 / 82 mmHg', '2 March 2025']);
      const text = await send(of.owner, 'list.csv', 'one\ntwo\n');
      expect([text.status, readable(text).includes('This table cannot be read')]).to.equal([400, true]);
      const keeping = formsOf(text).find(({ html }) => html.includes('Keep it as a file'))!;
      const had = await count();
      const kept = await follow(of.owner, await of.owner.post(keeping.action, keeping.fields));
      expect([readable(kept).includes('list.csv'), await count()], readable(kept)).to.equal([true, had + 1]);
      const again = await follow(of.owner, await of.owner.post(keeping.action, keeping.fields));
      expect([again.status, await count()]).to.equal([200, had + 1]);
    });

    it('counts a reading that two tables of an archive have once, and the union is stored', async () => {
      const heads = 'Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm)\n';
      const [morning, evening] = ['Jan 12 2024,08:12,127,81,66\n', 'Jan 12 2024,21:12,151,91,66\n'];
      const next = 'Jan 13 2024,08:00,124,79,63\n';
      const archive = (...tables: readonly string[]): Buffer =>
        archiveOf(tables.map((rows, at) => ({ name: `report-${at}.csv`, data: Buffer.from(`${heads}${rows}`) })));
      const preview = await send(
        of.owner,
        'reports.zip',
        archive(`${morning}${evening}`, `${evening}${next}`, evening),
      );
      expect(readable(preview)).to.contain('3 readings are new.').and.not.to.contain('in the record already');
      await confirm(preview);
      const again = await send(of.owner, 'again.zip', archive(`${evening}${next}`, `${morning}${evening}`));
      expect(readable(again)).to.contain(['No reading is new.', '3 readings are in the record already.']);
    });

    it('lets a person choose the sheet of a workbook, and tells the others by their names', async () => {
      const book = workbookOfTwo(
        [
          ['Date', 'Weight (kg)'],
          ['2026-07-15', '80.5'],
        ],
        [
          ['Datum', 'SYS', 'DIA'],
          ['2026-07-16', '128', '82'],
        ],
      );
      const page = await send(of.owner, 'two.xlsx', book);
      expect(readable(page)).to.contain(['Which sheet of the workbook?', '80.5']);
      expect(form(page).fields).to.include({ sheet: 'Readings', shown: 'Readings', 'role-1': 'weight' });
      const first = await answer(page, {});
      expect(readable(first)).to.contain(['80.5 kg', 'Give the workbook once more, and choose “Second”.']);
      const other = await answer(await send(of.owner, 'two.xlsx', book), { sheet: 'Second' });
      expect(other.status).to.equal(200);
      expect(form(other).fields).to.include({ sheet: 'Second', shown: 'Second', 'role-1': 'bp_systolic' });
      expect(readable(other)).to.contain('128').and.not.to.contain('80.5');
      const second = await answer(other, {});
      expect(readable(second)).to.contain(['128 / 82 mmHg', '16 July 2026', 'choose “Readings”']);
    });

    it('shows a table to the session that sent it only, and refuses what is no answer', async () => {
      const page = await send(of.owner, 'closed.csv', OPEN);
      for (const [site, status] of [
        [of.stranger, 404],
        [of.member, 404],
      ] as const) {
        expect((await site.open(page.path)).status).to.equal(status);
      }
      const { crumb: _crumb, ...forged } = form(page).fields;
      expect((await of.owner.post(form(page).action, forged)).status).to.equal(403);
      const odd = await answer(page, { 'role-0': '__proto__', 'unit-3': 'x'.repeat(300), sequence: 'dym' });
      expect(odd.status).to.equal(400);
      expect((await of.owner.open(path('add-table?form=nothing'))).status).to.equal(410);
    });

    it('remembers a limited number of tables for each account', async () => {
      const { database } = service.services;
      for (let at = 0; at <= MOST_DESCRIBED; at += 1) {
        const heads = String(at).padStart(64, '0');
        const stamp = `2030-01-01T00:00:${String(at % 60).padStart(2, '0')}.000000Z`;
        await database.transaction((trx) =>
          putDescribedTable(trx, { accountId: 'olga@people.example' as PrincipalId, heads }, '{}', stamp as Timestamp),
        );
      }
      const rows = await direct(database)('described_table').where({ account_id: 'olga@people.example' });
      expect(rows).to.have.length(MOST_DESCRIBED);
    });
  });
}
