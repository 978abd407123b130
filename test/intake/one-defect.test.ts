/**
 * one-defect: one resource of a Bundle that is not FHIR R4 does not refuse the others. It is left out and told by its
 * entry and element. A Bundle of which nothing could be read is refused.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { resourceXmlPieces } from '../../core/fhir/json-to-xml';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const xmlOf = (resource: object): string => [...resourceXmlPieces(resource)].join('');

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const subject = { reference: 'Patient/p' };
const patient = { resourceType: 'Patient', id: 'p', name: [{ family: 'Rivers' }], birthDate: '1970-02-03' };
const problem = { resourceType: 'Condition', subject, code: { text: 'Gout' } };
const glucose = { resourceType: 'Observation', status: 'final', subject, code: { text: 'Glucose' }, valueInteger: 5 };

const bundle = (resources: readonly object[], more: object = {}): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
  ...more,
});
const bytesOf = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));

/** What is told of a Bundle whose other resources are read. */
const toldOf = async (bytes: Buffer, facts = 1) => {
  const read = await reader.read(bytes);
  expect(read.facts).to.have.length(facts);
  return read.leftOut.map(({ model, reason, where }) => [model, reason, where]);
};

const codeOf = (bytes: Buffer): Promise<string> =>
  reader.read(bytes).then(
    () => 'read',
    (error: { code: string; message: string }) => error.code,
  );

/** What is read, and told, of a resource that stands alone. */
async function toldAlone(resource: object) {
  const read = await reader.read(bytesOf(resource));
  const xml = await reader.read(Buffer.from(xmlOf(resource)));
  expect(xml.leftOut).to.equal(read.leftOut);
  expect(xml.facts.length).to.equal(read.facts.length);
  return { read, told: read.leftOut.map(({ reason, where }) => [reason, where]) };
}

describe('one resource with a defect', () => {
  it('is left out and told, in JSON and in XML', async () => {
    const { status: _, ...stateless } = glucose;
    const defects = [
      [stateless, 'Observation', 'status'],
      [{ ...glucose, status: 'done' }, 'Observation', 'status'],
      [{ ...glucose, effectiveDateTime: '03.02.2024' }, 'Observation', 'effectiveDateTime'],
    ] as const;
    for (const [resource, model, element] of defects) {
      const whole = bundle([patient, resource, problem]);
      const told = await toldOf(bytesOf(whole));
      expect(told).to.have.length(1);
      expect(told[0]!.slice(0, 2)).to.equal([model, 'not_valid']);
      expect(told[0]![2]).to.match(/^entry 2/);
      const xml = Buffer.from(xmlOf(whole));
      expect(await toldOf(xml)).to.equal(told);
      expect(element).to.not.be.empty();
    }
  });

  it('of a shape that FHIR does not have is left out by its element', async () => {
    const odd = { ...glucose, code: 'glucose' };
    expect(await toldOf(bytesOf(bundle([patient, problem, odd])))).to.equal([
      ['Observation', 'not_valid', 'entry 3, code'],
    ]);
    const unknown = { ...glucose, colour: 'red' };
    expect(await toldOf(bytesOf(bundle([unknown, problem])))).to.equal([
      ['Observation', 'not_valid', 'entry 1, colour'],
    ]);
  });

  it('loses empty values alone, which is told', async () => {
    const empty = { ...glucose, code: { text: 'Glucose', coding: [] }, note: [{ text: '' }], method: {} };
    expect(await toldOf(bytesOf(bundle([patient, empty, problem])), 2)).to.equal([
      ['Observation', 'mended', 'entry 2'],
    ]);
  });

  it('leaves the person known', async () => {
    for (const gender of ['F', 'weiblich', '2']) {
      const read = await reader.read(bytesOf(bundle([{ ...patient, gender }, problem])));
      expect(read.facts).to.have.length(1);
      expect(read.about).to.include({ subject: 'Rivers', born: '1970-02-03' });
      expect(read.leftOut.map(({ model, where }) => [model, where])).to.equal([['Patient', 'entry 1, gender']]);
    }
    const nameless = { ...patient, name: [{ family: 'Rivers', colour: 'red' }] };
    expect(await codeOf(bytesOf(bundle([nameless, problem])))).to.equal('invalid_document');
  });

  it('of another version of FHIR is named as one', async () => {
    const r5 = [
      {
        resourceType: 'Encounter',
        status: 'completed',
        subject,
        class: [{ text: 'Visit' }],
        subjectStatus: { text: 'x' },
      },
      {
        resourceType: 'MedicationRequest',
        status: 'active',
        intent: 'order',
        subject,
        medication: { concept: { text: 'M' } },
        device: [{ concept: { text: 'Pump' } }],
      },
      {
        resourceType: 'Immunization',
        status: 'completed',
        patient: subject,
        administeredProduct: { concept: { text: 'V' } },
        basedOn: [{ reference: 'ServiceRequest/s' }],
      },
      { resourceType: 'Procedure', status: 'completed', subject, occurrenceDateTime: '2024', bodyStructure: subject },
      { resourceType: 'NutritionIntake', status: 'completed', subject },
    ];
    const older = [
      { resourceType: 'MedicationOrder', status: 'active', patient: subject },
      { resourceType: 'Condition', patient: subject, code: { text: 'Asthma' }, colour: 'red' },
      { resourceType: 'DeviceUseRequest', status: 'completed', subject },
    ];
    const told = await toldOf(bytesOf(bundle([...r5, ...older, problem])));
    expect(told.map(([model, reason]) => `${model} ${reason}`)).to.equal([
      ...r5.map(({ resourceType }) => `${resourceType} fhir_r5`),
      ...['Condition', 'DeviceUseRequest', 'MedicationRequest'].map((type) => `${type} fhir_older`),
    ]);
    for (const resource of [...r5, ...older]) {
      expect(await codeOf(bytesOf(resource)), resource.resourceType).to.equal('invalid_document');
    }
  });

  it('refuses all where nothing else is said, and where each entry has an outcome', async () => {
    const wrong = { ...glucose, status: 'done' };
    expect(await codeOf(bytesOf(bundle([patient, wrong])))).to.equal('invalid_document');
    for (const type of ['transaction', 'batch']) {
      const posted = { ...bundle([patient, wrong, problem]), type };
      expect(await codeOf(bytesOf(posted)), type).to.equal('invalid_document');
    }
  });
});

