/** creating: stores the resources of a request as one document, through the whole pipeline. */
import { errors } from '../../../core/base/errors';
import { looksLikeJson } from '../../../core/fhir/json-to-xml';
import type { Outline, OutlinePart } from '../../../core/fhir/outline';
import { documentIn, type Versioned } from '../../../core/fhir/resource';
import { firstMatches } from '../search/search';
import { readToken, splitAt } from '../search/search-query';
import type { Call } from '../../../core/http/route';
import { identifierHash, statementsByPart, type StoredPart } from '../../../core/pipeline/identified';
import type { LeftOut } from '../../../core/pipeline/steps';
import type { Stored } from '../../../core/pipeline/document-pipeline';
import { isDuplicate } from '../../../core/db/db-errors';
import { admit, conditionsIn } from './admission';
import { type Asking, askingOf, atLength, fhirBase, mayAlso } from '../asking';
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
type CreatedPart = StoredPart & { readonly resources: readonly Versioned[] };

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
  /** What existed already, where a search has found it. */
  readonly existing?: Versioned;
};

export type Created = Omit<Kept, 'parts' | 'identified' | 'existing'> & {
  /** True when the caller may not read what existed already: the resources have only their types and ids. */
  readonly isWithheld: boolean;
  /** The document that contains all parts. */
  readonly document: Versioned;
  readonly parts: readonly CreatedPart[];
};

/** The one identifier that a condition names; undefined for any other condition. */
const identifierIn = (condition: URLSearchParams): Identifier | undefined => {
  const pairs = [...condition];
  const [name, value = ''] = pairs[0] ?? [];
  const { system, code } = readToken(value);
  const isOne = pairs.length === 1 && name === 'identifier' && splitAt(value, ',').length === 1;
  return isOne && system !== undefined && code !== '' ? { system, code } : undefined;
};

/**
 * What a search of the condition finds. A caller who may not search learns only whether one identifier is known.
 * @throws errors.preconditionFailed for several matches, errors.invalidParameter, errors.outsideScope
 */
const found = async (
  asking: Asking,
  part: OutlinePart,
  type: string,
  condition: URLSearchParams,
): Promise<Kept | undefined> => {
  if (condition.getAll('identifier').some((value) => splitAt(value, ',').length > 1)) {
    throw errors.invalidParameter('If-None-Exist', 'a resource to be stored has one identifier, not one of several');
  }
  if (!identifierIn(condition) && !mayAlso(asking, type, 's')) {
    throw errors.outsideScope(`patient/${type}.s`);
  }
  const [existing, ...others] = await firstMatches(asking, type, condition);
  if (others.length > 0) {
    throw errors.preconditionFailed('several resources meet it, and it must be one or none');
  }
  return (
    existing && {
      documentId: documentIn(existing),
      isNew: false,
      bundleType: '',
      parts: [{ part, statements: [] }],
      leftOut: [],
      existing,
    }
  );
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
  const condition = call.query.unless === '' ? undefined : new URLSearchParams(call.query.unless);
  const type = call.params.TYPE;
  const searched = condition && (await found(asking, parts[0]!, type, condition));
  const identified = condition && identifierIn(condition);
  const hash = identified && identifierHash(type, identified.system, identified.code);
  for (let attempt = 1; ; attempt += 1) {
    const one = hash === undefined ? searched : ((await known(asking, parts[0]!, hash, identified!)) ?? searched);
    if (one) {
      return one;
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
  { documentId, identified, existing, parts }: Kept,
): Promise<readonly CreatedPart[]> => {
  if (existing) {
    return parts.map((part) => ({ ...part, resources: [existing] }));
  }
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

const withResources = async (asking: Asking, stored: Kept): Promise<Created> => {
  const { parts: _, identified: _by, existing: _found, ...kept } = stored;
  const [document, made] = await Promise.all([
    readDocumentReference(asking, kept.documentId),
    resourcesOfParts(asking, stored),
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

/** So many conditions may stand in the place of references. */
const MOST_CONDITIONS = 20;

/**
 * The conditions in the place of references that the Patient of the record meets. A caller who may not search the
 * Patient learns nothing by them.
 */
const metIn = async (asking: Asking, outline: Outline): Promise<ReadonlySet<string>> => {
  const conditions = [...conditionsIn(outline, fhirBase(asking.services))];
  if (conditions.length > MOST_CONDITIONS || !mayAlso(asking, 'Patient', 's')) {
    return new Set();
  }
  const met = new Set<string>();
  for (const [reference, condition] of conditions) {
    if ((await firstMatches(asking, 'Patient', condition)).length === 1) {
      met.add(reference);
    }
  }
  return met;
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
  const parts = admit(asking, type, outline, await metIn(asking, outline));
  const kept = await storeOnce(call, asking, parts, outline.bundleType);
  call.note({ documentId: kept.documentId });
  return withResources(asking, kept);
};
