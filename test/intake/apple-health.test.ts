/**
 * apple-health: exports become documents by kind and month, whatever the order of their records; malicious archives and
 * XML are refused.
 */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import {
  intakeBytes,
  intakesFor,
  runIntake,
  type IntakeDocument,
  type IntakeItem,
} from '../../core/pipeline/intake/intake';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';
import { exportXml, inExport, phoneAt, recordXml, zipOf, type Reading } from '../support/apple-health';
import { unhurried } from '../support/unhurried';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig(unhurried);

const stream = async function* (bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
};

const pulse = (day: string, hour: number, value: string, more: Partial<Reading> = {}): Reading => ({
  type: 'HeartRate',
  unit: 'count/min',
  value,
  start: phoneAt(day, hour),
  ...more,
});

describe('exports of Apple Health', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const itemsOf = async (bytes: Buffer | string, size?: number): Promise<readonly IntakeItem[]> => {
    const intake = reader.entries.intakes.find(({ name }) => name === 'apple-health')!;
    const items: IntakeItem[] = [];
    const file = { name: 'export.zip', chunks: stream(Buffer.from(bytes as string), size) };
    for await (const item of runIntake(intake, file, config)) {
      items.push(item);
    }
    return items;
  };
  const documents = (items: readonly IntakeItem[]): readonly IntakeDocument[] =>
    items.flatMap((item) => ('leftOut' in item ? [] : [item]));
  const leftOut = (items: readonly IntakeItem[]): readonly string[] =>
    items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.what}`] : []));
  const keys = (items: readonly IntakeItem[]): readonly (string | undefined)[] =>
    documents(items).map(({ key }) => key);
  const factsOf = async (document: IntakeDocument) => reader.read(intakeBytes(document, config.vocabBase));
  const refusal = async (bytes: Buffer | string): Promise<string> => {
    const error = await itemsOf(bytes).then(
      () => undefined,
      (caught: unknown) => caught as AppError,
    );
    expect(error, 'it was accepted').to.be.instanceof(Error);
    expect([error!.code, error!.status]).to.equal(['invalid_document', 400]);
    return error!.message;
  };

  it('knows the archive and the XML, and neither other archives nor other XML', () => {
    const known = (name: string, beginning: Buffer | string): boolean =>
      intakesFor(reader.entries.intakes, name, Buffer.from(beginning as string)).some(
        (one) => one.name === 'apple-health',
      );
    expect(known('export.zip', zipOf([{ name: inExport('导出.xml'), bytes: 'x' }]))).to.be.true();
    expect(known('export.zip', zipOf([{ name: 'export.xml', bytes: 'x' }]))).to.be.true();
    expect(known('holiday.zip', zipOf([{ name: 'beach.jpg', bytes: 'x' }]))).to.be.false();
    expect(known('export.xml', exportXml([]))).to.be.true();
    expect(known('note.xml', '<ClinicalDocument xmlns="urn:hl7-org:v3"/>')).to.be.false();
  });

  it('sums what is counted by the day of the phone and by device, each bit once', async () => {
    const at = (time: string): string => `2024-09-${time} +0200`;
    const steps = (source: string, ...bits: readonly (readonly [start: string, value: string])[]) =>
      bits.map(([start, value]) => ({ type: 'StepCount', unit: 'count', value, start: at(start), source }));
    const readings = [
      ...steps('iPhone', ['20 00:10:00', '1000'], ['20 12:00:00', '900'], ['20 23:50:00', '100'], ['21 00:05:00', '7']),
      ...steps('Apple Watch', ['20 08:00:10', '1040'], ['20 08:00:10', '1040'], ['20 18:00:10', '1200']),
    ];
    const [document, ...others] = documents(await itemsOf(exportXml(readings)));
    expect(others).to.be.empty();
    const { facts } = await factsOf(document!);
    expect(
      facts.map(({ values }) => [values['type'], values['value'], String(values['datetime']).slice(0, 10)]),
    ).to.equal([
      ['Steps, Apple Watch', 2240, '2024-09-20'],
      ['Steps, iPhone', 2000, '2024-09-20'],
      ['Steps, iPhone', 7, '2024-09-21'],
    ]);
  });

  it('keeps what the phone says of the circumstances of a reading', async () => {
    const record = (
      type: string,
      value: string,
      entries: readonly (readonly [string, string])[],
      unit = 'mg/dL',
    ): string =>
      recordXml({ type, value, unit, start: phoneAt('2025-03-01', 8) }).replace(
        '/>',
        `>${entries.map(([key, said]) => `<MetadataEntry key="${key}" value="${said}"/>`).join('')}</Record>`,
      );
    const told = async (xml: string, more = '') => {
      const [document] = documents(await itemsOf(exportXml([], `${xml}${more}`)));
      const { facts } = await factsOf(document!);
      return facts.map(({ model, values }) => [model, values['notes']]);
    };
    const meal = record('BloodGlucose', '98', [
      ['HKBloodGlucoseMealTime', '1'],
      ['HKWasUserEntered', '1'],
      ['com.app.Notes', 'felt shaky'],
      ['HKTimeZone', 'Europe/Berlin'],
    ]);
    expect(await told(meal)).to.equal([['Measurement', 'Entered by hand. Before a meal; felt shaky.']]);
    const moving = record('HeartRate', '141', [['HKMetadataKeyHeartRateMotionContext', '2']], 'count/min');
    expect(await told(moving)).to.equal([['VitalSigns', 'In motion.']]);
    // The same reading once more, without its metadata, in either order.
    const bare = record('HeartRate', '141', [], 'count/min');
    expect(await told(bare, moving)).to.equal([['VitalSigns', 'In motion.']]);
    expect(await told(moving, bare)).to.equal([['VitalSigns', 'In motion.']]);
    const sleep = recordXml({
      type: 'HKCategoryTypeIdentifierSleepAnalysis',
      value: 'HKCategoryValueSleepAnalysisInBed',
      start: phoneAt('2025-03-01', 1),
      end: phoneAt('2025-03-01', 7),
      byHand: true,
    });
    expect(await told(sleep)).to.equal([['Sleep', 'Entered by hand.']]);
    const workout =
      '<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="W" ' +
      `startDate="${phoneAt('2025-03-01', 8)}" endDate="${phoneAt('2025-03-01', 9)}">` +
      '<MetadataEntry key="HKIndoorWorkout" value="1"/><MetadataEntry key="HKWasUserEntered" value="1"/></Workout>';
    expect(await told(workout)).to.equal([['Workout', 'Entered by hand. Indoors.']]);
  });

  it('gives a document for each kind and month of UTC, the same ones in whatever order the file has the records', async () => {
    const readings = [
      pulse('2025-03-01', 0, '60'),
      pulse('2025-03-01', 9, '61'),
      pulse('2025-03-01', 9, '61', { source: 'Watch' }),
      { type: 'StepCount', value: '12', unit: 'count', start: phoneAt('2025-03-01', 8) },
    ];
    const items = await itemsOf(exportXml(readings));
    // Midnight on the phone is 23:00 UTC.
    expect(keys(items)).to.equal(['HeartRate/2025-02', 'HeartRate/2025-03', 'StepCount/2025-03']);
    expect(documents(items).filter(({ label }) => label !== undefined)).to.equal([]);
    expect(documents(items).map(({ name }) => name)).to.equal([
      'Heart rate, 2025-02',
      'Heart rate, 2025-03',
      'Steps, 2025-03',
    ]);
    const turned = [...readings].reverse();
    expect(documents(await itemsOf(exportXml(turned)))).to.equal(documents(items));
    // A record that occurs twice in the file becomes one; records of two sources remain two.
    expect(documents(await itemsOf(exportXml([...turned, ...readings]), 7))).to.equal(documents(items));
    const { facts } = await factsOf(documents(items)[1]!);
    expect(facts.map(({ values }) => values['heart_rate_value'])).to.equal([61, 61]);
  });

  it('makes vital signs in the units of the model, and measurements of what has no place there', async () => {
    const at = (type: string, value: string, unit: string): Reading => ({
      type,
      value,
      unit,
      start: phoneAt('2025-03-01', 9),
    });
    const items = await itemsOf(
      exportXml([
        at('BodyMass', '150', 'lb'),
        at('Height', '6', 'ft'),
        at('BodyTemperature', '98.6', 'degF'),
        at('OxygenSaturation', '0.97', '%'),
        at('OxygenSaturation', '96', '%'),
        at('BodyMassIndex', '22.5', 'count'),
        at('BloodGlucose', '5.4', 'mmol<180.15588000005408>/L'),
        at('BodyFatPercentage', '0.162', '%'),
        at('ActiveEnergyBurned', '3.5', 'Cal'),
        at('DietaryVitaminB12', '2.4', 'mcg'),
      ]),
    );
    const said: Record<string, unknown> = {};
    for (const document of documents(items)) {
      for (const { model, values } of (await factsOf(document)).facts) {
        const [column] = Object.keys(values).filter((name) => /value$/.test(name) && values[name] !== null);
        const unit = String(values[column!.replace('value', 'unit')]);
        const name = model === 'Measurement' ? String(values['type']) : column!;
        said[name] = [...((said[name] as unknown[] | undefined) ?? []), `${values[column!]} ${unit}`];
      }
    }
    expect(said).to.equal({
      weight_value: ['68.0389 kg'],
      height_value: ['1.8288 m'],
      temperature_value: ['37 Cel'],
      oxygen_saturation_value: ['96 %{HemoglobinSaturation}', '97 %{HemoglobinSaturation}'],
      bmi_value: ['22.5 kg/m2'],
      'Blood glucose': ['5.4 mmol/L'],
      'Body fat': ['16.2 %'],
      'Active energy, Phone': ['3.5 kcal'],
      'Dietary vitamin b12': ['2.4 ug'],
    });
  });

  it('puts both numbers of a blood pressure into one fact, at the top of the file and inside a correlation', async () => {
    const cuff = (type: string, value: string, hour: number, source: string): Reading => ({
      type: `BloodPressure${type}`,
      value,
      unit: 'mmHg',
      start: phoneAt('2025-03-01', hour),
      source,
    });
    const morning = [cuff('Systolic', '128', 9, 'Cuff'), cuff('Diastolic', '82', 9, 'Cuff')];
    const evening = [cuff('Systolic', '135', 20, 'Cuff'), cuff('Diastolic', '85', 20, 'Cuff')];
    const correlation = `<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="${phoneAt('2025-03-01', 9)}" endDate="${phoneAt('2025-03-01', 9)}">
