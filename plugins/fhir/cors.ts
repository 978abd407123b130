/**
 * cors: lets pages in browsers read the answers of this door if they are on an origin of the app's own redirect
 * addresses.
 */
import type { Request, ResponseObject } from '@hapi/hapi';
import { isClientOrigin } from '../../core/apps/client-origins';
import { callingOf } from '../../core/http/oauth-scheme';
import type { Services } from '../../core/services';

const EXPOSED = [
  'ETag, Last-Modified, Location, Content-Location, WWW-Authenticate, Retry-After, X-Progress, Expires',
  'Accept-Ranges, Content-Range, Content-Disposition, Allow, X-Request-Id',
].join(', ');
const METHODS = 'GET, HEAD, POST, DELETE';
const HEADERS = [
  'Authorization, Content-Type, Accept, Prefer, Cache-Control',
  'If-None-Match, If-Modified-Since, If-None-Exist, Range, If-Range',
].join(', ');

/**
 * Whether pages of an origin may read the answer. For a call with a token these are pages on the origins of its app.
 * For a call without a token they are pages on the origins of any app, so that a page can read why the call failed.
 */
const isAllowed = (services: Services, request: Request, origin: string): Promise<boolean> => {
  const { principal } = callingOf(request);
  return isClientOrigin(services, origin, principal.kind === 'access_token' ? principal.app.id : undefined);
};

const originIn = (request: Request): string | undefined => request.headers.origin as string | undefined;

/** Headers for an answer of the door. @param open whether any page may read the answer, without credentials */
export const corsHeaders = async (
  services: Services,
  request: Request,
  open: boolean,
): Promise<Readonly<Record<string, string>>> => {
  if (open) {
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
  }
  const origin = originIn(request);
  if (origin === undefined) {
    return { vary: 'Origin' };
  }
  const allowed = await isAllowed(services, request, origin).catch(() => false);
  return {
    vary: 'Origin',
    ...(allowed ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED } : {}),
  };
};

/** The answer to a preflight. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': HEADERS,
  'access-control-max-age': '600',
};

export const withHeaders = (response: ResponseObject, headers: Readonly<Record<string, string>>): ResponseObject => {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary') {
      response.vary(value);
    } else {
      response.header(name, value);
    }
  }
  return response;
};
