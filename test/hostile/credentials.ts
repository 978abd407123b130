/** credentials: Authorization headers that must be refused, and a few odd ones that must be accepted. */
import { createHash } from 'node:crypto';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { rawRequest } from '../support/raw';
import type { Case, Ground } from './ground';

const REFUSED = [403];

const signed = (
  ground: Ground,
  method: string,
  path: string,
  form: Record<string, string> = {},
  extra: Record<string, string> = {},
  signer: Signer = ground.app,
): string => authorizationHeader(signer, method, `${ground.url}${path}`, form, extra);

type Twist = (header: string, ground: Ground) => string;

/** Each twist spoils a valid header. */
const twists: Readonly<Record<string, Twist>> = {
  'no header at all': () => '',
  'the scheme alone': () => 'OAuth',
  'the scheme and commas': () => 'OAuth ,,,,',
  'another scheme: Basic': () => 'Basic YWRtaW46YWRtaW4=',
  'another scheme: Bearer': () => 'Bearer eyJhbGciOiJub25lIn0.e30.',
  'another scheme: Digest': () => 'Digest username="admin"',
  'two schemes': (header) => `Basic YQ==, ${header}`,
  'a scheme that only begins alike': (header) => header.replace('OAuth ', 'OAuth2 '),
  'unquoted values': (header) => header.replaceAll('"', ''),
  'single quotes': (header) => header.replaceAll('"', "'"),
  'semicolons between parameters': (header) => header.replaceAll(', ', '; '),
  'broken percent-encoding': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce="%zz"'),
  'half a percent sign': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce="abc%"'),
  'overlong UTF-8': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce="%C0%AF"'),
  'a lone surrogate': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce="%ED%A0%80"'),
  'a NUL in the consumer key': (header) => header.replace(/oauth_consumer_key="([^"]*)"/, 'oauth_consumer_key="$1%00"'),
  'a space after the consumer key': (header) =>
    header.replace(/oauth_consumer_key="([^"]*)"/, 'oauth_consumer_key="$1%20"'),
  'the consumer key in upper case': (header) =>
    header.replace(
      /oauth_consumer_key="([^"]*)"/,
      (_all, key: string) => `oauth_consumer_key="${decodeURIComponent(key).toUpperCase()}"`,
    ),
  'SQL in the consumer key': (header) =>
    header.replace(/oauth_consumer_key="[^"]*"/, `oauth_consumer_key="${encodeURIComponent("' or '1'='1")}"`),
  'a wildcard as consumer key': (header) => header.replace(/oauth_consumer_key="[^"]*"/, 'oauth_consumer_key="%25"'),
  'SQL in the token': (header) =>
    header.replace(/oauth_token="[^"]*"/, `oauth_token="${encodeURIComponent("' union select 1 -- ")}"`),
  'the token of nobody': (header) => header.replace(/oauth_token="[^"]*"/, 'oauth_token="AAAAAAAAAAAAAAAAAAAAAAAAAAA"'),
  'a token taken away': (header) => header.replace(/, oauth_token="[^"]*"/, ''),
  'an empty token': (header) => header.replace(/oauth_token="[^"]*"/, 'oauth_token=""'),
  'no signature': (header) => header.replace(/, oauth_signature="[^"]*"/, ''),
  'an empty signature': (header) => header.replace(/oauth_signature="[^"]*"/, 'oauth_signature=""'),
  'a signature of zeros': (header) =>
    header.replace(/oauth_signature="[^"]*"/, 'oauth_signature="AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D"'),
  'a signature cut short': (header) => header.replace(/oauth_signature="([^"]{4})[^"]*"/, 'oauth_signature="$1"'),
  'a signature with a character more': (header) => header.replace(/oauth_signature="([^"]*)"/, 'oauth_signature="$1A"'),
  'a signature in lower case': (header) =>
    header.replace(/oauth_signature="([^"]*)"/, (_all, value: string) => `oauth_signature="${value.toLowerCase()}x"`),
  'a signature of 5,000 characters': (header) =>
    header.replace(/oauth_signature="[^"]*"/, `oauth_signature="${'A'.repeat(5000)}"`),
  'no signature method': (header) => header.replace(/, oauth_signature_method="[^"]*"/, ''),
  'the method PLAINTEXT': (header, { app }) =>
    header
      .replace('HMAC-SHA1', 'PLAINTEXT')
      .replace(/oauth_signature="[^"]*"/, `oauth_signature="${encodeURIComponent(`${app.consumer.secret}&`)}"`),
  'the method RSA-SHA1': (header) => header.replace('HMAC-SHA1', 'RSA-SHA1'),
  'the method HMAC-SHA256': (header) => header.replace('HMAC-SHA1', 'HMAC-SHA256'),
  'the method in lower case': (header) => header.replace('HMAC-SHA1', 'hmac-sha1'),
  'the method none': (header) => header.replace('HMAC-SHA1', 'none'),
  'version 2.0': (header) => header.replace('oauth_version="1.0"', 'oauth_version="2.0"'),
  'an empty version': (header) => header.replace('oauth_version="1.0"', 'oauth_version=""'),
  'no nonce': (header) => header.replace(/, oauth_nonce="[^"]*"/, ''),
  'an empty nonce': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce=""'),
  'a nonce of 101 characters': (header) => header.replace(/oauth_nonce="[^"]*"/, `oauth_nonce="${'n'.repeat(101)}"`),
  'another nonce than was signed': (header) => header.replace(/oauth_nonce="[^"]*"/, 'oauth_nonce="another"'),
  'no timestamp': (header) => header.replace(/, oauth_timestamp="[^"]*"/, ''),
};

