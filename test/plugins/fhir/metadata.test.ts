/**
 * metadata: the capabilities that the door declares are those of the table, and they work; the guide lists the same.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml } from 'libxmljs2';
import { inProject } from '../../../core/base/paths';
import { ownTypes } from '../../../plugins/fhir/search/supported';
import { supportedTypes } from '../../../plugins/fhir/read/supported-types';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const IPA = (name: string): string => `http://hl7.org/fhir/uv/ipa/StructureDefinition/${name}`;
const US_CORE = (name: string): string => `http://hl7.org/fhir/us/core/StructureDefinition/${name}`;

describe('the metadata of the FHIR door', () => {
  let ground: FhirGround;
  before(async () => {
    ground = await startFhir(databases[0]!);
  });
  after(() => ground.service.stop());

  const metadata = (): Promise<Read> => ground.get('/metadata', { token: '' });

  it('is open to all, in both forms, and may be kept for a while', async () => {
    const answer = await ground.call('/metadata', { token: '' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).to.equal([200, '*']);
    expect(answer.headers['cache-control']).to.contain('max-age');
    // It can be read even with an invalid token.
    expect((await ground.call('/metadata', { token: 'nonsense' })).status).to.equal(200);
    const xml = await ground.call('/metadata?_format=xml', { token: '' });
    expect(parseXml(xml.text).root()?.name()).to.equal('CapabilityStatement');
    expect((await ground.call('/metadata', { token: '', headers: { accept: 'text/turtle' } })).status).to.equal(406);
  });

  it('says where tokens come from', async () => {
    const { security } = (await metadata())['rest'][0] as Read;
    expect(security.service[0].coding[0].code).to.equal('SMART-on-FHIR');
    const [{ url, extension }] = security.extension as [Read];
    expect(url).to.equal('http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris');
    const uris = Object.fromEntries(extension.map((one: Read) => [one['url'], one['valueUri']])) as Read;
    expect(uris).to.include({
      authorize: `${ground.service.services.baseUrl()}/oauth2/authorize`,
      token: `${ground.service.services.baseUrl()}/oauth2/token`,
    });
  });

  it('names exactly what the table names, and each can be done', async () => {
    const table = supportedTypes(ground.service.services);
    const resources = (await metadata())['rest'][0].resource as readonly Read[];
    expect(resources.map((resource) => resource['type'])).to.equal(table.map(({ type }) => type));
    for (const { type, interactions, search } of table) {
      const resource = resources.find((one) => one['type'] === type)!;
      expect(resource['interaction'].map((one: Read) => one['code'])).to.equal(interactions);
      expect((resource['searchParam'] ?? []).map((one: Read) => one['name'])).to.equal(search.map(({ name }) => name));
      const searches = interactions.includes('search-type');
      expect([type, (await ground.call(`/${type}?_count=1`)).status]).to.equal([type, searches ? 200 : 404]);
      for (const { name, type: kind, second } of search) {
        const plain = ['number', 'quantity'].includes(second ?? kind) ? '5.4' : '2020-01-01';
        const value = kind === 'composite' ? `code$${plain}` : plain;
        const bundle = await ground.get(`/${type}?${name}=${value}&_count=1`);
        expect(JSON.stringify(bundle['entry'] ?? ''), `${type} ${name}`).to.not.contain('was not used');
      }
    }
  });

  it('claims the includes that a strict search takes, and the guide for patient access', async () => {
    const statement = await metadata();
    expect(statement['instantiates']).to.equal([
      'http://hl7.org/fhir/uv/ipa/CapabilityStatement/ipa-server',
      'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
    ]);
    for (const { type, searchInclude = [], searchRevInclude = [] } of statement['rest'][0]
      .resource as readonly Read[]) {
      for (const [name, values] of [
        ['_include', searchInclude],
        ['_revinclude', searchRevInclude],
      ] as const) {
        for (const value of values as readonly string[]) {
          const strict = { headers: { prefer: 'handling=strict' } };
          expect([value, (await ground.call(`/${type}?${name}=${value}`, strict)).status]).to.equal([value, 200]);
        }
        // What `*` declares: also parameters of other types that lead to this one, such as the members of a panel.
        expect([type, searchRevInclude.includes('*')]).to.equal([type, type !== 'Binary']);
      }
    }
  });

  it('names the profiles that resources of a type may meet, and each resource those that it meets', async () => {
    const resources = (await metadata())['rest'][0].resource as readonly Read[];
    const supported = new Map(resources.map(({ type, supportedProfile = [] }) => [type as string, supportedProfile]));
    expect(supported.get('Patient')).to.equal([IPA('ipa-patient'), US_CORE('us-core-patient')]);
    expect(supported.get('Observation')).to.include([IPA('ipa-observation'), US_CORE('us-core-observation-lab')]);
    expect(supported.get('Binary')).to.equal([]);
    const profilesOf = async (path: string): Promise<unknown> => (await ground.get(path))['meta'].profile;
    expect(await profilesOf(`/Patient/${ground.recordId}`)).to.equal(supported.get('Patient'));
    const nameless = { token: ground.carenetToken };
    expect((await ground.get(`/Patient/${ground.recordId}`, nameless))['meta'].profile).to.be.undefined();
    const { entry } = await ground.get('/DocumentReference?_revinclude=Provenance:target');
    for (const { resource } of entry as readonly Read[]) {
      // A document that does not say in LOINC what it is meets no more.
      const isReference = resource.resourceType === 'DocumentReference';
      const met = isReference ? [IPA('ipa-documentreference')] : supported.get(resource.resourceType as string);
      expect(resource.meta.profile).to.equal(met);
    }
    const person = (await ground.get('/RelatedPerson', { token: ground.shareToken }))['entry'][0].resource as Read;
    expect(person['meta'].profile).to.equal(supported.get('RelatedPerson'));
  });

  it('has the types and operations that the guide names beside what documents state', () => {
    const guide = readFileSync(inProject('docs', 'fhir.md'), 'utf8');
    const named = [...guide.matchAll(/^\| ([A-Z][A-Za-z, ]+) \| /gm)].flatMap(([, types]) => types!.split(', '));
    const own = ownTypes.map(({ type }) => type);
    expect(named).to.include(own);
    for (const { name } of ownTypes.flatMap(({ operations }) => operations)) {
      expect(guide).to.contain(`$${name}`);
    }
  });
});
