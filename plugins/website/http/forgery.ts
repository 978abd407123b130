/** forgery: refuses forms that no page of this site sent, by their origin and by the crumb of the session. */
import { plugin as crumb } from '@hapi/crumb';
import type { Lifecycle, Request, Server } from '@hapi/hapi';
import { errors } from '../../../core/base/errors';
import type { LazyServices } from '../../../core/services';
import { CRUMB, cookieOptions, crumbOf, sessionCookie } from './cookies';
import { receiveForms } from './receive';
import { cookieOf, signedInPerson } from './session-scheme';
import { isWebsite } from './where';

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

/** Sandboxed pages send `null` as the origin; programs other than browsers may send none. */
function sameOrigin(request: Request, baseUrl: string): boolean {
  const origin = request.headers['origin'];
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) {
    return site === undefined || site === 'same-origin' || site === 'none';
  }
  const host = originHost(String(origin));
  return host !== undefined && (host === new URL(baseUrl).host || host === request.info.host);
}

/** While somebody is signed in, the crumb is the one of their session, whatever cookie was sent. */
function bindCrumb({ config, services }: LazyServices): Lifecycle.Method {
  return (request, h) => {
    if (!isWebsite(request)) {
      return h.continue;
    }
    if (request.method === 'post' && !sameOrigin(request, services().baseUrl())) {
      throw errors.permissionDenied();
    }
    const person = signedInPerson(request);
    const cookie = cookieOf(request, sessionCookie(config));
    if (person && cookie !== undefined) {
      const own = crumbOf(services().prove, cookie, person.principal.accountId);
      if (request.state[CRUMB] !== own) {
        if (request.method === 'post') {
          throw errors.permissionDenied();
        }
        request.state[CRUMB] = own;
        h.state(CRUMB, own);
      }
    }
    return h.continue;
  };
}

export async function guardForms(server: Server, lazy: LazyServices): Promise<void> {
  await server.register({
    plugin: crumb,
    options: {
      key: CRUMB,
      cookieOptions: cookieOptions(lazy.config),
      skip: (request: Request) => !isWebsite(request),
    },
  });
  server.ext('onPostAuth', bindCrumb(lazy), { before: '@hapi/crumb' });
  server.ext('onPostAuth', receiveForms(lazy), { before: '@hapi/crumb' });
}
