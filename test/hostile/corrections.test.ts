/** corrections: a member of a carenet, or an app there, looks for what a correction removed from a document. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Signer } from '../../core/auth/sign';
import { databases } from '../support/databases';
import { admin, medications, startService, type TestService } from '../support/server';
import {
  attribute,
  authorizeApp,
  createAccount,
  createRecord,
  demographics,
  signIn,
  succeeded,
} from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const procedure = (comment: string): string =>
  '<Procedure ' +
  'xmlns="https://svc.example/vocab/xml/documents#"><datePerformed>2020-01-02T00:00:00Z</datePerformed><name ' +
  'type="http://purl.bioontology.org/ontology/SNOMEDCT/" value="80146002" ' +
  `abbrev="Appy">${comment}</name></Procedure>`;

for (const leg of databases) {
  describe(`what a correction took out on ${leg.name}`, () => {
    let service: TestService;
    let owner: Signer;
    let member: Signer;
    let app: Signer;
    let record: string;
    let carenet: string;
    const hidden: string[] = [];
    const latest: string[] = [];

    before(async () => {
      service = await startService(leg);
      const { call } = service;
      await createAccount(call, 'owner@example.org');
      await createAccount(call, 'member@example.org');
      const recordId = await createRecord(call, 'owner@example.org', 'Hiddenname');
      [owner, member] = [await signIn(call, 'owner@example.org'), await signIn(call, 'member@example.org')];
      record = `/records/${recordId}`;
      const id = attribute(succeeded(await call(owner, 'GET', `${record}/carenets/`)).text, 'Carenet', 'id');
      carenet = `/carenets/${id}`;
      succeeded(
        await call(owner, 'POST', `${carenet}/accounts/`, {
          form: { account_id: 'member@example.org', write: 'false' },
        }),
      );
      succeeded(await call(admin, 'PUT', `${record}/apps/${encodeURIComponent(medications!.consumer.key)}`));
      succeeded(await call(owner, 'PUT', `${carenet}/apps/${encodeURIComponent(medications!.consumer.key)}`));
      app = await authorizeApp(call, medications!, member, { carenet_id: id });

      const first = attribute(
        succeeded(await call(owner, 'POST', `${record}/documents/`, { body: procedure('secret remark') })).text,
        'Document',
        'id',
      );
      const facts = attribute(succeeded(await call(owner, 'GET', record)).text, 'demographics', 'document_id');
      for (const [old, body] of [
        [first, procedure('corrected once')],
        [facts, demographics('Newname', 'Lee')],
      ] as const) {
        succeeded(await call(owner, 'PUT', `${record}/documents/${old}/carenets/${id}`));
        const corrected = attribute(
          succeeded(await call(owner, 'POST', `${record}/documents/${old}/replace`, { body })).text,
          'Document',
          'id',
        );
        hidden.push(old);
        latest.push(corrected);
      }
    });
    after(() => service.stop());

    it('is not there by its id, for members, apps and whoever else goes through the carenet', async () => {
      for (const who of [member, app, owner]) {
        for (const path of ['', '/meta']) {
          for (const id of hidden) {
            expect((await service.call(who, 'GET', `${carenet}/documents/${id}${path}`)).status).to.equal(404);
          }
          for (const id of latest) {
            succeeded(await service.call(who, 'GET', `${carenet}/documents/${id}${path}`));
          }
        }
      }
    });

    it('is named by nothing that the carenet shows: neither its id nor its words', async () => {
      const doors = [
        '/record',
        '/documents/?limit=100',
        '/documents/?limit=100&order_by=-digest',
        ...latest.map((id) => `/documents/${id}/meta`),
        '/documents/special/demographics',
        '/demographics?response_format=application/xml',
        '/reports/minimal/procedures/',
        '/reports/Procedure/?response_format=application/xml',
        '/reports/Procedure/?response_format=application/json',
        '/reports/Procedure/?response_format=application/json&group_by=name&aggregate_by=count*',
        '/accounts/',
        '/apps/',
      ];
      for (const door of doors) {
        const { status, text } = await service.call(member, 'GET', `${carenet}${door}`);
        expect(status, `${door} ${text}`).to.equal(200);
        for (const word of [...hidden, 'secret remark', 'Hiddenname', '<replaces', '<original']) {
          expect(text.includes(word), `${door} tells ${word}`).to.be.false();
        }
      }
    });

    it('is still there for who may see the whole record', async () => {
      for (const [index, id] of hidden.entries()) {
        succeeded(await service.call(owner, 'GET', `${record}/documents/${id}`));
        const { text } = await service.call(owner, 'GET', `${record}/documents/${latest[index]}/meta`);
        expect([attribute(text, 'replaces', 'id'), attribute(text, 'original', 'id')]).to.equal([id, id]);
      }
    });
  });
}
