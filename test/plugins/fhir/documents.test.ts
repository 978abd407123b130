/**
 * documents: every document as DocumentReference, Binary and Provenance; the record as Patient; their versions,
 * searches and pages.
 */
import { createHash } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { addPerson } from '../../support/cast';
import { createRecord, succeeded } from '../../support/world';
import { NS, procedure } from '../../support/archives';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const note = '<Note xmlns="urn:notes">café</Note>';
const fhirDevice =
  '{"resourceType":"Device","deviceName":[{"name":"A stick","type":"user-friendly-name"}],"patient":{"reference":"Patient/x"}}';

const full =
  '<Demographics ' +
  `xmlns="${NS}"><dateOfBirth>1965-04-03</dateOfBirth><gender>female</gender><email>ann@example.org</email><ethnicity>Scottish</ethnicity><preferredLanguage>en</preferredLanguage><race>white</race><Name><familyName>Müller</familyName><givenName>Ann</givenName><middleName>Bea</middleName><prefix>Dr</prefix><suffix>Jr</suffix></Name><Telephone><type>h</type><number>555-1</number><preferred>true</preferred></Telephone><Address><country>UK</country><city>Perth</city><postalCode>PH1</postalCode><region>Tayside</region><street>1 ` +
  'High St</street></Address></Demographics>';

