/**
 * newer fhir: resources of R5 are read as R4, each named as R5, with the meaning that they have: what is only recorded
 * is not called taken, and what R4 has no place for stays in its own words.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { fromNewer } from '../../core/fhir/versions/newer-resources';
import { mayBeOlder } from '../../core/fhir/versions/older-xml';
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
const concept = (text: string): object => ({ concept: { text } });
const active = { coding: [{ code: 'active' }] };

type Case = readonly [resource: Readonly<Record<string, unknown>>, values: Readonly<Record<string, string | number>>];

/** Resources of R5, and what their first fact says. */
const CASES: readonly Case[] = [
  [
    {
      resourceType: 'AllergyIntolerance',
      patient: subject,
      clinicalStatus: active,
      type: { coding: [{ code: 'intolerance' }] },
      code: { text: 'Lactose' },
      participant: [{ function: { text: 'Seen by' }, actor: { display: 'Dr Lee' } }],
      reaction: [{ manifestation: [concept('Bloating')], severity: 'mild' }],
    },
    {
      allergen_title: 'Lactose',
      allergic_reaction_title: 'Bloating',
      severity_identifier: 'mild',
      notes: 'Seen by: Dr Lee',
    },
  ],
  [
    {
      resourceType: 'Immunization',
      status: 'completed',
      patient: subject,
      vaccineCode: { text: 'MMR' },
      occurrenceDateTime: '2024-01-02',
      reason: [concept('Travel')],
      reaction: [{ date: '2024-01-03', manifestation: concept('Fever') }],
      manufacturer: concept('Maker'),
      protocolApplied: [{ doseNumber: '2', seriesDoses: '3' }],
    },
    {
      product_name_title: 'MMR',
      dose_number: '2',
      series_doses: '3',
      reaction: 'Fever, 2024-01-03',
      notes: 'Made by: Maker. For: Travel.',
    },
  ],
  [
    {
      resourceType: 'Immunization',
      status: 'not-done',
      patient: subject,
      vaccineCode: { text: 'MMR' },
      occurrenceDateTime: '2024-01-02',
      statusReason: { text: 'Declined' },
      reason: [concept('Travel')],
    },
    { status_identifier: 'not-done', administration_status_identifier: 'notAdministered' },
  ],
  [
    {
      resourceType: 'MedicationStatement',
      status: 'recorded',
      subject,
      medication: concept('Metformin'),
      adherence: { code: { coding: [{ code: 'taking' }] } },
      reason: [concept('Diabetes')],
    },
    { drugName_title: 'Metformin', status_identifier: 'active', notes: 'For: Diabetes.' },
  ],
  [
    { resourceType: 'MedicationStatement', status: 'recorded', subject, medication: concept('Aspirin') },
    { drugName_title: 'Aspirin', status_identifier: 'unknown' },
  ],
  [
    {
      resourceType: 'MedicationRequest',
      status: 'ended',
      intent: 'order',
      subject,
      medication: { reference: { display: 'Ramipril' } },
      renderedDosageInstruction: 'one a day',
    },
    { drugName_title: 'Ramipril', status_identifier: 'completed', notes: 'Instruction: one a day' },
  ],
  [
    {
      resourceType: 'Condition',
      clinicalStatus: active,
      subject,
      code: { text: 'Asthma' },
      participant: [{ function: { text: 'Seen by' }, actor: { display: 'Dr Lee' } }],
      evidence: [concept('Wheeze')],
    },
    { name_title: 'Asthma', clinicalStatus_identifier: 'active', notes: 'Seen by: Dr Lee Evidence: Wheeze.' },
  ],
  [
    {
      resourceType: 'Encounter',
      status: 'completed',
      class: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' }] }],
      subject,
      actualPeriod: { start: '2024-01-01', end: '2024-01-05' },
      reason: [{ value: [concept('Chest pain')] }],
      diagnosis: [{ condition: [concept('Infarction')], use: [{ text: 'final' }] }],
    },
    {
      encounterType_identifier: 'inpatient',
      status_identifier: 'finished',
      reason: 'Chest pain',
      notes: 'Diagnosis: Infarction (final).',
    },
  ],
  [
    {
      resourceType: 'Procedure',
      status: 'completed',
      subject,
      code: { text: 'Appendectomy' },
      occurrenceDateTime: '2024-01-01',
      complication: [concept('Bleeding')],
    },
    { name: 'Appendectomy', comments: 'Complication: Bleeding.' },
  ],
  [
    { resourceType: 'ServiceRequest', status: 'active', intent: 'order', subject, code: concept('MRI') },
    { name_title: 'MRI', status_identifier: 'active' },
  ],
  [
    { resourceType: 'DeviceUsage', status: 'active', patient: subject, device: concept('Cane') },
    { name: 'Cane', status_identifier: 'active' },
  ],
  [
    {
      resourceType: 'DocumentReference',
      status: 'current',
      subject,
      version: '2',
      context: [{ reference: 'Encounter/e' }],
      content: [{ attachment: { contentType: 'text/plain', title: 'Letter', data: 'aGVsbG8=' } }],
    },
    { title: 'Letter', bytes: 5 },
  ],
];

const bytesOf = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));

