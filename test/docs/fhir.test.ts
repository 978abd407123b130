/** fhir: the guide's own model, exactly as it says: with two files in a folder a document becomes a resource. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startFhir, type FhirGround } from '../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The first block of code in a guide that contains these words. */
const block = (file: string, words: string): string =>
  [...readFileSync(inProject(file), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```/gm)]
    .map(([, code]) => code!)
    .find((code) => code.includes(words))!;

const [leg] = databases;

describe('the guide to a model of your own in FHIR', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sleep-'));
  let ground: FhirGround;
  before(async () => {
    writeFileSync(join(folder, 'sleep-night.yaml'), block('datamodels/README.md', '__modelname__: SleepNight'));
    writeFileSync(join(folder, 'sleep-night.fhir.yaml'), block('docs/fhir.md', 'resource: Observation'));
    ground = await startFhir(leg!, { SVC_DATAMODELS_DIR: `datamodels:${folder}` });
  });
  after(async () => {
    await ground.service.stop();
    rmSync(folder, { recursive: true });
  });

  it('makes an Observation of a night', async () => {
    const vocabulary = 'https://svc.example/vocab/xml/documents#';
    const night = block('datamodels/README.md', '<Model name="SleepNight">').replace(
      '<Models>',
      `<Models xmlns="${vocabulary}">`,
    );
    const document = await ground.put(night);
    const [id] = (await direct(ground.service.services.database)('fact_sleepnight').pluck('_statement')) as string[];
    const resource = await ground.get(`/Observation/${id}`);
    expect(resource['meta'].versionId).to.equal(document);
    expect(resource).to.include({
      status: 'unknown',
      subject: { reference: `Patient/${ground.recordId}` },
      effectivePeriod: { start: '2025-03-01T22:40:00Z' },
      valueQuantity: { value: 6.5, unit: 'h', system: 'http://unitsofmeasure.org', code: 'h' },
      interpretation: [
        {
          coding: [{ system: 'http://codes.clinic.example/sleep-quality#', code: 'fair', display: 'Fair' }],
          text: 'Fair',
        },
      ],
      component: [
        {
          code: { text: 'Cough' },
          valueQuantity: { value: 25, unit: 'min', system: 'http://unitsofmeasure.org', code: 'min' },
        },
      ],
    });
  });
});
