/**
 * links-of-others: plays those who give links to people: a clinic or an app that serves manifests and encrypted files, and
 * an issuer of health cards with its keys.
 */
import { createSign, generateKeyPairSync, createCipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';

export type Asked = { readonly method: string; readonly url: string; readonly body: string; readonly cookie: string };
type Answer = { readonly status?: number; readonly type?: string; readonly body?: string; readonly location?: string };
type Answering = (asked: Asked) => Answer | ((response: ServerResponse) => void);

export type Giver = {
  readonly base: string;
  readonly host: string;
  /** What is answered at which path. */ readonly answers: Map<string, Answering>;
  readonly asked: Asked[];
  readonly close: () => Promise<void>;
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) {
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

export const startGiver = async (): Promise<Giver> => {
  const answers = new Map<string, Answering>();
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      body: await bodyOf(request),
      cookie: request.headers.cookie ?? '',
    };
    asked.push(one);
    const found = answers.get(one.url.split('?')[0]!)?.(one) ?? { status: 404 };
    if (typeof found === 'function') {
      found(response);
      return;
    }
    const { status = 200, type = 'application/jose', body = '', location } = found;
    response
      .writeHead(status, { 'content-type': type, 'set-cookie': 'a=b', ...(location ? { location } : {}) })
      .end(body);
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base: `http://${host}`,
    host,
    answers,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A file of a link. */
export const sealedFile = (
  content: string | Buffer,
  key: Buffer,
  { zip = false, cty = 'application/fhir+json' } = {},
) => {
  const head = base64url({ alg: 'dir', enc: 'A256GCM', cty, ...(zip ? { zip: 'DEF' } : {}) });
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(head));
  const plain = Buffer.from(content);
  const sealed = Buffer.concat([cipher.update(zip ? deflateRawSync(plain) : plain), cipher.final()]);
  return [head, '', ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
};

export const linkText = (payload: object, viewer = ''): string => `${viewer}shlink:/${base64url(payload)}`;

/** The last character of a ciphertext changed. */
export const damaged = (file: string): string => {
  const parts = file.split('.');
  const sealed = parts[3]!;
  parts[3] = `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`;
  return parts.join('.');
};

export type Issuer = { readonly iss: string; readonly kid: string; readonly key: KeyObject };

/** An issuer whose keys stand at the giver's address, unless they are not to be found. */
export const makeIssuer = ({ base, answers }: Giver, { lost = false } = {}): Issuer => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('hex');
  const path = `/issuer-${kid}`;
  if (!lost) {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' };
    answers.set(`${path}/.well-known/jwks.json`, () => ({
      type: 'application/json',
      body: JSON.stringify({ keys: [jwk] }),
    }));
  }
  return { iss: `${base}${path}`, kid, key: privateKey };
};

const signedBy = ({ key }: Pick<Issuer, 'key'>, head: object, payload: string): string => {
  const signed = `${base64url(head)}.${payload}`;
  const signature = createSign('sha256').update(signed).sign({ key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
};

/** What an app says, signed, of a Bundle that it has made: the Bundle's `meta`. */
export const attestedBy = ({ iss, kid, key }: Issuer, claims: object = {}) => {
  const payload = base64url({ iss, iat: 1_700_000_000, jti: randomBytes(8).toString('hex'), ...claims });
  return attestedAs(signedBy({ key }, { alg: 'ES256', kid }, payload));
};

export const attestedAs = (valueString: string) => ({
  meta: { extension: [{ url: 'https://cms.gov/fhir/StructureDefinition/app-attestation', valueString }] },
});

/** A card as a JWS. @param change of its text before it is signed */
export const cardOf = (
  { iss, kid, key }: Issuer,
  fhirBundle: object,
  more: object = {},
  change = (text: string): string => text,
): string => {
  const claims = {
    iss,
    nbf: 1_600_000_000,
    vc: { type: [], credentialSubject: { fhirVersion: '4.0.1', fhirBundle } },
    ...more,
  };
  const payload = deflateRawSync(Buffer.from(change(JSON.stringify(claims)))).toString('base64url');
  return signedBy({ key }, { alg: 'ES256', zip: 'DEF', kid }, payload);
};

/** The digits of a card, as they stand in a code. */
export const digitsOf = (card: string): string =>
  [...card].map((letter) => String(letter.charCodeAt(0) - 45).padStart(2, '0')).join('');

/** Answers with letters for as long as somebody listens. */
export function answerEndlessly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/jose' });
  const more = (): void => {
    let goesOn = true;
    while (goesOn) {
      goesOn = !response.destroyed && response.write('A'.repeat(65_536));
    }
  };
  response.on('drain', more);
  more();
}
