/**
 * clinical-beside: what entries of C-CDA hold inside or beside themselves. A flow of oxygen, a spoilt specimen, an age
 * at death or a dose that is passed over makes the rest say something else.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';
import { oneSection } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const [RESULTS, VITALS, PLANS, PROCEDURES] = ['30954-2', '8716-3', '18776-5', '47519-4'] as const;
const [PROBLEMS, MEDICINES, FAMILY, SOCIAL] = ['11450-4', '10160-0', '10157-6', '29762-2'] as const;

const template = (number: string): string => `<templateId root="2.16.840.1.113883.10.20.22.4.${number}"/>`;
const coded = (element: string, code: string, name: string): string =>
  `<${element} xsi:type="CD" code="${code}" displayName="${name}" codeSystem="2.16.840.1.113883.6.96"/>`;
const code = (name: string): string => coded('code', '1', name);
const value = (name: string): string => coded('value', '2', name);
const amount = (number: string, unit: string): string => `<value xsi:type="PQ" value="${number}" unit="${unit}"/>`;
const DAY = '<statusCode code="completed"/><effectiveTime value="20240101"/>';
const within = (inside: string, typeCode = 'COMP'): string =>
  `<entryRelationship typeCode="${typeCode}">${inside}</entryRelationship>`;
const component = (inside: string): string => `<component>${inside}</component>`;
const statement = (element: string, inside: string, mood = 'EVN'): string =>
  `<${element} classCode="X" moodCode="${mood}">${inside}</${element}>`;
const observation = (number: string, inside: string): string =>
  statement('observation', (number === '' ? '' : template(number)) + inside);
const remark = (words: string): string =>
  statement('act', `<code code="48767-8" codeSystem="2.16.840.1.113883.6.1"/><text>${words}</text>`);
const drug = (name: string): string =>
  '<consumable><manufacturedProduct><manufacturedMaterial><code code="3" codeSystem="2.16.840.1.113883.6.88" ' +
  `displayName="${name}"/></manufacturedMaterial></manufacturedProduct></consumable>`;
const device = (name: string): string =>
  '<participant typeCode="DEV"><participantRole classCode="MANU"><id root="2.16.840.1.113883.3.3719" ' +
  `extension="(01)0064(21)77"/><playingDevice>${code(name)}</playingDevice></participantRole></participant>`;
const age = (inside: string): string => within(observation('31', coded('code', '445518008', 'Age') + inside), 'SUBJ');
const problem = (kind: string, name: string): string => observation('4', `${kind}${DAY}${value(name)}`);
const concern = (number: string, inside: string): string =>
  statement('act', `${template(number)}<code code="CONC"/><statusCode code="active"/>${within(inside, 'SUBJ')}`);

/** The facts of one entry, of which nothing was left out. */
const read = async (section: string, entry: string) => {
  const { facts, leftOut } = await reader.read(oneSection(section, entry));
  expect(leftOut).to.equal([]);
  return facts.map(({ model, values }): Readonly<Record<string, unknown>> => ({ model, ...values }));
};
const firstOf = async (section: string, entry: string) => (await read(section, entry))[0]!;

describe('a result', () => {
  it('keeps the results inside of it, each by itself', async () => {
    const answer = observation('2', `${code('Ciprofloxacin')}${DAY}<value xsi:type="ST">Resistant</value>`);
    const culture = observation('2', `${code('Blood culture')}${DAY}${value('E. coli')}${within(answer)}`);
    expect((await read(RESULTS, culture)).map((one) => [one['test_name_title'], one['value']])).to.equal([
      ['Blood culture', 'E. coli'],
      ['Ciprofloxacin', 'Resistant'],
    ]);
  });

  it('keeps what is said of the specimen and of all results together', async () => {
    const taken = statement('procedure', `${code('Puncture')}<targetSiteCode code="4" displayName="Left kidney"/>`);
    const potassium = observation('2', `${code('Potassium')}${DAY}${amount('6.9', 'mmol/L')}`);
    const sodium = observation('2', `${coded('code', '9', 'Sodium')}${DAY}${amount('140', 'mmol/L')}`);
    const parts = [potassium, sodium, taken, remark('Haemolysed')].map(component).join('');
    const facts = await read(RESULTS, statement('organizer', `${template('1')}${code('Salts')}${DAY}${parts}`));
    expect(facts[0]).to.include({
      notes: 'Haemolysed Specimen: Puncture. Site: Left kidney.',
    });
    expect(facts[2]).to.include({ model: 'LabPanel', conclusion: 'Haemolysed' });
  });

  it('keeps every interpretation, bounds that are excluded, and why there is no value', async () => {
    const grades = '<interpretationCode code="H"/><interpretationCode code="U" displayName="Much higher"/>';
    const high = await firstOf(RESULTS, observation('2', code('K') + DAY + amount('6.9', 'mmol/L') + grades));
    expect(high).to.include({ abnormal_interpretation_title: 'High', notes: 'Interpretation: Much higher.' });
    const open = '<value xsi:type="IVL_PQ"><low value="20" unit="IU" inclusive="false"/><high value="30"/></value>';
    expect(await firstOf(RESULTS, observation('2', code('K') + DAY + open))).to.include({ value: '>20 - <=30 IU' });
    const unknown = '<value xsi:type="PQ" value="0" unit="mg/dL" nullFlavor="UNK"/>';
    const why = within(observation('', value('No anticoagulant')), 'RSON');
    expect(await firstOf(RESULTS, observation('2', code('Glucose') + DAY + unknown + why))).to.include({
      quantitative_result_value_value: null,
      value: 'Unknown (0 mg/dL)',
      notes: 'No anticoagulant.',
    });
  });
});