/** A member of FHIR in JSON as elements of XML. */
function elementsOf(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    return (value as readonly unknown[]).map((one) => elementsOf(name, one)).join('');
  }
  if (typeof value !== 'object' || value === null) {
    return `<${name} value="${String(value)}"/>`;
  }
  const { resourceType, ...members } = value as Readonly<Record<string, unknown>>;
  const inside = Object.entries(members).map(([member, one]) => elementsOf(member, one));
  const written = inside.join('');
  if (typeof resourceType !== 'string') {
    return `<${name}>${written}</${name}>`;
  }
  const whole = `<${resourceType} xmlns="http://hl7.org/fhir">${written}</${resourceType}>`;
  return name === '' ? whole : `<${name}>${whole}</${name}>`;
}

const xmlOf = (resource: object): Buffer => Buffer.from(elementsOf('', resource));

describe('FHIR R5', () => {
  it('is read as R4 and named, in a Bundle and alone, in JSON and in XML', async () => {
    for (const [resource, values] of CASES) {
      const bundle = { resourceType: 'Bundle', type: 'collection', entry: [{ resource }] };
      for (const whole of [bytesOf(resource), bytesOf(bundle), xmlOf(resource), xmlOf(bundle)]) {
        const { facts, leftOut } = await reader.read(whole);
        const told = leftOut.map(({ reason }) => reason).filter((reason) => reason !== 'inside');
        expect([resource['resourceType'], ...told]).to.equal([resource['resourceType'], 'fhir_r5_converted']);
        const said = facts[0]!.values;
        expect(Object.fromEntries(Object.keys(values).map((name) => [name, said[name]]))).to.equal(values);
      }
    }
  });

  it('is looked for only in texts that may have it, because a tree of a large text takes long', () => {
    const vaccine = '<Immunization><occurrenceDateTime value="2024"/></Immunization>';
    const act = '<Procedure><status value="completed"/></Procedure>';
    expect(mayBeOlder(act + vaccine)).to.be.false();
    expect(mayBeOlder(vaccine + act.replace('</', '<occurrenceDateTime value="2024"/></'))).to.be.true();
  });

  it('is looked for in one pass over the text, however many resources it has', () => {
    // Searched from each of them to the end of the text, this would take hours.
    expect(mayBeOlder(`<Bundle>${'<Condition />'.repeat(500_000)}</Bundle>`)).to.be.false();
  });

  it('says of no medicine that it is taken, and of no act that it was done, where R5 says that it was not', async () => {
    const medicine = { resourceType: 'MedicationStatement', status: 'recorded', subject, medication: concept('M') };
    for (const resource of [
      { ...medicine, adherence: { code: { coding: [{ code: 'not-taking' }] }, reason: { text: 'Bleeding' } } },
      { resourceType: 'Procedure', status: 'not-done', subject, code: { text: 'X' }, occurrenceDateTime: '2024' },
    ]) {
      const { facts, leftOut } = await reader.read(bytesOf(resource));
      expect([facts.length, ...leftOut.map(({ reason }) => reason)]).to.equal([0, 'fhir_r5_converted', 'negated']);
    }
    const partly = { coding: [{ code: 'taking-not-as-directed', display: 'Not as directed' }] };
    expect(fromNewer({ ...medicine, adherence: { code: partly } })).to.include({
      status: 'active',
      note: [{ text: 'How it is taken: Not as directed' }],
    });
    expect(fromNewer({ ...medicine, adherence: { code: { coding: [{ code: 'stopped' }] } } })).to.include({
      status: 'stopped',
    });
  });

  it('keeps in words what R4 has no place for', () => {
    expect(
      fromNewer({
        resourceType: 'MedicationRequest',
        medication: concept('M'),
        dosageInstruction: [{ asNeeded: true, asNeededFor: [{ text: 'pain' }, { text: 'fever' }] }],
        effectiveDosePeriod: { start: '2024-01-01', end: '2024-02-01' },
      }),
    ).to.equal({
      resourceType: 'MedicationRequest',
      medicationCodeableConcept: { text: 'M' },
      dosageInstruction: [{ asNeededCodeableConcept: { text: 'pain; fever' } }],
      note: [{ text: 'To be taken: from 2024-01-01 until 2024-02-01' }],
    });
    const ended = fromNewer({
      resourceType: 'MedicationRequest',
      medication: concept('M'),
      effectiveDosePeriod: { end: '2022-01-01' },
    });
    expect(ended).to.include({ note: [{ text: 'To be taken: until 2022-01-01' }] });
  });

  it('is not what R4 says alike, and is named where it cannot be read', async () => {
    expect(fromNewer({ resourceType: 'Condition', subject, code: { text: 'Gout' } })).to.be.undefined();
    expect(fromNewer({ resourceType: 'NutritionIntake', subject })).to.be.undefined();
    const bundle = {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { resource: { resourceType: 'NutritionIntake', status: 'completed', subject } },
        { resource: { resourceType: 'Condition', subject, code: { text: 'Gout' } } },
      ],
    };
    const { facts, leftOut } = await reader.read(bytesOf(bundle));
    expect(facts.map(({ values }) => values['name_title'])).to.equal(['Gout']);
    expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['NutritionIntake fhir_r5']);
  });
});
