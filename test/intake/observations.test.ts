/**
 * observations: what FHIR says that was observed. Nothing is dropped for its category, its code or the form of its
 * value, nothing loses its name, and no reference range is shown as that of a person for whom it is not.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const CATEGORIES = 'http://terminology.hl7.org/CodeSystem/observation-category';
const category = (code: string) => ({ category: [{ coding: [{ system: CATEGORIES, code }] }] });
const loinc = (code: string, display: string) => ({
  code: { coding: [{ system: 'http://loinc.org', code, display }] },
});
const at = { effectiveDateTime: '2024-05-01T08:00:00Z' };

const observation = (more: object): object => ({
  resourceType: 'Observation',
  status: 'final',
  subject: { reference: 'Patient/p' },
  ...more,
});

const read = async (resources: readonly object[], person: object = {}) => {
  const patient = { resourceType: 'Patient', id: 'p', ...person };
  const entry = [patient, ...resources].map((resource) => ({ resource }));
  return reader.read(Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })));
};

/** The only fact of one observation, of which nothing was left out. */
const factOf = async (more: object, person: object = {}) => {
  const { facts, leftOut } = await read([observation(more)], person);
  expect(leftOut).to.equal([]);
  expect(facts).to.have.length(1);
  return { model: facts[0]!.model, ...facts[0]!.values };
};

describe('an observation', () => {
  it('is kept as a result without a category, and with one of no model', async () => {
    expect(await factOf({ ...loinc('883-9', 'ABO group'), ...at, valueString: 'B' })).to.include({
      model: 'LabResult',
      test_name_title: 'ABO group',
      value: 'B',
      category_identifier: null,
    });
    for (const code of ['survey', 'exam', 'imaging', 'activity', 'sdoh']) {
      expect(
        await factOf({ ...category(code), code: { text: 'Seen' }, ...at, valueCodeableConcept: { text: 'Yes' } }),
      ).to.include({
        model: 'LabResult',
        test_name_title: 'Seen',
        value: 'Yes',
        category_identifier: code,
        category_system: CATEGORIES,
      });
    }
  });

  it('of a vital sign keeps its words, bounds and large numbers', async () => {
    const values = [
      [{ valueString: '121 over 80' }, '121 over 80'],
      [{ valueQuantity: { value: 70, comparator: '<', unit: '%' } }, '<70 %'],
      [{ valueCodeableConcept: { text: 'Too high to be measured' } }, 'Too high to be measured'],
      [{ valueInteger: 2000000 }, '2000000'],
    ] as const;
    for (const [value, said] of values) {
      const fact = await factOf({ ...category('vital-signs'), ...loinc('2708-6', 'Oxygen'), ...at, ...value });
      expect(fact).to.include({ model: 'VitalSigns', other_title: 'Oxygen', other_words: said });
    }
    const judged = { interpretation: [{ text: 'Abnormal' }], note: [{ text: 'After a run' }] };
    const known = await factOf({ ...loinc('8867-4', 'Pulse'), ...at, valueString: 'irregular', ...judged });
    expect(known).to.include({ model: 'VitalSigns', other_words: 'irregular', notes: 'After a run Abnormal.' });
    // A vital sign has a time.
    const timeless = await factOf({ ...loinc('8867-4', 'Pulse'), valueString: 'irregular' });
    expect(timeless).to.include({ model: 'LabResult', category_identifier: 'vital-signs', value: 'irregular' });
  });

  it('of a vital sign without a column keeps its name', async () => {
    const weight = { ...category('vital-signs'), ...at, valueQuantity: { value: 41, unit: 'stone' } };
    const local = { code: { coding: [{ system: 'urn:oid:2.3', code: '77', display: 'Scale' }] } };
    const long = { code: { coding: [{ system: 'urn:oid:2.3', code: 'a-code-that-is-far-too-long' }], text: 'Scale' } };
    expect(await factOf({ ...weight, ...local })).to.include({ model: 'Measurement', type: '77', name: 'Scale' });
    for (const code of [long, { code: { text: 'Scale' } }]) {
      expect(await factOf({ ...weight, ...code })).to.include({ other_title: 'Scale', other_words: '41 stone' });
    }
    expect(await factOf({ ...weight, ...loinc('8280-0', 'Waist') })).to.include({ type: '8280-0', name: 'Waist' });
  });

  it('of several parts names the whole beside each of them, and a panel keeps its remark', async () => {
    const parts = ['Little interest', 'PHQ-9 total'].map((text) => ({ code: { text }, valueInteger: 2 }));
    const questions = observation({ code: { text: 'PHQ-9' }, ...at, component: parts });
    const { facts } = await read([questions]);
    expect(facts.map(({ values }) => [values['test_name_title'], values['notes'] ?? null])).to.equal([
      ['Little interest', 'Part of: PHQ-9.'],
      ['PHQ-9 total', null],
    ]);
    const glucose = { ...(observation({ code: { text: 'Glucose' }, ...at, valueInteger: 90 }) as object), id: 'g' };
    const member = { hasMember: [{ reference: 'Observation/g' }] };
    for (const [more, names] of [
      [{ note: [{ text: 'Not fasting' }] }, ['Panel', 'Glucose']],
      [{}, ['Glucose']],
    ] as const) {
      const panel = observation({ code: { text: 'Panel' }, ...at, ...member, ...more });
      const found = (await read([panel, glucose])).facts;
      expect(found.map(({ values }) => values['test_name_title'])).to.equal([...names]);
    }
  });

  it('without any value of a vital sign, and sampled data, are told', async () => {
    const without = await read([observation({ ...category('vital-signs'), ...loinc('8867-4', 'Pulse'), ...at })]);
    expect(without.leftOut).to.have.length(1);
    const data = { origin: { value: 0 }, period: 10, dimensions: 1, data: '1 2 3' };
    const sampled = await read([observation({ code: { text: 'ECG' }, ...at, valueSampledData: data })]);
    expect(sampled.facts).to.have.length(1);
    expect(sampled.leftOut).to.have.length(1);
    const pulse = await read([observation({ ...loinc('8867-4', 'Pulse'), ...at, valueSampledData: data })]);
    expect(pulse.leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['VitalSigns not_supported']);
  });

  it('has the time of its timing, else the date of its report, which is said', async () => {
    const value = {
      ...category('vital-signs'),
      ...loinc('29463-7', 'Weight'),
      valueQuantity: { value: 60, unit: 'kg' },
    };
    const timed = await factOf({ ...value, effectiveTiming: { event: ['2024-04-03T07:00:00Z'] } });
    expect(timed).to.include({ model: 'VitalSigns', date: '2024-04-03T07:00:00.000000Z' });
    const issued = { issued: '2024-04-03T07:00:00Z' };
    const kinds = [
      [value, 'date'],
      [{ ...category('laboratory'), code: { text: 'K' }, valueString: '5' }, 'collected_at'],
    ] as const;
    for (const [more, column] of kinds) {
      const fact = await factOf({ ...more, ...issued });
      expect(fact).to.include({ [column]: '2024-04-03T07:00:00.000000Z' });
      expect(fact['notes' as keyof typeof fact]).to.contain('date of the report');
    }
  });
});

