/**
 * older fhir: resources of DSTU2 and STU3 that people are given are read as R4, with the meaning that they have: what
 * was not given, not taken or is over never reads as current.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { fromOlder } from '../../core/fhir/versions/older-resources';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const patient = { reference: 'Patient/p' };
const bytesOf = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));
const bundle = (...resources: readonly object[]): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

/** Models and values of the facts, and what was told. */
async function readOf(resource: object) {
  const { facts, leftOut } = await reader.read(bytesOf(resource));
  return {
    facts: facts.map(({ model, values }) => ({ model, ...values }) as Readonly<Record<string, unknown>>),
    told: leftOut.map(({ model, reason, where }) => `${model} ${reason} ${where ?? ''}`),
  };
}

const DSTU2 = {
  problem: {
    resourceType: 'Condition',
    patient,
    dateRecorded: '2014-02-03',
    code: { text: 'Asthma' },
    category: { coding: [{ code: 'diagnosis' }] },
    clinicalStatus: 'resolved',
    verificationStatus: 'confirmed',
    notes: 'As a child',
  },
  order: {
    resourceType: 'MedicationOrder',
    status: 'stopped',
    patient,
    dateWritten: '2015-01-02',
    prescriber: { display: 'Dr Lee' },
    medicationCodeableConcept: { text: 'Warfarin' },
    note: 'With food',
    dosageInstruction: [
      {
        text: 'one a day',
        timing: { repeat: { frequency: 1, period: 1, periodUnits: 'd' } },
        doseQuantity: { value: 5, unit: 'mg' },
      },
    ],
  },
  allergy: {
    resourceType: 'AllergyIntolerance',
    patient,
    substance: { text: 'Peanut' },
    status: 'inactive',
    criticality: 'CRITH',
    category: 'food',
    reaction: [{ manifestation: [{ text: 'Hives' }], severity: 'severe', certainty: 'likely' }],
  },
  vaccine: {
    resourceType: 'Immunization',
    status: 'completed',
    patient,
    date: '2013-05-06',
    vaccineCode: { text: 'MMR' },
    wasNotGiven: true,
    reported: false,
    explanation: { reasonNotGiven: [{ text: 'Fever' }] },
  },
  result: {
    resourceType: 'Observation',
    status: 'final',
    category: { coding: [{ system: 'http://hl7.org/fhir/observation-category', code: 'laboratory' }] },
    code: { text: 'Glucose' },
    subject: patient,
    effectiveDateTime: '2015-01-02',
    valueQuantity: { value: 5.5, unit: 'mmol/L' },
    comments: 'Fasting',
    interpretation: { text: 'Normal' },
  },
};

const STU3 = {
  problem: {
    resourceType: 'Condition',
    subject: patient,
    context: { reference: 'Encounter/e' },
    assertedDate: '2017-01-02',
    code: { text: 'Gout' },
    clinicalStatus: 'active',
    verificationStatus: 'unknown',
  },
  vaccine: {
    resourceType: 'Immunization',
    status: 'completed',
    notGiven: false,
    patient,
    date: '2018-05-06',
    vaccineCode: { text: 'Tetanus' },
    primarySource: true,
    practitioner: [{ actor: { display: 'Dr Lee' }, role: { text: 'Administering' } }],
    vaccinationProtocol: [
      { doseSequence: 2, targetDisease: [{ text: 'Tetanus' }], doseStatus: { coding: [{ code: 'count' }] } },
    ],
  },
  statement: {
    resourceType: 'MedicationStatement',
    status: 'active',
    taken: 'n',
    subject: patient,
    medicationCodeableConcept: { text: 'Ibuprofen' },
    dosage: [{ text: '400 mg', doseQuantity: { value: 400, unit: 'mg' } }],
  },
  request: {
    resourceType: 'MedicationRequest',
    status: 'active',
    intent: 'order',
    subject: patient,
    context: { reference: 'Encounter/e' },
    requester: { agent: { display: 'Dr Lee' }, onBehalfOf: { display: 'City clinic' } },
    medicationCodeableConcept: { text: 'Metformin' },
  },
};

