/**
 * whole-statements: what resources of FHIR say beside their names. A bound, a second value, an end or a "not" that is
 * passed over makes the rest say something else.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const subject = { reference: 'Patient/p' };
const text = (words: string): object => ({ text: words });
const years = (value: number, comparator: string): object => ({
  value,
  comparator,
  system: 'http://unitsofmeasure.org',
  code: 'a',
});

const readEntries = (type: string, entry: readonly object[]) =>
  reader.read(Buffer.from(JSON.stringify({ resourceType: 'Bundle', type, entry })));

/** The facts of resources, each as its model and its values, and the reasons for what was left out. */
const read = async (...resources: readonly object[]) => {
  const entries = [{ resourceType: 'Patient', id: 'p' }, ...resources].map((resource) => ({ resource }));
  const { facts, leftOut } = await readEntries('collection', entries);
  return {
    facts: facts.map(({ model, values }) => ({ model, ...values })),
    leftOut: leftOut.map(({ model, reason }) => `${model} ${reason}`),
  };
};

/** The first fact of resources of which nothing was left out. */
const factOf = async (...resources: readonly object[]) => {
  const { facts, leftOut } = await read(...resources);
  expect(leftOut).to.equal([]);
  return facts[0]!;
};

const observation = (more: object): object => ({
  resourceType: 'Observation',
  status: 'final',
  subject,
  code: text('Potassium'),
  valueQuantity: { value: 6.9, unit: 'mmol/L' },
  ...more,
});
const prescription = (more: object): object => ({
  resourceType: 'MedicationRequest',
  status: 'active',
  intent: 'order',
  subject,
  ...more,
});

