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
import { withReferences } from './conditional-references';
import { type Asking, askingOf, fhirBase, mayAlso, mayRead } from '../asking';
import { statementIn } from '../read/stored-types';
import { readDocumentReference } from '../read/own-types';
import type { InType } from '../read/reading';
import { creatableTypes } from '../read/supported-types';
import { ofEntry } from './of-entry';
import { withoutEntries, type Existing } from './without-entries';
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
  /** What existed already of a transaction, by the index of its entry. */
  readonly met?: ReadonlyMap<number, Kept>;
};

export type Created = Omit<Kept, 'parts' | 'identified' | 'existing' | 'met'> & {
  /** True when the caller may not read what existed already: the resources have only their types and ids. */
  readonly isWithheld: boolean;
  /** The document that contains all parts. */
  readonly document: Versioned;
  readonly parts: readonly CreatedPart[];
  /** The indexes of the parts that existed already, and whether the caller may read them. */
  readonly existed: ReadonlyMap<number, boolean>;
};

/** The one identifier that a condition names; undefined for any other condition. */
function identifierIn(condition: URLSearchParams): Identifier | undefined {
  const pairs = [...condition];
  const [name, value = ''] = pairs[0] ?? [];
  const { system, code } = readToken(value);
  const isOne = pairs.length === 1 && name === 'identifier' && splitAt(value, ',').length === 1;
  return isOne && system !== undefined && code !== '' ? { system, code } : undefined;
}

/**
 * What a search of the condition finds. A caller who may not search learns only whether one identifier is known.
 * @throws errors.preconditionFailed for several matches, errors.invalidParameter, errors.outsideScope
 */
async function found(
  asking: Asking,
  part: OutlinePart,
  type: string,
  condition: URLSearchParams,
): Promise<Kept | undefined> {
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
}

async function known(
  { services: { database }, scope }: Asking,
  part: OutlinePart,
  hash: string,
  identified: Identifier,
): Promise<Kept | undefined> {
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
}

async function storeParts(
  call: Call<InType, CreateQuery, Buffer>,
  asking: Asking,
  parts: readonly OutlinePart[],
  { bytes, hashes }: { readonly bytes: Buffer; readonly hashes: readonly string[] },
): Promise<Pick<Kept, 'documentId' | 'parts' | 'leftOut'>> {
  const { services, scope } = asking;
  let made: readonly StoredPart[] = [];
  let leftOut: readonly LeftOut[] = [];
  const document = await services.pipeline.create({
    recordId: scope.recordId,
    bytes,
    mediaType: looksLikeJson(call.body) ? 'application/fhir+json' : 'application/fhir+xml',
    principal: call.principal,
    strict: true,
    ...(hashes.length === 0 ? {} : { identifiedAs: hashes }),
    within: (_trx, stored: Stored) => {
      made = statementsByPart(parts, stored.read, stored.lineageId);
      leftOut = stored.read.leftOut;
      return Promise.resolve();
    },
  });
  return { documentId: document.id, parts: made, leftOut };
}

/**
 * How often storing is tried. When two callers store the same resource at the same time, the second one fails, and
 * finds the resource of the first when it tries again.
 */
const ATTEMPTS = 5;

/** So many conditions a Bundle may have, at its entries and in the place of references. */
const MOST_CONDITIONS = 20;

/** A part that is stored only if nothing meets its condition. */
type Conditional = { readonly index: number; readonly part: OutlinePart; readonly condition: URLSearchParams };

/** The identifier that a condition names, as it is stored. */
function hashOf({ part, condition }: Conditional): string | undefined {
  const identified = identifierIn(condition);
  return identified && identifierHash(part.type, identified.system, identified.code);
}

/** What meets a condition already. @throws AppError precondition_failed, invalid_parameter, outside_scope */
async function meeting(asking: Asking, one: Conditional): Promise<Kept | undefined> {
  const { part, condition } = one;
  const searched = await found(asking, part, part.type, condition);
  const hash = hashOf(one);
  return (hash === undefined ? undefined : await known(asking, part, hash, identifierIn(condition)!)) ?? searched;
}

