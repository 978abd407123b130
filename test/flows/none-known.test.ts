/**
 * none known: that somebody has no medicines and no problems goes through all doors like the same of allergies: shown with
 * its source, said beside what contradicts it, and seen only by a circle that sees medicines or problems.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { escapedModel } from '../support/fields';
import { startFhir, type FhirGround, type Read } from '../support/fhir';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SYSTEM = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const none = (code: string, title: string): string =>
  escapedModel('AllergyExclusion', { name_identifier: code, name_title: title, name_system: SYSTEM });
const NO_MEDICINES = none('787481004', 'No known medications');
const NO_PROBLEMS = none('160245001', 'No known problems');
const TYPES = ['MedicationStatement', 'Condition', 'AllergyIntolerance'];

for (const leg of databases) {
  describe(`none known on ${leg.name}`, () => {
    let ground: FhirGround;

    const store = (...models: readonly string[]) =>
      ground.put(
        `<Models xmlns="${ground.service.services.config.vocabBase}/xml/documents#">${models.join('')}</Models>`,
        'application/xml',
      );
    const summary = async (asked = {}): Promise<readonly Read[]> =>
      ((await ground.get(`/Patient/${ground.recordId}/$summary`, asked))['entry'] as readonly Read[])
        .map(({ resource }) => resource as Read)
        .filter(({ resourceType }) => TYPES.includes(resourceType as string));
    const named = (resources: readonly Read[]): readonly string[] =>
      resources.map((one) => String((one['code'] ?? one['medicationCodeableConcept']).text)).sort();
    const kind = (method: string, name: string) =>
      ground.service.call(ground.alice, method, `/carenets/${ground.carenetId}/kinds/${name}`);

    before(async () => {
      ground = await startFhir(leg);
      await store(NO_MEDICINES, NO_PROBLEMS, none('160244002', 'No known allergies'));
    });
    after(() => ground.service.stop());

    it('stands in its section of the summary, with the codes of the patient summary, and claims no status', async () => {
      const found = await summary();
      expect(found.map(({ resourceType }) => resourceType).sort()).to.equal([...TYPES].sort());
      const codes = (type: string): readonly string[] => {
        const one = found.find(({ resourceType }) => resourceType === type)!;
        return (one['code'] ?? one['medicationCodeableConcept']).coding.map((coding: Read) => coding['code']);
      };
      expect(codes('MedicationStatement')).to.equal(['787481004', 'no-known-medications']);
      expect(codes('Condition')).to.equal(['160245001', 'no-known-problems']);
      expect(codes('AllergyIntolerance')).to.equal(['716186003', '160244002']);
      expect(found.find(({ resourceType }) => resourceType === 'MedicationStatement')!['status']).to.equal('unknown');
      expect(
        found.find(({ resourceType }) => resourceType === 'Condition')!['clinicalStatus']['coding'],
      ).to.be.undefined();
    });

    it('is seen by a circle only with the kind that it denies', async () => {
      const token = { token: ground.carenetToken };
      const expected = {
        allergies: ['No known allergies'],
        medicines: ['No known medications'],
        problems: ['No known problems'],
      };
      for (const [name, seen] of Object.entries(expected)) {
        succeeded(await kind('PUT', name));
        expect(named(await summary(token)), name).to.equal(seen);
        succeeded(await kind('DELETE', name));
      }
      succeeded(await kind('PUT', 'allergies'));
      succeeded(await kind('PUT', 'problems'));
      expect(named(await summary(token))).to.equal(['No known allergies', 'No known problems']);
      const report = succeeded(
        await ground.service.call(
          ground.alice,
          'GET',
          `/carenets/${ground.carenetId}/reports/AllergyExclusion/?response_format=application/json`,
        ),
      ).text;
      expect(report).to.contain('No known problems').and.to.not.contain('No known medications');
      succeeded(await kind('DELETE', 'allergies'));
      succeeded(await kind('DELETE', 'problems'));
    });

    it('goes where something is there, which says that somebody denies it', async () => {
      await store(
        escapedModel('Medication', { drugName_title: 'Warfarin', status_title: 'Active' }),
        escapedModel('Problem', { name_title: 'Asthma' }),
      );
      const found = await summary();
      expect(named(found)).to.equal(['Asthma', 'No known allergies', 'Warfarin']);
      const noteOf = (name: string): string => JSON.stringify(found.find((one) => named([one])[0] === name)!['note']);
      expect(noteOf('Warfarin')).to.contain('No known medications').and.to.not.contain('No known problems');
      expect(noteOf('Asthma')).to.contain('No known problems').and.to.not.contain('No known medications');
    });
  });
}