describe('a vital sign', () => {
  it('keeps what was observed beside it, and what was remarked on the whole set', async () => {
    const flow = within(observation('', `${code('Inhaled oxygen flow')}${amount('6', 'L/min')}`));
    const loinc = '<code code="59408-5" codeSystem="2.16.840.1.113883.6.1"/>';
    const saturation = observation('27', `${loinc}${DAY}${amount('92', '%')}${flow}`);
    const parts = [saturation, remark('Sensor on the ear')].map(component).join('');
    expect(await firstOf(VITALS, statement('organizer', `${template('26')}${code('Set')}${DAY}${parts}`))).to.include({
      oxygen_saturation_value: 92,
      notes: 'Sensor on the ear Inhaled oxygen flow: 6 L/min.',
    });
  });
});

describe('a procedure', () => {
  it('keeps its result, its end, its parts and everybody who was there', async () => {
    const seen = '<value xsi:type="ST">Atrial fibrillation</value>';
    expect(await firstOf(PROCEDURES, observation('13', code('ECG') + DAY + seen))).to.include({
      comments: 'Result: Atrial fibrillation.',
    });
    const person = (name: string): string =>
      `<performer><assignedEntity><id root="1.2"/><assignedPerson><name>${name}</name></assignedPerson></assignedEntity></performer>`;
    const times = '<effectiveTime><low value="20240101"/><high value="20240301"/></effectiveTime>';
    const part = within(statement('procedure', code('Graft')));
    const all = `${template('14')}${code('Bypass')}${times}${person('A. Bell')}${person('B. Cole')}${part}`;
    expect(await firstOf(PROCEDURES, statement('procedure', all))).to.include({
      provider_name: 'A. Bell',
      comments: 'Until: 2024-03-01. Also there: B. Cole. Part: Graft.',
    });
  });

  it('that takes a device out does not leave it there', async () => {
    const out = (name: string): string =>
      statement('procedure', `${template('14')}${code(name)}${DAY}${device('Pacemaker')}`);
    const removed = await read(PROCEDURES, out('Removal of pacemaker'));
    expect(removed[1]).to.include({
      model: 'Equipment',
      date_stopped: '2024-01-01',
      status_identifier: 'completed',
    });
    expect((await read(PROCEDURES, out('Implantation of pacemaker')))[1]).to.include({
      date_stopped: null,
      status_title: null,
    });
  });
});

describe('a problem', () => {
  it('of the family, of former times or that is only feared is not one that the person has', async () => {
    const named = (kind: string, words: string): string => coded('code', kind, words);
    const family = concern('3', problem(named('416471007', 'Family history'), 'Heart attack'));
    expect(await read(PROBLEMS, family)).to.have.length(1);
    expect(await firstOf(PROBLEMS, family)).to.include({ model: 'FamilyHistory', condition_title: 'Heart attack' });
    const former = concern('3', problem(named('417662000', 'History of'), 'Heart attack'));
    expect(await firstOf(PROBLEMS, former)).to.include({
      name_title: 'History of: Heart attack',
      clinicalStatus_title: null,
    });
    const feared = concern('136', problem(named('64572001', 'Condition'), 'Stroke'));
    expect(await firstOf('75310-3', feared)).to.include({ name_title: 'At risk: Stroke', name_identifier: null });
    const plain = concern('3', problem(named('64572001', 'Condition'), 'Stroke'));
    expect(await firstOf(PROBLEMS, plain)).to.include({ name_title: 'Stroke', clinicalStatus_title: 'Active' });
  });
});

