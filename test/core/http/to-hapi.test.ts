/** to-hapi: credentials, access rule, input, work, response: in this order, for every route alike. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import Joi from 'joi';
import { adminApp, anybody, anyPrincipal, nobody, uiApp } from '../../../core/access/rules';
import { authorizationHeader, type Signer } from '../../../core/auth/sign';
import { toTimestamp } from '../../../core/base/clock';
import { loadConfig } from '../../../core/config/load';
import { area } from '../../../core/http/area';
import { form, inPath } from '../../../core/http/inputs';
import { json, ok, storedContent } from '../../../core/http/replies';
import { route } from '../../../core/http/route';
import { start, type Running } from '../../../core/server/start';
import { addApp } from '../../support/cast';
import { injectClient, type Client } from '../../support/client';
import { sleep, until } from '../../support/receiver';
import { admin, medications, ui } from '../../support/server';
import { testManifests } from '../../support/test-manifests';
import { direct } from '../../support/direct';
import * as appStore from '../../../core/apps/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let worked = 0;

/** Chunks of 100,000 characters that the server has produced so far. */
let made = 0;
let ended = 0;

async function* somePieces(count: number, failsAt: number): AsyncGenerator<string> {
  try {
    for (let piece = 0; piece < count; piece += 1) {
      if (piece === failsAt) {
        throw new Error('secret-diagnosis');
      }
      made += 1;
      yield String.fromCharCode(97 + (piece % 26)).repeat(100_000);
    }
  } finally {
    ended += 1;
  }
}

const samples = area({
  name: 'samples',
  about: 'For tests',
  routes: [
    route({
      name: 'sample_form',
      method: 'POST',
      path: '/samples/{ID}/form',
      summary: 'Takes a form',
      access: adminApp,
      params: inPath('ID'),
      body: form<{ count: number; text?: string }>({
        count: Joi.number().integer().required(),
        text: Joi.string().max(5),
      }),
      reply: json,
      handle: ({ params, body }) => {
        worked += 1;
        return Promise.resolve({ ...params, ...body });
      },
    }),
    route({
      name: 'sample_bytes',
      method: 'PUT',
      path: '/samples/bytes',
      summary: 'Gives back what it got',
      access: adminApp,
      body: { kind: 'raw', limit: 'document' },
      reply: storedContent,
      handle: ({ body, request }) =>
        Promise.resolve({ content: body as Buffer, mediaType: request.mediaType, digest: 'd' }),
    }),
    route({
      name: 'sample_content',
      method: 'GET',
      path: '/samples/content',
      summary: 'Stored content',
      access: anybody,
      reply: storedContent,
      handle: () => Promise.resolve({ content: Buffer.from('<a/>'), mediaType: 'text/html', digest: 'abc' }),
    }),
    route({
      name: 'sample_pieces',
      method: 'GET',
      path: '/samples/pieces/{COUNT}/{FAILS_AT}',
      summary: 'Made while it is sent',
      access: anybody,
      params: inPath('COUNT', 'FAILS_AT'),
      reply: {
        describes: { type: 'text/plain' },
        from: (pieces: AsyncGenerator<string>) => ({ kind: 'pieces', type: 'text/plain', pieces }),
      },
      handle: ({ params }) => Promise.resolve(somePieces(Number(params.COUNT), Number(params.FAILS_AT))),
    }),
    route({
      name: 'sample_ui',
      method: 'GET',
      path: '/samples/ui',
      summary: 'For UI apps only',
      access: uiApp,
      reply: ok,
      handle: () => Promise.resolve(),
    }),
    route({
      name: 'sample_any',
      method: 'GET',
      path: '/samples/any',
      summary: 'For any valid caller',
      access: anyPrincipal,
      reply: ok,
      handle: () => Promise.resolve(),
      deprecated: true,
    }),
    route({
      name: 'sample_nobody',
      method: 'GET',
      path: '/samples/nobody',
      summary: 'For nobody at all',
      access: nobody,
      reply: ok,
      handle: () => {
        worked += 1;
        return Promise.resolve();
      },
    }),
    route({
      name: 'sample_fault',
      method: 'GET',
      path: '/samples/fault',
      summary: 'Breaks in the handler',
      access: anybody,
      reply: ok,
      handle: () => Promise.reject(new Error('secret-diagnosis')),
    }),
  ],
});

