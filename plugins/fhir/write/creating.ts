/** creating: stores the resources of a request as one document, through the whole pipeline. */
import { errors } from '../../../core/base/errors';
import { looksLikeJson } from '../../../core/fhir/json-to-xml';
import type { OutlinePart } from '../../../core/fhir/outline';
import type { Versioned } from '../../../core/fhir/resource';
import { readToken, splitAt } from '../search/search-query';
import type { Call } from '../../../core/http/route';
import { identifierHash, statementsByPart, type StoredPart } from '../../../core/pipeline/identified';
import type { LeftOut } from '../../../core/pipeline/steps';
import type { Stored } from '../../../core/pipeline/document-pipeline';
import { isDuplicate } from '../../../core/db/db-errors';
import { admit } from './admission';
import { type Asking, askingOf, atLength, mayAlso } from '../asking';
import { readStatements } from '../read/fact-resources';
import { readDocumentReference } from '../read/own-types';
import type { InType } from '../read/reading';
import { creatableTypes } from '../read/supported-types';
import * as identifierStore from '../../../core/documents/identifiers-store';
import { keptOfDocument } from '../read/kept-resources';

export type CreateQuery = {
  /** The query of `If-None-Exist`, percent-encoded; empty when the header was not sent. */
  readonly unless: string;
};

/** A stored part with the resource that it is, or with those that were made of its statements. */
export type CreatedPart = StoredPart & { readonly resources: readonly Versioned[] };

type Identifier = { readonly system: string; readonly code: string };

type Kept = {
  readonly documentId: string;
  /** False: a resource with this identifier existed already, and nothing was stored. */
  readonly isNew: boolean;
  readonly bundleType: string;
  readonly parts: readonly StoredPart[];
  readonly leftOut: readonly LeftOut[];
  /** The identifier by which something existed already. */
  readonly identified?: Identifier;
};

export type Created = Omit<Kept, 'parts' | 'identified'> & {
  /** True when the caller may not read what existed already: the resources have only their types and ids. */
  readonly isWithheld: boolean;
  /** The document that contains all parts. */
  readonly document: Versioned;
  readonly parts: readonly CreatedPart[];
};

/** Reads `If-None-Exist`. @throws errors.invalidParameter for conditions other than one identifier */
const readCondition = (unless: string): Identifier => {
  const pairs = [...new URLSearchParams(unless)];
  const [name, value = ''] = pairs[0] ?? [];
  const { system, code } = readToken(value);
  if (
    pairs.length !== 1 ||
    name !== 'identifier' ||
    system === undefined ||
    code === '' ||
    splitAt(value, ',').length > 1
  ) {
    throw errors.invalidParameter('If-None-Exist', 'it must be identifier=system|value');
  }
  return { system, code };
};

const known = async (
  { services: { database }, scope }: Asking,
  part: OutlinePart,
  hash: string,
  identified: Identifier,
): Promise<Kept | undefined> => {
  const found = await identifierStore.findIdentified(database.reads, scope.recordId, hash);
  return (
    found && {
      documentId: found.documentId,
      isNew: false,
      bundleType: '',
      parts: [{ part, statements: found.statementId === null ? [] : [found.statementId] }],
      leftOut: [],
      identified,
    }
  );
};

const store = async (
  call: Call<InType, CreateQuery, Buffer>,
  asking: Asking,
  parts: readonly OutlinePart[],
  hash: string | undefined,
): Promise<Pick<Kept, 'documentId' | 'parts' | 'leftOut'>> => {
  const { services, scope } = asking;
  let made: readonly StoredPart[] = [];
  let leftOut: readonly LeftOut[] = [];
  const document = await services.pipeline.create({
    recordId: scope.recordId,
    bytes: call.body,
    mediaType: looksLikeJson(call.body) ? 'application/fhir+json' : 'application/fhir+xml',
    principal: call.principal,
    ...(hash === undefined ? {} : { identifiedAs: hash }),
    within: (_trx, stored: Stored) => {
      made = statementsByPart(parts, stored.read, stored.lineageId);
      leftOut = stored.read.leftOut;
      return Promise.resolve();
    },
  });
  return { documentId: document.id, parts: made, leftOut };
};

/**
 * How often storing is tried. When two callers store the same resource at the same time, the second one fails, and
 * finds the resource of the first when it tries again.
 */
const ATTEMPTS = 5;

const storeOnce = async (
  call: Call<InType, CreateQuery, Buffer>,
  asking: Asking,
  parts: readonly OutlinePart[],
  bundleType: string,
): Promise<Kept> => {
  const { unless } = call.query;
  const identified = unless === '' ? undefined : readCondition(unless);
  const hash = identified && identifierHash(call.params.TYPE, identified.system, identified.code);
  for (let attempt = 1; ; attempt += 1) {
    const found = hash === undefined ? undefined : await known(asking, parts[0]!, hash, identified!);
    if (found) {
      return found;
    }
    try {
      return { ...(await store(call, asking, parts, hash)), isNew: true, bundleType };
    } catch (error) {
      // Another caller was first: the answer is what that caller stored.
      if (hash === undefined || !isDuplicate(error) || attempt >= ATTEMPTS) {
        throw error;
      }
    }
  }
};

