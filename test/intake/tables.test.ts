/**
 * tables: the CSV exports of common sensors, scales and blood pressure monitors. Facts have the person's time zone,
 * values that the device could not measure are left out, and an overlapping later export duplicates no reading.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { asksForZone, intakeBytes, intakesFor, runIntake, type IntakeItem } from '../../core/pipeline/intake/intake';
import { openBundledReader } from '../support/bundled-reader';
import { unhurried } from '../support/unhurried';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig(unhurried);

const stream = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
};

const GLUCOSE = 'Blood glucose';
const CUFF = ['bp_systolic_value', 'bp_diastolic_value', 'heart_rate_value'];

/** A sample, the compared fields, their values in New York, and the reasons why rows are left out. */
const samples: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  [
    'dexcom-clarity-csv/sample-two-days.csv',
    ['type', 'datetime', 'value', 'unit'],
    [
      `${GLUCOSE} 2025-03-02T04:52:10Z 118 mg/dL`,
      `${GLUCOSE} 2025-03-02T04:57:10Z 121 mg/dL`,
      `${GLUCOSE} 2025-03-02T05:07:10Z 64 mg/dL`,
    ],
    ['5 no-place', '1 below', '1 above'],
  ],
  [
    'dexcom-clarity-csv/sample-mmol.csv',
    ['type', 'datetime', 'value', 'unit'],
    [`${GLUCOSE} 2025-03-02T12:10:00Z 5.6 mmol/L`],
    [],
  ],
  [
    'libreview-csv/sample-week.csv',
    ['type', 'datetime', 'value', 'unit'],
    [
      `${GLUCOSE} 2025-03-08T03:41:00Z 6.8 mmol/L`,
      `${GLUCOSE} 2025-03-08T12:15:00Z 5.4 mmol/L`,
      `${GLUCOSE} 2025-03-08T12:30:00Z 5.9 mmol/L`,
      `${GLUCOSE} 2025-03-08T12:32:00Z 6.1 mmol/L`,
      'Dietary carbohydrates 2025-03-08T12:40:00Z 40 g',
    ],
    ['5 order', '1 above'],
  ],
  [
    'libreview-csv/sample-united-states.csv',
    ['type', 'datetime', 'value', 'unit'],
    [`${GLUCOSE} 2025-03-08T12:15:00Z 97 mg/dL`, `${GLUCOSE} 2025-03-28T16:05:00Z 141 mg/dL`],
    [],
  ],
  [
    'omron-csv/sample-report.csv',
    ['date', ...CUFF, 'notes'],
    [
      '2025-01-06T13:46:00Z 124 79 63 Notes: after breakfast',
      '2025-01-12T13:12:00Z 127 81 66 -',
      '2025-01-13T01:40:00Z 133 85 71 Consumed: Coffee',
    ],
    [],
  ],
  [
    'withings-blood-pressure-csv/sample-bp.csv',
    ['date', ...CUFF],
    ['2025-02-04T02:02:55Z 131 84 -', '2025-02-04T12:31:12Z 128 82 64'],
    [],
  ],
  ['withings-blood-pressure-csv/sample-with-units.csv', ['date', ...CUFF], ['2025-02-04T12:31:12Z 128 82 64'], []],
  [
    'withings-weight-csv/sample-weight.csv',
    ['date', 'weight_value', 'weight_unit'],
    ['2025-02-03T12:30:44Z 71.85 kg', '2025-02-04T12:28:03Z 71.4 kg'],
    ['1 no-place', '1 no-place', '1 no-place', '1 no-place'],
  ],
  [
    'withings-weight-csv/sample-pounds.csv',
    ['date', 'weight_value', 'weight_unit'],
    ['2025-02-04T12:28:03Z 71.395439038 kg'],
    [],
  ],
];

