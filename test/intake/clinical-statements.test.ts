/**
 * clinical statements: what C-CDA says beside a name stays: reasons, reactions, sides and stages, words in the place of
 * numbers, and whom the document is about.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Fact } from '../../core/facts/model/fact';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { otherPerson } from '../../core/records/other-person';
import { clinicalDocument, entry, section } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const LOINC = 'codeSystem="2.16.840.1.113883.6.1"';
const templates = '2.16.840.1.113883.10.20.22.4';

const value = (name: string, code = '1'): string =>
  `<value xsi:type="CD" code="${code}" ${SNOMED} displayName="${name}"/>`;
const observation = (inside: string): string => `<observation classCode="OBS" moodCode="EVN">${inside}</observation>`;
const within = (typeCode: string, inside: string): string =>
  `<entryRelationship typeCode="${typeCode}">${inside}</entryRelationship>`;

const vaccination = (inside: string, negated = false): string =>
  entry(
    `<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="${negated}"><statusCode code="completed"/>` +
      '<effectiveTime value="20210301"/><consumable><manufacturedProduct><manufacturedMaterial><code code="03" ' +
      'codeSystem="2.16.840.1.113883.12.292" displayName="MMR"/></manufacturedMaterial></manufacturedProduct></consumable>' +
      `${inside}</substanceAdministration>`,
  );

const picked = (facts: readonly Fact[], ...columns: readonly string[]): readonly string[] =>
  facts.map(({ model, values }) => [model, ...columns.map((column) => values[column] ?? '-')].join(' | '));

async function readSection(code: string, entries: string, ...columns: readonly string[]): Promise<readonly string[]> {
  const { facts, leftOut } = await reader.read(clinicalDocument({ section: code, entries }));
  const left = leftOut.map(({ model, reason, where }) => `left out: ${model} ${reason} ${where ?? ''}`);
  return [...picked(facts, ...columns), ...left];
}

describe('allergies of C-CDA', () => {
  it('keep what a source wrote beside the code of a reaction, where it says more', async () => {
    const allergy = (text: string): string =>
      entry(
        observation(
          `<templateId root="${templates}.7"/><code code="ASSERTION"/><statusCode code="completed"/>${value('Allergy', '419199007')}` +
            '<participant typeCode="CSM"><participantRole classCode="MANU"><playingEntity classCode="MMAT"><code code="1191" ' +
            'codeSystem="2.16.840.1.113883.6.88" displayName="Aspirin"/></playingEntity></participantRole></participant>' +
            within(
              'MFST',
              observation(
                `<templateId root="${templates}.9"/><code code="ASSERTION"/><value xsi:type="CD" code="271807003" ${SNOMED} ` +
                  `displayName="Rash"><originalText>${text}</originalText></value>`,
              ),
            ),
        ),
      );
    const read = (text: string): Promise<readonly string[]> =>
      readSection('48765-2', allergy(text), 'allergic_reaction_title', 'notes');
    expect(await read('mild rash only')).to.equal(['Allergy | Rash | Reaction: mild rash only.']);
    expect(await read('RASH')).to.equal(['Allergy | Rash | -']);
  });
});

describe('vaccinations of C-CDA', () => {
  const question = `<code code="85714-4" ${LOINC} displayName="Reason vaccine not given"/>`;
  const reasonIn = (...reasons: readonly string[]): Promise<readonly string[]> =>
    readSection(
      '11369-6',
      vaccination(reasons.map((reason) => within('RSON', observation(reason))).join(''), true),
      'statusReason_title',
      'refusal_reason_identifier',
    );

  it('take the reason for which a vaccine was not given from the answer, not from the question', async () => {
    expect(await reasonIn(`${question}${value('Allergy to egg')}`)).to.equal(['Immunization | Allergy to egg | -']);
    expect(await reasonIn(`${question}<value xsi:type="ST">Fever on that day</value>`)).to.equal([
      'Immunization | Fever on that day | -',
    ]);
    expect(await reasonIn(`<code code="RELIG" codeSystem="2.16.840.1.113883.5.8"/>`)).to.equal([
      'Immunization | Religious objection | patientOrParentRefused',
    ]);
    expect(await reasonIn(`${question}<value xsi:type="CD" nullFlavor="UNK"/>`)).to.equal(['Immunization | - | -']);
    expect(await reasonIn(`${question}${value('Allergy to egg')}`, `${question}${value('Fever')}`)).to.equal([
      'Immunization | Allergy to egg; Fever | -',
    ]);
  });

  it('keep reactions, comments and the number of the dose', async () => {
    const reaction = within('CAUS', observation(`<code code="ASSERTION"/>${value('Swelling of the face')}`));
    const comment = within(
      'SUBJ',
      `<act classCode="ACT" moodCode="EVN"><code code="48767-8" ${LOINC}/><text>Never again</text></act>`,
    );
    const dose = '<repeatNumber value="2"/>';
    const columns = ['product_name_title', 'reaction', 'notes'];
    expect(await readSection('11369-6', vaccination(reaction + comment), ...columns)).to.equal([
      'Immunization | MMR | Swelling of the face | Never again',
    ]);
    const numbered = vaccination('').replace('<consumable>', `${dose}<consumable>`);
    expect(await readSection('11369-6', numbered, 'dose_number')).to.equal(['Immunization | 2']);
    const series = within('SUBJ', observation(`<code code="30973-2" ${LOINC}/><value xsi:type="INT" value="3"/>`));
    expect(await readSection('11369-6', vaccination(series), 'dose_number')).to.equal(['Immunization | 3']);
  });
});

describe('problems and habits of C-CDA', () => {
  it('keep the site, the side, the stage and other details of a problem', async () => {
    const side = `<qualifier><name code="272741003" ${SNOMED}/>${value('Left')}</qualifier>`;
    const problem = entry(
      observation(
        `<code code="55607006" ${SNOMED}/><statusCode code="completed"/><value xsi:type="CD" code="7" ${SNOMED} ` +
          `displayName="Tumor">${side}</value><targetSiteCode code="8" ${SNOMED} displayName="Kidney"/>` +
          within('REFR', observation(`<code code="21908-9" ${LOINC}/>${value('Stage II')}`)) +
          within('REFR', observation(`<code code="33999-4" ${LOINC}/>${value('Active', '55561003')}`)),
      ),
    );
    expect(await readSection('11450-4', problem, 'name_title', 'clinicalStatus_title', 'notes')).to.equal([
      'Problem | Tumor | Active | Laterality: Left. Site: Kidney. Stage: Stage II.',
    ]);
  });

  it('read a pregnancy that is only asserted, with the day on which the child is expected', async () => {
    const due = within('REFR', observation(`<code code="11778-8" ${LOINC}/><value xsi:type="TS" value="20240901"/>`));
    const asserted = (template: string, inside: string): string =>
      entry(
        observation(
          `<templateId root="${template}"/><code code="ASSERTION"/><statusCode code="completed"/><effectiveTime><low ` +
            `value="20240101"/></effectiveTime>${inside}`,
        ),
      );
    const entries =
      asserted('2.16.840.1.113883.10.20.15.3.8', value('Pregnant', '77386006') + due) +
      asserted('2.999', value('Not pregnant', '60001007')) +
      asserted('2.999', value('Lives alone', '105529008'));
    expect(await readSection('29762-2', entries, 'name_title', 'value_title', 'notes')).to.equal([
      'SocialHistory | Pregnancy status | Pregnant | Estimated date of delivery: 2024-09-01.',
      'SocialHistory | Pregnancy status | Not pregnant | -',
      'SocialHistory | Social history | Lives alone | -',
    ]);
  });

  it('keep what is said about smoking', async () => {
    const smoking = (inside: string): string =>
      entry(observation(`<templateId root="${templates}.78"/><code code="72166-2" ${LOINC}/>${inside}`));
    const entries =
      smoking(value('Smoker, current status unknown', '77176002')) +
      smoking(
        `<value xsi:type="CD" code="8517006" ${SNOMED} displayName="Ex-smoker"><originalText>Quit last week` +
          '</originalText></value>',
      );
    expect(await readSection('29762-2', entries, 'value_title', 'notes')).to.equal([
      'SocialHistory | Smoker, current status unknown | -',
      'SocialHistory | Former smoker | Quit last week.',
    ]);
  });
});

describe('vital signs of C-CDA', () => {
  const measured = (code: string, name: string, said: string): string =>
    entry(
      observation(
        `<code code="${code}" ${LOINC} displayName="${name}"/><statusCode code="completed"/><effectiveTime ` +
          `value="20240201083000+0000"/>${said}`,
      ),
    );
  const text = (words: string): string => `<value xsi:type="ST">${words}</value>`;

  it('are read from words where these are plain', async () => {
    const entries =
      measured('8302-2', 'Height', text('5 ft 10 in')) +
      measured('55284-4', 'Blood pressure', text('120/80 mmHg')) +
      measured('8867-4', 'Pulse', text('72 bpm')) +
      measured('3141-9', 'Weight', '<value xsi:type="PQ" value="70" unit="Kilograms"/>');
    const columns = ['height', 'bp_systolic', 'bp_diastolic', 'heart_rate', 'weight'].map((name) => `${name}_value`);
    expect(await readSection('8716-3', entries, ...columns)).to.equal(['VitalSigns | 1.778 | 120 | 80 | 72 | 70']);
  });

  it('keep other words with their name', async () => {
    const told = [
      measured('8302-2', 'Height', text('5 ft 10,5 in')),
      measured('8302-2', '', text('about 6 feet')),
      measured('8310-5', 'Temperature', text('36,5 C')),
      measured('55284-4', 'Blood pressure', text('17/11')),
      measured('55284-4', 'Blood pressure', text('120/80, then 140/90')),
      measured('8867-4', 'Pulse', text('irregular')),
    ];
    expect(await readSection('8716-3', told.join(''), 'other_title', 'other_words')).to.equal([
      'VitalSigns | Height | 5 ft 10,5 in',
      'VitalSigns | Body height | about 6 feet',
      'VitalSigns | Temperature | 36,5 C',
      'VitalSigns | Blood pressure | 17/11',
      'VitalSigns | Blood pressure | 120/80, then 140/90',
      'VitalSigns | Pulse | irregular',
    ]);
  });
});

describe('results of C-CDA', () => {
  const patient = (gender: string, born = '19800101'): string =>
    '<recordTarget><patientRole><id root="2.999.2"/><patient><name>A</name><administrativeGenderCode ' +
    `code="${gender}"/><birthTime value="${born}"/></patient></patientRole></recordTarget>`;
  const range = (low: number, inside = '', after = ''): string =>
    `<referenceRange><observationRange>${inside}<value xsi:type="IVL_PQ"><low value="${low}" unit="g/dL"/><high ` +
    `value="${low + 4}" unit="g/dL"/></value><interpretationCode code="N"/>${after}</observationRange></referenceRange>`;
  const criterion = (value: string): string =>
    `<precondition xmlns="urn:hl7-org:sdtc"><criterion><code code="x"/>${value}</criterion></precondition>`;
  const ages = (low: number, high: number): string =>
    criterion(`<value><low value="${low}" unit="a"/><high value="${high}" unit="a"/></value>`);
  const text = (words: string): string => `<text>${words}</text>`;

  async function ranges(patients: string, ...all: readonly string[]): Promise<readonly unknown[]> {
    const hb =
      `<code code="718-7" ${LOINC} displayName="Hb"/><statusCode code="completed"/><effectiveTime value="20230601"/>` +
      `<value xsi:type="PQ" value="12.5" unit="g/dL"/>${all.join('')}`;
    const body = section('30954-2', entry(observation(hb)));
    const { facts } = await reader.read(clinicalDocument({ body, patients }));
    const { quantitative_result_normal_range_min_value: low, reference } = facts[0]!.values;
    return [low, reference];
  }

  it('have the range of the person where it is certain which one that is', async () => {
    const bySex = [range(13, text('Male')), range(11, text('Female'))];
    const said = 'Male (13 - 17 g/dL); Female (11 - 15 g/dL)';
    expect(await ranges(patient('F'), ...bySex)).to.equal(['11', said]);
    expect(await ranges(patient('M'), ...bySex)).to.equal(['13', said]);
    const coded = [range(13, '', criterion('<value code="M"/>')), range(11, '', criterion('<value code="F"/>'))];
    expect(await ranges(patient('F'), ...coded)).to.equal(['11', 'Male: 13 - 17 g/dL; Female: 11 - 15 g/dL']);
    const byAge = [range(9, '', ages(0, 17)), range(12, '', ages(18, 120))];
    const told = 'age 0 - 17: 9 - 13 g/dL; age 18 - 120: 12 - 16 g/dL';
    expect(await ranges(patient('F', '20150101'), ...byAge)).to.equal(['9', told]);
    expect(await ranges(patient('F'), ...byAge)).to.equal(['12', told]);
    expect(await ranges(patient('F'), range(12))).to.equal(['12', '12 - 16 g/dL']);
    expect(await ranges(patient('F'), range(12, text('12-16 g/dL')))).to.equal(['12', '12-16 g/dL']);
  });

  it('have ranges in words alone where that is not certain', async () => {
    const bySex = [range(13, text('Men')), range(11, text('Women'))];
    for (const [patients, all] of [
      [patient('UN'), bySex],
      [patient('F') + patient('F'), bySex],
      [patient('F'), [range(13), range(11)]],
      [patient('F'), [range(13, text('Male: 13-17'))]],
      [patient('F'), [...bySex, range(10, text('Pregnant'))]],
      [patient('F'), [range(9, text('Children')), range(12, text('Adults'))]],
      [patient('F', '1980'), [range(9, '', ages(0, 17)), range(12, '', ages(18, 120))]],
      [patient('F'), [range(9, '', criterion('<value code="LUTEAL" displayName="Luteal phase"/>'))]],
    ] as const) {
      expect((await ranges(patients, ...all))[0]).to.be.null();
    }
  });

  it('have what a range means before it', async () => {
    const critical =
      '<referenceRange><observationRange><text>below 7</text><interpretationCode code="LL"/></observationRange></referenceRange>';
    expect(await ranges(patient('F'), range(12), critical)).to.equal(['12', '12 - 16 g/dL; Critical low: below 7']);
  });
});

describe('surveys of C-CDA', () => {
  it('keep the total and each answer', async () => {
    const answer = (words: string, said: string): string =>
      within(
        'COMP',
        observation(
          `<templateId root="${templates}.86"/><code code="1" displayName="${words}"/><statusCode code="completed"/>${said}`,
        ),
      );
    const scale = entry(
      observation(
        `<templateId root="${templates}.69"/><code code="44249-1" ${LOINC} displayName="PHQ-9"/><statusCode ` +
          'code="completed"/><effectiveTime value="20240102"/><value xsi:type="INT" value="12"/>' +
          answer('Little interest', value('Several days')) +
          answer('Better off dead', '<value xsi:type="INT" value="3"/>'),
      ),
    );
    const columns = [
      'test_name_title',
      'value',
      'quantitative_result_value_value',
      'category_identifier',
      'collected_at',
    ];
    expect(await readSection('10190-7', scale, ...columns)).to.equal([
      'LabResult | PHQ-9 | - | 12 | survey | 2024-01-02T00:00:00.000000Z',
      'LabResult | Little interest | Several days | - | survey | 2024-01-02T00:00:00.000000Z',
      'LabResult | Better off dead | - | 3 | survey | 2024-01-02T00:00:00.000000Z',
    ]);
  });

  it('keep how somebody functions, and leave out what is not so', async () => {
    const functions = (inside: string): string => entry(observation(`<templateId root="${templates}.67"/>${inside}`));
    const entries =
      functions(`<code code="ASSERTION"/>${value('Walks with a stick')}`) +
      functions(`<code code="54522-8" ${LOINC} displayName="Functional status"/>${value('Independent')}`) +
      functions(`<code code="ASSERTION"/>${value('Blind')}`).replace(
        'moodCode="EVN"',
        'moodCode="EVN" negationInd="true"',
      );
    expect(await readSection('47420-5', entries, 'test_name_title', 'value')).to.equal([
      'LabResult | Functional status | Walks with a stick',
      'LabResult | Functional status | Independent',
      'left out: LabResult negated section S',
    ]);
  });
});

describe('the whole C-CDA document', () => {
  it('gives a part of a section the kind of the section around it', async () => {
    const potassium = entry(
      observation(
        `<code code="2823-3" ${LOINC} displayName="Potassium"/><value xsi:type="PQ" value="6.9" unit="mmol/L"/>`,
      ),
    );
    const body = section('18719-5', section('2823-3', potassium));
    const { facts, leftOut } = await reader.read(clinicalDocument({ body }));
    expect(picked(facts, 'test_name_title', 'quantitative_result_value_value')).to.equal([
      'LabResult | Potassium | 6.9',
    ]);
    expect(leftOut.filter(({ model }) => model === 'OtherSection')).to.be.empty();
  });

  it('names all people whom it is about, so that somebody is asked', async () => {
    const patient = (name: string, born: string): string =>
      `<recordTarget><patientRole><id root="2.999.2"/><patient><name>${name}</name><administrativeGenderCode code="F"/>` +
      `<birthTime value="${born}"/></patient></patientRole></recordTarget>`;
    const record = { name_given: 'Ann', name_family: 'Lee', bday: '1980-01-01' };
    const both = await reader.read(
      clinicalDocument({ patients: patient('Ann Lee', '19800101') + patient('Bo Lee', '20100101') }),
    );
    expect(both.about?.subject).to.equal('Ann Lee; Bo Lee');
    expect(otherPerson(both.about, record)).to.equal({
      subject: 'Ann Lee; Bo Lee',
      born: null,
      recordBorn: '1980-01-01',
    });
    const twice = await reader.read(
      clinicalDocument({ patients: patient('Ann Lee', '19800101') + patient('Ann Lee', '19800101') }),
    );
    expect(twice.about?.subject).to.equal('Ann Lee');
    expect(otherPerson(twice.about, record)).to.be.undefined();
  });
});
