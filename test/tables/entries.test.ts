/**
 * entries: every sample of every document format yields exactly the facts of its file in test/fixtures/facts, and every
 * invalid sample is refused. `UPDATE_FIXTURES=1` writes the files: read the difference before you commit it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../core/base/errors';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import { readSetupFile } from '../../core/config/read-yaml';
import type { Entry } from '../../core/pipeline/entries';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig({});
const fixtureOf = (entry: Entry, sample: string): string =>
  inProject('test', 'fixtures', 'facts', entry.name, basename(sample).replace(/\.xml$/, '.json'));
const bytesOf = (file: string): Buffer => Buffer.from(readSetupFile(file, config.vocabBase));

describe('every document format', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());

  it('has at least two samples and two invalid ones', () => {
    const short = reader.entries.all
      .filter((entry) => entry.samples.length < 2 || entry.invalid.length < 2)
      .map((entry) => entry.name);
    expect(short).to.equal([]);
  });

  it('turns each sample into the facts of its fixture', async () => {
    for (const entry of reader.entries.all) {
      for (const sample of entry.samples) {
        const { type, validated, facts, leftOut, about, source, takenBack } = await reader.read(bytesOf(sample));
        const more = Object.entries({ about, source, takenBack }).filter(([, said]) => said !== undefined);
        const found = { type, validated, facts, leftOut, ...Object.fromEntries(more) };
        const fixture = fixtureOf(entry, sample);
        if (process.env['UPDATE_FIXTURES'] === '1') {
          mkdirSync(dirname(fixture), { recursive: true });
          writeFileSync(fixture, `${JSON.stringify(found, null, 1)}\n`);
        }
        expect(existsSync(fixture), `no fixture ${fixture}`).to.be.true();
        expect(JSON.parse(JSON.stringify(found)), join(entry.name, basename(sample))).to.equal(
          JSON.parse(readFileSync(fixture, 'utf8')) as object,
        );
      }
    }
  });

  it('refuses each invalid sample with a reason that a person can use', async () => {
    for (const entry of reader.entries.all) {
      for (const file of entry.invalid) {
        const refusal = await reader.read(bytesOf(file), undefined, true).then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(refusal, `${file} was accepted`).to.be.instanceof(AppError);
        expect((refusal as AppError).code, file).to.equal('invalid_document');
        expect((refusal as AppError).details.length, file).to.be.above(0);
      }
    }
  });
});
