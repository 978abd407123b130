/**
 * other senders: particular forms in documents of other vendors. No fact says "there is none", and nothing is shown as
 * active, given or certain that is not.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { childrenIn, type Fact } from '../../core/facts/model/fact';
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

const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const templates = '2.16.840.1.113883.10.20.22.4';
const coded = (code: string, name: string, inside = ''): string =>
  `<value xsi:type="CD" code="${code}" ${SNOMED} displayName="${name}">${inside}</value>`;

type Part = { readonly act?: string; readonly concern?: string; readonly observation?: string; readonly time?: string };

/** A concern with a problem or an allergy. */
const concern = (template: number, inside: string, part: Part = {}): string => {
  const { act = 'moodCode="EVN"', concern: state = 'active', observation = '', time = '' } = part;
  return (
    `<act classCode="ACT" ${act}><statusCode code="${state}"/><entryRelationship typeCode="SUBJ"><observation ` +
    `classCode="OBS" moodCode="EVN" ${observation}><templateId root="${templates}.${template}"/><code ` +
    `code="ASSERTION"/><effectiveTime>${time}</effectiveTime>${inside}</observation></entryRelationship></act>`
  );
};
const problem = (inside: string, part?: Part): string => concern(4, inside, part);
const allergyTo = (inside: string, part?: Part): string =>
  concern(
    7,
    `${coded('419199007', 'Allergy')}<participant typeCode="CSM"><participantRole>` +
      `<playingEntity>${inside}</playingEntity></participantRole></participant>`,
    part,
  );
const medication = (name: string, inside = ''): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/>${inside}<consumable>` +
  `<manufacturedProduct><manufacturedMaterial><code nullFlavor="UNK"/><name>${name}</name></manufacturedMaterial>` +
  '</manufacturedProduct></consumable></substanceAdministration>';

const PATIENT = { resourceType: 'Patient', id: 'p' };
const bundle = (...resources: readonly object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [PATIENT, ...resources].map((resource, number) => ({
        fullUrl: `https://h.example/${number}`,
        resource,
      })),
    }),
  );
