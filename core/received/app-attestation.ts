/**
 * app-attestation: reads which app says of a Bundle, signed, that it has made it. The signature is of no part of the Bundle,
 * so it tells no more than that. One that is missing, wrong or cannot be checked tells nothing, and stops nothing.
 */
import { APP_ATTESTATION } from './clinic-profile';
import type { Reach } from './guarded-request';
import { checkSignature } from './health-card';

/** The most bytes of the extension. */
const MOST_OF_EXTENSION = 5000;
/** A clock that is wrong by so much is no reason to distrust. */
const CLOCK_MILLISECONDS = 300_000;

type Extension = { readonly url?: unknown; readonly valueString?: unknown };
type Claims = { readonly iss?: unknown; readonly iat?: unknown; readonly jti?: unknown };

/** What its address ends with. Slashes may be written in two ways. */
const NAME = APP_ATTESTATION.slice(APP_ATTESTATION.lastIndexOf('/') + 1);

/**
 * The signed text in a Bundle. The extension holds no other object, so it is found by its braces: parsing a Bundle of 20 MB
 * would hold up everybody else.
 */
function attestationIn(bundle: Buffer): string | undefined {
  const at = bundle.indexOf(NAME);
  const begin = bundle.lastIndexOf('{', at);
  const end = bundle.indexOf('}', at);
  if (at < 0 || begin < 0 || end < 0 || end - begin > MOST_OF_EXTENSION) {
    return undefined;
  }
  const { url, valueString } = JSON.parse(bundle.subarray(begin, end + 1).toString('utf8')) as Extension;
  return url === APP_ATTESTATION && typeof valueString === 'string' ? valueString.trim() : undefined;
}

/** The app's address, if it may have signed this. */
function issuerIn(jws: string, now: number): string | undefined {
  const [, payload = '', ...more] = jws.split('.', 4);
  const { iss, iat, jti } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
  const isTimely = typeof iat === 'number' && iat > 0 && iat * 1000 <= now + CLOCK_MILLISECONDS;
  const isWhole = more.length === 1 && isTimely && typeof jti === 'string' && jti !== '';
  return isWhole && typeof iss === 'string' && URL.canParse(iss) ? iss : undefined;
}

/** The host of the app that has made a Bundle; empty unless its key has signed that. */
export async function appThatMade(bundle: Buffer, now: number, reach: Reach): Promise<string> {
  try {
    const jws = attestationIn(bundle);
    const issuer = jws === undefined ? undefined : issuerIn(jws, now);
    return issuer !== undefined && (await checkSignature(jws!, issuer, reach)) === 'checked'
      ? new URL(issuer).host
      : '';
  } catch {
    // What is wrong with it is nothing that the person could mend.
    return '';
  }
}
