/**
 * gathered: streams that a stranger makes as long as he likes. Whatever the service gathers in memory, it counts first,
 * and lets go of a stream that is too long.
 */
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../core/base/clock';
import { newId } from '../../core/base/ids';
import { pingKind } from '../../core/outbox/pings';
import { enableApp } from '../../core/apps/store';
import { putSubscription } from '../../core/outbox/subscriptions-store';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { until } from '../support/receiver';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { connector, startService, type TestService } from '../support/server';
import { addSmartApp, ask, assertion, newSigningKey } from '../support/smart-app';
import { formsOf } from '../support/site';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MEGABYTE = 1_048_576;
/** Far more than the service may read of such a stream. What waits in the sockets of the machine counts, too. */
const ENDLESS = 96 * MEGABYTE;
const ENOUGH = 32 * MEGABYTE;
const BOUNDARY = 'a-boundary';

type Sent = { readonly status: number; readonly bytes: number };

/**
 * Sends a form in chunks without a length until it is answered or cut off.
 * @returns how much was sent by then; the status is 0 when the connection was cut off
 */
const sendEndless = (
  url: string,
  headers: Readonly<Record<string, string>>,
  beginning: string,
  filler: Buffer,
): Promise<Sent> =>
  new Promise((resolve) => {
    let bytes = 0;
    let over = false;
    const finish = (status: number): void => {
      over = true;
      resolve({ status, bytes });
      asked.destroy();
    };
    const asked = request(url, { method: 'POST', headers }, ({ statusCode = 0 }) => finish(statusCode));
    asked.on('error', () => finish(0));
    asked.write(beginning);
    const more = (): void => {
      while (!over) {
        if (bytes >= ENDLESS) {
          finish(-1);
          return;
        }
        bytes += filler.length;
        if (!asked.write(filler)) {
          asked.once('drain', more);
          return;
        }
      }
    };
    more();
  });

/** Answers without an end. @returns how many bytes were taken before the other side let go */
const answerEndless = (response: ServerResponse): Promise<number> =>
  new Promise((resolve) => {
    const filler = Buffer.alloc(65_536, ' ');
    let bytes = 0;
    response.on('close', () => resolve(bytes));
    const more = (): void => {
      while (bytes < ENDLESS && !response.destroyed) {
        bytes += filler.length;
        if (!response.write(filler)) {
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
  });

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const header = (name: string, more = ''): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`;

const filler = Buffer.alloc(65_536, 'x');
const lines = Buffer.from(`x: ${'y'.repeat(1000)}\r\n`.repeat(64));

describe('what the service gathers', () => {
  let service: TestService;
  let of: SiteRecord;
  before(async () => {
    service = await startService(databases[0]!, { SVC_CALLBACK_ALLOW_PRIVATE: '1' });
    of = await makeSiteRecord(service);
  });
  after(() => service.stop());

  const send = async (beginning: (crumb: string) => string, more: Buffer): Promise<Sent> => {
    const path = `/my/records/${of.recordId}/add`;
    const page = await of.owner.open(path);
    const crumb = formsOf(page).find(({ html }) => html.includes('type="file"'))!.fields['crumb']!;
    const cookie = [...of.owner.cookies].map((pair) => pair.join('=')).join('; ');
    return sendEndless(
      `${service.running.url}${path}`,
      { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      beginning(crumb),
      more,
    );
  };
  const crumbed = (crumb: string): string => `${header('crumb')}\r\n${crumb}\r\n`;

  const forms: Readonly<Record<string, readonly [(crumb: string) => string, Buffer]>> = {
    'a field without an end': [(crumb) => `${crumbed(crumb)}${header('zone')}\r\n`, filler],
    'a header of a part without an end': [(crumb) => `${crumbed(crumb)}${header('zone')}x: `, filler],
    'headers of a part without an end': [(crumb) => `${crumbed(crumb)}${header('zone')}`, lines],
    'headers of a file without an end': [(crumb) => `${crumbed(crumb)}${header('file', '; filename="a.xml"')}`, lines],
    'words before the first part without an end': [() => '', filler],
    'words after the last part without an end': [(crumb) => `${crumbed(crumb)}--${BOUNDARY}--\r\n`, filler],
    'a field without an end behind a file': [
      (crumb) => `${crumbed(crumb)}${header('file', '; filename="a.xml"')}\r\n<a/>\r\n${header('zone')}\r\n`,
      filler,
    ],
    'a file that is coded again': [
      (crumb) =>
        `${crumbed(crumb)}${header('file', '; filename="a.xml"')}content-transfer-encoding: base64\r\n\r\nAAAA`,
      filler,
    ],
  };
  for (const [name, [beginning, more]] of Object.entries(forms)) {
    it(`has no room for ${name}`, async () => {
      const { status, bytes } = await send(beginning, more);
      expect([0, 400, 413], `${bytes} bytes were taken`).to.include(status);
      expect(bytes).to.be.below(ENOUGH);
    });
  }

  it('has room for twenty files and the words about them', async () => {
    const files = Array.from({ length: 20 }, (_, index) => ({
      field: 'file',
      name: `${index}.txt`,
      bytes: `a note ${index} ${'word '.repeat(20_000)}`,
    }));
    const page = await of.owner.open(`/my/records/${of.recordId}/add`);
    const answer = await of.owner.send(page, files);
    expect(answer.status).to.be.below(500);
    expect(answer.status).to.not.equal(413);
  });

  it('does not grow with the keys that an app publishes', async () => {
    let taken = -1;
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      void answerEndless(response).then((bytes) => {
        taken = bytes;
      });
    });
    try {
      const app = await addSmartApp(service, 'endless@apps.example', {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: `${await listen(server)}/keys`,
      });
      const now = Math.floor(Date.now() / 1000);
      const proof = assertion(newSigningKey('ES384', 'two'), {
        iss: app.id,
        sub: app.id,
        aud: `${service.services.baseUrl()}/oauth2/token`,
        exp: now + 60,
        jti: newId(),
      });
      const { status, json } = await ask(service.running.server, 'POST', '/oauth2/introspect', {
        token: 'x',
        client_id: app.id,
        ...proof,
      });
      expect([status, json['error']]).to.equal([401, 'invalid_client']);
      await until(() => taken >= 0, 'the end of the answer');
      expect(taken).to.be.below(ENOUGH);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('does not read what a callback answers', async () => {
    let taken = -1;
    const server = createServer((_request, response) => {
      void answerEndless(response).then((bytes) => {
        taken = bytes;
      });
    });
    try {
      const on = direct(service.services.database);
      const app = { recordId: of.recordId, appId: connector!.consumer.key };
      await enableApp(on, { ...app, id: newId(), by: null, at: toTimestamp(Date.now()) });
      const { id } = await putSubscription(on, {
        ...app,
        id: newId(),
        accountId: null,
        carenetId: null,
        url: 'reports/minimal/medications/',
        callback: `${await listen(server)}/told`,
        target: 'Medication',
        digest: newId().padEnd(64, '0'),
        createdAt: toTimestamp(Date.now()),
        expiresAt: toTimestamp(Date.now() + 1e9),
      });
      await pingKind(service.services).deliver({ subscriptionId: id }, newId());
      await until(() => taken >= 0, 'the end of the answer');
      expect(taken).to.be.below(ENOUGH);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
