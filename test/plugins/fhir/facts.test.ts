/**
 * facts: the statements of documents as resources: read by id, in every version, in carenets, and as the response to a
 * create.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';
import { procedure } from '../../support/archives';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const JSON_TYPE = 'application/fhir+json';

for (const leg of databases) {
  describe(`what documents state, through the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
      ground.call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': JSON_TYPE, ...headers },
      });
    const subject = (): Read => ({ reference: `Patient/${ground.recordId}` });
    const allergy = (): Read => ({
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      clinicalStatus: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' }],
      },
      code: { coding: [{ system: 'http://snomed.info/sct', code: '91936005', display: 'Penicillin' }] },
      patient: subject(),
      reaction: [
        { manifestation: [{ text: 'Hives' }], severity: 'mild' },
        { manifestation: [{ text: 'Wheezing' }], severity: 'severe' },
      ],
    });
    const observation = (value: string): Read => ({
      resourceType: 'Observation',
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
      ],
      code: { coding: [{ system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' }] },
      subject: subject(),
      effectiveDateTime: '2024-05-06T07:08:09Z',
      valueQuantity: { value: 'VALUE', unit: 'g/dL', system: 'http://unitsofmeasure.org', code: 'g/dL' },
      note: [{ text: value }],
    });
    const pathOf = (location: unknown): string => String(location).replace(/^.*\/fhir/, '');

    it('answers what came in as the resource that it is from now on', async () => {
      const created = await post('/AllergyIntolerance', allergy());
      expect(created.status, created.text).to.equal(201);
      const resource = JSON.parse(created.text) as Read;
      expect(resource).to.include({ resourceType: 'AllergyIntolerance' });
      // Two reactions belong to one statement, and so to one resource.
      expect(resource['reaction'].map((one: Read) => one['manifestation'][0].text)).to.equal(['Hives', 'Wheezing']);
      expect(resource['patient']).to.equal(subject());
      const { location, etag } = created.headers as Record<string, string>;
      expect(pathOf(location)).to.equal(`/AllergyIntolerance/${resource['id']}/_history/${resource['meta'].versionId}`);
      expect(etag).to.equal(`W/"${resource['meta'].versionId}"`);
      expect(await ground.get(pathOf(location))).to.equal(resource);
      const again = await ground.call(`/AllergyIntolerance/${resource['id']}`);
      expect([JSON.parse(again.text), again.headers['etag']]).to.equal([resource, etag]);
      expect(
        (await ground.call(`/AllergyIntolerance/${resource['id']}`, { headers: { 'if-none-match': etag! } })).status,
      ).to.equal(304);
      expect((await ground.call(`/Condition/${resource['id']}`)).status).to.equal(404);
      expect((await ground.call(`/AllergyIntolerance/${resource['id']}-x`)).status).to.equal(404);
    });

    it('keeps the digits of a number in both forms', async () => {
      const body = JSON.stringify(observation('digits')).replace('"VALUE"', '13.50');
      const created = await ground.call('/Observation', {
        method: 'POST',
        body,
        headers: { 'content-type': JSON_TYPE },
      });
      expect(created.status, created.text).to.equal(201);
      expect(created.text).to.contain('"value":13.50');
      const { id } = JSON.parse(created.text) as { id: string };
      expect((await ground.call(`/Observation/${id}?_format=xml`)).text).to.contain('<value value="13.50">');
      expect((await ground.call(`/Observation/${id}?_elements=valueQuantity`)).text).to.contain('"value":13.50');
    });

    it('follows what the client prefers to be told', async () => {
      const minimal = await post('/AllergyIntolerance', allergy(), { prefer: 'return=minimal' });
      expect([minimal.status, minimal.text]).to.equal([201, '']);
      expect(pathOf(minimal.headers['location'])).to.match(/^\/AllergyIntolerance\//);
      const outcome = await post('/AllergyIntolerance', allergy(), { prefer: 'return=OperationOutcome' });
      expect([outcome.status, (JSON.parse(outcome.text) as Read)['resourceType']]).to.equal([201, 'OperationOutcome']);
      const whole = await post('/AllergyIntolerance', allergy(), { prefer: 'return=representation' });
      expect((JSON.parse(whole.text) as Read)['resourceType']).to.equal('AllergyIntolerance');
    });

    it('answers what came, also where it is in no list', async () => {
      const refuted = {
        resourceType: 'Condition',
        verificationStatus: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status', code: 'entered-in-error' }],
        },
        code: { text: 'Not so' },
        subject: subject(),
      };
      const answer = await post('/Condition', refuted);
      const made = JSON.parse(answer.text) as Read;
      expect([answer.status, pathOf(answer.headers['location'])]).to.equal([
        201,
        `/Condition/${made['id']}/_history/${made['meta'].versionId}`,
      ]);
      expect(made).to.include(refuted);
      const told = await post('/Condition', refuted, { prefer: 'return=OperationOutcome' });
      expect((JSON.parse(told.text) as Read)['issue'][0].details.text).to.contain('Not among the lists and reports: 1');
    });

    it('answers a Bundle where a resource is not kept by itself', async () => {
      const person = await post('/Patient', { resourceType: 'Patient', id: ground.recordId });
      const bundle = JSON.parse(person.text) as Read;
      expect([person.status, bundle['resourceType']]).to.equal([201, 'Bundle']);
      expect(bundle['entry'].map((entry: Read) => entry['resource'].resourceType)).to.equal([
        'DocumentReference',
        'OperationOutcome',
      ]);
      expect(bundle['entry'][1].resource.issue[0].details.text).to.contain('Patient');
      expect(pathOf(person.headers['location'])).to.match(/^\/DocumentReference\//);
    });

    it('tells what became of each part of a Bundle', async () => {
      const person = { resourceType: 'Patient', id: 'p1', name: [{ text: 'Alice' }] };
      const condition = { resourceType: 'Condition', id: 'c1', code: { text: 'Asthma' }, subject: subject() };
      const entry = (resource: Read, fullUrl?: string): object => ({
        ...(fullUrl === undefined ? {} : { fullUrl }),
        resource,
        request: { method: 'POST', url: resource['resourceType'] },
      });
      const answer = await post('', {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [
          entry(
            { ...condition, subject: { reference: 'Patient/p1' } },
            'urn:uuid:0a0a0a0a-0000-4000-8000-00000000000a',
          ),
          entry(person),
          entry({ ...allergy(), id: 'a9', patient: { reference: 'Patient/p1' } }),
        ],
      });
      expect(answer.status, answer.text).to.equal(200);
      const bundle = JSON.parse(answer.text) as Read;
      expect([bundle['resourceType'], bundle['type']]).to.equal(['Bundle', 'transaction-response']);
      const entries = bundle['entry'] as readonly Read[];
      expect(entries.map((one) => one['resource']?.resourceType)).to.equal([
        'Condition',
        undefined,
        'AllergyIntolerance',
      ]);
      for (const one of [entries[0]!, entries[2]!]) {
        expect(one['response'].status).to.equal('201 Created');
        expect(await ground.get(pathOf(one['response'].location))).to.equal(one['resource']);
        expect(one['response'].outcome.issue[0].details.text).to.equal('Everything that was sent made resources.');
      }
      const [issue] = entries[1]!['response'].outcome.issue;
      expect([issue.expression, issue.details.text]).to.equal([
        ['Bundle.entry[1]'],
        'Bundle.entry[1]: the Patient is kept in the document, and made no resource of its own.',
      ]);
    });

    const plain = (type: string, text: string): Read => ({ resourceType: type, code: { text }, subject: subject() });
    const pulse = (code: string, value: number, unit: string): Read => ({
      resourceType: 'Observation',
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
      ],
      code: { coding: [{ system: 'http://loinc.org', code }] },
      subject: subject(),
      effectiveDateTime: '2024-05-06T07:08:09Z',
      valueQuantity: { value, unit, system: 'http://unitsofmeasure.org', code: unit },
    });
    const made = (bundle: Read): readonly Read[] =>
      (bundle['entry'] as readonly Read[]).map((entry) => entry['resource'] as Read);
    const unnamed = (type: string, ...resources: readonly Read[]): Promise<Answer> =>
      post('', {
        resourceType: 'Bundle',
        type,
        entry: resources.map((resource) => ({
          resource,
          request: { method: 'POST', url: resource['resourceType'] },
        })),
      });

    it('tells what became of parts that have neither an address nor an id', async () => {
      const parts = [
        plain('Condition', 'Gout'),
        { resourceType: 'Practitioner', name: [{ text: 'Dr. Who' }] },
        plain('Condition', 'Migraine'),
        { ...plain('Procedure', 'Biopsy'), status: 'completed' },
      ];
      const answer = await unnamed('transaction', ...parts);
      expect(answer.status, answer.text).to.equal(200);
      const entries = (JSON.parse(answer.text) as Read)['entry'] as readonly Read[];
      expect(entries.map((entry) => entry['resource'].code?.text ?? entry['resource'].name[0].text)).to.equal([
        'Gout',
        'Dr. Who',
        'Migraine',
        'Biopsy',
      ]);
      for (const one of entries) {
        expect(await ground.get(pathOf(one['response'].location))).to.equal(one['resource']);
      }
      const collection = JSON.parse((await unnamed('collection', ...parts)).text) as Read;
      expect(made(collection).map(({ resourceType, code }) => code?.text ?? resourceType)).to.equal([
        'DocumentReference',
        'Gout',
        'Practitioner',
        'Migraine',
        'Biopsy',
        'OperationOutcome',
      ]);
    });

    it('says of an entry that is in no list that it is in none, and keeps the others apart from it', async () => {
      const wrong = {
        ...plain('Condition', 'Not so'),
        verificationStatus: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-ver-status', code: 'entered-in-error' }],
        },
      };
      const answer = JSON.parse((await unnamed('batch', wrong, plain('Condition', 'Asthma'))).text) as Read;
      expect(answer['entry'][0].resource.code.text).to.equal('Not so');
      expect(answer['entry'][0].response.outcome.issue[0].details.text).to.contain('Not among the lists and reports');
      expect(answer['entry'][1].resource.code.text).to.equal('Asthma');
    });

    it('answers each of several vital signs of one time with its own resource', async () => {
      const parts = [pulse('8867-4', 61, '/min'), pulse('9279-1', 15, '/min'), pulse('8310-5', 37, 'Cel')];
      for (const named of [false, true]) {
        const answer = await unnamed(
          'transaction',
          ...parts.map((part, at) => (named ? { ...part, id: `v${at}` } : part)),
        );
        const resources = made(JSON.parse(answer.text) as Read);
        expect(resources.map((one) => one['valueQuantity'].value)).to.equal([61, 15, 37]);
      }
      const collection = made(JSON.parse((await unnamed('collection', ...parts)).text) as Read);
      const ids = collection.map(({ resourceType, id }) => `${resourceType}/${id}`);
      expect([ids.length, new Set(ids).size]).to.equal([5, 5]);
    });

    it('answers the resource that is there to a condition that was met', async () => {
      const identified = { ...allergy(), identifier: [{ system: 'urn:app', value: '1' }] };
      const headers = { 'if-none-exist': 'identifier=urn:app|1' };
      const first = await post('/AllergyIntolerance', identified, headers);
      const second = await post('/AllergyIntolerance', identified, headers);
      expect([first.status, second.status]).to.equal([201, 200]);
      expect([second.text, second.headers['location']]).to.equal([first.text, first.headers['location']]);
    });

    it('reads a resource at every version of its document, and not once it is void', async () => {
      const documents = `/records/${ground.recordId}/documents/`;
      const first = await ground.put(procedure('Appendectomy'));
      const stated = await ground.call('/Procedure/none');
      expect(stated.status).to.equal(404);
      const { text } = succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/Procedure/`),
      );
      expect(text).to.contain('Appendectomy');
      const [row] = await ground.service.services.database.reads.rows<{ id: string }>(
        'select _statement as id from `fact_procedure` where _document_id = ?',
        [first],
      );
      const before = await ground.get(`/Procedure/${row!.id}`);
      expect([before['code'].text, before['meta'].versionId]).to.equal(['Appendectomy', first]);
      const second = await ground.put(
        procedure('Appendectomy, laparoscopic'),
        'application/xml',
        `${documents}${first}/replace`,
      );
      const now = await ground.get(`/Procedure/${row!.id}`);
      expect([now['code'].text, now['meta'].versionId]).to.equal(['Appendectomy, laparoscopic', second]);
      expect(await ground.get(`/Procedure/${row!.id}/_history/${first}`)).to.equal(before);
      const history = await ground.get(`/Procedure/${row!.id}/_history`);
      expect(history['entry'].map((one: Read) => one['resource'])).to.equal([now, before]);
      // A carenet shows the latest version, once it has been placed there.
      const token = ground.carenetToken;
      expect((await ground.call(`/Procedure/${row!.id}`, { token })).status).to.equal(404);
      succeeded(await ground.service.call(ground.alice, 'PUT', `${documents}${second}/carenets/${ground.carenetId}`));
      expect(await ground.get(`/Procedure/${row!.id}`, { token })).to.equal(now);
      expect((await ground.get(`/Procedure/${row!.id}/_history`, { token }))['total']).to.equal(1);
      expect((await ground.call(`/Procedure/${row!.id}/_history/${first}`, { token })).status).to.equal(404);
      for (const status of ['void', 'archived'] as const) {
        succeeded(
          await ground.service.call(ground.alice, 'POST', `${documents}${second}/set-status`, {
            form: { status: 'active', reason: 'x' },
          }),
        );
        succeeded(
          await ground.service.call(ground.alice, 'POST', `${documents}${second}/set-status`, {
            form: { status, reason: 'x' },
          }),
        );
        expect([status, (await ground.call(`/Procedure/${row!.id}`)).status]).to.equal([status, 404]);
        expect((await ground.call(`/Procedure/${row!.id}/_history`)).status).to.equal(404);
      }
    });

    it('stores a whole summary of a person and reads every resource of it', async () => {
      const xml = readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8');
      const answer = await ground.call('', {
        method: 'POST',
        body: xml,
        headers: { 'content-type': 'application/fhir+xml' },
      });
      expect(answer.status, answer.text).to.equal(201);
      const entries = ((JSON.parse(answer.text) as Read)['entry'] as readonly Read[]).map(
        (one) => one['resource'] as Read,
      );
      expect(entries.length).to.be.above(10);
      for (const resource of entries.filter(({ resourceType }) => resourceType !== 'OperationOutcome')) {
        const path = `/${resource['resourceType']}/${resource['id']}`;
        expect(await ground.get(path)).to.equal(resource);
        expect((await ground.call(`${path}?_format=xml`)).text).to.contain(`<${resource['resourceType']} `);
      }
    });
  });
}