/** Vital signs of several parts may be one statement. The resource of the part in question comes first. */
const ownFirst = ({ type, codes }: OutlinePart, resources: readonly Versioned[]): readonly Versioned[] => {
  const isOwn = (resource: Versioned): boolean => {
    const { coding } = (resource['code'] ?? {}) as { readonly coding?: readonly { readonly code?: string }[] };
    return resource.resourceType === type && (coding ?? []).some(({ code = '' }) => codes.includes(code));
  };
  return [...resources.filter(isOwn), ...resources.filter((resource) => !isOwn(resource))];
};

/** More statements are not read in the event loop. */
const FEW = 50;

/** What the address of a resource is made of. */
const bare = ({ resourceType, id, meta }: Versioned): Versioned => ({ resourceType, id, meta });

/** Whether the caller may read all that an answer about something that exists would show. */
const mayReadAll = (asking: Asking, document: Versioned, parts: readonly CreatedPart[]): boolean => {
  const made = parts.flatMap(({ resources }) => resources);
  return (made.length === 1 ? made : [document, ...made]).every(({ resourceType }) =>
    mayAlso(asking, resourceType, 'r'),
  );
};

type Identified = { readonly identifier?: readonly { readonly system?: string; readonly value?: string }[] };

/** The resource of a document that has an identifier; where none has it, the only one of its type. */
const identifiedIn = (all: readonly Versioned[], type: string, { system, code }: Identifier): readonly Versioned[] => {
  const ofType = all.filter(({ resourceType }) => resourceType === type);
  const found = ofType.filter((one) =>
    ((one as Identified).identifier ?? []).some((own) => (own.system ?? '') === system && own.value === code),
  );
  return found.length > 0 || ofType.length > 1 ? found.slice(0, 1) : ofType;
};

/** The resources of each part: as they came, or, in documents that are not kept so, as their statements say. */
const resourcesOfParts = async (
  asking: Asking,
  { documentId, identified, parts }: Kept,
): Promise<readonly CreatedPart[]> => {
  const kept = await keptOfDocument(asking, documentId);
  if (kept.size > 0) {
    const all = [...kept.values()];
    const stated = (part: OutlinePart, index: number): readonly Versioned[] =>
      identified ? identifiedIn(all, part.type, identified) : all.filter((one) => kept.get(index) === one);
    return parts.map((part, index) => ({ ...part, resources: stated(part.part, index) }));
  }
  const ids = [...new Set(parts.flatMap(({ statements }) => statements))];
  const resources = await readStatements(ids.length > FEW ? atLength(asking) : asking, ids);
  return parts.map((part) => ({
    ...part,
    resources: ownFirst(part.part, [...new Set(part.statements.flatMap((id) => resources.get(id) ?? []))]),
  }));
};

const withResources = async (asking: Asking, found: Kept): Promise<Created> => {
  const { parts: _, identified: _by, ...kept } = found;
  const [document, made] = await Promise.all([
    readDocumentReference(asking, kept.documentId),
    resourcesOfParts(asking, found),
  ]);
  if (!document) {
    throw errors.internal();
  }
  const isWithheld = !kept.isNew && !mayReadAll(asking, document, made);
  const told = (resource: Versioned): Versioned => (isWithheld ? bare(resource) : resource);
  return {
    ...kept,
    isWithheld,
    document: told(document),
    parts: made.map((part) => ({ ...part, resources: part.resources.map(told) })),
  };
};

/**
 * Stores one resource, or a Bundle of them, as one document.
 * @throws AppError invalid_document, transform_failed, unprocessable, outside_scope, invalid_parameter
 */
export const createResources = async (call: Call<InType, CreateQuery, Buffer>): Promise<Created> => {
  const asking = askingOf(call);
  const { services, principal } = asking;
  const type = call.params.TYPE;
  call.note({ recordId: principal.recordId });
  if (type !== '*' && !creatableTypes(services).has(type)) {
    throw errors.notFound('type of resource that can be created');
  }
  if (call.body.length === 0) {
    throw errors.invalidDocument('it is empty: send its content');
  }
  if (call.query.unless !== '' && type === '*') {
    throw errors.invalidParameter('If-None-Exist', 'a Bundle takes no condition');
  }
  const outline = await services.reader.outline(call.body, principal.accountId);
  const kept = await storeOnce(call, asking, admit(asking, type, outline), outline.bundleType);
  call.note({ documentId: kept.documentId });
  return withResources(asking, kept);
};
