/** carenets: members, apps, placements, autoshares and what a carenet shows, through signed calls. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addAccount, addApp, addPerson, addToken, enable, inTurn, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { pagesAsWhole } from '../support/paging';
import { admin, startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const note = (text: string, name = 'Note'): string => `<${name} xmlns="${NS}">${text}</${name}>`;
const code = (answer: Answer): string => attribute(answer.text, 'error', 'code');
const idOf = (answer: Answer): string => attribute(succeeded(answer).text, 'Document', 'id');
const idsIn = (answer: Answer): string[] =>
  [...succeeded(answer).text.matchAll(/<Document id="([^"]*)"/g)].map((match) => match[1]!);
const carenetsIn = (answer: Answer): string[] =>
  [...succeeded(answer).text.matchAll(/<Carenet id="([^"]*)"[^>]*mode="(\w+)"/g)].map(
    (match) => `${match[1]!} ${match[2]!}`,
  );

for (const leg of databases) {
  describe(`carenets on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let carol: Signs;
    let app: Signs;
    let background: Signs;
    let recordId: string;
    let record: string;
    let documents: string;
    let carenetId: string;
    let carenet: string;

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const post = async (body: string): Promise<string> => idOf(await call(alice, 'POST', documents, { body }));
    const place = (id: string, into = carenetId): Promise<Answer> =>
      call(alice, 'PUT', `${documents}${id}/carenets/${into}`);
    const exclude = (id: string): Promise<Answer> => call(alice, 'DELETE', `${documents}${id}/carenets/${carenetId}`);
    const autoshare = (type: string, verb = 'set'): Promise<Answer> =>
      call(alice, 'POST', `${record}/autoshare/carenets/${carenetId}/bytype/${verb}`, { form: { type } });
    const shown = async (by: Signs = carol): Promise<string[]> => idsIn(await call(by, 'GET', `${carenet}/documents/`));

    const fresh = async (): Promise<void> => {
      recordId = await createRecord(service.call, 'alice@example.org');
      record = `/records/${recordId}`;
      documents = `${record}/documents/`;
      carenetId = attribute(succeeded(await call(alice, 'GET', `${record}/carenets/`)).text, 'Carenet', 'id');
      carenet = `/carenets/${carenetId}`;
      succeeded(
        await call(alice, 'POST', `${carenet}/accounts/`, {
          form: { account_id: 'carol@example.org', write: 'false' },
        }),
      );
    };

    before(async () => {
      service = await startService(leg);
      const { services } = service;
      alice = await addPerson(services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(services, 'bob@example.org', 'Bob Stranger');
      carol = await addPerson(services, 'carol@example.org', 'Carol Inside');
      await addAccount(services, 'gone@example.org', 'Gone', 'retired');
      app = await addApp(services, 'app@apps.example', 'user');
      background = await addApp(services, 'background@apps.example', 'user', true);
      await fresh();
    });
    after(() => service.stop());

    describe('carenet_create, carenet_rename and carenet_delete', () => {
      it('needs a name that is new in the record, of at most 40 characters', async () => {
        const create = (name?: string): Promise<Answer> =>
          call(alice, 'POST', `${record}/carenets/`, { form: name === undefined ? {} : { name } });
        const made = succeeded(await create(' Friends '));
        expect(attribute(made.text, 'Carenet', 'name')).to.equal('Friends');
        expect(attribute(made.text, 'Carenets', 'record_id')).to.equal(recordId);
        expect(code(await create('Friends'))).to.equal('duplicate');
        for (const name of [undefined, '', '  ', 'x'.repeat(41)]) {
          expect((await create(name)).status).to.equal(400);
        }
        const id = attribute(made.text, 'Carenet', 'id');
        const rename = (name: string): Promise<Answer> =>
          call(alice, 'POST', `/carenets/${id}/rename`, { form: { name } });
        expect(attribute(succeeded(await rename('Friends')).text, 'Carenet', 'name')).to.equal('Friends');
        expect(attribute(succeeded(await rename('Buddies')).text, 'Carenet', 'name')).to.equal('Buddies');
        expect(code(await rename('Family'))).to.equal('duplicate');
      });

      it('takes everything of the carenet away but the documents', async () => {
        await fresh();
        const { services } = service;
        const id = await post(note('stays'));
        succeeded(await place(id));
        succeeded(await autoshare('Survey'));
        await enable(services, recordId, 'app@apps.example');
        succeeded(await call(alice, 'PUT', `${carenet}/apps/app%40apps.example`));
        const token = await addToken(services, { app, accountId: 'carol@example.org', recordId, carenetId });
        expect(await shown(token)).to.equal([id]);
        succeeded(await call(alice, 'DELETE', carenet));
        for (const table of [
          'carenet_account',
          'carenet_app',
          'carenet_preference',
          'carenet_autoshare',
          'carenet_kind',
          'access_token',
        ]) {
          expect(
            await direct(services.database)(table).where({ carenet_id: carenetId }).first(),
            table,
          ).to.be.undefined();
        }
        const recorded = (await direct(services.database)('audit')
          .where({ function_name: 'carenet_delete', carenet_id: carenetId })
          .first()) as { record_id: string };
        expect(recorded.record_id).to.equal(recordId);
        expect((await call(token, 'GET', `${carenet}/documents/`)).status).to.equal(403);
        expect((await call(carol, 'GET', `${carenet}/documents/`)).status).to.equal(403);
        expect((await call(admin, 'GET', `${carenet}/record`)).status).to.equal(404);
        expect((await call(alice, 'GET', `${documents}${id}`)).status).to.equal(200);
      });

      it('is for those in control of the record; the carenet itself has no GET', async () => {
        await fresh();
        for (const caller of [bob, carol, admin, app, null]) {
          expect((await call(caller, 'DELETE', carenet)).status).to.equal(403);
          expect((await call(caller, 'POST', `${carenet}/rename`, { form: { name: 'Mine' } })).status).to.equal(403);
        }
        expect((await call(alice, 'GET', carenet)).status).to.equal(405);
      });
    });

    describe('members', () => {
      it('are added, changed, listed and removed', async () => {
        await fresh();
        const add = (form: Record<string, string>): Promise<Answer> =>
          call(alice, 'POST', `${carenet}/accounts/`, { form });
        succeeded(await add({ account_id: ' Bob@example.org', write: 'true' }));
        const list = (): Promise<Answer> => call(carol, 'GET', `${carenet}/accounts/`);
        expect((await list()).text).to.contain(
          '<CarenetAccount id="carol@example.org" fullName="Carol Inside" write="false"/><CarenetAccount ' +
            'id="bob@example.org" fullName="Bob Stranger" write="true"/>',
        );
        succeeded(await add({ account_id: 'bob@example.org', write: 'no' }));
        expect((await list()).text).to.contain('id="bob@example.org" fullName="Bob Stranger" write="false"');
        expect((await add({ account_id: 'bob@example.org' })).status).to.equal(400);
        expect((await add({ write: 'true' })).status).to.equal(400);
        expect((await add({ account_id: 'nobody@example.org', write: 'true' })).status).to.equal(404);
        expect((await add({ account_id: 'gone@example.org', write: 'true' })).status).to.equal(400);
        expect((await call(bob, 'GET', `${carenet}/record`)).status).to.equal(200);
        const remove = (id: string): Promise<Answer> =>
          call(alice, 'DELETE', `${carenet}/accounts/${encodeURIComponent(id)}`);
        succeeded(await remove('bob@example.org'));
        expect((await remove('bob@example.org')).status).to.equal(404);
        expect((await remove('nobody@example.org')).status).to.equal(404);
        expect((await call(bob, 'GET', `${carenet}/record`)).status).to.equal(403);
      });

      it('lose their tokens with their place, and so do apps', async () => {
        await fresh();
        const { services } = service;
        const id = await post(note('x'));
        succeeded(await place(id));
        await enable(services, recordId, 'app@apps.example');
        expect((await call(alice, 'PUT', `${carenet}/apps/app%40apps.example`)).status).to.equal(200);
        const token = await addToken(services, { app, accountId: 'carol@example.org', recordId, carenetId });
        expect(await shown(token)).to.equal([id]);
        succeeded(await call(alice, 'DELETE', `${carenet}/accounts/carol%40example.org`));
        expect((await call(token, 'GET', `${carenet}/documents/`)).status).to.equal(403);
        succeeded(
          await call(alice, 'POST', `${carenet}/accounts/`, {
            form: { account_id: 'carol@example.org', write: 'false' },
          }),
        );
        expect((await call(token, 'GET', `${carenet}/documents/`)).status).to.equal(403);
        const second = await addToken(services, { app, accountId: 'carol@example.org', recordId, carenetId });
        expect(await shown(second)).to.equal([id]);
        succeeded(await call(alice, 'DELETE', `${carenet}/apps/app%40apps.example`));
        expect((await call(second, 'GET', `${carenet}/documents/`)).status).to.equal(403);
      });

      it('keep their tokens while they control the record, and lose them with that', async () => {
        await fresh();
        const { services } = service;
        const id = await post(note('x'));
        succeeded(await place(id));
        await enable(services, recordId, 'app@apps.example');
        succeeded(await call(alice, 'PUT', `${carenet}/apps/app%40apps.example`));
        succeeded(await call(alice, 'POST', `${record}/shares/`, { form: { account_id: 'carol@example.org' } }));
        const token = await addToken(services, { app, accountId: 'carol@example.org', recordId, carenetId });
        succeeded(await call(alice, 'DELETE', `${carenet}/accounts/carol%40example.org`));
        expect(await shown(token)).to.equal([id]);
        succeeded(await call(alice, 'DELETE', `${record}/shares/carol%40example.org`));
        expect((await call(token, 'GET', `${carenet}/documents/`)).status).to.equal(403);
        succeeded(await call(alice, 'POST', `${record}/shares/`, { form: { account_id: 'carol@example.org' } }));
        expect((await call(token, 'GET', `${carenet}/documents/`)).status).to.equal(403);
      });

      it('have the permissions they were given; nobody else has any', async () => {
        await fresh();
        const permissions = (by: Signs | typeof admin, id: string): Promise<Answer> =>
          call(by, 'GET', `${carenet}/accounts/${encodeURIComponent(id)}/permissions`);
        expect(succeeded(await permissions(carol, 'carol@example.org')).text).to.contain(
          '<Permissions><DocumentType type="*" write="false"/></Permissions>',
        );
        expect(succeeded(await permissions(alice, 'alice@example.org')).text).to.contain('write="true"');
        expect((await permissions(admin, 'bob@example.org')).status).to.equal(404);
        expect((await permissions(admin, 'nobody@example.org')).status).to.equal(404);
        expect((await permissions(carol, 'alice@example.org')).status).to.equal(403);
        expect((await permissions(bob, 'bob@example.org')).status).to.equal(403);
      });

      it('see their carenets, and owners those of their records, once each', async () => {
        await fresh();
        succeeded(
          await call(alice, 'POST', `${carenet}/accounts/`, {
            form: { account_id: 'alice@example.org', write: 'true' },
          }),
        );
        const mine = carenetsIn(await call(alice, 'GET', '/accounts/alice%40example.org/permissions/'));
        expect(new Set(mine).size).to.equal(mine.length);
        expect(mine).to.include(`${carenetId} explicit`);
        succeeded(await call(alice, 'POST', `/carenets/${carenetId}/rename`, { form: { name: 'Zoo' } }));
        succeeded(await call(alice, 'POST', `/records/${recordId}/carenets/`, { form: { name: 'Aunts' } }));
        const names = [
          ...succeeded(await call(alice, 'GET', '/accounts/alice%40example.org/permissions/')).text.matchAll(
            / name="([^"]*)"/g,
          ),
        ].map((match) => match[1]!);
        expect(names)
          .to.equal([...names].sort())
          .and.to.include(['Aunts', 'Zoo']);
        const theirs = succeeded(await call(carol, 'GET', '/accounts/carol%40example.org/permissions/'));
        expect(theirs.text).to.contain('<Carenets record_id="">').and.to.contain(carenetId);
        expect((await call(admin, 'GET', '/accounts/carol%40example.org/permissions/')).status).to.equal(403);
      });
    });

    describe('apps', () => {
      it('must be enabled on the record and act for somebody', async () => {
        await fresh();
        const { services } = service;
        const put = (id: string): Promise<Answer> => call(alice, 'PUT', `${carenet}/apps/${encodeURIComponent(id)}`);
        expect((await put('app@apps.example')).status).to.equal(404);
        expect((await put('nobody@apps.example')).status).to.equal(404);
        expect((await put(admin!.consumer.key)).status).to.equal(404);
        await enable(services, recordId, 'app@apps.example');
        await enable(services, recordId, 'background@apps.example');
        for (const _ of [1, 2]) {
          succeeded(await put('app@apps.example'));
        }
        expect((await put('background@apps.example')).status).to.equal(400);
        expect(succeeded(await call(carol, 'GET', `${carenet}/apps/`)).text).to.contain('<App id="app@apps.example">');
        expect(
          JSON.parse((await call(carol, 'GET', `${carenet}/apps/`, { headers: { accept: 'application/json' } })).text),
        ).to.have.length(1);
        for (const _ of [1, 2]) {
          succeeded(await call(alice, 'DELETE', `${carenet}/apps/app%40apps.example`));
        }
        expect(succeeded(await call(carol, 'GET', `${carenet}/apps/`)).text).to.contain('<Apps/>');
        expect((await call(app, 'GET', `${carenet}/apps/`)).status).to.equal(403);
        expect((await call(background, 'GET', `${carenet}/accounts/`)).status).to.equal(403);
        expect((await call(alice, 'GET', `${carenet}/apps/app%40apps.example/permissions`)).status).to.equal(403);
      });
    });

    describe('what a carenet contains', () => {
      it('follows nevershare, then the explicit preference, then the type', async () => {
        await fresh();
        const [one, two] = [await post(note('1', 'Survey')), await post(note('2', 'Survey'))];
        expect(await shown()).to.equal([]);
        succeeded(await autoshare('Survey'));
        succeeded(await autoshare(`${NS}Survey`));
        expect(await shown()).to.equal([two, one]);
        const later = await post(note('3', 'Survey'));
        expect(await shown()).to.equal([later, two, one]);
        succeeded(await exclude(one));
        expect(await shown()).to.equal([later, two]);
        succeeded(await place(one));
        expect(await shown()).to.equal([later, two, one]);
        succeeded(await autoshare('Survey', 'unset'));
        expect(await shown()).to.equal([one]);
        succeeded(await call(alice, 'PUT', `${documents}${one}/nevershare`));
        expect(await shown()).to.equal([]);
        succeeded(await autoshare('Survey'));
        expect(await shown()).to.equal([later, two]);
        expect(carenetsIn(await call(alice, 'GET', `${documents}${one}/carenets/`))).to.equal([]);
        expect((await place(one)).status).to.equal(404);
        succeeded(await call(alice, 'DELETE', `${documents}${one}/nevershare`));
        expect(await shown()).to.equal([later, two, one]);
        expect(carenetsIn(await call(alice, 'GET', `${documents}${one}/carenets/`))).to.equal([
          `${carenetId} explicit`,
        ]);
        expect(carenetsIn(await call(alice, 'GET', `${documents}${two}/carenets/`))).to.equal([`${carenetId} bytype`]);
        succeeded(await exclude(two));
        succeeded(await call(alice, 'POST', `${documents}${two}/carenets/${carenetId}/autoshare-revert`));
        expect(carenetsIn(await call(alice, 'GET', `${documents}${two}/carenets/`))).to.equal([`${carenetId} bytype`]);
      });

      it('keeps a document out of later autoshares once it was taken out', async () => {
        await fresh();
        const id = await post(note('never there', 'Survey'));
        succeeded(await exclude(id));
        succeeded(await autoshare('Survey'));
        expect(await shown()).to.equal([]);
      });

      it('survives a replacement, whichever version a preference was set on; a new type counts as such', async () => {
        await fresh();
        const replace = async (id: string, body: string): Promise<string> =>
          idOf(await call(alice, 'POST', `${documents}${id}/replace`, { body }));
        const [shared, excluded, never] = await inTurn(['s', 'e', 'n'], (text) => post(note(text, 'Survey')));
        succeeded(await autoshare('Survey'));
        succeeded(await place(shared!));
        succeeded(await exclude(excluded!));
        succeeded(await call(alice, 'PUT', `${documents}${never}/nevershare`));
        const newer = await replace(shared!, note('s2', 'Survey'));
        await replace(excluded!, note('e2', 'Survey'));
        await replace(never!, note('n2', 'Survey'));
        expect(await shown()).to.equal([newer]);
        for (const who of [carol, alice]) {
          for (const path of ['', '/meta']) {
            expect((await call(who, 'GET', `${carenet}/documents/${shared}${path}`)).status).to.equal(404);
            expect((await call(who, 'GET', `${carenet}/documents/${newer}${path}`)).status).to.equal(200);
          }
        }
        succeeded(await call(alice, 'GET', `${documents}${shared}`));
        succeeded(await exclude(shared!));
        expect(await shown()).to.equal([]);
        const typed = await post(note('t', 'Survey'));
        expect(await shown()).to.equal([typed]);
        await replace(typed, note('t2', 'Allergen'));
        expect(await shown()).to.equal([]);
      });

      it('is the same at every door: list, content, metadata, demographics', async () => {
        await fresh();
        const inside = await post(note('inside'));
        const outside = await post(note('outside'));
        succeeded(await place(inside));
        for (const path of ['', '/meta']) {
          expect((await call(carol, 'GET', `${carenet}/documents/${inside}${path}`)).status).to.equal(200);
          expect((await call(carol, 'GET', `${carenet}/documents/${outside}${path}`)).status).to.equal(404);
          expect((await call(alice, 'GET', `${carenet}/documents/${outside}${path}`)).status).to.equal(404);
        }
        const demographics = ['demographics', 'documents/special/demographics'];
        for (const path of demographics) {
          expect((await call(carol, 'GET', `${carenet}/${path}`)).status).to.equal(404);
        }
        const named = async (path: string): Promise<string> =>
          attribute(
            succeeded(await call(path === record ? alice : carol, 'GET', path)).text,
            'demographics',
            'document_id',
          );
        const id = await named(record);
        expect(await named(`${carenet}/record`)).to.equal('');
        succeeded(await place(id));
        expect(await named(`${carenet}/record`)).to.equal(id);
        for (const path of demographics) {
          expect((await call(carol, 'GET', `${carenet}/${path}`)).status).to.equal(200);
          expect((await call(admin, 'GET', `${carenet}/${path}`)).status).to.equal(200);
        }
        succeeded(await exclude(id));
        succeeded(await autoshare('Demographics'));
        expect((await call(carol, 'GET', `${carenet}/demographics`)).status).to.equal(404);
        succeeded(await call(alice, 'POST', `${documents}${id}/carenets/${carenetId}/autoshare-revert`));
        expect((await call(carol, 'GET', `${carenet}/demographics`)).status).to.equal(200);
        succeeded(await call(alice, 'PUT', `${documents}${id}/nevershare`));
        expect((await call(carol, 'GET', `${carenet}/demographics`)).status).to.equal(404);
        expect((await call(admin, 'GET', `${carenet}/documents/`)).status).to.equal(403);
      });

      it('counts only relations to documents that it contains', async () => {
        await fresh();
        const object = await post(note('object'));
        const [seen, hidden] = await inTurn(['seen', 'hidden'], async (text) =>
          idOf(await call(alice, 'POST', `${documents}${object}/rels/annotation/`, { body: note(text) })),
        );
        succeeded(await place(object));
        expect(succeeded(await call(carol, 'GET', `${carenet}/documents/${object}/meta`)).text).not.to.contain(
          'isRelatedFrom',
        );
        succeeded(await place(seen!));
        expect(succeeded(await call(carol, 'GET', `${carenet}/documents/${object}/meta`)).text).to.contain('count="1"');
        expect(succeeded(await call(carol, 'GET', `${carenet}/documents/`)).text)
          .to.contain('annotation" count="1"')
          .and.not.contain('annotation" count="2"');
        expect(succeeded(await call(alice, 'GET', `${documents}${object}/meta`)).text).to.contain('count="2"');
        expect((await call(carol, 'GET', `${carenet}/documents/${hidden}`)).status).to.equal(404);
      });

      it('filters and pages its list as a record does', async () => {
        await fresh();
        const labs = await inTurn(['1', '2', '3'], (text) => post(note(text, 'Survey')));
        const other = await post(note('x', 'Contact'));
        await inTurn([...labs, other], (id) => place(id));
        const list = (query: string): Promise<Answer> => call(carol, 'GET', `${carenet}/documents/?${query}`);
        expect(idsIn(await list('type=Survey&limit=2'))).to.equal([labs[2], labs[1]]);
        expect(idsIn(await list('type=Survey&limit=2&offset=2'))).to.equal([labs[0]]);
        expect(attribute((await list('type=Survey&limit=1')).text, 'Documents', 'total_document_count')).to.equal('3');
        expect(idsIn(await list('type=Equipment'))).to.equal([]);
        expect(idsIn(await list('type=Nothing'))).to.equal([]);
        await post(note('outside', 'Nothing'));
        expect(idsIn(await list('type=Nothing'))).to.equal([]);
        expect(idsIn(await list('type='))).to.equal([other, labs[2], labs[1], labs[0]]);
        succeeded(
          await call(alice, 'POST', `${documents}${other}/set-status`, { form: { status: 'void', reason: 'x' } }),
        );
        expect(idsIn(await list('type=Contact'))).to.equal([]);
        expect(idsIn(await list('type=Contact&status=void'))).to.equal([other]);
        expect((await list('limit=-1')).status).to.equal(400);
      });
    });

    describe('lists of carenets, of their accounts and of their apps', () => {
      it('come in pages', async () => {
        const dora = await addPerson(service.services, 'dora@example.org');
        await fresh();
        succeeded(await call(alice, 'POST', `${record}/carenets/`, { form: { name: 'Another' } }));
        const all = carenetsIn(await call(alice, 'GET', `${record}/carenets/`)).map((entry) => entry.split(' ')[0]!);
        const id = await post(note('x', 'Survey'));
        await enable(service.services, recordId, 'app@apps.example');
        await addApp(service.services, 'second@apps.example', 'user');
        await enable(service.services, recordId, 'second@apps.example');
        for (const each of all) {
          succeeded(await place(id, each));
          succeeded(
            await call(alice, 'POST', `${record}/autoshare/carenets/${each}/bytype/set`, { form: { type: 'Survey' } }),
          );
          succeeded(
            await call(alice, 'POST', `/carenets/${each}/accounts/`, {
              form: { account_id: 'dora@example.org', write: 'false' },
            }),
          );
        }
        for (const each of ['app@apps.example', 'second@apps.example']) {
          succeeded(await call(alice, 'PUT', `${carenet}/apps/${encodeURIComponent(each)}`));
        }
        const entries = ({ text }: Answer): string[] =>
          [...text.matchAll(/<(?:Carenet|CarenetAccount|App) id="([^"]*)"/g)].map((match) => match[1]!);
        await inTurn(
          [
            `${record}/carenets/`,
            `${documents}${id}/carenets/`,
            `${record}/autoshare/bytype/?type=Survey`,
            `${carenet}/accounts/`,
            `${carenet}/apps/`,
          ],
          (address) => pagesAsWhole((path) => call(alice, 'GET', path), address, entries),
        );
        await pagesAsWhole((path) => call(dora, 'GET', path), '/accounts/dora%40example.org/permissions/', entries);
      });
    });

    describe('borders between records', () => {
      it('cannot be crossed by placement, revert or autoshare', async () => {
        await fresh();
        const foreignRecord = await createRecord(service.call, 'bob@example.org');
        const foreign = attribute(
          succeeded(await call(bob, 'GET', `/records/${foreignRecord}/carenets/`)).text,
          'Carenet',
          'id',
        );
        const own = await createRecord(service.call, 'alice@example.org');
        const ownCarenet = attribute(
          succeeded(await call(alice, 'GET', `/records/${own}/carenets/`)).text,
          'Carenet',
          'id',
        );
        const id = await post(note('mine', 'Survey'));
        expect((await place(id, foreign)).status).to.equal(403);
        expect((await place(id, ownCarenet)).status).to.equal(404);
        expect((await call(alice, 'PUT', `/records/${own}/documents/${id}/carenets/${ownCarenet}`)).status).to.equal(
          404,
        );
        for (const target of [foreign, ownCarenet, 'unknown']) {
          expect(
            (
              await call(alice, 'POST', `${record}/autoshare/carenets/${target}/bytype/set`, {
                form: { type: 'Survey' },
              })
            ).status,
          ).to.equal(404);
          expect(
            (
              await call(alice, 'POST', `${record}/autoshare/carenets/${target}/bytype/unset`, {
                form: { type: 'Survey' },
              })
            ).status,
          ).to.equal(404);
          expect((await call(alice, 'POST', `${documents}${id}/carenets/${target}/autoshare-revert`)).status).to.equal(
            404,
          );
        }
        expect((await call(alice, 'DELETE', `${documents}${id}/carenets/${ownCarenet}`)).status).to.equal(404);
        expect((await call(alice, 'GET', `${documents}unknown/carenets/`)).status).to.equal(404);
        expect((await place('unknown')).status).to.equal(404);
      });
    });

    describe('autoshares', () => {
      it('are listed by type and all together', async () => {
        await fresh();
        succeeded(await autoshare('Contact'));
        succeeded(await autoshare('Survey'));
        expect(carenetsIn(await call(alice, 'GET', `${record}/autoshare/bytype/?type=Survey`))).to.equal([
          `${carenetId} explicit`,
        ]);
        expect(succeeded(await call(alice, 'GET', `${record}/autoshare/bytype/?type=Allergy`)).text).to.contain(
          `<Carenets record_id="${recordId}"/>`,
        );
        const all = succeeded(await call(alice, 'GET', `${record}/autoshare/bytype/all`)).text;
        expect([...all.matchAll(/<DocumentSchema type="([^"]*)">/g)].map((match) => match[1])).to.equal([
          `${NS}Contact`,
          `${NS}Survey`,
        ]);
      });

      it('cover documents in no namespace by their bare name', async () => {
        await fresh();
        expect((await autoshare('plain')).status).to.equal(404);
        const [plain, models] = [await post('<plain/>'), await post('<Models/>')];
        succeeded(await autoshare('plain'));
        expect(await shown()).to.equal([plain]);
        succeeded(await autoshare('Models'));
        expect(await shown()).to.equal([models, plain]);
        expect(carenetsIn(await call(alice, 'GET', `${record}/autoshare/bytype/?type=Models`))).to.equal([
          `${carenetId} explicit`,
        ]);
        expect(idsIn(await call(carol, 'GET', `${carenet}/documents/?type=plain`))).to.equal([plain]);
        succeeded(await autoshare('plain', 'unset'));
        succeeded(await autoshare('Models', 'unset'));
        expect(await shown()).to.equal([]);
        expect(succeeded(await call(alice, 'GET', `${record}/autoshare/bytype/all`)).text).to.not.contain(
          '<DocumentSchema ',
        );
      });

      it('can be taken back when no document has the type any more', async () => {
        await fresh();
        const id = await post('<Foo xmlns="urn:foo:x"/>');
        succeeded(await autoshare('urn:foo:x#Foo'));
        succeeded(await call(alice, 'POST', `${documents}${id}/replace`, { body: note('other') }));
        expect(carenetsIn(await call(alice, 'GET', `${record}/autoshare/bytype/?type=urn:foo:x%23Foo`))).to.equal([
          `${carenetId} explicit`,
        ]);
        succeeded(await autoshare('urn:foo:x#Foo', 'unset'));
        const secret = await post('<Foo xmlns="urn:foo:x"><secret/></Foo>');
        expect((await call(carol, 'GET', `${carenet}/documents/${secret}`)).status).to.equal(404);
      });

      it('know types of ours, of formats and of the record; others are 404', async () => {
        await fresh();
        expect((await autoshare('Unheard')).status).to.equal(404);
        expect((await call(alice, 'GET', `${record}/autoshare/bytype/?type=Unheard`)).status).to.equal(404);
        await post(note('x', 'Unheard'));
        expect((await autoshare('Unheard')).status).to.equal(200);
        expect((await autoshare('Models')).status).to.equal(200);
        expect((await autoshare('http://example.org/documentrels#annotation')).status).to.equal(404);
        expect((await call(alice, 'GET', `${record}/autoshare/bytype/`)).status).to.equal(400);
        expect(
          (await call(alice, 'POST', `${record}/autoshare/carenets/${carenetId}/bytype/set`, { form: {} })).status,
        ).to.equal(400);
        for (const caller of [bob, carol, admin, app, null]) {
          expect((await call(caller, 'GET', `${record}/autoshare/bytype/all`)).status).to.equal(403);
        }
      });
    });
  });
}