describe('a resource that stands alone', () => {
  it('is left out and told where a code of it is none of R4, and refused where the caller is strict', async () => {
    for (const resource of [
      { ...glucose, status: 'done' },
      { ...glucose, effectiveDateTime: '03.02.2024' },
    ]) {
      const { read, told } = await toldAlone(resource);
      expect(read.facts).to.be.empty();
      expect(read.kept ?? []).to.be.empty();
      expect(told).to.have.length(1);
      expect(told[0]![0]).to.equal('not_valid');
      await expect(reader.read(bytesOf(resource), undefined, true)).to.reject(
        Error,
        /invalid_document|not FHIR R4|schema/,
      );
    }
    const odd = await reader.read(bytesOf({ ...glucose, code: 'glucose' }));
    expect(odd.leftOut).to.have.length(1);
    expect(odd.leftOut[0]).to.include({ model: 'Observation', reason: 'not_valid', where: 'Observation, code' });
    await expect(reader.read(bytesOf({ ...glucose, code: 'glucose' }), undefined, true)).to.reject();
    expect(await codeOf(bytesOf({ resourceType: 'Practitioner', gender: 7 }))).to.equal('invalid_document');
  });

  it('is read where a code is only written otherwise, or says nothing of health', async () => {
    const { read, told } = await toldAlone({ ...glucose, status: 'Entered In Error' });
    expect(read.facts).to.be.empty();
    expect(told).to.equal([
      ['mended_code', 'Observation, status'],
      ['entered_in_error', 'Observation'],
    ]);
    const clinicalStatus = {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'Resolved' }],
    };
    const condition = await toldAlone({ ...problem, clinicalStatus });
    expect(condition.told).to.equal([['mended_code', 'Condition, code']]);
    expect(condition.read.facts[0]!.values).to.include({ clinicalStatus_identifier: 'resolved' });
    const identifier = [
      { use: 'usual', value: '1' },
      { use: 'mine', value: '2' },
    ];
    const left = await toldAlone({ ...problem, identifier });
    expect(left.read.facts).to.have.length(1);
    expect(left.told).to.equal([['code_left', 'Condition, use']]);
  });

  it('is read so in a Bundle, too', async () => {
    const person = { ...patient, gender: 'Male', name: [{ family: 'Rivers' }, { family: 'Lake', use: 'former' }] };
    const told = await toldOf(bytesOf(bundle([{ ...glucose, status: 'FINAL' }, person, problem])), 2);
    expect(told).to.equal([
      ['Observation', 'mended_code', 'entry 1, status'],
      ['Patient', 'code_left', 'entry 2, use'],
      ['Patient', 'mended_code', 'entry 2, gender'],
    ]);
  });
});

