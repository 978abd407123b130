/** text: bytes that are not UTF-8 where text is expected, and ids of apps that do not exist. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { admin, medications, startService, ui, type TestService } from '../support/server';
import { attribute, authorizeApp, child, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ANN = 'ann@example.org';
const APP = encodeURIComponent(medications!.consumer.key);
const note = '<Note xmlns="urn:test:note"/>';

/**
 * Bytes that no UTF-8 text has: a lone continuation byte, a cut character, an overlong form, half of a surrogate pair,
 * a code point beyond the last one, a byte order mark of UTF-16.
 */
const broken = [[0x80], [0x61, 0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff, 0xfe]];

/** Signs a form as the service reads it: with replacement characters for invalid bytes. */
const formHeaders = (service: TestService, path: string, body: Buffer): Record<string, string> => ({
  'content-type': 'application/x-www-form-urlencoded',
  authorization: authorizationHeader(
    admin!,
    'POST',
    `${service.services.baseUrl()}${path}`,
    Object.fromEntries(new URLSearchParams(body.toString('utf8'))),
  ),
});

describe('text that is not UTF-8', () => {
  let service: TestService;
  let ann: Signer;
  let app: Signer;
  let record: string;
  let document: string;
  let stored: string;
  before(async () => {
    service = await startService(databases[0]!);
    await createAccount(service.call, ANN);
    const recordId = await createRecord(service.call, ANN);
    ann = await signIn(service.call, ANN);
    app = await authorizeApp(service.call, medications!, ann, { record_id: recordId });
    record = `/records/${recordId}`;
    const idOf = (answer: Answer): string => attribute(succeeded(answer).text, 'Document', 'id');
    document = `${record}/documents/${idOf(await service.call(ann, 'POST', `${record}/documents/`, { body: note }))}`;
    stored = `/apps/${APP}/documents/${idOf(await service.call(medications, 'POST', `/apps/${APP}/documents/`, { body: note }))}`;
    succeeded(await service.call(app, 'PUT', `${record}/documents/external/${APP}/mine`, { body: note }));
  });
  after(() => service.stop());

  const expectRefused = ({ status, text }: Answer): void => {
    expect([status, attribute(text, 'error', 'code')]).to.equal([400, 'invalid_body']);
  };

  it('is no label and no owner, and what was there stays', async () => {
    const calls: readonly (readonly [Signer, string, string, string])[] = [
      [ann, `${document}/label`, `${document}/meta`, 'the label'],
      [app, `${record}/documents/external/${APP}/mine/label`, `${record}/documents/external/${APP}/mine/meta`, 'mine'],
      [medications!, `${stored}/label`, `${stored}/meta`, 'stored'],
    ];
    for (const [who, path, meta, label] of calls) {
      succeeded(await service.call(who, 'PUT', path, { body: `${label} \u00e9\ufffd`, type: 'text/plain' }));
      for (const bytes of broken) {
        expectRefused(
          await service.call(who, 'PUT', path, {
            body: Buffer.concat([Buffer.from('x'), Buffer.from(bytes)]),
            type: 'text/plain',
          }),
        );
      }
      expect(child(succeeded(await service.call(who, 'GET', meta)).text, 'label')).to.equal(`${label} \u00e9\ufffd`);
    }
    for (const bytes of broken) {
      const body = Buffer.concat([Buffer.from(ANN), Buffer.from(bytes)]);
      expectRefused(await service.call(admin, 'PUT', `${record}/owner`, { body, type: 'text/plain' }));
    }
  });

  it('is no part of a form, as bytes or percent-encoded', async () => {
    const inbox = `/accounts/${encodeURIComponent(ANN)}/inbox/`;
    const send = (body: Buffer): Promise<Answer> =>
      service.running.server
        .inject({ method: 'POST', url: inbox, payload: body, headers: formHeaders(service, inbox, body) })
        .then(({ statusCode, payload, rawPayload, headers }) => ({
          status: statusCode,
          text: payload,
          bytes: rawPayload,
          headers,
        }));
    succeeded(await send(Buffer.from('subject=fine+%C3%A9%EF%BF%BD&body=%25ff')));
    for (const bytes of broken) {
      const encoded = bytes.map((byte) => `%${byte.toString(16)}`).join('');
      expectRefused(await send(Buffer.from(`subject=percent&body=a${encoded}b`)));
    }
    expect(succeeded(await service.call(ann, 'GET', inbox)).text.match(/<Message /g)).to.have.length(1);
  });

  it('does not matter where the app of an external id is unknown: nobody is told, and nothing is looked up', async () => {
    const statements: string[] = [];
    const { database } = service.services;
    const rows = database.reads.rows;
    (database.reads as { rows: typeof rows }).rows = (sql, values) => {
      statements.push(`${sql} ${values.join(' ')}`);
      return rows(sql, values);
    };
    try {
      for (const who of [app, ann, medications!, admin!, ui!]) {
        for (const [method, rest] of [
          ['PUT', ''],
          ['PUT', '/label'],
          ['GET', '/meta'],
        ] as const) {
          const path = `${record}/documents/external/unknown%40apps.example/one${rest}`;
          const { status } = await service.call(who, method, path, method === 'PUT' ? { body: note } : {});
          expect(status, path).to.equal(403);
        }
      }
    } finally {
      (database.reads as { rows: typeof rows }).rows = rows;
    }
    expect(statements.filter((sql) => sql.includes('unknown@apps.example'))).to.equal([]);
  });
});
