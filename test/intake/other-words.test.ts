/**
 * other-words: where two parts of a statement do not say the same, both are told: its words beside its code, two units
 * of one number, a value beside the reason why there is none. What is about somebody else is nobody's here.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, section } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

type Part = Readonly<Record<string, unknown>>;

const subject = { reference: 'Patient/p' };
const ucum = 'http://unitsofmeasure.org';
const laboratory = [{ coding: [{ code: 'laboratory' }] }];
const vitalSigns = [{ coding: [{ code: 'vital-signs' }] }];
const amount = (value: number, unit: string, code: string) => ({ value, unit, system: ucum, code });
const loinc = (code: string, display: string, text?: string) => ({
  coding: [{ system: 'http://loinc.org', code, display }],
  ...(text === undefined ? {} : { text }),
});
const observation = (category: unknown, more: Part): Part => ({
  resourceType: 'Observation',
  status: 'final',
  subject,
  category,
  effectiveDateTime: '2024-02-01',
  ...more,
});

async function read(...resources: readonly Part[]) {
  const patient = { resourceType: 'Patient', id: 'p', name: [{ family: 'A' }] };
  const entries = [patient, ...resources].map((resource) => ({ resource }));
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries };
  const { facts, leftOut, kept = [] } = await reader.read(Buffer.from(JSON.stringify(bundle)));
  return { facts, values: facts.map(({ values }) => values), leftOut, kept: kept.map(({ type }) => type) };
}

/** A medicine, result or reading of a C-CDA. */
async function readClinical(code: string, statement: string) {
  const { facts } = await reader.read(clinicalDocument({ body: section(code, entry(statement)) }));
  return facts.map(({ model, values }) => ({ model, values }));
}

const observed = (template: number, code: string, value: string): string =>
  `<organizer classCode="CLUSTER" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${template - 1}"/>` +
  '<id root="2.999.5"/><code code="1" codeSystem="2.999"/><statusCode code="completed"/><effectiveTime value="20240201"/>' +
  `<component><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${template}"/>` +
  `<id root="2.999.4"/>${code}<statusCode code="completed"/><effectiveTime value="20240201"/>${value}</observation>` +
  '</component></organizer>';
const coded = (code: string, name: string, words: string): string =>
  `<code code="${code}" codeSystem="2.16.840.1.113883.6.1" displayName="${name}"><originalText>${words}</originalText></code>`;
const quantity = (value: string, unit: string): string => `<value xsi:type="PQ" value="${value}" unit="${unit}"/>`;

/** A name that is only in a translation, beside the words of the sender. */
const translated = (element: string, words: string, code: string, system: string, name: string): string =>
  `<${element} xsi:type="CD" nullFlavor="UNK"><originalText>${words}</originalText><translation code="${code}" ` +
  `codeSystem="2.16.840.1.113883.6.${system}" displayName="${name}"/></${element}>`;
const product = (code: string): string =>
  `<consumable><manufacturedProduct><manufacturedMaterial>${code.replace(' xsi:type="CD"', '')}</manufacturedMaterial>` +
  '</manufacturedProduct></consumable>';
const administered = (words: string, code: string, system: string, name: string): string =>
  '<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="completed"/><effectiveTime ' +
  `value="20200101"/>${product(translated('code', words, code, system, name))}</substanceAdministration>`;

