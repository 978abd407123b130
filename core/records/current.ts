/** current: what counts in a record or carenet now, where a sender says something newer about the same thing. */
import { missingFromNewer, replacedDocuments, type Missing } from '../lines/newer';
import * as sentStore from '../facts/sent-store';
import { readOnce } from '../access/once';
import type { Services } from '../services';
import type { Id } from '../base/types';
import type { ReportScope } from '../sharing/containment';
import type { StoredFact } from '../facts/plans';
import type { SentDocument } from '../facts/sent';

type Reading = Pick<Services, 'database' | 'once'>;

/** A scope of what counts, and what its documents say of themselves. */
export type CurrentScope<S extends ReportScope> = {
  readonly scope: S & Required<Pick<ReportScope, 'current'>>;
  readonly documents: readonly SentDocument[];
  /** Of a whole record; see `SentInScope`. */ readonly state?: string | undefined;
};

/** The scope without what newer documents and statements of their senders take the place of. */
export async function readCurrentScope<S extends ReportScope>(reading: Reading, scope: S): Promise<CurrentScope<S>> {
  const read = () => sentStore.readSentDocuments(reading.database.reads, scope);
  const { documents, state } = await readOnce(reading, ['sent', scope.recordId, scope.carenetId], read);
  return { scope: { ...scope, current: { replaced: [...replacedDocuments(documents).keys()] } }, documents, state };
}

/** The statements of these models that the newest list of their sender does not have any more. */
export async function readMissing(
  { database }: Reading,
  { scope, documents }: CurrentScope<ReportScope>,
  models: readonly string[],
): Promise<ReadonlyMap<Id, Missing>> {
  const hasLists = documents.some(({ source }) => models.some((model) => source.lists?.split(' ').includes(model)));
  const listed = hasLists ? await sentStore.readListed(database.reads, scope, models) : [];
  return missingFromNewer(documents, listed);
}

/**
 * Members of a fact in JSON: the documents that say the same, the date of the newer list that lacks it, and whether the
 * person calls it wrong.
 */
const SAID_IN = '__documents__';
const MISSING_SINCE = '__missing_since__';
const CALLED_WRONG = '__called_wrong__';

/** For each fact, the documents that say the same, if there are several. */
export async function readSaidIn(
  { database }: Reading,
  scope: ReportScope,
  facts: readonly StoredFact[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const ids = [...new Set(facts.map(({ statementId }) => statementId))];
  const said = await sentStore.readSayers(database.reads, scope, ids);
  return new Map([...said].filter(([, documents]) => documents.length > 1));
}

/** Those members, for the facts that have them. */
export function toldOf(
  { statementId }: StoredFact,
  saidIn: ReadonlyMap<Id, readonly Id[]>,
  missing: ReadonlyMap<Id, Missing> = new Map(),
  wrong: ReadonlySet<Id> = new Set(),
): Readonly<Record<string, readonly string[] | string | true>> {
  const [documents, lack] = [saidIn.get(statementId), missing.get(statementId)];
  return {
    ...(documents ? { [SAID_IN]: documents } : {}),
    ...(lack ? { [MISSING_SINCE]: lack.date } : {}),
    ...(wrong.has(statementId) ? { [CALLED_WRONG]: true } : {}),
  };
}
