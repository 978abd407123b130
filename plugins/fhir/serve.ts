/**
 * serve: makes a hapi route of an address of the FHIR door. The route finds the caller, reads the request, runs the
 * operation and writes the answer in the form that the request asks for.
 */
import { isBoom } from '@hapi/boom';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit, RouteOptions, ServerRoute } from '@hapi/hapi';
import { allows, type ScopeLetter } from '../../core/tokens/smart-scopes';
import { AppError, errors } from '../../core/base/errors';
import { textInSlices } from '../../core/base/turns/slices';
import type { Versioned } from '../../core/fhir/resource';
import { OF_RESOURCES, readShown } from './search/search-query';
import { shownOf } from './map/shown';
import { BEARER, smartPrincipalOf } from '../../core/http/bearer-scheme';
import { callingOf } from '../../core/http/oauth-scheme';
import { perform, type Fields } from '../../core/http/operation';
import { bytesOf, header, mediaTypeOf, rawQueryOf, requestFacts } from '../../core/http/read-request';
import type { RouteSpec, ValueOf } from '../../core/http/route';
import { keepSpec } from '../../core/http/route-app';
import { streamedBody } from '../../core/http/streamed-body';
import { noteOn } from '../../core/http/to-hapi';
import type { LazyServices, Services } from '../../core/services';
import { isKnown, validatorsOf } from './write/conditions';
import { corsHeaders, withHeaders } from './cors';
import { formWanted, typeOf, written, type Form } from './forms';
import { noteKnock } from './knocks';
import { sortOut, type Takes } from './parameters';

/** The path of the door below the public address. */
export const FHIR_PATH = '/fhir';

/** Whether the pages of any origin may read the answers of a path. */
export function isOpenPath(path: string): boolean {
  return (
    path === `${FHIR_PATH}/metadata` ||
    path.startsWith(`${FHIR_PATH}/.well-known/`) ||
    path.startsWith(`${FHIR_PATH}/links/`)
  );
}

/** A request with everything that is needed to answer it. */
export type Visit = {
  readonly request: Request;
  readonly h: ResponseToolkit;
  readonly services: Services;
  /** Address of the door. */
  readonly base: string;
  readonly query: URLSearchParams;
  /** Path parameters, and `TYPE` where the path fixes it. */
  readonly params: Fields;
  readonly accept: string;
  /** Runs an operation for whoever calls. */
  readonly ask: <S extends RouteSpec>(spec: S, input?: AskInput) => Promise<ValueOf<S>>;
};

export type AskInput = { readonly query?: Fields; readonly body?: Buffer | Fields; readonly params?: Fields };

export type Address = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path below `/fhir`. */
  readonly path: string;
  /** The operation whose name and path the audit row contains. */
  readonly spec: RouteSpec;
  /**
   * The letter of a SMART scope that the token needs for the type, or for any type where the path names none;
   * undefined: open to all.
   */
  readonly letter: ScopeLetter | undefined;
  /** The type, where the path does not say it; `*`: any type. */
  readonly type?: string;
  /** The most bytes that a body may have. */
  readonly bytes?: (config: LazyServices['config']) => number;
  /** The parameters of the query, unless `answer` checks them itself. A strict caller may send no others. */
  readonly takes?: Takes;
  readonly answer: (visit: Visit) => Promise<ResponseObject>;
};

export function formatOf(query: URLSearchParams): string | null {
  return query.get('_format');
}
export function formOf({ query, accept }: Pick<Visit, 'query' | 'accept'>): Form {
  return formWanted(formatOf(query), accept);
}

/** Sends a resource in the form that the request asks for. */
export async function sendBody({ h, query, accept }: Visit, resource: object, status = 200): Promise<ResponseObject> {
  const form = formOf({ query, accept });
  const body = await streamedBody(textInSlices(written(resource, form, query.get('_pretty') === 'true')));
  return withHeaders(h.response(body).code(status).type(typeOf(form)), { vary: 'Accept' });
}

/** Sends a resource with its validators (ETag and Last-Modified); 304 to a client that has this state already. */
export async function sendResource(visit: Visit, resource: Versioned): Promise<ResponseObject> {
  const { request, h, query } = visit;
  const validators = validatorsOf(resource);
  const known = isKnown(validators, header(request, 'if-none-match'), header(request, 'if-modified-since'));
  const response = known
    ? withHeaders(h.response().code(304), { vary: 'Accept' })
    : await sendBody(visit, shownOf(resource, readShown(query, OF_RESOURCES)));
  return withHeaders(response, {
    etag: validators.etag,
    ...(validators.lastModified === undefined ? {} : { 'last-modified': validators.lastModified }),
  });
}