describe('a resource of FHIR', () => {
  it('keeps the sign before an age, an amount and a time', async () => {
    const condition = { resourceType: 'Condition', subject, code: text('Asthma'), onsetAge: years(18, '<') };
    expect(await factOf({ ...condition, abatementAge: years(30, '>') })).to.include({
      notes: 'Onset at the age of <18 years. Ended at the age of >30 years.',
    });
    const drops = { numerator: { value: 1, comparator: '<', unit: 'mg' }, denominator: { value: 1, unit: 'mL' } };
    const contained = [
      {
        resourceType: 'Medication',
        id: 'm',
        ingredient: [{ itemCodeableConcept: text('Cannabidiol'), strength: drops }],
      },
    ];
    expect(await factOf(prescription({ contained, medicationReference: { reference: '#m' } }))).to.include({
      drugName_title: 'Cannabidiol <1 mg/1 mL',
      strength: '<1 mg/1 mL',
    });
    const target = [{ measure: text('Weight'), dueDuration: { value: 6, comparator: '<', unit: 'months' } }];
    const goal = { resourceType: 'Goal', lifecycleStatus: 'active', subject, description: text('Lose weight'), target };
    const about = { resourceType: 'Condition', id: 'c', subject, code: text('Obesity') };
    expect(await factOf({ ...goal, addresses: [{ reference: 'Condition/c' }] }, about)).to.include({
      target: 'Weight , within <6 months',
      notes: 'About: Obesity.',
    });
  });

  it('keeps every interpretation of a result, and the words beside a code', async () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
    const high = { coding: [{ system, code: 'H' }] };
    expect(await factOf(observation({ interpretation: [high, text('Haemolysed')] }))).to.include({
      abnormal_interpretation_title: 'High',
      notes: 'Interpretation: Haemolysed.',
    });
    const normal = { coding: [{ system, code: 'N', display: 'Normal' }], text: 'Normal for people on dialysis' };
    expect(await factOf(observation({ interpretation: [normal] }))).to.include({
      abnormal_interpretation_title: 'Normal',
      notes: 'In the words of the source: Normal for people on dialysis.',
    });
    const week = { boundsPeriod: { start: '2024-01-01', end: '2024-01-07' }, frequency: 3, period: 1, periodUnit: 'd' };
    expect(await factOf(observation({ effectiveTiming: { repeat: week } }))).to.include({
      notes: 'When: 3 in 1 d, from 2024-01-01 until 2024-01-07.',
    });
  });

  it('keeps stages with their kind, ends, second people and second places', async () => {
    const stage = [{ summary: text('IIIB'), type: text('Pathological'), assessment: [{ display: 'pT3 N1' }] }];
    const cancer = { resourceType: 'Condition', subject, code: text('Cancer'), stage };
    expect(await factOf({ ...cancer, evidence: [{ detail: [{ display: 'Biopsy' }] }] })).to.include({
      notes: 'Stage: IIIB. Kind of stage: Pathological. Stage by: pT3 N1. Evidence: Biopsy.',
    });
    const performer = [{ actor: { display: 'A. Bell' } }, { actor: { display: 'B. Cole' } }];
    const performedPeriod = { start: '2024-01-01', end: '2024-03-01' };
    const dialysis = { resourceType: 'Procedure', status: 'completed', subject, code: text('Dialysis'), performer };
    expect(await factOf({ ...dialysis, performedPeriod })).to.include({
      provider_name: 'A. Bell',
      comments: 'Until: 2024-03-01. Also there: B. Cole.',
    });
    const stay = {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'IMP' },
      subject,
      location: [{ location: { display: 'Intensive care' } }, { location: { display: 'Ward 3' } }],
      hospitalization: { destination: { display: 'Nursing home' } },
      diagnosis: [{ condition: { display: 'Pneumonia' }, use: text('Discharge diagnosis') }],
    };
    expect(await factOf(stay)).to.include({
      facility_name: 'Intensive care',
      notes: 'Went to: Nursing home. Diagnosis: Pneumonia (Discharge diagnosis). Also at: Ward 3.',
    });
  });

  it('keeps every reason, kind and course, and names nobody by a former name', async () => {
    const given = { resourceType: 'MedicationAdministration', status: 'stopped', subject };
    const statusReason = [text('Rash'), text('Flushing')];
    const vancomycin = { ...given, statusReason, medicationCodeableConcept: text('Vancomycin') };
    expect(await factOf({ ...vancomycin, effectiveDateTime: '2024-01-01' })).to.include({
      reasonStopped_title: 'Rash',
      notes: 'Also: Flushing.',
    });
    const course = { courseOfTherapyType: text('Continuous'), medicationCodeableConcept: text('Metoprolol') };
    expect(await factOf(prescription(course))).to.include({ notes: 'Course: Continuous.' });
    const egg = { resourceType: 'AllergyIntolerance', patient: subject, code: text('Egg') };
    expect(await factOf({ ...egg, category: ['food', 'medication'] })).to.include({
      category_title: 'Food allergy or intolerance',
      notes: 'Also of the kind: medication.',
    });
    const vaccine = { resourceType: 'Immunization', status: 'completed', patient: subject, vaccineCode: text('Td') };
    expect(await factOf({ ...vaccine, occurrenceString: 'unknown', recorded: '2024-02-02' })).to.include({
      date: null,
      notes: 'Written down on 2024-02-02.',
    });
    const name = [
      { use: 'old', family: 'Miller' },
      { use: 'official', family: 'Smith' },
    ];
    const telecom = [
      { system: 'phone', use: 'old', value: '1' },
      { system: 'phone', use: 'work', value: '2' },
    ];
    const individual = { reference: 'Practitioner/d' };
    const visit = { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject };
    const doctor = { resourceType: 'Practitioner', id: 'd', name, telecom };
    expect(await factOf({ ...visit, participant: [{ individual }] }, doctor)).to.include({
      provider_name_family: 'Smith',
      provider_tel_1_number: '2',
      provider_tel_2_number: null,
    });
  });

  it('names a medicine as it was written where its code is that of another strength', async () => {
    const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
    const coding = [{ system: rxnorm, code: '1', display: 'Metoprolol tartrate 25 MG' }];
    const named = async (words: string) => factOf(prescription({ medicationCodeableConcept: { coding, text: words } }));
    expect(await named('metoprolol succinate ER 50 mg')).to.include({
      drugName_title: 'metoprolol succinate ER 50 mg',
      drugName_identifier: '1',
      notes: 'Its code is that of: Metoprolol tartrate 25 MG.',
    });
    expect(await named('metoprolol 25 mg')).to.include({ drugName_title: 'Metoprolol tartrate 25 MG', notes: null });
  });

  it('says that a medicine is stopped where its words say only that', async () => {
    const told = (words: string): object => ({ dosageInstruction: [{ text: words }] });
    const aspirin = { medicationCodeableConcept: text('Aspirin 81 mg') };
    expect(await factOf(prescription({ ...aspirin, ...told('STOP taking') }))).to.include({
      status_title: 'Stopped',
      notes: 'The sender’s entry has the status active.',
    });
    expect(await factOf(prescription({ ...aspirin, ...told('Stop if bleeding') }))).to.include({
      status_title: 'Active',
    });
  });

  it('of a history is not shown where its newest entry says that it was deleted', async () => {
    const fullUrl = 'https://h.example/MedicationStatement/1';
    const request = { method: 'DELETE', url: 'MedicationStatement/1' };
    const stated = { resourceType: 'MedicationStatement', id: '1', status: 'active', subject };
    const resource = { ...stated, medicationCodeableConcept: text('Warfarin') };
    const deleted = { fullUrl, request, response: { status: '204' } };
    const put = { fullUrl, resource, request: { ...request, method: 'PUT' }, response: { status: '200' } };
    const { facts, leftOut } = await readEntries('history', [deleted, put]);
    expect(facts).to.equal([]);
    expect(leftOut.map(({ reason }) => reason)).to.equal(['entered_in_error']);
    // Put again after it was deleted, it is there.
    expect((await readEntries('history', [put, deleted])).facts).to.have.length(1);
  });
});

