/** signature: the OAuth 1.0a header and its HMAC-SHA1 signature (RFC 5849), as pure functions. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The parts of a request that are known before its body is read. */
export type SignedHead = {
  /** Upper case. */
  readonly method: string;
  /** Path as received, still percent-encoded, without the query. */
  readonly rawPath: string;
  /** Query as received, without the question mark. */
  readonly rawQuery: string;
  readonly authorization: string | undefined;
  /** Declared media type without parameters, lower case; empty when absent. */
  readonly mediaType: string;
};

/** The parts of a request that a signature covers. */
export type SignedRequest = SignedHead & {
  /** Null when there is no body. */
  readonly body: Buffer | null;
};

/** Why credentials are refused: for the log only, never for the caller. */
export class BadCredentials extends Error {}

type Pair = readonly [name: string, value: string];

export type OAuthHeader = {
  readonly consumerKey: string;
  /** Null when the request is signed with the consumer's key only; a blank token is treated as none. */
  readonly token: string | null;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  /** All parameters of the header except realm and oauth_signature. */
  readonly signed: readonly Pair[];
  /** Parameters by name. */
  readonly values: ReadonlyMap<string, string>;
};

/** One parameter and the comma after it; only a realm may contain commas and escaped quotes. */
const PARAMETER = /\s*([A-Za-z0-9._~%-]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|$)/y;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadCredentials('the header has broken percent-encoding');
  }
}

/** RFC 3986 encoding with upper-case hex digits, as RFC 5849 3.6 asks. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function readParameters(header: string): Map<string, string> {
  const scheme = /^OAuth(?:\s+|$)/i.exec(header);
  if (!scheme) {
    throw new BadCredentials('the header is not of the OAuth scheme');
  }
  const values = new Map<string, string>();
  PARAMETER.lastIndex = scheme[0].length;
  for (let more = true; more;) {
    const match = PARAMETER.exec(header);
    if (!match) {
      throw new BadCredentials('the header is malformed');
    }
    const name = decode(match[1]!);
    if (values.has(name)) {
      throw new BadCredentials(`the header has ${name} twice`);
    }
    values.set(name, name === 'realm' ? match[2]! : decode(match[2]!));
    more = match[3] === ',';
  }
  return values;
}

function required(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (!value) {
    throw new BadCredentials(`the header has no ${name}`);
  }
  return value;
}

/**
 * Reads an Authorization header (specification 5.1).
 * @throws BadCredentials when it is malformed, repeats a parameter, lacks one, or names another method or version
 */
export function parseAuthorization(header: string): OAuthHeader {
  const values = readParameters(header);
  if (values.get('oauth_signature_method') !== 'HMAC-SHA1') {
    throw new BadCredentials('the signature method is not HMAC-SHA1');
  }
  if ((values.get('oauth_version') ?? '1.0') !== '1.0') {
    throw new BadCredentials('the OAuth version is not 1.0');
  }
  return {
    consumerKey: required(values, 'oauth_consumer_key'),
    token: values.get('oauth_token') || null,
    timestamp: required(values, 'oauth_timestamp'),
    nonce: required(values, 'oauth_nonce'),
    signature: required(values, 'oauth_signature'),
    signed: [...values].filter(([name]) => name !== 'realm' && name !== 'oauth_signature'),
    values,
  };
}

/** One parameter of a header that was accepted already; undefined when it is absent. */
export function headerParameter(authorization: string, name: string): string | undefined {
  return readParameters(authorization).get(name);
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const LESS_THAN = 0x3c;

/** True when the body may turn out to be form parameters once it is read. */
export function mayBeForm(mediaType: string): boolean {
  return mediaType === FORM_TYPE;
}

const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A byte order mark and the first character of XML, in UTF-16. */
const UTF_16_STARTS = [Buffer.from([0xff, 0xfe, LESS_THAN, 0]), Buffer.from([0xfe, 0xff, 0, LESS_THAN])];

/** Whether a body begins like XML, as no form does. */
export function startsLikeXml(body: Buffer): boolean {
  const text = body.subarray(0, UTF_8_MARK.length).equals(UTF_8_MARK) ? body.subarray(UTF_8_MARK.length) : body;
  return (
    text.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) === LESS_THAN ||
    UTF_16_STARTS.some((start) => body.subarray(0, start.length).equals(start))
  );
}

/** True when the body is treated as form parameters. Old clients declare XML as a form, too. */
export function isForm(mediaType: string, body: Buffer | null): body is Buffer {
  return body !== null && mayBeForm(mediaType) && !startsLikeXml(body);
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** RFC 5849 3.4.1: method, address and sorted parameters. */
export function baseString(method: string, url: string, parameters: readonly Pair[]): string {
  const encoded = parameters.map(([name, value]): Pair => [percentEncode(name), percentEncode(value)]);
  const sorted = encoded.sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]));
  return [method, url, sorted.map(([name, value]) => `${name}=${value}`).join('&')].map(percentEncode).join('&');
}

