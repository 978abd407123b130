/**
 * document-pipeline: the interface of the pipeline for the rest of the service: it creates, replaces and reads
 * documents.
 */
import type { Logger } from 'pino';
import { effectiveId, proxyId, type Principal } from '../auth/principal';
import { toTimestamp, type Clock } from '../base/clock';
import { AppError, errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Config } from '../config/schema';
import { isLeftByPerson } from './leaving-out';
import { factTables } from '../facts/model/fact-tables';
import type { Models } from '../facts/model/model';
import { testSaid } from '../lab-tests/named';
import type { Metrics } from '../metrics/metrics';
import { awaitText } from '../documents/texts-store';
import { mayHoldFiles } from '../files/held-file';
import type { FileTexts } from './file-texts';
import type { Outbox } from '../outbox/kind';
import { notifySubscribers } from '../outbox/subscribers';
import { withoutRelations, withRelations, type DocumentMeta } from '../documents/document-meta';
import { demographicsType } from '../documents/document-types';
import { storedMediaType } from '../documents/media-type';
import type { Database, Transaction, Reads } from '../db/database';
import type { Contents } from '../sealing/contents-store';
import { findDocument, findRelated, type DocumentRow, type ExternalId } from '../documents/store';
import { findRecord } from '../records/store';
import type { RelationType } from '../documents/relations-store';
import type { DocumentReader } from './readers/document-reader';
import {
  demographicsOf,
  refusedReplacement,
  storeDocument,
  type Stored,
  type StoreInput,
} from './stages/store-document';
import { DocumentRefused, type ReadDocument } from './steps';

export type { Stored } from './stages/store-document';

/** A document as it arrives. */
export type Arrived = {
  readonly recordId: Id;
  readonly bytes: Buffer;
  /** Declared media type without parameters; empty when none was declared. */
  readonly mediaType: string;
  readonly principal: Principal;
  readonly external?: ExternalId;
  /** As at DocumentReader.read. */ readonly strict?: boolean;
};

export type CreateInput = Arrived &
  Pick<StoreInput, 'label' | 'nevershare' | 'identifiedAs' | 'leaving'> & {
    /** Id of the version to replace; refused content is then answered with 404. */
    readonly replaces?: Id;
    /** The replaced version must have one of these digests (If-Match). */
    readonly expectedDigests?: readonly string[];
    /** The new document relates to the object. */
    readonly relation?: { readonly type: RelationType; readonly objectDocumentId: Id };
    /** Runs last in the same transaction; it may run again when the transaction is retried. */
    readonly within?: (trx: Transaction, stored: Stored) => Promise<void>;
  };

/** A document that has been read and may be stored in a record. */
export type Ready = Omit<StoreInput, 'recordId' | 'now'>;

export type Pipeline = {
  /** Stores a document and returns its metadata. */
  readonly create: (input: CreateInput) => Promise<DocumentMeta>;
  /** Runs only identify, validate and transform. With `demographics`, every other document is refused. */
  readonly read: (input: Omit<Arrived, 'recordId'>, options?: { readonly demographics?: boolean }) => Promise<Ready>;
  /** Runs the storing stage inside a caller's transaction. */
  readonly store: (trx: Transaction, input: Ready & { readonly recordId: Id }) => Promise<Stored>;
  /** Makes the document the newest version of the record's demographics, or the first. */
  readonly putDemographics: (input: Arrived) => Promise<DocumentMeta>;
};

type Parts = {
  readonly config: Config;
  readonly database: Database;
  readonly contents: Contents;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly clock: Clock;
  readonly models: () => Models;
  readonly outbox: Outbox;
  readonly texts: Pick<FileTexts, 'wake'>;
  readonly metrics: Pick<Metrics, 'documentRead'>;
  readonly log: Pick<Logger, 'warn'>;
};

/**
 * Reads the document and counts the outcome. A failure of a stylesheet or a module is logged for its author, because
 * callers would not report it.
 */
async function countedRead(
  { reader, metrics, log }: Parts,
  { bytes, strict }: Pick<Arrived, 'bytes' | 'strict'>,
  owner: string,
): Promise<ReadDocument> {
  try {
    const read = await reader.read(bytes, owner, strict);
    metrics.documentRead(read.entry ?? 'none', 'read');
    return read;
  } catch (error) {
    const format = error instanceof DocumentRefused ? (error.entry ?? 'none') : 'unknown';
    const code = error instanceof AppError ? error.code : 'internal';
    metrics.documentRead(format, code);
    if (code === 'transform_failed') {
      log.warn({ format, bytes: bytes.length }, 'a document could not be transformed');
    }
    throw error;
  }
}

/** The processes that read documents know no tests. @throws errors.invalidDocument */
function checkTestsSaid({ labTests }: Models, facts: ReadDocument['facts']): void {
  const said = facts.flatMap(({ model, values }) => (model === 'OwnWord' ? String(values['test'] ?? '') : ''));
  const unknown = said.find((test) => test !== '' && testSaid(labTests, test) === undefined);
  if (unknown !== undefined) {
    throw errors.invalidDocument(`there is no test ${unknown}: name one of tests.csv`);
  }
}