describe('a plan of FHIR', () => {
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject, title: 'Plan' };

  it('says what is not to be done, names products, and ends with the whole plan', async () => {
    const scheduledTiming = { repeat: { frequency: 2, period: 1, periodUnit: 'wk', dayOfWeek: ['mon', 'thu'] } };
    const lifting = { status: 'not-started', doNotPerform: true, code: text('Heavy lifting'), scheduledTiming };
    const dailyAmount = { value: 3, unit: 'tablet' };
    const drug = { status: 'scheduled', productCodeableConcept: text('Ibuprofen 400 mg'), dailyAmount };
    const { facts } = await read({ ...plan, activity: [{ detail: lifting }, { detail: drug }] });
    expect(facts[0]).to.include({
      name_title: 'Not to be done: Heavy lifting',
      name_identifier: null,
      instructions: '2 times a week, on Mondays and on Thursdays',
    });
    expect(facts[1]).to.include({ name_title: 'Ibuprofen 400 mg', notes: 'Each day: 3 tablet.' });
    const cycle = { detail: { status: 'scheduled', code: text('Cycle 2') } };
    expect(await factOf({ ...plan, status: 'revoked', activity: [cycle] })).to.include({
      status_title: 'Revoked',
      notes: 'The status of this activity by itself: scheduled.',
    });
  });

  it('is also what was asked for, and what was asked not to be done', async () => {
    const asked = { resourceType: 'ServiceRequest', status: 'active', intent: 'order', subject };
    const timing = { repeat: { frequency: 1, period: 3, periodUnit: 'mo' } };
    expect(
      await factOf({
        ...asked,
        code: text('HbA1c'),
        category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
        occurrenceTiming: timing,
        asNeededBoolean: true,
        priority: 'urgent',
        patientInstruction: 'Eat nothing before it',
        reasonCode: [text('Diabetes')],
      }),
    ).to.include({
      model: 'CarePlan',
      name_title: 'HbA1c',
      kind: 'examination',
      intent_title: 'Order',
      status_title: 'Active',
      instructions: 'once every 3 months; as needed',
      reason: 'Diabetes',
      notes: 'Priority: urgent. Eat nothing before it',
    });
    expect(await factOf({ ...asked, doNotPerform: true, code: text('Resuscitation') })).to.include({
      name_title: 'Not to be done: Resuscitation',
    });
    expect((await read({ ...asked, status: 'entered-in-error', code: text('MRI') })).leftOut).to.equal([
      'CarePlan entered_in_error',
    ]);
  });
});

describe('a filled-in questionnaire of FHIR', () => {
  const answers = { resourceType: 'QuestionnaireResponse', status: 'completed', subject, authored: '2024-02-01' };

  it('is a result for each answer, with the questions around it', async () => {
    const inner = [{ linkId: '2', text: 'Reaction', answer: [{ valueCoding: { code: 'A', display: 'Anaphylaxis' } }] }];
    const drug = { linkId: '1.1', text: 'Which medicine?', answer: [{ valueString: 'Penicillin', item: inner }] };
    const item = [{ linkId: '1', text: 'Allergies', item: [drug] }];
    const { facts, leftOut } = await read({ ...answers, item });
    expect(leftOut).to.equal([]);
    expect(facts[0]).to.include({
      model: 'LabResult',
      test_name_title: 'Which medicine?',
      value: 'Penicillin',
      category_identifier: 'survey',
      notes: 'Allergies',
    });
    expect(facts[1]).to.include({
      test_name_title: 'Reaction',
      value: 'Anaphylaxis',
      notes: 'Allergies; Which medicine?',
    });
  });

  it('without an answer is left out and told', async () => {
    const { facts, leftOut } = await read({ ...answers, item: [{ linkId: '1', text: 'Allergies' }] });
    expect(facts).to.equal([]);
    expect(leftOut).to.equal(['QuestionnaireResponse no_value']);
  });
});
