/** to-hapi: one spec -> one hapi route: who is calling, may they, what did they send, the work, the reply. */
import { isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type Joi from 'joi';
import { permits } from '../access/rules';
import { stillPermits } from '../access/still-permits';
import type { Caller, Judged } from '../auth/caller';
import { anonymous, type Principal } from '../auth/principal';
import { isForm, pairsOf } from '../auth/signature';
import { errors, type AppError } from '../base/errors';
import type { Config } from '../config/schema';
import type { Later, Services } from '../services';
import { writeXml } from '../xml/write';
import { accountParameters } from './inputs';
import { bodyOfPieces } from './pieces';
import { XML_TYPE } from './replies';
import type { ReplyBody, RequestFacts, RouteSpec } from './route';

/** What the audit hook needs to know of a request, filled in while it is served. */
export type RequestTrail = {
  readonly spec: RouteSpec;
  principal: Principal;
  consumerKey: string | null;
  noted: { documentId?: string; recordId?: string };
};

const trails = new WeakMap<Request, RequestTrail>();

/** Requests whose head was judged, until their body is read. */
const judged = new WeakMap<Request, Judged>();

/** The trail of a routed request. */
export const trailOf = (request: Request): RequestTrail | undefined => {
  const spec = (request.route.settings.app as { spec?: RouteSpec } | undefined)?.spec;
  if (!spec) {
    return undefined;
  }
  let trail = trails.get(request);
  if (!trail) {
    trail = { spec, principal: anonymous, consumerKey: null, noted: {} };
    trails.set(request, trail);
  }
  return trail;
};

const FORM_BYTES = 65_536;
const TEXT_BYTES = 65_536;

const bodyLimit = (spec: RouteSpec, config: Config): number => {
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
};

const header = (request: Request, name: string): string => String(request.headers[name] ?? '');

const mediaTypeOf = (request: Request): string => header(request, 'content-type').split(';')[0]!.trim().toLowerCase();

const mediaParametersOf = (request: Request): string => /;.*$/.exec(header(request, 'content-type'))?.[0] ?? '';

const requestFacts = (request: Request): RequestFacts => ({
  isHead: request.method === 'head',
  accept: header(request, 'accept').toLowerCase(),
  mediaType: mediaTypeOf(request),
  mediaParameters: mediaParametersOf(request),
  ifNoneMatch: header(request, 'if-none-match'),
  ifMatch: header(request, 'if-match'),
  url: request.raw.req.url ?? '',
  ipAddress: request.info.remoteAddress,
  authorization: header(request, 'authorization'),
});

/** Path parameters as access rules and handlers see them: account ids in lower case. */
export const pathParams = (request: Request): Record<string, string> => {
  const params: Record<string, string> = { ...(request.params as Record<string, string>) };
  for (const name of accountParameters) {
    const value = params[name];
    if (value !== undefined) {
      params[name] = value.trim().toLowerCase();
    }
  }
  return params;
};

/** The last value of each parameter counts. */
const lastOfEach = (pairs: URLSearchParams): Record<string, string> => Object.fromEntries(pairs);

/** What was asked for, as received; scheme and host of an absolute form (RFC 9112 3.2.2) are no part of it. */
const targetOf = (request: Request): string => {
  const url = request.raw.req.url ?? '';
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
};

const rawQueryOf = (request: Request): string => {
  const url = targetOf(request);
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
};

const rawPathOf = (request: Request): string => targetOf(request).split('?')[0]! || '/';

const bytesOf = (request: Request): Buffer | null =>
  Buffer.isBuffer(request.payload) && request.payload.length > 0 ? request.payload : null;

const check = <T>(schema: Joi.ObjectSchema<T> | undefined, value: unknown): T => {
  if (!schema) {
    return value as T;
  }
  const { value: checked, error } = schema.validate(value, { convert: true, errors: { wrap: { label: false } } });
  if (error) {
    const detail = error.details[0]!;
    const name = detail.path.join('.') || 'input';
    throw ['any.required', 'string.empty'].includes(detail.type)
      ? errors.missingParameter(name)
      : errors.invalidParameter(name, detail.message.replace(`${name} `, ''));
  }
  return checked as T;
};

const bodyOf = (spec: RouteSpec, request: Request): unknown => {
  const bytes = bytesOf(request);
  if (!spec.body) {
    return undefined;
  }
  if (spec.body.kind === 'form') {
    // What the signature does not cover as a form is not read as one, nor passed over as if nothing had been sent.
    if (bytes && !isForm(mediaTypeOf(request), bytes)) {
      throw errors.invalidBody('this call takes form parameters: send them as application/x-www-form-urlencoded');
    }
    return check(spec.body.schema, lastOfEach(pairsOf(bytes?.toString('utf8') ?? '')));
  }
  return bytes ?? Buffer.alloc(0);
};

type Response = ReturnType<ResponseToolkit['response']>;

const dressed = (response: Response, { headers = {} }: ReplyBody, spec: RouteSpec): Response => {
  for (const [name, value] of Object.entries(headers)) {
    response.header(name, value);
  }
  return spec.deprecated ? response.header('deprecation', 'true') : response;
};

const send = async (h: ResponseToolkit, reply: ReplyBody, spec: RouteSpec): Promise<Response> => {
  if (reply.kind === 'tree') {
    return dressed(h.response(writeXml(reply.root)).type(XML_TYPE), reply, spec);
  }
  const response =
    reply.kind === 'pieces'
      ? h.response(await bodyOfPieces(reply.pieces))
      : h.response(reply.body).code(reply.status ?? 200);
  // The media type leaves as it is given.
  response.type(reply.type).charset('');
  return dressed(response, reply, spec);
};

/** A list is never longer than the installation allows: the reply of a paged call says how far its page can reach. */
const sayPage = (response: Response, query: unknown, maxLimit: number): Response => {
  const { limit, offset } = (query ?? {}) as { readonly limit?: unknown; readonly offset?: unknown };
  if (typeof limit === 'number') {
    response.header('x-limit', String(Math.min(limit, maxLimit)));
  }
  return typeof offset === 'number' ? response.header('x-offset', String(offset)) : response;
};

/** Who is asking as far as the head tells: whoever is refused here sends no body to the end. */
const judge = async (spec: RouteSpec, request: Request, services: Services): Promise<void> => {
  if (!spec.access.ignoresCredentials) {
    judged.set(
      request,
      await services.authenticate({
        method: request.method.toUpperCase(),
        rawPath: rawPathOf(request),
        rawQuery: rawQueryOf(request),
        authorization: request.headers.authorization as string | undefined,
        mediaType: mediaTypeOf(request),
      }),
    );
  }
};

const identify = async (request: Request, trail: RequestTrail): Promise<Pick<Caller, 'principal' | 'claimed'>> => {
  const caller = (await judged.get(request)?.admit(bytesOf(request))) ?? {
    principal: anonymous,
    consumerKey: null,
    claimed: Promise.resolve(),
  };
  trail.principal = caller.principal;
  trail.consumerKey = caller.consumerKey;
  return caller;
};

/** What only reads is worked on while its nonce is claimed; its outcome, good or bad, is told afterwards. */
const whileClaiming = async <T>(claimed: Promise<void>, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } finally {
    await claimed;
  }
};

