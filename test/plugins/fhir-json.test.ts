/**
 * fhir-json: FHIR documents in JSON through every call that makes a document: stored and served unchanged, with the
 * same facts as from XML.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../core/base/ids';
import { inProject } from '../../core/base/paths';
import { addPerson, addToken, enable, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { medications, startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const type = 'application/fhir+json';
const medication = readFileSync(inProject('test', 'fixtures', 'fhir-json', 'sample-stopped-medication.json'), 'utf8');
const allergy = readFileSync(inProject('test', 'fixtures', 'fhir-json', 'sample-one-allergy.json'), 'utf8');

for (const leg of databases) {
  describe(`FHIR in JSON on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let app: Signs;
    let recordId: string;
    before(async () => {
      service = await startService(leg);
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      recordId = await createRecord(service.call, 'alice@example.org');
      await enable(service.services, recordId, medications!.consumer.key);
      app = await addToken(service.services, { app: medications as Signs, accountId: 'alice@example.org', recordId });
    });
    after(() => service.stop());

    const documents = (rest = ''): string => `/records/${recordId}/documents/${rest}`;
    const call = (method: string, path: string, body: string, by = alice): Promise<Answer> =>
      service.call(by, method as 'POST', path, { body, type });
    const idOf = (answer: Answer): string => attribute(succeeded(answer).text, 'Document', 'id');
    const facts = async (model: string): Promise<readonly Record<string, unknown>[]> =>
      JSON.parse(succeeded(await service.call(alice, 'GET', `/records/${recordId}/reports/${model}/`)).text) as Record<
        string,
        unknown
      >[];

    it('is stored, digested and served as it came, and makes the facts of its XML form', async () => {
      const posted = succeeded(await call('POST', documents(), medication));
      const id = idOf(posted);
      expect([
        attribute(posted.text, 'Document', 'type'),
        attribute(posted.text, 'Document', 'digest'),
        attribute(posted.text, 'Document', 'size'),
      ]).to.equal(['http://hl7.org/fhir#MedicationRequest', sha256(medication), String(Buffer.byteLength(medication))]);
      // The reply says which facts were made.
      expect(posted.text).to.contain('<facts count="1"><model name="Medication" count="1"/></facts>');
      const content = succeeded(await service.call(alice, 'GET', documents(id)));
      expect([content.text, content.headers['content-type']]).to.equal([medication, type]);
      const [fact] = await facts('Medication');
      expect(fact).to.include({
        __documentid__: id,
        drugName_title: 'the small white tablets',
        status_title: 'Stopped',
      });
      expect(await facts('Medication/?status_identifier=active')).to.equal([]);
    });

    it('comes by every call that makes a document', async () => {
      const first = idOf(await call('POST', documents(), allergy));
      const replaced = idOf(await call('POST', documents(`${first}/replace`), allergy.replace('"low"', '"high"')));
      expect((await facts('Allergy')).map((fact) => fact['criticality_title'])).to.equal(['High']);
      idOf(await call('POST', documents(`${replaced}/rels/annotation/`), medication));
      const external = encodeURIComponent(medications!.consumer.key);
      idOf(await call('PUT', documents(`external/${external}/one`), medication, app));
      idOf(await call('POST', documents(`${replaced}/rels/interpretation/external/${external}/two`), medication, app));
      expect((await facts('Medication')).length).to.equal(4);
    });

    it('refuses what FHIR R4 does not know with its path, and stores nothing', async () => {
      const count = async (): Promise<string> =>
        attribute(succeeded(await service.call(alice, 'GET', documents())).text, 'Documents', 'total_document_count');
      const before = await count();
      const refused = await call('POST', documents(), medication.replace('"intent"', '"intend"'));
      expect([refused.status, attribute(refused.text, 'error', 'code')]).to.equal([400, 'invalid_document']);
      expect(refused.text).to.contain('MedicationRequest.intend: FHIR R4 has no such element here');
      const schema = await call('POST', documents(), medication.replace('  "intent": "order",\n', ''));
      expect([schema.status, attribute(schema.text, 'error', 'code')]).to.equal([400, 'invalid_document']);
      const old = await call('POST', documents(), '{"resourceType":"MedicationOrder","status":"active"}');
      expect(old.text).to.contain('it is FHIR DSTU2 (1.0)');
      // JSON of any other media type is refused, and so is XML with the media type of JSON.
      for (const other of ['application/json', 'application/xml', 'text/json', 'application/fhir+xml', '']) {
        const answer = await service.call(alice, 'POST', documents(), { body: medication, type: other });
        expect([other, answer.status]).to.equal([other, 400]);
      }
      expect((await call('POST', documents(), '<Note/>')).status).to.equal(400);
      expect((await call('POST', documents(), '')).status).to.equal(400);
      expect((await call('PUT', `/records/${recordId}/demographics`, medication)).status).to.equal(400);
      expect(await count()).to.equal(before);
    });

    it('travels with a message and is accepted', async () => {
      const inbox = `/records/${recordId}/inbox/m1`;
      succeeded(await service.call(app, 'POST', inbox, { form: { subject: 's', body: 'b', num_attachments: '1' } }));
      succeeded(await call('POST', `${inbox}/attachments/1`, allergy, app));
      const [message] = [
        ...succeeded(await service.call(alice, 'GET', '/accounts/alice%40example.org/inbox/')).text.matchAll(
          /<Message id="([^"]*)"/g,
        ),
      ].map((match) => match[1]!);
      succeeded(
        await service.call(alice, 'POST', `/accounts/alice%40example.org/inbox/${message}/attachments/1/accept`),
      );
      expect((await facts('Allergy')).length).to.equal(2);
    });
  });
}
