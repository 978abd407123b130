/** index: FHIR R4 as a door: callers send a token of SMART, and the answers are resources. */
import type { Plugin, Server } from '@hapi/hapi';
import { errors } from '../../core/base/errors';
import type { Area } from '../../core/http/area';
import { BEARER, bearerScheme } from '../../core/http/bearer-scheme';
import { specIn } from '../../core/http/route-app';
import type { LazyServices } from '../../core/services';
import { addresses } from './addresses';
import { corsHeaders, preflightHeaders, withHeaders } from './cors';
import { answerFailure } from './failures';
import { noteKnock } from './knocks';
import { serveClinics } from './links/clinic-addresses';
import { LINK_PATH, linkAddresses } from './links/addresses';
import { FHIR_PATH, fhirRoute, isOpenPath } from './serve';
import { finderOf } from './shared-record';

const METHODS = ['get', 'post', 'delete'] as const;

/** The methods that an address answers. They depend on the routes alone, so they tell nothing about anybody's data. */
function allowed(server: Server, path: string): readonly string[] {
  return METHODS.filter((method) => {
    const found = server.match(method, path);
    return found !== null && specIn(found.settings) !== undefined;
  }).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
}

function answerPreflightsAndRefuseRest(server: Server, lazy: LazyServices): void {
  for (const path of [FHIR_PATH, `${FHIR_PATH}/{path*}`]) {
    server.route({
      method: 'OPTIONS',
      path,
      options: { auth: false },
      handler: async (request, h) => {
        const headers = await corsHeaders(lazy.services(), request, isOpenPath(request.path));
        const may = headers['access-control-allow-origin'] === undefined ? {} : preflightHeaders;
        return withHeaders(h.response().code(204), { ...headers, ...may });
      },
    });
    server.route({
      method: '*',
      path,
      options: { auth: false, payload: { output: 'stream', parse: false } },
      handler: (request) => {
        const methods = allowed(server, request.path);
        throw methods.length > 0 ? errors.methodNotAllowed(methods) : errors.notFound('address');
      },
    });
  }
}

/**
 * Addresses that a broader route would read as a type, or as a type and an id. They are refused without a query, so
 * that every link gets the same answer, whether it exists or not.
 */
const lookalikes = [
  { method: 'GET', path: LINK_PATH, answers: ['POST'] },
  { method: 'POST', path: '/metadata', answers: ['GET', 'HEAD'] },
] as const;

function refuseLookalikes(server: Server): void {
  return lookalikes.forEach(({ method, path, answers }) =>
    server.route({
      method,
      path: `${FHIR_PATH}${path}`,
      options: { auth: false },
      handler: () => {
        throw errors.methodNotAllowed(answers);
      },
    }),
  );
}

const plugin: Plugin<LazyServices> = {
  name: 'svc-fhir',
  register: (server, later) => {
    if (!later.config.fhir) {
      return;
    }
    server.auth.scheme(BEARER, bearerScheme(later, finderOf));
    server.auth.strategy(BEARER, BEARER);
    server.ext(
      'onPreAuth',
      (request, h) => {
        noteKnock(request);
        return h.continue;
      },
      { sandbox: 'plugin' },
    );
    server.ext('onPreResponse', answerFailure(later));
    server.route([...addresses, ...linkAddresses].map((address) => fhirRoute(address, later)));
    refuseLookalikes(server);
    serveClinics(server, later);
    answerPreflightsAndRefuseRest(server, later);
  },
};

/** The door has no operations of its own: it calls those of the other areas. */
export const fhir: Area = { name: 'fhir', routes: [], plugin };
