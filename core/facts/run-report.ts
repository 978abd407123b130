/** run-report: a checked report query -> rows; all filtering, grouping and paging happens in the database. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { columnSql } from './apply-plan';
import { marks } from '../db/condition';
import { containedIn, type ReportScope } from '../sharing/containment';
import type { Database, Reads } from '../db/database';
import type { Dialect } from '../db/dialect';
import { factDialect, SUM_DIGITS } from './fact-dialect';
import { isCurrentFact } from './facts-in-scope';
import { seenTable, shownId } from './seen-by-kind';
import { inParts } from '../db/in-parts';
import { inRange } from './in-range';
import { clockDate, localDate } from './local-date';
import { countRows, isDescending, partOf, type ListPart, type Place } from '../db/page';
import type {
  AggregateRow,
  ReportBranch,
  ReportField,
  ReportFilter,
  ReportPlan,
  ReportRange,
  ReportSource,
  Scalar,
  StoredFact,
} from './plans';
import { BASE_COLUMNS, factColumns, toFact, withChildren, type FactRow, type FactTables } from './store';

type Grouping = NonNullable<ReportPlan['group']>;

type Context = {
  /** Runs its statements. */
  readonly on: Reads;
  readonly dialect: Dialect;
  readonly source: ReportSource;
  readonly scope: ReportScope;
  readonly plan: ReportPlan;
  /** For filters that ignore case: each of their columns with the texts in it that match. */
  readonly spellings: ReadonlyMap<ReportFilter, ReadonlyMap<string, readonly string[]>>;
};

/** One page of facts, or of rows when the source has branches, and how many there are before paging. */
export type FactPage = Around & { readonly facts: readonly StoredFact[]; readonly total: number };
type RowPage = Around & { readonly rows: readonly FactRow[]; readonly total: number };
/** For a part of a list. */
type Around = Partial<Pick<ListPart<FactRow>, 'ends' | 'more'>>;
export type AggregatePage = { readonly rows: readonly AggregateRow[]; readonly total: number };

function readColumn({ dialect, source }: Context, name: string): string {
  const column = source.branches ? undefined : source.table.columns.find((planned) => planned.name === name);
  return column ? columnSql(dialect, 'fact', column) : `fact.\`${name}\``;
}

function parentColumn({ dialect, source }: Context, name: string): string {
  const column = source.parent?.columns.find((planned) => planned.name === name);
  if (!column) {
    throw new Error(`the facts around those of ${source.table.table} have no column ${name}`);
  }
  return columnSql(dialect, 'parent', column);
}

/** A field as SQL: the first of its columns that is not null; a field without columns is null. */
export function fieldSql(context: Context, { columns, ofParent }: ReportField): string {
  const parts = columns.map((name) => (ofParent ? parentColumn : readColumn)(context, name));
  if (parts.length > 1) {
    return `coalesce(${parts.join(', ')})`;
  }
  return parts[0] ?? 'null';
}

/**
 * SQL for a field as the clock of its source showed it (local-date); null where the clocks of a zone show it. The rows of
 * branches do not say by which clock they are.
 */
