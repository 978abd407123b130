/**
 * device-tables: the tables that devices and their apps export are read as they are: what was measured, in its unit, and
 * what else the device noticed. The samples of the formats are read by `svc check`; here is what must come out.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { intakesFor, runIntake } from '../../core/pipeline/intake/intake';
import { startService, type TestService } from '../support/server';
import { databases } from '../support/databases';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OMRON = 'Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm)';
const PRESSURE = 'com.samsung.health.blood_pressure';

describe('tables of devices', () => {
  let service: TestService;
  before(async () => {
    service = await startService(databases[0]!);
  });
  after(() => service.stop());

  /** "Model date field=value ..." of each fact, then "left out: what". */
  const read = async (text: string | readonly Buffer[], timeZone = 'Europe/Berlin'): Promise<readonly string[]> => {
    const { reader, config } = service.services;
    const pieces = typeof text === 'string' ? [Buffer.from(text)] : text;
    const bytes = Buffer.concat(pieces);
    const [intake] = intakesFor(reader.entries.intakes, 'export.csv', bytes);
    expect(intake, bytes.toString('latin1', 0, 60)).to.exist();
    const chunks = (async function* () {
      for (const piece of pieces) {
        yield await Promise.resolve(piece);
      }
    })();
    const said: string[] = [];
    for await (const item of runIntake(intake!, { name: 'export.csv', chunks }, { ...config, timeZone })) {
      if ('leftOut' in item) {
        said.push(`left out: ${item.leftOut.what}`);
      } else {
        const { facts } = await reader.read(Buffer.from(String('xml' in item ? item.xml : '')));
        said.push(
          ...facts.map(({ values }) =>
            Object.entries(values)
              .filter(([name, value]) => value !== null && !/_name_|_unit$|^unit$/.test(name))
              .map(([name, value]) => `${name}=${String(value).replace(/:00\.000000Z$/, '')}`)
              .join(' '),
          ),
        );
      }
    }
    return said.sort();
  };

  it('keep what an Omron monitor noticed and what was noted, in five languages, and add no words for nothing', async () => {
    const found = ',Irregular heartbeat detected,Possible AFib,Cuff fit,Notes\n';
    expect(
      await read(
        `${OMRON}${found}Jan 12 2025,08:12,127,81,66,Irregular heartbeat detected,Possible AFib,OK,felt dizzy\n` +
          'Jan 13 2025,08:12,121,80,66,-,-,OK,-\n',
      ),
    ).to.equal([
      'date=2025-01-12T07:12 notes=Irregular heartbeat detected; Possible AFib; Notes: felt dizzy bp_systolic_value=127 bp_diastolic_value=81 heart_rate_value=66',
      'date=2025-01-13T07:12 bp_systolic_value=121 bp_diastolic_value=80 heart_rate_value=66',
    ]);
    const others = [
      'Datum,Zeit,Systolisch (mmHg),Diastolisch (mmHg),Puls (bpm),Notizen\n12. M\u00e4rz 2025',
      'Date,Heure,Systolique (mmHg),Diastolique (mmHg),Pouls (bpm),Remarques\n12 mars 2025',
      'Fecha,Hora,Sist\u00f3lica (mmHg),Diast\u00f3lica (mmHg),Pulso (ppm),Notas\n12 mar. 2025',
      'Data,Ora,Sistolica (mmHg),Diastolica (mmHg),Pulsazioni (bpm),Note\n12 mar 2025',
    ];
    for (const head of others) {
      expect(await read(`${head},08:12,127,81,66,tired\n`), head).to.equal([
        'date=2025-03-12T07:12 notes=Notes: tired bp_systolic_value=127 bp_diastolic_value=81 heart_rate_value=66',
      ]);
    }
  });

  it('keep what a person noted of a finger-stick of a Contour meter, and no more', async () => {
    const head =
      '#,Date and Time,BGValue [mg/dL],Meal Marker,Data Source,Notes,Activity,Meal  [g],Medication,Location\n';
    expect(
      await read(
        `\uFEFF${head}1,05/24/2026 7:18 AM,108,Fasting,Meter,,,,,\n2,05/24/2026 1:05 PM,52,No Mark,Manual,"shaky, pale",,30,,\n` +
          '3,05/25/2026 7:20 AM,LO,Fasting,Meter,,,,,\n',
      ),
    ).to.equal([
      'left out: Rows',
      'type=Blood glucose value=108 datetime=2026-05-24T05:18 notes=Meal Marker: Fasting',
      'type=Blood glucose value=52 datetime=2026-05-24T11:05 notes=Data Source: Manual; Notes: shaky, pale; Meal  [g]: 30',
    ]);
    const metric = '#,Date and Time,BGValue[mmol/L],Meal Marker,Data Source\n1,24.05.2026 07:18:03,"5,4",,Meter\n';
    expect(await read(metric)).to.equal(['type=Blood glucose value=5.4 datetime=2026-05-24T05:18:03.000000Z']);
  });

  it('take no zero of Google Fit for a heart rate or a weight', async () => {
    const head =
      'Date,Move Minutes count,Average heart rate (bpm),Min heart rate (bpm),Step count,Average weight (kg)\n';
    const facts = await read(`${head}2026-09-01,64,72,54,8400,78.4\n2026-09-03,0,0,0,0,0\n`);
    expect(facts.filter((fact) => fact.includes('2026-09-03'))).to.equal([
      'type=Steps value=0 datetime=2026-09-03T00:00',
    ]);
    expect(facts.filter((fact) => fact.includes('2026-09-01'))).to.have.length(4);
  });

  it('read hours with AM and PM beside a day as ISO writes it', async () => {
    const head = 'Date,Time,Systolic,Diastolic,Pulse\n';
    expect(await read(`${head}2025-03-02,8:05 PM,131,82,66\n2025-03-03,12:10 AM,120,80,60\n`, 'UTC')).to.equal([
      'date=2025-03-02T20:05 bp_systolic_value=131 bp_diastolic_value=82 heart_rate_value=66',
      'date=2025-03-03T00:10 bp_systolic_value=120 bp_diastolic_value=80 heart_rate_value=60',
    ]);
  });

  it('give a Garmin scale the day above its rows, and no unit that it does not say', async () => {
    const head = 'Time,Weight,Change,BMI,Body Fat,Skeletal Muscle Mass,Bone Mass,Body Water,\n';
    expect(
      await read(
        `${head}" Jul 15, 2026",\n9:46 AM,80.5 kg,0.5 kg,25.0,--,--,--,--,\n" Jul 14, 2026",\n9:00 AM,100 lbs,--,--,--,--,--,--,\n`,
      ),
    ).to.equal([
      'date=2026-07-14T07:00 weight_value=45.359237',
      'date=2026-07-15T07:46 bmi_value=25 weight_value=80.5',
    ]);
    expect(
      await read(
        'Heure,Poids,Modification,IMC,Masse grasse,Masse musculaire squelettique,Masse osseuse,Masse hydrique\n"15 juil. 2026",\n09:46,"80,5 kg",--,--,"21,5 %",--,--,--\n',
      ),
    ).to.equal(['date=2026-07-15T07:46 weight_value=80.5', 'type=Body fat value=21.5 datetime=2026-07-15T07:46']);
  });

  it('give a Garmin cuff the day above its rows, in the languages of its heads, and no zero for a pulse', async () => {
    expect(
      await read(
        'Time,Systolic,Diastolic,Pulse,Source,Notes,\n" Jul 15, 2026",\n9:46 AM,121,80,66,Index BPM,--,\n9:48 PM,131,85,--,Manual,tired,\n' +
          '" Jul 14, 2026",\n9:00 AM,128,82,err,Index BPM,--,\n',
      ),
    ).to.equal([
      'date=2026-07-14T07:00 notes=Source: Index BPM bp_systolic_value=128 bp_diastolic_value=82',
      'date=2026-07-15T07:46 notes=Source: Index BPM bp_systolic_value=121 bp_diastolic_value=80 heart_rate_value=66',
      'date=2026-07-15T19:48 notes=Source: Manual; Notes: tired bp_systolic_value=131 bp_diastolic_value=85',
      'left out: Values',
    ]);
    for (const heads of [
      'Uhrzeit,Systolisch,Diastolisch,Puls,\n" 15. Juli 2026"',
      'Heure,Systolique,Diastolique,Pouls,\n"15 juil. 2026"',
      'Hora,Sistólica,Diastólica,Pulso,\n"15 jul. 2026"',
      'Ora,Sistolica,Diastolica,Pulsazioni,\n"15 lug 2026"',
    ]) {
      expect(await read(`${heads},\n09:46,121,80,66,\n`), heads).to.equal([
        'date=2026-07-15T07:46 bp_systolic_value=121 bp_diastolic_value=80 heart_rate_value=66',
      ]);
    }
  });

  it('read the exercise of Garmin with the words that have no unit', async () => {
    expect(
      await read(
        'Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR\nRunning,2026-07-15 07:15:23,false,Park,5.21,412,00:31:05,--\n',
      ),
    ).to.equal([
      'kind=Running start=2026-07-15T05:15:23.000000Z source=Garmin Connect notes=Title: Park; Distance: 5.21; Calories: 412; Time: 00:31:05',
      'left out: Favorite',
    ]);
  });

  it('read Fitbit, Google Fit, openScale, Oura and Samsung Health, and take zero for nothing where they write it so', async () => {
    expect(await read('timestamp,weight grams,data source\n2026-03-02T06:00:00Z,70500,Scale\n')).to.equal([
      'date=2026-03-02T06:00 notes=data source: Scale weight_value=70.5',
    ]);
    expect(
      await read('timestamp,beats per minute,data source\n2026-03-02T06:00:00Z,62,Band\n2026-03-02T06:00:05Z,0,Band\n'),
    ).to.equal(['date=2026-03-02T06:00 notes=data source: Band heart_rate_value=62', 'left out: Rows']);
    expect(await read('Date,Move Minutes count,Step count\n2026-03-02,,4871\n')).to.equal([
      'type=Steps value=4871 datetime=2026-03-02T00:00',
    ]);
    expect(
      await read(
        '"biceps","bone","comment","dateTime","fat","waist","weight"\n0.0,0.0,"tired","2026-03-02 07:10",18.4,0.0,71.4\n',
      ),
    ).to.equal(
      [
        'date=2026-03-02T06:10 notes=comment: tired weight_value=71.4',
        'type=Body fat value=18.4 datetime=2026-03-02T06:10',
        'left out: biceps',
      ].sort(),
    );
    expect(await read('date,Sleep Score,Average Resting Heart Rate,Steps\n2026-03-02,81,58.4,8123\n')).to.equal([
      'left out: Sleep Score',
      'type=Heart rate asleep value=58.4 datetime=2026-03-02T00:00',
      'type=Steps value=8123 datetime=2026-03-02T00:00',
    ]);
    for (const prefix of [`${PRESSURE}.`, '']) {
      const head = `com.samsung.shealth.blood_pressure,1,3\n${['start_time', 'systolic', 'diastolic', 'pulse', 'comment'].map((name) => `${prefix}${name}`).join(',')},\n`;
      expect(await read(`${head}2026-03-02 06:14:00.000,128.0,82.0,0,tired,\n`)).to.equal([
        `date=2026-03-02T06:14 notes=${prefix}comment: tired bp_systolic_value=128 bp_diastolic_value=82`,
      ]);
    }
  });

  it('say nothing of a blood pressure in kPa that is told nowhere', async () => {
    await expect(read('Date,Time,Systolic,Diastolic,Pulse\n2025-03-02,07:15,17.1,10.9,64\n')).to.reject(
      /no living person/,
    );
  });

  it('are read as Windows-1252 where they are not in UTF-8, which is told, also between two pieces', async () => {
    const heads = 'Fecha,Hora,Sistólica (mmHg),Diastólica (mmHg),Pulso (ppm),Notas\n';
    const text = `${heads}2025-01-12,08:12,127,81,66,después del café\n`;
    const reading =
      'date=2025-01-12T07:12 notes=Notas: después del café bp_systolic_value=127 bp_diastolic_value=81 heart_rate_value=66';
    const plain = await read(text);
    expect(plain).to.have.length(1);
    expect(plain[0]).to.equal(reading.replace('Notas', 'Notes'));
    const bytes = Buffer.from(text, 'latin1');
    for (const at of [1, heads.indexOf('ó'), heads.indexOf('ó') + 1, text.indexOf('é') + 1]) {
      expect(await read([bytes.subarray(0, at), bytes.subarray(at)]), String(at)).to.equal([
        ...plain,
        'left out: Letters',
      ]);
    }
    const broken = Buffer.concat([Buffer.from(text), Buffer.from('2025-01-13,08:12,127,81,66,caf\xe9\n', 'latin1')]);
    await expect(read([broken])).to.reject(/not written in utf-8/);
  });

  it('are refused where rows of several people stand below a name, and read where they are those of one', async () => {
    const rows = (...names: readonly string[]): string =>
      names.map((name, at) => `Jan ${at + 10} 2025,08:12,127,81,66,${name}\n`).join('');
    for (const head of ['Name', 'User', 'Profile', 'Benutzer']) {
      await expect(read(`${OMRON},${head}\n${rows('Anna', 'Ben', 'Anna')}`), head).to.reject(/rows of several people/);
      expect(await read(`${OMRON},${head}\n${rows('Anna', 'Anna')}`), head).to.have.length(3);
    }
    expect(await read(`${OMRON},Device\n${rows('M3', 'M4')}`)).to.have.length(3);
  });
});