async function readDocument(
  parts: Parts,
  arrived: Pick<Arrived, 'bytes' | 'strict'>,
  owner: string,
  demographics: boolean,
): Promise<ReadDocument> {
  if (arrived.bytes.length === 0) {
    throw errors.invalidDocument('it is empty: send its content');
  }
  const read = await countedRead(parts, arrived, owner);
  if (demographics && (read.type !== demographicsType(parts.config.vocabBase) || !demographicsOf(read))) {
    throw errors.invalidDocument('it is not a demographics document: send one of that type');
  }
  checkTestsSaid(parts.models(), read.facts);
  return read;
}

async function makeReady(parts: Parts, input: Omit<Arrived, 'recordId'>, demographics: boolean): Promise<Ready> {
  const creatorId = effectiveId(input.principal);
  if (creatorId === null) {
    throw errors.permissionDenied();
  }
  const mediaType = storedMediaType(input.mediaType, input.bytes);
  const read = await readDocument(parts, input, creatorId, demographics);
  return {
    bytes: input.bytes,
    mediaType,
    read,
    creatorId,
    proxyId: proxyId(input.principal),
    demographics,
    ...(input.external ? { external: input.external } : {}),
  };
}

/** The time is read here, so that a version is never older than the one that it replaces. */
async function store(parts: Parts, trx: Transaction, input: Omit<StoreInput, 'now'>): Promise<Stored> {
  const stored = await storeDocument(
    trx,
    {
      dialect: parts.database.dialect,
      contents: parts.contents,
      tables: factTables(parts.models()),
      models: parts.models(),
    },
    { ...input, now: toTimestamp(parts.clock.now()) },
  );
  if (mayHoldFiles(input.bytes) || input.read.leftOut.length > 0) {
    const { recordId, id: documentId, lineageId } = stored;
    await awaitText(trx, { recordId, documentId, lineageId });
    trx.onCommit(() => parts.texts.wake());
  }
  if (stored.watched) {
    await notifySubscribers(parts, trx, stored, stored.changed);
  }
  return stored;
}

/** Reads the reply for a stored document after its transaction, so that no other transaction waits for it. */
async function metaOf({ database, config }: Parts, stored: Stored): Promise<DocumentMeta> {
  const found = await findRelated(database.reads, stored.recordId, stored.id);
  if (!found) {
    throw errors.internal();
  }
  const { row, hasRelations } = found;
  return hasRelations ? (await withRelations(database.reads, config.vocabBase, [row]))[0]! : withoutRelations(row);
}

/** The version to replace, if that is permitted. */
async function findReplaceable(
  on: Reads,
  { recordId, replaces, expectedDigests }: CreateInput,
): Promise<DocumentRow | undefined> {
  if (replaces === undefined) {
    return undefined;
  }
  const old = await findDocument(on, { recordId }, replaces);
  if (!old) {
    throw errors.notFound('document');
  }
  if (old.replacedById !== null) {
    throw errors.alreadyReplaced();
  }
  if (expectedDigests && !expectedDigests.includes(old.digest)) {
    throw errors.preconditionFailed();
  }
  return old;
}

async function createVersion(parts: Parts, input: CreateInput): Promise<DocumentMeta> {
  const { database } = parts;
  const old = await findReplaceable(database.reads, input);
  // Only demographics may replace demographics, so no query is needed for other types.
  const demographics =
    old !== undefined &&
    /\bDemographics$/.test(old.type) &&
    (await findRecord(database.reads, input.recordId))?.demographicsLineageId === old.lineageId;
  const ready = await makeReady(parts, input, demographics).catch((error: unknown) => {
    throw old ? refusedReplacement(error) : error;
  });
  const stored = await database.transaction(async (trx) => {
    const made = await store(parts, trx, {
      ...ready,
      recordId: input.recordId,
      ...(old ? { replaces: { id: old.id, lineageId: old.lineageId, leavesOut: isLeftByPerson(old) } } : {}),
      ...(input.relation ? { relation: input.relation } : {}),
      ...(input.label === undefined ? {} : { label: input.label }),
      ...(input.nevershare ? { nevershare: true } : {}),
      ...(input.identifiedAs === undefined ? {} : { identifiedAs: input.identifiedAs }),
      ...(input.leaving === undefined ? {} : { leaving: input.leaving }),
    });
    await input.within?.(trx, made);
    return made;
  });
  return metaOf(parts, stored);
}

const ATTEMPTS = 20;

async function putDemographics(parts: Parts, input: Arrived): Promise<DocumentMeta> {
  const { database } = parts;
  const ready = await makeReady(parts, input, true);
  for (let attempt = 1; ; attempt += 1) {
    const { demographicsId: id = null, demographicsLineageId: lineageId = null } =
      (await findRecord(database.reads, input.recordId)) ?? {};
    const replaces = id === null || lineageId === null ? {} : { replaces: { id, lineageId } };
    try {
      return await metaOf(
        parts,
        await database.transaction((trx) => store(parts, trx, { ...ready, recordId: input.recordId, ...replaces })),
      );
    } catch (error) {
      // Another caller was faster; this version replaces theirs.
      if (attempt >= ATTEMPTS || (error as { code?: string }).code !== 'already_replaced') {
        throw error;
      }
    }
  }
}

export function makePipeline(parts: Parts): Pipeline {
  return {
    create: (input) => createVersion(parts, input),
    read: (input, options) => makeReady(parts, input, options?.demographics ?? false),
    store: (trx, input) => store(parts, trx, input),
    putDemographics: (input) => putDemographics(parts, input),
  };
}
