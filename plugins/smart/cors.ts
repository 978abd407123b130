/** cors: tells browsers which pages may read the answers of this door. */
import type { Request, ResponseObject } from '@hapi/hapi';
import { isClientOrigin } from '../../core/apps/client-origins';
import { header } from '../../core/http/read-request';
import type { Services } from '../../core/services';

/**
 * Which pages may read an answer. `open`: any page, without credentials. `own`: the pages of apps. `none`: no page,
 * because no script needs it.
 */
export type Readers = 'open' | 'own' | 'none';

const EXPOSED = 'WWW-Authenticate, Retry-After';

/** Whether a page of this origin may read the answers. */
const admits = async (services: Services, origin: string): Promise<boolean> =>
  origin !== '' && isClientOrigin(services, origin).catch(() => false);

/** Sets the headers of CORS. @param refused the page is not one of the app's own, so it must not read the answer */
export const sayReaders = async (
  services: Services,
  request: Request,
  response: ResponseObject,
  readers: Readers,
  refused = false,
): Promise<ResponseObject> => {
  if (readers === 'open') {
    return response.header('access-control-allow-origin', '*');
  }
  if (readers === 'none') {
    return response;
  }
  response.vary('Origin');
  const origin = header(request, 'origin');
  return !refused && (await admits(services, origin))
    ? response.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED)
    : response;
};

/** The answer to a browser that asks whether its page may send a request. */
export const preflight = async (
  services: Services,
  request: Request,
  response: ResponseObject,
  readers: Readers,
): Promise<ResponseObject> => {
  await sayReaders(services, request, response, readers);
  return response.headers['access-control-allow-origin'] === undefined
    ? response
    : response
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'Authorization, Content-Type, Accept')
        .header('access-control-max-age', '600');
};