describe('FHIR DSTU2', () => {
  it('is read with the meaning that it has, in a Bundle and alone', async () => {
    const { facts, told } = await readOf(bundle(...Object.values(DSTU2)));
    const of = (model: string) => facts.find((fact) => fact['model'] === model) ?? {};
    expect(of('Problem')).to.include({ name_title: 'Asthma', clinicalStatus_identifier: 'resolved' });
    expect(of('Medication')).to.include({ status_identifier: 'stopped' });
    expect(String(of('Medication')['name_title'] ?? of('Medication')['drugName_title'])).to.equal('Warfarin');
    expect(of('Allergy')).to.include({ allergen_title: 'Peanut', clinicalStatus_identifier: 'inactive' });
    expect(of('Immunization')).to.include({ status_identifier: 'not-done' });
    expect(of('LabResult')).to.include({ test_name_title: 'Glucose' });
    expect(told.filter((one) => one.includes('fhir_converted'))).to.have.length(5);
    for (const resource of Object.values(DSTU2)) {
      const alone = await readOf(resource);
      expect(alone.facts, resource.resourceType).to.have.length(1);
      expect(alone.told.join(), resource.resourceType).to.contain('fhir_converted');
    }
  });

  it('loses nothing: what has no place becomes a note', async () => {
    expect(fromOlder(DSTU2.problem)).to.include({ note: [{ text: 'As a child' }], recordedDate: '2014-02-03' });
    expect(fromOlder({ ...DSTU2.problem, abatementBoolean: true })).to.include({
      abatementString: 'abated, without a date',
    });
    expect(fromOlder({ ...DSTU2.order, dateEnded: '2016-01-01' })).to.include({
      note: [{ text: 'With food' }, { text: 'Ended: 2016-01-01' }],
    });
    const ended = Buffer.from(JSON.stringify({ ...DSTU2.order, dateEnded: '2016-01-01' }));
    const [medicine] = (await reader.read(ended)).facts;
    expect(String(medicine?.values['endDate']).slice(0, 10)).to.equal('2016-01-01');
    expect(medicine?.values['notes']).to.contain('Ended: 2016-01-01');
    expect(fromOlder({ ...DSTU2.order, reasonEnded: { text: 'Cough' } })).to.include({
      statusReason: { text: 'Cough' },
    });
    expect(fromOlder({ ...STU3.request, substitution: { allowed: true } })).to.include({
      substitution: { allowedBoolean: true },
    });
    const refused = { resourceType: 'Immunization', status: 'completed', notGiven: true, vaccineCode: { text: 'Flu' } };
    expect(fromOlder(refused)).to.include({ status: 'not-done', occurrenceString: 'unknown' });
    expect(fromOlder(DSTU2.allergy)).to.include({
      reaction: [{ manifestation: [{ text: 'Hives' }], severity: 'severe', note: [{ text: 'Certainty: likely' }] }],
    });
  });
});

/** Resources in JSON as the XML of their version, whose elements stand in no order that matters here. */
function asXml(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    return (value as readonly unknown[]).map((one) => asXml(name, one)).join('');
  }
  if (typeof value !== 'object' || value === null) {
    return `<${name} value="${String(value)}"/>`;
  }
  const { resourceType, ...members } = value as Readonly<Record<string, unknown>>;
  const inside = Object.entries(members)
    .map(([member, one]) => asXml(member, one))
    .join('');
  const type = typeof resourceType === 'string' ? resourceType : '';
  const whole = type === '' ? inside : `<${type} xmlns="http://hl7.org/fhir">${inside}</${type}>`;
  return name === '' ? whole : `<${name}>${whole}</${name}>`;
}

