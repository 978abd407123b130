/** timeline: facts of every model by their own dates, the newest first, and how many there are in each year. */
import type { Json } from '../../core/base/types';
import { factTables } from '../../core/datamodel/fact-tables';
import type { Model } from '../../core/datamodel/model';
import { dateColumn } from '../../core/datamodel/table-plan';
import type { Call } from '../../core/http/route';
import { toSdmj } from '../../core/reports/sdm';
import { countYears, readTimeline, type Dated, type Days, type YearCount } from '../../core/storage/timeline';
import { scopeOf, type InScope } from './scope';

export type TimelineQuery = Days & {
  /** A model; absent: all of them. */ readonly kind?: string;
  readonly limit: number;
  readonly offset: number;
};

/** A page of facts as SDMJ; `years` counts those of every kind between the two days, whatever the kind asked for. */
export type Timeline = { readonly facts: readonly Json[]; readonly years: readonly YearCount[] };

export const readRecordTimeline = async ({
  params,
  query: { kind, ...query },
  services,
}: Call<InScope, TimelineQuery>): Promise<Timeline> => {
  const { reads, dialect } = services.database;
  const models = services.models();
  const tables = factTables(models);
  const scope = await scopeOf(services, params);
  const dated = models.all
    .filter(({ builtin, parent }) => !builtin && !parent)
    .map((model: Model): Dated => ({ plan: tables.get(model.name)!, date: dateColumn(model) }));
  const wanted = dated.filter(({ plan }) => kind === undefined || plan.model === kind);
  const [facts, years] = await Promise.all([
    readTimeline(reads.long, dialect, tables, scope, wanted, query),
    countYears(reads.long, dialect, scope, dated, query),
  ]);
  return { facts: facts.map((fact) => toSdmj(models, fact)), years };
};
