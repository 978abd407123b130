/**
 * run-series: report queries for charts, tables of averages and overviews: facts only, and several aggregates at once.
 */
import { mapInSlices } from '../base/turns/slices';
import type { Database } from '../db/database';
import { inParts, SELECTS_IN_STATEMENT } from '../db/in-parts';
import type { ReportField, ReportPlan, ReportSource, Scalar, StoredFact, TablePlan } from './plans';
import type { ReportScope } from '../sharing/containment';
import {
  aggregateSql,
  contextOf,
  fieldSql,
  groupSql,
  inSizeSql,
  isSum,
  orderText,
  readGroup,
  readRows,
  readValue,
  scoped,
  valueText,
} from './run-report';
import { factColumns, toFact } from './store';

/** A page of facts without nested facts and without the total, read with one statement. */
export async function runFacts(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<readonly StoredFact[]> {
  const { table } = source;
  const rows = await readRows(await contextOf(database, source, scope, plan), factColumns(database.dialect, table));
  return mapInSlices(rows, (row) => toFact(table, row));
}

/** One period or value with its aggregates, in the order in which they were asked for. */
type SeriesRow = {
  readonly group: Scalar;
  /** The value by which the group is split, if it is. */ readonly split: Scalar;
  readonly values: readonly Scalar[];
};

export type Aggregates = readonly NonNullable<ReportPlan['aggregate']>[];

/**
 * Several aggregates of the same facts, each exactly as `runAggregate` answers it, in one statement. Without a group of
 * the plan there is one row over all facts. Groups come in ascending order of their own value.
 */
export async function runAggregates(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
  aggregates: Aggregates,
): Promise<readonly SeriesRow[]> {
  const context = await contextOf(database, source, scope, plan);
  const { on } = context;
  const each = aggregates.map((aggregate) => ({ ...context, plan: { ...plan, aggregate } }));
  const group = plan.group ? await groupSql(context, plan.group) : 'null';
  const split = plan.group?.split ? fieldSql(context, plan.group.split) : 'null';
  const inner = scoped(context).select(
    on.raw(
      [
        `${group} as group_value`,
        `${split} as split_value`,
        ...each.map((one, at) => `${aggregateSql(one, aggregates[at]!)} as value_${at}`),
      ].join(', '),
    ),
  );
  if (plan.group) {
    inner.groupByRaw(group === 'null' ? 'group_value' : group);
    if (split !== 'null') {
      inner.groupByRaw(split);
    }
  }
  const sized = on
    .from(inner.as('grouped'))
    .select(
      on.raw(
        [
          'group_value',
          'split_value',
          ...each.map((one, at) => `${isSum(one.plan) ? inSizeSql(`value_${at}`) : `value_${at}`} as value_${at}`),
        ].join(', '),
      ),
    );
  const rows = (await on
    .from(sized.as('sized'))
    .select(
      on.raw(
        [
          'group_value',
          'split_value',
          ...each.map((one, at) => `${valueText(one, `value_${at}`)} as shown_${at}`),
        ].join(', '),
      ),
    )
    .orderByRaw(`${orderText('group_value', false)}, ${orderText('split_value', false)}`)
    .limit(plan.limit)) as Readonly<Record<string, Scalar>>[];
  return rows.map((row) => ({
    group: readGroup(plan, row['group_value'] ?? null),
    split: row['split_value'] ?? null,
    values: each.map((one, at) => readValue(one.plan, row[`shown_${at}`] ?? null)),
  }));
}

/** For each of the fields the first and the last date of a fact that has it, in one statement; null where none has it. */
export async function spanOfEach(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
  { date, fields }: { readonly date: ReportField; readonly fields: readonly ReportField[] },
): Promise<readonly (readonly [first: Scalar, last: Scalar])[]> {
  const context = await contextOf(database, source, scope, plan);
  const dated = fieldSql(context, date);
  const ends = fields.flatMap((field, at) =>
    ['min', 'max'].map(
      (end) => `${end}(case when ${fieldSql(context, field)} is not null then ${dated} end) as ${end}_${at}`,
    ),
  );
  const [row = {}] = (await scoped(context).select(context.on.raw(ends.join(', ')))) as Record<string, Scalar>[];
  return fields.map((_, at) => [row[`min_${at}`] ?? null, row[`max_${at}`] ?? null] as const);
}

/**
 * Answers which of these tables have facts of active documents in the scope, with one statement for hundreds of tables.
 */
export async function tablesWithFacts(
  database: Database,
  tables: readonly TablePlan[],
  scope: ReportScope,
): Promise<readonly string[]> {
  const plan: ReportPlan = { status: 'active', filters: [], limit: 1, offset: 0 };
  const contexts = await Promise.all(tables.map((table) => contextOf(database, { table }, scope, plan)));
  const found = new Set<string>();
  for (const some of inParts(contexts, SELECTS_IN_STATEMENT)) {
    const selects = some.map((context) =>
      context.on
        .queryBuilder()
        .select({ model: context.on.raw('?', [context.source.table.model]) })
        .whereExists(scoped(context).select(context.on.raw('1'))),
    );
    const rows = (await database.reads.long.queryBuilder().unionAll(selects)) as { model: string }[];
    rows.forEach(({ model }) => found.add(model));
  }
  return tables.map(({ model }) => model).filter((model) => found.has(model));
}
