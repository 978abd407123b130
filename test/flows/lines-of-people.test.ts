/**
 * lines-of-people: the lines of whole people, as somebody read them once: one of the demo, and one who has every sample
 * of every format. `UPDATE_FIXTURES=1` writes the files: read the difference before you commit it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { documentsOf, people } from '../../bin/demo/documents';
import { inProject } from '../../core/base/paths';
import { readSetupFile } from '../../core/config/read-yaml';
import { addPerson, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { describeRecord, readOnce } from '../support/described-lines';
import { startService, type TestService } from '../support/server';
import { createRecord, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const VOCAB = 'https://svc.example/vocab';

/** The samples of every format, in the order of their names. */
const samples = (): readonly string[] =>
  readdirSync(inProject('pipeline-config'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)sample-[^/]+\.(xml|json)$/.test(name))
    .sort()
    .map((name) => readSetupFile(join(inProject('pipeline-config'), name), VOCAB).toString());

const PEOPLE: readonly (readonly [name: string, documents: () => readonly string[]])[] = [
  ['Mira', () => documentsOf(people[0]!, VOCAB).map(({ xml }) => xml)],
  ['Everybody', samples],
];

for (const leg of databases) {
  describe(`the lines of whole people on ${leg.name}`, () => {
    let [service, alice]: [TestService?, Signs?] = [];
    before(async () => {
      service = await startService(leg, { SVC_VOCAB_BASE: VOCAB });
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
    });
    after(() => service!.stop());

    for (const [name, documents] of PEOPLE) {
      it(`are those that were read: ${name}`, async () => {
        const recordId = await createRecord(service!.call, 'alice@example.org', name, 'Lee');
        for (const body of documents()) {
          const type = body.startsWith('{') ? 'application/fhir+json' : 'application/xml';
          succeeded(await service!.call(alice!, 'POST', `/records/${recordId}/documents/`, { body, type }));
        }
        const found = await describeRecord(service!, alice!, recordId);
        expect(found).to.equal(readOnce(name.toLowerCase(), found));
      });
    }
  });
}
