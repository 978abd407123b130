/** seen-by-kind: what the FHIR door shows of facts that a carenet sees by their kind, and what it never shows of them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { factOf, factsDocument } from '../../support/site-record';
import { askingAs, decrypt, locationsIn, openLink, payloadOf, readFile } from '../../support/links';
import { until } from '../../support/receiver';
import { operations } from '../../../plugins/website/http/operations';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const result = (name: string, code: string, value: string, date: string, more: Record<string, string> = {}): string =>
  factOf('LabResult', {
    collected_at: `${date}T08:00:00Z`,
    test_name_title: name,
    test_name_identifier: code,
    test_name_system: 'http://loinc.org',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mg/dL',
    ...more,
  });

/** What no kind shows. */
const SECRET = { notes: 'secret note', narrative_result: 'secret story', collected_by_org_name: 'Secret Clinic' };

const entriesOf = (bundle: Read): readonly Read[] =>
  ((bundle['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);

for (const leg of databases) {
  describe(`FHIR of facts seen by their kind, on ${leg.name}`, () => {
    let ground: FhirGround;
    let paper: string;
    let visit: string;

    const asMember = (path: string): Promise<Answer> => ground.call(path, { token: ground.carenetToken });
    const read = async (path: string): Promise<Read> => {
      const answer = await asMember(path);
      expect(answer.status, `${path} ${answer.text}`).to.equal(200);
      return JSON.parse(answer.text) as Read;
    };
    const found = async (path: string): Promise<readonly Read[]> => entriesOf(await read(path));
    const act = async (method: 'PUT' | 'DELETE' | 'POST', path: string, more: object = {}): Promise<Answer> =>
      succeeded(await ground.service.call(ground.alice, method, path, more));
    const give = (kind: string, method: 'PUT' | 'DELETE' = 'PUT'): Promise<Answer> =>
      act(method, `/carenets/${ground.carenetId}/kinds/${kind}`);
    const names = (all: readonly Read[]): readonly string[] => all.map(({ code }) => code.text as string);

    before(async () => {
      ground = await startFhir(leg);
      const document = (...facts: readonly string[]): Promise<string> =>
        ground.put(factsDocument(ground.service, ...facts));
      paper = await document(
        result('Creatinine', '2160-0', '1.1', '2026-03-03', SECRET),
        result('Cholesterol', '2093-3', '231', '2025-11-03', SECRET),
        result('HIV 1 RNA', '20447-9', '7', '2025-03-01', SECRET),
        factOf('Problem', { name_title: 'Secret problem' }),
        factOf('Medication', { drugName_title: 'Ramipril 5 mg', reasonStopped_title: 'secret reason' }),
      );
      visit = await document(
        factOf('Encounter', {
          startDate: '2025-05-05T10:00:00Z',
          encounterType_title: 'Check-up',
          facility_name: 'House of Health',
          provider_name_given: 'Eve',
          provider_name_family: 'Stone',
          provider_tel_1_number: '555 secret',
          notes: 'secret note',
        }),
      );
      const open = await document(result('Glucose', '2345-7', '90', '2025-01-01'));
      await act('PUT', `/records/${ground.recordId}/documents/${open}/carenets/${ground.carenetId}`);
    });
    after(() => ground.service.stop());

    it('shows what documents in the carenet state, and nothing else, where no kind is given', async () => {
      expect(names(await found('/Observation'))).to.equal(['Glucose']);
      expect(await found('/MedicationStatement')).to.equal([]);
      expect(await found('/Encounter')).to.equal([]);
    });

    it('shows facts of a kind without notes, people, documents, versions and times of storing', async () => {
      await give('labs');
      const all = await found('/Observation');
      expect(names(all)).to.equal(['Glucose', 'Creatinine', 'Cholesterol']);
      const [, creatinine] = all as [Read, Read];
      expect(creatinine['valueQuantity'].value).to.equal(1.1);
      expect(creatinine['effectiveDateTime']).to.equal('2026-03-03T08:00:00Z');
      expect(creatinine['subject']).to.equal({ reference: `Patient/${ground.recordId}` });
      expect(Object.keys(creatinine['meta']).sort()).to.only.include(['profile', 'tag']);
      for (const word of ['secret', 'Secret', paper, 'lastUpdated', 'versionId', 'encounter']) {
        expect(JSON.stringify(creatinine), word).to.not.contain(word);
      }
      expect(JSON.stringify(creatinine).match(/"reference":/g)!.length).to.equal(1);
    });

    it('reads one with the tag of its content, one state in its history and no version', async () => {
      const [, { id }] = (await found('/Observation')) as [Read, Read];
      const answer = await asMember(`/Observation/${id}`);
      expect(answer.status).to.equal(200);
      expect(answer.headers['last-modified']).to.be.undefined();
      const again = await ground.call(`/Observation/${id}`, {
        token: ground.carenetToken,
        headers: { 'if-none-match': String(answer.headers['etag']) },
      });
      expect(again.status).to.equal(304);
      const history = await read(`/Observation/${id}/_history`);
      expect(entriesOf(history).length).to.equal(1);
      expect(JSON.stringify(history)).to.not.contain('lastModified');
      for (const version of [paper, '1', String(answer.headers['etag']).replace(/W?\/?"/g, '')]) {
        expect((await asMember(`/Observation/${id}/_history/${version}`)).status).to.equal(404);
      }
      expect((await ground.call(`/Observation/${id}`)).status, 'a name of the carenet only').to.equal(404);
    });

    it('finds them by what can be seen, in orders and pages of what can be seen', async () => {
      const counts: Readonly<Record<string, number>> = {
        'code=2160-0': 1,
        'code=http://loinc.org|2160-0,http://loinc.org|2093-3': 2,
        'code:not=http://loinc.org|2160-0': 2,
        'code:text=creat': 1,
        'date=2026-03': 1,
        'date=lt2026': 2,
        'date=ne2026-03-03': 2,
        'value-quantity=gt100||mg/dL': 1,
        'value-quantity=2.31|http://unitsofmeasure.org|g/L': 1,
        'combo-code=2160-0': 1,
        'code-value-quantity=2160-0$1.1': 1,
        'category=laboratory': 3,
        'status:missing=true': 0,
        'encounter:missing=true': 3,
        [`patient=${ground.recordId}`]: 3,
        [`subject=Patient/${ground.recordId}`]: 3,
        'patient=nobody': 0,
        'performer:missing=false': 0,
        'performer.name=Secret': 0,
        '_lastUpdated=gt2000': 1,
        '_lastUpdated=lt2000': 0,
        '_id=nothing': 0,
      };
      for (const [query, count] of Object.entries(counts)) {
        const bundle = await read(`/Observation?${query}&_total=accurate`);
        expect([query, bundle['total'], entriesOf(bundle).length]).to.equal([query, count, count]);
      }
      expect(names(await found('/Observation?_sort=-date'))).to.equal(['Creatinine', 'Cholesterol', 'Glucose']);
      expect(names(await found('/Observation?_sort=date'))).to.equal(['Glucose', 'Cholesterol', 'Creatinine']);
      const paged: string[] = [];
      let next: string | undefined = '/Observation?_count=1&_sort=-date';
      while (next) {
        const page: Read = await read(next);
        paged.push(...names(entriesOf(page)));
        const link = (page['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
        next = link && String(link['url']).replace(/^.*\/fhir/, '');
      }
      expect(paged).to.equal(['Creatinine', 'Cholesterol', 'Glucose']);
      expect((await asMember('/Observation?date=nonsense')).status).to.equal(400);
    });

    it('finds the same as in documents that the carenet holds', async () => {
      const queries = [
        'code=2160-0',
        'code:not=2160-0',
        'code:text=chol',
        'date=ge2025-06',
        'date=sa2025-11-03',
        'date=eb2025-11-03',
        'date=ap2025-11-03',
        'value-quantity=231',
        'value-quantity=ne231',
        'value-quantity=le1.1|http://unitsofmeasure.org|mg/dL',
        'value-quantity=ap1.15',
        'combo-code-value-quantity=2093-3$gt200',
        'category:not=laboratory',
        'status=final,unknown',
      ];
      const ofOwner = async (query: string): Promise<readonly string[]> =>
        names(entriesOf(await ground.get(`/Observation?_sort=date&${query}`))).filter((name) => name !== 'HIV 1 RNA');
      for (const query of queries) {
        expect([query, ...names(await found(`/Observation?_sort=date&${query}`))]).to.equal([
          query,
          ...(await ofOwner(query)),
        ]);
      }
    });

    it('includes nothing by them but the Patient, and leads to no document', async () => {
      const included = await found('/Observation?_include=*&_revinclude=*');
      expect(included.map(({ resourceType }) => resourceType as string).sort()).to.equal([
        'Observation',
        'Observation',
        'Observation',
        'Patient',
        'Provenance',
      ]);
      const provenance = included.find(({ resourceType }) => resourceType === 'Provenance')!;
      expect(JSON.stringify(provenance).match(/Observation\//g)!.length, 'of the open document only').to.equal(1);
      const seen = included.find(({ code }) => code?.text === 'Creatinine')!;
      expect(await found(`/Provenance?target=Observation/${seen['id']}`)).to.equal([]);
      const referring = await found('/Patient?_revinclude=Observation:patient');
      expect(referring.length).to.equal(4);
      for (const type of ['DocumentReference', 'Provenance']) {
        expect((await found(`/${type}`)).length, type).to.equal(1);
      }
      for (const path of [`/DocumentReference/${paper}`, `/Binary/${paper}`, `/Provenance/${paper}`]) {
        expect((await asMember(path)).status).to.equal(404);
      }
      for (const type of ['Practitioner', 'Organization', 'Specimen', 'DiagnosticReport', 'Condition']) {
        expect(await found(`/${type}`), type).to.equal([]);
      }
    });

    it('says day, kind, place and doctor of a visit, and leads to none of them', async () => {
      await give('visits');
      const [encounter, ...others] = (await found('/Encounter')) as [Read];
      expect(others).to.equal([]);
      const text = JSON.stringify(encounter);
      expect(text).to.contain('House of Health');
      expect(text).to.contain('Stone');
      expect(text).to.not.contain('secret');
      expect(text).to.not.contain(visit);
      expect(text.match(/"reference":/g)!.length).to.equal(1);
      for (const type of ['Practitioner', 'Organization', 'Location']) {
        expect(await found(`/${type}`), type).to.equal([]);
      }
      await give('visits', 'DELETE');
      expect(await found('/Encounter')).to.equal([]);
    });

    it('tells them in everything and in the summary, once each', async () => {
      await give('medicines');
      const everything = await found(`/Patient/${ground.recordId}/$everything`);
      const told = everything.filter(
        ({ resourceType }) => !['Patient', 'RelatedPerson'].includes(resourceType as string),
      );
      expect(told.map(({ resourceType }) => resourceType as string).sort()).to.equal([
        'DocumentReference',
        'MedicationStatement',
        'Observation',
        'Observation',
        'Observation',
        'Provenance',
      ]);
      const pages: Read[] = [];
      let next: string | undefined = `/Patient/${ground.recordId}/$everything?_count=2`;
      while (next) {
        const page: Read = await read(next);
        pages.push(...entriesOf(page));
        const link = (page['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
        next = link && String(link['url']).replace(/^.*\/fhir/, '');
      }
      expect(pages.map(({ id }) => id as string)).to.equal(everything.map(({ id }) => id as string));
      const since = await found(`/Patient/${ground.recordId}/$everything?start=2025-06-01&_type=Observation`);
      expect(names(since)).to.equal(['Creatinine', 'Cholesterol']);
      const summary = JSON.stringify(await read(`/Patient/${ground.recordId}/$summary`));
      for (const name of ['Creatinine', 'Cholesterol', 'Glucose', 'Ramipril']) {
        expect(summary, name).to.contain(name);
      }
      for (const word of ['ecret', 'HIV', paper]) {
        expect(summary, word).to.not.contain(word);
      }
    });

    it('tells them on the page for a doctor, in health links and to clinics, and says that it may not be all', async () => {
      const ask = askingAs(ground.service, 'alice@example.org', ground.alice);
      const told = async (expected: string, text: string): Promise<void> => {
        for (const name of ['Creatinine', 'Glucose', 'Ramipril']) {
          expect(text, `${expected} ${name}`).to.contain(name);
        }
        for (const word of ['ecret', 'HIV', paper, visit]) {
          expect(text, `${expected} ${word}`).to.not.contain(word);
        }
      };
      const query = { months: '24', language: 'en', zone: 'UTC' };
      const page = await ask(operations.papers.carenetPaper, { params: { CARENET_ID: ground.carenetId }, query });
      await told('page', JSON.stringify(page.paper));
      expect(JSON.stringify(page.paper)).to.contain('may not be all');

      const inRecord = { params: { RECORD_ID: ground.recordId } };
      const wish = { label: 'A', passcode: '', expires: '', carenet: ground.carenetId, documents: '' };
      const id = await ask(operations.links.recordLinkCreate, { ...inRecord, body: wish });
      const link = payloadOf((await ask(operations.links.recordLinks, inRecord)).find((one) => one.id === id)!.text);
      const [location] = locationsIn(await openLink(ground.service, link));
      const { resource } = await decrypt(await readFile(ground.service, location!), link);
      await told('link', JSON.stringify(resource));
      expect(JSON.stringify(resource)).to.contain('What is shared with you may not be all.');
    });

    it('ends an export once it tells of a fact that is seen no more', async () => {
      const token = ground.carenetToken;
      const begun = await ground.call(`/Patient/${ground.recordId}/$export`, {
        token,
        headers: { prefer: 'respond-async' },
      });
      const job = String(begun.headers['content-location']).replace(/^.*\/fhir/, '');
      let text = '';
      await until(async () => {
        const state = await ground.call(job, { token });
        text = state.text;
        return state.status === 200;
      }, 'the end of the export');
      const files = (JSON.parse(text) as Read)['output'] as readonly Read[];
      const file = String(files.find(({ type }) => type === 'Observation')!['url']).replace(/^.*\/fhir/, '');
      const lines = (await ground.call(file, { token })).text;
      expect(lines.trim().split('\n').length).to.equal(3);
      expect(lines).to.contain('Creatinine').and.not.contain('ecret');
      await give('medicines', 'DELETE');
      expect((await ground.call(file, { token })).status).to.equal(404);
      expect((await ground.call(job, { token })).status).to.equal(404);
      await give('medicines');
    });

    it('keeps what scopes, other carenets and stronger words keep', async () => {
      const token = await ground.mint('patient/MedicationStatement.rs', 'alice@example.org');
      expect((await ground.call('/Observation', { token })).status).to.equal(403);
      expect(names(await found('/Observation?code=20447-9'))).to.equal([]);
      await give('labs-infection');
      expect(names(await found('/Observation?code=20447-9'))).to.equal(['HIV 1 RNA']);
      await give('labs-infection', 'DELETE');
      const at = `/records/${ground.recordId}/documents/${paper}`;
      const [, { id }] = (await found('/Observation')) as [Read, Read];
      for (const [method, path] of [
        ['PUT', `${at}/nevershare`],
        ['DELETE', `${at}/nevershare`],
        ['DELETE', `${at}/carenets/${ground.carenetId}`],
      ] as const) {
        await act(method, path);
        const isSeen = method === 'DELETE' && path.endsWith('nevershare');
        expect((await asMember(`/Observation/${id}`)).status, path).to.equal(isSeen ? 200 : 404);
        expect((await found('/Observation')).length, path).to.equal(isSeen ? 3 : 1);
      }
    });
  });
}
