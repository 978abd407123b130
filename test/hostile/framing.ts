/** framing: requests that are malformed HTTP, oversized, or can be read as two different requests. */
import { authorizationHeader } from '../../core/auth/sign';
import { rawRequest } from '../support/raw';
import type { Case, Ground } from './ground';

const bad = [400];
const post = (headers: readonly string[], body: string): string =>
  `POST /oauth/request_token HTTP/1.1\r\nHost: svc.test\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
const get = (line: string, headers: readonly string[] = ['Host: svc.test', 'Connection: close']): string =>
  `${line}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;

/** A request that would be served without its odd part. */
const signedPost = (
  ground: Ground,
  path: string,
  headers: readonly string[],
  body: string,
  form: Record<string, string> = {},
): string =>
  rawRequest(
    'POST',
    path,
    [`Authorization: ${authorizationHeader(ground.app, 'POST', `${ground.url}${path}`, form)}`, ...headers],
    body,
  );

export const framingCases: readonly Case[] = [
  { name: 'framing: no Host', expect: bad, bytes: () => get('GET /version HTTP/1.1', ['Connection: close']) },
  {
    name: 'framing: two Hosts',
    expect: [200, 400],
    bytes: () => get('GET /version HTTP/1.1', ['Host: a', 'Host: b', 'Connection: close']),
  },
  {
    name: 'framing: a Host that is no host',
    expect: [200, 400],
    bytes: () => get('GET /version HTTP/1.1', ['Host: a b<>"', 'Connection: close']),
  },
  {
    name: 'framing: an empty Host',
    expect: [200, 400],
    bytes: () => get('GET /version HTTP/1.1', ['Host:', 'Connection: close']),
  },
  { name: 'framing: no version', expect: [200, 400], bytes: () => get('GET /version') },
  { name: 'framing: version 0.9', expect: [200, 400, 505], bytes: () => get('GET /version HTTP/0.9') },
  { name: 'framing: version 3.0', expect: [400, 505], bytes: () => get('GET /version HTTP/3.0') },
  { name: 'framing: the preface of HTTP/2', expect: [400, 505, 0], bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'framing: a TLS handshake', expect: bad, bytes: () => Buffer.from('16030100a5010000a10303', 'hex') },
  {
    name: 'framing: bytes that mean nothing',
    expect: bad,
    bytes: () => Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 37) % 256)),
  },
  {
    name: 'framing: only a line feed at line ends',
    expect: [200, 400],
    bytes: () => 'GET /version HTTP/1.1\nHost: a\nConnection: close\n\n',
  },
  {
    name: 'framing: a bare carriage return in a header',
    expect: bad,
    bytes: () => get('GET /version HTTP/1.1', ['Host: a', 'X-A: b\rX-B: c', 'Connection: close']),
  },
  {
    name: 'framing: a NUL in a header',
    expect: bad,
    bytes: () => get('GET /version HTTP/1.1', ['Host: a', 'X-A: b\0c', 'Connection: close']),
  },
  {
    name: 'framing: a space before the colon',
    expect: bad,
    bytes: () => get('GET /version HTTP/1.1', ['Host : a', 'Connection: close']),
  },
  {
    name: 'framing: a header without a name',
    expect: bad,
    bytes: () => get('GET /version HTTP/1.1', ['Host: a', ': value', 'Connection: close']),
  },
  {
    name: 'framing: a folded header',
    expect: [200, 400],
    bytes: () => get('GET /version HTTP/1.1', ['Host: a', 'X-A: b', ' c', 'Connection: close']),
  },
  {
    name: 'framing: a header of 20,000 characters',
    expect: [400, 431],
    bytes: () => rawRequest('GET', '/version', { 'X-A': 'a'.repeat(20_000) }),
  },
  {
    name: 'framing: an Authorization of 15,000 characters',
    expect: [403, 431],
    bytes: ({ documents }) =>
      rawRequest('GET', documents, { Authorization: `OAuth oauth_nonce="${'a'.repeat(15_000)}"` }),
  },
  {
    name: 'framing: an Authorization of 3,000 parameters',
    expect: [403, 431],
    bytes: ({ documents }) =>
      rawRequest('GET', documents, {
        Authorization: `OAuth ${Array.from({ length: 1500 }, (_, index) => `a${index}=""`).join(',')}`,
      }),
  },
  {
    name: 'framing: 1,900 headers',
    expect: [200, 400, 431],
    bytes: () =>
      rawRequest(
        'GET',
        '/version',
        Array.from({ length: 1900 }, (_, index) => `x${index}: 1`),
      ),
  },
  {
    name: 'framing: 100,000 bytes of headers',
    expect: [400, 431],
    bytes: () =>
      rawRequest(
        'GET',
        '/version',
        Array.from({ length: 10_000 }, (_, index) => `x${index}: 1`),
      ),
  },
  {
    name: 'framing: a path of 20,000 characters',
    expect: [400, 414, 431],
    bytes: () => get(`GET /${'a'.repeat(20_000)} HTTP/1.1`),
  },
  {
    name: 'framing: a path of 15,000 characters',
    expect: [400, 403, 404, 414],
    bytes: () => get(`GET /${'a'.repeat(15_000)} HTTP/1.1`),
  },
  { name: 'framing: a path of 5,000 parts', expect: [404], bytes: () => get(`GET ${'/a'.repeat(5000)} HTTP/1.1`) },
  {
    name: 'framing: 5,000 query parameters',
    expect: [200, 431],
    bytes: () => get(`GET /version?${Array.from({ length: 2000 }, (_, index) => `a${index}=1`).join('&')} HTTP/1.1`),
  },
  { name: 'framing: an unknown method', expect: bad, bytes: () => rawRequest('STEAL', '/version') },
  { name: 'framing: a method in lower case', expect: bad, bytes: () => rawRequest('get', '/version') },
  { name: 'framing: an endless method', expect: bad, bytes: () => rawRequest('A'.repeat(5000), '/version') },
  { name: 'framing: TRACE', expect: [404, 405], bytes: () => rawRequest('TRACE', '/version') },
  { name: 'framing: OPTIONS', expect: [404, 405], bytes: () => rawRequest('OPTIONS', '/version') },
  { name: 'framing: OPTIONS of everything', expect: [400, 404, 405], bytes: () => rawRequest('OPTIONS', '*') },
  { name: 'framing: PATCH', expect: [404, 405], bytes: ({ documents }) => rawRequest('PATCH', documents) },
  { name: 'framing: PROPFIND', expect: [404, 405], bytes: ({ documents }) => rawRequest('PROPFIND', documents) },
  { name: 'framing: CONNECT', expect: [0, 400, 404, 405], bytes: () => rawRequest('CONNECT', '127.0.0.1:3306') },
  { name: 'framing: HEAD', expect: [200], bytes: () => rawRequest('HEAD', '/version') },
  { name: 'framing: HEAD without credentials', expect: [403], bytes: ({ documents }) => rawRequest('HEAD', documents) },
  {
    name: 'framing: a method override',
    expect: [403],
    bytes: ({ documents }) => rawRequest('GET', documents, { 'X-HTTP-Method-Override': 'DELETE' }),
  },
  {
    name: 'framing: an upgrade to a socket',
    expect: [200, 400, 404],
    bytes: () =>
      get('GET /version HTTP/1.1', [
        'Host: a',
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: x',
        'Sec-WebSocket-Version: 13',
      ]),
  },
  {
    name: 'framing: an upgrade to HTTP/2',
    expect: [200, 400],
    bytes: () =>
      get('GET /version HTTP/1.1', [
        'Host: a',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ]),
  },
  {
    name: 'framing: a length and chunks',
    expect: bad,
    bytes: () => post(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET /version HTTP/1.1\r\n\r\n'),
  },
  {
    name: 'framing: two lengths',
    expect: bad,
    bytes: () => post(['Content-Length: 5', 'Content-Length: 6'], 'aaaaaa'),
  },
  { name: 'framing: two lengths in one line', expect: bad, bytes: () => post(['Content-Length: 5, 5'], 'aaaaa') },
  { name: 'framing: a negative length', expect: bad, bytes: () => post(['Content-Length: -1'], '') },
  { name: 'framing: a length with a plus', expect: bad, bytes: () => post(['Content-Length: +5'], 'aaaaa') },
  { name: 'framing: a length in hexadecimal', expect: bad, bytes: () => post(['Content-Length: 0x5'], 'aaaaa') },
  {
    name: 'framing: a length beyond all numbers',
    expect: bad,
    bytes: () => post([`Content-Length: ${'9'.repeat(40)}`], ''),
  },
  {
    name: 'framing: a declared terabyte',
    expect: [403, 413],
    bytes: () => post(['Content-Length: 1099511627776', 'Connection: close'], 'a'),
  },
  {
    name: 'framing: a declared terabyte, signed',
    expect: [413],
    bytes: (ground) =>
      `POST ${ground.documents} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1099511627776\r\nAuthorization: ${authorizationHeader(ground.app, 'POST', `${ground.url}${ground.documents}`)}\r\n\r\n<a/>`,
  },
  {
    name: 'framing: an unknown transfer encoding',
    expect: [400, 403, 501],
    bytes: () => post(['Transfer-Encoding: gzip'], 'a'),
  },
  {
    name: 'framing: chunked twice',
    expect: [400, 403, 501],
    bytes: () => post(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'),
  },
  {
    name: 'framing: a disguised transfer encoding',
    expect: [400, 403],
    bytes: () => post(['Transfer-Encoding : chunked'], '0\r\n\r\n'),
  },
  {
    name: 'framing: a chunk of endless size',
    expect: [400, 403],
    bytes: () => post(['Transfer-Encoding: chunked', 'Connection: close'], 'FFFFFFFFFFFFFFFFF\r\na'),
  },
  {
    name: 'framing: a chunk of no size',
    expect: [400, 403],
    bytes: () => post(['Transfer-Encoding: chunked', 'Connection: close'], 'zz\r\naaaa\r\n0\r\n\r\n'),
  },
  {
    name: 'framing: a megabyte of chunk extensions',
    expect: [400, 403, 413, 0],
    bytes: () =>
      post(['Transfer-Encoding: chunked', 'Connection: close'], `1;${'a'.repeat(1_000_000)}\r\na\r\n0\r\n\r\n`),
  },
  {
    name: 'framing: an expectation that is unknown',
    expect: [417],
    bytes: () => post(['Expect: a miracle', 'Content-Length: 0', 'Connection: close'], ''),
  },
  {
    name: 'framing: an expectation of 100',
    expect: [403],
    bytes: () => post(['Expect: 100-continue', 'Content-Length: 1', 'Connection: close'], 'a'),
  },
  { name: 'framing: a body with GET', expect: [200, 400], bytes: () => rawRequest('GET', '/version', {}, 'body') },
  {
    name: 'framing: two requests in one',
    expect: [200],
    bytes: () =>
      `GET /version HTTP/1.1\r\nHost: a\r\n\r\nGET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  },
  {
    name: 'framing: a cookie of nonsense',
    expect: [200, 400],
    bytes: () => rawRequest('GET', '/version', { Cookie: 'a=b; =; ;;; "\x7f' }),
  },
  {
    name: 'framing: a range of a document list',
    expect: [200],
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Range: 'bytes=0-0,-1,5-2',
        Authorization: authorizationHeader(ground.app, 'GET', `${ground.url}${ground.documents}`),
      }),
  },
  {
    name: 'framing: 2,000 preferences in Accept',
    expect: [200, 431],
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Accept: Array.from({ length: 700 }, (_, index) => `a/json${index};q=0.${index}`).join(','),
        Authorization: authorizationHeader(ground.app, 'GET', `${ground.url}${ground.documents}`),
      }),
  },
  {
    name: 'framing: an Accept that cannot be read',
    expect: [403],
    bytes: (ground) => rawRequest('GET', ground.documents, { Accept: ';;;q=json,,,/,application/json;q=x' }),
  },
  {
    name: 'framing: X-Forwarded headers believed by nobody',
    expect: [403],
    bytes: ({ documents }) =>
      rawRequest('GET', documents, {
        'X-Forwarded-For': '127.0.0.1',
        'X-Forwarded-Host': 'evil',
        Forwarded: 'for=127.0.0.1',
        'X-Original-URL': '/version',
      }),
  },
  ...['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip', 'x'.repeat(1000)].map((encoding): Case => ({
    name: `framing: a document said to be encoded as ${encoding.slice(0, 20)}`,
    expect: encoding === 'identity' ? [200] : [200, 400, 415],
    bytes: (ground) =>
      signedPost(
        ground,
        ground.documents,
        ['Content-Type: application/xml', `Content-Encoding: ${encoding}`],
        '<note xmlns="urn:hostile"/>',
      ),
  })),
  ...[
    'text/html',
    'application/json',
    'multipart/form-data; boundary=x',
    'image/png',
    'a',
    '/',
    ';',
    'application/xml; charset=utf-7',
    `application/${'x'.repeat(300)}+xml`,
    'application/xml, text/html',
  ].map((type): Case => ({
    name: `framing: a document said to be ${type.slice(0, 40)}`,
    expect: type.startsWith('application/xml;') ? [200, 400] : [400, 415],
    bytes: (ground) => signedPost(ground, ground.documents, [`Content-Type: ${type}`], '<note xmlns="urn:hostile"/>'),
  })),
];
