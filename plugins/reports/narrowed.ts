/** narrowed: reads facts with only some of their columns. */
import { jsonValue } from '../../core/facts/model/column-values';
import type { Services } from '../../core/services';
import { saidOfDates } from '../../core/facts/partial-dates';
import type { ReportScope } from '../../core/sharing/containment';
import type { StoredFact, TablePlan } from '../../core/facts/plans';
import { factTables } from '../../core/facts/model/fact-tables';
import { readPaperDates } from '../../core/facts/told-store';
import type { Json } from '../../core/base/types';

/** A table with only these columns. A page reads hundreds of facts, and shows a few columns of each. */
export function narrowed(table: TablePlan, columns: readonly string[]): TablePlan {
  return columns.length === 0
    ? table
    : { ...table, columns: table.columns.filter(({ name }) => columns.includes(name)) };
}

/** Says of a fact that is seen by its kind that its document stays closed, so that pages lead nowhere. */
export function saidOfClosed({ isSeenByKind }: StoredFact): { readonly __closed__?: true } {
  return isSeenByKind ? { __closed__: true } : {};
}

/** Reads when the closed documents of facts were written; nothing is read where all facts are of open ones. */
export async function readPapers(
  { database, models }: Services,
  scope: ReportScope,
  facts: readonly StoredFact[],
): Promise<(fact: StoredFact) => { readonly __paper__?: string }> {
  const names = new Set(facts.flatMap(({ model, isSeenByKind }) => (isSeenByKind ? [model] : [])));
  const plans = [...factTables(models()).values()].filter(({ model }) => names.has(model));
  const dates = await readPaperDates(database.reads, plans, scope);
  return ({ documentId }) => {
    const date = dates.get(documentId);
    return date === undefined ? {} : { __paper__: date };
  };
}

/** A fact as SDMJ, with the columns that were read. */
export function narrowedSdmj(services: Services, fact: StoredFact): SdmjFact {
  const model = services.models().find(fact.model);
  const columns = (model?.columns ?? []).filter(({ name }) => name in fact.values);
  return {
    __modelname__: fact.model,
    __documentid__: fact.documentId,
    __id__: fact.id,
    ...saidOfDates(fact.partialDates),
    ...saidOfClosed(fact),
    ...Object.fromEntries(columns.map(({ name, kind }) => [name, jsonValue(kind, fact.values[name]!)])),
  };
}
/** A fact as SDMJ has it. */
export type SdmjFact = { readonly __modelname__: string; readonly [name: string]: Json | undefined };
