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
import { openReader, type DocumentReader } from '../../core/pipeline/document-reader';
import { asksForZone, intakeBytes, intakesFor, runIntake, type IntakeItem } from '../../core/pipeline/intake';
import { readModels } from '../../core/server/migrate-all';
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
    ],
    ['1 no-place', '1 above'],
  ],
  [
    'libreview-csv/sample-united-states.csv',
    ['type', 'datetime', 'value', 'unit'],
    [`${GLUCOSE} 2025-03-08T12:15:00Z 97 mg/dL`, `${GLUCOSE} 2025-03-28T16:05:00Z 141 mg/dL`],
    [],
  ],
  [
    'omron-csv/sample-report.csv',
    ['date', ...CUFF],
    ['2025-01-06T13:46:00Z 124 79 63', '2025-01-12T13:12:00Z 127 81 66', '2025-01-13T01:40:00Z 133 85 71'],
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
    [],
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
    reader = await openReader(config, readModels(config));
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
