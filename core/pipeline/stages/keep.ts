/**
 * keep: stores the resources of a document of FHIR as they came, with ids that stay the same in all its versions and
 * whenever it is read anew.
 */
import { fromTimestamp } from '../../base/clock';
import { derivedId, sha256 } from '../../base/ids';
import type { Id, Timestamp } from '../../base/types';
import type { KeptResource } from '../../fhir/kept';
import { fillPlain, fillWritten, type Fill } from '../../fhir/kept-marks';
import type { Reads, Transaction } from '../../db/database';
import type { Contents, Sealer } from '../../db/sealed-content';
import {
  dropResources,
  idsOfLineage,
  insertResources,
  resourcesOfDocument,
  type KeptRow,
  type NewResource,
  type ResourceOwner,
} from '../../documents/kept-resources-store';
import { statementId } from '../../facts/store';
import { everyFact, keyIn } from '../identified';
import type { ReadDocument } from '../steps';

type Read = Pick<ReadDocument, 'kept' | 'facts'>;

const sourceKeyOf = ({ type, key }: KeptResource): string => sha256(JSON.stringify([type, key]));

/**
 * The statements that were made of one part of a document alone: earlier releases gave the resource that statement's
 * id, and clients may know it.
 */
const statementsOf = ({ kept = [], facts }: Read, lineageId: Id): ReadonlyMap<number, Id> => {
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
};

/** The ids of the resources by their parts: those that they have already, if the document was read before. */
const idsFor = (read: Read, lineageId: Id, known: ReadonlyMap<string, Id>): ReadonlyMap<number, Id> => {
  const statements = statementsOf(read, lineageId);
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
};

/** The state of a resource: its version and when it changed last. */
type State = { readonly version: string; readonly updatedAt: Timestamp };

const fillFor =
  ({ recordId, documentId }: ResourceOwner, ids: ReadonlyMap<number, Id>, part: number, state: State): Fill =>
  (name) => {
    switch (name) {
      case 'patient':
        return recordId;
      case 'id':
        return ids.get(part)!;
      case 'version':
        return state.version;
      case 'updated':
        return new Date(fromTimestamp(state.updatedAt)).toISOString();
      case 'source':
        return `urn:uuid:${documentId}`;
      default:
        return ids.get(Number(name)) ?? name;
    }
  };

const filledIn = (
  resource: KeptResource,
  owner: ResourceOwner,
  ids: ReadonlyMap<number, Id>,
  state: State,
): NewResource => {
  const fill = fillFor(owner, ids, resource.part, state);
  return {
    id: ids.get(resource.part)!,
    type: resource.type,
    ...state,
    sourceKey: sourceKeyOf(resource),
    part: resource.part,
    text: fillWritten(resource.text, fill),
    values: resource.values.map((value) => ({
      ...value,
      ...(value.word === undefined ? {} : { word: fillPlain(value.word, fill) }),
      ...(value.exact === undefined ? {} : { exact: fillPlain(value.exact, fill) }),
    })),
  };
};

/** Stores the resources of a new version of a document. @param isFirst the document has no earlier version */
export const keepResources = async (
  trx: Transaction,
  sealer: Sealer,
  owner: ResourceOwner & { readonly createdAt: Timestamp },
  read: Read,
  isFirst: boolean,
): Promise<void> => {
  const known = isFirst ? new Map<string, Id>() : await idsOfLineage(trx, owner.lineageId);
  const ids = idsFor(read, owner.lineageId, known);
  const state = { version: owner.documentId, updatedAt: owner.createdAt };
  await insertResources(
    trx,
    sealer,
    owner,
    (read.kept ?? []).map((resource) => filledIn(resource, owner, ids, state)),
  );
};

/** The next version of what the same document says. */
const nextVersion = (documentId: Id, version: string): string =>
  `${documentId}.${Number(version.slice(documentId.length + 1) || '1') + 1}`;

/** What a resource says now that its document was read anew: a new version if it says something else than before. */
const renewed = (
  resource: KeptResource,
  owner: ResourceOwner & { readonly createdAt: Timestamp },
  ids: ReadonlyMap<number, Id>,
  before: KeptRow | undefined,
  now: Timestamp,
): NewResource => {
  const state = before ?? { version: owner.documentId, updatedAt: owner.createdAt };
  const same = filledIn(resource, owner, ids, { version: state.version, updatedAt: state.updatedAt });
  return before === undefined || before.text === same.text
    ? same
    : filledIn(resource, owner, ids, { version: nextVersion(owner.documentId, before.version), updatedAt: now });
};

/** Brings the resources of a document up to date, which was read anew. */
export const renewResources = async (
  trx: Transaction,
  { contents, sealer }: { readonly contents: Contents; readonly sealer: Sealer },
  owner: ResourceOwner & { readonly createdAt: Timestamp },
  read: Read,
  now: Timestamp,
): Promise<void> => {
  const before = new Map((await resourcesOfDocument(trx, contents, owner.documentId)).map((row) => [row.id, row]));
  if (before.size === 0 && (read.kept ?? []).length === 0) {
    return;
  }
  const ids = idsFor(read, owner.lineageId, await idsOfLineage(trx, owner.lineageId));
  await dropResources(trx, owner.documentId);
  await insertResources(
    trx,
    sealer,
    owner,
    (read.kept ?? []).map((resource) => renewed(resource, owner, ids, before.get(ids.get(resource.part)!), now)),
  );
};

/** The resources of an earlier version of a document, which was read anew, as they would have been stored. */
export const resourcesOfVersion = async (
  on: Reads,
  owner: ResourceOwner & { readonly createdAt: Timestamp },
  read: Read,
): Promise<readonly NewResource[]> => {
  const ids = idsFor(read, owner.lineageId, await idsOfLineage(on, owner.lineageId));
  const state = { version: owner.documentId, updatedAt: owner.createdAt };
  return (read.kept ?? []).map((resource) => filledIn(resource, owner, ids, state));
};
