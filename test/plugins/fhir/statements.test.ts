/**
 * statements: ids of resources remain the same in new versions and after reprocessing, and never lead to another
 * statement.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { factTables } from '../../../core/facts/model/fact-tables';
import { reprocess } from '../../../core/pipeline/reprocess';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const JSON_TYPE = 'application/fhir+json';
const subject = { reference: 'Patient/p' };
const condition = (id: string, text: string, more: object = {}): object => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }] },
  code: { text },
  subject,
  ...more,
});
const bundle = (...resources: readonly object[]): string =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) });
const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string =>
  `<Procedure xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name type="http://snomed.info/sct" value="80146002">${name}</name></Procedure>`;

for (const leg of databases) {
  describe(`statements through the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const database = () => ground.service.services.database;
    /** Ids of the statements of a document, in the order of the document. */
    const statements = async (documentId: string, table: string): Promise<readonly string[]> =>
      (await direct(database())(table)
        .where({ _document_id: documentId })
        .orderBy('_seq')
        .pluck('_statement')) as string[];
    const replace = (id: string, body: string, type = JSON_TYPE): Promise<string> =>
      ground.put(body, type, `/records/${ground.recordId}/documents/${id}/replace`);
    const setStatus = async (id: string, status: string): Promise<void> => {
      succeeded(
        await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/${id}/set-status`, {
          form: { status, reason: 'because' },
        }),
      );
    };
    const share = async (id: string): Promise<void> => {
      succeeded(
        await ground.service.call(
          ground.alice,
          'PUT',
          `/records/${ground.recordId}/documents/${id}/carenets/${ground.carenetId}`,
        ),
      );
    };
    const statusOf = async (path: string, token?: string): Promise<number> =>
      (await ground.call(path, token === undefined ? {} : { token })).status;

    it('reads a resource with its state, in JSON and XML', async () => {
      const document = await ground.put(bundle(condition('c1', 'Asthma')), JSON_TYPE);
      const [id] = await statements(document, 'fact_problem');
      const answer = await ground.call(`/Condition/${id}`);
      expect(answer.headers['etag']).to.equal(`W/"${document}"`);
      const resource = JSON.parse(answer.text) as Read;
      expect(resource).to.include({
        resourceType: 'Condition',
        id,
        code: { text: 'Asthma' },
        subject: { reference: `Patient/${ground.recordId}` },
      });
      expect(resource['meta'].versionId).to.equal(document);
      expect(answer.headers['last-modified']).to.equal(new Date(resource['meta'].lastUpdated as string).toUTCString());
      const xml = await ground.call(`/Condition/${id}?_format=xml`);
      expect(xml.text).to.include(`<Condition xmlns="http://hl7.org/fhir"><id value="${id}">`);
      expect(await statusOf(`/Condition/${id}?_format=json`, await ground.mint('patient/Condition.r'))).to.equal(200);
    });

    it('is not found under another type, id or person, and refused outside the scopes', async () => {
      const [id] = await statements(await ground.put(bundle(condition('c1', 'Asthma')), JSON_TYPE), 'fact_problem');
      for (const path of [
        `/Observation/${id}`,
        `/Condition/${id}-2`,
        `/Condition/${id!.slice(0, -1)}x`,
        '/Condition/x',
        `/Condition/${id}/_history/x`,
        '/Condition/x/_history',
      ]) {
        expect(await statusOf(path), path).to.equal(404);
      }
      expect(issueOf(await ground.call('/Condition/x'))['code']).to.equal('not-found');
      expect(await statusOf(`/Condition/${id}`, await ground.mint('patient/Observation.rs'))).to.equal(403);
      const other = await startFhir(leg);
      try {
        expect((await other.call(`/Condition/${id}`)).status).to.equal(404);
      } finally {
        await other.service.stop();
      }
    });

    it('keeps its id and gets a new version when its document is replaced, and its history tells both', async () => {
      const first = await ground.put(bundle(condition('c1', 'Asthma'), condition('c2', 'Gout')), JSON_TYPE);
      const [asthma, gout] = await statements(first, 'fact_problem');
      const second = await replace(first, bundle(condition('c3', 'Flu'), condition('c1', 'Severe asthma')));
      const [flu, same] = await statements(second, 'fact_problem');
      expect(same).to.equal(asthma);
      expect([asthma, gout]).to.not.include(flu);
      const resource = await ground.get(`/Condition/${asthma}`);
      expect([resource['code'].text, resource['meta'].versionId]).to.equal(['Severe asthma', second]);
      expect(await statusOf(`/Condition/${gout}`)).to.equal(404);
      const history = await ground.get(`/Condition/${asthma}/_history`);
      expect(history['total']).to.equal(2);
      expect(
        history['entry'].map((entry: Read) => [entry['resource'].meta.versionId, entry['resource'].code.text]),
      ).to.equal([
        [second, 'Severe asthma'],
        [first, 'Asthma'],
      ]);
      expect((await ground.get(`/Condition/${asthma}/_history/${first}`))['code'].text).to.equal('Asthma');
      expect((await ground.get(`/Condition/${flu}/_history`))['total']).to.equal(1);
    });

    it('keeps the id of the one statement of a document that is corrected', async () => {
      const first = await ground.put(procedure('Biopsy'));
      const [id] = await statements(first, 'fact_procedure');
      const second = await replace(first, procedure('Punch biopsy'), 'application/xml');
      expect(await statements(second, 'fact_procedure')).to.equal([id]);
      expect((await ground.get(`/Procedure/${id}`))['code'].text).to.equal('Punch biopsy');
      const [twin] = await statements(await ground.put(procedure('Punch biopsy')), 'fact_procedure');
      expect(twin).to.not.equal(id);
    });

    it('keeps all ids when documents are reprocessed', async () => {
      const document = await ground.put(
        bundle(
          condition('c1', 'Asthma'),
          { ...condition('', 'Gout'), id: undefined },
          { ...condition('', 'Flu'), id: undefined },
        ),
        JSON_TYPE,
      );
      const ids = await statements(document, 'fact_problem');
      expect(new Set(ids).size).to.equal(3);
      await direct(database())('document').where({ id: document }).update({ fingerprint: 'an older configuration' });
      // With one fact missing there is another number of facts, so only those of the same statements keep their ids.
      await direct(database())('fact_problem').where({ _document_id: document, _statement: ids[0]! }).delete();
      const { services } = ground.service;
      const { database: stored, contents, reader, models } = services;
      const tools = { database: stored, contents, reader, tables: factTables(models()), models };
      expect((await reprocess(tools, {}, () => undefined)).done).to.equal(1);
      expect(await statements(document, 'fact_problem')).to.equal(ids);
      expect((await ground.get(`/Condition/${ids[1]}`))['code'].text).to.equal('Gout');
    });

    /** What a database of an earlier release lacks. */
    const forgetResources = async (documentId: string): Promise<void> => {
      const kept = direct(database())('fhir_resource').where({ document_id: documentId });
      await direct(database())('search_value').whereIn('resource', kept.clone().select('seq')).delete();
      await kept.clone().delete();
      await direct(database())('missing_resource').insert({ record_id: ground.recordId, lineage_id: documentId });
    };

    it('makes resources of facts of an earlier release when they are asked for, with their own id', async () => {
      const document = await ground.put(procedure('Old'));
      await direct(database())('fact_procedure').where({ _document_id: document }).update({ _statement: null });
      await forgetResources(document);
      const [id] = (await direct(database())('fact_procedure')
        .where({ _document_id: document })
        .pluck('_id')) as string[];
      const found = await ground.get(`/Procedure/${id}`);
      expect([found['code'].text, found['meta'].versionId]).to.equal(['Old', document]);
      expect(await direct(database())('missing_resource').pluck('lineage_id')).to.equal([]);
    });

    it('makes the same resources as when the document was stored', async () => {
      const document = await ground.put(readFileSync(inProject('pipeline-config/ccda/sample-hospital.xml'), 'utf8'));
      const read = async (): Promise<readonly unknown[]> => {
        const all = await ground.get(`/Patient/${ground.recordId}/$everything`);
        return (all['entry'] as readonly Read[])
          .map(({ resource }) => resource as Read)
          .filter(({ meta }) => meta?.source === `urn:uuid:${document}`)
          .sort((one, other) =>
            `${one['resourceType']}/${one['id']}`.localeCompare(`${other['resourceType']}/${other['id']}`),
          );
      };
      const before = await read();
      expect(before.length).to.be.above(5);
      await forgetResources(document);
      expect(await read()).to.equal(before);
      await setStatus(document, 'void');
    });

    it('makes what searches find of resources of an earlier release, when they are searched', async () => {
      const on = direct(database());
      const document = await ground.put(readFileSync(inProject('pipeline-config/ccda/sample-hospital.xml'), 'utf8'));
      const seqs = (await on('fhir_resource').where({ document_id: document }).pluck('seq')) as number[];
      const rows = async (): Promise<readonly string[]> => {
        const all = (await on('search_value').whereIn('resource', seqs).select()) as { seq: number }[];
        return all.map(({ seq: _, ...row }) => JSON.stringify(row)).sort();
      };
      const before = await rows();
      expect(before.length).to.be.above(50);
      await on('search_value').whereIn('resource', seqs).delete();
      await on('fhir_value').insert({ record_id: ground.recordId, resource: seqs[0], name: 'Condition.code' });
      await on('missing_resource').insert({ record_id: ground.recordId, lineage_id: document });
      await ground.get('/Condition?_count=1');
      expect(await rows()).to.equal(before);
      expect(await on('fhir_value').pluck('resource')).to.equal([]);
      expect(await on('missing_resource').pluck('lineage_id')).to.equal([]);
      await setStatus(document, 'void');
    });

    it('gives a resource a new version when its document is read anew and says something else', async () => {
      const document = await ground.put(procedure('Biopsy'));
      const [id] = await statements(document, 'fact_procedure');
      const { services } = ground.service;
      const { database: stored, contents, reader, models } = services;
      const tools = { database: stored, contents, reader, tables: factTables(models()), models };
      const again = async (): Promise<Read> => {
        await direct(database())('document').where({ id: document }).update({ fingerprint: 'an older configuration' });
        expect((await reprocess(tools, {}, () => undefined)).done).to.equal(1);
        return ground.get(`/Procedure/${id}`);
      };
      expect((await again())['meta'].versionId).to.equal(document);
      const kept = await direct(database())('fhir_resource').where({ document_id: document }).first();
      const other = JSON.stringify({ resourceType: 'Procedure', id, meta: {}, code: { text: 'Other' } });
      await direct(database())('fhir_resource')
        .where({ seq: kept.seq as number })
        .update({ content: Buffer.from(other), sealed: null });
      const changed = await again();
      expect([changed['code'].text, changed['meta'].versionId]).to.equal(['Biopsy', `${document}.2`]);
      expect((await again())['meta'].versionId).to.equal(`${document}.2`);
    });

    it('keeps an allergy with two reactions as one resource, and readings of one time as several', async () => {
      const reaction = (text: string): object => ({ manifestation: [{ text }] });
      const allergy = {
        resourceType: 'AllergyIntolerance',
        id: 'a',
        code: { text: 'Peanut' },
        patient: subject,
        reaction: [reaction('Hives'), reaction('Cough')],
      };
      const vital = (code: string, value: number, unit: string, id: string): object => ({
        resourceType: 'Observation',
        id,
        status: 'final',
        category: [
          { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
        ],
        code: { coding: [{ system: 'http://loinc.org', code }] },
        subject,
        encounter: { reference: 'Encounter/e' },
        effectiveDateTime: '2020-01-02T03:04:05+01:00',
        valueQuantity: { value, unit, system: 'http://unitsofmeasure.org', code: unit },
      });
      const encounter = {
        resourceType: 'Encounter',
        id: 'e',
        status: 'finished',
        class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
        subject,
        period: { start: '2020-01-02', end: '2020-01-02' },
        participant: [{ individual: { display: 'Dr Ada' } }],
      };
      const document = await ground.put(
        bundle(allergy, vital('29463-7', 70, 'kg', 'w'), vital('8867-4', 61, '/min', 'h'), encounter),
        JSON_TYPE,
      );
      const [one, two] = await statements(document, 'fact_allergy');
      expect(one).to.equal(two);
      const peanut = await ground.get(`/AllergyIntolerance/${one}`);
      expect(peanut['reaction'].map((found: Read) => found['manifestation'][0].text)).to.equal(['Hives', 'Cough']);
      const readings = (await ground.get('/Observation?code=29463-7,8867-4'))['entry'] as readonly Read[];
      const [weight, pulse] = readings
        .map(({ resource }) => resource as Read)
        .sort((first, second) => second['valueQuantity'].value - first['valueQuantity'].value);
      expect(weight!['effectiveDateTime']).to.equal('2020-01-02T03:04:05+01:00');
      expect(pulse!['encounter']).to.equal(weight!['encounter']);
      const met = await ground.get(`/${weight!['encounter'].reference}`);
      expect([met['class'].code, met['participant']]).to.equal(['AMB', encounter.participant]);
    });

    it('says what is dispensed with what was prescribed', async () => {
      const medication = { medicationCodeableConcept: { text: 'Aspirin' }, subject };
      const document = await ground.put(
        bundle(
          { resourceType: 'MedicationRequest', id: 'm', status: 'active', intent: 'order', ...medication },
          {
            resourceType: 'MedicationDispense',
            id: 'd',
            status: 'completed',
            ...medication,
            authorizingPrescription: [{ reference: 'MedicationRequest/m' }],
            whenHandedOver: '2020-01-02',
            quantity: { value: 20, unit: 'tablet' },
          },
        ),
        JSON_TYPE,
      );
      const [request] = await statements(document, 'fact_medication');
      const [dispense] = await statements(document, 'fact_fill');
      expect(await ground.get(`/MedicationDispense/${dispense}`)).to.include({
        medicationCodeableConcept: { text: 'Aspirin' },
        authorizingPrescription: [{ reference: `MedicationRequest/${request}` }],
        whenHandedOver: '2020-01-02',
      });
    });

    it('is gone while its document is void or archived', async () => {
      const document = await ground.put(procedure('Biopsy'));
      const [id] = await statements(document, 'fact_procedure');
      for (const status of ['void', 'archived']) {
        await setStatus(document, status);
        expect(await statusOf(`/Procedure/${id}`), status).to.equal(404);
        expect(await statusOf(`/Procedure/${id}/_history`), status).to.equal(404);
      }
      await setStatus(document, 'active');
      expect(await statusOf(`/Procedure/${id}`)).to.equal(200);
    });

    it('shows through a carenet what lies there, and of that the latest version only', async () => {
      const first = await ground.put(procedure('Biopsy'));
      const [id] = await statements(first, 'fact_procedure');
      const path = `/Procedure/${id}`;
      expect(await statusOf(path, ground.carenetToken)).to.equal(404);
      expect(await statusOf(`${path}/_history`, ground.carenetToken)).to.equal(404);
      await share(first);
      expect(await statusOf(path, ground.carenetToken)).to.equal(200);
      const second = await replace(first, procedure('Punch biopsy'), 'application/xml');
      const history = await ground.get(`${path}/_history`, { token: ground.carenetToken });
      expect(history['entry'].map((entry: Read) => entry['resource'].meta.versionId)).to.equal([second]);
      expect(await statusOf(`${path}/_history/${first}`, ground.carenetToken)).to.equal(404);
      expect(await statusOf(`${path}/_history/${first}`, ground.shareToken)).to.equal(200);
    });

    it('tells every mapped type in its capabilities', async () => {
      const metadata = await ground.get('/metadata', { token: '' });
      const types = new Map<string, readonly string[]>(
        metadata['rest'][0].resource.map((one: Read) => [
          one['type'],
          one['interaction'].map(({ code }: Read) => code as string),
        ]),
      );
      for (const type of [
        'AllergyIntolerance',
        'Condition',
        'Device',
        'DiagnosticReport',
        'Encounter',
        'Immunization',
        'MedicationDispense',
        'MedicationRequest',
        'MedicationStatement',
        'Observation',
        'Organization',
        'Practitioner',
        'Procedure',
      ]) {
        expect(types.get(type), type).to.include(['read', 'vread', 'history-instance']);
      }
    });
  });
}
