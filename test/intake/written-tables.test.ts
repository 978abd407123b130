/**
 * written-tables: tables as devices export them and as people write them by hand, each with what a person would say
 * that it says, and what is told of the rest. Nothing of it may come out as something else.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import { loadModels } from '../../core/facts/model/models';
import { csvIntake } from '../../core/pipeline/intake/csv-intake';
import {
  describedIntake,
  intakeBytes,
  intakesFor,
  lookAtFile,
  mayBeTable,
  runIntake,
} from '../../core/pipeline/intake/intake';
import type { IntakeItem } from '../../core/pipeline/intake/intake';
import type { CsvColumns } from '../../core/pipeline/intake/csv-columns';
import { lookAtTable } from '../../core/pipeline/intake/table-look';
import { guessRoles, planTable } from '../../core/pipeline/intake/table-roles';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';
import { workbookOf, workbookOfTwo } from '../support/workbook';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = { ...loadConfig({}), transformSeconds: 60 };
const { models } = loadModels([inProject('datamodels')], config.vocabBase);
const timeZone = 'Europe/Berlin';

const stream = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
};

const SHORT: Readonly<Record<string, string>> = {
  bp_systolic_value: 'sys',
  bp_diastolic_value: 'dia',
  heart_rate_value: 'rate',
  weight_value: 'weight',
  temperature_value: 'temperature',
  height_value: 'height',
  oxygen_saturation_value: 'oxygen_saturation',
  content: 'note',
  quantitative_result_value_value: 'result',
  quantitative_result_value_unit: 'unit',
  test_name_title: 'test',
  reference: 'range',
  product_name_title: 'vaccine',
};

/** "2026-07-15 sys=128 dia=82" of each fact. */
const factsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<Model name="\w+">(.*?)<\/Model>/g)].map(([, fields = '']) =>
    [...fields.matchAll(/<Field name="(\w+)">([^<]*)</g)]
      .filter(([, name = '']) => name === 'unit' || SHORT[name] !== undefined || !/_name_|_unit$/.test(name))
      .map(
        ([, name = '', value = '']) => [/^date|^collected_at/.test(name) ? '' : (SHORT[name] ?? name), value] as const,
      )
      .sort(([one], [other]) => Number(one !== '') - Number(other !== ''))
      .map(([name, value]) => (name === '' ? value.replace(/:00(?=[+-]|Z|$)(?!$)/, '') : `${name}=${value}`))
      .join(' '),
  );

type Written = {
  readonly what: string;
  readonly text: string | Buffer;
  readonly name?: string;
  /** The facts; a name for what is asked instead. */ readonly says: readonly string[];
  /** Some of what is told of the rest. */ readonly told?: readonly string[];
};

const OFFSET = '+02:00';
const glucose = (time: string, value: string, unit = 'mg/dL', offset = OFFSET): string =>
  `2026-07-15T${time}${offset} type=Blood glucose value=${value} unit=${unit}`;

const WEIGHT = [
  ['Date', 'Weight (kg)'],
  ['2026-07-15', '80.5'],
] as const;
const WEIGHED = ['2026-07-15 weight=80.5'];
const BP = [`2026-07-15T07:05${OFFSET} sys=128 dia=82`, `2026-07-15T19:05${OFFSET} sys=135 dia=88`];

