/** audits: the records of calls, and the four ways to read them, through signed calls. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addApp, addPerson, addToken, enable, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { admin, startService, ui, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const note = (text: string): string => `<Note xmlns="${NS}">${text}</Note>`;
const idOf = (answer: Answer): string => attribute(succeeded(answer).text, 'Document', 'id');

type Entry = Record<string, string>;
/** Every entry with all its attributes. */
const entriesIn = (answer: Answer): Entry[] =>
  [...succeeded(answer).text.matchAll(/<AuditEntry>(.*?)<\/AuditEntry>/gs)].map(([, text]) =>
    Object.fromEntries([...text!.matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1]!, match[2]!])),
  );

for (const leg of databases) {
  describe(`audits on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let app: Signs;
    let token: Signs;
    let recordId: string;
    let record: string;
    let document: string;

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const query = async (text: string): Promise<Answer> => call(alice, 'GET', `${record}/audits/query/?${text}`);

    before(async () => {
      service = await startService(leg);
      const { services } = service;
      alice = await addPerson(services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(services, 'bob@example.org', 'Bob Stranger');
      app = await addApp(services, 'app@apps.example', 'user');
      recordId = await createRecord(service.call, 'alice@example.org');
      record = `/records/${recordId}`;
      await enable(services, recordId, 'app@apps.example');
      token = await addToken(services, { app, accountId: 'alice@example.org', recordId });
      document = idOf(await call(token, 'POST', `${record}/documents/`, { body: note('a') }));
      succeeded(await call(alice, 'GET', `${record}/documents/${document}`));
      await call(bob, 'GET', `${record}/documents/${document}`);
      await call(null, 'GET', `${record}/documents/${document}/meta`);
      await call(
        { ...alice, token: { key: alice.token!.key, secret: 'wrong' } },
        'GET',
        `${record}/documents/${document}/meta`,
      );
      await call(alice, 'GET', `${record}/documents/unknown/meta`);
      await call(alice, 'GET', `${record}/documents/?limit=x`);
    });
    after(() => service.stop());

    it('records who, through which app, what, where from and how it ended', async () => {
      const [posted] = entriesIn(await query('function_name=document_create'));
      expect(posted).to.include({
        view_func: 'document_create',
        request_successful: 'true',
        effective_principal: 'alice@example.org',
        proxied_principal: 'app@apps.example',
        record_id: recordId,
        document_id: document,
        req_url: `${record}/documents/`,
        req_method: 'POST',
        resp_code: '200',
        carenet_id: '',
        pha_id: '',
        external_id: '',
        message_id: '',
        req_domain: '',
      });
      expect(posted!['req_ip_address']).to.equal('127.0.0.1');
      expect(posted!['datetime']).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    });

    it('records refusals and failures with what was asked for, whoever asked', async () => {
      const of = (list: readonly Entry[]): string[] =>
        list.map((entry) => `${entry['effective_principal']!} ${entry['resp_code']!}`);
      expect(of(entriesIn(await query(`function_name=record_document&document_id=${document}`)))).to.equal([
        'bob@example.org 403',
        'alice@example.org 200',
      ]);
      expect(of(entriesIn(await query(`function_name=record_document_meta&document_id=${document}`)))).to.equal([
        ' 403',
        ' 403',
      ]);
      expect(of(entriesIn(await query('function_name=record_document_meta&document_id=unknown')))).to.equal([
        'alice@example.org 404',
      ]);
      expect(of(entriesIn(await query('function_name=record_document_list')))).to.equal(['alice@example.org 400']);
    });

    it('keeps the UI app behind a session and never a secret or a query string', async () => {
      const rows = (await direct(service.services.database)('audit').where({ record_id: recordId })) as Record<
        string,
        unknown
      >[];
      expect(
        rows.find((row) => row['function_name'] === 'record_document' && row['status'] === 200)!['ui_app_id'],
      ).to.equal(ui!.consumer.key);
      const text = JSON.stringify(rows);
      for (const secret of [alice.token!.key, alice.token!.secret, token.token!.secret, 'limit=x', 'oauth_signature']) {
        expect(text).not.to.contain(secret);
      }
    });

    it('shows carenet traffic in the audits of the record', async () => {
      const carenet = attribute(succeeded(await call(alice, 'GET', `${record}/carenets/`)).text, 'Carenet', 'id');
      await call(bob, 'GET', `/carenets/${carenet}/documents/`);
      const [entry] = entriesIn(await query('function_name=carenet_document_list'));
      expect(entry).to.include({
        carenet_id: carenet,
        record_id: recordId,
        effective_principal: 'bob@example.org',
        resp_code: '403',
      });
    });

    it('answers in the namespace of reports, with what was asked', async () => {
      const { text } = succeeded(
        await query(`document_id=${document}&limit=1&order_by=created_at&date_range=request_date*2000-01-01*`),
      );
      expect(text).to.contain(`<Reports xmlns="${NS}">`).and.to.contain('limit="1" offset="0" order_by="created_at"');
      expect(text).to.contain(
        '<QueryParams><DateRange value="request_date*2000-01-01T00:00:00Z*"/><Filters><Filter name="document_id" ' +
          `value="${document}"/></Filters></QueryParams>`,
      );
      expect(text).to.contain('<Report><Meta/><Item><AuditEntry>');
    });

    it('filters, ranges, pages and orders, the newest first', async () => {
      const all = entriesIn(await query(`document_id=${document}`));
      // A whole second has no fraction.
      const times = all.map((entry) => entry['datetime']!.replace(/:(\d\d)Z$/, ':$1.000000Z'));
      expect(times).to.equal([...times].sort().reverse());
      const paged = [
        ...entriesIn(await query(`document_id=${document}&limit=2`)),
        ...entriesIn(await query(`document_id=${document}&limit=2&offset=2`)),
      ];
      expect(paged).to.equal(all.slice(0, 4));
      expect(
        entriesIn(await query('principal_email=bob%40example.org|nobody%40example.org')).every(
          (entry) => entry['effective_principal'] === 'bob@example.org',
        ),
      ).to.be.true();
      expect(entriesIn(await query('proxied_by_email=app%40apps.example')).length).to.equal(1);
      expect(entriesIn(await query('date_range=created_at**2000-01-01'))).to.equal([]);
      expect(entriesIn(await query('function_name=record_specific_document')).length).to.equal(2);
      expect(entriesIn(await query(`record_id=${recordId}`)).length).to.be.above(5);
      expect(entriesIn(await query('external_id=nothing'))).to.equal([]);
    });

    it('groups and counts', async () => {
      const { text } = succeeded(
        await query(`document_id=${document}&group_by=principal_email&aggregate_by=count*&order_by=principal_email`),
      );
      const groups = [...text.matchAll(/<AggregateReport value="(\d+)"(?: group="([^"]*)")?\/>/g)].map(
        (match) => `${match[2] ?? ''} ${match[1]!}`,
      );
      expect(groups).to.equal(['alice@example.org 2', 'bob@example.org 1', ' 2']);
      expect(succeeded(await query('date_group=request_date*year&aggregate_by=count*function_name')).text).to.match(
        /<AggregateReport value="\d+" group="\d{4}"\/>/,
      );
      expect(text).to.contain('order_by="principal_email"');
      expect((await query('aggregate_by=count*')).text).to.match(
        /<Summary total_document_count="\d+" limit="100" offset="0"\/>/,
      );
      expect(succeeded(await query('aggregate_by=max*request_date')).text).to.match(
        /<AggregateReport value="\d{4}-\d\d-\d\dT[\d:.]+Z"\/>/,
      );
    });

    it('refuses every bad argument', async () => {
      for (const bad of [
        'record_id=other',
        'unknown=1',
        'limit=x',
        'group_by=function_name',
        'date_range=function_name*2000-01-01*',
        'aggregate_by=sum*function_name',
        'request_date=never',
      ]) {
        expect((await query(bad)).status, bad).to.equal(400);
      }
    });

    it('has the older lists by record, document and function', async () => {
      const list = (path: string): Promise<Answer> => call(alice, 'GET', `${record}/audits/${path}`);
      expect((await list('')).headers['deprecation']).to.equal('true');
      expect(entriesIn(await list('?limit=3')).length).to.equal(3);
      expect(
        entriesIn(await list(`documents/${document}/`)).every((entry) => entry['document_id'] === document),
      ).to.be.true();
      const functions = entriesIn(await list(`documents/${document}/functions/record_document/?order_by=created_at`));
      expect(functions.map((entry) => entry['resp_code'])).to.equal(['403', '200']);
      expect(entriesIn(await list(`documents/${document}/functions/record_specific_document/`)).length).to.equal(2);
      expect(entriesIn(await list('documents/never-asked-for/'))).to.equal([]);
      expect((await list('?order_by=')).text).to.contain('order_by="-created_at"/>');
      expect((await list('?status=gone')).status).to.equal(400);
    });

    it('names both versions of a replace, and knows functions by the names that they have elsewhere', async () => {
      const old = idOf(await call(token, 'POST', `${record}/documents/`, { body: note('old') }));
      const made = idOf(await call(token, 'POST', `${record}/documents/${old}/replace`, { body: note('new') }));
      const [entry] = entriesIn(await query(`document_id=${made}`));
      expect(entry).to.include({ document_id: made, req_url: `${record}/documents/${old}/replace` });
      const stored = idOf(
        await call(token, 'POST', `${record}/apps/app%40apps.example/documents/`, { body: 'x', type: 'text/plain' }),
      );
      succeeded(await call(token, 'GET', `${record}/apps/app%40apps.example/documents/${stored}`));
      for (const name of ['record_app_specific_document', 'record_app_document']) {
        expect(
          entriesIn(await query(`function_name=${name}`)).map((found) => found['document_id']),
          name,
        ).to.equal([stored]);
      }
      for (const name of ['constructor', '__proto__', 'toString']) {
        expect(entriesIn(await query(`function_name=${name}`)), name).to.equal([]);
      }
    });

    it('is for those in control and their apps, not for admin apps or strangers', async () => {
      for (const path of ['', `documents/${document}/`, `documents/${document}/functions/record/`, 'query/']) {
        expect((await call(token, 'GET', `${record}/audits/${path}`)).status).to.equal(200);
        for (const caller of [bob, admin, ui, app, null]) {
          expect((await call(caller, 'GET', `${record}/audits/${path}`)).status).to.equal(403);
        }
      }
    });

    it('shows an app the external ids that it gave, and neither shows nor counts those of others', async () => {
      const other = await addApp(service.services, 'other@apps.example', 'user');
      await enable(service.services, recordId, 'other@apps.example');
      const otherToken = await addToken(service.services, { app: other, accountId: 'alice@example.org', recordId });
      const [own, foreign] = [
        `${record}/documents/external/app%40apps.example/ours`,
        `${record}/documents/external/other%40apps.example/theirs`,
      ];
      succeeded(await call(token, 'PUT', own, { body: note('ours') }));
      const theirs = idOf(await call(otherToken, 'PUT', foreign, { body: note('theirs') }));
      const ask = (text: string, by: Signs = token): Promise<Answer> => call(by, 'GET', `${record}/audits/${text}`);
      for (const path of [
        '',
        'query/',
        `documents/${theirs}/`,
        `documents/${theirs}/functions/document_create_by_ext_id/`,
      ]) {
        const text = succeeded(await ask(path)).text;
        expect(text, path).to.contain('view_func="document_create_by_ext_id"').and.to.not.contain('theirs');
        expect(text.includes(`external_id="ours"`), path).to.equal(!path.startsWith('documents'));
        expect(succeeded(await ask(path, alice)).text, path)
          .to.contain(`external_id="theirs"`)
          .and.to.contain(foreign);
      }
      expect(entriesIn(await ask('query/?external_id=theirs'))).to.equal([]);
      expect(entriesIn(await ask('query/?external_id=ours%7Ctheirs'))).to.have.length(1);
      expect(entriesIn(await ask('query/?external_id=ours%7Ctheirs', alice))).to.have.length(2);
      const groups = succeeded(await ask('query/?group_by=external_id&aggregate_by=count*')).text;
      expect(groups).to.contain('<AggregateReport value="1" group="ours"/>').and.to.not.contain('theirs');
      expect(succeeded(await ask('query/?aggregate_by=count*external_id')).text).to.contain(
        '<AggregateReport value="1"/>',
      );
      const order = entriesIn(await ask('query/?order_by=external_id', alice)).map((entry) => entry['external_id']);
      expect(order.slice(0, 2), 'nulls come last').to.equal(['ours', 'theirs']);
    });
  });
}
