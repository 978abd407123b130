/**
 * leave out: facts that a person leaves out when they add a document stay out of everything that is made of it, also
 * when it is read anew, until the person takes them in.
 */
import { join } from 'node:path';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { resourcesOfDocument } from '../../../core/documents/kept-resources-store';
import { factTables } from '../../../core/facts/model/fact-tables';
import { countReprocess, reprocess } from '../../../core/pipeline/reprocess';
import { forgetRecord } from '../../../core/records/forget';
import { filesOf, readArchive, toolsOf, writeArchive } from '../../support/archives';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { enterSite, factOf, factsDocument, makeSiteRecord, sample, type SiteRecord } from '../../support/site-record';
import { until } from '../../support/receiver';
import { startService, type TestService } from '../../support/server';
import { attribute, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const allergy = (name: string, reaction = 'Hives'): string =>
  factOf('Allergy', { allergen_title: name, allergic_reaction_title: reaction });

/** The ticks of a preview: fields that belong to the form by its id, and the names of facts by their titles. */
const ticksIn = ({ text }: SitePage): { fields: [string, string][]; names: Map<string, string> } => {
  const tags = [...text.matchAll(/<input\b[^>]*form="add-them"[^>]*>/g)].map(([tag]) => tag);
  const value = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const sent = tags.filter((tag) => !tag.includes('checkbox') || tag.includes(' checked'));
  const rows = [...text.matchAll(/<tr role="row">[^]*?<\/tr>/g)].map(([row]) => row);
  return {
    fields: sent.map((tag) => [value(tag, 'name'), value(tag, 'value')]),
    names: new Map(
      rows.flatMap((row) => {
        const [, name] = /name="take(?:-\d)?" value="(\w+)"/.exec(row) ?? [];
        return name === undefined ? [] : [[/<b><bdi>([^<]*)<\/bdi><\/b>/.exec(row)![1]!, name] as const];
      }),
    ),
  };
};

for (const leg of databases) {
  describe(`leaving facts out on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let documentId: string;

    const rowsOf = (table: string) => direct(service.services.database)(table);
    const add = (): string => `/my/records/${record.recordId}/add`;
    const look = async (site: Site, bytes: string): Promise<SitePage> =>
      site.send(await site.open(add()), [{ field: 'file', name: 'facts.xml', bytes }]);
    const sendFor = async (
      site: Site,
      page: SitePage,
      without: readonly string[],
      more: readonly (readonly [string, string])[] = [],
    ): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
      const { nevershare: _box, ...own } = form.fields;
      const { fields, names } = ticksIn(page);
      const left = without.map((title) => names.get(title)!);
      const kept = fields.filter(([name, value]) => !name.startsWith('take') || !left.includes(value));
      return site.post(form.action, [...Object.entries(own), ...kept, ...more]);
    };
    const documentAt = ({ headers }: SitePage): string =>
      /\/documents\/([\w-]{36})$/.exec(String(headers['location']))![1]!;
    const addWithout = async (bytes: string, ...without: readonly string[]): Promise<string> =>
      documentAt(await sendFor(record.owner, await look(record.owner, bytes), without));
    const report = async (model: string): Promise<readonly Record<string, string>[]> =>
      JSON.parse(
        succeeded(await service.call(record.credentials, 'GET', `/records/${record.recordId}/reports/${model}/`)).text,
      ) as Record<string, string>[];
    const allergens = async (): Promise<string[]> =>
      (await report('Allergy')).map(({ allergen_title: title = '' }) => title).sort();
    const idsByWords = async (): Promise<Map<string, string>> =>
      new Map(
        (
          (await rowsOf('fact_allergy').orderBy('_seq').select('_id', 'allergen_title')) as {
            _id: string;
            allergen_title: string;
          }[]
        ).map((row) => [row.allergen_title, row._id]),
      );
    const tools = () => ({
      ...service.services,
      tables: factTables(service.services.models()),
    });
    const readAnew = async (): Promise<void> => {
      await rowsOf('document').where({ record_id: record.recordId }).update({ fingerprint: 'an older one' });
      expect((await reprocess(tools(), {}, () => undefined)).refused).to.equal([]);
      expect(await countReprocess(tools(), {})).to.equal(0);
    };
    const page = (id = documentId, site = record.owner): Promise<SitePage> =>
      site.open(`/my/records/${record.recordId}/documents/${id}`);
    const takeIn = async (name: string, site = record.owner, id = documentId): Promise<SitePage> =>
      site.post(`/my/records/${record.recordId}/documents/${id}`, {
        crumb: site.cookies.get('crumb') ?? '',
        what: 'in',
        fact: name,
      });
    const nameIn = (of: SitePage, title: string): string =>
      formsOf(of).find(({ html, fields }) => fields['what'] === 'in' && html.includes(title))!.fields['fact']!;
    const found = async (word: string): Promise<string> =>
      readable(await record.owner.open(`/my/records/${record.recordId}/search?q=${word}`));

    const three = (): string => factsDocument(service, allergy('Pollen'), allergy('Latex'), allergy('Penicillin'));

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
    });
    after(() => service.stop());

    it('stores a document whole, and without the facts whose ticks were taken out', async () => {
      const seen = await look(record.owner, three());
      expect(readable(seen)).to.contain('What is ticked is added.');
      expect([...ticksIn(seen).names.keys()]).to.equal(['Pollen', 'Latex', 'Penicillin']);
      const done = await sendFor(record.owner, seen, ['Latex']);
      expect(done.status, readable(done)).to.equal(303);
      documentId = documentAt(done);
      const stored = await service.call(
        record.credentials,
        'GET',
        `/records/${record.recordId}/documents/${documentId}`,
      );
      expect(succeeded(stored).text).to.equal(three());
      expect(await allergens()).to.equal(['Penicillin', 'Pollen']);
      expect(await rowsOf('fhir_resource').where({ document_id: documentId })).to.have.length(2);
      expect(await found('latex')).to.not.contain('Hives');
      const meta = `/records/${record.recordId}/documents/${documentId}/meta`;
      const said = succeeded(await service.call(record.credentials, 'GET', meta)).text;
      expect(said).to.contain('<leftOut><entry model="Allergy" reason="by_person" count="1"');
      expect(said).to.contain('<model name="Allergy" count="2"/>');
    });

    it('keeps them sealed, and names them on the page of the document', async () => {
      const rows = (await rowsOf('left_out_fact')) as { fact: string; sealed_texts: Buffer }[];
      expect(rows).to.have.length(1);
      expect([rows[0]!.fact, rows[0]!.sealed_texts.includes('Latex')]).to.equal(['', false]);
      const seen = await page();
      expect(readable(seen)).to.contain(['Left out by you: 1', 'Latex', 'Take it in']);
      expect(formsOf(seen).filter(({ fields }) => fields['what'] === 'in')).to.have.length(1);
    });

    it('keeps them out when the document is read anew, under the same addresses of the others', async () => {
      const before = await idsByWords();
      await readAnew();
      expect(await idsByWords()).to.equal(before);
      expect(await allergens()).to.equal(['Penicillin', 'Pollen']);
      expect(readable(await page())).to.contain('Left out by you: 1');
    });

    it('shows without a tick what was left out of the same file before', async () => {
      const seen = await look(record.owner, three());
      expect(readable(seen)).to.contain('You left it out before.');
      const taken = ticksIn(seen).fields.filter(([name]) => name === 'take');
      expect(taken.map(([, name]) => name)).to.not.include(ticksIn(seen).names.get('Latex'));
      expect(taken).to.have.length(2);
    });

    it('tells a member of a circle of them only with the document itself', async () => {
      const inCircle = `/my/carenets/${record.carenetId}/documents/${documentId}`;
      expect((await record.member.open(inCircle)).status).to.equal(404);
      const placed = `/records/${record.recordId}/documents/${documentId}/carenets/${record.carenetId}`;
      succeeded(await service.call(record.credentials, 'PUT', placed));
      const seen = await record.member.open(inCircle);
      expect(readable(seen)).to.contain('Left out by whoever added it: 1');
      expect(seen.text).to.not.contain('name="what" value="in"');
      succeeded(await service.call(record.credentials, 'DELETE', placed));
    });

    it('takes none in for strangers, for names of no fact, and without a crumb', async () => {
      const name = nameIn(await page(), 'Latex');
      expect((await takeIn(name, record.stranger)).status).to.equal(404);
      expect((await takeIn(name, record.member)).status).to.equal(404);
      const path = `/my/records/${record.recordId}/documents/${documentId}`;
      expect((await record.owner.post(path, { what: 'in', fact: name })).status).to.equal(403);
      for (const forged of ['', '0123456789abcdef', "' or 1=1", 'x'.repeat(90)]) {
        expect(String((await takeIn(forged)).headers['location'])).to.contain('note=not-out');
      }
      const other = await record.store(factsDocument(service, factOf('Problem', { name_title: 'Cough' })));
      expect(String((await takeIn(name, record.owner, other)).headers['location'])).to.contain('note=not-out');
      expect(await allergens()).to.equal(['Penicillin', 'Pollen']);
    });

    it('takes one in, everywhere, and leaves the addresses of the others as they are', async () => {
      const before = await idsByWords();
      const name = nameIn(await page(), 'Latex');
      const done = await takeIn(name);
      expect([done.status, String(done.headers['location']).split('?')[1]]).to.equal([303, 'note=in']);
      expect(await allergens()).to.equal(['Latex', 'Penicillin', 'Pollen']);
      const now = await idsByWords();
      expect([...now].filter(([words]) => before.has(words))).to.equal([...before]);
      expect(await rowsOf('fhir_resource').where({ document_id: documentId })).to.have.length(3);
      expect(await found('latex')).to.contain('Latex');
      const seen = await record.owner.open(`${String(done.headers['location'])}`);
      expect(readable(seen)).to.contain('It is in the record now').and.to.not.contain('Left out by you');
      const audits = rowsOf('audit').where({ function_name: 'document_take_in', document_id: documentId, status: 200 });
      expect(await audits).to.have.length(1);
      expect(String((await takeIn(name)).headers['location'])).to.contain('note=not-out');
      await readAnew();
      expect(await allergens()).to.equal(['Latex', 'Penicillin', 'Pollen']);
    });

    it('keeps out of a new version what it says again the same, and shows what it says otherwise', async () => {
      const id = await addWithout(
        factsDocument(service, allergy('Nuts'), allergy('Eggs'), allergy('Milk')),
        'Nuts',
        'Eggs',
      );
      const body = factsDocument(service, allergy('Nuts'), allergy('Eggs', 'Swelling'), allergy('Milk'));
      const replace = `/records/${record.recordId}/documents/${id}/replace`;
      const next = attribute(
        succeeded(await service.call(record.credentials, 'POST', replace, { body })).text,
        'Document',
        'id',
      );
      expect(await allergens()).to.equal(['Eggs', 'Latex', 'Milk', 'Penicillin', 'Pollen']);
      expect(readable(await page(next))).to.contain(['Left out by you: 1', 'Nuts']);
      expect(readable(await page(id))).to.contain('Left out by you: 2');
      expect((await page(id)).text).to.not.contain('name="what" value="in"');
    });

    it('refuses names of no fact of the file, and adds nothing', async () => {
      const seen = await look(record.owner, factsDocument(service, allergy('Wasps'), allergy('Bees')));
      const { names } = ticksIn(seen);
      const documents = (await rowsOf('document')).length;
      const form = formsOf(seen).find(({ html }) => html.includes('Add to my record'))!;
      const { nevershare: _box, ...own } = form.fields;
      const offered = `${[...names.values()].join(' ')} 0123456789abcdef`;
      const refused = await record.owner.post(form.action, { ...own, offered });
      expect([refused.status, (await rowsOf('document')).length]).to.equal([410, documents]);
      const others = await enterSite(service, 'olga@people.example');
      const crumb = (await others.open(add())) && others.cookies.get('crumb')!;
      const foreign = await others.post(form.action, { ...own, crumb, offered: names.get('Bees')! });
      expect([foreign.status, (await rowsOf('document')).length]).to.equal([410, documents]);
      expect((await sendFor(record.owner, seen, ['Wasps', 'Bees'])).status).to.equal(303);
    });

    it('offers the rest of many facts by their kinds', async () => {
      const many = Array.from({ length: 230 }, (_, number) => allergy(`Thing ${number}`));
      const bytes = factsDocument(service, ...many, factOf('Problem', { name_title: 'Migraine' }));
      const seen = await look(record.owner, bytes);
      const { fields, names } = ticksIn(seen);
      expect([names.size, fields.filter(([name]) => name === 'take-rest')]).to.equal([
        200,
        [
          ['take-rest', 'Allergy'],
          ['take-rest', 'Problem'],
        ],
      ]);
      expect(readable(seen)).to.contain('all 30 others');
      const form = formsOf(seen).find(({ html }) => html.includes('Add to my record'))!;
      const { nevershare: _box, ...own } = form.fields;
      const kept = fields.filter(([name, value]) => name !== 'take-rest' || value !== 'Allergy');
      const id = documentAt(await record.owner.post(form.action, [...Object.entries(own), ...kept]));
      const counts = JSON.parse(
        ((await rowsOf('document').where({ id }).first('facts')) as { facts: string }).facts,
      ) as object;
      expect(counts).to.equal({ Allergy: 200, Problem: 1 });
      expect(await rowsOf('left_out_fact').where({ document_id: id })).to.have.length(30);
    });

    it('leaves out the resources of FHIR with their facts, and brings them back', async () => {
      const bytes = sample(service, 'fhir-bundle/sample-lab-report.xml');
      const seen = await look(record.owner, bytes);
      const titles = [...ticksIn(seen).names.keys()];
      const whole = await rowsOf('fhir_resource').where({ record_id: record.recordId });
      const form = await sendFor(record.owner, seen, [titles[0]!], [['confirm', '']]);
      expect(form.status, readable(form)).to.equal(303);
      const id = documentAt(form);
      const less = await rowsOf('fhir_resource').where({ document_id: id });
      const { contents, database } = service.services;
      const texts = async () =>
        (await resourcesOfDocument(database.reads, contents, id)).map(({ text }) => text).join();
      const [, ...references] = (await texts()).split('"reference":"Observation/');
      expect(references.map((text) => /^[\w-]{36}"/.test(text)))
        .to.include([true])
        .and.to.not.include(false);
      expect(whole.some((row: { document_id: string }) => row.document_id === id)).to.be.false();
      await takeIn(nameIn(await page(id), titles[0]!), record.owner, id);
      const more = await rowsOf('fhir_resource').where({ document_id: id });
      expect(more.length > less.length).to.be.true();
      const old = new Set(more.map((row: { id: string }) => row.id));
      expect(less.every((row: { id: string }) => old.has(row.id))).to.be.true();
      const named = references.map((text) => text.slice(0, 36));
      expect(named.every((one) => old.has(one))).to.be.true();
    });

    it('goes along in an archive and stays out where it is imported; a forgotten record leaves none of it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-leave-out-'));
      try {
        const file = join(folder, 'record.tar.gz');
        await writeArchive(service, record.recordId, file);
        const lines = (await filesOf(file)).get('left-out-facts.jsonl')!;
        expect(lines).to.contain('Nuts');
        const imported = await readArchive(service, file);
        const rows = await rowsOf('left_out_fact').where({ record_id: imported.recordId });
        expect(rows).to.have.length(lines.trim().split('\n').length);
        const before = (await rowsOf('fact_allergy').where({ _record_id: imported.recordId })).length;
        await readAnew();
        await rowsOf('document').where({ record_id: imported.recordId }).update({ fingerprint: 'an older one' });
        expect((await reprocess(tools(), {}, () => undefined)).refused).to.equal([]);
        expect(await rowsOf('fact_allergy').where({ _record_id: imported.recordId })).to.have.length(before);
        const ready = async (page: SitePage): Promise<SitePage> => {
          let here = page;
          await until(async () => {
            here = here.headers['refresh'] === undefined ? here : await record.owner.open(here.path);
            return here.headers['refresh'] === undefined;
          });
          return here;
        };
        const archive = { field: 'archive', name: 'record.tar.gz', bytes: readFileSync(file) };
        const shown = await ready(await record.owner.send(await record.owner.open('/my/bring-in'), [archive]));
        const form = formsOf(shown).find(({ html }) => html.includes('Bring it in'))!;
        const answer = await record.owner.post(form.action, form.fields);
        await ready(await record.owner.open(String(answer.headers['location'])));
        const { id: brought } = (await rowsOf('record').orderBy('seq', 'desc').first('id')) as { id: string };
        expect([imported.recordId, record.recordId]).to.not.include(brought);
        expect(await rowsOf('fact_allergy').where({ _record_id: brought })).to.have.length(before);
        expect((await rowsOf('left_out_fact').where({ record_id: brought })).length).to.equal(rows.length);
        await forgetRecord(await toolsOf(service), imported.recordId);
        expect(await rowsOf('left_out_fact').where({ record_id: imported.recordId })).to.equal([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
