/** signed-urls: URLs of the website that an app signed with an access token (specification 5.6). */
import { createHmac } from 'node:crypto';
import { sameText } from '../../core/auth/signature';
import { whyEnded } from '../../core/auth/tokens';
import { errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Standing } from '../../core/tokens/store';
import * as appStore from '../../core/apps/store';
import * as tokenStore from '../../core/tokens/store';

export type SignedUrl = {
  /** The whole signed URL. Without it, the URL of this very call is the signed one. */
  url?: string;
};
type Verdict = 'ok' | 'old' | 'mismatch';

const HOUR = 3_600_000;
const CLOCK_SKEW = 300_000;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?$/;

type Parts = { readonly signed: string; readonly signature: string; readonly token: string; readonly time: number };

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw errors.invalidParameter('surl_sig', 'its percent-encoding is broken');
  }
}

/**
 * Separates the signature from the rest of the URL, which is the text that was signed. @throws errors.missingParameter,
 * errors.invalidParameter
 */
function splitSignature(text: string): Parts {
  const match = /&surl_sig=([^&#]*)/.exec(text) ?? /(?<=\?)surl_sig=([^&#]*)&?/.exec(text);
  if (!match) {
    throw errors.missingParameter('surl_sig');
  }
  const signed = text.replace(match[0], '');
  const query = new URLSearchParams(signed.slice(signed.indexOf('?') + 1));
  const token = query.get('surl_token');
  const timestamp = query.get('surl_timestamp');
  if (!token || !timestamp) {
    throw errors.missingParameter(token ? 'surl_timestamp' : 'surl_token');
  }
  const time = DATE_TIME.test(timestamp) ? Date.parse(`${timestamp.replace(/Z$/, '').replace(' ', 'T')}Z`) : NaN;
  // `Date.parse` reads 31 November as 1 December.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(timestamp.slice(0, 10))) {
    throw errors.invalidParameter('surl_timestamp', 'it must be a UTC date-time');
  }
  return { signed, signature: decodeParameter(match[1] ?? ''), token, time };
}

function hmac(key: string, text: string): string {
  return createHmac('sha1', key).update(text).digest('base64');
}

/** The signature of a URL text that has its surl_timestamp and surl_token already. */
export function signUrl(text: string, tokenSecret: string): string {
  return hmac(hmac(tokenSecret, 'SURL-SECRET'), text);
}

/** The token with the state of its app and account. Every signed call reads it in the same way. */
async function findAccess({ database }: Services, tokenHash: string): Promise<Standing['access']> {
  const row = await tokenStore.findAccessToken(database.reads, tokenHash);
  const app = row && (await appStore.findUserApp(database.reads, row.appId));
  const [standing] = app
    ? await tokenStore.findStandings(database.reads, [{ consumerKey: app.consumerKey, tokenHash }])
    : [];
  return standing?.access ?? null;
}

/**
 * Checks a signed URL (specification 5.6). `old`: it was signed more than an hour ago. `ok`: the token is valid,
 * belongs to the calling account or to none, and made the signature. `mismatch`: everything else.
 */
export async function verifySignedUrl({
  query,
  principal,
  services,
  request,
}: Call<unknown, SignedUrl>): Promise<Verdict> {
  const { clock, sealing } = services;
  const { signed, signature, token, time } = splitSignature(query.url ?? request.url);
  if (time < clock.now() - HOUR) {
    return 'old';
  }
  const access = await findAccess(services, sha256(token));
  const usable =
    access !== null &&
    whyEnded(access, clock) === undefined &&
    time <= clock.now() + CLOCK_SKEW &&
    (access.accountId === null || (principal.kind === 'account' && access.accountId === principal.accountId));
  return usable && sameText(signUrl(signed, sealing.open(access.secret)), signature) ? 'ok' : 'mismatch';
}
