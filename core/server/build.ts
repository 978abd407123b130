/**
 * build: makes the HTTP server: it registers the areas, turns failures into replies, and audits and counts every reply.
 */
import { Readable } from 'node:stream';
import { server as hapiServer, type Request, type ResponseObject, type ResponseToolkit, type Server } from '@hapi/hapi';
import { auditReply } from '../http/audit-hook';
import { errors, type AppError } from '../base/errors';
import type { Area } from '../http/area';
import { holdSent } from '../http/held-bytes';
import { makeCallerAddress } from '../http/caller-address';
import { oauthScheme } from '../http/oauth-scheme';
import { logFailure } from '../http/log-failure';
import { requestId } from '../http/request-id';
import { specIn } from '../http/route-app';
import { auditFailure, toAppError } from '../http/to-app-error';
import { OAUTH, trailOf } from '../http/to-hapi';
import { isTracing, spanHere, traced } from '../base/tracing';
import type { LazyServices } from '../services';
import { errorReply } from './error-reply';
import { answerClientErrors } from './client-errors';
import { endSlowBodies } from './slow-bodies';
import { traceRequests } from './tracing';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The methods that a path answers; HEAD goes with GET. */
function allowedMethods(server: Server, path: string): readonly string[] {
  return METHODS.filter((method) => trailedMatch(server, method, path)).flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
}

function trailedMatch(server: Server, method: string, path: string): boolean {
  try {
    const found = server.match(method.toLowerCase() as 'get', path);
    return found !== null && specIn(found.settings) !== undefined;
  } catch {
    return false;
  }
}

function acceptHeader(request: Request): string {
  return String(request.headers.accept ?? '').toLowerCase();
}

function failureReply(h: ResponseToolkit, request: Request, failure: AppError): ResponseObject {
  const reply = errorReply(failure, acceptHeader(request));
  const response = h.response(reply.body).code(reply.status).type(reply.type);
  for (const [name, value] of Object.entries(reply.headers)) {
    response.header(name, value);
  }
  return response;
}

/** The policy for data. If a browser shows it as a page, the page runs nothing, loads nothing and is in no frame. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox";

/**
 * Health data must not stay in caches, and a browser must not guess what a stored document is, nor run it. A page of
 * the service itself has a policy of its own.
 */
function protect(response: ResponseObject): ResponseObject {
  return response
    .header('cache-control', 'no-store', { override: false })
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer', { override: false })
    .header('content-security-policy', DATA_POLICY, { override: false });
}

function whereOf(request: Request) {
  return { request: requestId(request), route: trailOf(request)?.spec.name };
}

/** Adds to the span what is known about a request after routing: its pattern, never its path. */
function nameSpan(request: Request, operation: string): void {
  const span = spanHere();
  const size = Number(request.headers['content-length']);
  span?.rename(`${request.method.toUpperCase()} ${request.route.path}`);
  span?.note({
    'http.route': request.route.path,
    'svc.operation': operation,
    'svc.request_id': requestId(request),
    ...(Number.isFinite(size) ? { 'http.request.body.size': size } : {}),
  });
}

/** The answer, or the refusal of a large one for which there is no room until it was sent. */
function withRoom(h: ResponseToolkit, request: Request, response: ResponseObject): ResponseObject {
  const { source } = response;
  const length = Buffer.isBuffer(source) || typeof source === 'string' ? source.length : 0;
  try {
    holdSent(request, request.callerAddress, length);
    return response;
  } catch (error) {
    return failureReply(h, request, toAppError(error as Error));
  }
}

function finish({ services: find }: LazyServices) {
  return async (request: Request, h: ResponseToolkit) => {
    const services = find();
    let response: ResponseObject;
    const given = request.response;
    if ('isBoom' in given || given instanceof Error) {
      const failure = toAppError(given);
      spanHere()?.fail(failure);
      logFailure(services.log, whereOf(request), given);
      response = failureReply(h, request, failure);
    } else {
      response = withRoom(h, request, given);
      if (response.source instanceof Readable) {
        // By then, the status has been sent, and the connection breaks.
        response.source.once('error', (error) => logFailure(services.log, whereOf(request), error));
      }
    }
    try {
      const type = String(response.headers['content-type'] ?? '');
      await traced('audit', {}, () => auditReply(services, request, response.statusCode, type));
    } catch (error) {
      // A reply whose audit row cannot be written is not sent.
      const failure = auditFailure(error);
      logFailure(services.log, whereOf(request), error);
      response = failureReply(h, request, failure);
    }
    const seconds = (Date.now() - request.info.received) / 1000;
    const name = trailOf(request)?.spec.name ?? 'none';
    nameSpan(request, name);
    services.metrics.observe(name, response.statusCode, seconds);
    services.log.debug(
      { request: requestId(request), route: name, method: request.method, status: response.statusCode, seconds },
      'request',
    );
    if (services.stopping()) {
      // Connections that are kept alive would delay the end of the service, and be cut off by it.
      response.header('connection', 'close');
    }
    return protect(response).header('x-request-id', requestId(request));
  };
}

/**
 * The server with every area registered, not yet listening. Hapi needs much time for all the routes, so they are made
 * before the services exist.
 * @param areas the areas of plugins/index.ts; they are passed in, because the server's floor does not know them by name
 */
export async function buildServer(lazy: LazyServices, areas: readonly Area[]): Promise<Server> {
  const server = hapiServer({
    host: lazy.config.host,
    port: lazy.config.port,
    router: { isCaseSensitive: true, stripTrailingSlash: false },
    // Only our own pages are compressed. Responses that mix secrets with a caller's input must not be (BREACH).
    compression: false,
    debug: false,
    // A partial reply would have another status than its audit row.
    routes: { state: { parse: false, failAction: 'ignore' }, response: { ranges: false } },
  });
  server.decorate('request', 'callerAddress', makeCallerAddress(lazy.config.trustedProxies), { apply: true });
  server.auth.scheme(OAUTH, oauthScheme(lazy));
  server.auth.strategy(OAUTH, OAUTH);
  for (const { plugin } of areas) {
    await server.register({ plugin, options: lazy });
  }
  server.route({
    method: '*',
    path: '/{path*}',
    options: { payload: { output: 'stream', parse: false } },
    handler: (request) => {
      const allow = allowedMethods(server, request.path);
      throw allow.length > 0 ? errors.methodNotAllowed(allow) : errors.notFound('path');
    },
  });
  server.ext('onPreResponse', finish(lazy));
  answerClientErrors(server);
  endSlowBodies(server, lazy.config.bodySeconds);
  if (isTracing()) {
    traceRequests(server);
  }
  return server;
}