const tables: readonly Written[] = [
  {
    what: 'the sleep of Garmin, whose time is that of going to bed',
    text: 'Sleep Score 4 Weeks,Score,Resting Heart Rate,Duration,Bedtime,Wake Time\n2026-07-15,81,52,7h 32min,11:12 PM,6:44 AM\n',
    says: ['2026-07-15 rate=52'],
    told: ['Bedtime no-place', 'Wake Time no-place'],
  },
  {
    what: 'the activities of Fitbit below a title, with thousands',
    text: 'Activities\nDate,Calories Burned,Steps,Distance\n"2026-07-15","2,431","12,045","8.61"\n',
    says: ['2026-07-15 type=Steps value=12045'],
    told: ['Calories Burned no-place'],
  },
  {
    what: 'steps in German',
    text: 'Datum;Schritte;Distanz (km)\n15.07.2026;12.045;8,61\n',
    says: ['2026-07-15 type=Steps value=12045'],
  },
  {
    what: 'mySugr with a comma in a head that is not quoted',
    text:
      'Date,Time,Blood Sugar Measurement (mg/dL),Meal Carbohydrates (Grams, Factor 1),Note,Systolic,Diastolic,Body Weight (kg),HbA1c (Percent)\n' +
      '"Jul 15, 2026",7:18:00 AM,108,40,felt fine,,,80.5,\n' +
      '"Jul 15, 2026",1:05:00 PM,52,,shaky,128,82,,6.1\n',
    says: [
      `2026-07-15T07:18${OFFSET} note=felt fine`,
      glucose('07:18', '108'),
      `2026-07-15T07:18${OFFSET} weight=80.5`,
      `2026-07-15T13:05${OFFSET} note=shaky`,
      `2026-07-15T13:05${OFFSET} sys=128 dia=82`,
      glucose('13:05', '52'),
    ],
    told: ['HbA1c (Percent) no-place', 'Meal Carbohydrates (Grams, Factor 1) no-place'],
  },
  {
    what: 'a cuff of Omron that says the zone of its clock',
    text: 'Measurement Date,Time Zone,SYS,DIA,Pulse,Device Model Name\n2026/07/15 07:05,America/New_York,128,82,64,HEM-7600T\n',
    says: ['2026-07-15T07:05-04:00 sys=128 dia=82 rate=64'],
    told: ['Device Model Name no-place'],
  },
  {
    what: 'offsets in a column, also half hours',
    text: 'startTime,startZoneOffset,weight_kg (kg)\n2026-07-15T23:30:00,-05:00,80.5\n2026-07-16T00:30:00,UTC+0330,80.7\n',
    says: ['2026-07-15T23:30-05:00 weight=80.5', '2026-07-16T00:30+03:30 weight=80.7'],
  },
  {
    what: 'minutes of an offset, which are no hours',
    text: 'Local Time,BG (mmol/L),Timezone Offset\n2026-07-15T07:00:00,5.99,-300\n',
    says: [glucose('07:00', '5.99', 'mmol/L')],
    told: ['Timezone Offset no-place'],
  },
  {
    what: 'Beurer, where WHO is a class and no person',
    text:
      'HealthManager Export;;\nDatum;Uhrzeit;SYS;DIA;Puls;WHO;Notiz\n' +
      '15.07.2026;07:05;128;82;64;Optimal;\n16.07.2026;19:05;197;121;66;Hypertonie 3;Kopfschmerz\n',
    says: [
      `2026-07-15T07:05${OFFSET} notes=WHO: Optimal sys=128 dia=82 rate=64`,
      `2026-07-16T19:05${OFFSET} note=Kopfschmerz`,
      `2026-07-16T19:05${OFFSET} notes=WHO: Hypertonie 3 sys=197 dia=121 rate=66`,
    ],
  },
  {
    what: 'a scale of Beurer, whose head is a unit',
    text: 'Gewicht\nDatum;Uhrzeit;kg;Körperfett\n15.07.2026;07:05;80,5;21,5\n',
    says: [`2026-07-15T07:05${OFFSET} type=Body fat value=21.5 unit=%`, `2026-07-15T07:05${OFFSET} weight=80.5`],
  },
  {
    what: 'Dexcom Clarity in German, with semicolons and decimal commas',
    text:
      'Index;Zeitstempel (JJJJ-MM-TTThh:mm:ss);Ereignistyp;Glukosewert (mmol/l)\n' +
      '1;2026-07-15T07:00:00;EGW;5,8\n2;2026-07-15T07:05:00;EGW;Niedrig\n' +
      '3;2026-07-15T07:06:00;Kalibrierung;6,8\n',
    says: [glucose('07:00', '5.8', 'mmol/L')],
    told: ['Rows below', 'Rows no-place'],
  },
  {
    what: 'Dexcom Clarity in Spanish',
    text:
      'Índice;Marca temporal (AAAA-MM-DDThh:mm:ss);Tipo de evento;Nivel de glucosa (mg/dl)\n' +
      '1;2026-07-15T07:00:00;Niveles estimados de glucosa;64\n' +
      '2;2026-07-15T07:05:00;Niveles estimados de glucosa;Bajo\n',
    says: [glucose('07:00', '64')],
    told: ['Rows below'],
  },
  {
    what: 'LibreView in French',
    text: "Glucose Data,Généré le,15-07-2026 09:00 UTC,Généré par,A B\nAppareil,Numéro de série,Horodatage de l'appareil,Type d'enregistrement,Historique de la glycémie mg/dL,Numérisation de la glycémie mg/dL,Remarques,Glycémie par bandelette mg/dL\nFreeStyle LibreLink,7F,15-07-2026 08:00,0,110,,,\nFreeStyle LibreLink,7F,15-07-2026 08:10,1,,52,,\nFreeStyle LibreLink,7F,15-07-2026 08:20,2,,,,95\n",
    says: [glucose('08:00', '110'), glucose('08:10', '52'), glucose('08:20', '95')],
  },
  {
    what: 'Nightscout, in UTC',
    text: 'dateString,sgv,direction\n2026-07-15T05:00:00.000Z,108,Flat\n',
    says: [glucose('05:00', '108', 'mg/dL', 'Z')],
    told: ['direction no-place'],
  },
  {
    what: 'two units, and values beyond a meter, with a column of units',
    text:
      'Date,Glucose,Unit\n2026-07-15 07:00,108,mg/dL\n2026-07-15 12:00,5.4,mmol/L\n' +
      '2026-07-15 18:00,HI,mg/dL\n2026-07-15 19:00,<40,mg/dL\n',
    says: [glucose('07:00', '108'), glucose('12:00', '5.4', 'mmol/L')],
    told: ['Rows above', 'Rows below'],
  },
  {
    what: 'hours in Spanish',
    text: 'Fecha;Hora;Sistólica;Diastólica\n15/07/2026;7:05 a. m.;128;82\n15/07/2026;7:05 p. m.;135;88\n',
    says: BP,
  },
  {
    what: 'hours in Arabic',
    text: 'التاريخ,الوقت,الانقباضي,الانبساطي\n15/07/2026,7:05 ص,128,82\n15/07/2026,7:05 م,135,88\n',
    says: BP,
  },
  {
    what: 'hours in German',
    text: 'Datum;Uhrzeit;Systolisch;Diastolisch\n15.07.2026;7:05 vorm.;128;82\n15.07.2026;7:05 nachm.;135;88\n',
    says: BP,
  },
  {
    what: 'narrow spaces before AM and PM, and marks of direction',
    text: 'Date,Systolic,Diastolic\n"\u200E7/15/2026, 7:05\u202FAM",128,82\n"7/15/2026, 7:05\u202FPM",135,88\n',
    says: BP,
  },
  {
    what: 'digits of Arabic and Persian',
    text: 'التاريخ,الانقباضي,الانبساطي,الوزن (kg)\n٢٠٢٦-٠٧-١٥,١٢٨,٨٢,٨٠٫٥\n۲۰۲۶-۰۷-۱۶,۱۳۵,۸۸,\n',
    says: ['2026-07-15 sys=128 dia=82 weight=80.5', '2026-07-16 sys=135 dia=88'],
  },
  {
    what: 'names of days before dates',
    text: 'Datum;Blutdruck;Puls\nMi, 15.07.2026;128/82;64\nDonnerstag 16.07.2026;124/79;63\n',
    says: ['2026-07-15 sys=128 dia=82 rate=64', '2026-07-16 sys=124 dia=79 rate=63'],
  },
  {
    what: 'a line about the meter above the heads',
    text: 'Serial number;Download date;Download time;\nU100;08.12.2015;17:04;\nDate;Time;Glucose;Unit\n15.07.2026;07:18;5,4;mmol/L\n',
    says: [glucose('07:18', '5.4', 'mmol/L')],
  },
  {
    what: 'sums below the rows of a known table',
    text: 'Date,Weight (kg)\n2026-07-15,80.5\nAverage,80.5\nTotal,80.5\n',
    says: WEIGHED,
    told: ['Rows cell'],
  },
  {
    what: 'decimal commas between cells that commas divide',
    text: 'Date,Weight (kg)\n2026-07-14,80,9\n2026-07-15,80.5\n',
    says: WEIGHED,
    told: ['Rows cell'],
  },
  {
    what: 'a comma in a note at the end of the row',
    text: 'Date,Sys,Dia,Note\n2026-07-15,128,82,felt bad, dizzy\n',
    says: ['2026-07-15 note=felt bad, dizzy', '2026-07-15 sys=128 dia=82'],
  },
  {
    what: 'dashes and words for nothing',
    text: 'Date,Sys,Dia,Pulse\n2026-07-15,128,82,-\n2026-07-16,-,-,-\n2026-07-17,n/a,n/a,61\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-17 rate=61'],
    told: ['Rows no-value'],
  },
  {
    what: 'words for nothing in other languages',
    text:
      'Date,Sys,Dia,Pulse\n2026-07-15,128,82,k. A.\n2026-07-16,127,81,nicht durchgeführt\n2026-07-17,126,80,sin datos\n' +
      '2026-07-18,125,79,non disponible\n2026-07-19,124,78,não informado\n2026-07-20,123,77,غير متوفر\n',
    says: [15, 16, 17, 18, 19, 20].map((day, at) => `2026-07-${day} sys=${128 - at} dia=${82 - at}`),
  },
  {
    what: 'weights of two people in two columns, of which neither is taken unasked',
    text: 'Date,Anna weight (kg),Ben weight (kg)\n2026-07-15,60.5,88\n',
    says: ['asks no-value'],
  },
  {
    what: 'UTF-16 of the other order of bytes',
    text: Buffer.from('\uFEFFDatum\tGewicht (kg)\n15.07.2026\t80,5\n', 'utf16le').swap16(),
    says: WEIGHED,
  },
  {
    what: 'UTF-16 without its mark',
    text: Buffer.from('Datum\tGewicht (kg)\n15.07.2026\t80,5\n', 'utf16le'),
    says: WEIGHED,
  },
  {
    what: 'a workbook with a hidden sheet before the one that is shown',
    name: 'hidden.xlsx',
    text: workbookOfTwo([WEIGHT[0], ['2020-01-01', '99']], WEIGHT, 'hidden'),
    says: WEIGHED,
  },
  {
    what: 'a workbook with a cover before its table',
    name: 'cover.xlsx',
    text: workbookOfTwo([['My diary'], ['by Anna']], WEIGHT),
    says: WEIGHED,
  },
  {
    what: 'a workbook with two tables, of which one is told by its name',
    name: 'two.xlsx',
    text: workbookOfTwo(WEIGHT, [WEIGHT[0], ['2026-07-16', '80.7']]),
    says: WEIGHED,
    told: ['Sheet sheet'],
  },
  {
    what: 'a workbook with numbers that are texts',
    name: 'texts.xlsx',
    text: workbookOf([
      ['Datum', 'Gewicht (kg)'],
      ['15.07.2026', '80,5'],
      ['16.07.2026', 80.7],
    ]),
    says: ['2026-07-15 weight=80.5', '2026-07-16 weight=80.7'],
  },
  {
    what: 'tests of a meter with a control solution, in a column of marks',
    text: 'Date,Time,Glucose (mg/dL),Marker\n2026-07-15,07:05,108,\n2026-07-15,07:10,120,Control\n2026-07-15,07:12,121,Control Solution\n',
    says: [glucose('07:05', '108')],
    told: ['Rows control'],
  },
  {
    what: 'a control solution in German, Danish, Polish and Arabic',
    text:
      'Datum;Zeit;Blutzucker (mg/dL);Ereignis\n15.07.2026;07:05;108;\n15.07.2026;07:10;120;Kontrolllösung\n' +
      '15.07.2026;07:11;121;Kontrolvæske\n15.07.2026;07:12;122;Płyn kontrolny\n15.07.2026;07:13;123;محلول المعايرة\n',
    says: [glucose('07:05', '108')],
    told: ['Rows control'],
  },
  {
    what: 'a control solution in Spanish, and a remark that only says "control"',
    text: 'Fecha;Hora;Glucosa (mg/dL);Comentario\n15/07/2026;07:05;108;control\n15/07/2026;07:10;120;Solución de control\n',
    says: [glucose('07:05', '108'), `2026-07-15T07:05${OFFSET} note=control`],
    told: ['Rows control'],
  },
  {
    what: 'a column that says whether it was a control',
    text: 'Date,Time,Glucose (mg/dL),Is Control\n2026-07-15,07:05,108,No\n2026-07-15,07:10,120,Yes\n',
    says: [glucose('07:05', '108')],
    told: ['Rows control'],
  },
  {
    what: 'a control solution in the report of a Contour meter',
    text:
      '#,Date and Time,BGValue [mg/dL],Meal Marker,Data Source,Notes,Activity,Meal  [g],Medication,Location\n' +
      '1,07/15/2026 7:05 AM,108,No Mark,Meter,,,,,\n2,07/15/2026 1:05 PM,120,Control,Meter,,,,,\n',
    says: [glucose('07:05', '108')],
    told: ['Rows control'],
  },
  {
    what: 'blood pressures of people, in whose table "control" is a group',
    text: 'Date,Sys,Dia,Group\n2026-07-15,128,82,Control\n',
    says: ['2026-07-15 sys=128 dia=82'],
    told: ['Group no-place'],
  },
  {
    what: 'a goal and a value that was deleted, which are no readings, and a remark that only says "target"',
    text: 'Date,Weight (kg),Type,Comments\n2026-07-15,80.5,Actual,target\n2026-07-16,75,Goal,\n2026-07-17,8.05,deleted,\n',
    says: ['2026-07-15 weight=80.5 notes=Comments: target'],
    told: ['Rows no-reading'],
  },
  {
    what: 'a line of groups above the heads, which go over merged cells',
    text: 'Date,Time,Blood pressure,,,Glucose\n,,SYS,DIA,Pulse,mg/dL\n2026-07-15,07:05,128,82,64,108\n',
    says: [glucose('07:05', '108'), `2026-07-15T07:05${OFFSET} sys=128 dia=82 rate=64`],
  },
  {
    what: 'a line of groups above all of the heads',
    text: ',,Blood pressure,,,\nDate,Time,SYS,DIA,Pulse,Glucose (mg/dL)\n2026-07-15,07:05,128,82,64,108\n',
    says: [glucose('07:05', '108'), `2026-07-15T07:05${OFFSET} sys=128 dia=82 rate=64`],
  },
  {
    what: 'units and forms in a line below the heads',
    text: 'Date;Time;Weight;Temperature\nDD.MM.YYYY;hh:mm;kg;°F\n15.07.2026;07:05;80,5;98,6\n',
    says: [`2026-07-15T07:05${OFFSET} weight=80.5 temperature=37`],
  },
  {
    what: 'people above their columns, of which none is taken unasked',
    text: 'Date,Anna,,Ben,\n,SYS,DIA,SYS,DIA\n2026-07-15,128,82,140,90\n',
    says: ['asks no-value'],
  },
  {
    what: 'a workbook with merged heads',
    name: 'merged.xlsx',
    text: workbookOf([
      ['Date', 'Blood pressure', '', '', 'Weight'],
      ['', 'SYS', 'DIA', 'Pulse', 'kg'],
      ['2026-07-15', 128, 82, 64, 80.5],
    ]),
    says: ['2026-07-15 sys=128 dia=82 rate=64 weight=80.5'],
  },
  {
    what: 'blood pressures of Samsung Health, in UTC with the offsets of their clocks, which say the day',
    text:
      'com.samsung.shealth.blood_pressure,6310003,8\n' +
      'start_time,systolic,diastolic,pulse,time_offset,datauuid\n' +
      '2026-07-14 23:20:00.000,128,82,64,UTC+0200,b1\n' +
      '2026-07-15 02:30:00.000,129.0,82.0,0,UTC-0500,b2\n2026-07-15 07:05:00.000,130,82,0,,b3\n',
    says: [
      '2026-07-14T21:30-05:00 sys=129 dia=82',
      '2026-07-15T01:20+02:00 sys=128 dia=82 rate=64',
      '2026-07-15T07:05Z sys=130 dia=82',
    ],
  },
  {
    what: 'a weight and a heart rate of Samsung Health, whose heads are long',
    text:
      'com.samsung.shealth.tracker.heart_rate,6310003,8\n' +
      'com.samsung.health.heart_rate.start_time,com.samsung.health.heart_rate.heart_rate,com.samsung.health.heart_rate.time_offset\n' +
      '2025-12-31 23:20:00.000,64.0,UTC+0100\n',
    says: ['2026-01-01T00:20+01:00 rate=64'],
  },
  {
    what: 'times in UTC, with the zone of the clock in a column',
    text: 'timestamp,timezone,systolic,diastolic\n2026-07-16T02:30:00Z,America/New_York,128,82\n',
    says: ['2026-07-15T22:30-04:00 sys=128 dia=82'],
  },
  {
    what: 'heads in the spelling of Egypt, and names of months in Arabic',
    text: 'التاريخ,الضغط الانقباضى,الانبساطى,درجة الحراره\n15 يوليو 2026,128,82,36.9\n16 أغسطس 2026,135,88,37\n',
    says: ['2026-07-15 sys=128 dia=82 temperature=36.9', '2026-08-16 sys=135 dia=88 temperature=37'],
  },
  {
    what: 'letters as wide as those of Japanese, and a large ß',
    text: 'Ｄａｔｅ,ＳＹＳ（㎜Ｈｇ）,ＤＩＡ (㎜Hg),ＳｐＯ₂,GRÖẞE (cm)\n2026-07-15,128,82,97,178\n',
    says: ['2026-07-15 sys=128 dia=82 oxygen_saturation=97 height=1.78'],
  },
  {
    what: 'glucose below weights of a known maker, which is no weight of 108 kg',
    text: 'Date,Weight (kg)\n2026-07-15,80.5\n\nDate,Glucose (mg/dL)\n2026-07-15,108\n2026-07-16,110\n',
    says: WEIGHED,
    told: ['Rows other-heads'],
  },
  {
    what: 'temperatures below weights, whose only head is their name and unit',
    text: 'Date,Weight (kg)\n2026-07-15,80.5\n\nTemperature (C)\n2026-07-15,36.9\n',
    says: WEIGHED,
    told: ['Rows other-heads'],
  },
  {
    what: 'weights between blood pressures, whose heads come once more',
    text: 'Datum;Sys;Dia\n15.07.2026;128;82\n\nDatum;Gewicht (kg)\n15.07.2026;80,5\n\nDatum;Sys;Dia\n16.07.2026;135;88\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-16 sys=135 dia=88'],
    told: ['Rows other-heads'],
  },
  {
    what: 'weeks above their rows, and a remark of two words',
    text: 'Date,Sys,Dia,Note\nFirst week,,,\n2026-07-15,128,82,\nSecond week,,,\n2026-07-22,135,88,\n,,ill,no time\n2026-07-23,129,83,\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-22 sys=135 dia=88', '2026-07-23 sys=129 dia=83'],
    told: ['Rows no-time'],
  },
  {
    what: 'a workbook with two tables in one sheet',
    name: 'below.xlsx',
    text: workbookOf([...WEIGHT, ['Date', 'Steps'], ['2026-07-15', '120']].map((row) => [...row])),
    says: WEIGHED,
    told: ['Rows other-heads'],
  },
];

