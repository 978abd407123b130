/**
 * add-file: a file of many documents on the website: previewed first, added document by document, never whole in
 * memory, closed to others.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { ownZone, zoneOfOwner } from '../../../core/apps/own-zone';
import { inProject } from '../../../core/base/paths';
import { tidyIncoming } from '../../../core/files/incoming';
import { exportXml, inExport, phoneAt, zipOf } from '../../support/apple-health';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { pngOf } from '../../support/pictures';
import { formsOf, readable, type Site, type SitePage, type TestFile } from '../../support/site';
import { enterSite, makeSiteRecord, MEMBER, sample, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { until } from '../../support/receiver';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const WEEK = readFileSync(inProject('pipeline-config', 'blood-pressure-csv', 'sample-week.csv'));
const ZIP = readFileSync(inProject('pipeline-config', 'apple-health', 'sample-export.zip'));

for (const leg of databases) {
  describe(`files of many documents on ${leg.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-incoming-'));
    let service: TestService;
    let of: SiteRecord;
    let add: string;

    const count = async (): Promise<number> =>
      Number(
        (await direct(service.services.database)('document').where({ record_id: of.recordId }).count({ n: '*' }))[0]![
          'n'
        ],
      );
    const send = async (site: Site, name: string, bytes: Buffer | string): Promise<SitePage> =>
      site.send(await site.open(add), [{ field: 'file', name, bytes }]);
    /** Reloads the page like a browser until it is ready. */
    const ready = async (site: Site, page: SitePage): Promise<SitePage> => {
      let here = page;
      await until(async () => {
        here = here.headers['refresh'] === undefined ? here : await site.open(here.path);
        return here.headers['refresh'] === undefined;
      });
      return here;
    };
    const confirm = async (site: Site, page: SitePage): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const answer = await site.post(form.action, form.fields);
      return ready(site, await site.open(String(answer.headers['location'])));
    };

    before(async () => {
      service = await startService(leg, {}, { uploadDir: folder });
      of = await makeSiteRecord(service);
      add = `/my/records/${of.recordId}/add`;
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    it('shows what a table would add and what it leaves out, then adds it, once', async () => {
      const before = await count();
      const page = await ready(of.owner, await send(of.owner, 'week.csv', WEEK));
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain([
        '“Systolic” cannot be read.',
        'Look at it first',
        'week.csv',
        'Nothing is stored yet',
        'One document',
        '128 / 82 mmHg',
        'Left out',
        'Who will see it',
        'No circle sees it: documents of this kind are shared in none.',
      ]);
      expect(await count()).to.equal(before);
      const done = await confirm(of.owner, page);
      expect(readable(done)).to.contain(['Added to the record', 'One document was added.', 'Left out', 'Systolic']);
      expect(await count()).to.equal(before + 1);
      const again = await confirm(of.owner, page);
      expect([again.status, await count()]).to.equal([200, before + 1]);
      const same = await confirm(of.owner, await ready(of.owner, await send(of.owner, 'week.csv', WEEK)));
      expect(readable(same)).to.contain(['No document is new.', 'One document was there already.']);
      expect(await count()).to.equal(before + 1);
      const rows = (await direct(service.services.database)('audit').where({
        function_name: 'document_incoming_add',
      })) as { document_id: string | null }[];
      expect(rows.filter(({ document_id: id }) => id !== null)).to.have.length(1);
      expect(readable(await of.owner.open(`/my/records/${of.recordId}/data/VitalSigns`))).to.contain('128');
    });

    it('keeps a value that hardly can be as the file has it, and marks it wherever it is shown', async () => {
      const rows = 'Date,Time,Systolic,Diastolic,Pulse\n23/02/2019,08:00,1380,88,71\n24/02/2019,08:00,80,120,70\n';
      const page = await ready(of.owner, await send(of.owner, 'odd.csv', rows));
      expect(readable(page)).to.contain([
        'Please check these values',
        '1 value of “Systolic”',
        '1,380 / 88 mmHg',
        'Please check: Upper blood pressure',
        '80 / 120 mmHg',
        'Please check: Lower blood pressure',
      ]);
      expect(readable(page)).not.to.contain('Left out');
      await confirm(of.owner, page);
      const table = readable(await of.owner.open(`/my/records/${of.recordId}/data/VitalSigns`));
      expect(table.split('Please check: Upper blood pressure')).to.have.length(2);
    });

    it('marks an end before its start, as far as both are known', async () => {
      const problem = (name: string, since: string, until: string): string =>
        `<Model name="Problem"><Field name="name_title">${name}</Field><Field name="startDate">${since}</Field>` +
        `<Field name="endDate">${until}</Field></Model>`;
      const { vocabBase } = service.services.config;
      const body =
        `<Models xmlns="${vocabBase}/xml/documents#">` +
        problem('Pneumonia of two dates', '2013-07-03T00:00:00Z', '2008-08-14T00:00:00Z') +
        problem('Bronchitis of a day', '2013-07-03T00:00:00Z', '2013-07-03T00:00:00Z') +
        '</Models>';
      const page = await ready(of.owner, await send(of.owner, 'dates.xml', body));
      expect(readable(page)).to.contain('Please check: Until');
      await confirm(of.owner, page);
      const table = readable(await of.owner.open(`/my/records/${of.recordId}/data/Problem`));
      expect(table).to.contain(['Pneumonia of two dates', 'Bronchitis of a day']);
      expect(table.split('Please check: Until')).to.have.length(2);
    });

    it('says who will see what is in it, before it is added', async () => {
      const sharing = `/my/records/${of.recordId}/sharing`;
      const { text } = await of.owner.open(sharing);
      const crumb = of.owner.cookies.get('crumb')!;
      const box = /[^>]*by hand or from apps: Family<\/span><input type="checkbox" name="share" value="([^"]+)"/.exec(
        text,
      )![1]!;
      expect((await of.owner.post(sharing, { crumb, what: 'kinds', share: box })).status).to.equal(303);
      const page = await ready(of.owner, await send(of.owner, 'week.csv', WEEK));
      expect(readable(page)).to.contain([
        'Who will see it',
        'Whoever sees the whole record',
        'Whoever is in Family, too',
      ]);
      expect((await of.owner.post(sharing, { crumb, what: 'kinds', was: box })).status).to.equal(303);
      expect(readable(await of.owner.open(page.path))).to.contain('No circle sees it');
    });

    it('asks where it was measured where neither file nor person says it, and reads it so once they do', async () => {
      const report = readFileSync(inProject('pipeline-config', 'omron-csv', 'sample-report.csv'));
      const unknown = await ready(of.owner, await send(of.owner, 'report.csv', report));
      expect(readable(unknown)).to.contain([
        'Where was it measured?',
        'they are kept as they are written',
        'Choose it at',
      ]);
      const manner = async (zone: string): Promise<SitePage> =>
        of.owner.submit(await of.owner.open('/my/account'), { what: 'manner', language: 'en', zone });
      await manner('Asia/Tokyo');
      // A file that was read before the change still shows the question.
      expect(readable(await of.owner.open(unknown.path))).to.contain('Where was it measured?');
      const known = await ready(of.owner, await send(of.owner, 'report.csv', report));
      expect(readable(known)).to.contain('They are read as times in Tokyo, Asia').and.not.contain('Where was it');
      await confirm(of.owner, known);
      const facts = (await direct(service.services.database)('fact_vitalsigns').select('*')) as { date: string }[];
      expect(facts.filter(({ date }) => String(date).startsWith('2025-01-05T23:46'))).to.have.length(1);
      const account = await ownZone(service.services, 'olga@people.example');
      expect([account, await zoneOfOwner(service.services, of.recordId)]).to.equal(['Asia/Tokyo', 'Asia/Tokyo']);
      await manner('UTC');
    });

    it('takes an archive with several documents, sealed on the disk until they are added', async () => {
      const before = await count();
      const keptBefore = readdirSync(folder);
      const page = await ready(of.owner, await send(of.owner, 'export.zip', ZIP));
      expect(page.status, readable(page)).to.equal(200);
      const kept = readdirSync(folder).filter((name) => name.endsWith('.documents') && !keptBefore.includes(name));
      expect(kept).to.have.length(1);
      expect(readFileSync(join(folder, kept[0]!)).includes('AppleHealth')).to.be.false();
      const [, documents] = /In the file (\d+) documents/.exec(readable(page))!;
      // What is left out is listed in the language of the current reader, too.
      const manner = async (language: string): Promise<SitePage> =>
        of.owner.submit(await of.owner.open('/my/account'), { what: 'manner', language, zone: 'UTC' });
      await manner('de');
      const german = await of.owner.open(page.path);
      await manner('en');
      const leftOut = readable(german).split('Weggelassen').at(-1)!;
      expect(leftOut).to.contain(['Strecken von Trainings', 'Dafür gibt es in einer Akte keinen Platz.']);
      expect(leftOut).to.not.contain('report').and.to.not.contain('SleepAnalysis');
      expect(german.text).to.not.contain('lang="en"');
      // No document has an English label: each is named by its content.
      const done = await confirm(of.owner, page);
      expect(readable(done)).to.contain(`${documents} documents were added.`);
      const list = readable(await of.owner.open(`/my/records/${of.recordId}/documents/`));
      expect(list)
        .to.match(/first on \d+ [A-Z]/)
        .and.to.not.match(/, \d{4}-\d\d\b/);
      expect(await count()).to.equal(before + Number(documents));
      const leftNow = readdirSync(folder).filter((name) => !name.endsWith('.state') && !keptBefore.includes(name));
      expect(leftNow).to.be.empty();
    });

    it('calls a clinical record that cannot be stored by its kind, as the format says it', async () => {
      const broken = zipOf([
        {
          name: inExport('clinical-records/a.json'),
          bytes: '{"resourceType":"Condition","patient":{},"colour":"red"}',
        },
        { name: inExport('clinical-records/b.json'), bytes: '{"resourceType":"MedicationOrder"}' },
        { name: inExport('export.xml'), bytes: exportXml([]) },
      ]);
      const page = await ready(of.owner, await send(of.owner, 'export.zip', broken));
      expect(readable(page)).to.contain(['Condition, colour', 'Clinical record: MedicationOrder']);
    });

    it('says how far it is while a larger one is read, and adds a newer version of what has grown', async () => {
      const readings = (days: number): string =>
        exportXml(
          Array.from({ length: days }, (_, day) => ({
            type: 'HeartRate',
            value: String(60 + day),
            unit: 'count/min',
            start: phoneAt(`2025-03-0${day + 1}`, 8),
          })),
        );
      const first = await confirm(of.owner, await ready(of.owner, await send(of.owner, 'export.xml', readings(5))));
      expect(readable(first)).to.contain('One document was added.');
      const second = await confirm(of.owner, await ready(of.owner, await send(of.owner, 'export.xml', readings(9))));
      expect(readable(second)).to.contain(['One document was added.', 'One of them is a newer version']);
    });

    it('refuses what is not as it should be, with the reason, and stores nothing', async () => {
      const before = await count();
      const cut = ZIP.subarray(0, ZIP.length - 200);
      for (const [name, bytes] of [
        ['week.csv', 'Date,Time,Systolic,Pulse\n1,2,3,4\n'],
        ['export.zip', cut],
      ] as const) {
        const page = await ready(of.owner, await send(of.owner, name, bytes));
        expect([page.status, readable(page).includes('This cannot be added')], readable(page)).to.equal([400, true]);
      }
      expect(await count()).to.equal(before);
    });

    it('takes a file of a Bulk Data export, and of a later one what is new or has changed', async () => {
      const lines = readFileSync(inProject('pipeline-config', 'fhir-ndjson', 'sample-one-patient.ndjson'), 'utf8');
      const first = await ready(of.owner, await send(of.owner, 'all.ndjson', lines));
      expect(readable(first)).to.contain(['In the file 4 documents', 'It is damaged, or the file was cut off.']);
      expect(readable(first)).to.not.contain('Is this the right record?');
      expect(readable(await confirm(of.owner, first))).to.contain('4 documents were added.');
      const later = lines.replace('"display":"Asthma"', '"display":"Asthma, mild"');
      const second = await confirm(of.owner, await ready(of.owner, await send(of.owner, 'all.ndjson', later)));
      expect(readable(second)).to.contain(['One document was added', '3 documents were there already']);
    });

    it('takes the archive of a portal once, and says by name what becomes no document', async () => {
      const archive = readFileSync(inProject('pipeline-config', 'zip-of-documents', 'sample-portal.zip'));
      const first = await ready(of.owner, await send(of.owner, 'record.zip', archive));
      expect(readable(first)).to.contain([
        'In the file 4 documents',
        'STYLE.XSLIt only shows or lists',
        'steps.csvIt holds several',
      ]);
      // The summary in it is about somebody else.
      expect(readable(first)).to.contain(['Is this the right record?', '2 are not about the person of this record.']);
      expect(readable(await confirm(of.owner, first))).to.contain('4 documents were added.');
      const second = await confirm(of.owner, await ready(of.owner, await send(of.owner, 'again.zip', archive)));
      expect(readable(second)).to.contain(['4 documents were there already']);
    });

    it('takes the tables of devices in an archive, as if each had been given alone', async () => {
      const table = (...path: string[]) => readFileSync(inProject('pipeline-config', ...path));
      const weights = table('fitbit-weight-csv', 'sample-weight.csv');
      const archive = zipOf([
        { name: 'Takeout/Fitbit/Physical Activity_GoogleData/weight.csv', bytes: weights },
        { name: 'week.csv', bytes: WEEK },
        { name: 'my own.csv', bytes: 'Date,Mood\n2026-07-15,good\n' },
        { name: 'Takeout/Fitbit/body_fat.csv', bytes: 'timestamp,body fat percentage\n16 July,20\n' },
      ]);
      const first = await ready(of.owner, await send(of.owner, 'takeout.zip', archive));
      expect(readable(first)).to.contain([
        'my own.csvIt holds several documents or many readings. Give it by itself.',
        'It is a table of a known kind that cannot be read. Give it by itself',
        'In body_fat.csv',
        'They are read as times in UTC',
      ]);
      expect(readable(await confirm(of.owner, first))).to.match(/\d+ documents were added/);
      const alone = await ready(of.owner, await send(of.owner, 'weight.csv', weights));
      expect(readable(alone)).to.contain('No reading is new.');
    });

    it('says what to do about a whole file that is refused', async () => {
      const invalid = (...path: string[]): Buffer => readFileSync(inProject('pipeline-config', ...path));
      for (const [name, bytes, says] of [
        ['all.ndjson', invalid('fhir-ndjson', 'invalid-two-patients.ndjson'), 'Ask whoever gave it to you for a file'],
        ['libre.csv', invalid('libreview-csv', 'invalid-month-first.csv'), 'days and months could be mixed up'],
        ['week.csv', 'Date,Time,Systolic\n', 'Its columns are not those of files of this kind'],
        [
          'week.csv',
          Buffer.from('Date,Time,Systolic,\xcf\xf0\xe8\n', 'latin1'),
          'save it in UTF-8 and choose it again',
        ],
        ['all.ndjson', '\n', 'Save or download the file once more'],
        ['letters.zip', invalid('zip-of-documents', 'invalid-nothing-in-it.zip'), 'Look in it for one in XML, a PDF'],
        [
          'tables.zip',
          zipOf([{ name: 'weight.csv', bytes: 'Date,Mood\n' }]),
          'choose what is in it one by one: then you can say',
        ],
        ['locked.zip', zipOf([{ name: 'a.xml', bytes: '<a/>', locked: true }]), 'Unpack it with the password'],
      ] as const) {
        const page = await ready(of.owner, await send(of.owner, name, bytes));
        expect(page.status).to.equal(400);
        expect(readable(page)).to.contain([says, 'Nothing was stored']);
      }
    });

    it('takes a table with other files, in any order, and an archive alone', async () => {
      const table = { field: 'file', name: 'week.csv', bytes: WEEK };
      const note = { field: 'file', name: 'note.txt', bytes: 'Hello' };
      for (const files of [
        [table, note],
        [note, table],
      ]) {
        const page = await ready(of.owner, await of.owner.send(await of.owner.open(add), files));
        expect(page.status).to.equal(200);
        expect(readable(page)).to.contain(['2 documents', 'note.txt', '128 / 82 mmHg']);
      }
      const archive = zipOf([{ name: 'week.csv', bytes: WEEK }]);
      const page = await of.owner.send(await of.owner.open(add), [
        { field: 'file', name: 'all.zip', bytes: archive },
        note,
      ]);
      expect([page.status, readable(page).includes('choose it alone')]).to.equal([400, true]);
    });

    it('keeps nothing of a forged form, of a stranger, of a member, and of nobody', async () => {
      const files = readdirSync(folder).length;
      const file = [{ field: 'file', name: 'week.csv', bytes: WEEK }];
      await of.owner.open(add);
      const crumb = of.owner.cookies.get('crumb')!;
      const forged = await of.owner.upload(add, { crumb: 'x'.repeat(43) }, file);
      expect(forged.status).to.equal(403);
      expect((await of.owner.upload(add, {}, file)).status).to.equal(403);
      for (const site of [of.stranger, of.member]) {
        await site.open('/my/account');
        expect((await site.upload(add, { crumb: site.cookies.get('crumb')! }, file)).status).to.equal(404);
      }
      const { owner } = of;
      owner.headers['origin'] = 'https://elsewhere.example';
      expect((await owner.upload(add, { crumb }, file)).status).to.equal(403);
      delete owner.headers['origin'];
      expect(readdirSync(folder)).to.have.length(files);
    });

    it('shows a file to the session that sent it only', async () => {
      const page = await ready(of.owner, await send(of.owner, 'week.csv', WEEK));
      const [, token] = /form=([\w-]+)/.exec(page.path)!;
      const second = await enterSite(service, 'olga@people.example');
      expect((await second.open(page.path)).status).to.equal(410);
      const others = await enterSite(service, MEMBER);
      expect((await others.open(page.path)).status).to.equal(404);
      expect((await of.owner.open(page.path.replace(token!, 'no-such-token'))).status).to.equal(410);
    });

    it('is gone after half an hour', async () => {
      const page = await ready(of.owner, await send(of.owner, 'week.csv', WEEK));
      expect(await tidyIncoming(service.services, Date.now())).to.equal(0);
      expect(await tidyIncoming(service.services, Date.now() + 1_900_000)).to.be.at.least(2);
      expect(readdirSync(folder)).to.be.empty();
      expect((await of.owner.open(page.path)).status).to.equal(410);
    });

    const photos = (count: number): readonly TestFile[] =>
      Array.from({ length: count }, (_, index) => ({
        field: 'file',
        name: `photo-${index}.png`,
        bytes: pngOf(30 + index, 20),
      }));

    it('takes forty files at once: pictures, a document, what it cannot read, and a table', async () => {
      const before = await count();
      const sent = [
        { field: 'file', name: 'week.csv', bytes: WEEK },
        ...photos(37),
        { field: 'file', name: 'aspirin.xml', bytes: sample(service, 'allergy/sample-aspirin.xml') },
        { field: 'file', name: '../.hidden', bytes: 'no document' },
      ];
      const page = await ready(of.owner, await of.owner.send(await of.owner.open(add), sent));
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain([
        '40 files',
        'Nothing is stored yet',
        'Blood pressure 128 / 82 mmHg',
        'Rows“Systolic” cannot be read.In week.csv',
        'aspirin',
      ]);
      expect(readable(page)).to.not.contain(['40 files.zip', 'kept and not read']);
      const added = await confirm(of.owner, page);
      expect(added.status, readable(added)).to.equal(200);
      expect((await count()) - before).to.equal(39);
      expect(readdirSync(folder).filter((name) => !name.endsWith('.state'))).to.equal([]);
    });

    it('names the documents of an archive that nobody reads, that are mended, and that are about others', async () => {
      const odd = (name: string) => ({ name, bytes: `<report xmlns="urn:example:${name}">Hello</report>` });
      const broken = sample(service, 'allergy/sample-aspirin.xml').toString();
      const about = (id: string, family: string) => ({
        name: `${id}.json`,
        bytes: JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: [
            { resource: { resourceType: 'Patient', id, name: [{ family, given: ['Zoe'] }], birthDate: '1931-02-03' } },
            {
              resource: { resourceType: 'Condition', subject: { reference: `Patient/${id}` }, code: { text: 'Gout' } },
            },
          ],
        }),
      });
      const zip = zipOf([
        odd('Discharge 2031.xml'),
        odd('Operation.xml'),
        { name: 'a.xml', bytes: `\n${broken}` },
        { name: 'b.xml', bytes: `\n\n${broken}` },
        about('one', 'Quist'),
        about('two', 'Rask'),
      ]);
      const page = await ready(of.owner, await send(of.owner, 'portal.zip', zip));
      const said = readable(page);
      expect(said).to.contain([
        '2 documents are kept and not read',
        'Discharge 2031.xml',
        'The file holds 6 documents: 2 are not about the person of this record. The first of them is about Zoe Quist',
        'Mended so that it could be read 2 things',
        'Something stood before its first line. It was left out. × 2',
      ]);
      expect(said).to.not.contain('Left out');
      expect(readable(await confirm(of.owner, page))).to.contain([
        '2 documents are kept and not read',
        'Operation.xml',
      ]);
      const list = readable(await of.owner.open(`/my/records/${of.recordId}/documents/`));
      expect(list).to.contain(['Discharge 2031.xml', 'Operation.xml']);
    });

    it('takes several tables among many files, once, and names what is too large', async () => {
      const before = await count();
      const large = [1, 2].map((n) => ({
        field: 'file',
        name: `large-${n}.xml`,
        bytes: Buffer.alloc(12_000_000, '<'),
      }));
      const tables = ['one', 'two', 'three'].map((name) => ({ field: 'file', name: `${name}.csv`, bytes: WEEK }));
      const notes = [1, 2, 3, 4, 5].map((n) => ({ field: 'file', name: `note-${n}.txt`, bytes: `Note ${n}` }));
      const page = await ready(
        of.owner,
        await of.owner.send(await of.owner.open(add), [...tables, ...large, ...notes]),
      );
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain(['10 files', 'Blood pressure 128 / 82 mmHg']);
      expect(readable(page)).to.contain(['large-1.xml', 'large-2.xml', 'It is larger than a document may be.']);
      expect((await confirm(of.owner, page)).status).to.equal(200);
      expect((await count()) - before).to.equal(5);
      expect(readdirSync(folder).filter((name) => !name.endsWith('.state'))).to.equal([]);
    });

    it('keeps nothing of more files than can be sent at once', async () => {
      const page = await of.owner.send(await of.owner.open(add), photos(201));
      expect([page.status, readable(page).includes('at most 200 files at once')]).to.equal([413, true]);
      expect(readdirSync(folder)).to.equal([]);
    });
  });

  describe(`a limit for files of many documents on ${leg.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-incoming-'));
    let service: TestService;
    let of: SiteRecord;

    before(async () => {
      service = await startService(leg, {}, { uploadDir: folder, maxUploadBytes: 1000 });
      of = await makeSiteRecord(service);
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    it('ends a file that is larger, and keeps nothing of it', async () => {
      const page = await of.owner.send(await of.owner.open(`/my/records/${of.recordId}/add`), [
        { field: 'file', name: 'week.csv', bytes: Buffer.concat([WEEK, Buffer.alloc(2000, '\n')]) },
      ]);
      expect(page.status).to.equal(413);
      expect(readdirSync(folder)).to.be.empty();
    });
  });
}
