/**
 * serve: passes a request of this door to the authorization server and sends its answer, like every other answer of the
 * service, after its audit row.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { inject } from '@hapi/shot';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import { anybody } from '../../core/access/rules';
import type { BearerCaller } from '../../core/auth/bearer';
import { addressBucket, countFailure } from '../../core/auth/attempts';
import { publicPath } from '../../core/http/site-path';
import { logFailure } from '../../core/http/log-failure';
import { bytesOf, header, rawQueryOf } from '../../core/http/read-request';
import { behindDoors } from '../../core/http/replies';
import { AppError, errors } from '../../core/base/errors';
import type { Method, RouteSpec } from '../../core/http/route';
import { keepSpec } from '../../core/http/route-app';
import type { LazyServices, Services } from '../../core/services';
import { translate } from '../../core/db/db-errors';
import { nameCalling } from './audit';
import { preflight, sayReaders, type Readers } from './cors';
import { identifyByToken, keepProof, nameClient } from './proofs';
import { withClient } from './refreshing';
import { refusalPage } from './refusal';
import { authorizationServerOf, type AuthorizationServer } from './servers';

/** One address of this door. */
export type Address = {
  /** Its name in the audit log. */ readonly name: string;
  readonly methods: readonly Method[];
  readonly path: string;
  readonly summary: string;
  readonly readers: Readers;
  /** Whether the address is about nobody's data, so that a request leaves no row in the audit log. */
  readonly page?: boolean;
  /** Whether an app may prove itself there with one of its access tokens. */ readonly takesTokens?: boolean;
  /** Whether people open the address, so that an error that cannot be sent to the app is shown as a page. */
  readonly forPeople?: boolean;
};

function specOf({ name, path, summary, page }: Address, method: Method): RouteSpec {
  return {
    name,
    method,
    path,
    summary,
    access: anybody,
    reply: behindDoors<undefined>(),
    handle: () => Promise.reject(errors.notFound('path')),
    ...(page ? { page } : {}),
  };
}

const PASSED_ON = ['accept', 'authorization', 'content-type', 'cookie', 'origin', 'user-agent'] as const;

type Answered = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
  /** The request as the authorization server saw it. */ readonly made: object;
  readonly bearer?: BearerCaller;
};

/**
 * `form_post` needs a page with a script, and this service sends none. The mode is renamed, so that the app gets the
 * error for a mode that is not supported.
 */
const FORM_ANSWER = /(^|&)response_mode=form_post(?=&|$)/g;

/** The parameters of a request to the authorize address as a query, whether they came as a query or as a form. */
function asQuery(request: Request, { forPeople }: Address): string {
  if (!forPeople) {
    return rawQueryOf(request);
  }
  const asked = request.method === 'post' ? (bytesOf(request)?.toString('utf8') ?? '') : rawQueryOf(request);
  return asked.replace(FORM_ANSWER, '$1response_mode=form');
}

type Sent = {
  readonly form: Buffer | string;
  /** The app, if it has proven itself with an access token. */ readonly bearer?: BearerCaller;
};

/** The form of a request. An app that names itself in the header gets its form unchanged. */
async function readForm(services: Services, request: Request, { takesTokens }: Address): Promise<Sent> {
  const bytes = bytesOf(request) ?? Buffer.alloc(0);
  const text = bytes.toString('utf8');
  if (request.headers.authorization === undefined) {
    return { form: await withClient(services, text) };
  }
  const bearer = takesTokens ? await identifyByToken(services, request, text) : undefined;
  return bearer ? { form: nameClient(text, bearer.consumerKey), bearer } : { form: bytes };
}

