/** people: what documents say of the person completes the Patient, and who cares for the person is a CareTeam. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { clinicalDocument, entry, section } from '../../intake/clinical-document';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/';
const RACES = 'codeSystem="2.16.840.1.113883.6.238"';
const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';

type Said = { readonly born?: string; readonly inside?: string; readonly beside?: string };

const personIn = ({ born = '19700102', inside = '', beside = '' }: Said): string =>
  `<recordTarget><patientRole><id root="2.999.2"/>${beside}<patient><name use="L"><given>Alice</given><family>Lee</family></name>` +
  `<administrativeGenderCode code="F"/><birthTime value="${born}"/>${inside}</patient></patientRole></recordTarget>`;

const observed = (code: string, value: string, more = ''): string =>
  entry(
    `<observation classCode="OBS" moodCode="EVN"${more}><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/>` +
      `<statusCode code="completed"/><effectiveTime value="2020"/><value xsi:type="CD" ${value}/></observation>`,
  );

const habits = section(
  '29762-2',
  observed('76689-9', 'code="F" codeSystem="2.16.840.1.113883.5.1" displayName="Female"') +
    observed('46098-0', `code="248152002" ${SNOMED} displayName="Female"`) +
    observed('76691-5', `code="446141000124107" ${SNOMED} displayName="Identifies as female gender"`) +
    observed('95370-3', 'code="187" codeSystem="2.16.840.1.113883.5.140" displayName="Paiute-Shoshone Tribe"'),
);

const telling = (said: Said, body = ''): string => clinicalDocument({ patients: personIn(said), body }).toString();

const ALL: Said = {
  beside:
    '<addr use="H"><streetAddressLine>1 Old Street</streetAddressLine><city>Salem</city><useablePeriod ' +
    'xsi:type="IVL_TS"><low value="2001"/><high value="20050102"/></useablePeriod></addr>',
  inside:
    '<maritalStatusCode code="M" codeSystem="2.16.840.1.113883.5.2" displayName="Married"/>' +
    `<raceCode code="2106-3" ${RACES} displayName="White"/><ethnicGroupCode code="2148-5" ${RACES} displayName="Mexican"/>`,
};

const member = (id: string, name: string, more = ''): string =>
  `<component><act classCode="PCPR" moodCode="EVN"><id root="2.999.6" extension="${id}"/><code code="85847-2"/><statusCode ` +
  `code="active"/><effectiveTime xsi:type="IVL_TS"><low value="20181008"/></effectiveTime><performer typeCode="PRF">` +
  '<functionCode xmlns="urn:hl7-org:sdtc" code="PCP" codeSystem="2.16.840.1.113883.5.88" displayName="primary care physician"/>' +
  `<assignedEntity><id root="2.16.840.1.113883.4.6" extension="5555555555"/><telecom value="tel:+1-555-0100"/>` +
  `<assignedPerson><name>${name}</name></assignedPerson>${more}</assignedEntity></performer></act></component>`;

const HOUSE = '<representedOrganization><id root="2.999.7"/><name>Harbour Practice</name></representedOrganization>';

const team = (state: string, members: string): string =>
  section(
    '85847-2',
    entry(
      '<organizer classCode="CLUSTER" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.500"/><id root="2.999.5"/>' +
        `<code code="86744-0"><originalText>My team</originalText></code><statusCode code="${state}"/>${members}</organizer>`,
    ),
  );

const cared = (kind: string): string =>
  `<documentationOf><serviceEvent classCode="${kind}"><effectiveTime><low value="2015"/></effectiveTime><performer ` +
  'typeCode="PRF"><assignedEntity><id root="2.999.8"/><assignedPerson><name>Tracy Davis</name></assignedPerson></assignedEntity>' +
  '</performer></serviceEvent></documentationOf>';

for (const leg of databases) {
  describe(`the person, and who cares for them, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const patient = (): Promise<Read> => ground.get(`/Patient/${ground.recordId}`);
    const saying = (one: Read, name: string): Read | undefined =>
      ((one['extension'] ?? []) as readonly Read[]).find(({ url }) => url === US_CORE + name);
    const all = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/${query}`))['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);

    it('is what documents say of the person, beside the demographics', async () => {
      const before = await patient();
      const id = await ground.put(telling(ALL, habits));
      const told = await patient();
      expect(told.meta.versionId).not.to.equal(before.meta.versionId);
      expect(saying(told, 'us-core-ethnicity')!['extension']).to.equal([
        {
          url: 'detailed',
          valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2148-5', display: 'Mexican' },
        },
        { url: 'text', valueString: 'Mexican' },
      ]);
      expect(saying(told, 'us-core-birthsex')!['valueCode']).to.equal('F');
      expect(saying(told, 'us-core-sex')!['valueCode']).to.equal('248152002');
      expect(saying(told, 'us-core-genderIdentity')!['valueCodeableConcept'].coding[0].system).to.equal(
        'http://snomed.info/sct',
      );
      expect(saying(told, 'us-core-tribal-affiliation')!['extension'][0].valueCodeableConcept.text).to.equal(
        'Paiute-Shoshone Tribe',
      );
      expect(told['maritalStatus'].text).to.equal('Married');
      // The address of the demographics is that of now, and the other one an old one.
      const old = (told['address'] as readonly Read[]).filter(({ use }) => use === 'old');
      expect(old).to.equal([
        { use: 'old', line: ['1 Old Street'], city: 'Salem', period: { start: '2001', end: '2005-01-02' } },
      ]);
      expect(told['name']).to.equal(before['name']);
      expect(told['gender']).to.equal(before['gender']);
      expect(await ground.get(`/Patient/${ground.recordId}/_history/${told.meta.versionId as string}`)).to.equal(told);
      expect(await all('Patient')).to.equal([told]);
      const everything = await all(`Patient/${ground.recordId}/$everything`);
      expect(everything.filter(({ resourceType }) => resourceType === 'Patient')).to.equal([told]);
      // A void document says nothing.
      const path = `/records/${ground.recordId}/documents/${id}/set-status`;
      await ground.service.call(ground.alice, 'POST', path, { form: { status: 'void', reason: 'wrong' } });
      expect(await patient()).to.equal(before);
    });

    it('is nothing of somebody else, nothing that is denied, and no present name of another document', async () => {
      const before = await patient();
      await ground.put(telling({ ...ALL, born: '19800101' }, habits));
      expect(await patient()).to.equal(before);
      await ground.put(
        telling(
          { inside: '<raceCode nullFlavor="UNK"/>' },
          section('29762-2', observed('76689-9', 'code="M"', ' negationInd="true"')),
        ),
      );
      expect(saying(await patient(), 'us-core-birthsex')).to.be.undefined();
    });

    it('is what came as FHIR, too', async () => {
      const sent = {
        resourceType: 'Patient',
        birthDate: '1970-01-02',
        extension: [{ url: `${US_CORE}us-core-birthsex`, valueCode: 'F' }],
        name: [
          { use: 'old', family: 'Shaw', given: ['Alice'], period: { end: '1960-01-01' } },
          { family: 'Other', given: ['Alice'] },
        ],
        deceasedBoolean: false,
      };
      const answer = await ground.call('/Patient', {
        method: 'POST',
        body: JSON.stringify(sent),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      const told = await patient();
      expect((told['name'] as readonly Read[]).map(({ family }) => family as string)).to.equal(['Lee', 'Shaw']);
      expect(told['deceasedBoolean']).to.be.false();
      expect(saying(told, 'us-core-birthsex')!['valueCode']).to.equal('F');
      expect(
        (await ground.get(`/Patient/${ground.recordId}`, { token: ground.carenetToken }))['extension'],
      ).to.be.undefined();
    });

    it('is a team with its members, for whom they act, and since when', async () => {
      await ground.put(telling({}, team('active', member('m1', '<given>John</given><family>Smith</family>', HOUSE))));
      const [one, ...others] = await all('CareTeam?status=active');
      expect(others).to.equal([]);
      expect(one).to.include({
        status: 'active',
        name: 'My team',
        subject: { reference: `Patient/${ground.recordId}` },
      });
      expect(one!.meta.profile).to.include(`${US_CORE}us-core-careteam`);
      const [{ role, member: who, onBehalfOf, period }] = one!['participant'];
      expect(role[0].coding[0]).to.equal({
        system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationFunction',
        code: 'PCP',
        display: 'primary care physician',
      });
      expect(period).to.equal({ start: '2018-10-08' });
      expect(await ground.get(`/${who.reference as string}`)).to.include({
        resourceType: 'Practitioner',
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '5555555555' }],
        telecom: [{ system: 'phone', value: '+1-555-0100' }],
      });
      expect(await ground.get(`/${onBehalfOf.reference as string}`)).to.include({ name: 'Harbour Practice' });
      expect(await all(`CareTeam?participant=${who.reference as string}`)).to.have.length(1);
    });

    it('acts in a role, for an organization, and where that is if it has one address', async () => {
      const at = (house: string): string =>
        member('m1', '<given>Ada</given><family>North</family>', house).replace(
          '<telecom value="tel:+1-555-0100"/>',
          '<code code="207Q00000X" codeSystem="2.16.840.1.113883.6.101" displayName="Family Medicine"/>$&',
        );
      const street = (name: string): string =>
        `<addr use="WP"><streetAddressLine>${name}</streetAddressLine><city>Salem</city></addr>`;
      const houseWith = (inside: string): string => HOUSE.replace('</name>', `</name>${inside}`);
      const rolesOf = async (house: string): Promise<readonly Read[]> => {
        const document = await ground.put(telling({}, team('active', at(house))));
        return (await all('PractitionerRole?practitioner.family=North')).filter(
          ({ meta }) => meta.versionId === document,
        );
      };
      const [role, ...others] = await rolesOf(houseWith(street('5 Quay')));
      expect(others).to.equal([]);
      expect(role!['code'].map((one: Read) => one['coding'][0].code as string)).to.equal(['PCP']);
      expect(role!['specialty'][0].coding[0]).to.equal({
        system: 'http://nucc.org/provider-taxonomy',
        code: '207Q00000X',
        display: 'Family Medicine',
      });
      expect(role!['telecom']).to.equal([{ system: 'phone', value: '+1-555-0100' }]);
      expect(role!['organization'].display).to.equal('Harbour Practice');
      expect(role).not.to.include(['active', 'period', 'availableTime']);
      expect(await ground.get(`/${role!['location'][0].reference as string}`)).to.include({
        resourceType: 'Location',
        name: 'Harbour Practice',
        address: { use: 'work', line: ['5 Quay'], city: 'Salem' },
        managingOrganization: role!['organization'],
      });
      expect(await all(`PractitionerRole?location=${role!['location'][0].reference as string}`)).to.have.length(1);
      // Of two addresses nobody says at which one.
      expect((await rolesOf(houseWith(street('1 A') + street('2 B'))))[0]).not.to.include('location');
      // Without an organization there is the role alone.
      expect((await rolesOf(''))[0]).not.to.include(['organization', 'location']);
      // A token of a circle without the document sees none of them.
      expect((await ground.get('/PractitionerRole', { token: ground.carenetToken }))['entry'] ?? []).to.equal([]);
    });

    it('is whoever gives care for some time, without a status, and not who performs one act', async () => {
      const withCare = (kind: string): string =>
        telling({}).replace('<component><structuredBody>', `${cared(kind)}<component><structuredBody>`);
      await ground.put(withCare('ACT'));
      expect(await all('CareTeam?status:missing=true')).to.equal([]);
      await ground.put(withCare('PCPR'));
      const [one, ...others] = await all('CareTeam?status:missing=true');
      expect(others).to.equal([]);
      expect(one!['participant'][0].member.display).to.equal('Tracy Davis');
      expect(one!['period']).to.equal({ start: '2015' });
      expect(one).not.to.include(['status', 'name']);
      // A name alone is no role.
      expect(await all('PractitionerRole?practitioner.family=Davis')).to.equal([]);
    });

    it('has the primary care physician of its header, who has not ended to be', async () => {
      expect(await patient()).not.to.include(['generalPractitioner']);
      const doctor = (name: string, code: string, time = ''): string =>
        `<performer typeCode="PRF"><functionCode code="${code}" codeSystem="2.16.840.1.113883.5.88"/>${time}` +
        `<assignedEntity><id root="2.999.8"/><assignedPerson><name>${name}</name></assignedPerson></assignedEntity></performer>`;
      const care =
        '<documentationOf><serviceEvent classCode="PCPR"><effectiveTime><low value="2015"/></effectiveTime>' +
        doctor('Ann Former', 'PCP', '<time><low value="2010"/><high value="2014"/></time>') +
        doctor('Ned Nurse', 'RESPRSN') +
        `${doctor('Pat Own', 'PCP')}</serviceEvent></documentationOf>`;
      await ground.put(telling({}).replace('<component><structuredBody>', `${care}<component><structuredBody>`));
      const [{ reference, display }, ...others] = (await patient())['generalPractitioner'] as readonly [
        Read,
        ...Read[],
      ];
      expect([display, others]).to.equal(['Pat Own', []]);
      expect((await ground.get(`/${reference as string}`))['name'][0].text).to.equal('Pat Own');
      const xml = await ground.call(`/Patient/${ground.recordId}?_format=xml`);
      expect(xml.text).to.include(`<generalPractitioner><reference value="${reference as string}"></reference>`);
      const carenet = await ground.get(`/Patient/${ground.recordId}`, { token: ground.carenetToken });
      expect(carenet).not.to.include(['generalPractitioner']);
    });

    it('is no team that was taken back, and an inactive one when it has ended', async () => {
      await ground.put(telling({}, team('nullified', member('m1', 'A B')) + team('completed', member('m2', 'C D'))));
      const ended = await all('CareTeam?status=inactive');
      expect(ended.map((one) => one['participant'][0].member.display as string)).to.equal(['C D']);
    });
  });
}
