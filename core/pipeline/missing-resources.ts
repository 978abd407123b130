/**
 * missing-resources: makes the resources of documents whose facts were stored before facts had any, or came with an
 * imported record, and what searches find of resources that an earlier release stored. A record that is asked for at
 * `/fhir` comes first, all others in the background. Each document is one transaction.
 */
import type { Logger } from 'pino';
import type { Clock } from '../base/clock';
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Database, Transaction } from '../db/database';
import type { StoredFact } from '../facts/plans';
import type { Contents } from '../sealing/contents-store';
import {
  lockUnmade,
  noLongerMissing,
  readMissingResources,
  type MissingResources,
} from '../documents/kept-resources-store';
import { NOT_NESTED, readAcross, withNested } from '../facts/facts-across';
import { factTables } from '../facts/model/fact-tables';
import type { Models } from '../facts/model/model';
import { findFactModels } from '../facts/store';
import { lockRecord } from '../records/store';
import { keepFactResources, keepSearchValues } from './stages/keep';

type Tools = {
  readonly database: Database;
  readonly contents: Contents;
  readonly models: () => Models;
  readonly clock: Clock;
};

/** A document has fewer facts than this (`stages/transform.ts`). */
const MOST_FACTS = 100_000;

async function findDocumentFacts(
  trx: Transaction,
  { database: { dialect }, models }: Tools,
  documentId: Id,
): Promise<readonly StoredFact[]> {
  const tables = factTables(models());
  const found = await findFactModels(trx, tables, documentId);
  const branches = [...found].map((model) => ({
    plan: tables.get(model)!,
    where: `fact._document_id = ? and ${NOT_NESTED}`,
    values: [documentId],
    limit: MOST_FACTS,
  }));
  return withNested(trx, dialect, tables, await readAcross(trx, dialect, branches));
}

function makeMissing(tools: Tools, { recordId, lineageId }: MissingResources): Promise<void> {
  return tools.database.transaction(async (trx) => {
    const record = await lockRecord(trx, recordId, false);
    const latest = record && (await lockUnmade(trx, lineageId));
    if (record && latest?.isMade === false) {
      const { id: documentId, createdAt } = latest;
      const made = { models: tools.models(), sealer: tools.contents.under(record.contentKey) };
      const facts = await findDocumentFacts(trx, tools, documentId);
      await keepFactResources(trx, made, { recordId, documentId, lineageId, createdAt }, facts);
    } else if (latest) {
      await keepSearchValues(trx, tools.contents, { recordId, documentId: latest.id });
    }
    await noLongerMissing(trx, lineageId);
  });
}

const AT_ONCE = 200;

/** A caller waits this long for the resources of a record. */
const MOST_MILLISECONDS = 5000;

/**
 * Makes what is missing of a record.
 * @throws errors.unavailable when there is much of it: the caller comes again, and the work goes on from there
 */
export async function makeMissingOf(tools: Tools, recordId: Id): Promise<void> {
  const { clock, database } = tools;
  const began = clock.now();
  for (let after = 0; ;) {
    const missing = await readMissingResources(database.reads, recordId, after, AT_ONCE);
    for (const one of missing) {
      if (clock.now() - began > MOST_MILLISECONDS) {
        throw errors.unavailable('the record is being prepared after an upgrade');
      }
      await makeMissing(tools, one);
    }
    if (missing.length < AT_ONCE) {
      return;
    }
    after = missing.at(-1)!.seq;
  }
}

const ROUND = 10_000;

type BackgroundTools = Tools & { readonly log: Logger };

/** Makes all that is missing, document by document, and answers how many documents there were. */
async function makeAllMissing(tools: BackgroundTools, isStopped: () => boolean): Promise<number> {
  let made = 0;
  for (let after = 0; !isStopped();) {
    const missing = await readMissingResources(tools.database.reads, undefined, after, AT_ONCE);
    for (const one of missing) {
      if (isStopped()) {
        break;
      }
      await makeMissing(tools, one).catch((error: unknown) =>
        tools.log.warn({ lineage: one.lineageId, error: (error as Error).name }, 'resources could not be made'),
      );
      made += 1;
    }
    if (missing.length < AT_ONCE) {
      break;
    }
    after = missing.at(-1)!.seq;
  }
  return made;
}

/** Makes in the background what is missing, and looks again for what an import brings. */
export function startMakingMissing(tools: BackgroundTools): { readonly stop: () => Promise<void> } {
  let isStopped = false;
  let running: Promise<void> | undefined;
  const round = async (): Promise<void> => {
    try {
      const made = await makeAllMissing(tools, () => isStopped);
      if (made > 0) {
        tools.log.info({ documents: made }, 'resources were made of facts that had none');
      }
    } catch (error) {
      tools.log.warn({ error: (error as Error).name }, 'facts without resources could not be looked for');
    }
    running = undefined;
  };
  const look = (): void => {
    running ??= isStopped ? undefined : round();
  };
  const timer = setInterval(look, ROUND).unref();
  look();
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
