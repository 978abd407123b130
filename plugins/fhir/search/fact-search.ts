/**
 * fact-search: finds statements whose facts pass tests, in many tables, page by page. Each branch is a table and the
 * test that its facts must pass. A page needs one SQL statement for up to 250 branches. Facts of documents that are not
 * in use are left out (FHIR ruling 10).
 */
import { columnSql } from '../../../core/facts/apply-plan';
import {
  ALWAYS,
  allOf,
  anyOf,
  comesAfter,
  marks,
  NEVER,
  orderText,
  type Condition,
  type OrderedBy,
} from '../../../core/db/condition';
import { factsFrom } from '../../../core/facts/facts-in-scope';
import type { Reads } from '../../../core/db/database';
import type { Dialect } from '../../../core/db/dialect';
import { factDialect } from '../../../core/db/fact-dialect';
import { inParts } from '../../../core/db/in-parts';
import { partialDateEntry } from '../../../core/facts/partial-dates';
import type { Clock, PartialDate, ReportScope, TablePlan } from '../../../core/db/plans';
import type { FactTables } from '../../../core/facts/store';

/** A condition on a fact, as plain data. `column` names a column of that fact. */
export type FactTest =
  | { readonly kind: 'all' | 'any'; readonly tests: readonly FactTest[] }
  | { readonly kind: 'not'; readonly test: FactTest }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'filled'; readonly column: string }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly string[] }
  | { readonly kind: 'flag'; readonly column: string; readonly value: boolean }
  /** Times are compared as text, which sorts in the same order. */
  | { readonly kind: 'before' | 'from'; readonly column: string; readonly value: string }
  /** The time in the column was not in the future when the document was stored. */
  | { readonly kind: 'past'; readonly column: string }
  /** The column holds a day, which is stored as its first moment. */
  | { readonly kind: 'day'; readonly column: string }
  /** Only the month or the year of the date in the column is known. */
  | { readonly kind: 'partial'; readonly column: string; readonly precision: PartialDate | Clock }
  | { readonly kind: 'begins' | 'contains'; readonly column: string; readonly text: string }
  /** The whole text matches a regular expression of a mapping. */
  | { readonly kind: 'fits'; readonly column: string; readonly pattern: string }
  | { readonly kind: 'statement'; readonly ids: readonly string[] }
  | { readonly kind: 'updated'; readonly side: 'before' | 'from'; readonly value: string }
  /** At least one nested fact of this model passes the test. */
  | { readonly kind: 'nested'; readonly model: string; readonly test: FactTest }
  /** The fact in which this one is nested is of this model and passes the test. */
  | { readonly kind: 'parent'; readonly model: string; readonly test: FactTest }
  /** The fact itself, or another fact of its statement, passes the test. */
  | { readonly kind: 'sibling'; readonly test: FactTest };

export type SearchBranch = {
  readonly plan: TablePlan;
  readonly test: FactTest;
  /** All facts of a statement count as one match. */
  readonly together: boolean;
  /** For each order the column that sorts the matches, where the order is `column`. */
  readonly sortColumns: readonly (string | undefined)[];
};

/** The position of a match: its sort values, its branch, its statement. */
export type MatchKey = { readonly sorts: readonly string[]; readonly branch: number; readonly statementId: string };

export type SearchOrder = {
  /** `stored`: the order in which documents were first stored, which no later version changes. */
  readonly by: 'stored' | 'updated' | 'statement' | 'column';
  readonly descending: boolean;
};

type SearchPage = {
  readonly orders: readonly SearchOrder[];
  readonly after: MatchKey | undefined;
  readonly limit: number;
};

type On = { readonly dialect: Dialect; readonly tables: FactTables };

const MIDNIGHT = 'T00:00:00.000000Z';
// SQLite accepts at most 500 selects and 32,766 values in one statement.
const BRANCHES_IN_STATEMENT = 250;

/** Documents whose resources are kept as they came say nothing by facts. */
export const NOT_KEPT = 'not exists (select 1 from fhir_resource as kept where kept.document_id = fact._document_id)';

const statementOf = (alias: string): string => `coalesce(${alias}._statement, ${alias}._id)`;

/**
 * A column in lower case, to be compared with `text`. Only a text with letters outside ASCII needs the slower function.
 */
const lowerCase = ({ dialect }: On, sql: string, text: string): string =>
  /[^\0-\x7f]/.test(text) ? factDialect(dialect).lowerCase(sql) : `lower(${sql})`;

const columnIn = ({ dialect }: On, plan: TablePlan, alias: string, name: string): string | undefined => {
  const column = plan.columns.find((one) => one.name === name);
  return column && columnSql(dialect, alias, column);
};