describe('a time or a number that is written otherwise', () => {
  const told = ['mended_value', 'Observation, effectiveDateTime'];

  it('is read as it is meant, in a Bundle and alone', async () => {
    const read = await toldAlone({ ...glucose, effectiveDateTime: '20240201' });
    expect(read.told).to.equal([told]);
    expect(read.read.facts[0]!.values['collected_at']).to.equal('2024-02-01T00:00:00.000000Z');
    const day = { ...problem, onsetDateTime: '2024-02-01 10:30', recordedDate: '2024-02-01T10:30Z' };
    expect(await toldOf(bytesOf(bundle([day])))).to.equal([
      ['Condition', 'mended_value', 'entry 1, onsetDateTime'],
      ['Condition', 'mended_value', 'entry 1, recordedDate'],
    ]);
    const { valueInteger: _, ...bare } = glucose;
    const written = { ...bare, valueQuantity: { value: '6.9', unit: 'mmol/L' } };
    for (const [given, place] of [
      [written, 'Observation, value'],
      [bundle([written]), 'entry 1, value'],
    ] as const) {
      const { facts, leftOut } = await reader.read(bytesOf(given));
      expect(leftOut.map(({ reason, where }) => [reason, where])).to.equal([['mended_value', place]]);
      expect(facts[0]!.values['quantitative_result_value_value']).to.equal('6.9');
    }
  });

  it('stays a time of the clock of its sender where it has no zone, and goes out as a day', async () => {
    const { read, told: reasons } = await toldAlone({ ...glucose, effectiveDateTime: '2024-02-01T01:30:00' });
    expect(reasons).to.equal([told]);
    expect(read.facts[0]).to.include({ partialDates: { collected_at: 'local' } });
    expect(read.facts[0]!.values['collected_at']).to.equal('2024-02-01T01:30:00.000000Z');
    expect(read.kept![0]!.text).to.contain('"effectiveDateTime":"2024-02-01"').and.to.contain('"01:30:00"');
    const zoned = await toldAlone({ ...glucose, effectiveDateTime: '2024-02-01T01:30:00+0100' });
    expect(zoned.read.facts[0]!.values['collected_at']).to.equal('2024-02-01T00:30:00.000000Z');
    const issued = await toldAlone({ ...glucose, issued: '2024-02-01T01:30:00' });
    expect(issued.told).to.equal([['mended_value', 'Observation, issued']]);
  });

  it('leaves the resource out where it is not certain, or no day, and is refused where the caller is strict', async () => {
    for (const effectiveDateTime of ['02/01/2024', '2024-02-30T10:00', '202402', '2024-2-1']) {
      const { read, told: reasons } = await toldAlone({ ...glucose, effectiveDateTime });
      expect(read.facts).to.be.empty();
      expect(reasons.map(([reason]) => reason)).to.include('not_valid');
    }
    const sent = [
      { ...glucose, effectiveDateTime: '20240201' },
      { ...problem, recordedDate: '20240201' },
    ];
    for (const one of [...sent, { ...glucose, valueInteger: '5' }]) {
      await expect(reader.read(bytesOf(one), undefined, true)).to.reject();
    }
  });
});

describe('a page of a search', () => {
  it('is told to be one', async () => {
    const next = { link: [{ relation: 'next', url: 'https://ehr.test/fhir?page=2' }] };
    const one = [['Bundle', 'more_pages', 'Bundle']];
    expect(await toldOf(bytesOf(bundle([problem], { type: 'searchset', ...next })))).to.equal(one);
    expect(await toldOf(bytesOf(bundle([problem], { type: 'searchset', total: 3 })))).to.equal(one);
    const self = { link: [{ relation: 'self', url: 'https://ehr.test/fhir' }] };
    expect(await toldOf(bytesOf(bundle([problem], { type: 'searchset', total: 1, ...self })))).to.equal([]);
  });
});
