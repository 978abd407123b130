/**
 * cors: lets pages in browsers read the answers of this door if they are on an origin of the app's own redirect
 * addresses.
 */
import type { Request, ResponseObject } from '@hapi/hapi';
import { originHeaders } from '../../core/apps/client-origins';
import { callingOf } from '../../core/http/oauth-scheme';
import type { Services } from '../../core/services';

const EXPOSED = [
  'ETag, Last-Modified, Location, Content-Location, WWW-Authenticate, Retry-After, X-Progress, Expires',
  'Accept-Ranges, Content-Range, Content-Disposition, Allow, X-Request-Id',
].join(', ');
const METHODS = 'GET, HEAD, POST, DELETE';
const HEADERS = [
  'Authorization, Content-Type, Accept, Prefer, Cache-Control',
  'If-None-Match, If-Modified-Since, If-None-Exist, Range, If-Range, X-Medplum, X-Requested-With',
].join(', ');

/**
 * Headers for an answer of the door. The answer to a call with a token is for pages on the origins of its app. The
 * answer to a call without a token is for pages on the origins of any app, so that a page can read why the call failed.
 * @param open whether any page may read the answer
 */
export async function corsHeaders(
  services: Services,
  request: Request,
  open: boolean,
): Promise<Readonly<Record<string, string>>> {
  const { principal } = callingOf(request);
  const appId = !open && principal.kind === 'access_token' ? principal.app.id : undefined;
  const origin = request.headers.origin as string | undefined;
  const headers = await originHeaders(services, origin, { open, appId });
  return headers['access-control-allow-origin'] === undefined
    ? { vary: 'Origin' }
    : { vary: 'Origin', ...headers, 'access-control-expose-headers': EXPOSED };
}

/** The answer to a preflight. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': HEADERS,
  'access-control-max-age': '600',
};

export function withHeaders(response: ResponseObject, headers: Readonly<Record<string, string>>): ResponseObject {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary') {
      response.vary(value);
    } else {
      response.header(name, value);
    }
  }
  return response;
}
