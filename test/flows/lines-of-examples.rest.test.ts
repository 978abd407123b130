/**
 * lines-of-examples: the lines of people whose documents lie beside the project: how many lines of how many statements
 * each model has, and a digest of what they say. `UPDATE_FIXTURES=1` writes the files anew; `WORDS=FOLDER` writes all
 * words there: read the difference before you commit a digest.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { DATA } from '../intake/examples';
import { addPerson, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { describeRecord, readOnce, summarizeLines } from '../support/described-lines';
import { startService, type TestService } from '../support/server';
import { createRecord } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const folders = [join(DATA, 'fhir-r4-bundles'), join(DATA, 'fhir-ips', 'example')];
const isThere = folders.every((folder) => existsSync(folder));
if (!isThere) {
  process.stdout.write('skipped: the examples (shared/data) are not beside the project\n');
}

type Document = { readonly name: string; readonly body: string };

const bundlesIn = (folder: string): readonly Document[] =>
  !isThere
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => ({ name, body: readFileSync(join(folder, name), 'utf8') }))
        .filter(({ body }) => /"resourceType"\s*:\s*"Bundle"/.test(body));

/** Each person of Synthea has one Bundle; the summaries are of several people, and stand in one record here. */
const PEOPLE: readonly (readonly [name: string, documents: readonly Document[]])[] = [
  ...bundlesIn(folders[0]!).map((document) => [document.name.replace('.json', ''), [document]] as const),
  ['summaries', bundlesIn(folders[1]!)],
];

describe('the lines of the examples', { skip: !isThere, timeout: 900_000 }, () => {
  let [service, alice]: [TestService?, Signs?] = [];
  before(async () => {
    service = await startService(databases[0]!, { SVC_VOCAB_BASE: 'https://svc.example/vocab' });
    alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
  });
  after(() => service!.stop());

  it('are those that were read', async () => {
    const found: string[] = [];
    for (const [name, documents] of PEOPLE) {
      const recordId = await createRecord(service!.call, 'alice@example.org', 'A', 'B');
      for (const { body } of documents) {
        const path = `/records/${recordId}/documents/`;
        const { status, text } = await service!.call(alice!, 'POST', path, { body, type: 'application/fhir+json' });
        expect([200, 400], text).to.include(status);
      }
      const described = await describeRecord(service!, alice!, recordId);
      const words = process.env['WORDS'];
      if (words !== undefined) {
        mkdirSync(words, { recursive: true });
        writeFileSync(join(words, `${name}.txt`), described);
      }
      found.push(`# ${name}`, summarizeLines(described));
    }
    expect(found.join('\n')).to.equal(readOnce('examples', found.join('\n')));
  });
});
