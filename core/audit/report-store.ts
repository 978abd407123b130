/**
 * report-store: a checked query over the audit rows of one record -> rows or groups; the database does all of the work.
 */
import type { Knex } from 'knex';
import type { Id } from '../base/types';
import type { Database, Reads } from '../db/database';
import { factDialect } from '../facts/fact-dialect';
import { localDate } from '../facts/local-date';
import { countRows, readPart, type ListPart, type Seek } from '../db/page';
import type { AggregateRow, ReportField, ReportFilter, ReportPlan, Scalar } from '../facts/plans';
import { orderText } from '../facts/run-report';

/** A row as it is shown. */
export type AuditEntry = {
  readonly requested_at: string;
  readonly function_name: string;
  readonly successful: number;
  readonly principal_id: string | null;
  readonly proxy_id: string | null;
  readonly carenet_id: string | null;
  readonly record_id: string | null;
  readonly app_id: string | null;
  readonly account_id: string | null;
  readonly document_id: string | null;
  readonly external_id: string | null;
  readonly message_id: string | null;
  readonly url: string;
  readonly ip_address: string;
  readonly domain: string;
  readonly method: string;
  readonly status: number;
  readonly repeats: number | null;
  readonly imported_by: string | null;
  readonly imported_at: string | null;
  readonly recipient: string | null;
};

const shown: readonly (keyof AuditEntry)[] = [
  'requested_at',
  'function_name',
  'successful',
  'principal_id',
  'proxy_id',
  'carenet_id',
  'record_id',
  'app_id',
  'account_id',
  'document_id',
  'external_id',
  'message_id',
  'url',
  'ip_address',
  'domain',
  'method',
  'status',
  'repeats',
  'imported_by',
  'imported_at',
  'recipient',
];

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly total: number };
export type AuditGroups = { readonly rows: readonly AggregateRow[]; readonly total: number };

/** The plan of an audit query; its fields name columns of the audit table, and `status` has no meaning here. */
export type AuditPlan = Omit<ReportPlan, 'status'> & {
  /** Rows that meet all of these are left out. */ readonly without?: readonly ReportFilter[];
};
/** Which rows of a record are read. */
export type AuditRows = Pick<AuditPlan, 'filters' | 'ranges' | 'except' | 'without'>;

function firstColumn({ columns }: ReportField): string {
  return columns[0] ?? 'seq';
}

function matchingRows(
  on: Reads,
  recordId: Id,
  { filters, ranges = [], except = [], without = [] }: AuditRows,
): Knex.QueryBuilder {
  const query = on('audit').where('record_id', recordId);
  except.forEach(({ field, values }) => {
    query.where((others) => {
      void others.whereNull(firstColumn(field)).orWhereNotIn(firstColumn(field), [...values]);
    });
  });
  if (without.length > 0) {
    query.where((others) => {
      without.forEach(({ field, values }) => {
        void others.orWhereNull(firstColumn(field)).orWhereNotIn(firstColumn(field), [...values]);
      });
    });
  }
  filters.forEach(({ field, values }) => {
    query.whereIn(firstColumn(field), [...values]);
  });
  ranges.forEach(({ field, from, to }) => {
    if (from !== undefined) {
      query.where(firstColumn(field), '>=', from);
    }
    if (to !== undefined) {
      query.where(firstColumn(field), '<=', to);
    }
  });
  return query;
}

/** One page. Equal rows are sorted by the order in which they were written. */
export async function runAuditQuery({ reads }: Database, recordId: Id, plan: AuditPlan): Promise<AuditPage> {
  const { order: asked, limit, offset } = plan;
  const direction = asked && !asked.descending ? 'asc' : 'desc';
  const column = typeof asked?.by === 'object' ? firstColumn(asked.by) : 'requested_at';
  // The time is never null, and its index gives the order.
  const order = column === 'requested_at' ? `${column} ${direction}` : orderText(column, direction === 'desc');
  const entries = (await matchingRows(reads, recordId, plan)
    .select([...shown])
    .orderByRaw(`${order}, seq ${direction}`)
    .limit(limit)
    .offset(offset)) as AuditEntry[];
  return { entries, total: await countRows(matchingRows(reads.long, recordId, plan)) };
}

