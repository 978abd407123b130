/** kept: every published example goes in and comes out as it came, as JSON and as XML. */
import * as keptStore from '../../../core/documents/kept-resources-store';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse, stringify } from 'lossless-json';
import { isServed } from '../../../core/fhir/search-definitions';
import { DATA } from '../../intake/examples';
import { asItCame } from '../../support/as-it-came';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const folders = [
  ['fhir-us-core', 'example'],
  ['fhir-ipa', 'package-1.0.0', 'example'],
  ['fhir-ipa', 'source-1.1.0', 'example'],
  ['fhir-ips', 'example'],
  ['fhir-r4-bundles'],
].map((names) => join(DATA, ...names));

const isThere = folders.every((folder) => existsSync(folder));
if (!isThere) {
  process.stdout.write('skipped: the examples (shared/data) are not beside the project\n');
}

type Example = { readonly name: string; readonly text: string };

const examplesIn = (folder: string): readonly Example[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** The resources inside a Bundle, or the only one, each as text. */
const resourcesIn = (text: string): readonly { readonly type: string; readonly text: string }[] => {
  const whole = parse(text) as Read;
  const all =
    whole['resourceType'] === 'Bundle' ? (whole['entry'] as Read[]).map((one) => one['resource'] as Read) : [whole];
  return all.filter(Boolean).map((one) => ({ type: one['resourceType'] as string, text: stringify(one)! }));
};

for (const leg of databases) {
  describe(`every example as it came, on ${leg.name}`, { skip: !isThere, timeout: 900_000 }, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const keptOf = async (documentId: string, accept: string): Promise<readonly string[]> => {
      const { database, contents } = ground.service.services;
      const rows = await keptStore.resourcesOfDocument(database.reads, contents, documentId);
      // A Patient completes that of the record, and has no address of its own.
      const sorted = rows.filter(({ type }) => isServed(type)).sort((one, other) => one.part - other.part);
      const texts: string[] = [];
      for (const { type, id } of sorted) {
        const answer = await ground.call(`/${type}/${id}`, { headers: { accept } });
        expect(answer.status, `${type} ${answer.text.slice(0, 300)}`).to.equal(200);
        texts.push(answer.text);
      }
      return texts;
    };

    for (const folder of folders) {
      it(`comes out: ${folder.slice(DATA.length + 1)}`, async () => {
        const different: string[] = [];
        let count = 0;
        for (const { name, text } of examplesIn(folder)) {
          const sent = resourcesIn(text).filter(({ type }) => isServed(type));
          const stored = await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/`, {
            body: text,
            type: 'application/fhir+json',
          });
          if (sent.length === 0) {
            continue;
          }
          if (stored.status !== 200) {
            different.push(`${name}: ${stored.status} ${stored.text.slice(0, 300)}`);
            continue;
          }
          const id = /<Document id="([^"]+)"/.exec(stored.text)![1]!;
          const json = await keptOf(id, 'application/fhir+json');
          count += json.length;
          if (json.length !== sent.length) {
            different.push(`${name}: ${json.length} of ${sent.length}`);
          }
          sent.forEach((one, index) => {
            const [before, now] = [asItCame(one.text), asItCame(json[index] ?? '{}')];
            if (before !== now) {
              const at = [...before].findIndex((character, place) => character !== now[place]);
              different.push(
                `${name} ${one.type}: ...${before.slice(at - 80, at + 80)} | ${now.slice(at - 20, at + 80)}`,
              );
            }
          });
          const [xml] = await keptOf(id, 'application/fhir+xml');
          const again = await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/`, {
            body: xml!,
            type: 'application/fhir+xml',
          });
          const [first] =
            again.status === 200
              ? await keptOf(/<Document id="([^"]+)"/.exec(again.text)![1]!, 'application/fhir+json')
              : [];
          if (asItCame(first ?? '{}') !== asItCame(sent[0]!.text)) {
            different.push(`${name}: as XML ${again.status} ${again.text.slice(0, 200)}`);
          }
        }
        expect(different.slice(0, 10).join('\n'), `${different.length} of ${count}`).to.equal('');
        expect(count).to.be.above(5);
      });
    }
  });
}
