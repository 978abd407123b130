/**
 * zip-of-documents: archives of portals become their documents, and files that become none are reported; compressed
 * files of a Bulk Data export.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import {
  intakeBytes,
  intakesFor,
  runIntake,
  type IntakeDocument,
  type IntakeItem,
} from '../../core/pipeline/intake/intake';
import { openBundledReader } from '../support/bundled-reader';
import { inExport, zipOf } from '../support/apple-health';
import { unhurried } from '../support/unhurried';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig(unhurried);
const SAMPLE = readFileSync(inProject('pipeline-config', 'zip-of-documents', 'sample-portal.zip'));
const ALLERGY = '{"resourceType":"AllergyIntolerance","code":{"text":"Hazelnut"},"patient":{"display":"Kaia"}}';
const PDF = '%PDF-1.4\n%%EOF\n';

const stream = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
};

describe('archives of documents', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const itemsOf = async (
    bytes: Buffer,
    { size = 1000, name = 'record.ZIP', most = config.maxDocumentBytes } = {},
  ): Promise<readonly IntakeItem[]> => {
    const [intake] = intakesFor(reader.entries.intakes, name, bytes);
    const items: IntakeItem[] = [];
    const chunks = stream(bytes, size);
    for await (const item of runIntake(intake!, { name, chunks }, { ...config, maxDocumentBytes: most })) {
      items.push(item);
    }
    return items;
  };
  const documents = (items: readonly IntakeItem[]): readonly IntakeDocument[] =>
    items.flatMap((item) => ('leftOut' in item ? [] : [item]));
  const leftOut = (items: readonly IntakeItem[]): readonly string[] =>
    items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut.what}: ${item.leftOut.reason}`] : []));
  const called = (items: readonly IntakeItem[]): readonly (string | undefined)[] =>
    documents(items).map(({ name, label }) => label ?? name);
  const modelsOf = async (items: readonly IntakeItem[]): Promise<readonly string[]> => {
    const models: string[] = [];
    for (const document of documents(items)) {
      const { facts } = await reader.read(intakeBytes(document, config.vocabBase));
      models.push(...facts.map(({ model }) => model));
    }
    return models;
  };
  const refusal = async (bytes: Buffer, name?: string): Promise<string> => {
    const refused = await itemsOf(bytes, name === undefined ? {} : { name }).then(
      () => undefined,
      (error: unknown) => error as AppError,
    );
    expect(refused?.code).to.equal('invalid_document');
    return refused!.message;
  };

  it('have the tables of devices read under the names that they have by themselves, and tell the rest by file', async () => {
    const fitbit = (value: string): string => `timestamp,weight grams,mood\n${value},good\n`;
    const items = await itemsOf(
      zipOf([
        { name: 'Takeout/Fitbit/weight.csv', bytes: fitbit('2026-07-15T05:05:00Z,80500') },
        { name: 'Takeout/Fitbit/weight (1).csv', bytes: fitbit('2026-07-16T05:05:00Z,80900') },
        { name: 'Takeout/Fitbit/weight (2).csv', bytes: fitbit('16 July,80900') },
        { name: 'own.csv', bytes: 'Date,Mood\n2026-07-15,good\n' },
        { name: 'book.xlsx', bytes: zipOf([{ name: '[Content_Types].xml', bytes: '<Types/>' }]) },
        { name: 'letter.pdf', bytes: PDF },
      ]),
      { size: 64 },
    );
    expect(documents(items).map(({ of, key }) => `${of ?? 'file'} ${key ?? ''}`.trim())).to.equal([
      'fitbit-weight-csv 2026-07-15',
      'fitbit-weight-csv 2026-07-16',
      'file',
    ]);
    expect(await modelsOf(items)).to.equal(['VitalSigns', 'VitalSigns', 'StoredFile']);
    const told = items.flatMap((item) => ('leftOut' in item ? [item.leftOut] : []));
    expect(told.map(({ what, count, reason, file, moreFiles }) => [what, count, reason, file, moreFiles])).to.equal([
      ['book.xlsx', 1, 'by-itself', undefined, undefined],
      ['mood', 2, 'no-place', 'weight.csv', 1],
      ['Table', 1, 'refused-table', 'weight (2).csv', undefined],
      ['own.csv', 1, 'by-itself', undefined, undefined],
    ]);
    expect(told[2]!.words).to.contain('timestamp is not written as');
  });

  it('join a medicine with its drug in another file', async () => {
    const statement = JSON.stringify({
      resourceType: 'MedicationStatement',
      status: 'active',
      subject: { reference: 'Patient/1' },
      medicationReference: { reference: 'Medication/9' },
    });
    const items = await itemsOf(
      zipOf([
        { name: 'statement.json', bytes: statement },
        { name: 'drug.json', bytes: '{"resourceType":"Medication","id":"9","code":{"text":"Warfarin"}}' },
        { name: 'cut.json', bytes: '{"resourceType":"Medication","id":' },
      ]),
    );
    expect(called(items)).to.equal(['drug.json', 'cut.json', 'statement.json']);
    expect(await modelsOf([items[0]!, items[2]!])).to.equal(['Medication']);
  });

  it('become their documents with facts, wherever the stream is cut, and tell what becomes none by its name', async () => {
    for (const size of [33, 1_000_000]) {
      const items = await itemsOf(SAMPLE, { size });
      expect(called(items)).to.equal(['DOC0001.XML', 'allergy.json', 'Referral.pdf', 'note.txt']);
      expect(leftOut(items)).to.equal([
        'INDEX.HTM: shows',
        'README.TXT: shows',
        'STYLE.XSL: shows',
        'METADATA.XML: shows',
        'steps.csv: by-itself',
      ]);
    }
    const models = await modelsOf(await itemsOf(SAMPLE));
    expect(models).to.include(['Allergy', 'Problem', 'Medication', 'StoredFile']);
    expect(models.filter((model) => model === 'StoredFile')).to.have.length(2);
  });

  it('keep the bytes of XML, which says itself how it is written', async () => {
    const xml = '<?xml version="1.0" encoding="UTF-16"?><Note xmlns="urn:notes">Grüße</Note>';
    const bytes = Buffer.from(`\uFEFF${xml}`, 'utf16le');
    const [document] = documents(await itemsOf(zipOf([{ name: 'grüße.xml', bytes }])));
    expect(document!.name).to.equal('grüße.xml');
    expect(intakeBytes(document!, config.vocabBase).equals(bytes)).to.be.true();
  });

  it('are those of Apple Health when they begin as its export', () => {
    const known = (name: string): readonly string[] =>
      intakesFor(reader.entries.intakes, 'export.zip', zipOf([{ name, bytes: 'x' }])).map((intake) => intake.name);
    expect(known(inExport('Export.xml'))).to.equal(['apple-health']);
    expect(known('IHE_XDM/SUBSET01/DOC0001.XML')).to.equal(['zip-of-documents']);
  });

  it('name their files by what stands behind the last slash, whatever their paths say', async () => {
    const items = await itemsOf(
      zipOf([
        { name: '../../etc/passwd.pdf', bytes: PDF },
        { name: 'C:\\letters\\a.pdf', bytes: `${PDF} ` },
        { name: '__MACOSX/._a.pdf', bytes: 'x' },
        { name: '.DS_Store', bytes: 'x' },
        { name: 'letters/', bytes: '' },
      ]),
    );
    expect(called(items)).to.equal(['passwd.pdf', 'a.pdf']);
    expect(leftOut(items)).to.equal([]);
  });

  it('tell what is too large, unknown, packed again or only a page, and go on with the others', async () => {
    const items = await itemsOf(
      zipOf([
        { name: 'scan.dcm', bytes: `${'\0'.repeat(128)}DICM` },
        { name: 'letter.rtf', bytes: '{\\rtf1 Hello}' },
        { name: 'nothing.pdf', bytes: '' },
        { name: 'settings.json', bytes: '{"theme": "dark"}' },
        { name: 'more.zip', bytes: zipOf([{ name: 'a.pdf', bytes: PDF }]) },
        {
          name: 'page.xhtml',
          bytes: '<?xml version="1.0"?><!-- a page --><html xmlns="http://www.w3.org/1999/xhtml"/>',
        },
        { name: 'big.xml', bytes: `<a>${'x'.repeat(5000)}</a>` },
        { name: 'allergy.json', bytes: ALLERGY },
      ]),
      { most: 4000 },
    );
    expect(called(items)).to.equal(['allergy.json']);
    expect(leftOut(items)).to.equal([
      'scan.dcm: unknown',
      'letter.rtf: unknown',
      'settings.json: unknown',
      'nothing.pdf: empty',
      'more.zip: by-itself',
      'page.xhtml: shows',
      'big.xml: large',
    ]);
  });

  it('hold files of a Bulk Data export, whose medicines find their drugs in other files', async () => {
    const request = (id: string, patient: string): string =>
      `{"resourceType":"MedicationRequest","id":"${id}","status":"active","intent":"order","subject":{"reference":` +
      `"Patient/${patient}"},"medicationReference":{"reference":"Medication/d1"}}`;
    const drug = '{"resourceType":"Medication","id":"d1","code":{"text":"Warfarin 5 mg"}}';
    const items = await itemsOf(
      zipOf([
        { name: 'export/MedicationRequest.ndjson', bytes: `${request('m1', 'p')}\n{"resourceType":"Cond\n` },
        { name: 'export/Medication.jsonl', bytes: `${drug}\n` },
        { name: 'export/letter.pdf', bytes: PDF },
      ]),
    );
    expect(called(items)).to.equal([
      'Medication in line 1 of Medication.jsonl',
      'letter.pdf',
      'MedicationRequest in line 1 of MedicationRequest.ndjson',
    ]);
    expect(await modelsOf(items)).to.equal(['StoredFile', 'Medication']);
    expect(leftOut(items)).to.equal(['Lines: damaged']);
    const two = [
      { name: 'a.ndjson', bytes: request('m1', 'p') },
      { name: 'b.ndjson', bytes: request('m2', 'q') },
    ];
    expect(await refusal(zipOf(two))).to.contain('another patient');
    expect(await refusal(zipOf([{ name: 'a.ndjson', bytes: 'no JSON' }]))).to.contain('line 1 of a.ndjson');
  });

  it('tell fifty files by their names and count the others', async () => {
    const members = Array.from({ length: 60 }, (_, index) => ({ name: `${index}.bin`, bytes: '\0' }));
    const items = await itemsOf(zipOf([...members, { name: 'a.pdf', bytes: PDF }]));
    const told = items.flatMap((item) => ('leftOut' in item ? [item.leftOut] : []));
    expect([told.length, told.at(-1)!.what, told.at(-1)!.count]).to.equal([51, 'Other files', 10]);
  });

  it('are refused when no file in them can be a document, and when they are locked, damaged, cut off or bombs', async () => {
    const pdf = { name: 'a.pdf', bytes: PDF };
    const whole = zipOf([pdf]);
    for (const [bytes, says] of [
      [zipOf([{ name: 'README.TXT', bytes: 'Hello' }]), 'no file in the archive can be a document'],
      [zipOf([]), 'no file in the archive can be a document'],
      [
        zipOf([
          { name: 'README.TXT', bytes: 'Hello' },
          { name: 'a.csv', bytes: 'Date,Mood\n' },
          { name: 'b.zip', bytes: whole },
        ]),
        'unpack it, and give one by one a.csv, b.zip',
      ],
      [zipOf([{ ...pdf, locked: true }]), 'locked with a password: unpack it with the password'],
      [whole.subarray(0, whole.length - 40), 'ends in the middle'],
      [zipOf([{ name: 'zeros.xml', bytes: Buffer.alloc(110_000_000) }]), 'unpacks to far more'],
      [Buffer.from('no archive at all'), 'damaged'],
    ] as const) {
      expect(await refusal(bytes), says).to.contain(says);
    }
  });

  it('of gzip hold a file of a Bulk Data export; damaged ones, those that are cut off and bombs are refused', async () => {
    const name = 'AllergyIntolerance.ndjson.gz';
    const whole = gzipSync(`${ALLERGY}\n${ALLERGY.replace('Hazelnut', 'Walnut')}\n`);
    for (const size of [7, 1_000_000]) {
      expect(await modelsOf(await itemsOf(whole, { name, size }))).to.equal(['Allergy', 'Allergy']);
    }
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 20, 40);
    for (const [bytes, says] of [
      [whole.subarray(0, whole.length - 20), 'damaged or cut off'],
      [damaged, 'damaged or cut off'],
      [gzipSync(`${ALLERGY}\n${' '.repeat(120_000_000)}`), 'unpacks to far more'],
    ] as const) {
      expect(await refusal(bytes, name), says).to.contain(says);
    }
  });
});