/** Dates, times and cells that can be read in one way only, however they are written. */
const writings: readonly Written[] = [
  {
    what: 'a cuff of Omron with a comma in its dates and hours in halves',
    text: 'Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm)\n"Jul 15, 2026","7:05 am",128,82,64\n"Jul 15, 2026",19:05,135,88,61\n',
    says: [`2026-07-15T07:05${OFFSET} sys=128 dia=82 rate=64`, `2026-07-15T19:05${OFFSET} sys=135 dia=88 rate=61`],
  },
  {
    what: 'a cuff of A&D, whose dates have the year first, between slashes and points',
    text: 'Date,Time,Systolic,Diastolic,Pulse,MAP\n2026/7/15,7:05,128,82,64,97\n2026.07.15,19:05,135,88,61,99\n',
    says: [`2026-07-15T07:05${OFFSET} sys=128 dia=82 rate=64`, `2026-07-15T19:05${OFFSET} sys=135 dia=88 rate=61`],
    told: ['MAP no-place'],
  },
  ...[
    ['hours with "Uhr"', 'Datum;Zeit;Sys;Dia\n15.07.2026;7.05 Uhr;128;82\n15.07.2026;19:05 Uhr;135;88\n'],
    ['hours with "h"', 'Date;Heure;Sys;Dia\n15/07/2026;7h05;128;82\n15/07/2026;19h05;135;88\n'],
    ['times before days', 'Time,Sys,Dia\n07:05 15/07/2026,128,82\n19:05 15/07/2026,135,88\n'],
    [
      'times before names of months',
      'Time,Sys,Dia\n"7:05:00 AM Jul 15, 2026",128,82\n"7:05:00 PM Jul 15, 2026",135,88\n',
    ],
    [
      'times as browsers write them',
      'When,Sys,Dia\nWed Jul 15 2026 07:05:00 GMT+0200 (CEST),128,82\nWed Jul 15 2026 19:05:00 GMT+0200 (CEST),135,88\n',
    ],
    [
      'a day that is written once above its times',
      'Date,Time,Sys,Dia\n2026-07-15,07:05,128,82\n,19:05,135,88\n,,131,85\n',
    ],
    ['a day in three columns', 'Day,Month,Year,Time,Sys,Dia\n15,7,2026,07:05,128,82\n15,Jul,2026,19:05,135,88\n'],
  ].map(([what, text]) => ({ what: what!, text: text!, says: BP })),
  {
    what: 'times as mails have them',
    text: 'Timestamp,Sys,Dia\n"Wed, 15 Jul 2026 05:05:00 GMT",128,82\n',
    says: ['2026-07-15T05:05Z sys=128 dia=82'],
  },
  {
    what: 'thousands of Switzerland, and with narrow spaces',
    text: "Datum;Schritte\n15.07.2026;12'045\n16.07.2026;12\u202f046\n17.07.2026;12\u2019047\n",
    says: ['15', '16', '17'].map((day, index) => `2026-07-${day} type=Steps value=${12045 + index}`),
  },
  {
    what: 'quotation marks inside of cells',
    text: 'Date\tHeight\tWeight\tNote\n2026-07-15\t5\'11"\t177 lb\tfelt "odd" today\n',
    says: ['2026-07-15 note=felt "odd" today', '2026-07-15 height=1.8034 weight=80.28584949'],
  },
  {
    what: 'a workbook that is called a CSV',
    name: 'workbook.csv',
    text: workbookOf(WEIGHT.map((row) => [...row])),
    says: WEIGHED,
  },
  {
    what: 'a text that is called a workbook',
    name: 'text.xlsx',
    text: 'Datum\tGewicht (kg)\n15.07.2026\t80,5\n',
    says: WEIGHED,
  },
  {
    what: 'averages without a day, which are no readings',
    text: 'Date,Sys,Dia\n2026-07-15,128,82\n2026-07-16,130,84\n2026-07-17,132,86\n,130,84\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-16 sys=130 dia=84', '2026-07-17 sys=132 dia=86'],
    told: ['Rows no-time'],
  },
];

