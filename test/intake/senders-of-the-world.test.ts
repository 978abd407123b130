/**
 * senders of the world: structures as portals and systems of several countries write them, each with what a person who
 * reads it would say. Nothing is shown as there, taken, given or certain that is not.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { oneSection } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const templates = '2.16.840.1.113883.10.20.22.4';
const LOINC = 'codeSystem="2.16.840.1.113883.6.1"';
const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const subject = { reference: 'Patient/p' };
const patient = subject;

const template = (number: number): string => `<templateId root="${templates}.${number}"/>`;
const worded = (words: string): string => `nullFlavor="OTH"><originalText>${words}</originalText>`;
const period = (low: string, high = ''): string =>
  `<effectiveTime xsi:type="IVL_TS"><low value="${low}"/>${high === '' ? '' : `<high ${high}/>`}</effectiveTime>`;
const drug = (name: string, before: string, behind = ''): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN">${template(16)}${before}<consumable><manufacturedProduct>` +
  `<manufacturedMaterial><code code="1" codeSystem="2.16.840.1.113883.6.88" displayName="${name}"/>` +
  `</manufacturedMaterial></manufacturedProduct></consumable>${behind}</substanceAdministration>`;
const status = (words: string): string =>
  `<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN">${template(6)}<code code="33999-4" ` +
  `${LOINC}/><statusCode code="completed"/><value xsi:type="CD" ${worded(words)}</value></observation></entryRelationship>`;
const problem = (value: string, behind = ''): string =>
  `<act classCode="ACT" moodCode="EVN">${template(3)}<code code="CONC"/><statusCode code="active"/><entryRelationship ` +
  `typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">${template(4)}<code code="55607006" ${SNOMED}/>` +
  `<statusCode code="completed"/>${value}${behind}</observation></entryRelationship></act>`;
const coded = (name: string, inside = ''): string =>
  `<value xsi:type="CD" code="9" ${SNOMED} displayName="${name}">${inside}</value>`;
const allergy = (words: string): string =>
  `<act classCode="ACT" moodCode="EVN">${template(30)}<code code="CONC"/><statusCode code="active"/><entryRelationship ` +
  `typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">${template(7)}<code code="ASSERTION"/><statusCode ` +
  `code="completed"/><value xsi:type="CD" code="416098002" ${SNOMED} displayName="Drug allergy"/><participant ` +
  `typeCode="CSM"><participantRole><playingEntity><code ${worded(words)}</code></playingEntity></participantRole>` +
  '</participant></observation></entryRelationship></act>';
const vaccine = (attributes: string, material: string): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN" ${attributes}>${template(52)}<statusCode code="completed"/>` +
  `<effectiveTime value="20231001"/><consumable><manufacturedProduct><manufacturedMaterial>${material}` +
  '</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>';
const result = (inside: string): string =>
  `<observation classCode="OBS" moodCode="EVN">${template(2)}<code code="2160-0" ${LOINC} displayName="Creatinine"/>` +
  `<statusCode code="completed"/><effectiveTime value="20240101"/>${inside}</observation>`;

const bundle = (...resources: readonly object[]): Buffer => {
  const person = { resourceType: 'Patient', id: 'p', gender: 'female', birthDate: '1980-01-01' };
  const entry = [person, ...resources].map((resource) => ({ resource }));
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry }));
};
const allergyTo = (text: string, more: object = {}) => ({
  resourceType: 'AllergyIntolerance',
  patient,
  code: { text },
  ...more,
});
const condition = (text: string, more: object = {}) => ({
  resourceType: 'Condition',
  subject,
  code: { text },
  ...more,
});
const taking = (text: string, more: object = {}) => ({
  resourceType: 'MedicationStatement',
  status: 'active',
  subject,
  medicationCodeableConcept: { text },
  ...more,
});
const given = (text: string, more: object = {}) => ({
  resourceType: 'Immunization',
  status: 'completed',
  patient,
  occurrenceDateTime: '2021-06-01',
  vaccineCode: { text },
  ...more,
});
const observed = (category: string, text: string, more: object) => ({
  resourceType: 'Observation',
  status: 'final',
  category: [{ coding: [{ code: category }] }],
  subject,
  effectiveDateTime: '2024-01-01',
  code: { text },
  ...more,
});
const changed = (code: string, display: string) => ({
  extension: [
    {
      url: 'http://hl7.org.au/fhir/StructureDefinition/change-type',
      valueCodeableConcept: { coding: [{ code, display }] },
    },
  ],
});
const active = { clinicalStatus: { coding: [{ code: 'active' }] } };

const NAMES = [
  'drugName_title',
  'allergen_title',
  'name_title',
  'product_name_title',
  'test_name_title',
  'name',
  'payer',
];
const STATES = [
  'clinicalStatus_title',
  'verificationStatus_title',
  'administration_status_title',
  'statusReason_title',
];
const SAID = [
  ...['value', 'value_title', 'amount_value', 'quantitative_result_value_value', 'abnormal_interpretation_title'],
  ...['instructions', 'notes', 'lotNumber', 'dose_number', 'allergic_reaction_title', 'severity_title'],
];

/** "Model: its name, its states | what is said of it" for each fact, "left out: ..." for each statement that is none. */
async function told(document: Buffer): Promise<readonly string[]> {
  const { facts, leftOut } = await reader.read(document);
  const lines = facts.map(({ model, values }) => {
    const ofStatus = ['Medication', 'Coverage', 'Equipment'].includes(model) ? ['status_title'] : [];
    const words = (names: readonly string[]) =>
      names.map((name) => values[name]).filter((one) => one !== null && one !== undefined);
    const said = words(SAID);
    return `${model}: ${[...words(NAMES), ...words([...STATES, ...ofStatus])].join(', ')}${said.length === 0 ? '' : ` | ${said.join(' | ')}`}`;
  });
  return [...lines, ...leftOut.map(({ count, model, reason }) => `left out: ${count} ${model} ${reason}`)];
}

