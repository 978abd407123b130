/** first-document: one document through all steps: posted, validated, transformed, stored, reported; and refusals. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import type { Credentials } from '../support/client';
import { medications, startService, type TestService } from '../support/server';
import { attribute, authorizeApp, makeWorld, succeeded, type World } from '../support/world';
import { direct } from '../support/direct';
import { NS, procedure } from '../support/archives';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const deep = (levels: number): string => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;

for (const leg of databases) {
  describe(`a document on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let app: Credentials;
    let documents: string;

    before(async () => {
      service = await startService(leg, { SVC_MAX_DOCUMENT_BYTES: '1000000' });
      world = await makeWorld(service);
      app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      documents = `/records/${world.recordId}/documents/`;
    });
    after(() => service.stop());

    const count = async (table: string): Promise<number> =>
      Number(((await direct(service.services.database)(table).count({ n: '*' }).first()) as { n: number }).n);

    it('is stored byte for byte and answered by the report of its model', async () => {
      const xml = procedure('Appendectomy');
      const posted = succeeded(await service.call(app, 'POST', documents, { body: xml }));
      const id = attribute(posted.text, 'Document', 'id');
      expect(attribute(posted.text, 'Document', 'type')).to.equal(`${NS}Procedure`);

      const content = succeeded(await service.call(world.alice, 'GET', `${documents}${id}`));
      expect(content.text).to.equal(xml);
      expect(content.headers['content-type']).to.equal('application/xml');
      expect(content.headers['cache-control']).to.equal('no-store');

      const report = succeeded(
        await service.call(
          app,
          'GET',
          `/records/${world.recordId}/reports/Procedure/?response_format=application%2Fjson`,
        ),
      );
      const facts = JSON.parse(report.text) as Record<string, unknown>[];
      expect(facts.length).to.equal(1);
      expect(facts[0]).to.include({
        __modelname__: 'Procedure',
        __documentid__: id,
        name: 'Appendectomy',
        name_value: '80146002',
        date_performed: '2024-03-05T13:00:00Z',
      });
    });

    it('is shown to nobody who is a stranger to the record, not even as existing', async () => {
      const refusals = await Promise.all([
        service.call(world.bob, 'GET', documents),
        service.call(world.bob, 'GET', '/records/00000000-0000-7000-8000-000000000000/documents/'),
        service.call(null, 'GET', documents),
        service.call(medications, 'GET', documents),
        service.call({ ...world.alice, token: { key: world.alice.token!.key, secret: 'wrong' } }, 'GET', documents),
      ]);
      for (const refusal of refusals) {
        expect(refusal.status).to.equal(403);
        expect(refusal.text).to.equal(refusals[0]!.text);
      }
    });

    const refused: readonly { name: string; body: string; type?: string; status: number; code: string }[] = [
      { name: 'malformed', body: '<Procedure><name>', status: 400, code: 'invalid_document' },
      { name: 'empty', body: '', status: 400, code: 'invalid_document' },
      { name: 'not XML', body: '{"a":1}', type: 'application/json', status: 400, code: 'invalid_document' },
      {
        name: 'invalid by its schema',
        body: `<Procedure xmlns="${NS}"><location>here</location></Procedure>`,
        status: 400,
        code: 'invalid_document',
      },
      {
        name: 'with a DOCTYPE',
        body: `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
        status: 400,
        code: 'invalid_document',
      },
      { name: '100,000 levels deep', body: deep(100_000), status: 400, code: 'invalid_document' },
      { name: 'huge', body: `<a>${'x'.repeat(1_000_001)}</a>`, status: 413, code: 'too_large' },
    ];
    for (const { name, body, type, status, code } of refused) {
      it(`is refused when it is ${name}, and leaves nothing`, async () => {
        const before = await count('document');
        const facts = await count('fact_procedure');
        const answer = await service.call(app, 'POST', documents, { body, ...(type ? { type } : {}) });
        expect(answer.status, answer.text.slice(0, 300)).to.equal(status);
        expect(attribute(answer.text, 'error', 'code')).to.equal(code);
        expect(attribute(answer.text, 'error', 'status')).to.equal(String(status));
        expect(await count('document')).to.equal(before);
        expect(await count('fact_procedure')).to.equal(facts);
      });
    }

    it('names the line of what is wrong and never quotes the document', async () => {
      const answer = await service.call(app, 'POST', documents, {
        body: `<Procedure xmlns="${NS}">\n<name>secret-diagnosis</name>\n<wrong>secret-diagnosis</wrong>\n</Procedure>`,
      });
      expect(answer.status).to.equal(400);
      expect(attribute(answer.text, 'detail', 'line')).to.equal('3');
      expect(answer.text).to.not.contain('secret-diagnosis');
      const json = await service.call(app, 'POST', documents, { body: '<', headers: { accept: 'application/json' } });
      expect(JSON.parse(json.text)).to.include({ status: 400, code: 'invalid_document' });
    });

    it('posted 200 times at once by 20 callers makes 200 documents, 200 sets of facts, 200 audit rows', async () => {
      const before = {
        documents: await count('document'),
        facts: await count('fact_procedure'),
        audits: await count('audit'),
      };
      const caller = async (number: number): Promise<void> => {
        for (let round = 0; round < 10; round += 1) {
          succeeded(await service.call(app, 'POST', documents, { body: procedure(`Procedure ${number}-${round}`) }));
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, number) => caller(number)));
      expect(await count('document')).to.equal(before.documents + 200);
      expect(await count('fact_procedure')).to.equal(before.facts + 200);
      expect(await count('audit')).to.equal(before.audits + 200);
      const orphans = (await direct(service.services.database)('fact_procedure')
        .leftJoin('document', 'document.id', 'fact_procedure._document_id')
        .whereNull('document.id')
        .count({ n: '*' })
        .first()) as { n: number };
      expect(Number(orphans.n)).to.equal(0);
    });

    it('leaves an audit row for refused and allowed calls alike, with the caller', async () => {
      await service.call(world.bob, 'GET', documents);
      const row = await direct(service.services.database)('audit').orderBy('seq', 'desc').first();
      expect(row).to.include({
        function_name: 'record_document_list',
        principal_id: 'bob@example.org',
        record_id: world.recordId,
        status: 403,
        successful: 0,
      });
    });

    it('shows in the audits of its record who let the app in', async () => {
      const { text } = succeeded(
        await service.call(
          world.alice,
          'GET',
          `/records/${world.recordId}/audits/query/?function_name=request_token_approve|exchange_token`,
        ),
      );
      expect(text)
        .to.contain('view_func="request_token_approve"')
        .and.to.contain('view_func="exchange_token"')
        .and.to.contain('effective_principal="alice@example.org"');
    });

    it('is answered 405 with Allow for a method that the path does not have, and 404 for a path that is none', async () => {
      const wrong = await service.call(app, 'DELETE', `/records/${world.recordId}`);
      expect(wrong.status).to.equal(405);
      expect(wrong.headers['allow']).to.equal('GET, HEAD');
      expect((await service.call(app, 'GET', documents.slice(0, -1))).status).to.equal(404);
    });

    it('answers HEAD like GET', async () => {
      const head = await service.call(app, 'HEAD', documents);
      expect(head.status).to.equal(200);
      expect(head.text).to.equal('');
    });
  });
}