describe('the words of the sender in a C-CDA', () => {
  it('are told beside a code, also where the code stands in a translation', async () => {
    const problem =
      '<observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/><statusCode code="completed"/>' +
      `${translated('value', 'DM2, diet only', 'E11.9', '90', 'Type 2 diabetes')}</observation>`;
    const substance = translated('code', 'PCN (as child)', '7980', '88', 'Penicillin G').replace(' xsi:type="CD"', '');
    const allergy =
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.7"/><code ' +
      'code="ASSERTION"/><value xsi:type="CD" code="416098002" codeSystem="2.16.840.1.113883.6.96"/><participant ' +
      `typeCode="CSM"><participantRole><playingEntity>${substance}</playingEntity></participantRole></participant>` +
      '</observation>';
    const act =
      '<procedure classCode="PROC" moodCode="EVN">' +
      `${translated('code', 'Left knee scope, partial', '29881', '12', 'Knee arthroscopy')}<statusCode code="completed"/>` +
      '</procedure>';
    const result = observed(
      2,
      '<code code="5292-8" codeSystem="2.16.840.1.113883.6.1" displayName="RPR"/>',
      '<value xsi:type="CD" code="11214006" codeSystem="2.16.840.1.113883.6.96" displayName="Reactive">' +
        '<originalText>weakly reactive</originalText></value>',
    );
    for (const [list, statement, field, name, words] of [
      ['11450-4', problem, 'name_title', 'Type 2 diabetes', 'DM2, diet only'],
      ['48765-2', allergy, 'allergen_title', 'Penicillin G', 'PCN (as child)'],
      [
        '10160-0',
        administered('Warfarin 5 mg', '11289', '88', 'Warfarin'),
        'drugName_title',
        'Warfarin',
        'Warfarin 5 mg',
      ],
      [
        '11369-6',
        administered('Flu (half dose)', '88', '59', 'influenza'),
        'product_name_title',
        'influenza',
        'Flu (half dose)',
      ],
      ['47519-4', act, 'name', 'Knee arthroscopy', 'Left knee scope, partial'],
      ['30954-2', result, 'value', 'Reactive', 'weakly reactive'],
    ] as const) {
      const [fact] = await readClinical(list, statement);
      const notes = String(fact?.values['notes'] ?? fact?.values['comments']);
      expect([fact?.values[field], notes]).to.equal([name, `In the words of the source: ${words}.`]);
    }
  });

  it('are not repeated where the name of the code has all of them', async () => {
    const [fact] = await readClinical('11369-6', administered('Influenza vaccine', '88', '59', 'influenza (vaccine)'));
    expect([fact?.values['product_name_title'], fact?.values['notes']]).to.equal(['influenza (vaccine)', null]);
  });
});

describe('the unit "1" of a count', () => {
  it('is not written behind a number in words, where it would read as a digit', async () => {
    const one = amount(1, '1', '1');
    const two = amount(2, '1', '1');
    const { values } = await read(
      observation(laboratory, { code: { text: 'Casts' }, valueRange: { low: one, high: two } }),
      observation(laboratory, {
        code: { text: 'Titer' },
        valueRatio: { numerator: one, denominator: amount(320, '1', '1') },
      }),
      observation(laboratory, {
        code: { text: 'INR' },
        valueQuantity: two,
        referenceRange: [{ low: one, high: two }],
      }),
    );
    expect(values.map((each) => each['value'] ?? each['reference'])).to.equal(['1 - 2', '1:320', '1 - 2']);
    const interval = '<low value="1" unit="1"/><high value="2" unit="1"/>';
    const statement = observed(2, '<code code="1" codeSystem="2.999" displayName="Casts"/>', '').replace(
      '</observation>',
      `<value xsi:type="IVL_PQ">${interval}</value><referenceRange><observationRange>` +
        `<value xsi:type="IVL_PQ">${interval}</value></observationRange></referenceRange></observation>`,
    );
    const [fact] = await readClinical('30954-2', statement);
    expect([fact?.values['value'], fact?.values['reference']]).to.equal(['1 - 2', '1 - 2']);
  });
});

