/**
 * reprocess: runs stored documents through the pipeline again after schemas, stylesheets or models changed. The service
 * keeps running meanwhile; the facts of each document are replaced in one transaction. A document carries the
 * fingerprint of the configuration that made its facts, so a second run continues where the first one stopped.
 */
import { AppError, errors } from '../base/errors';
import { limit } from '../base/turns/limit';
import { type Clock, systemClock, toTimestamp } from '../base/clock';
import type { Id } from '../base/types';
import type { Database, Transaction } from '../db/database';
import { UnreadableContent, type ContentKey, type Contents } from '../sealing/contents-store';
import { replaceFacts, type FactTables } from '../facts/store';
import {
  countGone,
  countStale,
  isDemographics,
  lockLatest,
  markProcessed,
  readContent,
  readStale,
  type StaleDocument,
  type StaleScope,
} from '../documents/reprocessing-store';
import { noteIdentifiers } from '../documents/identifiers-store';
import type { LeftOutFact } from '../documents/left-out-store';
import { insertCodings } from '../facts/codings-store';
import { insertSent } from '../facts/sent-store';
import { lockRecord, putDemographics } from '../records/store';
import { aboutColumns } from '../facts/model/about';
import { countByModel } from '../facts/model/fact';
import type { Models } from '../facts/model/model';
import { identifiedBy, statementsByPart } from './identified';
import type { DocumentReader } from './readers/document-reader';
import { demographicsOf, sentRowsOf } from './stages/store-document';
import { renewResources } from './stages/keep';
import { leaveOutAgain } from './stages/leave-out';
import type { ReadDocument } from './steps';

type ReprocessScope = { readonly type?: string; readonly recordId?: Id };

type ReprocessReport = {
  readonly done: number;
  /**
   * Documents that the current configuration refuses; they keep their old facts. The reason never quotes the document.
   */
  readonly refused: readonly { readonly documentId: Id; readonly reason: string }[];
};

type Tools = {
  readonly database: Database;
  readonly contents: Contents;
  readonly reader: DocumentReader;
  readonly tables: FactTables;
  readonly models: () => Models;
  readonly clock?: Clock;
};

const PAGE = 500;

/** The fingerprint that an up-to-date document carries, by type; types without a format have none. */
function staleScope({ reader }: Tools, { type, recordId }: ReprocessScope): StaleScope {
  return {
    current: reader.entries.all.flatMap(({ types, fingerprint }) => types.map((type) => ({ type, fingerprint }))),
    ...(type === undefined ? {} : { type }),
    ...(recordId === undefined ? {} : { recordId }),
  };
}

/** How many documents are not up to date with the current configuration. */
export function countReprocess(tools: Tools, scope: ReprocessScope): Promise<number> {
  return countStale(tools.database.reads, staleScope(tools, scope));
}

/**
 * The types whose documents will lose their facts because no format has them any more. That may be intended, or a
 * folder may be missing in the settings.
 */
export function findGone(
  tools: Tools,
  scope: ReprocessScope,
): Promise<readonly { readonly type: string; readonly documents: number }[]> {
  return countGone(tools.database.reads, staleScope(tools, scope));
}

/**
 * Updates the demographics of the record from their own document; other documents of that type have no effect on them.
 */
async function renewDemographics(
  trx: Transaction,
  { recordId, id, createdAt }: StaleDocument,
  read: ReadDocument,
): Promise<void> {
  const values = demographicsOf(read);
  if (!values) {
    throw errors.invalidDocument('it is not a demographics document');
  }
  await putDemographics(trx, recordId, { documentId: id, values }, createdAt);
}

/** A document to be made anew from what was read of it. */
type Renewing = {
  readonly document: Omit<StaleDocument, 'seq'>;
  readonly whole: ReadDocument;
  /** Chooses what is not left out any longer. */ readonly takesIn?: (one: LeftOutFact) => boolean;
};

