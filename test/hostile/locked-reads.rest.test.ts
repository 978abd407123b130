/**
 * locked-reads: while another process holds the write lock of the SQLite file, reads still work, each nonce once, each
 * in the audit log.
 */
import { randomUUID } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { sqlitePath } from '../../core/config/sqlite-url';
import { Sqlite, type SqliteDatabase } from '../../core/db/sqlite/better-sqlite';
import { httpClient, type Client } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { until } from '../support/receiver';
import { admin, medications } from '../support/server';
import { command, serve, type Served } from '../support/svc';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after, afterEach } = lab;

const ALICE = 'alice@example.org';
const ADDRESS = 'https://phr.example';

describe('reads while another process holds the lock of the SQLite file', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let served: Served[] = [];
  let one: Client;
  let person: Signer;
  let app: Signer;
  let recordId: string;
  let stranger: SqliteDatabase;

  before(async () => {
    database = await databases[0]!.create();
    settings = {
      SVC_DATABASE_URL: database.url,
      SVC_MAIL_DIR: `${sqlitePath(database.url)}.mail`,
      SVC_AUDIT_HEAD: `${sqlitePath(database.url)}.head`,
      SVC_BASE_URL: ADDRESS,
    };
    served = [await serve(settings), await serve(settings)];
    one = httpClient(served[0]!.url, ADDRESS);
    await createAccount(one, ALICE);
    recordId = await createRecord(one, ALICE);
    person = await signIn(one, ALICE);
    app = await authorizeApp(one, medications!, person, { record_id: recordId });
  });
  after(async () => {
    await Promise.all(served.map(({ stop }) => stop()));
    await database.drop();
  });
  beforeEach(() => {
    stranger = new Sqlite(sqlitePath(database.url)!);
    stranger.pragma('busy_timeout = 5000');
  });
  afterEach(() => {
    stranger.close();
  });
  const lock = (): unknown => stranger.exec('begin immediate');
  const unlock = (): unknown => stranger.exec('rollback');

  /** Sends a request with this authorization to one of the processes; resolves to the status. */
  const send = async (to: number, path: string, authorization: string): Promise<number> =>
    (await fetch(`${served[to]!.url}${path}`, { headers: { authorization } })).status;
  const sign = (path: string): string => authorizationHeader(admin!, 'GET', `${ADDRESS}${path}`);

  const rowsOf = (documentId: string): number =>
    (stranger.prepare('select count(*) as n from audit where document_id = ?').get(documentId) as { n: number }).n;
  const documentPath = (documentId: string): string => `/records/${recordId}/documents/${documentId}`;
  const inLog = async (documentIds: readonly string[]): Promise<void> => {
    await until(() => documentIds.every((id) => rowsOf(id) > 0));
    expect(documentIds.map(rowsOf)).to.equal(documentIds.map(() => 1));
    const { code, stdout } = await command(['verify-audit'], settings);
    expect(code).to.equal(0);
    expect(stdout).to.contain(' 0 problems');
  };

  it('are answered, and what is refused is refused for its own reason', async () => {
    lock();
    const wrong = { consumer: { key: app.consumer.key, secret: 'wrong' }, token: app.token! };
    const list = `/records/${recordId}/documents/`;
    const answers = await Promise.all([
      one(app, 'GET', list),
      one(person, 'GET', list),
      one(person, 'GET', `/accounts/${encodeURIComponent(ALICE)}/inbox/`),
      one(admin, 'GET', '/apps/'),
      one(null, 'GET', '/version'),
      one(null, 'GET', '/openapi.json'),
      one(null, 'GET', '/docs'),
      one(null, 'GET', '/my/sign-in'),
      one(null, 'GET', list),
      one(wrong, 'GET', list),
      one(wrong, 'POST', list, { body: '<Note/>' }),
      one(app, 'GET', documentPath(randomUUID())),
      one(app, 'POST', list, { body: '<Note xmlns="https://svc.example/vocab/xml/documents#"/>' }),
    ]);
    expect(answers.map(({ status }) => status)).to.equal([
      200, 200, 200, 200, 200, 200, 200, 200, 403, 403, 403, 404, 503,
    ]);
    expect(Number(answers.at(-1)!.headers['retry-after'])).to.be.above(0);
  });

  it('are served once by all processes together, before, during and after', async () => {
    const path = '/apps/';
    const [earlier, now] = [sign(path), sign(path)];
    expect(await send(0, path, earlier)).to.equal(200);
    lock();
    expect(await Promise.all([send(0, path, earlier), send(1, path, earlier)])).to.equal([403, 403]);
    expect(await send(1, path, now)).to.equal(200);
    expect(await Promise.all([send(0, path, now), send(1, path, now)])).to.equal([403, 403]);
    unlock();
    expect(await Promise.all([send(0, path, now), send(1, path, now)])).to.equal([403, 403]);
  });

  it('are served once when the lock comes and goes', async () => {
    const path = '/apps/';
    lock();
    succeeded(await one(admin, 'GET', path));
    let served = 0;
    for (let round = 0; round < 10; round += 1) {
      const again = sign(path);
      const asked = Array.from({ length: 6 }, (_, index) => send(index % 2, path, again));
      setImmediate(round % 2 === 0 ? unlock : lock);
      const statuses = await Promise.all(asked);
      expect(statuses.filter((status) => status === 200).length).to.be.at.most(1);
      expect(statuses.filter((status) => ![200, 403].includes(status))).to.equal([]);
      served += statuses.filter((status) => status === 200).length;
    }
    expect(served).to.be.above(4);
  });

  it('stand in the audit log once, in chains that verify', async () => {
    const ids = Array.from({ length: 60 }, () => randomUUID());
    lock();
    const answers = await Promise.all(
      ids.map((id, index) => httpClient(served[index % 2]!.url, ADDRESS)(app, 'GET', documentPath(id))),
    );
    expect(new Set(answers.map(({ status }) => status))).to.equal(new Set([404]));
    expect(ids.map(rowsOf)).to.equal(ids.map(() => 0));
    unlock();
    await inLog(ids);
  });

  it('are not lost with a process that is killed meanwhile', async () => {
    const ids = Array.from({ length: 10 }, () => randomUUID());
    const nonce = sign('/apps/');
    lock();
    await Promise.all(ids.map((id) => one(app, 'GET', documentPath(id))));
    expect(await send(0, '/apps/', nonce)).to.equal(200);
    await Promise.all(served.map(({ stop }) => stop('SIGKILL')));
    unlock();
    served = [await serve(settings), await serve(settings)];
    one = httpClient(served[0]!.url, ADDRESS);
    expect(await Promise.all([send(0, '/apps/', nonce), send(1, '/apps/', nonce)])).to.equal([403, 403]);
    await inLog(ids);
  });

  it('go with the database that they belong to, when a backup takes its place or it is emptied', async () => {
    const file = sqlitePath(database.url)!;
    const backup = `${file}.backup`;
    expect((await command(['backup', backup], settings)).code).to.equal(0);
    for (const args of [
      ['restore', backup, '--yes'],
      ['reset', '--yes'],
    ]) {
      const id = randomUUID();
      lock();
      await one(app, 'GET', documentPath(id));
      await Promise.all(served.map(({ stop }) => stop('SIGKILL')));
      stranger.close();
      expect((await command(args, settings)).code).to.equal(0);
      stranger = new Sqlite(file);
      served = [await serve(settings)];
      one = httpClient(served[0]!.url, ADDRESS);
      succeeded(await one(admin, 'GET', '/apps/'));
      expect((await command(['verify-audit', '--restored', 'a test'], settings)).code).to.equal(0);
      expect(rowsOf(id)).to.equal(0);
    }
  });
});