type Case = readonly [name: string, document: Buffer, expected: readonly string[]];

async function expectAll(cases: readonly Case[]): Promise<void> {
  for (const [name, document, expected] of cases) {
    expect([name, ...(await told(document))]).to.equal([name, ...expected]);
  }
}

describe('C-CDA of systems of the United States', () => {
  it('says of medicines what their senders say', () =>
    expectAll([
      [
        'NextGen: active, with an end that is past',
        oneSection(
          '10160-0',
          drug('Lisinopril', `<statusCode code="active"/>${period('20230101', 'value="20230201"')}`),
        ),
        ['Medication: Lisinopril, Active'],
      ],
      [
        'Allscripts: a text that says more than the schedule',
        oneSection(
          '10160-0',
          drug(
            'Warfarin',
            `<text>1 TABLET DAILY EXCEPT 2 ON MONDAY</text><statusCode code="active"/>${period('20230101')}<effectiveTime ` +
              'xsi:type="PIVL_TS" institutionSpecified="true" operator="A"><period value="24" unit="h"/></effectiveTime>' +
              '<doseQuantity value="1"/>',
          ),
        ),
        ['Medication: Warfarin, Active | 1 TABLET DAILY EXCEPT 2 ON MONDAY (a dose of 1 once a day)'],
      ],
      [
        'eClinicalWorks: completed, on hold',
        oneSection(
          '10160-0',
          drug(
            'Metformin',
            `<statusCode code="completed"/>${period('20230101', 'nullFlavor="UNK"')}`,
            status('On Hold'),
          ),
        ),
        ['Medication: Metformin, On Hold'],
      ],
      [
        'eClinicalWorks: not taking, in the name',
        oneSection('10160-0', drug('Metformin (Not-Taking)', '<statusCode code="active"/>')),
        ['Medication: Metformin (Not-Taking), Stopped | The sender’s entry has the status active.'],
      ],
      [
        'VA: expired',
        oneSection(
          '10160-0',
          drug(
            'SIMVASTATIN 40MG TAB',
            `<text>TAKE ONE-HALF TABLET AT BEDTIME</text><statusCode code="completed"/>${period('20220101', 'value="20230101"')}`,
            status('EXPIRED'),
          ),
        ),
        ['Medication: SIMVASTATIN 40MG TAB, EXPIRED | TAKE ONE-HALF TABLET AT BEDTIME'],
      ],
      [
        'VA: of another source',
        oneSection('10160-0', drug('OTHER: FISH OIL (NON-VA)', '<statusCode code="active"/>')),
        ['Medication: OTHER: FISH OIL (NON-VA), Active'],
      ],
    ]));

  it('says of problems and allergies what their senders say', () =>
    expectAll([
      [
        'Allscripts: denied in words beside the code',
        oneSection('11450-4', problem(coded('Asthma', '<originalText>Denied Asthma</originalText>'))),
        ['left out: 1 Problem negated'],
      ],
      [
        'Allscripts: words that deny something else',
        oneSection('11450-4', problem(coded('Cancer', '<originalText>No evidence of recurrence</originalText>'))),
        ['Problem: Cancer, Active | In the words of the source: No evidence of recurrence.'],
      ],
      [
        'MEDITECH: to be ruled out, in a qualifier',
        oneSection(
          '11450-4',
          problem(
            coded(
              'Myocardial infarction',
              '<qualifier><name code="1"/><value code="2" displayName="Rule out"/></qualifier>',
            ),
          ),
        ),
        ['Problem: Myocardial infarction, Active, Unconfirmed | 1: Rule out.'],
      ],
      [
        'VA: inactive, in words',
        oneSection('11450-4', problem(coded('Diabetes (ICD-9-CM 250.00)'), status('INACTIVE'))),
        ['Problem: Diabetes (ICD-9-CM 250.00), INACTIVE'],
      ],
      [
        'NextGen: no known drug allergies',
        oneSection('48765-2', allergy('No known drug allergies.')),
        ['AllergyExclusion: No known history of drug allergy'],
      ],
      ['Greenway: none', oneSection('48765-2', allergy('Allergies: None')), ['left out: 1 Allergy negated']],
      ['MEDITECH: a class', oneSection('48765-2', allergy('NSAIDS')), ['Allergy: NSAIDS, Active']],
    ]));

  it('says of vaccines and results what their senders say', () =>
    expectAll([
      [
        'Greenway: refused, in the place of the lot',
        oneSection(
          '11369-6',
          vaccine('', '<code code="140" displayName="Influenza"/><lotNumberText>REFUSED</lotNumberText>'),
        ),
        ['Immunization: Influenza, Not administered | REFUSED'],
      ],
      [
        'Greenway: a result that points at its remark',
        oneSection(
          '30954-2',
          result(
            '<value xsi:type="ST">See Note</value><interpretationCode code="H" codeSystem="2.16.840.1.113883.5.83"/>' +
              `<entryRelationship typeCode="SUBJ"><act classCode="ACT" moodCode="EVN">${template(64)}<code code="48767-8" ` +
              `${LOINC}/><text>Hemolyzed</text></act></entryRelationship>`,
          ),
        ),
        ['LabResult: Creatinine | See Note | High | Hemolyzed'],
      ],
    ]));
});