describe('the words of a source', () => {
  it('stand beside the name of a test where they say what it was of, or name another', async () => {
    const test = (code: unknown) => observation(laboratory, { code, valueQuantity: { value: 7.9, unit: 'mmol/L' } });
    const notesOf = async (...names: readonly [string, string, string]) =>
      (await read(test(loinc(...names)))).values[0]!['notes'];
    expect(await notesOf('2345-7', 'Glucose', 'Glucose, 2h after meal')).to.equal(
      'In the words of the source: Glucose, 2h after meal.',
    );
    expect(await notesOf('2823-3', 'Potassium', 'Sodium')).to.equal('In the words of the source: Sodium.');
    for (const text of ['Potassium', 'POTASSIUM, SERUM', 'K']) {
      expect(await notesOf('2823-3', 'Potassium', text), text).to.be.null();
    }
    const [result] = await readClinical(
      '30954-2',
      observed(2, coded('2345-7', 'Glucose', 'Glucose fasting'), quantity('5.4', 'mmol/L')),
    );
    expect(result?.values['notes']).to.contain('In the words of the source: Glucose fasting.');
  });

  it('keep a reading of something else out of the readings of the body', async () => {
    for (const [code, display, text, unit] of [
      ['29463-7', 'Body weight', 'Birth weight', 'kg'],
      ['8867-4', 'Heart rate', 'Fetal heart rate', '/min'],
      ['8480-6', 'Systolic blood pressure', 'Target systolic', 'mm[Hg]'],
    ] as const) {
      const valueQuantity = amount(100, unit, unit);
      const { facts } = await read(observation(vitalSigns, { code: loinc(code, display, text), valueQuantity }));
      const [reading] = await readClinical('8716-3', observed(27, coded(code, display, text), quantity('100', unit)));
      for (const fact of [facts[0], reading]) {
        expect(fact?.model, text).to.equal('Measurement');
        expect(fact?.values).to.include({ name: text, value: 100 });
      }
    }
    const code = loinc('29463-7', 'Body weight', 'Weight');
    const { values } = await read(observation(vitalSigns, { code, valueQuantity: amount(70, 'kg', 'kg') }));
    expect(values[0]).to.include({ weight_value: 70, notes: null });
  });

  it('stand beside the code of an allergen', async () => {
    const allergen = coded('7980', 'Penicillin', 'Cephalexin').replace('.6.1"', '.6.88"');
    const statement =
      '<act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.30"/><id root="2.999.6"/>' +
      '<code code="CONC" codeSystem="2.16.840.1.113883.5.6"/><statusCode code="active"/><entryRelationship typeCode="SUBJ">' +
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.7"/><id root="2.999.7"/>' +
      '<code code="ASSERTION" codeSystem="2.16.840.1.113883.5.4"/><statusCode code="completed"/><value xsi:type="CD" ' +
      'code="416098002" codeSystem="2.16.840.1.113883.6.96" displayName="Drug allergy"/><participant typeCode="CSM">' +
      '<participantRole classCode="MANU"><playingEntity classCode="MMAT">' +
      `${allergen}</playingEntity></participantRole></participant></observation></entryRelationship></act>`;
    const [allergy] = await readClinical('48765-2', statement);
    expect(allergy?.values).to.include({
      allergen_title: 'Penicillin',
      notes: 'In the words of the source: Cephalexin.',
    });
  });

  it('stand beside a code where another code of the statement names something else', async () => {
    const named = (...displays: readonly string[]) => ({
      resourceType: 'Condition',
      subject,
      code: { coding: displays.map((display, at) => ({ system: `http://codes.example/${at}`, code: '1', display })) },
    });
    const { values } = await read(
      named('Asthma', 'COPD, unspecified'),
      named('Hypertensive disorder', 'Essential (primary) hypertension'),
      named('Diabetes mellitus type 2', 'Type 2 diabetes'),
    );
    const told = 'Another of its codes: COPD, unspecified.';
    expect(values.map(({ notes }) => notes)).to.equal([told, null, null]);
    const [problem] = await readClinical(
      '11450-4',
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><id root="2.999.8"/>' +
        '<code code="ASSERTION"/><statusCode code="completed"/><value xsi:type="CD" code="195967001" ' +
        'codeSystem="2.16.840.1.113883.6.96" displayName="Asthma"><translation code="J44.9" codeSystem=' +
        '"2.16.840.1.113883.6.90" displayName="COPD, unspecified"/></value></observation>',
    );
    expect(problem?.values['notes']).to.equal(told);
  });
});

