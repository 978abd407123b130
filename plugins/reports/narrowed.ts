/** narrowed: reads facts with only some of their columns. */
import { jsonValue } from '../../core/facts/model/column-values';
import type { Services } from '../../core/services';
import { saidOfDates } from '../../core/facts/partial-dates';
import type { StoredFact, TablePlan } from '../../core/db/plans';
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
