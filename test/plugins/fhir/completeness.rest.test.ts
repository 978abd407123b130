/**
 * completeness: for every type that can be searched here, the metadata contain what International Patient Access and US
 * Core require of a server.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { DATA } from '../../intake/examples';
import { sqliteMemory } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const isThere = existsSync(join(DATA, 'fhir-ipa')) && existsSync(join(DATA, 'fhir-us-core'));
if (!isThere) {
  process.stdout.write('skipped: what IPA and US Core ask of servers (shared/data) is not beside the project\n');
}

/** Types that no model maps to; such resources are kept only as documents. */
const notSaid = [
  ...['Endpoint', 'HealthcareService', 'Location', 'Media', 'Medication'],
  ...['Questionnaire', 'QuestionnaireResponse', 'ServiceRequest', 'Specimen', 'ValueSet'],
];

const guides = [
  ['IPA', join(DATA, 'fhir-ipa', 'package-1.0.0', 'CapabilityStatement-ipa-server.json')],
  ['US Core', join(DATA, 'fhir-us-core', 'CapabilityStatement-us-core-server.json')],
] as const;

const EXPECTATION = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-expectation';
/** An entry without an expectation is required. */
const isRequired = ({ extension = [] }: Read): boolean =>
  ((extension as readonly Read[]).find(({ url }) => url === EXPECTATION)?.['valueCode'] ?? 'SHALL') === 'SHALL';
const required = (list: readonly Read[] = [], name: string): readonly string[] =>
  list.filter(isRequired).map((one) => one[name] as string);

describe('what guides ask of a server', { skip: !isThere }, () => {
  let ground: FhirGround;
  let ours: ReadonlyMap<string, Read>;
  before(async () => {
    ground = await startFhir(sqliteMemory);
    const [rest] = (await ground.get('/metadata', { token: '' }))['rest'] as [Read];
    ours = new Map((rest['resource'] as readonly Read[]).map((one) => [one['type'] as string, one]));
  });
  after(() => ground.service.stop());

  it('is what the metadata says that it follows', async () => {
    const { instantiates } = await ground.get('/metadata', { token: '' });
    expect(instantiates).to.equal(guides.map(([, file]) => (JSON.parse(readFileSync(file, 'utf8')) as Read)['url']));
  });

  for (const [name, file] of guides) {
    it(`is there for every type that is said in FHIR: ${name}`, () => {
      const [rest] = (JSON.parse(readFileSync(file, 'utf8')) as Read)['rest'] as [Read];
      const missing: string[] = [];
      for (const { type, interaction, searchParam, searchInclude, searchRevInclude } of rest[
        'resource'
      ] as readonly Read[]) {
        const own = ours.get(type as string);
        if (notSaid.includes(type as string)) {
          const names = ((own?.['searchParam'] ?? []) as readonly Read[]).map((one) => one['name'] as string);
          // No model says it, but what came as FHIR is found by the standard's own parameters.
          expect(own === undefined || names.includes('_lastUpdated'), type as string).to.be.true();
        } else {
          const has = (list: string, key: string): readonly unknown[] =>
            ((own?.[list] ?? []) as readonly Read[]).map((one) => one[key] as unknown);
          const without = (what: string, wanted: readonly string[], there: readonly unknown[]): void => {
            missing.push(...wanted.filter((one) => !there.includes(one)).map((one) => `${type} ${what} ${one}`));
          };
          without('interaction', required(interaction as readonly Read[], 'code'), has('interaction', 'code'));
          without('parameter', required(searchParam as readonly Read[], 'name'), has('searchParam', 'name'));
          // Medications are contained in the resources themselves, so there is nothing to include.
          // An include of one type of what a parameter names is one of all its types.
          const includes = ((searchInclude ?? []) as readonly string[])
            .filter((one) => !one.endsWith(':medication'))
            .map((one) => one.split(':').slice(0, 2).join(':'));
          without('include', includes, (own?.['searchInclude'] ?? []) as readonly unknown[]);
          const reverse = (searchRevInclude ?? []) as readonly string[];
          without('revinclude', reverse, (own?.['searchRevInclude'] ?? []) as readonly unknown[]);
        }
      }
      expect(missing).to.equal([]);
    });
  }
});