/** Makes everything anew that follows from a document, which is the latest of its lineage and locked. */
async function renewDocument(
  trx: Transaction,
  tools: Tools,
  contentKey: ContentKey,
  { document, whole, takesIn }: Renewing,
): Promise<ReadDocument> {
  const { contents, database, tables } = tools;
  const under = { contents, sealer: contents.under(contentKey), models: tools.models() };
  const owner = { ...document, documentId: document.id };
  const read = await leaveOutAgain(trx, under, owner, whole, takesIn);
  const made = read.facts.filter(({ model }) => tables.has(model));
  await replaceFacts(trx, database.dialect, tables, owner, made);
  await insertSent(trx, owner, sentRowsOf(under.models, { ...read, facts: made }, owner));
  await insertCodings(trx, owner, made);
  const now = toTimestamp((tools.clock ?? systemClock).now());
  const first = takesIn ? now : document.createdAt;
  await renewResources(trx, under, owner, { ...read, facts: made }, { now, first });
  await markProcessed(trx, document, { ...read, about: aboutColumns(read.about), facts: countByModel(made) });
  return read;
}

function bringUpToDate(tools: Tools, document: StaleDocument, whole: ReadDocument): Promise<void> {
  return tools.database.transaction(async (trx) => {
    const demographics = await isDemographics(trx, document);
    const record = await lockRecord(trx, document.recordId, demographics);
    // The document has been replaced meanwhile; the newer version has facts of its own.
    if (!record || !(await lockLatest(trx, document))) {
      return;
    }
    const read = await renewDocument(trx, tools, record.contentKey, { document, whole });
    if (demographics) {
      await renewDemographics(trx, document, read);
    }
  });
}

/**
 * Takes in what was left out of a document, as its reading now says it; the record is locked.
 * @returns false when the document was replaced meanwhile
 */
export async function takeIn(
  trx: Transaction,
  tools: Tools,
  contentKey: ContentKey,
  renewing: Required<Renewing>,
): Promise<boolean> {
  const { id, recordId, lineageId } = renewing.document;
  if (!(await lockLatest(trx, renewing.document))) {
    return false;
  }
  const read = await renewDocument(trx, tools, contentKey, renewing);
  const identified = identifiedBy(statementsByPart(read.outline ?? [], read, lineageId), id);
  await noteIdentifiers(trx, tools.database.dialect, recordId, identified);
  return true;
}

async function reprocessOne(tools: Tools, document: StaleDocument): Promise<string | undefined> {
  try {
    const content = await readContent(tools.database.reads, tools.contents, document.id);
    // The content is undefined when the document has been removed meanwhile.
    if (content !== undefined) {
      await bringUpToDate(tools, document, await tools.reader.read(content));
    }
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      return error.details[0] ? `${error.message} ${error.details[0].message}` : error.message;
    }
    if (error instanceof UnreadableContent) {
      return 'its stored content does not open: it was changed, or needs another key';
    }
    throw error;
  }
}

/**
 * Brings the facts of all latest versions in scope up to date.
 * @param step called once for each document
 */
export async function reprocess(tools: Tools, scope: ReprocessScope, step: () => void): Promise<ReprocessReport> {
  const stale = staleScope(tools, scope);
  // Limits the documents in memory to as many as the reader's queue can hold at once.
  const inTurn = limit(tools.reader.atOnce);
  const refused: { documentId: Id; reason: string }[] = [];
  let done = 0;
  let after = 0;
  for (;;) {
    const documents = await readStale(tools.database.reads, stale, after, PAGE);
    if (documents.length === 0) {
      return { done, refused };
    }
    const reasons = await Promise.all(
      documents.map((document) =>
        inTurn(async () => {
          const reason = await reprocessOne(tools, document);
          step();
          return reason;
        }),
      ),
    );
    reasons.forEach((reason, index) => {
      if (reason === undefined) {
        done += 1;
      } else {
        refused.push({ documentId: documents[index]!.id, reason });
      }
    });
    after = documents[documents.length - 1]!.seq;
  }
}
