/** trace-export: spans for all steps of a document, sent to a receiver that may be down, without personal data. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectVersion } from '../../../core/base/paths';
import { httpClient, type Client, type Credentials } from '../../support/client';
import { databases, type TestDatabase } from '../../support/databases';
import { freePort } from '../../support/ports';
import { startReceiver, until, type Receiver } from '../../support/receiver';
import { admin, medications, startService } from '../../support/server';
import { serve, type Served } from '../../support/svc';
import { childrenOf, spansOf, treeOf, type Span } from '../../support/traces';
import { attribute, authorizeApp, createAccount, makeWorld, succeeded, type World } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string, inside = ''): string =>
  `<Procedure xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name ` +
  `type="http://snomed.info/sct" value="80146002">${name}</name>${inside}</Procedure>`;

const NOT_ARRIVED = 'traces do not arrive';
const linesWith = (text: string, words: string): number =>
  text.split('\n').filter((line) => line.includes(words)).length;

describe('a service without a receiver of traces', () => {
  it('loads nothing that makes or sends them', async () => {
    const service = await startService(databases[0]!);
    try {
      const world = await makeWorld(service);
      const app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      const body = procedure('Appendectomy');
      succeeded(await service.call(app, 'POST', `/records/${world.recordId}/documents/`, { body }));
      expect(
        Object.keys(require.cache).filter((file) => /@opentelemetry\/(?!api\/)|trace-export\.js$/.test(file)),
      ).to.equal([]);
    } finally {
      await service.stop();
    }
  });
});

for (const leg of databases) {
  describe(`traces on ${leg.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'));
    let database: TestDatabase;
    let receiver: Receiver;
    let served: Served;
    let call: Client;
    let world: World;
    let app: Exclude<Credentials, null>;
    let documents: string;

    before(async () => {
      database = await leg.create();
      receiver = await startReceiver();
      served = await serve({
        SVC_DATABASE_URL: database.url,
        SVC_MAIL_DIR: folder,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=MARKED-KEY',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      });
      call = httpClient(served.url);
      world = await makeWorld({ call });
      app = await authorizeApp(call, medications!, world.alice, { record_id: world.recordId });
      documents = `/records/${world.recordId}/documents/`;
    });
    after(async () => {
      await served?.stop();
      await receiver?.stop();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** The spans of the request with this id, as soon as they have arrived. */
    const traceOf = async (requestId: unknown): Promise<{ readonly root: Span; readonly all: readonly Span[] }> => {
      const find = () => spansOf(receiver.received).find((span) => span.attributes['svc.request_id'] === requestId);
      await until(() => find() !== undefined);
      const root = find()!;
      return { root, all: spansOf(receiver.received).filter(({ traceId }) => traceId === root.traceId) };
    };

    const find = (spans: readonly Span[], name: string): Span => spans.find((span) => span.name === name)!;

    it('show the way of a document, with the stages of its reader', async () => {
      const answer = succeeded(await call(app, 'POST', documents, { body: procedure('Appendectomy') }));
      const { root, all } = await traceOf(answer.headers['x-request-id']);
      expect(root.name).to.equal('POST /records/{RECORD_ID}/documents/');
      expect(root.parentSpanId ?? '').to.equal('');
      expect(treeOf(all, root)).to.equal({
        credentials: {},
        'body credentials': {},
        nonce: {},
        'operation document_create': {
          access: {},
          'document read': {
            queue: {},
            reader: { gate: {}, identify: {}, validate: {}, transform: {} },
          },
          transaction: {},
        },
        audit: {},
      });
      for (const parent of all) {
        let last = parent.from;
        for (const child of childrenOf(all, parent)) {
          expect(child.from >= last && child.to <= parent.to, `${child.name} in ${parent.name}`).to.be.true();
          last = child.from;
        }
      }
      expect(root.attributes).to.include({
        'http.request.method': 'POST',
        'http.route': '/records/{RECORD_ID}/documents/',
        'http.response.status_code': 200,
        'http.request.body.size': procedure('Appendectomy').length,
        'svc.operation': 'document_create',
      });
      expect(find(all, 'reader').attributes).to.include({ 'svc.format': 'procedure', 'svc.facts': 1 });
      expect(find(all, 'transaction').attributes).to.include({
        'db.system.name': leg.name === 'mysql' ? 'mysql' : 'sqlite',
        'svc.attempts': 1,
      });
      expect(Number(find(all, 'transaction').attributes['svc.statements'])).to.be.within(4, 12);
      expect(root.resource).to.include({
        'service.name': 'personal-health-records-service',
        'service.version': projectVersion,
      });
      expect(receiver.received[0]!.path).to.equal('/v1/traces');
      expect(receiver.received[0]!.headers['x-key']).to.equal('MARKED-KEY');
    });

    it('show where a document was refused, by the code of the refusal', async () => {
      const answer = await call(app, 'POST', documents, { body: procedure('x', '<wrong/>') });
      expect(answer.status).to.equal(400);
      const { root, all } = await traceOf(answer.headers['x-request-id']);
      expect(treeOf(all, find(all, 'reader'))).to.equal({ gate: {}, identify: {}, validate: {} });
      expect(all.filter(({ name }) => name === 'transaction')).to.equal([]);
      for (const span of [root, find(all, 'document read'), find(all, 'reader')]) {
        expect(span.attributes['error.type']).to.equal('invalid_document');
        expect(span.status.code).to.equal(0);
      }
      const denied = await call(world.bob, 'GET', documents);
      expect(denied.status).to.equal(403);
      const refused = await traceOf(denied.headers['x-request-id']);
      const operation = refused.all.find(({ name }) => name.startsWith('operation '))!;
      expect(operation.attributes['error.type']).to.equal('permission_denied');
      expect(treeOf(refused.all, operation)).to.equal({ access: {} });
    });

    it('link a delivery to the request that caused it', async () => {
      const created = succeeded(
        await call(admin, 'POST', '/accounts/', { form: { account_id: 'marked-carol@example.org' } }),
      );
      const { root, all } = await traceOf(created.headers['x-request-id']);
      await until(() => spansOf(receiver.received).some(({ name }) => name === 'deliver mail'));
      const delivery = find(spansOf(receiver.received), 'deliver mail');
      expect(delivery.traceId).to.not.equal(root.traceId);
      expect(delivery.links).to.have.length(1);
      expect(delivery.links[0]).to.include({ traceId: root.traceId });
      expect(all.map(({ spanId }) => spanId)).to.include(delivery.links[0]!.spanId);
      expect(delivery.attributes['svc.attempts']).to.equal(1);
    });

    it('are linked to the trace that a caller names, and are no part of it', async () => {
      const theirs = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
      const headers = { traceparent: `00-${theirs.traceId}-${theirs.spanId}-01`, tracestate: 'marked=state' };
      const { root } = await traceOf((await call(null, 'GET', '/version', { headers })).headers['x-request-id']);
      expect(root.traceId).to.not.equal(theirs.traceId);
      expect(root.parentSpanId ?? '').to.equal('');
      expect(root.links).to.have.length(1);
      expect(root.links[0]).to.include(theirs);
      for (const traceparent of ['00-marked', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 'x'.repeat(5000)]) {
        const answer = await call(null, 'GET', '/version', { headers: { traceparent } });
        expect((await traceOf(answer.headers['x-request-id'])).root.links).to.equal([]);
      }
    });

    it('are not made of probes', async () => {
      const probed = await fetch(`${served.url}/health/ready`);
      const { root } = await traceOf((await call(null, 'GET', '/version')).headers['x-request-id']);
      expect(root.name).to.equal('GET /version');
      const ids = spansOf(receiver.received).map(({ attributes }) => attributes['svc.request_id']);
      expect(ids).to.not.include(probed.headers.get('x-request-id'));
    });

    it('hold no word of a document, a label, a path, a query, a header or a form, no id and no secret', async () => {
      await createAccount(call, 'marked-dora@example.org', 'MARKED-NAME');
      const secret = 'MARKED-DOCUMENT';
      const posted = succeeded(await call(app, 'POST', documents, { body: procedure(secret) }));
      const id = attribute(posted.text, 'Document', 'id');
      const said: readonly (readonly [string, string, Parameters<Client>[3]?])[] = [
        ['PUT', `${documents}${id}/label`, { body: 'MARKED-LABEL', type: 'text/plain' }],
        ['POST', documents, { body: `<MARKED-ROOT xmlns="urn:MARKED-NAMESPACE">MARKED-TEXT</MARKED-ROOT>` }],
        ['POST', documents, { body: procedure('MARKED-TITLE', '<MARKED-WRONG/>') }],
        ['POST', documents, { body: 'MARKED-NO-XML <', type: 'text/MARKED-TYPE' }],
        ['GET', `/records/${world.recordId}/reports/Procedure/?name=MARKED-QUERY`],
        ['GET', `/records/${world.recordId}/reports/MARKED-MODEL/?limit=MARKED-LIMIT`],
        ['GET', `/MARKED-PATH/${world.recordId}`],
        ['GET', '/version', { headers: { 'user-agent': 'MARKED-AGENT', accept: 'MARKED/ACCEPT', cookie: 'MARKED=x' } }],
        ['GET', '/my/MARKED-PAGE?q=MARKED-WORD'],
        ['GET', '/fhir/Condition?code=MARKED-CODE', { headers: { authorization: 'Bearer MARKED-TOKEN' } }],
      ];
      for (const [method, path, options] of said) {
        const bare = path.startsWith('/my') || path.startsWith('/fhir') || path === '/version';
        await call(bare ? null : app, method, path, options);
      }
      const form = { form: { username: 'MARKED-USER', password: 'MARKED-PASSWORD' } };
      const last = await call(medications, 'POST', '/oauth/internal/session_create', form);
      await traceOf(last.headers['x-request-id']);
      const exported = receiver.received.map(({ body }) => body).join('\n');
      expect(exported.length).to.be.above(20_000);
      const words = [
        'marked',
        'example.org',
        'apps.svc.example',
        'Appendectomy',
        '80146002',
        'urn:',
        world.recordId,
        id,
        app.consumer.secret,
        app.token!.key,
        app.token!.secret,
        world.alice.token!.key,
        '127.0.0.1',
      ];
      const found = words.filter((word) => exported.toLowerCase().includes(word.toLowerCase()));
      expect(found).to.equal([]);
      // Attributes have known names, and their values are numbers or short words of the service.
      const spans = spansOf(receiver.received);
      const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...names].sort()).to.equal([
        'db.system.name',
        'error.type',
        'http.request.body.size',
        'http.request.method',
        'http.response.status_code',
        'http.route',
        'svc.attempts',
        'svc.bytes',
        'svc.facts',
        'svc.format',
        'svc.operation',
        'svc.processor_ms',
        'svc.request_id',
        'svc.statements',
        'svc.whole',
      ]);
    });

    it('are sent to the last one when the service stops', async () => {
      const [first] = receiver.received;
      const other = await serve({
        SVC_DATABASE_URL: database.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '600000',
        OTEL_SERVICE_NAME: 'another-name',
      });
      const answer = await fetch(`${other.url}/version`);
      expect(await other.stop()).to.equal(0);
      const { root } = await traceOf(answer.headers.get('x-request-id'));
      expect(root.resource['service.name']).to.equal('another-name');
      expect(root.resource['service.instance.id']).to.not.equal(spansOf([first!])[0]!.resource['service.instance.id']);
    });
  });
}