describe('a value that is beyond what can be measured', () => {
  const ABOVE = 'Above what can be measured';
  const BELOW = 'Below what can be measured';
  const clinicalValues = async (section: string, template: number, ...values: readonly string[]) => {
    const observed = values.map((value) =>
      entry(
        `<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${template}"/><code ` +
          'code="2345-7" codeSystem="2.16.840.1.113883.6.1" displayName="Glucose"/><statusCode code="completed"/>' +
          `<effectiveTime value="20240101"/>${value}</observation>`,
      ),
    );
    const { facts } = await reader.read(clinicalDocument({ section, entries: observed.join('') }));
    return facts.map(
      ({ values: said }) =>
        said['value'] ?? said['other_words'] ?? said['value_title'] ?? said['quantitative_result_value_value'] ?? null,
    );
  };
  const none = (flavor: string, more = ''): string => `<value xsi:type="PQ" nullFlavor="${flavor}"${more}/>`;
  const between = (low: string, high: string): string =>
    `<value xsi:type="IVL_PQ"><low ${low}/><high ${high}/></value>`;

  it('is told in words of a person, in C-CDA', async () => {
    const values = [none('PINF'), none('NINF'), none('PINF', ' value="600" unit="mg/dL"')];
    expect(await clinicalValues('30954-2', 2, ...values)).to.equal([ABOVE, BELOW, `${ABOVE} (600 mg/dL)`]);
    expect(await clinicalValues('8716-3', 27, none('PINF'), none('NINF'))).to.equal([ABOVE, BELOW]);
    expect(await clinicalValues('29762-2', 38, none('PINF'))).to.equal([ABOVE]);
  });

  it('is a bound where the other one is a number', async () => {
    const six = 'value="600" unit="mg/dL"';
    const [pinf, ninf] = ['nullFlavor="PINF"', 'nullFlavor="NINF"'];
    const values = [
      between(six, pinf),
      between(ninf, six),
      between(ninf, pinf),
      between('', pinf),
      between(pinf, pinf),
    ];
    expect(await clinicalValues('30954-2', 2, ...values)).to.equal([
      '>=600',
      '<=600',
      'No limits',
      'No upper limit',
      ABOVE,
    ]);
    const ratio = '<value xsi:type="RTO_PQ_PQ"><numerator value="1"/><denominator nullFlavor="PINF"/></value>';
    expect(await clinicalValues('30954-2', 2, ratio)).to.equal([`1:(${ABOVE})`]);
  });

  it('says why there is none, in plain words', async () => {
    const flavors = ['MSK', 'NI', 'NASK', 'INV', 'OTH'].map((flavor) => none(flavor));
    expect(await clinicalValues('30954-2', 2, ...flavors)).to.equal([
      'Not shown by its source',
      'No information',
      'Not asked',
      'Not usable',
      null,
    ]);
  });

  it('is told in words of a person, in FHIR', async () => {
    const absent = (code: string, more: object = {}) => ({ dataAbsentReason: { coding: [{ code, ...more }] } });
    for (const [reason, said] of [
      [absent('positive-infinity', { display: 'Positive Infinity (PINF)' }), ABOVE],
      [absent('negative-infinity'), BELOW],
      [absent('masked'), 'Not shown by its source'],
      [absent('masked', { display: 'Hidden' }), 'Hidden'],
      [{ dataAbsentReason: { text: 'off the scale', coding: [{ code: 'positive-infinity' }] } }, 'off the scale'],
    ] as const) {
      expect(await factOf({ ...category('laboratory'), ...loinc('2345-7', 'Glucose'), ...at, ...reason })).to.include({
        value: said,
      });
    }
    const heavy = { ...category('vital-signs'), ...loinc('29463-7', 'Weight'), ...at, ...absent('positive-infinity') };
    expect(await factOf(heavy)).to.include({ model: 'VitalSigns', other_title: 'Weight', other_words: ABOVE });
  });
});