/** What is asked, or what a head stands for, where a guess would be something false. */
const guesses: readonly Written[] = [
  {
    what: 'goals, and a column of them before the blood pressures',
    text: 'Date,Target BP,BP\n2026-07-15,130/80,128/82\n',
    says: ['2026-07-15 sys=128 dia=82'],
    told: ['Target BP no-place'],
  },
  {
    what: 'a goal and a mean in brackets',
    text: 'Datum;Gewicht (Ziel);Gewicht (kg);Blutzucker (Durchschnitt)\n15.07.2026;75;80,5;108\n',
    says: ['2026-07-15 weight=80.5'],
    told: ['Gewicht (Ziel) no-place', 'Blutzucker (Durchschnitt) no-place'],
  },
  {
    what: 'the largest and the smallest heart rate of a day, in brackets',
    text: 'Date,Heart rate (max),Heart rate (min),Pulse per minute\n2026-07-15,171,48,64\n',
    says: ['2026-07-15 rate=64'],
    told: ['Heart rate (max) no-place', 'Heart rate (min) no-place'],
  },
  ...[
    ['German', 'Datum;Höchste Herzfrequenz (bpm);Minimale Herzfrequenz\n15.07.2026;171;48\n'],
    ['Spanish', 'Fecha;Frecuencia cardíaca máxima (lpm);Frecuencia cardíaca mínima\n15/07/2026;171;48\n'],
    ['French', 'Date;Fréquence cardiaque maximale;Fréquence cardiaque la plus basse\n15/07/2026;171;48\n'],
    ['Arabic', 'التاريخ;أعلى نبض;أدنى نبض\n15/07/2026;171;48\n'],
  ].map(([language, text]) => ({
    what: `the largest and the smallest heart rate in ${language}, neither of which is that of a moment`,
    text: text!,
    says: ['asks no-value'],
  })),
  {
    what: 'results that only units name, which are those of many tests',
    text: 'Test;Result;Unit;Date\nPotassium;5,9;mmol/L;15.07.2026\nSodium;141;mmol/L;15.07.2026\n',
    says: ['2026-07-15 test=Potassium result=5.9 unit=mmol/L', '2026-07-15 test=Sodium result=141 unit=mmol/L'],
  },
  {
    what: 'the weight of an athlete beside an activity, which was not measured then',
    text: 'Activity Date,Activity Type,Athlete Weight\n"Jul 15, 2026, 7:05:00 AM",Run,80.5\n',
    says: ['asks no-value'],
  },
  ...[
    ['Date;Lost weight;Ideal weight (kg);Weight (kg)', '1,5;70'],
    ['Datum;Gewichtsverlust (kg);Wunschgewicht (kg);Gewicht (kg)', '1,5;70'],
    ['Fecha;Peso ideal (kg);Peso deseado (kg);Peso (kg)', '70;71'],
    ['Date;Poids perdu (kg);Poids cible (kg);Poids (kg)', '1,5;70'],
    ['التاريخ;الوزن المستهدف (kg);الوزن المثالي (kg);الوزن (kg)', '70;71'],
  ].map(([heads, others]) => ({
    what: `weights that were lost or are wished for before the one that was measured: ${heads}`,
    text: `${heads}\n15.07.2026;${others};80,5\n`,
    says: WEIGHED,
  })),
  {
    what: 'a spread, a median and a guess of glucose, none of which was measured',
    text: 'Date,Glucose SD (mg/dL),Median glucose (mg/dL),Predicted glucose (mg/dL)\n2026-07-15,40,140,150\n',
    says: ['asks no-value'],
  },
  {
    what: 'the blood pressure of an earlier day beside that of the day',
    text: 'Date,Previous systolic,Previous diastolic,Systolic,Diastolic\n2026-07-15,140,90,128,82\n',
    says: ['2026-07-15 sys=128 dia=82'],
  },
  ...[
    'Date,Exercise,Weight (kg),Reps\n2026-07-15,Bench press,60,10\n',
    'Datum,Übung,Gewicht (kg),Wiederholungen\n15.07.2026,Bankdrücken,60,10\n',
    'Date,Food,Weight (g),Sugar (g)\n2026-07-15,Apple,180,18\n',
  ].map((text) => ({
    what: `weights that are not those of a body: ${text.slice(0, 20)}`,
    text,
    says: ['asks no-value'],
  })),
  {
    what: 'rows of a mother and of the person, below a head that says it',
    text: 'For,Date,Sys,Dia\nmum,2026-07-15,128,82\nme,2026-07-15,140,90\n',
    says: ['asks person'],
  },
  {
    what: 'rows of a father and of the person, which only the cells say',
    text: 'Datum;Messung;Sys;Dia\n15.07.2026;Papa;128;82\n15.07.2026;ich;140;90\n',
    says: ['asks person'],
  },
  {
    what: 'rows of one person, who says "ich"',
    text: 'Datum;Wer;Sys;Dia\n15.07.2026;ich;128;82\n',
    says: ['2026-07-15 sys=128 dia=82'],
  },
  {
    what: 'blood pressures in centimetres of mercury, as people in France write them',
    text: 'Date;Systole;Diastole;Pouls\n15/07/2026;12,8;8,2;64\n16/07/2026;13,5;8,8;70\n',
    says: ['asks unit unit'],
  },
  {
    what: 'two such numbers in a cell',
    text: 'Date;Tension;Pouls\n15/07/2026;12,8/8,2;64\n16/07/2026;13/8;70\n',
    says: ['asks unit'],
  },
  {
    what: 'a heart rate behind the two numbers of a blood pressure, written in many ways',
    text:
      'Date,BP\n2026-07-15,128/82/64\n2026-07-16,135/88 (70)\n2026-07-17,127 / 81 mmHg P 65\n' +
      '2026-07-18,"126/80, pulse: 66"\n2026-07-19,125/79\n2026-07-20,-\n2026-07-21,124/78 seated\n',
    says: [
      '2026-07-15 sys=128 dia=82 rate=64',
      '2026-07-16 sys=135 dia=88 rate=70',
      '2026-07-17 sys=127 dia=81 rate=65',
      '2026-07-18 sys=126 dia=80 rate=66',
      '2026-07-19 sys=125 dia=79',
    ],
    told: ['Rows no-value', 'Rows cell'],
  },
  {
    what: 'dates with short years, which are no blood pressures with a heart rate',
    text: 'Day,Sys,Dia\n15/07/26,128,82\n16/07/26,135,88\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-16 sys=135 dia=88'],
  },
  {
    what: 'the fat of a body beside that below its skin',
    text: 'Date,Weight(lb),Body Fat(%),Fat-free Mass(lb),Subcutaneous Fat(%)\n2026-07-15,177.4,22.1,138,20\n',
    says: ['2026-07-15 type=Body fat value=22.1 unit=%', '2026-07-15 weight=80.467286438'],
    told: ['Subcutaneous Fat(%) no-place'],
  },
];

