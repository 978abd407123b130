/**
 * operations: reads the parameters of operations from the address or from a Parameters resource, and streams their
 * answers.
 */
import { errors } from '../../core/base/errors';
import type { Versioned } from '../../core/fhir/resource';
import { bytesOf, mediaTypeOf } from '../../core/http/read-request';
import { streamedBody } from '../../core/http/streamed-body';
import { bundlePieces, type Told } from './bundle-pieces';
import { withHeaders } from './cors';
import { refuseOtherVersion, typeOf } from './forms';
import { FORM_TYPE, formFields, formOf, type Visit } from './serve';
import type { ResponseObject } from '@hapi/hapi';

type Parameter = { readonly name?: unknown; readonly [value: string]: unknown };

/** A Coding as a search writes it. */
function codingText(coding: unknown): string {
  const { system, code } = (coding ?? {}) as { readonly system?: unknown; readonly code?: unknown };
  const said = typeof code === 'string' ? code : '';
  return typeof system === 'string' ? `${system}|${said}` : said;
}

/** The value of a parameter of a Parameters resource, written as in the query of an address. */
function parameterText(parameter: Parameter): string {
  const [, value] = Object.entries(parameter).find(([key]) => /^value[A-Z]/.test(key)) ?? [];
  if (typeof value === 'object' && value !== null) {
    const { coding } = value as { readonly coding?: unknown };
    return Array.isArray(coding) ? coding.map(codingText).filter(Boolean).join(',') : codingText(value);
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function readParameters(bytes: Buffer): URLSearchParams {
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
      const text = parameterText(one ?? {});
      if (typeof one?.name !== 'string' || text === '') {
        throw errors.invalidBody('each parameter must have a name and a simple value, a Coding or a CodeableConcept');
      }
      return [one.name, text];
    }),
  );
}

const jsonTypes = ['application/fhir+json', 'application/json'];

/**
 * The parameters of an operation, from the body of a POST or from the address. @throws errors.unsupportedType,
 * errors.invalidBody
 */
export function parametersOf({ request, query }: Visit): URLSearchParams {
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
}

/** Sends a Bundle while its entries are still being read. */
export async function streamBundle(
  visit: Visit,
  told: Told,
  portions: AsyncGenerator<readonly Versioned[]>,
): Promise<ResponseObject> {
  const form = formOf(visit);
  const body = await streamedBody(bundlePieces(visit.base, form, told, portions));
  const response = visit.h.response(body).type(typeOf(form));
  return withHeaders(response, { vary: 'Accept' });
}
