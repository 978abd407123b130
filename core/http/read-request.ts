/** read-request: reads a hapi request into the types that operations and audit rows use. */
import type { Request } from '@hapi/hapi';
import { accountParameters } from './inputs';
import type { Asker } from '../base/turns/turns';
import type { RequestFacts } from './route';

export function header(request: Request, name: string): string {
  return String(request.headers[name] ?? '');
}

export function mediaTypeOf(request: Request): string {
  return header(request, 'content-type').split(';')[0]!.trim().toLowerCase();
}

function mediaParametersOf(request: Request): string {
  return /;.*$/.exec(header(request, 'content-type'))?.[0] ?? '';
}

/**
 * Tells listeners that the connection of the caller has been closed, or that the answer has been sent. A page may read
 * more things at once than Node.js expects listeners of one response, so all of them hear through one.
 */
export function goneOf({ raw: { res } }: Request): NonNullable<Asker['onGone']> {
  const listeners = new Set<() => void>();
  return (listener) => {
    if (res.closed) {
      listener();
      return () => undefined;
    }
    if (listeners.size === 0) {
      res.once('close', tell);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) {
        res.off('close', tell);
      }
    };
  };

  function tell(): void {
    listeners.forEach((listener) => listener());
  }
}

export function requestFacts(request: Request): RequestFacts {
  return {
    isHead: request.method === 'head',
    accept: header(request, 'accept').toLowerCase(),
    mediaType: mediaTypeOf(request),
    mediaParameters: mediaParametersOf(request),
    ifNoneMatch: header(request, 'if-none-match'),
    ifMatch: header(request, 'if-match'),
    url: request.raw.req.url ?? '',
    ipAddress: request.callerAddress,
    onGone: goneOf(request),
    authorization: header(request, 'authorization'),
  };
}

/** Path parameters as access rules and handlers see them: account ids in lower case. */
export function foldedParams(given: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = { ...given };
  for (const name of accountParameters) {
    const value = params[name];
    if (value !== undefined) {
      params[name] = value.trim().toLowerCase();
    }
  }
  return params;
}

export function pathParams(request: Request): Record<string, string> {
  return foldedParams(request.params as Record<string, string>);
}

/** The last value of each parameter wins. */
export function lastOfEach(pairs: URLSearchParams): Record<string, string> {
  return Object.fromEntries(pairs);
}

/** All values of these parameters are used: a report may be asked for several ranges. */
const REPEATED = ['date_range', 'value_range'];

/** Parameters of a query. A range that occurs several times is a list. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** As `lastOfEach`, but with a list where a repeatable parameter occurs several times. */
export function queryFrom(pairs: URLSearchParams): Query {
  const query: Record<string, string | readonly string[]> = lastOfEach(pairs);
  for (const name of REPEATED) {
    const values = pairs.getAll(name);
    if (values.length > 1) {
      query[name] = values;
    }
  }
  return query;
}

/** The request target as received, without scheme and host if it has the absolute form (RFC 9112 3.2.2). */
function targetOf(request: Request): string {
  const url = request.raw.req.url ?? '';
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
}

export function rawQueryOf(request: Request): string {
  const url = targetOf(request);
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

export function rawPathOf(request: Request): string {
  return targetOf(request).split('?')[0]! || '/';
}

export function bytesOf(request: Request): Buffer | null {
  return Buffer.isBuffer(request.payload) && request.payload.length > 0 ? request.payload : null;
}