/** Tables of devices and sheets that came out as something else, or said less than they do. */
const kinds: readonly Written[] = [
  {
    what: 'a blood pressure by its letters in Spanish and French, which are no steps',
    text: 'Fecha;Hora;PAS;PAD;FC\n13/03/2025;07:05;128;82;64\n',
    says: ['2025-03-13T07:05+01:00 sys=128 dia=82 rate=64'],
  },
  {
    what: 'steps in French',
    text: 'Date;Pas\n13/03/2025;8211\n',
    says: ['2025-03-13 type=Steps value=8211'],
  },
  {
    what: 'a blood pressure in Italian, by its largest and smallest number',
    text: 'Data;Massima;Minima;Battiti\n13/03/2025;128;82;64\n',
    says: ['2025-03-13 sys=128 dia=82 rate=64'],
  },
  {
    what: 'one number of a blood pressure, which is rather something else',
    text: 'Date,Systolic time ratio,Weight (kg)\n2025-03-12,40,80.5\n',
    says: ['2025-03-12 weight=80.5'],
    told: ['Systolic time ratio no-place'],
  },
  {
    what: 'times of a clock behind the same times in UTC',
    text: 'UTC time,Local time,Glucose (mmol/L)\n2025-03-12 22:30,2025-03-12 23:30,6.1\n',
    says: ['2025-03-12T23:30+01:00 type=Blood glucose value=6.1 unit=mmol/L'],
  },
  {
    what: 'times in UTC only',
    text: 'Timestamp (UTC),Glucose (mmol/L)\n2025-03-12 22:30,6.1\n',
    says: ['2025-03-12T22:30Z type=Blood glucose value=6.1 unit=mmol/L'],
  },
  {
    what: 'the hour that a clock shows twice, and the one that it skips, of which nobody knows the offset',
    text:
      'Time,Glucose (mg/dL)\n2024-10-27 01:59,105\n2024-10-27 02:30,108\n2024-10-27 02:30,112\n' +
      '2024-10-27 03:10,110\n2025-03-30 02:30,99\n',
    says: [
      '2024-10-27T01:59+02:00 type=Blood glucose value=105 unit=mg/dL',
      '2024-10-27T02:30:00 type=Blood glucose value=108 unit=mg/dL',
      '2024-10-27T02:30:00 type=Blood glucose value=112 unit=mg/dL',
      '2024-10-27T03:10+01:00 type=Blood glucose value=110 unit=mg/dL',
      '2025-03-30T02:30:00 type=Blood glucose value=99 unit=mg/dL',
    ],
  },
  {
    what: 'March in English, whose name begins a day in Spanish, and December in Spanish, whose name begins one in German',
    text: 'Date,SYS,DIA\n"Mar 12, 2025 7:05:00 AM",128,82\n"Dic 3, 2025 7:05:00 AM",130,84\n',
    says: ['2025-03-12T07:05+01:00 sys=128 dia=82', '2025-12-03T07:05+01:00 sys=130 dia=84'],
  },
  {
    what: 'full hours in German and English',
    text: 'Datum;Uhrzeit;SYS;DIA\n12.03.2025;7 Uhr;128;82\n12.03.2025;19 Uhr;135;88\n12.03.2025;9 PM;126;80\n',
    says: [
      '2025-03-12T07:00+01:00 sys=128 dia=82',
      '2025-03-12T19:00+01:00 sys=135 dia=88',
      '2025-03-12T21:00+01:00 sys=126 dia=80',
    ],
  },
  {
    what: 'hours from and to, whose end is no offset, and which say no time of a reading',
    text: 'Time range,Glucose (mg/dL)\n2025-03-12 08:00-09:00,64\n2025-03-12 09:00 – 10:00,66\n',
    says: [
      '2025-03-12 type=Blood glucose value=64 unit=mg/dL notes=Time range: 2025-03-12 08:00-09:00',
      '2025-03-12 type=Blood glucose value=66 unit=mg/dL notes=Time range: 2025-03-12 09:00 – 10:00',
    ],
  },
  {
    what: 'times with their offsets, which are no hours from and to',
    text: 'Time,Glucose (mg/dL)\n2025-03-12 20:00-05:00,64\n2025-03-12T08:00-09:00,66\n',
    says: [
      '2025-03-12T20:00-05:00 type=Blood glucose value=64 unit=mg/dL',
      '2025-03-12T08:00-09:00 type=Blood glucose value=66 unit=mg/dL',
    ],
  },
  {
    what: 'hours from and to in a column of their own',
    text: 'Datum;Uhrzeit;Schritte\n12.03.2025;08:00 - 09:00;640\n',
    says: ['2025-03-12 type=Steps value=640 notes=Uhrzeit: 08:00 - 09:00'],
  },
  {
    what: 'the days on which months begin, which are no days of readings',
    text: 'Month,Weight (kg)\n2025-01-01,80.5\n2025-02-01,80.1\n',
    says: ['asks means'],
  },
  {
    what: 'a unit in a column behind a weight, and behind the two numbers of a blood pressure',
    text: 'Date,Weight,Unit\n2025-03-12,177,lb\n2025-03-13,178,lb\n',
    says: ['2025-03-12 weight=80.28584949', '2025-03-13 weight=80.73944186'],
  },
  {
    what: 'a weight without its unit among others that have one, of which nobody knows what it is',
    text: 'Date,Weight,Unit\n2025-03-12,177,lb\n2025-03-13,80,\n',
    says: ['2025-03-12 weight=80.28584949'],
    told: ['Rows cell'],
  },
  {
    what: 'the same for kilopascals',
    text: 'Date,SYS,DIA,Unit\n2025-03-12,17.1,10.9,kPa\n',
    says: ['2025-03-12 sys=128.260602 dia=81.756758'],
  },
  {
    what: 'iHealth, whose pressures are high and low',
    text: 'Date,Time,High Pressure(mmHg),Low Pressure(mmHg),Pulse(bpm)\n2025-03-12,07:05,128,82,64\n',
    says: ['2025-03-12T07:05+01:00 sys=128 dia=82 rate=64'],
  },
  {
    what: 'QardioArm, whose first heads are those of Omron',
    text:
      'Date,Time,Systolic (mmHg),Diastolic (mmHg),Heart rate (bpm),Irregular heartbeat,Note\n' +
      '2025-03-13,7:06 PM,131,80,61,No,tired\n',
    says: [
      '2025-03-13T19:06+01:00 notes=Irregular heartbeat: No sys=131 dia=80 rate=61',
      '2025-03-13T19:06+01:00 note=tired',
    ],
  },
  {
    what: 'days in words of Spanish, French and English, with their names and numbers',
    text:
      'Fecha;Peso (kg)\nmiércoles, 12 de marzo de 2025;80,5\n13 de mayo del 2025;80,4\nmercredi 14 mai 2025;80,3\n' +
      '1er juin 2025;80,2\nThursday, July 3rd, 2025;80,1\n4-Jul-25;80,0\n',
    says: [
      '2025-03-12 weight=80.5',
      '2025-05-13 weight=80.4',
      '2025-05-14 weight=80.3',
      '2025-06-01 weight=80.2',
      '2025-07-03 weight=80.1',
      '2025-07-04 weight=80',
    ],
  },
  {
    what: 'a date of a known maker that can be read in one way only, though it is not its own',
    text: 'Date,Weight (kg)\n2025-03-12,80.5\n13 March 2025,80.4\n14.03.2025,80.3\n',
    says: ['2025-03-12 weight=80.5', '2025-03-13 weight=80.4', '2025-03-14 weight=80.3'],
  },
  {
    what: 'the columns of a known maker in the table of a person, whose dates are written in another way',
    text: 'Date,Weight (kg)\n3/12/25,80.5\n3/13/25,80.4\n',
    says: ['2025-03-12 weight=80.5', '2025-03-13 weight=80.4'],
  },
  {
    what: 'midnight in every row, which stands for a day',
    text: 'Datum;Gewicht (kg)\n12.03.2025 00:00;80,5\n13.03.2025 00:00:00;80,1\n',
    says: ['2025-03-12 weight=80.5', '2025-03-13 weight=80.1'],
  },
  {
    what: 'midnight in one of the rows, which is a time',
    text: 'Datum;Gewicht (kg)\n12.03.2025 00:00;80,5\n13.03.2025 07:00;80,1\n',
    says: ['2025-03-12T00:00+01:00 weight=80.5', '2025-03-13T07:00+01:00 weight=80.1'],
  },
  {
    what: 'workouts, beside which the weight and the pulse of a profile stand',
    text: 'Sport,Date,Start time,Duration,Height (cm),Weight (kg),HR sit\nRUNNING,2025-03-12,18:00:00,00:45:00,178,80,55\n',
    says: ['asks no-value'],
  },
  {
    what: 'a saturation, whose 2 counts no measurements',
    text: 'Time,SpO2(%),Pulse Rate(bpm)\n07:05:00 13/03/2025,97,64\n',
    says: ['2025-03-13T07:05+01:00 oxygen_saturation=97 rate=64'],
  },
  {
    what: 'kinds of readings by the names of programs, each of which is another one',
    text:
      'type,unit,startDate,value\nHKQuantityTypeIdentifierBodyMass,kg,2025-03-12,80.5\n' +
      'HKQuantityTypeIdentifierStepCount,count,2025-03-12,40\n',
    says: [
      '2025-03-12 weight=80.5',
      '2025-03-12 type=Step Count name=HKQuantityTypeIdentifierStepCount value=40 unit=count',
    ],
  },
  {
    what: 'a finding of the heart beside its rate',
    text: 'Date,Determination,Heart Rate (bpm)\n2025-03-13,Possible Atrial Fibrillation,98\n',
    says: ['2025-03-13 notes=Determination: Possible Atrial Fibrillation rate=98'],
  },
  {
    what: 'the head of tests that says more than their names',
    text: 'Date,COVID test,Result\n2025-03-12,Antigen,negative\n',
    says: ['2025-03-12 test=Antigen value=negative notes=COVID test: Antigen'],
  },
  {
    what: 'a pulse that nobody took, beside a blood pressure, and sums below few rows',
    text: 'Date,SYS,DIA,Pulse\n2025-03-12,128,82,n.a.\nAverage,128,82,64\n',
    says: ['2025-03-12 sys=128 dia=82'],
    told: ['Rows cell'],
  },
  {
    what: 'the share of energy from fat, which is no fat of a body',
    text: 'Date,Weight (kg),Fat percentage of calories(%)\n2025-03-12,68.0,30\n',
    says: ['2025-03-12 weight=68'],
    told: ['Fat percentage of calories(%) no-place'],
  },
  {
    what: 'Accu-Chek in German, where half of the values are beyond what the meter can measure',
    text: 'Datum;Uhrzeit;BZ-Wert;BZ-Einheit\n12.03.2025;07:18;108;mg/dL\n12.03.2025;09:18;LO;mg/dL\n',
    says: ['2025-03-12T07:18+01:00 type=Blood glucose value=108 unit=mg/dL'],
    told: ['Rows below'],
  },
  {
    what: 'a pump, whose boluses stand in rows without a glucose',
    text:
      'Index,Date,Time,BG Reading (mg/dL),Bolus Volume Delivered (U)\n1,2025/03/12,07:05:00,108,\n' +
      '2,2025/03/12,07:10:00,,4.2\n3,2025/03/12,07:15:00,,\n',
    says: ['2025-03-12T07:05+01:00 type=Blood glucose value=108 unit=mg/dL'],
    told: ['Bolus Volume Delivered (U) no-place'],
  },
];

