/** addresses: paths, queries and forms that try to pass for something else. */
import { newToken } from '../../core/base/ids';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { baseString, percentEncode, sign } from '../../core/auth/signature';
import { rawRequest } from '../support/raw';
import type { Case, Ground } from './ground';

const bare =
  (target: string): ((ground: Ground) => string) =>
  () =>
    rawRequest('GET', target);

const signedGet =
  (path: string, who: 'app' | 'person' = 'app'): ((ground: Ground) => string) =>
  (ground) => {
    const target = path.replace('{documents}', ground.documents).replace('{record}', ground.recordId);
    return rawRequest('GET', target, {
      Authorization: authorizationHeader(ground[who], 'GET', `${ground.url}${target}`),
    });
  };

/**
 * Signed by hand over the query as a lenient reader parses it, because the usual library refuses to sign what it cannot
 * decode.
 */
const leniently =
  (query: string): ((ground: Ground) => string) =>
  ({ app, url, documents }) => {
    const own: [string, string][] = [
      ['oauth_consumer_key', app.consumer.key],
      ['oauth_nonce', newToken()],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
      ['oauth_token', app.token!.key],
    ];
    const base = baseString('GET', `${url}${documents}`, [...own, ...new URLSearchParams(query)]);
    const header = [...own, ['oauth_signature', sign(base, app.consumer.secret, app.token!.secret)]]
      .map(([name, value]) => `${name}="${percentEncode(value!)}"`)
      .join(', ');
    return rawRequest('GET', `${documents}${query}`, { Authorization: `OAuth ${header}` });
  };

const climbing = [
  '/../../../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/..%5c..%5cetc',
  '/docs/../../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e%2fpackage.json',
  '/docs/swagger-ui.css%00.html',
  '/docs/....//package.json',
  '/./version/.',
  '//version',
  '///',
  '/version//',
  '/version;a=b',
  '/version%2f',
  '/VERSION',
  '/%76ersion%00',
  '/\\version',
  '/%5cversion',
  '/version%20',
  '/%',
  '/%zz',
  '/%c0%af',
  '/%ff%fe',
  '/%ed%a0%80',
  '/%00',
  '/a%0d%0aX-Injected:%20yes',
  '/records/%2e%2e/version',
  '/.env',
  '/.git/config',
  '/var/secret.key',
  '/manifests/admin/administration/credentials.json',
  '/node_modules/',
  '/docs/constructor',
  '/docs/__proto__',
  '/health/ready/..',
  '/metrics%2f..',
];

const climbingCases: readonly Case[] = climbing.map((target) => ({
  name: `address: ${target}`,
  expect: [200, 400, 403, 404],
  bytes: bare(target),
}));

const forms: readonly Case[] = [
  { name: 'address: the whole URL', expect: [200, 404], bytes: bare('http://svc.test/version') },
  {
    name: 'address: the whole URL, signed',
    expect: [200],
    bytes: ({ app, url, documents }) =>
      rawRequest('GET', `${url}${documents}?limit=1`, {
        Authorization: authorizationHeader(app, 'GET', `${url}${documents}?limit=1`),
      }),
  },
  {
    name: 'address: the URL of another place',
    expect: [200, 400, 403, 404],
    bytes: bare('http://169.254.169.254/latest/meta-data/'),
  },
  { name: 'address: with a fragment', expect: [200, 400, 404], bytes: bare('/version#part') },
  { name: 'address: with two question marks', expect: [200], bytes: bare('/version??a=?') },
  {
    name: 'address: with raw UTF-8',
    expect: [400, 403, 404],
    bytes: () => Buffer.from(rawRequest('GET', '/records/\u00fc/'), 'latin1'),
  },
  { name: 'address: with a raw tab', expect: [400, 404], bytes: bare('/ver\tsion') },
  { name: 'address: with an @ as host', expect: [400, 403, 404], bytes: bare('@evil.example/version') },
];

/** Texts that an id, a filter or a search may contain; they must be treated as plain text. */
const texts = [
  "'",
  "''",
  '"',
  '`',
  '\\',
  "' or '1'='1",
  "'; drop table account; --",
  '" or ""="',
  "1' union select null,null --",
  '1; select sleep(5)',
  "' and sleep(5) and '",
  "'||(select 1)||'",
  '/**/',
  '--',
  '#',
  '%',
  '_',
  '%25%',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<!DOCTYPE a>',
  '&lt;',
  '\u0000',
  '\u0007',
  '\ud83d\ude00',
  '\ufeff',
  '\u202e',
  'e\u0301',
  '\uffff',
  'a'.repeat(300),
  '-1',
  '0',
  '1e309',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  '..',
  '.',
  ' ',
  '\n',
  '$where',
  '../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1/',
];

const asId: readonly Case[] = texts.map((text) => ({
  name: `address: the document id ${JSON.stringify(text.slice(0, 30))}`,
  expect: ['', '.', '..'].includes(text.trim()) ? [200, 400, 403, 404] : [400, 404],
  bytes: signedGet(`{documents}${encodeURIComponent(text)}`),
}));

const asRecord: readonly Case[] = texts.slice(0, 24).map((text) => ({
  name: `address: the record id ${JSON.stringify(text.slice(0, 30))}`,
  expect: [400, 403, 404],
  bytes: signedGet(`/records/${encodeURIComponent(text)}/documents/`, 'person'),
}));

