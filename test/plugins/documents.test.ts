/** documents: storing, reading, listing, versions, status, labels, relations and external ids, through signed calls. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../core/base/ids';
import { addApp, addPerson, addToken, enable, inTurn, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases, sqliteMemory } from '../support/databases';
import { meanwhile } from '../support/meanwhile';
import { admin, startService, ui, type TestService } from '../support/server';
import { attribute, child, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as recordStore from '../../core/records/store';
import * as sharingStore from '../../core/sharing/store';
import * as tokenStore from '../../core/tokens/store';
import { NS, procedure } from '../support/archives';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const RELS = 'https://svc.example/vocab/documentrels#';
const note = (text: string): string => `<Note xmlns="${NS}">${text}</Note>`;
const code = (answer: Answer): string => attribute(answer.text, 'error', 'code');
const idOf = (answer: Answer): string => attribute(succeeded(answer).text, 'Document', 'id');
const idsIn = (answer: Answer): string[] =>
  [...succeeded(answer).text.matchAll(/<Document id="([^"]*)"/g)].map((match) => match[1]!);
const total = (answer: Answer): string => attribute(succeeded(answer).text, 'Documents', 'total_document_count');

for (const leg of [...databases, sqliteMemory]) {
  describe(`documents on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let app: Signs;
    let otherApp: Signs;
    let recordId: string;
    let documents: string;

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const count = async (table: string): Promise<number> =>
      Number(((await direct(service.services.database)(table).count({ n: '*' }).first()) as { n: number }).n);
    const post = async (body: string, by: Signs = alice): Promise<string> =>
      idOf(await call(by, 'POST', documents, { body }));
    const meta = async (id: string): Promise<string> =>
      succeeded(await call(alice, 'GET', `${documents}${id}/meta`)).text;
    const replace = (id: string, body: string, by: Signs = alice): Promise<Answer> =>
      call(by, 'POST', `${documents}${id}/replace`, { body });
    const external = (id: string, as = app): string =>
      `${documents}external/${encodeURIComponent(as.consumer.key)}/${encodeURIComponent(id)}`;
    /** Makes a record of its own for a test, so that lists hold only what the test put there. */
    const fresh = async (): Promise<void> => {
      recordId = await createRecord(service.call, 'alice@example.org');
      documents = `/records/${recordId}/documents/`;
      const { services } = service;
      await enable(services, recordId, 'first@apps.example');
      await enable(services, recordId, 'second@apps.example');
      app = await addToken(services, { app: { consumer: app.consumer }, accountId: 'alice@example.org', recordId });
      otherApp = await addToken(services, {
        app: { consumer: otherApp.consumer },
        accountId: 'alice@example.org',
        recordId,
      });
    };

    before(async () => {
      service = await startService(leg);
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
      app = await addApp(service.services, 'first@apps.example', 'user');
      otherApp = await addApp(service.services, 'second@apps.example', 'user');
      await fresh();
    });
    after(() => service.stop());

    if (leg.name === 'mysql') {
      // On SQLite transactions run one after the other.
      it('stores nothing for who loses the record while waiting for it', async () => {
        const { database } = service.services;
        const waits = async (): Promise<boolean> =>
          (
            await database.reads.rows<{ n: number }>(
              "select count(*) as n from information_schema.innodb_trx where trx_state = 'LOCK WAIT'",
              [],
            )
          )[0]!.n > 0;
        succeeded(
          await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org' } }),
        );
        await post(note('early'), bob);
        const before = await count('document');
        let late: Promise<Answer> | undefined;
        await database.transaction(async (trx) => {
          await recordStore.lockRecord(trx, recordId, true);
          await sharingStore.deleteShares(trx, recordId, 'bob@example.org');
          late = call(bob, 'POST', documents, { body: note('late') });
          for (let round = 0; !(await waits()); round += 1) {
            expect(round).to.be.below(100);
            // InnoDB returns the same snapshot of this table to readers that ask again within a tenth of a second.
            await new Promise((resolve) => {
              setTimeout(resolve, 150);
            });
          }
        });
        const answer = await late!;
        expect([answer.status, code(answer)]).to.equal([403, 'permission_denied']);
        expect(await count('document')).to.equal(before);
      });
    }

    describe('document_create and record_document', () => {
      it('keeps every byte, its size, its SHA-256 and its type', async () => {
        const body = `<?xml version="1.0"?>\r\n<a xmlns="urn:astm-org:CCR">\t<!-- é --><b/></a>\n\n`;
        const answer = succeeded(await call(app, 'POST', documents, { body, type: 'text/xml; charset=UTF-8' }));
        const digest = sha256(body);
        expect(attribute(answer.text, 'Document', 'type')).to.equal('urn:astm-org:CCR#a');
        expect(attribute(answer.text, 'Document', 'size')).to.equal(String(Buffer.byteLength(body)));
        expect(attribute(answer.text, 'Document', 'digest')).to.equal(digest);
        expect(attribute(answer.text, 'Document', 'record_id')).to.equal(recordId);
        const content = succeeded(await call(alice, 'GET', `${documents}${idOf(answer)}`));
        expect(content.bytes.equals(Buffer.from(body))).to.be.true();
        expect(content.headers['content-type']).to.equal('text/xml');
        expect(content.headers['etag']).to.equal(`"${digest}"`);
        expect(content.headers['x-content-type-options']).to.equal('nosniff');
        const again = await call(alice, 'GET', `${documents}${idOf(answer)}`, {
          headers: { 'if-none-match': `"${digest}"` },
        });
        expect(again.status).to.equal(304);
        expect(again.text).to.equal('');
        expect((await call(alice, 'HEAD', `${documents}${idOf(answer)}`)).text).to.equal('');
      });

      it('describes a first version in full', async () => {
        const answer = succeeded(await call(app, 'POST', documents, { body: '<plain/>' }));
        const id = idOf(answer);
        expect(answer.text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW').split('\n')[1]).to.equal(
          `<Document id="${id}" type="plain" size="8" digest="${sha256('<plain/>')}" record_id="${recordId}">` +
            '<createdAt>NOW</createdAt><creator id="alice@example.org" type="account"><fullname>Alice Lee</fullname></creator>' +
            `<original id="${id}"/><latest id="${id}" createdAt="NOW" ` +
            'createdBy="alice@example.org"/><status>active</status><nevershare>false</nevershare><facts ' +
            'count="0"><note>No format is registered for documents of this type: it is kept as it is, and no ' +
            'report shows anything of it.</note></facts></Document>',
        );
        expect(await meta(id)).to.equal(answer.text);
      });

      it('takes XML that is declared as a form or not at all, and nothing else that is not XML', async () => {
        for (const type of ['application/x-www-form-urlencoded', 'application/octet-stream', 'application/fhir+xml']) {
          expect((await call(alice, 'POST', documents, { body: '<a/>', type })).status, type).to.equal(200);
        }
        const long = `application/${'a'.repeat(90)}+xml`;
        for (const [body, type] of [
          ['<a/>', 'application/json'],
          ['<a/>', 'text/html'],
          ['<a/>', 'text/html x+xml'],
          ['<a/>', 'text/html\tx+xml'],
          ['<a/>', long],
          ['{}', 'application/json'],
          ['a=b', 'application/octet-stream'],
          ['', 'application/xml'],
        ] as const) {
          const stored = await count('document');
          const answer = await call(alice, 'POST', documents, { body, type });
          expect(answer.status, `${type} ${body}`).to.equal(400);
          expect(code(answer)).to.equal('invalid_document');
          expect(await count('document')).to.equal(stored);
        }
      });

      it('lets the creating admin app store but not read', async () => {
        const id = idOf(await call(admin, 'POST', documents, { body: note('by admin') }));
        expect(attribute(await meta(id), 'creator', 'type')).to.equal('adminapp');
        expect((await call(admin, 'GET', `${documents}${id}`)).status).to.equal(403);
        expect((await call(ui, 'POST', documents, { body: note('by ui') })).status).to.equal(403);
        expect((await call(bob, 'POST', documents, { body: note('by bob') })).status).to.equal(403);
      });

      it('does not find documents of another record or unknown ones', async () => {
        const id = await post(note('here'));
        const other = await createRecord(service.call, 'alice@example.org');
        for (const path of [id, `${id}/meta`, `${id}/versions/`, `${id}/status-history`, `${id}/carenets/`]) {
          expect((await call(alice, 'GET', `/records/${other}/documents/${path}`)).status).to.equal(404);
        }
        for (const path of [`${id}/label`, `${id}/nevershare`]) {
          expect((await call(alice, 'PUT', `/records/${other}/documents/${path}`, { body: '' })).status).to.equal(404);
        }
        expect(
          (await call(alice, 'POST', `/records/${other}/documents/${id}/replace`, { body: note('x') })).status,
        ).to.equal(404);
        expect(
          (
            await call(alice, 'POST', `/records/${other}/documents/${id}/set-status`, {
              form: { status: 'void', reason: 'x' },
            })
          ).status,
        ).to.equal(404);
        for (const unknown of ['unknown', 'x'.repeat(3000)]) {
          expect((await call(alice, 'GET', `${documents}${unknown}`)).status).to.equal(404);
        }
      });
    });

    describe('record_document_list', () => {
      it('filters by type and status, orders by metadata, and pages without gaps', async () => {
        await fresh();
        const ids = await inTurn(['c', 'a', 'b'], (text) => post(note(text)));
        await inTurn([0, 1, 2], (index) =>
          call(alice, 'PUT', `${documents}${ids[index]}/label`, { body: 'zyx'[index]! }),
        );
        const other = await post('<other xmlns="http://example.org/ns/"><long/></other>');
        const list = (query = ''): Promise<Answer> => call(alice, 'GET', `${documents}${query}`);
        expect(total(await list())).to.equal('5');
        expect(idsIn(await list('?type=Note'))).to.equal([...ids].reverse());
        expect(idsIn(await list(`?type=${encodeURIComponent(`${NS}Note`)}&order_by=created_at`))).to.equal(ids);
        expect(idsIn(await list(`?type=${encodeURIComponent('http://example.org/ns/other')}`))).to.equal([other]);
        expect(total(await list('?type=Nothing'))).to.equal('0');
        const [bare, models] = [await post('<plain/>'), await post('<Models/>')];
        expect(idsIn(await list('?type=plain'))).to.equal([bare]);
        const sdmx = await post(`<Models xmlns="${NS}"/>`);
        expect(idsIn(await list('?type=Models'))).to.equal([sdmx, models]);
        expect(idsIn(await list(`?type=${encodeURIComponent(`${NS}Models`)}`))).to.equal([sdmx]);
        await inTurn([bare, models, sdmx], (id) =>
          call(alice, 'POST', `${documents}${id}/set-status`, { form: { status: 'void', reason: 'x' } }),
        );
        expect(idsIn(await list('?type=Note&order_by=label'))).to.equal([...ids].reverse());
        expect(idsIn(await list('?type=Note&order_by=-label'))).to.equal(ids);
        expect(idsIn(await list('?type=Note&order_by=id'))).to.equal(ids);
        expect(idsIn(await list('?type=Note&order_by=nonsense'))).to.equal([...ids].reverse());
        const bySize = [...succeeded(await list('?order_by=size')).text.matchAll(/size="(\d+)"/g)].map((match) =>
          Number(match[1]),
        );
        expect(bySize).to.equal([...bySize].sort((a, b) => a - b));
        const paged = await inTurn(
          [0, 1, 2, 3, 4],
          async (offset) => idsIn(await list(`?limit=1&offset=${offset}&order_by=-status`))[0],
        );
        expect(new Set(paged).size).to.equal(5);
        expect(idsIn(await list('?limit=0'))).to.equal([]);
        expect(total(await list('?limit=1&offset=99'))).to.equal('5');
      });

      it('refuses bad paging', async () => {
        for (const query of ['limit=x', 'limit=-1', 'offset=1.5', 'offset=-1', 'status=gone']) {
          expect((await call(alice, 'GET', `${documents}?${query}`)).status, query).to.equal(400);
        }
      });

      it('reads numbers and empty filters as every list and report does', async () => {
        const record = `/records/${recordId}`;
        const lists = [
          documents,
          `${record}/audits/`,
          `${record}/audits/query/`,
          `${record}/reports/minimal/problems/`,
          `${record}/reports/Problem/`,
          `${record}/carenets/`,
          '/accounts/alice%40example.org/inbox/',
        ];
        const status = async (list: string, query: string): Promise<number> =>
          (await call(alice, 'GET', `${list}?${query}`)).status;
        for (const list of lists) {
          for (const query of [
            'limit=1e2',
            'limit=1.0',
            'limit=%201',
            'limit=1%20',
            'limit=0x10',
            'limit=',
            'offset=-0',
            'offset=1e0',
            'status=Active',
          ]) {
            expect(await status(list, query), `${list}?${query}`).to.equal(400);
          }
          for (const query of [
            'limit=007',
            'limit=%2B1',
            `limit=${'9'.repeat(20)}`,
            `offset=${'9'.repeat(20)}`,
            `offset=${'9'.repeat(400)}`,
            'status=',
          ]) {
            expect(await status(list, query), `${list}?${query}`).to.equal(200);
          }
        }
        const id = await post(note('typed'));
        const listed = async (query: string): Promise<string[]> =>
          idsIn(succeeded(await call(alice, 'GET', `${documents}${query}`)));
        expect(await listed('?type=&status='))
          .to.equal(await listed(''))
          .and.to.include(id);
      });

      it('lowers limit to the setting, and says so', async () => {
        const headers = async (query: string): Promise<unknown[]> => {
          const answer = succeeded(await call(alice, 'GET', `${documents}${query}`));
          return [answer.headers['x-limit'], answer.headers['x-offset']];
        };
        expect(await headers('?limit=100000&offset=1')).to.equal(['1000', '1']);
        expect(await headers('')).to.equal(['100', '0']);
      });
    });

    describe('document_version', () => {
      it('chains versions; the lineage keeps label, status, nevershare and relations', async () => {
        await fresh();
        const first = await post(procedure('One'));
        const annotation = idOf(
          await call(alice, 'POST', `${documents}${first}/rels/annotation/`, { body: note('about it') }),
        );
        succeeded(await call(alice, 'PUT', `${documents}${first}/label`, { body: 'My label' }));
        succeeded(await call(alice, 'PUT', `${documents}${first}/nevershare`));
        const answer = succeeded(await replace(first, procedure('Two'), app));
        const second = idOf(answer);
        expect(attribute(answer.text, 'replaces', 'id')).to.equal(first);
        expect(attribute(answer.text, 'original', 'id')).to.equal(first);
        expect(attribute(answer.text, 'latest', 'id')).to.equal(second);
        expect(child(answer.text, 'label')).to.equal('My label');
        expect(child(answer.text, 'nevershare')).to.equal('true');
        expect(answer.text).to.contain(`<isRelatedFrom><relation type="${RELS}annotation" count="1"/></isRelatedFrom>`);
        const old = await meta(first);
        expect(old).to.match(
          /<suppressedAt>.*<\/suppressedAt><suppressor id="alice@example.org" type="account"><fullname>Alice Lee<\/fullname><\/suppressor>/,
        );
        expect(attribute(old, 'replacedBy', 'id')).to.equal(second);
        expect(attribute(old, 'latest', 'id')).to.equal(second);
        expect(idsIn(await call(alice, 'GET', documents)))
          .to.include([second, annotation])
          .and.not.include(first);
        expect(idsIn(await call(alice, 'GET', `${documents}${first}/versions/`))).to.equal([second, first]);
        expect(idsIn(await call(alice, 'GET', `${documents}${first}/rels/annotation/`))).to.equal([annotation]);
        expect(succeeded(await call(alice, 'GET', `${documents}${first}`)).text).to.equal(procedure('One'));
      });

      it('removes the facts of the old version and keeps those of the new one', async () => {
        const first = await post(procedure('Old facts'));
        const second = idOf(await replace(first, procedure('New facts')));
        const rows = (await direct(service.services.database)('fact_procedure')
          .whereIn('_document_id', [first, second])
          .select('_document_id', 'name')) as { _document_id: string; name: string }[];
        expect(rows.map((row) => [row._document_id, row.name])).to.equal([[second, 'New facts']]);
      });

      it('refuses to replace a replaced version, refused content with 404, and an unknown document with 404', async () => {
        const first = await post(note('1'));
        idOf(await replace(first, note('2')));
        expect(code(await replace(first, note('3')))).to.equal('already_replaced');
        const latest = await post(procedure('x'));
        for (const body of ['<broken', '', `<Procedure xmlns="${NS}"><nonsense/></Procedure>`]) {
          const answer = await replace(latest, body);
          expect(answer.status).to.equal(404);
          expect(code(answer)).to.equal('invalid_document');
        }
        const unknown = await replace('unknown', note('x'));
        expect(unknown.status).to.equal(404);
        expect(code(unknown)).to.equal('not_found');
      });

      it('replaces only what the caller has seen when If-Match says so', async () => {
        const first = await post(note('seen'));
        const etag = String(succeeded(await call(alice, 'GET', `${documents}${first}`)).headers['etag']);
        expect(
          (
            await call(alice, 'POST', `${documents}${first}/replace`, {
              body: note('y'),
              headers: { 'if-match': '"other"' },
            })
          ).status,
        ).to.equal(412);
        expect(
          (
            await call(alice, 'POST', `${documents}${first}/replace`, {
              body: note('y'),
              headers: { 'if-match': etag },
            })
          ).status,
        ).to.equal(200);
      });

      it('replaces what has one of several digests in If-Match', async () => {
        const first = await post(note('one of two'));
        const etag = String(succeeded(await call(alice, 'GET', `${documents}${first}`)).headers['etag']);
        const replaceIf = async (ifMatch: string): Promise<number> =>
          (
            await call(alice, 'POST', `${documents}${first}/replace`, {
              body: note('z'),
              headers: { 'if-match': ifMatch },
            })
          ).status;
        expect(await replaceIf('"other", "another"')).to.equal(412);
        expect(await replaceIf(`"other", ${etag}`)).to.equal(200);
      });

      it('lets one of fifty callers at once replace a document, without a fork', async () => {
        const first = await post(procedure('Raced'));
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            replace(first, procedure(`Winner ${index}`), index % 2 ? app : alice),
          ),
        );
        const won = answers.filter(({ status }) => status === 200);
        expect(won.length).to.equal(1);
        expect(
          answers.filter((answer) => answer.status === 400 && code(answer) === 'already_replaced').length,
        ).to.equal(49);
        const versions = succeeded(await call(alice, 'GET', `${documents}${first}/versions/`));
        expect(idsIn(versions)).to.equal([idOf(won[0]!), first]);
        const facts = (await direct(service.services.database)('fact_procedure')
          .whereIn('_document_id', idsIn(versions))
          .pluck('_document_id')) as string[];
        expect(facts).to.equal([idOf(won[0]!)]);
      });
    });

    describe('external ids', () => {
      it('name a document of one app in one record', async () => {
        const id = idOf(await call(app, 'PUT', external('mrn/1'), { body: note('ext') }));
        expect(idOf(await call(app, 'GET', `${external('mrn/1')}/meta`))).to.equal(id);
        const labelled = succeeded(await call(app, 'PUT', `${external('mrn/1')}/label`, { body: 'Ext label' }));
        expect(child(labelled.text, 'label')).to.equal('Ext label');
        expect(labelled.text).not.to.contain('mrn');
        expect(
          idOf(await call(otherApp, 'PUT', external('mrn/1', otherApp), { body: note('same id, other app') })),
        ).not.to.equal(id);
      });

      it('refuse a second use on creation, replacement and relation, and change nothing', async () => {
        const id = idOf(await call(app, 'PUT', external('once'), { body: note('ext') }));
        const stored = await count('document');
        for (const [method, path] of [
          ['PUT', external('once')],
          ['PUT', `${documents}${id}/replace/external/first%40apps.example/once`],
          ['POST', `${documents}${id}/rels/followup/external/first%40apps.example/once`],
        ] as const) {
          const answer = await call(app, method, path, { body: note('again') });
          expect(answer.status, path).to.equal(400);
          expect(code(answer)).to.equal('duplicate');
        }
        expect(await count('document')).to.equal(stored);
        expect(await meta(id)).not.to.contain('replacedBy');
      });

      it('belong to the app that signs, and to nobody else', async () => {
        for (const caller of [alice, otherApp, admin, null]) {
          expect((await call(caller, 'PUT', external('mine'), { body: note('no') })).status).to.equal(403);
        }
        expect((await call(app, 'GET', `${external('unknown')}/meta`)).status).to.equal(404);
        expect((await call(app, 'PUT', `${external('unknown')}/label`, { body: 'x' })).status).to.equal(404);
        expect((await call(app, 'PUT', external('x'.repeat(251)), { body: note('no') })).status).to.equal(400);
      });

      it('are given to the new version by a replacement', async () => {
        const first = await post(note('v1'));
        const second = idOf(
          await call(app, 'PUT', `${documents}${first}/replace/external/first%40apps.example/v2`, { body: note('v2') }),
        );
        expect(idOf(await call(app, 'GET', `${external('v2')}/meta`))).to.equal(second);
      });

      it('let one of fifty creations at once through', async () => {
        const stored = await count('document');
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) => call(app, 'PUT', external('raced'), { body: note(String(index)) })),
        );
        expect(answers.filter(({ status }) => status === 200).length).to.equal(1);
        expect(answers.filter((answer) => answer.status === 400 && code(answer) === 'duplicate').length).to.equal(49);
        expect(await count('document')).to.equal(stored + 1);
        const lineages = await count('document_lineage');
        const versions = (await direct(service.services.database)('document')
          .whereNull('replaces_id')
          .count({ n: '*' })
          .first()) as { n: number };
        expect(Number(versions.n)).to.equal(lineages);
      });
    });

    describe('document_set_status and document_status_history', () => {
      it('changes all versions, newest change first, and needs status and reason', async () => {
        await fresh();
        const first = await post(note('1'));
        const second = idOf(await replace(first, note('2')));
        const set = (status: string, reason: string, id = first): Promise<Answer> =>
          call(app, 'POST', `${documents}${id}/set-status`, { form: { status, reason } });
        expect(succeeded(await call(alice, 'GET', `${documents}${first}/status-history`)).text).to.contain(
          `<DocumentStatusHistory document_id="${first}"/>`,
        );
        for (const [status, reason] of [
          ['void', 'wrong <person>'],
          ['archived', 'old'],
          ['active', 'after all'],
        ] as const) {
          succeeded(await set(status, reason));
          expect(child(await meta(second), 'status')).to.equal(status);
        }
        const history = succeeded(await call(alice, 'GET', `${documents}${second}/status-history`)).text;
        expect([...history.matchAll(/status="(\w+)"/g)].map((match) => match[1])).to.equal([
          'active',
          'archived',
          'void',
        ]);
        expect(history).to.contain('by="alice@example.org"').and.to.contain('<reason>wrong &lt;person&gt;</reason>');
        for (const form of [
          { status: 'void' } as Record<string, string>,
          { reason: 'x' },
          { status: '', reason: 'x' },
          { status: 'void', reason: '' },
          { status: 'gone', reason: 'x' },
        ]) {
          expect((await call(alice, 'POST', `${documents}${first}/set-status`, { form })).status).to.equal(400);
        }
      });

      const moves = [
        ['active', 'active', 200],
        ['active', 'void', 200],
        ['active', 'archived', 200],
        ['void', 'active', 200],
        ['void', 'void', 200],
        ['void', 'archived', 200],
        ['archived', 'active', 200],
        ['archived', 'void', 400],
        ['archived', 'archived', 200],
      ] as const;
      for (const [from, to, status] of moves) {
        it(`answers ${status} to a move from ${from} to ${to}`, async () => {
          const id = await post(note('moves'));
          succeeded(
            await call(alice, 'POST', `${documents}${id}/set-status`, { form: { status: from, reason: 'start' } }),
          );
          expect(
            (await call(alice, 'POST', `${documents}${id}/set-status`, { form: { status: to, reason: 'move' } }))
              .status,
          ).to.equal(status);
          expect(child(await meta(id), 'status')).to.equal(status === 200 ? to : from);
        });
      }

      it('hides from default lists, shows in those of its status, and stays readable', async () => {
        await fresh();
        const id = await post(note('void'));
        succeeded(await call(alice, 'POST', `${documents}${id}/set-status`, { form: { status: 'void', reason: 'x' } }));
        expect(idsIn(await call(alice, 'GET', documents))).not.to.include(id);
        expect(idsIn(await call(alice, 'GET', `${documents}?status=void`))).to.equal([id]);
        expect(idsIn(await call(alice, 'GET', `${documents}${id}/versions/`))).to.equal([]);
        expect(idsIn(await call(alice, 'GET', `${documents}${id}/versions/?status=void`))).to.equal([id]);
        expect((await call(alice, 'GET', `${documents}${id}`)).status).to.equal(200);
        expect(child(succeeded(await replace(id, note('still void'))).text, 'status')).to.equal('void');
      });
    });

    describe('record_document_label', () => {
      it('is set, refused when too long, and removed by an empty body', async () => {
        const id = await post(note('label'));
        expect(
          child(succeeded(await call(alice, 'PUT', `${documents}${id}/label`, { body: 'Ä & b' })).text, 'label'),
        ).to.equal('Ä &amp; b');
        expect((await call(alice, 'PUT', `${documents}${id}/label`, { body: 'ä'.repeat(101) })).status).to.equal(400);
        expect(child(await meta(id), 'label')).to.equal('Ä &amp; b');
        expect(
          child(
            succeeded(await call(alice, 'PUT', `${documents}${id}/label`, { body: 'ä'.repeat(100) })).text,
            'label',
          ),
        ).to.equal('ä'.repeat(100));
        expect(child(succeeded(await call(alice, 'PUT', `${documents}${id}/label`)).text, 'label')).to.equal(undefined);
      });
    });

    describe('relations', () => {
      it('are counted on both ends, once however often they are made', async () => {
        await fresh();
        const [object, subject] = [await post(note('annotated')), await post(note('annotation'))];
        for (const _ of [1, 2]) {
          succeeded(await call(app, 'PUT', `${documents}${object}/rels/annotation/${subject}`));
        }
        expect(await meta(subject))
          .to.contain(`<relatesTo><relation type="${RELS}annotation" count="1"/></relatesTo>`)
          .and.not.contain('isRelatedFrom');
        expect(await meta(object))
          .to.contain(`<isRelatedFrom><relation type="${RELS}annotation" count="1"/></isRelatedFrom>`)
          .and.not.contain('relatesTo');
        const list = succeeded(await call(alice, 'GET', `${documents}${object}/rels/annotation/?limit=0`));
        expect(idsIn(list)).to.equal([subject]);
        expect(list.headers['x-limit']).to.be.undefined();
        expect(list.text).to.contain('<relatesTo>');
        const newer = idOf(await replace(subject, note('annotation 2')));
        expect(idsIn(await call(alice, 'GET', `${documents}${object}/rels/annotation/`))).to.equal([newer]);
        expect(await meta(object)).to.contain('count="1"');
        expect(idsIn(await call(alice, 'GET', `${documents}${object}/rels/followup/`))).to.equal([]);
        succeeded(
          await call(alice, 'POST', `${documents}${newer}/set-status`, { form: { status: 'archived', reason: 'x' } }),
        );
        expect(idsIn(await call(alice, 'GET', `${documents}${object}/rels/annotation/`))).to.equal([]);
        expect(idsIn(await call(alice, 'GET', `${documents}${object}/rels/annotation/?status=archived`))).to.equal([
          newer,
        ]);
        expect(await meta(object)).to.not.contain('isRelatedFrom');
        expect(await meta(newer)).to.contain('<relatesTo>');
      });

      it('are made with a new document, whose metadata says so', async () => {
        const object = await post(note('object'));
        const answer = succeeded(
          await call(alice, 'POST', `${documents}${object}/rels/interpretation/`, { body: note('means') }),
        );
        expect(answer.text).to.contain(`<relatesTo><relation type="${RELS}interpretation" count="1"/></relatesTo>`);
        for (const method of ['POST', 'PUT']) {
          succeeded(
            await call(
              app,
              method,
              `${documents}${object}/rels/interpretation/external/first%40apps.example/${method}`,
              { body: note(method) },
            ),
          );
        }
        expect(await meta(object)).to.contain('count="3"');
      });

      it('refuse unknown documents, unknown relations, other records and bad content, and leave nothing', async () => {
        const object = await post(note('object'));
        const other = await createRecord(service.call, 'alice@example.org');
        const foreign = idOf(await call(alice, 'POST', `/records/${other}/documents/`, { body: note('foreign') }));
        const stored = await count('document');
        const status = async (method: string, path: string, body?: string): Promise<number> =>
          (await call(alice, method, `${documents}${path}`, body === undefined ? {} : { body })).status;
        expect(await status('PUT', `${object}/rels/annotation/${foreign}`)).to.equal(404);
        expect(await status('PUT', `${foreign}/rels/annotation/${object}`)).to.equal(404);
        expect(await status('PUT', `${object}/rels/annotation/unknown`)).to.equal(404);
        expect(await status('PUT', `${object}/rels/friendship/${object}`)).to.equal(404);
        expect(await status('GET', `${object}/rels/friendship/`)).to.equal(404);
        expect(await status('GET', 'unknown/rels/annotation/')).to.equal(400);
        expect(await status('GET', `${foreign}/rels/annotation/`)).to.equal(400);
        expect(await status('POST', 'unknown/rels/annotation/', note('x'))).to.equal(404);
        expect(await status('POST', `${object}/rels/friendship/`, note('x'))).to.equal(404);
        expect(await status('POST', `${object}/rels/annotation/`, '<broken')).to.equal(400);
        expect(await count('document')).to.equal(stored);
      });
    });

    describe('a permission that ends while the request is under way', () => {
      /** Makes a call, and runs `change` while its document is being read. */
      const during = (change: () => Promise<unknown>, make: () => Promise<Answer>): Promise<Answer> =>
        meanwhile(service.services.reader, 'read', change, make);
      const removeApp = (): Promise<Answer> =>
        call(alice, 'DELETE', `/records/${recordId}/apps/${app.consumer.key}`).then(succeeded);
      const refusedWithoutTrace = async (
        change: () => Promise<unknown>,
        make: () => Promise<Answer>,
      ): Promise<void> => {
        const rows = async () => [
          await count('document'),
          await count('document_lineage'),
          await count('fact_procedure'),
        ];
        const earlier = await rows();
        const answer = await during(change, make);
        expect([answer.status, code(answer)]).to.equal([403, 'permission_denied']);
        expect(await rows()).to.equal(earlier);
      };

      it('stores nothing for an app that was taken off the record', async () => {
        await fresh();
        await refusedWithoutTrace(removeApp, () => call(app, 'POST', documents, { body: procedure('too late') }));
        await fresh();
        await refusedWithoutTrace(removeApp, () => call(app, 'PUT', external('late'), { body: procedure('too late') }));
        await fresh();
        const id = await post(procedure('first'));
        await refusedWithoutTrace(removeApp, () => replace(id, procedure('too late'), app));
        await refusedWithoutTrace(
          () => Promise.resolve(),
          () => replace(id, procedure('too late'), app),
        );
      });

      it('stores nothing for an account whose share was ended, nor for its app', async () => {
        await fresh();
        const share = () =>
          call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org' } }).then(
            succeeded,
          );
        const unshare = () => call(alice, 'DELETE', `/records/${recordId}/shares/bob@example.org`).then(succeeded);
        await share();
        await refusedWithoutTrace(unshare, () => call(bob, 'POST', documents, { body: procedure('too late') }));
        await share();
        const his = await addToken(service.services, {
          app: { consumer: app.consumer },
          accountId: 'bob@example.org',
          recordId,
        });
        await refusedWithoutTrace(unshare, () => call(his, 'POST', documents, { body: procedure('too late') }));
      });

      it('changes nothing of a document for who lost the record while waiting for its row', async () => {
        await fresh();
        const id = await post(procedure('first'));
        const other = await post(procedure('other'));
        await call(app, 'PUT', external('named'), { body: procedure('named') });
        const earlier = [
          await meta(id),
          await meta(other),
          await count('document_status'),
          await count('document_relation'),
        ];
        const calls: readonly (readonly [string, string, object])[] = [
          ['POST', `${documents}${id}/set-status`, { form: { status: 'archived', reason: 'r' } }],
          ['PUT', `${documents}${id}/label`, { body: 'late', type: 'text/plain' }],
          ['PUT', `${documents}${id}/nevershare`, {}],
          ['DELETE', `${documents}${id}/nevershare`, {}],
          ['PUT', `${documents}${id}/rels/annotation/${other}`, {}],
        ];
        for (const [method, path, options] of calls) {
          succeeded(
            await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org' } }),
          );
          // The share is deleted in the call's own transaction, which sees that as if others had committed it. The
          // refusal rolls it back.
          const answer = await meanwhile(
            recordStore,
            'lockRecord',
            (trx) => sharingStore.deleteShares(trx, recordId, 'bob@example.org'),
            () => call(bob, method, path, options),
          );
          expect([answer.status, code(answer)], `${method} ${path}`).to.equal([403, 'permission_denied']);
          expect(
            [await meta(id), await meta(other), await count('document_status'), await count('document_relation')],
            path,
          ).to.equal(earlier);
        }
        succeeded(await call(bob, 'PUT', `${documents}${id}/label`, { body: 'in time', type: 'text/plain' }));
      });

      it('stores nothing for a session that was ended', async () => {
        await fresh();
        const sessions = direct(service.services.database)('session_token').where({ account_id: 'alice@example.org' });
        const rows = (await sessions.clone()) as object[];
        try {
          await refusedWithoutTrace(
            () => sessions.clone().delete(),
            () => call(alice, 'POST', documents, { body: procedure('too late') }),
          );
        } finally {
          await direct(service.services.database)('session_token').insert(rows);
        }
        succeeded(await call(alice, 'POST', documents, { body: procedure('in time') }));
      });

      it('stores nothing for an account that is no longer active, nor for its app', async () => {
        await fresh();
        const state = (name: string) =>
          call(admin, 'POST', '/accounts/alice%40example.org/set-state', { form: { state: name } }).then(succeeded);
        const knex = direct(service.services.database);
        const tables = ['session_token', 'access_token'];
        const given = (table: string) => knex(table).where({ account_id: 'alice@example.org' });
        const rows = await Promise.all(tables.map(async (table) => (await given(table)) as object[]));
        for (const caller of [alice, app]) {
          try {
            await refusedWithoutTrace(
              () => state('disabled'),
              () => call(caller, 'POST', documents, { body: procedure('too late') }),
            );
          } finally {
            await state('active');
            for (const [index, table] of tables.entries()) {
              await given(table).delete();
              await knex(table).insert(rows[index]!);
            }
          }
        }
        succeeded(await call(app, 'POST', documents, { body: procedure('in time') }));
      });

      it('makes whoever removes the app wait for a write that is under way', async () => {
        await fresh();
        let removal: Promise<Answer> | undefined;
        const admitted = await service.services.database.transaction(async (trx) => {
          const held = await tokenStore.holdAccessToken(trx, sha256(app.token!.key));
          removal = removeApp();
          const first = await Promise.race([
            removal.then(() => 'removed'),
            new Promise((resolve) => {
              setTimeout(resolve, 300, 'waiting');
            }),
          ]);
          return [held, first];
        });
        expect(admitted).to.equal([true, 'waiting']);
        expect((await removal)!.status).to.equal(200);
        expect((await call(app, 'GET', documents)).status).to.equal(403);
      });
    });

    describe('special documents', () => {
      it('give the demographics document as it was stored, and take a new version', async () => {
        await fresh();
        const path = `${documents}special/demographics`;
        const stored = succeeded(await call(alice, 'GET', path));
        expect(stored.text).to.contain('<familyName>Lee</familyName>');
        const body = stored.text.replace('Lee', 'Miller');
        const answer = succeeded(await call(admin, 'PUT', path, { body }));
        expect(attribute(answer.text, 'replaces', 'id')).to.match(/^[0-9a-f-]{36}$/);
        succeeded(await call(alice, 'POST', path, { body: stored.text.replace('Lee', 'Third') }));
        expect(attribute(succeeded(await call(alice, 'GET', `/records/${recordId}`)).text, 'Record', 'label')).to.equal(
          'Ann Third',
        );
        for (const method of ['GET', 'PUT', 'POST']) {
          expect(
            (await call(alice, method, `${documents}special/contact`, method === 'GET' ? {} : { body })).status,
          ).to.equal(404);
        }
        expect((await call(alice, 'PUT', path, { body: '<x/>' })).status).to.equal(400);
      });
    });

    describe('documents_delete and update_document_meta', () => {
      it('are refused for everybody', async () => {
        const id = await post(note('stays'));
        for (const caller of [alice, app, admin, ui, null]) {
          expect((await call(caller, 'DELETE', documents)).status).to.equal(403);
          expect((await call(caller, 'PUT', `${documents}${id}/meta`, { body: '<x/>' })).status).to.equal(403);
        }
      });
    });

    it('answers 405 with Allow for other methods', async () => {
      const answer = await call(alice, 'PUT', documents, { body: '<a/>' });
      expect(answer.status).to.equal(405);
      expect(answer.headers['allow']).to.equal('GET, HEAD, POST, DELETE');
    });
  });
}
