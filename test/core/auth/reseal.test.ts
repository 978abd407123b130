/**
 * reseal: a key is changed while the service runs. Before, during and after the change every secret can be read, and in
 * the end only with the new key.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { reseal, sealedColumns } from '../../../core/auth/reseal';
import { makeSealing } from '../../../core/auth/sealing';
import { databases } from '../../support/databases';
import { httpClient } from '../../support/client';
import { admin, medications } from '../../support/server';
import { command, serve } from '../../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../../support/world';
import { openDatabase } from '../../../core/db/open';
import { checkContents } from '../../../core/sealing/seal-stored';
import { makeContents } from '../../../core/sealing/contents-store';
import { direct } from '../../support/direct';
import { tableNames } from '../../../core/backup/empty';
import * as smartStore from '../../../plugins/smart/store';

export const lab = Lab.script();
const { describe, it } = lab;

const OLD = 'the old key: 0123456789';
const NEW = 'the new key: 9876543210';
const keyId = (key: string): string => makeSealing([key]).seal('').split('.')[0]!;

for (const leg of databases) {
  describe(`a change of the key on ${leg.name}`, () => {
    it('works step by step, without a pause', async () => {
      const { url, drop } = await leg.create();
      const settings = (key: string, others = '') => ({
        SVC_DATABASE_URL: url,
        SVC_SECRET_KEY: others === '' ? key : `${key},${others}`,
        SVC_SMTP_URL: 'smtp://127.0.0.1:1',
      });
      // Make secrets of every kind: a mail waits in the outbox, an account waits for its first sign-in, and there are
      // tokens of every kind.
      const before = await serve(settings(OLD, NEW));
      const call = httpClient(before.url);
      await createAccount(call, 'alice@example.org');
      const recordId = await createRecord(call, 'alice@example.org');
      const alice = await signIn(call, 'alice@example.org');
      const app = await authorizeApp(call, medications!, alice, { record_id: recordId });
      succeeded(
        await call(admin, 'POST', '/accounts/', {
          form: {
            account_id: 'new@example.org',
            contact_email: 'new@example.org',
            primary_secret_p: '1',
            secondary_secret_p: '1',
          },
        }),
      );
      succeeded(
        await call(medications, 'POST', '/oauth/request_token', {
          form: { svc_record_id: recordId },
          oauth: { oauth_callback: 'oob' },
        }),
      );
      const body = '<Note xmlns="https://notes.example/">before</Note>';
      const posted = succeeded(await call(app, 'POST', `/records/${recordId}/documents/`, { body }));
      const documentId = attribute(posted.text, 'Document', 'id');
      const secrets = await openDatabase(url, 1);
      const old = makeSealing([OLD]);
      const expiresAt = '2999-01-01T00:00:00.000000Z';
      await secrets.transaction(async (trx) => {
        await smartStore.insertRequest(trx, { requestHash: 'r', content: old.seal('{}'), expiresAt });
        const code = { codeHash: 'c', kind: 'code', grantHash: 'g', usedAt: null, expiresAt } as const;
        await smartStore.insertCode(trx, { ...code, content: old.seal('{}') });
      });
      await secrets.close();
      const made = await command(['rotate-id-keys'], settings(OLD, NEW));
      expect(made.stdout).to.match(/^key [0-9a-f]{16} signs from now on\n$/);
      expect((await command(['rotate-key', '--check'], settings(NEW, OLD))).code).to.equal(1);

      // Later processes seal with the new key. The first ones still run and can read that, too.
      const after = await serve(settings(NEW, OLD));
      const there = httpClient(after.url);
      const bob = (await createAccount(there, 'bob@example.org'), await signIn(there, 'bob@example.org'));
      const both = async (): Promise<void> => {
        for (const one of [call, there]) {
          succeeded(await one(app, 'GET', `/records/${recordId}/documents/`));
          expect((await one(app, 'GET', `/records/${recordId}/documents/${documentId}`)).text).to.equal(body);
          succeeded(await one(alice, 'GET', '/accounts/alice%40example.org'));
          succeeded(await one(bob, 'GET', '/accounts/bob%40example.org'));
        }
      };
      await both();
      const rotated = await command(['rotate-key'], settings(NEW, OLD));
      expect(rotated.code, rotated.stderr).to.equal(0);
      await both();
      expect((await command(['rotate-key', '--check'], settings(NEW, OLD))).code).to.equal(0);
      expect((await command(['verify-audit'], settings(NEW))).code).to.equal(0);

      // No column of any table was forgotten.
      const database = await openDatabase(url, 2);
      const found = new Set<string>();
      for (const table of await tableNames(database)) {
        for (const row of (await direct(database)(table).select('*')) as Record<string, unknown>[]) {
          for (const [column, value] of Object.entries(row)) {
            expect(
              String(value).startsWith(`${keyId(OLD)}.`),
              `${table}.${column} is still under the old key`,
            ).to.be.false();
            if (String(value).startsWith(`${keyId(NEW)}.`)) {
              found.add(`${table}.${column}`);
            }
          }
        }
      }
      expect(
        [...found].filter((name) => !sealedColumns.some(({ table, column }) => name === `${table}.${column}`)),
      ).to.equal([]);
      expect([...found]).to.include([
        'app.consumer_secret',
        'session_token.secret',
        'access_token.secret',
        'request_token.secret',
        'request_token.verifier',
        'smart_request.content',
        'smart_code.content',
        'outbox.payload',
        'installation.content',
        'record.content_key',
        'account.primary_secret',
        'account.secondary_secret',
      ]);

      // Everything that is stored opens under the new key, and under no other.
      const checked = await checkContents({ database, contents: makeContents(makeSealing([NEW])) });
      expect([checked.problems, checked.clear, checked.sealed > 1]).to.equal([[], 0, true]);
      const lost = await checkContents({ database, contents: makeContents(makeSealing([OLD])) });
      expect(lost.problems.length).to.equal(lost.sealed);

      // Without the old key nothing is left to read with it. With a third key nothing can be read, and nothing is
      // changed.
      expect((await reseal(database, makeSealing([NEW]), false)).unreadable).to.equal(0);
      expect((await reseal(database, makeSealing(['a third key: 0123456789']), false)).resealed).to.equal(0);
      await database.close();
      await Promise.all([before.stop(), after.stop()]);
      await drop();
    });
  });
}
