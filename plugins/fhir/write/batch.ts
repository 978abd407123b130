/**
 * batch: a Bundle of requests that do not depend on each other. What can be stored together is one document; otherwise
 * each entry is a request of its own, with its own access, answer and audit row.
 */
import type { Request, ServerInjectResponse } from '@hapi/hapi';
import { stringify } from 'lossless-json';
import { AppError, errors } from '../../../core/base/errors';
import { parseExactJson } from '../../../core/base/json';
import { filled, type Resource } from '../../../core/fhir/resource';
import { header } from '../../../core/http/read-request';
import { outcomeOf } from './outcome';

/** More entries than this are not performed one by one. */
const MOST_ENTRIES = 100;
/** A larger body is not taken apart in the event loop: it is stored as one document, or refused as a whole. */
const MOST_BYTES = 262_144;

/** A request of an entry. */
type Asked = {
  readonly method: string;
  readonly url: string;
  readonly ifNoneExist: string;
  readonly ifNoneMatch: string;
  readonly fullUrl: string;
  /** The resource as text; empty where there is none. */
  readonly body: string;
};

type Entry = {
  readonly fullUrl?: unknown;
  readonly resource?: unknown;
  readonly request?: Readonly<Record<string, unknown>>;
};

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function inJson(text: string): readonly Asked[] | undefined {
  let read: unknown;
  try {
    read = parseExactJson(text);
  } catch {
    return undefined;
  }
  const { resourceType, type, entry } = (read ?? {}) as Readonly<Record<string, unknown>>;
  if (resourceType !== 'Bundle' || type !== 'batch' || !Array.isArray(entry)) {
    return undefined;
  }
  return (entry as readonly (Entry | null)[]).map((one): Asked => {
    const { fullUrl, resource, request = {} } = one ?? {};
    return {
      method: stringOrEmpty(request['method']),
      url: stringOrEmpty(request['url']),
      ifNoneExist: stringOrEmpty(request['ifNoneExist']),
      ifNoneMatch: stringOrEmpty(request['ifNoneMatch']),
      fullUrl: stringOrEmpty(fullUrl),
      body: resource === undefined ? '' : (stringify(resource) ?? ''),
    };
  });
}

/** The requests of a batch in JSON; undefined for anything else, and for one that is too large to be taken apart. */
export function requestsIn(bytes: Buffer): readonly Asked[] | undefined {
  const text = bytes.length > MOST_BYTES ? '' : bytes.toString('utf8');
  return /"type"\s*:\s*"batch"/.test(text) ? inJson(text) : undefined;
}

/** Whether entries may be stored together: all of them only create, on no condition. */
export function areCreates(asked: readonly Asked[]): boolean {
  return asked.every(({ method, ifNoneExist }) => method === 'POST' && ifNoneExist === '');
}

/** Whether the reason for which a batch was refused may be that of one entry alone. */
export function mayBeOfOne(error: unknown, asked: readonly Asked[]): boolean {
  const urls = asked.map(({ fullUrl }) => fullUrl).filter((url) => url !== '');
  const isClear = new Set(urls).size === urls.length && urls.every((url) => !url.includes('/_history/'));
  return (
    asked.length > 0 &&
    isClear &&
    error instanceof AppError &&
    [400, 403, 404, 405, 409, 412, 422].includes(error.status)
  );
}

/** Reads, searches and creates; operations answer by themselves, because their answers may be of any size. */
const ADDRESS =
  /^(?:metadata|[A-Z][A-Za-z]{1,60}(?:\/(?!\.)[A-Za-z0-9.-]{1,64}(?:\/_history(?:\/(?!\.)[A-Za-z0-9.-]{1,64})?)?)?)(?:\?.*)?$/s;

/** What is created is sent to the address of its type, and to nothing behind it. */
const CREATED_AT = /^[A-Z][A-Za-z]{1,60}$/;

function relativeAddress({ method, url }: Asked, base: string): string | undefined {
  const relative = url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url.replace(/^\//, '');
  return (method === 'POST' ? CREATED_AT : ADDRESS).test(relative) ? relative : undefined;
}

/** Headers that say who asks, from where, and how answers are wanted. */
const PASSED = ['authorization', 'x-forwarded-for', 'user-agent', 'prefer'];

const JSON_TYPE = 'application/fhir+json';

function perform(request: Request, path: string, address: string, one: Asked): Promise<ServerInjectResponse> {
  const passed = PASSED.map((name) => [name, header(request, name)]).filter(([, value]) => value !== '');
  return request.server.inject({
    method: one.method,
    url: `${path}/${encodeURI(decodeURI(address))}`,
    remoteAddress: request.info.remoteAddress,
    headers: {
      ...(Object.fromEntries(passed) as Record<string, string>),
      accept: JSON_TYPE,
      ...(one.body === '' ? {} : { 'content-type': JSON_TYPE }),
      ...(one.ifNoneExist === '' ? {} : { 'if-none-exist': one.ifNoneExist }),
      ...(one.ifNoneMatch === '' ? {} : { 'if-none-match': one.ifNoneMatch }),
    },
    ...(one.body === '' ? {} : { payload: one.body }),
  });
}

function refused(status: string, text: string): object {
  return {
    response: { status, outcome: outcomeOf([{ severity: 'error', code: 'not-supported', text }]) },
  };
}

function answerEntry(base: string, answer: ServerInjectResponse, place: string): object {
  const body = answer.payload === '' ? undefined : (parseExactJson(answer.payload) as Resource);
  const isOutcome = body?.resourceType === 'OperationOutcome';
  const modified = String(answer.headers['last-modified'] ?? '');
  const { id, resourceType: type } = body ?? {};
  const outcome = isOutcome
    ? {
        ...body,
        issue: (body['issue'] as readonly object[]).map((issue) => ({ expression: [place], ...issue })),
      }
    : undefined;
  return filled({
    fullUrl: body && !isOutcome && typeof id === 'string' ? `${base}/${type}/${id}` : undefined,
    resource: isOutcome ? undefined : body,
    response: filled({
      status: `${answer.statusCode} ${answer.statusMessage}`,
      location: answer.headers['location'],
      etag: answer.headers['etag'],
      lastModified: modified === '' ? undefined : new Date(modified).toISOString(),
      outcome,
    }),
  });
}

/**
 * Performs the entries of a batch one after the other.
 * @param path the path of the door
 * @throws errors.unprocessable for too many entries
 */
export async function performEach(
  request: Request,
  { base, path }: { readonly base: string; readonly path: string },
  asked: readonly Asked[],
): Promise<Resource> {
  if (asked.length > MOST_ENTRIES) {
    throw errors.unprocessable(`a batch that does not only create has at most ${MOST_ENTRIES} entries`);
  }
  const entry: object[] = [];
  for (const [index, one] of asked.entries()) {
    const place = `Bundle.entry[${index}]`;
    const address = relativeAddress(one, base);
    entry.push(
      address === undefined
        ? refused('400 Bad Request', `${place} names no address of a batch: ask for it by itself`)
        : answerEntry(base, await perform(request, path, address, one), place),
    );
  }
  return { resourceType: 'Bundle', type: 'batch-response', entry };
}
