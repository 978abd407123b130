/**
 * dosage: a dosage leaves as it came, in a resource, in the narrative of a summary and in every report, and never as a
 * schedule that is simpler.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const DOSAGE = {
  text: '6 tablets on Mondays only',
  patientInstruction: 'Never each day',
  timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd', dayOfWeek: ['mon'] } },
  doseAndRate: [{ doseQuantity: { value: 6, unit: 'tablet' } }],
  maxDosePerPeriod: { numerator: { value: 15, unit: 'mg' }, denominator: { value: 1, unit: 'wk' } },
};
const WORDS = '6 tablets on Mondays only (6 tablet on Mondays; at most 15 mg in 1 week; instructions: Never each day)';
const SPLIT = [
  { sequence: 1, timing: { repeat: { when: ['MORN'] } }, doseAndRate: [{ doseQuantity: { value: 0.5, unit: 'mg' } }] },
  { sequence: 2, timing: { repeat: { when: ['EVE'] } }, doseAndRate: [{ doseQuantity: { value: 1.5, unit: 'mg' } }] },
];

for (const leg of databases) {
  describe(`dosages at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = async (resource: Read): Promise<Read> => {
      const answer = await ground.call(`/${resource['resourceType'] as string}`, {
        method: 'POST',
        body: JSON.stringify({ subject: { reference: `Patient/${ground.recordId}` }, status: 'active', ...resource }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };

    it('come back as they came', async () => {
      const request = await post({
        resourceType: 'MedicationRequest',
        intent: 'order',
        medicationCodeableConcept: { text: 'Methotrexate' },
        dosageInstruction: [DOSAGE],
        note: [{ text: 'On hold from 5 March' }],
      });
      expect(request['dosageInstruction']).to.equal([DOSAGE]);
      expect(request['note']).to.equal([{ text: 'On hold from 5 March' }]);
      const statement = await post({
        resourceType: 'MedicationStatement',
        medicationCodeableConcept: { text: 'Warfarin' },
        dosage: SPLIT,
      });
      expect(statement['dosage']).to.equal(SPLIT);
      const plain = await post({
        resourceType: 'MedicationStatement',
        medicationCodeableConcept: { text: 'Aspirin' },
        dosage: [{ text: 'once a day', timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } } }],
      });
      expect(plain['dosage']).to.equal([
        { text: 'once a day', timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } } },
      ]);
      const xml = await ground.call(`/MedicationRequest/${request['id'] as string}`, {
        headers: { accept: 'application/fhir+xml' },
      });
      expect(xml.text).to.contain('<dayOfWeek value="mon">');
    });

    it('are said whole in the narrative of a summary', async () => {
      const summary = JSON.stringify(await ground.get(`/Patient/${ground.recordId}/$summary`));
      expect(summary).to.contain(WORDS).and.to.contain('0.5 mg in the morning; then 1.5 mg in the evening');
    });

    it('are said whole in reports', async () => {
      const paths = ['Medication/?response_format=application/xml', 'minimal/medications/', 'experimental/ccr'];
      for (const path of paths) {
        const { text } = await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/${path}`);
        expect(text, path).to.contain(WORDS);
        // Only the medicine that is really taken once a day has such a frequency.
        expect(text.match(/>1\/d</g) ?? [], path).to.have.length(path.startsWith('Medication') ? 0 : 1);
      }
    });
  });
}