describe('older FHIR in XML', () => {
  it('is read as in JSON, in a Bundle and alone', async () => {
    for (const resource of [...Object.values(DSTU2), ...Object.values(STU3)]) {
      for (const whole of [resource, bundle(resource)]) {
        const [json, xml] = [await reader.read(bytesOf(whole)), await reader.read(Buffer.from(asXml('', whole)))];
        const told = ({ facts, leftOut }: typeof json) => [
          facts.map(({ model, values }) => ({ model, values })),
          leftOut,
        ];
        expect(told(xml), resource.resourceType).to.equal(told(json));
      }
    }
  });

  it('does not refuse what stands beside a resource that is not read', async () => {
    const [order, asthma] = [{ resourceType: 'DeviceUseRequest', subject: patient }, DSTU2.problem];
    const { facts, leftOut } = await reader.read(Buffer.from(asXml('', bundle(order, asthma))));
    expect(facts.map(({ model }) => model)).to.equal(['Problem']);
    expect(leftOut.map(({ reason, where }) => [reason, where])).to.equal([
      ['fhir_converted', 'entry 2'],
      ['fhir_older', 'entry 1'],
    ]);
  });
});

describe('FHIR STU3', () => {
  it('is read with the meaning that it has', async () => {
    const { facts, told } = await readOf(bundle(...Object.values(STU3)));
    expect(told.filter((one) => one.includes('fhir_converted'))).to.have.length(4);
    expect(facts.find((fact) => fact['model'] === 'Problem')).to.include({ clinicalStatus_identifier: 'active' });
    expect(facts.find((fact) => fact['model'] === 'Immunization')).to.include({ status_identifier: 'completed' });
    const statuses = facts.filter((fact) => fact['model'] === 'Medication').map((fact) => fact['status_identifier']);
    expect(statuses).to.equal(['active']);
    expect(told.filter((one) => one.includes(' negated '))).to.have.length(1);
    expect(fromOlder(STU3.vaccine)).to.include({
      note: [{ text: 'Dose status: count' }],
      protocolApplied: [{ targetDisease: [{ text: 'Tetanus' }], doseNumberPositiveInt: 2 }],
    });
    expect(fromOlder(STU3.request)).to.include({
      requester: { display: 'Dr Lee' },
      note: [{ text: 'On behalf of: City clinic' }],
    });
    expect(fromOlder({ ...STU3.statement, status: 'entered-in-error' })).to.include({ status: 'entered-in-error' });
  });
});

/** What was not done, in the words of each version: what is told of it, or what its fact says. */
const UNDONE = {
  procedure2: {
    resourceType: 'Procedure',
    status: 'completed',
    notPerformed: true,
    reasonNotPerformed: [{ text: 'Bleeding' }, { text: 'Too tired' }],
    subject: patient,
    code: { text: 'Colonoscopy' },
  },
  procedure3: {
    resourceType: 'Procedure',
    status: 'completed',
    notDone: true,
    notDoneReason: { text: 'Refused' },
    subject: patient,
    code: { text: 'Colonoscopy' },
    performedDateTime: '2018-01-02',
  },
  administration2: {
    resourceType: 'MedicationAdministration',
    status: 'completed',
    wasNotGiven: true,
    reasonNotGiven: [{ text: 'Refused' }],
    patient,
    medicationCodeableConcept: { text: 'Warfarin' },
    effectiveTimeDateTime: '2015-01-02',
  },
  administration3: {
    resourceType: 'MedicationAdministration',
    status: 'completed',
    notGiven: true,
    reasonNotGiven: [{ text: 'Refused' }],
    subject: patient,
    medicationCodeableConcept: { text: 'Warfarin' },
    effectiveDateTime: '2018-01-02',
  },
  statement2: {
    resourceType: 'MedicationStatement',
    status: 'active',
    wasNotTaken: true,
    reasonNotTaken: [{ text: 'Bleeding' }],
    patient,
    medicationCodeableConcept: { text: 'Warfarin' },
  },
};

