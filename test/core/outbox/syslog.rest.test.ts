/**
 * syslog: audit rows are sent as RFC 5424 with the audit message of DICOM PS3.15, each at least once, whatever happens
 * to the server.
 */
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readHeads } from '../../../core/audit/heads';
import { databasePlace } from '../../../core/audit/head-line';
import { openAuditSigner } from '../../../core/audit/signer';
import { inProject } from '../../../core/base/paths';
import { openDom } from '../../../core/xml/dom';
import { makeAuthority } from '../../support/certificates';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { until } from '../../support/receiver';
import { startService, ui, type TestService } from '../../support/server';
import { environment } from '../../support/svc';
import { makeWorld, succeeded, type World } from '../../support/world';

export const lab = Lab.script();
const { describe, it, afterEach } = lab;

/** Reads messages in octet counting as they come. */
const collector = () => {
  const got: string[] = [];
  let refusing = false;
  const take = (socket: Socket): void => {
    if (refusing) {
      socket.destroy();
      return;
    }
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      for (;;) {
        const head = /^(\d+) /.exec(bytes.subarray(0, 12).toString('latin1'));
        const length = Number(head?.[1]);
        if (!head || bytes.length < head[0].length + length) {
          return;
        }
        got.push(bytes.subarray(head[0].length, head[0].length + length).toString('utf8'));
        bytes = bytes.subarray(head[0].length + length);
      }
    });
  };
  return {
    got,
    take,
    refuse: (on: boolean): void => {
      refusing = on;
    },
  };
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const SHAPE =
  /^<(85|84)>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z \S+ svc \d+ DICOM\+RFC3881 - \uFEFF(<\?xml[^>]*\?>\s*<AuditMessage[^]*<\/AuditMessage>)\s*$/;

