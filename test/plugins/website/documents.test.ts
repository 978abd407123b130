/** documents: the list of documents and its search, one document with its forms, and what a carenet shows of both. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { newId } from '../../../core/base/ids';
import type { Transaction } from '../../../core/db/connection';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, sample, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Stores the only document of a record so many times more. */
async function copyDocument(on: Transaction, recordId: string, times: number): Promise<void> {
  const [document] = (await on('document').where({ record_id: recordId })) as Record<string, unknown>[];
  const [lineage] = (await on('document_lineage').where({ record_id: recordId })) as Record<string, unknown>[];
  const copies = Array.from({ length: times }, () => ({ id: newId(), lineage: newId() }));
  for (let from = 0; from < times; from += 20) {
    const some = copies.slice(from, from + 20);
    const ofTable = (row: Record<string, unknown>, own: (copy: (typeof copies)[0]) => object) =>
      some.map((copy) => {
        const { seq: _seq, ...rest } = row;
        return { ...rest, ...own(copy) };
      });
    await on('document_lineage').insert(ofTable(lineage!, (copy) => ({ id: copy.lineage, latest_id: copy.id })));
    await on('document').insert(ofTable(document!, (copy) => ({ id: copy.id, lineage_id: copy.lineage })));
  }
}

const HOSTILE = `"><img src=x onerror=alert(1)><script>'`;
const ESCAPED = HOSTILE.replaceAll('<', '&lt;');