async function pass(
  server: AuthorizationServer,
  services: Services,
  request: Request,
  address: Address,
): Promise<Answered> {
  const base = new URL(services.baseUrl());
  const query = asQuery(request, address);
  const asGet = address.forPeople || request.method !== 'post';
  const { form, bearer }: Sent = asGet ? { form: '' } : await readForm(services, request, address);
  const left = [...(asGet ? ['content-type'] : []), ...(bearer ? ['authorization'] : [])];
  const passedOn = PASSED_ON.filter((name) => request.headers[name] !== undefined && !left.includes(name));
  await server.expectNewKeys(form.toString());
  const answered = await inject(
    (made, response) => {
      (made as { baseUrl?: string }).baseUrl = publicPath(services.baseUrl());
      if (bearer) {
        keepProof(made, bearer.consumerKey);
      }
      void server.serve(made as unknown as IncomingMessage, response);
    },
    {
      method: asGet ? 'GET' : 'POST',
      url: `${request.path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...Object.fromEntries(passedOn.map((name) => [name, header(request, name)])),
        host: base.host,
        'x-forwarded-proto': base.protocol.replace(':', ''),
      },
      remoteAddress: request.callerAddress,
      ...(asGet ? {} : { payload: form }),
    },
  );
  const { statusCode, headers, payload, raw } = answered;
  return { status: statusCode, headers, body: payload, made: raw.req, ...(bearer ? { bearer } : {}) };
}

const KEPT = ['cache-control', 'location', 'www-authenticate'] as const;

/**
 * The only cookie that may be set is the one that recognizes the browser of the request. Nothing else about a person is
 * remembered.
 */
function cookiesOf(headers: OutgoingHttpHeaders): readonly string[] {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .filter((cookie) => cookie.startsWith('svc_smart_asked='));
}

function asResponse(h: ResponseToolkit, { status, headers, body }: Answered): ResponseObject {
  const response = h
    .response(body)
    .code(status)
    .type(String(headers['content-type'] ?? 'text/plain'));
  for (const name of KEPT.filter((one) => headers[one] !== undefined)) {
    response.header(name, String(headers[name]));
  }
  if (headers['cache-control'] === 'no-store') {
    // RFC 6749 (5.1) requires both headers with a token, and test kits of SMART check both.
    response.header('pragma', 'no-cache');
  }
  cookiesOf(headers).forEach((cookie) => response.header('set-cookie', cookie, { append: true }));
  return response;
}

type Kept = { noted?: { readonly recordId?: string } };

/** Wrong secrets and tokens are counted by the address that they come from. @throws errors.tooManyRequests */
async function countWrong(
  services: Services,
  request: Request,
  { status }: { readonly status: number },
): Promise<void> {
  if (status === 401) {
    const limit = services.config.rateAddressPerMinute;
    await countFailure(services, [addressBucket(limit, request.callerAddress)]);
  }
}

/** Whether a person reads the answer, and not an app. */
function isRead(request: Request, { forPeople = false }: Address): boolean {
  return forPeople && /\btext\/html\b/.test(header(request, 'accept'));
}

async function answerAddress(services: Services, request: Request, h: ResponseToolkit, address: Address) {
  const server = await authorizationServerOf(services);
  const answered = await pass(server, services, request, address).catch(async (error: unknown) => {
    await countWrong(services, request, error instanceof AppError ? error : { status: 500 });
    throw error;
  });
  const fault = server.faultOf(answered.made);
  if (fault !== undefined || answered.status >= 500) {
    throw fault instanceof Error ? fault : errors.internal();
  }
  const context = server.contextOf(answered.made);
  const { calling, recordId } = await nameCalling(services, context, answered.status, answered.bearer?.principal);
  request.auth.credentials = calling as typeof request.auth.credentials;
  (request.app as Kept).noted = recordId === undefined ? {} : { recordId };
  await countWrong(services, request, answered);
  const readable = answered.status >= 400 && isRead(request, address);
  const response = readable ? refusalPage(h, request, services, answered) : asResponse(h, answered);
  const refused = answered.headers['access-control-allow-origin'] === undefined;
  return sayReaders(services, request, response, address.readers, refused);
}

/** The error code of OAuth for a failure that the app did not cause (RFC 6749, 4.1.2.1 and 5.2). */
function refusalWord(status: number): string {
  if (status === 503 || status === 429) {
    return 'temporarily_unavailable';
  }
  if (status === 401) {
    return 'invalid_token';
  }
  return status < 500 ? 'invalid_request' : 'server_error';
}

function failureOf(
  h: ResponseToolkit,
  cause: unknown,
  page?: (failure: { readonly status: number; readonly body: string }) => ResponseObject,
): ResponseObject {
  const known = translate(cause);
  const failure = known instanceof AppError ? known : errors.internal();
  const { status } = failure;
  const body = JSON.stringify({ error: refusalWord(status), error_description: failure.message });
  const response = page?.({ status, body }) ?? h.response(body).code(status).type('application/json');
  Object.entries(failure.headers).forEach(([name, value]) => response.header(name, value));
  return response;
}

function serveSmart(address: Address, { services: find }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const services = find();
    try {
      return await answerAddress(services, request, h, address);
    } catch (error) {
      logFailure(services.log, { request: request.info.id, route: address.name }, error);
      const page = isRead(request, address)
        ? (failure: { readonly status: number; readonly body: string }) => refusalPage(h, request, services, failure)
        : undefined;
      return sayReaders(services, request, failureOf(h, error, page), address.readers);
    }
  };
}

const FORM_BYTES = 65_536;
const FORM_SECONDS = 20;

/** The hapi routes of an address. HEAD is served as GET by hapi itself. */
export function routesOf(address: Address, lazy: LazyServices): readonly ServerRoute[] {
  return [
    ...address.methods.map((method): ServerRoute => ({
      method,
      path: address.path,
      handler: serveSmart(address, lazy),
      options: {
        app: keepSpec(specOf(address, method)),
        auth: false,
        ...(method === 'POST'
          ? {
              payload: {
                output: 'data' as const,
                parse: false,
                maxBytes: FORM_BYTES,
                timeout: Math.min(FORM_SECONDS, lazy.config.bodySeconds) * 1000,
                failAction: (_request, h) =>
                  failureOf(h, errors.tooLarge(`a form has ${FORM_BYTES} bytes at most`)).takeover(),
              },
            }
          : {}),
      },
    })),
    ...(address.readers === 'none'
      ? []
      : [
          {
            method: 'OPTIONS' as const,
            path: address.path,
            options: { auth: false as const },
            handler: (request: Request, h: ResponseToolkit) =>
              preflight(lazy.services(), request, h.response().code(204), address.readers),
          },
        ]),
  ];
}