for (const leg of databases) {
  describe(`audit rows as syslog on ${leg.name}`, () => {
    const cleaning: (() => unknown)[] = [];
    afterEach(async () => {
      for (const clean of cleaning.splice(0).reverse()) {
        await clean();
      }
    });

    const begin = async (settings: Record<string, string>): Promise<{ service: TestService; world: World }> => {
      const service = await startService(leg, settings);
      cleaning.push(() => service.stop());
      return { service, world: await makeWorld(service) };
    };
    const tcp = async (): Promise<ReturnType<typeof collector> & { port: number }> => {
      const taking = collector();
      const server = createServer({ allowHalfOpen: false }, taking.take);
      cleaning.push(() => server.close());
      return { ...taking, port: await listen(server) };
    };
    const idsOf = (messages: readonly string[]): Set<string> =>
      new Set(messages.map((message) => (/type="chain" value="([^"]+)"/.exec(message) ?? [])[1] ?? message));
    const rowsOf = async ({ services }: TestService): Promise<Set<string>> => {
      const rows = (await direct(services.database)('audit').select('writer_id', 'writer_seq', 'hash')) as Record<
        string,
        string
      >[];
      return new Set(
        rows.map((row) => Buffer.from(`${row['writer_id']} ${row['writer_seq']} ${row['hash']}`).toString('base64')),
      );
    };
    const allArrived = async (service: TestService, got: readonly string[]): Promise<boolean> => {
      const arrived = idsOf(got);
      return [...(await rowsOf(service))].every((id) => arrived.has(id));
    };

    it('leave by TCP, in the shape that DICOM and RFC 5424 want, and none is kept in the outbox', async () => {
      const { got, port } = await tcp();
      const { service, world } = await begin({ SVC_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}` });
      succeeded(await service.call(world.alice, 'GET', `/records/${world.recordId}`));
      expect((await service.call(world.bob, 'GET', `/records/${world.recordId}`)).status).to.equal(403);
      await service.services.audit.drain();
      await until(() => allArrived(service, got));
      got.forEach((message) => expect(message).to.match(SHAPE));
      const read = got.find((message) => message.includes('csd-code="record" ') && message.includes('alice'))!;
      const parse = await openDom();
      expect(parse(SHAPE.exec(read)![2]!)!.name()).to.equal('AuditMessage');
      expect(read)
        .to.contain('EventActionCode="R"')
        .and.to.contain('EventOutcomeIndicator="0"')
        .and.to.contain('csd-code="110110" codeSystemName="DCM" originalText="Patient Record"')
        .and.to.contain(`ParticipantObjectID="${world.recordId}"`)
        .and.to.contain(`UserID="alice@example.org"`)
        .and.to.contain(`UserID="${ui!.consumer.key}"`);
      const refused = got.find((message) => message.includes('UserID="bob@example.org"') && message.includes('="4"'))!;
      expect(refused).to.match(/^<84>/);
      await until(
        async () => (await direct(service.services.database)('outbox').where({ kind: 'syslog' })).length === 0,
      );
    });

    it('wait while the server is away, and none is lost', async () => {
      const { got, port, refuse } = await tcp();
      refuse(true);
      const { service } = await begin({ SVC_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}` });
      await service.services.audit.drain();
      const waiting = () => direct(service.services.database)('outbox').where({ kind: 'syslog' });
      await until(async () => (await waiting().where('attempts', '>', 0)).length > 0);
      expect(got).to.equal([]);
      refuse(false);
      await until(() => allArrived(service, got));
    });

    it('leave by UDP', async () => {
      const got: string[] = [];
      const socket = createSocket('udp4', (message) => got.push(message.toString('utf8')));
      cleaning.push(() => socket.close());
      await new Promise<void>((resolve) => {
        socket.bind(0, '127.0.0.1', resolve);
      });
      const { service } = await begin({ SVC_AUDIT_SYSLOG: `udp://127.0.0.1:${socket.address().port}` });
      await service.services.audit.drain();
      await until(() => got.length > 3);
      got.forEach((message) => expect(message).to.match(SHAPE));
    });

    it('take the heads along where these are to be kept there', async () => {
      const { got, port } = await tcp();
      const { service } = await begin({ SVC_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}`, SVC_AUDIT_HEAD: 'syslog:' });
      const { database, sealing, clock, config, audit } = service.services;
      await audit.drain();
      const signer = await openAuditSigner(database, sealing, clock);
      const { n } = (await direct(database)('audit').count({ n: '*' }).first()) as { n: number };
      await until(async () => {
        const heads = await readHeads(got, signer, databasePlace(config.databaseUrl));
        return [...(heads?.expected.values() ?? [])].some(({ writerSeq }) => writerSeq === Number(n));
      });
    });
  });
}

describe('audit rows as syslog over TLS', () => {
  it('leave only to a server whose certificate is trusted and names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-syslog-'));
    const authority = makeAuthority(folder);
    authority.certify('localhost');
    const taking = collector();
    const server = createTlsServer(
      { key: readFileSync(join(folder, 'server.key')), cert: readFileSync(join(folder, 'server.pem')) },
      taking.take,
    );
    const port = await listen(server);
    // A process of its own, because Node reads its trusted certificate authorities at the start.
    const script = `
      const { syslogKind } = require(${JSON.stringify(inProject('dist', 'core', 'outbox', 'syslog.js'))});
      syslogKind({ auditSyslog: process.env.SYSLOG }, {}).deliver({ head: 'hello', at: '2026-01-02T03:04:05.000000Z' }, '')
        .then(() => console.log('arrived'), (error) => console.log(error.code));`;
    const send = async (host: string, trusted: boolean): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, ['-e', script], {
          env: {
            ...environment({}),
            SYSLOG: `tls://${host}:${port}`,
            ...(trusted ? { NODE_EXTRA_CA_CERTS: authority.file } : {}),
          },
        })
      ).stdout.trim();
    try {
      expect(await send('localhost', true)).to.equal('arrived');
      expect(taking.got.length).to.equal(1);
      expect(taking.got[0]).to.contain(' audit-head - ');
      expect(await send('localhost', false)).to.match(/CERT|SIGNED|VERIFY/);
      expect(await send('127.0.0.1', true)).to.equal('ERR_TLS_CERT_ALTNAME_INVALID');
      expect(taking.got.length).to.equal(1);
    } finally {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
