/**
 * intent-and-category: a request is returned as the order or plan that it was, and a problem with its source's
 * category. Where the source gives neither, none is returned.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const R4 = 'http://terminology.hl7.org/CodeSystem/condition-category';
const US_CORE = 'http://hl7.org/fhir/us/core/CodeSystem/condition-category';
const PROFILES = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition';

const inProfile = (made: Read, profile: string): boolean =>
  ((made['meta'].profile ?? []) as readonly string[]).includes(profile);

/** A C-CDA document of one section with one entry. */
const ccda = (section: string, entry: string): string =>
  readFileSync(inProject('pipeline-config/ccda/sample-sparse.xml'), 'utf8').replace(
    /<structuredBody>[^]*<\/structuredBody>/,
    `<structuredBody><component><section><code code="${section}" codeSystem="2.16.840.1.113883.6.1"/><title>Here</title>` +
      `<text>Here</text><entry>${entry}</entry></section></component></structuredBody>`,
  );

const problem = (act: string, name: string): string =>
  `<act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${act}"/><code code="CONC" ` +
  'codeSystem="2.16.840.1.113883.5.6"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">' +
  '<templateId root="2.16.840.1.113883.10.20.22.4.4"/><code code="55607006" codeSystem="2.16.840.1.113883.6.96"/>' +
  `<statusCode code="completed"/><value xsi:type="CD" nullFlavor="OTH"><originalText>${name}</originalText></value>` +
  '</observation></entryRelationship></act>';

const medicine = (mood: string, name: string, supply = ''): string =>
  `<substanceAdministration classCode="SBADM" moodCode="${mood}"><templateId root="2.16.840.1.113883.10.20.22.4.16"/>` +
  '<statusCode code="active"/><consumable><manufacturedProduct><manufacturedMaterial><code nullFlavor="OTH">' +
  `<originalText>${name}</originalText></code></manufacturedMaterial></manufacturedProduct></consumable>` +
  `${supply === '' ? '' : `<entryRelationship typeCode="REFR"><supply classCode="SPLY" moodCode="${supply}"/></entryRelationship>`}` +
  '</substanceAdministration>';

