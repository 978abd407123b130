/**
 * store-document: stores a document that has been read, with its lineage, facts, relation and demographics, inside one
 * transaction.
 */
import { AppError, errors } from '../../base/errors';
import { newId, sha1, sha256 } from '../../base/ids';
import { storedLeftOut } from '../../base/left-out';
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import type { Database, Transaction } from '../../db/database';
import { isDuplicate } from '../../db/db-errors';
import type { Scalar } from '../../facts/plans';
import type { Contents, Sealer } from '../../sealing/contents-store';
import {
  findDocument,
  insertDocument,
  insertLineage,
  supersede,
  type ExternalId,
  type NewDocument,
} from '../../documents/store';
import { insertLeftOut } from '../../documents/left-out-store';
import { noteIdentifiers } from '../../documents/identifiers-store';
import { deleteFacts, insertFacts, statementId, type FactTables } from '../../facts/store';
import { lockRecord, pointToDemographics, putDemographics } from '../../records/store';
import { insertCodings } from '../../facts/codings-store';
import { insertSent, type SentRows } from '../../facts/sent-store';
import { insertRelation, type RelationType } from '../../documents/relations-store';
import { aboutColumns } from '../../facts/model/about';
import { countByModel } from '../../facts/model/fact';
import type { Models } from '../../facts/model/model';
import { sentDocumentOf, sentStatementsOf } from '../../lines/sent-rows';
import { identifiedBy, statementsByPart } from '../identified';
import type { ReadDocument } from '../steps';
import { keepResources } from './keep';
import { leaveOut, type Leaving } from './leave-out';

/** The built-in model, whose only fact fills the record's demographics and never a fact table. */
const DEMOGRAPHICS = 'Demographics';

/** What is needed to store documents. */
export type Store = {
  readonly tables: FactTables;
  readonly models: Models;
  readonly contents: Contents;
} & Pick<Database, 'dialect'>;

export type StoreInput = {
  readonly recordId: Id;
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly read: ReadDocument;
  readonly creatorId: PrincipalId;
  readonly proxyId: PrincipalId | null;
  readonly now: Timestamp;
  /** The version that this one replaces, and whether a person left something out of it. */
  readonly replaces?: { readonly id: Id; readonly lineageId: Id; readonly leavesOut?: boolean };
  /** The new document relates to the object. */
  readonly relation?: { readonly type: RelationType; readonly objectDocumentId: Id };
  readonly external?: ExternalId;
  /**
   * Hashes of identifiers that no active document of the record may have yet; otherwise the driver reports a duplicate.
   */
  readonly identifiedAs?: readonly string[];
  /** The new label of all versions; absent when the label does not change. */
  readonly label?: string | null;
  /** True when none of its versions may be in any carenet from now on. */
  readonly nevershare?: boolean;
  /** What the person left out; absent: as in the version that this one replaces. */ readonly leaving?: Leaving;
  /** True when the document becomes the demographics of its record. */
  readonly demographics?: boolean;
};

export type Stored = {
  readonly id: Id;
  readonly recordId: Id;
  readonly lineageId: Id;
  readonly type: string;
  readonly read: ReadDocument;
  readonly createdAt: Timestamp;
  /** Models whose facts were added or removed. */
  readonly changed: ReadonlySet<string>;
  /** Whether apps subscribe to the record. */
  readonly watched: boolean;
};

/** The demographics fields of a document that has them. */
export function demographicsOf(read: ReadDocument): Readonly<Record<string, Scalar>> | undefined {
  return read.facts.find(({ model }) => model === DEMOGRAPHICS)?.values;
}

function newDocument(input: StoreInput): NewDocument {
  const id = newId();
  return {
    id,
    recordId: input.recordId,
    lineageId: input.replaces?.lineageId ?? id,
    replacesId: input.replaces?.id ?? null,
    external: input.external ?? null,
    ...(input.label === undefined ? {} : { label: input.label }),
    ...(input.nevershare ? { nevershare: true } : {}),
    type: input.read.type,
    mediaType: input.mediaType,
    size: input.bytes.length,
    digest: sha256(input.bytes),
    sha1: sha1(input.bytes),
    creatorId: input.creatorId,
    proxyId: input.proxyId,
    createdAt: input.now,
    entry: input.read.entry,
    fingerprint: input.read.fingerprint,
    facts: JSON.stringify(countByModel(input.read.facts.filter(({ model }) => model !== DEMOGRAPHICS))),
    leftOut: storedLeftOut(input.read.leftOut),
    about: aboutColumns(input.read.about),
    content: input.bytes,
  };
}

