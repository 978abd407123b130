/**
 * create: accepts single resources at the address of their type and Bundles at the door's own address. The answer names
 * the resources that each part made.
 */
import type { ResponseObject } from '@hapi/hapi';
import { errors } from '../../../core/base/errors';
import { looksLikeJson } from '../../../core/fhir/json-to-xml';
import { outcomeOf, type Issue } from './outcome';
import type { Resource, Versioned } from '../../../core/fhir/resource';
import { bytesOf, header, mediaTypeOf } from '../../../core/http/read-request';
import { areCreates, mayBeOfOne, performEach, requestsIn } from './batch';
import { validatorsOf } from './conditions';
import { refuseOtherVersion } from '../forms';
import { preferred } from '../parameters';
import { formOf, sendBody, type Address, type AskInput, type Visit } from '../serve';

/** A part of what was sent, with the resources that it made. */
type Part = {
  readonly part: { readonly type: string };
  readonly resources: readonly Versioned[];
};

type Created = {
  readonly documentId: string;
  readonly document: Versioned;
  readonly isNew: boolean;
  /** True when the caller may not read what existed already, so that only its address is told. */
  readonly isWithheld: boolean;
  readonly bundleType: string;
  readonly parts: readonly Part[];
  /** The indexes of the parts that existed already, and whether the caller may read them. */
  readonly existed: ReadonlyMap<number, boolean>;
  readonly leftOut: readonly {
    readonly model: string;
    readonly reason: string;
    readonly count: number;
    readonly where?: string;
    readonly words?: string;
    readonly parts?: readonly number[];
  }[];
};

const jsonTypes = ['application/fhir+json', 'application/json', 'text/json'];
const xmlTypes = ['application/fhir+xml', 'application/xml', 'text/xml'];

/** A file as it is becomes the resource that holds it (R4 "Binary"). */
function binaryOf(bytes: Buffer, contentType: string, securityContext: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      resourceType: 'Binary',
      contentType,
      ...(securityContext === '' ? {} : { securityContext: { reference: securityContext } }),
      data: bytes.toString('base64'),
    }),
  );
}

/**
 * @throws errors.unsupportedType for a form that is neither JSON nor XML; errors.invalidBody for a body in another form
 * than its Content-Type says
 */
function bodyOf({ request, params }: Visit): Buffer {
  const bytes = bytesOf(request) ?? Buffer.alloc(0);
  const declared = mediaTypeOf(request);
  if (params['TYPE'] === 'Binary' && bytes.length > 0 && ![...jsonTypes, ...xmlTypes, ''].includes(declared)) {
    return binaryOf(bytes, declared, header(request, 'x-security-context'));
  }
  if (![...jsonTypes, ...xmlTypes, ''].includes(declared)) {
    throw errors.unsupportedType(['application/fhir+json', 'application/fhir+xml']);
  }
  refuseOtherVersion(request);
  if (bytes.length > 0 && declared !== '' && looksLikeJson(bytes) !== jsonTypes.includes(declared)) {
    throw errors.invalidBody('it is not in the form that its Content-Type says');
  }
  return bytes;
}

function inWords(reason: string): string {
  return reason.replace(/_/g, ' ');
}

/**
 * One line for each part that made no resource, and for each reason why something is in no list.
 * @param from the index of the first part
 */
function issuesOf({ parts, leftOut, bundleType }: Created, from = 0): readonly Issue[] {
  return [
    ...parts.flatMap(({ part, resources }, index): readonly Issue[] => {
      const place = bundleType === '' ? part.type : `Bundle.entry[${from + index}]`;
      return resources.length > 0
        ? []
        : [
            {
              severity: 'warning',
              code: 'informational',
              text: `${place}: the ${part.type} is kept in the document, and made no resource of its own.`,
              expression: place,
            },
          ];
    }),
    ...leftOut.map(({ model, reason, count, where, words }): Issue => ({
      severity: 'information',
      code: 'informational',
      text: `Not among the lists and reports: ${count} ${model}${where === undefined ? '' : ` (${where})`}: ${words ?? inWords(reason)}.`,
    })),
  ];
}

function all(): readonly Issue[] {
  return [{ severity: 'information', code: 'informational', text: 'Everything that was sent made resources.' }];
}

function createdOutcome(created: Created): Resource {
  const issues = issuesOf(created);
  return outcomeOf(issues.length === 0 ? all() : issues);
}

function entryOf(base: string, resource: Versioned, withBody: boolean): object {
  return {
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    ...(withBody ? { resource } : {}),
  };
}

function responseTo(base: string, resource: Versioned, status: string): object {
  return {
    status,
    location: `${base}/${resource.resourceType}/${resource.id}/_history/${resource.meta.versionId ?? ''}`,
    etag: validatorsOf(resource).etag,
    lastModified: resource.meta.lastUpdated,
  };
}