describe('two units of one number', () => {
  it('are both told of a result and of a dose', async () => {
    const code = loinc('2345-7', 'Glucose');
    const dosageInstruction = [{ doseAndRate: [{ doseQuantity: amount(5, 'mg', 'g') }] }];
    const medicationCodeableConcept = { text: 'Drug' };
    const { values } = await read(
      observation(laboratory, { code, valueQuantity: amount(5.4, 'mg/dL', 'mmol/L') }),
      observation(laboratory, { code, valueQuantity: amount(5.4, 'mcg/mL', 'ug/mL') }),
      {
        resourceType: 'MedicationRequest',
        status: 'active',
        intent: 'order',
        subject,
        medicationCodeableConcept,
        dosageInstruction,
      },
    );
    expect(values.map((one) => one['quantitative_result_value_unit'] ?? one['quantity_unit'])).to.equal([
      'mg/dL (mmol/L)',
      'ug/mL',
      'mg (g)',
    ]);
  });
});

describe('a value', () => {
  it('is kept with the reason that stands beside it why there is none', async () => {
    const dataAbsentReason = { text: 'hemolyzed' };
    const { values } = await read(
      observation(laboratory, {
        code: loinc('2823-3', 'Potassium'),
        valueQuantity: amount(7.9, 'mmol/L', 'mmol/L'),
        dataAbsentReason,
      }),
      observation(vitalSigns, {
        code: loinc('8867-4', 'Heart rate'),
        valueQuantity: amount(80, '/min', '/min'),
        dataAbsentReason,
      }),
    );
    expect(values.map(({ notes }) => notes)).to.equal([
      'Why there is no value: hemolyzed.',
      'Why there is no value: hemolyzed.',
    ]);
  });

  it('of a dose may begin or end with its point', async () => {
    const dose = async (value: string) => {
      const [medicine] = await readClinical(
        '10160-0',
        '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.16"/>' +
          `<id root="2.999.7"/><statusCode code="active"/><doseQuantity value="${value}" unit="mg"/><consumable>` +
          '<manufacturedProduct classCode="MANU"><manufacturedMaterial><code code="1" codeSystem="2.16.840.1.113883.6.88" ' +
          'displayName="Drug"/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>',
      );
      return [medicine?.values['quantity_value'], medicine?.values['instructions']];
    };
    expect(await dose('.5')).to.equal(['0.5', null]);
    expect(await dose('5.')).to.equal(['5', null]);
    expect(await dose('05')).to.equal(['5', null]);
  });
});

describe('a statement about a Patient of another id', () => {
  const potassium = observation(laboratory, {
    code: loinc('2823-3', 'Potassium'),
    valueQuantity: amount(7.9, 'mmol/L', 'mmol/L'),
    subject: { reference: 'Patient/other' },
  });
  const gout = { resourceType: 'Condition', subject, code: { text: 'Gout' } };

  it('is left out where the other statements lead to the Patient of the Bundle', async () => {
    const { values, leftOut, kept } = await read(gout, potassium);
    expect(kept).to.equal(['Patient', 'Condition']);
    expect(values.map(({ name_title: name }) => name)).to.equal(['Gout']);
    expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['LabResult other_person']);
  });

  it('is read where no statement does, because ids are then those of another system', async () => {
    expect(await read(potassium)).to.include({ leftOut: [], kept: ['Patient', 'Observation'] });
  });
});