async function metOf(
  asking: Asking,
  conditional: readonly Conditional[],
  ofBundle: boolean,
): Promise<ReadonlyMap<number, Kept>> {
  const met = new Map<number, Kept>();
  for (const one of conditional) {
    const existing = await ofEntry(ofBundle ? one.index : undefined, () => meeting(asking, one));
    if (existing) {
      met.set(one.index, existing);
    }
  }
  return met;
}

/** Stores, and once more when another caller was first: then the answer is what that caller stored. */
async function tryAgain<T>(hashes: readonly string[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (hashes.length === 0 || !isDuplicate(error) || attempt >= ATTEMPTS) {
        throw error;
      }
    }
  }
}

function storeOnce(
  call: Call<InType, CreateQuery, Buffer>,
  asking: Asking,
  parts: readonly OutlinePart[],
  bundleType: string,
): Promise<Kept> {
  const only = { index: 0, part: parts[0]!, condition: new URLSearchParams(call.query.unless) };
  const conditional = call.query.unless === '' ? [] : [only];
  const hashes = conditional.flatMap((one) => hashOf(one) ?? []);
  return tryAgain(hashes, async () => {
    const existing = (await metOf(asking, conditional, false)).get(0);
    return (
      existing ?? { ...(await storeParts(call, asking, parts, { bytes: call.body, hashes })), isNew: true, bundleType }
    );
  });
}

/** The references to what exists already, in the place of those to its entry. */
async function existingIn(
  asking: Asking,
  parts: readonly OutlinePart[],
  met: ReadonlyMap<number, Kept>,
): Promise<readonly Existing[]> {
  const existing: Existing[] = [];
  for (const [index, kept] of met) {
    const [one] = (await resourcesOfParts(asking, kept))[0]?.resources ?? [];
    const name = one ? `${one.resourceType}/${one.id}` : `DocumentReference/${kept.documentId}`;
    existing.push({ index, fullUrl: parts[index]!.fullUrl, name });
  }
  return existing;
}

/** Stores those entries of a Bundle that nothing meets yet. */
function storeBundle(
  call: Call<InType, CreateQuery, Buffer>,
  asking: Asking,
  parts: readonly OutlinePart[],
  bundleType: string,
): Promise<Kept> {
  const conditional = parts.flatMap((part, index): readonly Conditional[] =>
    part.ifNoneExist === '' ? [] : [{ index, part, condition: new URLSearchParams(part.ifNoneExist) }],
  );
  if (conditional.length > MOST_CONDITIONS) {
    throw errors.unprocessable(`a transaction has at most ${MOST_CONDITIONS} entries with a condition`);
  }
  const hashes = conditional.flatMap((one) => hashOf(one) ?? []);
  return tryAgain(hashes, async () => {
    const met = await metOf(asking, conditional, true);
    if (met.size === parts.length) {
      const { documentId } = met.get(0)!;
      const none = parts.map((part) => ({ part, statements: [] }));
      return { documentId, isNew: false, bundleType, parts: none, leftOut: [], met };
    }
    const unmet = conditional.filter(({ index }) => !met.has(index)).flatMap((one) => hashOf(one) ?? []);
    const bytes = withoutEntries(call.body, await existingIn(asking, parts, met));
    return { ...(await storeParts(call, asking, parts, { bytes, hashes: unmet })), isNew: true, bundleType, met };
  });
}

/** Vital signs of several parts may be one statement. The resource of the part in question comes first. */
function ownFirst({ type, codes }: OutlinePart, resources: readonly Versioned[]): readonly Versioned[] {
  const isOwn = (resource: Versioned): boolean => {
    const { coding } = (resource['code'] ?? {}) as { readonly coding?: readonly { readonly code?: string }[] };
    return resource.resourceType === type && (coding ?? []).some(({ code = '' }) => codes.includes(code));
  };
  return [...resources.filter(isOwn), ...resources.filter((resource) => !isOwn(resource))];
}

/** What the address of a resource is made of. */
function bare({ resourceType, id, meta }: Versioned): Versioned {
  return { resourceType, id, meta };
}