/** What of an entry belongs to no list. What tells of no entry is told with the first one of its kind. */
function leftOutOf({ parts, leftOut }: Created, index: number): Created['leftOut'] {
  return leftOut.flatMap((one) => {
    const { model, where = '', parts: own = [] } = one;
    if (own.length > 0) {
      const times = own.filter((number) => number === index + 1).length;
      return times > 0 ? [{ ...one, count: times }] : [];
    }
    const entry = /^entry (\d+)/.exec(where)?.[1];
    const first = parts.findIndex(({ part }) => part.type === (where === '' ? model : where));
    return index === (entry === undefined ? Math.max(first, 0) : Number(entry) - 1) ? [one] : [];
  });
}

/** What is told of an entry whose condition something met. */
function exists(place: string): Issue {
  return {
    severity: 'information',
    code: 'informational',
    text: `${place}: it exists already, and nothing was stored.`,
  };
}

function entryAnswer(base: string, created: Created, index: number, withBody: boolean): object {
  const part = created.parts[index]!;
  const [resource] = part.resources;
  const existed = created.existed.has(index);
  const place = `Bundle.entry[${index}]`;
  const issues = existed
    ? [exists(place)]
    : issuesOf({ ...created, parts: [part], leftOut: leftOutOf(created, index) }, index);
  const outcome = outcomeOf((issues.length === 0 ? all() : issues).map((issue) => ({ expression: place, ...issue })));
  if (resource && created.existed.get(index) === false) {
    const location = `${base}/${resource.resourceType}/${resource.id}`;
    return { response: { status: '200 OK', location, outcome } };
  }
  return resource
    ? {
        ...entryOf(base, resource, withBody),
        response: { ...responseTo(base, resource, existed ? '200 OK' : '201 Created'), outcome },
      }
    : {
        response: {
          status: existed ? '200 OK' : '201 Created',
          location: `${base}/DocumentReference/${created.documentId}`,
          outcome,
        },
      };
}

/** One entry for each entry of the request, in its order, each with its own outcome. */
function answerToRequests(base: string, created: Created, withBody: boolean): Resource {
  return {
    resourceType: 'Bundle',
    type: `${created.bundleType}-response`,
    entry: created.parts.map((_, index) => entryAnswer(base, created, index, withBody)),
  };
}

/** The resources that were made; the document that holds them comes first. */
function collectionOf(base: string, created: Created, withBody: boolean): Resource {
  return {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [
      ...(withBody
        ? [created.document, ...new Set(created.parts.flatMap(({ resources }) => resources))].map((resource) =>
            entryOf(base, resource, true),
          )
        : []),
      { fullUrl: `urn:uuid:${created.documentId}`, resource: createdOutcome(created) },
    ],
  };
}

/** Bundles of which each entry is a request with an answer. */
const requests: readonly string[] = ['transaction', 'batch'];

function bodyFor(visit: Visit, created: Created, only: Versioned | undefined): Resource | undefined {
  const wanted = preferred(visit.request, 'return');
  const withBody = wanted !== 'minimal' && wanted !== 'OperationOutcome';
  if (requests.includes(created.bundleType)) {
    // Each entry has an outcome of its own.
    return answerToRequests(visit.base, created, withBody);
  }
  if (wanted === 'OperationOutcome') {
    return createdOutcome(created);
  }
  if (only) {
    return withBody ? only : undefined;
  }
  return collectionOf(visit.base, created, withBody);
}

async function answerCreated(visit: Visit, created: Created): Promise<ResponseObject> {
  const made = created.parts.flatMap(({ resources }) => resources);
  const only = created.bundleType === '' && made.length === 1 ? made[0] : undefined;
  const shown = only ?? created.document;
  const place = `${visit.base}/${shown.resourceType}/${shown.id}`;
  if (created.isWithheld) {
    return visit.h.response().code(200).header('location', place);
  }
  const body = bodyFor(visit, created, only);
  const status = created.isNew && !requests.includes(created.bundleType) ? 201 : 200;
  const response = body === undefined ? visit.h.response().code(status) : await sendBody(visit, body, status);
  const validators = validatorsOf(shown);
  return response
    .header('location', `${place}/_history/${shown.meta.versionId ?? ''}`)
    .header('etag', validators.etag)
    .header('last-modified', validators.lastModified ?? '');
}

/** @param ask runs the operation that answers what it made */
export function create(ask: (visit: Visit, input: AskInput) => Promise<Created>): Address['answer'] {
  return async (visit) => {
    formOf(visit);
    const unless = header(visit.request, 'if-none-exist');
    return answerCreated(visit, await ask(visit, { body: bodyOf(visit), query: { unless } }));
  };
}

/**
 * Accepts Bundles. What a batch creates is one document where that is possible; otherwise its entries are performed one
 * by one.
 * @param path the path of the door
 */
export function createBundle(
  ask: (visit: Visit, input: AskInput) => Promise<Created>,
  path: string,
): Address['answer'] {
  const whole = create(ask);
  return async (visit) => {
    const asked = requestsIn(bodyOf(visit));
    if (!asked || header(visit.request, 'if-none-exist') !== '') {
      return whole(visit);
    }
    formOf(visit);
    if (areCreates(asked)) {
      try {
        return await whole(visit);
      } catch (error) {
        if (!mayBeOfOne(error, asked)) {
          throw error;
        }
      }
    }
    return sendBody(visit, await performEach(visit.request, { base: visit.base, path }, asked));
  };
}
