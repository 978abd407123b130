/** timeline: facts of all models in the order of their own dates, the newest first. Two statements, whatever the number of models. */
import { columnSql } from './apply-plan';
import type { Value } from './connection';
import { contained } from './containment';
import type { Reads } from './database';
import type { Dialect } from './dialect';
import { readAcross, withNested } from './facts-across';
import type { ReportScope, StoredFact, TablePlan } from './plans';
import type { FactTables } from './stores/facts';

/** A table and the column with the date of its facts; undefined when these have none. */
export type Dated = { readonly plan: TablePlan; readonly date: string | undefined };

/** Days, both included; with either one, facts without a date are left out. */
export type Days = { readonly from?: string; readonly to?: string };

export type TimelineQuery = Days & { readonly limit: number; readonly offset: number };

type Key = { readonly holder: number | string; readonly seq: number | string };

const dateSql = (dialect: Dialect, { plan, date }: Dated): string => {
  const column = plan.columns.find(({ name }) => name === date);
  return column ? columnSql(dialect, 'fact', column) : 'null';
};

const DAY_MS = 86_400_000;

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** From and where of the facts of one table; facts of documents that are not in use are left out. */
const branch = (
  dialect: Dialect,
  scope: ReportScope,
  { from, to }: Days,
  dated: Dated,
): { readonly date: string; readonly text: string; readonly values: readonly Value[] } => {
  const date = dateSql(dialect, dated);
  const held = scope.carenetId === undefined ? undefined : contained('lineage', scope.carenetId);
  const text = [
    `from \`${dated.plan.table}\` as fact join document_lineage as lineage on lineage.id = fact._lineage_id`,
    `where fact._record_id = ? and fact._parent_id is null and lineage.status = 'active'`,
    ...(from === undefined ? [] : [`and ${date} >= ?`]),
    ...(to === undefined ? [] : [`and ${date} < ?`]),
    ...(held ? [`and ${held.text}`] : []),
  ].join(' ');
  return {
    date,
    text,
    values: [
      scope.recordId,
      ...(from === undefined ? [] : [from]),
      ...(to === undefined ? [] : [dayAfter(to)]),
      ...(held?.values ?? []),
    ],
  };
};

const keysOf = async (
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  tables: readonly Dated[],
  { limit, offset, ...days }: TimelineQuery,
): Promise<readonly Key[]> => {
  const branches = tables.map((dated) => branch(dialect, scope, days, dated));
  const selects = branches.map(
    ({ date, text }, holder) =>
      `select * from (select ${holder} as holder, fact._seq as seq, ${date} as happened ${text} order by ${date} ` +
      `desc, fact._seq desc limit ?) as dated_${holder}`,
  );
  return on.rows<Key>(
    `select holder, seq from (${selects.join(' union all ')}) as timeline order by happened desc, holder, seq desc limit ? offset ?`,
    [...branches.flatMap(({ values }) => [...values, limit + offset]), limit, offset],
  );
};

/**
 * A page of facts with what is nested in them. Of each table the first ones are taken by its own index, and only those
 * of the page are read in full.
 */
export const readTimeline = async (
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  scope: ReportScope,
  dated: readonly Dated[],
  query: TimelineQuery,
): Promise<readonly StoredFact[]> => {
  const keys = dated.length === 0 ? [] : await keysOf(on, dialect, scope, dated, query);
  const wanted = dated.flatMap(({ plan }, holder) => {
    const seqs = keys.filter((key) => Number(key.holder) === holder).map(({ seq }) => Number(seq));
    return seqs.length === 0
      ? []
      : [
          {
            plan,
            where: `fact._seq in (${seqs.map(() => '?').join(', ')})`,
            values: seqs,
            limit: seqs.length,
          },
        ];
  });
  if (wanted.length === 0) {
    return [];
  }
  const facts = await withNested(on, dialect, tables, await readAcross(on, dialect, wanted));
  const found = new Map(facts.map((fact) => [`${fact.model} ${fact.seq}`, fact]));
  return keys
    .map(({ holder, seq }) => found.get(`${dated[Number(holder)]!.plan.model} ${Number(seq)}`))
    .filter((fact) => fact !== undefined);
};

/** How many facts each model has in each year; the year of facts without a date is null. */
export type YearCount = { readonly model: string; readonly year: string | null; readonly count: number };

export const countYears = async (
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  dated: readonly Dated[],
  days: Days,
): Promise<readonly YearCount[]> => {
  if (dated.length === 0) {
    return [];
  }
  const branches = dated.map((one) => branch(dialect, scope, days, one));
  const selects = branches.map(
    ({ date, text }, holder) =>
      `select ${holder} as holder, substr(${date}, 1, 4) as year, count(*) as n ${text} group by substr(${date}, 1, 4)`,
  );
  const rows = await on.rows<{ holder: number | string; year: string | null; n: number | string }>(
    selects.join(' union all '),
    branches.flatMap(({ values }) => values),
  );
  return rows.map(({ holder, year, n }) => ({ model: dated[Number(holder)]!.plan.model, year, count: Number(n) }));
};