const serve =
  (spec: RouteSpec, { services }: Later): Lifecycle.Method =>
  async (request, h) => {
    const trail = trailOf(request)!;
    const { principal, claimed } = await identify(request, trail);
    if (spec.method !== 'GET') {
      await claimed;
    }
    return whileClaiming(claimed, () => answer(spec, services(), { request, h, trail, principal, claimed }));
  };

type Serving = Pick<Caller, 'principal' | 'claimed'> & {
  readonly request: Request;
  readonly h: ResponseToolkit;
  readonly trail: RequestTrail;
};

const answer = async (
  spec: RouteSpec,
  services: Services,
  { request, h, trail, principal, claimed }: Serving,
): Promise<Response> => {
  const params = pathParams(request);
  if (!(await permits(spec.access, { principal, params, lookups: services.lookups }))) {
    throw errors.permissionDenied();
  }

  const facts = requestFacts(request);
  const checked = {
    params: check(spec.params, params),
    query: check<unknown>(spec.query, lastOfEach(pairsOf(rawQueryOf(request)))),
  };
  const value: unknown = await spec.handle({
    ...checked,
    body: bodyOf(spec, request),
    principal,
    services:
      spec.method === 'GET'
        ? services.after(claimed)
        : services.admitting(stillPermits(spec.access, { principal, params }, services.database)),
    request: facts,
    note: (noted) => {
      trail.noted = { ...trail.noted, ...noted };
    },
  });
  return sayPage(await send(h, spec.reply.from(value, facts), spec), checked.query, services.config.maxLimit);
};

/** A body a little over the limit is received to its end, so that the caller reads the answer; one far over it is not. */
const farTooLarge = (request: Request, limit: number): boolean =>
  Number(header(request, 'content-length')) > 8 * limit + 1_048_576;

/** Settings that say how much a body may have; the other limits are fixed. */
const limitSettings: Readonly<Record<string, string>> = {
  document: 'SVC_MAX_DOCUMENT_BYTES',
  appDocument: 'SVC_APP_DOCUMENT_BYTES',
};

const tooLarge = (spec: RouteSpec, config: Config): AppError => {
  const setting = spec.body?.kind === 'raw' ? limitSettings[spec.body.limit] : undefined;
  return errors.tooLarge(
    `a body of this call may have ${bodyLimit(spec, config)} bytes${setting === undefined ? '' : ` (${setting})`}`,
  );
};

/** A caller without good credentials is refused before its body is read, and so is a body that nobody would wait for. */
const refuseEarly =
  (spec: RouteSpec, { config, services }: Later): Lifecycle.Method =>
  async (request, h) => {
    if (request.headers.authorization === undefined && !spec.access.callers.includes('anonymous')) {
      throw errors.permissionDenied();
    }
    if (farTooLarge(request, bodyLimit(spec, config))) {
      throw tooLarge(spec, config);
    }
    await judge(spec, request, services());
    return h.continue;
  };

/** The framework knows of a limit, but not whose it is. */
const sayLimit =
  (spec: RouteSpec, { config }: Later): Lifecycle.Method =>
  (_request, _h, error) => {
    if (isBoom(error) && error.output.statusCode === 413) {
      throw tooLarge(spec, config);
    }
    throw error ?? errors.internal();
  };

/** The hapi route of a spec. HEAD is served as GET by hapi itself. */
export const toHapi = (spec: RouteSpec, later: Later): ServerRoute => ({
  method: spec.method,
  path: spec.path,
  handler: serve(spec, later),
  options: {
    app: { spec } as object,
    ext: { onPreAuth: { method: refuseEarly(spec, later) } },
    ...(spec.method === 'GET'
      ? {}
      : {
          payload: {
            output: 'data',
            parse: false,
            maxBytes: bodyLimit(spec, later.config),
            timeout: 60_000,
            failAction: sayLimit(spec, later),
          },
        }),
  },
});