const LIBRE =
  'Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Scan Glucose mg/dL,Rapid-Acting Insulin (units),' +
  'Carbohydrates (grams),Long-Acting Insulin (units),Notes,Strip Glucose mg/dL,Ketone mmol/L,Meal Insulin (units)';

/** What stands beside the glucose of a sensor. */
const diaries: readonly Written[] = [
  {
    what: 'insulin, carbohydrates, ketones and notes of LibreView',
    text:
      `Glucose Data,Generated on,19-03-2025 10:00 UTC\n${LIBRE}\nL,A,18-03-2025 07:10,1,,118,,,,,,,\n` +
      'L,A,18-03-2025 07:15,4,,,6,,,,,,4\nL,A,18-03-2025 21:00,4,,,,,14,,,,\nL,A,18-03-2025 07:16,5,,,,45,,,,,\n' +
      'L,A,18-03-2025 07:17,6,,,,,,felt shaky,,,\nL,A,18-03-2025 07:19,3,,,,,,,,0.4,\n',
    says: [
      '2025-03-18T07:10+01:00 type=Blood glucose value=118 unit=mg/dL',
      '2025-03-18T07:15+01:00 type=Insulin delivery name=Rapid-acting insulin value=6 unit=IU',
      '2025-03-18T21:00+01:00 type=Insulin delivery name=Long-acting insulin value=14 unit=IU',
      '2025-03-18T07:16+01:00 type=Dietary carbohydrates value=45 unit=g',
      '2025-03-18T07:17+01:00 note=felt shaky',
      '2025-03-18T07:19+01:00 type=Ketones value=0.4 unit=mmol/L',
    ],
    told: ['Meal Insulin (units) no-place'],
  },
];

/** Several sets of readings in a row, and lists with what was measured in each row. */
const lists: readonly Written[] = [
  {
    what: 'mornings and evenings side by side, whose words are kept and no times are invented',
    text:
      'Date;Morning systolic;Morning diastolic;Morning pulse;Evening systolic;Evening diastolic;Evening pulse\n' +
      '13.03.2025;128;82;64;135;88;70\n14.03.2025;126;80;62;;;\n',
    says: [
      '2025-03-13 notes=Morning sys=128 dia=82 rate=64',
      '2025-03-13 notes=Evening sys=135 dia=88 rate=70',
      '2025-03-14 notes=Morning sys=126 dia=80 rate=62',
    ],
  },
  {
    what: 'the same in German, in two lines of heads',
    text: 'Datum;morgens;;;abends;;\n;SYS;DIA;Puls;SYS;DIA;Puls\n13.03.2025;128;82;64;135;88;70\n',
    says: ['2025-03-13 notes=abends sys=135 dia=88 rate=70', '2025-03-13 notes=morgens sys=128 dia=82 rate=64'],
  },
  {
    what: 'the same with a time for each',
    text: 'Fecha;Hora mañana;Sist mañana;Diast mañana;Hora noche;Sist noche;Diast noche\n13/03/2025;07:05;128;82;21:10;135;88\n',
    says: ['2025-03-13T07:05+01:00 notes=mañana sys=128 dia=82', '2025-03-13T21:10+01:00 notes=noche sys=135 dia=88'],
  },
  {
    what: 'pairs of numbers in the morning and in the evening',
    text: 'Date,Morning,Evening\n2025-03-13,128/82,135/88\n2025-03-14,126/80,-\n',
    says: [
      '2025-03-13 notes=Morning sys=128 dia=82',
      '2025-03-13 notes=Evening sys=135 dia=88',
      '2025-03-14 notes=Morning sys=126 dia=80',
    ],
  },
  {
    what: 'both arms, and one pulse',
    text: 'Date,Left arm SYS,Left arm DIA,Right arm SYS,Right arm DIA,Pulse\n2025-03-13,128,82,135,88,64\n',
    says: [
      '2025-03-13 notes=Left arm sys=128 dia=82',
      '2025-03-13 notes=Right arm sys=135 dia=88',
      '2025-03-13 rate=64',
    ],
  },
  {
    what: 'three measurements in a sitting, by their numbers',
    text: 'Date,SYS1,DIA1,SYS2,DIA2\n2025-03-13,128,82,126,81\n',
    says: ['2025-03-13 notes=SYS1 sys=128 dia=82', '2025-03-13 notes=SYS2 sys=126 dia=81'],
  },
  {
    what: 'glucose around meals',
    text: 'Datum;BZ nüchtern (mg/dl);BZ nach Frühstück (mg/dl)\n13.03.2025;98;142\n',
    says: [
      '2025-03-13 type=Blood glucose value=98 unit=mg/dL notes=nüchtern',
      '2025-03-13 type=Blood glucose value=142 unit=mg/dL notes=nach Frühstück',
    ],
  },
  {
    what: 'mornings of one person and evenings of another, which are no sets of one',
    text: 'Date,Anna morning weight (kg),Ben evening weight (kg)\n2025-03-13,62.1,81.3\n',
    says: ['asks no-value'],
  },
  {
    what: 'what stands beside a reading, in its words',
    text: 'Data;Ora;Massima;Minima;Braccio;Aritmia\n13/03/2025;07:05;128;82;sinistro;sì\n',
    says: ['2025-03-13T07:05+01:00 notes=Braccio: sinistro; Aritmia: sì sys=128 dia=82'],
  },
  {
    what: 'laboratory results below dates, with the unit and the range of each test',
    text:
      'Test;Unit;Reference;13.03.2021;04.05.2022\nHemoglobin;g/dL;13.5-17.5;14.20;14.8\n' +
      'CRP;mg/L;<5;<0.5;\n25-OH Vitamin D;ng/mL;30-100;25 H;positive\nOthers;;;;\n',
    says: [
      '2021-03-13 test=Hemoglobin result=14.20 unit=g/dL range=13.5-17.5',
      '2022-05-04 test=Hemoglobin result=14.8 unit=g/dL range=13.5-17.5',
      '2021-03-13 test=CRP result=&lt;0.5 unit=mg/L range=&lt;5',
      '2021-03-13 test=25-OH Vitamin D value=25 H ng/mL range=30-100',
      '2022-05-04 test=25-OH Vitamin D value=positive range=30-100',
    ],
    told: ['Rows no-value'],
  },
  {
    what: 'the same in German, below a title, with commas and a unit in the cells',
    text: 'Labor;;;\nParameter;Normbereich;13.03.2021;04.05.2022\nHämoglobin;13,5-17,5;14,2 g/dl;14,8 g/dl\n',
    says: [
      '2021-03-13 test=Hämoglobin result=14.2 unit=g/dl range=13,5-17,5',
      '2022-05-04 test=Hämoglobin result=14.8 unit=g/dl range=13,5-17,5',
    ],
  },
  {
    what: 'laboratory results with the zeros behind them, and no others',
    text:
      'Test;Unit;13.03.2021;04.05.2022\nPlatelets;/uL;12,000,000;14.00\nTSH;mIU/L;1,5;2,50\n' +
      `Trace;ng/L;0.${'1'.repeat(130)}0;-3.0\n`,
    says: [
      '2021-03-13 test=Platelets value=12,000,000 /uL',
      '2022-05-04 test=Platelets result=14.00 unit=/uL',
      '2021-03-13 test=TSH result=1.5 unit=mIU/L',
      '2022-05-04 test=TSH result=2.50 unit=mIU/L',
      '2021-03-13 test=Trace result=0.111111111111111 unit=ng/L',
      '2022-05-04 test=Trace result=-3.0 unit=ng/L',
    ],
  },
  {
    what: 'people and habits below dates, which are no laboratory results',
    text: 'Name,13.03.2025,14.03.2025\nAnna,62.1,62.0\nBen,81.3,81.0\n',
    says: ['asks no-value'],
  },
  {
    what: 'glucose and insulin at meals',
    text: 'Date,Breakfast glucose (mg/dL),Breakfast insulin (U),Dinner glucose (mg/dL)\n2025-03-13,98,6,120\n',
    says: [
      '2025-03-13 type=Blood glucose value=98 unit=mg/dL notes=Breakfast',
      '2025-03-13 type=Blood glucose value=120 unit=mg/dL notes=Dinner',
    ],
    told: ['Breakfast insulin (U) no-place'],
  },
  {
    what: 'dates as heads whose order nothing settles',
    text: 'Test,Unit,03/04/2021,05/06/2022\nSodium,mmol/L,141,139\n',
    says: ['asks sequence'],
  },
  {
    what: 'laboratory results one below the other, with what is no number in its words, and the flag',
    text:
      'Date,Test,Result,Unit,Reference Range,Flag\n2021-03-13,Ferritin,25,ng/mL,30-400,L\n' +
      '2021-03-13,HIV,negative,,negative,\n2021-03-13,,7,mg/L,,\n',
    says: [
      '2021-03-13 test=Ferritin result=25 unit=ng/mL range=30-400 notes=Flag: L',
      '2021-03-13 test=HIV value=negative range=negative',
    ],
    told: ['Rows no-value'],
  },
  {
    what: 'a list of readings by their kinds',
    text:
      'Datum;Art;Wert;Einheit\n13.03.2025;Gewicht;80,5;kg\n13.03.2025;Blutzucker;98;mg/dl\n' +
      '14.03.2025;Puls;64;/min\n14.03.2025;Bauchumfang;94;cm\n14.03.2025;Gewicht;80;Pud\n',
    says: [
      '2025-03-13 type=Blood glucose value=98 unit=mg/dL',
      '2025-03-13 weight=80.5',
      '2025-03-14 rate=64',
      '2025-03-14 type=Bauchumfang name=Bauchumfang value=94 unit=cm',
    ],
    told: ['Rows cell'],
  },
];