describe('tables of devices', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const bytesOf = (sample: string): Buffer => readFileSync(inProject('pipeline-config', ...sample.split('/')));
  const itemsOf = async (name: string, bytes: Buffer): Promise<readonly IntakeItem[]> => {
    const [intake, ...others] = intakesFor(reader.entries.intakes, name, bytes);
    expect(others, `${name} is known to several`).to.be.empty();
    expect(asksForZone(intake!), `${name} names no zone`).to.be.true();
    const items: IntakeItem[] = [];
    const file = { name, chunks: stream(bytes) };
    for await (const item of runIntake(intake!, file, { ...config, timeZone: 'America/New_York' })) {
      items.push(item);
    }
    return items;
  };
  const told = (value: unknown): string => {
    if (value === null || value === undefined) {
      return '-';
    }
    return String(value).replace('.000000Z', 'Z');
  };

  for (const [sample, fields, facts, leftOut] of samples) {
    it(`reads ${sample} in the time zone of the person`, async () => {
      const items = await itemsOf(basename(sample), bytesOf(sample));
      const found: string[] = [];
      for (const item of items) {
        if (!('leftOut' in item)) {
          const read = await reader.read(intakeBytes(item, config.vocabBase));
          found.push(...read.facts.map(({ values }) => fields.map((field) => told(values[field])).join(' ')));
        }
      }
      expect(found).to.equal([...facts]);
      expect(
        items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.reason}`] : [])),
      ).to.equal([...leftOut]);
    });
  }

  const BP = 'Date,Time,Systolic,Diastolic,Pulse\n';
  const OMRON = 'Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm)';
  const ofText = (text: string) => itemsOf('x.csv', Buffer.from(text));
  const leftOutOf = (items: readonly IntakeItem[]) =>
    items.flatMap((item) =>
      'leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.what}: ${item.leftOut.words}`] : [],
    );
  const factsOf = async (items: readonly IntakeItem[], fields: readonly string[]): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const item of items) {
      if (!('leftOut' in item)) {
        const read = await reader.read(intakeBytes(item, config.vocabBase));
        found.push(...read.facts.map(({ values }) => fields.map((field) => told(values[field])).join(' ')));
      }
    }
    return found;
  };
  const refusal = (text: string): Promise<string> =>
    ofText(text).then(
      () => 'taken',
      (error: unknown) => `${(error as { reason?: string }).reason}: ${(error as Error).message}`,
    );

  it('refuses a file in another unit, and keeps a single value that hardly can be, with a word about it', async () => {
    expect(await refusal(`${BP}23/02/2025,08:00,16.8,11.2,70\n24/02/2025,08:00,17.5,10.1,71\n`)).to.match(
      /^values: .*Systolic, Diastolic has a value that no living person has \(possible are 50 to 300.*rows: 2.*kPa/,
    );
    expect(await refusal('Date,"Weight (kg)"\n2025-02-04 07:28:03,71400\n'), 'grams').to.match(/^values: /);
    const glucose = 'Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Glucose Value (mmol/L)\n';
    expect(
      await refusal(
        `${glucose}1,2025-03-02T07:10:00,EGV,60\n2,2025-03-02T07:15:00,EGV,104\n3,2025-03-02T07:20:00,EGV,99\n`,
      ),
    ).to.match(/^values: /);
    const items = await ofText(`${BP}23/02/2025,08:00,128,82,0\n24/02/2025,08:00,300,20,71\n`);
    expect(await factsOf(items, CUFF)).to.equal(['128 82 0', '300 20 71']);
    expect(leftOutOf(items)).to.have.length(1);
    expect(leftOutOf(items)[0]!).to.startWith('1 Values: please check the values of Pulse');
    const mixed = await ofText(`${BP}23/02/2025,08:00,17.1,10.9,64\n24/02/2025,08:00,1380,88,71\n`);
    expect(await factsOf(mixed, CUFF), 'kPa is never read as mmHg').to.equal(['- - 64', '1380 88 71']);
    expect(leftOutOf(mixed).map((words) => words.slice(0, 40))).to.equal([
      '1 Values: Systolic, Diastolic has a valu',
      '1 Values: please check the values of Sys',
    ]);
  });

  it('keeps an upper pressure below the lower one as it is written, and tells it', async () => {
    const items = await ofText(`${BP}23/02/2025,08:00,80,120,64\n24/02/2025,08:00,128,82,71\n`);
    expect(await factsOf(items, CUFF)).to.equal(['80 120 64', '128 82 71']);
    expect(leftOutOf(items)).to.have.length(1);
    expect(leftOutOf(items)[0]!).to.startWith('1 Values: please check the values of Diastolic');
  });

  it('tells both readings of dates whose order nothing settles, and refuses those of the other order', async () => {
    const open = await ofText(`${BP}05/06/2024,08:00,128,82,70\n07/07/2024,08:00,128,82,70\n`);
    expect(leftOutOf(open)).to.have.length(1);
    expect(leftOutOf(open)[0]!).to.startWith('1 Dates: ').and.contain('read as 5 June 2024, and may be 6 May 2024');
    expect(open.flatMap((item) => ('leftOut' in item ? [item.leftOut.dates] : []))).to.equal([
      { written: '05/06/2024 08:00', read: '2024-06-05', other: '2024-05-06' },
    ]);
    const settled = await ofText(`${BP}05/06/2024,08:00,128,82,70\n17/06/2024,08:00,128,82,70\n`);
    expect(leftOutOf(settled)).to.equal([]);
    expect(await refusal(`${BP}05/06/2024,08:00,128,82,70\n05/16/2024,08:00,128,82,70\n`)).to.match(/^dates: /);
    expect(leftOutOf(await ofText(`${BP}05/06/2024,08:00,128,82,70\n45/06/2024,08:00,128,82,70\n`))).to.have.length(2);
  });

  it('reads a decimal comma as well as a point, and takes no number that may be a thousand', async () => {
    const items = await ofText(
      'Date,"Weight (kg)"\n2025-02-04 07:28:03,"71,4"\n2025-02-05 07:28:03,71.6\n2025-02-06 07:28:03,"71,405"\n',
    );
    expect(await factsOf(items, ['weight_value'])).to.equal(['71.4', '71.6']);
    expect(leftOutOf(items)).to.equal(['1 Rows: Weight (kg) is no number']);
  });

  it('takes weights of which only the day is written, and blood pressures with their units in the cells', async () => {
    const weights = await ofText('Date,"Weight (kg)"\n2025-02-04,71.4\n');
    expect(await factsOf(weights, ['date', 'weight_value'])).to.equal(['2025-02-04T00:00:00Z 71.4']);
    const pressures = await ofText(`${BP}2025-02-23,08:00,104 mmHg,72 mmHg,64 bpm\n`);
    expect(await factsOf(pressures, CUFF)).to.equal(['104 72 64']);
  });

  it('tells by its head each column that has cells and is not read', async () => {
    const items = await ofText(
      `${OMRON},Irregular rhythm,Empty,Remarks\nJan 12 2025,08:12,127,81,66,found,-,dizzy\nJan 13 2025,08:12,127,81,66,,,tired\n`,
    );
    expect(leftOutOf(items)).to.equal([
      '1 Irregular rhythm: the column has no place in a record',
      '2 Remarks: the column has no place in a record',
    ]);
  });

  it('reads LibreView in German, Spanish and French, and says for other languages which ones it reads', async () => {
    const file = (heads: string) => `Title,x\n${heads},Notes\nFreeStyle Libre 3,1A,28-03-2025 07:15,1,,"5,1",,\n`;
    for (const heads of [
      'Gerät,Seriennummer,Gerätezeitstempel,Aufzeichnungstyp,Glukosewert-Verlauf mmol/L,Glukose-Scan mmol/L,Glukose-Teststreifen mmol/L',
      'Dispositivo,Número de serial,Sello de tiempo del dispositivo,Tipo de registro,Historial de glucosa mmol/L,Escaneo de glucosa mmol/L,Tira reactiva para glucosa mmol/L',
      "Appareil,Numéro de série,Horodatage de l'appareil,Type d'enregistrement,Historique de la glycémie mmol/L,Numérisation de la glycémie mmol/L,Glycémie par bandelette mmol/L",
    ]) {
      const items = await ofText(file(heads));
      expect(await factsOf(items, ['value', 'unit'])).to.equal(['5.1 mmol/L']);
      expect(leftOutOf(items)).to.equal([]);
    }
    expect(await refusal(file('Enhet,Nummer,Tid,Typ,Historik mmol/L,Skanning mmol/L,Teststicka mmol/L'))).to.match(
      /^columns: .*German and Spanish and French can be read: choose one of these languages/,
    );
  });

  it('gives the days that a later export repeats the same names and the same content', async () => {
    const first = bytesOf('libreview-csv/sample-week.csv');
    const later = Buffer.concat([first, Buffer.from('FreeStyle LibreLink,7F3A-11,09-03-2025 07:15,0,5.2,,,\n')]);
    const before = (await itemsOf('a.csv', first)).filter((item) => 'key' in item);
    const after = (await itemsOf('b.csv', later)).filter((item) => 'key' in item);
    expect(after).to.have.length(before.length + 1);
    expect(after.slice(0, before.length)).to.equal(before);
  });

  it('refuses the whole file where a date may have its month first, and says which column', async () => {
    for (const [name, says] of [
      ['libreview-csv/invalid-month-first.csv', 'Device Timestamp is not written as DD-MM-YYYY HH:mm or MM-DD'],
      ['dexcom-clarity-csv/invalid-other-dates.csv', 'Timestamp (YYYY-MM-DDThh:mm:ss) is not written as'],
      ['omron-csv/invalid-day-first.csv', 'Date, Time is not written as MMM D YYYY HH:mm'],
    ] as const) {
      const refused = await itemsOf(basename(name), bytesOf(name)).then(
        () => undefined,
        (error: unknown) => error as AppError,
      );
      expect(refused?.code, name).to.equal('invalid_document');
      expect(refused?.message).to.contain(says);
    }
  });
});