const timestamps = [
  '0',
  '-1',
  '1',
  'now',
  'NaN',
  'Infinity',
  '1e10',
  '0x65000000',
  '99999999999',
  '9999999999999',
  ' 1',
  '1.5',
  '١٢٣٤٥',
];

const protocolNames = [
  'oauth_consumer_key',
  'oauth_token',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_nonce',
  'oauth_version',
  'oauth_signature',
];

const spoiled: readonly Case[] = Object.entries(twists).map(([name, twist]) => ({
  name: `credentials: ${name}`,
  expect: REFUSED,
  bytes: (ground) =>
    rawRequest(
      'GET',
      ground.documents,
      twist(signed(ground, 'GET', ground.documents), ground) === ''
        ? {}
        : { Authorization: twist(signed(ground, 'GET', ground.documents), ground) },
    ),
}));

const dated: readonly Case[] = timestamps.map((timestamp) => ({
  name: `credentials: the timestamp ${timestamp}`,
  expect: REFUSED,
  bytes: (ground) =>
    rawRequest('GET', ground.documents, {
      Authorization: signed(ground, 'GET', ground.documents).replace(
        /oauth_timestamp="[^"]*"/,
        `oauth_timestamp="${encodeURIComponent(timestamp)}"`,
      ),
    }),
}));

const stale: readonly Case[] = [
  [-302, REFUSED],
  [302, REFUSED],
  [-86_400, REFUSED],
  [86_400, REFUSED],
  [-290, [200]],
  [290, [200]],
].map(([seconds, expect]) => ({
  name: `credentials: well signed ${Math.abs(seconds as number)} seconds ${(seconds as number) < 0 ? 'ago' : 'ahead'}`,
  expect: expect as number[],
  bytes: (ground) =>
    rawRequest('GET', ground.documents, {
      Authorization: signed(
        ground,
        'GET',
        ground.documents,
        {},
        { oauth_timestamp: String(Math.floor(Date.now() / 1000) + (seconds as number)) },
      ),
    }),
}));

const doubled: readonly Case[] = protocolNames.flatMap((name) => [
  {
    name: `credentials: ${name} twice in the header`,
    expect: REFUSED,
    bytes: (ground: Ground) => {
      const header = signed(ground, 'GET', ground.documents);
      return rawRequest('GET', ground.documents, {
        Authorization: `${header}, ${new RegExp(`${name}="[^"]*"`).exec(header)![0]}`,
      });
    },
  },
  {
    name: `credentials: ${name} also in the query`,
    expect: REFUSED,
    bytes: (ground: Ground) => {
      const path = `${ground.documents}?${name}=x`;
      return rawRequest('GET', path, { Authorization: signed(ground, 'GET', path) });
    },
  },
  {
    name: `credentials: ${name} also in the form`,
    expect: REFUSED,
    bytes: (ground: Ground) => {
      const form = { [name]: 'x', content: 'hello' };
      return rawRequest(
        'POST',
        `/records/${ground.recordId}/notify`,
        {
          Authorization: signed(ground, 'POST', `/records/${ground.recordId}/notify`, { content: 'hello' }),
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        new URLSearchParams(form).toString(),
      );
    },
  },
]);

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const XML = { 'Content-Type': 'application/xml' };
const note = '<note xmlns="urn:hostile"/>';