describe('reference ranges', () => {
  const result = { ...category('laboratory'), code: { text: 'Hb' }, ...at, valueQuantity: { value: 12, unit: 'g/dL' } };
  const range = (low: number, more: object = {}) => ({ low: { value: low }, high: { value: low + 4 }, ...more });
  const forWhom = (text: string) => ({ appliesTo: [{ text }] });
  const years = (low: number, high: number) => ({
    age: { low: { value: low, code: 'a' }, high: { value: high, code: 'a' } },
  });
  const lowOf = async (ranges: readonly object[], person: object = {}) =>
    (await factOf({ ...result, referenceRange: ranges }, person))[
      'quantitative_result_normal_range_min_value' as 'model'
    ] as string | null;

  it('are those of the person where that is said', async () => {
    const both = [range(13, forWhom('Male')), range(11, forWhom('Female'))];
    expect(await lowOf(both, { gender: 'male' })).to.equal('13');
    expect(await lowOf(both, { gender: 'female' })).to.equal('11');
    const ages = [range(9, years(0, 17)), range(12, years(18, 120))];
    expect(await lowOf(ages, { birthDate: '2015-03-04' })).to.equal('9');
    expect(await lowOf(ages, { birthDate: '1960-03-04' })).to.equal('12');
    expect(await lowOf([range(3)])).to.equal('3');
  });

  it('are words alone where it is not certain that one fits', async () => {
    const both = [range(13, forWhom('Male')), range(11, forWhom('Female'))];
    expect(await lowOf(both)).to.be.null();
    expect(await lowOf(both, { gender: 'other' })).to.be.null();
    expect(await lowOf([range(13, forWhom('Male'))], { gender: 'female' })).to.be.null();
    expect(await lowOf([range(13), range(11)])).to.be.null();
    expect(await lowOf([range(13, { text: 'Men: 13 to 17' })], { gender: 'female' })).to.be.null();
    const pregnant = [range(11, forWhom('Female')), range(10, forWhom('Pregnant'))];
    expect(await lowOf(pregnant, { gender: 'female' })).to.be.null();
    expect(await lowOf([range(9, years(0, 17)), range(12, years(18, 120))])).to.be.null();
  });

  it('say for whom they are', async () => {
    const fact = await factOf({ ...result, referenceRange: [range(13, forWhom('Male')), range(9, years(0, 17))] });
    expect(fact['reference' as 'model']).to.equal('Male: 13 - 17; 0 - 17 years: 9 - 13');
  });
});