/** A part of the rows that match, the newest first. */
export function seekRows(
  { reads }: Database,
  recordId: Id,
  asked: AuditRows,
  seek: Seek,
): Promise<ListPart<AuditEntry>> {
  const query = matchingRows(reads, recordId, asked).select([...shown]);
  return readPart<AuditEntry>(query, ['requested_at', 'seq'], true, seek);
}

/** A part of the rows that match, the newest first, and how many there are in all. */
export async function seekAudit(
  database: Database,
  recordId: Id,
  asked: AuditRows,
  seek: Seek,
): Promise<{ readonly part: ListPart<AuditEntry>; readonly total: number }> {
  return {
    part: await seekRows(database, recordId, asked, seek),
    total: await countRows(matchingRows(database.reads.long, recordId, asked)),
  };
}

/**
 * How many rows match on each day of a time zone, the newest days first.
 * @param within the times of the oldest and newest row
 */
export async function countDays(
  { reads: { long }, dialect }: Database,
  recordId: Id,
  asked: AuditRows,
  { zone, within, most }: { readonly zone: string; readonly within: readonly [string, string]; readonly most: number },
): Promise<readonly { readonly day: string; readonly count: number }[]> {
  const day = factDialect(dialect).period(localDate(dialect, 'requested_at', zone, within), 'day');
  const rows = (await matchingRows(long, recordId, asked)
    .select(long.raw(`${day} as day, count(*) as found`))
    .groupByRaw(day)
    .orderByRaw('day desc')
    .limit(most)) as { day: string; found: number | string }[];
  return rows.map(({ day: one, found }) => ({ day: one, count: Number(found) }));
}

async function groupSql(
  { reads: { long }, dialect }: Database,
  recordId: Id,
  plan: AuditPlan,
  { field, increment, timeZone }: NonNullable<ReportPlan['group']>,
): Promise<string> {
  const column = firstColumn(field);
  if (!increment || timeZone === undefined) {
    return increment ? factDialect(dialect).period(column, increment) : column;
  }
  const ends = matchingRows(long, recordId, plan).select(long.raw(`min(${column}) as first, max(${column}) as last`));
  const [found] = (await ends) as { first: string | null; last: string | null }[];
  const shown = found?.first ? localDate(dialect, column, timeZone, [found.first, found.last ?? found.first]) : column;
  return factDialect(dialect).period(shown, increment);
}

/**
 * Groups with their values, or one value over all rows. Aggregates here are counts, and the first or last of a date.
 */
export async function runAuditAggregate(
  database: Database,
  recordId: Id,
  plan: AuditPlan & Required<Pick<ReportPlan, 'aggregate'>>,
): Promise<AuditGroups> {
  const { long } = database.reads;
  const { aggregate, group, order, limit, offset } = plan;
  const value = `${aggregate.operator}(${aggregate.field ? firstColumn(aggregate.field) : '*'})`;
  const read = (row: { group_value?: Scalar; value: Scalar }): AggregateRow => ({
    ...(group ? { group: row.group_value ?? null } : {}),
    value: aggregate.operator === 'count' ? Number(row.value) : row.value,
  });
  if (!group) {
    const rows = (await matchingRows(long, recordId, plan).select(long.raw(`${value} as value`))) as {
      value: Scalar;
    }[];
    return { rows: rows.map(read), total: 1 };
  }
  const sql = await groupSql(database, recordId, plan, group);
  const groups = (): Knex.QueryBuilder =>
    long.from(
      matchingRows(long, recordId, plan)
        .select(long.raw(`${sql} as group_value, ${value} as value`))
        .groupByRaw(sql)
        .as('grouped'),
    );
  const sorted = [
    ...(order?.by === 'aggregate' ? [orderText('value', order.descending)] : []),
    orderText('group_value', order?.by === 'group' && order.descending),
  ];
  const rows = (await groups().orderByRaw(sorted.join(', ')).limit(limit).offset(offset)) as {
    group_value: Scalar;
    value: Scalar;
  }[];
  return { rows: rows.map(read), total: await countRows(groups()) };
}