describe('a name that denies something', () => {
  const denials = [
    'No history of diabetes',
    'Denies chest pain',
    'No evidence of pneumonia',
    'Negative for influenza',
    'Pulmonary embolism ruled out',
    'Kein Hinweis auf Diabetes mellitus',
    'Lungenembolie ausgeschlossen',
    'Niega dolor torácico',
  ];
  const named = (words: string): string =>
    '<act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.3"/><id root="2.999.6"/><code ' +
    'code="CONC" codeSystem="2.16.840.1.113883.5.6"/><statusCode code="active"/><effectiveTime><low value="20240101"/>' +
    '</effectiveTime><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><templateId ' +
    'root="2.16.840.1.113883.10.20.22.4.4"/><id root="2.999.7"/><code code="55607006" ' +
    'codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/><effectiveTime><low value="20240101"/>' +
    `</effectiveTime><value xsi:type="CD" nullFlavor="UNK"><originalText>${words}</originalText></value></observation>` +
    '</entryRelationship></act>';

  it('makes no problem, and is told', async () => {
    for (const text of denials) {
      const { values, leftOut } = await read({ resourceType: 'Condition', subject, code: { text } });
      expect(values, text).to.equal([]);
      expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['Problem negated']);
      expect(await readClinical('11450-4', named(text)), text).to.equal([]);
    }
  });

  it('makes no allergy where it ends so', async () => {
    const { values, leftOut } = await read({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      code: { text: 'Penicillin allergy ruled out' },
    });
    expect(values).to.equal([]);
    expect(leftOut.map(({ reason }) => reason)).to.equal(['negated']);
  });

  it('is a problem where it names something that is there', async () => {
    for (const text of ['No light perception', 'Kein Antrieb', 'Rule out pneumonia', 'Denies pain but reports cough']) {
      const { values } = await read({ resourceType: 'Condition', subject, code: { text } });
      expect(values.map(({ name_title: name }) => name)).to.equal([text]);
      const [problem] = await readClinical('11450-4', named(text));
      expect(problem?.values['name_title'], text).to.equal(text);
    }
  });

  it('is not of the person where a Patient inside of it has another name or day of birth', async () => {
    const code = loinc('2345-7', 'Glucose');
    const of = (contained: object): Part => ({
      ...observation(laboratory, { code, valueQuantity: amount(5, 'mg/dL', 'mg/dL') }),
      subject: { reference: '#x' },
      contained: [{ resourceType: 'Patient', id: 'x', ...contained }],
    });
    const anna = {
      resourceType: 'Patient',
      id: 'p',
      name: [{ family: 'Adler', given: ['Anna'] }],
      birthDate: '1980-01-01',
    };
    const countOf = async (contained: object): Promise<number> => {
      const entries = [anna, of(contained)].map((resource) => ({ resource }));
      const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries };
      const { facts, leftOut } = await reader.read(Buffer.from(JSON.stringify(bundle)));
      expect(leftOut.map(({ reason }) => reason)).to.equal(facts.length === 1 ? [] : ['other_person']);
      return facts.length;
    };
    expect(await countOf({ name: [{ family: 'Other' }] })).to.equal(0);
    expect(await countOf({ name: [{ family: 'Adler', given: ['Ben'] }] })).to.equal(0);
    expect(await countOf({ birthDate: '2020-01-01' })).to.equal(0);
    expect(await countOf({ name: [{ family: 'ADLER', given: ['Anna'] }] })).to.equal(1);
    expect(await countOf({ name: [{ family: 'Smith' }], birthDate: '1980-01-01' })).to.equal(1);
    expect(await countOf({})).to.equal(1);
  });
});

describe('a date that nobody means', () => {
  it('is kept as it is written, and told; a date that stands for none is not', async () => {
    const code = loinc('2345-7', 'Glucose');
    const patient = { patient: subject, status: 'completed', vaccineCode: { text: 'Tetanus' } };
    const { values, leftOut } = await read(
      { resourceType: 'Condition', id: 'c', subject, code: { text: 'Asthma' }, onsetDateTime: '2924-03-01' },
      { ...observation(laboratory, { code, effectiveDateTime: '0224-02-01', valueInteger: 3 }), id: 'o' },
      { resourceType: 'Immunization', id: 'i', ...patient, occurrenceDateTime: '2924' },
      { resourceType: 'Condition', id: 'd', subject, code: { text: 'Gout' }, abatementDateTime: '9999-12-31' },
      { resourceType: 'Condition', id: 'e', subject, code: { text: 'Flu' }, onsetDateTime: '2024-03-01' },
    );
    const written = (date: string): string => `Date as it is written: ${date}.`;
    const expected = [written('2924-03-01'), written('0224-02-01'), written('2924'), null, null];
    expect(values.map(({ notes }) => notes)).to.equal(expected);
    expect(values[0]?.['startDate']).to.be.null();
    expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal([
      'Problem odd_date',
      'LabResult odd_date',
      'Immunization odd_date',
    ]);
    const problemSince = async (date: string): Promise<Readonly<Record<string, unknown>>> => {
      const [problem] = await readClinical(
        '11450-4',
        '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><id root="2.999.8"/>' +
          `<code code="ASSERTION"/><statusCode code="completed"/><effectiveTime><low value="${date}"/></effectiveTime>` +
          '<value xsi:type="CD" code="195967001" codeSystem="2.16.840.1.113883.6.96" displayName="Asthma"/></observation>',
      );
      return { startDate: null, notes: null, ...problem?.values };
    };
    for (const date of ['29240301', '20260230', '2025-02-29', '20261301', '202613', '20260431']) {
      const since = await problemSince(date);
      expect([since['notes'], since['startDate']], date).to.equal([written(date), null]);
    }
    for (const date of ['20240229', '2026', '202602-0500', '2026-02-28', '00010101']) {
      expect((await problemSince(date))['notes'], date).to.be.null();
    }
  });
});