describe('a route', () => {
  let running: Running;
  let call: Client;
  before(async () => {
    running = await start(
      loadConfig({
        SVC_PORT: '0',
        SVC_DATABASE_URL: 'sqlite::memory:',
        SVC_LOG_LEVEL: 'silent',
        SVC_MANIFESTS_DIR: testManifests,
        SVC_MAX_DOCUMENT_BYTES: '1000',
      }),
      [samples],
      { prepare: true },
    );
    call = injectClient(running.server, running.services.baseUrl());
  });
  after(() => running.stop());

  it('refuses before it looks at inputs', async () => {
    for (const credentials of [null, medications]) {
      const answer = await call(credentials, 'POST', '/samples/x/form', { form: { count: 'not a number' } });
      expect(answer.status).to.equal(403);
    }
    expect(worked).to.equal(0);
  });

  it('checks, converts and hands on its inputs', async () => {
    const answer = await call(admin, 'POST', '/samples/x%20y/form', { form: { count: '3', other: 'ignored' } });
    expect(answer.status, answer.text).to.equal(200);
    expect(JSON.parse(answer.text)).to.include({ ID: 'x y', count: 3 });
  });

  const wrong: readonly [Record<string, string>, string, RegExp][] = [
    [{}, 'missing_parameter', /count/],
    [{ count: '' }, 'invalid_parameter', /count/],
    [{ count: 'x' }, 'invalid_parameter', /count/],
    [{ count: '1', text: 'too long' }, 'invalid_parameter', /text/],
  ];
  for (const [inputs, code, message] of wrong) {
    it(`answers 400 ${code} for ${JSON.stringify(inputs)}`, async () => {
      const answer = await call(admin, 'POST', '/samples/x/form', { form: inputs });
      expect(answer.status).to.equal(400);
      expect(answer.text).to.contain(`code="${code}"`).and.to.match(message);
    });
  }

  it('does not pass over a body that is no form', async () => {
    for (const [body, type] of [
      ['{"count":1}', 'application/json'],
      ['count=1', 'text/plain'],
      ['<count>1</count>', 'application/x-www-form-urlencoded'],
    ] as const) {
      const answer = await call(admin, 'POST', '/samples/x/form', { body, type });
      expect(answer.status, type).to.equal(400);
      expect(answer.text)
        .to.contain('code="invalid_body"')
        .and.contain('send them as application/x-www-form-urlencoded');
    }
  });

  it('gives bytes back as they came, and 413 above the limit', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 60]);
    const same = await call(admin, 'PUT', '/samples/bytes', { body: bytes, type: 'image/png; charset=x' });
    expect(same.bytes).to.equal(bytes);
    expect(same.headers['content-type']).to.equal('image/png');
    expect(same.headers['content-disposition']).to.equal('attachment');
    const large = await call(admin, 'PUT', '/samples/bytes', { body: Buffer.alloc(1001), type: 'image/png' });
    expect(large.status).to.equal(413);
    expect(large.text)
      .to.contain('code="too_large"')
      .and.contain('a body of this call may have 1000 bytes (SVC_MAX_DOCUMENT_BYTES)');
  });

  describe('before it has read the body', () => {
    const path = '/samples/bytes';
    /** The response to a request head that announces a body which never comes. */
    const answerTo = (authorization: string | undefined, type: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () => {
          socket.write(
            `PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 900\r\n${authorization === undefined ? '' : `authorization: ${authorization}\r\n`}\r\n`,
          );
        });
        socket.setTimeout(2000, () => {
          socket.destroy();
          reject(new Error('no answer without the body'));
        });
        socket.on('data', (data) => {
          socket.destroy();
          resolve(data.toString());
        });
      });
    const signedBy = (signer: Signer): string =>
      authorizationHeader(signer, 'PUT', `${running.services.baseUrl()}${path}`);
    const strange: Readonly<Record<string, () => string | undefined>> = {
      'no credentials': () => undefined,
      'credentials of another scheme': () => 'Bearer x',
      'a header that is no OAuth': () => 'OAuth x',
      'an unknown consumer': () => signedBy({ consumer: { key: 'nobody@example.org', secret: 'x' } }),
      'an unknown token': () => signedBy({ ...ui!, token: { key: 'nothing', secret: 'x' } }),
      'an old timestamp': () => signedBy(admin!).replace(/oauth_timestamp="\d+"/, 'oauth_timestamp="1000000000"'),
    };
    for (const [what, authorization] of Object.entries(strange)) {
      it(`refuses ${what}, whatever the body may be`, async () => {
        expect(await answerTo(authorization(), 'application/xml')).to.startWith('HTTP/1.1 403');
        expect(await answerTo(authorization(), 'application/x-www-form-urlencoded')).to.startWith('HTTP/1.1 403');
      });
    }

    it('refuses a wrong signature, unless the body may be a part of what is signed', async () => {
      const wrong = signedBy({ consumer: { ...admin!.consumer, secret: 'wrong' } });
      expect(await answerTo(wrong, 'application/xml')).to.startWith('HTTP/1.1 403');
      await expect(answerTo(wrong, 'application/x-www-form-urlencoded')).to.reject('no answer without the body');
    });

    it('says nothing yet to a caller whose signature fits', async () => {
      await expect(answerTo(signedBy(admin!), 'application/xml')).to.reject('no answer without the body');
    });

    it('judges credentials again when the body takes its time', async () => {
      const { services } = running;
      const late = await addApp(services, 'late@apps.example', 'admin');
      /** The response to a request whose body comes after more than a second. */
      const slowly = (meanwhile: () => Promise<unknown>): Promise<string> =>
        new Promise((resolve, reject) => {
          const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () => {
            socket.write(
              `PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 4\r\nauthorization: ` +
                `${signedBy(late)}\r\n\r\n12`,
            );
            setTimeout(() => {
              meanwhile().then(() => socket.write('34'), reject);
            }, 1200);
          });
          socket.setTimeout(5000, () => {
            socket.destroy();
            reject(new Error('no answer'));
          });
          socket.on('data', (data) => {
            socket.destroy();
            resolve(data.toString());
          });
        });
      expect(await slowly(() => Promise.resolve())).to.startWith('HTTP/1.1 200');
      expect(
        await slowly(() =>
          services.database.transaction((trx) => appStore.retireApp(trx, late.consumer.key, toTimestamp(Date.now()))),
        ),
      ).to.startWith('HTTP/1.1 403');
    });

    it('lets a refused caller who sends a long body nevertheless read the answer, and goes on with the connection', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const put = (bytes: number): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const sent = request(
            `${running.url}${path}`,
            {
              method: 'PUT',
              agent,
              headers: { authorization: 'OAuth x', 'content-type': 'application/xml', 'content-length': bytes },
            },
            (response) => {
              response.resume().on('end', () => resolve(response.statusCode));
            },
          );
          sent.on('error', reject).end(Buffer.alloc(bytes, 'x'));
        });
      try {
        expect([await put(900_000), await put(10), await put(900_000)]).to.equal([403, 403, 403]);
      } finally {
        agent.destroy();
      }
    });
  });

  it('knows UI apps from admin apps, and any from nobody', async () => {
    expect((await call(ui, 'GET', '/samples/ui')).status).to.equal(200);
    expect((await call(admin, 'GET', '/samples/ui')).status).to.equal(403);
    expect((await call(medications, 'GET', '/samples/any')).headers['deprecation']).to.equal('true');
    expect((await call(null, 'GET', '/samples/any')).status).to.equal(403);
    for (const credentials of [null, admin, ui, medications]) {
      expect((await call(credentials, 'GET', '/samples/nobody')).status).to.equal(403);
    }
    expect(worked).to.equal(1);
  });

  it('answers 304 when the caller has the content, and protects every answer', async () => {
    const first = await call(null, 'GET', '/samples/content');
    expect(first.headers).to.include({
      etag: '"abc"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': 'attachment',
    });
    const second = await call(null, 'GET', '/samples/content', { headers: { 'if-none-match': '"other", "abc"' } });
    expect(second.status).to.equal(304);
    expect(second.text).to.equal('');
  });

  describe('whose reply is made in pieces', () => {
    const fetched = (path: string, options?: RequestInit): Promise<Response> =>
      fetch(`${running.url}/samples/pieces/${path}`, options);

    it('sends a short one whole, and a long one as it comes', async () => {
      const short = await fetched('3/-1');
      expect([short.status, short.headers.get('content-length'), short.headers.get('content-type')]).to.equal([
        200,
        '300000',
        'text/plain',
      ]);
      const long = await fetched('40/-1');
      expect([long.status, long.headers.get('content-length'), long.headers.get('transfer-encoding')]).to.equal([
        200,
        null,
        'chunked',
      ]);
      const text = await long.text();
      expect([text.length, text.slice(99_999, 100_001), text.slice(-1)]).to.equal([4_000_000, 'ab', 'n']);
      const none = await fetched('40/-1', { method: 'HEAD' });
      expect([none.status, await none.text()]).to.equal([200, '']);
    });

    it('waits for its reader, and stops when nobody reads any more', async () => {
      const [before, endedBefore] = [made, ended];
      const answer = await fetched('100000/-1');
      await sleep(300);
      const ahead = made - before;
      expect(ahead).to.be.below(200);
      await answer.body!.cancel();
      await until(() => ended === endedBefore + 1, 'the end of the work');
      expect(made - before).to.be.below(400);
    });

    it('answers 500 when it fails at first, and breaks off when it fails later', async () => {
      expect((await fetched('40/0')).status).to.equal(500);
      expect((await fetched('40/5')).status).to.equal(500);
      const broken = await fetched('40/20');
      expect(broken.status).to.equal(200);
      await expect(broken.text()).to.reject();
      expect((await fetched('1/-1')).status).to.equal(200);
    });
  });

  it('answers 500 without a word of the reason', async () => {
    const answer = await call(null, 'GET', '/samples/fault');
    expect(answer.status).to.equal(500);
    expect(answer.text).to.not.contain('secret-diagnosis');
  });

  it('leaves one audit row for each call, whatever came of it', async () => {
    const rows = await direct(running.services.database)('audit').select('function_name', 'status');
    const count = (name: string, status: number): number =>
      rows.filter(
        (row: { function_name: string; status: number }) => row.function_name === name && row.status === status,
      ).length;
    expect(count('sample_form', 403)).to.equal(2);
    expect(count('sample_form', 200)).to.equal(1);
    expect(count('sample_form', 400)).to.equal(7);
    expect(count('sample_bytes', 413)).to.equal(1);
    expect(count('sample_fault', 500)).to.equal(1);
    expect(count('sample_nobody', 403)).to.equal(4);
  });
});
