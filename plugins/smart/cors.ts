/** cors: tells browsers which pages may read the answers of this door. */
import type { Request, ResponseObject } from '@hapi/hapi';
import { originHeaders } from '../../core/apps/client-origins';
import { header } from '../../core/http/read-request';
import type { Services } from '../../core/services';

/**
 * Which pages may read an answer. `open`: any page. `own`: the pages of apps. `none`: no page,
 * because no script needs it.
 */
export type Readers = 'open' | 'own' | 'none';

const EXPOSED = 'WWW-Authenticate, Retry-After';

/** Sets the headers of CORS. @param refused the page is not one of the app's own, so it must not read the answer */
export async function sayReaders(
  services: Services,
  request: Request,
  response: ResponseObject,
  readers: Readers,
  refused = false,
): Promise<ResponseObject> {
  if (readers === 'none') {
    return response;
  }
  response.vary('Origin');
  const open = readers === 'open';
  const headers = refused && !open ? {} : await originHeaders(services, header(request, 'origin'), { open });
  Object.entries(headers).forEach(([name, value]) => response.header(name, value));
  return headers['access-control-allow-origin'] === undefined
    ? response
    : response.header('access-control-expose-headers', EXPOSED);
}

/** The answer to a browser that asks whether its page may send a request. */
export async function preflight(
  services: Services,
  request: Request,
  response: ResponseObject,
  readers: Readers,
): Promise<ResponseObject> {
  await sayReaders(services, request, response, readers);
  return response.headers['access-control-allow-origin'] === undefined
    ? response
    : response
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'Authorization, Content-Type, Accept, X-Medplum, X-Requested-With')
        .header('access-control-max-age', '600');
}