const moved: readonly Case[] = [
  {
    name: 'credentials: signed for GET, sent as DELETE',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('DELETE', ground.documents, { Authorization: signed(ground, 'GET', ground.documents) }),
  },
  {
    name: 'credentials: signed for another path',
    expect: REFUSED,
    bytes: (ground) => rawRequest('GET', ground.documents, { Authorization: signed(ground, 'GET', '/records/') }),
  },
  {
    name: 'credentials: signed for another host',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: authorizationHeader(ground.app, 'GET', `http://other.example${ground.documents}`),
      }),
  },
  {
    name: 'credentials: signed without the query',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', `${ground.documents}?limit=1`, { Authorization: signed(ground, 'GET', ground.documents) }),
  },
  {
    name: 'credentials: a query parameter taken away',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, { Authorization: signed(ground, 'GET', `${ground.documents}?limit=1`) }),
  },
  {
    name: 'credentials: a query parameter changed',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', `${ground.documents}?limit=2`, {
        Authorization: signed(ground, 'GET', `${ground.documents}?limit=1`),
      }),
  },
  {
    name: 'credentials: a query parameter doubled',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', `${ground.documents}?limit=1&limit=1`, {
        Authorization: signed(ground, 'GET', `${ground.documents}?limit=1`),
      }),
  },
  {
    name: 'credentials: a form parameter added',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest(
        'POST',
        '/oauth/request_token',
        { ...FORM, Authorization: signed(ground, 'POST', '/oauth/request_token', {}) },
        'svc_record_id=x',
      ),
  },
  {
    name: 'credentials: a form parameter changed',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest(
        'POST',
        '/oauth/request_token',
        { ...FORM, Authorization: signed(ground, 'POST', '/oauth/request_token', { svc_record_id: 'a' }) },
        'svc_record_id=b',
      ),
  },
  {
    name: 'credentials: the hash of another body',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest(
        'POST',
        ground.documents,
        {
          ...XML,
          Authorization: signed(
            ground,
            'POST',
            ground.documents,
            {},
            { oauth_body_hash: createHash('sha1').update('another').digest('base64') },
          ),
        },
        note,
      ),
  },
  {
    name: 'credentials: a body hash that is none',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest(
        'POST',
        ground.documents,
        { ...XML, Authorization: signed(ground, 'POST', ground.documents, {}, { oauth_body_hash: '!' }) },
        note,
      ),
  },
  {
    name: 'credentials: the content type of another body',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest(
        'POST',
        ground.documents,
        { ...XML, Authorization: signed(ground, 'POST', ground.documents, {}, { oauth_content_type: 'text/plain' }) },
        note,
      ),
  },
  {
    name: 'credentials: two Authorization lines, the first of nobody',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, [
        'Authorization: OAuth realm=""',
        `Authorization: ${signed(ground, 'GET', ground.documents)}`,
      ]),
  },
  {
    name: 'credentials: with the secret of another app',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(
          ground,
          'GET',
          ground.documents,
          {},
          {},
          { ...ground.app, consumer: { key: ground.app.consumer.key, secret: 'another' } },
        ),
      }),
  },
  {
    name: 'credentials: with the secret of another token',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(
          ground,
          'GET',
          ground.documents,
          {},
          {},
          { ...ground.app, token: { key: ground.app.token!.key, secret: 'another' } },
        ),
      }),
  },
  {
    name: 'credentials: the session of a person with the key of an app',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(ground, 'GET', ground.documents, {}, {}, { ...ground.app, token: ground.person.token! }),
      }),
  },
  {
    name: 'credentials: the token of an app with the key of the UI',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(ground, 'GET', ground.documents, {}, {}, { ...ground.person, token: ground.app.token! }),
      }),
  },
  {
    name: 'credentials: good ones with a realm',
    expect: [200],
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(ground, 'GET', ground.documents).replace('OAuth ', 'OAuth realm="anything", '),
      }),
  },
  {
    name: 'credentials: good ones, the scheme in lower case',
    expect: [200],
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(ground, 'GET', ground.documents).replace('OAuth ', 'oauth '),
      }),
  },
  {
    name: 'credentials: good ones without a version',
    expect: REFUSED,
    bytes: (ground) =>
      rawRequest('GET', ground.documents, {
        Authorization: signed(ground, 'GET', ground.documents).replace(/, oauth_version="1.0"/, ''),
      }),
  },
];

export const credentialCases: readonly Case[] = [...spoiled, ...dated, ...stale, ...doubled, ...moved];
