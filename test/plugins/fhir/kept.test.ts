/**
 * kept: what came as FHIR goes out as it came, in JSON and XML, at every door; its versions follow its document, and
 * only those see it who see the document.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { stringify } from 'lossless-json';
import { asItCame } from '../../support/as-it-came';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const JSON_TYPE = 'application/fhir+json';

const observation = (more: string): string => `{
  "resourceType": "Observation", "id": "o1", "meta": {"profile": ["https://example.org/strange"], "tag": [{"code": "t"}]},
  "extension": [{"url": "urn:x", "valueDecimal": 1.50}],
  "identifier": [{"system": "urn:lab", "value": "77"}],
  "contained": [{"resourceType": "Specimen", "id": "s1", "type": {"text": "Blood"}}],
  "status": "final", "_status": {"extension": [{"url": "urn:y", "valueCode": "z"}]},
  "code": {"coding": [{"system": "http://loinc.org", "code": "718-7"}, {"system": "urn:own", "code": "HB"}], "text": "Hb"},
  "specimen": {"reference": "#s1"},
  "performer": [{"reference": "Practitioner/elsewhere"}, {"reference": "urn:uuid:0a0a0a0a-0000-4000-8000-0000000000aa"}],
  "effectivePeriod": {"start": "2024-05-06T07:08:09+02:00", "end": "2024-05-07"},
  "valueQuantity": {"value": 7.50, "unit": "g/dl", "system": "http://unitsofmeasure.org", "code": "g/dL"},
  "note": [{"text": "line one\\nline two"}],
  "component": [{"code": {"text": "a"}, "valueSampledData": {"origin": {"value": 0}, "period": 1E+2, "dimensions": 1}}]${more}}`;

const CARE_PLAN = `{"resourceType": "CarePlan", "status": "active", "intent": "plan", "title": "Walk more",
  "category": [{"coding": [{"system": "http://hl7.org/fhir/us/core/CodeSystem/careplan-category", "code": "assess-plan"}]}],
  "subject": {"reference": "Patient/p1"}, "period": {"start": "2024-01"}, "author": {"reference": "Practitioner/d1"}}`;

const bundleOf = (...resources: readonly string[]): string => `{"resourceType": "Bundle", "type": "collection",
  "entry": [${resources.map((resource) => `{"resource": ${resource}}`).join(', ')}]}`;

for (const leg of databases) {
  describe(`what came as FHIR, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = async (path: string, body: string): Promise<Read> => {
      const answer = await ground.call(path, { method: 'POST', body, headers: { 'content-type': JSON_TYPE } });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const about = (text: string): string =>
      text.replace(/\}$/, `,"subject":{"reference":"Patient/${ground.recordId}"}}`);
    const found = async (path: string, token?: string): Promise<readonly string[]> => {
      const bundle = await ground.get(path, token === undefined ? {} : { token });
      return ((bundle['entry'] ?? []) as readonly Read[]).map(
        ({ resource }) => `${resource.resourceType}/${resource.id}`,
      );
    };

    it('goes out as it came, digit by digit, as JSON and as XML', async () => {
      const body = about(observation(''));
      const { id } = await post('/Observation', body);
      const json = await ground.call(`/Observation/${id}`);
      expect(asItCame(json.text)).to.equal(asItCame(body));
      expect(json.text).to.contain('"value":7.50').and.to.contain('1E+2');
      const xml = await ground.call(`/Observation/${id}`, { headers: { accept: 'application/fhir+xml' } });
      expect(xml.text).to.contain('<value value="7.50"/>'.replace('/>', '></value>'));
      const again = await ground.call('/Observation', {
        method: 'POST',
        body: xml.text,
        headers: { 'content-type': 'application/fhir+xml' },
      });
      expect(again.status, again.text).to.equal(201);
      expect(asItCame(again.text)).to.equal(asItCame(body));
      const { meta, subject } = JSON.parse(json.text) as Read;
      expect(meta.profile).to.include('https://example.org/strange');
      expect([meta.tag, subject]).to.equal([[{ code: 't' }], { reference: `Patient/${ground.recordId}` }]);
    });

    it('keeps types that no model has, with the references between them', async () => {
      const id = await ground.put(
        bundleOf(
          '{"resourceType": "Patient", "id": "p1", "name": [{"text": "Alice"}]}',
          CARE_PLAN,
          '{"resourceType": "Practitioner", "id": "d1", "name": [{"family": "Who"}]}',
        ),
        JSON_TYPE,
      );
      const [plan] = await found('/CarePlan?category=assess-plan&status=active&date=ge2024');
      const read = await ground.get(`/${plan}`);
      expect([read['title'], read['subject'].reference]).to.equal(['Walk more', `Patient/${ground.recordId}`]);
      expect((await ground.get(`/${read['author'].reference}`))['name'][0].family).to.equal('Who');
      expect(read['meta'].versionId).to.equal(id);
      expect(await found(`/CarePlan?_include=CarePlan:care-team&performer=${read['author'].reference}`)).to.equal([]);
      const both = await found('/Practitioner?name=who&_revinclude=Provenance:target');
      expect(both).to.equal([read['author'].reference, `Provenance/${id}`]);
      const everything = await found(`/Patient/${ground.recordId}/$everything`);
      expect(everything).to.include([plan!, read['author'].reference as string]);
      expect(everything.filter((one) => one === plan)).to.have.length(1);
    });

    it('leaves out what is about another person', async () => {
      await ground.put(
        bundleOf(
          '{"resourceType": "Patient", "id": "p1"}',
          '{"resourceType": "Patient", "id": "p2"}',
          '{"resourceType": "Goal", "lifecycleStatus": "active", "description": {"text": "mine"}, "subject": {"reference": "Patient/p1"}}',
          '{"resourceType": "Goal", "lifecycleStatus": "active", "description": {"text": "not mine"}, "subject": {"reference": "Patient/p2"}}',
        ),
        JSON_TYPE,
      );
      const goals = (await ground.get('/Goal'))['entry'] as readonly Read[];
      expect(goals.map(({ resource }) => resource.description.text)).to.equal(['mine']);
    });

    it('follows its document: versions, the trash and circles', async () => {
      const documents = `/records/${ground.recordId}/documents/`;
      const flag = (text: string): string =>
        about(`{"resourceType": "Flag", "id": "f1", "status": "active", "code": {"text": "${text}"}}`);
      const first = await ground.put(flag('first'), JSON_TYPE);
      const [name] = await found('/Flag');
      const before = await ground.get(`/${name}`);
      const second = await ground.put(flag('second'), JSON_TYPE, `${documents}${first}/replace`);
      expect(await found('/Flag')).to.equal([name]);
      const now = await ground.get(`/${name}`);
      expect([now['code'].text, now['meta'].versionId]).to.equal(['second', second]);
      expect(await ground.get(`/${name}/_history/${first}`)).to.equal(before);
      const history = await ground.get(`/${name}/_history`);
      expect(history['entry'].map((one: Read) => one['resource'])).to.equal([now, before]);
      const token = ground.carenetToken;
      expect([(await ground.call(`/${name}`, { token })).status, await found('/Flag', token)]).to.equal([404, []]);
      succeeded(await ground.service.call(ground.alice, 'PUT', `${documents}${second}/carenets/${ground.carenetId}`));
      expect([await ground.get(`/${name}`, { token }), await found('/Flag', token)]).to.equal([now, [name!]]);
      expect((await ground.call(`/${name}/_history/${first}`, { token })).status).to.equal(404);
      const status = (word: string) =>
        ground.service.call(ground.alice, 'POST', `${documents}${second}/set-status`, {
          form: { status: word, reason: 'x' },
        });
      succeeded(await status('void'));
      expect([(await ground.call(`/${name}`)).status, await found('/Flag')]).to.equal([404, []]);
      expect((await ground.call(`/${name}/_history/${first}`)).status).to.equal(404);
    });

    it('asks for the scope of each type', async () => {
      const token = await ground.mint('patient/Observation.rs');
      expect((await ground.call('/CarePlan', { token })).status).to.equal(403);
      const types = (await found(`/Patient/${ground.recordId}/$everything`, token).catch(() => [])).map(
        (one) => one.split('/')[0],
      );
      expect(types.every((type) => type === 'Observation')).to.be.true();
    });

    it('keeps no readable word in the table of resources', async () => {
      const knex = direct(ground.service.services.database);
      const rows = (await knex('fhir_resource').select('content', 'sealed')) as { content: Buffer; sealed: number }[];
      expect(rows.length).to.be.above(3);
      expect(rows.every(({ sealed }) => Number(sealed) === 1)).to.be.true();
      expect(rows.some(({ content }) => content.includes('resourceType'))).to.be.false();
    });

    it('takes the narrative without what FHIR does not allow in it', async () => {
      const div = stringify(
        '<div xmlns="http://www.w3.org/1999/xhtml" onclick="x()"><p style="color:red">A &amp; <b>B</b></p><script>x()</script><a href="javascript:x()">c</a><img src="https://e.example/p.png" alt="p"/></div>',
      );
      const { id } = await post(
        '/Goal',
        about(
          `{"resourceType": "Goal", "text": {"status": "generated", "div": ${div}}, "lifecycleStatus": "active", "description": {"text": "d"}}`,
        ),
      );
      const { text } = await ground.get(`/Goal/${id}`);
      expect(text.div).to.equal(
        '<div xmlns="http://www.w3.org/1999/xhtml"><p style="color:red">A &amp; <b>B</b></p><a>c</a><img alt="p"/></div>',
      );
    });
  });
}
