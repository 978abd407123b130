/**
 * health-connect: the database that Android exports becomes documents by kind and month, whatever the order of its
 * columns; other and hostile databases are refused.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../core/config/load';
import { joinReadings } from '../../core/documents/readings';
import {
  intakeBytes,
  intakesFor,
  runIntake,
  type IntakeDocument,
  type IntakeItem,
} from '../../core/pipeline/intake/intake';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { zipOf } from '../support/apple-health';
import { unhurried } from '../support/unhurried';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig(unhurried);

/** The bytes of a database that these statements make. */
function databaseOf(...statements: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'health-connect-'));
  const database = new Database(join(folder, 'export.db'));
  try {
    database.pragma('journal_mode = WAL');
    statements.forEach((statement) => database.exec(statement));
    database.pragma('wal_checkpoint(TRUNCATE)');
    return readFileSync(join(folder, 'export.db'));
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

const at = (time: string): number => Date.parse(time);
const APPS =
  "CREATE TABLE application_info_table (app_name TEXT, package_name TEXT, row_id INTEGER PRIMARY KEY); INSERT INTO application_info_table VALUES (NULL, 'scale', 1), ('Watch', 'com.watch', 2)";
const PRESSURE =
  'CREATE TABLE blood_pressure_record_table (diastolic REAL, systolic REAL, zone_offset INTEGER, time INTEGER, body_position TEXT, measurement_location TEXT, recording_method INTEGER)';
const pressure = (time: string, high: number, low: number, offset: string): string =>
  `INSERT INTO blood_pressure_record_table VALUES (${low}, ${high}, ${offset}, ${at(time)}, '2', '3', 3)`;
const STEPS =
  'CREATE TABLE steps_record_table (start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, app_info_id INTEGER, count INTEGER)';
const steps = (time: string, app: number, count: number): string =>
  `INSERT INTO steps_record_table VALUES (${at(time)}, 3600, ${at(time) + 60_000}, ${app}, ${count})`;

describe('the export of Health Connect', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());

  const itemsOf = async (bytes: Buffer): Promise<readonly IntakeItem[]> => {
    const intake = reader.entries.intakes.find(({ name }) => name === 'health-connect')!;
    const items: IntakeItem[] = [];
    const chunks = (async function* () {
      yield await Promise.resolve(bytes);
    })();
    for await (const item of runIntake(intake, { name: 'Health Connect.zip', chunks }, config)) {
      items.push(item);
    }
    return items;
  };
  const documentsOf = (items: readonly IntakeItem[]): readonly IntakeDocument[] =>
    items.flatMap((item) => ('leftOut' in item ? [] : [item]));
  const said = async (bytes: Buffer, ...columns: readonly string[]): Promise<readonly string[]> => {
    const facts = [];
    for (const document of documentsOf(await itemsOf(bytes))) {
      facts.push(...(await reader.read(intakeBytes(document, config.vocabBase))).facts);
    }
    return facts.map(({ values }) => columns.map((column) => String(values[column] ?? '-')).join(' | '));
  };
  const refusal = async (bytes: Buffer): Promise<string> =>
    itemsOf(bytes).then(
      () => 'it was accepted',
      (error: unknown) => (error as Error).message,
    );

  it('is known as an archive and as a database', () => {
    const known = (bytes: Buffer): readonly string[] =>
      intakesFor(reader.entries.intakes, 'export.zip', bytes).map(({ name }) => name);
    expect(known(zipOf([{ name: 'health_connect_export.db', bytes: 'x' }]))).to.include('health-connect');
    expect(known(zipOf([{ name: 'beach.jpg', bytes: 'x' }]))).to.not.include('health-connect');
  });

  it('says readings as the phone did, with their place on its clock', async () => {
    const bytes = databaseOf(
      APPS,
      PRESSURE,
      pressure('2026-01-05T23:30:00Z', 197, 121, '3600'),
      pressure('2026-01-31T23:30:00Z', 120, 80, 'NULL'),
    );
    const zip = zipOf([{ name: 'health_connect_export.db', bytes }]);
    expect(await said(zip, 'bp_systolic_value', 'bp_diastolic_value', 'date', 'notes')).to.equal([
      '197 | 121 | 2026-01-05T23:30:00.000000Z | sitting, left upper arm, entered by hand',
      '120 | 80 | 2026-01-31T23:30:00.000000Z | sitting, left upper arm, entered by hand',
    ]);
    const [first] = documentsOf(await itemsOf(zip));
    expect((first as { xml: string }).xml).to.contain('<Field name="date">2026-01-06T00:30:00+01:00</Field>');
  });

  it('sums steps by the day of the phone and by app; of two exports the larger sum counts', async () => {
    const morning = [steps('2026-01-05T08:00:00Z', 2, 900), steps('2026-01-05T23:30:00Z', 2, 7)];
    const evening = [...morning, steps('2026-01-05T20:00:00Z', 2, 100), steps('2026-01-05T08:00:00Z', 1, 850)];
    const older = databaseOf(APPS, STEPS, ...morning);
    const newer = databaseOf(APPS, STEPS, ...evening);
    expect((await said(newer, 'type', 'value', 'datetime')).map((line) => line.slice(0, -17))).to.equal([
      'Steps, Watch | 1000 | 2026-01-05',
      'Steps, Watch | 7 | 2026-01-06',
      'Steps, scale | 850 | 2026-01-05',
    ]);
    const [[first], [second]] = [documentsOf(await itemsOf(newer)), documentsOf(await itemsOf(older))];
    expect(second!.key).to.equal(first!.key);
    const text = ({ xml }: { xml?: string | Uint8Array }): string => String(xml);
    const joined = joinReadings([text(first as object)], text(second as object), first!.readings!, 1_000_000);
    expect(joined!.counts).to.equal({ fresh: 0, same: 2, fuller: 0 });
  });

  it('tells what has no place and what says nothing', async () => {
    const items = await itemsOf(
      databaseOf(
        APPS,
        PRESSURE,
        'INSERT INTO blood_pressure_record_table VALUES (80, NULL, 0, 1767600000000, 0, 0, 0)',
        'CREATE TABLE sexual_activity_record_table (time INTEGER)',
        'INSERT INTO sexual_activity_record_table VALUES (1)',
        'CREATE TABLE weight_record_table (mass REAL)',
      ),
    );
    expect(
      items.map((item) => ('leftOut' in item ? `${item.leftOut.count} ${item.leftOut.what}` : 'a document')),
    ).to.equal(['1 Blood pressure', '1 Sexual activity']);
  });

  it('is refused where it is another database, or damaged, or none', async () => {
    expect(await refusal(databaseOf('CREATE TABLE contacts (name TEXT)'))).to.contain('no export of Health Connect');
    expect(await refusal(databaseOf(PRESSURE).subarray(0, 3000))).to.contain('damaged');
    expect(await refusal(Buffer.from('SQLite format 3'))).to.contain('no database');
    expect(await refusal(zipOf([{ name: 'health_connect_notes.txt', bytes: 'x' }]))).to.contain('holds no database');
    // A view with the name of a table is not read: it can be made to work without end.
    const endless =
      'CREATE VIEW weight_record_table AS WITH RECURSIVE n(time, weight) AS (SELECT 1, 1 UNION ALL SELECT time + 1, 1 FROM n) SELECT * FROM n';
    expect(await refusal(databaseOf(endless))).to.contain('no export of Health Connect');
  });
});
