/** clean-up: expired rows are deleted, all others stay. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cleanUp } from '../../../core/auth/clean-up';
import { insertSystemToken } from '../../../core/tokens/system-tokens-store';
import { countFailure } from '../../../core/auth/attempts';
import { toTimestamp } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import { makeSealing } from '../../../core/auth/sealing';
import { makeContents } from '../../../core/sealing/contents-store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import * as healthLinkStore from '../../../core/sharing/health-links-store';
import * as passkeyStore from '../../../core/tokens/passkeys-store';
import * as smartStore from '../../../plugins/smart/store';
import * as tokenStore from '../../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const inClear = makeContents(makeSealing(['0'.repeat(64)])).under(null);
const NOW = Date.parse('2026-01-02T12:00:00Z');
const at = (seconds: number): string => toTimestamp(NOW + seconds * 1000);

for (const leg of databases) {
  describe(`clean-up on ${leg.name}`, () => {
    let opened: OpenDatabase;
    before(async () => {
      opened = await openTestDatabase(leg);
    });
    after(() => opened.drop());

    it('deletes expired tokens, sessions, nonces and counts, and deliveries that left long ago', async () => {
      const knex = direct(opened.database);
      for (const [name, expiresAt] of [
        ['old', at(-1)],
        ['live', at(1)],
      ] as const) {
        await tokenStore.insertSession(knex, {
          tokenHash: name,
          secret: 's',
          accountId: 'a',
          uiAppId: 'u',
          createdAt: at(0),
          lastUsedAt: at(0),
          expiresAt,
        });
        await tokenStore.insertAccessToken(knex, {
          tokenHash: name,
          secret: 's',
          kind: 'ordinary',
          appId: 'p',
          accountId: null,
          recordId: newId(),
          carenetId: null,
          createdAt: at(0),
          expiresAt,
        });
        await tokenStore.insertRequestToken(knex, {
          tokenHash: name,
          secret: 's',
          verifier: 'v',
          appId: 'p',
          callback: null,
          recordId: null,
          carenetId: null,
          claimedBy: null,
          approvedBy: null,
          approvedAt: null,
          createdAt: at(0),
          expiresAt,
        });
        await knex('used_form').insert({ form_hash: name, document_id: newId(), expires_at: expiresAt });
        await passkeyStore.takeChallenge(knex, name, expiresAt);
        await knex('kept_file').insert({
          form_hash: name,
          session_hash: 's',
          record_id: newId(),
          content: Buffer.from('sealed'),
          kept_at: at(-1800),
          expires_at: expiresAt,
        });
        await knex('record_invitation').insert({
          id: name,
          record_id: newId(),
          account_id: 'p',
          secret_hash: name,
          sealed: 's',
          gives: 'whole',
          created_at: at(0),
          expires_at: expiresAt,
        });
        await knex('record_handover').insert({
          record_id: name,
          owner_id: 'o',
          to_id: 't',
          keeps: 0,
          offered_at: at(-1800),
          expires_at: expiresAt,
        });
        const grantHash = `grant ${name}`;
        await smartStore.insertRequest(knex, { requestHash: name, content: 'c', expiresAt });
        await smartStore.insertGrant(knex, {
          grantHash,
          appId: 'p',
          accountId: 'a',
          subject: 's',
          recordId: newId(),
          carenetId: null,
          sessionHash: null,
          scopes: 'openid',
          createdAt: at(0),
          expiresAt,
        });
        await smartStore.insertCode(knex, {
          codeHash: name,
          kind: 'refresh',
          grantHash,
          content: 'c',
          usedAt: at(-2),
          expiresAt,
        });
        await insertSystemToken(knex, {
          tokenHash: name,
          appId: 'p',
          scopes: 'system/*.rs',
          createdAt: at(-1),
          expiresAt,
        });
        await smartStore.useAssertion(knex, name, expiresAt);
        await healthLinkStore.insertLink(knex, inClear, {
          id: name,
          secretHash: name,
          sealed: 's',
          recordId: newId(),
          carenetId: null,
          accountId: 'a',
          label: '',
          passcode: null,
          lineages: [],
          createdAt: at(-5_000_000),
          expiresAt: name === 'old' ? at(-2_600_000) : at(-2_500_000),
          mostOpenings: null,
          clinic: null,
        });
        await knex('export_job').insert({
          id: name,
          record_id: 'r',
          app_id: 'p',
          account_id: 'a',
          scopes: '',
          request: '{}',
          state: 'done',
          resources: 1,
          attempts: 0,
          created_at: at(-1800),
          expires_at: expiresAt,
        });
        await knex('export_part').insert({
          job_id: name,
          record_id: 'r',
          type: 'Patient',
          number: 1,
          resources: 1,
          size: 1,
          content: Buffer.from('sealed'),
          expires_at: expiresAt,
        });
        await knex('nonce').insert({
          nonce_hash: name,
          claim: newId(),
          expires_at: name === 'old' ? expiresAt : at(900),
        });
        await knex('outbox').insert({
          id: name,
          kind: 'mail',
          subject: name,
          payload: '',
          created_at: at(0),
          due_at: at(0),
          attempts: 0,
          sent_at: name === 'old' ? at(-86_401) : at(-10),
        });
      }
      await knex('outbox').insert({
        id: 'waiting',
        kind: 'mail',
        subject: 'w',
        payload: 'p',
        created_at: at(-1e6),
        due_at: at(-1e6),
        attempts: 3,
      });
      await countFailure({ database: opened.database, clock: { now: () => NOW - 300_000 } }, [{ name: 'x', limit: 5 }]);
      await countFailure({ database: opened.database, clock: { now: () => NOW } }, [{ name: 'x', limit: 5 }]);

      const counts = await cleanUp(opened.database, { now: () => NOW });
      expect(counts).to.include({
        sessions: 1,
        'access tokens': 1,
        'request tokens': 1,
        'forms that were used': 1,
        'challenges that passkeys answered': 1,
        'files that nobody added': 1,
        'tokens of apps that act by themselves': 1,
        'questions of SMART apps': 1,
        'grants to SMART apps': 1,
        'codes and refresh tokens': 1,
        'used assertions': 1,
        'health links that have ended': 1,
        'exports and their files': 1,
        'orders of exports': 1,
        nonces: 1,
        'counts of failed attempts': 1,
        'sent mails and pings': 1,
      });
      for (const table of ['session_token', 'access_token', 'request_token']) {
        expect((await knex(table).pluck('token_hash')) as string[], table).to.equal(['live']);
      }
      for (const table of ['used_form', 'kept_file']) {
        expect((await knex(table).pluck('form_hash')) as string[], table).to.equal(['live']);
      }
      expect((await knex('export_job').pluck('id')) as string[]).to.equal(['live']);
      expect((await knex('export_part').pluck('job_id')) as string[]).to.equal(['live']);
      expect((await knex('smart_code').pluck('code_hash')) as string[]).to.equal(['live']);
      expect((await knex('smart_grant').pluck('grant_hash')) as string[]).to.equal(['grant live']);
      expect((await knex('record_handover').pluck('record_id')) as string[]).to.equal(['live']);
      expect((await knex('record_invitation').pluck('id')) as string[]).to.equal(['live']);
      expect((await knex('outbox').orderBy('seq').pluck('id')) as string[]).to.equal(['live', 'waiting']);
      expect((await knex('failed_attempt').pluck('failures')) as number[]).to.have.length(1);
      expect(
        Object.values(await cleanUp(opened.database, { now: () => NOW })).every((count) => count === 0),
      ).to.be.true();
    });
  });
}