describe('a specimen', () => {
  it('that could not be used is told beside its result', async () => {
    const potassium = (status: string) =>
      observation(laboratory, {
        code: loinc('2823-3', 'Potassium'),
        valueQuantity: amount(7.1, 'mmol/L', 'mmol/L'),
        specimen: { reference: '#s' },
        contained: [{ resourceType: 'Specimen', id: 's', status }],
      });
    expect((await read(potassium('unsatisfactory'))).values[0]!['notes']).to.equal('Specimen: unsatisfactory.');
    expect((await read(potassium('available'))).values[0]!['notes']).to.be.null();
  });
});

describe('a subject that has no more than a name', () => {
  const adler = { resourceType: 'Patient', id: 'p', name: [{ family: 'Adler', given: ['Anna'] }] };
  const problemOf = (display: string): Part => ({
    resourceType: 'Condition',
    subject: { display },
    code: { text: `Asthma of ${display}` },
  });
  const readAll = async (...resources: readonly object[]) => {
    const entries = resources.map((resource) => ({ resource }));
    const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries };
    return reader.read(Buffer.from(JSON.stringify(bundle)));
  };

  it('is left out with its resource where it is another name than the person’s', async () => {
    const { facts, leftOut, kept } = await readAll(
      adler,
      ...['ADLER, ANNA', 'Baby Girl Adler', 'Ben Cole', 'Patient'].map(problemOf),
    );
    expect(facts.map(({ values }) => values['name_title'])).to.equal(['Asthma of ADLER, ANNA', 'Asthma of Patient']);
    expect(leftOut.map(({ count, reason }) => `${count} ${reason}`)).to.equal(['2 other_person']);
    expect(kept!.filter(({ type }) => type === 'Condition').map(({ part }) => part)).to.equal([1, 4]);
  });

  it('is somebody else where its address leads nowhere, and its name is another one', async () => {
    const named = (display: string, reference: string) => ({ ...problemOf(display), subject: { reference, display } });
    for (const [display, reference, reasons] of [
      ['Ben Cole', 'Patient/other', ['1 other_person']],
      ['Anna Adler', 'Patient/other', []],
      // Where the address leads to the person, the name may be an old one.
      ['Ann Baker', 'Patient/p', []],
    ] as const) {
      const { facts, leftOut } = await readAll(adler, named(display, reference));
      expect(leftOut.map(({ count, reason }) => `${count} ${reason}`)).to.equal([...reasons]);
      expect(facts).to.have.length(1 - reasons.length);
    }
  });

  it('is the person’s in another script, and with or without accents', async () => {
    const jose = { resourceType: 'Patient', id: 'p', name: [{ family: 'Núñez', given: ['José'] }] };
    const { facts, leftOut, kept } = await readAll(jose, ...['Nunez, Maria', 'خوسيه نونيز', "D'Arc"].map(problemOf));
    expect(facts.map(({ values }) => values['name_title'])).to.equal([
      'Asthma of Nunez, Maria',
      'Asthma of خوسيه نونيز',
    ]);
    expect(leftOut.map(({ count, reason }) => `${count} ${reason}`)).to.equal(['1 other_person']);
    expect(kept!.filter(({ type }) => type === 'Condition').map(({ part }) => part)).to.equal([1, 2]);
  });

  it('is whom a document without a Patient is about, who is asked about', async () => {
    const { about, leftOut } = await readAll(...['Baby Boy Smith', 'Jane Doe'].map(problemOf));
    expect(about?.subject).to.equal('Baby Boy Smith');
    expect(leftOut.map(({ count, reason }) => `${count} ${reason}`)).to.equal(['1 other_person']);
    const alone = await reader.read(Buffer.from(JSON.stringify(problemOf('Baby Boy Smith'))));
    expect([alone.about?.subject, alone.facts.length]).to.equal(['Baby Boy Smith', 1]);
  });
});

