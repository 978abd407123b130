/**
 * declared: what the metadata declare for documents, for who stored them and for the person finds what these resources
 * say.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { clinicalDocument, entry, section } from '../../../intake/clinical-document';
import { databases } from '../../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const IPA = 'http://hl7.org/fhir/uv/ipa/StructureDefinition/';
const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/';
const PARTICIPANTS = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';

const diagnosis = (id: string, more: string): string =>
  entry(
    '<act classCode="ACT" moodCode="EVN"><code code="CONC"/><statusCode code="active"/><entryRelationship typeCode="SUBJ">' +
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><id root="2.999.8" ' +
      `extension="${id}"/><code code="55607006" codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/>` +
      '<value xsi:type="CD" code="233604007" codeSystem="2.16.840.1.113883.6.96" displayName="Pneumonia"/>' +
      `${more}</observation></entryRelationship></act>`,
  );
const diagnosed =
  '<entryRelationship typeCode="COMP"><act classCode="ACT" moodCode="EVN"><templateId ' +
  'root="2.16.840.1.113883.10.20.22.4.502"/><code code="77975-1"/><effectiveTime value="20230105"/></act></entryRelationship>';

const ofVisit = (document: Buffer, title: string): string =>
  document
    .toString()
    .replace('<effectiveTime value="20240101"/>', `<title>${title}</title><effectiveTime value="20240101"/>`)
    .replace(
      '<assignedAuthor><id root="2.999.3"/>',
      '<assignedAuthor><id root="2.999.3"/><assignedPerson><name><given>Ann</given><family>Reed</family></name></assignedPerson>',
    )
    .replace(
      '<component><structuredBody>',
      '<componentOf><encompassingEncounter><id root="2.999.9" extension="v1"/><effectiveTime value="20230203"/>' +
        '</encompassingEncounter></componentOf><component><structuredBody>',
    );

const died = JSON.stringify({
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    { resource: { resourceType: 'Basic', code: { text: 'A note' }, subject: { reference: 'Patient/own' } } },
    {
      resource: {
        resourceType: 'Patient',
        id: 'own',
        name: [{ given: ['Alice'], family: 'Lee' }],
        gender: 'female',
        birthDate: '1980-01-01',
        deceasedDateTime: '2024-03-02',
      },
    },
  ],
});

for (const leg of databases) {
  describe(`what is declared for documents and the person, on ${leg.name}`, () => {
    let ground: FhirGround;
    const documents: string[] = [];
    before(async () => {
      ground = await startFhir(leg);
      const body = section('11450-4', diagnosis('p1', diagnosed) + diagnosis('p2', ''));
      documents.push(await ground.put(ofVisit(clinicalDocument({ body }), 'Lettre d’été')));
      documents.push(await ground.put(clinicalDocument({ body: '' }).toString()));
      const path = `/records/${ground.recordId}/documents/${documents[1]}/replace`;
      documents.push(await ground.put(clinicalDocument({ body: '' }).toString(), 'application/xml', path));
    });
    after(() => ground.service.stop());

    const all = async (query: string): Promise<readonly Read[]> => {
      const { total, entry: entries = [] } = await ground.get(`/${query}`, { headers: { prefer: 'handling=strict' } });
      const matches = (entries as readonly Read[]).filter(({ search }) => search.mode === 'match');
      expect(total, query).to.equal(matches.length);
      return matches.map(({ resource }) => resource as Read);
    };
    const idsOf = async (query: string): Promise<readonly string[]> =>
      (await all(`${query}&_count=1000`)).map(({ id }) => id as string).sort();

    it('finds a document by each thing that its DocumentReference says', async () => {
      const every = await all('DocumentReference?_count=1000');
      const [told = '', , latest = ''] = documents;
      const within = (test: (one: Read) => boolean): readonly string[] =>
        every
          .filter(test)
          .map(({ id }) => id as string)
          .sort();
      const none = within(() => false);
      const whole = within(() => true);
      const system = 'urn:oid:2.999.9';
      for (const [query, ids] of [
        [`_profile=${IPA}ipa-documentreference`, whole],
        [`_profile=${US_CORE}us-core-documentreference`, within(({ meta }) => meta.profile.length === 2)],
        [`_profile=${US_CORE}us-core-patient`, none],
        ['description=lettre%20d', [told]],
        ['description=été', none],
        ['description:contains=ETE', [told]],
        ['description:exact=Lettre%20d’été', [told]],
        ['description:exact=Lettre', none],
        ['description:missing=true', within((one) => one['description'] === undefined)],
        [
          'author:identifier=alice@example.org',
          within(({ author: [by] }) => by.identifier?.value === 'alice@example.org'),
        ],
        [
          'author:identifier=|alice@example.org',
          within(({ author: [by] }) => by.identifier?.value === 'alice@example.org'),
        ],
        ['author:identifier=urn:x|alice@example.org', none],
        ['author:identifier=bob@example.org', none],
        ['author:missing=true', none],
        [`location=Binary/${told}`, [told]],
        [`relatesto=DocumentReference/${documents[1]}`, [latest]],
        [`relatesto=${documents[1]}`, [latest]],
        ['relation=replaces', [latest]],
        ['relation:not=replaces', within(({ id }) => id !== latest)],
        ['relation:missing=false', [latest]],
        [`relationship=DocumentReference/${documents[1]}$replaces`, [latest]],
        [`relationship=DocumentReference/${told}$replaces`, none],
        [`encounter:identifier=${system}|v1`, [told]],
        [`encounter:identifier=v1`, [told]],
        [`encounter:identifier=${system}|v2`, none],
        ['encounter:missing=true', within((one) => one['context']?.encounter === undefined)],
        ['custodian:missing=true', within((one) => one['custodian'] === undefined)],
        ...['event', 'facility', 'setting', 'related', 'security-label', 'language', 'authenticator', '_tag'].map(
          (name) => [`${name}:missing=true`, whole] as const,
        ),
      ] as const) {
        expect([query, await idsOf(`DocumentReference?${query}`)]).to.equal([query, ids]);
      }
      // A circle sees the latest version only, and not what it replaced.
      const token = { token: ground.carenetToken };
      expect((await ground.get('/DocumentReference?relation=replaces', token))['total']).to.equal(0);
    });

    it('finds who stored a document, and who did not', async () => {
      const every = await all('Provenance?_count=1000');
      const ofWhom = (test: (one: Read) => boolean): readonly string[] =>
        every
          .filter(test)
          .map(({ id }) => id as string)
          .sort();
      const whole = ofWhom(() => true);
      for (const [query, ids] of [
        [`agent-type=${PARTICIPANTS}|author`, whole],
        [
          'agent-type=transmitter',
          ofWhom(({ agent }) => agent.some(({ type }: Read) => type.coding[0].code === 'transmitter')),
        ],
        ['agent-type:not=author', []],
        ['agent-type:text=auth', whole],
        [
          'agent:identifier=alice@example.org',
          ofWhom(({ agent }) => agent.some(({ who }: Read) => who.identifier?.value === 'alice@example.org')),
        ],
        ['agent:identifier=bob@example.org', []],
        [`entity=DocumentReference/${documents[1]}`, [documents[2]]],
        ['entity:missing=false', [documents[2]]],
        ['when:missing=true', whole],
        [`_profile=${US_CORE}us-core-provenance`, whole],
      ] as const) {
        expect([query, await idsOf(`Provenance?${query}`)]).to.equal([query, ids]);
      }
    });

    it('finds a problem by the day of its diagnosis', async () => {
      const [found] = await all('Condition?asserted-date=2023-01-05');
      expect(found!['extension'][0].valueDateTime).to.equal('2023-01-05');
      expect(await all('Condition?asserted-date=gt2023-01-05')).to.equal([]);
      expect(await all('Condition?asserted-date:missing=true')).to.have.length(1);
      expect(await all('Condition?_sort=-asserted-date')).to.have.length(2);
    });

    it('finds the person by each thing that the Patient says', async () => {
      const [patient] = await all('Patient');
      const { value } = patient!['identifier'][0] as Read;
      for (const [query, found] of [
        ['family=LEE&gender=female', 1],
        ['gender:not=female', 0],
        ['gender=male,female', 1],
        [`identifier=urn:ietf:rfc:3986|${value as string}`, 1],
        ['active=true', 1],
        ['active=false', 0],
        ['deceased=false', 1],
        ['deceased=true', 0],
        ['death-date:missing=true', 1],
        ['death-date=gt1900&family=lee', 0],
        ['telecom=none', 0],
        ['_lastUpdated=ge2020', 1],
        ['_lastUpdated=lt2020', 0],
        [`_profile=${US_CORE}us-core-patient`, 1],
        ['general-practitioner:missing=true', 1],
      ] as const) {
        expect([query, (await all(`Patient?${query}`)).length]).to.equal([query, found]);
      }
      expect((await ground.call('/Patient?gender:of=1')).status).to.equal(400);
      expect((await ground.call('/Patient?death-date=soon')).status).to.equal(400);
    });

    it('finds the person by the day of death that a document says', async () => {
      const { birthDate } = (await all('Patient'))[0]!;
      await ground.put(died.replace('1980-01-01', birthDate as string), 'application/fhir+json');
      const [patient] = await all('Patient');
      expect(patient!['deceasedDateTime']).to.equal('2024-03-02');
      for (const [query, found] of [
        ['death-date=2024-03&family=lee', 1],
        ['death-date=lt2024-03-02', 0],
        ['deceased=true', 1],
        ['deceased:not=true', 0],
        ['death-date:missing=false', 1],
      ] as const) {
        expect([query, (await all(`Patient?${query}`)).length]).to.equal([query, found]);
      }
      expect(await all('Basic?patient.deceased=true')).to.have.length(1);
    });
  });
}
