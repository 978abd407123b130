/**
 * create: incoming resources become documents: what is refused, what is reported of each part, and a condition that
 * holds under races.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { watchStatements } from '../../../core/db/watch';
import { inProject } from '../../../core/base/paths';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { issueOf, startFhir, type FhirCall, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const JSON_TYPE = 'application/fhir+json';

for (const leg of databases) {
  describe(`creating through the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = (path: string, body: object | string, { headers = {}, ...more }: FhirCall = {}): Promise<Answer> =>
      ground.call(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': JSON_TYPE, ...headers },
        ...more,
      });
    const documents = async (): Promise<number> => {
      const [row] = (await direct(ground.service.services.database)('document').count({ n: '*' })) as { n: number }[];
      return Number(row!.n);
    };
    const patient = (): Read => ({ reference: `Patient/${ground.recordId}` });
    const condition = (more: object = {}): Read => ({
      resourceType: 'Condition',
      code: { coding: [{ system: 'http://snomed.info/sct', code: '38341003', display: 'Hypertension' }] },
      subject: patient(),
      ...more,
    });
    const entryOf = (resource: Read, more: object = {}): object => ({
      resource,
      request: { method: 'POST', url: resource['resourceType'] },
      ...more,
    });
    const transaction = (...entry: readonly object[]): object => ({
      resourceType: 'Bundle',
      type: 'transaction',
      entry,
    });
    const refusedWith = async (answer: Promise<Answer>, status: number): Promise<Read> => {
      const before = await documents();
      const refused = await answer;
      expect([refused.status, refused.text.slice(0, 300)]).to.equal([status, refused.text.slice(0, 300)]);
      expect(await documents()).to.equal(before);
      return issueOf(refused);
    };

    it('stores what came, byte for byte, as one document with its facts', async () => {
      const body = `  ${JSON.stringify(condition({ recordedDate: '2024-05-06' }))}\n`;
      const answer = await post('/Condition', body);
      expect(answer.status, answer.text).to.equal(201);
      const id = ((await ground.get('/DocumentReference?type=Condition'))['entry'] as readonly Read[])[0]!['resource']
        .id as string;
      const raw = await ground.call(`/Binary/${id}`);
      expect([raw.text, raw.headers['content-type']]).to.equal([body, JSON_TYPE]);
      const facts = succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/Problem/`),
      );
      expect((JSON.parse(facts.text) as Read[])[0]).to.include({ name_title: 'Hypertension', __documentid__: id });
      const provenance = await ground.get(`/Provenance/${id}`);
      expect(provenance['agent'].map((agent: Read) => agent['who'].identifier.value)).to.equal([
        'alice@example.org',
        'medications@apps.svc.example',
      ]);
    });

    it('takes XML, and answers in the form that is asked for', async () => {
      const xml = readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-one-allergy.xml'), 'utf8').replace(
        /<reference value="[^"]*Patient[^"]*"\/>/,
        `<reference value="Patient/${ground.recordId}"/>`,
      );
      const answer = await post('/AllergyIntolerance', xml, {
        headers: { 'content-type': 'application/fhir+xml', accept: 'application/fhir+xml' },
      });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.headers['content-type']).to.equal('application/fhir+xml; charset=utf-8');
      const reference = await ground.get('/DocumentReference?type=AllergyIntolerance');
      expect(reference['entry'][0].resource.content[0].attachment.contentType).to.equal('application/fhir+xml');
    });

    it('answers a dispense that came alone with the resource that it made, again when it is there already', async () => {
      const dispense = {
        resourceType: 'MedicationDispense',
        identifier: [{ system: 'urn:app', value: 'dispense' }],
        status: 'completed',
        medicationCodeableConcept: { text: 'Amoxicillin' },
        subject: patient(),
        whenHandedOver: '2024-01-01',
      };
      const ids: unknown[] = [];
      for (const status of [201, 200]) {
        const headers = { 'if-none-exist': 'identifier=urn:app|dispense' };
        const answer = await post('/MedicationDispense', dispense, { headers });
        expect(answer.status, answer.text).to.equal(status);
        const made = JSON.parse(answer.text) as Read;
        expect(made).to.include({ resourceType: 'MedicationDispense', whenHandedOver: '2024-01-01' });
        expect(answer.headers['location']).to.contain(`/MedicationDispense/${made['id'] as string}/_history/`);
        ids.push(made['id']);
      }
      expect(new Set(ids).size).to.equal(1);
      expect((await ground.get(`/MedicationDispense/${ids[0] as string}`))['status']).to.equal('completed');
      const both = await post('', transaction(entryOf(dispense), entryOf(condition())));
      const [first] = (JSON.parse(both.text) as Read)['entry'] as readonly Read[];
      expect(first!['resource'].resourceType).to.equal('MedicationDispense');
    });

    it('refuses what is not FHIR R4, not of the type, or not in the form that it says', async () => {
      await refusedWith(post('/Condition', '{"resourceType":"Condition","colour":"red"}'), 400);
      await refusedWith(post('/Condition', '{"resourceType":'), 400);
      await refusedWith(post('/Condition', ''), 400);
      await refusedWith(post('/Condition', '[]'), 400);
      await refusedWith(post('/Procedure', condition()), 400);
      await refusedWith(post('', condition()), 400);
      await refusedWith(
        post('/Condition', { resourceType: 'Condition', subject: patient(), clinicalStatus: 'active' }),
        400,
      );
      await refusedWith(post('/Condition', condition(), { headers: { 'content-type': 'application/fhir+xml' } }), 400);
      await refusedWith(post('/Condition', '<Note/>', { headers: { 'content-type': 'application/fhir+xml' } }), 400);
      await refusedWith(post('/Condition', condition(), { headers: { 'content-type': 'text/plain' } }), 415);
      for (const [version, status] of [
        ['3.0', 415],
        ['"4.3"', 415],
        ['4.0', 201],
        ['"4.0.1"', 201],
      ] as const) {
        const headers = { 'content-type': `application/fhir+json; charset=utf-8; fhirVersion=${version}` };
        const answer = await post('/Condition', condition(), { headers });
        expect([version, answer.status]).to.equal([version, status]);
        if (status === 415) {
          expect(issueOf(answer)['details'].text).to.contain('fhirVersion=4.0');
        }
      }
      await refusedWith(post('/Nonsense', condition()), 404);
      await refusedWith(post('/Condition', `{"resourceType":"Condition","id":"${'x'.repeat(11_000_000)}"}`), 413);
      const path = await refusedWith(post('/Condition', '{"resourceType":"Condition","colour":"red"}'), 400);
      expect(path['code']).to.equal('structure');
    });

    it('refuses who may not create each type that comes, and every token for a carenet', async () => {
      const narrow = await ground.mint('patient/Condition.c patient/*.rs');
      expect((await post('/Condition', condition(), { token: narrow })).status).to.equal(201);
      const procedure = { resourceType: 'Procedure', status: 'completed', code: { text: 'x' }, subject: patient() };
      await refusedWith(post('/Procedure', procedure, { token: narrow }), 403);
      const issue = await refusedWith(
        post('', transaction(entryOf(condition()), entryOf(procedure)), { token: narrow }),
        403,
      );
      expect(issue['details'].text).to.contain('patient/Procedure.c');
      const old = await ground.mint('patient/Condition.write');
      expect((await post('/Condition', condition(), { token: old })).status).to.equal(201);
      await refusedWith(post('/Condition', condition(), { token: await ground.mint('patient/*.rs') }), 403);
      await refusedWith(post('', transaction(entryOf(condition())), { token: await ground.mint('patient/*.rs') }), 403);
      await refusedWith(post('/Condition', condition(), { token: ground.carenetToken }), 403);
      await refusedWith(post('', transaction(entryOf(condition())), { token: ground.carenetToken }), 403);
      await refusedWith(post('/Condition', condition(), { token: '' }), 401);
    });

    it('refuses a resource that names another Patient, unless its Bundle carries that one', async () => {
      const base = `${ground.service.services.baseUrl()}/fhir`;
      for (const reference of [
        `Patient/${ground.recordId}`,
        `Patient/${ground.recordId}/_history/3`,
        `${base}/Patient/${ground.recordId}`,
      ]) {
        expect((await post('/Condition', condition({ subject: { reference } }))).status, reference).to.equal(201);
      }
      expect((await post('/Condition', condition({ subject: { display: 'Alice' } }))).status).to.equal(201);
      for (const reference of [
        'Patient/other',
        'https://elsewhere.example/fhir/Patient/1',
        'urn:uuid:0a0a0a0a-0000-4000-8000-000000000000',
        'Patient?identifier=urn:x|1',
        '#nobody',
      ]) {
        const issue = await refusedWith(post('/Condition', condition({ subject: { reference } })), 422);
        expect([reference, issue['code']]).to.equal([reference, 'invariant']);
      }
      await refusedWith(post('/Condition', condition({ asserter: { reference: 'Patient/other' } })), 422);
      const person = { resourceType: 'Patient', id: 'p1', name: [{ text: 'A. Lee' }] };
      const named = 'urn:uuid:0a0a0a0a-0000-4000-8000-000000000001';
      const carried = transaction(
        entryOf(person, { fullUrl: named }),
        entryOf(condition({ subject: { reference: named } })),
        entryOf(condition({ subject: { reference: 'Patient/p1' }, id: 'c2' })),
      );
      expect((await post('', carried)).status).to.equal(200);
      await refusedWith(
        post('', transaction(entryOf(person), entryOf(condition({ subject: { reference: 'Patient/p2' } })))),
        422,
      );
    });

    it('takes Bundles of new resources only', async () => {
      for (const type of ['searchset', 'history', 'transaction-response', 'batch-response', 'message']) {
        await refusedWith(post('', { resourceType: 'Bundle', type, entry: [{ resource: condition() }] }), 422);
      }
      for (const [method, url] of [
        ['PUT', 'Condition/1'],
        ['DELETE', 'Condition/1'],
        ['GET', 'Condition'],
      ]) {
        for (const type of ['transaction', 'collection']) {
          const entry = [{ resource: condition(), request: { method, url } }, entryOf(condition())];
          await refusedWith(post('', { resourceType: 'Bundle', type, entry }), 422);
        }
      }
      const conditional = { method: 'POST', url: 'Condition', ifNoneExist: 'identifier=a|b' };
      const some = { type: 'collection', entry: [{ resource: condition(), request: conditional }] };
      await refusedWith(post('', { resourceType: 'Bundle', ...some }), 422);
      await refusedWith(
        post('', transaction(entryOf(condition())), { headers: { 'if-none-exist': 'identifier=a|b' } }),
        400,
      );
      expect((await post('/', transaction(entryOf(condition())))).status).to.equal(200);
      await refusedWith(post('/', transaction(entryOf(condition())), { token: ground.carenetToken }), 403);
      for (const [type, entry, status] of [
        ['batch', entryOf(condition()), 200],
        ['transaction', entryOf(condition()), 200],
        ['collection', { resource: condition() }, 201],
      ] as const) {
        const answer = await post('', { resourceType: 'Bundle', type, entry: [entry] });
        expect([type, answer.status]).to.equal([type, status]);
      }
    });

    it('refuses Bundles whose addresses are not clear, and those that are empty', async () => {
      const before = await documents();
      const url = 'urn:uuid:0a0a0a0a-0000-4000-8000-00000000000a';
      const part = (versionId?: string, fullUrl = url): Read => ({
        resource: condition(versionId === undefined ? {} : { meta: { versionId } }),
        fullUrl,
      });
      const collection = (...entry: readonly Read[]): Read => ({ resourceType: 'Bundle', type: 'collection', entry });
      const requested = (one: Read): Read => entryOf(one['resource'] as Read, { fullUrl: one['fullUrl'] as string });
      for (const refused of [
        collection(part(), part()),
        collection(part('1'), part('2'), part('1')),
        transaction(requested(part()), requested(part())),
        collection(part('1', 'https://elsewhere.example/fhir/Condition/1/_history/1')),
      ]) {
        const issue = await refusedWith(post('', refused), 422);
        expect(issue['details'].text).to.match(/Bundle\.entry\[\d\] .*\(bdl-[78]\)/);
      }
      for (const type of ['transaction', 'batch', 'collection', 'document']) {
        const issue = await refusedWith(post('', { resourceType: 'Bundle', type }), 422);
        expect(issue['details'].text).to.contain('without entries');
      }
      const xml = '<Bundle xmlns="http://hl7.org/fhir"><type value="transaction"/></Bundle>';
      await refusedWith(post('', xml, { headers: { 'content-type': 'application/fhir+xml' } }), 422);
      expect(await documents()).to.equal(before);
      for (const taken of [collection(part('1'), part('2')), collection(part(), part(undefined, `${url}b`))]) {
        expect((await post('', taken)).status).to.equal(201);
      }
    });

    it('updates, patches and deletes nothing', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await ground.call('/Condition/1', {
          method,
          body: JSON.stringify(condition()),
          headers: { 'content-type': JSON_TYPE },
        });
        expect([method, answer.status, issueOf(answer)['code']]).to.equal([method, 405, 'not-supported']);
      }
    });

    it('stores a resource once under one identifier, however many send it at once', async () => {
      const send = (value: string): Promise<Answer> =>
        post('/Condition', condition({ identifier: [{ system: 'urn:app', value }] }), {
          headers: { 'if-none-exist': `identifier=urn:app|${value}` },
        });
      const before = await documents();
      const answers = await Promise.all(Array.from({ length: 8 }, () => send('one')));
      expect(answers.map(({ status }) => status).sort()).to.equal([200, 200, 200, 200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ headers }) => headers['location'])).size).to.equal(1);
      expect(await documents()).to.equal(before + 1);
      expect((await send('two')).status).to.equal(201);
      // Resources that were created without a condition are found as well, but only within their type.
      expect(
        (await post('/Condition', condition({ identifier: [{ system: 'urn:app', value: 'three' }] }))).status,
      ).to.equal(201);
      expect((await send('three')).status).to.equal(200);
      const other = { resourceType: 'Procedure', status: 'completed', code: { text: 'x' }, subject: patient() };
      const conditional = { headers: { 'if-none-exist': 'identifier=urn:app|one' } };
      expect((await post('/Procedure', other, conditional)).status).to.equal(201);
      expect((await post('/Procedure', other, conditional)).status).to.equal(200);
      for (const wrong of ['nonsense', 'nonsense=1', '_count=1', 'onset-date=someday', 'code:above=x']) {
        await refusedWith(post('/Condition', condition(), { headers: { 'if-none-exist': wrong } }), 400);
      }
    });

    it('knows what came by the documents call, too, and looks at FHIR alone for it', async () => {
      const identified = (value: string) => condition({ identifier: [{ system: 'urn:app', value }] });
      const send = (value: string): Promise<Answer> =>
        post('/Condition', condition(), { headers: { 'if-none-exist': `identifier=urn:app|${value}` } });
      const bundle = transaction(entryOf(identified('put-1')), entryOf(identified('put-2')));
      const id = await ground.put(JSON.stringify(bundle), JSON_TYPE);
      const found = await send('put-2');
      expect([found.status, JSON.parse(found.text).meta.versionId]).to.equal([200, id]);
      const xml = `<Condition xmlns="http://hl7.org/fhir"><identifier><system value="urn:app"/><value value="put-3"/></identifier><code><text value="Cough"/></code><subject><reference value="Patient/${ground.recordId}"/></subject></Condition>`;
      await ground.put(xml, 'application/fhir+xml');
      expect((await send('put-3')).status).to.equal(200);
      // A later document with the same identifier is stored nevertheless, and then the condition is met twice.
      const again = await ground.put(JSON.stringify(identified('put-1')), JSON_TYPE);
      expect(again).to.not.equal(id);
      expect((await send('put-1')).status).to.equal(412);
      const statements: string[] = [];
      const stop = watchStatements(({ sql }) => statements.push(sql));
      await ground.put('<Note xmlns="urn:notes">no FHIR</Note>');
      const plain = statements.filter((sql) => sql.includes('document_identifier'));
      await ground.put(JSON.stringify(condition()), JSON_TYPE);
      stop();
      expect([plain, statements.filter((sql) => sql.includes('document_identifier'))]).to.equal([[], []]);
    });

    it('stores it anew when the document that had the identifier is void', async () => {
      const send = (): Promise<Answer> =>
        post('/Condition', condition(), { headers: { 'if-none-exist': 'identifier=urn:app|again' } });
      expect((await send()).status).to.equal(201);
      expect((await send()).status).to.equal(200);
      const [row] = (await direct(ground.service.services.database)('document')
        .orderBy('seq', 'desc')
        .limit(1)) as Read[];
      succeeded(
        await ground.service.call(
          ground.alice,
          'POST',
          `/records/${ground.recordId}/documents/${String(row!['id'])}/set-status`,
          { form: { status: 'void', reason: 'wrong' } },
        ),
      );
      const answers = await Promise.all(Array.from({ length: 4 }, send));
      expect(answers.map(({ status }) => status).sort()).to.equal([200, 200, 200, 201]);
    });
  });
}
