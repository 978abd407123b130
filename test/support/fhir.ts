/** fhir: a record with a SMART token for it, and calls of the FHIR door. */
import { expect } from '@hapi/code';
import type { Answer } from './client';
import { addAccount, addPerson, type Signs } from './cast';
import type { DatabaseLeg } from './databases';
import { mintSmartToken } from './smart';
import { medications, startService, type TestService } from './server';
import { attribute, createRecord, succeeded } from './world';
import { now } from './cast';
import { newId } from '../../core/base/ids';
import { direct } from './direct';
import * as sharingStore from '../../core/sharing/store';

export const FHIR_APP = medications!.consumer.key;

/** A resource as a client reads it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into resources of every type
export type Read = { readonly [element: string]: any };

export type FhirCall = {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Alice owns a record, and Carol is in one of its carenets; Bob has a full share. */
export type FhirGround = {
  readonly service: TestService;
  readonly alice: Signs;
  readonly recordId: string;
  readonly carenetId: string;
  /** Tokens that read all of the record, and the carenet. */
  readonly token: string;
  readonly carenetToken: string;
  readonly shareToken: string;
  readonly mint: (scopes: string, account?: string) => Promise<string>;
  readonly call: (path: string, options?: FhirCall) => Promise<Answer>;
  /** Reads a resource; fails unless that succeeds. */
  readonly get: (path: string, options?: FhirCall) => Promise<Read>;
  /** Stores a document as Alice; resolves to its id. */
  readonly put: (body: string, type?: string, path?: string) => Promise<string>;
};

export const startFhir = async (
  leg: DatabaseLeg,
  settings: Readonly<Record<string, string>> = {},
): Promise<FhirGround> => {
  const service = await startService(leg, settings);
  const { services } = service;
  const alice = await addPerson(services, 'alice@example.org', 'Alice Lee');
  await addAccount(services, 'bob@example.org', 'Bob Lee');
  await addAccount(services, 'carol@example.org', 'Carol Moss');
  const recordId = await createRecord(service.call, 'alice@example.org', 'Alice', 'Lee');
  const carenetId = newId();
  const knex = direct(services.database);
  await sharingStore.insertCarenet(knex, { id: carenetId, recordId, name: 'Clinic' }, now(services));
  await sharingStore.putMember(knex, carenetId, 'carol@example.org', false, now(services));
  await sharingStore.putShare(knex, recordId, 'bob@example.org', null, now(services));
  const mint = (scopes: string, account = 'alice@example.org'): Promise<string> =>
    mintSmartToken(service, { account, app: FHIR_APP, scopes, record: recordId });
  const token = await mint('patient/*.cruds');
  const call: FhirGround['call'] = async (path, { method = 'GET', token: other = token, headers = {}, body } = {}) => {
    const response = await service.running.server.inject({
      method,
      url: `/fhir${path}`,
      headers: { ...(other === '' ? {} : { authorization: `Bearer ${other}` }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: response.statusCode,
      text: response.payload,
      bytes: response.rawPayload,
      headers: response.headers,
    };
  };
  return {
    service,
    alice,
    recordId,
    carenetId,
    token,
    carenetToken: await mintSmartToken(service, {
      account: 'carol@example.org',
      app: FHIR_APP,
      scopes: 'patient/*.cruds',
      carenet: carenetId,
    }),
    shareToken: await mint('patient/*.rs', 'bob@example.org'),
    mint,
    call,
    get: async (path, options) => {
      const answer = await call(path, options);
      expect(answer.status, answer.text).to.equal(200);
      return JSON.parse(answer.text) as Read;
    },
    put: async (body, type = 'application/xml', path = `/records/${recordId}/documents/`) =>
      attribute(succeeded(await service.call(alice, 'POST', path, { body, type })).text, 'Document', 'id'),
  };
};

/** The issue of a response that is an OperationOutcome in JSON. */
export const issueOf = (answer: Answer): Read => {
  const outcome = JSON.parse(answer.text) as Read;
  expect(outcome['resourceType'], answer.text).to.equal('OperationOutcome');
  expect(outcome['issue'][0].severity).to.equal('error');
  return outcome['issue'][0] as Read;
};
