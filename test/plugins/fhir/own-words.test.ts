/** own-words: what a person says of a medicine, at the FHIR door: as a statement of theirs, and in the summary. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { attribute, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const bundle = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: ['Warfarin 5 mg', 'Metformin 500 mg'].map((text) => ({
    resource: {
      resourceType: 'MedicationStatement',
      status: 'active',
      medicationCodeableConcept: { text },
      subject: { reference: 'Patient/x' },
    },
  })),
};

for (const leg of databases) {
  describe(`own words at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    const statements = async (): Promise<readonly Read[]> =>
      ((await ground.get('/MedicationStatement'))['entry'] as readonly { readonly resource: Read }[]).map(
        ({ resource }) => resource,
      );
    const summary = async (): Promise<string> =>
      JSON.stringify(await ground.get(`/Patient/${ground.recordId}/$summary`));
    /** Says it about the first statement whose words contain the text, and answers the id of the document. */
    const say = async (verdict: string, text: string): Promise<string> => {
      const { service, recordId, alice } = ground;
      const lines = succeeded(await service.call(alice, 'GET', `/records/${recordId}/lines/Medication/`)).text;
      const [, statement] = new RegExp(`<Says\\b[^>]*?\\bid="([^"]*)"(?:(?!<Says\\b)[^])*?${text}`).exec(lines)!;
      const body =
        `<OwnWord xmlns="${service.services.config.vocabBase}/xml/documents#"><verdict>${verdict}</verdict>` +
        `<date>2199-05-02</date><about model="Medication" statement="${statement!}">${text}</about></OwnWord>`;
      const answer = await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body });
      return attribute(succeeded(answer).text, 'Document', 'id');
    };

    before(async () => {
      ground = await startFhir(leg);
      await ground.put(JSON.stringify(bundle), 'application/fhir+json');
    });
    after(() => ground.service.stop());

    it('leave the summary without a medicine that is not taken any more, or is called wrong', async () => {
      expect(await summary()).to.contain(['Warfarin', 'Metformin']);
      await say('stopped', 'Warfarin');
      await say('wrong', 'Metformin');
      expect(await summary()).to.not.contain(['Warfarin 5', 'Metformin 500']);
    });

    it('name a medicine of the record where the word does not', async () => {
      await say('taking', '');
      const unnamed = (await statements()).filter(
        ({ informationSource, status }) => informationSource && status === 'active',
      );
      expect(unnamed.map((one) => one['medicationCodeableConcept'])).to.equal([{ text: 'A medicine of this record' }]);
    });

    it('are statements whose source is the person, and change no statement of a source', async () => {
      const all = await statements();
      const [own, ...more] = all.filter(({ informationSource, status }) => informationSource && status === 'stopped');
      expect([own!['informationSource'].reference, more]).to.equal([`Patient/${ground.recordId}`, []]);
      expect(JSON.stringify(own)).to.contain('Warfarin');
      expect(own!['status']).to.equal('stopped');
      const names = all.map(({ medicationCodeableConcept }) => medicationCodeableConcept?.text as string);
      expect(names.filter((name) => /^(Warfarin 5|Metformin 500) mg$/.test(name))).to.have.length(2);
    });
  });
}
