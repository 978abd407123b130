/** signed-urls: URLs of the website that an app signed with an access token (specification 5.6). */
import { createHmac } from 'node:crypto';
import { sameText } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import type { Call } from '../../core/http/route';

export type SignedUrl = { /** The signed URL as a whole; without it, the verify call itself is the signed one. */ url?: string };
export type Verdict = 'ok' | 'old' | 'mismatch';

const HOUR = 3_600_000;
const CLOCK_SKEW = 300_000;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?$/;

type Parts = { readonly signed: string; readonly signature: string; readonly token: string; readonly time: number };

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw errors.invalidParameter('surl_sig', 'its percent-encoding is broken');
  }
};

/** The signature is cut out of the text wherever it stands; the rest is what was signed. */
const split = (text: string): Parts => {
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
  if (Number.isNaN(time)) {
    throw errors.invalidParameter('surl_timestamp', 'it must be a UTC date-time');
  }
  return { signed, signature: decode(match[1] ?? ''), token, time };
};

const hmac = (key: string, text: string): string => createHmac('sha1', key).update(text).digest('base64');

/** The signature of a URL text that has its surl_timestamp and surl_token already. */
export const signUrl = (text: string, tokenSecret: string): string => hmac(hmac(tokenSecret, 'SURL-SECRET'), text);

/** `old` after an hour; `mismatch` unless the token lives, is the caller's or nobody's, and made the signature. */
export const verifySignedUrl = async ({ query, principal, services, request }: Call<unknown, SignedUrl>): Promise<Verdict> => {
  const { clock, database, stores, sealing } = services;
  const { signed, signature, token, time } = split(query.url ?? request.url);
  if (time < clock.now() - HOUR) {
    return 'old';
  }
  const row = await stores.tokens.findAccessToken(database.knex, sha256(token));
  const usable = row !== undefined && row.expiresAt > toTimestamp(clock.now()) && time <= clock.now() + CLOCK_SKEW
    && (row.accountId === null || (principal.kind === 'account' && row.accountId === principal.accountId));
  return usable && sameText(signUrl(signed, sealing.open(row.secret)), signature) ? 'ok' : 'mismatch';
};