/** The HMAC-SHA1 in base64 (RFC 5849 3.4.2). */
export function sign(base: string, consumerSecret: string, tokenSecret: string): string {
  return createHmac('sha1', `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`)
    .update(base)
    .digest('base64');
}

/** Compares in constant time, wherever the texts differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}

const protocolNames = new Set([
  'oauth_consumer_key',
  'oauth_token',
  'oauth_signature_method',
  'oauth_signature',
  'oauth_timestamp',
  'oauth_nonce',
  'oauth_version',
]);

/** Names and values of a query or a form; URLSearchParams alone would drop a question mark at its start. */
export function pairsOf(text: string): URLSearchParams {
  return new URLSearchParams(`&${text}`);
}

function signedPairs(request: SignedRequest, header: OAuthHeader): readonly Pair[] {
  const outside = [
    ...pairsOf(request.rawQuery),
    ...(isForm(request.mediaType, request.body) ? pairsOf(request.body.toString('utf8')) : []),
  ];
  const stray = outside.find(([name]) => protocolNames.has(name));
  if (stray) {
    throw new BadCredentials(`${stray[0]} stands outside the header`);
  }
  // Some clients repeat oauth_callback or oauth_verifier of the header in the form, and sign it once.
  return [
    ...header.signed,
    ...outside.filter(([name, value]) => !name.startsWith('oauth_') || header.values.get(name) !== value),
  ];
}

/**
 * The address that is signed: scheme and host in lower case without a default port, then the path as it is (RFC 5849
 * 3.4.1.2).
 */
function signedAddress(baseUrl: string, path: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/$/, '')}${path}`;
}

type Secrets = { readonly consumerSecret: string; readonly tokenSecret: string };

/**
 * True when the signature fits the request. Old clients put a bare @ into the path, so a path with %40 is tried in that
 * form as well.
 * @param baseUrl the public address of this service
 * @throws BadCredentials when protocol parameters are outside the header
 */
export function verifySignature(
  request: SignedRequest,
  header: OAuthHeader,
  baseUrl: string,
  secrets: Secrets,
): boolean {
  const pairs = signedPairs(request, header);
  const paths = [...new Set([request.rawPath, request.rawPath.replaceAll('%40', '@')])];
  return paths.some((path) => {
    const base = baseString(request.method, signedAddress(baseUrl, path), pairs);
    return sameText(sign(base, secrets.consumerSecret, secrets.tokenSecret), header.signature);
  });
}

/** Values of a base string that are neither secrets nor anybody's data. */
const OPEN_VALUES = new Set([
  'oauth_consumer_key',
  'oauth_signature_method',
  'oauth_timestamp',
  'oauth_nonce',
  'oauth_version',
  'oauth_body_hash',
]);
/** Names of values that may be secrets, of which not even the length is shown. */
const SECRET_NAMES = /password|secret|token|verifier|^(old|new)$/i;
const SECRET_SEGMENTS = /(\/(?:initialize|check-secrets|request_tokens)\/)[^/]+/;

/** Masks a value so that its encoding can be seen, but not its content. */
function masked(value: string): string {
  return value.replace(/[\p{L}\p{N}]/gu, 'x');
}

/**
 * The base string that should have been signed, for the log. Values that come from the request are masked by writing
 * letters and digits as `x`; secrets become `***`.
 */
export function expectedBase(request: SignedRequest, header: OAuthHeader, baseUrl: string): string {
  const shown = signedPairs(request, header).map(([name, value]): Pair => {
    if (OPEN_VALUES.has(name)) {
      return [name, value];
    }
    return [name, SECRET_NAMES.test(name) ? '***' : masked(value)];
  });
  return baseString(
    request.method,
    signedAddress(
      baseUrl,
      request.rawPath.replace(SECRET_SEGMENTS, (_, before: string) => `${before}***`),
    ),
    shown,
  );
}

/**
 * Checks oauth_body_hash and oauth_content_type where they are given.
 * @throws BadCredentials when one does not fit the body
 */
export function verifyBody({ body, mediaType }: SignedRequest, { values }: OAuthHeader): void {
  const hash = values.get('oauth_body_hash');
  const type = values.get('oauth_content_type');
  if (
    hash !== undefined &&
    !sameText(
      createHash('sha1')
        .update(body ?? '')
        .digest('base64'),
      hash,
    )
  ) {
    throw new BadCredentials('the body hash does not fit the body');
  }
  if (type !== undefined && type.split(';')[0]!.trim().toLowerCase() !== mediaType) {
    throw new BadCredentials('the signed content type is not that of the body');
  }
}
