/** must-support: what US Core asks every server to say is said of a C-CDA, where the document says it and only there. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { clinicalDocument, entry, section } from '../../intake/clinical-document';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const author = (time: string): string =>
  `<author><time value="${time}"/><assignedAuthor><id root="2.999.7" extension="a1"/></assignedAuthor></author>`;
const template = (number: string): string => `<templateId root="2.16.840.1.113883.10.20.22.4.${number}"/>`;

const specialty = (code: string, name: string): string =>
  `<code code="${code}" codeSystem="2.16.840.1.113883.6.101" displayName="${name}"/>`;
const person = (given: string, family: string): string =>
  `<assignedPerson><name><given>${given}</given><family>${family}</family></name></assignedPerson>`;
const house =
  '<representedOrganization><id root="2.16.840.1.113883.4.6" extension="1992999908"/><name>Harbour Practice</name>' +
  '<telecom use="WP" value="tel:+1-555-0100"/></representedOrganization>';
const npi = (number: string): string => `<id root="2.16.840.1.113883.4.6" extension="${number}"/>`;

const diagnosis = (id: string, more = ''): string =>
  '<act classCode="ACT" moodCode="EVN"><code code="CONC"/><statusCode code="active"/><entryRelationship typeCode="SUBJ">' +
  `<observation classCode="OBS" moodCode="EVN">${template('4')}<id root="2.999.8" extension="${id}"/><code code="55607006" ` +
  `${SNOMED}/><statusCode code="completed"/><effectiveTime><low value="20230102"/></effectiveTime><value xsi:type="CD" ` +
  `code="233604007" ${SNOMED} displayName="Pneumonia"/>${more}</observation></entryRelationship></act>`;

const problems = section(
  '11450-4',
  entry(
    diagnosis(
      'p1',
      `${author('20230204101500-0500')}${author('20230203')}<entryRelationship typeCode="COMP"><act classCode="ACT" ` +
        `moodCode="EVN">${template('502')}<code code="77975-1"/><effectiveTime value="20230101"/></act></entryRelationship>` +
        `<entryRelationship typeCode="COMP"><encounter classCode="ENC" moodCode="EVN"><id root="2.999.9" extension="v1"/>` +
        '</encounter></entryRelationship>',
    ),
  ) + entry(diagnosis('p2')),
);

const visits = section(
  '46240-8',
  entry(
    `<encounter classCode="ENC" moodCode="EVN">${template('49')}<id root="2.999.9" extension="v1"/><code code="99213" ` +
      'codeSystem="2.16.840.1.113883.6.12" displayName="Office visit"/><effectiveTime value="20230203"/>' +
      '<dischargeDispositionCode xmlns="urn:hl7-org:sdtc" code="01" codeSystem="2.16.840.1.113883.12.112" ' +
      'displayName="Discharged to home"/><performer typeCode="PRF"><time><low value="20230203091500-0500"/><high ' +
      'value="20230203101500-0500"/></time><assignedEntity>' +
      `${npi('1497848036')}${specialty('207Q00000X', 'Family Medicine')}${person('Ann', 'Reed')}${house}</assignedEntity>` +
      '</performer><participant typeCode="LOC"><participantRole classCode="SDLOC">' +
      `${npi('1888888880')}<telecom value="tel:+1-555-0199"/>` +
      '<playingEntity ' +
      'classCode="PLC"><name>Harbour Clinic</name></playingEntity></participantRole></participant></encounter>',
  ),
);

const medicines = section(
  '10183-2',
  entry(
    `<substanceAdministration classCode="SBADM" moodCode="INT">${template('16')}<id root="2.999.8" extension="m1"/>` +
      '<statusCode code="active"/><effectiveTime xsi:type="IVL_TS"><low value="20230203"/></effectiveTime><consumable>' +
      '<manufacturedProduct><manufacturedMaterial><code code="308182" codeSystem="2.16.840.1.113883.6.88" ' +
      'displayName="Amoxicillin 250 MG Oral Capsule"/></manufacturedMaterial></manufacturedProduct></consumable>' +
      `<author><time value="20230203"/><assignedAuthor>${npi('1111111112')}${specialty('208D00000X', 'General Practice')}` +
      `${person('Bo', 'Lind')}${house}</assignedAuthor></author>` +
      `<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/><value ` +
      `xsi:type="CD" code="233604007" ${SNOMED} displayName="Pneumonia"/></observation></entryRelationship>` +
      '<entryRelationship typeCode="REFR"><supply classCode="SPLY" moodCode="INT"><repeatNumber value="3"/>' +
      '<quantity value="30" unit="{capsule}"/></supply></entryRelationship></substanceAdministration>',
  ),
);

const operation = (id: string, performer: string): string =>
  entry(
    `<procedure classCode="PROC" moodCode="EVN">${template('14')}<id root="2.999.8" extension="${id}"/><code code="80146002" ` +
      `${SNOMED} displayName="Appendectomy"/><statusCode code="completed"/><effectiveTime value="20230204"/><performer>` +
      `<assignedEntity>${performer}</assignedEntity></performer></procedure>`,
  );
const operations = section(
  '47519-4',
  operation('x1', npi('1234567893') + specialty('208600000X', 'Surgery') + person('Cy', 'Hart')) +
    operation('x2', person('Di', 'Moss')),
);

const UDI = '(01)00848486001048(11)181015(10)ABC999(17)221000(21)bi-12';
const devices = section(
  '46264-8',
  entry(
    `<supply classCode="SPLY" moodCode="EVN">${template('50')}<id root="2.999.8" extension="d1"/><statusCode ` +
      'code="completed"/><effectiveTime><high value="20190101"/></effectiveTime><participant typeCode="PRD">' +
      `<participantRole classCode="MANU">${template('37')}<id root="2.16.840.1.113883.3.3719" extension="${UDI}"/>` +
      `<playingDevice><code code="14106009" ${SNOMED} displayName="Cardiac pacemaker"/></playingDevice>` +
      '</participantRole></participant></supply>',
  ),
);

const plans = section(
  '18776-5',
  entry(
    `<observation classCode="OBS" moodCode="INT">${template('44')}<id root="2.999.8" extension="c1"/><code code="1" ` +
      `${SNOMED} displayName="Walk &lt;b&gt; daily"/><statusCode code="active"/></observation>`,
  ),
);

const results = section(
  '30954-2',
  entry(
    `<organizer classCode="BATTERY" moodCode="EVN">${template('1')}<id root="2.999.8" extension="r1"/><code code="57021-8" ` +
      'codeSystem="2.16.840.1.113883.6.1" displayName="CBC"/><statusCode code="completed"/>' +
      `${author('20230203141500-0500')}<specimen><specimenRole><specimenPlayingEntity><code code="119297000" ${SNOMED} ` +
      'displayName="Blood specimen"/></specimenPlayingEntity></specimenRole></specimen><component><observation ' +
      `classCode="OBS" moodCode="EVN">${template('2')}<id root="2.999.8" extension="o1"/><code code="718-7" ` +
      'codeSystem="2.16.840.1.113883.6.1" displayName="Hemoglobin"/><statusCode code="completed"/><effectiveTime ' +
      'value="20230203"/><value xsi:type="PQ" value="13.2" unit="g/dL"/></observation></component></organizer>',
  ),
);

const laboratory = (name: string, assigned = ''): string =>
  `<performer typeCode="PRF"><assignedEntity><id root="2.999.11" extension="${name}"/>${assigned}<representedOrganization>` +
  `<name>${name}</name><addr><city>Salem</city></addr></representedOrganization></assignedEntity></performer>`;
const LOINC = 'codeSystem="2.16.840.1.113883.6.1"';
const value = (id: string, code: string, by = ''): string =>
  `<component><observation classCode="OBS" moodCode="EVN">${template('2')}<id root="2.999.8" extension="${id}"/><code ` +
  `code="${code}" ${LOINC} displayName="Test ${id}"/><statusCode code="completed"/><effectiveTime value="20230205"/><value ` +
  `xsi:type="PQ" value="4" unit="mmol/L"/>${by}</observation></component>`;
const examined = section(
  '30954-2',
  entry(
    `<organizer classCode="BATTERY" moodCode="EVN">${template('1')}<id root="2.999.8" extension="r2"/><code code="24323-8" ` +
      `${LOINC} displayName="Metabolic panel"/><statusCode code="completed"/>${laboratory('Value Labs')}` +
      `${value('o2', '2951-2')}${value('o3', '2823-3', laboratory('Bay Labs', person('Eve', 'Wood')))}</organizer>`,
  ),
);

/** A medicine taken or a vaccine given, and the number of whoever told of it. */
const told = (number: string, id: string, name: string, by: string): string =>
  entry(
    `<substanceAdministration classCode="SBADM" moodCode="EVN">${template(number)}<id root="2.999.8" extension="${id}"/>` +
      '<statusCode code="completed"/><effectiveTime value="20220203"/><consumable><manufacturedProduct>' +
      `<manufacturedMaterial><code nullFlavor="OTH"><originalText>${name}</originalText></code></manufacturedMaterial>` +
      `</manufacturedProduct></consumable><informant><assignedEntity><id root="${by}"/></assignedEntity></informant>` +
      '</substanceAdministration>',
  );