describe('FHIR of portals of the United States', () => {
  it('says what Epic says', () =>
    expectAll([
      [
        'reported by the patient, three doses of one drug',
        bundle({
          resourceType: 'MedicationRequest',
          status: 'active',
          intent: 'plan',
          reportedBoolean: true,
          medicationReference: { display: 'aspirin 81 mg chewable tablet' },
          subject,
          dosageInstruction: [
            {
              text: 'Chew 81 mg daily.',
              patientInstruction: 'Take with food',
              doseAndRate: [
                { type: { text: 'ordered' }, doseQuantity: { value: 81, unit: 'mg' } },
                { type: { text: 'admin-amount' }, doseQuantity: { value: 1, unit: 'tablet' } },
              ],
            },
          ],
        }),
        [
          'Medication: aspirin 81 mg chewable tablet, Active | Chew 81 mg daily. (81 mg (ordered) or 1 tablet (admin-amount); ' +
            'instructions: Take with food)',
        ],
      ],
      ['no known allergies', bundle(allergyTo('NO KNOWN ALLERGIES', active)), ['AllergyExclusion: No known allergies']],
      [
        'denied in words',
        bundle(condition('', { code: { text: 'No history of asthma', coding: [{ code: '1', display: 'Asthma' }] } })),
        ['left out: 1 Problem negated'],
      ],
      [
        'active with an end to come',
        bundle(condition('Hypertension', { ...active, abatementDateTime: '2199-01-01' })),
        ['Problem: Hypertension, Active'],
      ],
      [
        'given elsewhere in a year',
        bundle(
          given('Tdap', { occurrenceDateTime: '2011', primarySource: false, reportOrigin: { text: 'Historical' } }),
        ),
        ['Immunization: Tdap, Dose given | As reported by: Historical.'],
      ],
      [
        'deferred',
        bundle(given('Influenza', { status: 'not-done', statusReason: { text: 'Deferred - illness' } })),
        ['Immunization: Influenza, Not administered, Deferred - illness'],
      ],
      [
        'alcohol with its amount',
        bundle(
          observed('social-history', 'Alcohol use', {
            valueCodeableConcept: { text: 'Not Currently' },
            component: [{ code: { text: 'Drinks/Week' }, valueQuantity: { value: 0, unit: 'standard drinks' } }],
          }),
        ),
        ['SocialHistory: Alcohol use | Not Currently', 'SocialHistory: Drinks/Week | 0'],
      ],
    ]));

  it('says what Oracle Health and Athena say', () =>
    expectAll([
      [
        'a diagnosis of several',
        bundle(
          condition('Pulmonary embolism', { ...active, verificationStatus: { coding: [{ code: 'differential' }] } }),
        ),
        ['Problem: Pulmonary embolism, Active, Differential'],
      ],
      [
        'a critical value',
        bundle(
          observed('laboratory', 'Potassium Lvl', {
            valueQuantity: { value: 6.9, unit: 'mmol/L' },
            interpretation: [{ text: 'CRIT', coding: [{ code: 'HH' }] }],
          }),
        ),
        ['LabResult: Potassium Lvl | 6.9 | Critical high | In the words of the source: CRIT.'],
      ],
      [
        'a culture that is only a remark',
        bundle(observed('laboratory', 'Blood culture', { note: [{ text: 'Corrected: growth of MRSA' }] })),
        ['LabResult: Blood culture | Corrected: growth of MRSA'],
      ],
      [
        'two reactions of one intolerance',
        bundle(
          allergyTo('morphine', {
            type: 'intolerance',
            reaction: [
              { manifestation: [{ text: 'nausea' }], severity: 'mild' },
              { manifestation: [{ text: 'Anaphylaxis' }], severity: 'severe' },
            ],
          }),
        ),
        ['Allergy: morphine | nausea | Mild', 'Allergy: morphine | Anaphylaxis | Severe'],
      ],
      [
        'completed, without dates',
        bundle(taking('lisinopril', { status: 'completed', dosage: [{ text: '1 tablet every day' }] })),
        ['Medication: lisinopril, Completed | 1 tablet every day'],
      ],
      [
        'an allergy that is over',
        bundle(allergyTo('Penicillins', { clinicalStatus: { coding: [{ code: 'inactive' }] } })),
        ['Allergy: Penicillins, Inactive'],
      ],
      [
        'refused, in the place of the lot',
        bundle(given('Influenza', { lotNumber: 'Declined' })),
        ['Immunization: Influenza, Not administered | Declined'],
      ],
    ]));

  it('says what insurers and older portals say', () =>
    expectAll([
      [
        'CARIN: a claim and an insurance that was cancelled',
        bundle(
          {
            resourceType: 'ExplanationOfBenefit',
            status: 'active',
            type: { coding: [{ code: 'professional' }] },
            use: 'claim',
            patient,
            created: '2024-01-01',
            insurer: { display: 'X' },
            provider: { display: 'Y' },
            outcome: 'complete',
            insurance: [{ focal: true, coverage: { display: 'Z' } }],
          },
          { resourceType: 'Coverage', status: 'cancelled', beneficiary: patient, payor: [{ display: 'Aetna' }] },
        ),
        ['Coverage: Aetna, Cancelled', 'left out: 1 ExplanationOfBenefit not_supported'],
      ],
      [
        'STU3: not taken',
        bundle(taking('Atenolol', { taken: 'n', reasonNotTaken: [{ text: 'side effects' }] })),
        ['left out: 1 MedicationStatement fhir_converted', 'left out: 1 Medication negated'],
      ],
      [
        'DSTU2: refuted, over, not certain',
        bundle(
          { resourceType: 'AllergyIntolerance', patient, substance: { text: 'Sulfa' }, status: 'refuted' },
          { resourceType: 'AllergyIntolerance', patient, substance: { text: 'Milk' }, status: 'resolved' },
          { resourceType: 'AllergyIntolerance', patient, substance: { text: 'Eggs' }, status: 'unconfirmed' },
        ),
        [
          'Allergy: Sulfa, Refuted',
          'Allergy: Milk, Resolved',
          'Allergy: Eggs, Unconfirmed',
          'left out: 1 AllergyIntolerance fhir_converted',
          'left out: 1 AllergyIntolerance fhir_converted',
          'left out: 1 AllergyIntolerance fhir_converted',
        ],
      ],
      [
        'DSTU2: on hold',
        bundle({
          resourceType: 'MedicationOrder',
          status: 'on-hold',
          patient,
          medicationCodeableConcept: { text: 'Plavix' },
          dosageInstruction: [{ text: '1 daily' }],
        }),
        ['Medication: Plavix, On hold | 1 daily', 'left out: 1 MedicationRequest fhir_converted'],
      ],
      [
        'DSTU2: not given',
        bundle({
          resourceType: 'Immunization',
          status: 'completed',
          date: '2015-01-01',
          vaccineCode: { text: 'Flu' },
          patient,
          wasNotGiven: true,
          reported: false,
          explanation: { reasonNotGiven: [{ text: 'Allergy to eggs' }] },
        }),
        ['Immunization: Flu, Not administered, Allergy to eggs', 'left out: 1 Immunization fhir_converted'],
      ],
    ]));
});

