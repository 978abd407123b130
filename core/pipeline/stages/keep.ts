/**
 * keep: stores the resources that a document states, with ids that stay the same in all its versions and whenever it is
 * read anew: those of FHIR as they came, and for every other document those that its facts are.
 */
import { derivedId, sha256 } from '../../base/ids';
import { mapInSlices } from '../../base/turns/slices';
import type { Id, Timestamp } from '../../base/types';
import type { StoredFact } from '../../facts/plans';
import type { JsonObject } from '../../fhir/from-xml';
import type { KeptResource } from '../../fhir/kept';
import { fillPlain, fillWritten, type Fill } from '../../fhir/kept-marks';
import { instant } from '../../fhir/resource';
import { storedValuesOf } from '../../fhir/search-values';
import { resourceText } from '../../fhir/write';
import type { Models } from '../../facts/model/model';
import type { Reads, Transaction } from '../../db/database';
import type { Contents, Sealer } from '../../sealing/contents-store';
import {
  dropOldSearchValues,
  dropResources,
  idsOfLineage,
  insertResources,
  insertSearchValues,
  isSought,
  MADE_OF_FACTS,
  resourcesOfDocument,
  type KeptRow,
  type NewResource,
} from '../../documents/kept-resources-store';
import { statementId } from '../../facts/store';
import { everyFact, keyIn } from '../identified';
import { resourcesOfFacts, storedFacts, type FactOwner } from '../resources/of-facts';
import type { FhirResource } from '../resources/serialize';
import type { ReadDocument } from '../steps';

type Read = Pick<ReadDocument, 'kept' | 'beside' | 'facts' | 'withheld' | 'unkept'>;

/** The type of what a document says of the person, which completes the Patient of the record and is no resource of its own. */
const PERSON = 'Patient';

/** The greatest `part` of what stands beside the resources of facts or entries. */
const BESIDE = MADE_OF_FACTS - 1_000_000;

function sourceKeyOf({ type, key }: KeptResource): string {
  return sha256(JSON.stringify([type, key]));
}

/**
 * The statements that were made of one part of a document alone: earlier releases gave the resource that statement's
 * id, and clients may know it.
 */
function statementIds({ kept: all = [], facts }: Read, lineageId: Id): ReadonlyMap<number, Id> {
  const kept = all.filter(({ type }) => type !== PERSON);
  const every = facts.flatMap(everyFact);
  const parts = new Map(kept.map(({ key, part }) => [key, part]));
  const claims = new Map<Id, Set<number>>();
  const first = new Map<number, Id>();
  const claim = (part: number, statement: Id): void => {
    claims.set(statement, (claims.get(statement) ?? new Set()).add(part));
    first.set(part, first.get(part) ?? statement);
  };
  for (const fact of every) {
    const statement = statementId(lineageId, fact);
    const named = parts.get(keyIn(fact) ?? '');
    const only = kept.length === 1 ? kept[0]!.part : undefined;
    const found = named ?? only;
    if (found !== undefined) {
      claim(found, statement);
    }
    fact.parts?.forEach((number) => claim(number - 1, statement));
  }
  return new Map([...first].filter(([, statement]) => claims.get(statement)!.size === 1));
}

/** The ids of the resources by their parts: those that they have already, if the document was read before. */
function idsFor(read: Read, lineageId: Id, known: ReadonlyMap<string, Id>): ReadonlyMap<number, Id> {
  const statements = statementIds(read, lineageId);
  const given = new Set<Id>();
  const ids = new Map<number, Id>();
  for (const resource of read.kept ?? []) {
    const derived = derivedId(lineageId, 'resource', resource.type, resource.key);
    const wanted = known.get(`${resource.type} ${sourceKeyOf(resource)}`) ?? statements.get(resource.part) ?? derived;
    const id = given.has(wanted) ? derived : wanted;
    given.add(id);
    ids.set(resource.part, id);
  }
  return ids;
}

/** The state of a resource: its version and when it changed last. */
type State = { readonly version: string; readonly updatedAt: Timestamp };