/** A part of a unique device identifier in C-CDA. */
const udiPart = (code: string, name: string, value: string): string =>
  '<component><observation classCode="OBS" moodCode="EVN">' +
  `<code code="${code}" displayName="${name}"/><value ${value}</observation></component>`;

describe('a device', () => {
  it('keeps each number and day by which it is told from others', async () => {
    const said = {
      modelNumber: 'M1',
      serialNumber: 'S7',
      lotNumber: 'L9',
      distinctIdentifier: 'D1',
    };
    const device = {
      resourceType: 'Device',
      patient: { reference: 'Patient/p' },
      type: { text: 'Stent' },
      deviceName: [{ name: 'Xience', type: 'user-friendly-name' }],
      udiCarrier: [{ deviceIdentifier: '0123', carrierHRF: '(01)0123(10)L9' }, { deviceIdentifier: '0999' }],
      partNumber: 'P1',
      manufactureDate: '2020-05-01',
      expirationDate: '2030-01-31',
      ...said,
    };
    const { facts } = await read([device]);
    expect(facts[0]!.values).to.include({
      ...said,
      name: 'Stent',
      udi: '(01)0123(10)L9',
      deviceIdentifier: '0123',
      manufactured: '2020-05-01',
      expires: '2030-01-31',
      description: 'Xience Another identifier: 0999. Part number: P1.',
    });
  });

  it('has the parts of its identifier, and names those that the sender does not show', async () => {
    const parts =
      udiPart('C101672', 'Lot or Batch Number', 'xsi:type="ED">ABC124</value>') +
      udiPart('C101671', 'Serial Number', 'xsi:type="ED" nullFlavor="MSK"/>') +
      udiPart('C101670', 'Expiration Date', 'xsi:type="TS" value="20221015"/>') +
      udiPart('C99285', 'Model Number', 'xsi:type="ED">M-1</value>') +
      udiPart('C71898', 'Brand Name', 'xsi:type="ED">Azure</value>');
    const body =
      '<participant typeCode="DEV"><participantRole classCode="MANU"><id nullFlavor="MSK"/><playingDevice><code ' +
      'code="14106009" codeSystem="2.16.840.1.113883.6.96" displayName="Cardiac pacemaker"/></playingDevice>' +
      '</participantRole></participant><entryRelationship typeCode="COMP"><organizer classCode="CLUSTER" ' +
      `moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.311"/>${parts}</organizer></entryRelationship>`;
    const supply =
      '<supply classCode="SPLY" moodCode="EVN"><statusCode code="completed"/>' +
      `${body.replace('DEV', 'PRD')}</supply>`;
    const procedure =
      '<procedure classCode="PROC" moodCode="EVN"><code code="307280005" codeSystem="2.16.840.1.113883.6.96" ' +
      `displayName="Implantation of pacemaker"/><statusCode code="completed"/>${body}</procedure>`;
    for (const [section, statement] of [
      ['46264-8', supply],
      ['47519-4', procedure],
    ] as const) {
      const { facts } = await reader.read(clinicalDocument({ section, entries: entry(statement) }));
      expect(facts.find(({ model }) => model === 'Equipment')?.values).to.include({
        name: 'Cardiac pacemaker',
        lotNumber: 'ABC124',
        serialNumber: null,
        expires: '2022-10-15',
        modelNumber: 'M-1',
        description:
          'Device identifier: Not shown by its source. Serial Number: Not shown by its source. Brand Name: Azure.',
      });
    }
  });
});

describe('the text of a bundle', () => {
  it('has that of each resource', async () => {
    const div = (words: string) => ({
      text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${words}</div>` },
    });
    const history = { resourceType: 'FamilyMemberHistory', status: 'completed', patient: { reference: 'Patient/p' } };
    const entry = [history, { resourceType: 'Consent', status: 'active' }].map((resource, index) => ({
      resource: { ...resource, ...div(`Words ${index}`) },
    }));
    const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
    const written = JSON.stringify(await reader.narrative(bundle));
    expect(written).to.contain('Words 0');
    expect(written).to.contain('Words 1');
  });
});
