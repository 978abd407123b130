/**
 * messaging: inboxes, record messages with attachments in any order, acceptance, notifications, and the mails about
 * them.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../core/base/clock';
import { newId } from '../../core/base/ids';
import { renderMarkdown } from '../../plugins/messaging/markdown';
import { openedRows } from '../support/contents';
import { addAccount, addPerson, addToken, enable, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { mailsIn, waitForMail } from '../support/mails';
import { meanwhile } from '../support/meanwhile';
import { admin, connector, medications, startService, type TestService, ui } from '../support/server';
import { attribute, child, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const NS = 'https://svc.example/vocab/xml/documents#';
const ALERT = 'A message is waiting for you';
const procedure =
  '<Procedure ' +
  'xmlns="https://svc.example/vocab/xml/documents#"><datePerformed>2009-05-16T12:00:00Z</datePerformed><name ' +
  'type="http://codes.example/" value="85.2" abbrev="append">Appendectomy</name></Procedure>';
const note = '<note xmlns="https://notes.example/x"><text>hello</text></note>';

describe('markdown', () => {
  const render = (body: string): string =>
    renderMarkdown(body, { APP_BASE: 'https://labs.example', MESSAGE_ID: 'm-1' });

  it('is CommonMark', () => {
    expect(render('# Result\n\n*new* **values**\n\n- a\n- b')).to.equal(
      '<h1>Result</h1>\n<p><em>new</em> <strong>values</strong></p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n',
    );
  });

  it('fills the two placeholders, and others with nothing', () => {
    expect(render('see {APP_BASE}/results/{message_id}{secret}')).to.equal(
      '<p>see https://labs.example/results/m-1</p>\n',
    );
  });

  it('shows scripts and raw HTML as text, and follows no script link', () => {
    expect(render('<script>alert(1)</script> <b onclick="x">b</b>')).to.not.match(/<(script|b)/);
    for (const link of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'data:image/png;base64,xx',
      'vbscript:x',
      'ftp://a.example/',
    ]) {
      expect(render(`[a](${link})`), link).to.not.contain('<a');
    }
    for (const link of [
      'https://a.example/b:c',
      'HTTP://a.example',
      'mailto:a@b.example',
      '/a:b',
      '?a:b',
      '#a:b',
      'a/b',
    ]) {
      expect(render(`[a](${link})`), link).to.contain('<a');
    }
    expect(render('![x](https://tracker.example/pixel.png)')).to.not.contain('<img');
  });

  it('lets links leave the page unless they lead into the sending app', () => {
    expect(render('[a](https://other.example/)')).to.contain(
      '<a href="https://other.example/" target="_blank" rel="noopener noreferrer">',
    );
    expect(render('[a]({APP_BASE}/x)')).to.contain('<a href="https://labs.example/x" rel="noopener noreferrer">');
    expect(render('[a](https://labs.example.evil.example/)')).to.contain('target="_blank"');
  });
});

for (const leg of databases) {
  describe(`messaging on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let recordId: string;
    let appToken: Signs;
    let serial = 0;
    before(async () => {
      service = await startService(leg, { SVC_UI_BASE_URL: 'https://ui.example' });
      alice = await addPerson(service.services, ALICE, 'Alice Lee');
      bob = await addPerson(service.services, BOB, 'Bob Lee');
      recordId = await createRecord(service.call, ALICE);
      await enable(service.services, recordId, medications!.consumer.key);
      appToken = await addToken(service.services, { app: medications!, accountId: ALICE, recordId });
    });
    after(() => service.stop());

    const call = (...parameters: Parameters<TestService['call']>): Promise<Answer> => service.call(...parameters);
    const knex = () => direct(service.services.database);
    const code = ({ text }: Answer): string => attribute(text, 'error', 'code');
    const inbox = (account: string, rest = ''): string => `/accounts/${encodeURIComponent(account)}/inbox/${rest}`;
    const toAccount = (form: Record<string, string>, account = ALICE): Promise<Answer> =>
      call(admin, 'POST', inbox(account), { form });
    const toRecord = (id: string, form: Record<string, string> = {}, who: Signs = admin!): Promise<Answer> =>
      call(who, 'POST', `/records/${recordId}/inbox/${id}`, { form });
    const attach = (
      id: string,
      num: number | string,
      body: string,
      who: Signs = admin!,
      type = 'application/xml',
    ): Promise<Answer> => call(who, 'POST', `/records/${recordId}/inbox/${id}/attachments/${num}`, { body, type });
    /** Waits until every mail so far has been sent, and resolves to their number. */
    const mailCount = async (): Promise<number> => {
      while (((await knex()('outbox').whereNull('sent_at').pluck('id')) as string[]).length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return mailsIn(service.mailDir).length;
    };
    const messageId = (): string => `m-${(serial += 1)}`;
    /** Inbox of an account as [subject, id] pairs, the newest first. */
    const listed = async (who: Signs, account: string, query = '?limit=1000'): Promise<[string, string][]> =>
      [
        ...succeeded(await call(who, 'GET', inbox(account, query))).text.matchAll(
          /<Message id="([^"]*)">.*?<subject>([^<]*)<\/subject>/g,
        ),
      ].map((match) => [match[2]!, match[1]!]);
    const idOf = async (subject: string, who = alice, account = ALICE): Promise<string> =>
      (await listed(who, account)).find(([text]) => text === subject)![1];
    const accept = (id: string, num: number | string, who = alice, account = ALICE): Promise<Answer> =>
      call(who, 'POST', inbox(account, `${id}/attachments/${num}/accept`));

    describe('account_send_message', () => {
      it('answers the message with all its defaults, and mails that one waits', async () => {
        const { text } = succeeded(await toAccount({}));
        expect(text).to.match(
          /<Message id="[0-9a-f-]{36}"><sender>admin@apps\.svc\.example<\/sender><received_at>[^<]+<\/received_at><read_at><\/read_at><archived_at><\/archived_at><subject>\[no subject\]<\/subject><body>\[no body\]<\/body><severity>low<\/severity><\/Message>$/,
        );
        const mail = await waitForMail(service.mailDir, ALICE, ALERT);
        expect(mail.links).to.equal(['https://ui.example']);
        expect(mail.to).to.contain('Alice Lee');
      });

      it('says nothing of its content in the mail', async () => {
        const before = await mailCount();
        succeeded(await toAccount({ subject: 'HIV result', body: 'positive', severity: 'high' }, BOB));
        const mail = await waitForMail(service.mailDir, BOB, ALERT);
        expect(await mailCount()).to.equal(before + 1);
        expect(mail.text + mail.subject)
          .to.not.contain('HIV')
          .and.to.not.contain('positive');
      });

      it('takes an id of the sender once per account and sender', async () => {
        const message_id = messageId();
        succeeded(await toAccount({ message_id }));
        expect(code(await toAccount({ message_id }))).to.equal('duplicate');
        succeeded(await toAccount({ message_id }, BOB));
        expect((await call(ui, 'POST', inbox(ALICE), { form: { message_id } })).status).to.equal(200);
        succeeded(await toAccount({ message_id: '' }));
        succeeded(await toAccount({ message_id: '' }));
        const answers = await Promise.all(Array.from({ length: 4 }, () => toAccount({ message_id: 'at-once' })));
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 400, 400, 400]);
      });

      it('refuses what is not one of the values, too long, or for nobody', async () => {
        for (const form of [
          { severity: 'normal' },
          { body_type: 'html' },
          { subject: 'x'.repeat(101) },
          { message_id: 'x'.repeat(251) },
        ] as Record<string, string>[]) {
          expect(code(await toAccount(form))).to.equal('invalid_parameter');
        }
        expect((await toAccount({}, 'none@example.org')).status).to.equal(404);
      });

      it('sends no mail to who cannot sign in at all', async () => {
        await addAccount(service.services, 'new@example.org', 'New', 'uninitialized');
        await addAccount(service.services, 'off@example.org', 'Off', 'disabled');
        succeeded(await toAccount({}, 'new@example.org'));
        succeeded(await toAccount({}, 'off@example.org'));
        await waitForMail(service.mailDir, 'off@example.org', ALERT);
        expect(mailsIn(service.mailDir).some(({ to }) => to.includes('new@example.org'))).to.be.false();
      });

      it('keeps nothing for a retired account, and says no more than to any other', async () => {
        await addAccount(service.services, 'left@example.org', 'Left', 'retired');
        const told = succeeded(await toAccount({ subject: 'lost' }, 'left@example.org')).text;
        const knex = direct(service.services.database);
        expect(await knex('message').where({ account_id: 'left@example.org' })).to.equal([]);
        expect(told).to.contain('<subject>lost</subject>');
      });
    });

    describe('account_inbox and its messages', () => {
      it('lists the newest first in pages, without bodies, and without archived ones unless asked', async () => {
        const person = await addPerson(service.services, 'reader@example.org');
        for (const subject of ['one', 'two', 'three']) {
          succeeded(await toAccount({ subject }, 'reader@example.org'));
        }
        const list = async (query = ''): Promise<string[]> =>
          (await listed(person, 'reader@example.org', query)).map(([subject]) => subject);
        expect(await list()).to.equal(['three', 'two', 'one']);
        expect(await list('?limit=1&offset=1')).to.equal(['two']);
        expect(await list('?order_by=received_at')).to.equal(['one', 'two', 'three']);
        expect(await list('?order_by=created_at')).to.equal(['one', 'two', 'three']);
        expect(await list('?order_by=-created_at')).to.equal(['three', 'two', 'one']);
        expect(await list('?order_by=subject')).to.equal(['one', 'three', 'two']);
        expect(await list('?order_by=-subject')).to.equal(['two', 'three', 'one']);
        expect(await list('?order_by=password')).to.equal(['three', 'two', 'one']);
        expect((await call(person, 'GET', inbox('reader@example.org'))).text).to.not.contain('<body>');
        expect((await call(person, 'GET', inbox('reader@example.org', '?status=gone'))).status).to.equal(400);
        expect((await call(person, 'GET', inbox('reader@example.org', '?limit=-1'))).status).to.equal(400);

        const two = await idOf('two', person, 'reader@example.org');
        succeeded(await call(person, 'POST', inbox('reader@example.org', `${two}/archive`)));
        expect(await list()).to.equal(['three', 'one']);
        expect(await list('?include_archive=0')).to.equal(['three', 'one']);
        expect(await list('?include_archive=1')).to.equal(['three', 'two', 'one']);
        expect(await list('?include_archive=true')).to.have.length(3);
      });

      it('marks a message read the first time, and archived the first time', async () => {
        succeeded(await toAccount({ subject: 'marks' }));
        const id = await idOf('marks');
        succeeded(await call(alice, 'HEAD', inbox(ALICE, id)));
        expect(await knex()('message').where({ id }).pluck('read_at')).to.equal([null]);
        const first = succeeded(await call(alice, 'GET', inbox(ALICE, id))).text;
        expect(child(first, 'read_at')).to.match(/^\d{4}-/);
        expect(child(first, 'body')).to.equal('[no body]');
        succeeded(await call(alice, 'POST', inbox(ALICE, `${id}/archive`)));
        const second = succeeded(await call(alice, 'GET', inbox(ALICE, id))).text;
        expect(child(second, 'read_at')).to.equal(child(first, 'read_at'));
        succeeded(await call(alice, 'POST', inbox(ALICE, `${id}/archive`)));
        expect(child((await call(alice, 'GET', inbox(ALICE, id))).text, 'archived_at')).to.equal(
          child(second, 'archived_at'),
        );
      });

      it("finds no message that is somebody else's or nobody's", async () => {
        succeeded(await toAccount({ subject: 'for bob' }, BOB));
        const id = await idOf('for bob', bob, BOB);
        for (const one of [id, newId()]) {
          expect((await call(alice, 'GET', inbox(ALICE, one))).status).to.equal(404);
          expect((await call(alice, 'POST', inbox(ALICE, `${one}/archive`))).status).to.equal(404);
          expect((await accept(one, 1)).status).to.equal(404);
        }
        expect(child((await call(bob, 'GET', inbox(BOB, '?limit=1000'))).text, 'read_at')).to.equal('');
      });

      it('keeps markdown as it was sent and shows it harmless', async () => {
        const body = '**hi** <script>alert(1)</script>{APP_BASE}';
        const sent = succeeded(await toAccount({ subject: 'md', body, body_type: 'markdown' })).text;
        const rows = await openedRows(service.services.database, 'message', ['account_id = ?', ALICE]);
        expect(rows.find(({ subject }) => subject === 'md')!['body']).to.equal(body);
        const shown = succeeded(await call(alice, 'GET', inbox(ALICE, await idOf('md')))).text;
        for (const text of [sent, shown]) {
          expect(
            child(text, 'body')!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
          ).to.equal('<p><strong>hi</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
        }
        succeeded(await toAccount({ subject: 'plain', body: '<b>{APP_BASE}</b>' }));
        expect(child((await call(alice, 'GET', inbox(ALICE, await idOf('plain')))).text, 'body')).to.equal(
          '&lt;b&gt;{APP_BASE}&lt;/b&gt;',
        );
      });
    });

    describe('record_send_message', () => {
      it('gives the owner and full shares a copy of their own each, from the app, and mails them', async () => {
        await sharingStore.putShare(knex(), recordId, BOB, null, toTimestamp(0));
        await addAccount(service.services, 'gone@example.org', 'Gone', 'retired');
        await sharingStore.putShare(knex(), recordId, 'gone@example.org', null, toTimestamp(0));
        const before = await mailCount();
        succeeded(await toRecord(messageId(), { subject: 'to all' }, appToken));
        const [forAlice, forBob] = [await idOf('to all'), await idOf('to all', bob, BOB)];
        expect(forAlice).to.not.equal(forBob);
        const { text } = await call(alice, 'GET', inbox(ALICE, forAlice));
        expect(child(text, 'sender')).to.equal(medications!.consumer.key);
        expect(attribute(text, 'record', 'id')).to.equal(recordId);
        expect(await knex()('message').where({ account_id: 'gone@example.org' })).to.have.length(0);
        expect(await mailCount()).to.equal(before + 2);
        expect(
          mailsIn(service.mailDir)
            .slice(before)
            .map(({ to }) => to.includes(ALICE) || to.includes(BOB)),
        ).to.equal([true, true]);
      });

      it('takes an id of the sender once per record', async () => {
        const id = messageId();
        succeeded(await toRecord(id));
        expect(code(await toRecord(id))).to.equal('duplicate');
        succeeded(await toRecord(id, {}, appToken));
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => toRecord('record-at-once', { subject: 'at once' })),
        );
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 400, 400, 400]);
        expect((await listed(alice, ALICE)).filter(([subject]) => subject === 'at once')).to.have.length(1);
      });

      it('refuses values that cannot be, and an unknown record', async () => {
        for (const form of [
          { severity: 'normal' },
          { body_type: 'x' },
          { num_attachments: '-1' },
          { num_attachments: '51' },
          { num_attachments: 'two' },
          { num_attachments: '1e1' },
          { num_attachments: ' 2' },
          { subject: '\u{1F600}'.repeat(101) },
        ] as Record<string, string>[]) {
          expect(code(await toRecord(messageId(), form)), JSON.stringify(form)).to.equal('invalid_parameter');
        }
        expect((await toRecord('x'.repeat(251))).status).to.equal(400);
        succeeded(await toRecord(messageId(), { num_attachments: '' }));
        succeeded(await toRecord(encodeURIComponent('\u{1F600}'.repeat(250))));
        expect((await call(admin, 'POST', `/records/${newId()}/inbox/x`, { form: {} })).status).to.equal(404);
        expect((await call(appToken, 'POST', `/records/${newId()}/inbox/x`, { form: {} })).status).to.equal(403);
        expect((await call(alice, 'POST', `/records/${recordId}/inbox/x`, { form: {} })).status).to.equal(403);
      });

      it('stores nothing for a record that nobody looks after', async () => {
        const lonely = attribute(
          succeeded(
            await call(admin, 'POST', '/records/', {
              body:
                '<Demographics ' +
                'xmlns="https://svc.example/vocab/xml/documents#"><dateOfBirth>1970-01-02</dateOfBirth><gender>female</gender><Name><familyName>L</familyName><givenName>O</givenName></Name></Demographics>',
            }),
          ).text,
          'Record',
          'id',
        );
        succeeded(await call(admin, 'POST', `/records/${lonely}/inbox/x`, { form: {} }));
        expect(await knex()('message').where({ record_id: lonely })).to.have.length(0);
        expect((await call(admin, 'POST', `/records/${lonely}/inbox/x`, { form: {} })).status).to.equal(400);
      });
    });

    describe('attachments', () => {
      it('may come in any order, and hold the message back until all are there', async () => {
        const id = messageId();
        succeeded(await toRecord(id, { subject: 'with two', num_attachments: '2' }, appToken));
        const mails = await mailCount();
        expect((await listed(alice, ALICE)).some(([subject]) => subject === 'with two')).to.be.false();
        succeeded(await attach(id, 2, note, appToken));
        expect((await listed(alice, ALICE)).some(([subject]) => subject === 'with two')).to.be.false();
        expect(await mailCount()).to.equal(mails);
        succeeded(await attach(id, 1, procedure, appToken));
        const { text } = await call(alice, 'GET', inbox(ALICE, await idOf('with two')));
        expect(text).to.contain(
          `<attachment num="1" type="${NS}Procedure" size="${Buffer.byteLength(procedure)}"/><attachment num="2" ` +
            `type="https://notes.example/x#note" size="${Buffer.byteLength(note)}"/>`,
        );
        const list = (await call(alice, 'GET', inbox(ALICE))).text;
        expect(list).to.contain('<attachment num="1"');
      });

      it('deliver once when the last two come at the same moment', async () => {
        const id = messageId();
        succeeded(await toRecord(id, { subject: 'both last', num_attachments: '3' }));
        const answers = await Promise.all([
          attach(id, 1, note),
          attach(id, 2, note),
          attach(id, 3, note),
          attach(id, 3, note),
        ]);
        expect(answers.map(({ status }) => status).sort()).to.equal([200, 200, 200, 400]);
        expect((await listed(alice, ALICE)).filter(([subject]) => subject === 'both last')).to.have.length(1);
      });

      it("are refused when repeated, out of range, malformed, or for a message that is not the sender's", async () => {
        const id = messageId();
        succeeded(await toRecord(id, { num_attachments: '2' }));
        succeeded(await attach(id, 1, note));
        expect(code(await attach(id, 1, note))).to.equal('already_uploaded');
        for (const num of [0, 3, -1, 'x', 51]) {
          expect((await attach(id, num, note)).status, String(num)).to.equal(400);
        }
        expect(code(await attach(id, 2, '<note>'))).to.equal('invalid_document');
        expect(code(await attach(id, 2, ''))).to.equal('invalid_document');
        for (const type of ['text/plain', 'text/html x+xml', `application/${'a'.repeat(90)}+xml`]) {
          expect(code(await attach(id, 2, note, admin!, type)), type).to.equal('invalid_document');
        }
        expect((await attach(id, 2, note, appToken)).status).to.equal(404);
        expect((await attach('never-sent', 1, note)).status).to.equal(404);
      });

      it('become documents of the record when accepted, by the person who accepts, once for all', async () => {
        const id = messageId();
        succeeded(await toRecord(id, { subject: 'accept me', num_attachments: '2' }, appToken));
        succeeded(await attach(id, 1, procedure, appToken));
        succeeded(await attach(id, 2, note, appToken, `application/${'a'.repeat(84)}+xml`));
        const [forAlice, forBob] = [await idOf('accept me'), await idOf('accept me', bob, BOB)];
        succeeded(await accept(forAlice, 1));
        const shown = (await call(bob, 'GET', inbox(BOB, forBob))).text;
        const documentId = attribute(shown, 'attachment', 'doc_id');
        const meta = succeeded(await call(alice, 'GET', `/records/${recordId}/documents/${documentId}/meta`)).text;
        expect(attribute(meta, 'Document', 'type')).to.equal(`${NS}Procedure`);
        expect(attribute(meta, 'creator', 'id')).to.equal(ALICE);
        expect((await call(alice, 'GET', `/records/${recordId}/documents/${documentId}`)).text).to.equal(procedure);
        expect((await call(alice, 'GET', `/records/${recordId}/reports/Procedure/`)).text).to.contain('Appendectomy');
        expect(code(await accept(forAlice, 1))).to.equal('gone');
        expect((await accept(forBob, 1, bob, BOB)).status).to.equal(410);
        const both = await Promise.all([accept(forAlice, 2), accept(forBob, 2, bob, BOB)]);
        expect(both.map(({ status }) => status).sort()).to.equal([200, 410]);
        expect(
          await knex()('document').where({ record_id: recordId, type: 'https://notes.example/x#note' }),
        ).to.have.length(1);
        for (const num of [3, 50, 51, 0, -1, 1.5, '01', '1e1', '99999999999999999999', 'first', '%00']) {
          expect((await accept(forAlice, num)).status, String(num)).to.equal(404);
        }
      });

      it('are not accepted by who loses the record while they are read', async () => {
        const id = messageId();
        succeeded(await toRecord(id, { subject: 'too late', num_attachments: '1' }));
        succeeded(await attach(id, 1, note));
        const { lookups } = service.services;
        const before = await knex()('document').where({ record_id: recordId });
        const forBob = await idOf('too late', bob, BOB);
        const late = await meanwhile(
          lookups,
          'fullControl',
          () => sharingStore.deleteShares(knex(), recordId, BOB),
          () => accept(forBob, 1, bob, BOB),
        );
        expect([late.status, code(late)]).to.equal([403, 'permission_denied']);
        expect(await knex()('document').where({ record_id: recordId })).to.have.length(before.length);
        succeeded(await accept(await idOf('too late'), 1));
        succeeded(await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: BOB } }));
      });

      it('are not accepted without control of the record, nor when the pipeline refuses them', async () => {
        const id = messageId();
        succeeded(await toRecord(id, { subject: 'no rights', num_attachments: '2' }));
        succeeded(await attach(id, 1, note));
        succeeded(await attach(id, 2, `<Procedure xmlns="${NS}"><nonsense/></Procedure>`));
        await sharingStore.deleteShares(knex(), recordId, BOB);
        expect((await accept(await idOf('no rights', bob, BOB), 1, bob, BOB)).status).to.equal(403);
        const refused = await accept(await idOf('no rights'), 2);
        expect([refused.status, code(refused)]).to.equal([400, 'invalid_document']);
        expect((await call(alice, 'GET', inbox(ALICE, await idOf('no rights')))).text).to.not.contain('doc_id');
      });
    });

    describe('record_notify and account_notifications', () => {
      const notify = (form: Record<string, string>, who: Signs = admin!, path = 'notifications/'): Promise<Answer> =>
        call(who, 'POST', `/records/${recordId}/${path}`, { form });
      const list = async (query = ''): Promise<string> =>
        succeeded(await call(alice, 'GET', `/accounts/${encodeURIComponent(ALICE)}/notifications/${query}`)).text;

      it('tells every authorized account, with the labels of record and document, and without a mail', async () => {
        const mails = await mailCount();
        const documentId = attribute(
          succeeded(await call(alice, 'POST', `/records/${recordId}/documents/`, { body: note })).text,
          'Document',
          'id',
        );
        succeeded(
          await call(alice, 'PUT', `/records/${recordId}/documents/${documentId}/label`, {
            body: 'My note',
            type: 'text/plain',
          }),
        );
        succeeded(
          await notify({ content: 'New <note>', document_id: documentId, app_url: 'https://app.example/n' }, appToken),
        );
        succeeded(await notify({ content: 'Plain' }));
        const text = await list();
        expect(text).to.match(
          new RegExp(
            '^<\\?xml[^>]*>\\n<Notifications><Notification ' +
              'id="[^"]*"><sender>admin@apps.svc.example</sender><received_at>[^<]*</received_at><content>Plain</content><record ' +
              `id="${recordId}" label="Ann Lee"/><document/></Notification>`,
          ),
        );
        expect(text)
          .to.contain(`<sender>medications@apps.svc.example</sender>`)
          .and.to.contain(
            `<content>New &lt;note&gt;</content><record id="${recordId}" label="Ann Lee"/><document ` +
              `id="${documentId}" label="My note"/><app_url>https://app.example/n</app_url>`,
          );
        expect((await list('?limit=1')).match(/<Notification /g)).to.have.length(1);
        expect(await list('?limit=1&offset=1')).to.contain('New &lt;note&gt;');
        expect(await list('?order_by=received_at&limit=1')).to.contain('New &lt;note&gt;');
        expect(await list('?order_by=created_at&limit=1')).to.contain('New &lt;note&gt;');
        expect(await mailCount()).to.equal(mails);
      });

      it('keeps what it says but no longer shows the labels to who has lost the record', async () => {
        const bobs = (): Promise<Answer> =>
          call(bob, 'GET', `/accounts/${encodeURIComponent(BOB)}/notifications/?limit=1`);
        const shares = `/records/${recordId}/shares/`;
        succeeded(await call(alice, 'POST', shares, { form: { account_id: BOB } }));
        const documentId = attribute(
          succeeded(await call(alice, 'POST', `/records/${recordId}/documents/`, { body: note })).text,
          'Document',
          'id',
        );
        succeeded(
          await call(alice, 'PUT', `/records/${recordId}/documents/${documentId}/label`, {
            body: 'For both',
            type: 'text/plain',
          }),
        );
        succeeded(await notify({ content: 'Seen by Bob', document_id: documentId }));
        expect(succeeded(await bobs()).text).to.contain(
          `<record id="${recordId}" label="Ann Lee"/><document id="${documentId}" label="For both"/>`,
        );
        succeeded(await call(alice, 'DELETE', `${shares}${encodeURIComponent(BOB)}`));
        succeeded(
          await call(alice, 'PUT', `/records/${recordId}/documents/${documentId}/label`, {
            body: 'For Alice only',
            type: 'text/plain',
          }),
        );
        expect(succeeded(await bobs()).text)
          .to.contain('<content>Seen by Bob</content>')
          .and.to.contain(`<record id="${recordId}" label=""/><document id="${documentId}" label=""/>`);
        expect(await list()).to.contain(`<document id="${documentId}" label="For Alice only"/>`);
      });

      it('works under its old path, and says so', async () => {
        const answer = succeeded(await notify({ content: 'Old path' }, admin!, 'notify'));
        expect(answer.headers['deprecation']).to.equal('true');
        expect(await list()).to.contain('Old path');
      });

      it('refuses missing, empty or long content, bad addresses and foreign documents', async () => {
        expect(code(await notify({}))).to.equal('missing_parameter');
        expect(code(await notify({ content: '' }))).to.equal('missing_parameter');
        expect(code(await notify({ content: 'x'.repeat(501) }))).to.equal('invalid_parameter');
        expect((await notify({ content: '\u{1F600}'.repeat(500) })).status).to.equal(200);
        expect(code(await notify({ content: 'x', app_url: 'javascript:alert(1)' }))).to.equal('invalid_parameter');
        succeeded(await notify({ content: 'x', app_url: '/alerts?id=1' }));
        expect((await notify({ content: 'x', document_id: newId() })).status).to.equal(404);
        expect((await notify({ content: 'x', document_id: 'x'.repeat(300) })).status).to.equal(404);
        const other = await createRecord(service.call, BOB);
        const foreign = attribute(
          succeeded(await call(bob, 'POST', `/records/${other}/documents/`, { body: note })).text,
          'Document',
          'id',
        );
        expect((await notify({ content: 'x', document_id: foreign })).status).to.equal(404);
        expect((await notify({ content: 'x' }, connector!)).status).to.equal(403);
        expect((await notify({ content: 'x' }, alice)).status).to.equal(403);
        expect(
          (await call(admin, 'POST', `/records/${newId()}/notifications/`, { form: { content: 'x' } })).status,
        ).to.equal(404);
      });
    });
  });
}
