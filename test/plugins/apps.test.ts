/** apps: what everybody may know about apps, where they are enabled, what they store, and what ends with them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { newId } from '../../core/base/ids';
import { addApp, addPerson, addToken, enable, type Signs } from '../support/cast';
import type { Answer, CallOptions } from '../support/client';
import { databases } from '../support/databases';
import { losingApp, meanwhile } from '../support/meanwhile';
import { pagesAsWhole } from '../support/paging';
import { admin, connector, medications, startService, ui, type TestService } from '../support/server';
import { attribute, child, createRecord, demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as appStore from '../../core/apps/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const APP = medications!.consumer.key;
const BACKGROUND = connector!.consumer.key;
const inPath = (id: string): string => encodeURIComponent(id);
const json = { headers: { accept: 'application/json' } };

for (const leg of databases) {
  describe(`apps on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let recordId: string;
    before(async () => {
      service = await startService(
        leg,
        { SVC_UI_BASE_URL: 'https://ui.example' },
        { appDocumentBytes: 2000, appStorageBytes: 5000 },
      );
      alice = await addPerson(service.services, ALICE);
      recordId = await createRecord(service.call, ALICE);
    });
    after(() => service.stop());

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const knex = () => direct(service.services.database);
    const code = ({ text }: Answer): string => attribute(text, 'error', 'code');
    const onRecord = (app = APP, rest = ''): string => `/records/${recordId}/apps/${inPath(app)}${rest}`;
    const ids = ({ text }: Answer): string[] => [...text.matchAll(/<App id="([^"]*)"/g)].map((match) => match[1]!);

    describe('all_phas, pha and manifests', () => {
      it('are XML, or JSON manifests when the caller prefers them, by name', async () => {
        expect(ids(succeeded(await call(alice, 'GET', '/apps/')))).to.equal([BACKGROUND, APP]);
        expect(ids(succeeded(await call(alice, 'GET', '/apps/?order_by=-name')))).to.equal([APP, BACKGROUND]);
        const { text } = succeeded(await call(admin, 'GET', `/apps/${inPath(APP)}`));
        expect(text).to.equal(
          `<?xml version="1.0" encoding="UTF-8"?>\n<App id="${APP}"><startURLTemplate>https://medications.apps.svc.example/start?record_id={record_id}&amp;carenet_id={carenet_id}</startURLTemplate>` +
            '<name>Medications</name><description>Shows what a person takes and took, and when it was ' +
            'dispensed</description><autonomous>false</autonomous><frameable>true</frameable><ui>true</ui></App>',
        );
        expect(succeeded(await call(admin, 'GET', `/apps/${inPath(BACKGROUND)}`)).text).to.contain(
          '<autonomous>true</autonomous><autonomousReason>New results arrive',
        );
        const answer = succeeded(await call(admin, 'GET', `/apps/${inPath(APP)}`, json));
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(JSON.parse(answer.text)).to.include({
          id: APP,
          mode: 'ui',
          scope: 'record',
          has_ui: true,
          frameable: true,
          svc_version: '2.0.0',
          smart_version: '0.4',
        });
        expect(
          (JSON.parse(succeeded(await call(admin, 'GET', '/apps/', json)).text) as { id: string }[]).map(
            ({ id }) => id,
          ),
        ).to.equal([BACKGROUND, APP]);
        expect(answer.text).to.not.contain('secret');
      });

      it("are the platform's own form under /manifests/ and /manifest", async () => {
        const [list, one] = [
          succeeded(await call(alice, 'GET', '/apps/manifests/')),
          succeeded(await call(medications, 'GET', `/apps/${inPath(APP)}/manifest`)),
        ];
        expect(JSON.parse(list.text)).to.have.length(2);
        expect(Object.keys(JSON.parse(one.text) as object)).to.equal([
          'name',
          'description',
          'author',
          'id',
          'version',
          'mode',
          'scope',
          'icon',
          'index',
          'requires',
          'smart_version',
        ]);
        expect(list.text + one.text)
          .to.not.contain('oauth_callback')
          .and.to.not.contain('consumer');
      });

      it('come in pages, in both forms', async () => {
        const idsOf = ({ text }: Answer): string[] => (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
        await pagesAsWhole((path) => call(alice, 'GET', path), '/apps/', ids);
        await pagesAsWhole((path) => call(alice, 'GET', path, json), '/apps/', idsOf);
        await pagesAsWhole((path) => call(alice, 'GET', path), '/apps/manifests/', idsOf);
      });

      it('put paths below the address of the user interface', async () => {
        await addApp(service.services, 'relative@apps.example', 'user');
        await knex()('app')
          .where({ id: 'relative@apps.example' })
          .update({ index_url: '/widgets/x?r={record_id}', icon: 'i.png' });
        const { text } = succeeded(await call(admin, 'GET', '/apps/relative@apps.example', json));
        expect(JSON.parse(text)).to.include({
          index: 'https://ui.example/widgets/x?r={record_id}',
          icon: 'https://ui.example/i.png',
        });
        await knex()('app').where({ id: 'relative@apps.example' }).delete();
      });

      it('do not exist for admin and UI apps, nor for other ids', async () => {
        for (const id of ['admin@apps.svc.example', 'ui@apps.svc.example', 'none@apps.example', APP.toUpperCase()]) {
          expect((await call(admin, 'GET', `/apps/${inPath(id)}`)).status, id).to.equal(404);
          expect((await call(admin, 'GET', `/apps/${inPath(id)}/manifest`)).status, id).to.equal(404);
        }
      });
    });

    describe('apps on a record', () => {
      it('are enabled, listed, read and taken off', async () => {
        expect(ids(succeeded(await call(alice, 'GET', `/records/${recordId}/apps/`)))).to.equal([]);
        expect((await call(alice, 'GET', onRecord())).status).to.equal(404);
        succeeded(await call(alice, 'PUT', onRecord()));
        succeeded(await call(admin, 'PUT', onRecord()));
        succeeded(await call(admin, 'PUT', onRecord(BACKGROUND)));
        expect(ids(succeeded(await call(alice, 'GET', `/records/${recordId}/apps/`)))).to.equal([BACKGROUND, APP]);
        expect(succeeded(await call(admin, 'GET', onRecord())).text).to.contain(`<App id="${APP}">`);
        expect((JSON.parse(succeeded(await call(admin, 'GET', onRecord(), json)).text) as { id: string }).id).to.equal(
          APP,
        );
        const rows = (await knex()('record_app').where({ record_id: recordId }).orderBy('app_id')) as {
          app_id: string;
          authorized_by: string | null;
        }[];
        expect(rows.map(({ app_id: app, authorized_by: by }) => [app, by])).to.equal([
          [BACKGROUND, null],
          [APP, ALICE],
        ]);
        succeeded(await call(alice, 'DELETE', onRecord()));
        succeeded(await call(alice, 'DELETE', onRecord()));
        expect(ids(await call(alice, 'GET', `/records/${recordId}/apps/`))).to.equal([BACKGROUND]);
      });

      it('can be asked for by a type that they require', async () => {
        succeeded(await call(alice, 'PUT', onRecord()));
        const list = async (type: string): Promise<string[]> =>
          ids(succeeded(await call(alice, 'GET', `/records/${recordId}/apps/?type=${encodeURIComponent(type)}`)));
        expect(await list('Medication')).to.equal([APP]);
        expect(await list('https://svc.example/vocab/xml/documents#Lab')).to.equal([BACKGROUND]);
        expect(await list('http://smartplatforms.org/terms#Medication')).to.equal([APP]);
        expect(await list('Nothing')).to.equal([]);
        expect(await list('')).to.equal([BACKGROUND, APP]);
        await pagesAsWhole((path) => call(alice, 'GET', path), `/records/${recordId}/apps/`, ids);
        expect(ids(await call(alice, 'GET', `/records/${recordId}/apps/?type=Medication&limit=1`))).to.equal([APP]);
        expect(ids(await call(alice, 'GET', `/records/${recordId}/apps/?type=Medication&offset=1`))).to.equal([]);
      });

      it('lose their tokens with the binding, and keep their storage', async () => {
        const token = await addToken(service.services, { app: medications!, accountId: ALICE, recordId });
        succeeded(
          await call(token, 'PUT', onRecord(APP, '/documents/external/kept'), { body: 'kept', type: 'text/plain' }),
        );
        succeeded(await call(alice, 'DELETE', onRecord()));
        expect((await call(token, 'GET', '/apps/')).status).to.equal(403);
        expect((await call(medications, 'GET', onRecord(APP, '/documents/'))).status).to.equal(403);
        succeeded(await call(alice, 'PUT', onRecord()));
        expect((await call(token, 'GET', '/apps/')).status).to.equal(403);
        expect(
          attribute(
            succeeded(await call(medications, 'GET', onRecord(APP, '/documents/'))).text,
            'Documents',
            'total_document_count',
          ),
        ).to.equal('1');
      });

      it('are 404 when unknown; an unknown record is 404 for admin apps and 403 for others', async () => {
        expect((await call(admin, 'PUT', onRecord('none@apps.example'))).status).to.equal(404);
        expect((await call(alice, 'PUT', onRecord('none@apps.example'))).status).to.equal(404);
        expect((await call(admin, 'PUT', onRecord(ui!.consumer.key))).status).to.equal(404);
        expect((await call(admin, 'DELETE', onRecord('none@apps.example'))).status).to.equal(404);
        const elsewhere = `/records/${newId()}/apps/${inPath(APP)}`;
        expect((await call(admin, 'PUT', elsewhere)).status).to.equal(404);
        expect((await call(admin, 'GET', elsewhere)).status).to.equal(404);
        expect((await call(alice, 'PUT', elsewhere)).status).to.equal(403);
      });
    });

    describe('record_pha_setup', () => {
      it('enables the app, keeps the first body and answers a token without an account', async () => {
        await knex()('record_app').delete();
        await knex()('app_document').delete();
        const set = (options: CallOptions = {}): Promise<Answer> =>
          call(admin, 'POST', onRecord(APP, '/setup'), options);
        const pairs = new URLSearchParams(succeeded(await set({ body: '<setup/>' })).text);
        expect([...pairs.keys()]).to.equal(['oauth_token', 'oauth_token_secret', 'xoauth_svc_record_id']);
        expect(pairs.get('xoauth_svc_record_id')).to.equal(recordId);
        const token = {
          ...medications!,
          token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
        };
        const meta = succeeded(await call(token, 'GET', onRecord(APP, '/documents/external/SETUP/meta'))).text;
        expect(attribute(meta, 'creator', 'id')).to.equal(admin!.consumer.key);
        const [row] = (await knex()('access_token').where({ app_id: APP }).orderBy('created_at', 'desc').limit(1)) as {
          created_at: string;
          expires_at: string;
        }[];
        // The service reads the clock twice for this row.
        expect(Date.parse(row!.expires_at) - Date.parse(row!.created_at)).to.be.about(1_800_000, 1_000);
        const audited = (await knex()('audit')
          .where({ function_name: 'record_pha_setup' })
          .orderBy('writer_seq')
          .pluck('document_id')) as (string | null)[];
        expect(audited.at(-1)).to.equal(attribute(meta, 'Document', 'id'));
        succeeded(await set({ body: '<other/>' }));
        succeeded(await set());
        expect(
          succeeded(await call(token, 'GET', onRecord(APP, `/documents/${attribute(meta, 'Document', 'id')}`))).text,
        ).to.equal('<setup/>');
        expect((await call(token, 'GET', `/records/${recordId}/documents/`)).status).to.equal(403);
        succeeded(await set({ body: '<broken' }));
        await knex()('app_document').delete();
        expect((await set({ body: '<broken' })).status).to.equal(400);
      });
    });

    describe('autonomous apps', () => {
      it('list their records and get a token for each', async () => {
        await enable(service.services, recordId, BACKGROUND);
        const list = succeeded(await call(connector, 'GET', `/apps/${inPath(BACKGROUND)}/records/`)).text;
        expect(list).to.contain(`<Records><Record id="${recordId}" label="Ann Lee"/></Records>`);
        expect((await call(connector, 'GET', `/apps/${inPath(BACKGROUND)}/records/?offset=1`)).text).to.contain(
          '<Records/>',
        );
        const second = await createRecord(service.call, ALICE, 'Abe', 'Lee');
        await enable(service.services, second, BACKGROUND);
        const labels = async (order: string): Promise<string[]> =>
          [
            ...(await call(connector, 'GET', `/apps/${inPath(BACKGROUND)}/records/?order_by=${order}`)).text.matchAll(
              /label="([^"]*)"/g,
            ),
          ].map((match) => match[1]!);
        expect([
          await labels('label'),
          await labels('-label'),
          await labels('created_at'),
          await labels('-created_at'),
          await labels('shoe_size'),
        ]).to.equal([
          ['Abe Lee', 'Ann Lee'],
          ['Ann Lee', 'Abe Lee'],
          ['Ann Lee', 'Abe Lee'],
          ['Abe Lee', 'Ann Lee'],
          ['Ann Lee', 'Abe Lee'],
        ]);
        const pairs = new URLSearchParams(
          succeeded(await call(connector, 'POST', `/apps/${inPath(BACKGROUND)}/records/${recordId}/access_token`)).text,
        );
        expect(pairs.get('xoauth_svc_record_id')).to.equal(recordId);
        const token = {
          ...connector!,
          token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
        };
        succeeded(await call(token, 'POST', `/records/${recordId}/documents/`, { body: '<a/>' }));
      });

      it('get nothing of other apps, nor where they are not enabled', async () => {
        expect((await call(connector, 'GET', `/apps/${inPath(APP)}/records/`)).status).to.equal(403);
        expect((await call(medications, 'GET', `/apps/${inPath(APP)}/records/`)).status).to.equal(403);
        expect(
          (await call(connector, 'POST', `/apps/${inPath(APP)}/records/${recordId}/access_token`)).status,
        ).to.equal(403);
        expect(
          (await call(connector, 'POST', `/apps/${inPath(BACKGROUND)}/records/${newId()}/access_token`)).status,
        ).to.equal(403);
        await knex()('record_app').where({ app_id: BACKGROUND }).delete();
        expect(
          (await call(connector, 'POST', `/apps/${inPath(BACKGROUND)}/records/${recordId}/access_token`)).status,
        ).to.equal(403);
      });
    });

    describe('user preferences', () => {
      const path = `/accounts/${inPath(ALICE)}/apps/${inPath(APP)}/preferences`;

      it('are empty, stored as they came, replaced and deleted', async () => {
        const empty = succeeded(await call(alice, 'GET', path));
        expect(empty.text).to.equal('');
        expect(
          succeeded(await call(alice, 'PUT', path, { body: '{"color":"red"}', type: 'application/json' })).text,
        ).to.contain('<ok/>');
        const read = succeeded(await call(alice, 'GET', path));
        expect([read.text, read.headers['content-type'], read.headers['x-content-type-options']]).to.equal([
          '{"color":"red"}',
          'application/json',
          'nosniff',
        ]);
        succeeded(await call(alice, 'PUT', path, { body: '<p/>' }));
        expect((await call(alice, 'GET', path)).headers['content-type']).to.equal('application/xml');
        expect(code(await call(alice, 'PUT', path, { body: '<p>' }))).to.equal('invalid_document');
        expect((await call(alice, 'PUT', path, { body: 'x'.repeat(70_000), type: 'text/plain' })).status).to.equal(413);
        succeeded(await call(alice, 'DELETE', path));
        succeeded(await call(alice, 'DELETE', path));
        expect((await call(alice, 'GET', path)).text).to.equal('');
      });

      it('of another media type come back as an attachment', async () => {
        succeeded(await call(alice, 'PUT', path, { body: '<script>alert(1)</script>', type: 'text/html' }));
        expect((await call(alice, 'GET', path)).headers['content-disposition']).to.equal('attachment');
      });

      it('are for the account and for the app with its token, for no other app', async () => {
        await enable(service.services, recordId, APP);
        await enable(service.services, recordId, BACKGROUND);
        const own = await addToken(service.services, { app: medications!, accountId: ALICE, recordId });
        const other = await addToken(service.services, { app: connector!, accountId: ALICE, recordId });
        succeeded(await call(own, 'PUT', path, { body: 'mine', type: 'text/plain' }));
        expect((await call(alice, 'GET', path)).text).to.equal('mine');
        for (const who of [other, medications!, admin!, await addPerson(service.services, 'bob@example.org')]) {
          expect((await call(who, 'GET', path)).status).to.equal(403);
          expect((await call(who, 'PUT', path, { body: 'x' })).status).to.equal(403);
          expect((await call(who, 'DELETE', path)).status).to.equal(403);
        }
        expect(
          (await call(alice, 'GET', `/accounts/${inPath(ALICE)}/apps/none@apps.example/preferences`)).status,
        ).to.equal(404);
      });
    });

    for (const place of ['alone', 'on a record'] as const) {
      describe(`app storage ${place}`, () => {
        let who: Signs;
        let base: string;
        before(async () => {
          await knex()('app_document').delete();
          await enable(service.services, recordId, APP);
          who =
            place === 'alone'
              ? medications!
              : await addToken(service.services, { app: medications!, accountId: ALICE, recordId });
          base = place === 'alone' ? `/apps/${inPath(APP)}/documents/` : onRecord(APP, '/documents/');
        });
        const create = (body: string | Buffer, type: string): Promise<Answer> =>
          call(who, 'POST', base, { body, type });
        const idIn = ({ text }: Answer): string => attribute(text, 'Document', 'id');

        it('keeps any media type byte for byte', async () => {
          const kinds: [string | Buffer, string, string | undefined][] = [
            ['<a xmlns="http://x.example/n"/>', 'application/xml', undefined],
            ['{"a":1}', 'application/json', undefined],
            ['plain', 'text/plain', 'attachment'],
            [Buffer.from([0, 255, 1, 254]), 'image/png', 'attachment'],
            ['<script>1</script>', 'text/html', 'attachment'],
            ['', 'text/plain', 'attachment'],
            ['<f/>', 'application/fhir+xml', undefined],
          ];
          for (const [body, type, disposition] of kinds) {
            const made = succeeded(await create(body, type));
            expect(attribute(made.text, 'Document', 'size')).to.equal(String(Buffer.byteLength(body)));
            const read = succeeded(await call(who, 'GET', `${base}${idIn(made)}`));
            expect(read.bytes.equals(Buffer.from(body))).to.be.true();
            expect(read.headers['content-type']).to.equal(type);
            expect(read.headers['content-disposition']).to.equal(disposition);
            expect(read.headers['x-content-type-options']).to.equal('nosniff');
            succeeded(await call(who, 'DELETE', `${base}${idIn(made)}`));
          }
        });

        it('refuses broken XML and keeps the earlier document', async () => {
          const external = `${base}external/kept-whole`;
          succeeded(await call(who, 'PUT', external, { body: '<a/>' }));
          for (const [body, type] of [
            ['', 'application/xml'],
            ['', 'text/xml'],
            ['<f', 'application/fhir+xml'],
            ['<!DOCTYPE a><a/>', 'application/x+xml'],
          ] as const) {
            expect(code(await call(who, 'PUT', external, { body, type })), `${type} ${body}`).to.equal(
              'invalid_document',
            );
          }
          expect(attribute(succeeded(await call(who, 'GET', `${external}/meta`)).text, 'Document', 'size')).to.equal(
            '4',
          );
          const marked = succeeded(
            await call(who, 'PUT', external, {
              body: Buffer.from('\ufeff<a/>'),
              type: 'application/x-www-form-urlencoded',
            }),
          );
          expect(attribute(marked.text, 'Document', 'type')).to.equal('a');
          succeeded(await call(who, 'DELETE', `${base}${idIn(marked)}`));
        });

        it('keeps the valid parameters of a media type, which say how to read the content', async () => {
          const long = `text/plain; x=${'a'.repeat(90)}`;
          const kinds: [string, string, string][] = [
            ['gr\u00fcn', 'text/plain; charset=iso-8859-1', 'text/plain; charset=iso-8859-1'],
            ['{}', 'application/json;charset=utf-8', 'application/json;charset=utf-8'],
            ['--x--', 'multipart/mixed; boundary="x y"', 'multipart/mixed; boundary="x y"'],
            ['TEXT', 'TEXT/Plain; Charset=UTF-8', 'text/plain; Charset=UTF-8'],
            ['x', 'text/plain;', 'text/plain'],
            ['x', 'text/plain; charset', 'text/plain'],
            ['x', 'text/plain; a="\u00e9"', 'text/plain'],
            ['x', long, 'text/plain'],
            ['<a/>', 'text/xml; charset=utf-8', 'text/xml'],
          ];
          for (const [body, sent, kept] of kinds) {
            const made = succeeded(await create(body, sent));
            const read = succeeded(await call(who, 'GET', `${base}${idIn(made)}`));
            expect(read.headers['content-type']).to.equal(kept);
            expect(read.headers['content-disposition']).to.equal(/json|xml/.test(kept) ? undefined : 'attachment');
            expect(read.bytes.equals(Buffer.from(body))).to.be.true();
          }
        });

        it('describes documents, with the type of XML', async () => {
          const made = succeeded(await create('<a xmlns="http://x.example/n"/>', 'application/xml'));
          expect(made.text).to.match(
            new RegExp(
              '<Document id="[^"]*" type="http://x.example/n#a" size="31" digest="[0-9a-f]{64}" ' +
                `record_id="${place === 'alone' ? '' : recordId}"><createdAt>[^<]*</createdAt><creator ` +
                `id="${place === 'alone' ? APP : ALICE}" type="${place === 'alone' ? 'userapp' : 'account'}">`,
            ),
          );
          expect(succeeded(await call(who, 'GET', `${base}${idIn(made)}/meta`)).text).to.equal(made.text);
          expect(code(await create('<a>', 'application/xml'))).to.equal('invalid_document');
          expect(code(await create('<!DOCTYPE a><a/>', 'text/xml'))).to.equal('invalid_document');
          succeeded(await create('<a>', 'text/plain'));
        });

        it('takes XML that old clients declare as a form', async () => {
          const made = succeeded(await create('<b/>', 'application/x-www-form-urlencoded'));
          expect((await call(who, 'GET', `${base}${idIn(made)}`)).headers['content-type']).to.equal('application/xml');
        });

        it('labels documents', async () => {
          const id = idIn(succeeded(await create('x', 'text/plain')));
          expect(
            child(
              succeeded(await call(who, 'PUT', `${base}${id}/label`, { body: ' My label ', type: 'text/plain' })).text,
              'label',
            ),
          ).to.equal('My label');
          expect(
            (await call(who, 'PUT', `${base}${id}/label`, { body: 'x'.repeat(101), type: 'text/plain' })).status,
          ).to.equal(400);
          expect(
            succeeded(await call(who, 'PUT', `${base}${id}/label`, { body: '', type: 'text/plain' })).text,
          ).to.not.contain('<label');
          expect(
            (await call(who, 'PUT', `${base}${newId()}/label`, { body: 'x', type: 'text/plain' })).status,
          ).to.equal(404);
        });

        it('creates and overwrites under an external id, in place', async () => {
          const put = (body: string, method = 'PUT'): Promise<Answer> =>
            call(who, method, `${base}external/my%2Fid`, { body, type: 'text/plain' });
          const first = succeeded(await put('one'));
          const second = succeeded(await put('two!'));
          expect(idIn(second)).to.equal(idIn(first));
          expect(attribute(second.text, 'Document', 'size')).to.equal('4');
          expect((await call(who, 'GET', `${base}${idIn(first)}`)).text).to.equal('two!');
          expect(idIn(succeeded(await call(who, 'GET', `${base}external/my%2Fid/meta`)))).to.equal(idIn(first));
          expect((await call(who, 'GET', `${base}external/none/meta`)).status).to.equal(404);
          expect((await put('three', 'POST')).status).to.equal(place === 'alone' ? 405 : 200);
          const many = await Promise.all(
            Array.from({ length: 5 }, (_unused, index) =>
              call(who, 'PUT', `${base}external/at-once`, { body: String(index), type: 'text/plain' }),
            ),
          );
          expect(new Set(many.map((answer) => idIn(succeeded(answer)))).size).to.equal(1);
        });

        it("replaces by id only in the app's own storage", async () => {
          const id = idIn(succeeded(await create('x', 'text/plain')));
          const answer = await call(who, 'PUT', `${base}${id}`, { body: '{}', type: 'application/json' });
          if (place === 'alone') {
            expect(idIn(succeeded(answer))).to.equal(id);
            expect((await call(who, 'GET', `${base}${id}`)).headers['content-type']).to.equal('application/json');
            expect(
              (await call(who, 'PUT', `${base}${newId()}`, { body: '{}', type: 'application/json' })).status,
            ).to.equal(404);
          } else {
            expect(answer.status).to.equal(405);
          }
        });

        it('lists in pages, by type and order', async () => {
          await knex()('app_document').delete();
          for (const body of [
            '<a xmlns="http://x.example/n"/>',
            `<Medication xmlns="https://svc.example/vocab/xml/documents#">${'x'.repeat(20)}</Medication>`,
            '<a xmlns="http://x.example/n"></a>',
          ]) {
            succeeded(await create(body, 'application/xml'));
          }
          const list = async (query = ''): Promise<string[]> =>
            [
              ...succeeded(await call(who, 'GET', `${base}${query}`)).text.matchAll(
                /<Document id="[^"]*" type="[^"#]*#(\w+)" size="(\d+)"/g,
              ),
            ].map((match) => `${match[1]} ${match[2]}`);
          expect(await list()).to.equal(['a 34', 'Medication 94', 'a 31']);
          expect(await list('?order_by=size')).to.equal(['a 31', 'a 34', 'Medication 94']);
          expect(await list('?order_by=-size&limit=1')).to.equal(['Medication 94']);
          expect(await list('?limit=1&offset=1')).to.equal(['Medication 94']);
          expect(await list('?order_by=consumer_secret')).to.equal(['a 34', 'Medication 94', 'a 31']);
          expect(await list('?type=Medication')).to.equal(['Medication 94']);
          expect(await list(`?type=${encodeURIComponent('http://x.example/n#a')}`)).to.equal(['a 34', 'a 31']);
          expect(await list(`?type=${encodeURIComponent('http://x.example/n#none')}`)).to.equal([]);
          expect(await list('?status=void')).to.equal([]);
          succeeded(await create('<Unheard xmlns="https://svc.example/vocab/xml/documents#"/>', 'application/xml'));
          succeeded(await create('<bare/>', 'application/xml'));
          expect(await list('?type=Unheard')).to.equal(['Unheard 59']);
          expect(succeeded(await call(who, 'GET', `${base}?type=bare`)).text).to.contain('type="bare" size="7"');
          await knex()('app_document').whereIn('size', [7, 59]).delete();
          const whole = succeeded(await call(who, 'GET', base)).text;
          expect(whole).to.contain(
            `<Documents record_id="${place === 'alone' ? '' : recordId}" total_document_count="3" pha="${APP}">`,
          );
          expect((await call(who, 'GET', `${base}?type=NoSuchType`)).status).to.equal(404);
          expect((await call(who, 'GET', `${base}?status=gone`)).status).to.equal(400);
          expect((await call(who, 'GET', `${base}?limit=x`)).status).to.equal(400);
        });

        it('deletes for good', async () => {
          const id = idIn(succeeded(await create('x', 'text/plain')));
          succeeded(await call(who, 'DELETE', `${base}${id}`));
          for (const [method, rest] of [
            ['GET', ''],
            ['GET', '/meta'],
            ['DELETE', ''],
          ] as const) {
            expect((await call(who, method, `${base}${id}${rest}`)).status).to.equal(404);
          }
        });

        it('ends at its limits, and what was refused is not there', async () => {
          await knex()('app_document').delete();
          expect((await create('x'.repeat(2001), 'text/plain')).status).to.equal(413);
          const statuses = (
            await Promise.all(Array.from({ length: 6 }, () => create('x'.repeat(1500), 'text/plain')))
          ).map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).to.have.length(3);
          expect(statuses.filter((status) => status === 413)).to.have.length(3);
          expect((await knex()('app_document').pluck('id')) as string[]).to.have.length(3);
          await knex()('app_document').delete();
        });

        it('is closed to every other app, account and token', async () => {
          const id = idIn(succeeded(await create('x', 'text/plain')));
          await enable(service.services, recordId, BACKGROUND);
          const others: (Signs | null)[] = [
            null,
            alice,
            admin!,
            ui!,
            connector!,
            await addToken(service.services, { app: connector!, accountId: null, recordId }),
            ...(place === 'alone'
              ? [await addToken(service.services, { app: medications!, accountId: ALICE, recordId })]
              : []),
          ];
          for (const other of others) {
            expect((await call(other, 'GET', `${base}${id}`)).status).to.equal(403);
            expect((await call(other, 'GET', base)).status).to.equal(403);
            expect((await call(other, 'DELETE', `${base}${id}`)).status).to.equal(403);
          }
          const foreign = base.replace(inPath(APP), inPath(BACKGROUND));
          expect((await call(who, 'GET', foreign)).status).to.equal(403);
          const crossed = place === 'alone' ? onRecord(APP, '/documents/') : `/apps/${inPath(APP)}/documents/`;
          expect((await call(medications, 'GET', `${crossed}${id}`)).status).to.equal(404);
        });
      });
    }

    describe('app storage on a record that the app is taken off while a call waits for the record', () => {
      it('takes nothing more from the app', async () => {
        await enable(service.services, recordId, APP);
        const listed = async (): Promise<string> =>
          succeeded(await call(medications, 'GET', onRecord(APP, '/documents/'))).text;
        const external = onRecord(APP, '/documents/external/waited');
        succeeded(await call(medications, 'PUT', external, { body: 'first', type: 'text/plain' }));
        const earlier = await listed();
        for (const [method, path] of [
          ['POST', onRecord(APP, '/documents/')],
          ['PUT', external],
        ] as const) {
          const late = await losingApp({ recordId, appId: APP }, () =>
            call(medications, method, path, { body: 'late', type: 'text/plain' }),
          );
          expect([late.status, code(late)], method).to.equal([403, 'permission_denied']);
        }
        expect(await listed()).to.equal(earlier);
      });
    });

    describe('pha_delete', () => {
      it('is for the app itself: what it owns is deleted, what it gave to records stays', async () => {
        const own = await addApp(service.services, 'leaving@apps.example', 'user');
        await enable(service.services, recordId, 'leaving@apps.example');
        const token = await addToken(service.services, { app: own, accountId: ALICE, recordId });
        const documentId = attribute(
          succeeded(await call(token, 'POST', `/records/${recordId}/documents/`, { body: '<a/>' })).text,
          'Document',
          'id',
        );
        succeeded(await call(token, 'POST', `/records/${recordId}/inbox/bye`, { form: { subject: 'bye' } }));
        succeeded(await call(own, 'POST', '/apps/leaving@apps.example/documents/', { body: 'x', type: 'text/plain' }));
        for (const who of [admin!, ui!, alice, medications!, token]) {
          expect((await call(who, 'DELETE', '/apps/leaving@apps.example')).status).to.equal(403);
        }
        succeeded(await call(own, 'DELETE', '/apps/leaving@apps.example'));
        expect((await call(own, 'DELETE', '/apps/leaving@apps.example')).status).to.equal(403);
        expect((await call(token, 'GET', '/apps/')).status).to.equal(403);
        expect((await call(admin, 'GET', '/apps/leaving@apps.example')).status).to.equal(404);
        for (const table of ['access_token', 'record_app', 'app_document']) {
          expect(await knex()(table).where({ app_id: 'leaving@apps.example' }), table).to.have.length(0);
        }
        succeeded(await call(alice, 'GET', `/records/${recordId}/documents/${documentId}`));
        expect((await call(alice, 'GET', `/accounts/${inPath(ALICE)}/inbox/`)).text).to.contain(
          '<sender>leaving@apps.example</sender>',
        );
      });

      describe('while a call is under way', () => {
        const retire = (id: string): Promise<boolean> => appStore.retireApp(knex(), id, '2026-01-01T00:00:00.000000Z');
        const nothingOf = async (id: string): Promise<void> => {
          for (const table of ['access_token', 'record_app', 'carenet_app', 'app_document', 'app_preference']) {
            expect(await knex()(table).where({ app_id: id }), table).to.have.length(0);
          }
        };

        it('leaves nothing of what others give the app', async () => {
          const carenet = (await knex()('carenet').where({ record_id: recordId }).first('id')) as { id: string };
          const giving: readonly (readonly [Signs, string, (id: string) => string, CallOptions])[] = [
            [admin!, 'POST', (id) => onRecord(id, '/setup'), { body: '<setup/>' }],
            [alice, 'PUT', (id) => onRecord(id), {}],
            [alice, 'PUT', (id) => `/carenets/${carenet.id}/apps/${inPath(id)}`, {}],
            [
              alice,
              'PUT',
              (id) => `/accounts/${inPath(ALICE)}/apps/${inPath(id)}/preferences`,
              { body: 'x', type: 'text/plain' },
            ],
          ];
          for (const [index, [who, method, path, options]] of giving.entries()) {
            const id = `going-${index}@apps.example`;
            await addApp(service.services, id, 'user');
            await enable(service.services, recordId, id);
            const answer = await meanwhile(
              appStore,
              'findUserApp',
              () => retire(id),
              () => call(who, method, path(id), options),
            );
            expect([answer.status, code(answer)], path(id)).to.equal([404, 'not_found']);
            await nothingOf(id);
          }
        });

        it('takes nothing more from the app', async () => {
          const own = await addApp(service.services, 'gone@apps.example', 'user');
          const answer = await meanwhile(
            service.services.reader,
            'inspect',
            () => retire('gone@apps.example'),
            () => call(own, 'POST', '/apps/gone@apps.example/documents/', { body: '<a/>' }),
          );
          expect([answer.status, code(answer)]).to.equal([403, 'permission_denied']);
          await nothingOf('gone@apps.example');
        });

        it('makes no record for an admin app that is no longer one', async () => {
          const own = await addApp(service.services, 'stolen@apps.example', 'admin');
          const records = (await knex()('record')).length;
          const answer = await meanwhile(
            service.services.reader,
            'read',
            () => retire('stolen@apps.example'),
            () => call(own, 'POST', '/records/', { body: demographics('No', 'Body') }),
          );
          expect([answer.status, code(answer)]).to.equal([403, 'permission_denied']);
          expect((await knex()('record')).length).to.equal(records);
        });
      });
    });
  });
}
