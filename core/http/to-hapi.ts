/** to-hapi: turns one spec into one hapi route, which finds the caller, performs the operation and sends the reply. */
import { isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import { isForm, pairsOf } from '../auth/signature';
import { errors, type AppError } from '../base/errors';
import { requireUtf8, requireUtf8Form } from '../base/utf8';
import type { Config } from '../config/schema';
import { traced } from '../base/tracing';
import type { LazyServices, Services } from '../services';
import { writeXml } from '../xml/write';
import { admitWithoutBody, callingOf, type Calling } from './oauth-scheme';
import { perform, type Fields, type Noted } from './operation';
import { streamedBody } from './streamed-body';
import { bytesOf, header, lastOfEach, mediaTypeOf, queryFrom, rawQueryOf, requestFacts } from './read-request';
import { XML_TYPE } from './replies';
import type { ReplyBody, RouteSpec } from './route';
import { keepSpec, specIn } from './route-app';
import { wholeBody } from './whole-body';

/** Name of the strategy that the server gives the OAuth door. */
export const OAUTH = 'oauth';

/** What the audit hook needs to know of a request; it is filled in while the request is served. */
type RequestTrail = { readonly spec: RouteSpec; readonly calling: Calling; readonly noted: Noted };

type Kept = { noted?: Noted };

/** Adds facts to the audit row of a request. */
export function noteOn(request: Request, noted: Noted): void {
  const kept = request.app as Kept;
  kept.noted = { ...kept.noted, ...noted };
}

/** The trail of a routed request. */
export function trailOf(request: Request): RequestTrail | undefined {
  const spec = specIn<RouteSpec>(request.route.settings);
  return spec && { spec, calling: callingOf(request), noted: (request.app as Kept).noted ?? {} };
}

const FORM_BYTES = 65_536;
const TEXT_BYTES = 65_536;

function bodyLimit(spec: RouteSpec, config: Config): number {
  if (spec.body?.kind !== 'raw') {
    return FORM_BYTES;
  }
  switch (spec.body.limit) {
    case 'document':
      return config.maxDocumentBytes;
    case 'appDocument':
      return config.appDocumentBytes;
    case 'text':
      return TEXT_BYTES;
  }
}

/** A form call refuses a body that is not signed as a form: it neither reads it as a form nor ignores it. */
function sentBody(spec: RouteSpec, request: Request): Fields | Buffer | undefined {
  const bytes = bytesOf(request);
  if (spec.body?.kind !== 'form') {
    return bytes && spec.body?.kind === 'raw' && spec.body.limit === 'text' ? requireUtf8(bytes) : (bytes ?? undefined);
  }
  if (bytes && !isForm(mediaTypeOf(request), bytes)) {
    throw errors.invalidBody('this call takes form parameters: send them as application/x-www-form-urlencoded');
  }
  return lastOfEach(pairsOf(bytes === null ? '' : requireUtf8Form(bytes).toString('utf8')));
}

type Response = ReturnType<ResponseToolkit['response']>;

function dressed(response: Response, { headers = {} }: ReplyBody, spec: RouteSpec): Response {
  for (const [name, value] of Object.entries(headers)) {
    response.header(name, value);
  }
  return spec.deprecated ? response.header('deprecation', 'true') : response;
}

async function sendReply(h: ResponseToolkit, reply: ReplyBody, spec: RouteSpec): Promise<Response> {
  if (reply.kind === 'tree') {
    return dressed(h.response(wholeBody(writeXml(reply.root))).type(XML_TYPE), reply, spec);
  }
  const response =
    reply.kind === 'pieces'
      ? h.response(await streamedBody(reply.pieces))
      : h.response(reply.body).code(reply.status ?? 200);
  // The media type is sent exactly as given.
  response.type(reply.type).charset('');
  return dressed(response, reply, spec);
}

/** A list is never longer than the installation allows, so the reply of a paged call states the limit in force. */
function sayPage(response: Response, query: unknown, maxLimit: number): Response {
  const { limit, offset } = (query ?? {}) as { readonly limit?: unknown; readonly offset?: unknown };
  if (typeof limit === 'number') {
    response.header('x-limit', String(Math.min(limit, maxLimit)));
  }
  return typeof offset === 'number' ? response.header('x-offset', String(offset)) : response;
}

/**
 * A call that only reads runs while its nonce is being claimed. Its result or error is returned only after the claim.
 */
async function whileClaiming<T>(claimed: Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await claimed;
  }
}

