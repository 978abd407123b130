/** timeline: reads facts of every model by their own dates, the newest first, and counts them by year. */
import type { Id } from '../../core/base/types';
import { factTables } from '../../core/facts/model/fact-tables';
import type { Model } from '../../core/facts/model/model';
import { dateColumn } from '../../core/facts/model/table-plan';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import { readSaidIn, toldOf } from '../../core/records/current';
import type { Services } from '../../core/services';
import type { StoredFact } from '../../core/facts/plans';
import type { DocumentScope, KnownDocument } from '../../core/documents/store';
import { countYears, readTimeline, type Dated, type DaysOf, type YearCount } from '../../core/facts/timeline';
import { readPapers, type SdmjFact } from './narrowed';
import { sdmj } from './series';
import { openScope, readMissingOf, readWrongOf, type InScope } from './scope';
import { VISIT } from './visit-model';
import { senderOf } from './visits';
import * as documentStore from '../../core/documents/store';

export type TimelineQuery = DaysOf &
  Seeking & {
    /** A model; absent: all of them. */ readonly kind?: string;
    /** Facts of this year of local time only; years are counted all the same. */ readonly year?: string;
  };

/**
 * A page of facts as SDMJ; `years` counts the facts of all kinds between the two days, even when one kind was asked
 * for.
 */
export type Timeline = {
  readonly facts: readonly SdmjFact[];
  readonly years: readonly YearCount[];
  readonly pages: Pages;
  /** The documents of facts that may say the same, which are facts of one model and one date in several documents. */
  readonly sources: readonly KnownDocument[];
  /** Who sent the documents of the facts, by the id of the document: nothing, an id, a name or both. */
  readonly senders: Readonly<Record<Id, readonly string[]>>;
};

/** Documents that have a fact of the same model and date as another document, and all those that say the same. */
function severalOf(
  dated: readonly Dated[],
  facts: readonly StoredFact[],
  saidIn: ReadonlyMap<Id, readonly Id[]>,
): ReadonlySet<Id> {
  const dates = new Map(dated.map(({ plan, date }) => [plan.model, date]));
  const groups = new Map<string, Set<string>>();
  for (const { model, values, documentId } of facts) {
    const key = JSON.stringify([model, values[dates.get(model) ?? ''] ?? null]);
    groups.set(key, (groups.get(key) ?? new Set()).add(documentId));
  }
  const several = [...groups.values()].filter(({ size }) => size > 1);
  return new Set([...several, ...saidIn.values()].flatMap((group) => [...group]));
}

/** The documents of the facts, and those that say the same. */
async function documentsOfFacts(
  { database }: Services,
  scope: DocumentScope,
  facts: readonly StoredFact[],
  several: ReadonlySet<Id>,
): Promise<readonly KnownDocument[]> {
  const ids = new Set([...facts.map(({ documentId }) => documentId), ...several]);
  const rows = ids.size === 0 ? [] : await documentStore.findDocuments(database.reads, scope, [...ids]);
  return rows.map(({ id, type, label, about, createdAt }) => ({ id, type, label, about, createdAt }));
}

function inYear(year: string | undefined): Pick<DaysOf, 'from' | 'to'> {
  return year === undefined ? {} : { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** The id of the visit that is nested in a fact, by which its page is found. */
function visitIn({ children }: StoredFact): { readonly __visit__?: Id } {
  const visit = Object.values(children)
    .flatMap((one) => one ?? [])
    .find(({ model }) => model === VISIT);
  return visit ? { __visit__: visit.id } : {};
}

export async function readRecordTimeline({
  params,
  query: { kind, year, limit, place, ...days },
  services,
}: Call<InScope, TimelineQuery>): Promise<Timeline> {
  const { reads, dialect } = services.database;
  const models = services.models();
  const tables = factTables(models);
  const open = await openScope(services, params, { status: 'active' });
  const { scope, documents } = open;
  const dated = models.all
    .filter(({ builtin, parent, name }) => !builtin && (!parent || name === VISIT))
    .map((model: Model): Dated => ({ plan: tables.get(model.name)!, date: dateColumn(model) }));
  const wanted = dated.filter(({ plan }) => kind === undefined || plan.model === kind);
  const list = ['timeline', scope.recordId, scope.carenetId].join(' ');
  const { seek, pagesOf } = openPlace(services, list, { limit, place });
  const [part, years] = await Promise.all([
    readTimeline(reads.long, dialect, tables, scope, wanted, { ...days, ...inYear(year), ...seek }),
    countYears(reads.long, dialect, scope, dated, days),
  ]);
  const [saidIn, missing, wrong, paperOf] = await Promise.all([
    readSaidIn(services, scope, part.rows),
    readMissingOf(services, open, part.rows),
    readWrongOf(services, open),
    readPapers(services, scope, part.rows),
  ]);
  const several = severalOf(wanted, part.rows, saidIn);
  const known = await documentsOfFacts(services, scope, part.rows, several);
  const facts = part.rows.map((fact): SdmjFact => ({
    ...sdmj(services, fact),
    __id__: fact.id,
    ...visitIn(fact),
    ...toldOf(fact, saidIn, missing, wrong),
    ...paperOf(fact),
  }));
  const senders = Object.fromEntries(
    known.map((document) => {
      const { id, name } = senderOf(documents, document);
      return [document.id, [id, name.trim().toLowerCase()].filter(Boolean)];
    }),
  );
  const sources = known.filter(({ id }) => several.has(id));
  return { facts, years, pages: pagesOf(part), sources, senders };
}