const OTHERS = {
  goal2: {
    resourceType: 'Goal',
    status: 'in-progress',
    subject: patient,
    description: 'Lose weight',
    targetDate: '2016-05-01',
  },
  goal3: {
    resourceType: 'Goal',
    status: 'behind-target',
    subject: patient,
    description: { text: 'Lose weight' },
    target: { dueDate: '2019-05-01', detailQuantity: { value: 70, unit: 'kg' } },
  },
  device2: { resourceType: 'Device', status: 'not-available', udi: '(01)0081', type: { text: 'Pacemaker' }, patient },
  device3: {
    resourceType: 'Device',
    status: 'active',
    udi: { deviceIdentifier: '0081', name: 'Pacer', carrierHRF: '(01)0081' },
    type: { text: 'Pacemaker' },
    patient,
  },
  family3: {
    resourceType: 'FamilyMemberHistory',
    status: 'completed',
    notDone: true,
    notDoneReason: { text: 'Adopted' },
    patient,
    relationship: { text: 'father' },
  },
  visit2: {
    resourceType: 'Encounter',
    status: 'finished',
    class: 'inpatient',
    patient,
    reason: [{ text: 'Cough' }],
    period: { start: '2015-01-01' },
  },
  bare2: { resourceType: 'Encounter', status: 'finished', patient, reason: [{ text: 'Fall' }] },
  plan3: {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: patient,
    context: { reference: 'Encounter/1' },
    title: 'Heart',
    activity: [{ detail: { status: 'in-progress', prohibited: true, description: 'Marathon' } }],
  },
  order3: {
    resourceType: 'ProcedureRequest',
    status: 'active',
    intent: 'order',
    doNotPerform: true,
    subject: patient,
    code: { text: 'MRI' },
  },
  report2: {
    resourceType: 'DiagnosticReport',
    status: 'final',
    subject: patient,
    code: { text: 'Blood count' },
    effectiveDateTime: '2015-01-01',
    performer: { display: 'Lab' },
    codedDiagnosis: [{ text: 'Anaemia' }],
  },
};

describe('what was not done in an older version', () => {
  it('is never read as done, in JSON and in XML', async () => {
    for (const resource of Object.values(UNDONE)) {
      for (const bytes of [bytesOf(resource), Buffer.from(asXml('', resource))]) {
        const { facts, leftOut } = await reader.read(bytes);
        expect([resource.resourceType, facts.length]).to.equal([resource.resourceType, 0]);
        expect(leftOut.map(({ reason }) => reason)).to.equal(['fhir_converted', 'negated']);
      }
    }
    const done = { ...UNDONE.procedure3, notDone: false, notDoneReason: undefined };
    expect((await readOf(done)).facts).to.have.length(1);
    expect(fromOlder({ ...UNDONE.procedure3, status: 'entered-in-error' })).to.include({ status: 'entered-in-error' });
    expect(fromOlder(UNDONE.procedure2)).to.include({
      status: 'not-done',
      statusReason: { text: 'Bleeding' },
      note: [{ text: 'Reason why it was not done: Too tired' }],
    });
  });

  it('says why a vaccine was not given with each of its reasons, and keeps relations of results', () => {
    const vaccine = { resourceType: 'Immunization', status: 'completed', notGiven: true, patient, date: '2018-01-02' };
    const reasons = [{ text: 'Fever' }, { text: 'Egg allergy' }];
    expect(fromOlder({ ...vaccine, explanation: { reasonNotGiven: reasons } })).to.include({
      status: 'not-done',
      statusReason: { text: 'Fever' },
      note: [{ text: 'Reason why it was not given: Egg allergy' }],
    });
    const target = { reference: 'Observation/9' };
    expect(fromOlder({ ...DSTU2.result, comments: undefined, related: [{ type: 'replaces', target }] })).to.include({
      note: [{ text: 'replaces: Observation/9' }],
    });
  });
});

