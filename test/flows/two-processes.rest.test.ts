/** two-processes: what one process of an installation ends or counts, the other one respects at its next call. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorizationHeader } from '../../core/auth/sign';
import type { Signs } from '../support/cast';
import { httpClient, type Client } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { admin, medications, ui } from '../support/server';
import { serve, type Served } from '../support/svc';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';

for (const leg of databases) {
  describe(`two processes on ${leg.name}`, () => {
    let database: TestDatabase;
    let folder: string;
    let served: Served[] = [];
    let one: Client;
    let two: Client;
    let alice: Signs;
    let recordId: string;
    before(async () => {
      database = await leg.create();
      folder = mkdtempSync(join(tmpdir(), 'svc-two-'));
      // One public address for both, as behind a load balancer.
      const settings = {
        SVC_DATABASE_URL: database.url,
        SVC_MAIL_DIR: join(folder, 'mail'),
        SVC_BASE_URL: 'https://phr.example',
        SVC_RATE_ACCOUNT_PER_MINUTE: '3',
      };
      served = [await serve(settings), await serve(settings)];
      [one, two] = served.map(({ url }) => httpClient(url, 'https://phr.example')) as [Client, Client];
      await createAccount(one, ALICE);
      recordId = await createRecord(two, ALICE);
      alice = await signIn(one, ALICE);
    });
    after(async () => {
      await Promise.all(served.map(({ stop }) => stop()));
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it("take each other's sessions and tokens", async () => {
      succeeded(await two(alice, 'GET', `/records/${recordId}`));
      const token = await authorizeApp(one, medications!, alice, { record_id: recordId });
      succeeded(await two(token, 'GET', `/records/${recordId}/documents/`));
    });

    it('serve a signed request once between them', async () => {
      const authorization = authorizationHeader(admin!, 'GET', 'https://phr.example/apps/');
      const statuses = await Promise.all(
        served.map(async ({ url }) => (await fetch(`${url}/apps/`, { headers: { authorization } })).status),
      );
      expect(statuses.sort()).to.equal([200, 403]);
    });

    it('refuse at once a token that the other revoked', async () => {
      const token = await authorizeApp(one, medications!, alice, { record_id: recordId });
      succeeded(await two(token, 'GET', `/records/${recordId}/documents/`));
      succeeded(
        await one(alice, 'DELETE', `/records/${recordId}/apps/${encodeURIComponent(medications!.consumer.key)}`),
      );
      expect((await two(token, 'GET', `/records/${recordId}/documents/`)).status).to.equal(403);
    });

    it('count failed log-ins together', async () => {
      const statuses: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        statuses.push(
          (
            await [one, two][round % 2]!(ui, 'POST', '/oauth/internal/session_create', {
              form: { username: 'guessed@example.org', password: 'wrong password' },
            })
          ).status,
        );
      }
      expect(statuses.slice(0, 3)).to.equal([403, 403, 403]);
      expect(statuses).to.include([429]);
    });

    it('refuse at once the session of an account that the other disabled', async () => {
      succeeded(await two(alice, 'GET', `/records/${recordId}`));
      succeeded(
        await one(admin, 'POST', `/accounts/${encodeURIComponent(ALICE)}/set-state`, { form: { state: 'disabled' } }),
      );
      expect((await two(alice, 'GET', `/records/${recordId}`)).status).to.equal(403);
    });
  });
}
