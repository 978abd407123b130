/** health-card: reads a SMART Health Card and checks who has signed it, with the keys that its issuer publishes. */
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { parse, stringify } from 'lossless-json';
import { LinkRefused } from './failures';
import { inflate } from './decrypt';
import { askGuarded, type Reach } from './guarded-request';

/** `checked`: the issuer's key has signed it. `unchecked`: the issuer's keys could not be read. */
export type Signature = 'checked' | 'unchecked' | 'wrong';

type HealthCard = {
  /** A Bundle in JSON, letter by letter as it was signed but for what is around it. */ readonly bundle: Buffer;
  /** The host of the issuer. */ readonly issuer: string;
  readonly signature: Signature;
  /** The day on which it expired; empty: it has not. */ readonly expired: string;
};

const MOST_OF_CARD = 1_000_000;
const MOST_OF_KEYS = 100_000;

type Claims = {
  readonly iss?: unknown;
  readonly exp?: unknown;
  readonly vc?: { readonly credentialSubject?: { readonly fhirBundle?: unknown } };
};
type Header = { readonly alg?: unknown; readonly kid?: unknown; readonly zip?: unknown };
type Key = JsonWebKey & { readonly kid?: unknown };

function parsed<T>(bytes: Buffer): T {
  try {
    return (JSON.parse(bytes.toString('utf8')) ?? {}) as T;
  } catch {
    throw new LinkRefused('none');
  }
}

/** The Bundle of a card with all digits of its numbers. @throws LinkRefused when it is nested too deep to be one */
function bundleIn(claims: Buffer): Buffer {
  try {
    const { vc } = parse(claims.toString('utf8')) as Claims;
    return Buffer.from(stringify(vc?.credentialSubject?.fhirBundle) ?? '', 'utf8');
  } catch {
    throw new LinkRefused('none');
  }
}

/** @returns undefined when they could not be read */
async function issuerKeys(issuer: string, reach: Reach): Promise<readonly Key[] | undefined> {
  try {
    const url = `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`;
    const asked = { url, method: 'GET', accept: 'application/json', mostBytes: MOST_OF_KEYS } as const;
    const { status, body } = await askGuarded(asked, reach);
    const { keys } = JSON.parse(body.toString('utf8')) as { readonly keys?: unknown };
    return status === 200 && Array.isArray(keys) ? (keys as readonly Key[]) : undefined;
  } catch {
    return undefined;
  }
}

function isSignedBy(key: Key, signed: string, signature: Buffer): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: key.x!, y: key.y! }, format: 'jwk' });
    return verify('sha256', Buffer.from(signed), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

/** Whether an issuer has signed a JWS. */
export async function checkSignature(jws: string, issuer: string, reach: Reach): Promise<Signature> {
  const [head = '', payload = '', signature = ''] = jws.split('.');
  const { alg, kid } = parsed<Header>(Buffer.from(head, 'base64url'));
  if (alg !== 'ES256') {
    return 'wrong';
  }
  const keys = await issuerKeys(issuer, reach);
  if (keys === undefined) {
    return 'unchecked';
  }
  const own = keys.filter((key) => typeof key === 'object' && key !== null && key.kid === kid);
  const bytes = Buffer.from(signature, 'base64url');
  return own.some((key) => isSignedBy(key, `${head}.${payload}`, bytes)) ? 'checked' : 'wrong';
}

function expiredOn(exp: unknown, now: number): string {
  return typeof exp === 'number' && Number.isFinite(exp) && exp * 1000 <= now && exp > 0
    ? new Date(exp * 1000).toISOString().slice(0, 10)
    : '';
}

/** @throws LinkRefused when it is not a card with health data */
export async function readCard(jws: string, now: number, reach: Reach): Promise<HealthCard> {
  const [head = '', payload = '', , ...more] = jws.trim().split('.', 4);
  if (head === '' || payload === '' || more.length > 0) {
    throw new LinkRefused('none');
  }
  const { zip } = parsed<Header>(Buffer.from(head, 'base64url'));
  const packed = Buffer.from(payload, 'base64url');
  const claims = zip === 'DEF' ? await inflate(packed, MOST_OF_CARD) : packed;
  const { iss, exp, vc } = parsed<Claims>(claims);
  const bundle = vc?.credentialSubject?.fhirBundle;
  if (typeof iss !== 'string' || !URL.canParse(iss) || typeof bundle !== 'object' || bundle === null) {
    throw new LinkRefused('empty');
  }
  return {
    bundle: bundleIn(claims),
    issuer: new URL(iss).host,
    signature: await checkSignature(jws.trim(), iss, reach),
    expired: expiredOn(exp, now),
  };
}

/** The cards in a file. @throws LinkRefused */
export function cardsInFile(content: Buffer): readonly string[] {
  const { verifiableCredential: cards } = parsed<{ readonly verifiableCredential?: unknown }>(content);
  if (!Array.isArray(cards) || cards.length === 0 || cards.some((card) => typeof card !== 'string')) {
    throw new LinkRefused('empty');
  }
  return cards as readonly string[];
}
