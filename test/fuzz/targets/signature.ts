/** signature: feeds a request with its Authorization header. */
import {
  BadCredentials,
  baseString,
  expectedBase,
  pairsOf,
  parseAuthorization,
  verifyBody,
  verifySignature,
  type SignedRequest,
} from '../../../core/auth/signature';
import { must, orRefused, type Target } from './target';

const SECRETS = { consumerSecret: 'consumer secret', tokenSecret: 'token secret' };
const BASE = 'https://records.example';

/**
 * An input of this target has a line each for method and address, media type, and Authorization; then comes the body.
 */
const requestIn = (input: Buffer): SignedRequest => {
  const [first = '', mediaType = '', authorization, ...body] = input.toString('latin1').split('\n');
  const [, method = 'GET', address = ''] = /^(\S*) ?(.*)$/.exec(first) ?? [];
  const [rawPath = '', ...query] = address.split('?');
  return {
    method: method.toUpperCase(),
    rawPath,
    rawQuery: query.join('?'),
    authorization,
    mediaType,
    body: body.length === 0 ? null : Buffer.from(body.join('\n'), 'latin1'),
  };
};

type Pair = readonly [string, string];
const sorted = (pairs: readonly Pair[]): string => JSON.stringify(pairs.map((pair) => JSON.stringify(pair)).sort());

/** Two different requests never have the same base string: method, address and all pairs can be read back from it. */
const tellsAll = (method: string, address: string, pairs: readonly Pair[]): void => {
  const base = baseString(method, address, pairs);
  must(base === baseString(method, address, [...pairs].reverse()), 'the base string depends on the order of pairs');
  const parts = base.split('&').map(decodeURIComponent);
  must(parts.length === 3, 'the base string has not three parts');
  const found = (parts[2] === '' ? [] : parts[2]!.split('&')).map(
    (text): Pair => text.split('=').map(decodeURIComponent) as unknown as Pair,
  );
  must(parts[0] === method && parts[1] === address, 'the base string does not tell method and address');
  must(sorted(found) === sorted(pairs), 'the base string does not tell its pairs');
};

const isRefusal = (failure: unknown): boolean => failure instanceof BadCredentials;

export const target: Target = {
  name: 'signature',
  words: [
    'OAuth ',
    'realm="',
    'oauth_consumer_key="k"',
    'oauth_token="t"',
    'oauth_signature_method="HMAC-SHA1"',
    'oauth_signature="',
    'oauth_timestamp="1700000000"',
    'oauth_nonce="n"',
    'oauth_body_hash="',
    'oauth_verifier="',
    ', ',
    '%40',
    '%',
    '%c3',
    '+',
    '&',
    '=',
    '\\"',
    'application/x-www-form-urlencoded',
    '<a/>',
    '\u00ef\u00bb\u00bf',
  ],
  open: () =>
    Promise.resolve((input) => {
      const request = requestIn(input);
      const header = orRefused(() => parseAuthorization(request.authorization ?? ''), isRefusal);
      const pairs = [...pairsOf(request.rawQuery)];
      tellsAll(request.method, `${BASE}${request.rawPath}`, [...pairs, ...(header?.signed ?? [])]);
      if (header) {
        const fits = orRefused(() => verifySignature(request, header, BASE, SECRETS), isRefusal);
        must(fits !== true, 'a signature by chance fits');
        orRefused(() => verifyBody(request, header), isRefusal);
        orRefused(() => expectedBase(request, header, BASE), isRefusal);
      }
    }),
};
