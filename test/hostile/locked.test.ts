/** locked: another process holds the write lock of the SQLite file and does not release it. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sqlitePath } from '../../core/config/sqlite-url';
import { Sqlite, type SqliteDatabase } from '../../core/db/sqlite/better-sqlite';
import { randomUUID } from 'node:crypto';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { probesUntilRefused } from '../support/probes';
import { medications, startService, ui, type TestService } from '../support/server';
import { authorizeApp, createAccount, createRecord, signIn } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after, afterEach } = lab;

const document = '<Note xmlns="https://svc.example/vocab/xml/documents#"/>';

describe('a lock on the SQLite file that is not let go', () => {
  let service: TestService;
  let person: Signer;
  let app: Signer;
  let recordId: string;
  let stranger: SqliteDatabase;

  before(async () => {
    service = await startService(databases[0]!);
    await createAccount(service.call, 'alice@example.org');
    recordId = await createRecord(service.call, 'alice@example.org');
    person = await signIn(service.call, 'alice@example.org');
    app = await authorizeApp(service.call, medications!, person, { record_id: recordId });
  });
  after(() => service.stop());
  beforeEach(async () => {
    expect((await service.call(app, 'GET', `/records/${recordId}/documents/`)).status).to.equal(200);
    stranger = new Sqlite(sqlitePath(service.services.config.databaseUrl)!);
    stranger.exec('begin immediate');
  });
  afterEach(() => {
    stranger.close();
  });

  const post = (): Promise<Answer> => service.call(app, 'POST', `/records/${recordId}/documents/`, { body: document });

  it('stops neither probes nor pages, and refuses what would write', async () => {
    // If the event loop itself waited, only a few probes would pass.
    expect(await probesUntilRefused(service.call, post())).to.be.above(20);
  });

  it('refuses many at once in the time of a few, and those who come later at their first try', async () => {
    // If each of the calls below waited for the lock alone, each would take about as long as this one.
    const beforeOne = performance.now();
    expect((await post()).status).to.equal(503);
    const one = performance.now() - beforeOne;
    stranger.exec('rollback');
    expect((await post()).status).to.equal(200);
    stranger.exec('begin immediate');
    const beforeMany = performance.now();
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, post),
      ...Array.from({ length: 20 }, () => service.call(app, 'GET', `/records/${recordId}/documents/`)),
      ...Array.from({ length: 20 }, () =>
        service.call(ui, 'POST', '/oauth/internal/session_create', {
          form: { username: 'alice@example.org', password: 'wrong' },
        }),
      ),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).to.equal(new Set([503]));
    for (let count = 0; count < 200; count += 1) {
      expect((await post()).status).to.equal(503);
    }
    expect(performance.now() - beforeMany).to.be.below(30 * one);
  });

  it('refuses reads, too, which need a nonce and an audit row, and answers what needs neither', async () => {
    const wrong = { consumer: { key: app.consumer.key, secret: 'wrong' }, token: app.token! };
    const list = `/records/${recordId}/documents/`;
    const refused = await Promise.all([
      service.call(app, 'GET', list),
      service.call(person, 'GET', '/accounts/alice%40example.org/inbox/'),
      service.call(app, 'GET', `/records/${recordId}/documents/${randomUUID()}`),
      service.call(wrong, 'GET', list),
    ]);
    expect(refused.map(({ status }) => status)).to.equal([503, 503, 503, 503]);
    refused.forEach(({ headers }) => expect(Number(headers['retry-after'])).to.be.above(0));
    const open = await Promise.all(
      ['/openapi.json', '/docs', '/my/sign-in'].map((path) => service.call(null, 'GET', path)),
    );
    expect(open.map(({ status }) => status)).to.equal([200, 200, 200]);
  });

  it('leaves the nonce of a refused call unused: the call is served once when the lock is gone', async () => {
    const authorization = authorizationHeader(ui!, 'GET', `${service.running.url}/apps/`);
    const send = async (): Promise<number> =>
      (await fetch(`${service.running.url}/apps/`, { headers: { authorization } })).status;
    expect(await send()).to.equal(503);
    stranger.exec('rollback');
    expect(await send()).to.equal(200);
    expect(await send()).to.equal(403);
  });

  it('is waited for when it goes away in time', async () => {
    const writing = post();
    await new Promise((resolve) => setTimeout(resolve, 300));
    stranger.exec('rollback');
    expect((await writing).status).to.equal(200);
    stranger.exec('begin immediate');
    const reading = service.call(app, 'GET', `/records/${recordId}/documents/`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    stranger.exec('rollback');
    expect((await reading).text).to.contain('total_document_count="3"');
  });

  it('leaves nothing behind: what was refused is not there, and all works as before', async () => {
    expect((await post()).status).to.equal(503);
    stranger.exec('rollback');
    const { text } = await service.call(person, 'GET', `/records/${recordId}/documents/`);
    expect(text).to.contain('total_document_count="3"');
    expect((await post()).status).to.equal(200);
  });
});