const PERSON = '2.999.2';
const OTHER = '2.999.22';
const heard =
  section('10160-0', told('16', 'm2', 'Aspirin', PERSON) + told('16', 'm3', 'Ibuprofen', OTHER)) +
  section('11369-6', told('52', 'i1', 'Influenza vaccine', PERSON) + told('52', 'i2', 'Tetanus vaccine', OTHER));

const kin = (code: string, name: string, phone: string, more = ''): string =>
  `<participant typeCode="IND">${more}<associatedEntity classCode="${code}"><telecom value="tel:${phone}" use="MC"/>` +
  `<associatedPerson><name>${name}</name></associatedPerson></associatedEntity></participant>`;
const BO = '<given>Bo</given><family>Lee</family>';
const GUARDIAN =
  '<guardian><code code="POWATT" codeSystem="2.16.840.1.113883.5.110" displayName="Power of Attorney"/><telecom ' +
  `value="tel:+1-555-0111" use="MC"/><guardianPerson><name>${BO}</name></guardianPerson></guardian>`;

/** A document whose head names who is close to the person, whom it was made for, and a doctor. */
function withKin(text: string): string {
  return text
    .replace('</patient>', `${GUARDIAN}</patient>`)
    .replace(
      '<component><structuredBody>',
      kin('NOK', BO, '+1-555-0111') +
        kin('CAREGIVER', BO, '+1-555-0999') +
        kin('PRS', 'Uma', '+1-555-0112', '<time><low value="20200101"/></time>') +
        kin('PROV', 'A doctor', '+1-555-0113') +
        '<component><structuredBody>',
    );
}