describe('goals, devices, families, visits, plans, orders and reports of older versions', () => {
  it('are read, in JSON and in XML', async () => {
    const expected: Readonly<Record<keyof typeof OTHERS, object>> = {
      goal2: { description_title: 'Lose weight', status_identifier: 'active', target: 'by 2016-05-01' },
      goal3: { status_identifier: 'active', achievement_title: 'behind-target', target: '70 kg, by 2019-05-01' },
      device2: { name: 'Pacemaker', status_identifier: 'inactive', udi: '(01)0081' },
      device3: { name: 'Pacemaker', status_identifier: 'active' },
      family3: { status_identifier: 'health-unknown', notes: 'Adopted.', relation_title: 'father' },
      visit2: { encounterType_identifier: 'inpatient', reason: 'Cough' },
      bare2: { encounterType_title: 'Encounter', encounterType_identifier: null, reason: 'Fall' },
      plan3: { name_title: 'Not to be done: Marathon' },
      order3: { name_title: 'Not to be done: MRI' },
      report2: { visit_type: 'Blood count', provider_name: 'Lab', content: 'Anaemia' },
    };
    for (const [name, values] of Object.entries(expected)) {
      const resource = OTHERS[name as keyof typeof OTHERS];
      for (const bytes of [bytesOf(resource), Buffer.from(asXml('', resource))]) {
        const { facts, leftOut } = await reader.read(bytes);
        expect([name, leftOut.map(({ reason }) => reason)]).to.equal([name, ['fhir_converted']]);
        for (const [field, value] of Object.entries(values)) {
          expect([name, field, facts[0]!.values[field]]).to.equal([name, field, value]);
        }
      }
    }
  });

  it('keep the name of a medicine that stands in a product of its own', async () => {
    const medicine = {
      resourceType: 'Medication',
      id: 'm',
      code: { text: 'Warfarin 5 mg' },
      isBrand: true,
      product: { form: { text: 'Tablet' } },
    };
    const statement = { ...UNDONE.statement2, wasNotTaken: false, reasonNotTaken: undefined };
    const { medicationCodeableConcept: _, ...bare } = statement;
    const referring = { ...bare, medicationReference: { reference: 'Medication/m' } };
    const { facts } = await readOf(bundle(medicine, referring));
    expect(facts.map((fact) => [fact['drugName_title'], fact['form_title']])).to.equal([['Warfarin 5 mg', 'Tablet']]);
  });
});

describe('what is no older version, or not enough', () => {
  it('is left as it is', async () => {
    expect(fromOlder({ resourceType: 'Condition', subject: patient, code: { text: 'Gout' } })).to.be.undefined();
    expect(fromOlder({ resourceType: 'Group', patient })).to.be.undefined();
    const strange = { ...STU3.problem, colour: 'red' };
    const lacking = { resourceType: 'MedicationOrder', status: 'active', patient };
    const { told } = await readOf(bundle(strange, lacking, STU3.request));
    expect(told).to.include(['MedicationRequest fhir_converted entry 3']);
    expect(told.filter((one) => / entry [12]/.test(one) && one.includes('fhir_converted'))).to.equal([]);
    for (const resource of [strange, lacking]) {
      const refused = await reader.read(bytesOf(resource)).then(
        () => 'read',
        (error: unknown) => (error as { code: string }).code,
      );
      expect(refused).to.equal('invalid_document');
    }
  });
});

describe('a resource that stands alone', () => {
  it('loses empty values and is told, but not what it must have', async () => {
    const glucose = { resourceType: 'Observation', status: 'final', code: { text: 'Glucose' }, valueInteger: 5 };
    const { facts, told } = await readOf({ ...glucose, method: {}, note: [{ text: '' }], subject: { reference: '' } });
    expect([facts.length, told]).to.equal([1, ['Observation mended Observation']]);
    for (const wrong of [
      { ...glucose, status: '' },
      { ...glucose, code: {} },
    ]) {
      await expect(reader.read(bytesOf(wrong), undefined, true)).to.reject();
      const left = await reader.read(bytesOf(wrong));
      expect([left.facts.length, left.leftOut.at(-1)?.reason]).to.equal([0, 'not_valid']);
    }
  });
});
