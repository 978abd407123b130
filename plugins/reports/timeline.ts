/** timeline: facts of every model by their own dates, the newest first, and how many there are in each year. */
import type { Json } from '../../core/base/types';
import { factTables } from '../../core/datamodel/fact-tables';
import type { Model } from '../../core/datamodel/model';
import { dateColumn } from '../../core/datamodel/table-plan';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import { toSdmj } from '../../core/reports/sdm';
import { countYears, readTimeline, type Dated, type Days, type YearCount } from '../../core/storage/timeline';
import { scopeOf, type InScope } from './scope';

export type TimelineQuery = Days & Seeking & { /** A model; absent: all of them. */ readonly kind?: string };

/** A page of facts as SDMJ; `years` counts the facts of all kinds between the two days, even when one kind was asked for. */
export type Timeline = { readonly facts: readonly Json[]; readonly years: readonly YearCount[]; readonly pages: Pages };

export const readRecordTimeline = async ({
  params,
  query: { kind, limit, place, ...days },
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
  const list = ['timeline', scope.recordId, scope.carenetId].join(' ');
  const { seek, pagesOf } = openPlace(services, list, { limit, place });
  const [part, years] = await Promise.all([
    readTimeline(reads.long, dialect, tables, scope, wanted, { ...days, ...seek }),
    countYears(reads.long, dialect, scope, dated, days),
  ]);
  return { facts: part.rows.map((fact) => toSdmj(models, fact)), years, pages: pagesOf(part) };
};