/** Lists of statements, of which a row says no more than its cells. */
const statements: readonly Written[] = [
  ...[
    'Vaccine,Date,Lot,Place',
    'Impfstoff,Datum,Charge,Place',
    'Vaccin,Date,Lot,Place',
    'Vacuna,Fecha,Lote,Place',
    'Vaccino,Data,Lotto,Place',
  ].map((heads): Written => ({
    what: `vaccinations below ${heads}`,
    text: `${heads}\nTetanus,2019-05-03,AB123,Dr. Smith\nInfluenza,declined,,\nMMR,as a child,,\n`,
    says: [
      '2019-05-03 vaccine=Tetanus lotNumber=AB123 notes=Place: Dr. Smith',
      'declined vaccine=Influenza status_identifier=not-done status_title=Not done',
      'as a child vaccine=MMR',
    ],
  })),
  ...[
    'Medicine;Strength;Dose;Since;Until',
    'Medikament;Stärke;Dosierung;seit;bis',
    'Médicament;Dosage;Posologie;Début;Fin',
    'Medicamento;Potencia;Dosis;Desde;Hasta',
    'Farmaco;Dosaggio;Posologia;Dal;Al',
  ].map((heads): Written => ({
    what: `medicines below ${heads}, of which none is called active`,
    text: `${heads}\nMetformin;500 mg;1-0-1;13.05.2019;\nIbuprofen;400 mg;if pain;01.06.2020;01.07.2020\n`,
    says: [
      'drugName_title=Metformin startDate=2019-05-13 strength=500 mg instructions=1-0-1',
      'drugName_title=Ibuprofen startDate=2020-06-01 endDate=2020-07-01 strength=400 mg instructions=if pain',
    ],
  })),
  {
    what: 'a plan of medicines with a column for each time of the day, without any day',
    text: 'Wirkstoff;Handelsname;Stärke;Morgens;Mittags;Abends;Einheit;Grund\nMetoprolol;Beloc;47,5 mg;1;0;0;Stück;Bluthochdruck\n',
    says: [
      'drugName_title=Metoprolol strength=47,5 mg instructions=Morgens: 1; Mittags: 0; Abends: 0; Einheit: Stück ' +
        'notes=Handelsname: Beloc; Grund: Bluthochdruck',
    ],
  },
  {
    what: 'medicines with their status as it is written, and a beginning that is no day',
    text: 'Medication,Status,Start date\nWarfarin,abgesetzt,2019-05-03\nMetformin,ongoing,spring 2018\nAspirin,?,2020-01-01\n',
    says: [
      'drugName_title=Warfarin startDate=2019-05-03 status_title=abgesetzt status_identifier=stopped',
      'drugName_title=Metformin status_title=ongoing status_identifier=active notes=Start date: spring 2018',
      'drugName_title=Aspirin startDate=2020-01-01 status_title=?',
    ],
  },
  ...['Allergy,Reaction,since', 'Allergie,Reaktion,seit', 'Allergène,Réaction,depuis', 'Sustancia,Reacción,desde'].map(
    (heads): Written => ({
      what: `allergies below ${heads}, all of them words`,
      text: `${heads}\nPenicillin,Rash,childhood\nNo known food allergies,,\n`,
      says: [
        `allergen_title=Penicillin allergic_reaction_title=Rash notes=${heads.split(',')[2]!}: childhood`,
        'name_title=No known food allergies',
      ],
    }),
  ),
  {
    what: 'an exception of what is not known, in its own words',
    text: 'Allergy,Comment\nNo known allergies except penicillin,\nLatex,gloves\n',
    says: ['allergen_title=No known allergies except penicillin', 'allergen_title=Latex notes=Comment: gloves'],
  },
  {
    what: 'a medicine with a reaction, which nobody takes',
    text: 'Drug,Reaction\nAmoxicillin,Rash\n',
    says: ['allergen_title=Amoxicillin allergic_reaction_title=Rash'],
  },
  ...['Diagnosis;Since;ICD-10', 'Diagnose;seit;ICD-10', 'Diagnostic;Depuis;ICD-10', 'Diagnóstico;Desde;ICD-10'].map(
    (heads): Written => ({
      what: `diagnoses below ${heads}`,
      text: `${heads}\nHypertonie;13.03.2015;I10\nV. a. Asthma;2001;J45\n`,
      says: [
        'name_title=Hypertonie startDate=2015-03-13 notes=ICD-10: I10',
        `name_title=V. a. Asthma notes=ICD-10: J45; ${heads.split(';')[1]!}: 2001`,
      ],
    }),
  ),
  {
    what: 'vaccinations that are due, of which none is taken unasked',
    text: 'Vaccine,Next due\nTetanus,2019-05-03\n',
    says: ['asks no-date no-value'],
  },
  {
    what: 'the diseases of a family, which are none of the person',
    text: 'Relative,Condition,Date\nMother,Breast cancer,2001-05-03\nFather,Stroke,2011-02-01\n',
    says: ['asks no-value'],
  },
  {
    what: 'diseases with a column for each of the family',
    text: 'Condition,Mother,Father,Date\nDiabetes,yes,no,2001-05-03\n',
    says: ['asks no-value'],
  },
  {
    what: 'a diary with a medicine in some of its rows',
    text: 'Date,Time,Medication,Pain\n2025-03-12,08:00,Ibuprofen,6\n2025-03-13,08:00,,3\n',
    says: ['asks no-value'],
  },
  {
    what: 'what was ruled out, and a row without a name',
    text: 'Condition,Status,Onset\nDepression,ruled out,2010-01-01\n,resolved,2011-01-01\n',
    says: [
      'name_title=Depression startDate=2010-01-01 clinicalStatus_title=ruled out clinicalStatus_identifier=refuted',
    ],
    told: ['Rows cell'],
  },
  ...[
    ['Condition,Yes/No', 'Diabetes,No', 'Asthma,Yes'],
    ['Allergy,Had it?', 'Penicillin,nein', 'Latex,ja'],
    ['Allergen,Result', 'Birch,12.5', 'Milk,negative'],
    ['Medication,Tried,Why stopped', 'Sertraline,2019,nausea', 'Fluoxetine,2020,sleep'],
    ['Date,Symptom,Medication', '2025-03-12,Headache,Ibuprofen', '2025-03-13,Cough,Codeine'],
    ['Pet,Vaccine,Date', 'Rex,Rabies,2025-03-12', 'Rex,Distemper,2025-03-13'],
  ].map((lines): Written => ({
    what: `what nobody has or takes: ${lines[0]!}`,
    text: `${lines.join('\n')}\n`,
    says: [lines.join().includes('2025') ? 'asks no-value' : 'asks no-date no-value'],
  })),
  {
    what: 'states with more words behind them, and a plan',
    text: 'Medication,Status,Dose\nWarfarin,Discontinued in 2020,5 mg\nIron,planned,100 mg\nAspirin,active until May,100 mg\n',
    says: [
      'drugName_title=Warfarin instructions=5 mg status_title=Discontinued in 2020 status_identifier=stopped',
      'drugName_title=Iron instructions=100 mg status_title=planned status_identifier=planned',
      'drugName_title=Aspirin instructions=100 mg status_title=active until May',
    ],
  },
  {
    what: 'the disease beside a vaccine, which nobody has',
    text: 'Disease,Vaccine,Date\nMeasles,Priorix,2019-05-03\n',
    says: ['2019-05-03 vaccine=Priorix notes=Disease: Measles'],
  },
];