const asFilter: readonly Case[] = texts.map((text) => ({
  name: `address: the type filter ${JSON.stringify(text.slice(0, 30))}`,
  expect: [200, 400],
  bytes: signedGet(`{documents}?type=${encodeURIComponent(text)}`),
}));

const asOrder: readonly Case[] = texts.slice(0, 20).map((text) => ({
  name: `address: the order ${JSON.stringify(text.slice(0, 30))}`,
  expect: [200, 400],
  bytes: signedGet(`{documents}?order_by=${encodeURIComponent(text)}`),
}));

const asNumber: readonly Case[] = [
  '-1',
  '1.5',
  '1e3',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  '',
  ' ',
  '9'.repeat(30),
  "1'",
  '1;--',
  '١',
  '+1',
  '1,000',
  '[]',
  '1%00',
].flatMap((text) =>
  ['limit', 'offset'].map((name): Case => ({
    name: `address: ${name} ${JSON.stringify(text.slice(0, 20))}`,
    expect: [200, 400],
    bytes: signedGet(`{documents}?${name}=${text.includes('%') ? text : encodeURIComponent(text)}`),
  })),
);

const queries: readonly Case[] = [
  '?type[]=a',
  '?type[$ne]=a',
  '?limit=1&limit=2',
  '?__proto__[limit]=1',
  '?constructor.prototype.limit=1',
  '?%00=1',
  '?=',
  '?&&&&',
  '?limit',
  '?limit=%31',
  '?status=active&status=void',
  '?status=ACTIVE',
  '?status=active%00',
  '?%ff=%fe',
  '?type=%ff%fe',
  '?a=%zz',
  '?a=%',
  `?${'a=1&'.repeat(1500)}`,
  `?type=${'%41'.repeat(1000)}`,
].map((query) => ({ name: `address: the query ${query.slice(0, 40)}`, expect: [200, 400], bytes: leniently(query) }));

const post =
  (path: string, body: string, type = 'application/x-www-form-urlencoded'): ((ground: Ground) => string) =>
  (ground) => {
    const target = path.replace('{record}', ground.recordId);
    // Signed over the pairs that the service itself reads from the body.
    const pairs = new URLSearchParams(Buffer.from(body, 'latin1').toString('utf8'));
    const single: Record<string, string> = Object.fromEntries(pairs);
    const signer: Signer = path.startsWith('/oauth') ? { consumer: ground.app.consumer } : ground.app;
    return rawRequest(
      'POST',
      target,
      {
        Authorization: authorizationHeader(
          signer,
          'POST',
          `${ground.url}${target}`,
          type.includes('form') ? single : {},
        ),
        'Content-Type': type,
      },
      body,
    );
  };

/** No record has these ids. */
const formBodies: readonly (readonly [string, string, readonly number[]])[] = [
  ['nothing', '', [400, 200, 403]],
  ['only separators', '&&&===&', [200, 400, 403]],
  ['a prototype', '__proto__=1&svc_record_id=x', [400, 403, 404]],
  ['brackets', 'svc_record_id[]=x', [200, 400, 403]],
  ['one name twice', 'svc_record_id=a&svc_record_id=b', [400, 403]],
  ['a NUL', 'svc_record_id=%00', [400, 403]],
  ['broken UTF-8', 'svc_record_id=%ff%fe', [400, 403]],
  ['raw broken UTF-8', 'svc_record_id=\xff\xfe', [400, 403]],
  ['broken percent-encoding', 'svc_record_id=%zz', [400, 403]],
  ['a million characters', `svc_record_id=${'a'.repeat(1_000_000)}`, [413]],
  ['70,000 characters', `svc_record_id=${'a'.repeat(70_000)}`, [413]],
  ['10,000 parameters', Array.from({ length: 9000 }, (_, index) => `a${index}=`).join('&'), [200, 400, 403, 413]],
  ['JSON', '{"svc_record_id":"x"}', [200, 400, 403]],
  ['XML', '<svc_record_id>x</svc_record_id>', [200, 400, 403]],
  ['UTF-16', Buffer.from('svc_record_id=x', 'utf16le').toString('latin1'), [200, 400, 403]],
  ['both ids', 'svc_record_id=a&svc_carenet_id=b', [400, 403]],
];

const formCases: readonly Case[] = formBodies.flatMap(([name, body, expect]) => [
  { name: `form: ${name}`, expect: [...expect, 404], bytes: post('/oauth/request_token', body) },
]);

const typed: readonly Case[] = [
  'text/plain',
  'application/json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded; charset=utf-16',
  'APPLICATION/X-WWW-FORM-URLENCODED',
  '',
].map((type) => ({
  name: `form: said to be ${type === '' ? 'nothing' : type}`,
  expect: [200, 400, 403, 404, 415],
  bytes: post('/oauth/request_token', 'svc_record_id=x', type),
}));

export const addressCases: readonly Case[] = [
  ...climbingCases,
  ...forms,
  ...asId,
  ...asRecord,
  ...asFilter,
  ...asOrder,
  ...asNumber,
  ...queries,
  ...formCases,
  ...typed,
];
