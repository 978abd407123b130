/**
 * before-and-after: documents of a service with the strict vocabularies. Reports say the same after the change to the
 * core models, and no less after reprocess.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { fillVocabBase } from '../../core/config/read-yaml';
import { inProject } from '../../core/base/paths';
import type { Credentials } from '../support/client';
import { databases } from '../support/databases';
import { medications, startService, type TestService } from '../support/server';
import { command } from '../support/svc';
import { authorizeApp, makeWorld, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it } = lab;

const VOCAB = 'https://svc.example/vocab';
const FOLDERS = [
  'allergy',
  'allergy-exclusion',
  'ccda',
  'encounter',
  'fhir-bundle',
  'hba1c',
  'immunization',
  'lab',
  'medication',
  'problem',
  'procedure',
  'simple-clinical-note',
  'vital-signs',
];
const samples = FOLDERS.flatMap((folder) =>
  readdirSync(inProject('pipeline-config', folder))
    .filter((name) => /^sample.*\.xml$/.test(name))
    .map((name) => ({
      name: `${folder}/${name}`,
      body: fillVocabBase(readFileSync(inProject('pipeline-config', folder, name), 'utf8'), VOCAB),
    })),
);
const MODELS = [
  'Allergy',
  'AllergyExclusion',
  'Encounter',
  'Fill',
  'Immunization',
  'LabResult',
  'Measurement',
  'Medication',
  'Problem',
  'Procedure',
  'SimpleClinicalNote',
  'VitalSigns',
];
const MINIMAL = ['allergies', 'immunizations', 'labs', 'medications', 'problems', 'procedures', 'vitals'];

type Json = Record<string, unknown>;
type Reports = Readonly<Record<string, string>>;

/** Whether a fact contains everything that an earlier one contained, nested facts included. */
const saysAll = (after: Json, before: Json): boolean =>
  Object.entries(before).every(([name, value]) => {
    if (Array.isArray(value)) {
      const now = after[name] as readonly Json[];
      return (value as readonly Json[]).every((one) => now.some((other) => saysAll(other, one)));
    }
    return typeof value === 'object' && value !== null
      ? typeof after[name] === 'object' && saysAll(after[name] as Json, value as Json)
      : value === null || after[name] === value;
  });

for (const leg of databases) {
  describe(`documents before and after the change of the models, on ${leg.name}`, () => {
    it('give the same reports, and nothing is lost when they are read again', async () => {
      const { url, drop } = await leg.create();
      const again = { ...leg, create: () => Promise.resolve({ url, drop: () => Promise.resolve() }) };
      let service: TestService = await startService(again, {
        SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${inProject('docs', 'strict-vocabularies')}`,
      });
      try {
        const { recordId, alice } = await makeWorld(service);
        const app: Credentials = await authorizeApp(service.call, medications!, alice, { record_id: recordId });
        const post = async (body: string): Promise<number> =>
          (await service.call(app, 'POST', `/records/${recordId}/documents/`, { body })).status;
        const reports = async (): Promise<Reports> => {
          const found: Record<string, string> = {};
          for (const path of [
            ...MODELS.map((name) => `${name}/?limit=1000`),
            ...MINIMAL.map((name) => `minimal/${name}/?limit=1000`),
          ]) {
            found[path] = succeeded(await service.call(app, 'GET', `/records/${recordId}/reports/${path}`)).text;
          }
          return found;
        };
        const refused: string[] = [];
        for (const { name, body } of samples) {
          const status = await post(body);
          expect([200, 400], name).to.include(status);
          refused.push(...(status === 400 ? [name] : []));
        }
        // Before the change, allergies and problems that are given in words are refused.
        expect(refused).to.include([
          'allergy/sample-in-words.xml',
          'problem/sample-least.xml',
          'ccda/sample-words.xml',
        ]);
        expect(samples.length - refused.length).to.be.above(20);
        const strict = await reports();
        await service.stop();

        service = await startService(again);
        const core = await reports();
        for (const [path, text] of Object.entries(strict)) {
          if (path.startsWith('minimal/')) {
            expect(core[path], path).to.equal(text);
          } else {
            // The facts are the same, in the same order. The core models have more fields, which are empty.
            const [old, now] = [text, core[path]!].map((json) => JSON.parse(json) as Json[]);
            expect(now!.length, path).to.equal(old!.length);
            old!.forEach((fact, place) => expect(saysAll(now![place]!, fact), `${path} ${place}`).to.be.true());
          }
        }

        const ran = await command(['reprocess'], { SVC_DATABASE_URL: url });
        expect(ran.code, ran.stderr).to.equal(0);
        const after = await reports();
        for (const model of MODELS) {
          const [old, now] = [strict, after].map((found) => JSON.parse(found[`${model}/?limit=1000`]!) as Json[]);
          expect(old!.length, model).to.be.above(0);
          for (const fact of old!) {
            expect(
              now!.some((one) => saysAll(one, fact)),
              `${model} ${JSON.stringify(fact)}`,
            ).to.be.true();
          }
        }
        for (const { name, body } of samples.filter((sample) => refused.includes(sample.name))) {
          expect(await post(body), name).to.equal(200);
        }
      } finally {
        await service.stop();
        await drop();
      }
    });
  });
}