function fillFor({ recordId, documentId }: FactOwner, ids: ReadonlyMap<number, Id>, part: number, state: State): Fill {
  return (name) => {
    switch (name) {
      case 'patient':
        return recordId;
      case 'id':
        return ids.get(part)!;
      case 'version':
        return state.version;
      case 'updated':
        return instant(state.updatedAt);
      case 'source':
        return `urn:uuid:${documentId}`;
      default:
        return ids.get(Number(name)) ?? name;
    }
  };
}

function completedResource(
  resource: KeptResource,
  owner: FactOwner,
  ids: ReadonlyMap<number, Id>,
  state: State,
  isBeside: boolean,
): NewResource {
  const fill = fillFor(owner, ids, resource.part, state);
  return {
    id: ids.get(resource.part)!,
    type: resource.type,
    ...state,
    sourceKey: sourceKeyOf(resource),
    part: isBeside || resource.type === PERSON ? BESIDE - resource.part : resource.part,
    text: fillWritten(resource.text, fill),
    values: resource.values.map((value) => ({
      ...value,
      ...(value.word === undefined ? {} : { word: fillPlain(value.word, fill) }),
      ...(value.exact === undefined ? {} : { exact: fillPlain(value.exact, fill) }),
    })),
  };
}

/**
 * A reading with the resources that a person left out: they have ids, too, so that references to them are those which
 * they get when they are taken in.
 */
function withLeftOut({ kept = [], unkept = [], facts, withheld = [] }: Read): Read {
  return unkept.length === 0
    ? { kept, facts }
    : { kept: [...kept, ...unkept].sort((one, other) => one.part - other.part), facts: [...facts, ...withheld] };
}

/** A resource that a document states, in any state. */
type Stated = { readonly id: Id; readonly type: string; readonly as: (state: State) => NewResource };

/** @param isBeside what is stated stands beside the resources of facts */
function statedAsCame(
  owner: FactOwner,
  read: Read,
  known: ReadonlyMap<string, Id>,
  isBeside: boolean,
): readonly Stated[] {
  const ids = idsFor(withLeftOut(read), owner.lineageId, known);
  return (read.kept ?? []).map((resource) => ({
    id: ids.get(resource.part)!,
    type: resource.type,
    as: (state) => completedResource(resource, owner, ids, state, isBeside),
  }));
}

function inState(resource: FhirResource, { version, updatedAt }: State): FhirResource {
  return {
    ...resource,
    meta: { ...(resource['meta'] as object), versionId: version, lastUpdated: instant(updatedAt) },
  };
}

/** The resources of the facts of a document. */
async function statedByFacts(
  models: Models,
  { recordId }: Pick<FactOwner, 'recordId'>,
  facts: readonly StoredFact[],
): Promise<readonly Stated[]> {
  let number = 0;
  return mapInSlices(await resourcesOfFacts(models, facts), (resource) => {
    const { id, resourceType: type } = resource;
    const part = MADE_OF_FACTS - number;
    number += 1;
    const values = storedValuesOf(type, resource as unknown as JsonObject, `Patient/${recordId}`);
    const as = (state: State): NewResource => ({
      id,
      type,
      ...state,
      sourceKey: '',
      part,
      text: resourceText(inState(resource, state)),
      values,
    });
    return { id, type, as };
  });
}

/** What a document states: as it came where it is one of FHIR, and by its facts otherwise. */
async function statedIn(
  on: Reads,
  models: Models,
  owner: FactOwner,
  read: Read,
  isFirst: boolean,
): Promise<readonly Stated[]> {
  const { kept = [], unkept = [], beside = [], facts } = read;
  const isNew = isFirst || kept.length + beside.length === 0;
  const known = isNew ? new Map<string, Id>() : await idsOfLineage(on, owner.lineageId);
  const cameAsFhir = [...kept, ...unkept].some(({ type }) => type !== PERSON);
  return [
    ...statedAsCame(owner, read, known, false),
    ...(cameAsFhir ? [] : await statedByFacts(models, owner, await storedFacts(models, owner, facts))),
    ...statedAsCame(owner, { kept: beside, facts: [] }, known, true),
  ];
}