for (const leg of databases) {
  describe(`documents through the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const reference = (id: string, rest = ''): Promise<Read> => ground.get(`/DocumentReference/${id}${rest}`);
    const found = async (query: string, token?: string): Promise<readonly string[]> =>
      ((await ground.get(`/DocumentReference${query}`, token === undefined ? {} : { token }))['entry'] ?? []).map(
        (entry: Read) => entry['resource'].id as string,
      );
    const setStatus = async (id: string, status: string): Promise<void> => {
      succeeded(
        await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/${id}/set-status`, {
          form: { status, reason: 'because' },
        }),
      );
    };
    const share = async (id: string): Promise<void> => {
      succeeded(
        await ground.service.call(
          ground.alice,
          'PUT',
          `/records/${ground.recordId}/documents/${id}/carenets/${ground.carenetId}`,
        ),
      );
    };

    it('shows a document with what is known of it', async () => {
      const id = await ground.put(note);
      succeeded(
        await ground.service.call(ground.alice, 'PUT', `/records/${ground.recordId}/documents/${id}/label`, {
          body: 'My note',
          type: 'text/plain',
        }),
      );
      const resource = await reference(id);
      expect(resource).to.include({ resourceType: 'DocumentReference', id, status: 'current', description: 'My note' });
      expect(resource['type']).to.equal({ coding: [{ system: 'urn:notes', code: 'Note' }], text: 'Note' });
      expect(resource['subject']).to.equal({ reference: `Patient/${ground.recordId}` });
      expect(resource['author'][0]).to.equal({ identifier: { value: 'alice@example.org' }, display: 'Alice Lee' });
      const { attachment } = resource['content'][0] as Read;
      expect(attachment).to.include({
        contentType: 'application/xml',
        size: Buffer.byteLength(note),
        hash: createHash('sha1').update(note).digest('base64'),
        url: `Binary/${id}`,
        title: 'My note',
      });
      expect(attachment.creation).to.equal(resource['date']);
    });

    it('serves the bytes as they were stored, or as a resource to who asks for FHIR', async () => {
      const id = await ground.put(note);
      for (const accept of [undefined, '*/*', 'application/xml', 'image/png']) {
        const raw = await ground.call(`/Binary/${id}`, { headers: accept === undefined ? {} : { accept } });
        expect([raw.status, raw.text, raw.headers['content-type']]).to.equal([200, note, 'application/xml']);
        expect(raw.headers['x-content-type-options']).to.equal('nosniff');
        expect(raw.headers['content-security-policy']).to.contain("default-src 'none'");
        expect(
          (await ground.call(`/Binary/${id}`, { headers: { 'if-none-match': String(raw.headers['etag']) } })).status,
        ).to.equal(304);
      }
      const resource = await ground.get(`/Binary/${id}`, { headers: { accept: 'application/fhir+json' } });
      expect(resource).to.include({ resourceType: 'Binary', id, contentType: 'application/xml' });
      expect(Buffer.from(resource['data'], 'base64').toString()).to.equal(note);
      const inXml = await ground.call(`/Binary/${id}?_format=xml`);
      expect(inXml.text).to.contain('<Binary xmlns="http://hl7.org/fhir">');
      const json = await ground.put(fhirDevice, 'application/fhir+json');
      const raw = await ground.call(`/Binary/${json}`);
      expect([raw.text, raw.headers['content-type']]).to.equal([fhirDevice, 'application/fhir+json']);
      expect(
        (await ground.call(`/Binary/${id}`, { token: await ground.mint('patient/DocumentReference.rs') })).status,
      ).to.equal(403);
    });

    it('tells who stored it, through which app, and in the place of what', async () => {
      const id = await ground.put(procedure('One'));
      const next = await ground.put(
        procedure('Two'),
        'application/xml',
        `/records/${ground.recordId}/documents/${id}/replace`,
      );
      const provenance = await ground.get(`/Provenance/${next}`);
      expect(provenance['target']).to.include([{ reference: `DocumentReference/${next}` }]);
      expect(provenance['agent'][0].who.identifier.value).to.equal('alice@example.org');
      expect(provenance['entity'][0].what.reference).to.equal(`DocumentReference/${id}`);
      const about = await ground.get(`/Provenance?target=DocumentReference/${id}`);
      expect(about['entry'].map((entry: Read) => entry['resource'].id)).to.equal([id]);
      expect((await ground.get('/Provenance?target=Observation/1'))['entry']).to.be.undefined();
    });

    it('keeps the states of a document apart: replaced, void, archived', async () => {
      const id = await ground.put(procedure('First'));
      const first = await reference(id);
      expect(first['meta'].versionId).to.equal('1');
      const next = await ground.put(
        procedure('Second'),
        'application/xml',
        `/records/${ground.recordId}/documents/${id}/replace`,
      );
      const superseded = await reference(id);
      expect([superseded['status'], superseded['meta'].versionId]).to.equal(['superseded', '2']);
      const replacing = await reference(next);
      expect(replacing['status']).to.equal('current');
      expect(replacing['relatesTo']).to.equal([{ code: 'replaces', target: { reference: `DocumentReference/${id}` } }]);
      await setStatus(next, 'archived');
      expect((await reference(next))['status']).to.equal('current');
      await setStatus(next, 'active');
      await setStatus(next, 'void');
      const voided = await reference(next);
      expect([voided['status'], voided['meta'].versionId]).to.equal(['entered-in-error', '4']);
      // An earlier version is read as it was.
      expect(await reference(id, '/_history/1')).to.equal(first);
      const history = await reference(next, '/_history');
      expect(history).to.include({ resourceType: 'Bundle', type: 'history', total: 4 });
      expect(history['entry'].map((entry: Read) => entry['resource'].status)).to.equal([
        'entered-in-error',
        'current',
        'current',
        'current',
      ]);
      expect(history['entry'][0].response.etag).to.equal('W/"4"');
      for (const entry of history['entry'] as readonly Read[]) {
        const { versionId } = entry['resource'].meta;
        expect(await reference(next, `/_history/${versionId}`)).to.equal(entry['resource']);
      }
      expect(await found(`?status=entered-in-error&_id=${id},${next}`)).to.equal([next, id]);
    });

    it('is the record as a Patient, at every version of its demographics', async () => {
      const before = await ground.get(`/Patient/${ground.recordId}`);
      succeeded(
        await ground.service.call(ground.alice, 'PUT', `/records/${ground.recordId}/demographics`, { body: full }),
      );
      const patient = await ground.get(`/Patient/${ground.recordId}`);
      expect(patient).to.include({ resourceType: 'Patient', gender: 'female', birthDate: '1965-04-03', active: true });
      expect(patient['name']).to.equal([
        {
          use: 'official',
          text: 'Dr Ann Bea Müller Jr',
          family: 'Müller',
          given: ['Ann', 'Bea'],
          prefix: ['Dr'],
          suffix: ['Jr'],
        },
      ]);
      expect(patient['telecom']).to.equal([
        { system: 'phone', value: '555-1', use: 'home', rank: 1 },
        { system: 'email', value: 'ann@example.org' },
      ]);
      expect(patient['address']).to.equal([
        { use: 'home', line: ['1 High St'], city: 'Perth', state: 'Tayside', postalCode: 'PH1', country: 'UK' },
      ]);
      expect(patient['communication'][0].language.text).to.equal('en');
      const versions = (await ground.get(`/Patient/${ground.recordId}/_history`))['entry'] as readonly Read[];
      expect(versions.map((entry) => entry['resource'])).to.equal([patient, before]);
      expect(await ground.get(`/Patient/${ground.recordId}/_history/${before['meta'].versionId}`)).to.equal(before);
      const provenance = await ground.get('/Patient?_revinclude=Provenance:target');
      expect(provenance['entry'].map((entry: Read) => [entry['resource'].resourceType, entry['search'].mode])).to.equal(
        [
          ['Patient', 'match'],
          ['Provenance', 'include'],
        ],
      );
      expect(provenance['entry'][1].resource.target[1].reference).to.equal(`Patient/${ground.recordId}`);
      for (const [query, count] of [
        ['', 1],
        ['?name=mull', 1],
        ['?name:exact=mull', 0],
        ['?family:contains=LLE', 1],
        ['?given=Bea', 1],
        ['?given=Lee', 0],
        ['?birthdate=1965-04-03', 1],
        ['?birthdate=1965', 1],
        ['?birthdate=gt1965', 0],
        ['?birthdate=ne1965-04-03', 0],
        ['?birthdate=ne1966', 1],
        ['?birthdate=le1965-04-03', 1],
        ['?birthdate=sa1965-04-02', 1],
        ['?birthdate=eb1965-04-03', 0],
        ['?birthdate=eb1965-04-04', 1],
        ['?birthdate=ap1966', 1],
        ['?birthdate=ap2020', 0],
        ['?birthdate=lt1965-05&birthdate=ge1965-04-03', 1],
        ['?gender=male', 0],
        ['?gender=male,female', 1],
        ['?gender=http://hl7.org/fhir/administrative-gender|female', 1],
        ['?gender=urn:x|female', 0],
        [`?_id=${ground.recordId}`, 1],
        ['?_id=other', 0],
        [`?identifier=urn:ietf:rfc:3986|urn:uuid:${ground.recordId}`, 1],
        ['?identifier=urn:x|1', 0],
        ['?_lastUpdated=gt2020-01-01', 1],
        ['?_lastUpdated=lt2020-01-01', 0],
      ] as const) {
        const bundle = await ground.get(`/Patient${query}`);
        expect([query, bundle['total'], (bundle['entry'] ?? []).length]).to.equal([query, count, count]);
      }
    });

    it('shows through a carenet what lies there, in its latest version, and a Patient without a name', async () => {
      const token = ground.carenetToken;
      const seen = (path: string) => ground.call(path, { token });
      const nameless = await ground.get(`/Patient/${ground.recordId}`, { token });
      expect(Object.keys(nameless).sort()).to.equal(['active', 'id', 'identifier', 'meta', 'resourceType']);
      expect((await ground.get(`/Patient/${ground.recordId}/_history`, { token }))['total']).to.equal(1);
      expect((await ground.get('/Patient?name=Lee', { token }))['total']).to.equal(0);
      expect(await found('', token)).to.equal([]);
      const hidden = await ground.put(procedure('Hidden'));
      const first = await ground.put(procedure('Early'));
      const latest = await ground.put(
        procedure('Late'),
        'application/xml',
        `/records/${ground.recordId}/documents/${first}/replace`,
      );
      await share(latest);
      expect(await found('', token)).to.equal([latest]);
      const resource = await ground.get(`/DocumentReference/${latest}`, { token });
      expect(resource['relatesTo']).to.be.undefined();
      expect(JSON.stringify(resource)).to.not.contain(first);
      expect(JSON.stringify(await ground.get(`/Provenance/${latest}`, { token }))).to.not.contain(first);
      expect((await seen(`/Binary/${latest}`)).text).to.equal(procedure('Late'));
      for (const id of [hidden, first]) {
        for (const type of ['DocumentReference', 'Binary', 'Provenance']) {
          expect([type, (await seen(`/${type}/${id}`)).status]).to.equal([type, 404]);
        }
      }
      const demographicsId = (await ground.get(`/Patient/${ground.recordId}`))['meta'].versionId as string;
      await share(demographicsId);
      expect((await ground.get(`/Patient/${ground.recordId}`, { token }))['name'][0].family).to.equal('Müller');
    });

    it('is a RelatedPerson to who looks at it without owning it', async () => {
      const id = relatedPersonId(ground.recordId, 'bob@example.org');
      const person = await ground.get(`/RelatedPerson/${id}`, { token: ground.shareToken });
      expect(person).to.include({ resourceType: 'RelatedPerson', id, active: true });
      expect(person['name']).to.equal([{ text: 'Bob Lee' }]);
      expect(person['patient'].reference).to.equal(`Patient/${ground.recordId}`);
      expect((await ground.call(`/RelatedPerson/${id}`)).status).to.equal(404);
      expect((await ground.call(`/RelatedPerson/${id}`, { token: ground.carenetToken })).status).to.equal(404);
      expect((await ground.get('/RelatedPerson', { token: ground.shareToken }))['total']).to.equal(1);
      expect((await ground.get('/RelatedPerson'))['total']).to.equal(0);
    });

    it('finds documents by every parameter that it names', async () => {
      const other = await ground.put('<Letter xmlns="urn:letters"/>');
      const only = `?_id=${other}`;
      const { date } = await reference(other);
      const day = String(date).slice(0, 10);
      for (const [query, count] of [
        ['', 1],
        [`&patient=${ground.recordId}`, 1],
        [`&patient=Patient/${ground.recordId}`, 1],
        [`&patient=${ground.service.services.baseUrl()}/fhir/Patient/${ground.recordId}`, 1],
        ['&patient=other', 0],
        ['&patient=Group/1', 0],
        [`&patient=other,${ground.recordId}`, 1],
        [`&subject=Patient/${ground.recordId}`, 1],
        ['&status=current', 1],
        ['&status=superseded', 0],
        ['&status=superseded,current', 1],
        ['&status:not=current', 0],
        ['&status=nonsense', 0],
        ['&type=Letter', 1],
        ['&type=urn:letters|Letter', 1],
        ['&type=urn:letters|', 1],
        ['&type=|Letter', 0],
        ['&type=urn:other|Letter', 0],
        ['&type=etter', 0],
        ['&type=L%25', 0],
        ['&type:not=Letter', 0],
        ['&category=clinical-note', 1],
        ['&category=http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category|clinical-note', 1],
        ['&category=imaging', 0],
        ['&contenttype=application/xml', 1],
        ['&contenttype=text/plain', 0],
        [`&date=${day}`, 1],
        [`&date=${encodeURIComponent(String(date))}`, 1],
        [`&date=ge${day}&date=le${day}`, 1],
        [`&date=gt${day}`, 0],
        [`&date=ne${day}`, 0],
        ['&date=lt2020', 0],
        [`&date=sa2020`, 1],
        [`&_lastUpdated=${day}`, 1],
        ['&_lastUpdated=lt2020-01-01T00:00:00Z', 0],
        ['&_lastUpdated=ge2020-01-01T00:00:00Z', 1],
        ['&period=2020', 0],
        ['&type=', 1],
      ] as const) {
        const bundle = await ground.get(`/DocumentReference${only}${query}`);
        expect([query, bundle['total'], (bundle['entry'] ?? []).length]).to.equal([query, count, count]);
      }
      await ground.put(
        `<Condition xmlns="http://hl7.org/fhir"><code><text value="Asthma"/></code><subject><display value="me"/></subject></Condition>`,
        'application/fhir+xml',
      );
      for (const plus of ['+', '%2B']) {
        const bundle = await ground.get(`/DocumentReference?contenttype=application/fhir${plus}xml`);
        expect([plus, bundle['total']]).to.equal([plus, 1]);
      }
      const posted = await ground.get('/DocumentReference/_search', {
        method: 'POST',
        body: `type=Letter&_id=${other}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([posted['total'], posted['link'][0].relation]).to.equal([1, 'self']);
      expect(posted['link'][0].url).to.contain('type=Letter');
      const wrong = await ground.call('/DocumentReference/_search', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect([wrong.status, issueOf(wrong)['code']]).to.equal([415, 'not-supported']);
    });

    it('reports a parameter that it does not know, and refuses it when that is asked for', async () => {
      const lenient = await ground.get('/DocumentReference?colour=red&_count=1');
      expect(lenient['entry'].map((entry: Read) => entry['search'].mode)).to.equal(['match', 'outcome']);
      expect(lenient['entry'][1].resource.issue[0].details.text).to.contain('colour');
      expect(lenient['link'][0].url).to.not.contain('colour');
      const strict = { headers: { prefer: 'handling=strict' } };
      for (const query of ['colour=red', '_sort=colour', '_has:x=1']) {
        const refused = await ground.call(`/DocumentReference?${query}`, strict);
        expect([query, refused.status]).to.equal([query, 400]);
        issueOf(refused);
      }
      for (const query of [
        'date=yesterday',
        'date=2024-02-30',
        'date=ge',
        'type:above=x',
        '_count=-1',
        '_count=x',
        '_total=all',
      ]) {
        const refused = await ground.call(`/DocumentReference?${query}`);
        expect([query, refused.status]).to.equal([query, 400]);
      }
    });

    it('pages by links that neither skip nor repeat while documents come', async () => {
      const ids: string[] = [];
      for (let number = 0; number < 7; number += 1) {
        ids.push(await ground.put(`<Page xmlns="urn:pages">${number}</Page>`));
      }
      for (const [sort, expected] of [
        ['', [...ids].reverse()],
        ['&_sort=date', ids],
        ['&_sort=-date', [...ids].reverse()],
      ] as const) {
        const seen: string[] = [];
        let bundle = await ground.get(`/DocumentReference?type=urn:pages|Page&_count=3${sort}`);
        const { total } = bundle;
        for (;;) {
          seen.push(...(bundle['entry'] as readonly Read[]).map((entry) => entry['resource'].id as string));
          const next = (bundle['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
          if (!next) {
            break;
          }
          if (sort !== '&_sort=date') {
            // In this order, a document that is added meanwhile comes before the first page.
            await ground.put('<Page xmlns="urn:pages">new</Page>');
          }
          const url = new URL(String(next['url']));
          expect(url.pathname).to.equal('/fhir/DocumentReference');
          expect(url.search).to.not.contain('pages');
          bundle = await ground.get(`/DocumentReference${url.search}`);
          expect(bundle['total']).to.equal(total);
          // Another token of the record can read the next page, one of a carenet cannot.
          expect((await ground.call(`/DocumentReference${url.search}`, { token: ground.shareToken })).status).to.equal(
            200,
          );
          expect(
            (await ground.call(`/DocumentReference${url.search}`, { token: ground.carenetToken })).status,
          ).to.equal(400);
          expect((await ground.call(`/Provenance${url.search}`)).status).to.equal(400);
        }
        expect(seen.filter((id) => ids.includes(id))).to.equal(expected);
        expect(new Set(seen).size).to.equal(seen.length);
      }
      const count = await ground.get('/DocumentReference?type=Page&_summary=count');
      expect([count['entry'], count['total']]).to.equal([undefined, 11]);
      expect((await ground.get('/DocumentReference?type=Page&_total=none'))['total']).to.be.undefined();
      expect((await ground.call('/DocumentReference?_page=nonsense')).status).to.equal(400);
    });

    it('includes the Provenance of what was found', async () => {
      const bundle = await ground.get('/DocumentReference?type=Letter&_revinclude=Provenance:target');
      expect(bundle['entry'].map((entry: Read) => [entry['resource'].resourceType, entry['search'].mode])).to.equal([
        ['DocumentReference', 'match'],
        ['Provenance', 'include'],
      ]);
      const narrow = await ground.mint('patient/DocumentReference.rs');
      const without = await ground.get('/DocumentReference?type=Letter&_revinclude=Provenance:target', {
        token: narrow,
      });
      expect(without['entry'].length).to.equal(1);
    });

    it('has no documents of another record', async () => {
      const dan = await addPerson(ground.service.services, 'dan@example.org', 'Dan');
      const other = await createRecord(ground.service.call, 'dan@example.org', 'Dan', 'Doe');
      const { text } = succeeded(
        await ground.service.call(dan, 'POST', `/records/${other}/documents/`, { body: note }),
      );
      const id = /<Document id="([^"]*)"/.exec(text)![1]!;
      for (const path of [`/DocumentReference/${id}`, `/Binary/${id}`, `/Provenance/${id}`, `/Patient/${other}`]) {
        expect([path, (await ground.call(path)).status]).to.equal([path, 404]);
      }
      expect(await found(`?_id=${id}`)).to.equal([]);
      expect(await found(`?patient=${other}`)).to.equal([]);
    });
  });
}
