/**
 * contents-store: what is stored about people occurs nowhere in the database in clear, can only be opened in its own
 * place, and is never served wrong.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeSealing } from '../../../core/auth/sealing';
import { tableNames } from '../../../core/backup/empty';
import { makeContents, UnreadableContent, type Contents } from '../../../core/sealing/contents-store';
import { openedRows } from '../../support/contents';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { admin, medications, startService, type TestService } from '../../support/server';
import { attribute, authorizeApp, child, createRecord, makeWorld, succeeded, type World } from '../../support/world';
import type { Credentials } from '../../support/client';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** A word that occurs in no other text of the database. */
const WORD = 'hidradenitis-4711';
const PLACE = ['document', 'a record', 'a document'] as const;

describe('sealing of contents', () => {
  const contents = makeContents(makeSealing(['a key of the service: 1']));
  const reads = () => ({ where: () => ({ first: () => Promise.resolve({ content: 'there' }) }) });
  const newKey = (of: Contents): Promise<string> => of.newKey(reads as never) as Promise<string>;

  it('gives back what was sealed, also nothing at all, and never the same bytes twice', async () => {
    const sealer = contents.under(await newKey(contents));
    for (const plain of [Buffer.alloc(0), Buffer.from(WORD), Buffer.alloc(1_000_000, 'ab')]) {
      const [one, other] = [sealer.seal(PLACE, plain), sealer.seal(PLACE, plain)];
      expect(one.sealed).to.equal(1);
      expect(one.content.equals(other.content)).to.be.false();
      expect(one.content.includes(WORD)).to.be.false();
      expect(sealer.open(PLACE, one).equals(plain)).to.be.true();
    }
  });

  it('opens nowhere else, under no other key, and not when a bit of it was changed', async () => {
    const key = await newKey(contents);
    const stored = contents.under(key).seal(PLACE, Buffer.from(WORD));
    const changed = Buffer.from(stored.content);
    changed[changed.length - 1]! ^= 1;
    const tries: readonly (() => Buffer)[] = [
      () => contents.under(key).open(['document', 'a record', 'another'], stored),
      () => contents.under(key).open(['document', 'another', 'a document'], stored),
      () => contents.under(key).open(['app_document', 'a record', 'a document'], stored),
      () => contents.under(key).open(PLACE, { content: changed, sealed: 1 }),
      () => contents.under(key).open(PLACE, { content: stored.content.subarray(0, 20), sealed: 1 }),
      () => contents.under(key).open(PLACE, { content: Buffer.alloc(0), sealed: 1 }),
      () => contents.under(null).open(PLACE, stored),
      () =>
        makeContents(makeSealing(['a key of the service: 2']))
          .under(key)
          .open(PLACE, stored),
    ];
    const another = await newKey(contents);
    for (const open of [...tries, () => contents.under(another).open(PLACE, stored)]) {
      expect(open).to.throw(UnreadableContent, /^the stored content of \w+ .* does not open/);
    }
    expect(contents.under(key).open(PLACE, stored).toString()).to.equal(WORD);
  });

  it('leaves in clear what has no key, and reads what was stored so', () => {
    const stored = contents.under(null).seal(PLACE, Buffer.from(WORD));
    expect([stored.content.toString(), stored.sealed]).to.equal([WORD, null]);
    expect(contents.under(null).open(PLACE, stored).toString()).to.equal(WORD);
  });
});

