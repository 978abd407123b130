/**
 * ndjson: files of a Bulk Data export become a document for each resource, which is recognized in a later export. Files
 * about several people, and files that are not FHIR, are refused.
 */
import { readFileSync } from 'node:fs';
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
import { unhurried } from '../support/unhurried';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig(unhurried);
const SAMPLE = readFileSync(inProject('pipeline-config', 'fhir-ndjson', 'sample-one-patient.ndjson'));

const stream = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
};

const line = (id: string, patient: string, text = 'Asthma'): string =>
  JSON.stringify({ resourceType: 'Condition', id, code: { text }, subject: { reference: `Patient/${patient}` } });

describe('files with a FHIR resource a line', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const eachOf = (bytes: Buffer | string, size = 1000, most = config.maxDocumentBytes): AsyncGenerator<IntakeItem> => {
    const [intake] = intakesFor(reader.entries.intakes, 'Condition.NDJSON', Buffer.from(bytes as string));
    const chunks = stream(Buffer.from(bytes as string), size);
    return runIntake(intake!, { name: 'Condition.ndjson', chunks }, { ...config, maxDocumentBytes: most });
  };
  const itemsOf = async (...given: Parameters<typeof eachOf>): Promise<readonly IntakeItem[]> => {
    const items: IntakeItem[] = [];
    for await (const item of eachOf(...given)) {
      items.push(item);
    }
    return items;
  };
  const documents = (items: readonly IntakeItem[]): readonly IntakeDocument[] =>
    items.flatMap((item) => ('leftOut' in item ? [] : [item]));
  const leftOut = (items: readonly IntakeItem[]): readonly string[] =>
    items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.reason}`] : []));
  const refusal = async (bytes: Buffer | string): Promise<string> => {
    const refused = await itemsOf(bytes).then(
      () => undefined,
      (error: unknown) => error as AppError,
    );
    expect(refused?.code).to.equal('invalid_document');
    return refused!.message;
  };

  it('become documents with facts, named by resource and patient, wherever the stream is cut', async () => {
    for (const size of [1, 7, 100_000]) {
      const items = await itemsOf(SAMPLE, size);
      expect(documents(items).map(({ key }) => key)).to.equal([
        'Patient/mira-17 of mira-17',
        'Condition/c1 of mira-17',
        'Observation/o1 of mira-17',
        'Immunization/i1 of mira-17',
      ]);
      expect(leftOut(items)).to.equal(['1 no-place', '1 damaged']);
    }
    const models: string[] = [];
    for (const document of documents(await itemsOf(SAMPLE))) {
      const { facts } = await reader.read(intakeBytes(document, config.vocabBase));
      models.push(...facts.map(({ model }) => model));
    }
    expect(models).to.include(['Problem', 'VitalSigns', 'Immunization']);
  });

  it('join a medicine with its drug in another line, unless two drugs have that id', async () => {
    const taken = (id: string, reference: string): string =>
      JSON.stringify({
        resourceType: 'MedicationRequest',
        id,
        status: 'active',
        intent: 'order',
        subject: { reference: 'Patient/1' },
        medicationReference: { reference },
      });
    const drug = (id: string, text: string): string =>
      JSON.stringify({ resourceType: 'Medication', id, code: { text } });
    const lines = [
      taken('before', 'Medication/9'),
      drug('9', 'Warfarin'),
      drug('twice', 'Aspirin'),
      drug('twice', 'Heparin'),
      taken('after', 'https://h.example/fhir/Medication/9/_history/2'),
      taken('unknown', 'Medication/8'),
      taken('either', 'Medication/twice'),
    ];
    const items = await itemsOf(lines.join('\n'));
    const told = items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.reason}`] : []));
    expect(told).to.equal(['1 drug-elsewhere']);
    const given = documents(items);
    const found = new Map<string | undefined, unknown>();
    for (const document of given) {
      const { facts, leftOut: missing } = await reader.read(intakeBytes(document, config.vocabBase));
      found.set(document.key, facts[0]?.values['drugName_title'] ?? missing[0]?.reason);
    }
    expect([...found].filter(([key]) => key !== undefined)).to.equal([
      ['MedicationRequest/before of 1', 'Warfarin'],
      ['MedicationRequest/after of 1', 'Warfarin'],
      ['MedicationRequest/unknown of 1', 'no_code'],
      ['MedicationRequest/either of 1', 'no_code'],
    ]);
    // A pair that is longer than a document may be stays apart.
    const most = Math.max(...lines.map((text) => text.length)) + 20;
    const apart = documents(await itemsOf(lines.slice(0, 2).join('\n'), 1000, most));
    expect(apart.map(({ key }) => key)).to.equal([undefined, 'MedicationRequest/before of 1']);
    expect(apart.map((document) => ('json' in document ? document.json : ''))).to.equal([lines[1], lines[0]]);
  });

  it('are read as far as they are asked for', async () => {
    let taken = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(Buffer.from(`${line(`c${taken}`, '1', 'x'.repeat(100_000))}\n`));
      }
    };
    const [intake] = intakesFor(reader.entries.intakes, 'a.jsonl', Buffer.alloc(0));
    let count = 0;
    for await (const item of runIntake(intake!, { name: 'a.jsonl', chunks: endless() }, config)) {
      expect(item).to.include('json');
      count += 1;
      if (count === 5) {
        break;
      }
    }
    // Some two hundred lines are read before the first document comes out, and the pipe holds a few.
    expect(taken).to.be.below(400);
  });

  it('are refused when they tell of several people, before anything goes out', async () => {
    const several = [...Array.from({ length: 900 }, (_, n) => line(`c${n}`, '1')), line('last', '2')].join('\n');
    const given: IntakeItem[] = [];
    const reading = async (): Promise<void> => {
      for await (const item of eachOf(several)) {
        given.push(item);
      }
    };
    await expect(reading()).to.reject(/line 901 is about another patient than those before it: give a file for each/);
    expect(given).to.be.empty();
  });

  it('are refused with words about what they are', async () => {
    for (const [bytes, says] of [
      ['', 'it has no FHIR resource'],
      ['\n \n', 'it has no FHIR resource'],
      ['[{"resourceType":"Condition"}]', 'line 1 is no FHIR resource in JSON'],
      ['{"a":1}\n', 'line 1 is no FHIR resource in JSON'],
      [Buffer.from(`\uFEFF${line('a', '1')}`, 'utf16le'), 'its JSON is written in UTF-16'],
      [Buffer.from(line('a', '1'), 'utf16le').swap16(), 'its JSON is written in UTF-16'],
      [
        Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')]),
        'line 1 is not written in UTF-8',
      ],
    ] as const) {
      expect(await refusal(bytes as string)).to.contain(says);
    }
  });

  it('lose a line that is too long, and no other', async () => {
    const items = await itemsOf(
      [line('a', '1'), line('b', '1', 'x'.repeat(5000)), line('c', '1')].join('\n'),
      700,
      2000,
    );
    expect(documents(items).map(({ key }) => key)).to.equal(['Condition/a of 1', 'Condition/c of 1']);
    expect(leftOut(items)).to.equal(['1 large']);
  });

  it('give resources without an id or a patient no name, as two sources may call different things alike', async () => {
    const text = '{"resourceType":"Organization","id":"1","name":"Clinic"}\n{"resourceType":"Condition"}\n';
    expect(documents(await itemsOf(text)).map(({ key }) => key)).to.equal([undefined, undefined]);
  });
});