/** Whether the caller may read all that an answer about something that exists would show. */
function mayReadAll(asking: Asking, document: Versioned, parts: readonly CreatedPart[]): boolean {
  const made = parts.flatMap(({ resources }) => resources);
  return (made.length === 1 ? made : [document, ...made]).every((one) => mayRead(asking, one));
}

type Identified = { readonly identifier?: readonly { readonly system?: string; readonly value?: string }[] };

/** The resource of a document that has an identifier; where none has it, the only one of its type. */
function identifiedIn(all: readonly Versioned[], type: string, { system, code }: Identifier): readonly Versioned[] {
  const ofType = all.filter(({ resourceType }) => resourceType === type);
  const found = ofType.filter((one) =>
    ((one as Identified).identifier ?? []).some((own) => (own.system ?? '') === system && own.value === code),
  );
  return found.length > 0 || ofType.length > 1 ? found.slice(0, 1) : ofType;
}

/** The resources of each part; of entries that existed already, those that exist. */
async function resourcesOfParts(asking: Asking, kept: Kept): Promise<readonly CreatedPart[]> {
  const { existing, parts, met } = kept;
  if (existing) {
    return parts.map((part) => ({ ...part, resources: [existing] }));
  }
  const own =
    met?.size === parts.length ? parts.map((part) => ({ ...part, resources: [] })) : await stored(asking, kept);
  const others = new Map<number, readonly Versioned[]>();
  for (const [index, one] of met ?? []) {
    others.set(
      index,
      (await resourcesOfParts(asking, one)).flatMap(({ resources }) => resources),
    );
  }
  return own.map((part, index) => ({ ...part, resources: others.get(index) ?? part.resources }));
}

/** The resources of the parts of a document: as they came, or those that their statements are. */
async function stored(asking: Asking, { documentId, identified, parts }: Kept): Promise<readonly CreatedPart[]> {
  const kept = await keptOfDocument(asking, documentId);
  const cameAsFhir = kept.some(({ part }) => part >= 0);
  return parts.map((one, index) => {
    const { part, statements } = one;
    const stated = kept.flatMap(({ part: of, resource }) =>
      of === index || (of < 0 && statements.includes(statementIn(resource.id))) ? [resource] : [],
    );
    const all = kept.map(({ resource }) => resource);
    return {
      ...one,
      resources: identified && cameAsFhir ? identifiedIn(all, part.type, identified) : ownFirst(part, stated),
    };
  });
}

async function withResources(asking: Asking, all: Kept): Promise<Created> {
  const { parts: _, identified: _by, existing: _found, met, ...kept } = all;
  const [document, made] = await Promise.all([
    readDocumentReference(asking, kept.documentId),
    resourcesOfParts(asking, all),
  ]);
  if (!document) {
    throw errors.internal();
  }
  const isWithheld = !kept.isNew && met === undefined && !mayReadAll(asking, document, made);
  const told = (resource: Versioned): Versioned => (isWithheld ? bare(resource) : resource);
  return {
    ...kept,
    isWithheld,
    document: told(document),
    parts: made.map((part) => ({ ...part, resources: part.resources.map(told) })),
    existed: new Map([...(met?.keys() ?? [])].map((index) => [index, mayReadAll(asking, document, [made[index]!])])),
  };
}

/**
 * The conditions in the place of references that the Patient of the record meets. A caller who may not search the
 * Patient learns nothing by them.
 */
async function metIn(asking: Asking, outline: Outline): Promise<ReadonlySet<string>> {
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
}

/**
 * Stores one resource, or a Bundle of them, as one document.
 * @throws AppError invalid_document, transform_failed, unprocessable, outside_scope, invalid_parameter
 */
export async function createResources(call: Call<InType, CreateQuery, Buffer>): Promise<Created> {
  const asking = await askingOf(call);
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
  const outline = await services.reader.outline(call.body, principal.accountId ?? undefined);
  const parts = admit(asking, type, outline, await metIn(asking, outline));
  const isTransaction = outline.bundleType === 'transaction';
  const body = isTransaction ? await withReferences(asking, parts, call.body) : call.body;
  const kept = await (type === '*' ? storeBundle : storeOnce)({ ...call, body }, asking, parts, outline.bundleType);
  call.note({ documentId: kept.documentId });
  return withResources(asking, kept);
}
