/** links: a person makes a health link, somebody without an account opens it in a plain browser, and it is ended. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { locationsIn, openLink, payloadOf } from '../../support/links';
import { startService, type TestService } from '../../support/server';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`health links at the website on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let base: string;
    let note: string;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      made = await makeSiteRecord(service);
      base = `/my/records/${made.recordId}`;
      note = await made.store('<Note xmlns="urn:notes">for the doctor</Note>');
      await made.store(readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'));
    });
    after(() => service.stop());

    const make = async (fields: Readonly<Record<string, string>> = {}): Promise<SitePage> => {
      const list = await made.owner.open(`${base}/links`);
      return made.owner.submit(list, { label: '', passcode: '', ends: '', document: '', ...fields }, 'name="ends"');
    };
    const textIn = ({ text }: SitePage): string => /href="([^"]*#shlink:\/[\w-]+)"/.exec(text)![1]!;
    /** The path that a browser requests; it does not send what comes after the # sign. */
    const pathOf = (text: string): string => new URL(text).pathname;
    const doctor = (): Site => makeSite(service.running.server);

    it('is made with a picture and an address that apps read, and opened without a script', async () => {
      expect(readable(await made.owner.open(`${base}/sharing`))).to.contain('Show it to somebody by a link');
      const page = await make({ label: 'For Dr. Weber', passcode: 'blue 7', document: note });
      expect(readable(page)).to.contain('The link is made').and.contain('Openings none yet');
      expect(page.text).to.contain('<svg class="qr wide"');
      const text = textIn(page);
      expect(payloadOf(text)).to.include({ flag: 'LP', label: 'For Dr. Weber' });
      const site = doctor();
      const asked = await site.open(pathOf(text));
      expect([asked.status, asked.headers['x-robots-tag']]).to.equal([200, 'noindex']);
      expect(asked.text).to.not.contain('<script');
      // The page with the question opens nothing and shows no name.
      expect(readable(asked)).to.not.contain('Weber');
      const wrong = await site.submit(asked, { recipient: 'Praxis Weber', passcode: 'red' });
      expect(wrong.status).to.equal(403);
      expect(readable(wrong)).to.contain('99 more tries');
      expect((await site.submit(asked, { recipient: '', passcode: 'blue 7' })).status).to.equal(400);
      const opened = await site.submit(asked, { recipient: 'Praxis <b>Weber</b>', passcode: 'blue 7' });
      expect(opened.status, opened.text).to.equal(200);
      expect(readable(opened)).to.contain('Health summary of').and.contain('Problems').and.contain('Documents');
      // In plain words, without a date or status in the form of FHIR.
      expect(readable(opened)).to.match(/High blood pressure active, confirmed since April 2015/);
      expect(readable(opened)).to.not.match(/\d{4}-\d\d-\d\d|mm\[Hg\]|\{|-hold/);
      // A document without a name is called by its kind and its day, and the day is shown only once.
      expect(opened.text).to.match(/<bdi>Note, added on \d+ \w+ \d{4}<\/bdi><\/a><p class="by"><\/p>/);
      const file = /href="([^"]*\/documents\/[^"]*)"/.exec(opened.text)![1]!;
      const kept = await site.get(file);
      expect([kept.status, kept.text]).to.equal([200, '<Note xmlns="urn:notes">for the doctor</Note>']);
      expect(String(kept.headers['content-disposition'])).to.startWith('attachment');
      const list = await made.owner.open(`${base}/links`);
      expect(readable(list)).to.contain('by Praxis <b>Weber</b>');
      expect(list.text).to.contain('Praxis &lt;b');
      expect(readable(await made.owner.open(`${base}/history`))).to.contain('read the summary through a health link');
    });

    it('says the same of an ended link and of an unknown one', async () => {
      const page = await make({ label: 'Short' });
      const text = textIn(page);
      const site = doctor();
      const opened = await site.submit(await site.open(pathOf(text)), { recipient: 'x' });
      expect(readable(opened)).to.contain('Problems');
      expect(locationsIn(await openLink(service, payloadOf(text))).length).to.equal(1);
      const id = /links\/([\w-]+)$/.exec(page.path.split('?')[0]!)?.[1] ?? '';
      const ended = await made.owner.submit(page, { what: 'end', link: id }, 'value="end"');
      expect(readable(ended)).to.contain('The link is ended');
      const twice = await made.owner.submit(page, { what: 'end', link: id }, 'value="end"');
      expect([twice.status, readable(twice).includes('That link is not there any more')]).to.equal([404, true]);
      expect((await site.get(opened.path)).status).to.equal(404);
      const [gone, unknown] = [await site.get(pathOf(text)), await site.get('/my/link/unknown')];
      const plain = (one: SitePage): string =>
        readable(one)
          .replace(/ It is .*$/, '')
          .slice(0, 200);
      expect([gone.status, unknown.status, plain(gone)]).to.equal([404, 404, plain(unknown)]);
      expect((await openLink(service, payloadOf(text))).status).to.equal(404);
    });

    it('is made once by a form that is sent twice, one after the other or at once', async () => {
      for (const together of [false, true]) {
        const list = await made.owner.open(`${base}/links`);
        const count = async (): Promise<number> =>
          (await direct(service.services.database)('health_link').select('id')).length;
        const before = await count();
        const send = (): Promise<SitePage> =>
          made.owner.submit(list, { label: 'Once', passcode: '', ends: '', document: '' }, 'name="ends"');
        const pages = together ? await Promise.all([send(), send(), send()]) : [await send(), await send()];
        expect(new Set(pages.map(({ path }) => path)).size).to.equal(1);
        expect(await count()).to.equal(before + 1);
      }
    });

    it('says at its field what is wrong, and keeps what was typed', async () => {
      const past = await make({ label: 'Kept', ends: '2020-01-01' });
      expect(past.status).to.equal(400);
      expect(readable(past)).to.contain('Choose a day in the future');
      expect(past.text).to.contain('value="Kept"');
      const short = await make({ label: 'Kept', passcode: '12345' });
      expect([short.status, short.text.includes('value="Kept"')]).to.equal([400, true]);
      expect(readable(short)).to.contain(['At least six characters.', 'At least 6 and at most 100 characters']);
      expect((await make({ ends: 'tomorrow' })).status).to.equal(400);
      expect((await make({ document: 'unknown' })).status).to.equal(400);
      expect((await make({ label: 'x'.repeat(81) })).status).to.equal(400);
    });

    it('reaches every document, by pages and by words, and keeps what was typed and ticked', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 60; index += 1) {
        const name = index === 3 ? 'Malaria <b>' : `Trouble ${index}.`;
        ids.push(
          await made.store(factsDocument(service, factOf('Problem', { name_title: name.replace('<', '&lt;') }))),
        );
      }
      const site = made.owner;
      const press = (page: SitePage, sent: readonly (readonly [string, string])[], name = '', value = '') => {
        const form = formsOf(page).find(({ html }) => html.includes('name="ends"'))!;
        const ticked = [...form.html.matchAll(/value="([\w-]{36})" checked/g)].map((match): [string, string] => [
          'document',
          match[1]!,
        ]);
        const { document: _unticked, place: _button, ...fields } = form.fields;
        const typed = Object.entries({ ...fields, what: 'create' }).filter(
          ([key]) => !sent.some(([one]) => one === key),
        );
        return site.post(`${base}/links`, [...typed, ...ticked, ...sent, ...(name ? [[name, value] as const] : [])]);
      };
      const first = await site.open(`${base}/links`);
      expect(first.text).to.not.contain(ids[0]!);
      const found = await press(
        first,
        [
          ['label', 'For the clinic'],
          ['passcode', 'blue 7'],
          ['document', ids[59]!],
          ['q', 'malaria'],
        ],
        'what',
        'find',
      );
      expect([found.status, found.text.includes(ids[3]!), found.text.includes(ids[4]!)]).to.equal([200, true, false]);
      expect(found.text).to.contain(['value="For the clinic"', 'value="blue 7"', `value="${ids[59]!}" checked`]);
      expect(found.text).to.not.contain('Malaria <b>');
      expect(readable(found)).to.contain(['One document is there. Shown here: 1.', 'Trouble 59.']);
      const everything = await press(
        found,
        [
          ['q', ''],
          ['document', ids[3]!],
        ],
        'what',
        'find',
      );
      const next = /name="place" value="([^"]*)"/.exec(everything.text)![1]!;
      // The link to the next page is below the list.
      expect(everything.text.indexOf('name="place"')).to.be.above(everything.text.lastIndexOf('name="document"'));
      const older = await press(everything, [], 'place', next);
      expect(older.text).to.contain([ids[0]!, `value="${ids[3]!}" checked`, `value="${ids[59]!}" checked`]);
      const wrong = await press(older, [
        ['document', ids[0]!],
        ['ends', '2020-01-01'],
      ]);
      expect([wrong.status, wrong.text.includes('value="blue 7"')]).to.equal([400, true]);
      const done = await press(wrong, [['ends', '']]);
      expect(done.status, readable(done)).to.equal(303);
      const link = await site.open(String(done.headers['location']));
      expect(readable(link)).to.contain(['For the clinic', 'and 3 documents', 'Passcode is asked for']);
      expect(readable(await press(first, [['q', 'nothing at all']], 'what', 'find'))).to.contain(
        'No document was found.',
      );
      expect((await press(first, [['document', 'x'.repeat(5000)]], 'what', 'find')).status).to.equal(200);
    });

    it('tells documents of one kind apart by their own dates, those that have none by when they were added', async () => {
      const reading = (date: string): string =>
        factOf('VitalSigns', { date, heart_rate_value: '72', heart_rate_unit: '{beats}/min' });
      await made.store(factsDocument(service, reading('2019-03-03T08:00:00Z')));
      await made.store(factsDocument(service, reading('2020-04-04T08:00:00Z'), reading('2020-04-05T08:00:00Z')));
      await made.store(factsDocument(service, factOf('Problem', { name_title: 'Undated trouble' })));
      const said = readable(await made.owner.open(`${base}/links`));
      expect(said).to.contain(['Measurement, 3 March 2019 at 08:00', 'Measurements, first on 4 April 2020']);
      expect(said).to.match(/Undated trouble ?Problem, added \d/);
    });

    it('shows medicines that are over behind those that are taken', async () => {
      const medicines = [
        ['Tried before', 'stopped'],
        ['Taken now', 'active'],
        ['Taken once', 'completed'],
      ] as const;
      for (const [drugName_title, status_identifier] of medicines) {
        await made.store(factsDocument(service, factOf('Medication', { drugName_title, status_identifier })));
      }
      // A person types a word, and no code.
      const typed = factOf('Medication', { drugName_title: 'Tired of', status_title: 'Stopped' });
      await made.store(factsDocument(service, typed));
      const site = doctor();
      const page = await site.open(pathOf(textIn(await make())));
      const opened = await site.submit(page, { recipient: 'x' });
      expect(readable(opened)).to.contain('Tired of stopped');
      const names = [...opened.text.matchAll(/<bdi>(T\w+ \w+)<\/bdi>/g)];
      const order = names.map((match) => match[1]);
      expect(order).to.have.length(4);
      expect(order[0]).to.equal('Taken now');
    });

    it('is nobody’s who has not the whole record', async () => {
      for (const site of [made.member, made.stranger]) {
        expect((await site.get(`${base}/links`)).status).to.equal(404);
        const crumb = site.cookies.get('crumb') ?? '';
        expect((await site.post(`${base}/links`, { crumb, what: 'create' })).status).to.be.above(399);
      }
      // A form from another site opens nothing.
      const text = textIn(await make());
      expect((await doctor().post(pathOf(text), { recipient: 'x' })).status).to.equal(403);
    });
  });
}