async function insertVersion(trx: Transaction, sealer: Sealer, document: NewDocument): Promise<void> {
  // The old version is marked first. When two callers replace it, one waits here and then finds it marked.
  if (document.replacesId !== null && !(await supersede(trx, document))) {
    throw errors.alreadyReplaced();
  }
  try {
    await insertDocument(trx, sealer, document);
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The external id') : error;
  }
  if (document.replacesId === null) {
    await insertLineage(trx, document);
  }
}

async function relate(
  trx: Transaction,
  { relation, recordId, creatorId, now }: StoreInput,
  lineageId: Id,
): Promise<void> {
  if (relation) {
    const object = await findDocument(trx, { recordId }, relation.objectDocumentId);
    if (!object) {
      throw errors.notFound('document');
    }
    await insertRelation(trx, {
      type: relation.type,
      subjectLineageId: lineageId,
      objectLineageId: object.lineageId,
      createdBy: creatorId,
      createdAt: now,
    });
  }
}

/** What is kept of a document so that newer statements of its sender are told from older ones. */
export function sentRowsOf(
  models: Models,
  read: ReadDocument,
  owner: { readonly documentId: Id; readonly lineageId: Id },
): SentRows {
  return {
    statements: sentStatementsOf(models, read, owner),
    document: sentDocumentOf(read, owner),
  };
}

/** Stores the identifiers of a document. Documents of other formats have none, so no statement is run for them. */
async function noteIdentified(
  trx: Transaction,
  dialect: Store['dialect'],
  { recordId, read, identifiedAs = [] }: StoreInput,
  { id, lineageId }: NewDocument,
): Promise<void> {
  const identified = identifiedBy(statementsByPart(read.outline ?? [], read, lineageId), id);
  const [first] = read.facts;
  const asked = identifiedAs
    .filter((hash) => !identified.some(({ identifierHash }) => identifierHash === hash))
    .map((identifierHash) => ({
      identifierHash,
      documentId: id,
      statementId: first ? statementId(lineageId, first) : null,
    }));
  await noteIdentifiers(trx, dialect, recordId, [...identified, ...asked], identifiedAs);
}

async function fillDemographics(trx: Transaction, input: StoreInput, document: NewDocument): Promise<void> {
  const values = input.demographics ? demographicsOf(input.read) : undefined;
  if (values) {
    // Another caller may have given the record its first demographics since this one checked.
    if (!input.replaces && !(await pointToDemographics(trx, input.recordId, document.lineageId))) {
      throw errors.alreadyReplaced();
    }
    await putDemographics(trx, input.recordId, { documentId: document.id, values }, input.now);
  }
}

/**
 * Stores a document and everything that follows from it. The record's row stays locked against removal until the end.
 * @throws AppError not_found (record, object of the relation), permission_denied, already_replaced, duplicate (external
 * id), invalid_body (a fact that is to be left out and is none of the document)
 */
export async function storeDocument(
  trx: Transaction,
  { tables, models, dialect, contents }: Store,
  given: StoreInput,
): Promise<Stored> {
  const record = await lockRecord(trx, given.recordId, given.demographics ?? false);
  if (!record) {
    throw errors.notFound('record');
  }
  // The transaction for which this one waited may have revoked the caller's permission.
  await trx.askAgain?.();
  const sealer = contents.under(record.contentKey);
  const left = await leaveOut(trx, { contents, models }, given.read, given);
  const input = { ...given, read: left.read };
  const document = newDocument(input);
  await insertVersion(trx, sealer, document);
  const gone = input.replaces ? await deleteFacts(trx, dialect, tables, input.replaces.id) : [];
  const facts = input.read.facts.filter(({ model }) => model !== DEMOGRAPHICS);
  const { recordId, lineageId, createdAt } = document;
  const owner = { recordId, documentId: document.id, lineageId, createdAt };
  const come = await insertFacts(trx, tables, owner, facts);
  await insertLeftOut(trx, sealer, owner, left.kept);
  await insertSent(trx, owner, sentRowsOf(models, input.read, owner));
  await insertCodings(trx, owner, facts);
  await keepResources(trx, { models, sealer }, owner, { ...input.read, facts }, input.replaces === undefined);
  if (input.read.outline !== undefined || input.identifiedAs !== undefined) {
    await noteIdentified(trx, dialect, input, document);
  }
  await relate(trx, input, document.lineageId);
  await fillDemographics(trx, input, document);
  return {
    id: document.id,
    recordId: input.recordId,
    lineageId: document.lineageId,
    type: document.type,
    read: input.read,
    createdAt: document.createdAt,
    changed: new Set([...gone, ...come]),
    watched: record.watched,
  };
}

/**
 * The error that a caller of the replace calls receives for refused content: 404, as the specification's replace row
 * says.
 */
export function refusedReplacement(error: unknown): unknown {
  return error instanceof AppError &&
    error.status === 400 &&
    ['invalid_document', 'transform_failed'].includes(error.code)
    ? new AppError(404, 'invalid_document', error.message, error.details)
    : error;
}