function serve(spec: RouteSpec, { services }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    if (spec.method === 'GET' && !spec.access.ignoresCredentials) {
      await admitWithoutBody(request);
    }
    const { claimed } = callingOf(request);
    if (spec.method !== 'GET') {
      await traced('nonce', {}, () => claimed);
    }
    return whileClaiming(claimed, () => answerRequest(spec, services(), request, h));
  };
}

async function answerRequest(
  spec: RouteSpec,
  services: Services,
  request: Request,
  h: ResponseToolkit,
): Promise<Response> {
  const { principal, claimed } = callingOf(request);
  const facts = requestFacts(request);
  const { value, query } = await perform(
    spec,
    {
      principal,
      params: request.params as Fields,
      query: queryFrom(pairsOf(rawQueryOf(request))),
      body: () => sentBody(spec, request),
      request: facts,
      claimed,
      note: (noted) => noteOn(request, noted),
    },
    services,
  );
  return sayPage(await sendReply(h, spec.reply.from(value, facts), spec), query, services.config.maxLimit);
}

/**
 * Whether a body is so far over the limit that it is not received to its end. A body that is a little over it is, so
 * that the caller can read the answer.
 */
function farTooLarge(request: Request, limit: number): boolean {
  return Number(header(request, 'content-length')) > 8 * limit + 1_048_576;
}

function tooLarge(spec: RouteSpec, config: Config): AppError {
  // Other limits are fixed.
  const setting = spec.body?.kind === 'raw' && spec.body.limit === 'document' ? ' (SVC_MAX_DOCUMENT_BYTES)' : '';
  return errors.tooLarge(`a body of this call may have ${bodyLimit(spec, config)} bytes${setting}`);
}

/** Refuses a caller without valid credentials before reading the body, and a body that is far too large. */
function refuseEarly(spec: RouteSpec, { config }: LazyServices): Lifecycle.Method {
  return (request, h) => {
    if (request.headers.authorization === undefined && !spec.access.callers.includes('anonymous')) {
      throw errors.permissionDenied();
    }
    if (farTooLarge(request, bodyLimit(spec, config))) {
      throw tooLarge(spec, config);
    }
    return h.continue;
  };
}

/** Names the limit in the error: the framework knows that one was exceeded, but not which setting it is. */
function sayLimit(spec: RouteSpec, { config }: LazyServices): Lifecycle.Method {
  return (_request, _h, error) => {
    if (isBoom(error) && error.output.statusCode === 413) {
      throw tooLarge(spec, config);
    }
    throw error ?? errors.internal();
  };
}

/** The hapi route of a spec. HEAD is served as GET by hapi itself. */
export function toHapi(spec: RouteSpec, lazy: LazyServices): ServerRoute {
  return {
    method: spec.method,
    path: spec.path,
    handler: serve(spec, lazy),
    options: {
      app: keepSpec(spec),
      auth: spec.access.ignoresCredentials ? false : { strategy: OAUTH, payload: 'required' },
      ext: { onPreAuth: { method: refuseEarly(spec, lazy) } },
      ...(spec.method === 'GET'
        ? {}
        : {
            payload: {
              output: 'data',
              parse: false,
              maxBytes: bodyLimit(spec, lazy.config),
              timeout: lazy.config.bodySeconds * 1000,
              failAction: sayLimit(spec, lazy),
            },
          }),
    },
  };
}
