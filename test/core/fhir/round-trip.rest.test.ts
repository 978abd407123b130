/**
 * round-trip: what comes in as FHIR goes out as the same resource, in everything that the models keep. It is skipped
 * without the published patients.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../../core/config/load';
import { resourceText } from '../../../core/fhir/write';
import { openReader, type DocumentReader } from '../../../core/pipeline/readers/document-reader';
import { readModels } from '../../../core/server/migrate-all';
import { statementId } from '../../../core/facts/store';
import { fhirBundles, hasData } from '../../intake/examples';
import { DOCUMENT, resourcesOf } from '../../support/statements';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- resources of every type are compared
type Read = { readonly [name: string]: any };

const time = (value: unknown): unknown => (typeof value === 'string' ? new Date(value).toISOString() : undefined);
const code = (concept: Read | undefined): unknown => {
  const { coding: [first] = [] } = (concept ?? {}) as { coding?: readonly Read[] };
  return first && `${String(first['system'])}|${String(first['code'])}`;
};
const plainCode = (concept: Read | undefined): unknown => concept?.['coding']?.[0]?.code as unknown;

/** The fact of what is called a history is not active, although the sender's entry is. */
const stateOf = (it: Read): unknown => {
  const state = plainCode(it['clinicalStatus']);
  return /^history of/i.test(String(it['code'].text)) && state === 'active' ? undefined : state;
};

/** What the models keep of a resource; numbers are compared as they are written. */
const kept: Readonly<Record<string, { readonly model: string; readonly of: (resource: Read) => readonly unknown[] }>> =
  {
    Condition: {
      model: 'Problem',
      of: (it) => [
        code(it['code']),
        it['code'].text,
        stateOf(it),
        plainCode(it['verificationStatus']),
        plainCode(it['category']?.[0]),
        time(it['onsetDateTime']),
        time(it['abatementDateTime']),
      ],
    },
    AllergyIntolerance: {
      model: 'Allergy',
      of: (it) => [
        code(it['code']),
        plainCode(it['clinicalStatus']),
        it['criticality'],
        it['category']?.[0],
        it['type'],
      ],
    },
    Immunization: {
      model: 'Immunization',
      of: (it) => [it['status'], code(it['vaccineCode']), time(it['occurrenceDateTime'])],
    },
    MedicationRequest: {
      model: 'Medication',
      of: (it) => [it['status'], code(it['medicationCodeableConcept']), it['intent']],
    },
    Procedure: {
      model: 'Procedure',
      of: (it) => [it['status'], code(it['code']), time(it['performedDateTime'] ?? it['performedPeriod']?.start)],
    },
    Observation: {
      model: 'LabResult',
      of: (it) => [
        it['status'],
        code(it['code']),
        time(it['effectiveDateTime']),
        it['valueQuantity']?.value,
        it['valueQuantity']?.code,
      ],
    },
  };

const isLab = (resource: Read): boolean =>
  resource['resourceType'] !== 'Observation' ||
  (resource['category'] as readonly Read[] | undefined)?.[0]?.['coding'][0].code === 'laboratory';

describe('FHIR in and out', () => {
  let reader: DocumentReader;
  const config = loadConfig({});
  const models = readModels(config);
  before(async () => {
    reader = await openReader(config, models);
  });
  after(() => reader.close());

  it('says the same of every resource of the published patients', { skip: !hasData() }, async () => {
    let count = 0;
    for (const { name, json } of fhirBundles()) {
      const { facts } = await reader.read(Buffer.from(json));
      const out = new Map(
        resourcesOf(models, facts).map((resource) => [
          `${resource.resourceType}/${resource.id}`,
          JSON.parse(resourceText(resource)) as Read,
        ]),
      );
      for (const { fullUrl, resource } of (JSON.parse(json) as Read)['entry'] as readonly Read[]) {
        const type = resource.resourceType as string;
        const same = kept[type];
        if (same && isLab(resource as Read)) {
          const id = statementId(DOCUMENT, { model: same.model, statement: `source:${fullUrl}` });
          const found = out.get(`${type}/${id}`);
          expect(found, `${name}: ${type} ${fullUrl}`).to.exist();
          expect(same.of(found!), `${name}: ${type} ${fullUrl}`).to.equal(same.of(resource as Read));
          count += 1;
        }
      }
    }
    expect(count).to.be.above(500);
  });
});
