/**
 * slow-bodies: clients that begin a request and do not end it. Their connections are ended after the time for a body,
 * while a long file that keeps coming and a long answer are not cut off.
 */
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { authorizationHeader } from '../../core/auth/sign';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { sleep, until } from '../support/receiver';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { medications, startService, type TestService } from '../support/server';
import { formsOf } from '../support/site';
import { authorizeApp, signIn } from '../support/world';
import { OWNER } from '../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const BOUNDARY = 'a-boundary';
const FORM = 'content-type: application/x-www-form-urlencoded';

type Open = { readonly socket: Socket; readonly answer: () => string; readonly closed: () => boolean };

const openConnection = (url: string, text: string): Open => {
  const { hostname, port } = new URL(url);
  let said = '';
  let closed = false;
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  return { socket, answer: () => said, closed: () => closed };
};

const begin = (target: string, ...headers: readonly string[]): string =>
  `POST ${target} HTTP/1.1\r\nhost: svc.test\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

describe('a body that does not arrive', () => {
  let service: TestService;
  let of: SiteRecord;
  let documents: string;
  let signed: string;
  let add: string;
  let upload: (length?: number) => string;
  let form: string;

  before(async () => {
    service = await startService(databases[0]!, {}, { bodySeconds: 1 });
    of = await makeSiteRecord(service);
    documents = `/records/${of.recordId}/documents/`;
    const person = await signIn(service.call, OWNER);
    const app = await authorizeApp(service.call, medications!, person, { record_id: of.recordId });
    signed = `authorization: ${authorizationHeader(app!, 'POST', `${service.running.url}${documents}`, {})}`;
    add = `/my/records/${of.recordId}/add`;
    const { fields } = formsOf(await of.owner.open(add)).find(({ html }) => html.includes('type="file"'))!;
    const cookie = `cookie: ${[...of.owner.cookies].map((pair) => pair.join('=')).join('; ')}`;
    upload = (length) =>
      begin(
        add,
        cookie,
        `content-type: multipart/form-data; boundary=${BOUNDARY}`,
        length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`,
      );
    form = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="crumb"\r\n\r\n${fields['crumb']}\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="week.csv"\r\n\r\n`;
  });
  after(() => service.stop());

  const kinds: Readonly<Record<string, () => string>> = {
    'a form of the website': () => begin('/my/sign-in', FORM, 'content-length: 100'),
    'a form of the website, in chunks': () => `${begin('/my/sign-in', FORM, 'transfer-encoding: chunked')}5\r\nuser`,
    'a form for a token': () => begin('/oauth2/token', FORM, 'content-length: 100'),
    'a signed document': () => begin(documents, signed, 'content-type: application/xml', 'content-length: 5000000'),
    'a body for an address that cannot be read': () => begin('/%zz', FORM, 'content-length: 100'),
    'a body for an address that does not exist': () => begin('/nowhere', FORM, 'content-length: 100'),
    'a body of a reading call': () => begin('/version', 'content-length: 100').replace('POST', 'GET'),
    'a body that waits to be asked for': () =>
      begin('/my/sign-in', FORM, 'content-length: 100', 'expect: 100-continue'),
    'a large file': () => `${upload(5_000_000)}${form}`,
    'no request at all': () => 'Hello?\r\n\r\n',
  };
  for (const [name, text] of Object.entries(kinds)) {
    it(`ends the connection: ${name}`, async () => {
      const { closed, socket } = openConnection(service.running.url, text());
      await until(closed, 'the end of the connection');
      socket.destroy();
    });
  }

  it('is answered with 503', async () => {
    const { closed, answer } = openConnection(service.running.url, kinds['a form of the website']!());
    await until(closed, 'the end of the connection');
    expect(answer()).to.startWith('HTTP/1.1 503 ').and.to.contain('did not arrive in time');
  });

  it('does not stay because a byte comes now and then', async () => {
    const dripping = ['a form of the website', 'a body for an address that cannot be read', 'a large file'].map(
      (name) => openConnection(service.running.url, kinds[name]!()),
    );
    const timer = setInterval(() => dripping.forEach(({ socket }) => socket.write('a')), 300);
    try {
      await until(() => dripping.every(({ closed }) => closed()), 'the end of the connections');
    } finally {
      clearInterval(timer);
    }
  });

  it('leaves nothing of hundreds of silent clients', async () => {
    const silent = Array.from({ length: 300 }, () =>
      openConnection(service.running.url, begin('/my/sign-in', FORM, 'content-length: 100')),
    );
    await until(() => silent.every(({ closed }) => closed()), 'the end of the connections');
    const count = (): Promise<number> =>
      new Promise((resolve) => service.running.server.listener.getConnections((_error, number) => resolve(number)));
    await until(async () => (await count()) === 0, 'the end of all connections');
  });

  it('is a file that takes much longer, and keeps coming', async () => {
    const week = readFileSync(inProject('pipeline-config', 'blood-pressure-csv', 'sample-week.csv'), 'utf8');
    const [first = '', ...rows] = week.trimEnd().split('\n');
    const portion = `${rows.join('\n')}\n`.repeat(Math.ceil(50_000 / rows.join('\n').length));
    const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const { socket, answer, closed } = openConnection(service.running.url, `${upload()}${chunk(`${form}${first}\n`)}`);
    for (let round = 0; round < 12; round += 1) {
      await sleep(400);
      expect(closed()).to.be.false();
      socket.write(chunk(portion));
    }
    socket.write(`${chunk(`\r\n--${BOUNDARY}--\r\n`)}0\r\n\r\n`);
    await until(() => answer().includes('\r\n\r\n'), 'the answer');
    socket.destroy();
    expect(answer()).to.match(/^HTTP\/1\.1 (200|303) /);
  });

  it('is not an answer that is fetched slowly', async () => {
    const text = `GET /docs/openapi.json HTTP/1.1\r\nhost: svc.test\r\nconnection: close\r\n\r\n`;
    const { socket, answer, closed } = openConnection(service.running.url, text);
    socket.pause();
    await sleep(4000);
    socket.resume();
    await until(closed, 'the end of the answer');
    const [head = '', body = ''] = answer().split('\r\n\r\n');
    expect(head).to.startWith('HTTP/1.1 ');
    expect(Buffer.byteLength(body, 'latin1')).to.equal(Number(/content-length: (\d+)/i.exec(head)?.[1]));
  });
});