/** What the head of a document says of it: its number, its rules, who wrote it and for whom, and in which visit. */
function withHead(text: string): string {
  return text
    .replace(
      '<id root="2.999.1"/>',
      '<templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/><id root="2.999.1" extension="CCD-7"/>',
    )
    .replace('<id root="2.999.3"/>', `<id root="2.999.3"/>${person('Ann', 'Reed')}${house}`)
    .replace(
      '<component><structuredBody>',
      '<componentOf><encompassingEncounter><id root="2.999.9" extension="v1"/><effectiveTime value="20230203"/>' +
        '</encompassingEncounter></componentOf><component><structuredBody>',
    );
}

for (const leg of databases) {
  describe(`what US Core asks for, said by C-CDA, on ${leg.name}`, () => {
    let ground: FhirGround;
    /** The document, and one that says nothing of itself. */
    let documentId: string;
    let silentId: string;
    before(async () => {
      ground = await startFhir(leg);
      const body = problems + visits + medicines + operations + devices + results + plans;
      documentId = await ground.put(withHead(clinicalDocument({ body }).toString()));
      silentId = await ground.put(clinicalDocument({ body: '' }).toString());
      await ground.put(
        withKin(
          clinicalDocument({ body: examined + heard })
            .toString()
            .replace('"2.999.1"', '"2.999.12"'),
        ),
      );
    });
    after(() => ground.service.stop());

    const all = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/${query}`))['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);
    const only = async (query: string): Promise<Read> => {
      const found = await all(query);
      expect(found, query).to.have.length(1);
      return found[0]!;
    };

    it('is when a problem was diagnosed and first written down, and in which visit', async () => {
      const [visit] = await all('Encounter');
      const found = await all('Condition');
      const said = found.filter((one) => one['recordedDate'] !== undefined);
      expect(found).to.have.length(2);
      expect(said).to.have.length(1);
      expect(said[0]).to.include({ recordedDate: '2023-02-03', encounter: { reference: `Encounter/${visit!['id']}` } });
      expect(said[0]!['extension']).to.equal([
        { url: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate', valueDateTime: '2023-01-01' },
      ]);
      expect(await all(`Condition?encounter=Encounter/${visit!['id']}`)).to.have.length(1);
      // Nothing is said of a problem of which the document says nothing.
      const silent = found.find((one) => one['recordedDate'] === undefined);
      expect(Object.keys(silent!)).not.to.include(['extension', 'encounter']);
    });

    it('is the number of a visit, where it was, and where the person went', async () => {
      const visit = await only('Encounter');
      expect(visit['identifier']).to.equal([{ system: 'urn:oid:2.999.9', value: 'v1' }]);
      expect(visit['hospitalization'].dischargeDisposition.text).to.equal('Discharged to home');
      const [{ location }] = visit['location'];
      expect(await ground.get(`/${location.reference as string}`)).to.include({
        resourceType: 'Location',
        name: 'Harbour Clinic',
      });
      expect(await ground.get(`/${visit['serviceProvider'].reference as string}`)).to.include({
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1888888880' }],
        telecom: [{ system: 'phone', value: '+1-555-0199' }],
      });
      expect(await only('Encounter?identifier=urn:oid:2.999.9|v1')).to.include({ id: visit['id'] });
      expect(await ground.get(`/${location.reference as string}`)).to.include({
        telecom: [{ system: 'phone', value: '+1-555-0199' }],
        managingOrganization: { reference: visit['serviceProvider'].reference, display: 'Harbour Clinic' },
      });
      expect(await all('Encounter?discharge-disposition=01')).to.have.length(1);
      expect(await all('Encounter?discharge-disposition=02')).to.equal([]);
    });

    it('is a plan in words, too, which are no markup', async () => {
      const plan = await only('CarePlan');
      expect(plan['text']).to.equal({
        status: 'generated',
        div: '<div xmlns="http://www.w3.org/1999/xhtml"><ul><li>Walk &lt;b&gt; daily</li></ul></div>',
      });
      expect(plan['meta'].profile).to.equal(['http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan']);
      const xml = await ground.call(`/CarePlan/${plan['id'] as string}?_format=xml`);
      expect(xml.text).to.contain('<li>Walk &lt;b&gt; daily</li>');
    });

    it('is who wrote a document, and for whom it is kept, inside of its DocumentReference', async () => {
      const found = await ground.get(`/DocumentReference/${documentId}`);
      expect(found['author']).to.equal([{ reference: '#writer', display: 'Ann Reed' }]);
      expect(found['contained']).to.equal([
        { resourceType: 'Practitioner', id: 'writer', name: [{ text: 'Ann Reed' }] },
      ]);
      expect(found['meta'].profile).to.include(
        'http://hl7.org/fhir/us/core/StructureDefinition/us-core-documentreference',
      );
      expect(await ground.get(`/DocumentReference/${silentId}`)).not.to.include(['contained']);
    });

    it('is what a prescription asks for, why, and at which occasion', async () => {
      const order = await only('MedicationRequest');
      // Three times in all are two after the first.
      expect(order['dispenseRequest'].numberOfRepeatsAllowed).to.equal(2);
      expect(order['dispenseRequest'].quantity).to.include({ value: 30, unit: '{capsule}' });
      expect(order['reasonCode'][0].text).to.equal('Pneumonia');
      expect(order['category'][0].coding[0].code).to.equal('discharge');
      expect(order).not.to.include(['encounter']);
    });

    it('is who saw the person, prescribed and operated, in which field, and for whom', async () => {
      const roles = await all('PractitionerRole');
      const fields = roles.map((one) => [one['practitioner'].display, one['specialty'][0].text]);
      expect(fields.sort()).to.equal([
        ['Ann Reed', 'Family Medicine'],
        ['Bo Lind', 'General Practice'],
        ['Cy Hart', 'Surgery'],
      ]);
      const visit = await only('Encounter');
      const { individual, type } = visit['participant'][0];
      expect(type[0].coding[0].code).to.equal('PRF');
      expect(visit['participant'][0].period).to.equal({
        start: '2023-02-03T09:15:00-05:00',
        end: '2023-02-03T10:15:00-05:00',
      });
      const role = await only(`PractitionerRole?practitioner=${individual.reference as string}`);
      expect(await ground.get(`/${role['practitioner'].reference as string}`)).to.include({
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1497848036' }],
      });
      expect(await ground.get(`/${role['organization'].reference as string}`)).to.include({
        name: 'Harbour Practice',
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1992999908' }],
        telecom: [{ system: 'phone', value: '+1-555-0100' }],
      });
      const order = await only('MedicationRequest');
      const prescriber = await only(`PractitionerRole?specialty=208D00000X`);
      expect(prescriber['practitioner'].reference).to.equal(order['requester'].reference);
      expect(await all(`MedicationRequest?requester=${order['requester'].reference as string}`)).to.have.length(1);
      expect(await all(`PractitionerRole?organization=${role['organization'].reference as string}`)).to.have.length(1);
      expect(await all('PractitionerRole?practitioner.family=Reed')).to.have.length(1);
      expect(await all('PractitionerRole?organization.name=Harbour')).to.have.length(2);
    });

    it('is nothing more of somebody of whom the document says only the name', async () => {
      const actors = (await all('Procedure')).map((one) => one['performer'][0].actor as Read);
      const silent = actors.find(({ display }) => display === 'Di Moss');
      expect(silent).to.equal({ display: 'Di Moss' });
      const said = actors.find(({ display }) => display === 'Cy Hart');
      expect(await all(`PractitionerRole?practitioner=${said!['reference'] as string}`)).to.have.length(1);
    });

    it('is the number of a document, its rules and its visit, who wrote it and for whom', async () => {
      const found = await only('DocumentReference?identifier=urn:oid:2.999.1|CCD-7');
      expect(found['id']).to.equal(documentId);
      expect(found['identifier']).to.equal([{ system: 'urn:oid:2.999.1', value: 'CCD-7' }]);
      expect(found['content'][0].format.code).to.equal('urn:hl7-org:sdwg:ccda-structuredBody:2.1');
      expect(found['context'].encounter).to.equal([
        { type: 'Encounter', identifier: { system: 'urn:oid:2.999.9', value: 'v1' } },
      ]);
      for (const query of [
        'identifier=CCD-7',
        'identifier=urn:oid:2.999.1|',
        'format=urn:hl7-org:sdwg:ccda-structuredBody:2.1',
        'format:missing=false',
      ]) {
        expect((await only(`DocumentReference?${query}`))['id'], query).to.equal(documentId);
      }
      for (const query of [
        'identifier=CCD',
        'identifier=urn:oid:2.999|CCD-7',
        'format=https://x.example|urn:hl7-org:sdwg:ccda-structuredBody:2.1',
      ]) {
        expect(await all(`DocumentReference?${query}`), query).to.equal([]);
      }
      const { agent } = await ground.get(`/Provenance/${documentId}`);
      expect(
        (agent as readonly Read[]).map(({ who, onBehalfOf }) => [(who as Read)['display'], onBehalfOf]),
      ).to.include([['Ann Reed', { reference: '#house', display: 'Harbour Practice' }]]);
      const silent = await ground.get(`/DocumentReference/${silentId}`);
      expect(silent['identifier']).to.equal([{ system: 'urn:ietf:rfc:3986', value: 'urn:oid:2.999.1' }]);
      expect(silent['content'][0]).not.to.include(['format']);
      expect(silent).not.to.include(['context']);
      expect(JSON.stringify(await ground.get(`/Provenance/${silentId}`))).not.to.contain('onBehalfOf');
    });

    it('is the unique identifier of a device, whole and in parts', async () => {
      expect(await only('Device')).to.include({
        udiCarrier: [{ deviceIdentifier: '00848486001048', carrierHRF: UDI }],
        manufactureDate: '2018-10-15',
        // A day that is not known.
        expirationDate: '2022-10',
        lotNumber: 'ABC999',
        serialNumber: 'bi-12',
      });
    });

    it('is which laboratory and who in it examined something, in the report and in each result', async () => {
      const report = await only('DiagnosticReport?code=24323-8');
      const [place, ...others] = report['performer'] as readonly Read[];
      expect([place!['display'], others]).to.equal(['Value Labs', []]);
      const first = await only('Observation?code=2951-2');
      for (const { reference } of [place!, ...(first['performer'] as readonly Read[])]) {
        expect(await ground.get(`/${reference as string}`)).to.include({
          resourceType: 'Organization',
          name: 'Value Labs',
          address: [{ city: 'Salem' }],
        });
      }
      const second = await only('Observation?code=2823-3');
      expect((second['performer'] as readonly Read[]).map(({ display }) => display as string)).to.equal([
        'Eve Wood',
        'Bay Labs',
      ]);
      expect(await all('Observation?performer:Organization.name=Value')).to.have.length(1);
      // Of whom nothing is said, nothing is said.
      expect(await only('Observation?code=718-7')).not.to.include(['performer']);
      expect(await only('DiagnosticReport?code=57021-8')).not.to.include(['performer']);
    });

    it('is whether the person told of a medicine or a vaccine', async () => {
      const byName = async (type: string, name: string): Promise<Readonly<Record<string, Read>>> =>
        Object.fromEntries((await all(type)).map((one) => [one[name].text as string, one]));
      const medicines = await byName('MedicationStatement', 'medicationCodeableConcept');
      expect(medicines['Aspirin']!['informationSource']).to.equal({ reference: `Patient/${ground.recordId}` });
      expect(medicines['Ibuprofen']).not.to.include(['informationSource']);
      const vaccines = await byName('Immunization', 'vaccineCode');
      expect(vaccines['Influenza vaccine']!['primarySource']).to.be.false();
      expect(vaccines['Tetanus vaccine']).not.to.include(['primarySource']);
    });

    it('is who is close to the person, and for all that they are once', async () => {
      const found = await all('RelatedPerson');
      const said = found.map((one) => [
        (one['name'] as readonly Read[])[0]!['text'] as string,
        (one['telecom'] as readonly Read[])[0]!['value'] as string,
        ((one['relationship'] ?? []) as readonly Read[]).map(({ coding }) => coding[0].code as string).join(' '),
      ]);
      expect(said.sort()).to.equal([
        ['Bo Lee', '+1-555-0111', 'GUARD POWATT NOK'],
        ['Bo Lee', '+1-555-0999', 'CAREGIVER'],
        ['Uma', '+1-555-0112', ''],
      ]);
      expect(found.map(({ patient }) => patient as Read)).to.equal(
        found.map(() => ({ reference: `Patient/${ground.recordId}` })),
      );
      expect(found.filter(({ active }) => active !== undefined)).to.equal([]);
      const uma = found.find(({ period }) => period !== undefined);
      expect(uma!['period']).to.equal({ start: '2020-01-01' });
      expect(await only(`RelatedPerson?_id=${uma!['id'] as string}`)).to.equal(uma!);
      expect(await ground.get(`/RelatedPerson/${uma!['id'] as string}`)).to.equal(uma!);
    });

    it('is when a panel was issued, and what was examined', async () => {
      expect(await only('DiagnosticReport?code=57021-8')).to.include({ issued: '2023-02-03T14:15:00-05:00' });
      const { specimen } = await only('Observation?code=718-7');
      const { type } = await ground.get(`/${specimen.reference as string}`);
      expect([specimen.display, type.text]).to.equal(['Blood specimen', 'Blood specimen']);
    });

    it('is what is planned, asked for or proposed beside its plan, and no appointment', async () => {
      const planned = (mood: string, name: string, more = ''): string =>
        entry(
          `<procedure classCode="PROC" moodCode="${mood}">${template('41')}<id root="2.999.8" extension="${name}"/><code ` +
            `code="${name.length}" ${SNOMED} displayName="${name}"/><statusCode code="active"/>${more}</procedure>`,
        );
      const time = '<effectiveTime><low value="20300102"/><high value="20300105"/></effectiveTime>';
      const by = `<performer typeCode="PRF"><assignedEntity>${npi('1')}${person('Eve', 'Lund')}</assignedEntity></performer>`;
      const visit =
        `<encounter classCode="ENC" moodCode="APT">${template('40')}<id root="2.999.8" extension="apt"/><code code="3" ` +
        `${SNOMED} displayName="Visit"/><statusCode code="active"/></encounter>`;
      const document = await ground.put(
        clinicalDocument({
          section: '18776-5',
          entries:
            planned('RQO', 'Knee scan', time + by) + planned('PRP', 'Hip scan') + planned('INT', 'Walk') + entry(visit),
        })
          .toString()
          .replace('"2.999.1"', '"2.999.13"'),
      );
      const ofDocument = async (query: string): Promise<readonly Read[]> =>
        (await all(query)).filter(({ meta }) => meta.versionId === document);
      const asked = await ofDocument('ServiceRequest');
      expect(asked.map(({ intent, code }) => [code.text as string, intent as string]).sort()).to.equal([
        ['Hip scan', 'proposal'],
        ['Knee scan', 'order'],
        ['Walk', 'plan'],
      ]);
      const [order] = await ofDocument('ServiceRequest?intent=order&code=9&occurrence=2030-01');
      expect(order).to.include({
        status: 'active',
        subject: { reference: `Patient/${ground.recordId}` },
        occurrencePeriod: { start: '2030-01-02', end: '2030-01-05' },
        performer: [{ display: 'Eve Lund' }],
      });
      expect(order).not.to.include(['requester', 'authoredOn', 'category', 'reasonCode']);
      // The plans are as before, and have the ids of their requests.
      const plans = await ofDocument('CarePlan');
      expect(plans).to.have.length(4);
      expect(plans.map(({ id }) => id as string)).to.include(asked.map(({ id }) => id as string));
      expect(await ground.get('/ServiceRequest', { token: ground.carenetToken })).not.to.include('entry');
    });

    it('is what the maker of a device calls its model, if that is said', async () => {
      expect(await only('Device')).not.to.include('modelNumber');
      const part = (code: string, value: string): string =>
        `<component><observation classCode="OBS" moodCode="EVN"><code code="${code}" codeSystem="2.16.840.1.113883.3.26.1.1"/>` +
        `<value xsi:type="ST">${value}</value></observation></component>`;
      const parts =
        `<entryRelationship typeCode="COMP"><organizer classCode="CLUSTER" moodCode="EVN">${template('311')}<id ` +
        `root="2.16.840.1.113883.3.3719" extension="${UDI}"/><code code="74711-3"/><statusCode code="completed"/>` +
        `${part('C99285', 'X-200 b')}${part('C101671', 'bi-13')}</organizer></entryRelationship></supply>`;
      const body = devices.replace('extension="d1"', 'extension="d2"').replace('</supply>', parts);
      await ground.put(clinicalDocument({ body }).toString().replace('"2.999.1"', '"2.999.14"'));
      const named = (await all('Device')).filter(({ modelNumber }) => modelNumber !== undefined);
      expect(named).to.have.length(1);
      expect(named[0]).to.include({ modelNumber: 'X-200 b', serialNumber: 'bi-13' });
    });
  });
}
