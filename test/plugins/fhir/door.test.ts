/** door: the FHIR door itself: formats, refusals, states, audit rows, browsers of other sites. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml } from 'libxmljs2';
import { databases } from '../../support/databases';
import { FHIR_APP, issueOf, startFhir, type FhirGround } from '../../support/fhir';
import { startService } from '../../support/server';
import { direct } from '../../support/direct';
import * as sharingStore from '../../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const XML = 'application/fhir+xml; charset=utf-8';
const JSON_TYPE = 'application/fhir+json; charset=utf-8';

for (const leg of databases) {
  describe(`the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const patient = (rest = ''): string => `/Patient/${ground.recordId}${rest}`;

    it('answers in the form that is asked for', async () => {
      const forms: readonly (readonly [string, string | undefined, string])[] = [
        ['', undefined, JSON_TYPE],
        ['', '*/*', JSON_TYPE],
        ['', 'application/json', JSON_TYPE],
        ['', 'application/fhir+json;charset=utf-8', JSON_TYPE],
        ['', 'application/fhir+xml', XML],
        ['', 'text/xml', XML],
        ['', 'application/fhir+json;q=0.5, application/fhir+xml', XML],
        ['', 'application/fhir+json;q=0, */*', XML],
        ['', 'application/fhir+xml;q=0, */*', JSON_TYPE],
        ['', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', XML],
        ['?_format=xml', 'application/fhir+json', XML],
        ['?_format=application/fhir+xml', undefined, XML],
        ['?_format=application%2Ffhir%2Bjson', 'application/xml', JSON_TYPE],
        ['?_format=json', 'text/turtle', JSON_TYPE],
        ['', 'application/fhir+json; fhirVersion=4.0', JSON_TYPE],
        ['', 'application/fhir+xml;fhirVersion="4.0.1"', XML],
        ['', 'application/fhir+json; fhirVersion=3.0, application/fhir+xml; fhirVersion=4.0; q=0.1', XML],
        ['?_format=application/fhir%2Bxml;fhirVersion=4.0', undefined, XML],
      ];
      for (const [query, accept, type] of forms) {
        const answer = await ground.call(patient(query), { headers: accept === undefined ? {} : { accept } });
        expect([query, accept, answer.status, answer.headers['content-type']]).to.equal([query, accept, 200, type]);
      }
      for (const [query, accept] of [
        ['', 'text/turtle'],
        ['', 'image/png, text/plain'],
        ['', 'application/fhir+json;q=0'],
        ['?_format=ttl', undefined],
        ['?_format=constructor', undefined],
      ] as const) {
        const answer = await ground.call(patient(query), { headers: accept === undefined ? {} : { accept } });
        expect([query, accept, answer.status]).to.equal([query, accept, 406]);
        expect(issueOf(answer)['code']).to.equal('not-supported');
      }
    });

    it('speaks R4 only, and says so to who asks for another version', async () => {
      for (const [path, accept] of [
        [patient(), 'application/fhir+json; fhirVersion=3.0'],
        [patient(), 'application/fhir+json;fhirVersion="5.0"'],
        [patient(), 'application/fhir+xml; FHIRVersion=4.3'],
        [patient(), 'text/html, application/fhir+json; fhirVersion=1.0; q=0.9'],
        [patient('?_format=application/fhir%2Bjson;fhirVersion=3.0'), 'application/fhir+json'],
        ['/metadata', 'application/fhir+json; fhirVersion=4'],
        ['/Condition', 'application/fhir+json; fhirVersion=3.0'],
        [patient('/$everything'), 'application/fhir+json; fhirVersion=3.0'],
      ] as const) {
        const answer = await ground.call(path, { headers: { accept } });
        expect([path, accept, answer.status]).to.equal([path, accept, 406]);
        expect(issueOf(answer)['details'].text).to.contain('fhirVersion=4.0');
      }
      const parameters = JSON.stringify({ resourceType: 'Parameters' });
      for (const [version, status] of [
        ['3.0', 415],
        ['4.0', 200],
      ] as const) {
        const answer = await ground.call(patient('/$everything'), {
          method: 'POST',
          body: parameters,
          headers: { 'content-type': `application/fhir+json; fhirVersion=${version}` },
        });
        expect([version, answer.status]).to.equal([version, status]);
      }
    });

    it('says the same in XML as in JSON', async () => {
      const json = await ground.get(patient());
      const { text } = await ground.call(patient('?_format=xml'));
      expect(text).to.startWith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Patient xmlns="http://hl7.org/fhir"><id value="',
      );
      expect(parseXml(text).root()?.name()).to.equal('Patient');
      expect(text).to.contain(`<family value="${json['name'][0].family}"></family>`);
      expect(text).to.contain(`<birthDate value="${json['birthDate']}">`);
      const pretty = await ground.call(patient('?_pretty=true'));
      expect(pretty.text).to.contain('\n  "resourceType": "Patient"');
    });

    it('refuses with 401 who brings no token, or one that is none or has ended', async () => {
      for (const [headers, challenge] of [
        [{}, 'Bearer realm="fhir"'],
        [{ authorization: 'Bearer nonsense' }, 'Bearer realm="fhir", error="invalid_token"'],
        [{ authorization: 'Bearer ' }, 'Bearer realm="fhir", error="invalid_token"'],
        [{ authorization: 'Basic YTpi' }, 'Bearer realm="fhir", error="invalid_token"'],
      ] as const) {
        const answer = await ground.call(patient(), { token: '', headers });
        expect(answer.status).to.equal(401);
        expect(answer.headers['www-authenticate']).to.equal(challenge);
        expect(issueOf(answer)['code']).to.equal('login');
      }
      const inXml = await ground.call(patient('?_format=xml'), { token: '' });
      expect(inXml.text).to.contain('<OperationOutcome xmlns="http://hl7.org/fhir"><issue><severity value="error">');
    });

    it('refuses at the next call whose access has ended', async () => {
      const { service, recordId } = ground;
      const knex = direct(service.services.database);
      const shared = (): Promise<{ status: number }> => ground.call(patient(), { token: ground.shareToken });
      expect((await shared()).status).to.equal(200);
      await knex('record_share').where({ record_id: recordId, account_id: 'bob@example.org' }).delete();
      expect((await shared()).status).to.equal(401);
      await sharingStore.putShare(knex, recordId, 'bob@example.org', null, '2026-01-01T00:00:00.000000Z');
      expect((await shared()).status).to.equal(200);
      const inCarenet = (): Promise<{ status: number }> => ground.call(patient(), { token: ground.carenetToken });
      expect((await inCarenet()).status).to.equal(200);
      await knex('carenet_account').where({ account_id: 'carol@example.org' }).delete();
      expect((await inCarenet()).status).to.equal(401);
      await sharingStore.putMember(knex, ground.carenetId, 'carol@example.org', false, '2026-01-01T00:00:00.000000Z');
      expect((await inCarenet()).status).to.equal(200);
    });

    it('refuses with 403 what the scopes do not say, and lets each scope open its own type only', async () => {
      const only = await ground.mint('patient/DocumentReference.rs');
      const answer = await ground.call(patient(), { token: only });
      expect(answer.status).to.equal(403);
      expect(answer.headers['www-authenticate']).to.contain('error="insufficient_scope", scope="patient/Patient.r"');
      expect(issueOf(answer)['code']).to.equal('forbidden');
      expect((await ground.call('/DocumentReference', { token: only })).status).to.equal(200);
      const readOnly = await ground.mint('patient/DocumentReference.r patient/Patient.s');
      expect((await ground.call('/DocumentReference', { token: readOnly })).status).to.equal(403);
      expect((await ground.call('/Patient', { token: readOnly })).status).to.equal(200);
      expect((await ground.call(patient(), { token: readOnly })).status).to.equal(403);
      const old = await ground.mint('patient/Patient.read');
      expect((await ground.call(patient(), { token: old })).status).to.equal(200);
      expect((await ground.call('/Patient', { token: old })).status).to.equal(200);
    });

    it('answers 404 alike for what is not theirs and what does not exist', async () => {
      const other = '01890000-0000-7000-8000-000000000000';
      for (const path of [
        `/Patient/${other}`,
        '/Patient/1',
        `/DocumentReference/${other}`,
        `/Binary/${other}`,
        `/Provenance/${other}`,
        `/RelatedPerson/${other}`,
        `/RelatedPerson/alice@example.org`,
        patient('/_history/2'),
        '/Nonsense/1',
        '/constructor/1',
        '/__proto__/1',
        '/Element/1',
        '/Patient/1/2/3/4',
        '/nowhere/at/all/',
        '/%2e%2e/Patient',
        `/Patient/${'x'.repeat(3000)}`,
      ]) {
        const answer = await ground.call(path);
        expect([path.slice(0, 60), answer.status]).to.equal([path.slice(0, 60), 404]);
        expect(issueOf(answer)['code']).to.equal('not-found');
      }
      for (const path of ['/Patient/%', '/%zz', '/Patient/%ff']) {
        const answer = await ground.call(path);
        expect([path, answer.status]).to.equal([path, 400]);
        issueOf(answer);
      }
    });

    it('answers 405 to what it does not do, and says what it does', async () => {
      for (const [method, path, allow] of [
        ['PUT', patient(), 'GET, HEAD'],
        ['PATCH', patient(), 'GET, HEAD'],
        ['DELETE', patient(), 'GET, HEAD'],
        ['PUT', '/metadata', 'GET, HEAD'],
        ['POST', '/metadata', 'GET, HEAD'],
        ['GET', '/Patient/_search/x/y', undefined],
      ] as const) {
        const answer = await ground.call(path, { method, body: method === 'GET' ? undefined : '{}' } as object);
        expect([method, answer.status]).to.equal([method, allow === undefined ? 404 : 405]);
        if (allow !== undefined) {
          expect(answer.headers['allow']).to.contain(allow);
          // POST is not offered for an address that can only be read.
          expect(path === '/metadata' && String(answer.headers['allow']).includes('POST')).to.be.false();
          expect(issueOf(answer)['code']).to.equal('not-supported');
        }
      }
    });

    it('names the state of a resource, and sends it once', async () => {
      const first = await ground.call(patient());
      const { etag, 'last-modified': modified } = first.headers as Record<string, string>;
      expect(etag).to.match(/^W\/"[\w-]+"$/);
      for (const headers of [
        { 'if-none-match': etag! },
        { 'if-none-match': `"x", ${etag!}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': modified! },
      ] as readonly Record<string, string>[]) {
        const again = await ground.call(patient(), { headers });
        expect([headers, again.status, again.text]).to.equal([headers, 304, '']);
        expect(again.headers['etag']).to.equal(etag);
      }
      for (const headers of [
        { 'if-none-match': 'W/"other"' },
        { 'if-none-match': 'W/"other"', 'if-modified-since': modified! },
        { 'if-modified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
        { 'if-modified-since': 'nonsense' },
      ] as readonly Record<string, string>[]) {
        expect([headers, (await ground.call(patient(), { headers })).status]).to.equal([headers, 200]);
      }
      const head = await ground.call(patient(), { method: 'HEAD' });
      expect([head.status, head.text, head.headers['etag']]).to.equal([200, '', etag]);
    });

    it('shows a part of a resource when it is asked for one, and marks it as a part', async () => {
      const whole = await ground.get(patient());
      expect(whole['meta'].tag).to.be.undefined();
      const elements = await ground.get(patient('?_elements=gender,birthDate'));
      expect(Object.keys(elements).sort()).to.equal(['active', 'birthDate', 'gender', 'id', 'meta', 'resourceType']);
      expect(elements['meta'].tag[0].code).to.equal('SUBSETTED');
      const summary = await ground.get(patient('?_summary=true'));
      expect(summary['name']).to.equal(whole['name']);
      expect(summary['communication']).to.be.undefined();
      expect(Object.keys(await ground.get(patient('?_summary=text'))).sort()).to.equal([
        'active',
        'id',
        'meta',
        'resourceType',
      ]);
      expect((await ground.get(patient('?_summary=data')))['gender']).to.equal(whole['gender']);
      const refused = await ground.call(patient('?_summary=most'));
      expect([refused.status, issueOf(refused)['code']]).to.equal([400, 'value']);
    });

    it('leaves an audit row for each call: account, app, record or carenet, path without its query', async () => {
      const { services } = ground.service;
      const rows = async (): Promise<readonly Record<string, unknown>[]> =>
        (await direct(services.database)('audit')
          .orderBy('requested_at', 'desc')
          .orderBy('writer_seq', 'desc')
          .limit(1)) as Record<string, unknown>[];
      await ground.call(patient('?_elements=gender'));
      expect((await rows())[0]).to.include({
        function_name: 'fhir_read',
        principal_id: 'alice@example.org',
        proxy_id: FHIR_APP,
        consumer_key: FHIR_APP,
        record_id: ground.recordId,
        carenet_id: null,
        url: `/fhir/Patient/${ground.recordId}`,
        status: 200,
        successful: 1,
      });
      await ground.call('/Patient?name=Lee&birthdate=1970-01-02', { token: ground.carenetToken });
      expect((await rows())[0]).to.include({
        function_name: 'fhir_search',
        principal_id: 'carol@example.org',
        record_id: ground.recordId,
        carenet_id: ground.carenetId,
        url: '/fhir/Patient',
        status: 200,
      });
      const none = await ground.mint('patient/Condition.rs');
      await ground.call(patient(), { token: none });
      expect((await rows())[0]).to.include({ record_id: ground.recordId, status: 403, successful: 0 });
      await ground.call('/Patient/knocking?_format=xml', { token: '' });
      expect((await rows())[0]).to.include({
        url: '/fhir/Patient/knocking',
        principal_id: null,
        status: 401,
        successful: 0,
      });
    });

    it('lets pages in browsers read its answers on the origins of the app only', async () => {
      const { services } = ground.service;
      await direct(services.database)('app')
        .where({ id: FHIR_APP })
        .update({
          manifest: JSON.stringify({
            smart_client: { redirect_uris: ['https://app.example/back', 'https://other.example:8443/x'] },
          }),
        });
      // The service reads the allowed origins again after some seconds.
      const origin = 'https://app.example';
      const allowedOf = async (path: string, from: string, options: object = {}): Promise<unknown> =>
        (await ground.call(path, { headers: { origin: from }, ...options })).headers['access-control-allow-origin'];
      const preflight = await ground.call(patient(), {
        method: 'OPTIONS',
        token: '',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      });
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).to.equal([204, origin]);
      expect(preflight.headers['access-control-allow-headers']).to.contain(['Authorization', 'If-Range', 'X-Medplum']);
      expect(preflight.headers['access-control-allow-credentials']).to.equal('true');
      const credentialsOf = async (path: string, from: string, token?: string): Promise<unknown> =>
        (await ground.call(path, { headers: { origin: from }, ...(token === undefined ? {} : { token }) })).headers[
          'access-control-allow-credentials'
        ];
      expect(await credentialsOf(patient(), origin)).to.equal('true');
      expect(await credentialsOf('/metadata', origin, '')).to.equal('true');
      for (const from of ['https://evil.example', 'null', 'http://app.example']) {
        expect([from, await credentialsOf(patient(), from)]).to.equal([from, undefined]);
        expect([from, await credentialsOf('/metadata', from, '')]).to.equal([from, undefined]);
      }
      expect(await allowedOf(patient(), origin)).to.equal(origin);
      expect(await allowedOf(patient(), 'https://other.example:8443')).to.equal('https://other.example:8443');
      expect(await allowedOf(patient(), origin, { token: '' })).to.equal(origin);
      for (const from of ['https://evil.example', 'null', 'https://app.example.evil', 'http://app.example', '']) {
        expect([from, await allowedOf(patient(), from)]).to.equal([from, undefined]);
        expect([from, await allowedOf(patient(), from, { method: 'OPTIONS', token: '' })]).to.equal([from, undefined]);
      }
      expect(await allowedOf('/metadata', 'https://anybody.example', { token: '' })).to.equal('*');
      // The rest of the service allows no other origin.
      const elsewhere = await ground.service.running.server.inject({
        method: 'GET',
        url: '/version',
        headers: { origin },
      });
      expect(elsewhere.headers['access-control-allow-origin']).to.be.undefined();
    });
  });
}

describe('the FHIR door that is left out', () => {
  it('is not there', async () => {
    const service = await startService(databases[0]!, { SVC_FHIR: '0' });
    try {
      for (const url of ['/fhir/metadata', '/fhir/Patient/1', '/fhir']) {
        const { statusCode, payload } = await service.running.server.inject({ method: 'GET', url });
        expect([url, statusCode]).to.equal([url, 404]);
        expect(payload).to.contain('<error status="404" code="not_found">');
      }
    } finally {
      await service.stop();
    }
  });
});
