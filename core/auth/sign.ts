/** sign: signs requests as an app does, with oauth-1.0a, for the connect header, the demo and the tests. */
import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { percentEncode } from './signature';

type KeyPair = { readonly key: string; readonly secret: string };
/** An app's consumer pair, with or without a token pair. */
export type Signer = { readonly consumer: KeyPair; readonly token?: KeyPair };
type Parameters = Readonly<Record<string, string>>;

/**
 * The Authorization header of one call.
 * @param url absolute, with its query
 * @param form form parameters of the body, which are signed but not put into the header
 * @param extra further parameters for the header, such as oauth_verifier
 */
export function authorizationHeader(
  signer: Signer,
  method: string,
  url: string,
  form: Parameters = {},
  extra: Parameters = {},
): string {
  const oauth = new OAuth({
    consumer: { ...signer.consumer },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, key) => createHmac('sha1', key).update(text).digest('base64'),
  });
  const signed: unknown = oauth.authorize(
    { url, method, data: { ...form, ...extra } },
    signer.token && { ...signer.token },
  );
  // The library's own header leaves out all names that do not begin with oauth_.
  const header = Object.entries(signed as Record<string, string>).filter(
    ([name]) => name.startsWith('oauth_') || name in extra,
  );
  return `OAuth ${header.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`;
}