describe('a receiver of traces', () => {
  const leg = databases[0]!;
  const with_ = async (
    settings: Readonly<Record<string, string>>,
    work: (served: Served) => Promise<void>,
    args: readonly string[] = [],
  ): Promise<Served> => {
    const database = await leg.create();
    try {
      const served = await serve(
        { SVC_DATABASE_URL: database.url, SVC_LOG_LEVEL: 'info', OTEL_BSP_SCHEDULE_DELAY: '20', ...settings },
        args,
      );
      await work(served);
      expect(await served.stop()).to.equal(0);
      return served;
    } finally {
      await database.drop();
    }
  };
  const versions = async ({ url }: Served, count: number): Promise<void> => {
    for (let asked = 0; asked < count; asked += 1) {
      expect((await fetch(`${url}/version`, { headers: { connection: 'close' } })).status).to.equal(200);
    }
  };

  it('that is not there costs one line in the log', async () => {
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    };
    const { stderr } = await with_(settings, async (served) => {
      await versions(served, 20);
      await until(() => served.stderr().includes(NOT_ARRIVED));
      await versions(served, 20);
    });
    expect(linesWith(stderr(), NOT_ARRIVED)).to.equal(1);
    expect(stderr()).to.contain('ECONNREFUSED');
  });

  it('that answers nonsense costs one line, which repeats none of it', async () => {
    const nonsense = await startReceiver();
    nonsense.answer = 404;
    try {
      const { stderr } = await with_({ OTEL_EXPORTER_OTLP_ENDPOINT: nonsense.url }, async (served) => {
        await versions(served, 5);
        await nonsense.waitFor(1);
        await until(() => served.stderr().includes(NOT_ARRIVED));
        await versions(served, 5);
        await nonsense.waitFor(2);
      });
      expect(linesWith(stderr(), NOT_ARRIVED)).to.equal(1);
    } finally {
      await nonsense.stop();
    }
  });

  it('that takes everything and never answers holds up neither callers nor the end', async () => {
    let asked = 0;
    const silent: Server = createServer((request) => {
      asked += 1;
      request.resume();
    });
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    try {
      await with_({ OTEL_EXPORTER_OTLP_ENDPOINT: address }, async (served) => {
        await versions(served, 50);
        await until(() => asked > 0);
      });
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('is sent nothing that the sampler leaves out, whatever a caller asks for', async () => {
    const quiet = await startReceiver();
    try {
      const OTEL_TRACES_SAMPLER = 'parentbased_always_off';
      await with_({ OTEL_EXPORTER_OTLP_ENDPOINT: quiet.url, OTEL_TRACES_SAMPLER }, async ({ url }) => {
        const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
        expect((await fetch(`${url}/version`, { headers: { traceparent } })).status).to.equal(200);
      });
      expect(quiet.received).to.equal([]);
    } finally {
      await quiet.stop();
    }
  });

  it('hears each of several workers', async () => {
    const shared = await startReceiver();
    try {
      const instances = (): number =>
        new Set(spansOf(shared.received).map(({ resource }) => resource['service.instance.id'])).size;
      await with_(
        { OTEL_EXPORTER_OTLP_ENDPOINT: shared.url },
        async (served) => {
          await until(async () => {
            await Promise.all(Array.from({ length: 8 }, () => versions(served, 1)));
            return instances() === 2;
          });
        },
        ['--workers', '2'],
      );
      expect(instances()).to.equal(2);
    } finally {
      await shared.stop();
    }
  });
});
