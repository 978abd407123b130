/**
 * stop: a stop finishes the requests that have begun and refuses new ones; two processes restarted in turn fail no
 * request; a newer database is not touched.
 */
import { connect } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader } from '../../core/auth/sign';
import { openDatabase } from '../../core/db/open';
import { httpClient } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { freePort } from '../support/ports';
import { sleep, until } from '../support/receiver';
import { admin } from '../support/server';
import { serve, svc, type Served } from '../support/svc';
import { expectQuick } from '../support/quick';
import { attribute, demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NOTE = '<note xmlns="urn:stop"/>';

for (const leg of databases) {
  describe(`stopping on ${leg.name}`, () => {
    let database: TestDatabase;

    before(async () => {
      database = await leg.create();
    });
    after(() => database.drop());

    const ready = (url: string): Promise<number> =>
      fetch(`${url}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    const newRecord = async (url: string): Promise<string> =>
      attribute(
        succeeded(await httpClient(url)(admin, 'POST', '/records/', { body: demographics('Ann', 'Lee') })).text,
        'Record',
        'id',
      );

    it('finishes a request that has begun, says 503 first, then refuses connections, then ends with 0', async () => {
      const served = await serve({ SVC_DATABASE_URL: database.url, SVC_DRAIN_SECONDS: '5' });
      const path = `/records/${await newRecord(served.url)}/documents/`;
      const { hostname, port } = new URL(served.url);
      // Half of a request has arrived when the stop begins; the other half comes while it drains.
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\nContent-Length: ${NOTE.length}\r\nAuthorization: ${authorizationHeader(admin!, 'POST', `${served.url}${path}`)}\r\n\r\n${NOTE.slice(0, 5)}`,
      );
      await sleep(100);
      const ended = served.stop();
      await until(async () => (await ready(served.url)) === 503, 'a 503');
      expect((await httpClient(served.url)(null, 'GET', '/version')).status).to.equal(200);
      await until(async () => (await ready(served.url)) === 0, 'a refused connection');
      expect(answer).to.equal('');
      socket.write(NOTE.slice(5));
      await until(() => answer.includes('</Document>'), 'the answer');
      expect(answer).to.match(/^HTTP\/1.1 200/);
      expect(answer).to.contain('connection: close');
      expect(await ended).to.equal(0);
    });

    it('ends at once by default when nothing is under way', async () => {
      const served = await serve({ SVC_DATABASE_URL: database.url });
      const began = Date.now();
      expect(await served.stop()).to.equal(0);
      // A stop that waits for nothing takes far less than the ten seconds that a request under way is given.
      expectQuick(Date.now() - began, 8000);
    });

    it('lets several workers finish too', async () => {
      const served = await serve({ SVC_DATABASE_URL: database.url, SVC_DRAIN_SECONDS: '5' }, ['--workers', '2']);
      const call = httpClient(served.url);
      let answered = 0;
      const failures: string[] = [];
      let stopping = false;
      // A connection that is closed with its last response is no failure. A new connection that is refused ends the
      // caller.
      const caller = async (): Promise<void> => {
        for (;;) {
          const outcome = await call(null, 'GET', '/version').then(
            ({ status }) => status,
            () => 'refused',
          );
          if (outcome === 'refused' && stopping) {
            return;
          }
          if (outcome !== 200) {
            failures.push(String(outcome));
          }
          answered += 1;
          await sleep(5);
        }
      };
      const callers = [caller(), caller(), caller(), caller()];
      await sleep(300);
      const ended = served.stop();
      await until(async () => (await ready(served.url)) === 503, 'a 503');
      // Workers still answer while they drain.
      const before = answered;
      await until(() => answered > before + 8, 'answers while it drains');
      stopping = true;
      expect(await ended).to.equal(0);
      await Promise.all(callers);
      expect(failures).to.equal([]);
    });

    it('of two processes in turn fails no request of a caller who asks health_ready', async () => {
      const ports = [await freePort(), await freePort()];
      const settings = (port: number) => ({
        SVC_DATABASE_URL: database.url,
        SVC_PORT: String(port),
        SVC_DRAIN_SECONDS: '2',
        SVC_BASE_URL: 'http://svc.test',
      });
      const nodes: Served[] = [await serve(settings(ports[0]!)), await serve(settings(ports[1]!))];
      const urls = nodes.map(({ url }) => url);
      const up = new Set(urls);
      let going = true;
      // A usual load balancer: it checks the processes every 100 ms and sends requests to those that are ready.
      const balancer = (async () => {
        while (going) {
          for (const url of urls) {
            if ((await ready(url)) === 200) {
              up.add(url);
            } else {
              up.delete(url);
            }
          }
          await sleep(100);
        }
      })();
      const recordId = await newRecord2(urls[0]!);
      const path = `/records/${recordId}/documents/`;
      const failures: string[] = [];
      let answered = 0;
      const caller = async (number: number): Promise<void> => {
        for (let turn = number; going; turn += 1) {
          const url = [...up][turn % Math.max(1, up.size)] ?? urls[0]!;
          const method = turn % 2 === 0 ? 'POST' : 'GET';
          const target = method === 'POST' ? path : `/records/${recordId}`;
          try {
            const response = await fetch(`${url}${target}`, {
              method,
              headers: {
                authorization: authorizationHeader(admin!, method, `http://svc.test${target}`),
                'content-type': 'application/xml',
              },
              ...(method === 'POST' ? { body: NOTE } : {}),
            });
            await response.arrayBuffer();
            if (response.status !== 200) {
              failures.push(`${method} ${response.status}`);
            }
          } catch (error) {
            failures.push(`${method} ${String((error as Error & { cause?: Error }).cause ?? error)}`);
          }
          answered += 1;
          await sleep(5);
        }
      };
      const callers = [0, 1, 2, 3].map(caller);
      for (const index of [0, 1, 0]) {
        await sleep(500);
        expect(await nodes[index]!.stop()).to.equal(0);
        nodes[index] = await serve(settings(ports[index]!));
        await until(() => up.size === 2);
      }
      going = false;
      await Promise.all([...callers, balancer]);
      await Promise.all(nodes.map((node) => node.stop()));
      expect(answered).to.be.above(20);
      expect(failures).to.equal([]);
    });

    it('need not happen: a database of a newer release is refused before anything is done to it', async () => {
      const newer = await leg.create();
      expect((await svc(['migrate'], { SVC_DATABASE_URL: newer.url })).code).to.equal(0);
      const opened = await openDatabase(newer.url, 1);
      await direct(opened)('migration').insert({
        name: '999-from-tomorrow',
        applied_at: '2030-01-01T00:00:00.000000Z',
      });
      const rows = async (): Promise<unknown> => [
        await direct(opened)('installation').count(),
        await direct(opened)('app').count(),
        await direct(opened)('audit').count(),
      ];
      const before = await rows();
      for (const migrating of ['1', '0']) {
        const refused = await svc(['serve'], {
          SVC_DATABASE_URL: newer.url,
          SVC_PORT: '0',
          SVC_AUTO_MIGRATE: migrating,
        });
        expect(refused.code).to.equal(1);
        expect(refused.stderr).to.contain(
          'the database was migrated by a newer release (999-from-tomorrow): start that release, or restore a backup',
        );
        expect(refused.stdout).to.not.contain('listening');
      }
      for (const args of [
        ['sync-apps'],
        ['reprocess'],
        ['rotate-key'],
        ['clean-up'],
        ['forget', 'x', '--yes'],
        ['outbox', 'list'],
        ['reset', '--yes'],
        ['accounts', 'list'],
        ['verify-audit'],
      ]) {
        const refused = await svc(args, { SVC_DATABASE_URL: newer.url });
        expect([refused.code, refused.stdout], args.join(' ')).to.equal([1, '']);
        // On SQLite a reset is refused as well while another process has the file open.
        expect(refused.stderr).to.match(args[0] === 'reset' ? /by a newer release|is in use/ : /by a newer release/);
      }
      expect(await rows()).to.equal(before);
      await opened.close();
      await newer.drop();
    });

    const newRecord2 = async (url: string): Promise<string> => {
      const response = await fetch(`${url}/records/`, {
        method: 'POST',
        body: demographics('Ann', 'Lee'),
        headers: {
          authorization: authorizationHeader(admin!, 'POST', 'http://svc.test/records/'),
          'content-type': 'application/xml',
        },
      });
      return attribute(await response.text(), 'Record', 'id');
    };
  });
}
