/**
 * backend: an app that acts by itself reads the records that people shared with it, and nothing else (SMART Backend
 * Services).
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { ownApp, type OwnApp } from '../../support/app-folder';
import { addApp, addPerson, enable, now as stamp, type Signs } from '../../support/cast';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { ask, assertion, newSigningKey, type Form, type Reply, type SigningKey } from '../../support/smart-app';
import type { TestService } from '../../support/server';
import { createRecord, succeeded } from '../../support/world';
import { newId } from '../../../core/base/ids';
import * as sharingStore from '../../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const key = newSigningKey('ES384', 'one');
const other = newSigningKey('ES384', 'one');
const MANIFEST = {
  mode: 'background',
  autonomous_reason: 'Sends a letter when a result arrives',
  index: undefined,
  has_ui: false,
  grant_types: ['client_credentials'],
  scope:
    'system/Patient.rs system/Procedure.rs system/DocumentReference.rs system/Binary.r system/Observation.rs?category=laboratory',
  jwks: { keys: [key.jwk] },
};
const procedureIn = ({ services }: TestService): string =>
  `<Models xmlns="${services.config.vocabBase}/xml/documents#"><Model name="Procedure"><Field name="name">Appendectomy` +
  '</Field></Model></Models>';

for (const leg of databases) {
  describe(`an app that acts by itself, on ${leg.name}`, () => {
    let own: OwnApp;
    let ground: FhirGround;
    let bob: Signs;
    /** Bob's record is shared with nobody at first. */
    let others: string;
    let count = 0;
    before(async () => {
      own = ownApp(MANIFEST);
      ground = await startFhir(leg, { SVC_MANIFESTS_DIR: own.folders, SVC_RATE_ADDRESS_PER_MINUTE: '500' });
      bob = await addPerson(ground.service.services, 'ben@example.org', 'Ben Dow');
      others = await createRecord(ground.service.call, 'ben@example.org', 'Ben', 'Dow');
      await ground.put(procedureIn(ground.service));
      succeeded(
        await ground.service.call(bob, 'POST', `/records/${others}/documents/`, {
          body: procedureIn(ground.service),
          type: 'application/xml',
        }),
      );
    });
    after(async () => {
      await ground.service.stop();
      own.remove();
    });

    const claims = (change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
      count += 1;
      return {
        iss: own.id,
        sub: own.id,
        aud: `${ground.service.services.baseUrl()}/oauth2/token`,
        exp: Math.floor(Date.now() / 1000) + 240,
        jti: `backend ${count}`,
        ...change,
      };
    };
    const come = (scope: string, proof: Form = assertion(key, claims()), change: Form = {}): Promise<Reply> =>
      ask(ground.service.running.server, 'POST', '/oauth2/token', {
        grant_type: 'client_credentials',
        ...(scope === '' ? {} : { scope }),
        ...proof,
        ...change,
      });
    const tokenFor = async (scope: string): Promise<string> => {
      const { status, json } = await come(scope);
      expect(status, JSON.stringify(json)).to.equal(200);
      return String(json['access_token']);
    };
    const share = async (who: Signs, recordId: string): Promise<Answer> =>
      ground.service.call(who, 'PUT', `/records/${recordId}/apps/${own.id}`);
    const unshare = async (who: Signs, recordId: string): Promise<Answer> =>
      ground.service.call(who, 'DELETE', `/records/${recordId}/apps/${own.id}`);
    const read = (token: string, path: string, headers = {}): Promise<Answer> => ground.call(path, { token, headers });
    const statusOf = async (token: string, path: string): Promise<number> => (await read(token, path)).status;
    const bundle = async (token: string, path: string): Promise<Read> => {
      const answer = await read(token, path);
      expect(answer.status, answer.text).to.equal(200);
      return JSON.parse(answer.text) as Read;
    };
    const idsIn = ({ entry = [] }: Read): readonly string[] =>
      (entry as readonly Read[]).map(({ resource }) => (resource as Read)['id'] as string);

    it('gets a short token for its key, without a refresh token, and only for what its manifest says', async () => {
      const { status, json } = await come('system/Patient.rs system/Procedure.r');
      expect([status, json['token_type'], json['scope']]).to.equal([
        200,
        'Bearer',
        'system/Patient.rs system/Procedure.r',
      ]);
      expect(Number(json['expires_in']) <= 300).to.be.true();
      expect(Object.keys(json)).not.to.include(['refresh_token', 'patient', 'id_token', 'need_patient_banner']);
      for (const beyond of [
        'system/Condition.rs',
        'system/*.rs',
        'system/Procedure.cruds',
        'system/Procedure.c',
        'system/Observation.rs',
        'system/Observation.rs?category=vital-signs',
        'system/Nonsense.rs',
        'patient/Procedure.rs',
        'patient/*.rs',
        'openid',
        'offline_access',
        'system/Patient.rs system/Condition.rs',
        '',
      ]) {
        const refused = await come(beyond);
        expect([refused.status, refused.json['error']], beyond).to.equal([400, 'invalid_scope']);
      }
    });

    it('gets none with an assertion that is wrong in any way', async () => {
      const late = Math.floor(Date.now() / 1000);
      const wrong: readonly (readonly [string, Form])[] = [
        ['another key of that name', assertion(other, claims())],
        ['a key of no name', assertion(key, claims(), { kid: 'nobody' })],
        ['another audience', assertion(key, claims({ aud: 'https://other.example/oauth2/token' }))],
        ['expired', assertion(key, claims({ exp: late - 60 }))],
        ['good for too long', assertion(key, claims({ exp: late + 3600 }))],
        ['no jti', assertion(key, claims({ jti: undefined }))],
        ['another issuer', assertion(key, claims({ iss: 'medications@apps.svc.example' }))],
        ['keys of elsewhere', assertion(key, claims(), { jku: 'https://evil.example/keys' })],
        ['none at all', { client_id: own.id }],
        ['its secret', { client_id: own.id, client_secret: own.app.consumer.secret }],
      ];
      for (const [what, proof] of wrong) {
        const { status, json } = await come('system/Patient.rs', proof);
        expect([status, json['error']], what).to.equal([401, 'invalid_client']);
      }
      const proof = assertion(key, claims());
      expect((await come('system/Patient.rs', proof)).status).to.equal(200);
      const again = await come('system/Patient.rs', proof);
      expect([again.status, again.json['error']]).to.equal([401, 'invalid_client']);
    });

    it('gets no code for a person, and an app for people no token of its own', async () => {
      const asked = new URLSearchParams({ response_type: 'code', client_id: own.id, scope: 'patient/*.rs' });
      const { status } = await ask(ground.service.running.server, 'GET', `/oauth2/authorize?${asked.toString()}`);
      expect(status).to.equal(400);
      const signer: SigningKey = newSigningKey('ES384', 'people');
      await addApp(ground.service.services, 'people@apps.example', 'user', true);
      await direct(ground.service.services.database)('app')
        .where({ id: 'people@apps.example' })
        .update({
          manifest: JSON.stringify({
            smart_client: {
              redirect_uris: ['https://people.example/'],
              scope: 'patient/*.rs',
              token_endpoint_auth_method: 'private_key_jwt',
              jwks: { keys: [signer.jwk] },
            },
          }),
        });
      const proof = assertion(signer, claims({ iss: 'people@apps.example', sub: 'people@apps.example' }));
      const refused = await come('system/Patient.rs', proof);
      expect([refused.status, refused.json['error']]).to.equal([400, 'unauthorized_client']);
    });

    it('sees nothing before somebody shares, then that record alone, and nothing once the share has ended', async () => {
      const token = await tokenFor('system/Patient.rs system/Procedure.rs system/DocumentReference.rs');
      const { recordId, alice } = ground;
      expect(idsIn(await bundle(token, '/Patient'))).to.equal([]);
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(404);
      succeeded(await share(alice, recordId));
      expect(idsIn(await bundle(token, '/Patient'))).to.equal([recordId]);
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(200);
      const [procedure] = idsIn(await bundle(token, `/Procedure?patient=${recordId}`));
      expect(await statusOf(token, `/Procedure/${procedure!}`)).to.equal(200);
      expect(await statusOf(token, `/Procedure/${procedure!}/_history`)).to.equal(200);
      const [document] = idsIn(await bundle(token, `/DocumentReference?patient=Patient/${recordId}&_count=1`));
      expect(await statusOf(token, `/DocumentReference/${document!}`)).to.equal(200);
      // Of another record nothing is there, whether it is named or not.
      const knex = direct(ground.service.services.database);
      const [theirs] = (await knex('fhir_resource')
        .where({ record_id: others, type: 'Procedure' })
        .pluck('id')) as string[];
      const [written] = (await knex('document').where({ record_id: others }).pluck('id')) as string[];
      expect([theirs, written]).not.to.include(undefined);
      for (const path of [
        `/Patient/${others}`,
        `/Procedure?patient=${others}`,
        `/Patient/${others}/$everything`,
        `/Procedure/${procedure!}?patient=${others}`,
        `/Procedure/${theirs!}`,
        `/Procedure/${theirs!}/_history`,
        `/DocumentReference/${written!}`,
        `/Procedure/${theirs!}?patient=${recordId}`,
        `/Procedure/${newId()}`,
        '/Procedure',
        '/DocumentReference',
      ]) {
        const answer = await read(token, path);
        expect(answer.status, path).to.equal(404);
      }
      succeeded(await unshare(alice, recordId));
      for (const path of [`/Patient/${recordId}`, `/Procedure?patient=${recordId}`, `/Procedure/${procedure!}`]) {
        expect(await statusOf(token, path), path).to.equal(404);
      }
      expect(idsIn(await bundle(token, '/Patient'))).to.equal([]);
      succeeded(await share(alice, recordId));
    });

    it('reads only what its scopes open, and writes nothing', async () => {
      const { recordId } = ground;
      const token = await tokenFor('system/Procedure.rs');
      for (const path of [`/Patient/${recordId}`, '/Patient', `/Condition?patient=${recordId}`]) {
        const answer = await read(token, path);
        expect([answer.status, issueOf(answer)['code']], path).to.equal([403, 'forbidden']);
      }
      for (const path of ['/Procedure', '']) {
        const answer = await ground.call(`${path}?patient=${recordId}`, {
          token,
          method: 'POST',
          headers: { 'content-type': 'application/fhir+json' },
          body: JSON.stringify({
            resourceType: 'Procedure',
            status: 'completed',
            subject: { reference: `Patient/${recordId}` },
          }),
        });
        expect(answer.status, path).to.equal(403);
      }
      const all = await tokenFor('system/Patient.rs system/Procedure.rs');
      expect(await statusOf(all, `/Patient/${recordId}/$everything`)).to.equal(200);
      const order = await read(all, `/Patient/${recordId}/$export`, {
        prefer: 'respond-async',
        accept: 'application/fhir+json',
      });
      expect(order.status).to.equal(403);
    });

    it('gets pages that stay in their record, and a list of Patients without conditions', async () => {
      const { recordId } = ground;
      succeeded(await share(bob, others));
      const token = await tokenFor('system/Patient.rs system/DocumentReference.rs');
      const nextOf = ({ link }: Read): string | undefined =>
        ((link as readonly Read[]).find(({ relation }) => relation === 'next')?.['url'] as string | undefined)?.split(
          '/fhir',
        )[1];
      const first = await bundle(token, '/Patient?_count=1');
      const second = await bundle(token, nextOf(first)!);
      expect([...idsIn(first), ...idsIn(second)]).to.equal([recordId, others].sort());
      expect(nextOf(second)).to.be.undefined();
      expect(await statusOf(token, '/Patient?name=Lee')).to.equal(400);
      await ground.put(procedureIn(ground.service));
      const page = await bundle(token, `/DocumentReference?patient=${recordId}&_count=1`);
      expect(idsIn(await bundle(token, nextOf(page)!))).to.have.length(1);
      succeeded(await unshare(bob, others));
    });

    it('loses a record with whoever shared it, and has none by a circle or by an administrator', async () => {
      const { recordId, service } = ground;
      const { services } = service;
      const knex = direct(services.database);
      const token = await tokenFor('system/Patient.rs');
      // Somebody with a full share lets it in, and then loses the share.
      const dora = await addPerson(services, 'dora@example.org', 'Dora Dow');
      await sharingStore.putShare(knex, others, 'dora@example.org', null, stamp(services));
      succeeded(await share(dora, others));
      expect(await statusOf(token, `/Patient/${others}`)).to.equal(200);
      succeeded(await service.call(bob, 'DELETE', `/records/${others}/shares/dora@example.org`));
      expect(await statusOf(token, `/Patient/${others}`)).to.equal(404);
      succeeded(await unshare(bob, others));
      // Nobody's account has said yes.
      await enable(services, others, own.id);
      expect(await statusOf(token, `/Patient/${others}`)).to.equal(404);
      // It is placed in a carenet, as an app that worked for people until its manifest changed.
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(200);
      await sharingStore.putCarenetApp(knex, ground.carenetId, own.id, stamp(services));
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(404);
      await knex('carenet_app').where({ app_id: own.id }).delete();
      // The account that shared it is disabled.
      await knex('account').where({ id: 'alice@example.org' }).update({ state: 'disabled' });
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(404);
      await knex('account').where({ id: 'alice@example.org' }).update({ state: 'active' });
      expect(await statusOf(token, `/Patient/${recordId}`)).to.equal(200);
    });

    it('is named in the audit of each record that it reads', async () => {
      const { recordId, service } = ground;
      const rows = (await direct(service.services.database)('audit')
        .where({ principal_id: own.id, record_id: recordId })
        .select({ name: 'function_name', status: 'status' })) as readonly { name: string; status: number }[];
      const seen = new Set(rows.filter(({ status }) => Number(status) === 200).map((row) => row.name));
      expect([...seen]).to.include(['fhir_read', 'fhir_search', 'fhir_everything']);
    });

    it('has a token until it is revoked or over, and discovery says what there is', async () => {
      const { server } = ground.service.running;
      const token = await tokenFor('system/Patient.rs');
      const tell = (path: string): Promise<Reply> =>
        ask(server, 'POST', path, { token, client_id: own.id, ...assertion(key, claims()) });
      expect((await tell('/oauth2/introspect')).json).to.include({ active: true, scope: 'system/Patient.rs' });
      expect(await statusOf(token, '/Patient')).to.equal(200);
      expect((await tell('/oauth2/revoke')).status).to.equal(200);
      expect(await statusOf(token, '/Patient')).to.equal(401);
      const short = await tokenFor('system/Patient.rs');
      const { services } = ground.service;
      const { clock } = services;
      try {
        Object.assign(services, { clock: { now: () => clock.now() + 301_000 } });
        expect(await statusOf(short, '/Patient')).to.equal(401);
      } finally {
        Object.assign(services, { clock });
      }
      for (const path of ['/fhir/.well-known/smart-configuration', '/.well-known/openid-configuration']) {
        const { json } = await ask(server, 'GET', path);
        expect(json['grant_types_supported'], path).to.include('client_credentials');
        expect(json['scopes_supported'], path).to.include('system/*.rs');
      }
    });

    it('is nothing of which a service tells that has none', async () => {
      const knex = direct(ground.service.services.database);
      const late = await tokenFor('system/Patient.rs');
      await knex('app').where({ id: own.id }).update({ manifest: '{}' });
      expect(await statusOf(late, '/Patient')).to.equal(401);
      for (const path of ['/fhir/.well-known/smart-configuration', '/.well-known/openid-configuration']) {
        const { json } = await ask(ground.service.running.server, 'GET', path);
        expect(json['grant_types_supported'], path).to.equal(['authorization_code', 'refresh_token']);
        expect(json['scopes_supported'], path).not.to.include('system/*.rs');
      }
      const { status, json } = await come('system/Patient.rs');
      expect([status, json['error']]).to.equal([401, 'invalid_client']);
    });
  });
}