/** Why the access rule refused a token: its scopes do not allow the call, or the access that it gave has ended. */
function scopeRefusal(request: Request, letter: ScopeLetter | undefined, type: string): AppError {
  const { scopes, carenetId, accountId } = smartPrincipalOf(request);
  if (letter === undefined) {
    return errors.permissionDenied();
  }
  const granted = type === '*' ? scopes.some(({ letters }) => letters.has(letter)) : allows(scopes, type, letter);
  if (!granted) {
    return errors.outsideScope(`${accountId === null ? 'system' : 'patient'}/${type}.${letter}`);
  }
  if (accountId === null) {
    // What was not shared with the app is as if it were not there.
    return letter === 'c' ? errors.permissionDenied() : errors.notFound('resource in a record that was shared');
  }
  return letter === 'c' && carenetId !== null ? errors.permissionDenied() : errors.noToken('invalid_token');
}

function asking({ letter, type }: Address, request: Request, services: Services, params: Fields): Visit['ask'] {
  return async (spec, { query = {}, body, params: more = {} } = {}) => {
    try {
      const { value } = await perform(
        spec,
        {
          principal: callingOf(request).principal,
          params: { ...params, ...more },
          query,
          body: () => body,
          request: requestFacts(request),
          claimed: callingOf(request).claimed,
          note: (noted) => noteOn(request, noted),
        },
        services,
      );
      return value;
    } catch (error) {
      noteKnock(request);
      throw error instanceof AppError && error.code === 'permission_denied' && callingOf(request).consumerKey !== null
        ? scopeRefusal(request, letter, params['TYPE'] ?? type ?? '*')
        : error;
    }
  };
}

function noteWhose(request: Request): void {
  const { recordId, carenetId } = smartPrincipalOf(request);
  // A call of an app itself may name no record.
  if (recordId === '') {
    return;
  }
  noteOn(request, { recordId, ...(carenetId === null ? {} : { carenetId }) });
}

function serveFhir(address: Address, { services: find }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const services = find();
    if (address.method === 'POST') {
      checkEncoding(request);
    }
    if (address.letter !== undefined) {
      noteWhose(request);
    }
    const query = new URLSearchParams(rawQueryOf(request));
    if (address.takes) {
      sortOut(request, query, address.takes, true);
    }
    const params: Fields = {
      ...(address.type === undefined ? {} : { TYPE: address.type }),
      ...(request.params as Fields),
    };
    const response = await address.answer({
      request,
      h,
      services,
      base: `${services.baseUrl()}${FHIR_PATH}`,
      query,
      params,
      accept: header(request, 'accept'),
      ask: asking(address, request, services, params),
    });
    return withHeaders(response, await corsHeaders(services, request, address.letter === undefined));
  };
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of a form. @throws errors.unsupportedType */
export function formFields(request: Request): URLSearchParams {
  const bytes = bytesOf(request);
  if (bytes !== null && mediaTypeOf(request) !== FORM_TYPE) {
    throw errors.unsupportedType([FORM_TYPE]);
  }
  return new URLSearchParams(bytes?.toString('utf8') ?? '');
}

const FORM_BYTES = 65_536;

/** hapi refuses a body that is too large without naming the limit; the answer names it. */
function sayLimit(bytes: number): Lifecycle.Method {
  return (_request, _h, error) => {
    if (isBoom(error) && error.output.statusCode === 413) {
      throw errors.tooLarge(`a body of this call may have ${bytes} bytes, decoded where it is encoded`);
    }
    if (isBoom(error) && error.message === 'Invalid compressed payload') {
      throw errors.invalidBody('it is not in the form that its Content-Encoding says');
    }
    throw error ?? errors.internal();
  };
}

/** The encodings of bodies that hapi decodes. It passes on bodies with any other encoding as they are. */
const ENCODINGS = ['gzip', 'deflate'];

/** @throws errors.unsupportedEncoding */
function checkEncoding(request: Request): void {
  const encoding = header(request, 'content-encoding');
  if (!['', 'identity', ...ENCODINGS].includes(encoding)) {
    throw errors.unsupportedEncoding(ENCODINGS);
  }
}

/**
 * With `gunzip`, hapi decodes the body while it reads it, after the caller was authenticated. It stops at the limit,
 * which is one of decoded bytes.
 */
function payloadOf(bytes: number, seconds: number): NonNullable<RouteOptions['payload']> {
  return {
    output: 'data',
    parse: 'gunzip',
    maxBytes: bytes,
    timeout: seconds * 1000,
    failAction: sayLimit(bytes),
  };
}

/** The hapi route of an address. HEAD is served as GET by hapi itself. */
export function fhirRoute(address: Address, lazy: LazyServices): ServerRoute {
  return {
    method: address.method,
    path: `${FHIR_PATH}${address.path}`,
    handler: serveFhir(address, lazy),
    options: {
      app: keepSpec(address.spec),
      auth: address.letter === undefined ? false : BEARER,
      ...(address.method === 'POST'
        ? { payload: payloadOf(address.bytes?.(lazy.config) ?? FORM_BYTES, lazy.config.bodySeconds) }
        : {}),
    },
  };
}
