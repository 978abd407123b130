/**
 * summary: the patient summary is a document of FHIR as the standard and IPS want it, which an independent look at the
 * Bundle alone finds.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../../support/fhir';
import { sample } from '../../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const uuid = (number: number): string => `urn:uuid:00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const REQUIRED = ['11450-4', '48765-2', '10160-0'];

/** Every reference inside of a value. */
const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { reference } = value as { readonly reference?: unknown };
  return [...(typeof reference === 'string' ? [reference] : []), ...Object.values(value).flatMap(referencesIn)];
};

for (const leg of databases) {
  describe(`the patient summary as a document, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
      const person = { subject: { reference: `Patient/${ground.recordId}` } };
      const laboratory = {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
      };
      const resources: readonly Read[] = [
        {
          ...{ resourceType: 'Observation', status: 'final', ...person, category: [laboratory] },
          code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
          effectiveDateTime: '2024-05-06',
          valueQuantity: { value: 13, unit: 'g/dL' },
          performer: [{ reference: uuid(2) }],
          specimen: { reference: uuid(5) },
        },
        {
          resourceType: 'PractitionerRole',
          practitioner: { reference: uuid(3) },
          organization: { reference: uuid(4) },
          location: [{ reference: uuid(6) }],
        },
        { resourceType: 'Practitioner', name: [{ family: 'Reed' }] },
        { resourceType: 'Organization', name: 'Harbour Laboratory' },
        { resourceType: 'Specimen', type: { text: 'Blood' }, ...person },
        { resourceType: 'Location', name: 'Room 1', managingOrganization: { reference: uuid(4) } },
      ];
      const entry = resources.map((resource, index) => ({
        fullUrl: uuid(index + 1),
        resource,
        request: { method: 'POST', url: resource['resourceType'] as string },
      }));
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(200);
      const clinic = sample(ground.service, 'ccda/sample-clinic-summary.xml');
      await ground.put(clinic);
      // Another source says the same.
      await ground.put(clinic.replace(/<id root="[^"]*"/, '<id root="2.999.77.1"'));
    });
    after(() => ground.service.stop());

    const summary = (): Promise<Read> => ground.get(`/Patient/${ground.recordId}/$summary`);

    it('begins with its Composition, and names each resource once by its own address', async () => {
      const { type, identifier, timestamp, entry } = await summary();
      expect(type).to.equal('document');
      expect(identifier).to.include(['system', 'value']);
      const entries = entry as readonly Read[];
      const types = entries.map(({ resource }) => resource.resourceType as string);
      expect(types[0]).to.equal('Composition');
      expect(types.filter((one) => one === 'Composition' || one === 'Patient').sort()).to.equal([
        'Composition',
        'Patient',
      ]);
      const urls = entries.map(({ fullUrl }) => fullUrl as string);
      expect(new Set(urls).size).to.equal(urls.length);
      entries.forEach(({ fullUrl, resource, ...more }) => {
        expect(
          (fullUrl as string).endsWith(`/fhir/${resource.resourceType as string}/${resource.id as string}`),
          fullUrl as string,
        ).to.be.true();
        expect(Object.keys(more)).to.equal([]);
      });
      const [{ resource: composition }] = entries as [Read];
      expect(composition).to.include(['status', 'date', 'author', 'title', 'identifier']);
      expect(composition.date).to.equal(timestamp);
      expect(composition.type.coding[0].code).to.equal('60591-5');
    });

    it('contains everything to which its resources refer', async () => {
      const entries = (await summary())['entry'] as readonly Read[];
      const names = new Set(entries.map(({ resource }) => `${resource.resourceType}/${resource.id}`));
      const referring = entries.filter(({ resource }) => resource.resourceType !== 'Provenance');
      const lacking = entries.flatMap(({ resource }) =>
        referencesIn(resource).filter((name) => {
          const inside = (resource.contained ?? []) as readonly Read[];
          return name.startsWith('#') ? !inside.some(({ id }) => `#${id}` === name) : !names.has(name);
        }),
      );
      expect(lacking).to.equal([]);
      const types = new Set(entries.map(({ resource }) => resource.resourceType as string));
      for (const type of ['PractitionerRole', 'Practitioner', 'Organization', 'Specimen', 'Location']) {
        expect(types.has(type), type).to.be.true();
      }
      const reached = new Set(['Composition']);
      const byName = new Map(entries.map(({ resource }) => [`${resource.resourceType}/${resource.id}`, resource]));
      const all = [entries[0]!['resource'] as Read];
      for (const one of all) {
        for (const name of referencesIn(one).filter((word) => byName.has(word) && !reached.has(word))) {
          reached.add(name);
          all.push(byName.get(name)!);
        }
      }
      expect(all).to.have.length(referring.length);
    });

    it('names who says the same, what is not in it by its number', async () => {
      const entries = (await summary())['entry'] as readonly Read[];
      const [said, ...others] = entries.filter(({ resource }) => resource.resourceType === 'Provenance');
      expect(others).not.to.be.empty();
      const [target] = said!['resource'].target as [Read];
      const sources = (said!['resource'].entity as readonly Read[]).map(({ what }) => what as Read);
      expect(sources).to.have.length(2);
      const [inside, outside] = [...sources].sort((one) => ('reference' in one ? -1 : 1));
      expect(inside).to.equal({ reference: target['reference'] });
      const [type] = (target['reference'] as string).split('/');
      expect(Object.keys(outside!).sort()).to.equal(['identifier', 'type']);
      expect(outside!['type']).to.equal(type);
      const number = (outside!['identifier'].value as string).replace('urn:uuid:', '');
      expect(await ground.get(`/${type}/${number}`)).to.include({ resourceType: type, id: number });
    });

    it('has sections with a title, a code, words, and entries or the reason for none', async () => {
      const [{ resource: composition }] = (await summary())['entry'] as [Read];
      const sections = composition.section as readonly Read[];
      const codes = sections.map(({ code }) => code.coding[0].code as string);
      expect(new Set(codes).size).to.equal(codes.length);
      expect(REQUIRED.filter((code) => !codes.includes(code))).to.equal([]);
      for (const { title, text, entry = [], emptyReason } of sections) {
        expect(title).to.be.a.string();
        expect(text.div, title).to.match(/^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">.+<\/div>$/s);
        expect([title, entry.length > 0]).to.equal([title, emptyReason === undefined]);
      }
    });

    it('keeps the ids of its resources', async () => {
      const idsOf = ({ entry }: Read): readonly string[] =>
        (entry as readonly Read[]).slice(1).map(({ fullUrl }) => fullUrl as string);
      expect(idsOf(await summary())).to.equal(idsOf(await summary()));
    });
  });
}
