/** left-out: what people left out of documents: which facts these are, and how they are taken in later. */
import { effectiveId } from '../../../core/auth/principal';
import { errors } from '../../../core/base/errors';
import type { Json } from '../../../core/base/types';
import { readLeftOut, type LeftOutFact } from '../../../core/documents/left-out-store';
import * as documentStore from '../../../core/documents/store';
import { factTables } from '../../../core/facts/model/fact-tables';
import { allChildren, type Fact } from '../../../core/facts/plans';
import type { InRecordDocument } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { notifySubscribers } from '../../../core/outbox/subscribers';
import { factName, isLeftByPerson, mayBeLeftOut, saidAgain } from '../../../core/pipeline/leaving-out';
import { takeIn } from '../../../core/pipeline/reprocess';
import { requireShown } from '../../../core/records/read-documents';
import { changeRecord } from '../../../core/records/require';
import { toSdmj } from '../../../core/reports/sdm';
import type { Services } from '../../../core/services';

/** A fact as a form offers it. */
export type Offered = {
  /** By which the form means it; null: it cannot be left out. */ readonly name: string | null;
  /** The same was left out when the file was added before. */ readonly isLeftOut: boolean;
};

/** A fact that a person left out. */
type LeftByPerson = {
  /** By which it is taken in; null: it was not found any more when the document was read anew. */
  readonly name: string | null;
  readonly model: string;
  /** As SDMJ; null where the service has its model no more. */ readonly fact: Json | null;
};

export type LeftByPeople = { readonly count: number; readonly facts: readonly LeftByPerson[] };

/** The most that are shown of one document. */
const MOST_SHOWN = 100;

/** How a form offers the facts of a file; `knownId` is the document that was made of the same file before. */
export async function offeredFacts(
  { database, contents }: Services,
  facts: readonly Fact[],
  knownId: string | undefined,
): Promise<readonly Offered[]> {
  const before = knownId === undefined ? [] : await readLeftOut(database.reads, contents, knownId);
  const again = saidAgain(facts, before);
  return facts.map((fact) => ({ name: mayBeLeftOut(fact) ? factName(fact) : null, isLeftOut: again.has(fact) }));
}

/** What people left out of a version of a document, the first of it with what it says. */
export async function leftByPeople(
  { database, contents, models }: Services,
  row: documentStore.DocumentRow,
): Promise<LeftByPeople> {
  if (!isLeftByPerson(row)) {
    return { count: 0, facts: [] };
  }
  const all = await readLeftOut(database.reads, contents, row.id);
  const shown = ({ fact, isGone }: LeftOutFact): LeftByPerson => ({
    name: isGone ? null : factName(fact),
    model: fact.model,
    fact: models().find(fact.model) ? toSdmj(models(), fact) : null,
  });
  return { count: all.length, facts: all.slice(0, MOST_SHOWN).map(shown) };
}

export type ToTakeIn = { readonly fact: string };

function modelsIn(fact: LeftOutFact['fact']): readonly string[] {
  return [fact.model, ...allChildren(fact).flatMap(modelsIn)];
}

/**
 * Takes a fact in that was left out of a document: it is stored as the document says it. 404 for an unknown document.
 * @throws errors.invalidState for a fact that is not left out, and for an earlier version
 */
export async function takeInFact({
  params,
  body,
  principal,
  services,
}: Call<InRecordDocument, unknown, ToTakeIn>): Promise<void> {
  const { contents, database, models, reader } = services;
  const scope = { recordId: params.RECORD_ID };
  const row = await requireShown(services, scope, params.DOCUMENT_ID);
  const isMeant = ({ fact, isGone }: LeftOutFact): boolean => !isGone && factName(fact) === body.fact;
  const one = (await readLeftOut(database.reads, contents, row.id)).find(isMeant);
  const stored = await documentStore.findContent(database.reads, contents, scope, row.id);
  if (!one || !stored) {
    throw errors.invalidState('the fact is not left out of this document');
  }
  const whole = await reader.read(stored.content, effectiveId(principal) ?? undefined);
  const tools = { ...services, tables: factTables(models()) };
  await changeRecord(services, params.RECORD_ID, async (trx, { contentKey }) => {
    const document = { ...row, recordId: params.RECORD_ID };
    if (!(await takeIn(trx, tools, contentKey, { document, whole, takesIn: isMeant }))) {
      throw errors.invalidState('only what the latest version leaves out can be taken in');
    }
    await notifySubscribers(services, trx, row, new Set(modelsIn(one.fact)));
  });
}