describe('an illness of a relative', () => {
  it('keeps the age at death, ages between two, and the side', async () => {
    const died = within(
      observation('47', '<code code="ASSERTION"/>' + coded('value', '419099009', 'Dead') + age(amount('50', 'a'))),
      'CAUS',
    );
    const years = '<value xsi:type="IVL_PQ"><low value="40" unit="a"/><high value="45" unit="a"/></value>';
    const side = within(observation('', coded('code', '272741003', 'Laterality') + value('Left')), 'REFR');
    const cancer = observation('46', code('Disease') + value('Breast cancer') + age(years) + died + side);
    const mother =
      '<subject><relatedSubject classCode="PRS"><code code="MTH" codeSystem="2.16.840.1.113883.5.111"/></relatedSubject></subject>';
    expect(await firstOf(FAMILY, statement('organizer', template('45') + mother + component(cancer)))).to.include({
      deceased: 'at the age of 50 years',
      onset: 'at the age of 40 - 45 years',
      caused_death: true,
      notes: 'Laterality: Left.',
    });
  });
});

describe('a plan', () => {
  it('says how a medicine is to be taken, and how often something is to be done', async () => {
    const weekly = '<effectiveTime xsi:type="PIVL_TS" operator="A"><period value="1" unit="wk"/></effectiveTime>';
    const dose = '<doseQuantity value="15" unit="mg"/>';
    const medicine = `${template('42')}<effectiveTime value="20240201"/>${weekly}${dose}${drug('Methotrexate')}`;
    expect(await firstOf(PLANS, statement('substanceAdministration', medicine, 'INT'))).to.include({
      model: 'CarePlan',
      instructions: '15 mg once a week',
    });
    const range = '<doseQuantity><low value="5" unit="mg"/><high value="10" unit="mg"/></doseQuantity>';
    const pain = `<precondition><criterion>${value('Severe pain')}</criterion></precondition>`;
    const needed = `${template('42')}${range}${drug('Oxycodone')}${pain}`;
    expect(await firstOf(PLANS, statement('substanceAdministration', needed, 'INT'))).to.include({
      instructions: '5 to 10 mg; as needed for Severe pain',
    });
    const quarterly = '<effectiveTime xsi:type="PIVL_TS"><period value="3" unit="mo"/></effectiveTime>';
    const test = `${template('44')}${code('HbA1c')}${quarterly}<value xsi:type="ST">below 7</value>`;
    expect(await firstOf(PLANS, statement('observation', test, 'RQO'))).to.include({
      instructions: 'once every 3 months',
      notes: 'Value: below 7.',
    });
    const site = '<targetSiteCode code="5" displayName="Right eye" codeSystem="2.16.840.1.113883.6.96"/>';
    const surgery = statement('procedure', `${template('41')}${code('Cataract surgery')}${site}`, 'RQO');
    expect(await firstOf(PLANS, surgery)).to.include({ notes: 'Site: Right eye.' });
  });

  it('is each thing inside an intervention', async () => {
    const care = within(statement('procedure', `${template('41')}${code('Wound care')}`, 'RQO'), 'REFR');
    const whole = `${template('146')}${coded('code', '362956003', 'Intervention')}${care}`;
    expect((await read(PLANS, statement('act', whole, 'INT'))).map((one) => one['name_title'])).to.equal([
      'Wound care',
    ]);
    const own = statement('act', `${template('39')}${code('Home care')}${care}`, 'INT');
    expect((await read(PLANS, own)).map((one) => one['name_title'])).to.equal(['Home care', 'Wound care']);
  });
});

describe('an entry', () => {
  it('is read inside groups of answers, and as the nutrition or the home of the person', async () => {
    const packs = observation('38', `${code('Pack years')}${DAY}${amount('30', '{PackYears}')}`);
    const group = statement('organizer', `${code('Tobacco')}${DAY}${component(packs)}`);
    expect(await firstOf(SOCIAL, group)).to.include({ model: 'SocialHistory', amount_value: '30' });
    const food = observation('124', `${code('Nutritional status')}${DAY}${value('Malnourished')}`);
    expect(await firstOf('61144-2', food)).to.include({ model: 'LabResult', value: 'Malnourished' });
    const home = observation('38', `${code('Housing')}${DAY}<value xsi:type="ST">Homeless</value>`);
    expect(await firstOf('75310-3', concern('132', home))).to.include({ value_title: 'Homeless' });
  });

  it('of a medicine that says to stop it does not leave it active', async () => {
    const entry = (words: string): string => {
      const whole = `${template('16')}<text>${words}</text><statusCode code="active"/>${drug('Aspirin 81 MG')}`;
      return statement('substanceAdministration', whole);
    };
    for (const words of ['STOP taking', 'STOP aspirin', 'Discontinue.', 'Absetzen']) {
      expect(await firstOf(MEDICINES, entry(words)), words).to.include({
        status_title: 'Stopped',
        instructions: words,
        notes: 'The sender’s entry has the status active.',
      });
    }
    for (const words of ['Stop if rash appears', 'Stop 7 days before surgery', 'Take daily']) {
      expect(await firstOf(MEDICINES, entry(words)), words).to.include({ status_title: 'Active' });
    }
  });

  it('of a medicine keeps what it is in, and a dose in words', async () => {
    const vehicle =
      '<participant typeCode="CSM"><participantRole classCode="MANU"><playingEntity classCode="MMAT">' +
      `${code('Normal saline')}</playingEntity></participantRole></participant>`;
    const odd =
      '<doseQuantity nullFlavor="OTH"><translation><originalText>one spoonful</originalText></translation></doseQuantity>';
    const whole = `${template('16')}<statusCode code="active"/>${odd}${drug('Iron')}${vehicle}`;
    const fact = await firstOf(MEDICINES, statement('substanceAdministration', whole));
    expect(fact).to.include({ notes: 'In: Normal saline.' });
    expect(fact['instructions']).to.match(/one spoonful$/);
  });
});