/** Values beside one that cannot be read, times longer than a day, and signs of people and programs. */
const besides: readonly Written[] = [
  {
    what: 'a pulse that cannot be read, which takes no blood pressure with it, and half a blood pressure, which is none',
    text: 'Datum;SYS;DIA;Puls\n2026-07-15;128;82;6x4\n2026-07-16;1x0;84;64\n2026-07-17;130;84;66\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-16 rate=64', '2026-07-17 sys=130 dia=84 rate=66'],
    told: ['Values cell Puls', 'Values cell SYS, DIA'],
  },
  {
    what: 'the same of a known monitor',
    text: 'Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm)\nJul 15 2026,07:05,128,82,err\n',
    says: [`2026-07-15T07:05${OFFSET} sys=128 dia=82`],
    told: ['Values cell Pulse (bpm)'],
  },
  ...[
    'Month;Sys;Dia\nMarch 2026;128;82\nApril 2026;130;84\n',
    'Date;Sys;Dia\nAverage of March 2026;128;82\nAverage of April 2026;130;84\n',
    'Date;Weight (kg)\n2026-03;80.5\n2026-04;80.1\n',
    'Woche;Gewicht (kg)\n01.03.2026 - 07.03.2026;80,5\n08.03.2026 - 14.03.2026;80,1\n',
    'Woche;Gewicht (kg)\nKW 12;80,5\nKW 13;80,1\n',
    'Weekly averages\nDate;Weight (kg)\n2026-03-01;80.5\n2026-03-08;80.1\n',
  ].map((text) => ({ what: `means of longer times, which are no readings: ${text}`, text, says: ['asks means'] })),
  {
    what: 'the mean of a month among readings, and the mean of three readings, which is one',
    text:
      'Date,Sys,Dia,Notes\n2026-07-01,128,82,average of June 2026\n2026-07-02,130,84,average of 3 readings\n' +
      '2026-07-03,131,85,an average week\n',
    says: [
      '2026-07-02 note=average of 3 readings',
      '2026-07-02 sys=130 dia=84',
      '2026-07-03 note=an average week',
      '2026-07-03 sys=131 dia=85',
    ],
    told: ['Rows means'],
  },
  {
    what: 'means by their sign beside readings',
    text: 'Datum;Sys \u00d8;Dia \u00d8;Sys;Dia\n15.07.2026;128;82;130;84\n',
    says: ['2026-07-15 sys=130 dia=84'],
    told: ['Sys \u00d8 no-place', 'Dia \u00d8 no-place'],
  },
  {
    what: 'days alone above their rows, and a word that is none',
    text: 'Zeit;RR;Puls\n15.07.2026;;\n07:05;128/82;64\nUrlaub;;\n16.07.2026;;\n07:10;130/80;66\n',
    says: [`2026-07-15T07:05${OFFSET} sys=128 dia=82 rate=64`, `2026-07-16T07:10${OFFSET} sys=130 dia=80 rate=66`],
    told: ['Rows cell Day, Zeit'],
  },
  {
    what: 'two tables side by side, each with its days',
    text: 'Date;Sys;Dia;;Date;Weight (kg)\n2026-07-15;128;82;;2026-07-15;80.5\n2026-07-16;130;84;;2026-07-20;80.1\n',
    says: ['2026-07-15 sys=128 dia=82', '2026-07-16 sys=130 dia=84'],
    told: ['Weight (kg) no-place'],
  },
  {
    what: 'glucose in g/L',
    text: 'Date;Heure;Glyc\u00e9mie (g/L)\n15/07/2026;07h05;1,08\n',
    says: [glucose('07:05', '1.08', 'g/L')],
  },
  {
    what: 'LibreView without a unit in its heads, whose values have one only',
    text:
      'Glucose Data,Generated on,16-07-2026\nDevice,Serial Number,Device Timestamp,Record Type,Historic Glucose,Scan Glucose\n' +
      'FreeStyle LibreLink,1A,15-07-2026 07:05,0,112,\nFreeStyle LibreLink,1A,15-07-2026 07:20,1,,121\n',
    says: [`${glucose('07:05', '112')} notes=Historic`, `${glucose('07:20', '121')} notes=Scan`],
  },
  {
    what: 'Accu-Chek, whose results have a unit beside them, with a test of the meter',
    text:
      'Datum;Uhrzeit;Ergebnis;Einheit;Vor Mahlzeit;N\u00fcchtern;Hypo;Kontrolltest\n' +
      '15.07.2026;07:05;108;mg/dL;X;;;\n15.07.2026;07:20;99;mg/dL;;;;X\n15.07.2026;12:00;LO;mg/dL;;;;\n',
    says: [`${glucose('07:05', '108')} notes=Vor Mahlzeit: X`],
    told: ['Rows control', 'Rows below Ergebnis, Einheit'],
  },
  {
    what: 'a blood pressure with other signs between its numbers, and numbers that are none',
    text: 'Datum;RR\n15.07.2026;128-82-64\n16.07.2026;130 over 80\n17.07.2026;131 zu 81\n18.07.2026;100-98\n',
    says: ['2026-07-15 sys=128 dia=82 rate=64', '2026-07-16 sys=130 dia=80', '2026-07-17 sys=131 dia=81'],
    told: ['Rows cell RR'],
  },
  {
    what: 'dates and times with words and signs between them, and a point in a time',
    text: 'Datum;Puls\n15.07.2026 - 07:05;64\n16.07.2026 um 07:05;66\n',
    says: [`2026-07-15T07:05${OFFSET} rate=64`, `2026-07-16T07:05${OFFSET} rate=66`],
  },
  {
    what: 'a point in a time below a head of times',
    text: 'Datum;Uhrzeit;Puls\n15.07.2026;7.05;64\n',
    says: [`2026-07-15T07:05${OFFSET} rate=64`],
  },
  {
    what: 'steps of days that a program counts in UTC, beside the time at which it wrote them',
    text: 'step_count,day_time,create_time\n8412,1784073600000,2026-07-16 06:15:10.000\n',
    says: ['2026-07-15 type=Steps value=8412'],
  },
  {
    what: 'a day of birth before that of a visit, and the next one behind it',
    text: 'Birth date,Next visit,Visit date,Weight (kg)\n1950-04-01,2026-08-15,2026-07-15,80.5\n1950-04-01,2026-09-15,2026-08-15,80.1\n',
    says: ['2026-07-15 weight=80.5', '2026-08-15 weight=80.1'],
    told: ['Birth date no-place', 'Next visit no-place'],
  },
  {
    what: 'a day of birth alone, which is that of no reading',
    text: 'Geburtsdatum;Gewicht (kg)\n01.04.1950;80,5\n',
    says: ['asks no-date'],
  },
  {
    what: 'what a recorder found, in its words',
    text: 'Date,Heart Rate,Result\n2026-07-15,102,Possible Atrial Fibrillation\n',
    says: ['2026-07-15 notes=Result: Possible Atrial Fibrillation rate=102'],
  },
  {
    what: 'zeros where nothing was measured',
    text: 'Date,Pulse,Weight (kg)\n2026-07-15,0,80.5\n2026-07-16,64,0\n',
    says: ['2026-07-15 weight=80.5', '2026-07-16 rate=64'],
  },
  {
    what: 'the day of the next vaccination, which is no head',
    text: 'Impfung;Datum;Charge;N\u00e4chste Impfung\nTetanus;12.03.2014;A12;12.03.2024\nFSME;geplant;;\n',
    says: ['2014-03-12 vaccine=Tetanus lotNumber=A12 notes=N\u00e4chste Impfung: 12.03.2024', 'geplant vaccine=FSME'],
  },
];

describe('a table as it is written', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader({ xmlWorkers: 1 });
  });
  after(() => reader.close());

  const itemsOf = async (name: string, bytes: Buffer): Promise<AsyncIterable<IntakeItem> | string> => {
    const settings = { vocabBase: config.vocabBase, maxBytes: 10_000_000, timeZone };
    const [known] = intakesFor(reader.entries.intakes, name, bytes);
    if (known) {
      return csvIntake(stream(bytes), (known.by as { readonly columns: CsvColumns }).columns, settings);
    }
    const isBook = name.endsWith('.xlsx');
    const look = isBook ? await lookAtFile({ name, chunks: stream(bytes) }, config) : await lookAtTable(stream(bytes));
    const { columns, questions, problems } = planTable(look, { roles: guessRoles(look), units: {} }, models);
    if (!columns) {
      return ['asks', ...problems.map(({ problem }) => problem), ...questions.map(({ about }) => about)].join(' ');
    }
    return isBook
      ? runIntake(describedIntake(look, columns), { name, chunks: stream(bytes) }, { ...config, timeZone })
      : csvIntake(stream(bytes), columns, settings);
  };

  it('is looked at by what is in it, whatever kind of workbook its name says', () => {
    const old = Buffer.from('d0cf11e0a1b11ae1000000', 'hex');
    const found = [
      ['a.xls', Buffer.from('Datum\tSys\n')],
      ['a.xls', Buffer.from('Datum\tSys\n', 'utf16le')],
      ['a.xls', workbookOf(WEIGHT.map((row) => [...row]))],
      ['a.xlsx', Buffer.from('Datum;Sys\n')],
      ['a.xls', old],
      ['a.xls', Buffer.from('<html><table>')],
      ['a.txt', Buffer.from('Datum\tSys\n')],
    ] as const;
    expect(found.map(([name, bytes]) => mayBeTable(name, bytes))).to.equal([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  for (const { what, text, name = 'table.csv', says, told = [] } of [
    ...besides,
    ...tables,
    ...writings,
    ...guesses,
    ...kinds,
    ...lists,
    ...diaries,
    ...statements,
  ]) {
    it(`says what a person reads in it: ${what}`, async () => {
      const items = await itemsOf(name, Buffer.from(text as string));
      const facts: string[] = typeof items === 'string' ? [items] : [];
      const rest: string[] = [];
      for await (const item of typeof items === 'string' ? [] : items) {
        if ('leftOut' in item) {
          rest.push(
            `${item.leftOut.what} ${item.leftOut.reason}`,
            `${item.leftOut.what} ${item.leftOut.reason} ${item.leftOut.column ?? ''}`,
          );
        } else {
          facts.push(...factsIn(intakeBytes(item, config.vocabBase).toString()));
        }
      }
      expect(facts.sort()).to.equal([...says].sort());
      expect(
        told.filter((one) => !rest.includes(one)),
        rest.join('; '),
      ).to.equal([]);
    });
  }
});
