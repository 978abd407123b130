/**
 * reports-of-files: a report that is nothing but a file is in the lists as a file, and an interpretation of the
 * interface's own list has the code of the standard beside it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const V3 = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';

for (const leg of databases) {
  describe(`reports and interpretations on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const report = async (more: object): Promise<readonly Read[]> => {
      const answer = await ground.call('/DiagnosticReport', {
        method: 'POST',
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify({
          resourceType: 'DiagnosticReport',
          status: 'final',
          code: { text: 'MRI of the knee' },
          subject: { reference: `Patient/${ground.recordId}` },
          effectiveDateTime: '2021-02-03',
          ...more,
        }),
      });
      expect(answer.status, answer.text).to.equal(201);
      const facts = await ground.service.call(
        ground.alice,
        'GET',
        `/records/${ground.recordId}/reports/StoredFile/?order_by=-created_at`,
      );
      return JSON.parse(succeeded(facts).text) as Read[];
    };

    it('lists a report that is a file, by its own title or what it reports', async () => {
      expect(await report({})).to.equal([]);
      expect(
        await report({ conclusion: 'torn', presentedForm: [{ contentType: 'text/plain', data: 'aGk=' }] }),
      ).to.equal([]);
      const files = await report({
        presentedForm: [
          { contentType: 'text/plain', data: 'aGVsbG8=' },
          { contentType: 'application/pdf', url: 'https://clinic.example/1.pdf', title: 'Knee' },
        ],
      });
      expect(files.map((one) => [one['title'], one['kind'], one['date'], one['bytes'], one['link']])).to.only.include([
        ['MRI of the knee', 'MRI of the knee', '2021-02-03', 5, null],
        ['Knee', 'MRI of the knee', '2021-02-03', null, 'https://clinic.example/1.pdf'],
      ]);
    });

    it('says an interpretation of the own list by the code of the standard, too', async () => {
      const fact = (identifier: string): string =>
        `<Model name="LabResult"><Field name="test_name_title">t</Field><Field name="quantitative_result_value_value">5</Field><Field name="abnormal_interpretation_identifier">${identifier}</Field><Field name="abnormal_interpretation_title">words</Field><Field name="abnormal_interpretation_system">http://smartplatforms.org/terms/codes/LabResultInterpretation#</Field></Model>`;
      await ground.put(
        `<Models xmlns="https://svc.example/vocab/xml/documents#">${['critical', 'H'].map(fact).join('')}</Models>`,
      );
      const found = (await ground.get('/Observation'))['entry'] as readonly Read[];
      const codings = found.map(({ resource }) => resource.interpretation[0].coding as readonly Read[]);
      const [own, known] = codings
        .map((all) => all.map(({ system, code }) => [system, code]))
        .sort((one) => (one.length > 1 ? -1 : 1));
      expect(own).to.equal([
        ['http://smartplatforms.org/terms/codes/LabResultInterpretation#', 'critical'],
        [V3, 'AA'],
      ]);
      expect(known!.map(([, code]) => code)).to.equal(['H']);
      expect(found[0]!['resource'].interpretation[0].text).to.equal('words');
    });
  });
}
