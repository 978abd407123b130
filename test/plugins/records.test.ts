/** records: creation, owners, search, demographics and full shares, through signed calls. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addAccount, addApp, addPerson, addToken, enable, inTurn, now, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { pagesAsWhole } from '../support/paging';
import { admin, medications, startService, ui, type TestService } from '../support/server';
import { attribute, child, demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const code = (answer: Answer): string => attribute(answer.text, 'error', 'code');

for (const leg of databases) {
  describe(`records on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;

    before(async () => {
      service = await startService(leg);
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
      await addAccount(service.services, 'gone@example.org', 'Gone', 'retired');
    });
    after(() => service.stop());

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const count = async (table: string): Promise<number> =>
      Number(((await direct(service.services.database)(table).count({ n: '*' }).first()) as { n: number }).n);
    const newRecord = async (given = 'Ann', family = 'Lee', owner?: string): Promise<string> => {
      const id = attribute(
        succeeded(await call(admin, 'POST', '/records/', { body: demographics(given, family) })).text,
        'Record',
        'id',
      );
      if (owner) {
        succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: owner, type: 'text/plain' }));
      }
      return id;
    };

    describe('record_create', () => {
      it('makes a record with a label, its demographics document, and the default carenets', async () => {
        const answer = succeeded(await call(admin, 'POST', '/records/', { body: demographics('Ann', 'Lee') }));
        const id = attribute(answer.text, 'Record', 'id');
        expect(attribute(answer.text, 'Record', 'label')).to.equal('Ann Lee');
        expect(attribute(answer.text, 'created', 'by')).to.equal(admin!.consumer.key);
        expect(attribute(answer.text, 'demographics', 'document_id')).to.match(/^[0-9a-f-]{36}$/);
        expect(answer.text.startsWith('<?xml')).to.be.true();

        succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: 'alice@example.org' }));
        const documents = succeeded(await call(alice, 'GET', `/records/${id}/documents/`));
        expect(attribute(documents.text, 'Documents', 'total_document_count')).to.equal('1');
        expect(attribute(documents.text, 'Document', 'type')).to.equal(`${NS}Demographics`);
        const carenets = succeeded(await call(alice, 'GET', `/records/${id}/carenets/`));
        expect([...carenets.text.matchAll(/ name="([^"]*)"/g)].map((match) => match[1])).to.equal([
          'Family',
          'Physicians',
          'Work/School',
        ]);
      });

      const refused: readonly (readonly [string, string])[] = [
        ['empty', ''],
        ['malformed', '<Demographics>'],
        ['of another type', '<note/>'],
        [
          'without a birth date',
          `<Demographics xmlns="${NS}"><gender>male</gender><Name><familyName>a</familyName><givenName>b</givenName></Name></Demographics>`,
        ],
        ['with too long a name', demographics('x'.repeat(256), 'Lee')],
      ];
      for (const [name, body] of refused) {
        it(`refuses a document that is ${name}, and leaves nothing`, async () => {
          const records = await count('record');
          const answer = await call(admin, 'POST', '/records/', { body });
          expect(answer.status, answer.text).to.equal(400);
          expect(await count('record')).to.equal(records);
        });
      }

      it('is for admin and UI apps only', async () => {
        expect((await call(ui, 'POST', '/records/', { body: demographics('U', 'I') })).status).to.equal(200);
        for (const caller of [null, alice, medications]) {
          expect((await call(caller, 'POST', '/records/', { body: demographics('No', 'Body') })).status).to.equal(403);
        }
      });
    });

    describe('record_create_ext', () => {
      const path = (id: string, app = admin!.consumer.key): string =>
        `/records/external/${encodeURIComponent(app)}/${id}`;

      it('answers the same record when it is asked again, and stores nothing new', async () => {
        const first = succeeded(await call(admin, 'PUT', path('mrn%2F1'), { body: demographics('Eve', 'Ext') }));
        const documents = await count('document');
        const again = succeeded(await call(admin, 'PUT', path('mrn%2F1'), { body: demographics('Other', 'Name') }));
        expect(again.text).to.equal(first.text);
        expect(await count('document')).to.equal(documents);
      });

      it('creates one record when twenty ask at once', async () => {
        const before = await count('record');
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => call(admin, 'PUT', path('race'), { body: demographics('Race', 'Ext') })),
        );
        expect(answers.map(({ status }) => status)).to.equal(Array.from({ length: 20 }, () => 200));
        expect(new Set(answers.map(({ text }) => attribute(text, 'Record', 'id'))).size).to.equal(1);
        expect(await count('record')).to.equal(before + 1);
      });

      it('refuses another app, a bad document and an id that is too long', async () => {
        expect((await call(ui, 'PUT', path('1'), { body: demographics('a', 'b') })).status).to.equal(403);
        expect((await call(admin, 'PUT', path('2'), { body: '<x/>' })).status).to.equal(400);
        expect((await call(admin, 'PUT', path('3'.repeat(251)), { body: demographics('a', 'b') })).status).to.equal(
          400,
        );
      });
    });

    describe('record_search', () => {
      it('finds a part of the label whatever its case', async () => {
        const id = await newRecord('Søren', 'Ågård');
        for (const label of ['ågå', 'ÅGÅRD', 'øren Å']) {
          const answer = succeeded(await call(admin, 'GET', `/records/search?label=${encodeURIComponent(label)}`));
          expect([...answer.text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1])).to.equal([id]);
        }
        expect(succeeded(await call(admin, 'GET', '/records/search?label=nobody%20at%20all')).text).to.contain(
          '<Records/>',
        );
      });

      it('takes a part of what it finds, in the order of labels', async () => {
        const ids = [
          await newRecord('Part', 'Askunde'),
          await newRecord('Qart', 'Askunde'),
          await newRecord('Rart', 'Askunde'),
        ];
        const found = async (query: string): Promise<readonly (string | undefined)[]> =>
          [
            ...succeeded(await call(admin, 'GET', `/records/search?label=askunde${query}`)).text.matchAll(
              / id="([^"]*)"/g,
            ),
          ].map((match) => match[1]);
        expect(await found('')).to.equal(ids);
        expect(await found('&limit=2')).to.equal(ids.slice(0, 2));
        expect(await found('&limit=2&offset=1')).to.equal(ids.slice(1));
        expect(await found('&offset=3')).to.equal([]);
        expect(code(await call(admin, 'GET', '/records/search?label=a&limit=many'))).to.equal('invalid_parameter');
      });

      it('takes % and _ as they are', async () => {
        expect(succeeded(await call(admin, 'GET', '/records/search?label=%25')).text).to.contain('<Records/>');
      });

      it('needs a label and an admin app', async () => {
        expect(code(await call(admin, 'GET', '/records/search'))).to.equal('missing_parameter');
        expect(code(await call(admin, 'GET', '/records/search?label='))).to.equal('missing_parameter');
        expect((await call(alice, 'GET', '/records/search?label=a')).status).to.equal(403);
      });
    });

    describe('record, record_get_owner and record_set_owner', () => {
      it('shows a record to its owner and to admin apps, to nobody else', async () => {
        const id = await newRecord('Own', 'Er', 'alice@example.org');
        expect((await call(alice, 'GET', `/records/${id}`)).status).to.equal(200);
        expect((await call(admin, 'GET', `/records/${id}`)).status).to.equal(200);
        expect((await call(bob, 'GET', `/records/${id}`)).status).to.equal(403);
        expect((await call(admin, 'GET', '/records/unknown')).status).to.equal(404);
        expect((await call(bob, 'GET', '/records/unknown')).status).to.equal(403);
      });

      it('names an account or an app as the owner, folding case and spaces', async () => {
        const id = await newRecord();
        expect(attribute(succeeded(await call(admin, 'GET', `/records/${id}/owner`)).text, 'Account', 'id')).to.equal(
          admin!.consumer.key,
        );
        expect(
          attribute(
            succeeded(await call(admin, 'POST', `/records/${id}/owner`, { body: ' Alice@Example.ORG\n' })).text,
            'Account',
            'id',
          ),
        ).to.equal('alice@example.org');
        expect(attribute(succeeded(await call(alice, 'GET', `/records/${id}/owner`)).text, 'Account', 'id')).to.equal(
          'alice@example.org',
        );
        expect(
          child(
            succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: 'alice@example.org' })).text,
            'fullName',
          ),
        ).to.equal('Alice Lee');
        expect(
          succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: medications!.consumer.key })).text,
        ).to.contain('<Account id=');
        expect((await call(alice, 'GET', `/records/${id}`)).status).to.equal(403);
      });

      it('refuses an unknown, an empty and a retired owner', async () => {
        const id = await newRecord();
        await addApp(service.services, 'left@apps.example', 'user');
        await direct(service.services.database)('app')
          .where({ id: 'left@apps.example' })
          .update({ retired_at: now(service.services) });
        for (const [body, reason] of [
          ['nobody@example.org', 'the id of an account or app'],
          ['', 'the id of'],
          ['  ', 'the id of'],
          ['gone@example.org', 'the account is retired'],
          ['left@apps.example', 'the app was deleted'],
        ] as const) {
          const answer = await call(admin, 'PUT', `/records/${id}/owner`, { body, type: 'text/plain' });
          expect(answer.status).to.equal(400);
          expect(answer.text).to.contain(reason);
        }
        for (const body of ['alice@example.org', 'nobody@example.org']) {
          expect((await call(admin, 'PUT', '/records/unknown/owner', { body })).status).to.equal(404);
        }
        expect((await call(alice, 'PUT', `/records/${id}/owner`, { body: 'alice@example.org' })).status).to.equal(403);
      });

      it("ends the old owner's tokens, but not those that a full share still carries", async () => {
        const { services } = service;
        const id = await newRecord('Old', 'Owner', 'alice@example.org');
        await enable(services, id, medications!.consumer.key);
        const tokens = async (): Promise<number> =>
          Number(
            (
              (await direct(services.database)('access_token').where({ record_id: id }).count({ n: '*' }).first()) as {
                n: number;
              }
            ).n,
          );
        const app = await addToken(services, { app: medications!, accountId: 'alice@example.org', recordId: id });
        expect((await call(app, 'GET', `/records/${id}`)).status).to.equal(200);
        succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: 'bob@example.org' }));
        expect(await tokens()).to.equal(0);
        expect((await call(app, 'GET', `/records/${id}`)).status).to.equal(403);

        succeeded(await call(admin, 'POST', `/records/${id}/shares/`, { form: { account_id: 'alice@example.org' } }));
        const again = await addToken(services, { app: medications!, accountId: 'alice@example.org', recordId: id });
        succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: 'alice@example.org' }));
        succeeded(await call(admin, 'PUT', `/records/${id}/owner`, { body: 'bob@example.org' }));
        expect((await call(again, 'GET', `/records/${id}`)).status).to.equal(200);
        succeeded(await call(admin, 'DELETE', `/records/${id}/shares/alice%40example.org`));
        expect(await tokens()).to.equal(0);
        expect((await call(again, 'GET', `/records/${id}`)).status).to.equal(403);
      });

      it('ends tokens for carenets with the share too, but not those of a member', async () => {
        const { services } = service;
        const id = await newRecord('Net', 'Token', 'alice@example.org');
        succeeded(await call(admin, 'POST', `/records/${id}/shares/`, { form: { account_id: 'bob@example.org' } }));
        const nets = [
          ...succeeded(await call(alice, 'GET', `/records/${id}/carenets/`)).text.matchAll(/<Carenet id="([^"]*)"/g),
        ].map((match) => match[1]!);
        const appId = medications!.consumer.key;
        await enable(services, id, appId);
        const tokens = await inTurn(nets.slice(0, 2), async (carenetId) => {
          succeeded(await call(alice, 'PUT', `/carenets/${carenetId}/apps/${encodeURIComponent(appId)}`));
          return addToken(services, { app: medications!, accountId: 'bob@example.org', recordId: id, carenetId });
        });
        succeeded(
          await call(alice, 'POST', `/carenets/${nets[1]!}/accounts/`, {
            form: { account_id: 'bob@example.org', write: 'false' },
          }),
        );
        const statuses = () =>
          Promise.all(
            tokens.map(
              async (token, index) => (await call(token, 'GET', `/carenets/${nets[index]!}/documents/`)).status,
            ),
          );
        expect(await statuses()).to.equal([200, 200]);
        succeeded(await call(alice, 'DELETE', `/records/${id}/shares/bob%40example.org`));
        expect(await statuses()).to.equal([403, 200]);
        succeeded(await call(admin, 'POST', `/records/${id}/shares/`, { form: { account_id: 'bob@example.org' } }));
        expect(await statuses()).to.equal([403, 200]);
      });
    });

    describe('record_list', () => {
      it('lists owned, then fully shared, then carenet records', async () => {
        const { services } = service;
        const carol = await addPerson(services, 'carol@example.org');
        const own = await newRecord('Own', 'Zed', 'carol@example.org');
        const shared = await newRecord('Shared', 'Abc', 'alice@example.org');
        succeeded(
          await call(alice, 'POST', `/records/${shared}/shares/`, {
            form: { account_id: ' Carol@example.org ', role_label: 'Daughter' },
          }),
        );
        const inside = await newRecord('Inside', 'Abc', 'alice@example.org');
        const carenet = attribute(
          succeeded(await call(alice, 'GET', `/records/${inside}/carenets/`)).text,
          'Carenet',
          'id',
        );
        succeeded(
          await call(alice, 'POST', `/carenets/${carenet}/accounts/`, {
            form: { account_id: 'carol@example.org', write: 'false' },
          }),
        );
        const { text } = succeeded(await call(carol, 'GET', '/accounts/carol%40example.org/records/'));
        expect(text.split('\n')[1]).to.equal(
          `<Records><Record id="${own}" label="Own Zed"/><Record id="${shared}" label="Shared Abc (shared)" shared="true" role_label="Daughter"/>` +
            `<Record id="${inside}" label="Inside Abc (carenet)" shared="true" carenet_id="${carenet}" carenet_name="Family"/></Records>`,
        );
        expect((await call(alice, 'GET', '/accounts/carol%40example.org/records/')).status).to.equal(403);
        expect((await call(admin, 'GET', '/accounts/carol%40example.org/records/')).text).to.equal(text);
        expect((await call(admin, 'GET', '/accounts/nobody%40example.org/records/')).status).to.equal(404);
      });

      it('comes in pages, by label or by the time of its making when that is asked for', async () => {
        const dora = await addPerson(service.services, 'dora@example.org');
        const last = await newRecord('Zoe', 'Last', 'dora@example.org');
        const first = await newRecord('Ann', 'First', 'dora@example.org');
        const shared = await newRecord('Mia', 'Middle', 'alice@example.org');
        succeeded(
          await call(alice, 'POST', `/records/${shared}/shares/`, { form: { account_id: 'dora@example.org' } }),
        );
        const carenets = [
          ...succeeded(await call(alice, 'GET', `/records/${shared}/carenets/`)).text.matchAll(
            /<Carenet id="([^"]+)"/g,
          ),
        ].map((match) => match[1]!);
        await inTurn(carenets, (id) =>
          call(alice, 'POST', `/carenets/${id}/accounts/`, {
            form: { account_id: 'dora@example.org', write: 'false' },
          }),
        );
        const address = '/accounts/dora%40example.org/records/';
        const list = (query = ''): Promise<Answer> => call(dora, 'GET', `${address}${query}`);
        const entries = ({ text }: Answer): string[] =>
          [...text.matchAll(/<Record id="[^>]*>/g)].map(([entry]) => entry);
        await pagesAsWhole((path) => call(dora, 'GET', path), address, entries);
        const ids = async (query = ''): Promise<unknown[]> => [
          ...new Set([...succeeded(await list(query)).text.matchAll(/<Record id="([^"]+)"/g)].map((match) => match[1])),
        ];
        expect(await ids()).to.equal([first, last, shared]);
        expect(await ids('?order_by=label')).to.equal([first, shared, last]);
        expect(await ids('?order_by=-label')).to.equal([last, shared, first]);
        expect(await ids('?order_by=created_at')).to.equal([last, first, shared]);
        expect(await ids('?order_by=-created_at&limit=1&offset=0')).to.equal([shared]);
        expect(entries(await list('?order_by=-created_at'))).to.equal(
          entries(await list('?order_by=created_at')).reverse(),
        );
        expect(await ids('?order_by=owner_id')).to.equal([first, last, shared]);
      });
    });

    describe('read_demographics and set_demographics', () => {
      const full =
        `<Demographics xmlns="${NS}"><dateOfBirth>1939-11-15</dateOfBirth><gender>male</gender><email>b@example.org</email><ethnicity>Scottish</ethnicity>` +
        '<preferredLanguage>EN</preferredLanguage><race>caucasian</race><Name><familyName>Wayne</familyName><givenName>Bruce</givenName><middleName>Q</middleName><prefix>Mr</prefix><suffix>Jr</suffix></Name>' +
        '<Telephone><type>h</type><number>555-5555</number><preferred>true</preferred></Telephone><Telephone><type>c</type><number>555-6666</number></Telephone>' +
        '<Address><country>USA</country><city>Gotham</city><postalCode>90210</postalCode><region>secret</region><street>1007 ' +
        'Mountain Drive</street></Address></Demographics>';

      it('gives all 22 fields as JSON and as XML, and RDF when nothing is asked', async () => {
        const id = await newRecord('Ann', 'Lee', 'alice@example.org');
        succeeded(await call(alice, 'PUT', `/records/${id}/demographics`, { body: full }));
        const path = `/records/${id}/demographics`;
        const json = succeeded(await call(alice, 'GET', `${path}?response_format=application%2Fjson`));
        const [fields] = JSON.parse(json.text) as Record<string, unknown>[];
        expect(json.headers['content-type']).to.equal('application/json');
        expect(fields).to.include({
          __modelname__: 'Demographics',
          bday: '1939-11-15',
          gender: 'male',
          email: 'b@example.org',
          ethnicity: 'Scottish',
          preferred_language: 'EN',
          race: 'caucasian',
          name_given: 'Bruce',
          name_middle: 'Q',
          name_family: 'Wayne',
          name_prefix: 'Mr',
          name_suffix: 'Jr',
          tel_1_type: 'h',
          tel_1_number: '555-5555',
          tel_1_preferred_p: true,
          tel_2_type: 'c',
          tel_2_number: '555-6666',
          tel_2_preferred_p: false,
          adr_street: '1007 Mountain Drive',
          adr_city: 'Gotham',
          adr_region: 'secret',
          adr_postalcode: '90210',
          adr_country: 'USA',
        });
        expect(Object.keys(fields!).length).to.equal(24);
        for (const format of ['application%2Fxml', 'text%2Fxml']) {
          const xml = succeeded(await call(alice, 'GET', `${path}?response_format=${format}`));
          expect([...xml.text.matchAll(/<Field /g)].length).to.equal(22);
          expect(xml.text).to.contain('<Field name="bday">1939-11-15</Field>');
          expect(attribute(xml.text, 'Model', 'documentId')).to.equal(String(fields!['__documentid__']));
        }
        const rdf = succeeded(await call(alice, 'GET', path));
        expect(rdf.headers['content-type']).to.equal('application/rdf+xml');
        expect(rdf.text)
          .to.contain('<v:family-name>Wayne</v:family-name>')
          .and.to.contain(`rdf:about="${service.services.baseUrl()}/records/${id}/demographics"`);
        expect((await call(alice, 'GET', `${path}?response_format=application/rdf%20xml`)).text).to.equal(rdf.text);
        expect((await call(alice, 'GET', `${path}?response_format=text%2Fplain`)).status).to.equal(400);
      });

      it('updates as a new version, and the label of the record follows the name', async () => {
        const id = await newRecord('Old', 'Name', 'alice@example.org');
        const first = attribute(
          succeeded(await call(alice, 'GET', `/records/${id}`)).text,
          'demographics',
          'document_id',
        );
        const updated = succeeded(
          await call(alice, 'PUT', `/records/${id}/demographics`, { body: demographics('New', 'Name') }),
        );
        expect(attribute(updated.text, 'replaces', 'id')).to.equal(first);
        const record = succeeded(await call(alice, 'GET', `/records/${id}`));
        expect(attribute(record.text, 'Record', 'label')).to.equal('New Name');
        expect(attribute(record.text, 'demographics', 'document_id')).to.equal(
          attribute(updated.text, 'Document', 'id'),
        );
        expect(
          attribute(
            succeeded(await call(alice, 'GET', `/records/${id}/documents/`)).text,
            'Documents',
            'total_document_count',
          ),
        ).to.equal('1');
      });

      it('keeps one lineage when many update at once, or replace the document by the general call', async () => {
        const id = await newRecord('Many', 'Updates', 'alice@example.org');
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            call(alice, 'PUT', `/records/${id}/demographics`, { body: demographics(`N${index}`, 'Updates') }),
          ),
        );
        expect(answers.map(({ status }) => status)).to.equal(Array.from({ length: 10 }, () => 200));
        const latest = attribute(
          succeeded(await call(alice, 'GET', `/records/${id}`)).text,
          'demographics',
          'document_id',
        );
        succeeded(
          await call(alice, 'POST', `/records/${id}/documents/${latest}/replace`, {
            body: demographics('General', 'Replace'),
          }),
        );
        const record = succeeded(await call(alice, 'GET', `/records/${id}`));
        expect(attribute(record.text, 'Record', 'label')).to.equal('General Replace');
        const now = attribute(record.text, 'demographics', 'document_id');
        expect(now).not.to.equal(latest);
        const versions = succeeded(await call(alice, 'GET', `/records/${id}/documents/${now}/versions/`));
        expect(attribute(versions.text, 'Documents', 'total_document_count')).to.equal('12');
        const [fields] = JSON.parse(
          (await call(alice, 'GET', `/records/${id}/demographics?response_format=application%2Fjson`)).text,
        ) as Record<string, unknown>[];
        expect(fields).to.include({ __documentid__: now, name_given: 'General' });
      });

      it('refuses to replace the demographics by another document, with 404 as every replace', async () => {
        const id = await newRecord('Stay', 'Demographics', 'alice@example.org');
        const document = attribute(
          succeeded(await call(alice, 'GET', `/records/${id}`)).text,
          'demographics',
          'document_id',
        );
        const answer = await call(alice, 'POST', `/records/${id}/documents/${document}/replace`, { body: '<note/>' });
        expect(answer.status).to.equal(404);
        expect(code(answer)).to.equal('invalid_document');
      });

      it('refuses anything but demographics with 400, POST with 405', async () => {
        const id = await newRecord('No', 'Change', 'alice@example.org');
        expect((await call(alice, 'PUT', `/records/${id}/demographics`, { body: '<note/>' })).status).to.equal(400);
        expect((await call(alice, 'PUT', `/records/${id}/demographics`, { body: '' })).status).to.equal(400);
        expect(
          (await call(alice, 'POST', `/records/${id}/demographics`, { body: demographics('a', 'b') })).status,
        ).to.equal(405);
        expect(
          (await call(bob, 'PUT', `/records/${id}/demographics`, { body: demographics('a', 'b') })).status,
        ).to.equal(403);
      });

      it('leaves the demographics alone when such a document is posted as any other', async () => {
        const id = await newRecord('Plain', 'Post', 'alice@example.org');
        succeeded(await call(alice, 'POST', `/records/${id}/documents/`, { body: demographics('Some', 'One') }));
        expect(attribute(succeeded(await call(alice, 'GET', `/records/${id}`)).text, 'Record', 'label')).to.equal(
          'Plain Post',
        );
      });
    });

    describe('record_shares, record_share_add and record_share_delete', () => {
      it('lists accounts with their role, then apps', async () => {
        const { services } = service;
        const id = await newRecord('Shared', 'Out', 'alice@example.org');
        const app = await addApp(services, `app-${id}@example.org`, 'user');
        await enable(services, id, app.consumer.key);
        succeeded(
          await call(alice, 'POST', `/records/${id}/shares/`, {
            form: { account_id: 'bob@example.org', role_label: 'Son' },
          }),
        );
        const { text } = succeeded(await call(alice, 'GET', `/records/${id}/shares/`));
        expect(text).to.match(
          new RegExp(
            `<Shares record="${id}"><Share id="[^"]+" account="bob@example.org" role_label="Son"/><Share ` +
              `id="[^"]+" pha="${app.consumer.key}"/></Shares>`,
          ),
        );
      });

      it('lists them in pages, across accounts and apps', async () => {
        const id = await newRecord('Paged', 'Out', 'alice@example.org');
        for (const name of ['one', 'two']) {
          const app = await addApp(service.services, `${name}-${id}@example.org`, 'user');
          await enable(service.services, id, app.consumer.key);
        }
        await addAccount(service.services, 'erin@example.org', 'Erin');
        for (const account of ['erin@example.org', 'bob@example.org']) {
          succeeded(await call(alice, 'POST', `/records/${id}/shares/`, { form: { account_id: account } }));
        }
        const entries = ({ text }: Answer): string[] =>
          [...text.matchAll(/(?:account|pha)="([^"-]*)/g)].map((match) => match[1]!);
        expect(entries(await call(alice, 'GET', `/records/${id}/shares/`))).to.equal([
          'erin@example.org',
          'bob@example.org',
          'one',
          'two',
        ]);
        await pagesAsWhole((path) => call(alice, 'GET', path), `/records/${id}/shares/`, entries);
      });

      it('opens the whole record to the account, but not the shares themselves', async () => {
        const id = await newRecord('Full', 'Share', 'alice@example.org');
        expect((await call(bob, 'GET', `/records/${id}/documents/`)).status).to.equal(403);
        succeeded(await call(alice, 'POST', `/records/${id}/shares/`, { form: { account_id: 'bob@example.org' } }));
        expect((await call(bob, 'GET', `/records/${id}/documents/`)).status).to.equal(200);
        expect((await call(bob, 'GET', `/records/${id}/shares/`)).status).to.equal(403);
        succeeded(await call(alice, 'POST', `/records/${id}/shares/bob%40example.org/delete`));
        expect((await call(bob, 'GET', `/records/${id}/documents/`)).status).to.equal(403);
      });

      it('changes the label when it is done again, and does nothing for the owner', async () => {
        const id = await newRecord('Label', 'Change', 'alice@example.org');
        for (const label of ['A', 'B']) {
          succeeded(
            await call(alice, 'POST', `/records/${id}/shares/`, {
              form: { account_id: 'bob@example.org', role_label: label },
            }),
          );
        }
        succeeded(await call(alice, 'POST', `/records/${id}/shares/`, { form: { account_id: 'alice@example.org' } }));
        const { text } = succeeded(await call(alice, 'GET', `/records/${id}/shares/`));
        expect([...text.matchAll(/<Share /g)].length).to.equal(1);
        expect(attribute(text, 'Share', 'role_label')).to.equal('B');
        const labelAfter = async (form: Record<string, string>): Promise<string> => {
          succeeded(
            await call(alice, 'POST', `/records/${id}/shares/`, { form: { account_id: 'bob@example.org', ...form } }),
          );
          return succeeded(await call(alice, 'GET', `/records/${id}/shares/`)).text;
        };
        expect(await labelAfter({})).to.contain('role_label="B"');
        expect(await labelAfter({ role_label: '' })).to.not.contain('role_label');
      });

      it('refuses what cannot be shared with', async () => {
        const id = await newRecord('No', 'Share', 'alice@example.org');
        const share = (form: Record<string, string>): Promise<Answer> =>
          call(alice, 'POST', `/records/${id}/shares/`, { form });
        expect((await share({})).status).to.equal(400);
        expect((await share({ account_id: '' })).status).to.equal(400);
        expect((await share({ account_id: 'nobody@example.org' })).status).to.equal(404);
        expect((await share({ account_id: medications!.consumer.key })).status).to.equal(404);
        expect((await share({ account_id: 'gone@example.org' })).status).to.equal(400);
        expect((await share({ account_id: 'bob@example.org', role_label: 'x'.repeat(51) })).status).to.equal(400);
        expect((await call(alice, 'DELETE', `/records/${id}/shares/nobody%40example.org`)).status).to.equal(404);
        expect((await call(alice, 'DELETE', `/records/${id}/shares/bob%40example.org`)).status).to.equal(200);
      });
    });

    it('takes people with one name only, as their family name', async () => {
      const id = await newRecord('', 'Sukarti', 'alice@example.org');
      expect(attribute(succeeded(await call(alice, 'GET', `/records/${id}`)).text, 'Record', 'label')).to.equal(
        'Sukarti',
      );
      expect(succeeded(await call(alice, 'GET', `/records/${id}/demographics`)).text)
        .to.contain('<v:family-name>Sukarti</v:family-name>')
        .and.to.not.contain('given-name');
      expect(succeeded(await call(alice, 'GET', `/records/${id}/reports/experimental/ccr`)).text).to.contain('Sukarti');
      expect((await call(admin, 'POST', '/records/', { body: demographics('Ann', ' ') })).status).to.equal(400);
    });

    it('says in the audit which record and document a creation made', async () => {
      const id = await newRecord('Aud', 'It');
      const row = (await direct(service.services.database)('audit')
        .where({ record_id: id, function_name: 'record_create' })
        .first()) as { document_id: string };
      expect(child(`<d>${row.document_id}</d>`, 'd')).to.match(/^[0-9a-f-]{36}$/);
    });

    it('says in the audit which document the demographics were read from', async () => {
      const id = await newRecord('Aud', 'Reads', 'alice@example.org');
      const document = attribute(
        succeeded(await call(alice, 'GET', `/records/${id}`)).text,
        'demographics',
        'document_id',
      );
      succeeded(await call(alice, 'GET', `/records/${id}/demographics`));
      const rows = await direct(service.services.database)('audit')
        .where({ record_id: id, function_name: 'read_demographics' })
        .pluck('document_id');
      expect(rows).to.equal([document]);
    });
  });
}