for (const leg of databases) {
  describe(`documents on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    const ids: Record<string, string> = {};

    const list = (query = ''): Promise<SitePage> => record.owner.open(`${base}documents/${query}`);
    const one = (name: string): Promise<SitePage> => record.owner.open(`${base}documents/${ids[name]!}`);
    const label = (id: string, text: string) =>
      service.call(record.credentials, 'PUT', `/records/${record.recordId}/documents/${id}/label`, {
        body: text,
        type: 'text/plain',
      });

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}/`;
      for (const [name, path] of Object.entries({
        visit: 'vital-signs/sample-check-up.xml',
        medicine: 'medication/sample-amoxicillin-course.xml',
        allergy: 'allergy/sample-peanut.xml',
        mixed: 'models/sample-mixed.xml',
        fills: 'models/sample-two-fills.xml',
        clinic: 'ccda/sample-clinic-summary.xml',
      })) {
        ids[name] = await record.store(sample(service, path));
      }
      ids['plain'] = await record.store('<SchoolLetter xmlns="urn:school"><p>Feels well</p></SchoolLetter>');
      ids['hostile'] = await record.store(
        factsDocument(service, factOf('Problem', { name_title: HOSTILE.replaceAll('<', '&lt;') })),
      );
    });
    after(() => service.stop());

    describe('the list', () => {
      it('says how many there are, and each by what it says', async () => {
        const page = await list();
        expect(page.status).to.equal(200);
        // The personal details were stored with the new record.
        expect(readable(page)).to.contain(['9 documents', 'Blood pressure 132 / 82 mmHg, sitting', 'Personal details']);
        expect(readable(page)).to.contain(['School letter', 'Peanut']);
        expect(page.text).to.match(/aria-current="page"><svg[^]{0,400}?<\/svg>Documents/);
        for (const bare of [record.recordId, ids['visit']!]) {
          expect(readable(page)).to.not.contain(bare);
        }
        expect(readable(page)).to.not.match(/VitalSigns|SchoolLetter|_title|mm\[Hg\]|#/);
      });

      it('shows hostile text as text', async () => {
        const page = await list();
        expect(page.text).to.not.contain('<img src=x');
        expect(readable(page)).to.contain(HOSTILE);
      });

      for (const [asked, found, not] of [
        ['peanut', 'allergy', 'visit'],
        ['PEANUT', 'allergy', 'visit'],
        ['132', 'visit', 'allergy'],
        ['132/82', 'visit', 'allergy'],
        ['132 / 82', 'visit', 'allergy'],
        ['16.05.2024', 'visit', 'allergy'],
        ['millbrook', 'visit', 'allergy'],
        ['16 May 2024', 'visit', 'allergy'],
        ['2024-05', 'visit', 'allergy'],
        ['measurements 2024', 'visit', 'allergy'],
        ['medicine', 'medicine', 'visit'],
        ['school letter', 'plain', 'visit'],
        ['amoxicillin medicine', 'medicine', 'allergy'],
        ['harrow CONTINUITY', 'clinic', 'visit'],
      ] as const) {
        it(`finds by ${asked}`, async () => {
          const page = await list(`?q=${encodeURIComponent(asked)}`);
          expect(page.text).to.contain(`documents/${ids[found]!}"`);
          expect(page.text).to.not.contain(`documents/${ids[not]!}"`);
        });
      }

      it('finds by label, whatever its letters, and takes signs of patterns for themselves', async () => {
        succeeded(await label(ids['plain']!, 'Übung 100% _fertig_'));
        const finds = async (q: string) =>
          (await list(`?q=${encodeURIComponent(q)}`)).text.includes(`documents/${ids['plain']!}"`);
        expect(await finds('übung')).to.be.true();
        expect(await finds('ÜBUNG FERTIG')).to.be.true();
        expect(await finds('100%')).to.be.true();
        expect(await finds('100%%')).to.be.false();
        expect(await finds('_fertig_')).to.be.true();
        expect(await finds('_ertig_')).to.be.false();
        succeeded(await label(ids['plain']!, ''));
      });

      it('calls a document by the title, place and date that it says, unless somebody called it otherwise', async () => {
        const hostile = sample(service, 'ccda/sample-clinic-summary.xml').replace(
          /<title>[^<]*/,
          `<title>${HOSTILE.replaceAll('<', '&lt;')} ${'long '.repeat(60)}`,
        );
        const id = await record.store(hostile);
        const page = await list('?q=long');
        expect(page.text).to.contain(`documents/${id}"`).and.to.not.contain('<img src=x');
        expect(readable(page)).to.contain([`${HOSTILE} long long`, '…']);
        expect(readable(page)).to.not.contain('long '.repeat(40));
        succeeded(await label(id, 'From the clinic'));
        const named = readable(await list('?q=long'));
        expect(named).to.contain(['From the clinic', HOSTILE]);
        expect(named.indexOf('From the clinic')).to.be.below(named.indexOf(HOSTILE));
        succeeded(
          await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'Only a try' },
          }),
        );
      });

      it('says once what a label says already', async () => {
        const named = await record.store(factsDocument(service, factOf('Problem', { name_title: 'Gout' })));
        succeeded(await label(named, 'Problem: Gout'));
        expect(readable(await list('?q=gout')))
          .to.contain('Problem: Gout')
          .and.to.not.match(/Problem: Gout Gout/);
        succeeded(await label(named, 'My foot'));
        expect(readable(await list('?q=gout'))).to.contain('My foot Gout');
        await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/${named}/set-status`, {
          form: { status: 'void', reason: 'a test' },
        });
      });

      it('says so when nothing is found, keeps what was typed, and survives everything that is typed', async () => {
        const page = await list(`?q=${encodeURIComponent(HOSTILE)}x`);
        expect(page.status).to.equal(200);
        expect(readable(page)).to.contain('No document was found.');
        expect(page.text).to.not.contain('<img src=x');
        expect(page.text).to.contain('value="&quot;>&lt;img');
        for (const q of [
          "'",
          '!',
          '%',
          '\\',
          '0x10',
          '1e999',
          '٣ مارس ٢٠٢٦',
          'a b c d e f g h',
          '\u0000',
          '😀'.repeat(150),
        ]) {
          expect((await list(`?q=${encodeURIComponent(q)}`)).status, q).to.equal(200);
        }
        expect((await list('?place=-1&status=nothing&limit=zero')).status).to.equal(200);
        const searching = 'The text of documents is not searched.';
        expect(readable(await list('?q=no+such+words'))).to.contain(['No document was found.', searching]);
        // A filter by status alone is no search.
        const archived = readable(await list('?status=archived'));
        expect(archived).to.contain(['No document is archived.', 'All documents']).and.to.not.contain(searching);
      });

      it('leads on to the next page and back', async () => {
        const other = await createRecord(service.call, 'olga@people.example', 'Long', 'List');
        for (let index = 0; index < 52; index += 1) {
          succeeded(
            await service.call(record.credentials, 'POST', `/records/${other}/documents/`, {
              body: factsDocument(service, factOf('Problem', { name_title: `Trouble ${index}` })),
            }),
          );
        }
        const first = await record.owner.open(`/my/records/${other}/documents/?q=trouble`);
        expect(readable(first)).to.contain(['52 documents were found.', '1 to 50 of 52', 'Next page', 'Trouble 51']);
        expect(readable(first)).to.not.contain('Trouble 1 ');
        const next = /href="([^"]*)" rel="next"/.exec(first.text)![1]!.replaceAll('&amp;', '&');
        const second = await record.owner.open(next);
        expect(readable(second)).to.contain(['51 to 52 of 52', 'Trouble 0', 'Previous page']);
        expect(
          readable(await record.owner.open(`/my/records/${other}/documents/?q=trouble&place=elsewhere`)),
        ).to.contain('52 documents were found.');
        expect(readable(await record.owner.open(`/my/records/${other}/documents/`))).to.contain('53 documents');
      });
    });

    describe('the order', () => {
      let ordered: string;
      const titles = async (query: string): Promise<readonly string[]> => {
        const page = await record.owner.open(`/my/records/${ordered}/documents/${query}`);
        const rows = page.text.matchAll(/<li data-kind="Document"[^]*?<a[^>]*href="[^"]*"[^>]*>[^]*?<bdi>([^<]*)</g);
        return [...rows].map(([, title]) => title!);
      };
      const put = async (path: string, type = 'application/xml', body = sample(service, path)): Promise<void> => {
        succeeded(await service.call(record.credentials, 'POST', `/records/${ordered}/documents/`, { body, type }));
      };

      before(async () => {
        ordered = await createRecord(service.call, 'olga@people.example', 'Ordered', 'Papers');
        await put('allergy/sample-peanut.xml');
        await put('ccda/sample-clinic-summary.xml');
        await put('vital-signs/sample-check-up.xml');
        const visit = {
          startDate: '2019-05-03',
          encounterType_title: 'Check-up',
          facility_name: 'Bayside Practice',
        };
        await put('', 'application/xml', factsDocument(service, factOf('Encounter', visit)));
      });

      it('is that of care, of adding, of titles or of senders', async () => {
        const visit = 'Visit: Check-up, Bayside Practice, 3 May 2019';
        const added = await titles('?sort=added');
        expect(added[0]).to.equal(visit);
        const care = await titles('');
        expect(care).to.have.length(added.length);
        expect(care.at(-1)).to.equal(visit);
        expect(await titles('?sort=care')).to.equal(care);
        expect(await titles('?sort=nonsense')).to.equal(care);
        const byTitle = await titles('?sort=title&view=grid');
        const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
        expect(byTitle).to.equal([...byTitle].sort(compare));
        expect((await titles('?sort=from'))[0]).to.match(/^Harrow Lane/);
      });

      it('offers kinds and senders, and shows only theirs', async () => {
        const page = await record.owner.open(`/my/records/${ordered}/documents/`);
        const [, key] = /from_whom=([^"&]{22})"[^>]*><svg[^]{0,400}?<bdi>Harrow Lane/.exec(page.text)!;
        expect(await titles(`?from_whom=${key!}`)).to.have.length(1);
        expect(await titles('?from_whom=nobody')).to.equal([]);
        expect(await titles('?kind=ALLERGY')).to.equal(['Peanut']);
        expect(await titles('?kind=allergy&q=strawberries')).to.equal([]);
        expect(readable(page)).to.contain('All 5').and.to.contain('Allergies 1');
        expect(await titles('?kind=Allergies')).to.equal(['Peanut']);
        expect(await titles('?day=2019-05-03')).to.have.length(1);
        expect(await titles('?day=2019-05-04')).to.equal([]);
      });

      it('has ticks in the grid, too', async () => {
        const page = await record.owner.open(`/my/records/${ordered}/documents/?view=grid&sort=care`);
        expect(page.text.match(/name="doc"/g)).to.have.length((await titles('')).length);
        expect(page.text).to.contain('id="several"');
      });

      it('folds what a device sent on one day into a line, with its documents in it', async () => {
        const other = await createRecord(service.call, 'olga@people.example', 'Watch', 'Wearer');
        const rate = (id: number, day: string): string =>
          JSON.stringify({
            resourceType: 'Observation',
            id: `rate-${id}`,
            status: 'final',
            code: { coding: [{ system: 'http://loinc.org', code: '8867-4', display: 'Heart rate' }] },
            category: [
              {
                coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
              },
            ],
            effectiveDateTime: `${day}T1${id}:00:00Z`,
            valueQuantity: { value: 60 + id, unit: '/min', system: 'http://unitsofmeasure.org', code: '/min' },
          });
        for (const [id, day] of ['2026-02-01', '2026-02-01', '2026-02-01', '2026-02-02'].entries()) {
          succeeded(
            await service.call(record.credentials, 'POST', `/records/${other}/documents/`, {
              body: rate(id, day),
              type: 'application/fhir+json',
            }),
          );
        }
        const page = await record.owner.open(`/my/records/${other}/documents/`);
        expect(page.text.match(/class="of-device"/g)).to.have.length(1);
        expect(readable(page)).to.match(/Device data of 1 February 2026, [^:]+: 3 documents/);
        const folded = /<li class="of-device">[^]*?<\/details>/.exec(page.text)![0];
        expect(folded.match(/data-kind="Document"/g)).to.have.length(3);
        const day = await record.owner.open(`/my/records/${other}/documents/?day=2026-02-01`);
        expect(day.text.match(/name="doc"/g)).to.have.length(3);
        expect(day.text).to.not.contain('of-device');
      });

      it('says how many older documents it leaves out', async () => {
        const many = await createRecord(service.call, 'olga@people.example', 'Many', 'Papers');
        await copyDocument(direct(service.services.database), many, 2004);
        const at = (query: string) => record.owner.open(`/my/records/${many}/documents/${query}`);
        const { asked } = await askedBy(() => at('?kind=Personal+details'));
        expect(asked.length).to.be.at.most(20);
        expect(readable(await at('?sort=title'))).to.contain('5 older documents are left out');
        expect(readable(await at('')))
          .to.contain(['2,005 documents', 'too many documents to sort', '1 to 50 of 2,005'])
          .and.not.contain('left out');
      });
    });

    describe('one document', () => {
      it('says its facts in plain words', async () => {
        const page = await one('visit');
        expect(readable(page)).to.contain([
          'Measurements',
          'Blood pressure 132 / 82 mmHg, sitting',
          'Heart rate 70 beats a minute',
          'Dr Amara Lindqvist',
          'Millbrook Family Practice',
        ]);
        expect(readable(page)).to.not.match(/VitalSigns|33586001|mm\[Hg\]|heart_rate/);
        const fills = readable(await one('fills'));
        expect(fills).to.match(/Fetched|Fill/i);
      });

      it('says several kinds under headings of their own, and what was left out and why', async () => {
        const mixed = await one('mixed');
        expect(readable(mixed)).to.contain(['Problems', 'Asthma', 'Measurements']);
        const clinic = readable(await one('clinic'));
        expect(clinic).to.contain(['Left out', 'Nothing is lost']);
        expect(clinic).to.not.match(/not_supported|narrative_only|no_code/);
      });

      it('folds its sections when it is long, and shows the fact that a link leads to, however many are before it', async () => {
        const { recordId, owner } = record;
        const many = Array.from({ length: 130 }, (_, index) => factOf('Problem', { name_title: `Ache ${index}` }));
        const id = await record.store(factsDocument(service, ...many, factOf('Allergy', { allergen_title: 'Latex' })));
        const page = await owner.open(`${base}documents/${id}`);
        expect(page.text.match(/<details class="sect"/g)).to.have.length(2);
        expect(page.text).to.not.contain('<details class="sect" open');
        expect(readable(page)).to.contain(['Problems 130', 'Allergies 1', 'The first 100 of 130']);
        expect(readable(page)).to.not.contain('Ache 129');
        const found = await owner.open(`${base}search?q=${encodeURIComponent('ache 129')}`);
        const [, address, anchor] = /href="([^"#]*\?fact=[^"#]*)#([^"]*)"/.exec(found.text)!;
        const led = await owner.open(address!);
        expect(led.text).to.match(/<details class="sect" open[^]*?Ache 129/);
        expect(led.text).to.contain(`<li id="${anchor!}"`);
        expect(led.text.match(/<details class="sect" open/g)).to.have.length(1);
        const asked = await owner.open(`${base}documents/${id}?section=Allergy`);
        expect(asked.text).to.match(/id="section-Allergy"><details class="sect" open/);
        const strange = await owner.open(`${base}documents/${id}?fact=${ids['visit']!}`);
        expect([strange.status, strange.text.includes('class="sect" open')]).to.equal([200, false]);
        const short = await one('mixed');
        expect(short.text).to.not.contain('<details class="sect"><');
        succeeded(
          await service.call(record.credentials, 'POST', `/records/${recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'Only a try' },
          }),
        );
      });

      it('is read in its own words where its format has a text, without its markup', async () => {
        const clinic = await one('clinic');
        const address = /href="([^"]*\/text)"/.exec(clinic.text)![1]!;
        const page = await record.owner.get(address);
        expect([
          page.status,
          readable(page).includes('Harrow Lane Family Practice: continuity of care document'),
        ]).to.equal([200, true]);
        expect(readable(page)).to.contain([
          'As its author wrote it',
          'Metformin 500 mg: one tablet twice a day with meals',
        ]);
        expect((await one('visit')).text).to.not.contain('/text"');
        const none = await record.owner.get(`${base}documents/${ids['visit']!}/text`);
        expect([none.status, readable(none).includes('has no text of its own')]).to.equal([200, true]);
        const text = sample(service, 'ccda/sample-clinic-summary.xml').replace(
          /<section>[\s\S]*?<\/section>/,
          `<section><title>${ESCAPED}</title><text>${ESCAPED}<linkHtml href="javascript:alert(1)">a link</linkHtml></text></section>`,
        );
        const id = await record.store(text.replace('<title>', `<title>Copy `));
        const hostile = await record.owner.get(`${base}documents/${id}/text`);
        expect(hostile.status).to.equal(200);
        expect(readable(hostile)).to.contain([HOSTILE, 'a link']);
        expect(hostile.text).to.not.match(/<img src=x|<script(?! src="\/my\/passkeys)|javascript:/);
        succeeded(
          await service.call(record.credentials, 'POST', `/records/${record.recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'Only a try' },
          }),
        );
      });

      it('is named by its root element when nothing in it is a fact, and shown as it is written', async () => {
        const page = await one('plain');
        expect(page.text).to.contain('<h1><bdi>School letter</bdi></h1>');
        expect(readable(page)).to.contain(['School letter', 'Nothing in it could be read as a fact', 'Feels well']);
        const hostile = await record.store(
          '<Letter xmlns="urn:x"><body onload="alert(1)">&lt;script&gt;alert(1)&lt;/script&gt;<script ' +
            'xmlns="http://www.w3.org/1999/xhtml">alert(2)</script></body></Letter>',
        );
        const shown = await record.owner.open(`${base}documents/${hostile}`);
        expect(shown.status).to.equal(200);
        expect(shown.text).to.not.match(/<script(?! src="\/my\/passkeys)|onload=/);
        expect(readable(shown)).to.contain(['<script>alert(1)</script>', 'alert(2)']);
        succeeded(
          await service.call(
            record.credentials,
            'POST',
            `/records/${record.recordId}/documents/${hostile}/set-status`,
            {
              form: { status: 'void', reason: 'Only a try' },
            },
          ),
        );
        const personal = / href="([^"]*)"[^>]*><bdi>Personal details/.exec((await list()).text)![1]!;
        expect(readable(await record.owner.open(personal))).to.contain(['Personal details', 'Family name Halvorsen']);
      });

      it('takes a label, and shows as text what was typed', async () => {
        const page = await record.owner.submit(await one('hostile'), { label: HOSTILE });
        expect([page.status, readable(page).includes('Saved')]).to.equal([200, true]);
        expect(page.text).to.not.contain('<img src=x');
        expect(readable(page)).to.contain(HOSTILE);
        const long = await record.owner.submit(await one('hostile'), { label: 'x'.repeat(101) });
        expect(long.status).to.equal(400);
        expect(long.text).to.contain(['role="alert"', 'aria-invalid="true"', 'x'.repeat(101)]);
        expect((await record.owner.submit(await one('hostile'), { label: '' })).status).to.equal(200);
      });

      it('is archived for a reason, declared void, and used again', async () => {
        const empty = await record.owner.submit(await one('medicine'), { reason: ' ' });
        expect([empty.status, readable(empty).includes('Say why')]).to.equal([400, true]);
        const archived = await record.owner.submit(await one('medicine'), { reason: 'Taken long ago' });
        expect(readable(archived)).to.contain(['This document is archived', 'Taken long ago', 'Olga Openshaw']);
        // The older page still offers to declare it void; the response shows the present status.
        const before = formsOf(empty).find(({ html }) => html.includes('name="instead"'))!;
        const late = await record.owner.post(before.action, { ...before.fields, reason: 'Not mine', instead: 'void' });
        expect([late.status, readable(late).includes('The status was changed meanwhile')]).to.equal([400, true]);
        expect(readable(late)).to.contain(['This document is archived', 'Use it again']);
        expect((await list()).text).to.not.contain(ids['medicine']!);
        expect(readable(await list())).to.contain('8 documents');
        expect((await list('?status=archived')).text).to.contain(ids['medicine']!);
        const again = await record.owner.submit(archived, { reason: 'Needed', status: 'active' });
        expect(readable(again)).to.contain(['It is in use again', 'In use']);
        const form = formsOf(again).find(({ html }) => html.includes('Archive'))!;
        expect(form.html).to.contain('name="instead" value="void"');
        const wrong = await record.owner.post(form.action, { ...form.fields, reason: 'Not mine', instead: 'void' });
        expect(wrong.status).to.equal(303);
        expect(readable(await one('medicine'))).to.contain('This document is said to be wrong');
        expect((await list('?status=void')).text).to.contain([ids['medicine']!, 'said to be wrong.']);
        await record.owner.submit(await one('medicine'), { reason: 'It is mine', status: 'active' });
        const strange = await record.owner.post(form.action, { ...form.fields, reason: 'x', instead: 'eaten' });
        expect(strange.status).to.equal(400);
      });

      it('is never shared, which no other form undoes, and shared again', async () => {
        const page = await record.owner.submit(await one('allergy'), {}, 'Never share');
        expect(readable(page)).to.contain(['It will never be shared', 'never shared']);
        expect(page.text).to.not.contain('Add<span class="unseen"> to Family');
        const back = await record.owner.submit(page, {}, 'Let it be shared again');
        expect(readable(back)).to.contain('It can be shared again');
      });

      it('is put into a carenet and taken out of it', async () => {
        const address = `/my/carenets/${record.carenetId}/documents/${ids['visit']!}`;
        expect((await record.member.get(address)).status).to.equal(404);
        const placed = await record.owner.submit(await one('visit'), {}, 'to Family');
        expect(readable(placed)).to.contain('Added to the circle');
        const seen = await record.member.open(address);
        expect(readable(seen)).to.contain('Blood pressure 132 / 82 mmHg');
        const taken = await record.owner.submit(await one('visit'), {}, 'of Family');
        expect(readable(taken)).to.contain('Taken out of the circle');
        expect((await record.member.get(address)).status).to.equal(404);
      });

      it('keeps its versions, of which the latest counts', async () => {
        const path = `/records/${record.recordId}/documents/${ids['fills']!}/replace`;
        const { text } = succeeded(
          await service.call(record.credentials, 'POST', path, {
            body: factsDocument(service, factOf('Problem', { name_title: 'Hay fever' })),
          }),
        );
        const latest = / id="([^"]*)"/.exec(text)![1]!;
        const earlier = await one('fills');
        expect(readable(earlier)).to.contain([
          'This is an earlier version',
          // Its words are those of the latest version.
          'Medicines',
          'Fetched from the pharmacy',
          'Version 2',
          'Version 1',
        ]);
        expect(readable(earlier)).to.not.contain('As it is written');
        expect(formsOf(earlier).filter(({ html }) => html.includes('name="what"'))).to.equal([]);
        const now = await record.owner.open(`${base}documents/${latest}`);
        expect(readable(now)).to.contain(['Hay fever', 'There are 2 versions']);
        ids['latest'] = latest;
      });

      it('is downloaded as it was stored, as a file and never as a page', async () => {
        const page = await record.owner.get(`${base}documents/${ids['plain']!}/download`);
        expect(page.status).to.equal(200);
        expect(page.text).to.equal('<SchoolLetter xmlns="urn:school"><p>Feels well</p></SchoolLetter>');
        expect(page.headers['content-disposition']).to.match(/^attachment; filename\*=UTF-8''School%20letter/);
        expect(page.headers['x-content-type-options']).to.equal('nosniff');
      });
    });

    describe('a file inside a document', () => {
      it('is what is downloaded, as what its bytes are', async () => {
        const id = await record.store(sample(service, 'ccda/sample-pdf.xml'));
        const page = await record.owner.get(`${base}documents/${id}/download`);
        expect([page.status, page.headers['content-type']]).to.equal([200, 'application/pdf']);
        expect(page.text).to.equal('%PDF-1.4\n%%EOF\n');
        expect(page.headers['content-disposition']).to.match(/^attachment; filename\*=UTF-8''.*\.pdf$/);
        expect(page.headers['x-content-type-options']).to.equal('nosniff');
      });
    });

    describe('what is not theirs', () => {
      it('is the same page as what is not there', async () => {
        const document = ids['visit']!;
        const texts = new Set<string>();
        for (const path of [
          `${base}documents/`,
          `${base}documents/${document}`,
          `${base}documents/${document}/download`,
          `${base}documents/${ids['clinic']!}/text`,
          `/my/carenets/${record.carenetId}/documents/${ids['clinic']!}/text`,
          `/my/carenets/${record.carenetId}/documents/`,
          `/my/carenets/${record.carenetId}/documents/${document}`,
          `/my/carenets/${record.carenetId}/documents/${document}/download`,
          '/my/records/none/documents/',
          '/my/records/none/documents/none',
        ]) {
          const page = await record.stranger.get(path);
          expect(page.status, path).to.equal(404);
          texts.add(
            readable(page)
              .replace(/reference \w+/, '')
              .replace(/\d\d:\d\d/, ''),
          );
        }
        texts.add(
          readable(await record.owner.get(`${base}documents/none`))
            .replace(/reference \w+/, '')
            .replace(/\d\d:\d\d/, ''),
        );
        expect(texts.size).to.equal(1);
      });

      it('is changed by no forged form', async () => {
        const address = `${base}documents/${ids['visit']!}`;
        const crumb = record.stranger.cookies.get('crumb')!;
        const fields = { what: 'label', label: 'Mine now' };
        expect((await record.stranger.post(address, { ...fields, crumb })).status).to.equal(404);
        expect((await record.owner.post(address, fields)).status).to.equal(403);
        expect((await record.owner.post(address, { ...fields, crumb })).status).to.equal(403);
        expect(readable(await one('visit'))).to.not.contain('Mine now');
        const own = record.owner.cookies.get('crumb')!;
        const others = await record.owner.post(address, { crumb: own, what: 'place', carenet: 'none' });
        expect(others.status).to.equal(404);
      });
    });

    describe('through a carenet', () => {
      before(async () => {
        const path = `/records/${record.recordId}/documents/${ids['latest']!}/carenets/${record.carenetId}`;
        succeeded(await service.call(record.credentials, 'PUT', path));
      });
      const inCarenet = (rest: string): string => `/my/carenets/${record.carenetId}/documents/${rest}`;

      it('only what lies there is listed, found and counted', async () => {
        const page = await record.member.open(inCarenet(''));
        expect(readable(page)).to.contain(['One document', 'Hay fever']);
        expect(readable(page)).to.not.match(/Peanut|Blood pressure/);
        expect(readable(await record.member.open(`${inCarenet('')}?q=peanut`))).to.contain('No document was found.');
        expect(readable(await record.member.open(`${inCarenet('')}?q=hay`))).to.contain('One document was found.');
      });

      it('the latest version is readable, without forms, versions or the way to change it', async () => {
        const page = await record.member.open(inCarenet(ids['latest']!));
        expect(readable(page)).to.contain('Hay fever');
        expect(readable(page)).to.not.match(/Version|Never share|Label|Reason/);
        expect(formsOf(page).filter(({ html }) => html.includes('/documents/'))).to.equal([]);
        for (const rest of ['download', 'text']) {
          expect((await record.member.get(inCarenet(`${ids['latest']!}/${rest}`))).status, rest).to.equal(200);
        }
        for (const rest of [ids['fills']!, `${ids['fills']!}/download`, ids['visit']!, `${ids['clinic']!}/text`]) {
          expect((await record.member.get(inCarenet(rest))).status, rest).to.equal(404);
        }
        const crumb = record.member.cookies.get('crumb')!;
        const posted = await record.member.post(inCarenet(ids['latest']!), { crumb, what: 'label', label: 'Mine' });
        expect(posted.status).to.equal(404);
      });
    });

    it('asks the database for at most twenty statements a page, whatever the document holds', async () => {
      const counts: Record<string, number> = {};
      for (const path of [
        `${base}documents/`,
        `${base}documents/?q=peanut+2024`,
        ...Object.values(ids).map((id) => `${base}documents/${id}`),
        `${base}documents/${ids['clinic']!}/download`,
      ]) {
        const { asked, result } = await askedBy(() => record.owner.open(path));
        expect(result.status).to.equal(200);
        counts[path] = asked.length;
      }
      expect(Object.entries(counts).filter(([, count]) => count > 20)).to.equal([]);
      expect(Math.max(...Object.values(counts))).to.be.above(5);
    });
  });
}