for (const leg of databases) {
  describe(`intent and category at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = async (resource: Read): Promise<Read> => {
      const answer = await ground.call(`/${resource['resourceType'] as string}`, {
        method: 'POST',
        body: JSON.stringify({ ...resource, subject: { reference: `Patient/${ground.recordId}` } }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const found = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/${query}`))['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);
    const count = async (query: string): Promise<number> => (await found(query)).length;
    const ofVersion = async (type: string, id: string): Promise<readonly Read[]> =>
      (await found(type)).filter(({ meta }) => meta.versionId === id);

    it('gives a request the intent that it came with, and finds it by that', async () => {
      const intents = ['plan', 'order', 'original-order', 'reflex-order', 'filler-order', 'instance-order'];
      for (const intent of intents) {
        const made = await post({
          resourceType: 'MedicationRequest',
          status: 'active',
          intent,
          medicationCodeableConcept: { text: `Medicine of ${intent}` },
        });
        expect([made['resourceType'], made['intent'], made['reportedBoolean']]).to.equal([
          'MedicationRequest',
          intent,
          undefined,
        ]);
        expect(await count(`MedicationRequest?intent=${intent}`)).to.equal(1);
      }
      // A proposed medicine is not yet one that the person takes.
      for (const intent of ['proposal', 'option']) {
        const answer = await post({
          resourceType: 'MedicationRequest',
          status: 'active',
          intent,
          medicationCodeableConcept: { text: `Medicine of ${intent}` },
        });
        expect([answer['resourceType'], answer['intent']]).to.equal(['MedicationRequest', intent]);
        expect(await count(`MedicationRequest?intent=${intent}`)).to.equal(1);
      }
      expect(await count('MedicationRequest?intent=plan,order')).to.equal(2);
    });

    it('gives the medication that a person reports as US Core has it: reported, and a plan', async () => {
      const whose = { reference: `Patient/${ground.recordId}` };
      for (const reported of [{ reportedBoolean: true }, { reportedReference: whose }]) {
        const made = await post({
          resourceType: 'MedicationRequest',
          status: 'active',
          intent: 'plan',
          ...reported,
          medicationCodeableConcept: { text: `Reported as ${Object.keys(reported)[0]!}` },
        });
        expect(made).to.include({ intent: 'plan', status: 'active', ...reported });
        expect(inProfile(made, 'http://hl7.org/fhir/uv/ipa/StructureDefinition/ipa-medicationrequest')).to.be.true();
      }
    });

    it('tells an order from a plan in a C-CDA by its mood and by what it asks for', async () => {
      for (const [mood, supply, type, intent] of [
        ['RQO', '', 'MedicationRequest', 'order'],
        ['INT', '', 'MedicationRequest', 'plan'],
        ['INT', 'EVN', 'MedicationRequest', 'plan'],
        ['INT', 'INT', 'MedicationRequest', 'order'],
        ['INT', 'RQO', 'MedicationRequest', 'order'],
        ['EVN', '', 'MedicationStatement', undefined],
      ] as const) {
        const id = await ground.put(ccda('10160-0', medicine(mood, `Medicine ${mood} ${supply}`, supply)));
        const out = await ofVersion(type, id);
        expect(out.map((one) => [mood, supply, one['intent']])).to.equal([[mood, supply, intent]]);
      }
    });

    it('takes a prescription of the documents of the specification for an order, and other words for a plan', async () => {
      const prescribed = (intent: string): string =>
        '<Models><Model name="Medication"><Field name="drugName_title">Penicillin V</Field>' +
        `<Field name="provenance_identifier">prescription</Field>${intent}</Model></Models>`;
      for (const [field, intent] of [
        ['', 'order'],
        ['<Field name="intent_title">As soon as she is well</Field>', 'plan'],
        [
          '<Field name="intent_identifier">instance-order</Field><Field name="intent_title">One dose</Field>',
          'instance-order',
        ],
      ] as const) {
        const [out] = await ofVersion('MedicationRequest', await ground.put(prescribed(field)));
        expect(out?.['intent']).to.equal(intent);
        expect(await count(`MedicationRequest?_id=${out?.['id'] as string}&intent=${intent}`)).to.equal(1);
      }
    });

    it('gives a problem the category that it came with, and finds it by that', async () => {
      const coding = (system: string, code: string): Read => ({ coding: [{ system, code }] });
      const sdoh = coding('http://hl7.org/fhir/us/core/CodeSystem/us-core-tags', 'sdoh');
      const local = { coding: [{ system: 'http://snomed.info/sct', code: '439401001', display: 'Diagnosis' }] };
      for (const [category, code, , profile] of [
        [
          [coding(R4, 'problem-list-item')],
          'problem-list-item',
          coding(R4, 'problem-list-item'),
          'problems-health-concerns',
        ],
        [
          [coding(R4, 'encounter-diagnosis')],
          'encounter-diagnosis',
          coding(R4, 'encounter-diagnosis'),
          'encounter-diagnosis',
        ],
        [
          [sdoh, coding(US_CORE, 'health-concern')],
          'health-concern',
          coding(US_CORE, 'health-concern'),
          'problems-health-concerns',
        ],
        [[local], '439401001', { ...local, text: 'Diagnosis' }, undefined],
        [[{ text: 'Complaint' }], undefined, { text: 'Complaint' }, undefined],
        [undefined, undefined, undefined, undefined],
      ] as const) {
        const made = await post({
          resourceType: 'Condition',
          clinicalStatus: coding('http://terminology.hl7.org/CodeSystem/condition-clinical', 'active'),
          ...(category === undefined ? {} : { category }),
          code: { text: `Problem of ${code ?? JSON.stringify(category)}` },
        });
        expect(made['category']).to.equal(category);
        const claimed = ['problems-health-concerns', 'encounter-diagnosis'].filter((name) =>
          inProfile(made, `${PROFILES}-${name}`),
        );
        expect(claimed).to.equal(profile === undefined ? [] : [profile]);
        if (code !== undefined) {
          expect(await count(`Condition?category=${code}`)).to.equal(1);
        }
      }
      expect(await count(`Condition?category=${encodeURIComponent(`${R4}|`)}`)).to.equal(2);
    });

    it('tells diagnoses of a visit from items of a list in a C-CDA, by the act and by the section', async () => {
      for (const [section, act, code] of [
        ['11450-4', '3', 'problem-list-item'],
        ['11535-2', '33', 'encounter-diagnosis'],
        ['11535-2', '3', 'encounter-diagnosis'],
        ['46241-6', '3', 'encounter-diagnosis'],
        ['46240-8', '80', 'encounter-diagnosis'],
        ['75310-3', '132', 'health-concern'],
      ] as const) {
        const out = await ofVersion(
          'Condition',
          await ground.put(ccda(section, problem(act, `Problem ${section} ${act}`))),
        );
        expect(out.map((one) => [section, act, one['category'][0].coding[0].code])).to.equal([[section, act, code]]);
      }
    });

    it('takes a problem of a document that has no place for it for an item of the list of the record', async () => {
      const id = await ground.put(
        '<Models><Model name="Problem"><Field name="name_title">Hay fever</Field>' +
          '<Field name="clinicalStatus_title">Active</Field></Model></Models>',
      );
      const [out] = await ofVersion('Condition', id);
      expect(out?.['category']).to.equal([{ coding: [{ system: R4, code: 'problem-list-item' }] }]);
      expect(await count(`Condition?_id=${out?.['id'] as string}&category=problem-list-item`)).to.equal(1);
    });
  });
}