function clockSql(context: Context, { columns, ofParent, kind }: ReportField): string {
  if (context.source.branches || kind !== 'datetime') {
    return 'null';
  }
  const alias = ofParent ? 'parent' : 'fact';
  const valueSql = (name: string): string => (ofParent ? parentColumn : readColumn)(context, name);
  return columns.reduceRight(
    (otherwise, name) =>
      `case when ${valueSql(name)} is null then ${otherwise} else ${clockDate(context.dialect, valueSql(name), alias, name)} end`,
    'null',
  );
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The SQL of one column of a branch. */
function branchColumn(from: ReportBranch['columns'][string], column: (name: string) => string): string {
  if ('text' in from) {
    return quoteText(from.text);
  }
  return from.otherwise === undefined
    ? column(from.column)
    : `coalesce(${column(from.column)}, ${quoteText(from.otherwise)})`;
}

/** Fields that the query itself reads. */
function usedFields(plan: ReportPlan): readonly ReportField[] {
  return [
    ...(plan.ranges ?? []).map(({ field }) => field),
    ...(plan.present ?? []).flat(),
    ...(plan.except ?? []).map(({ field }) => field),
    plan.group?.field,
    plan.group?.split,
    plan.aggregate?.field,
    ...plan.filters.map(({ field }) => field),
    typeof plan.order?.by === 'object' ? plan.order.by : undefined,
  ].filter((field) => field !== undefined);
}

function usedColumns({ plan }: Context): readonly string[] {
  return usedFields(plan).flatMap(({ columns, matches = [] }) => [...columns, ...matches]);
}

/** The columns to read from a branched source, and the facts to read unless all of the record are read. */
type Part = { readonly columns: readonly string[]; readonly sequences?: readonly number[] };

/** The facts of the scope, some of them by their kind; undefined where it sees documents only. */
function fromSeen(
  on: Reads,
  { source: { table }, scope, plan }: Pick<Context, 'source' | 'scope' | 'plan'>,
): Knex.QueryBuilder | undefined {
  // Kinds cover facts of active documents only.
  const seen = plan.status === 'active' ? seenTable(table, scope) : undefined;
  return seen && on.from(on.raw(seen.text, [...seen.values])).where('fact._record_id', scope.recordId);
}

function fromStored({ on, source: { table }, scope, plan }: Context): Knex.QueryBuilder {
  const query = on(`${table.table} as fact`)
    .join('document_lineage as lineage', 'lineage.id', 'fact._lineage_id')
    .where('fact._record_id', scope.recordId)
    .where('lineage.status', plan.status);
  return scope.carenetId === undefined ? query : containedIn(query, 'lineage', scope.carenetId);
}

/** The facts of the scope whose documents have the status asked for. */
function factsInScope(context: Context): Knex.QueryBuilder {
  const {
    source: { table, parent },
    scope,
    plan,
  } = context;
  const query = fromSeen(context.on, context) ?? fromStored(context);
  if (parent && usedFields(plan).some(({ ofParent }) => ofParent)) {
    // The parent fact belongs to the same document, and therefore to the same record, status and carenets.
    query.leftJoin(`${parent.table} as parent`, 'parent._id', 'fact._parent_id');
  }
  if (plan.leftOut && plan.leftOut.length > 0) {
    query.whereRaw(`coalesce(fact._statement, fact._id) not in (${marks(plan.leftOut)})`, [...plan.leftOut]);
  }
  const current = isCurrentFact(table, scope);
  return current ? query.whereRaw(current.text, [...current.values]) : query;
}

/**
 * A union with one select for each branch. It reads only the wanted columns, because MySQL copies the rows of a union.
 */
function branchedTable(context: Context, { columns: wanted, sequences }: Part): Knex.QueryBuilder {
  const {
    on,
    dialect,
    source: { table, branches = [] },
  } = context;
  const planned = new Map(table.columns.map((column) => [column.name, columnSql(dialect, 'fact', column)]));
  const column = (name: string): string => planned.get(name) ?? `fact.\`${name}\``;
  const inScope = factsInScope(context);
  if (sequences) {
    inScope.whereRaw(`fact._seq in (${sequences.join(', ')})`);
  }
  const names = [...new Set(wanted)];
  const selects = branches.map(({ present, columns }, index) => {
    const shown = names.map((name) => `${branchColumn(columns[name] ?? { column: name }, column)} as \`${name}\``);
    return inScope
      .clone()
      .select(on.raw([`fact._seq * ${branches.length} + ${index} as _seq`, ...shown].join(', ')))
      .whereRaw(`${column(present)} is not null`);
  });
  return on.from(on.queryBuilder().unionAll(selects).as('fact'));
}

function addFilter(query: Knex.QueryBuilder, context: Context, filter: ReportFilter): void {
  const { field, values } = filter;
  const spellings = [...(context.spellings.get(filter) ?? [])].filter(([, texts]) => texts.length > 0);
  if (field.matches ? spellings.length === 0 : field.columns.length === 0) {
    query.whereRaw('1 = 0');
  } else if (field.matches) {
    query.where((either) => {
      for (const [name, texts] of spellings) {
        either.orWhereRaw(`${readColumn(context, name)} in (${marks(texts)})`, texts);
      }
    });
  } else {
    const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    query.whereRaw(`${fieldSql(context, field)} in (${marks(bound)})`, bound);
  }
}

function addRange(query: Knex.QueryBuilder, context: Context, { field, ...range }: ReportRange): void {
  if (field.columns.length === 0) {
    query.whereRaw('1 = 0');
    return;
  }
  const { text, values } = inRange(fieldSql(context, field), range, range.days && clockSql(context, field));
  query.whereRaw(text, [...values]);
}

function addPresent(query: Knex.QueryBuilder, context: Context): void {
  for (const fields of context.plan.present ?? []) {
    query.whereRaw(`(${fields.map((field) => `${fieldSql(context, field)} is not null`).join(' or ')})`);
  }
}

function addExcept(query: Knex.QueryBuilder, context: Context): void {
  for (const { field, values } of context.plan.except ?? []) {
    query.whereRaw(`lower(coalesce(${fieldSql(context, field)}, '')) not in (${marks(values)})`, [...values]);
  }
}

function fromFacts(context: Context): Knex.QueryBuilder {
  return context.source.branches ? branchedTable(context, { columns: usedColumns(context) }) : factsInScope(context);
}

/** Scope, status, filters: everything before grouping (specification 4.9, step 1). */
export function scoped(context: Context): Knex.QueryBuilder {
  const query = fromFacts(context);
  context.plan.filters.forEach((filter) => addFilter(query, context, filter));
  context.plan.ranges?.forEach((range) => addRange(query, context, range));
  addPresent(query, context);
  addExcept(query, context);
  return query;
}

/**
 * The two databases disagree on which letters differ by case only, so this is decided here, for the few different texts
 * that the columns hold.
 */
async function findSpellings(context: Omit<Context, 'spellings'>): Promise<Context> {
  const spellings = new Map<ReportFilter, Map<string, string[]>>();
  for (const filter of context.plan.filters.filter(({ field }) => field.matches)) {
    const { matches: names = [], words = false } = filter.field;
    const compared = (text: string): string => (words ? text.replaceAll('_', ' ') : text).toLowerCase();
    const wanted = new Set(filter.values.map((value) => compared(String(value))));
    // The plan keeps only this filter, so that a branched source reads only the columns of the filter.
    const bare = { ...context, plan: { ...context.plan, filters: [filter] }, spellings };
    const columns = names.map((name) => `${readColumn(bare, name)} as \`${name}\``);
    const rows =
      names.length === 0 ? [] : ((await fromFacts(bare).distinct(context.on.raw(columns.join(', ')))) as FactRow[]);
    spellings.set(
      filter,
      new Map(
        names.map((name) => {
          const texts = new Set(rows.flatMap((row) => (row[name] === null ? [] : [String(row[name])])));
          return [name, [...texts].filter((text) => wanted.has(compared(text)))];
        }),
      ),
    );
  }
  return { ...context, spellings };
}

/** Nulls come last in ascending order and first in descending order, on both databases. */
export function orderText(sql: string, descending: boolean): string {
  const direction = descending ? 'desc' : 'asc';
  return `case when ${sql} is null then 1 else 0 end ${direction}, ${sql} ${direction}`;
}

/** Counts the active facts of a record. Most are active, so it counts all and subtracts the few others. */
async function countActive({ on, source: { table }, scope: { recordId } }: Context): Promise<number> {
  const others = on('document_lineage as lineage')
    .join(`${table.table} as fact`, 'fact._document_id', 'lineage.latest_id')
    .where('lineage.record_id', recordId)
    .whereIn('lineage.status', ['archived', 'void']);
  const [row] = (await on.select({
    all: on(table.table).where('_record_id', recordId).count(),
    others: others.count(),
  })) as Record<'all' | 'others', number | string>[];
  return Number(row?.all ?? 0) - Number(row?.others ?? 0);
}

function asksForAll({ source, scope, plan }: Context): boolean {
  return (
    plan.status === 'active' &&
    scope.carenetId === undefined &&
    scope.current === undefined &&
    !source.branches &&
    plan.filters.length === 0 &&
    !plan.present &&
    !plan.except &&
    !plan.leftOut &&
    !plan.ranges
  );
}

/**
 * The condition that a fact is beyond a place. Equal facts are in the order of insertion, and nulls come after the
 * greatest value.
 * @param sql the value by which facts are sorted; undefined for the order of insertion alone
 */
function beyond(
  sql: string | undefined,
  descending: boolean,
  place: Place,
): { readonly text: string; readonly values: readonly (string | number)[] } {
  const [value = null, seq = 0] = place.keys;
  const later = `fact._seq ${place.back ? '<' : '>'} ?`;
  const down = isDescending(descending, place);
  if (sql === undefined) {
    return { text: later, values: [Number(seq)] };
  }
  if (value === null) {
    return { text: down ? `(${sql} is not null or ${later})` : `(${sql} is null and ${later})`, values: [Number(seq)] };
  }
  const tie = `(${sql} = ? and ${later})`;
  return {
    text: down ? `(${sql} < ? or ${tie})` : `(${sql} > ? or ${sql} is null or ${tie})`,
    values: [value, value, Number(seq)],
  };
}

/** The rows of a page, in their order. For a part it reads one row more, in the direction of the part. */
export async function readRows(context: Context, columns: string): Promise<readonly FactRow[]> {
  const { on, dialect, plan } = context;
  if (plan.limit === 0) {
    return [];
  }
  const { order, part } = plan;
  const query = scoped(context).select(on.raw(columns));
  const by = typeof order?.by === 'object' ? order.by : undefined;
  const sql = by && fieldSql(context, by);
  const descending = isDescending(order?.descending ?? false, part?.place);
  if (sql !== undefined) {
    // A value that is never null needs no separate order for nulls.
    const filled = plan.present?.some((fields) => fields.length === 1 && fieldSql(context, fields[0]!) === sql);
    query.orderByRaw(
      filled || sql === 'fact.`_created_at`' ? `${sql} ${descending ? 'desc' : 'asc'}` : orderText(sql, descending),
    );
  }
  if (!part) {
    return (await query.orderByRaw('fact._seq asc').limit(plan.limit).offset(plan.offset)) as FactRow[];
  }
  const key = by?.kind === 'number' ? factDialect(dialect).everyDigit(sql!) : (sql ?? 'null');
  query.select(on.raw(`${key} as _key, fact._seq as _seq`));
  if (part.place) {
    const { text, values } = beyond(sql, order?.descending ?? false, part.place);
    query.whereRaw(text, [...values]);
  }
  return (await query
    .orderByRaw(`fact._seq ${part.place?.back ? 'desc' : 'asc'}`)
    .limit(plan.limit + 1)
    .offset(part.place ? 0 : plan.offset)) as FactRow[];
}

function rowKeys({ plan: { order } }: Context) {
  return (row: FactRow): readonly (string | number | null)[] => {
    const key = row['_key'] ?? null;
    const isNumber = typeof order?.by === 'object' && order.by.kind === 'number';
    return [isNumber && key !== null ? Number(key) : (key as string | number | null), Number(row['_seq'])];
  };
}

function countAll(context: Context): Promise<number> {
  return asksForAll(context) ? countActive(context) : countRows(scoped(context));
}

/** A page, or a part of a list, with the total. Where a page that is not full shows the total, nothing is counted. */
async function readRowPage(context: Context, columns: string): Promise<RowPage> {
  const { limit, offset, part } = context.plan;
  const found = await readRows(context, columns);
  if (part) {
    const isAll = !part.place && offset === 0 && found.length <= limit;
    const total = isAll ? found.length : await countAll(context);
    return { ...partOf(found, { limit, ...part }, rowKeys(context)), total };
  }
  const isLast = found.length < limit && (found.length > 0 || offset === 0);
  return { rows: found, total: isLast ? offset + found.length : await countAll(context) };
}

/**
 * A page has gaps when a document is replaced while the page is read. The page is then read again, at most this number
 * of times.
 */
const READINGS = 3;

/** Sorts keys only, outside the event loop, since there may be many. Then it reads the rows of the page in full. */
async function readInFull<R>(
  context: Context,
  read: (keys: readonly number[]) => Promise<readonly R[]>,
): Promise<Around & { readonly rows: readonly R[]; readonly total: number }> {
  for (let reading = 1; ; reading += 1) {
    const { rows: keys, ...around } = await readRowPage(context, 'fact._seq as _seq');
    const rows = keys.length === 0 ? [] : await read(keys.map((row) => Number(row['_seq'])));
    if (rows.length === keys.length || reading === READINGS) {
      return { ...around, rows };
    }
  }
}

/** Sorts rows by the order of the keys with which they were asked for. */
function inOrderOf(keys: readonly number[], rows: readonly FactRow[]): readonly FactRow[] {
  const found = new Map(rows.map((row) => [Number(row['_seq']), row]));
  return keys.map((key) => found.get(key)).filter((row) => row !== undefined);
}

/** What is read: the facts of one source in a scope, as a checked query asks for them. */
type Asked = Pick<Context, 'source' | 'scope' | 'plan'>;

/** Reads facts by their keys, in the order of the keys, with all nested facts. */
function readFactsByKey(
  database: Database,
  tables: FactTables,
  asked: Asked,
  keys: readonly number[],
): Promise<readonly StoredFact[]> {
  const { table } = asked.source;
  const columns = factColumns(database.dialect, table);
  return database.snapshot(async (on) => {
    const found: FactRow[] = [];
    for (const some of inParts(keys)) {
      const from = fromSeen(on, asked) ?? on(`${table.table} as fact`);
      found.push(
        ...((await from.select(on.raw(`fact._seq, ${columns}`)).whereIn('fact._seq', [...some])) as FactRow[]),
      );
    }
    return withChildren(on, database.dialect, tables, table, inOrderOf(keys, found));
  });
}

/** Reports use long reads, because they may take long. */
function longOn({ reads, dialect }: Database): Pick<Context, 'on' | 'dialect'> {
  return { on: reads.long, dialect };
}

/** A checked query with the reads on which its statements run. */
export function contextOf(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<Context> {
  return findSpellings({ ...longOn(database), source, scope, plan });
}

/** A page of facts with all nested facts. */
export async function runReport(
  database: Database,
  tables: FactTables,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<FactPage> {
  const { table } = source;
  const context = await contextOf(database, source, scope, plan);
  if (table.relations.length === 0) {
    const { rows, ...around } = await readRowPage(context, factColumns(database.dialect, table));
    return { ...around, facts: rows.map((row) => toFact(table, row)) };
  }
  const { rows, ...around } = await readInFull(context, (keys) => readFactsByKey(database, tables, context, keys));
  return { ...around, facts: rows };
}

const FACTS_AT_ONCE = 100;

/**
 * The same as `runReport`, for any number of facts. `pages` reads them in portions; facts that are deleted meanwhile
 * are left out.
 */
type LongReport = {
  readonly length: number;
  readonly total: number;
  readonly pages: () => AsyncGenerator<readonly StoredFact[]>;
};

export async function openReport(
  database: Database,
  tables: FactTables,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<LongReport> {
  const { rows, total } = await readRowPage(await contextOf(database, source, scope, plan), 'fact._seq as _seq');
  const keys = rows.map((row) => Number(row['_seq']));
  return {
    length: keys.length,
    total,
    pages: async function* () {
      for (const some of inParts(keys, FACTS_AT_ONCE)) {
        yield await readFactsByKey(database, tables, { source, scope, plan }, some);
        // Other work gets its turn between two pages.
        await nextTurn();
      }
    },
  };
}

/** Which columns of the branches hold numbers. */
function numericColumns({ table, branches = [] }: ReportSource): readonly string[] {
  const numbers = new Set(table.columns.filter(({ kind }) => kind === 'number').map(({ name }) => name));
  return Object.entries(branches[0]?.columns ?? {}).flatMap(([name, from]) =>
    'column' in from && numbers.has(from.column) ? [name] : [],
  );
}

/** The base columns of a row with the names by which the scope knows them. */
function namedBase(row: FactRow): FactRow {
  return Object.fromEntries(
    BASE_COLUMNS.map((name) => {
      const value = row[name] ?? null;
      return [name, typeof value === 'string' ? shownId(value) : value];
    }),
  );
}

/** The rows of a page in full. */
async function readBranchRows(context: Context, keys: readonly number[]): Promise<readonly FactRow[]> {
  const { on, dialect, source } = context;
  const branches = source.branches ?? [];
  const names = [...BASE_COLUMNS, ...Object.keys(branches[0]?.columns ?? {})];
  const numbers = numericColumns(source);
  const columns = ['_seq', ...names].map((name) => {
    const sql = `fact.\`${name}\``;
    return `${numbers.includes(name) ? factDialect(dialect).everyDigit(sql) : sql} as \`${name}\``;
  });
  const sequences = [...new Set(keys.map((key) => Math.floor(key / branches.length)))];
  const rows = inOrderOf(
    keys,
    (await branchedTable(context, { columns: names, sequences }).select(on.raw(columns.join(', ')))) as FactRow[],
  );
  return rows.map((row) => ({
    ...row,
    ...namedBase(row),
    ...Object.fromEntries(numbers.map((name) => [name, readNumber(row[name] ?? null)])),
  }));
}

/** A page of the rows of a branched source: its base columns and those of the branches. */
export async function runBranches(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<RowPage> {
  const context = await contextOf(database, source, scope, plan);
  return readInFull(context, (keys) => readBranchRows({ ...context, on: database.reads }, keys));
}

/**
 * Numbers are divided by this before they are summed, so that intermediate sums have room. A power of two leaves the
 * digits of all numbers above 1e-298 as they are.
 */
const SCALE = '4294967296e0';

/** 1.79769313486231e308, the largest number of 15 digits, divided by SCALE. */
const LARGEST = '4.185580496821343e298';

export function aggregateSql(context: Context, { operator, field }: NonNullable<ReportPlan['aggregate']>): string {
  if (!field) {
    return 'count(*)';
  }
  const sql = fieldSql(context, field);
  // Whole numbers are summed as floating point, as both databases do with fractions; MariaDB's own avg is not exact.
  const sum = factDialect(context.dialect).sumOf(`(${sql}) / ${SCALE}`);
  if (operator === 'sum') {
    return sum;
  }
  return operator === 'avg' ? `${sum} / count(${sql})` : `${operator}(${sql})`;
}

export function isSum({ aggregate }: ReportPlan): boolean {
  return aggregate?.field !== undefined && (aggregate.operator === 'sum' || aggregate.operator === 'avg');
}

/** A sum in its own size again. A sum that is too large for a number is null, so that it is sorted like null. */
export function inSizeSql(name: string): string {
  return `case when abs(${name}) <= ${LARGEST} then ${name} * ${SCALE} end`;
}

function inSize({ on, plan }: Context, rows: Knex.QueryBuilder, others: readonly string[]): Knex.QueryBuilder {
  return isSum(plan)
    ? on.from(rows.as('summed')).select(on.raw([...others, `${inSizeSql('value')} as value`].join(', ')))
    : rows;
}

function isNumeric({ kind }: ReportField): boolean {
  return kind === 'number' || kind === 'integer';
}

/** The value of an aggregate as it is selected. */
export function valueText({ dialect, plan }: Context, name = 'value'): string {
  return plan.aggregate?.field && isNumeric(plan.aggregate.field) && plan.aggregate.operator !== 'count'
    ? factDialect(dialect).everyDigit(name)
    : name;
}

/** The value of an aggregate as it is sorted: sums that are shown alike are equal. */
function sortedText({ dialect, plan }: Context): string {
  return isSum(plan) ? factDialect(dialect).rounded('value') : 'value';
}

function groupText({ dialect, plan }: Context, sql: string): string {
  return plan.group?.field.kind === 'number' ? factDialect(dialect).everyDigit(sql) : sql;
}

function readNumber(value: Scalar): Scalar {
  const number = value === null ? null : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The databases add in different ways, so the last digits of a sum may differ. They are left out. */
function readSum(value: Scalar): Scalar {
  return value === null ? null : Number(Number(value).toPrecision(SUM_DIGITS));
}

export function readValue(plan: ReportPlan, value: Scalar): Scalar {
  const { operator, field } = plan.aggregate ?? {};
  if (isSum(plan)) {
    return readSum(value);
  }
  const asStored = (operator === 'max' || operator === 'min') && !(field && isNumeric(field));
  return asStored ? value : readNumber(value);
}

export function readGroup({ group }: ReportPlan, value: Scalar): Scalar {
  if (value === null || !group || group.increment) {
    return value === null ? null : String(value);
  }
  if (group.field.kind === 'boolean') {
    return Number(value) === 1;
  }
  return isNumeric(group.field) ? readNumber(value) : value;
}

async function readEnds(context: Context, sql: string): Promise<Grouping['within']> {
  const ends = scoped(context).select(context.on.raw(`min(${sql}) as first, max(${sql}) as last`));
  const [found] = (await ends) as { first: string | null; last: string | null }[];
  return found?.first ? [found.first, found.last ?? found.first] : undefined;
}

/**
 * SQL for the date from which a period is taken. With a time zone it is the local date. Then the first and the last
 * date must be known, because only the offsets of the years between them are needed.
 */
async function shownDate(context: Context, grouping: Grouping, sql: string): Promise<string> {
  const { field, timeZone, midnightIsDay } = grouping;
  if (timeZone === undefined || sql === 'null' || field.kind === 'date') {
    return sql;
  }
  const within = grouping.within ?? (await readEnds(context, sql));
  if (!within) {
    return sql;
  }
  const shown = localDate(context.dialect, sql, timeZone, within, midnightIsDay);
  return `coalesce(${clockSql(context, field)}, ${shown})`;
}

/** What the facts are grouped by. */
export async function groupSql(context: Context, group: Grouping): Promise<string> {
  const sql = fieldSql(context, group.field);
  return group.increment && sql !== 'null'
    ? factDialect(context.dialect).period(await shownDate(context, group, sql), group.increment)
    : sql;
}

function groupedQuery(context: Context, sql: string, value: string): Knex.QueryBuilder {
  return scoped(context)
    .select(context.on.raw(`${sql} as group_value, ${value} as value`))
    .groupByRaw(sql === 'null' ? 'group_value' : sql);
}

type GroupRow = { readonly group_shown: Scalar; readonly value_shown: Scalar; readonly total: number | string };

async function runGroups(context: Context, group: Grouping, value: string): Promise<AggregatePage> {
  const { on, plan } = context;
  const sql = await groupSql(context, group);
  const groups = (): Knex.QueryBuilder =>
    on.from(inSize(context, groupedQuery(context, sql, value), ['group_value']).as('grouped'));
  const order = [
    ...(plan.order?.by === 'aggregate' ? [orderText(sortedText(context), plan.order.descending)] : []),
    orderText('group_value', plan.order?.by === 'group' && plan.order.descending),
  ];
  const rows =
    plan.limit === 0
      ? []
      : ((await groups()
          .select(
            on.raw(
              `${groupText(context, 'group_value')} as group_shown, ${valueText(context)} as value_shown, count(*) over () as total`,
            ),
          )
          .orderByRaw(order.join(', '))
          .limit(plan.limit)
          .offset(plan.offset)) as GroupRow[]);
  // A page without rows does not tell the number of groups before it.
  const isEmpty = plan.limit > 0 && plan.offset === 0;
  const counted = async (): Promise<number> => (isEmpty ? 0 : countRows(groups()));
  const total = rows[0] ? Number(rows[0].total) : await counted();
  return {
    rows: rows.map((row) => ({ group: readGroup(plan, row.group_shown), value: readValue(plan, row.value_shown) })),
    total,
  };
}

/** Groups with their values; without grouping one row over all facts, whatever the paging (specification 4.9). */
export async function runAggregate(
  database: Database,
  source: ReportSource,
  scope: ReportScope,
  plan: ReportPlan,
): Promise<AggregatePage> {
  const context = await contextOf(database, source, scope, plan);
  const value = aggregateSql(context, plan.aggregate ?? { operator: 'count' });
  if (plan.group) {
    return runGroups(context, plan.group, value);
  }
  const whole = inSize(context, scoped(context).select(context.on.raw(`${value} as value`)), []);
  const rows = (await context.on.from(whole.as('whole')).select(context.on.raw(`${valueText(context)} as shown`))) as {
    shown: Scalar;
  }[];
  return { rows: [{ value: readValue(plan, rows[0]?.shown ?? null) }], total: 1 };
}