${[...morning, ...evening].map(recordXml).join('')}</Correlation>`;
    const items = await itemsOf(exportXml([...morning, cuff('Systolic', '120', 9, 'Other')], correlation));
    expect(keys(items)).to.equal(['BloodPressure/2025-03']);
    const { facts } = await factsOf(documents(items)[0]!);
    expect(facts.map(({ values }) => [values['bp_systolic_value'], values['bp_diastolic_value']])).to.equal([
      [128, 82],
      [120, null],
      [135, 85],
    ]);
  });

  it('reads control characters as spaces, wherever the file is cut and however they are written', async () => {
    const text = exportXml([pulse('2025-03-01', 9, '61', { source: 'Ann\u000b\u0001 Watch@' })]).toString();
    for (const [reference, size] of [
      ['&#x0B;', 50_000],
      ['&#11;&#x1f;', 7],
      ['&#0031;', 1],
    ] as const) {
      const items = await itemsOf(text.replace('@', reference), size);
      const [document] = documents(items);
      expect((await factsOf(document!)).facts, reference).to.have.length(1);
      expect(intakeBytes(document!, config.vocabBase).toString()).to.contain('value="61"');
    }
  });

  it('keeps the blood group, and says that no laboratory gave it', async () => {
    const text = exportXml([pulse('2025-03-01', 9, '61')]).toString();
    const read = (more: string) => itemsOf(text.replace('<Me ', `<Me ${more} `));
    const blood = 'HKCharacteristicTypeIdentifierBloodType';
    const items = await read(`${blood}="HKBloodTypeABNegative"`);
    expect(leftOut(items)).to.equal(['1 Birthday and sex']);
    expect(keys(items)).to.include('BloodType');
    const facts = (await Promise.all(documents(items).map(factsOf))).flatMap((one) => one.facts);
    expect(facts.map(({ model, values }) => [model, values['value'] ?? '', values['notes'] ?? ''])).to.include([
      ['LabResult', 'AB negative', 'Entered on the phone, not by a laboratory.'],
    ]);
    for (const nothing of ['NotSet', 'Purple', 'A<b>Negative']) {
      const value = nothing.replace(/</g, '&lt;');
      expect(keys(await read(`${blood}="HKBloodType${value}"`)), nothing).to.not.include('BloodType');
    }
    expect(leftOut(await read(`${blood}="HKBloodTypePurple"`))).to.equal(['1 Birthday and sex', '1 Blood type Purple']);
    expect(
      leftOut(await read('HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeII"')),
    ).to.have.length(2);
  });

  const category = (kind: string, value: string, hour: number, end?: string) => ({
    type: `HKCategoryTypeIdentifier${kind}`,
    value: `HKCategoryValue${value}`,
    start: phoneAt('2025-03-01', hour),
    ...(end === undefined ? {} : { end }),
  });
  const linesOf = async (items: Awaited<ReturnType<typeof itemsOf>>, ...columns: readonly string[]) => {
    const facts = (await Promise.all(documents(items).map(factsOf))).flatMap((one) => one.facts);
    return facts.map(({ model, values }) => [model, ...columns.map((name) => String(values[name] ?? '-'))].join(' | '));
  };

  it('keeps sleep by its parts, with its minutes', async () => {
    const items = await itemsOf(
      exportXml([
        category('SleepAnalysis', 'SleepAnalysisInBed', 1, phoneAt('2025-03-01', 9)),
        category('SleepAnalysis', 'SleepAnalysisAsleepDeep', 2, phoneAt('2025-03-01', 3)),
        category('SleepAnalysis', 'SleepAnalysisAsleepUnspecified', 3),
      ]),
    );
    expect(keys(items)).to.equal(['SleepAnalysis/2025-03']);
    expect(await linesOf(items, 'stage', 'minutes', 'source')).to.equal([
      'Sleep | In bed | 480 | Phone',
      'Sleep | Deep sleep | 60 | Phone',
      'Sleep | Asleep | - | Phone',
    ]);
  });

  it('keeps symptoms, what was not there, and notifications as what they are', async () => {
    const items = await itemsOf(
      exportXml([
        category('Headache', 'SeverityModerate', 8),
        category('Headache', 'SeverityNotPresent', 9),
        category('IrregularHeartRhythmEvent', 'NotApplicable', 10),
        category('MenstrualFlow', 'VaginalBleedingMedium', 11),
        category('AppleStandHour', 'AppleStandHourStood', 12),
        category('SexualActivity', 'NotApplicable', 13),
      ]),
    );
    expect((await linesOf(items, 'name_title', 'kind', 'severity_title', 'said')).sort()).to.equal([
      'Symptom | Headache | symptom | Moderate | -',
      'Symptom | Headache: not present | symptom | - | -',
      'Symptom | Irregular heart rhythm (notification) | notification | - | -',
      'Symptom | Menstrual flow | cycle | - | Medium',
    ]);
    expect(leftOut(items)).to.equal(['1 Birthday and sex', '1 Stand hour', '1 Sexual activity']);
  });

  it('keeps workouts with their minutes, distance and energy, in whatever form and order', async () => {
    const times = `startDate="${phoneAt('2025-03-01', 9)}" endDate="${phoneAt('2025-03-01', 10)}" sourceName="Watch"`;
    const sums =
      '<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5.1" unit="km"/><WorkoutStatistics ' +
      'type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="300" unit="Cal"/><WorkoutStatistics ' +
      'type="HKQuantityTypeIdentifierHeartRate" average="120" unit="count/min"/>';
    const workouts = [
      `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5" durationUnit="min" ${times}>${sums}</Workout>`,
      `<Workout workoutActivityType="HKWorkoutActivityTypeYoga" totalDistance="0" totalDistanceUnit="km" ${times}/>`,
      `<Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="1" durationUnit="hr" totalDistance="20" totalDistanceUnit="km" ${times}/>`,
      '<Workout workoutActivityType="HKWorkoutActivityTypeRowing" startDate="yesterday"/>',
    ];
    const columns = ['kind', 'minutes', 'distance_value', 'distance_unit', 'energy_value', 'energy_unit'];
    const expected = [
      'Workout | Cycling | 60 | 20 | km | - | -',
      'Workout | Running | 30.5 | 5.1 | km | 300 | kcal',
      'Workout | Yoga | 60 | - | - | - | -',
    ];
    for (const some of [workouts, [...workouts, workouts[0]!].reverse()]) {
      const items = await itemsOf(exportXml([], some.join('')));
      expect(keys(items)).to.equal(['Workout/2025-03']);
      expect((await linesOf(items, ...columns)).sort()).to.equal(expected);
      expect(leftOut(items)).to.equal(['1 Birthday and sex', '1 Workouts']);
    }
  });

  it('says what it left out, and keeps the source, the end and what was entered by hand in the document', async () => {
    const items = await itemsOf(
      exportXml(
        [
          pulse('2025-03-01', 9, '61', { byHand: true, source: 'Ann & <Co>', end: phoneAt('2025-03-01', 9, 5) }),
          pulse('2025-03-01', 9, 'fast'),
          pulse('2025-03-01', 9, '1', { start: '2025-02-30 10:00:00 +0000' }),
          pulse('2025-03-01', 9, '1', { start: 'yesterday' }),
        ],
        '<ActivitySummary dateComponents="2025-03-01"/><Something new="1"/>',
      ),
    );
    expect(leftOut(items)).to.equal(['1 Birthday and sex', '1 Heart rate', '2 Heart rate', '1 Days of rings']);
    const [document] = documents(items);
    expect(intakeBytes(document!, config.vocabBase).toString()).to.contain(
      'unit="/min" source="Ann &amp; &lt;Co&gt;">\n<reading start="2025-03-01T09:00:00+01:00" ' +
        'end="2025-03-01T09:05:00+01:00" value="61" byHand="true"/>',
    );
  });

  it('divides a month of more than 5,000 readings', async () => {
    const many = Array.from({ length: 5001 }, (_, index) => pulse('2025-03-01', 9, `${60 + index / 1000}`));
    const items = await itemsOf(exportXml(many));
    expect(keys(items)).to.equal(['HeartRate/2025-03', 'HeartRate/2025-03']);
    expect((await factsOf(documents(items)[0]!)).facts).to.have.length(5000);
    expect((await factsOf(documents(items)[1]!)).facts).to.have.length(1);
  });

  const pulses = exportXml([pulse('2025-03-01', 9, '61')]);
  const condition = JSON.stringify({
    resourceType: 'Condition',
    code: { text: 'Asthma' },
    subject: { reference: 'Patient/1' },
  });

  it('reads an archive as it comes: the export under any name, clinical records, electrocardiograms; sizes before or behind', async () => {
    for (const follows of [true, false]) {
      const archive = zipOf([
        { name: 'apple_health_export/', bytes: '', stored: true },
        { name: inExport('export_cda.xml'), bytes: '<ClinicalDocument/>', follows },
        { name: inExport('clinical-records/Condition-1.json'), bytes: condition, follows },
        { name: inExport('electrocardiograms/ecg_2025-03-02.csv'), bytes: 'Name,Ann\n1\n', follows },
        { name: inExport('attachments/lens.bin'), bytes: Buffer.from([0, 1, 2]), follows },
        { name: inExport('workout-routes/route.gpx'), bytes: '<gpx/>', stored: true },
        { name: inExport('导出.xml'), bytes: pulses, follows },
        { name: inExport('other.xml'), bytes: '<other>&what;</other>', follows },
      ]);
      for (const size of [1, 60_000]) {
        const items = await itemsOf(archive, size);
        expect(documents(items).map(({ label, name }) => name ?? label)).to.equal([
          'Clinical record: Condition',
          'ecg_2025-03-02.csv',
          'lens.bin',
          'Heart rate, 2025-03',
        ]);
        expect(leftOut(items).slice(1)).to.equal(['1 Workout routes', '1 C-CDA of the phone', '1 Other files']);
        const [record, ecg] = documents(items);
        expect(record!.resource).to.equal('Condition');
        expect((await factsOf(record!)).facts[0]?.values['name_title']).to.equal('Asthma');
        const { facts } = await factsOf(ecg!);
        expect(facts[0]?.values).to.include({ title: 'ECG', date: '2025-03-02', kind: 'ECG' });
      }
    }
  });

  it('refuses archives that are locked, damaged, cut off, packed otherwise or hold no export', async () => {
    const member = { name: inExport('export.xml'), bytes: pulses };
    const whole = zipOf([member]);
    const damaged = Buffer.from(whole);
    damaged[200]! ^= 0xff;
    const otherwise = Buffer.from(whole);
    otherwise.writeUInt16LE(12, 8);
    const wrongSum = zipOf([{ ...member, follows: true }]);
    const sum = wrongSum.indexOf(Buffer.from('PK\u0007\u0008')) + 4;
    wrongSum[sum]! ^= 0xff;
    for (const [bytes, says] of [
      [zipOf([{ ...member, locked: true }]), 'locked with a password'],
      [damaged, 'damaged'],
      [wrongSum, 'damaged'],
      [whole.subarray(0, 300), 'ends in the middle'],
      [whole.subarray(0, whole.length - 22), 'ends in the middle'],
      [otherwise, 'packed in a way'],
      [zipOf([{ name: inExport('electrocardiograms/ecg_1.csv'), bytes: 'x' }]), 'no export of Apple Health in the'],
      [zipOf([{ name: 'export.xml', bytes: '<other/>' }]), 'no export of Apple Health in the'],
      ['<other/>', 'it is no export of Apple Health'],
    ] as const) {
      expect(await refusal(bytes)).to.contain(says);
    }
  });

  it('refuses what unpacks without end', async () => {
    const beginning = exportXml([]).replace('</HealthData>\n', '');
    const bomb = Buffer.concat([
      Buffer.from(beginning),
      ...Array.from({ length: 150 }, () => Buffer.alloc(1_000_000, '<x></x>\n')),
    ]);
    expect(deflateRawSync(bomb).length * 300).to.be.below(bomb.length);
    expect(await refusal(zipOf([{ name: 'export.xml', bytes: bomb }]))).to.contain('unpacks to far more');
  });

  it('expands no entity, and refuses XML that is cut off, endless in one place, too deep or not UTF-8', async () => {
    const inside = (xml: string): string => exportXml([]).replace('</HealthData>', `${xml}</HealthData>`);
    const entity = inside('&a;').replace(
      '<!ELEMENT HealthData',
      '<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd"><!ELEMENT HealthData',
    );
    const long = 'x'.repeat(3_000_000);
    for (const [bytes, says] of [
      [entity, 'its XML is damaged'],
      [entity.replace('&a;', '&b;'), 'its XML is damaged'],
      [inside('<Record'), 'its XML is damaged'],
      [exportXml([]).slice(0, -10), 'its XML is damaged'],
      [inside(`<!-- ${long} -->`), 'longer than any in an export'],
      [inside(`<Record type="${long}"/>`), 'longer than any in an export'],
      [inside(long), 'longer than any in an export'],
      [exportXml([]).replace('<!ELEMENT HealthData', `<!-- ${long} --><!ELEMENT HealthData`), 'longer than any'],
      [inside('<x>'.repeat(40) + '</x>'.repeat(40)), 'nested deeper'],
      [Buffer.concat([Buffer.from(inside('').slice(0, -15)), Buffer.from([0xff, 0xfe])]), 'not written in UTF-8'],
    ] as const) {
      expect(await refusal(bytes), says).to.contain(says);
    }
  });

  it('tells only so many kinds of what is left out apart, and lets no name of the file into the words', async () => {
    const odd = Array.from({ length: 500 }, (_, index) => ({
      type: `HKCategoryTypeIdentifierNew${index}`,
      start: phoneAt('2025-03-01', 1),
    }));
    const items = await itemsOf(
      exportXml([pulse('2025-03-01', 9, '61'), { ...odd[0]!, type: 'HK <b>Ann</b>' }, ...odd]),
    );
    expect(leftOut(items)).to.have.length(200);
    expect(JSON.stringify(items)).to.not.contain('Ann</b>');
    expect(leftOut(items)).to.include('303 Others');
  });

  it('has samples whose readable file is what the archive holds', async () => {
    const read = (name: string): Buffer => readFileSync(inProject('pipeline-config', 'apple-health', name));
    const readings = (items: readonly IntakeItem[]) => documents(items).filter(({ key }) => key !== undefined);
    expect(readings(await itemsOf(read('sample-export.zip')))).to.equal(
      readings(await itemsOf(read('sample-export.healthdata'))),
    );
  });
});
