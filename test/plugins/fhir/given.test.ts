/** given: a vaccine or medicine is shown as given only where its source says that it was. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const clinic = readFileSync(inProject('pipeline-config/ccda/sample-clinic-summary.xml'), 'utf8');
const UNSAID = [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }];
const vaccine = (id: string, name: string, more: Read): Read => ({
  resourceType: 'Immunization',
  id,
  vaccineCode: { text: name },
  occurrenceDateTime: '2024-05-06',
  ...more,
});

for (const leg of databases) {
  describe(`what was given, at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    beforeEach(async () => {
      ground = await startFhir(leg);
    });
    afterEach(() => ground.service.stop());

    const find = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/${query}`))['entry'] as Read[] | undefined) ?? [])
        .filter(({ search }) => search.mode === 'match')
        .map(({ resource }) => resource as Read);
    const vaccines = async (query = ''): Promise<readonly string[]> =>
      (await find(`Immunization${query}`))
        .map((one) => `${one['vaccineCode'].text ?? one['vaccineCode'].coding[0].code} ${one['status'] ?? 'unsaid'}`)
        .sort();
    const post = async (entries: readonly Read[]): Promise<void> => {
      const patient = { reference: `Patient/${ground.recordId}` };
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: entries.map((one) => ({
            fullUrl: `urn:x:${String(one['id'])}`,
            resource: { ...one, [one['resourceType'] === 'Immunization' ? 'patient' : 'subject']: patient },
          })),
        }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
    };

    it('is no vaccine that was refused, although its entry in the C-CDA is completed', async () => {
      await ground.put(clinic);
      const found = await find('Immunization?status=not-done');
      expect(found.map((one) => one['statusReason'].coding[0].code)).to.equal(['PATOBJ']);
      expect(await vaccines('?status=completed')).to.have.length(2);
      expect(await vaccines()).to.have.length(3);
      const summary = JSON.stringify(await ground.get(`/Patient/${ground.recordId}/$summary`));
      expect(summary.match(/"resourceType":"Immunization"[^]{0,900}?"status":"[a-z-]+"/g)).to.have.length(3);
      expect(summary).to.contain('"not-done"');
    });

    it('is no vaccine of a C-CDA that says neither that nor a status', async () => {
      const silent = clinic.replace(
        / negationInd="false"(>\s*<templateId [^>]*>\s*<id [^>]*vaccine-1"\/>\s*)<statusCode code="completed"\/>/,
        '$1',
      );
      expect(silent).to.not.equal(clinic);
      await ground.put(silent);
      expect((await vaccines()).filter((one) => !/ (?:completed|not-done)$/.test(one))).to.have.length(1);
    });

    it('is no vaccine of FHIR whose status nobody knows', async () => {
      await post([
        vaccine('yes', 'A', { status: 'completed' }),
        vaccine('no', 'B', { status: 'not-done' }),
        vaccine('unsaid', 'C', { _status: { extension: UNSAID } }),
      ]);
      expect(await vaccines()).to.equal(['A completed', 'B not-done', 'C unsaid']);
      expect(await vaccines('?status=completed')).to.equal(['A completed']);
    });

    it('is no medicine that was only prepared, unless its source says that it is done', async () => {
      const dispense = (id: string, more: Read): Read => ({
        resourceType: 'MedicationDispense',
        id,
        medicationCodeableConcept: { text: id },
        ...more,
      });
      await post([
        dispense('handed', { _status: { extension: UNSAID }, whenHandedOver: '2024-05-01' }),
        dispense('prepared', { _status: { extension: UNSAID }, whenPrepared: '2024-05-02' }),
        dispense('unknown', { status: 'unknown', whenPrepared: '2024-05-03' }),
        dispense('done', { status: 'completed', whenPrepared: '2024-05-04' }),
      ]);
      expect((await find('MedicationDispense')).length).to.equal(4);
      const { database } = ground.service.services;
      const dates = await database.reads.rows<{ date: string }>('select date from `fact_fill` order by date', []);
      expect(dates.map(({ date }) => date.slice(0, 10))).to.equal(['2024-05-01', '2024-05-04']);
    });
  });
}