for (const leg of databases) {
  describe(`sealed contents on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let app: Credentials;
    let documentId: string;
    const note = (text: string): string => `<Note xmlns="https://notes.example/"><text>${text}</text></Note>`;
    const records = () => `/records/${world.recordId}`;
    const shelf = () => `${records()}/apps/${encodeURIComponent(medications!.consumer.key)}/documents/`;
    const preferences = `/accounts/alice%40example.org/apps/${encodeURIComponent(medications!.consumer.key)}/preferences`;
    const inbox = '/accounts/alice%40example.org/inbox/';
    const idOf = (text: string): string => attribute(text, 'Document', 'id');
    const get = async (path: string, who: Credentials = app): Promise<string> =>
      succeeded(await service.call(who, 'GET', path)).text;
    const document = (id = documentId) => service.call(app, 'GET', `${records()}/documents/${id}`);
    const change = (text: string, values: readonly string[]) =>
      service.services.database.write((trx) => trx.change(text, values));

    before(async () => {
      service = await startService(leg);
      world = await makeWorld(service);
      const { call } = service;
      app = await authorizeApp(call, medications!, world.alice, { record_id: world.recordId });
      documentId = idOf(
        succeeded(await call(app, 'POST', `${records()}/documents/`, { body: note(`${WORD} first`) })).text,
      );
      succeeded(await call(app, 'POST', shelf(), { body: `${WORD} kept`, type: 'text/plain' }));
      succeeded(
        await call(medications, 'POST', `/apps/${encodeURIComponent(medications!.consumer.key)}/documents/`, {
          body: `${WORD} of the app`,
          type: 'text/plain',
        }),
      );
      succeeded(await call(app, 'PUT', preferences, { body: `${WORD} preferred`, type: 'text/plain' }));
      succeeded(
        await call(admin, 'POST', `${records()}/inbox/one`, {
          form: { subject: `${WORD} b`, body: `${WORD} body`, num_attachments: '1' },
        }),
      );
      succeeded(await call(admin, 'POST', `${records()}/inbox/one/attachments/1`, { body: note(`${WORD} attached`) }));
      succeeded(await call(admin, 'POST', inbox, { form: { subject: `${WORD} a`, body: `${WORD} to her` } }));
      succeeded(await call(app, 'POST', `${records()}/notifications/`, { form: { content: `${WORD} told` } }));
    });
    after(() => service.stop());

    it('are in no column of any table in clear, and on SQLite nowhere in the files', async () => {
      const { database } = service.services;
      let looked = 0;
      for (const table of await tableNames(database)) {
        for (const row of (await direct(database)(table).select('*')) as Record<string, unknown>[]) {
          for (const [column, value] of Object.entries(row)) {
            looked += 1;
            const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value), 'utf8');
            expect(bytes.includes(WORD), `${table}.${column}`).to.be.false();
          }
        }
      }
      expect(looked).to.be.above(1000);
      if (database.dialect.name === 'sqlite') {
        const [{ file }] = (await direct(database).raw('pragma database_list')) as [{ file: string }];
        const files = [file, `${file}-wal`].filter((one) => existsSync(one));
        expect(Buffer.concat(files.map((one) => readFileSync(one))).includes(WORD)).to.be.false();
      }
    });

    it('are given back as they came, with the size and digest that they had', async () => {
      expect((await document()).text).to.equal(note(`${WORD} first`));
      const meta = await get(`${records()}/documents/${documentId}/meta`);
      expect(attribute(meta, 'Document', 'size')).to.equal(String(note(`${WORD} first`).length));
      const kept = idOf(await get(shelf()));
      expect(await get(`${shelf()}${kept}`)).to.equal(`${WORD} kept`);
      expect(await get(preferences)).to.equal(`${WORD} preferred`);
      expect(await get('/accounts/alice%40example.org/notifications/', world.alice)).to.contain(`${WORD} told`);
      const letters = await get(inbox, world.alice);
      for (const text of [`${WORD} a`, `${WORD} b`]) {
        expect(letters).to.contain(`<subject>${text}</subject>`);
      }
      const [, id] = /<Message id="([^"]*)">(?:(?!<\/Message>).)*<subject>hidradenitis-4711 b</s.exec(letters)!;
      expect(child(await get(`${inbox}${id}`, world.alice), 'body')).to.equal(`${WORD} body`);
      succeeded(await service.call(world.alice, 'POST', `${inbox}${id}/attachments/1/accept`));
      const rows = await openedRows(service.services.database, 'document', ['record_id = ?', world.recordId]);
      expect(rows.map(({ content }) => String(content))).to.include(note(`${WORD} attached`));
    });

    it('are put into the order of a sealed text, page by page', async () => {
      const { call } = service;
      const ordered = async (query: string): Promise<readonly string[]> =>
        [...(await get(`${inbox}?order_by=${query}`, world.alice)).matchAll(/<subject>\S+ (\w+)<\/subject>/g)].map(
          (match) => match[1]!,
        );
      succeeded(await call(admin, 'POST', inbox, { form: { subject: `${WORD} c` } }));
      expect(await ordered('subject')).to.equal(['a', 'b', 'c']);
      expect(await ordered('-subject')).to.equal(['c', 'b', 'a']);
      expect(await ordered('subject&limit=1&offset=1')).to.equal(['b']);
      expect(await ordered('subject&limit=5&offset=9')).to.equal([]);
      succeeded(await call(app, 'POST', `${records()}/notifications/`, { form: { content: 'another' } }));
      const told = await get('/accounts/alice%40example.org/notifications/?order_by=-content', world.alice);
      expect(told.indexOf(WORD)).to.be.below(told.indexOf('another'));
    });

    it('do not open when rows were exchanged, in one record or between two; the caller learns nothing', async () => {
      const { call } = service;
      const post = async (path: string, text: string): Promise<string> =>
        idOf(succeeded(await call(admin, 'POST', path, { body: note(text) })).text);
      const other = await createRecord(call, 'alice@example.org');
      const theirs = await post(`/records/${other}/documents/`, 'theirs');
      const ours = idOf(succeeded(await call(app, 'POST', `${records()}/documents/`, { body: note('ours') })).text);
      for (const from of [theirs, ours]) {
        // MySQL cannot read a table in the statement that changes it.
        const [row] = await service.services.database.reads.rows<{ content: Buffer }>(
          'select content from document where id = ?',
          [from],
        );
        await service.services.database.write((trx) =>
          trx.change('update document set content = ? where id = ?', [row!.content, documentId]),
        );
        const answer = await document();
        expect([answer.status, answer.text.includes(WORD)]).to.equal([500, false]);
        expect(answer.text).to.not.contain(documentId);
      }
      // A row that was moved to the other record would need the key of that record.
      await change('update document set record_id = ? where id = ?', [other, ours]);
      await change('update document_lineage set record_id = ? where id = ?', [other, ours]);
      expect((await call(world.alice, 'GET', `/records/${other}/documents/${ours}`)).status).to.equal(500);
      expect((await call(world.alice, 'GET', `/records/${other}/documents/${theirs}`)).text).to.equal(note('theirs'));
    });
  });
}