describe('what a guide gives as an example', () => {
  it('is no done procedure where an act inside says that the attempt failed', async () => {
    const failed = within(
      statement(
        'act',
        `${coded('code', '103709008', 'Failed attempted procedure')}<text>Image unreadable</text>${DAY}`,
      ),
      'SUBJ',
    );
    const [procedure] = await read(
      PROCEDURES,
      statement('procedure', `${template('14')}${code('Chest X-ray')}${DAY}${failed}`),
    );
    expect(procedure).to.include({
      status_title: 'Failed attempted procedure',
      comments: 'Failed attempted procedure: Image unreadable.',
    });
  });

  it('keeps the note of a procedure in its comments', async () => {
    const note = within(
      statement('act', `${template('202')}${coded('code', '34109-9', 'Note')}<text>Arms raised</text>`),
    );
    const [procedure] = await read(
      PROCEDURES,
      statement('procedure', `${template('14')}${code('Biopsy')}${DAY}${note}`),
    );
    expect(procedure!['comments']).to.equal('Note: Arms raised.');
  });

  it('has the implants of an operation that nobody names, with its place and day', async () => {
    const knee = coded('targetSiteCode', '72696002', 'Knee').replace(' xsi:type="CD"', '');
    const nameless = `${template('14')}<code nullFlavor="UNK"/>${DAY}${knee}${device('Inlay tibial component')}`;
    expect(await read('46264-8', statement('procedure', nameless))).to.part.include([
      { model: 'Equipment', name: 'Inlay tibial component', description: 'Site: Knee. Date: 2024-01-01.' },
    ]);
  });

  it('has the bounds of a range whose unit has no code', async () => {
    const bound = (name: string, number: string): string =>
      `<${name} nullFlavor="OTH"><translation value="${number}" nullFlavor="OTH"><originalText>THOUS/MCL</originalText>` +
      `</translation></${name}>`;
    const rangeOf = async (bounds: string): Promise<unknown> => {
      const range = `<referenceRange><observationRange><value xsi:type="IVL_PQ">${bounds}</value></observationRange></referenceRange>`;
      const result = `${code('Platelets')}${DAY}<value xsi:type="ST">152</value>${range}`;
      return (await firstOf(RESULTS, observation('2', result)))['reference'];
    };
    expect(await rangeOf(bound('low', '150') + bound('high', '400'))).to.equal('150 - 400 THOUS/MCL');
    expect(await rangeOf(bound('low', '150'))).to.equal('>=150 THOUS/MCL');
    expect(await rangeOf(bound('high', '400'))).to.equal('<=400 THOUS/MCL');
  });

  it('keeps the two numbers of a blood pressure together, with the remark of each', async () => {
    const pressure = (number: string, name: string, mmHg: string, remarks: string): string =>
      component(
        observation(
          '27',
          `<code code="${number}" displayName="${name}" codeSystem="2.16.840.1.113883.6.1"/>${DAY}` +
            `${amount(mmHg, 'mm[Hg]')}${remarks}`,
        ),
      );
    const low = '<interpretationCode code="L" codeSystem="2.16.840.1.113883.5.83"/>';
    const readings = (remarks: string): string =>
      statement(
        'organizer',
        `${template('26')}<statusCode code="completed"/><effectiveTime value="20240101"/>` +
          pressure('8480-6', 'Systolic', '80', low) +
          pressure('8462-4', 'Diastolic', '55', remarks),
      );
    const [both, ...others] = await read(VITALS, readings(''));
    expect(others).to.equal([]);
    expect(both).to.include({
      bp_systolic_value: 80,
      bp_diastolic_value: 55,
      notes: 'Systolic blood pressure: Interpretation: Low.',
    });
    expect((await firstOf(VITALS, readings(low)))['notes']).to.equal(
      'Systolic blood pressure: Interpretation: Low. Diastolic blood pressure: Interpretation: Low.',
    );
  });
});