const named = (text: string): object => ({ code: { text } });
const ips = (code: string): object => ({
  coding: [{ system: 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips', code }],
});
const condition = (rest: object): object => ({
  resourceType: 'Condition',
  subject: { reference: 'Patient/p' },
  ...rest,
});
const intolerance = (rest: object): object => ({
  resourceType: 'AllergyIntolerance',
  patient: { reference: 'Patient/p' },
  ...rest,
});
const taking = (rest: object): object => ({
  resourceType: 'MedicationStatement',
  status: 'active',
  subject: { reference: 'Patient/p' },
  ...rest,
});

const shown = ({ model, values }: Fact, columns: readonly string[]): string =>
  [model, ...columns.map((column) => values[column]).filter((value) => value !== null && value !== undefined)].join(
    ': ',
  );

/** The facts with these columns, then what was left out. */
const outcome = async (document: Buffer, ...columns: readonly string[]): Promise<readonly string[]> => {
  const { facts, leftOut } = await reader.read(document);
  return [
    ...facts.map((fact) => shown(fact, columns)),
    ...leftOut.map(({ model, reason, count }) => `${count} ${model} ${reason}`),
  ];
};

describe('a C-CDA document of another sender', () => {
  it('holds no problem that the act around it negates or plans, or that is known to be absent', async () => {
    const document = oneSection(
      '11450-4',
      problem(coded('1', 'Asthma'), { act: 'moodCode="EVN" negationInd="true"' }),
      problem(coded('2', 'Risk of falls'), { act: 'moodCode="INT"' }),
      problem(
        coded('3', 'Diabetes') +
          `<entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="408729009" ${SNOMED}/>` +
          `${coded('410516002', 'Known absent')}</observation></entryRelationship>`,
      ),
      problem(coded('4', 'No active problems')),
      problem(coded('6', 'No caregiver available')),
      problem(
        coded(
          '5',
          'Myocardial infarction',
          `<qualifier><name code="408729009" ${SNOMED}/><value code="415684004" ${SNOMED} displayName="Suspected"/></qualifier>`,
        ),
      ),
    );
    expect(await outcome(document, 'name_title', 'verificationStatus_title')).to.equal([
      'Problem: No caregiver available',
      'Problem: Myocardial infarction: Suspected',
      '3 Problem negated',
      '1 Problem planned',
    ]);
  });

  it('calls no problem active that ended at an unknown time', async () => {
    const ended = { time: '<low value="2010"/><high nullFlavor="UNK"/>' };
    const document = oneSection(
      '11450-4',
      problem(coded('1', 'Asthma'), { ...ended, concern: 'completed' }),
      problem(coded('2', 'Gout'), ended),
      problem(coded('3', 'Hay fever'), { time: '<low value="2010"/><high nullFlavor="NI"/>' }),
    );
    expect(await outcome(document, 'name_title', 'clinicalStatus_title')).to.equal([
      'Problem: Asthma: Inactive',
      'Problem: Gout',
      'Problem: Hay fever: Active',
    ]);
  });

  it('tells no known allergies from allergies, from what is not known, and from what is no longer so', async () => {
    const document = oneSection(
      '48765-2',
      allergyTo('<name>No Active Allergies</name>'),
      allergyTo('<code nullFlavor="NA"/>', { act: 'moodCode="EVN" negationInd="true"' }),
      concern(7, '<value xsi:type="CD" code="no-known-food-allergies" codeSystem="2.16.840.1.113883.5.1150.1"/>'),
      allergyTo('<name>Keine Allergien bekannt</name>'),
      allergyTo('<name>Penicillin</name>', { act: 'moodCode="EVN" negationInd="true"' }),
      allergyTo('<name>None</name>'),
      allergyTo('<name>Patient denies allergies</name>'),
      allergyTo('<name>No allergies on file</name>'),
      allergyTo('<name>Unknown</name>'),
      concern(7, coded('716186003', 'No known allergy'), {
        concern: 'completed',
        time: '<low value="2001"/><high value="2010"/>',
      }),
      allergyTo('<name>Unknown antibiotic</name>'),
    );
    expect(await outcome(document, 'name_title', 'allergen_title')).to.equal([
      'AllergyExclusion: No known allergies',
      'AllergyExclusion: No known allergies',
      'AllergyExclusion: No known food allergy',
      'AllergyExclusion: No known allergies',
      'Allergy: Unknown antibiotic',
      '3 Allergy negated',
      '2 Allergy no_information',
      '1 AllergyExclusion negated',
    ]);
  });

  it('is not refused for empty attributes, units and codes with spaces, and signs before numbers', async () => {
    const result = (name: string, value: string, id = 'root="2.999.5"'): string =>
      `<observation classCode="OBS" moodCode="EVN"><id ${id}/><code code="GLU 1" codeSystem="" displayName="${name}"/>` +
      '<statusCode code="completed"/><effectiveTime value=""><low value="2024"/></effectiveTime>' +
      `<value xsi:type="PQ" ${value}/></observation>`;
    const document = oneSection(
      '30954-2',
      result('Words', 'value="5" unit="mg per dL"'),
      result('Nothing', 'value="" unit="mg/dL"', 'root="" extension=""'),
      result('No unit', 'value="7" unit=""', 'root="" extension=""'),
      result('Below', 'value="&lt;5" unit="mg/dL"'),
      result('At least', 'value="&gt;= 60" unit="mL/min"'),
    );
    expect(
      await outcome(
        document,
        'test_name_title',
        'test_name_identifier',
        'test_name_system',
        'collected_at',
        'quantitative_result_value_value',
        'quantitative_result_value_unit',
        'value',
      ),
    ).to.equal([
      'LabResult: Words: GLU 1: 2024-01-01T00:00:00.000000Z: 5: mg per dL',
      'LabResult: Nothing: GLU 1: 2024-01-01T00:00:00.000000Z',
      'LabResult: No unit: GLU 1: 2024-01-01T00:00:00.000000Z: 7',
      'LabResult: Below: GLU 1: 2024-01-01T00:00:00.000000Z: <5: mg/dL',
      'LabResult: At least: GLU 1: 2024-01-01T00:00:00.000000Z: >=60: mL/min',
    ]);
  });

  it('has results in sections of laboratories, and medications that name their ingredients only', async () => {
    const sodium =
      '<observation classCode="OBS" moodCode="EVN"><code code="2951-2" displayName="Sodium"/>' +
      '<value xsi:type="PQ" value="140"/></observation>';
    const laboratory = oneSection(
      '18719-5',
      `<act classCode="ACT" moodCode="EVN"><templateId root="1.3.6.1.4.1.19376.1.3.1"/><entryRelationship typeCode="COMP">` +
        `<organizer classCode="BATTERY" moodCode="EVN"><code displayName="Electrolytes"/><component>${sodium}</component>` +
        '</organizer></entryRelationship></act>',
    );
    expect(await outcome(laboratory, 'test_name_title', 'name_title')).to.equal([
      'LabResult: Sodium',
      'LabPanel: Electrolytes',
    ]);
    const of = (...names: readonly string[]): string =>
      names
        .map(
          (name) => `<p:ingredient><p:substance><p:code code="1" displayName="${name}"/></p:substance></p:ingredient>`,
        )
        .join('');
    const given = (material: string, code = ''): string =>
      `<substanceAdministration classCode="SBADM" moodCode="EVN">${code}<consumable><manufacturedProduct>` +
      `<manufacturedMaterial xmlns:p="urn:hl7-org:pharm">${material}</manufacturedMaterial>` +
      '</manufacturedProduct></consumable></substanceAdministration>';
    const medications = oneSection(
      '10160-0',
      given(`<name>Zestril</name>${of('Lisinopril')}`),
      given(of('Ramipril')),
      given(of('Lisinopril', 'Amlodipine')),
      given('', '<code code="no-medication-info"/>'),
    );
    expect(await outcome(medications, 'drugName_title', 'drugName_identifier')).to.equal([
      'Medication: Zestril',
      'Medication: Ramipril: 1',
      'Medication: Lisinopril / Amlodipine',
      '1 Medication no_information',
    ]);
  });

  it('says a frequency only where there is one, and what is taken when needed', async () => {
    const daily = '<effectiveTime xsi:type="PIVL_TS"><period value="1" unit="d"/></effectiveTime>';
    const at = (event: string): string => `<effectiveTime xsi:type="EIVL_TS"><event code="${event}"/></effectiveTime>`;
    const document = oneSection(
      '10160-0',
      medication('Once', daily),
      medication('Morning and evening', daily + daily),
      medication('With two meals', at('CM') + at('CV')),
      medication(
        'Within a course',
        '<effectiveTime xsi:type="SXPR_TS"><comp xsi:type="IVL_TS"><low value="20230105"/></comp><comp ' +
          'xsi:type="PIVL_TS"><period value="8" unit="h"/></comp></effectiveTime>',
      ),
      medication('Inhaler', `<precondition><criterion>${coded('56018004', 'Wheezing')}</criterion></precondition>`),
      medication(
        'Tablets',
        '<text>One tablet PRN, at most four</text><precondition><criterion><code code="ASSERTION"/></criterion></precondition>',
      ),
      medication('Patient not on any medications'),
      medication('No medications recorded'),
    );
    expect(
      await outcome(document, 'drugName_title', 'startDate', 'frequency_value', 'frequency_unit', 'instructions'),
    ).to.equal([
      'Medication: Once: 1: /d',
      'Medication: Morning and evening: once a day; and once a day',
      'Medication: With two meals: at breakfast and at dinner',
      'Medication: Within a course: 2023-01-05: 3: /d: once every 8 hours',
      'Medication: Inhaler: as needed for Wheezing',
      'Medication: Tablets: One tablet PRN, at most four (as needed)',
      '1 Medication negated',
      '1 Medication no_information',
    ]);
  });
});

describe('a FHIR bundle of another sender', () => {
  it('keeps which of the codes of the patient summary say "none", and no fact for "not known"', async () => {
    const document = bundle(
      intolerance({ code: ips('no-known-allergies') }),
      intolerance({ code: ips('no-allergy-info') }),
      condition({ code: ips('no-known-problems') }),
      condition({ code: ips('no-problem-info') }),
      taking({ medicationCodeableConcept: ips('no-known-medications') }),
      taking({ medicationCodeableConcept: ips('no-medication-info') }),
      {
        resourceType: 'Immunization',
        status: 'completed',
        vaccineCode: ips('no-immunization-info'),
        patient: { reference: 'Patient/p' },
        occurrenceString: 'unknown',
      },
      {
        resourceType: 'Procedure',
        status: 'completed',
        code: ips('no-known-procedures'),
        subject: { reference: 'Patient/p' },
      },
      { resourceType: 'Device', type: ips('no-device-info'), patient: { reference: 'Patient/p' } },
    );
    expect(await outcome(document, 'name_title')).to.equal([
      'AllergyExclusion: No known allergies',
      'AllergyExclusion: No known problems',
      'AllergyExclusion: No known medications',
      '1 Allergy no_information',
      '1 Problem no_information',
      '1 Medication no_information',
      '1 Immunization no_information',
      '1 Procedure negated',
      '1 Equipment no_information',
    ]);
  });

  it('takes no exclusion that is refuted or no longer so', async () => {
    const none = { coding: [{ system: 'http://snomed.info/sct', code: '716186003' }] };
    const state = (code: string): object => ({ coding: [{ code }] });
    const document = bundle(
      intolerance({ code: none, verificationStatus: state('refuted') }),
      intolerance({ code: none, clinicalStatus: state('inactive') }),
      intolerance({ code: none, clinicalStatus: state('active') }),
    );
    expect(await outcome(document, 'name_title')).to.equal([
      'AllergyExclusion: No known allergies',
      '2 AllergyExclusion negated',
    ]);
  });

  it('calls inactive what ended at an age, and tells ages in words', async () => {
    const range = { low: { value: 10, unit: 'years' }, high: { value: 12, unit: 'years' } };
    const document = bundle(
      condition({ ...named('Asthma'), onsetRange: range, abatementAge: { value: 30, unit: 'years' } }),
      condition({ ...named('Croup'), abatementString: 'in childhood' }),
      condition({ ...named('Gout') }),
    );
    expect(await outcome(document, 'name_title', 'clinicalStatus_title', 'notes')).to.equal([
      'Problem: Asthma: Inactive: Onset at the age of 10 - 12 years. Ended at the age of 30 years.',
      'Problem: Croup: Inactive: Ended: in childhood.',
      'Problem: Gout',
    ]);
  });

  it('keeps the results inside a report as its members', async () => {
    const inside = (id: string, text: string, value: number): object => ({
      resourceType: 'Observation',
      id,
      status: 'final',
      code: { text },
      valueQuantity: { value },
    });
    const report = (id: string, status: string): object => ({
      resourceType: 'DiagnosticReport',
      id,
      status,
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'Panel' },
      subject: { reference: 'Patient/p' },
      effectiveDateTime: '2024-01-05',
      contained: [inside('a', 'Sodium', 140), inside('b', 'Potassium', 4)],
      result: [{ reference: '#a' }, { reference: '#b' }],
    });
    const document = bundle(report('r1', 'final'), report('r2', 'entered-in-error'));
    const { facts, leftOut } = await reader.read(document);
    expect(facts.map((fact) => shown(fact, ['test_name_title', 'collected_at', 'name_title']))).to.equal([
      'LabPanel: Panel',
      'LabResult: Sodium: 2024-01-05T00:00:00.000000Z',
      'LabResult: Potassium: 2024-01-05T00:00:00.000000Z',
    ]);
    expect(childrenIn(facts[0]!, 'results').map(({ values }) => values['test'])).to.equal(['Sodium', 'Potassium']);
    expect(leftOut.map(({ model, reason, count }) => `${count} ${model} ${reason}`)).to.equal([
      '1 DiagnosticReport entered_in_error',
      '2 LabResult entered_in_error',
    ]);
  });

  it('keeps the sign of a ratio, says open ranges by their end, and knows a laboratory by words and by its report', async () => {
    const observation = (rest: object): object => ({
      resourceType: 'Observation',
      status: 'final',
      category: [{ text: 'Laboratory' }],
      subject: { reference: 'Patient/p' },
      ...rest,
    });
    const document = bundle(
      observation({
        ...named('Titre'),
        valueRatio: { numerator: { value: 1, comparator: '<' }, denominator: { value: 80 } },
      }),
      observation({ ...named('Cells'), valueRange: { low: { value: 5, unit: '/field' } } }),
      observation({
        ...named('Withheld'),
        valueQuantity: {
          _value: {
            extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
          },
          unit: 'mg',
        },
        dataAbsentReason: { text: 'Masked' },
      }),
      { ...observation({ id: 'o', ...named('Note'), valueString: 'hemolytic' }), category: undefined },
      {
        resourceType: 'DiagnosticReport',
        status: 'final',
        category: [{ coding: [{ code: 'LAB' }] }],
        code: { text: 'Report' },
        subject: { reference: 'Patient/p' },
        result: [{ reference: 'Observation/o' }],
      },
    );
    expect(await outcome(document, 'test_name_title', 'value', 'quantitative_result_value_unit')).to.equal([
      'LabResult: Titre: <1:80',
      'LabResult: Cells: >=5 /field',
      'LabResult: Withheld: Masked',
      'LabResult: Note: hemolytic',
      'LabPanel',
    ]);
  });

  it('keeps what is taken when needed, and leaves out a procedure to come', async () => {
    const request = { resourceType: 'MedicationRequest', status: 'active', intent: 'order' };
    const subject = { reference: 'Patient/p' };
    const document = bundle(
      {
        ...request,
        subject,
        medicationCodeableConcept: { text: 'Inhaler' },
        dosageInstruction: [{ text: 'two puffs', asNeededCodeableConcept: { text: 'wheezing' } }],
      },
      { resourceType: 'Procedure', status: 'preparation', subject, ...named('Hip replacement') },
      {
        resourceType: 'Procedure',
        status: 'completed',
        subject,
        ...named('Appendectomy'),
        performedString: 'as a child',
      },
    );
    expect(await outcome(document, 'drugName_title', 'instructions', 'name', 'comments')).to.equal([
      'Medication: Inhaler: two puffs (as needed for wheezing)',
      'Procedure: Appendectomy: Performed: as a child.',
      '1 Procedure planned',
    ]);
  });

  it('knows one patient by a relative and an absolute reference', async () => {
    const about = (text: string, reference: string): object => condition({ ...named(text), subject: { reference } });
    const document = Buffer.from(
      JSON.stringify({
        resourceType: 'Bundle',
        type: 'searchset',
        entry: [
          about('Asthma', 'Patient/p'),
          about('Gout', 'https://h.example/fhir/Patient/p'),
          about('Croup', 'Patient/pp'),
          about('Hay fever', 'https://h.example/fhir/Patient/pp'),
        ].map((resource) => ({ resource })),
      }),
    );
    expect(await outcome(document, 'name_title')).to.equal([
      'Problem: Asthma',
      'Problem: Gout',
      '2 Problem other_person',
    ]);
  });
});