const listed = (sql: string, values: readonly string[]): Condition =>
  values.length === 0 ? NEVER : { text: `${sql} in (${marks(values)})`, values };

const hasEntry = (alias: string, entry: string): Condition => ({
  text: `instr(coalesce(${alias}._partial_dates, ''), ?) > 0`,
  values: [entry],
});

/** Whether resources say a day: it is stored as its midnight, or as a time of which no zone is known. */
function isWrittenAsDay(sql: string, alias: string, column: string): Condition {
  const [east, west] = [`+`, `-`].map((sign) => hasEntry(alias, ` ${column}:${sign}`));
  return anyOf([
    {
      text: `substr(${sql}, 11) = ? and not (${east!.text} or ${west!.text})`,
      values: [MIDNIGHT, ...east!.values, ...west!.values],
    },
    hasEntry(alias, partialDateEntry(column, 'local')),
  ]);
}

const onColumn = (
  on: On,
  plan: TablePlan,
  alias: string,
  test: Extract<FactTest, { readonly column: string }>,
): Condition => {
  const sql = columnIn(on, plan, alias, test.column);
  if (sql === undefined) {
    return NEVER;
  }
  switch (test.kind) {
    case 'filled':
      return { text: `${sql} is not null and trim(${sql}) <> ''`, values: [] };
    case 'in':
      return listed(sql, test.values);
    case 'flag':
      return { text: `${sql} = ?`, values: [test.value ? 1 : 0] };
    case 'before':
      return { text: `${sql} < ?`, values: [test.value] };
    case 'from':
      return { text: `${sql} >= ?`, values: [test.value] };
    case 'past':
      return { text: `${sql} <= ${alias}._created_at`, values: [] };
    case 'day':
      return isWrittenAsDay(sql, alias, test.column);
    case 'partial':
      return hasEntry(alias, partialDateEntry(test.column, test.precision));
    case 'begins':
    case 'contains': {
      const place = `instr(${lowerCase(on, sql, test.text)}, ?)`;
      return { text: test.kind === 'begins' ? `${place} = 1` : `${place} > 0`, values: [test.text.toLowerCase()] };
    }
    case 'fits': {
      const { text, bound } = factDialect(on.dialect).fits(`trim(${sql})`);
      return { text, values: [bound(test.pattern)] };
    }
  }
};

/** The condition that a fact exists in another table, or in the same table under another alias. */
const exists = (on: On, model: string, alias: string, link: string, test: FactTest): Condition => {
  const plan = on.tables.get(model);
  if (!plan) {
    return NEVER;
  }
  const inner = toSql(on, plan, alias, test);
  return {
    text: `exists (select 1 from \`${plan.table}\` as ${alias} where ${link} and (${inner.text}))`,
    values: inner.values,
  };
};

/** A test as a condition on the fact with this alias. It is never null: an unknown value does not pass. */
const toSql = (on: On, plan: TablePlan, alias: string, test: FactTest): Condition => {
  const inner = `${alias}_`;
  const inside = (tests: readonly FactTest[]): readonly Condition[] => tests.map((one) => toSql(on, plan, alias, one));
  switch (test.kind) {
    case 'constant':
      return test.holds ? ALWAYS : NEVER;
    case 'all':
      return allOf(inside(test.tests));
    case 'any':
      return anyOf(inside(test.tests));
    case 'not': {
      const { text, values } = toSql(on, plan, alias, test.test);
      return { text: `not coalesce((${text}), 0)`, values };
    }
    case 'statement':
      return {
        text: `${statementOf(alias)} in (${marks(test.ids)})`,
        values: test.ids,
      };
    case 'updated':
      return { text: `${alias}._created_at ${test.side === 'before' ? '<' : '>='} ?`, values: [test.value] };
    case 'nested':
      return exists(on, test.model, inner, `${inner}._parent_id = ${alias}._id`, test.test);
    case 'parent':
      return exists(on, test.model, inner, `${inner}._id = ${alias}._parent_id`, test.test);
    case 'sibling':
      return anyOf([
        toSql(on, plan, alias, test.test),
        exists(on, plan.model, inner, sameStatement(inner, alias), test.test),
      ]);
    default:
      return onColumn(on, plan, alias, test);
  }
};

/** A test as a condition on the `fact` of a table. */
export const testSql = (on: On, plan: TablePlan, test: FactTest): Condition => toSql(on, plan, 'fact', test);

/** Uses the index of statements. Facts of earlier releases have no statement id; each is a statement by itself. */
const sameStatement = (one: string, other: string): string =>
  `${one}._record_id = ${other}._record_id and ${one}._statement = ${other}._statement and ${one}._document_id = ${other}._document_id`;

/** The sort value of matches without a value, which puts them last. */
const UNSAID = { ascending: '~', descending: '' };

