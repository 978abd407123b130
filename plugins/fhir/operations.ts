/**
 * operations: reads the parameters of operations from the address or from a Parameters resource, and streams their
 * answers.
 */
import { errors } from '../../core/base/errors';
import { textInSlices } from '../../core/base/turns/slices';
import type { Resource, Versioned } from '../../core/fhir/resource';
import type { Shown, Unused } from './search/search-query';
import { shownOf } from './map/shown';
import { resourceXmlPieces } from '../../core/fhir/json-to-xml';
import { escaped, resourcePieces } from '../../core/fhir/write';
import { bytesOf, mediaTypeOf } from '../../core/http/read-request';
import { streamedBody } from '../../core/http/streamed-body';
import { outcomeEntry, urlOf } from './bundles';
import { withHeaders } from './cors';
import { refuseOtherVersion, typeOf, type Form } from './forms';
import { FORM_TYPE, formFields, formOf, type Visit } from './serve';
import type { ResponseObject } from '@hapi/hapi';

type Parameter = { readonly name?: unknown; readonly [value: string]: unknown };

/** The value of a parameter of a Parameters resource, written as in the query of an address. */
const textOf = (parameter: Parameter): string => {
  const [, value] = Object.entries(parameter).find(([key]) => /^value[A-Z]/.test(key)) ?? [];
  if (typeof value === 'object' && value !== null) {
    const { system, code } = value as { readonly system?: unknown; readonly code?: unknown };
    return typeof system === 'string' ? `${system}|${String(code ?? '')}` : String(code ?? '');
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

const readParameters = (bytes: Buffer): URLSearchParams => {
  let read: unknown;
  try {
    read = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw errors.invalidBody('it is not well-formed JSON');
  }
  const { resourceType, parameter = [] } = (read ?? {}) as {
    readonly resourceType?: unknown;
    readonly parameter?: unknown;
  };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) {
    throw errors.invalidBody('it is not a Parameters resource');
  }
  return new URLSearchParams(
    (parameter as readonly (Parameter | null)[]).map((one): [string, string] => {
      const text = textOf(one ?? {});
      if (typeof one?.name !== 'string' || text === '') {
        throw errors.invalidBody('each parameter must have a name and a simple value or a Coding');
      }
      return [one.name, text];
    }),
  );
};

const jsonTypes = ['application/fhir+json', 'application/json'];

/**
 * The parameters of an operation, from the body of a POST or from the address. @throws errors.unsupportedType,
 * errors.invalidBody
 */
export const parametersOf = ({ request, query }: Visit): URLSearchParams => {
  const bytes = bytesOf(request);
  if (request.method !== 'post' || bytes === null) {
    return query;
  }
  refuseOtherVersion(request);
  const type = mediaTypeOf(request);
  if (![...jsonTypes, FORM_TYPE].includes(type)) {
    throw errors.unsupportedType([jsonTypes[0]!, FORM_TYPE]);
  }
  const given = type === FORM_TYPE ? formFields(request) : readParameters(bytes);
  return new URLSearchParams([...query, ...given]);
};

/** Writes a Bundle piece by piece. */
type Writer = {
  readonly head: string;
  /** The text before the first entry. */
  readonly begin: string;
  readonly match: (url: string, resource: Resource) => Generator<string>;
  readonly outcome: (resource: Resource) => Generator<string>;
  readonly between: string;
  readonly end: (any: boolean) => string;
};

function* enclosed(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* pieces;
  yield after;
}

const writers: Readonly<Record<Form, (self: string) => Writer>> = {
  json: (self) => ({
    head: `{"resourceType":"Bundle","type":"searchset","link":[{"relation":"self","url":${JSON.stringify(self)}}]`,
    match: (url, resource) =>
      enclosed(
        `{"fullUrl":${JSON.stringify(url)},"resource":`,
        resourcePieces(resource),
        ',"search":{"mode":"match"}}',
      ),
    outcome: (resource) => enclosed('{"resource":', resourcePieces(resource), ',"search":{"mode":"outcome"}}'),
    begin: ',"entry":[',
    between: ',',
    end: (any) => (any ? ']}' : '}'),
  }),
  xml: (self) => ({
    head:
      '<?xml version="1.0" encoding="UTF-8"?>\n<Bundle xmlns="http://hl7.org/fhir"><type ' +
      `value="searchset"/><link><relation value="self"/><url value="${escaped(self)}"/></link>`,
    match: (url, resource) =>
      enclosed(
        `<entry><fullUrl value="${escaped(url)}"/><resource>`,
        resourceXmlPieces(resource),
        '</resource><search><mode value="match"/></search></entry>',
      ),
    outcome: (resource) =>
      enclosed(
        '<entry><resource>',
        resourceXmlPieces(resource),
        '</resource><search><mode value="outcome"/></search></entry>',
      ),
    begin: '',
    between: '',
    end: () => '</Bundle>',
  }),
};

/** What a streamed Bundle contains in addition to its resources, and how it shows them. */
type Told = { readonly self: string; readonly shown: Shown; readonly unused: readonly Unused[] };

async function* bundlePieces(
  base: string,
  form: Form,
  { self, shown, unused }: Told,
  portions: AsyncGenerator<readonly Versioned[]>,
): AsyncGenerator<string> {
  const { head, begin, match, outcome, between, end } = writers[form](self);
  let any = false;
  const next = (entry: Iterable<string>): Iterable<string> => {
    const pieces = enclosed(any ? between : begin, entry, '');
    any = true;
    return pieces;
  };
  function* entriesOf(portion: readonly Versioned[]): Generator<string> {
    for (const resource of portion) {
      yield* next(match(urlOf(base, resource), shownOf(resource, shown)));
    }
  }
  yield head;
  for await (const portion of portions) {
    yield* textInSlices(entriesOf(portion));
  }
  const entry = outcomeEntry(unused);
  if (entry) {
    yield* textInSlices(next(outcome(entry.resource)));
  }
  yield end(any);
}

/** Sends a Bundle while its entries are still being read. */
export const streamBundle = async (
  visit: Visit,
  told: Told,
  portions: AsyncGenerator<readonly Versioned[]>,
): Promise<ResponseObject> => {
  const form = formOf(visit);
  const body = await streamedBody(bundlePieces(visit.base, form, told, portions));
  const response = visit.h.response(body).type(typeOf(form));
  return withHeaders(response, { vary: 'Accept' });
};
