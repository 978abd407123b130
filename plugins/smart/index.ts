/**
 * index: SMART authorization as a door: apps are sent here, people answer on the website, tokens open the FHIR door.
 */
import type { Plugin, Request, ResponseToolkit } from '@hapi/hapi';
import { errors } from '../../core/base/errors';
import type { Area } from '../../core/http/area';
import type { LazyServices } from '../../core/services';
import { addresses, OPENID, SMART } from './addresses';
import { preflight, sayReaders } from './cors';
import { smartConfiguration } from './discovery';
import { routesOf, type Address } from './serve';

const served: readonly Address[] = [
  {
    name: 'smart_authorize',
    methods: ['GET', 'POST'],
    path: addresses.authorization,
    summary: 'An app asks a person to let it in',
    readers: 'none',
    forPeople: true,
  },
  {
    name: 'smart_authorize_answer',
    methods: ['GET'],
    path: `${addresses.authorization}/{SMART_REQUEST}`,
    summary: 'The answer of the person goes back to the app',
    readers: 'none',
    forPeople: true,
  },
  {
    name: 'smart_token',
    methods: ['POST'],
    path: addresses.token,
    summary: 'Tokens for a code or a refresh token',
    readers: 'own',
  },
  {
    name: 'smart_revoke',
    methods: ['POST'],
    path: addresses.revocation,
    summary: 'An app gives back what it was given',
    readers: 'own',
  },
  {
    name: 'smart_introspect',
    methods: ['POST'],
    path: addresses.introspection,
    summary: 'What a token of the app is good for now',
    readers: 'own',
    takesTokens: true,
  },
  {
    name: 'smart_userinfo',
    methods: ['GET', 'POST'],
    path: addresses.userinfo,
    summary: 'Who has signed in',
    readers: 'own',
  },
  {
    name: 'smart_keys',
    methods: ['GET'],
    path: addresses.jwks,
    summary: 'The keys that sign id tokens',
    readers: 'open',
    page: true,
  },
  {
    name: 'smart_openid',
    methods: ['GET'],
    path: OPENID,
    summary: 'Discovery of OpenID Connect',
    readers: 'open',
    page: true,
  },
];

const plugin: Plugin<LazyServices> = {
  name: 'svc-smart',
  register: (server, later) => {
    const { config, services } = later;
    if (!config.fhir) {
      return;
    }
    if (!config.website) {
      // Without the website no person can be asked. Without this route the FHIR door would treat the address as that of
      // a resource.
      server.route({
        method: 'GET',
        path: SMART,
        options: { auth: false },
        handler: () => {
          throw errors.notFound('path');
        },
      });
      return;
    }
    server.route(served.flatMap((address) => [...routesOf(address, later)]));
    server.route({
      method: 'GET',
      path: SMART,
      options: { auth: false },
      handler: async (request: Request, h: ResponseToolkit) => {
        // The answer is JSON whatever the request accepts, as the guide requires.
        const found = h.response(await smartConfiguration(services())).type('application/json');
        return sayReaders(services(), request, found, 'open');
      },
    });
    server.route({
      method: 'OPTIONS',
      path: SMART,
      options: { auth: false },
      handler: (request: Request, h: ResponseToolkit) => preflight(services(), request, h.response().code(204), 'open'),
    });
    server.route({
      method: '*',
      path: SMART,
      options: { auth: false },
      handler: () => {
        throw errors.methodNotAllowed(['GET', 'HEAD']);
      },
    });
  },
};

/** The door has no operations of its own. */
export const smart: Area = { name: 'smart', routes: [], plugin };