describe('what systems of other countries say', () => {
  it('Australia: a medicine that was ceased or is as it was', () =>
    expectAll([
      [
        'ceased',
        bundle(taking('Panadol', changed('ceased', 'Ceased'))),
        [
          'Medication: Panadol, Stopped | The sender’s entry has the status active. In the words of the source: Ceased.',
        ],
      ],
      [
        'suspended',
        bundle(taking('Panadol', changed('suspended', 'Suspended'))),
        [
          'Medication: Panadol, On hold | The sender’s entry has the status active. In the words of the source: Suspended.',
        ],
      ],
      ['unchanged', bundle(taking('Panadol', changed('unchanged', 'Unchanged'))), ['Medication: Panadol, Active']],
      [
        'second dose',
        bundle(given('Comirnaty', { protocolApplied: [{ doseNumberPositiveInt: 2 }] })),
        ['Immunization: Comirnaty, Dose given | 2'],
      ],
    ]));

  it('France: none known with any apostrophe, suspicion, history, what was not done', () =>
    expectAll([
      [
        'no allergies',
        bundle(
          allergyTo('Absence d’allergie connue'),
          allergyTo("Pas d'allergie connue"),
          allergyTo('Pas d’allergie connue'),
        ),
        [
          'AllergyExclusion: No known allergies',
          'AllergyExclusion: No known allergies',
          'AllergyExclusion: No known allergies',
        ],
      ],
      [
        'suspicion and history',
        bundle(condition('Suspicion de phlébite', active), condition('Antécédent d’infarctus', active)),
        [
          'Problem: Suspicion de phlébite, Active, Unconfirmed',
          'Problem: Antécédent d’infarctus | The sender’s entry has the status active.',
        ],
      ],
      [
        'a vaccine that was not given',
        oneSection('11369-6', vaccine('negationInd="true"', '<code code="J07BB02" displayName="Grippe"/>')),
        ['Immunization: Grippe, Not administered'],
      ],
    ]));

  it('the Netherlands: none known, suspicion, history', () =>
    expectAll([
      [
        'no allergies',
        bundle(allergyTo('Geen allergieën bekend'), allergyTo('Geen bekende allergieën')),
        ['AllergyExclusion: No known allergies', 'AllergyExclusion: No known allergies'],
      ],
      [
        'problems',
        bundle(
          condition('Geen bijzonderheden'),
          condition('Verdenking longembolie', active),
          condition('Status na CVA', active),
          condition('VG: appendectomie', active),
        ),
        [
          'Problem: Verdenking longembolie, Active, Unconfirmed',
          'Problem: Status na CVA | The sender’s entry has the status active.',
          'Problem: VG: appendectomie | The sender’s entry has the status active.',
          'left out: 1 Problem negated',
        ],
      ],
    ]));

  it('Denmark, Sweden, Norway and Poland: none known, suspicion, history', () =>
    expectAll([
      [
        'no allergies',
        bundle(allergyTo('Ingen kendt allergi'), allergyTo('Inga kända allergier'), allergyTo('Brak alergii')),
        [
          'AllergyExclusion: No known allergies',
          'AllergyExclusion: No known allergies',
          'AllergyExclusion: No known allergies',
        ],
      ],
      ['an allergy', bundle(allergyTo('CAVE penicillin')), ['Allergy: CAVE penicillin']],
      [
        'problems',
        bundle(
          condition('Obs. pro lungeemboli', active),
          condition('Misstänkt stroke', active),
          condition('Tidligere apopleksi', active),
        ),
        [
          'Problem: Obs. pro lungeemboli, Active, Unconfirmed',
          'Problem: Misstänkt stroke, Active, Unconfirmed',
          'Problem: Tidligere apopleksi | The sender’s entry has the status active.',
        ],
      ],
      [
        'a dose elsewhere in writing',
        bundle(taking('Marevan', { dosage: [{ text: 'Efter skriftlig anvisning' }] })),
        ['Medication: Marevan, Active | Efter skriftlig anvisning'],
      ],
    ]));
});