describe('an answer with a date that nobody means', () => {
  it('is kept with the date as it is written, and that is told', async () => {
    const { values, leftOut } = await read({
      resourceType: 'QuestionnaireResponse',
      id: 'q',
      subject,
      status: 'completed',
      authored: '0214-05-01',
      item: [
        { linkId: '1', text: 'Last period', answer: [{ valueDate: '2924-03-01' }] },
        { linkId: '2', text: 'Smoker', answer: [{ valueBoolean: false }] },
      ],
    });
    expect(values.map((one) => one['notes'])).to.equal([
      'Date as it is written: 0214-05-01, 2924-03-01.',
      'Date as it is written: 0214-05-01.',
    ]);
    expect(leftOut.map(({ model, reason, count }) => `${count} ${model} ${reason}`)).to.equal(['2 LabResult odd_date']);
  });
});

describe('a statement that is denied beside it', () => {
  const bundled = async (type: string, entry: readonly Part[]): Promise<readonly string[]> => {
    const { facts, leftOut } = await reader.read(Buffer.from(JSON.stringify({ resourceType: 'Bundle', type, entry })));
    return [...facts.map(({ model }) => model), ...leftOut.map(({ model, reason }) => `${model} ${reason}`)];
  };

  it('is not there where its sender deletes it, in any kind of Bundle', async () => {
    const resource = { resourceType: 'Condition', id: '1', subject, code: { text: 'Asthma' } };
    const gone = { request: { method: 'DELETE', url: 'Condition/1' } };
    expect(await bundled('collection', [{ resource }, gone])).to.equal(['Problem entered_in_error']);
    expect(await bundled('transaction', [gone, { resource }])).to.equal(['Problem entered_in_error']);
    expect(await bundled('transaction', [{ resource, ...gone }])).to.equal(['Problem entered_in_error']);
    const other = { request: { method: 'DELETE', url: 'Condition/2' } };
    expect(await bundled('transaction', [{ resource }, other])).to.equal(['Problem']);
  });

  it('is a medicine that was stopped where its name says so', async () => {
    const stopped = ['Aspirin (discontinued)', 'STOP warfarin', 'Warfarin - stopped', 'Aspirin: do not take'];
    const request = (text: string): Part => ({
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      subject,
      medicationCodeableConcept: { text },
    });
    const { values } = await read(...[...stopped, 'Stopain spray'].map(request));
    expect(values.map(({ status_identifier: state }) => state)).to.equal([...stopped.map(() => 'stopped'), 'active']);
    const [medicine] = await readClinical(
      '10160-0',
      '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.16"/>' +
        '<id root="2.999.8"/><statusCode code="active"/><consumable><manufacturedProduct><manufacturedMaterial><code ' +
        'code="1" codeSystem="2.999" displayName="Warfarin - stopped"/></manufacturedMaterial></manufacturedProduct>' +
        '</consumable></substanceAdministration>',
    );
    expect(medicine?.values).to.include({ status_title: 'Stopped' });
  });

  it('keeps of what specimen a result is, where only its name is said', async () => {
    const code = loinc('2345-7', 'Glucose');
    const { values } = await read(
      observation(laboratory, { code, valueInteger: 3, specimen: { display: 'Cord blood' } }),
    );
    expect(values[0]).to.include({ notes: 'Specimen: Cord blood.' });
  });
});
