/**
 * requests: hostile requests against a service in a process of its own. Each is answered as its row says, and none with
 * a 5xx. Where the machine has nothing else to do, each takes less than a second, and a cheap request sent meanwhile
 * less than a tenth.
 */
import { connect, type Socket } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader } from '../../core/auth/sign';
import { httpClient } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { expectQuick } from '../support/quick';
import { rawRequest, sendRaw } from '../support/raw';
import { sleep } from '../support/receiver';
import { medications } from '../support/server';
import { serve, type Served } from '../support/svc';
import { authorizeApp, createAccount, createRecord, signIn } from '../support/world';
import { addressCases } from './addresses';
import { credentialCases } from './credentials';
import { framingCases } from './framing';
import type { Case, Ground } from './ground';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const cases: readonly Case[] = [...credentialCases, ...framingCases, ...addressCases];

/** Measures cheap requests while the hostile ones run. */
const startProbe = (url: string) => {
  const times: number[] = [];
  let going = true;
  const done = (async () => {
    while (going) {
      times.push((await sendRaw(url, rawRequest('GET', '/version'))).milliseconds);
      await sleep(10);
    }
  })();
  return {
    times,
    stop: async (): Promise<readonly number[]> => {
      going = false;
      await done;
      return [...times].sort((a, b) => a - b);
    },
  };
};

describe('hostile requests', () => {
  let database: TestDatabase;
  let served: Served;
  let ground: Ground;
  let probe: ReturnType<typeof startProbe>;

  before(async () => {
    database = await databases[0]!.create();
    served = await serve({ SVC_DATABASE_URL: database.url });
    const call = httpClient(served.url);
    await createAccount(call, 'alice@example.org');
    const recordId = await createRecord(call, 'alice@example.org');
    const person = await signIn(call, 'alice@example.org');
    const app = await authorizeApp(call, medications!, person, { record_id: recordId });
    ground = { url: served.url, recordId, documents: `/records/${recordId}/documents/`, app, person };
    probe = startProbe(served.url);
  });
  after(async () => {
    await served.stop();
    await database.drop();
  });

  it('number at least 250', () => {
    expect(cases.length).to.be.at.least(250);
    expect(new Set(cases.map(({ name }) => name)).size).to.equal(cases.length);
  });

  for (const { name, bytes, expect: statuses } of cases) {
    it(name, async () => {
      const answer = await sendRaw(ground.url, bytes(ground));
      expect(
        statuses.includes(answer.status),
        `${answer.status}, not ${statuses.join(' or ')}: ${answer.body.slice(0, 300)}`,
      ).to.be.true();
      expectQuick(answer.milliseconds, 1000);
      expect(answer.head.toLowerCase()).to.not.contain('x-injected');
      expect(answer.body).to.not.match(/root:|consumer_secret|SQLITE|ER_[A-Z]+|node_modules|at .*\.js:/);
    });
  }

  it('that replay a signed request are served once', async () => {
    const bytes = rawRequest('GET', ground.documents, {
      Authorization: authorizationHeader(ground.app, 'GET', `${ground.url}${ground.documents}`),
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendRaw(ground.url, bytes)));
    expect(answers.map(({ status }) => status).sort()).to.equal([200, ...Array.from({ length: 19 }, () => 403)]);
  });

  it('that are no requests at all are answered in the words of every other failure', async () => {
    const large = await sendRaw(ground.url, rawRequest('GET', `/version?x=${'a'.repeat(17_000)}`));
    expect([large.status, large.body]).to.equal([
      431,
      '<?xml version="1.0" encoding="UTF-8"?>\n<error status="431" code="head_too_large"><message>The address and ' +
        'the headers of the request are larger than 16 kB together: ask for less at once.</message></error>',
    ]);
    const broken = await sendRaw(ground.url, 'GET /version HTTP/3.0\r\nHost: a\r\n\r\n');
    expect(broken.status).to.equal(400);
    expect(broken.body).to.contain('code="unreadable"');
    // The first request is served; the refusal of the second one is not read as its response.
    const second = await sendRaw(
      ground.url,
      `GET /version HTTP/1.1\r\nHost: a\r\n\r\nGET /version?x=${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    expect(second.status).to.equal(200);
  });

  it('find connections that stay open longer than those who keep them wait', async () => {
    const answer = await sendRaw(ground.url, 'GET /version HTTP/1.1\r\nHost: svc.test\r\n\r\n');
    expect(answer.head).to.match(/^keep-alive: timeout=75/im);
  });

  it('that never end hold nobody up', async () => {
    const sockets: Socket[] = [];
    const { hostname, port } = new URL(ground.url);
    for (let count = 0; count < 200; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        count % 2 === 0
          ? 'GET /version HTTP/1.1\r\nHost: a\r\nX-Slow: '
          : `POST ${ground.documents} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorizationHeader(ground.app, 'POST', `${ground.url}${ground.documents}`)}\r\nContent-Type: application/xml\r\nContent-Length: 1000\r\n\r\n<a`,
      );
      sockets.push(socket);
    }
    await sleep(200);
    const answer = await sendRaw(ground.url, rawRequest('GET', '/version'));
    expect(answer.status).to.equal(200);
    expectQuick(answer.milliseconds, 500);
    sockets.forEach((socket) => socket.destroy());
  });

  it('leave the service alive, well and as quick as before', async () => {
    const times = await probe.stop();
    expect(times.length).to.be.above(20);
    expectQuick(times[Math.floor(times.length * 0.95)]!, 100, `milliseconds of 95 % of ${times.length} cheap requests`);
    expect(served.process.exitCode).to.be.null();
    expect((await sendRaw(ground.url, rawRequest('GET', '/health/ready'))).status).to.equal(200);
  });
});
