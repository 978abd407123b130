/** add: a file is looked at before anything is stored, then added once; who may not, and what cannot be read, is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../../core/base/paths';
import { watchStatements } from '../../../core/storage/watch';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { createAccount, PASSWORD, signIn, succeeded } from '../../support/world';

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

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      const page = await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      expect(page.status, readable(page)).to.equal(200);
      return site;
    };
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
        const stored = (await direct(service.services.database)('document').where({ id }).first()) as {
          content: Buffer;
        };
        expect(Buffer.compare(stored.content, bytes), name).to.equal(0);
      }
      expect(succeeded(await service.call(hers, 'GET', `/records/${recordId}/reports/allergy/`)).text).to.contain(
        'Peanuts',
      );
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

    it('takes at most 20 statements for a look at a file, and for adding it', async () => {
      const statementsOf = async (work: () => Promise<SitePage>): Promise<number> => {
        let statements = 0;
        const stop = watchStatements(({ sql }) => {
          statements += /\baudit/.test(sql) || /^(begin|commit|rollback|start|set)\b/i.test(sql) ? 0 : 1;
        });
        expect((await work()).status).to.be.below(400);
        stop();
        return statements;
      };
      const chosen = await olga.open(path());
      const file = { field: 'file', name: 'counted.xml', bytes: allergy };
      let page = chosen;
      expect(
        await statementsOf(async () => {
          page = await olga.send(chosen, [file]);
          return page;
        }),
      ).to.be.between(3, 13);
      expect(await statementsOf(() => add(olga, page))).to.be.between(5, 25);
      expect(await statementsOf(() => olga.send(chosen, [file, file, file]))).to.be.between(3, 21);
    });

    describe('refuses', () => {
      it('what cannot be read, with line and reason, and keeps nothing of it', async () => {
        const before = await count();
        const kept = async () => (await direct(service.services.database)('kept_file')).length;
        const held = await kept();
        const cases: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
          ['broken.xml', '<a>\n<b>\n</a>', ['Line 3:', 'broken.xml']],
          ['wrong.xml', allergy.replace('</Allergy>', '<nonsense/></Allergy>'), ['nonsense', 'Line ']],
          ['scan.pdf', Buffer.from('%PDF-1.7\n\u0000'), ['scan.pdf cannot be read here: documents in XML']],
          ['photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), ['photo.jpg cannot be read here']],
          ['empty.xml', '', ['empty.xml is empty.']],
          ['any.json', '{"a": 1}', ['any.json']],
          ['doctype.xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', ['doctype.xml']],
          [HOSTILE, 'nothing', [HOSTILE.replace('"', '%22')]],
        ];
        for (const [name, bytes, texts] of cases) {
          const page = await look(olga, [name, bytes]);
          expect(page.status, name).to.equal(400);
          expect(readable(page), name).to.contain([...texts, 'Nothing was stored']);
          expect(page.text, name).to.not.contain(['<img', 'Add to my record']);
          expect(page.text, name).to.contain('role="alert"');
        }
        expect([await count(), await kept()]).to.equal([before, held]);
      });

      it('a form without a file, and one with too many', async () => {
        const none = await look(olga, ['', '']);
        expect([none.status, readable(none).includes('Choose a file')]).to.equal([400, true]);
        const many = await look(olga, ...Array.from({ length: 6 }, (_, n) => [`${n}.xml`, allergy] as const));
        expect([many.status, readable(many).includes('at most 5 files')]).to.equal([400, true]);
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
