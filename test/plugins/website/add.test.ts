/**
 * add: a file is previewed before anything is stored, then added once; callers without the right and unreadable files
 * are refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../../core/base/paths';
import { openedRows } from '../../support/contents';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { enterSite } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { createAccount, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '<img src=x onerror=alert(1)> "&\'.xml';

const sample = (name: string): string => readFileSync(join(projectRoot, 'pipeline-config', name), 'utf8');

for (const leg of databases) {
  describe(`adding files on ${leg.name}`, () => {
    let service: TestService;
    let olga: Site;
    let paul: Site;
    let recordId: string;
    let allergy: string;

    const enter = (id: string, language = 'en'): Promise<Site> => enterSite(service, id, language);
    const path = (): string => `/my/records/${recordId}/add`;
    const count = async (): Promise<number> =>
      (await direct(service.services.database)('document').where({ record_id: recordId })).length;
    const look = async (site: Site, ...files: readonly (readonly [string, string | Buffer])[]): Promise<SitePage> =>
      site.send(
        await site.open(path()),
        files.map(([name, bytes]) => ({ field: 'file', name, bytes })),
      );
    const add = (site: Site, page: SitePage, fields: Readonly<Record<string, string>> = {}): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const { nevershare: _box, ...sent } = form.fields;
      return site.post(form.action, { ...sent, ...fields });
    };
    const inForce = (xml: string): string => xml.replaceAll('{vocab_base}', service.services.config.vocabBase);
    const documentAt = (page: SitePage): string =>
      /\/documents\/([\w-]{36})$/.exec(String(page.headers['location']))![1]!;

    before(async () => {
      service = await startService(leg);
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
      allergy = inForce(sample('allergy/sample-aspirin.xml'));
    });
    after(() => service.stop());

    it('shows every fact before anything is stored, and stores the file as it was', async () => {
      const before = await count();
      const page = await look(olga, ['allergy.xml', allergy]);
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain([
        'Look at it first',
        'allergy.xml',
        'Nothing is stored yet',
        'aspirin Vomiting, Moderate',
      ]);
      expect(await count()).to.equal(before);
      const kept = (await direct(service.services.database)('kept_file').first()) as { content: Buffer };
      expect(kept.content.includes('Aspirin')).to.be.false();
      const done = await add(olga, page, { label: 'My allergy' });
      expect(done.status).to.equal(303);
      const id = documentAt(done);
      const hers = await signIn(service.call, OLGA);
      expect(succeeded(await service.call(hers, 'GET', `/records/${recordId}/documents/${id}`)).text).to.equal(allergy);
      expect(await direct(service.services.database)('document_lineage').where({ id }).first()).to.include({
        label: 'My allergy',
        nevershare: 0,
      });
      expect(await direct(service.services.database)('kept_file')).to.have.length(0);
      const rows = (await direct(service.services.database)('audit').where({ record_id: recordId })) as {
        function_name: string;
        document_id: string | null;
      }[];
      expect(rows.map(({ function_name }) => function_name)).to.include(['document_preview', 'document_kept_file']);
      expect(rows.find(({ function_name }) => function_name === 'document_create')!.document_id).to.equal(id);
    });

    it('tells who will see a file before it is added, by its kind', async () => {
      const sharing = `/my/records/${recordId}/sharing`;
      const none = readable(await look(olga, ['allergy.xml', allergy]));
      expect(none).to.contain(['Who will see it', 'Whoever sees the whole record', 'No circle sees it']);
      const { text } = await olga.open(sharing);
      const box = /Allergies: Family<\/span><input type="checkbox" name="share" value="([^"]+)"/.exec(text)![1]!;
      const crumb = olga.cookies.get('crumb')!;
      expect((await olga.post(sharing, { crumb, what: 'kinds', share: box })).status).to.equal(303);
      const page = await look(olga, ['allergy.xml', allergy]);
      expect(readable(page)).to.contain('Whoever is in Family, too: documents of this kind are shared there.');
      expect(page.text).to.contain(`href="${sharing}"`);
      expect(readable(await look(olga, ['scan.pdf', '%PDF-1.4']))).to.contain('No circle sees it');
      const both = readable(await look(olga, ['allergy.xml', allergy], ['scan.pdf', '%PDF-1.4']));
      expect(both).to.contain('Whoever is in Family, too: documents of such kinds are shared there.');
      expect((await olga.post(sharing, { crumb, what: 'kinds', was: box })).status).to.equal(303);
    });

    it('warns of a file that tells of somebody else than the person of the record', async () => {
      const sparse = inForce(sample('ccda/sample-sparse.xml'));
      const of = (given: string, family: string, born: string): string =>
        sparse
          .replace(
            '<given>Nnamdi</given><family>Castellane</family>',
            `<given>${given}</given><family>${family}</family>`,
          )
          .replace('<birthTime nullFlavor="UNK"/>', `<birthTime value="${born}"/>`);
      const question = 'Is this the right record?';
      const said = async (...file: readonly [string, string]): Promise<string> => readable(await look(olga, file));
      expect(await said('mine.xml', of('Tor', 'Openshaw', '19410808'))).to.not.contain(question);
      expect(await said('year.xml', of('Tor', 'Openshaw', '1947'))).to.not.contain(question);
      expect(await said('theirs.xml', of('Myra&amp;co', 'Jones', '19470501'))).to.contain([
        question,
        'it is about Myra&co Jones, born 1 May 1947. You would add it to the record of Tor Openshaw, born 8 August 1941.',
      ]);
      const bundle = inForce(sample('fhir-bundle/sample-patient-summary.xml'));
      expect(await said('summary.xml', bundle)).to.contain([question, 'born 3 November 1972']);
      const found = inForce(sample('fhir-bundle/sample-search-result.xml'));
      expect(await said('found.xml', found)).to.contain([question, 'it is about Desire Ilunga. You would add it']);
      // It is only a warning: a file can be added even if its date of birth is wrong.
      const page = await look(olga, ['theirs.xml', of('Myra', 'Jones', '19470501')]);
      expect((await add(olga, page, { label: 'Somebody else' })).status).to.equal(303);
    });

    it('tells of the same file in this record before it is stored again, and lets the person decide', async () => {
      const question = 'Is it here already?';
      const once = allergy.replace('</', ' </');
      const notes = '\ufeffÓnly once. '.repeat(400);
      for (const [name, bytes, label] of [
        ['once.xml', once, 'The first time'],
        ['notes.txt', notes, 'Notes & more'],
      ] as const) {
        const first = await look(olga, [name, bytes]);
        expect(readable(first), name).to.not.contain(question);
        const id = documentAt(await add(olga, first, { label }));
        const again = await look(olga, [`again-${name}`, bytes]);
        expect(readable(again)).to.contain([question, `This record has again-${name} already: ${label}, added on`]);
        expect(again.text).to.contain(`href="/my/records/${recordId}/documents/${id}"`);
        const second = documentAt(await add(olga, again, { label: 'The second time' }));
        expect(second).to.not.equal(id);
        expect(readable(await look(olga, [name, bytes]))).to.contain('already: The second time, added on');
        // A void copy is no reason to ask, an archived one is.
        const hers = await signIn(service.call, OLGA);
        const put = async (document: string, status: string) =>
          succeeded(
            await service.call(hers, 'POST', `/records/${recordId}/documents/${document}/set-status`, {
              form: { status, reason: 'Test' },
            }),
          );
        await put(second, 'void');
        await put(id, 'archived');
        expect(readable(await look(olga, [name, bytes]))).to.contain(`already: ${label}, added on`);
        await put(id, 'active');
        await put(id, 'void');
        expect(readable(await look(olga, [name, bytes]))).to.not.contain(question);
      }
    });

    it('asks about a file that was chosen twice, and tells nothing of other records', async () => {
      const same = allergy.replace('</', '  </');
      const page = await look(olga, ['one.xml', same], ['two.xml', same]);
      expect(readable(page)).to.contain(['Chosen twice', 'two.xml is the same as one.xml.']);
      expect(readable(page)).to.not.contain('one.xml is the same');
      const picture = Buffer.from(`${'Not yours. '.repeat(100)}`);
      const made = await paul.submit(await paul.open('/my/start'), {
        given: 'Paul',
        family: 'Other',
        born: '1980-01-01',
        sex: 'male',
      });
      const there = `${made.path}add`;
      const send = async () =>
        paul.send(
          await paul.open(there),
          [same, picture].map((bytes, index) => ({ field: 'file', name: `his-${index}`, bytes })),
        );
      const form = formsOf(await send()).find(({ html }) => html.includes('Add to my record'))!;
      const tokens = [...form.html.matchAll(/name="form" value="([^"]+)"/g)].map((match) => match[1]!);
      await paul.post(form.action, [
        ['crumb', form.fields['crumb']!],
        ...tokens.map((token): [string, string] => ['form', token]),
      ]);
      const [his, hers] = [readable(await send()), readable(await look(olga, ['a.xml', same], ['b.txt', picture]))];
      expect(his.match(/Is it here already/g)).to.have.length(2);
      expect(hers).to.not.contain('Is it here already');
    });

    it('never lets a document that is never to be shared into a carenet', async () => {
      const page = await look(olga, ['never.xml', allergy]);
      const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const id = documentAt(await olga.post(form.action, { ...form.fields, nevershare: form.fields['form']! }));
      expect(await direct(service.services.database)('document_lineage').where({ id }).first()).to.include({
        label: 'never',
        nevershare: 1,
      });
    });

    it('stores once what is confirmed twice, one after the other or at once', async () => {
      for (const together of [false, true]) {
        const page = await look(olga, ['twice.xml', allergy]);
        const before = await count();
        const answers = together
          ? await Promise.all([1, 2, 3].map(() => add(olga, page)))
          : [await add(olga, page), await add(olga, page)];
        expect(new Set(answers.map(documentAt)).size).to.equal(1);
        expect(await count()).to.equal(before + 1);
      }
    });

    it('keeps the very bytes, whatever they are said to be and however they are encoded', async () => {
      const hers = await signIn(service.call, OLGA);
      const note = 'é'.repeat(1_500_000);
      const latin = Buffer.from(
        `<?xml version="1.0" encoding="ISO-8859-1"?><note xmlns="urn:n">${note}</note>`,
        'latin1',
      );
      const json = Buffer.from(
        '{"resourceType":"AllergyIntolerance","clinicalStatus":{"coding":[{"code":"active"}]},\n"code":{"text":"Peanuts"},"patient":{"display":"Tor"}}',
      );
      for (const [name, type, bytes] of [
        ['latin.xml', 'text/xml', latin],
        ['fhir.json', 'application/json', json],
      ] as const) {
        const page = await olga.send(await olga.open(path()), [{ field: 'file', name, type, bytes }]);
        expect(page.status, readable(page)).to.equal(200);
        const id = documentAt(await add(olga, page));
        const [stored] = await openedRows(service.services.database, 'document', ['id = ?', id]);
        expect(Buffer.compare(stored!['content'] as Buffer, bytes), name).to.equal(0);
      }
      expect(succeeded(await service.call(hers, 'GET', `/records/${recordId}/reports/allergy/`)).text).to.contain(
        'Peanuts',
      );
    });

    it('proposes the title that a document says, else the name of its file', async () => {
      const label = async (...file: [string, string]) => {
        const page = await look(olga, file);
        return /name="label"[^>]* value="([^"]*)"/.exec(page.text)?.[1];
      };
      expect(await label('CCD_2.xml', inForce(sample('ccda/sample-hospital.xml')))).to.equal(
        'St Brannoc Regional Hospital: discharge summary',
      );
      expect(await label('My_allergy.xml', allergy)).to.equal('My allergy');
    });

    it('adds several files at once, each with its own label', async () => {
      const before = await count();
      const page = await look(olga, ['one.xml', allergy], ['bad.xml', '<a><b></a>'], ['two.xml', allergy]);
      expect(page.status).to.equal(200);
      expect(readable(page)).to.contain(['one.xml', 'two.xml', 'bad.xml', 'Cannot be added']);
      const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const tokens = [...form.html.matchAll(/name="form" value="([^"]+)"/g)].map((match) => match[1]!);
      expect(tokens).to.have.length(2);
      const fields: [string, string][] = [
        ['crumb', form.fields['crumb']!],
        ['label', 'First'],
        ['label-2', 'Second'],
        ...tokens.map((token): [string, string] => ['form', token]),
      ];
      const done = await olga.post(form.action, fields);
      expect([done.status, String(done.headers['location']).endsWith('/documents/')]).to.equal([303, true]);
      expect(await count()).to.equal(before + 2);
    });

    describe('a file that is no document itself', () => {
      const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n\u0000\u0001\n%%EOF\n', 'latin1');
      const contentOf = async (done: SitePage): Promise<string> => {
        const id = decodeURIComponent(String(done.headers['location']).split('/').at(-1)!);
        const [row] = await openedRows(service.services.database, 'document', ['id = ?', id]);
        return String(row!['content']);
      };

      it('is kept in a document with title, date and kind, and comes out again byte for byte', async () => {
        const page = await look(olga, ['Letter of Dr Berg.pdf', pdf]);
        expect(page.status, readable(page)).to.equal(200);
        expect(readable(page)).to.contain(['PDF. It is kept as it is, and nothing in it is read', 'Title', 'Kind']);
        expect(formsOf(page).find(({ html }) => html.includes('Add to my record'))!.fields).to.include({
          label: 'Letter of Dr Berg',
          date: '',
          kind: '',
        });
        const done = await add(olga, page, { label: 'Heart & <lungs>', date: '2026-03-03', kind: 'Letter' });
        expect(done.status).to.equal(303);
        const stored = await contentOf(done);
        expect(stored).to.contain([
          '<title>Heart &amp; &lt;lungs&gt;</title>',
          '<date>2026-03-03</date>',
          '<kind>Letter</kind>',
          '<mediaType>application/pdf</mediaType>',
          `<content>${pdf.toString('base64')}</content>`,
        ]);
        const shown = await olga.open(String(done.headers['location']));
        expect(readable(shown)).to.contain(['Heart & <lungs>', '3 March 2026']);
        expect(readable(await olga.open(`/my/records/${recordId}/timeline`))).to.contain('Heart & <lungs>');
        // A second press stores nothing more.
        expect((await add(olga, page)).headers['location']).to.equal(done.headers['location']);
      });

      it('may be a picture or a text, whatever a browser calls it, beside documents, and needs no words', async () => {
        const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
        const page = await look(olga, ['scan.xml', png], ['allergy.xml', allergy], ['note.txt', 'Take care.\n']);
        expect(page.status, readable(page)).to.equal(200);
        expect(readable(page)).to.contain(['a picture', 'a text file']);
        const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
        const tokens = [...form.html.matchAll(/name="form" value="([^"]+)"/g)].map((match) => match[1]!);
        const before = await count();
        const fields: [string, string][] = [
          ['crumb', form.fields['crumb']!],
          ['label', ''],
          ...tokens.map((token): [string, string] => ['form', token]),
        ];
        expect((await olga.post(form.action, fields)).status).to.equal(303);
        expect(await count()).to.equal(before + 3);
        const list = readable(await olga.open(`/my/records/${recordId}/documents/`));
        expect(list).to.contain(['scan.xml', 'note.txt']);
      });

      it('is asked about again when its date is no day, and what was typed stays', async () => {
        const page = await look(olga, ['letter.pdf', pdf]);
        const before = await count();
        const wrong = await add(olga, page, { label: 'My letter', date: '2026-02-31', kind: 'Letter' });
        expect(wrong.status).to.equal(400);
        expect(wrong.text).to.contain(['role="alert"', '#field-date', 'My letter', 'aria-invalid', 'value="Letter"']);
        expect(await count()).to.equal(before);
        expect((await add(olga, wrong, { date: '2026-02-28' })).status).to.equal(303);
        expect(await count()).to.equal(before + 1);
      });
    });

    describe('refuses', () => {
      it('what cannot be read, with line and reason, and stores nothing of it', async () => {
        const before = await count();
        const cases: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
          ['broken.xml', '<a>\n<b>\n</a>', ['Line 3:', 'broken.xml']],
          ['wrong.xml', allergy.replace('</Allergy>', '<nonsense/></Allergy>'), ['nonsense', 'Line ']],
          ['files.7z', Buffer.from('7z\u00bc\u00af', 'latin1'), ['files.7z cannot be read here: PDF, pictures']],
          ['files.7z', Buffer.from('7z\u00bc\u00af', 'latin1'), ['Unpack it and choose what is in it.']],
          ['letter.docx', Buffer.from('PK\u0003\u0004\u0000'), ['Save it as a PDF and choose that.']],
          ['old.xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), ['save the sheet with the readings as CSV']],
          ['IMG_1.HEIC', Buffer.from('\u0000\u0000\u0000\u0018ftypheic'), ['Save or send it as a JPEG']],
          ['note.txt', Buffer.from('\ufeffnote', 'utf16le'), ['note.txt is a text', 'Save it in UTF-8']],
          ['scan.pdf', Buffer.from([0, 1, 2, 3]), ['scan.pdf cannot be read here']],
          [
            'large.xml',
            `<a>${' '.repeat(25_000_000)}</a>`,
            ['large.xml is larger than what is read here', 'may have at most 10.5 MB.'],
          ],
          ['empty.xml', '', ['empty.xml is empty.']],
          ['any.json', '{"a": 1}', ['It holds no health data in FHIR', 'Save what matters in it as a PDF']],
          ['half.json', Buffer.from('\uFEFF{"a": 1}', 'utf16le'), ['It holds no health data in FHIR']],
          [
            'portal.html',
            '<!DOCTYPE html><html><p>Hello</html>',
            ['It is a page of the web. Open it, print it to a PDF'],
          ],
          ['letter.pdf', Buffer.from('PK\u0003\u0004\u0000'), ['Its name says something else than what is in it.']],
          ['scan.dcm', Buffer.from([0, 1, 2, 3]), ['Save what matters in it as a PDF or a picture']],
          ['doctype.xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', ['doctype.xml']],
          [HOSTILE, Buffer.from([0xff, 0x00]), [HOSTILE]],
          // Browsers escape quotation marks and line breaks in the name; the message shows it on one line.
          ['my "old"\nscan.pdf', Buffer.from([0, 1, 2, 3]), ['my "old" scan.pdf cannot be read here']],
        ];
        for (const [name, bytes, texts] of cases) {
          const page = await look(olga, [name, bytes]);
          expect(page.status, name).to.equal(400);
          expect(readable(page), name).to.contain([...texts, 'Nothing was stored']);
          expect(page.text, name).to.not.contain(['<img', 'Add to my record']);
          expect(page.text, name).to.contain('role="alert"');
          const isKept = name !== 'empty.xml';
          expect(page.text.includes('Keep it as a file'), name).to.equal(isKept);
        }
        expect(await count()).to.equal(before);
      });

      it('what breaks its schema in plain words, with the words of the schema for specialists alone', async () => {
        const bad = inForce(sample('allergy/sample-peanut.xml')).replace(/<dateDiagnosed>[^<]*/, '<dateDiagnosed>soon');
        const never =
          '<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><resource>' +
          '<Condition><code><text value="Cough"/></code><subject><display value="Tor"/></subject>' +
          '<onsetDateTime value="2026-02-30"/></Condition></resource></entry></Bundle>';
        const strange = allergy.replace('</Allergy>', '<nonsense/></Allergy>');
        for (const [bytes, says, technical] of [
          [
            bad,
            'The date in “dateDiagnosed” is not in the calendar, or is not written as it has to be.',
            'the value is not valid for the type',
          ],
          [
            never,
            'The date in “onsetDateTime” is not in the calendar',
            'the value must be a date that the calendar has',
          ],
          [strange, '“nonsense” does not belong there.', 'element nonsense: it is not expected here'],
        ] as const) {
          const page = await look(olga, ['letter.xml', bytes]);
          const [plain = '', behind = ''] = page.text.split('<details class="more-below">');
          expect(plain.replace(/<[^>]*>/g, '')).to.contain([says, 'Line ', 'Ask whoever gave you the file']);
          expect(plain).to.not.contain(technical).and.not.contain('element ').and.not.contain('schema');
          expect(behind).to.contain(technical);
        }
        const many = inForce(sample('models/sample-mixed.xml')).replace(/<Field /g, '<Field odd="1" ');
        expect(readable(await look(olga, ['many.xml', many]))).to.match(
          /Lines \d+(?:, \d+){4} and others: “odd” does not belong there\./,
        );
        const page = await look(await enter(OLGA, 'de'), ['brief.xml', strange]);
        expect(readable(page)).to.contain(['„nonsense“ gehört dort nicht hin.', 'Zeile ', 'Für Fachleute']);
      });

      it('a form without a file', async () => {
        const none = await look(olga, ['', '']);
        expect([none.status, readable(none).includes('Choose a file')]).to.equal([400, true]);
      });

      it('more than one form may have, with the sizes that it may have and the way back to it', async () => {
        const page = await look(olga, ['huge.txt', Buffer.alloc(50_000_001, 'a')]);
        expect([page.status, readable(page)]).to.equal([413, readable(page)]);
        expect(readable(page)).to.contain([
          'This is too large',
          'A document in XML or JSON may have at most 10.5 MB, any other file 50 MB',
          'a table may have',
          'Open the page again',
        ]);
        expect(page.text).to.contain(`href="${path()}"`);
      });

      it('a form that ends in the middle of a file', async () => {
        const crumb = olga.cookies.get('crumb')!;
        const head = '--x\r\ncontent-disposition: form-data; name=';
        const cutOff = `${head}"crumb"\r\n\r\n${crumb}\r\n${head}"file"; filename="a.txt"\r\n\r\nabc`;
        const page = await service.running.server.inject({
          method: 'POST',
          url: path(),
          headers: {
            cookie: [...olga.cookies].map((pair) => pair.join('=')).join('; '),
            'content-type': 'multipart/form-data; boundary=x',
          },
          payload: cutOff,
        });
        expect([page.statusCode, page.payload.includes('This could not be understood')]).to.equal([400, true]);
      });

      it('who may not add to the record, with the page that is not there', async () => {
        const page = await look(olga, ['mine.xml', allergy]);
        const before = await count();
        expect((await paul.get(path())).status).to.equal(404);
        const crumb = paul.cookies.get('crumb')!;
        const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
        expect((await paul.post(path(), { ...form.fields, crumb })).status).to.equal(404);
        const sent = await paul.upload(path(), { crumb }, [{ field: 'file', name: 'his.xml', bytes: allergy }]);
        expect(sent.status).to.equal(404);
        const nobody = makeSite(service.running.server);
        expect((await nobody.upload(path(), {}, [{ field: 'file', name: 'a.xml', bytes: allergy }])).status).to.equal(
          403,
        );
        expect((await nobody.get(path())).status).to.equal(303);
        expect(await count()).to.equal(before);
      });

      it('a form without its crumb, with the crumb of another, and from another site', async () => {
        const page = await look(olga, ['forged.xml', allergy]);
        const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
        const before = await count();
        const { crumb: _crumb, nevershare: _box, ...bare } = form.fields;
        expect((await olga.post(form.action, bare)).status).to.equal(403);
        expect((await olga.post(form.action, { ...bare, crumb: paul.cookies.get('crumb')! })).status).to.equal(403);
        olga.headers['origin'] = 'https://evil.example';
        expect((await add(olga, page)).status).to.equal(403);
        delete olga.headers['origin'];
        expect(await count()).to.equal(before);
        expect((await add(olga, page)).status).to.equal(303);
      });

      it('a file of another session, of another record, and one that is too old: choose it again', async () => {
        const page = await look(olga, ['kept.xml', allergy]);
        const before = await count();
        const elsewhere = await enter(OLGA);
        const crumb = elsewhere.cookies.get('crumb')!;
        const other = await add(elsewhere, page, { crumb });
        expect([other.status, readable(other).includes('Choose the file again')]).to.equal([410, true]);
        const second = await olga.submit(await olga.open('/my/start'), {
          given: 'Una',
          family: 'Openshaw',
          born: '1991-08-08',
          sex: 'female',
        });
        const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
        expect((await olga.post(`${second.path}add`, form.fields)).status).to.equal(410);
        await direct(service.services.database)('kept_file').update({ expires_at: '2001-01-01T00:00:00.000000Z' });
        const late = await add(olga, page);
        expect([late.status, readable(late).includes('Nothing was added')]).to.equal([410, true]);
        expect(await count()).to.equal(before);
      });
    });
  });
}