function firstState({ documentId, createdAt }: FactOwner): State {
  return { version: documentId, updatedAt: createdAt };
}

async function insertStated(
  trx: Transaction,
  sealer: Sealer,
  owner: FactOwner,
  stated: readonly Stated[],
): Promise<void> {
  const state = firstState(owner);
  await insertResources(trx, sealer, owner, await mapInSlices(stated, ({ as }) => as(state)));
}

/** Stores the resources of a new version of a document. @param isFirst the document has no earlier version */
export async function keepResources(
  trx: Transaction,
  { models, sealer }: { readonly models: Models; readonly sealer: Sealer },
  owner: FactOwner,
  read: Read,
  isFirst: boolean,
): Promise<void> {
  const stated = await statedIn(trx, models, owner, read, isFirst);
  await insertStated(trx, sealer, owner, stated);
}

/** Stores the resources of a document whose facts were stored without them. */
export async function keepFactResources(
  trx: Transaction,
  { models, sealer }: { readonly models: Models; readonly sealer: Sealer },
  owner: FactOwner,
  facts: readonly StoredFact[],
): Promise<void> {
  await insertStated(trx, sealer, owner, await statedByFacts(models, owner, facts));
}

/** Makes what searches find of the resources of a document that an earlier release stored. */
export async function keepSearchValues(
  trx: Transaction,
  contents: Contents,
  { recordId, documentId }: Pick<FactOwner, 'recordId' | 'documentId'>,
): Promise<void> {
  if (!(await isSought(trx, documentId))) {
    const rows = await resourcesOfDocument(trx, contents, documentId);
    const sought = await mapInSlices(rows, ({ seq, type, text }) => ({
      seq,
      type,
      values: storedValuesOf(type, JSON.parse(text) as JsonObject, `Patient/${recordId}`),
    }));
    await insertSearchValues(trx, recordId, sought);
  }
  await dropOldSearchValues(trx, documentId);
}

/** The next version of what the same document says. */
function nextVersion(documentId: Id, version: string): string {
  return `${documentId}.${Number(version.slice(documentId.length + 1) || '1') + 1}`;
}

/** When a resource changes, and since when one counts that was not there before. */
type Times = { readonly now: Timestamp; readonly first: Timestamp };

/** What a resource says now that its document was read anew: a new version if it says something else than before. */
function renewed({ as }: Stated, owner: FactOwner, before: KeptRow | undefined, { now, first }: Times): NewResource {
  const begun = { ...firstState(owner), updatedAt: first };
  const same = as(before ? { version: before.version, updatedAt: before.updatedAt } : begun);
  return before === undefined || before.text === same.text
    ? same
    : as({ version: nextVersion(owner.documentId, before.version), updatedAt: now });
}

function keptName({ type, id }: Pick<KeptRow, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

/** Brings the resources of a document up to date, which was read anew. */
export async function renewResources(
  trx: Transaction,
  { contents, sealer, models }: { readonly contents: Contents; readonly sealer: Sealer; readonly models: Models },
  owner: FactOwner,
  read: Read,
  times: Times,
): Promise<void> {
  const rows = await resourcesOfDocument(trx, contents, owner.documentId);
  const before = new Map(rows.map((row) => [keptName(row), row]));
  const stated = await statedIn(trx, models, owner, read, false);
  await dropResources(trx, owner.documentId);
  await insertResources(
    trx,
    sealer,
    owner,
    await mapInSlices(stated, (one) => renewed(one, owner, before.get(keptName(one)), times)),
  );
}

/** The resources of an earlier version of a document, which was read anew, as they would have been stored. */
export async function resourcesOfVersion(
  on: Reads,
  models: Models,
  owner: FactOwner,
  read: Read,
): Promise<readonly NewResource[]> {
  return (await statedIn(on, models, owner, read, false)).map(({ as }) => as(firstState(owner)));
}