const sortSql = (on: On, plan: TablePlan, { by, descending }: SearchOrder, sortColumn: string | undefined): string => {
  switch (by) {
    case 'stored':
      return 'fact._lineage_id';
    case 'updated':
      return 'fact._created_at';
    case 'statement':
      return statementOf('fact');
    case 'column': {
      const last = `'${descending ? UNSAID.descending : UNSAID.ascending}'`;
      const sql = sortColumn === undefined ? undefined : columnIn(on, plan, 'fact', sortColumn);
      return sql === undefined ? last : `coalesce(${sql}, ${last})`;
    }
  }
};

const ofBranch = (on: On, scope: ReportScope, { plan, test, together }: SearchBranch): Condition => {
  const { text, values } = toSql(on, plan, 'fact', test);
  const first = together
    ? `not exists (select 1 from \`${plan.table}\` as earlier where ${sameStatement('earlier', 'fact')} and earlier._seq < fact._seq) and `
    : '';
  return factsFrom(plan, scope, { text: `${NOT_KEPT} and ${first}(${text})`, values });
};

/** The values by which the matches of a branch are sorted. */
const sortsOf = (on: On, { plan, sortColumns }: SearchBranch, orders: readonly SearchOrder[]): readonly OrderedBy[] =>
  orders.map((order, index) => ({
    sql: sortSql(on, plan, order, sortColumns[index]),
    descending: order.descending,
  }));

/** The condition that a fact of a branch comes after a position. */
const behind = (by: readonly OrderedBy[], { sorts, branch: at, statementId }: MatchKey, branch: number): Condition => {
  if (branch !== at) {
    return comesAfter(by, sorts, branch > at ? ALWAYS : NEVER);
  }
  return comesAfter(by, sorts, { text: `${statementOf('fact')} > ?`, values: [statementId] });
};

const compareKeys =
  (orders: readonly SearchOrder[]) =>
  (one: MatchKey, other: MatchKey): number => {
    const index = one.sorts.findIndex((sort, at) => sort !== other.sorts[at]);
    if (index >= 0) {
      return one.sorts[index]! < other.sorts[index]! === orders[index]!.descending ? 1 : -1;
    }
    return one.branch - other.branch || (one.statementId < other.statementId ? -1 : 1);
  };

type KeyRow = Readonly<Record<string, string>> & { readonly branch: number | string; readonly statement: string };

/** One page of matches, in their order, read with one SQL statement for each 250 branches. */
export const searchFacts = async (
  reads: Reads,
  on: On,
  scope: ReportScope,
  branches: readonly SearchBranch[],
  { orders, after, limit }: SearchPage,
): Promise<readonly MatchKey[]> => {
  const found: MatchKey[] = [];
  const named = orders.map(({ descending }, index) => ({ sql: `sort_${index}`, descending }));
  const ordered = orderText(named);
  for (const some of inParts(
    branches.map((branch, number) => ({ branch, number })),
    BRANCHES_IN_STATEMENT,
  )) {
    const selects = some.map(({ branch, number }): Condition => {
      const by = sortsOf(on, branch, orders);
      const sorts = by.map(({ sql }, index) => `${sql} as sort_${index}`).join(', ');
      const { text, values } = ofBranch(on, scope, branch);
      const place = after === undefined ? ALWAYS : behind(by, after, number);
      return {
        text: `select * from (select ${number} as branch, ${sorts}, ${statementOf('fact')} as statement ${text} and (${place.text}) order by ${ordered}, statement limit ?) as branch_${number}`,
        values: [...values, ...place.values, limit],
      };
    });
    const rows = await reads.rows<KeyRow>(
      `select * from (${selects.map(({ text }) => text).join(' union all ')}) as matches order by ${ordered}, branch, statement limit ?`,
      [...selects.flatMap(({ values }) => values), limit],
    );
    found.push(
      ...rows.map((row) => ({
        sorts: named.map(({ sql }) => row[sql]!),
        branch: Number(row.branch),
        statementId: row.statement,
      })),
    );
  }
  return found.sort(compareKeys(orders)).slice(0, limit);
};

/** The number of matches, counted with one SQL statement for each 250 branches. */
export const countFacts = async (
  reads: Reads,
  on: On,
  scope: ReportScope,
  branches: readonly SearchBranch[],
): Promise<number> => {
  let count = 0;
  for (const some of inParts(branches, BRANCHES_IN_STATEMENT)) {
    const parts = some.map((branch) => ofBranch(on, scope, branch));
    const rows = await reads.rows<{ n: number | string }>(
      parts.map(({ text }) => `select count(*) as n ${text}`).join(' union all '),
      parts.flatMap(({ values }) => values),
    );
    count += rows.reduce((sum, { n }) => sum + Number(n), 0);
  }
  return count;
};
